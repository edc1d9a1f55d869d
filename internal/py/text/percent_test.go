package text

import (
	"math/big"
	"strings"
	"testing"
)

// percentArgs walks the arguments as PercentPart describes.
type percentArgs struct {
	values  []any
	mapping map[string]any
	next    int
}

func (a *percentArgs) take() (any, error) {
	if a.next >= len(a.values) {
		return nil, ErrNotEnoughArgs
	}
	a.next++
	return a.values[a.next-1], nil
}

func (a *percentArgs) takeInt() (*big.Int, error) {
	v, err := a.take()
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case int:
		return big.NewInt(int64(v)), nil
	case *big.Int:
		return v, nil
	}
	return nil, ErrStarNeedsInt
}

// percentAny is format % values, or format % mapping when that is not nil.
func percentAny(format string, values []any, mapping map[string]any) any {
	args := &percentArgs{values: values, mapping: mapping}
	if mapping != nil {
		args.values = []any{mapping}
	}
	parts, _ := ParsePercent(format)
	var b strings.Builder
	for _, p := range parts {
		if p.Literal != "" {
			b.WriteString(p.Literal)
			continue
		}
		text, err := args.format(p)
		if err != nil {
			return err
		}
		b.WriteString(text)
	}
	if mapping == nil && args.next < len(args.values) {
		return ErrNotAllConverted
	}
	return b.String()
}

func (a *percentArgs) format(p PercentPart) (string, error) {
	if p.HasKey && a.mapping == nil {
		return "", ErrNeedsMapping
	}
	if p.HasKey && p.Err != ErrIncompleteKey {
		v, ok := a.mapping[p.Key]
		if !ok {
			return "", &Error{"KeyError", Repr(p.Key)}
		}
		a.values, a.next = []any{v}, 0
	}
	if p.WidthArg {
		n, err := a.takeInt()
		if err == nil {
			err = p.SetWidth(n)
		}
		if err != nil {
			return "", err
		}
	}
	if p.PrecArg {
		n, err := a.takeInt()
		if err == nil {
			err = p.SetPrecision(n)
		}
		if err != nil {
			return "", err
		}
	}
	if p.Err != nil {
		return "", p.Err
	}
	v, err := a.take()
	if err != nil {
		return "", err
	}
	return percentValue(p, v)
}

func percentValue(p PercentPart, v any) (string, error) {
	name := map[bool]string{true: "str", false: "dict"}
	_, isStr := v.(string)
	n, isInt := v.(*big.Int)
	if i, ok := v.(int); ok {
		n, isInt = big.NewInt(int64(i)), true
	}
	x, isFloat := v.(float64)
	switch p.Type {
	case 's', 'r', 'a':
		text := strOf(v)
		if err, ok := text.(error); ok {
			return "", err
		}
		if s, ok := v.(string); ok && p.Type == 'r' {
			text = Repr(s)
		} else if ok && p.Type == 'a' {
			text = ASCII(s)
		}
		return p.FormatText(text.(string))
	case 'c':
		if isInt {
			return p.FormatCode(n)
		}
		if isStr {
			return p.FormatChar(v.(string))
		}
		return "", p.WrongType("")
	case 'd', 'i', 'u':
		if isFloat {
			var err error
			if n, err = FloatToInt(x); err != nil {
				return "", err
			}
			isInt = true
		}
		fallthrough
	case 'o', 'x', 'X':
		if isInt {
			return p.FormatInt(n)
		}
		if isFloat {
			return "", p.WrongType("float")
		}
		return "", p.WrongType(name[isStr])
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if isInt {
			var err error
			if x, err = IntToFloat(n); err != nil {
				return "", err
			}
			isFloat = true
		}
		if isFloat {
			return p.FormatFloat(x)
		}
		return "", p.WrongType(name[isStr])
	}
	return "", p.Unsupported()
}

// conversion returns a random conversion, valid more often than not.
func (g gen) conversion(key string) string {
	var b strings.Builder
	b.WriteString("%" + key)
	for range g.IntN(3) {
		b.WriteString(g.pick("-", "+", " ", "#", "0", "0"))
	}
	b.WriteString(g.pick("", "", "", "", "*", "3", "8", "12", "30"))
	b.WriteString(g.pick("", "", "", ".", ".0", ".2", ".7", ".20", ".*"))
	b.WriteString(g.pick("", "", "", "", "l", "h", "L"))
	b.WriteString(g.pick("d", "i", "u", "s", "s", "r", "a", "x", "X", "o", "f", "F", "g", "G", "e", "E", "c", "c", "f", "d", "s", "y", "%", "é", "\xed\xa0\x80", ""))
	return b.String()
}

func (g gen) value() any {
	switch g.IntN(5) {
	case 0:
		return g.text(4)
	case 1:
		return g.float()
	case 2: // never a width that python3 would spend gigabytes on
		if n := g.int(70); n.BitLen() < 10 || n.BitLen() > 64 {
			return n
		}
		return 7
	case 3:
		return g.IntN(40) - 5
	}
	return g.pick("", "é", "a", "\xed\xb0\x80", "'")
}

func TestPercentOracle(t *testing.T) {
	g := newGen(6)
	var calls []call
	add := func(format string, values ...any) {
		calls = append(calls, call{"percent", append([]any{format}, values...), func() any { return percentAny(format, values, nil) }})
	}
	for _, f := range []string{"", "%", "%%", "%%%", "%(", "%(a", "%(a)d", "%5", "%5.", "%.", "%l", "%ll", "%lld", "%5%", "%-5%", "%y", "%é", "%\x01",
		"%\x7f", "%99999999999999999999d", "%.99999999999999999999d", "%.2147483648d", "%.2147483647d", "%.2147483648f", "%.-1d", "%*", "%*d", "%.*d", "%*.*f", "%*%",
		"a%sb%%c%rd", "é%y", "%.300f", "%#.0f", "%#g"} {
		add(f)
		for _, v := range []any{1, -1, 1.5, "a", "ab", 0x110000, new(big.Int).Lsh(big.NewInt(1), 70)} {
			add(f, v)
			add(f, v, 3)
			add(f, 5, v)
		}
	}
	for range rounds(4000) {
		f := g.maybe(g.text(3)) + g.conversion("") + g.maybe(g.pick("%%", " ", "é")) + g.maybe(g.conversion(""))
		var values []any
		for range g.IntN(5) {
			values = append(values, g.value())
		}
		add(f, values...)
		one := g.conversion("")
		if strings.Contains(one, "*") {
			add(one, g.IntN(30)-5, g.value())
			add(one, g.IntN(30)-5, g.IntN(20)-3, g.float())
		} else {
			add(one, g.value())
		}
	}
	for range rounds(1000) {
		f := g.conversion("("+g.pick("a", "b(c)", "", "é", "zz")+")") + g.maybe(g.conversion(g.pick("(a)", "(", "((a)", "")))
		m := map[string]any{"a": g.value(), "b(c)": g.value(), "": g.value(), "é": 5}
		var flat []any
		for k, v := range m {
			flat = append(flat, k, v)
		}
		calls = append(calls, call{"percentmap", []any{f, flat}, func() any { return percentAny(f, nil, m) }})
	}
	ask(t, calls)
}

func TestPercentTable(t *testing.T) {
	for _, c := range []struct {
		format string
		values []any
		want   string
	}{
		{"%d items, %5.1f%%", []any{3, 12.34}, "3 items,  12.3%"},
		{"%-6s|%6s|", []any{"é", "ab"}, "é     |    ab|"},
		{"%+#x %#o %X", []any{255, 8, 255}, "+0xff 0o10 FF"},
		{"%08.3d", []any{-5}, "-0000005"},
		{"%*.*f", []any{-8, 2, 3.14159}, "3.14    "},
		{"%r %a", []any{"é'", "é"}, `"é'" '\xe9'`},
		{"%c%c", []any{0x1F600, "x"}, "😀x"},
		{"%g %G", []any{1e16, 1e-10}, "1e+16 1E-10"},
		{"%s", nil, "not enough arguments for format string"},
		{"%s", []any{1, 2}, "not all arguments converted during string formatting"},
		{"é%y", []any{1}, "unsupported format character 'y' (0x79) at index 2"},
		{"%", []any{1}, "incomplete format"},
		{"%(a)s", []any{1}, "format requires a mapping"},
		{"%d", []any{"a"}, "%d format: a real number is required, not str"},
		{"%x", []any{1.5}, "%x format: an integer is required, not float"},
		{"%f", []any{"a"}, "must be real number, not str"},
		{"%c", []any{"ab"}, "%c requires int or char"},
		{"%9999999999d", []any{1}, ""},
	} {
		got := percentAny(c.format, c.values, nil)
		if err, ok := got.(error); ok {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q %% %v = %v, want %q", c.format, c.values, got, c.want)
		}
	}
	if _, err := ParsePercent("a%(b"); err == nil || err.Error() != "incomplete format key" {
		t.Errorf("incomplete key: %v", err)
	}
}

func FuzzParsePercent(f *testing.F) {
	f.Add("a%(k)-+ #08.3lfb%%%*.*d")
	f.Add("%\xed\xa0\x80%(((")
	f.Fuzz(func(t *testing.T, format string) {
		parts, err := ParsePercent(format)
		for i, p := range parts {
			if p.Err != nil && (i != len(parts)-1 || err != p.Err) {
				t.Errorf("ParsePercent(%q): error inside part %d of %d", format, i, len(parts))
			}
			if p.Literal != "" && !strings.Contains(strings.ReplaceAll(format, "%%", "%"), p.Literal) {
				t.Errorf("ParsePercent(%q): invented %q", format, p.Literal)
			}
			if p.Literal == "" && p.Err == nil && p.Width < 1000 && p.Precision < 1000 {
				if text, err := percentValue(p, 7); err == nil && Len(text) < p.Width {
					t.Errorf("%q of 7 = %q is too short", format, text)
				}
			}
		}
	})
}
