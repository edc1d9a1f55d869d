package world

import (
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// This file is the part of the YAML printer that deals with scalars: which
// style a text takes (PyYAML's analysis of the characters), and how it is
// written in that style.

// scalarStyle is how a scalar is written.
type scalarStyle uint8

const (
	plainStyle scalarStyle = iota
	singleStyle
	doubleStyle
	literalStyle // the lines of !!binary
)

// scalar is the text of a value that is no collection, and how to write it.
type scalar struct {
	text      string
	kind      string // YAML tag; it counts towards the length of a key
	style     scalarStyle
	multiline bool
}

// isSimpleKey reports whether the scalar can stand before a colon.
func (s scalar) isSimpleKey() bool {
	return s.text != "" && !s.multiline && len(s.kind)+text.Len(s.text) < 128
}

func (w *yamlWriter) scalarOf(v py.Value) (scalar, error) {
	switch x := v.(type) {
	case *py.Str:
		return stringScalar(x.String()), w.t.Charge(x.Len() / 8)
	case *py.Bytes:
		if err := w.t.Alloc(2 * len(x.B)); err != nil || x.B == "" {
			return scalar{kind: "!!binary", style: doubleStyle}, err
		}
		return scalar{text: base64Lines(x.B), kind: "!!binary", style: literalStyle, multiline: true}, nil
	case py.NoneType:
		return scalar{text: "null", kind: "!!null"}, nil
	case py.Bool:
		return scalar{text: strconv.FormatBool(bool(x)), kind: "!!bool"}, nil
	case py.Float:
		return scalar{text: floatText(float64(x)), kind: "!!float"}, nil
	}
	s, err := w.t.Str(v)
	return scalar{text: s, kind: "!!int"}, err
}

// floatText is a float in YAML 1.1, where an exponent needs a point before it.
func floatText(f float64) string {
	s := text.FormatFloat(f)
	switch s {
	case "nan", "inf":
		return "." + s
	case "-inf":
		return "-.inf"
	}
	if !strings.Contains(s, ".") {
		s = strings.Replace(s, "e", ".0e", 1)
	}
	return s
}

// base64Lines is Base64 in lines of 76 characters (RFC 2045), each ended.
func base64Lines(b string) string {
	const perLine = 57 // bytes, 76 characters
	var out strings.Builder
	for ; b != ""; b = b[min(perLine, len(b)):] {
		out.WriteString(base64.StdEncoding.EncodeToString([]byte(b[:min(perLine, len(b))])))
		out.WriteByte('\n')
	}
	return out.String()
}

// implicit matches the texts that YAML 1.1 (https://yaml.org/type/) as PyYAML
// implements it reads as something else than a string: null, bool, int, float,
// timestamp, merge and value keys.
var implicit = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`|~|null|Null|NULL|<<|=`,
	`yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF`,
	`[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*(?::[0-5]?[0-9])*)`,
	`[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?`,
	`\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?`,
	`[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*`,
	`[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)`,
	`[0-9]{4}-[0-9]{2}-[0-9]{2}`,
	`[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?`,
}, "|") + `)$`)

// mayBeImplicit rules out most texts by their first byte.
func mayBeImplicit(s string) bool {
	return s == "" || strings.IndexByte("0123456789+-.~<=yYnNtTfFoO", s[0]) >= 0
}

// stringScalar chooses the style of a string: plain when that reads back as the
// same string, single quotes when the characters allow it, else double quotes.
func stringScalar(s string) scalar {
	a := analyze(s)
	c := scalar{text: s, kind: "!!str", multiline: a.breaks, style: doubleStyle}
	switch {
	case a.plain() && !(mayBeImplicit(s) && implicit.MatchString(s)):
		c.style = plainStyle
	case a.quotable():
		c.style = singleStyle
	}
	return c
}

// analysis holds what decides between the styles of a string.
type analysis struct {
	indicator  bool // something that YAML syntax would take for its own
	special    bool // a character that only an escape can show
	breaks     bool // a line break
	edge       bool // a space or line break at the start or the end
	breakSpace bool // a space at the start of a line
	spaceBreak bool // a space at the end of a line
}

func (a analysis) plain() bool {
	return a.quotable() && !a.breaks && !a.edge && !a.indicator
}

func (a analysis) quotable() bool {
	return !a.special && !a.breakSpace && !a.spaceBreak
}

func analyze(s string) analysis {
	var a analysis
	a.indicator = strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...")
	prev := ' ' // the start counts as a space for indicators only
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = text.DecodeRune(s[i:])
		switch {
		case r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			prev = r
			continue
		case isIndicator(r, i == 0, prev, s[i+n:]):
			a.indicator = true
		case r == ' ':
			a.breakSpace = a.breakSpace || i > 0 && isBreak(prev)
		case isBreak(r):
			a.breaks = true
			a.spaceBreak = a.spaceBreak || i > 0 && prev == ' '
		}
		a.special = a.special || isSpecial(r)
		if (r == ' ' || isBreak(r)) && (i == 0 || i+n == len(s)) {
			a.edge = true
		}
		prev = r
	}
	return a
}

// isIndicator reports whether r, after prev and before rest, would end or
// change a plain scalar in block style.
func isIndicator(r rune, first bool, prev rune, rest string) bool {
	switch r {
	case ':':
		return beforeBlank(rest)
	case '#':
		return first || isBlank(prev)
	case '?', '-':
		return first && beforeBlank(rest)
	case ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return first
	}
	return false
}

func beforeBlank(rest string) bool {
	r, n := text.DecodeRune(rest)
	return n == 0 || isBlank(r)
}

func isBlank(r rune) bool {
	return r == 0 || r == ' ' || r == '\t' || r == '\r' || isBreak(r)
}

func isBreak(r rune) bool {
	return r == '\n' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// isSpecial reports whether PyYAML counts r as not printable (it leaves out
// U+10FFFF too).
func isSpecial(r rune) bool {
	switch {
	case r == '\n' || r >= ' ' && r <= '~' || r == 0x85:
		return false
	case r == 0xFEFF:
		return true
	}
	return r < 0xA0 || r > 0xD7FF && r < 0xE000 || r == 0xFFFE || r == 0xFFFF || r >= 0x10FFFF
}

// scalar writes a scalar at the cursor. Its further lines, if any, are indented
// one level more than the collection it stands in.
func (w *yamlWriter) scalar(s scalar) {
	old := w.indent
	w.indent = max(w.indent, 0) + 2
	defer func() { w.indent = old }()
	if s.kind == "!!binary" {
		w.mark(s.kind, true)
	}
	switch s.style {
	case singleStyle:
		w.singleQuoted(s.text)
	case doubleStyle:
		w.doubleQuoted(s.text)
	case literalStyle:
		w.literal(s.text)
	default:
		w.plain(s.text)
	}
}

func (w *yamlWriter) plain(s string) {
	w.mark("", true)
	for s != "" {
		part := run(s, isSpace)
		if part == " " && w.column > yamlWidth {
			w.startLine()
			w.spaced, w.fresh = false, false
		} else {
			w.put(part)
		}
		s = s[len(part):]
	}
}

// singleQuoted writes text whose line breaks are doubled, since one alone would
// read as a space.
func (w *yamlWriter) singleQuoted(s string) {
	w.mark("'", true)
	for rest := s; rest != ""; {
		part := run(rest, spaceOrBreak)
		first, last := len(rest) == len(s), len(part) == len(rest)
		r, _ := text.DecodeRune(part)
		switch {
		case isBreak(r):
			w.breaks(part)
		case part == " " && w.column > yamlWidth && !first && !last:
			w.startLine()
		default:
			w.put(strings.ReplaceAll(part, "'", "''"))
		}
		rest = rest[len(part):]
	}
	w.mark("'", false)
}

// breaks writes a run of line breaks inside single quotes.
func (w *yamlWriter) breaks(s string) {
	if s[0] == '\n' {
		w.newline("\n")
	}
	for s != "" && w.err == nil {
		_, n := text.DecodeRune(s)
		w.newline(s[:n])
		s = s[n:]
	}
	w.startLine()
}

// literal writes lines that end with a line feed each, as they are.
func (w *yamlWriter) literal(s string) {
	w.mark("|", true)
	w.newline("\n")
	for line := range strings.Lines(s) {
		w.startLine()
		w.put(strings.TrimSuffix(line, "\n"))
		w.newline("\n")
	}
}

// doubleQuoted writes text with escapes. A line that is too long ends with a
// backslash at a space or an escape.
func (w *yamlWriter) doubleQuoted(s string) {
	w.mark(`"`, true)
	start, pending := 0, 0 // text not written yet: its offset, its length in code points
	for i, n := 0, 0; i < len(s) && w.err == nil; i += n {
		var r rune
		r, n = text.DecodeRune(s[i:])
		escaped := mustEscape(r)
		if escaped {
			w.put(s[start:i])
			w.put(escape(r))
			start, pending = i+n, -1
		}
		foldable := i > 0 && i+n < len(s) && (r == ' ' || start >= i)
		if foldable && w.column+pending > yamlWidth {
			if start < i {
				w.put(s[start:i])
				start = i
			}
			w.put(`\`)
			w.startLine()
			w.spaced, w.fresh = false, false
			if s[start] == ' ' {
				w.put(`\`)
			}
			pending = min(pending, 0)
		}
		pending++
	}
	w.put(s[start:])
	w.mark(`"`, false)
}

func mustEscape(r rune) bool {
	switch {
	case r == '"' || r == '\\':
		return true
	case r >= ' ' && r <= '~':
		return false
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return true
	}
	return isSpecial(r) || r > 0xFFFF || r == '\n'
}

// shortEscapes are the characters with an escape of one letter.
var shortEscapes = map[rune]string{
	0: "0", '\a': "a", '\b': "b", '\t': "t", '\n': "n", '\v': "v", '\f': "f", '\r': "r", 0x1B: "e",
	'"': `"`, '\\': `\`, 0x85: "N", 0xA0: "_", 0x2028: "L", 0x2029: "P",
}

func escape(r rune) string {
	if s, ok := shortEscapes[r]; ok {
		return `\` + s
	}
	letter, digits := "U", 8
	switch {
	case r <= 0xFF:
		letter, digits = "x", 2
	case r <= 0xFFFF:
		letter, digits = "u", 4
	}
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return `\` + letter + strings.Repeat("0", digits-len(hex)) + hex
}

// charClass sorts characters for run.
type charClass func(rune) int

func isSpace(r rune) int {
	if r == ' ' {
		return 1
	}
	return 0
}

func spaceOrBreak(r rune) int {
	if isBreak(r) {
		return 2
	}
	return isSpace(r)
}

// run returns the longest start of s, which is not empty, that is of one class.
func run(s string, class charClass) string {
	r, n := text.DecodeRune(s)
	for first := class(r); n < len(s); {
		r, size := text.DecodeRune(s[n:])
		if class(r) != first {
			break
		}
		n += size
	}
	return s[:n]
}
