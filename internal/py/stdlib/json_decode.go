package stdlib

import (
	"strconv"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// jsonDecoderType is json.JSONDecoder; its options are attributes.
var jsonDecoderType = py.NewType("json.decoder", "JSONDecoder")

func finishJSONDecoder() {
	c := jsonDecoderType
	c.Finish(
		pyMethod(c, "__init__", "*, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True, object_pairs_hook=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			names := []string{"object_hook", "parse_float", "parse_int", "parse_constant", "strict", "object_pairs_hook"}
			for i, n := range names {
				v := given(a[i], py.None)
				if n == "strict" {
					v = given(a[i], py.True)
				}
				if err := t.SetAttr(self, n, v); err != nil {
					return nil, err
				}
			}
			return py.None, nil
		}),
		pyMethod(c, "decode", "s", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			d, err := newJSONDecoder(t, self, a[0])
			if err != nil {
				return nil, err
			}
			return d.document(t)
		}),
		pyMethod(c, "raw_decode", "s, idx=0", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			d, err := newJSONDecoder(t, self, a[0])
			if err != nil {
				return nil, err
			}
			at, err := t.AsIndex(given(a[1], py.Int(0)))
			if err != nil {
				return nil, err
			}
			if at < 0 {
				return nil, py.ValueErrorf("idx cannot be negative")
			}
			if at > int64(d.doc.Len()) {
				return nil, jsonError(t, "Expecting value", d.doc, int(at))
			}
			d.i = text.Offset(d.src, int(at))
			v, err := d.value(t)
			if err != nil {
				return nil, err
			}
			return py.NewTuple(v, py.Int(d.position(d.i))), nil
		}),
	)
}

// jsonDecoder reads one document. Absent hooks are nil.
type jsonDecoder struct {
	doc    *py.Str
	src    string
	i      int // byte offset of the next character
	strict bool

	objectHook, pairsHook, parseFloat, parseInt, parseConstant py.Value
}

func newJSONDecoder(t *py.Thread, self, doc py.Value) (*jsonDecoder, error) {
	s, ok := py.AsStr(doc)
	if !ok {
		return nil, py.TypeErrorf("expected string or bytes-like object, got '%s'", py.TypeName(doc))
	}
	d := &jsonDecoder{doc: s, src: s.String()}
	for name, to := range map[string]*py.Value{
		"object_hook": &d.objectHook, "object_pairs_hook": &d.pairsHook, "parse_float": &d.parseFloat,
		"parse_int": &d.parseInt, "parse_constant": &d.parseConstant,
	} {
		v, err := t.GetAttr(self, name)
		if err != nil {
			return nil, err
		}
		truth, err := t.Truth(v)
		if err != nil {
			return nil, err
		}
		if v != py.None && (truth || name == "object_hook" || name == "object_pairs_hook") {
			*to = v
		}
	}
	v, err := t.GetAttr(self, "strict")
	if err != nil {
		return nil, err
	}
	d.strict, err = t.Truth(v)
	return d, err
}

// position converts a byte offset to code points.
func (d *jsonDecoder) position(i int) int { return text.Len(d.src[:i]) }

func (d *jsonDecoder) fail(t *py.Thread, msg string, i int) error {
	return jsonError(t, msg, d.doc, d.position(i))
}

func (d *jsonDecoder) space() {
	for d.i < len(d.src) {
		switch d.src[d.i] {
		case ' ', '\t', '\n', '\r':
			d.i++
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end.
func (d *jsonDecoder) peek() byte {
	if d.i < len(d.src) {
		return d.src[d.i]
	}
	return 0
}

// document reads a whole text: one value and white space.
func (d *jsonDecoder) document(t *py.Thread) (py.Value, error) {
	d.space()
	v, err := d.value(t)
	if err != nil {
		return nil, err
	}
	d.space()
	if d.i < len(d.src) {
		return nil, d.fail(t, "Extra data", d.i)
	}
	return v, nil
}

func (d *jsonDecoder) value(t *py.Thread) (py.Value, error) {
	if err := t.Charge(1); err != nil {
		return nil, err
	}
	switch c := d.peek(); c {
	case '"':
		return d.text(t)
	case '{', '[':
		if err := t.Enter(); err != nil {
			what := "object"
			if c == '[' {
				what = "array"
			}
			return nil, py.RaiseType(py.RecursionErrorType, "maximum recursion depth exceeded while decoding a JSON %s from a unicode string", what)
		}
		defer t.Leave()
		if c == '{' {
			return d.object(t)
		}
		return d.array(t)
	case 'n', 't', 'f', 'N', 'I', '-':
		for _, w := range [...]struct {
			word string
			v    py.Value
		}{{"null", py.None}, {"true", py.True}, {"false", py.False}, {"NaN", nil}, {"Infinity", nil}, {"-Infinity", nil}} {
			if strings.HasPrefix(d.src[d.i:], w.word) {
				d.i += len(w.word)
				if w.v != nil {
					return w.v, nil
				}
				return d.constant(t, w.word)
			}
		}
	}
	return d.number(t)
}

func (d *jsonDecoder) constant(t *py.Thread, word string) (py.Value, error) {
	if d.parseConstant != nil {
		return t.Call(d.parseConstant, []py.Value{py.NewStr(word)}, nil)
	}
	f, err := strconv.ParseFloat(word, 64)
	return py.Float(f), err
}

func (d *jsonDecoder) digits() bool {
	start := d.i
	for d.i < len(d.src) && d.src[d.i] >= '0' && d.src[d.i] <= '9' {
		d.i++
	}
	return d.i > start
}

func (d *jsonDecoder) number(t *py.Thread) (py.Value, error) {
	start := d.i
	if d.peek() == '-' {
		d.i++
	}
	if d.peek() == '0' {
		d.i++
	} else if !d.digits() {
		d.i = start
		return nil, d.fail(t, "Expecting value", start)
	}
	isFloat := false
	mark := d.i
	if d.peek() == '.' {
		d.i++
		if d.digits() {
			isFloat, mark = true, d.i
		}
	}
	d.i = mark
	if c := d.peek(); c == 'e' || c == 'E' {
		d.i++
		if c := d.peek(); c == '+' || c == '-' {
			d.i++
		}
		if d.digits() {
			isFloat, mark = true, d.i
		}
	}
	d.i = mark
	word := d.src[start:mark]
	switch {
	case isFloat && d.parseFloat != nil:
		return t.Call(d.parseFloat, []py.Value{py.NewStr(word)}, nil)
	case isFloat:
		f, err := text.ParseFloat(word)
		return py.Float(f), err
	case d.parseInt != nil:
		return t.Call(d.parseInt, []py.Value{py.NewStr(word)}, nil)
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return py.Int(n), nil
	}
	return t.Call(py.IntType, []py.Value{py.NewStr(word)}, nil)
}

func (d *jsonDecoder) array(t *py.Thread) (py.Value, error) {
	d.i++
	var items []py.Value
	d.space()
	if d.peek() == ']' {
		d.i++
		return t.NewList(nil), nil
	}
	for {
		v, err := d.value(t)
		if err != nil {
			return nil, err
		}
		if len(items) == cap(items) {
			if err := t.Alloc(32 * (len(items) + 4)); err != nil {
				return nil, err
			}
		}
		items = append(items, v)
		d.space()
		switch d.peek() {
		case ']':
			d.i++
			return t.NewList(items), nil
		case ',':
		default:
			return nil, d.fail(t, "Expecting ',' delimiter", d.i)
		}
		d.i++
		d.space()
	}
}

func (d *jsonDecoder) object(t *py.Thread) (py.Value, error) {
	d.i++
	if err := t.Alloc(64); err != nil {
		return nil, err
	}
	var pairs []py.Value
	out := t.NewDict()
	d.space()
	if d.peek() == '}' {
		d.i++
		return d.finish(t, out, pairs)
	}
	for {
		k, v, err := d.item(t)
		if err != nil {
			return nil, err
		}
		if d.pairsHook == nil {
			if err := out.Set(t, k, v); err != nil {
				return nil, err
			}
		} else {
			if err := t.Alloc(64); err != nil {
				return nil, err
			}
			pairs = append(pairs, py.NewTuple(k, v))
		}
		d.space()
		switch d.peek() {
		case '}':
			d.i++
			return d.finish(t, out, pairs)
		case ',':
		default:
			return nil, d.fail(t, "Expecting ',' delimiter", d.i)
		}
		d.i++
		d.space()
	}
}

// item reads "name": value.
func (d *jsonDecoder) item(t *py.Thread) (k, v py.Value, err error) {
	if d.peek() != '"' {
		return nil, nil, d.fail(t, "Expecting property name enclosed in double quotes", d.i)
	}
	if k, err = d.text(t); err != nil {
		return nil, nil, err
	}
	d.space()
	if d.peek() != ':' {
		return nil, nil, d.fail(t, "Expecting ':' delimiter", d.i)
	}
	d.i++
	d.space()
	v, err = d.value(t)
	return k, v, err
}

// finish passes a complete object to the hooks.
func (d *jsonDecoder) finish(t *py.Thread, out *py.Dict, pairs []py.Value) (py.Value, error) {
	switch {
	case d.pairsHook != nil:
		return t.Call(d.pairsHook, []py.Value{t.NewList(pairs)}, nil)
	case d.objectHook != nil:
		return t.Call(d.objectHook, []py.Value{out}, nil)
	}
	return out, nil
}

// text reads a string literal; d.i is at the opening quote.
func (d *jsonDecoder) text(t *py.Thread) (py.Value, error) {
	begin := d.i
	d.i++
	var out []byte // what precedes the run that starts at mark
	mark := d.i
	for d.i < len(d.src) {
		switch c := d.src[d.i]; {
		case c == '"':
			s := d.src[mark:d.i]
			d.i++
			if out != nil {
				s = string(append(out, s...))
			}
			if err := t.Alloc(len(s) + 32); err != nil {
				return nil, err
			}
			return py.NewStr(s), nil
		case c == '\\':
			out = append(out, d.src[mark:d.i]...)
			var err error
			if out, err = d.escape(t, out, begin); err != nil {
				return nil, err
			}
			mark = d.i
		case c < ' ' && d.strict:
			return nil, d.fail(t, "Invalid control character at", d.i)
		default:
			d.i++
		}
	}
	return nil, d.fail(t, "Unterminated string starting at", begin)
}

// escape reads a backslash escape and appends what it stands for.
func (d *jsonDecoder) escape(t *py.Thread, out []byte, begin int) ([]byte, error) {
	at := d.i
	d.i++
	if d.i >= len(d.src) {
		return nil, d.fail(t, "Unterminated string starting at", begin)
	}
	c := d.src[d.i]
	d.i++
	if c != 'u' {
		const from, to = "\"\\/bfnrt", "\"\\/\b\f\n\r\t"
		k := strings.IndexByte(from, c)
		if k < 0 {
			return nil, d.fail(t, `Invalid \escape`, at)
		}
		return append(out, to[k]), nil
	}
	r, err := d.hex4(t)
	if err != nil {
		return nil, err
	}
	if r >= 0xD800 && r < 0xDC00 && strings.HasPrefix(d.src[d.i:], `\u`) {
		mark := d.i
		d.i += 2
		low, err := d.hex4(t)
		if err != nil {
			return nil, err
		}
		if low >= 0xDC00 && low < 0xE000 {
			r = 0x10000 + (r-0xD800)<<10 + low - 0xDC00
		} else {
			d.i = mark
		}
	}
	return text.AppendRune(out, r), nil
}

// hex4 reads four hexadecimal digits.
func (d *jsonDecoder) hex4(t *py.Thread) (rune, error) {
	var r rune
	if d.i+4 >= len(d.src) { // the closing quote must follow
		return 0, d.fail(t, `Invalid \uXXXX escape`, d.i-1)
	}
	for k := range 4 {
		n := strings.IndexByte("0123456789abcdef", d.src[d.i+k]|0x20)
		if n < 0 || d.src[d.i+k] < '0' {
			return 0, d.fail(t, `Invalid \uXXXX escape`, d.i-1)
		}
		r = r<<4 | rune(n)
	}
	d.i += 4
	return r, nil
}
