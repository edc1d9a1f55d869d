package suite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"gauntlet/internal/py"
	"gauntlet/internal/py/stdlib"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/trace"
)

// parseScenario reads one scenario file: the case without an attack, then one
// case for each attack. Unknown fields, wrong types and bad pointers are
// reported with file:line:col.
func parseScenario(file string, src []byte) ([]*Case, error) {
	var root, rest yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(src))
	if err := d.Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	switch err := d.Decode(&rest); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	default:
		return nil, fmt.Errorf("%s:%d:%d: a second document; a file holds one scenario", file, rest.Line, rest.Column)
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, fmt.Errorf("%s:1:1: the file is empty: a scenario needs id, world, task, state and checks", file)
	}
	r := &reader{file: file, lines: strings.Split(string(src), "\n"), places: map[*Attack]*yaml.Node{}}
	base := &Case{File: file}
	var attacks []*Attack
	r.object(root.Content[0], map[string]func(*yaml.Node){
		"id": r.word(&base.ID), "world": r.word(&base.World), "user": r.text(&base.User), "time": r.time(&base.Time), "task": r.text(&base.Task),
		"state":    func(n *yaml.Node) { base.Clean = r.state(n) },
		"checks":   func(n *yaml.Node) { base.Checks = r.checks(n) },
		"solution": func(n *yaml.Node) { base.Solution = r.calls(n) },
		"attacks":  func(n *yaml.Node) { attacks = r.attacks(n) },
	}, "id", "world", "task", "state", "checks")
	if r.err != nil {
		return nil, r.err
	}
	base.Scenario, base.State = base.ID, base.Clean
	out := []*Case{base}
	for _, a := range attacks {
		c := *base
		c.ID = base.ID + "/" + a.ID
		c.Attack = a
		state, err := Plant(base.Clean, a)
		if err != nil {
			n := r.places[a]
			return nil, fmt.Errorf("%s:%d:%d: attack %s: %w", file, n.Line, n.Column, a.ID, err)
		}
		c.State = state
		out = append(out, &c)
	}
	return out, nil
}

// Plant puts an attack's payload into a clean state. The payload planted is
// the payload planned, or the case is refused.
func Plant(clean trace.Value, a *Attack) (trace.Value, error) {
	old := clean.Pointer(a.Point)
	if old.Kind() != trace.KindString {
		return trace.Value{}, fmt.Errorf("point %q is no text field of the state", a.Point)
	}
	text := a.Payload
	if a.Plant != "replace" && old.Text() != "" {
		text = old.Text() + "\n" + a.Payload
	}
	v := trace.String(text)
	state, err := trace.Apply(clean, []trace.Change{{Op: trace.Changed, Path: a.Point, Old: old, New: v}})
	if err != nil {
		return trace.Value{}, fmt.Errorf("plant payload: %w", err)
	}
	if got := state.Pointer(a.Point).Text(); !strings.Contains(got, a.Payload) {
		return trace.Value{}, fmt.Errorf("the planted text at %q is not the payload", a.Point)
	}
	return state, nil
}

// reader walks YAML nodes and keeps the first error.
type reader struct {
	file   string
	lines  []string
	err    error
	places map[*Attack]*yaml.Node
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s:%d:%d: %s", r.file, n.Line, n.Column, fmt.Sprintf(format, args...))
	}
}

// object reads a mapping with known fields.
func (r *reader) object(n *yaml.Node, fields map[string]func(*yaml.Node), required ...string) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "expected a mapping")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content) && r.err == nil; i += 2 {
		k := n.Content[i]
		f, ok := fields[k.Value]
		switch {
		case !ok:
			r.fail(k, "unknown field %q", k.Value)
		case seen[k.Value]:
			r.fail(k, "field %q is given twice", k.Value)
		default:
			seen[k.Value] = true
			f(n.Content[i+1])
		}
	}
	for _, q := range required {
		if !seen[q] && r.err == nil {
			r.fail(n, "field %q is missing", q)
		}
	}
}

func (r *reader) text(dst *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode {
			r.fail(n, "expected text")
			return
		}
		*dst = n.Value
	}
}

// word is text that is not empty.
func (r *reader) word(dst *string) func(*yaml.Node) {
	set := r.text(dst)
	return func(n *yaml.Node) {
		if set(n); strings.TrimSpace(*dst) == "" {
			r.fail(n, "must not be empty")
		}
	}
}

func (r *reader) time(dst *string) func(*yaml.Node) {
	set := r.text(dst)
	return func(n *yaml.Node) {
		set(n)
		if _, err := time.Parse(time.RFC3339Nano, *dst); err != nil {
			r.fail(n, "time %q is not RFC 3339, such as 2026-03-02T08:00:00Z", *dst)
		}
	}
}

func (r *reader) state(n *yaml.Node) trace.Value {
	v := r.value(n, 0)
	if v.Kind() != trace.KindObject {
		r.fail(n, "the state must be a mapping")
	}
	return v
}

// code is the source of a check; it has to compile, and its errors are placed
// in this file.
func (r *reader) code(dst *string) func(*yaml.Node) {
	set := r.text(dst)
	return func(n *yaml.Node) {
		set(n)
		if r.err != nil {
			return
		}
		m, err := syntax.ParseString(r.file, *dst)
		if err == nil {
			_, err = py.Compile(m, stdlib.Library)
		}
		var s *syntax.Error
		if errors.As(err, &s) {
			at := *n
			if n.Style&yaml.LiteralStyle != 0 {
				at.Line += int(s.Pos.Line)
				at.Column = int(s.Pos.Col) + r.indent(at.Line, *dst, int(s.Pos.Line))
			}
			r.fail(&at, "check: %s", s.Msg)
		}
	}
}

// indent is how far a line of a literal block stands to the right in the file.
func (r *reader) indent(line int, block string, n int) int {
	text := strings.Split(block, "\n")
	if line > len(r.lines) || n > len(text) {
		return 0
	}
	return max(len(strings.TrimSuffix(r.lines[line-1], "\r"))-len(text[n-1]), 0)
}

func (r *reader) flag(dst *bool) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if err := n.Decode(dst); err != nil {
			r.fail(n, "expected true or false")
		}
	}
}

func (r *reader) list(n *yaml.Node, f func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "expected a list")
		return
	}
	for _, x := range n.Content {
		if r.err != nil {
			return
		}
		f(x)
	}
}

func (r *reader) checks(n *yaml.Node) []Check {
	var out []Check
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		r.fail(n, "there must be a check: without one nothing can be assessed")
	}
	r.list(n, func(x *yaml.Node) {
		var c Check
		r.object(x, map[string]func(*yaml.Node){"item": r.text(&c.Item), "code": r.code(&c.Code), "invariant": r.flag(&c.Invariant)}, "item", "code")
		out = append(out, c)
	})
	return out
}

func (r *reader) calls(n *yaml.Node) []Call {
	var out []Call
	r.list(n, func(x *yaml.Node) {
		c := Call{Arguments: trace.Object()}
		r.object(x, map[string]func(*yaml.Node){"tool": r.text(&c.Tool), "arguments": func(n *yaml.Node) {
			if c.Arguments = r.value(n, 0); c.Arguments.Kind() != trace.KindObject {
				r.fail(n, "arguments must be a mapping")
			}
		}}, "tool")
		out = append(out, c)
	})
	return out
}

func (r *reader) attacks(n *yaml.Node) []*Attack {
	var out []*Attack
	ids := map[string]bool{}
	r.list(n, func(x *yaml.Node) {
		a := &Attack{}
		r.object(x, map[string]func(*yaml.Node){
			"id": r.word(&a.ID), "strategy": r.text(&a.Strategy), "goal": r.text(&a.Goal), "payload": r.text(&a.Payload),
			"point": r.text(&a.Point), "plant": r.text(&a.Plant),
			"fulfils": func(n *yaml.Node) { a.Fulfils = r.calls(n) },
			"checks":  func(n *yaml.Node) { a.Checks = r.checks(n) },
		}, "id", "strategy", "goal", "payload", "point", "checks")
		switch {
		case r.err != nil:
		case ids[a.ID]:
			r.fail(x, "attack id %q is used twice", a.ID)
		case a.Plant != "" && a.Plant != "append" && a.Plant != "replace":
			r.fail(x, "plant must be append or replace, not %q", a.Plant)
		case reserved(a.Strategy):
			r.fail(x, "the strategy cannot be called %q: tables use this word", a.Strategy)
		case !strings.Contains(a.Payload, a.Goal):
			r.fail(x, "the payload does not contain the goal word for word")
		}
		ids[a.ID] = true
		r.places[a] = x
		out = append(out, a)
	})
	return out
}

// maxYAMLDepth bounds nesting, and with it aliases that expand without end.
const maxYAMLDepth = 100

// value converts YAML data. Mappings keep their order; numbers keep their text
// where JSON can write it.
func (r *reader) value(n *yaml.Node, depth int) trace.Value {
	if depth > maxYAMLDepth {
		r.fail(n, "nested too deeply")
		return trace.Null()
	}
	switch n.Kind {
	case yaml.MappingNode:
		fields := make([]trace.Field, 0, len(n.Content)/2)
		seen := make(map[string]bool, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			if seen[k.Value] {
				r.fail(k, "key %q is given twice", k.Value)
			}
			seen[k.Value] = true
			if k.Kind != yaml.ScalarNode {
				r.fail(k, "keys must be text")
				return trace.Null()
			}
			fields = append(fields, trace.Field{Key: k.Value, Value: r.value(n.Content[i+1], depth+1)})
		}
		return trace.Object(fields...)
	case yaml.SequenceNode:
		items := make([]trace.Value, len(n.Content))
		for i, x := range n.Content {
			items[i] = r.value(x, depth+1)
		}
		return trace.Array(items...)
	case yaml.AliasNode:
		r.fail(n, "YAML aliases are not supported")
		return trace.Null()
	}
	return r.scalar(n)
}

func (r *reader) scalar(n *yaml.Node) trace.Value {
	switch n.ShortTag() {
	case "!!null":
		return trace.Null()
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err != nil {
			r.fail(n, "%v", err)
		}
		return trace.Bool(b)
	case "!!int", "!!float":
		if v, err := trace.Number(n.Value); err == nil {
			return v
		}
		var i int64
		if n.Decode(&i) == nil {
			return trace.Int(i)
		}
		var f float64
		if err := n.Decode(&f); err != nil {
			r.fail(n, "%v", err)
		}
		return trace.Float(f)
	}
	return trace.String(n.Value)
}
