package syntax

import "strings"

// named returns an expression where an assignment expression may stand.
func (g *generator) named(depth int) string {
	if g.noNamed == 0 && g.one(8) {
		return g.fresh() + g.gap() + ":=" + g.gap() + g.expr(depth-1)
	}
	return g.expr(depth)
}

// expr returns an expression of at most the given depth.
func (g *generator) expr(depth int) string {
	if depth > 0 {
		switch g.r.IntN(12) {
		case 0:
			// In a field the colon of a bare lambda would end the expression.
			lambda := func() string {
				saved := *g
				g.function, g.noYield = true, 0
				s := "lambda" + g.space() + g.params(false) + g.gap() + ":" + g.gap() + g.expr(depth-1)
				g.function, g.noYield = saved.function, saved.noYield
				return s
			}
			if g.inField && g.brackets == 0 {
				return g.in("(", ")", lambda)
			}
			return lambda()
		case 1:
			return g.disjunction(depth-1) + g.space() + "if" + g.space() + g.disjunction(depth-1) +
				g.space() + "else" + g.space() + g.expr(depth-1)
		}
	}
	return g.disjunction(depth)
}

func (g *generator) disjunction(depth int) string {
	if depth > 0 && g.one(6) {
		op := g.space() + g.pick("and", "or") + g.space()
		s := g.inversion(depth - 1)
		for range 1 + g.r.IntN(3) {
			s += op + g.inversion(depth-1)
		}
		return s
	}
	return g.inversion(depth)
}

func (g *generator) inversion(depth int) string {
	if depth > 0 && g.one(10) {
		return "not" + g.space() + g.inversion(depth-1)
	}
	if depth > 0 && g.one(6) {
		s := g.binary(depth-1, 0)
		for range 1 + g.r.IntN(2) {
			op := g.pick("<", ">", "==", "!=", "<=", ">=", "is", "in", "is"+g.space()+"not", "not"+g.space()+"in")
			s += g.space() + op + g.space() + g.binary(depth-1, 0)
		}
		return s
	}
	return g.binary(depth, 0)
}

var binaryLevels = [][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}}

// binary returns operators of one level of precedence over operands that bind
// more strongly.
func (g *generator) binary(depth, level int) string {
	if level == len(binaryLevels) {
		return g.unary(depth)
	}
	s := g.binary(depth, level+1)
	if depth > 0 && g.one(12) {
		for range 1 + g.r.IntN(2) {
			s += g.gap() + g.pick(binaryLevels[level]...) + g.gap() + g.binary(depth-1, level+1)
		}
	}
	return s
}

func (g *generator) unary(depth int) string {
	if depth > 0 && g.one(12) {
		return g.pick("+", "-", "~") + g.gap() + g.unary(depth-1)
	}
	if depth > 0 && g.one(12) {
		return g.primary(depth-1) + g.gap() + "**" + g.gap() + g.unary(depth-1)
	}
	return g.primary(depth)
}

func (g *generator) primary(depth int) string {
	s := g.atom(depth)
	for depth > 0 && g.one(3) {
		switch g.r.IntN(3) {
		case 0:
			s += " " + g.gap() + "." + g.gap() + g.name()
		case 1:
			s += g.gap() + g.in("(", ")", func() string {
				if g.one(5) {
					return g.comprehension(depth-1, func() string { return g.named(depth - 1) })
				}
				return g.arguments(depth-1, true)
			})
		case 2:
			s += g.gap() + g.subscript(depth-1)
		}
	}
	return s
}

// arguments returns the arguments of a call or the bases of a class.
func (g *generator) arguments(depth int, named bool) string {
	var parts []string
	value := func() string { return g.gap() + "=" + g.gap() + g.expr(depth) }
	for range g.r.IntN(3) {
		switch {
		case g.one(4):
			parts = append(parts, "*"+g.gap()+g.expr(depth))
		case named:
			parts = append(parts, g.named(depth))
		default:
			parts = append(parts, g.expr(depth))
		}
	}
	for range g.r.IntN(2) {
		parts = append(parts, g.fresh()+value())
		if g.one(3) {
			parts = append(parts, "*"+g.expr(depth))
		}
	}
	if g.one(5) {
		parts = append(parts, "**"+g.gap()+g.expr(depth), g.fresh()+value())
	}
	s := strings.Join(parts, g.gap()+","+g.gap())
	if len(parts) > 0 && g.one(5) {
		s += g.gap() + ","
	}
	return s
}

func (g *generator) subscript(depth int) string {
	part := func() string {
		if g.one(3) {
			return ""
		}
		return g.expr(depth)
	}
	item := func() string {
		switch g.r.IntN(5) {
		case 0:
			return part() + g.gap() + ":" + g.gap() + part()
		case 1:
			return part() + ":" + part() + ":" + part()
		case 2:
			return "*" + g.expr(depth)
		case 3:
			return g.named(depth)
		}
		return g.expr(depth)
	}
	return g.in("[", "]", func() string {
		n := 1
		if g.one(3) {
			n = 2
		}
		return g.list(n, true, item)
	})
}

func (g *generator) atom(depth int) string {
	if depth <= 0 {
		switch g.r.IntN(6) {
		case 0:
			return g.number()
		case 1:
			return g.pick("None", "True", "False", "...")
		case 2:
			return g.str(0)
		}
		return g.name()
	}
	switch g.r.IntN(14) {
	case 0:
		return g.in("(", ")", func() string {
			if g.function && g.noYield == 0 && g.one(3) {
				return g.yield(depth - 1)
			}
			return g.named(depth - 1)
		})
	case 1:
		return g.in("(", ")", func() string {
			if g.one(4) {
				return ""
			}
			return g.displayItem(depth-1) + "," + g.list(g.r.IntN(3), true, func() string { return g.displayItem(depth - 1) })
		})
	case 2:
		return g.in("[", "]", func() string { return g.list(g.r.IntN(4), true, func() string { return g.displayItem(depth - 1) }) })
	case 3:
		return g.braces(func() string { return g.list(1+g.r.IntN(3), true, func() string { return g.displayItem(depth - 1) }) })
	case 4:
		return g.braces(func() string {
			return g.list(g.r.IntN(4), true, func() string {
				if g.one(4) {
					return "**" + g.gap() + g.binary(depth-1, 0)
				}
				return g.expr(depth-1) + g.gap() + ":" + g.gap() + g.expr(depth-1)
			})
		})
	case 5:
		return g.in("(", ")", func() string { return g.comprehension(depth-1, func() string { return g.named(depth - 1) }) })
	case 6:
		return g.in("[", "]", func() string { return g.comprehension(depth-1, func() string { return g.named(depth - 1) }) })
	case 7:
		return g.braces(func() string { return g.comprehension(depth-1, func() string { return g.named(depth - 1) }) })
	case 8:
		return g.braces(func() string {
			return g.comprehension(depth-1, func() string { return g.expr(depth-1) + g.gap() + ":" + g.gap() + g.expr(depth-1) })
		})
	case 9, 10:
		s := g.str(depth)
		for g.one(4) {
			s += g.space() + g.str(depth)
		}
		return s
	case 11:
		return g.number()
	}
	return g.name()
}

// braces keeps an opening brace apart from the brace of an f-string's field.
func (g *generator) braces(f func() string) string {
	if g.inField {
		return " " + g.in("{", "}", f) + " "
	}
	return g.in("{", "}", f)
}

func (g *generator) displayItem(depth int) string {
	if g.one(6) {
		return "*" + g.gap() + g.binary(depth, 0)
	}
	return g.named(depth)
}

// comprehension returns an element and clauses. The target names are fresh, as
// assignment expressions may not bind them again.
func (g *generator) comprehension(depth int, f func() string) string {
	g.noYield++
	defer func() { g.noYield-- }()
	if g.class {
		g.noNamed++
		defer func() { g.noNamed-- }()
	}
	element := f()
	target := func() string {
		if g.one(3) {
			return g.fresh() + "," + g.gap() + g.pick("", "*") + g.fresh()
		}
		return g.fresh()
	}
	for range 1 + g.r.IntN(2) {
		g.noNamed++
		element += g.space() + "for" + g.space() + target() + g.space() + "in" + g.space() + g.disjunction(depth-1)
		g.noNamed--
		for g.one(3) {
			element += g.space() + "if" + g.space() + g.disjunction(depth-1)
		}
	}
	return element
}

func (g *generator) number() string {
	return g.pick("0", "1", "00", "42", "1_000", "0xFF", "0x_f_F", "0o17", "0b1_01", "1.", "1.5", ".5", "1e5", "1E-5",
		"1.5e+10", "1_0.0_1e1_0", "1e400", "123456789012345678901234567890", "0.1", "1e16", "1e-5", "0777.5", "9007199254740993.0") + " "
}

// str returns a string literal that may stand inside the f-strings around it.
func (g *generator) str(depth int) string {
	var quotes []string
	for _, q := range []string{`'`, `"`, `'''`, `"""`} {
		// A longer quote of the same kind ends a shorter one, and the reverse.
		if !strings.Contains(g.quotes, q[:1]) {
			quotes = append(quotes, q)
		}
	}
	if len(quotes) == 0 {
		return g.name()
	}
	q := g.pick(quotes...)
	if depth > 0 && g.one(2) {
		return g.fstring(q, depth-1)
	}
	prefix := g.pick("", "", "", "r", "u", "R", "U")
	return prefix + q + g.chars(q, prefix == "r" || prefix == "R", false) + q
}

// chars returns literal text for use between the quotes q.
func (g *generator) chars(q string, raw, format bool) string {
	var b strings.Builder
	for range g.r.IntN(5) {
		switch n := g.r.IntN(12); {
		case n < 5:
			b.WriteString(g.pick("a", " ", "é", "😀", "0", "%s", ";", ":", "!", "="))
		case n == 5 && format:
			b.WriteString(g.pick("{{", "}}"))
		case n == 5:
			b.WriteString(g.pick("{", "}", "#"))
		case g.inField || g.quotes != "":
			b.WriteString("z")
		case n == 6 && len(q) == 3:
			b.WriteString(g.pick("\n", "\\\n", "' ", "\" "))
		case n < 10 && !raw:
			b.WriteString(g.pick(`\n`, `\\`, `\'`, `\"`, `\x41`, `\u00e9`, `\U0001F600`, `\0`, `\12`, `\777`, `\q`, `\ud800`,
				`\N{BULLET}`, `\N{latin small letter a}`, "\\\n"))
		case n < 10:
			b.WriteString(g.pick(`\n`, `\\`, `\d`))
		}
	}
	s := b.String()
	if len(q) == 3 {
		s = strings.ReplaceAll(s, q[:1]+" ", " ")
	}
	return s
}

func (g *generator) fstring(q string, depth int) string {
	prefix := g.pick("f", "f", "F", "rf", "fR")
	raw := len(prefix) == 2
	var b strings.Builder
	b.WriteString(prefix + q)
	for range g.r.IntN(4) {
		b.WriteString(g.chars(q, raw, true))
		if g.one(3) {
			continue
		}
		b.WriteString(g.field(q, depth, 0))
	}
	b.WriteString(g.chars(q, raw, true) + q)
	return b.String()
}

// field returns a replacement field of an f-string with quotes q.
func (g *generator) field(q string, depth, level int) string {
	saved := *g
	g.inField, g.quotes, g.brackets = true, g.quotes+q, 0
	value := g.expr(depth)
	if g.one(5) && level == 0 {
		value += g.gap() + "=" + g.pick("", " ")
	} else {
		value += " "
	}
	g.inField, g.quotes, g.brackets = saved.inField, saved.quotes, saved.brackets
	s := "{" + g.pick("", " ") + value
	if strings.HasPrefix(s, "{{") {
		s = "{ " + s[1:]
	}
	s += g.pick("", "", "!r", "!s", "!a")
	if g.one(3) {
		s += ":" + g.pick("", ">10", " ", ".2f", "é", "!r", "=")
		if level == 0 && g.one(2) {
			s += g.field(q, 0, 1) + g.pick("", "d")
		}
	}
	return s + "}"
}
