package convert

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"unicode/utf8"

	"gauntlet/internal/trace"
)

// readJSON reads a file that holds one JSON value. A syntax error, such as that
// of a file that is cut off, is reported with file:line:col; columns count
// characters from 1.
func readJSON(name string) (trace.Value, []byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return trace.Value{}, nil, fmt.Errorf("read file: %w", err)
	}
	// Windows editors put a byte order mark in front.
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	v, _, err := trace.ParseValue(data)
	var syn *trace.SyntaxError
	if errors.As(err, &syn) {
		line, col := position(data, syn.Offset)
		return trace.Value{}, nil, fmt.Errorf("%s:%d:%d: %s", name, line, col, syn.Message)
	}
	if err != nil {
		return trace.Value{}, nil, fmt.Errorf("%s: %w", name, err)
	}
	return v, data, nil
}

// position is the line and column, from 1, of a byte offset.
func position(data []byte, offset int) (line, col int) {
	before := data[:min(max(offset, 0), len(data))]
	line = 1 + bytes.Count(before, []byte{'\n'})
	start := bytes.LastIndexByte(before, '\n') + 1
	return line, 1 + utf8.RuneCount(before[start:])
}

// unfold returns the value that a JSON text within a string stands for. Some
// published files hold lists and objects in this form.
func unfold(v trace.Value) trace.Value {
	if v.Kind() != trace.KindString {
		return v
	}
	inner, _, err := trace.ParseValue([]byte(v.Text()))
	if err != nil || inner.Kind() != trace.KindArray && inner.Kind() != trace.KindObject {
		return v
	}
	return inner
}

// item reads the fields of one published object and keeps the first problem.
type item struct {
	v       trace.Value
	problem string
}

func (r *item) fail(format string, args ...any) {
	if r.problem == "" {
		r.problem = fmt.Sprintf(format, args...)
	}
}

// text reads a required string.
func (r *item) text(key string) string {
	v := r.v.Get(key)
	if v.Kind() != trace.KindString {
		r.wrong(key, "a string", v)
	}
	return v.Text()
}

// optional reads a string that may be missing or null.
func (r *item) optional(key string) string {
	if v := r.v.Get(key); v.Kind() == trace.KindString || v.Kind() == trace.KindAbsent || v.Kind() == trace.KindNull {
		return v.Text()
	}
	r.wrong(key, "a string", r.v.Get(key))
	return ""
}

// object reads a required object.
func (r *item) object(key string) trace.Value {
	v := unfold(r.v.Get(key))
	if v.Kind() != trace.KindObject {
		r.wrong(key, "an object", v)
	}
	return v
}

// list reads a required list.
func (r *item) list(key string) []trace.Value {
	v := unfold(r.v.Get(key))
	if v.Kind() != trace.KindArray {
		r.wrong(key, "a list", v)
	}
	return v.Items()
}

// maybeList reads a list that may be missing or null.
func (r *item) maybeList(key string) []trace.Value {
	if v := r.v.Get(key); v.Kind() == trace.KindAbsent || v.Kind() == trace.KindNull {
		return nil
	}
	return r.list(key)
}

func (r *item) wrong(key, want string, v trace.Value) {
	if v.Kind() == trace.KindAbsent {
		r.fail("field %q is missing", key)
		return
	}
	r.fail("field %q must be %s, not %s", key, want, v.Kind())
}
