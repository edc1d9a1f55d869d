package pyfuzz

import (
	"fmt"
	"strings"
)

// formatSpec is a format specification for a number, without quotes. Three of
// four are made of parts that go together.
func (g *gen) formatSpec(int) string {
	if g.chance(0.25) {
		return g.wildSpec()
	}
	kind := pick(g, []string{"", "", "d", "n", "x", "X", "o", "b", "f", "f", "F", "e", "E", "g", "G", "%"})
	floating := strings.Contains("fFeEgG%", kind)
	spec := g.align() + g.maybe(0.25, "+", "-", " ") + g.maybe(0.12, "#") + g.maybe(0.2, "0") + g.width()
	switch {
	case floating || kind == "d":
		spec += g.maybe(0.25, ",", ",", "_")
	case kind != "n":
		spec += g.maybe(0.15, "_")
	}
	if floating {
		spec += g.maybe(0.6, fmt.Sprintf(".%d", g.between(0, 12)))
	}
	return spec + kind
}

// stringSpec is a format specification for text.
func (g *gen) stringSpec(int) string {
	if g.chance(0.15) {
		return g.wildSpec()
	}
	return g.align() + g.width() + g.maybe(0.3, fmt.Sprintf(".%d", g.between(0, 6))) + g.maybe(0.3, "s")
}

// wildSpec has random parts: [[fill]align][sign][z][#][0][width][grouping]
// [.precision][type].
func (g *gen) wildSpec() string {
	return g.align() + g.maybe(0.25, "+", "-", " ") + g.maybe(0.1, "z") + g.maybe(0.15, "#") + g.maybe(0.2, "0") + g.width() +
		g.maybe(0.2, ",", "_", ",_") + g.maybe(0.4, fmt.Sprintf(".%d", g.between(0, 12))) +
		g.maybe(0.7, "d", "s", "f", "e", "g", "x", "X", "o", "b", "%", "n", "c", "F", "E", "G", "q", "r", "ff")
}

func (g *gen) align() string {
	if !g.chance(0.4) {
		return ""
	}
	return g.maybe(0.5, "*", "0", "-", "_", " ", "é", "好", "x", "<", ".", "😀") + pick(g, []string{"<", ">", "^", ">", "="})
}

func (g *gen) width() string { return g.maybe(0.5, fmt.Sprint(g.between(1, 20))) }

// maybe returns one of the texts with probability p, else "".
func (g *gen) maybe(p float64, texts ...string) string {
	if g.chance(p) {
		return pick(g, texts)
	}
	return ""
}

// formatField is a format string for str.format, as a literal.
func (g *gen) formatField(int) string {
	var b strings.Builder
	fields := pick(g, [][]string{{""}, {"0", "k", "0"}, {"k", ""}})
	for range g.between(1, 3) {
		b.WriteString(pick(g, []string{"", "a", " ", "{{", "}}", "x=", "é"}))
		if g.chance(0.04) {
			b.WriteString(pick(g, []string{"{", "}", "{0", "{!", "{0!x}", "{0!}", "{a b}", "{0[}", "{0.}", "{[1]}", "{0]}", "{0!rr}", "{:{}", "{0[1}"}))
			continue
		}
		field := pick(g, fields)
		if g.chance(0.12) {
			field = pick(g, []string{"1", "0.real", "0[0]", "1[k]", "k[1]", "0.__class__.__name__", "9", "zz", "0[-1]", "k.nope", "1[0][0]"})
		}
		conv := pick(g, []string{"", "", "", "!r", "!s", "!a"})
		spec := ""
		switch {
		case conv != "":
			spec = ":" + g.stringSpec(0)
		case g.chance(0.2):
			spec = ":" + g.formatSpec(0)
		case g.chance(0.3):
			spec = ":" + g.stringSpec(0)
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
			b.WriteString(pick(g, []string{"(a)", "(b)", "(a)", "(a)", "(a)", "(b)", "(zz)", "()"}))
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
		kind := pick(g, []string{"d", "s", "r", "f", "x", "e", "g", "c", "o", "i", "u", "X", "a", "E", "G", "s", "d", "s"})
		if g.chance(0.02) {
			kind = pick(g, []string{"q", "b", ""})
		}
		b.WriteString(kind)
		switch {
		case g.chance(0.05):
			args = append(args, g.expand("any", 0, nil))
		case kind == "s" || kind == "r" || kind == "a":
			args = append(args, g.expand("any", depth-1, nil))
		case kind == "c":
			args = append(args, pick(g, []string{"'x'", "65", "'é'", "128512", "'xy'", "-1", "1114112"}))
		case strings.ContainsAny(kind, "feEgG"):
			args = append(args, g.expand("num", depth-1, nil))
		default:
			args = append(args, g.expand(pick(g, []string{"int", "int", "int", "bigint"}), depth-1, nil))
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
		operand = "{'a': " + g.expand("num", 0, nil) + ", 'b': " + g.expand("int", 0, nil) + "}"
	case len(args) == 0:
		operand = "()"
	case len(args) == 1 && g.chance(0.5):
		operand = "(" + args[0] + ")"
	}
	return g.quote(b.String()) + " % " + operand
}

// fString is an f-string literal with expressions, conversions, specs, =,
// and nested specs. It uses the variables that each program has.
func (g *gen) fString(int) string {
	q, inner := "'", "\""
	if g.chance(0.3) {
		q, inner = inner, q
	}
	numbers := []string{"n", "n", "n + 1", "len(s)", "n * 2", "(lambda a: a + 1)(n)", "n if n else 0", "1.5", "n / 7", " n ", "1_000_000", "3.14159", "1e10", "-n", "n!=1", "{1: 2}[1]", "True"}
	texts := []string{"s", "s", "s[::-1]", "s.upper()", "s[:2]", "f" + inner + "{n}" + inner, inner + "q" + inner, "str(xs)", "s or n"}
	others := []string{"xs", "d", "xs[0]", "xs[:2]", "[i for i in range(2)]", "n == 1", "not n", "(n, s)", "{n}", "None", "{}", "d.get(" + inner + "a" + inner + ")"}
	if g.chance(0.05) {
		others = []string{"n//0", "nope", "xs[99]", "s.nope"}
	}
	var b strings.Builder
	b.WriteString(pick(g, []string{"f", "f", "f", "rf", "F"}) + q)
	for range g.between(1, 3) {
		b.WriteString(pick(g, []string{"", "a ", "{{", "}}", "é", "x:", "%"}))
		expr, spec := "", ""
		switch g.between(0, 2) {
		case 0:
			expr = pick(g, numbers)
			spec = pick(g, []string{g.formatSpec(0), g.formatSpec(0), ">{8}", "{6}", "{5}.{2}f", "*^{4 + 6}", "+{7}"})
		case 1:
			expr = pick(g, texts)
			spec = pick(g, []string{g.stringSpec(0), g.stringSpec(0), "^{len(s)}", ".{1}", "{9}"})
		default:
			expr = pick(g, others)
		}
		if strings.HasPrefix(expr, "{") { // "{{" would be an escape
			expr = " " + expr
		}
		conv := g.maybe(0.3, "!r", "!s", "!a")
		if conv != "" {
			spec = g.stringSpec(0)
		}
		b.WriteString("{" + expr + g.maybe(0.12, "=", " = ", "= ") + conv)
		if spec != "" && g.chance(0.6) {
			b.WriteString(":" + spec)
		}
		b.WriteString("}")
	}
	return b.String() + q
}
