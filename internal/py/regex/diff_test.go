package regex

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestDifferential compares random patterns, subjects and templates with
// Python. REGEX_DIFF sets how many (default 2000) and REGEX_SEED the seed.
func TestDifferential(t *testing.T) {
	o := startPython(t, oracleScript)
	n, seed := envInt(t, "REGEX_DIFF", 2000), envInt(t, "REGEX_SEED", 1)
	invalid, matched := 0, 0
	for i := 0; i < n && !t.Failed(); i++ {
		switch res := o.check(t, randomCase(rand.New(rand.NewPCG(uint64(seed), uint64(i))))); {
		case strings.HasPrefix(res, `["E"`):
			invalid++
		case strings.Contains(res, "[[[["):
			matched++
		}
	}
	t.Logf("%d cases, %d invalid patterns, %d with a match", n, invalid, matched)
}

func envInt(t *testing.T, name string, value int) int {
	if s := os.Getenv(name); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	return value
}

// gen writes random patterns.
type gen struct {
	*rand.Rand
	b      strings.Builder
	groups int // capturing groups opened
	names  int
	size   int // items left to write
	bytes  bool
	fixed  bool // in a lookbehind: mostly fixed widths
	dense  bool // few characters, many groups: strains backtracking
}

func (g *gen) one(list ...string) string { return list[g.IntN(len(list))] }

func randomCase(r *rand.Rand) *diffCase {
	g := &gen{Rand: r, size: 3 + r.IntN(12), bytes: r.IntN(12) == 0, dense: r.IntN(2) == 0}
	for r.IntN(12) == 0 {
		g.b.WriteString(g.one("(?i)", "(?s)", "(?m)", "(?x)", "(?a)", "(?u)", "(?im)", "(?t)"))
	}
	g.alternation(3)
	c := &diffCase{Pattern: []rune(g.b.String()), Bytes: g.bytes}
	if r.IntN(5) == 0 {
		c.Pattern = g.damage(c.Pattern)
	}
	for _, f := range []Flag{IgnoreCase, Multiline, DotAll, Verbose, ASCII} {
		if r.IntN(6) == 0 {
			c.Flags |= int(f)
		}
	}
	if r.IntN(60) == 0 {
		c.Flags |= int(Unicode)
	}
	for range 3 {
		c.Subjects = append(c.Subjects, g.subject())
	}
	c.Repl = g.template()
	if c.Bytes {
		for _, s := range append(c.Subjects, c.Pattern, c.Repl) {
			for i := range s {
				s[i] &= 0xFF
			}
		}
	}
	c.Pos, c.End = r.IntN(5)-1, r.IntN(12)
	c.Max = []int{0, 0, 1, 2, 3, -1}[r.IntN(6)]
	return c
}

func (g *gen) alternation(depth int) {
	g.sequence(depth)
	for g.IntN(4) == 0 {
		g.b.WriteByte('|')
		g.sequence(depth)
	}
}

func (g *gen) sequence(depth int) {
	for n := g.IntN(4); n >= 0 && g.size > 0; n-- {
		g.size--
		g.item(depth)
		if g.IntN(3) == 0 && !(g.fixed && g.IntN(8) > 0) {
			g.b.WriteString(g.one("*", "+", "?", "{2}", "{1,2}", "{,2}", "{1,}", "{0}", "{0,3}"))
			g.b.WriteString(g.one("", "", "", "?", "?", "+"))
		}
	}
}

func (g *gen) item(depth int) {
	k := g.IntN(20)
	if g.dense && k >= 8 && depth > 0 {
		k = 12 + k%8
	}
	switch {
	case k < 8 || depth == 0 && k < 14:
		g.b.WriteString(g.char())
	case k < 10:
		g.class()
	case k < 11:
		g.b.WriteString(g.one("^", "$", `\b`, `\B`, `\A`, `\Z`))
	case k < 12:
		g.b.WriteString(g.one(`\w`, `\W`, `\d`, `\D`, `\s`, `\S`, "."))
	case k < 13:
		g.reference()
	case depth > 0:
		g.group(depth - 1)
	}
}

func (g *gen) char() string {
	if g.dense {
		return g.one("a", "a", "b", "b", "c", ".", "[ab]", "(?:)")
	}
	if g.IntN(4) > 0 {
		return g.one("a", "a", "b", "b", "c", "A", "B", "1", " ")
	}
	return g.one("k", "s", "i", "-", "_", "\n", "#", `\n`, `\t`, `\.`, `\-`, `\x61`, `\101`, `\07`, "ä", "Ä",
		"ſ", "K", "İ", "ı", "ß", "ẞ", "µ", "Σ", "ς", "٣", "é", "\u2028", "😀", "𐐀", "𐐨", `\u0062`, `\U00010400`,
		`\N{LATIN SMALL LETTER A}`, "{", "}", "]", "ﬅ", "ﬆ", "ͅ", "ᾐ", "Ω", "Å", "ǅ")
}

func (g *gen) class() {
	g.b.WriteByte('[')
	if g.IntN(3) == 0 {
		g.b.WriteByte('^')
	}
	for n := g.IntN(3); n >= 0; n-- {
		switch g.IntN(6) {
		case 0:
			g.b.WriteString(g.one("a-c", "A-C", "0-9", "a-z", "À-ÿ", "Α-ω", "𐐀-𐐧", "a-😀", "\u0100-\uffff", `\x00-\x7f`, "!-~", "ı-ſ"))
		case 1:
			g.b.WriteString(g.one(`\w`, `\W`, `\d`, `\D`, `\s`, `\S`))
		default:
			if c := g.char(); c != "]" {
				g.b.WriteString(c)
			}
		}
	}
	g.b.WriteString(g.one("", "", "", "-") + "]")
}

func (g *gen) reference() {
	if g.groups == 0 {
		g.b.WriteString("a")
		return
	}
	if g.names > 0 && g.IntN(3) == 0 {
		fmt.Fprintf(&g.b, "(?P=n%d)", 1+g.IntN(g.names))
		return
	}
	fmt.Fprintf(&g.b, `\%d`, 1+g.IntN(g.groups))
}

func (g *gen) group(depth int) {
	defer func(fixed bool) { g.fixed = fixed }(g.fixed)
	switch k := g.IntN(20); {
	case k < 8:
		g.groups++
		g.b.WriteByte('(')
	case k < 10:
		g.groups++
		g.names++
		fmt.Fprintf(&g.b, "(?P<n%d>", g.names)
	case k < 14:
		g.b.WriteString("(?:")
	case k < 15:
		g.b.WriteString("(?>")
	case k < 16:
		g.b.WriteString(g.one("(?=", "(?!"))
	case k < 17:
		g.fixed = true
		g.b.WriteString(g.one("(?<=", "(?<!"))
	case k < 18:
		g.b.WriteString(g.one("(?i:", "(?-i:", "(?s:", "(?m-s:", "(?x:", "(?a:", "(?u:", "(?ai-m:", "(?-x:"))
	case k < 19 && g.groups > 0:
		g.condition(depth)
		return
	default:
		g.b.WriteString("(?#comment)")
		return
	}
	g.alternation(depth)
	g.b.WriteByte(')')
}

func (g *gen) condition(depth int) {
	if g.names > 0 && g.IntN(2) == 0 {
		fmt.Fprintf(&g.b, "(?(n%d)", 1+g.IntN(g.names))
	} else {
		fmt.Fprintf(&g.b, "(?(%d)", 1+g.IntN(g.groups))
	}
	g.sequence(depth)
	if g.IntN(2) == 0 {
		g.b.WriteByte('|')
		g.sequence(depth)
	}
	g.b.WriteByte(')')
}

func (g *gen) subject() []rune {
	alphabet := []rune("aaabbbcAB1 \n-_")
	if g.dense {
		alphabet = []rune("aaabbbc")
	} else if g.IntN(3) == 0 {
		alphabet = []rune("aabkKKsSſiİIıäÄßẞµμΣσς٣éÉ\u2028\x1c\u0085\u00a0😀𐐀𐐨ﬅﬆ\u0345ιᾐᾘΩωÅåǄǅǆ\U00011F50")
		alphabet = append(alphabet, 0xD800, 0xDC00)
	}
	s := make([]rune, g.IntN(13))
	for i := range s {
		s[i] = alphabet[g.IntN(len(alphabet))]
	}
	return s
}

func (g *gen) template() []rune {
	var b strings.Builder
	for n := g.IntN(4); n > 0; n-- {
		b.WriteString(g.one("x", "-", "é", `\1`, `\2`, `\g<0>`, `\g<1>`, `\g<n1>`, `\n`, `\\`, `\07`, `\101`, `\.`, "😀"))
	}
	if g.IntN(10) == 0 {
		b.WriteString(g.one(`\9`, `\q`, `\g<`, `\g<>`, `\g<x>`, `\g<1x>`, `\g<-1>`, `\g`, `\`, `\777`, `\99`, `\0777`,
			`\g<99999999999>`, `\g< 1 >`, `\g<1_0>`, `\g<é>`, `\8`, `\18`, `\g<1`, `\g<\>>`))
	}
	return []rune(b.String())
}

// damage makes most patterns invalid.
func (g *gen) damage(p []rune) []rune {
	for n := 1 + g.IntN(3); n > 0; n-- {
		i := g.IntN(len(p) + 1)
		switch g.IntN(3) {
		case 0:
			if i < len(p) {
				p = append(p[:i:i], p[i+1:]...)
			}
		default:
			bit := []rune(g.one("(", ")", "[", "]", "{", "}", "*", "+", "?", "|", `\`, "^", "-", "(?", "(?P", "(?P<", "(?P=",
				"(?<", "(?(", "(?i", "(?-", "(?i-", "(?i)", "(?x)", "<", ">", "=", "!", ":", ",", "{2,1}", "a-", "\n", "(?P<n1>a)",
				`\1`, `\9`, `\8`, `\x`, `\x1`, `\u12`, `\U0011`, `\UFFFFFFFF`, `\N`, `\N{`, `\N{X}`, `\400`, `\q`, `\z`, "(?P<1>",
				"(?P<é>", "(?(0)", "(?(99)a)", "(?(x)", "(?Lu)", "(?au:", "(?L:", "(?t:", "(?i-i:", "(?é", "(?#", "(?P>", "(?<a",
				"{99999999999}", "{1,99999999999}", "(?(1)a|b|c)", `(?<=\1)`, "(?<=(a)\\1)", "(?<=a*)", "é", "😀", "++", "*?", "(?(٣)a)"))
			p = append(p[:i:i], append(bit, p[i:]...)...)
		}
	}
	return p
}
