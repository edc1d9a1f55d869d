package py

import (
	"slices"
	"strings"

	"gauntlet/internal/py/text"
)

// bytesTextMembers are the methods that treat bytes as ASCII text. Where the
// rules are those of str, the work is done by package text on the Latin-1 view
// of the bytes: one code point a byte.
func bytesTextMembers() []Member {
	members := []Member{
		Def("center", "width, fillchar=b' ', /", bytesPad("center", text.Center)),
		Def("ljust", "width, fillchar=b' ', /", bytesPad("ljust", text.LJust)),
		Def("rjust", "width, fillchar=b' ', /", bytesPad("rjust", text.RJust)),
		Def("zfill", "width, /", bytesZFill),
		Def("expandtabs", "tabsize=8", bytesExpandTabs),
		Def("partition", "sep, /", bytesPartition(text.Partition)),
		Def("rpartition", "sep, /", bytesPartition(func(s, sep string) (string, string, string, error) {
			return text.RPartition(s, sep)
		})),
		Def("removeprefix", "prefix, /", bytesRemove(strings.TrimPrefix)),
		Def("removesuffix", "suffix, /", bytesRemove(strings.TrimSuffix)),
		Def("splitlines", "keepends=False", bytesSplitLines),
		Def("translate", "table, /, delete=b''", bytesTranslate),
		{"maketrans", &StaticMethod{NewFunc("maketrans", "frm, to, /", bytesMakeTrans)}},
		Def("capitalize", "", bytesMap(capitalizeASCII)),
		Def("lower", "", bytesMap(mapASCII(asciiLower))),
		Def("swapcase", "", bytesMap(mapASCII(asciiSwap))),
		Def("title", "", bytesMap(titleASCII)),
		Def("upper", "", bytesMap(mapASCII(asciiUpper))),
	}
	for _, m := range []struct {
		name string
		fn   func(b string) bool
	}{
		{"isalnum", everyByte(func(c byte) bool { return isLetter(c) || isDigit(c) })},
		{"isalpha", everyByte(isLetter)},
		{"isascii", text.IsASCII},
		{"isdigit", everyByte(isDigit)},
		{"islower", func(b string) bool { return cased(b, isLower, isUpper) }},
		{"isspace", everyByte(func(c byte) bool { return strings.IndexByte(asciiSpace, c) >= 0 })},
		{"istitle", isTitleASCII},
		{"isupper", func(b string) bool { return cased(b, isUpper, isLower) }},
	} {
		members = append(members, Def(m.name, "", bytesIs(m.fn)))
	}
	return members
}

func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return isLower(c | 0x20) }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func asciiLower(c byte) byte {
	if isUpper(c) {
		c += 'a' - 'A'
	}
	return c
}

func asciiUpper(c byte) byte {
	if isLower(c) {
		c -= 'a' - 'A'
	}
	return c
}

func asciiSwap(c byte) byte {
	if isLetter(c) {
		c ^= 'a' - 'A'
	}
	return c
}

func mapASCII(fn func(byte) byte) func([]byte) {
	return func(b []byte) {
		for i, c := range b {
			b[i] = fn(c)
		}
	}
}

func capitalizeASCII(b []byte) {
	mapASCII(asciiLower)(b)
	if len(b) > 0 {
		b[0] = asciiUpper(b[0])
	}
}

func titleASCII(b []byte) {
	inWord := false
	for i, c := range b {
		if inWord {
			b[i] = asciiLower(c)
		} else {
			b[i] = asciiUpper(c)
		}
		inWord = isLetter(c)
	}
}

// everyByte is true for a non-empty text whose bytes all pass.
func everyByte(pass func(byte) bool) func(string) bool {
	return func(b string) bool {
		for i := 0; i < len(b); i++ {
			if !pass(b[i]) {
				return false
			}
		}
		return b != ""
	}
}

// cased reports whether b has a byte that is wanted and none that is not.
func cased(b string, wanted, not func(byte) bool) bool {
	found := false
	for i := 0; i < len(b); i++ {
		if not(b[i]) {
			return false
		}
		found = found || wanted(b[i])
	}
	return found
}

// isTitleASCII wants upper case at the start of each word and lower case in it.
func isTitleASCII(b string) bool {
	found, inWord := false, false
	for i := 0; i < len(b); i++ {
		c := b[i]
		if isUpper(c) && inWord || isLower(c) && !inWord {
			return false
		}
		inWord = isLetter(c)
		found = found || inWord
	}
	return found
}

func bytesIs(fn func(string) bool) MethodFunc {
	return func(t *Thread, self Value, _ []Value) (Value, error) {
		b := self.(*Bytes).B
		return Bool(fn(b)), t.Charge(len(b) >> 5)
	}
}

// bytesMap wraps a case mapping, which works in place on a copy.
func bytesMap(fn func([]byte)) MethodFunc {
	return func(t *Thread, self Value, _ []Value) (Value, error) {
		if err := t.allocText(len(self.(*Bytes).B)); err != nil {
			return nil, err
		}
		b := []byte(self.(*Bytes).B)
		fn(b)
		return &Bytes{string(b)}, nil
	}
}

// latin1 is the text whose code points are the bytes of b.
func latin1(b string) string {
	if text.IsASCII(b) {
		return b
	}
	s, _ := text.Decode([]byte(b), text.Latin1, "strict")
	return s
}

// latin1Bytes is the inverse of latin1 for code points below 256.
func latin1Bytes(s string) string {
	b, _ := text.Encode(s, text.Latin1, "replace")
	return string(b)
}

// bytesPad wraps center, ljust and rjust.
func bytesPad(name string, fn func(s string, width int, fill rune) (string, error)) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		b := self.(*Bytes)
		width, err := t.toSize(a[0])
		if err != nil {
			return nil, err
		}
		fill := byte(' ')
		if a[1] != nil {
			f, ok := asBytes(a[1])
			if !ok || len(f.B) != 1 {
				return nil, TypeErrorf("%s() argument 2 must be a byte string of length 1, not %s", name, typeNameNone(a[1]))
			}
			fill = f.B[0]
		}
		if width <= len(b.B) {
			return b, nil
		}
		if err := t.allocWidth(width, 0xFF, len(b.B)); err != nil {
			return nil, err
		}
		s, err := fn(latin1(b.B), width, rune(fill))
		return &Bytes{latin1Bytes(s)}, raiseText(err)
	}
}

func bytesZFill(t *Thread, self Value, a []Value) (Value, error) {
	b := self.(*Bytes)
	width, err := t.toSize(a[0])
	if err != nil || width <= len(b.B) {
		return b, err
	}
	if err := t.allocWidth(width, '0', len(b.B)); err != nil {
		return nil, err
	}
	s, err := text.ZFill(latin1(b.B), width)
	return &Bytes{latin1Bytes(s)}, raiseText(err)
}

func bytesExpandTabs(t *Thread, self Value, a []Value) (Value, error) {
	b, tab := latin1(self.(*Bytes).B), 8
	if a[0] != nil {
		n, err := t.toCInt(a[0])
		if err != nil {
			return nil, err
		}
		tab = n
	}
	size := text.ExpandTabsSize(b, tab)
	if size > 1<<40 {
		return nil, noMemory()
	}
	if err := t.allocText(size); err != nil {
		return nil, err
	}
	s, err := text.ExpandTabs(b, tab)
	return &Bytes{latin1Bytes(s)}, raiseText(err)
}

func bytesPartition(fn func(s, sep string) (head, mid, tail string, err error)) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		sep, err := bytesArg(a[0])
		if err != nil {
			return nil, err
		}
		b := self.(*Bytes).B
		if err := t.allocText(len(b)); err != nil {
			return nil, err
		}
		head, mid, tail, err := fn(b, sep)
		if err != nil {
			return nil, raiseText(err)
		}
		return NewTuple(&Bytes{head}, &Bytes{mid}, &Bytes{tail}), nil
	}
}

func bytesRemove(fn func(s, part string) string) MethodFunc {
	return func(_ *Thread, self Value, a []Value) (Value, error) {
		part, err := bytesArg(a[0])
		if err != nil {
			return nil, err
		}
		return &Bytes{fn(self.(*Bytes).B, part)}, nil
	}
}

// bytesSplitLines knows three line ends: \n, \r and \r\n.
func bytesSplitLines(t *Thread, self Value, a []Value) (Value, error) {
	keep := false
	if a[0] != nil {
		n, err := t.toCInt(a[0])
		if err != nil {
			return nil, err
		}
		keep = n != 0
	}
	b := self.(*Bytes).B
	if err := t.allocText(48 * (len(b) + 1)); err != nil {
		return nil, err
	}
	var out []Value
	for b != "" {
		end := strings.IndexAny(b, "\r\n")
		next := end + 1
		switch {
		case end < 0:
			end, next = len(b), len(b)
		case strings.HasPrefix(b[end:], "\r\n"):
			next++
		}
		if keep {
			end = next
		}
		out = append(out, &Bytes{b[:end]})
		b = b[next:]
	}
	return t.NewList(out), nil
}

func bytesTranslate(t *Thread, self Value, a []Value) (Value, error) {
	b, table := self.(*Bytes).B, ""
	if a[0] != None {
		var err error
		if table, err = bytesArg(a[0]); err != nil {
			return nil, err
		}
		if len(table) != 256 {
			return nil, ValueErrorf("translation table must be 256 characters long")
		}
	}
	var drop [256]bool
	if a[1] != nil {
		gone, err := bytesArg(a[1])
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(gone); i++ {
			drop[gone[i]] = true
		}
	}
	if err := t.allocText(len(b)); err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case drop[c]:
		case table != "":
			out = append(out, table[c])
		default:
			out = append(out, c)
		}
	}
	return &Bytes{string(out)}, nil
}

// bytesMakeTrans is bytes.maketrans: a table of 256 bytes for translate.
func bytesMakeTrans(_ *Thread, a []Value) (Value, error) {
	from, err := bytesArg(a[0])
	if err != nil {
		return nil, err
	}
	to, err := bytesArg(a[1])
	if err != nil {
		return nil, err
	}
	if len(from) != len(to) {
		return nil, ValueErrorf("maketrans arguments must have same length")
	}
	table := make([]byte, 256)
	for i := range table {
		table[i] = byte(i)
	}
	for i := 0; i < len(from); i++ {
		table[from[i]] = to[i]
	}
	return &Bytes{string(table)}, nil
}

// bytesSplitter wraps split and rsplit.
func bytesSplitter(by func(b, sep string, limit int) ([]string, error), bySpace func(b string, limit int) []string) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		b, limit := self.(*Bytes).B, -1
		var err error
		if a[1] != nil {
			if limit, err = t.toSize(a[1]); err != nil {
				return nil, err
			}
		}
		if limit < 0 || limit > len(b) {
			limit = len(b)
		}
		if err := t.allocText(48 * (len(b)/2 + 1)); err != nil {
			return nil, err
		}
		var parts []string
		if a[0] == nil || a[0] == None {
			parts = bySpace(b, limit)
		} else {
			sep, err := bytesArg(a[0])
			if err != nil {
				return nil, err
			}
			if parts, err = by(b, sep, limit); err != nil {
				return nil, raiseText(err)
			}
		}
		out := make([]Value, len(parts))
		for i, p := range parts {
			out[i] = &Bytes{p}
		}
		return t.NewList(out), nil
	}
}

// splitASCIISpace is bytes.split(None, limit).
func splitASCIISpace(b string, limit int) []string {
	var out []string
	for b = strings.TrimLeft(b, asciiSpace); b != ""; b = strings.TrimLeft(b, asciiSpace) {
		end := strings.IndexAny(b, asciiSpace)
		if limit == 0 || end < 0 {
			return append(out, b)
		}
		limit--
		out = append(out, b[:end])
		b = b[end:]
	}
	return out
}

// rsplitASCIISpace is bytes.rsplit(None, limit).
func rsplitASCIISpace(b string, limit int) []string {
	var out []string
	for b = strings.TrimRight(b, asciiSpace); b != ""; b = strings.TrimRight(b, asciiSpace) {
		start := strings.LastIndexAny(b, asciiSpace) + 1
		if limit == 0 {
			start = 0
		}
		limit--
		out = append(out, b[start:])
		b = b[:start]
		if limit < 0 {
			break
		}
	}
	slices.Reverse(out)
	return out
}
