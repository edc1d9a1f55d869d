package stdlib

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// The string module: constants, capwords and Template. Formatter is refused.

const (
	asciiLower = "abcdefghijklmnopqrstuvwxyz"
	asciiUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digitText  = "0123456789"
	punctText  = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	spaceText  = " \t\n\r\v\f"
)

func buildString() *py.Module {
	str := func(name, s string) py.Member { return py.Member{Name: name, Value: py.NewStr(s)} }
	finishTemplate()
	return py.NewModule("string",
		str("ascii_lowercase", asciiLower), str("ascii_uppercase", asciiUpper), str("ascii_letters", asciiLower+asciiUpper),
		str("digits", digitText), str("hexdigits", digitText+"abcdefABCDEF"), str("octdigits", "01234567"),
		str("punctuation", punctText), str("whitespace", spaceText),
		str("printable", digitText+asciiLower+asciiUpper+punctText+spaceText),
		pyFunc("capwords", "s, sep=None", capwords),
		py.Member{Name: "Template", Value: templateType},
	)
}

func capwords(t *py.Thread, a []py.Value) (py.Value, error) {
	args := []py.Value{py.None}
	capitalize, _ := py.StrType.Lookup("capitalize")
	var sep py.Value = py.NewStr(" ")
	if isSet(a[1]) {
		truth, err := t.Truth(a[1])
		if err != nil {
			return nil, err
		}
		args[0] = a[1]
		if truth {
			sep = a[1]
		}
	}
	join, err := t.GetAttr(sep, "join")
	if err != nil {
		return nil, err
	}
	split, err := t.CallMethod(a[0], "split", args...)
	if err != nil {
		return nil, err
	}
	words, err := t.Collect(split)
	if err != nil {
		return nil, err
	}
	for i, w := range words {
		if words[i], err = t.Call(capitalize, []py.Value{w}, nil); err != nil {
			return nil, err
		}
	}
	return t.Call(join, []py.Value{py.NewTuple(words...)}, nil)
}

// templateType is string.Template; its objects are plain instances with the
// attribute template.
var templateType = py.NewType("string", "Template")

func finishTemplate() {
	c := templateType
	c.Finish(
		py.Member{Name: "delimiter", Value: py.NewStr("$")},
		pyMethod(c, "__init__", "template", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return py.None, t.SetAttr(self, "template", a[0])
		}),
		pyMethod(c, "substitute", "mapping={}, /, **kws", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return substitute(t, self, a, false)
		}),
		pyMethod(c, "safe_substitute", "mapping={}, /, **kws", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return substitute(t, self, a, true)
		}),
		pyMethod(c, "is_valid", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			holes, _, err := templateHoles(t, self)
			if err != nil {
				return nil, err
			}
			for _, h := range holes {
				if h.kind == holeInvalid {
					return py.False, nil
				}
			}
			return py.True, nil
		}),
		pyMethod(c, "get_identifiers", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			holes, _, err := templateHoles(t, self)
			if err != nil {
				return nil, err
			}
			var names []py.Value
			seen := map[string]bool{}
			for _, h := range holes {
				if h.kind == holeName && !seen[h.name] {
					seen[h.name] = true
					names = append(names, py.NewStr(h.name))
				}
			}
			return t.NewList(names), nil
		}),
	)
}

type holeKind uint8

const (
	holeName    holeKind = iota // $name or ${name}
	holeEscaped                 // $$
	holeInvalid                 // $ before anything else
)

// hole is a placeholder of a template: src[start:end].
type hole struct {
	kind       holeKind
	name       string
	start, end int
}

// templateHoles finds the placeholders of a Template.
func templateHoles(t *py.Thread, self py.Value) ([]hole, string, error) {
	v, err := t.GetAttr(self, "template")
	if err != nil {
		return nil, "", err
	}
	src, ok := py.AsStr(v)
	if !ok {
		if _, isBytes := py.Unwrap(v).(*py.Bytes); isBytes {
			return nil, "", py.TypeErrorf("cannot use a string pattern on a bytes-like object")
		}
		return nil, "", py.TypeErrorf("expected string or bytes-like object, got '%s'", py.TypeName(v))
	}
	for _, name := range []string{"idpattern", "braceidpattern", "pattern", "flags"} {
		if x, err := t.LookupAttr(self, name); err != nil || x != nil {
			return nil, "", py.RaiseType(py.NotImplementedErrType, "string.Template with its own %s is not supported here", name)
		}
	}
	d, err := t.GetAttr(self, "delimiter")
	if err != nil {
		return nil, "", err
	}
	delim, ok := py.AsStr(d)
	if !ok || delim.Len() == 0 {
		return nil, "", py.TypeErrorf("delimiter must be a str")
	}
	s := src.String()
	if err := t.Alloc(2 * len(s)); err != nil {
		return nil, "", err
	}
	return findHoles(s, delim.String()), s, nil
}

func findHoles(s, delim string) []hole {
	var out []hole
	for i := 0; ; {
		k := strings.Index(s[i:], delim)
		if k < 0 {
			return out
		}
		h := hole{kind: holeInvalid, start: i + k, end: i + k + len(delim)}
		rest := s[h.end:]
		switch n := identifier(rest); {
		case strings.HasPrefix(rest, delim):
			h.kind, h.end = holeEscaped, h.end+len(delim)
		case n > 0:
			h.kind, h.name, h.end = holeName, rest[:n], h.end+n
		case strings.HasPrefix(rest, "{"):
			if n := identifier(rest[1:]); n > 0 && strings.HasPrefix(rest[1+n:], "}") {
				h.kind, h.name, h.end = holeName, rest[1:1+n], h.end+n+2
			}
		}
		out = append(out, h)
		i = h.end
	}
}

// identifier returns the length of the ASCII identifier at the start of s.
func identifier(s string) int {
	i := 0
	for i < len(s) {
		c := s[i] | 0x20
		if !(c >= 'a' && c <= 'z' || s[i] == '_' || i > 0 && s[i] >= '0' && s[i] <= '9') {
			break
		}
		i++
	}
	return i
}

func substitute(t *py.Thread, self py.Value, a []py.Value, safe bool) (py.Value, error) {
	holes, src, err := templateHoles(t, self)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	at := 0
	for _, h := range holes {
		b.WriteString(src[at:h.start])
		at = h.end
		piece := src[h.start:h.end]
		switch h.kind {
		case holeEscaped:
			piece = piece[:len(piece)/2]
		case holeInvalid:
			if !safe {
				return nil, invalidPlaceholder(src[:h.end])
			}
		default:
			v, err := templateValue(t, a, h.name)
			if _, missing := py.Catch(err, py.KeyErrorType); missing && safe {
				break
			}
			if err != nil {
				return nil, err
			}
			if piece, err = t.Str(v); err != nil {
				return nil, err
			}
		}
		if err := t.Alloc(2 * len(piece)); err != nil {
			return nil, err
		}
		b.WriteString(piece)
	}
	b.WriteString(src[at:])
	return py.NewStr(b.String()), nil
}

// templateValue looks name up in the keywords, then in the mapping.
func templateValue(t *py.Thread, a []py.Value, name string) (py.Value, error) {
	key := py.NewStr(name)
	if v, err := a[1].(*py.Dict).Get(t, key); v != nil || err != nil {
		return v, err
	}
	if a[0] == nil {
		return nil, py.KeyErrorFor(key)
	}
	return t.GetItem(a[0], key)
}

// invalidPlaceholder words the error for a delimiter at the end of head.
func invalidPlaceholder(head string) error {
	lines := text.SplitLines(head, true)
	line, column := 1, 1
	if n := len(lines); n > 0 {
		line = n
		column = text.Len(head) - text.Len(strings.Join(lines[:n-1], ""))
	}
	return py.ValueErrorf("Invalid placeholder in string: line %d, col %d", line, column)
}
