package py

import (
	"unicode/utf8"

	"gauntlet/internal/py/text"
)

// strMembers are the methods of str. The work on text is done by package text;
// here arguments are checked and memory is paid for.
func strMembers() []Member {
	members := []Member{
		Def("center", "width, fillchar=' ', /", strPad(text.Center)),
		counted(StrType, "count", 1, 3, strFinder(text.Count)),
		Def("encode", "encoding='utf-8', errors='strict'", strEncode),
		counted(StrType, "endswith", 1, 3, strTester("endswith", text.EndsWith)),
		Def("expandtabs", "tabsize=8", strExpandTabs),
		counted(StrType, "find", 1, 3, strFinder(text.Find)),
		{"format", NewRawMethod("format", strFormat)},
		Def("format_map", "mapping, /", strFormatMap),
		counted(StrType, "index", 1, 3, strIndexer(text.Find)),
		Def("isascii", "", func(t *Thread, self Value, a []Value) (Value, error) {
			return Bool(self.(*Str).ASCII()), nil
		}),
		Def("join", "iterable, /", strJoin),
		Def("ljust", "width, fillchar=' ', /", strPad(text.LJust)),
		Def("lstrip", "chars=None, /", strStrip("lstrip", text.Left)),
		{"maketrans", &StaticMethod{NewFunc("maketrans", "x, y=None, z=None, /", strMakeTrans)}},
		Def("partition", "sep, /", strPartition(text.Partition)),
		Def("removeprefix", "prefix, /", strRemove("removeprefix", text.RemovePrefix)),
		Def("removesuffix", "suffix, /", strRemove("removesuffix", text.RemoveSuffix)),
		Def("replace", "old, new, count=-1, /", strReplace),
		counted(StrType, "rfind", 1, 3, strFinder(text.RFind)),
		counted(StrType, "rindex", 1, 3, strIndexer(text.RFind)),
		Def("rjust", "width, fillchar=' ', /", strPad(text.RJust)),
		Def("rpartition", "sep, /", strPartition(text.RPartition)),
		Def("rsplit", "sep=None, maxsplit=-1", strSplit(text.RSplit, text.RSplitSpace)),
		Def("rstrip", "chars=None, /", strStrip("rstrip", text.Right)),
		Def("split", "sep=None, maxsplit=-1", strSplit(text.Split, text.SplitSpace)),
		Def("splitlines", "keepends=False", strSplitLines),
		counted(StrType, "startswith", 1, 3, strTester("startswith", text.StartsWith)),
		Def("strip", "chars=None, /", strStrip("strip", text.Both)),
		Def("translate", "table, /", strTranslate),
		Def("zfill", "width, /", strZFill),
	}
	for _, m := range []struct {
		name string
		fn   func(string) string
	}{
		{"capitalize", text.Capitalize}, {"casefold", text.Casefold}, {"lower", text.Lower},
		{"swapcase", text.Swapcase}, {"title", text.Title}, {"upper", text.Upper},
	} {
		members = append(members, Def(m.name, "", strCase(m.fn)))
	}
	for _, m := range []struct {
		name string
		fn   func(string) bool
	}{
		{"isalnum", text.IsAlnum}, {"isalpha", text.IsAlpha}, {"isdecimal", text.IsDecimal},
		{"isdigit", text.IsDigit}, {"isidentifier", text.IsIdentifier}, {"islower", text.IsLower},
		{"isnumeric", text.IsNumeric}, {"isprintable", text.IsPrintable}, {"isspace", text.IsSpace},
		{"istitle", text.IsTitle}, {"isupper", text.IsUpper},
	} {
		members = append(members, Def(m.name, "", strIs(m.fn)))
	}
	return members
}

// allocText charges for reading n bytes of text and making as many.
func (t *Thread) allocText(n int) error {
	if err := t.Alloc(n + 24); err != nil {
		return err
	}
	return t.Charge(n >> 5)
}

// strCase wraps a case mapping; one code point becomes at most three.
func strCase(fn func(string) string) MethodFunc {
	return func(t *Thread, self Value, _ []Value) (Value, error) {
		s := self.(*Str).s
		n := len(s)
		if n != self.(*Str).n {
			n *= 3
		}
		if err := t.allocText(n); err != nil {
			return nil, err
		}
		return NewStr(fn(s)), nil
	}
}

func strIs(fn func(string) bool) MethodFunc {
	return func(t *Thread, self Value, _ []Value) (Value, error) {
		s := self.(*Str).s
		if err := t.Charge(len(s) >> 5); err != nil {
			return nil, err
		}
		return Bool(fn(s)), nil
	}
}

// strPad wraps center, ljust and rjust.
func strPad(fn func(s string, width int, fill rune) (string, error)) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		s := self.(*Str)
		width, err := t.toSize(a[0])
		if err != nil {
			return nil, err
		}
		fill := ' '
		if a[1] != nil {
			f, ok := AsStr(a[1])
			if !ok {
				return nil, TypeErrorf("The fill character must be a unicode character, not %s", TypeName(a[1]))
			}
			if f.n != 1 {
				return nil, raiseText(text.ErrFillChar)
			}
			fill, _ = text.DecodeRune(f.s)
		}
		if width <= s.n {
			return s, nil
		}
		if err := t.allocWidth(width-s.n, fill, len(s.s)); err != nil {
			return nil, err
		}
		return t.strResult(fn(s.s, width, fill))
	}
}

// allocWidth charges for n padding code points and extra bytes.
func (t *Thread) allocWidth(n int, fill rune, extra int) error {
	if n > 1<<40 {
		return noMemory()
	}
	return t.allocText(n*max(utf8.RuneLen(fill), 1) + extra)
}

// strResult turns the result of a text function into a str.
func (t *Thread) strResult(s string, err error) (Value, error) {
	if err != nil {
		return nil, raiseText(err)
	}
	return NewStr(s), nil
}

func strZFill(t *Thread, self Value, a []Value) (Value, error) {
	s := self.(*Str)
	width, err := t.toSize(a[0])
	if err != nil {
		return nil, err
	}
	if width <= s.n {
		return s, nil
	}
	if err := t.allocWidth(width, '0', len(s.s)); err != nil {
		return nil, err
	}
	return t.strResult(text.ZFill(s.s, width))
}

func strExpandTabs(t *Thread, self Value, a []Value) (Value, error) {
	s, tab := self.(*Str).s, 8
	if a[0] != nil {
		n, err := t.toCInt(a[0])
		if err != nil {
			return nil, err
		}
		tab = n
	}
	size := text.ExpandTabsSize(s, tab)
	if size > 1<<40 {
		return nil, noMemory()
	}
	if err := t.allocText(size); err != nil {
		return nil, err
	}
	return t.strResult(text.ExpandTabs(s, tab))
}

// findBounds reads (sub, start, end) of the search methods.
func (t *Thread) findBounds(a []Value) (start, end int, err error) {
	if start, err = t.sliceBound(a[1], 0); err != nil {
		return 0, 0, err
	}
	end, err = t.sliceBound(a[2], text.NoEnd)
	return start, end, err
}

// strSearch reads the arguments of a search method and runs it.
func strSearch(t *Thread, self Value, a []Value, fn func(s, sub string, start, end int) int) (int, error) {
	s := self.(*Str).s
	start, end, err := t.findBounds(a)
	if err != nil {
		return 0, err
	}
	sub, ok := AsStr(a[0])
	if !ok {
		return 0, TypeErrorf("must be str, not %s", TypeName(a[0]))
	}
	if err := t.Charge(len(s) >> 5); err != nil {
		return 0, err
	}
	return fn(s, sub.s, start, end), nil
}

func strFinder(fn func(s, sub string, start, end int) int) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		n, err := strSearch(t, self, a, fn)
		return Int(n), err
	}
}

func strIndexer(fn func(s, sub string, start, end int) int) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		n, err := strSearch(t, self, a, fn)
		if err == nil && n < 0 {
			err = ValueErrorf("substring not found")
		}
		return Int(n), err
	}
}

// strTester wraps startswith and endswith, whose argument may be a tuple.
func strTester(name string, fn func(s, part string, start, end int) bool) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		s := self.(*Str).s
		start, end, err := t.findBounds(a)
		if err != nil {
			return nil, err
		}
		cost := 1
		if start != 0 || end < len(s) { // the window has to be found
			cost += len(s) >> 5
		}
		if err := t.Charge(cost); err != nil {
			return nil, err
		}
		if one, ok := AsStr(a[0]); ok {
			return Bool(fn(s, one.s, start, end)), nil
		}
		many, ok := AsTuple(a[0])
		if !ok {
			return nil, TypeErrorf("%s first arg must be str or a tuple of str, not %s", name, TypeName(a[0]))
		}
		for _, v := range many.Items {
			if err := t.Charge(cost); err != nil {
				return nil, err
			}
			part, ok := AsStr(v)
			if !ok {
				return nil, TypeErrorf("tuple for %s must only contain str, not %s", name, TypeName(v))
			}
			if fn(s, part.s, start, end) {
				return True, nil
			}
		}
		return False, nil
	}
}

func strStrip(name string, side text.Side) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		s := self.(*Str)
		if err := t.Charge(len(s.s) >> 5); err != nil {
			return nil, err
		}
		r := ""
		if a[0] == nil || a[0] == None {
			r = text.StripSpace(s.s, side)
		} else {
			chars, ok := AsStr(a[0])
			if !ok {
				return nil, TypeErrorf("%s arg must be None or str", name)
			}
			if err := t.Charge(chars.n >> 2); err != nil {
				return nil, err
			}
			r = text.StripChars(s.s, chars.s, side)
		}
		if len(r) == len(s.s) {
			return s, nil
		}
		return NewStr(r), nil
	}
}

func strRemove(name string, fn func(s, part string) string) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		part, ok := AsStr(a[0])
		if !ok {
			return nil, TypeErrorf("%s() argument must be str, not %s", name, typeNameNone(a[0]))
		}
		return NewStr(fn(self.(*Str).s, part.s)), nil
	}
}

func strReplace(t *Thread, self Value, a []Value) (Value, error) {
	s := self.(*Str)
	for i, v := range a[:2] {
		if _, ok := AsStr(v); !ok {
			return nil, TypeErrorf("replace() argument %d must be str, not %s", i+1, typeNameNone(v))
		}
	}
	before, _ := AsStr(a[0])
	after, _ := AsStr(a[1])
	count := -1
	if a[2] != nil {
		n, err := t.toSize(a[2])
		if err != nil {
			return nil, err
		}
		count = n
	}
	size := text.ReplaceSize(s.s, before.s, after.s, count)
	if size > 1<<40 {
		return nil, noMemory()
	}
	if err := t.allocText(max(size, len(s.s))); err != nil {
		return nil, err
	}
	r, err := text.Replace(s.s, before.s, after.s, count)
	if err == nil && r == s.s {
		return s, nil
	}
	return t.strResult(r, err)
}
