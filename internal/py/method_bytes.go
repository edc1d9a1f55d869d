package py

import (
	"bytes"
	"encoding/hex"
	"strings"

	"gauntlet/internal/py/text"
)

// bytesMembers are the methods of bytes; those that treat bytes as text are in
// bytesTextMembers. All work on single bytes: only ASCII has case and white space.
func bytesMembers() []Member {
	return append(bytesTextMembers(), []Member{
		counted(BytesType, "count", 1, 3, bytesSearch(func(s, sub string) int { return strings.Count(s, sub) }, false)),
		Def("decode", "encoding='utf-8', errors='strict'", func(t *Thread, self Value, a []Value) (Value, error) {
			enc, errs, err := codecArgs("decode", a[0], a[1])
			if err != nil {
				return nil, err
			}
			return t.decodeText(self.(*Bytes).B, enc, errs)
		}),
		counted(BytesType, "endswith", 1, 3, bytesTester("endswith", strings.HasSuffix)),
		counted(BytesType, "find", 1, 3, bytesSearch(strings.Index, true)),
		{"fromhex", NewClassMethod("fromhex", "string, /", bytesFromHex)},
		Def("hex", "sep='', bytes_per_sep=1", bytesHex),
		counted(BytesType, "index", 1, 3, bytesIndex(strings.Index)),
		Def("join", "iterable_of_bytes, /", bytesJoin),
		Def("lstrip", "bytes=None, /", bytesStrip(text.Left)),
		Def("replace", "old, new, count=-1, /", bytesReplace),
		counted(BytesType, "rfind", 1, 3, bytesSearch(strings.LastIndex, true)),
		counted(BytesType, "rindex", 1, 3, bytesIndex(strings.LastIndex)),
		Def("rstrip", "bytes=None, /", bytesStrip(text.Right)),
		Def("rsplit", "sep=None, maxsplit=-1", bytesSplitter(text.RSplit, rsplitASCIISpace)),
		Def("split", "sep=None, maxsplit=-1", bytesSplitter(text.Split, splitASCIISpace)),
		counted(BytesType, "startswith", 1, 3, bytesTester("startswith", strings.HasPrefix)),
		Def("strip", "bytes=None, /", bytesStrip(text.Both)),
	}...)
}

// asBytes returns a bytes object or the bytes part of a subclass instance.
func asBytes(v Value) (*Bytes, bool) { b, ok := Unwrap(v).(*Bytes); return b, ok }

func bytesArg(v Value) (string, error) {
	if b, ok := asBytes(v); ok {
		return b.B, nil
	}
	return "", TypeErrorf("a bytes-like object is required, not '%s'", TypeName(v))
}

// bytesWindow is the part of b that the start and end arguments of a search select;
// ok is false when start lies after end.
func (t *Thread) bytesWindow(b string, a []Value) (part string, base int, ok bool, err error) {
	start, err := t.sliceBound(a[1], 0)
	if err != nil {
		return "", 0, false, err
	}
	end, err := t.sliceBound(a[2], len(b))
	if err != nil {
		return "", 0, false, err
	}
	late := start > len(b)
	start, end = clipBounds(start, end, len(b))
	if late || start > end {
		return "", 0, false, nil
	}
	return b[start:end], start, true, t.Charge((end - start) >> 5)
}

// bytesNeedle is the first argument of a search: bytes or one byte as an int.
func (t *Thread) bytesNeedle(v Value) (string, error) {
	if b, ok := asBytes(v); ok {
		return b.B, nil
	}
	if !hasIndex(v) {
		return "", TypeErrorf("argument should be integer or bytes-like object, not '%s'", TypeName(v))
	}
	i, err := t.index(v)
	if err != nil {
		return "", err
	}
	n, ok := AsInt(i)
	if !ok || n < 0 || n > 255 {
		return "", ValueErrorf("byte must be in range(0, 256)")
	}
	return string([]byte{byte(n)}), nil
}

// bytesSearch wraps find, rfind and count; a position is relative to the whole.
func bytesSearch(fn func(s, sub string) int, position bool) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		part, base, ok, err := t.bytesWindow(self.(*Bytes).B, a)
		if err != nil {
			return nil, err
		}
		sub, err := t.bytesNeedle(a[0])
		if err != nil {
			return nil, err
		}
		switch {
		case !ok && position:
			return Int(-1), nil
		case !ok:
			return Int(0), nil
		case !position && sub == "":
			return Int(len(part) + 1), nil
		}
		n := fn(part, sub)
		if position && n >= 0 {
			n += base
		}
		return Int(n), nil
	}
}

func bytesIndex(fn func(s, sub string) int) MethodFunc {
	find := bytesSearch(fn, true)
	return func(t *Thread, self Value, a []Value) (Value, error) {
		v, err := find(t, self, a)
		if err == nil && v.(Int) < 0 {
			err = ValueErrorf("subsection not found")
		}
		return v, err
	}
}

func bytesTester(name string, fn func(s, part string) bool) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		part, _, inside, err := t.bytesWindow(self.(*Bytes).B, a)
		if err != nil {
			return nil, err
		}
		if one, ok := asBytes(a[0]); ok {
			return Bool(inside && fn(part, one.B)), nil
		}
		many, ok := AsTuple(a[0])
		if !ok {
			return nil, TypeErrorf("%s first arg must be bytes or a tuple of bytes, not %s", name, TypeName(a[0]))
		}
		for _, v := range many.Items {
			one, err := bytesArg(v)
			if err != nil {
				return nil, err
			}
			if inside && fn(part, one) {
				return True, nil
			}
		}
		return False, nil
	}
}

const asciiSpace = " \t\n\r\v\f"

func bytesStrip(side text.Side) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		b, chars := self.(*Bytes).B, asciiSpace
		if a[0] != nil && a[0] != None {
			c, err := bytesArg(a[0])
			if err != nil {
				return nil, err
			}
			chars = c
		}
		if err := t.Charge((len(b) + len(chars)) >> 5); err != nil {
			return nil, err
		}
		var drop [256]bool
		for i := 0; i < len(chars); i++ {
			drop[chars[i]] = true
		}
		from, to := 0, len(b)
		for side&text.Left != 0 && from < to && drop[b[from]] {
			from++
		}
		for side&text.Right != 0 && from < to && drop[b[to-1]] {
			to--
		}
		return &Bytes{b[from:to]}, nil
	}
}

func bytesReplace(t *Thread, self Value, a []Value) (Value, error) {
	b := self.(*Bytes).B
	before, err := bytesArg(a[0])
	if err != nil {
		return nil, err
	}
	after, err := bytesArg(a[1])
	if err != nil {
		return nil, err
	}
	count := -1
	if a[2] != nil {
		if count, err = t.toSize(a[2]); err != nil {
			return nil, err
		}
	}
	n := strings.Count(b, before)
	if before == "" {
		n = len(b) + 1
	}
	if count >= 0 {
		n = min(n, count)
	}
	if len(after) > 0 && n > 1<<40/len(after) {
		return nil, noMemory()
	}
	if err := t.allocText(len(b) + n*len(after)); err != nil {
		return nil, err
	}
	// Package bytes takes an empty pattern between runes, not bytes.
	if before != "" {
		return &Bytes{strings.Replace(b, before, after, n)}, nil
	}
	out := make([]byte, 0, len(b)+n*len(after))
	for i := 0; i <= len(b); i++ {
		if i < n {
			out = append(out, after...)
		}
		if i < len(b) {
			out = append(out, b[i])
		}
	}
	return &Bytes{string(out)}, nil
}

func bytesJoin(t *Thread, self Value, a []Value) (Value, error) {
	items, err := t.collectFor(a[0], "can only join an iterable")
	if err != nil {
		return nil, err
	}
	sep := self.(*Bytes).B
	parts, size := make([][]byte, len(items)), 0
	for i, v := range items {
		b, ok := asBytes(v)
		if !ok {
			return nil, TypeErrorf("sequence item %d: expected a bytes-like object, %s found", i, TypeName(v))
		}
		if err := t.allocText(len(b.B) + len(sep)); err != nil {
			return nil, err
		}
		parts[i] = []byte(b.B)
		size += len(b.B)
	}
	return &Bytes{string(bytes.Join(parts, []byte(sep)))}, nil
}

// bytesFromHex is bytes.fromhex: pairs of hex digits, white space between them.
func bytesFromHex(t *Thread, self Value, a []Value) (Value, error) {
	s, ok := AsStr(a[0])
	if !ok {
		return nil, TypeErrorf("fromhex() argument must be str, not %s", typeNameNone(a[0]))
	}
	if err := t.allocText(len(s.s)); err != nil {
		return nil, err
	}
	var out []byte
	for i := 0; i < len(s.s); {
		if strings.IndexByte(asciiSpace, s.s[i]) >= 0 {
			i++
			continue
		}
		pair := [1]byte{}
		for k := range 2 {
			if i+k >= len(s.s) || !isHexDigit(s.s[i+k]) {
				return nil, ValueErrorf("non-hexadecimal number found in fromhex() arg at position %d", text.Len(s.s[:i+k]))
			}
		}
		if _, err := hex.Decode(pair[:], []byte(s.s[i:i+2])); err != nil {
			return nil, ValueErrorf("non-hexadecimal number found in fromhex() arg at position %d", i)
		}
		out = append(out, pair[0])
		i += 2
	}
	b := &Bytes{string(out)}
	if cls, ok := self.(*Type); ok && cls != BytesType {
		return t.Call(cls, []Value{b}, nil)
	}
	return b, nil
}

func isHexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// bytesHex is bytes.hex(sep, bytes_per_sep): groups are counted from the right,
// from the left when the number is negative.
func bytesHex(t *Thread, self Value, a []Value) (Value, error) {
	b, sep, group := self.(*Bytes).B, "", 1
	if a[1] != nil {
		n, err := t.toCInt(a[1])
		if err != nil {
			return nil, err
		}
		group = n
	}
	if a[0] != nil {
		n, err := t.Len(a[0])
		if err != nil {
			return nil, err
		}
		if n != 1 {
			return nil, ValueErrorf("sep must be length 1.")
		}
		switch s := Unwrap(a[0]).(type) {
		case *Str:
			sep = s.s
		case *Bytes:
			sep = s.B
		default:
			return nil, TypeErrorf("sep must be str or bytes.")
		}
		if sep[0] >= 0x80 {
			return nil, ValueErrorf("sep must be ASCII.")
		}
	}
	if err := t.allocText(3 * len(b)); err != nil {
		return nil, err
	}
	digits := hex.EncodeToString([]byte(b))
	if sep == "" || group == 0 {
		return NewStr(digits), nil
	}
	var out strings.Builder
	size := 2 * group
	if size < 0 {
		size = -size
	}
	first := len(digits) % size
	if group < 0 || first == 0 {
		first = size
	}
	for len(digits) > first {
		out.WriteString(digits[:first] + sep)
		digits, first = digits[first:], size
	}
	out.WriteString(digits)
	return NewStr(out.String()), nil
}
