package text

import (
	"math"
	"strings"
	"testing"
)

// pyBound passes an end bound to the oracle: NoEnd is None.
func pyBound(i int) any {
	if i == NoEnd {
		return nil
	}
	return i
}

func triple(a, b, c string, err error) any { return or(any([]string{a, b, c}), err) }

func TestMethodOracle(t *testing.T) {
	g := newGen(8)
	var calls []call
	add := func(name string, want func() any, args ...any) {
		calls = append(calls, call{"." + name, args, want})
	}
	for range rounds(1200) {
		s := g.text(14)
		if g.IntN(2) == 0 {
			s = g.from("aab é\t\n+-", 14)
		}
		sub := g.from("aab é", 2)
		if g.IntN(3) == 0 {
			sub = Range(s, g.IntN(5), g.IntN(9))
		}
		start, end, limit := g.IntN(20)-6, g.IntN(24)-6, g.IntN(6)-1
		if g.IntN(3) == 0 {
			start, end = 0, NoEnd
		}
		add("find", func() any { return Find(s, sub, start, end) }, s, sub, start, pyBound(end))
		add("rfind", func() any { return RFind(s, sub, start, end) }, s, sub, start, pyBound(end))
		add("count", func() any { return Count(s, sub, start, end) }, s, sub, start, pyBound(end))
		add("startswith", func() any { return StartsWith(s, sub, start, end) }, s, sub, start, pyBound(end))
		add("endswith", func() any { return EndsWith(s, sub, start, end) }, s, sub, start, pyBound(end))
		add("replace", func() any { return or(Replace(s, sub, "<é>", limit)) }, s, sub, "<é>", limit)
		add("split", func() any { return or(Split(s, sub, limit)) }, s, sub, limit)
		add("rsplit", func() any { return or(RSplit(s, sub, limit)) }, s, sub, limit)
		add("split", func() any { return SplitSpace(s, limit) }, s, nil, limit)
		add("rsplit", func() any { return RSplitSpace(s, limit) }, s, nil, limit)
		add("splitlines", func() any { return SplitLines(s, false) }, s, false)
		add("splitlines", func() any { return SplitLines(s, true) }, s, true)
		add("partition", func() any { return triple(Partition(s, sub)) }, s, sub)
		add("rpartition", func() any { return triple(RPartition(s, sub)) }, s, sub)
		add("strip", func() any { return StripSpace(s, Both) }, s)
		add("lstrip", func() any { return StripSpace(s, Left) }, s)
		add("rstrip", func() any { return StripSpace(s, Right) }, s)
		add("strip", func() any { return StripChars(s, sub, Both) }, s, sub)
		add("lstrip", func() any { return StripChars(s, sub, Left) }, s, sub)
		add("rstrip", func() any { return StripChars(s, sub, Right) }, s, sub)
		add("removeprefix", func() any { return RemovePrefix(s, sub) }, s, sub)
		add("removesuffix", func() any { return RemoveSuffix(s, sub) }, s, sub)
	}
	ask(t, calls)
}

func TestMethodClassOracle(t *testing.T) {
	g := newGen(11)
	var calls []call
	add := func(name string, want func() any, args ...any) {
		calls = append(calls, call{"." + name, args, want})
	}
	for range rounds(1200) {
		s, sub := g.text(14), g.text(3)
		add("isidentifier", func() any { return IsIdentifier(s) }, s)
		for _, m := range mappings {
			add(m.name, func() any { return m.conv(s) }, s)
		}
		for name, f := range map[string]func(string) bool{"isalpha": IsAlpha, "isdigit": IsDigit, "isdecimal": IsDecimal,
			"isnumeric": IsNumeric, "isalnum": IsAlnum, "isspace": IsSpace, "isupper": IsUpper, "islower": IsLower,
			"istitle": IsTitle, "isprintable": IsPrintable, "isascii": IsASCII} {
			add(name, func() any { return f(s) }, s)
			add(name, func() any { return f(sub) }, sub)
		}
	}
	ask(t, calls)
}

func TestPadOracle(t *testing.T) {
	g := newGen(12)
	var calls []call
	add := func(name string, want func() any, args ...any) {
		calls = append(calls, call{"." + name, args, want})
	}
	for range rounds(1200) {
		s, width, tab := g.maybe(g.pick("+", "-"))+g.text(14), g.IntN(30)-3, g.IntN(12)-2
		add("expandtabs", func() any { return or(ExpandTabs(s, tab)) }, s, tab)
		add("center", func() any { return or(Center(s, width, 'é')) }, s, width, "é")
		add("ljust", func() any { return or(LJust(s, width, ' ')) }, s, width)
		add("rjust", func() any { return or(RJust(s, width, 0xD800)) }, s, width, "\xed\xa0\x80")
		add("zfill", func() any { return or(ZFill(s, width)) }, s, width)
	}
	ask(t, calls)
}

func TestAccessOracle(t *testing.T) {
	g := newGen(9)
	var calls []call
	for range rounds(1500) {
		s := g.text(12)
		calls = append(calls,
			call{"repr", []any{s}, func() any { return Repr(s) }},
			call{"ascii", []any{s}, func() any { return ASCII(s) }},
			call{"repr", []any{[]byte(s)}, func() any { return BytesRepr([]byte(s)) }},
			call{"len", []any{s}, func() any { return Len(s) }})
		n := Len(s)
		if i := g.IntN(2*n+1) - n; i < n {
			calls = append(calls, call{"index", []any{s, i}, func() any { c, _ := Index(s, i); return c }})
		}
		step := g.IntN(9) - 4
		start, stop := g.IntN(n+1), g.IntN(n+1)
		want := func() any { return Slice(s, start, stop, step) }
		switch {
		case step > 0:
			calls = append(calls, call{"slice", []any{s, start, stop, step}, want})
		case step < 0 && start < n && stop < n:
			calls = append(calls, call{"slice", []any{s, start, stop, step}, want})
			calls = append(calls, call{"slice", []any{s, start, nil, step}, func() any { return Slice(s, start, -1, step) }})
		}
	}
	ask(t, calls)
}

func TestReprEachOracle(t *testing.T) {
	skipShort(t)
	var calls []call
	chunks(func(lo, hi int) {
		// One string per chunk; ascending code points never form a pair of halves.
		var b []byte
		for r := lo; r < hi; r++ {
			b = AppendRune(b, rune(r))
		}
		s := string(b)
		calls = append(calls, call{"repr", []any{s}, func() any { return Repr(s) }})
	})
	ask(t, calls)
}

func TestMethodTable(t *testing.T) {
	must := func(s string, err error) string {
		if err != nil {
			t.Error(err)
		}
		return s
	}
	const lone = "\xed\xa0\x80" // U+D800
	for _, c := range []struct{ name, got, want string }{
		{"repr picks the quote", Repr(`it's`), `"it's"`},
		{"repr with both quotes", Repr(`'"`), `'\'"'`},
		{"repr escapes", Repr("\t\x00\u00ad" + lone + "\U000e0001é😀"), `'\t\x00\xad\ud800\U000e0001é😀'`},
		{"ascii", ASCII("é😀"), `'\xe9\U0001f600'`},
		{"bytes", BytesRepr([]byte("a'\x80\n")), `b"a'\x80\n"`},
		{"halves stay two code points", Slice(lone+"\xed\xb0\x80", 1, 2, 1), "\xed\xb0\x80"},
		{"reverse", Slice("aé😀", 2, -1, -1), "😀éa"},
		{"empty pattern", must(Replace("éa", "", "-", -1)), "-é-a-"},
		{"empty pattern with a count", must(Replace("éa", "", "-", 2)), "-é-a"},
		{"center odd gap, odd width", must(Center("ab", 5, ' ')), "  ab "},
		{"center odd gap, even width", must(Center("abc", 6, ' ')), " abc  "},
		{"zfill keeps the sign", must(ZFill("-5", 4)), "-005"},
		{"expandtabs", must(ExpandTabs("a\tbc\n\td", 4)), "a   bc\n    d"},
		{"split on spaces", strings.Join(SplitSpace("  a \u3000b  c ", 1), "|"), "a|b  c "},
		{"rsplit on spaces", strings.Join(RSplitSpace(" a b  c ", 1), "|"), " a b|c"},
		{"splitlines", strings.Join(SplitLines("a\r\nb\x1c\u2028c\n", true), "|"), "a\r\n|b\x1c|\u2028|c\n"},
		{"strip chars", StripChars("xéayéx", "éx", Both), "ay"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
	if _, ok := Index("aé", 2); ok {
		t.Error("Index past the end succeeded")
	}
	if c, ok := Index("aé", -1); !ok || c != "é" {
		t.Errorf("Index -1 = %q", c)
	}
	text, err := Translate("abc", func(r rune) (string, bool, error) { return map[rune]string{'a': "é", 'b': ""}[r], r < 'c', nil })
	if err != nil || text != "éc" {
		t.Errorf("Translate = %q, %v", text, err)
	}
}

// Results that nobody can hold are refused, and their sizes are known before.
func TestMethodHostileSize(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	_, replaced := Replace(long, "", long, -1)
	_, centered := Center("a", math.MaxInt, 'é')
	_, justified := LJust("a", math.MaxInt, ' ')
	_, zeroed := ZFill("-a", math.MaxInt)
	_, expanded := ExpandTabs("\t\t\t", math.MaxInt)
	for i, err := range []error{replaced, centered, justified, zeroed, expanded} {
		if errorClass(err) != MemoryError {
			t.Errorf("case %d: got %v", i, err)
		}
	}
	if n := ReplaceSize(long, "a", long, -1); n != 1<<40 {
		t.Errorf("ReplaceSize = %d", n)
	}
	if n := ExpandTabsSize("\t\t\t", math.MaxInt); n != math.MaxInt {
		t.Errorf("ExpandTabsSize = %d", n)
	}
	if got := Slice("abcdé", 0, math.MaxInt, math.MaxInt); got != "a" {
		t.Errorf("Slice with a huge step = %q", got)
	}
	if got := Slice("abcdé", math.MaxInt, math.MinInt, math.MinInt); got != "é" {
		t.Errorf("Slice with a huge negative step = %q", got)
	}
}

func TestValid(t *testing.T) {
	for s, want := range map[string]bool{
		"": true, "aé😀": true, "\xed\xa0\x80": true, "a\xed\xbf\xbfb": true, "\xed\xa0": false, "\xff": false, "\xed\xa0\x80\x80": false,
		"\xc0\x80": false, "\xf4\x90\x80\x80": false, "�": true,
	} {
		if Valid(s) != want {
			t.Errorf("Valid(%q) = %v", s, !want)
		}
	}
}

// FuzzMethods feeds strings that may be malformed: nothing may panic, and well
// formed arguments give well formed results of the promised length.
func FuzzMethods(f *testing.F) {
	f.Add("aé\xed\xa0\x80b\tΣ", "é", 3, -2)
	f.Add("\x80\x80\xff\xed", "\xed\xa0", 1, 5)
	f.Fuzz(func(t *testing.T, s, sub string, i, j int) {
		if j > 1<<16 {
			return
		}
		texts := []string{Repr(s), Upper(s), Lower(s), Title(s), Swapcase(s), Casefold(s), Capitalize(s), Slice(s, i, j, 2), Slice(s, i, j, -2),
			Range(s, i, j), StripSpace(s, Both), StripChars(s, sub, Both)}
		for _, g := range []func() (string, error){
			func() (string, error) { return Replace(s, sub, "x", j) },
			func() (string, error) { return Center(s, j, 'é') },
			func() (string, error) { return ZFill(s, j) },
			func() (string, error) { return ExpandTabs(s, j) },
		} {
			text, err := g()
			if err != nil {
				t.Error(err)
			}
			texts = append(texts, text)
		}
		texts = append(texts, SplitSpace(s, i)...)
		texts = append(texts, RSplitSpace(s, i)...)
		texts = append(texts, SplitLines(s, true)...)
		if strings.Join(SplitLines(s, true), "") != s {
			t.Errorf("SplitLines(%q) loses text", s)
		}
		if at := Find(s, sub, i, j); at >= 0 && Valid(s) && Valid(sub) && !StartsWith(s, sub, at, NoEnd) {
			t.Errorf("Find(%q, %q) = %d", s, sub, at)
		}
		for _, codec := range []Codec{UTF8, ASCIICodec, Latin1} {
			for _, errors := range []string{"strict", "replace", "surrogateescape", "surrogatepass", "backslashreplace"} {
				Encode(s, codec, errors)
				Decode([]byte(s), codec, errors)
			}
		}
		if !Valid(s) || !Valid(sub) {
			return
		}
		for _, text := range texts {
			if !Valid(text) {
				t.Errorf("%q, %q, %d, %d: malformed %q", s, sub, i, j, text)
			}
		}
	})
}
