package pyfuzz

import (
	"fmt"
	"strings"
)

// subjectPieces make the texts that patterns are tried on: few letters, so
// that random patterns match often.
var subjectPieces = []string{"a", "b", "ab", "aab", "abc", "12", "7", " ", "-", "_x", "foo", "bar", "A", "B", "\n", ",", ".", "é", "好", "x=1", "foo.bar", "2024-01-31", "a@b.c", "\t", "()", "aaa", "ba"}

func (g *gen) subject(int) string {
	var b strings.Builder
	for range g.between(1, 7) {
		b.WriteString(pick(g, subjectPieces))
	}
	return g.quote(b.String())
}

// pattern is a regular expression as a raw string literal; one in twelve is
// broken, to compare the error messages.
func (g *gen) pattern(int) string {
	p := &patternMaker{g: g}
	text := p.alternation(2)
	if g.chance(0.08) {
		text += pick(g, []string{"(", ")", "[", "*", "(?P<n", "(?P=zz)", "{1,2}{3}", "[b-a]", "(?<", "(?z)", "\\9", "a**", "(?P<1a>x)", "x{3,1}", "[a", "(?:", "\\q", "(?<=a*)", "+", "(?#", "(?P>x)", "\\8", "(?i", "++"})
	}
	if g.chance(0.1) {
		text = pick(g, []string{"(?i)", "(?m)", "(?s)", "(?x)", "(?a)", "(?im)"}) + text
	}
	return "r'" + strings.ReplaceAll(text, "'", "") + pick(g, []string{"", "", "", "$"}) + "'"
}

type patternMaker struct {
	g      *gen
	groups int // capturing groups opened so far
	closed []int
	named  []string
}

func (p *patternMaker) alternation(depth int) string {
	text := p.sequence(depth)
	if p.g.chance(0.2) {
		text += "|" + p.sequence(depth)
	}
	return text
}

func (p *patternMaker) sequence(depth int) string {
	var b strings.Builder
	for range p.g.between(1, 3) {
		b.WriteString(p.term(depth))
	}
	return b.String()
}

func (p *patternMaker) term(depth int) string {
	atom, repeatable := p.atom(depth)
	if !repeatable || p.g.chance(0.55) {
		return atom
	}
	q := pick(p.g, []string{"*", "+", "?", "{2}", "{1,2}", "{0,}", "{,2}", "+", "*", "{1}"})
	return atom + q + pick(p.g, []string{"", "", "", "?", "?", "+"})
}

// atom returns a piece and whether a quantifier may follow.
func (p *patternMaker) atom(depth int) (string, bool) {
	g := p.g
	k := g.between(0, 15)
	if depth <= 0 {
		k = g.between(0, 8)
	}
	switch k {
	case 0, 1, 2, 3:
		return pick(g, []string{"a", "b", "ab", "foo", "1", "-", "é", "\\.", " ", "x", "好", "A", "\\n", "\\t", "\\x61", ","}), true
	case 4, 5:
		return pick(g, []string{"\\d", "\\w", "\\s", "\\D", "\\W", "\\S", ".", "."}), true
	case 6, 7:
		return pick(g, []string{"[ab]", "[a-c]", "[^a]", "[\\d_]", "[^\\s,]", "[a-zA-Z]", "[]a]", "[^]]", "[-x]", "[\\w.]", "[.]", "[a\\-z]", "[0-9]", "[é-ü]", "[\\n ]", "[^\\W\\d]"}), true
	case 8:
		return pick(g, []string{"^", "$", "\\b", "\\B", "\\A", "\\Z"}), false
	case 9, 10:
		p.groups++
		n := p.groups
		text := "(" + p.alternation(depth-1) + ")"
		p.closed = append(p.closed, n)
		return text, true
	case 11:
		p.groups++
		n := p.groups
		name := fmt.Sprintf("g%d", n)
		text := "(?P<" + name + ">" + p.alternation(depth-1) + ")"
		p.closed, p.named = append(p.closed, n), append(p.named, name)
		return text, true
	case 12:
		return pick(g, []string{"(?:", "(?:", "(?i:", "(?>", "(?-i:", "(?s:"}) + p.alternation(depth-1) + ")", true
	case 13:
		return pick(g, []string{"(?=", "(?!"}) + p.alternation(depth-1) + ")", false
	case 14:
		return pick(g, []string{"(?<=", "(?<!"}) + pick(g, []string{"a", "b", "\\d", "[ab]", "ab", "^", "é"}) + ")", false
	}
	if len(p.closed) == 0 {
		return "b", true
	}
	if len(p.named) > 0 && g.chance(0.5) {
		return "(?P=" + pick(g, p.named) + ")", true
	}
	n := pick(g, p.closed)
	if g.chance(0.2) {
		return fmt.Sprintf("(?(%d)a|b)", n), false
	}
	return fmt.Sprintf("\\%d(?:)", n), false
}
