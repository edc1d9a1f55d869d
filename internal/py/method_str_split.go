package py

import (
	"strings"
	"unicode/utf8"

	"gauntlet/internal/py/text"
)

// textList makes a list of strs.
func (t *Thread) textList(parts []string) (Value, error) {
	size := 0
	for _, p := range parts {
		size += len(p) + 40
	}
	if err := t.Alloc(size); err != nil {
		return nil, err
	}
	out := make([]Value, len(parts))
	for i, p := range parts {
		out[i] = NewStr(p)
	}
	return t.NewList(out), nil
}

// strSplit wraps split and rsplit.
func strSplit(by func(s, sep string, limit int) ([]string, error), bySpace func(s string, limit int) []string) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		s, limit := self.(*Str).s, -1
		if a[1] != nil {
			n, err := t.toSize(a[1])
			if err != nil {
				return nil, err
			}
			limit = n
		}
		if err := t.allocText(len(s)); err != nil {
			return nil, err
		}
		if a[0] == nil || a[0] == None {
			return t.textList(bySpace(s, limit))
		}
		sep, ok := AsStr(a[0])
		if !ok {
			return nil, TypeErrorf("must be str or None, not %s", TypeName(a[0]))
		}
		parts, err := by(s, sep.s, limit)
		if err != nil {
			return nil, raiseText(err)
		}
		return t.textList(parts)
	}
}

func strSplitLines(t *Thread, self Value, a []Value) (Value, error) {
	keep := false
	if a[0] != nil {
		n, err := t.toCInt(a[0])
		if err != nil {
			return nil, err
		}
		keep = n != 0
	}
	s := self.(*Str).s
	if err := t.allocText(len(s)); err != nil {
		return nil, err
	}
	return t.textList(text.SplitLines(s, keep))
}

func strPartition(fn func(s, sep string) (head, mid, tail string, err error)) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		sep, ok := AsStr(a[0])
		if !ok {
			return nil, TypeErrorf("must be str, not %s", TypeName(a[0]))
		}
		s := self.(*Str).s
		if err := t.allocText(len(s)); err != nil {
			return nil, err
		}
		head, mid, tail, err := fn(s, sep.s)
		if err != nil {
			return nil, raiseText(err)
		}
		return NewTuple(NewStr(head), NewStr(mid), NewStr(tail)), nil
	}
}

func strJoin(t *Thread, self Value, a []Value) (Value, error) {
	sep := self.(*Str)
	items, err := t.collectFor(a[0], "can only join an iterable")
	if err != nil {
		return nil, err
	}
	if len(items) == 1 {
		if s, ok := items[0].(*Str); ok {
			return s, nil
		}
	}
	size := 0
	for i, v := range items {
		s, ok := AsStr(v)
		if !ok {
			return nil, TypeErrorf("sequence item %d: expected str instance, %s found", i, TypeName(v))
		}
		size += len(s.s) + len(sep.s)
	}
	if err := t.allocText(size); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.Grow(size)
	for i, v := range items {
		if i > 0 {
			b.WriteString(sep.s)
		}
		s, _ := AsStr(v)
		b.WriteString(s.s)
	}
	return NewStr(b.String()), nil
}

// collectFor is Collect with the text of the TypeError when v cannot be iterated over.
func (t *Thread) collectFor(v Value, message string) ([]Value, error) {
	it, err := t.Iter(v)
	if _, is := Catch(err, TypeErrorType); is {
		return nil, TypeErrorf("%s", message)
	}
	if err != nil {
		return nil, err
	}
	return t.Collect(it)
}

// codecArgs reads the encoding and errors arguments of a method.
func codecArgs(name string, encoding, handler Value) (enc, errs string, err error) {
	enc, errs = "utf-8", "strict"
	for i, v := range []Value{encoding, handler} {
		if v == nil {
			continue
		}
		s, ok := AsStr(v)
		if !ok {
			return "", "", TypeErrorf("%s() argument '%s' must be str, not %s", name, [...]string{"encoding", "errors"}[i], typeNameNone(v))
		}
		if !utf8.ValidString(s.s) { // C code wants UTF-8
			_, err := text.Encode(s.s, text.UTF8, "strict")
			return "", "", raiseText(err)
		}
		if strings.IndexByte(s.s, 0) >= 0 {
			return "", "", ValueErrorf("embedded null character")
		}
		if i == 0 {
			enc = s.s
		} else {
			errs = s.s
		}
	}
	return enc, errs, nil
}

func strEncode(t *Thread, self Value, a []Value) (Value, error) {
	enc, errs, err := codecArgs("encode", a[0], a[1])
	if err != nil {
		return nil, err
	}
	b, err := t.encodeText(self.(*Str).s, enc, errs)
	if err != nil {
		return nil, err
	}
	return &Bytes{b}, nil
}

// encodeText is s.encode(enc, errs).
func (t *Thread) encodeText(s, enc, errs string) (string, error) {
	codec, err := text.FindCodec(enc)
	if err != nil {
		return "", raiseText(err)
	}
	if err := t.allocText(4 * len(s)); err != nil {
		return "", err
	}
	b, err := text.Encode(s, codec, errs)
	if err != nil {
		return "", raiseText(err)
	}
	return string(b), nil
}

// decodeText is b.decode(enc, errs).
func (t *Thread) decodeText(b, enc, errs string) (Value, error) {
	if b == "" {
		return emptyStr, nil // whatever the encoding
	}
	codec, err := text.FindCodec(enc)
	if err != nil {
		return nil, raiseText(err)
	}
	if err := t.allocText(4 * len(b)); err != nil {
		return nil, err
	}
	return t.strResult(text.Decode([]byte(b), codec, errs))
}

// strMakeTrans is str.maketrans: a table for translate from a dict, or from
// two equally long strs and a str of what to delete.
func strMakeTrans(t *Thread, a []Value) (Value, error) {
	out := t.NewDict()
	if a[1] == nil {
		if _, ok := a[0].(*Dict); !ok {
			return nil, TypeErrorf("if you give only one argument to maketrans it must be a dict")
		}
		for _, it := range a[0].(*Dict).Items(t) {
			key := it.Key
			if s, ok := AsStr(key); ok {
				if s.n != 1 {
					return nil, ValueErrorf("string keys in translate table must be of length 1")
				}
				r, _ := text.DecodeRune(s.s)
				key = Int(r)
			} else if !isInt(Unwrap(key)) {
				return nil, TypeErrorf("keys in translate table must be strings or integers")
			}
			if err := out.Set(t, key, it.Value); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	y, ok := AsStr(a[1])
	if !ok {
		return nil, TypeErrorf("maketrans() argument 2 must be str, not %s", typeNameNone(a[1]))
	}
	z := emptyStr
	if a[2] != nil {
		if z, ok = AsStr(a[2]); !ok {
			return nil, TypeErrorf("maketrans() argument 3 must be str, not %s", typeNameNone(a[2]))
		}
	}
	x, ok := AsStr(a[0])
	if !ok {
		return nil, TypeErrorf("first maketrans argument must be a string if there is a second argument")
	}
	if x.n != y.n {
		return nil, ValueErrorf("the first two maketrans arguments must have equal length")
	}
	from, to := x.s, y.s
	for len(from) > 0 {
		k, n := text.DecodeRune(from)
		v, m := text.DecodeRune(to)
		from, to = from[n:], to[m:]
		if err := out.Set(t, Int(k), Int(v)); err != nil {
			return nil, err
		}
	}
	for rest := z.s; len(rest) > 0; {
		k, n := text.DecodeRune(rest)
		rest = rest[n:]
		if err := out.Set(t, Int(k), None); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func strTranslate(t *Thread, self Value, a []Value) (Value, error) {
	s := self.(*Str).s
	if err := t.allocText(len(s)); err != nil {
		return nil, err
	}
	if err := t.Charge(len(s)); err != nil {
		return nil, err
	}
	return t.strResult(text.Translate(s, func(r rune) (string, bool, error) {
		v, err := t.GetItem(a[0], Int(r))
		if err != nil {
			if _, ok := Catch(err, LookupErrorType); ok {
				return "", false, nil
			}
			return "", false, err
		}
		return t.translation(v)
	}))
}

// translation is one value of a translate table as text.
func (t *Thread) translation(v Value) (string, bool, error) {
	if v == None {
		return "", true, nil
	}
	if s, ok := AsStr(v); ok {
		return s.s, true, t.allocText(2 * len(s.s)) // and the copy while the result grows
	}
	if !isInt(Unwrap(v)) {
		return "", false, TypeErrorf("character mapping must return integer, None or str")
	}
	n, ok := AsInt(v)
	if !ok || n < 0 || n > 0x10FFFF {
		return "", false, ValueErrorf("character mapping must be in range(0x110000)")
	}
	return text.RuneText(rune(n)), true, t.Charge(1)
}
