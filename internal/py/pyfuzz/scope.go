package pyfuzz

import (
	"fmt"
	"strings"
)

// scopeMaker writes nested functions that read, assign, declare, capture and
// delete the names x, y and z. It knows which function binds what, because a
// nonlocal without a binding or a late global is a SyntaxError.
type scopeMaker struct {
	code
	g     *gen
	bound []map[string]bool // by enclosing function: is the name local (true) or global (false)
	step  int
}

func (g *gen) scopes(int) string {
	m := &scopeMaker{g: g}
	outer := g.name("outer")
	m.add("x, y = 'gx', 'gy'")
	m.function(outer, 0)
	m.in("try:", func() {
		m.add("r = %s()", outer)
		m.add("print('returned', [h() for h in r] if isinstance(r, list) else r)")
	})
	m.in("except Exception as e:", func() { m.add("print(type(e).__name__, e)") })
	m.add("print(x, y)")
	return m.String()
}

func (m *scopeMaker) function(name string, depth int) {
	local := map[string]bool{}
	m.bound = append(m.bound, local)
	m.in("def "+name+"():", func() {
		declared := map[string]bool{}
		for _, v := range []string{"x", "y", "z"} {
			switch k := m.g.between(0, 9); {
			case k <= 1:
				m.add("global %s", v)
				declared[v], local[v] = true, false
			case k <= 4 && m.boundOutside(v):
				m.add("nonlocal %s", v)
				declared[v] = true
			}
		}
		m.statements(name, local, declared, depth)
	})
	m.bound = m.bound[:len(m.bound)-1]
}

// boundOutside reports whether a function around the current one binds v.
func (m *scopeMaker) boundOutside(v string) bool {
	for i := len(m.bound) - 2; i >= 0; i-- {
		if local, ok := m.bound[i][v]; ok {
			return local
		}
	}
	return false
}

func (m *scopeMaker) statements(name string, local, declared map[string]bool, depth int) {
	bind := func(v string) {
		if !declared[v] {
			local[v] = true
		}
	}
	for i := range m.g.between(2, 4) {
		v := pick(m.g, []string{"x", "y", "z"})
		m.step++
		switch m.g.between(0, 10) {
		case 0, 1, 2:
			bind(v)
			m.add("%s = '%s%d'", v, name[:1], m.step)
		case 3:
			bind(v)
			m.add("%s += '+%d'", v, m.step)
		case 4:
			m.add("print(%d, %s)", m.step, v)
		case 5:
			bind(v)
			m.add("for %s in 'ab': pass", v)
		case 6:
			m.add("print([%s for %s in range(3)], [x for _ in 'q'])", v, v)
		case 7:
			m.in("class Inner:", func() {
				m.add("%s = 'cls'", v)
				m.in("def get(self):", func() { m.add("return x") })
				m.add("seen = %s", v)
			})
			m.add("print(Inner().get(), Inner.seen)")
		case 8:
			bind(v)
			m.add("del %s", v)
		default:
			if depth < 2 {
				inner := fmt.Sprintf("in%d_%d", depth, i)
				m.function(inner, depth+1)
				m.in("try:", func() { m.add("print(%d, %s())", m.step, inner) })
				m.in("except (NameError, TypeError) as e:", func() { m.add("print(type(e).__name__, e)") })
			}
		}
	}
	switch m.g.between(0, 4) {
	case 0:
		m.add("return [lambda: x, lambda: y]")
	case 1:
		m.add("return [(lambda: i) for i in range(3)]")
	case 2:
		m.add("return [(lambda i=i: i) for i in range(2)]")
	default:
		m.add("return %s", pick(m.g, []string{"x", "y", "(x, y)", "'end'"}))
	}
}

// comprehension nests for and if clauses over small iterables.
func (g *gen) comprehension(depth int) string {
	vars := []string{"i", "j", "k"}[:g.between(1, 3)]
	var clauses []string
	for n, v := range vars {
		sources := []string{"range(4)", "'abc'", "[3, 1, 2]", "(5, 6)", "{'p': 1, 'q': 2}", "range(5, 0, -2)", "enumerate('xy')", "zip([1, 2], 'ab')", "(q for q in [0, 1])", "xs", "7"}
		if n > 0 {
			sources = append(sources, "range(i)", "[i, i]", "range(i)", "(i,)")
		}
		clause := "for " + v + " in " + pick(g, sources)
		if g.chance(0.1) {
			clause = "for " + v + ", *_ in " + pick(g, []string{"[(1, 2), (3, 4, 5)]", "['ab', 'c']", "zip('ab', 'cd')"})
		}
		if g.chance(0.4) {
			clause += " if " + fmt.Sprintf(pick(g, []string{"%s", "not %s", "%s != 1", "%s in (1, 2, 'a')", "isinstance(%s, int)", "%s == %[1]s", "%s > 1", "(w := %s)"}), v)
		}
		clauses = append(clauses, clause)
	}
	last := vars[len(vars)-1]
	body := fmt.Sprintf(pick(g, []string{"%s", "(%s, i)", "[%s] * 2", "f'{%s}'", "%s if i else None", "i and %s", "%s + 1", "(lambda: %s)()", "[%s for q in range(2)]", "(t := %s)", "{%s: i}", "str(%s)"}), last)
	tail := strings.Join(clauses, " ")
	var text string
	switch g.between(0, 5) {
	case 0:
		text = "{" + body + ": " + last + " " + tail + "}"
	case 1:
		text = "sorted({" + body + " " + tail + "}, key=repr)"
	case 2:
		text = pick(g, []string{"list", "tuple", "sum", "max", "any", "all", "dict", "len", "sorted", "next"}) + "(" + body + " " + tail + ")"
	default:
		text = "[" + body + " " + tail + "]"
	}
	if strings.Contains(text, ":= ") { // not allowed directly in a class body
		return "(lambda: " + text + ")()"
	}
	return text
}

// coroutine writes a generator with handlers and drives it by next, send,
// throw and close.
func (g *gen) coroutine(int) string {
	var c code
	f, sub := g.name("co"), g.name("sub")
	body := func() {
		for range g.between(1, 3) {
			c.add("%s", pick(g, []string{
				"got = yield 1; print('got', got)", "yield 'v'", "x = (yield x); print('x', x)", "yield [x, (yield 'in')]", "print('step', x)", "x = 'changed'", "if x: yield x", "yield", "yield from 'ab'", "yield from range(2)", "if x == 5: return 'early'", "yield 1 // x", "yield from []",
			}))
		}
	}
	wrapped := func() {
		switch g.between(0, 3) {
		case 0:
			body()
		case 1:
			c.in("try:", body)
			c.in("finally:", func() {
				c.add("%s", pick(g, []string{"print('finally')", "print('fin'); yield 'late'", "print('cleanup', x)"}))
			})
		default:
			c.in("try:", body)
			c.in("except "+pick(g, []string{"ValueError", "KeyError", "Exception", "GeneratorExit", "(ValueError, TypeError)"})+" as e:", func() {
				c.add("%s", pick(g, []string{"print('caught', repr(e)); yield 'after'", "print('caught', repr(e))", "raise", "return 'handled'", "raise RuntimeError('new') from e", "yield repr(e)"}))
			})
		}
	}
	c.in("def "+sub+"(x):", func() { wrapped(); c.add("return 'sub result'"); c.add("yield") })
	c.in("def "+f+"(x):", func() {
		wrapped()
		if g.chance(0.6) {
			c.add("r = yield from %s(x)", sub)
			c.add("print('r', r)")
		}
		c.add("return %s", pick(g, []string{"'done'", "x", "None", "(1, 2)"}))
		c.add("yield")
	})
	it := g.name("it")
	c.add("hold.append(%s(%s))", f, pick(g, []string{"0", "5", "'arg'", "None"}))
	c.add("%s = hold[-1]", it)
	for range g.between(3, 6) {
		op := fmt.Sprintf(pick(g, []string{
			"next(%s)", "next(%s)", "next(%s, 'default')", "%s.send(None)", "%s.send('s')", "%s.send(2)", "%s.throw(ValueError('t'))", "%s.throw(KeyError)", "%s.throw(TypeError, 'two')", "%s.close()", "list(%s)", "[*%s]", "%s.throw(GeneratorExit)", "%s.throw(StopIteration(3))", "sum(1 for _ in %s)", "'v' in %s", "%s is iter(%[1]s)",
		}), it)
		c.in("try:", func() { c.add("print(%s)", op) })
		c.in("except StopIteration as e:", func() { c.add("print('stop', e.value)") })
		c.in("except Exception as e:", func() { c.add("print(type(e).__name__, e, repr(e.__cause__))") })
	}
	return c.String()
}

// aliasing mutates nested containers through several names.
func (g *gen) aliasing(int) string {
	var c code
	names := []string{g.name("p"), g.name("q"), g.name("r")}
	c.add("%s = [1, [2, 3], {'k': [4]}, (5, [6])]", names[0])
	for _, n := range names[1:] {
		c.add("%s = %s", n, fmt.Sprintf(pick(g, []string{"%s", "%s[:]", "list(%s)", "copy.copy(%s)", "copy.deepcopy(%s)", "%s * 2", "[%s, %[1]s]", "%s + []", "[*%s]", "%s[1]", "{'a': %s}", "(%s,)"}), names[0]))
	}
	for range g.between(3, 6) {
		op := fmt.Sprintf(pick(g, []string{
			"%s[1].append(9)", "%s[2]['k'] += [7]", "%s[3][1].append('z')", "%s[0] = 'first'", "%s[1] = %[1]s", "%s += [8]", "%s *= 2", "%s.append(%[1]s)", "%s[1][0] = %[2]s", "%s[1:2] = [0, 0]", "del %s[0]", "%s[2]['me'] = %[1]s[2]", "%s[3][1] += [1]", "%s[3] += (1,)", "%s[3][0] = 1", "%s.insert(1, %[2]s)", "%s.extend(%[1]s)", "%s.sort(key=str)", "%s.reverse()", "%s.clear()", "%s = %[2]s", "%s['a'][0] = 5", "%s[-1] = %[2]s[-1]", "%s[:] = %[2]s", "%s |= {'b': 1}",
		})+"%.0[2]s", pick(g, names), pick(g, names))
		c.in("try:", func() { c.add("%s", op) })
		c.in("except Exception as e:", func() { c.add("print(type(e).__name__, e)") })
	}
	c.add("print(%s)", strings.Join(names, ", "))
	c.add("print(%s is %s, %[1]s == %[1]s)", names[0], names[1])
	return c.String()
}
