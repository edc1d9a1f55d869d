package pyfuzz

import (
	"fmt"
	"strings"
)

// signature is a random parameter list.
type signature struct {
	params string   // text between the parentheses
	result string   // expression that returns all of them
	names  []string // parameter names, for keywords
	least  int      // required positional parameters
	most   int      // positional parameters
}

func (g *gen) signature() signature {
	var parts, results []string
	var s signature
	names := []string{"a", "b", "c", "e"}[:g.between(0, 4)]
	defaults, slash := false, -1
	if len(names) > 0 && g.chance(0.25) {
		slash = g.between(1, len(names))
	}
	for i, n := range names {
		p := n
		if defaults = defaults || g.chance(0.3); defaults {
			p += "=" + pick(g, []string{"1", "None", "'x'", "[]", "(1, 2)"})
		} else {
			s.least++
		}
		s.most++
		parts = append(parts, p)
		if i+1 == slash {
			parts = append(parts, "/")
		}
	}
	s.names = append(s.names, names...)
	results = append(results, names...)
	star := g.between(0, 3)
	if star == 0 {
		parts, results = append(parts, "*args"), append(results, "args")
	}
	if star <= 1 {
		kws := []string{"k", "q"}[:g.between(1, 2)]
		if star == 1 {
			parts = append(parts, "*")
		}
		for _, n := range kws {
			parts = append(parts, n+pick(g, []string{"", "=5", "=None"}))
		}
		s.names, results = append(s.names, kws...), append(results, kws...)
	}
	if g.chance(0.3) {
		parts, results = append(parts, "**kw"), append(results, "kw")
	}
	s.params = strings.Join(parts, ", ")
	s.result = "(" + strings.Join(results, ", ")
	if len(results) == 1 {
		s.result += ","
	}
	s.result += ")"
	return s
}

// arguments writes an argument list that fits the signature more often than
// not: positional and *, then keywords and **, as the syntax demands.
func (g *gen) arguments(s signature) string {
	var parts []string
	n := g.between(s.least, max(s.most, s.least))
	if g.chance(0.25) {
		n = g.between(0, 5)
	}
	for i := 0; i < n; i++ {
		if g.chance(0.12) {
			parts = append(parts, pick(g, []string{"*[1, 2]", "*()", "*'ab'", "*range(2)", "*{7: 8}", "*5", "*None"}))
			continue
		}
		parts = append(parts, pick(g, []string{"1", "2", "'p'", "None", "[3]", "-1"}))
	}
	used := map[string]bool{}
	for range g.between(0, 2) {
		name := pick(g, append([]string{"k", "q", "zz", "a"}, s.names...))
		if !used[name] {
			used[name] = true
			parts = append(parts, name+"="+pick(g, []string{"10", "'kw'", "None"}))
		}
	}
	if g.chance(0.15) {
		parts = append(parts, pick(g, []string{"**{'k': 6}", "**{}", "**dict(zz=1, y=2)", "**{'a': 1}", "**{1: 2}", "**None", "**[1]", "**{'b': 0}, **{'b': 1}"}))
	}
	return strings.Join(parts, ", ")
}

// calls defines a function, method or constructor and calls it several ways.
func (g *gen) calls(int) string {
	var c code
	s := g.signature()
	f := g.name("f")
	callee := f
	body := "return " + s.result
	withSelf := "self"
	if s.params != "" {
		withSelf += ", " + s.params
	}
	switch g.between(0, 6) {
	case 0:
		callee = g.name("K")
		c.in("class "+callee+":", func() {
			c.in("def __init__("+withSelf+"):", func() { c.add("self.all = %s", s.result) })
			c.in("def __repr__(self):", func() { c.add("return 'K' + repr(self.all)") })
		})
	case 1:
		k := g.name("K")
		deco := pick(g, []string{"", "@classmethod", "@staticmethod"})
		params := withSelf
		if deco == "@staticmethod" {
			params = s.params
		}
		c.in("class "+k+":", func() {
			if deco != "" {
				c.add("%s", deco)
			}
			c.in("def meth("+params+"):", func() { c.add("%s", body) })
		})
		callee = k + pick(g, []string{"().meth", "().meth", ".meth"})
	case 2:
		c.add("%s = lambda %s: %s", f, s.params, s.result)
	case 3:
		c.in("def "+f+"("+s.params+"):", func() { c.add("%s", body) })
		callee = g.name("part")
		c.add("%s = functools.partial(%s%s)", callee, f, pick(g, []string{"", ", 100", ", k=7", ", 100, zz=1"}))
	default:
		c.in("def "+f+"("+s.params+"):", func() { c.add("%s", body) })
	}
	for range g.between(2, 4) {
		c.in("try:", func() { c.add("print(%s(%s))", callee, g.arguments(s)) })
		c.in("except TypeError as e:", func() { c.add("print('TypeError', e)") })
	}
	return c.String()
}

// unpack assigns to a random target list and prints the targets.
func (g *gen) unpack(int) string {
	var c code
	var names []string
	target, shape := g.target(&names, 2)
	value := shape
	if g.chance(0.4) {
		value = pick(g, []string{"[1, 2]", "(1, 2, 3)", "'ab'", "'abc'", "{'a': 1, 'b': 2}", "range(4)", "5", "None", "[]", "[[1, 2], 3]", "([1], 'xy')", "(c for c in 'pq')", "{1: 2}.items()", "b'ab'", "1.5", "zip('ab', [1, 2])", "[1, [2, 3], 4]", "iter([])", "[(1, 2, 3), 4, 5]"})
	}
	init := "(" + strings.Repeat("None, ", len(names)) + ")"
	c.add("%s = %s", strings.Join(names, ", ")+",", init)
	c.in("try:", func() {
		switch g.between(0, 4) {
		case 0:
			c.in("for "+target+" in ["+value+"]:", func() { c.add("print('loop', %s)", strings.Join(names, ", ")) })
		case 1:
			c.add("%s = whole = %s", target, value)
		case 2:
			c.add("print([(%s,) for %s in [%s]])", strings.Join(names, ", "), target, value)
		default:
			c.add("%s = %s", target, value)
		}
	})
	c.in("except Exception as e:", func() { c.add("print(type(e).__name__, e)") })
	c.add("print(%s)", strings.Join(names, ", "))
	return c.String()
}

// target returns a target list and a value that it can take apart.
func (g *gen) target(names *[]string, depth int) (target, value string) {
	n, star := g.between(1, 3), -1
	if g.chance(0.5) {
		star = g.between(0, n-1)
	}
	var ts, vs []string
	for i := range n {
		if i != star && depth > 0 && g.chance(0.25) {
			t, v := g.target(names, depth-1)
			ts, vs = append(ts, pick(g, []string{"(%s)", "[%s]"})), append(vs, v)
			ts[i] = fmt.Sprintf(ts[i], t)
			continue
		}
		v := g.name("p")
		*names = append(*names, v)
		vs = append(vs, pick(g, []string{"1", "'two'", "[3]", "None", "4.5"}))
		if i == star {
			v = "*" + v
			if g.chance(0.5) {
				vs[i] += ", 'more'"
			}
		}
		ts = append(ts, v)
	}
	return strings.Join(ts, ", ") + ",", "[" + strings.Join(vs, ", ") + "]"
}
