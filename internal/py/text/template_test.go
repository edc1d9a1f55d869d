package text

import (
	"fmt"
	"strings"
	"testing"
)

// renderTemplate evaluates a template with values that record how they were
// reached, like the Probe of the oracle, and arguments 0..19.
func renderTemplate(parts []FormatPart, err error) (string, error) {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Literal)
		if p.Field == nil {
			continue
		}
		text, err := renderField(p.Field)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), err
}

func renderField(f *FormatField) (string, error) {
	if f.Index < 0 {
		return "", &Error{"KeyError", Repr(f.Name)}
	}
	if f.Index >= 20 {
		return "", f.MissingIndex()
	}
	path := fmt.Sprint(f.Index)
	for _, a := range f.Path {
		switch {
		case a.Attr && strings.HasPrefix(a.Name, "__"):
			return "", &Error{"AttributeError", a.Name}
		case a.Attr:
			path += "." + a.Name
		case a.Index >= 0:
			path += fmt.Sprintf("[%d]", a.Index)
		default:
			path += "[" + Repr(a.Name) + "]"
		}
	}
	if f.PathErr != nil {
		return "", f.PathErr
	}
	if err := f.CheckConversion(); err != nil {
		return "", err
	}
	spec, err := renderTemplate(f.Spec, f.SpecErr)
	if err != nil {
		return "", err
	}
	switch f.Conversion {
	case 0:
		return "<" + path + "|" + spec + ">", nil
	case 'a':
		path = ASCII("r:" + path)
		path = "r:" + path[len("'r:"):len(path)-1]
		return strPadded(strings.ReplaceAll(path, `\'`, "'"), spec)
	case 'r':
		return strPadded("r:"+path, spec)
	}
	return strPadded("s:"+path, spec)
}

func strPadded(s, spec string) (string, error) {
	f, err := ParseSpec(spec, "str")
	if err != nil {
		return "", err
	}
	return FormatStr(s, f)
}

func TestTemplateOracle(t *testing.T) {
	g := newGen(7)
	var calls []call
	add := func(s string) {
		calls = append(calls, call{"template", []any{s}, func() any { return or(renderTemplate(ParseFormat(s))) }})
	}
	for _, s := range []string{"", "{", "}", "{{", "}}", "{{}}", "{} }", "{0", "{0!", "{0!r", "{0!rx}", "{0!r:", "{0:{", "{0:{}", "{0:{{}}}", "{!x}", "{!}", "{!}}",
		"{:{:{}}}", "{a{}", "{0[}", "{0[a}", "{0[a]b}", "{0.}", "{0[]}", "{0..a}", "{}{0}", "{0}{}", "{99999999999999999999}", "{0[99999999999999999999]}",
		"{-1}", "{ 0}", "{٣}", "{0!é}", "{0!\x01}", "{0:}}", "{[0]}", "{.real}", "{0!:}", "{a!b!c}", "{:{!x}}", "{5:{:}", "{25}", "{:{}{}}", "{0:{1}}", "{0[a}b]}", "{0[{]}",
		"{0!\xed\xa0\x80}", "{0:>8}", "{0!s:>8}", "{0!r:{1}}", "{0!r:{1!r}}", "{0!r:9}", "{0[1][x].y}", "{0[٣]}"} {
		add(s)
	}
	for range rounds(6000) {
		add(g.from("{}{}{}{}!:[].0123rsa>x é", 12))
		add(g.maybe("a{{") + "{" + g.pick("", "0", "1", "19", "20", "k") + g.from(".[]ab0", 6) + g.maybe(g.pick("!r", "!s", "!a", "!x")) +
			g.maybe(":"+g.pick("", "<9", "{}", "{2}", "x{:{}}", "{{", "^{3!r:}")) + "}" + g.maybe("{}"))
	}
	ask(t, calls)
}

func TestTemplateTable(t *testing.T) {
	for _, c := range []struct{ template, want string }{
		{"a{{b}}c", "a{b}c"},
		{"{}-{}", "<0|>-<1|>"},
		{"{1.x[2][k y]:>{0}}", "<1.x[2]['k y']|><0|>>"},
		{"{0!r:6}", "r:0   "},
		{"}", "Single '}' encountered in format string"},
		{"{", "Single '{' encountered in format string"},
		{"{0", "expected '}' before end of string"},
		{"{0:{", "unmatched '{' in format spec"},
		{"{0!x}", "Unknown conversion specifier x"},
		{"{0!rr}", "expected ':' after conversion specifier"},
		{"{0:{1:{2}}}", "Max string recursion exceeded"},
		{"{}{0}", "cannot switch from automatic field numbering to manual field specification"},
		{"{0.}", "Empty attribute in format string"},
		{"{0[a]b}", "Only '.' or '[' may follow ']' in format field specifier"},
	} {
		got, err := renderTemplate(ParseFormat(c.template))
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.template, got, c.want)
		}
	}
}

func FuzzParseFormat(f *testing.F) {
	f.Add("a{{{0.b[c]!r:>{1}}}}{}")
	f.Add("{:{:{:{:{}}}}}")
	f.Add("{0!\xed\xa0\x80}")
	f.Fuzz(func(t *testing.T, s string) {
		parts, err := ParseFormat(s)
		if err == nil && !strings.ContainsAny(s, "{}") && s != "" && (len(parts) != 1 || parts[0].Literal != s) {
			t.Errorf("ParseFormat(%q) = %v", s, parts)
		}
		if err != nil && errorClass(err) != ValueError {
			t.Errorf("ParseFormat(%q): class of %v", s, err)
		}
		renderTemplate(parts, err)
	})
}
