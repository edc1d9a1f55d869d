package syntax

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random programs that use the whole grammar, with comments,
// line joining and white space wherever they are allowed. The same seed gives
// the same program.
type generator struct {
	r        *rand.Rand
	brackets int    // open brackets: line ends are white space
	quotes   string // quotes of the f-strings around, which may not occur inside
	inField  bool   // inside a field of an f-string: no backslash, no comment
	function bool   // return and yield are allowed
	loop     bool   // break and continue are allowed
	class    bool   // directly in a class body
	noYield  int    // inside a comprehension
	noNamed  int    // inside the iterable of a comprehension
	serial   int    // makes names unique
}

func newGenerator(seed uint64) *generator {
	return &generator{r: rand.New(rand.NewPCG(seed, 311))}
}

// program returns the text of a module.
func (g *generator) program() string {
	var b strings.Builder
	if g.r.IntN(20) == 0 {
		b.WriteString("\ufeff")
	}
	if g.r.IntN(20) == 0 {
		b.WriteString("# -*- coding: utf-8 -*-\n")
	}
	if g.r.IntN(20) == 0 {
		b.WriteString("'doc'\nfrom __future__ import division, generators\n")
	}
	g.stmts(&b, "", 2, 1+g.r.IntN(4))
	text := b.String()
	switch g.r.IntN(20) {
	case 0:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		text = strings.ReplaceAll(text, "\n", "\r")
	case 2:
		text = strings.TrimRight(text, "\n")
	}
	return text
}

func (g *generator) pick(list ...string) string { return list[g.r.IntN(len(list))] }

func (g *generator) one(n int) bool { return g.r.IntN(n) == 0 }

// gap returns white space that may be empty.
func (g *generator) gap() string {
	if g.one(3) {
		return ""
	}
	return g.space()
}

// space returns white space that separates words.
func (g *generator) space() string {
	switch n := g.r.IntN(40); {
	case n < 30:
		return " "
	case n < 32:
		return "  "
	case n < 34:
		return "\t"
	case n < 35:
		return " \f "
	case g.inField:
		return " "
	case n < 37 && g.brackets > 0:
		return " # ' \" ( é\n" + g.pick("", "  ", "\t") + " "
	case n < 38 && g.brackets > 0:
		return "\n\n  "
	case n < 39:
		return " \\\n" + g.pick(" ", "  ", "\t\t")
	}
	return " "
}

// in writes f between brackets.
func (g *generator) in(open, end string, f func() string) string {
	g.brackets++
	s := open + g.gap() + f() + g.gap() + end
	g.brackets--
	return s
}

// list joins n results of f with commas, with a trailing one at random if asked.
func (g *generator) list(n int, trailing bool, f func() string) string {
	var parts []string
	for range n {
		parts = append(parts, f())
	}
	s := strings.Join(parts, g.gap()+","+g.gap())
	if n > 0 && trailing && g.one(3) {
		s += g.gap() + ","
	}
	return s
}

func (g *generator) name() string {
	return g.pick("a", "b", "c", "x", "y", "_", "foo", "é", "ﬁ", "变量", "match", "case", "print", "__x", "self", "f", "rb")
}

func (g *generator) fresh() string {
	g.serial++
	return fmt.Sprintf("v%d", g.serial)
}

// stmts writes n statements of a block.
func (g *generator) stmts(b *strings.Builder, indent string, depth, n int) {
	for range n {
		switch g.r.IntN(12) {
		case 0:
			b.WriteString("\n")
		case 1:
			b.WriteString(g.pick("", " ", "    ", "\t") + "# comment ' \" { \\\n")
		}
		if depth > 0 && g.one(2) {
			g.compound(b, indent, depth)
			continue
		}
		b.WriteString(indent + g.simpleLine() + "\n")
	}
}

// simpleLine returns simple statements on a line.
func (g *generator) simpleLine() string {
	s := g.simple()
	for g.one(6) {
		s += g.gap() + ";" + g.gap() + g.simple()
	}
	if g.one(10) {
		s += g.gap() + ";"
	}
	if g.one(8) {
		s += "  # comment"
	}
	return s
}

// block writes a colon and a suite.
func (g *generator) block(b *strings.Builder, indent string, depth int) {
	b.WriteString(g.gap() + ":")
	if g.one(4) {
		b.WriteString(g.gap() + g.simpleLine() + "\n")
		return
	}
	b.WriteString(g.pick("", " ", " # comment", "\n") + "\n")
	g.stmts(b, indent+g.pick(" ", "  ", "    ", "\t"), depth-1, 1+g.r.IntN(3))
}

func (g *generator) compound(b *strings.Builder, indent string, depth int) {
	saved := *g
	restore := func() {
		g.function, g.loop, g.class = saved.function, saved.loop, saved.class
	}
	write := func(parts ...string) { b.WriteString(strings.Join(parts, "")) }
	switch g.r.IntN(9) {
	case 0:
		write(indent, "if", g.space(), g.named(2))
		g.block(b, indent, depth)
		for g.one(3) {
			write(indent, "elif", g.space(), g.named(2))
			g.block(b, indent, depth)
		}
		g.orelse(b, indent, depth)
	case 1:
		write(indent, "while", g.space(), g.named(2))
		g.loop = true
		g.block(b, indent, depth)
		restore()
		g.orelse(b, indent, depth)
	case 2:
		write(indent, "for", g.space(), g.targets(2), g.space(), "in", g.space(), g.starList(2))
		g.loop = true
		g.block(b, indent, depth)
		restore()
		g.orelse(b, indent, depth)
	case 3:
		g.try(b, indent, depth)
	case 4:
		write(indent, "with", g.space(), g.withItems())
		g.block(b, indent, depth)
	case 5:
		g.decorators(b, indent)
		write(indent, "class", g.space(), g.name())
		if g.one(2) {
			write(g.in("(", ")", func() string { return g.arguments(2, false) }))
		}
		g.function, g.loop, g.class = false, false, true
		g.block(b, indent, depth)
		restore()
	case 6:
		name := g.fresh()
		write(indent, "def f():\n", indent, " ", name, " = ", g.expr(2), "\n", indent, " def g():\n")
		write(indent, "  nonlocal", g.space(), name, "\n")
		g.function, g.loop, g.class = true, false, false
		g.stmts(b, indent+"  ", depth-1, 1)
		restore()
	default:
		g.decorators(b, indent)
		write(indent, "def", g.space(), g.name(), g.gap(), g.in("(", ")", func() string { return g.params(true) }))
		if g.one(3) {
			write(g.gap(), "->", g.gap(), g.expr(2))
		}
		g.function, g.loop, g.class = true, false, false
		g.block(b, indent, depth)
		restore()
	}
}

func (g *generator) orelse(b *strings.Builder, indent string, depth int) {
	if g.one(3) {
		b.WriteString(indent + "else")
		g.block(b, indent, depth)
	}
}

func (g *generator) try(b *strings.Builder, indent string, depth int) {
	b.WriteString(indent + "try")
	g.block(b, indent, depth)
	handlers := g.r.IntN(3)
	for range handlers {
		b.WriteString(indent + "except" + g.space() + g.expr(1))
		if g.one(2) {
			b.WriteString(g.space() + "as" + g.space() + g.name())
		}
		g.block(b, indent, depth)
	}
	if g.one(3) {
		b.WriteString(indent + "except")
		g.block(b, indent, depth)
		handlers++
	}
	if handlers > 0 {
		g.orelse(b, indent, depth)
	}
	if handlers == 0 || g.one(3) {
		b.WriteString(indent + "finally")
		g.block(b, indent, depth)
	}
}

func (g *generator) decorators(b *strings.Builder, indent string) {
	for g.one(3) {
		b.WriteString(indent + "@" + g.gap() + g.named(2) + g.pick("", " # comment", "\n") + "\n")
	}
}

func (g *generator) withItems() string {
	item := func() string {
		s := g.expr(2)
		if g.one(2) {
			s += g.space() + "as" + g.space() + g.target(2)
		}
		return s
	}
	if g.one(2) {
		return g.in("(", ")", func() string { return g.list(1+g.r.IntN(3), true, item) })
	}
	return g.list(1+g.r.IntN(2), false, item)
}

func (g *generator) simple() string {
	sp, gap := g.space, g.gap
	switch n := g.r.IntN(26); {
	case n < 5:
		s := g.targets(2)
		for g.one(4) {
			s += gap() + "=" + gap() + g.targets(2)
		}
		return s + gap() + "=" + gap() + g.rhs()
	case n == 5:
		op := g.pick("+", "-", "*", "/", "//", "%", "@", "&", "|", "^", "<<", ">>", "**")
		return g.singleTarget(2) + gap() + op + "=" + gap() + g.rhs()
	case n == 6:
		s := g.singleTarget(2)
		s += gap() + ":" + gap() + g.expr(2)
		if g.one(2) {
			s += gap() + "=" + gap() + g.rhs()
		}
		return s
	case n == 7:
		return "del" + sp() + g.list(1+g.r.IntN(3), true, func() string { return g.delTarget(2) })
	case n == 8:
		return "assert" + sp() + g.expr(2) + g.pick("", gap()+","+gap()+g.expr(1))
	case n == 9:
		return "raise" + g.pick("", sp()+g.expr(2), sp()+g.expr(1)+sp()+"from"+sp()+g.expr(1))
	case n == 10:
		return "import" + sp() + g.list(1+g.r.IntN(2), false, func() string {
			return g.dotted() + g.pick("", sp()+"as"+sp()+g.name())
		})
	case n == 11:
		return g.importFrom()
	case n == 12:
		return "global" + sp() + g.list(1+g.r.IntN(2), false, g.fresh)
	case n == 13 && g.loop:
		return g.pick("break", "continue")
	case n == 14 && g.function:
		return "return" + g.pick("", sp()+g.starList(2))
	case n == 15 && g.function:
		return g.yield(2)
	case n == 16:
		return "pass"
	}
	if g.one(3) {
		return g.starList(2)
	}
	return g.expr(3)
}

func (g *generator) dotted() string {
	s := g.name()
	for g.one(3) {
		s += g.gap() + "." + g.gap() + g.name()
	}
	return s
}

func (g *generator) importFrom() string {
	alias := func() string { return g.name() + g.pick("", g.space()+"as"+g.space()+g.name()) }
	module := g.dotted()
	if g.one(2) {
		module = g.pick(".", "..", "...", ". .", "....", "... .") + g.gap() + g.pick("", g.dotted())
	}
	names := g.list(1+g.r.IntN(2), false, alias)
	if g.one(2) {
		names = g.in("(", ")", func() string { return g.list(1+g.r.IntN(3), true, alias) })
	}
	return "from" + g.space() + module + g.space() + "import" + g.space() + names
}

func (g *generator) rhs() string {
	if g.function && g.one(8) {
		return g.yield(2)
	}
	return g.starList(2)
}

func (g *generator) yield(depth int) string {
	if g.one(4) {
		return "yield" + g.space() + "from" + g.space() + g.expr(depth)
	}
	return "yield" + g.pick("", g.space()+g.starList(depth))
}

// starList returns expressions for the right side of an assignment.
func (g *generator) starList(depth int) string {
	if g.one(2) {
		return g.expr(depth)
	}
	first := g.expr(depth - 1)
	return first + g.gap() + "," + g.gap() + g.list(g.r.IntN(3), true, func() string { return g.starred(depth - 1) })
}

func (g *generator) starred(depth int) string {
	if g.one(5) {
		return "*" + g.gap() + g.binary(depth, 0)
	}
	return g.expr(depth)
}

// targets returns a list of targets without parentheses, or one target.
func (g *generator) targets(depth int) string {
	if g.one(2) {
		return g.target(depth)
	}
	return g.targetSeq(depth, g.gap()+",")
}

// targetSeq returns targets with at most one starred among them.
func (g *generator) targetSeq(depth int, single string) string {
	n := 1 + g.r.IntN(3)
	star := g.r.IntN(3 * n)
	i := -1
	s := g.list(n, false, func() string {
		if i++; i == star {
			return "*" + g.gap() + g.target(depth-1)
		}
		return g.target(depth - 1)
	})
	if n == 1 || g.one(4) {
		s += single
	}
	return s
}

func (g *generator) target(depth int) string {
	if depth > 0 {
		switch g.r.IntN(8) {
		case 0:
			return g.in("(", ")", func() string { return g.targetSeq(depth, ",") })
		case 1:
			return g.in("[", "]", func() string { return g.targetSeq(depth, ",") })
		case 2:
			return g.in("(", ")", func() string { return g.target(depth - 1) })
		case 3:
			return g.pick("()", "[]", "( )")
		}
	}
	return g.singleTarget(depth)
}

func (g *generator) singleTarget(depth int) string {
	switch n := g.r.IntN(10); {
	case n == 0:
		return g.in("(", ")", g.fresh)
	case n < 3 && depth > 0:
		return g.primary(depth-1) + g.gap() + "." + g.gap() + g.name()
	case n < 5 && depth > 0:
		return g.primary(depth-1) + g.subscript(depth-1)
	case n < 7:
		return g.fresh()
	}
	return g.name()
}

func (g *generator) delTarget(depth int) string {
	switch n := g.r.IntN(8); {
	case n == 0 && depth > 0:
		return g.in("(", ")", func() string { return g.list(g.r.IntN(3), true, func() string { return g.delTarget(depth - 1) }) })
	case n == 1 && depth > 0:
		return g.in("[", "]", func() string { return g.list(g.r.IntN(3), true, func() string { return g.delTarget(depth - 1) }) })
	}
	return g.singleTarget(depth)
}

// params returns the parameters of a function or lambda.
func (g *generator) params(annotated bool) string {
	var parts []string
	defaults := false
	param := func(prefix string) string {
		s := prefix + g.gapIf(prefix != "") + g.fresh()
		if annotated && g.one(3) {
			s += g.gap() + ":" + g.gap()
			if prefix == "*" && g.one(3) {
				s += "*" + g.binary(1, 0)
			} else {
				s += g.expr(1)
			}
		}
		return s
	}
	value := func(s string) string { return s + g.gap() + "=" + g.gap() + g.expr(1) }
	plain := func() {
		s := param("")
		if defaults = defaults || g.one(4); defaults {
			s = value(s)
		}
		parts = append(parts, s)
	}
	if g.one(4) {
		plain()
		parts = append(parts, "/")
	}
	for range g.r.IntN(3) {
		plain()
	}
	star := g.r.IntN(4)
	switch star {
	case 0:
		parts = append(parts, param("*"))
	case 1:
		parts = append(parts, "*")
	}
	if star < 2 {
		for range star + g.r.IntN(2) {
			s := param("")
			if g.one(2) {
				s = value(s)
			}
			parts = append(parts, s)
		}
	}
	if g.one(4) {
		parts = append(parts, param("**"))
	}
	s := strings.Join(parts, g.gap()+","+g.gap())
	if len(parts) > 0 && g.one(5) {
		s += ","
	}
	return s
}

func (g *generator) gapIf(yes bool) string {
	if yes {
		return g.gap()
	}
	return ""
}
