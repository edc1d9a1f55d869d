package pyfuzz

import "strings"

// This file puts the text of an entry into a program: it prints expressions
// in several ways and decides what surrounds a block.

// block returns the lines of an entry, guarded by try, with a comment that
// names the entry at the end of the first line.
func (g *gen) block(e entry) []string {
	lines := g.bare(e)
	switch g.between(0, 19) {
	case 0:
		f := g.name("run")
		lines = append([]string{"def " + f + "():"}, indent(lines)...)
		lines = append(lines, g.guard([]string{"print(" + f + "())"})...)
	case 1:
		f := g.name("gen")
		lines = append([]string{"def " + f + "():"}, indent(append(lines, "yield 'end'"))...)
		lines = append(lines, g.guard([]string{"print(list(" + f + "()))"})...)
	case 2:
		v := g.name("i")
		lines = g.guard(append([]string{"for " + v + " in range(2):"}, indent(lines)...))
	case 3:
		v := g.name("i")
		lines = append([]string{"for " + v + " in range(2):"}, indent(g.guard(lines))...)
	case 4:
		lines = g.guard(append([]string{"class " + g.name("Body") + ":"}, indent(lines)...))
	case 5:
		lines = append(g.guard(lines), "else:", "    print('no error')", "finally:", "    print('done')")
	default:
		lines = g.guard(lines)
	}
	return tag(lines, e)
}

// entryMark starts the comment that names the entry of a block.
const entryMark = "  # "

func tag(lines []string, e entry) []string {
	lines[0] += entryMark + e.id()
	return lines
}

// bare expands an entry into statements that print its result.
func (g *gen) bare(e entry) []string {
	depth := pick(g, []int{1, 2, 2, 3, 3, 4})
	names := map[string]string{}
	alt := weighted(g, e.alts, func(a alternative) int { return a.weight })
	text := g.fill(alt.nodes, depth, names)
	if !e.stmt {
		text = g.show(text)
	}
	return strings.Split(text, "\n")
}

// guard catches and prints an exception of the lines.
func (g *gen) guard(lines []string) []string {
	out := append([]string{"try:"}, indent(lines)...)
	switch g.between(0, 11) {
	case 0:
		return append(out, "except BaseException as e:", "    print(type(e).__name__, e.args)")
	case 1:
		return append(out, "except (ArithmeticError, LookupError) as e:", "    print('A', repr(e))",
			"except Exception as e:", "    print('B', repr(e))")
	default:
		return append(out, "except Exception as e:", "    print(type(e).__name__, e)")
	}
}

// show returns statements that print an expression.
func (g *gen) show(expr string) string {
	if hasComma(expr) {
		expr = "(" + expr + ")"
	}
	v := g.name("v")
	switch g.between(0, 15) {
	case 0:
		return "print(ascii(" + expr + "))"
	case 1:
		return v + " = " + expr + "\nprint(type(" + v + ").__name__, " + v + ")"
	case 2:
		return v + " = " + expr + "\nprint(f'{" + v + "}|{" + v + "!r:>12}|{" + v + "!s:.5}')"
	case 3:
		return v + " = lambda: " + expr + "\nprint(repr(" + v + "()))"
	case 4:
		return "print('yes' if (" + expr + ") else 'no')"
	case 5:
		return "print([" + expr + " for _ in range(2)])"
	case 6:
		return v + " = [" + expr + "]\nprint(" + v + ", len(" + v + "), " + v + " == [" + v + "[0]])"
	case 7:
		return "print(" + expr + ", sep='', end=';\\n')"
	default:
		return "print(repr(" + expr + "))"
	}
}

func indent(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "    " + l
	}
	return out
}

// hasComma reports whether an expression is a tuple without parentheses.
func hasComma(expr string) bool {
	nesting, quote := 0, byte(0)
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			nesting++
		case strings.IndexByte(")]}", c) >= 0:
			nesting--
		case c == ',' && nesting == 0:
			return true
		}
	}
	return false
}
