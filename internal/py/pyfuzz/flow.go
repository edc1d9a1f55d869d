package pyfuzz

import (
	"fmt"
	"strings"
)

// code collects indented lines.
type code struct {
	lines  []string
	indent int
}

func (c *code) add(format string, args ...any) {
	c.lines = append(c.lines, strings.Repeat("    ", c.indent)+fmt.Sprintf(format, args...))
}

// in adds a heading and what body adds, one level deeper.
func (c *code) in(head string, body func()) {
	c.add("%s", head)
	c.indent++
	n := len(c.lines)
	body()
	if len(c.lines) == n {
		c.add("pass")
	}
	c.indent--
}

func (c *code) String() string { return strings.Join(c.lines, "\n") }

// flowMaker writes a function of random control flow that prints a trace:
// the order of finally blocks, what break, continue and return do inside
// them, which handler catches what, and with blocks that may swallow.
type flowMaker struct {
	code
	g      *gen
	budget int // statements left
	loops  int // enclosing loops, which allow break and continue
	step   int // number of the next trace print
	yields bool
	ctx    string // name of the context manager class
}

var flowErrors = []string{"ValueError", "KeyError", "TypeError", "IndexError", "ZeroDivisionError", "RuntimeError", "StopIteration", "LookupError", "ArithmeticError"}

func (g *gen) flow(int) string {
	m := &flowMaker{g: g, budget: g.between(5, 13), ctx: g.name("Ctx"), yields: g.chance(0.2)}
	f := g.name("flow")
	m.in("class "+m.ctx+":", func() {
		m.in("def __init__(self, name, swallow=False):", func() { m.add("self.name, self.swallow = name, swallow") })
		m.in("def __enter__(self):", func() { m.add("print('enter', self.name)"); m.add("return self") })
		m.in("def __exit__(self, kind, value, tb):", func() {
			m.add("print('exit', self.name, kind and kind.__name__, value)")
			m.add("return self.swallow")
		})
	})
	class := len(m.lines)
	m.in("def "+f+"(x):", func() {
		m.suite(0)
		if m.yields {
			m.add("yield x")
		}
		m.add("return x")
	})
	for _, arg := range []int{g.between(0, 2), g.between(3, 6)} {
		call := fmt.Sprintf("%s(%d)", f, arg)
		if m.yields {
			call = "list(" + call + ")"
		}
		m.in("try:", func() { m.add("print('result', %s)", call) })
		m.in("except Exception as e:", func() {
			m.add("print(repr(e), repr(e.__cause__), repr(e.__context__), e.__suppress_context__)")
		})
	}
	if !strings.Contains(m.String(), "with "+m.ctx) { // the class is not used
		m.lines = m.lines[class:]
	}
	return m.String()
}

func (m *flowMaker) suite(depth int) {
	for range m.g.between(1, 3) {
		if m.budget <= 0 {
			break
		}
		m.statement(depth)
	}
}

func (m *flowMaker) trace() {
	m.step++
	m.add("print('s%d', x)", m.step)
}

func (m *flowMaker) statement(depth int) {
	m.budget--
	choice := m.g.between(0, 15)
	if depth >= 4 {
		choice = m.g.between(0, 7)
	}
	switch choice {
	case 0, 1:
		m.trace()
	case 2:
		m.add("x %s= %d", pick(m.g, []string{"+", "-", "*", "//", "%", "^"}), m.g.between(0, 4))
	case 3:
		m.add("print(%s)", pick(m.g, []string{"10 // x", "[1, 2, 3][x]", "{1: 'a'}[x]", "x and 'and' or 'or'", "0 < x < 3 != 2", "x if x > 1 else -x"}))
	case 4:
		m.raise()
	case 5, 6:
		m.jump()
	case 7:
		m.trace()
		if m.yields {
			m.add("print('sent', (yield x))")
		}
	case 8, 9:
		m.branch(depth)
	case 10, 11:
		m.loop(depth)
	case 12:
		m.in(fmt.Sprintf("with %s('c%d', %s)%s:", m.ctx, m.step, pick(m.g, []string{"True", "False", "x > 1"}), pick(m.g, []string{"", " as c"})), func() { m.suite(depth + 1) })
	default:
		m.try(depth)
	}
}

func (m *flowMaker) cond() string {
	return pick(m.g, []string{"x > %d", "x == %d", "x %% 2", "not x - %d", "x in (%d, 4)", "x != %d and x"})
}

func (m *flowMaker) condText() string {
	c := m.cond()
	if strings.Contains(c, "%d") {
		return fmt.Sprintf(c, m.g.between(0, 4))
	}
	return strings.ReplaceAll(c, "%%", "%")
}

func (m *flowMaker) raise() {
	kind := pick(m.g, flowErrors)
	from := pick(m.g, []string{"", "", "", " from None", " from KeyError('cause')"})
	m.in("if "+m.condText()+":", func() {
		m.add("raise %s%s%s", kind, pick(m.g, []string{"('m', x)", "('msg')", "", "(x)"}), from)
	})
}

func (m *flowMaker) jump() {
	choices := []string{"return x", "return 's" + fmt.Sprint(m.step) + "'"}
	if m.loops > 0 {
		choices = append(choices, "break", "continue", "break", "continue")
	}
	j := pick(m.g, choices)
	if m.g.chance(0.7) {
		m.in("if "+m.condText()+":", func() { m.add("%s", j) })
		return
	}
	m.add("%s", j)
}

func (m *flowMaker) branch(depth int) {
	m.in("if "+m.condText()+":", func() { m.suite(depth + 1) })
	if m.g.chance(0.3) {
		m.in("elif "+m.condText()+":", func() { m.suite(depth + 1) })
	}
	if m.g.chance(0.5) {
		m.in("else:", func() { m.suite(depth + 1) })
	}
}

// loop writes a loop of at most three rounds.
func (m *flowMaker) loop(depth int) {
	v := fmt.Sprintf("i%d", depth)
	body := func() {
		m.loops++
		m.suite(depth + 1)
		m.loops--
	}
	if m.g.chance(0.6) {
		m.in(fmt.Sprintf("for %s in range(%d):", v, m.g.between(0, 3)), func() { m.add("x += %s", v); body() })
	} else {
		m.add("%s = 0", v)
		m.in(fmt.Sprintf("while %s < %d:", v, m.g.between(1, 3)), func() { m.add("%s += 1", v); body() })
	}
	if m.g.chance(0.4) {
		m.in("else:", func() { m.trace() })
	}
}

func (m *flowMaker) try(depth int) {
	m.in("try:", func() {
		m.suite(depth + 1)
		if m.g.chance(0.5) {
			m.raise()
		}
	})
	handlers := m.g.between(0, 2)
	for i := range handlers {
		head := "except " + pick(m.g, flowErrors)
		if m.g.chance(0.3) {
			head = "except (" + pick(m.g, flowErrors) + ", " + pick(m.g, flowErrors) + ")"
		}
		if i == handlers-1 && m.g.chance(0.3) {
			head = "except Exception"
		}
		m.in(head+" as e:", func() {
			m.add("print('caught', repr(e))")
			m.suite(depth + 1)
			if m.g.chance(0.25) {
				m.add("raise%s", pick(m.g, []string{"", "", " ValueError('again')", " RuntimeError('x') from e"}))
			}
		})
	}
	if handlers > 0 && m.g.chance(0.3) {
		m.in("else:", func() { m.suite(depth + 1) })
	}
	if handlers == 0 || m.g.chance(0.5) {
		m.in("finally:", func() { m.trace(); m.suite(depth + 1) })
	}
}
