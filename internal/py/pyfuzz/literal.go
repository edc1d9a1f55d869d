package pyfuzz

import (
	"fmt"
	"strconv"
	"strings"
)

// maker fills a hole by code, where a grammar rule would be too uniform or
// has to remember what it wrote. depth is the budget for nested expressions.
type maker func(g *gen, depth int) string

// makers returns the maker of a hole name, or nil.
func makers(name string) maker {
	switch name {
	case "intlit":
		return (*gen).intLiteral
	case "bigint":
		return (*gen).bigLiteral
	case "floatlit":
		return (*gen).floatLiteral
	case "strlit":
		return (*gen).strLiteral
	case "asciilit":
		return (*gen).asciiLiteral
	case "surrlit":
		return (*gen).surrogateLiteral
	case "byteslit":
		return (*gen).bytesLiteral
	case "numtext":
		return (*gen).numberText
	case "fmtspec":
		return (*gen).formatSpec
	case "strspec":
		return (*gen).stringSpec
	case "fmtfield":
		return (*gen).formatField
	case "percent":
		return (*gen).percentFormat
	case "fstring":
		return (*gen).fString
	case "flow":
		return (*gen).flow
	case "calls":
		return (*gen).calls
	case "unpack":
		return (*gen).unpack
	case "hierarchy":
		return (*gen).hierarchy
	case "scopes":
		return (*gen).scopes
	case "comprehension":
		return (*gen).comprehension
	case "coroutine":
		return (*gen).coroutine
	case "dunders":
		return (*gen).dunders
	case "pattern":
		return (*gen).pattern
	case "subject":
		return (*gen).subject
	case "jsontext":
		return (*gen).jsonText
	case "pyliteral":
		return (*gen).pyLiteral
	case "alias":
		return (*gen).aliasing
	}
	return nil
}

// intLiteral is a small integer: magnitudes stay at most 1000, so that
// sequence repetition and ranges are cheap.
func (g *gen) intLiteral(int) string {
	switch g.between(0, 9) {
	case 0:
		return pick(g, []string{"0", "1", "-1", "2", "10", "100", "255", "256", "-256", "1_000", "0x1f", "0b101", "0o17", "-0x10"})
	case 1, 2:
		return strconv.Itoa(g.between(-1000, 1000))
	default:
		return strconv.Itoa(g.between(-9, 20))
	}
}

// bigLiteral is an integer whose magnitude is at least 2**63, too large to be
// a size or an index anywhere.
func (g *gen) bigLiteral(int) string {
	sign := pick(g, []string{"", "", "-"})
	switch g.between(0, 4) {
	case 0:
		return pick(g, []string{"2**63", "-2**63 - 1", "2**64", "2**64 - 1", "10**19", "10**25", "-10**30", "(1 << 80)", "1 << 63", "-(1 << 70)"})
	case 1:
		return sign + "0x" + strings.Repeat(pick(g, []string{"f", "a5", "10", "8"}), g.between(16, 24))
	default:
		var b strings.Builder
		b.WriteString(sign + strconv.Itoa(g.between(1, 9)))
		for range g.between(19, 40) {
			b.WriteByte(byte('0' + g.between(0, 9)))
		}
		return b.String()
	}
}

func (g *gen) floatLiteral(int) string {
	sign := pick(g, []string{"", "", "", "-"})
	switch g.between(0, 7) {
	case 0:
		return sign + pick(g, []string{"0.0", "1.0", "0.5", "1.5", "2.5", "0.1", "1e16", "1e-5", "1e22", "123456789.0", "1e100", "5e-324", "1.7976931348623157e308", "1e15", "9007199254740993.0", "1e-4", "1_0.5", ".5", "3."})
	case 1:
		return pick(g, []string{"float('inf')", "float('-inf')", "float('nan')"})
	case 2:
		return fmt.Sprintf("%s%d.%de%d", sign, g.between(0, 9), g.between(0, 99999), g.between(-30, 30))
	case 3:
		return fmt.Sprintf("%s%d.5", sign, g.between(0, 1000))
	case 4:
		return fmt.Sprintf("%s%d.%02d5", sign, g.between(0, 100), g.between(0, 99))
	default:
		return fmt.Sprintf("%s%d.%d", sign, g.between(0, 99), g.between(0, 999))
	}
}

// textPieces are the units of string literals, as decoded text.
var (
	asciiPieces = []string{
		"a", "b", "abc", "Hello", "world", "foo bar", "a,b,c", " ", "  ", "\t", "\n", "x=1", "1", "42", "-5", "3.5",
		"ABC", "aBc", "zZ", "_", "__", "key", "the quick", "l1\nl2", "\r\n", "'", "\"", "\\", "{}", "%", "/", ".", ":", "-", "ab" + "ab", "Mr. X", "it's", "0x1f", "1e3",
	}
	unicodePieces = []string{
		"ß", "İ", "ı", "Ǆ", "ǅ", "é", "e\u0301", "ñ", "Ω", "ΑΣ", "ς", "д", "Ж", "你好", "世界", "日本", "한", "가나", "😀", "👍🏽", "🇩🇪", "𝔘", "ﬁ", "ŉ",
		"٣", "²", "½", "Ⅷ", "५", "\u00a0", "\u2028", "\u3000", "\u0085", "\u001c", "\u200b", "\ufeff", "\x00", "\x1b", "\x7f", "\u00ad", "ʼ", "ª", "ﬀ", "ᾳ", "Ａ", "ｱ", "，", "。",
	}
)

// strLiteral is mostly ASCII text with some other characters.
func (g *gen) strLiteral(int) string {
	var b strings.Builder
	for range pick(g, []int{0, 1, 1, 1, 2, 2, 3, 4}) {
		if g.chance(0.22) {
			b.WriteString(pick(g, unicodePieces))
		} else {
			b.WriteString(pick(g, asciiPieces))
		}
	}
	return g.quote(b.String())
}

func (g *gen) asciiLiteral(int) string {
	var b strings.Builder
	for range g.between(1, 3) {
		b.WriteString(pick(g, asciiPieces))
	}
	return g.quote(b.String())
}

// surrogateLiteral has lone surrogates; only ascii() may print it.
func (g *gen) surrogateLiteral(int) string {
	return "'" + pick(g, []string{"", "a", "好"}) + pick(g, []string{`\ud800`, `\udfff`, `\ud83d\ude00`, `\udcff`}) + pick(g, []string{"", "z", `\U0001f600`}) + "'"
}

// quote writes text as a Python literal with quotes, prefixes and escapes of
// random style. Control characters are always escaped.
func (g *gen) quote(text string) string {
	q := pick(g, []string{"'", "'", "\""})
	style := g.between(0, 5)
	var b strings.Builder
	b.WriteString(q)
	for _, r := range text {
		switch {
		case r == '\\' || string(r) == q:
			b.WriteString("\\" + string(r))
		case r == '\n':
			b.WriteString("\\n")
		case r == '\t':
			b.WriteString("\\t")
		case r == '\r':
			b.WriteString("\\r")
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, "\\x%02x", r)
		case r > 0xffff && style == 0:
			fmt.Fprintf(&b, "\\U%08x", r)
		case r >= 0x80 && (style == 0 || isInvisible(r)):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + q
}

// isInvisible reports characters that are unsafe to write raw in a source.
func isInvisible(r rune) bool {
	switch r {
	case 0x85, 0xa0, 0xad, 0x200b, 0x2028, 0x3000, 0xfeff:
		return true
	}
	return false
}

func (g *gen) bytesLiteral(int) string {
	var b strings.Builder
	for range g.between(0, 3) {
		b.WriteString(pick(g, []string{"a", "abc", "Hello", " ", ",", "1", "42", `\x00`, `\xff`, `\n`, `\t`, "xyz", `\xc3\xa9`, `\xe4\xbd\xa0`, `\x80`, "=", "ab"}))
	}
	return "b'" + b.String() + "'"
}

// numberText is the literal of a string that int() or float() may accept.
func (g *gen) numberText(int) string {
	return g.quote(pick(g, []string{
		"12", " 12 ", "-7", "+7", "1_000", "1__0", "_1", "1_", "0x1f", "0b101", "0o17", "1f", "zz", "", " ", "3.5", "-3.5e2", "1e5", "1e400", "-1e400", "1e-400", "inf", "-Infinity", "nan", "NaN", "+nan",
		"1.", ".5", ".", "1.5.2", "1,5", "٣", "५६", "½", "²", "１２", "0_0", "00", "007", "1 2", "--1", "0x", "1e", "e5", "12abc", "\n5\n", "\u30005", "5\x00", "1_0.0_1", "9" + strings.Repeat("0", 25), "0.1", "123456789012345678", "infinity ", "1e1_0", "0X1F", "0B11",
	}))
}

// pyLiteral is text for ast.literal_eval: a literal, sometimes broken.
func (g *gen) pyLiteral(depth int) string {
	return g.quote(g.literalValue(min(depth, 2)))
}

func (g *gen) literalValue(depth int) string {
	if depth <= 0 || g.chance(0.4) {
		return pick(g, []string{
			"1", "-2", "+3", "1.5", "-1e3", "True", "False", "None", "'a'", "b'x'", "''", "'a' 'b'", "1_000", "0x1f", "...",
			"x", "f(1)", "1+1", "2**3", "--1", "'a'+'b'", "set()", "", "1 2", "[", "not True", "1j", "1+2j", "f'{1}'", "a.b", "{}", "()", "[]",
		})
	}
	var parts []string
	for range g.between(0, 3) {
		parts = append(parts, g.literalValue(depth-1))
	}
	list := strings.Join(parts, ", ")
	switch g.between(0, 3) {
	case 0:
		return "[" + list + "]"
	case 1:
		return "(" + list + ",)"
	case 2:
		return "{'k': " + g.literalValue(depth-1) + ", 2: " + g.literalValue(depth-1) + "}"
	default:
		return " [" + list + ",]"
	}
}

// jsonText is a literal of JSON text, sometimes broken.
func (g *gen) jsonText(depth int) string {
	text := g.jsonValue(min(depth+1, 3))
	if g.chance(0.3) { // break it: cut, double or insert
		i := g.between(0, len(text))
		for i > 0 && i < len(text) && text[i]&0xc0 == 0x80 {
			i--
		}
		switch g.between(0, 2) {
		case 0:
			text = text[:i]
		case 1:
			text = text + text[i:]
		default:
			text = text[:i] + pick(g, []string{",", "}", "]", "'", "\"", "x", "\n", ":", "\\", "NaN", " "}) + text[i:]
		}
	}
	return g.quote(text)
}

func (g *gen) jsonValue(depth int) string {
	if depth <= 0 || g.chance(0.25) {
		if g.chance(0.07) {
			return pick(g, []string{"01", "1.", ".5", "+1", "tru", "'a'", `"\x"`, `"\u12"`, "nul", "-", "\"\t\"", "Infinit", "[1,]", `{"a"}`, "{1:2}"})
		}
		return pick(g, []string{
			"1", "-0", "0", "1.5", "-1e3", "1E+2", "true", "false", "null", `"a"`, `""`, `"\u00e9"`, `"\ud83d\ude00"`, `"\n\t\\"`, `"é😀"`,
			"12345678901234567890", "NaN", "-Infinity", "{}", "[]", "1e400", "1.0", "0.1",
		})
	}
	sep := pick(g, []string{",", ", ", ",\n  "})
	var parts []string
	list := g.chance(0.5)
	for range g.between(0, 3) {
		v := g.jsonValue(depth - 1)
		if !list {
			v = fmt.Sprintf("%q%s%s", pick(g, []string{"a", "b", "k", "", "é"}), pick(g, []string{":", ": ", " : "}), v)
		}
		parts = append(parts, v)
	}
	if list {
		return "[" + strings.Join(parts, sep) + "]"
	}
	return "{" + strings.Join(parts, sep) + "}"
}
