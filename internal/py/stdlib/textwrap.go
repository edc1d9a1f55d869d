package stdlib

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// The textwrap module. How text is cut into chunks and chunks are put into
// lines is in textwrap_line.go.

// textWrapperType is textwrap.TextWrapper; its objects are plain instances whose
// options are attributes.
var textWrapperType = py.NewType("textwrap", "TextWrapper")

const textWrapperSig = "width=70, initial_indent='', subsequent_indent='', expand_tabs=True, replace_whitespace=True, fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None, placeholder=' [...]'"

var textWrapperOptions = []struct {
	name  string
	value py.Value
}{
	{"width", py.Int(70)}, {"initial_indent", py.NewStr("")}, {"subsequent_indent", py.NewStr("")}, {"expand_tabs", py.True},
	{"replace_whitespace", py.True}, {"fix_sentence_endings", py.False}, {"break_long_words", py.True}, {"drop_whitespace", py.True},
	{"break_on_hyphens", py.True}, {"tabsize", py.Int(8)}, {"max_lines", py.None}, {"placeholder", py.NewStr(" [...]")},
}

func buildTextwrap() *py.Module {
	c := textWrapperType
	lines := func(join bool) py.MethodFunc {
		return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			w, err := newWrapper(t, self)
			if err != nil {
				return nil, err
			}
			s, ok := py.AsStr(a[0])
			if !ok {
				return nil, py.AttributeErrorf("'%s' object has no attribute 'expandtabs'", py.TypeName(a[0]))
			}
			out, err := w.wrap(t, s.String())
			if err != nil {
				return nil, err
			}
			if join {
				return py.NewStr(strings.Join(out, "\n")), nil
			}
			return textList(t, out), nil
		}
	}
	c.Finish(
		pyMethod(c, "__init__", textWrapperSig, func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			for i, o := range textWrapperOptions {
				if err := t.SetAttr(self, o.name, given(a[i], o.value)); err != nil {
					return nil, err
				}
			}
			return py.None, nil
		}),
		pyMethod(c, "wrap", "text", lines(false)),
		pyMethod(c, "fill", "text", lines(true)),
	)
	return py.NewModule("textwrap",
		py.Member{Name: "TextWrapper", Value: textWrapperType},
		pyFunc("wrap", "text, width=70, **kwargs", func(t *py.Thread, a []py.Value) (py.Value, error) { return wrapWith(t, "wrap", a) }),
		pyFunc("fill", "text, width=70, **kwargs", func(t *py.Thread, a []py.Value) (py.Value, error) { return wrapWith(t, "fill", a) }),
		pyFunc("shorten", "text, width, **kwargs", func(t *py.Thread, a []py.Value) (py.Value, error) {
			s, ok := py.AsStr(a[0])
			if !ok {
				return nil, py.AttributeErrorf("'%s' object has no attribute 'strip'", py.TypeName(a[0]))
			}
			words := py.NewStr(strings.Join(text.SplitSpace(s.String(), -1), " "))
			return wrapWith(t, "fill", []py.Value{words, a[1], a[2]}, py.Kw{Name: "max_lines", Value: py.Int(1)})
		}),
		pyFunc("dedent", "text", dedentText),
		pyFunc("indent", "text, prefix, predicate=None", indentText),
	)
}

// wrapWith makes a TextWrapper of text, width and **kwargs and calls a method.
func wrapWith(t *py.Thread, method string, a []py.Value, extra ...py.Kw) (py.Value, error) {
	kw := append([]py.Kw{{Name: "width", Value: given(a[1], py.Int(70))}}, extra...)
	for _, it := range a[2].(*py.Dict).Items(t) {
		k, _ := py.AsStr(it.Key)
		kw = append(kw, py.Kw{Name: k.String(), Value: it.Value})
	}
	w, err := t.Call(textWrapperType, nil, kw)
	if err != nil {
		return nil, err
	}
	return t.CallMethod(w, method, a[0])
}

func textList(t *py.Thread, lines []string) py.Value {
	items := make([]py.Value, len(lines))
	for i, s := range lines {
		items[i] = py.NewStr(s)
	}
	return t.NewList(items)
}

func blankPrefix(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }

// dedentText removes the white space that all lines begin with.
func dedentText(t *py.Thread, a []py.Value) (py.Value, error) {
	s, ok := py.AsStr(a[0])
	if !ok {
		return nil, py.TypeErrorf("expected string or bytes-like object, got '%s'", py.TypeName(a[0]))
	}
	if err := t.Alloc(4 * len(s.String())); err != nil {
		return nil, err
	}
	lines := strings.Split(s.String(), "\n")
	margin, first := "", true
	for i, l := range lines {
		p := blankPrefix(l)
		if p == l {
			lines[i] = ""
			continue
		}
		if first {
			margin, first = p, false
			continue
		}
		n := 0
		for n < len(p) && n < len(margin) && p[n] == margin[n] {
			n++
		}
		margin = margin[:n]
	}
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, margin)
	}
	return py.NewStr(strings.Join(lines, "\n")), nil
}

// indentText puts a prefix before the lines that the predicate accepts: by
// default those that are not blank.
func indentText(t *py.Thread, a []py.Value) (py.Value, error) {
	s, ok := py.AsStr(a[0])
	if !ok {
		return nil, py.AttributeErrorf("'%s' object has no attribute 'splitlines'", py.TypeName(a[0]))
	}
	prefix, ok := py.AsStr(a[1])
	if !ok {
		return nil, py.TypeErrorf("unsupported operand type(s) for +: '%s' and 'str'", py.TypeName(a[1]))
	}
	if err := t.Alloc(4 * len(s.String())); err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, l := range text.SplitLines(s.String(), true) {
		mark := text.StripSpace(l, text.Both) != ""
		if isSet(a[2]) {
			v, err := t.Call(a[2], []py.Value{py.NewStr(l)}, nil)
			if err != nil {
				return nil, err
			}
			if mark, err = t.Truth(v); err != nil {
				return nil, err
			}
		}
		if mark {
			if err := t.Alloc(2 * len(prefix.String())); err != nil {
				return nil, err
			}
			b.WriteString(prefix.String())
		}
		b.WriteString(l)
	}
	return py.NewStr(b.String()), nil
}
