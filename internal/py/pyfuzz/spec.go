package pyfuzz

import (
	"fmt"
	"strings"
)

// formatSpec is a format specification without quotes, of random and mostly
// valid parts: [[fill]align][sign][z][#][0][width][grouping][.precision][type].
func (g *gen) formatSpec(int) string {
	var b strings.Builder
	if g.chance(0.4) {
		if g.chance(0.5) {
			b.WriteString(pick(g, []string{"*", "0", "-", "_", " ", "é", "好", "x", "<", ".", "😀"}))
		}
		b.WriteString(pick(g, []string{"<", ">", "^", "="}))
	}
	if g.chance(0.25) {
		b.WriteString(pick(g, []string{"+", "-", " "}))
	}
	if g.chance(0.05) {
		b.WriteString("z")
	}
	if g.chance(0.15) {
		b.WriteString("#")
	}
	if g.chance(0.2) {
		b.WriteString("0")
	}
	if g.chance(0.5) {
		fmt.Fprint(&b, g.between(0, 20))
	}
	if g.chance(0.2) {
		b.WriteString(pick(g, []string{",", "_", ",", ",_"}))
	}
	if g.chance(0.4) {
		fmt.Fprintf(&b, ".%d", g.between(0, 12))
	}
	if g.chance(0.7) {
		b.WriteString(pick(g, []string{"d", "s", "f", "e", "g", "x", "X", "o", "b", "%", "n", "c", "F", "E", "G", "f", "d", "q", "r", "ff"}))
	}
	return b.String()
}

// formatField is a format string for str.format, as a literal.
func (g *gen) formatField(int) string {
	var b strings.Builder
	for range g.between(1, 3) {
		b.WriteString(pick(g, []string{"", "a", " ", "{{", "}}", "x=", "é"}))
		if g.chance(0.08) {
			b.WriteString(pick(g, []string{"{", "}", "{0", "{!", "{0!x}", "{0!}", "{a b}", "{0[}", "{0.}", "{[1]}", "{0]}", "{0!rr}", "{:{}", "{0[1}"}))
			continue
		}
		field := pick(g, []string{"", "", "0", "1", "0", "k", "0.real", "0[0]", "1[k]", "k[1]", "0.__class__.__name__", "9", "zz", "0[-1]", "k.nope", "1[0][0]"})
		conv := pick(g, []string{"", "", "", "!r", "!s", "!a"})
		spec := ""
		if g.chance(0.5) {
			spec = ":" + strings.NewReplacer("{", "", "}", "").Replace(g.formatSpec(0))
		}
		if g.chance(0.05) {
			spec = pick(g, []string{":{1}", ":{k}", ":>{n}", ":{0}.{0}", ":{n}.{p}f"})
		}
		b.WriteString("{" + field + conv + spec + "}")
	}
	return g.quote(b.String())
}

// percentFormat is a literal with % conversions and the operand.
func (g *gen) percentFormat(depth int) string {
	var b strings.Builder
	var args []string
	named := g.chance(0.2)
	for range g.between(1, 3) {
		b.WriteString(pick(g, []string{"", "a", " ", "%%", "é", ":"}) + "%")
		if named {
			b.WriteString(pick(g, []string{"(a)", "(b)", "(zz)", "(a)", "()"}))
		}
		if g.chance(0.3) {
			b.WriteString(pick(g, []string{"-", "+", " ", "0", "#", "-0", "+ "}))
		}
		if g.chance(0.3) {
			fmt.Fprint(&b, g.between(1, 12))
		} else if g.chance(0.05) && !named {
			b.WriteString("*")
			args = append(args, fmt.Sprint(g.between(-8, 8)))
		}
		if g.chance(0.3) {
			fmt.Fprintf(&b, ".%d", g.between(0, 8))
		}
		kind := pick(g, []string{"d", "s", "r", "f", "x", "e", "g", "c", "o", "i", "u", "X", "a", "E", "G", "s", "d", "q", "b", ""})
		b.WriteString(kind)
		switch {
		case g.chance(0.15):
			args = append(args, g.expand("any", 0, nil))
		case kind == "s" || kind == "r" || kind == "a":
			args = append(args, g.expand("any", depth-1, nil))
		case kind == "c":
			args = append(args, pick(g, []string{"'x'", "65", "'é'", "128512", "'xy'", "-1", "1114112"}))
		case strings.ContainsAny(kind, "feEgG"):
			args = append(args, g.expand("num", depth-1, nil))
		default:
			args = append(args, g.expand(pick(g, []string{"int", "int", "int", "bigint", "float"}), depth-1, nil))
		}
	}
	if g.chance(0.06) {
		args = args[1:]
	}
	if g.chance(0.06) {
		args = append(args, "1")
	}
	operand := "(" + strings.Join(args, ", ") + ",)"
	switch {
	case named:
		operand = "{'a': " + g.expand("num", 0, nil) + ", 'b': " + g.expand("any", 0, nil) + "}"
	case len(args) == 0:
		operand = "()"
	case len(args) == 1 && g.chance(0.5):
		operand = "(" + args[0] + ")"
	}
	return g.quote(b.String()) + " % " + operand
}

// fString is an f-string literal with expressions, conversions, specs, =,
// and nested specs.
func (g *gen) fString(int) string {
	q, inner := "'", "\""
	if g.chance(0.3) {
		q, inner = inner, q
	}
	exprs := []string{"n", "s", "xs", "d", "n + 1", "xs[0]", "len(s)", "n * 2", "s[::-1]", "(lambda a: a + 1)(n)", "n if n else 0", "xs[:2]", "[i for i in range(2)]", "1.5", "n / 7", "n == 1", "{1: 2}[1]", "not n", "s.upper()", " n ", "(n, s)", "n!=1", "{n}", "1_000_000", "3.14159", "1e10", "-n", "True", "None", "n//0", "nope", "{}", "f" + inner + "{n}" + inner, inner + "q" + inner, "d.get(" + inner + "a" + inner + ")"}
	var b strings.Builder
	b.WriteString(pick(g, []string{"f", "f", "f", "rf", "F"}) + q)
	for range g.between(1, 3) {
		b.WriteString(pick(g, []string{"", "a ", "{{", "}}", "é", "x:", "%"}))
		expr := pick(g, exprs)
		if strings.HasPrefix(expr, "{") { // "{{" would be an escape
			expr = " " + expr
		}
		b.WriteString("{" + expr)
		if g.chance(0.12) {
			b.WriteString(pick(g, []string{"=", " = ", "= "}))
		}
		b.WriteString(pick(g, []string{"", "", "", "!r", "!s", "!a"}))
		if g.chance(0.45) {
			spec := pick(g, []string{g.formatSpec(0), g.formatSpec(0), ">{n}", "{6}", "{5}.{2}f", "^{len(s)}", ".{1}", "*^{4 + 6}"})
			b.WriteString(":" + spec)
		}
		b.WriteString("}")
	}
	return b.String() + q
}
