package pyfuzz

import (
	"fmt"
	"regexp"
	"strings"
)

// hierarchy writes a random class graph whose methods call super(), and
// prints the method resolution order, the calls and the attributes.
func (g *gen) hierarchy(int) string {
	var c code
	stem := g.name("H")
	var classes []string
	for i := range g.between(3, 5) {
		name := stem + string(rune('A'+i))
		var bases []string
		for _, b := range classes {
			if g.chance(0.5) {
				bases = append(bases, b)
			}
		}
		if g.chance(0.7) { // the reverse order is usually consistent
			for l, r := 0, len(bases)-1; l < r; l, r = l+1, r-1 {
				bases[l], bases[r] = bases[r], bases[l]
			}
		}
		if len(bases) == 0 && i == 0 && g.chance(0.2) {
			bases = append(bases, pick(g, []string{"dict", "list", "Exception", "str", "int", "tuple"}))
		}
		head := "class " + name
		if len(bases) > 0 {
			head += "(" + strings.Join(bases, ", ") + ")"
		}
		c.in(head+":", func() { g.classBody(&c, name, len(bases) > 0) })
		classes = append(classes, name)
	}
	last := classes[len(classes)-1]
	c.add("print([k.__name__ for k in %s.__mro__], [k.__name__ for k in %s.__bases__])", last, last)
	for range g.between(1, 3) {
		probe := fmt.Sprintf(pick(g, []string{
			"%s().hello()", "%s.tag", "%s().tag", "%[1]s().only(1)", "isinstance(%s(), %[2]s)", "issubclass(%s, (%[2]s, int))", "%s.named()", "super(%[2]s, %[1]s()).hello()", "%s().missing", "%s.missing", "%[1]s().val", "getattr(%s(), 'tag', 0)", "hasattr(%s, 'only')", "sorted(k for k in vars(%s) if k[0] != '_')", "%s.__qualname__, %[1]s.__module__", "type(%s()) is %[2]s",
		}), last, pick(g, classes))
		if i := strings.Index(probe, "%!(EXTRA"); i >= 0 {
			probe = probe[:i]
		}
		c.in("try:", func() { c.add("print(%s)", probe) })
		c.in("except Exception as e:", func() { c.add("print(type(e).__name__, e)") })
	}
	return c.String()
}

func (g *gen) classBody(c *code, name string, derived bool) {
	if g.chance(0.4) {
		c.add("tag = %q", "tag of "+name)
	}
	if g.chance(0.6) {
		c.in("def hello(self):", func() {
			if derived && g.chance(0.7) {
				c.add("return %q + '>' + %s.hello()", name[len(name)-1:], pick(g, []string{"super()", "super()", "super(" + name + ", self)"}))
			} else {
				c.add("return %q", name[len(name)-1:])
			}
		})
	}
	switch g.between(0, 9) {
	case 0:
		c.in("def only(self, n):", func() { c.add("return n, self.tag") })
	case 1:
		c.add("@classmethod")
		c.in("def named(cls):", func() { c.add("return cls.__name__, %q", name) })
	case 2:
		c.add("@property")
		c.in("def val(self):", func() { c.add("return getattr(super(), 'val', 0), %q", name) })
	case 3:
		c.in("def __init_subclass__(cls, **kw):", func() { c.add("print('sub', cls.__name__)"); c.add("super().__init_subclass__(**kw)") })
	}
}

// dunderMethods are special methods with bodies, some of which break the
// protocol on purpose.
var dunderMethods = []string{
	"__len__(self): return 3", "__len__(self): return -1", "__len__(self): return 'x'",
	"__bool__(self): return False", "__bool__(self): return 1",
	"__eq__(self, o): print('eq'); return True", "__eq__(self, o): return NotImplemented", "__ne__(self, o): return 'ne'",
	"__lt__(self, o): print('lt'); return True", "__lt__(self, o): return NotImplemented", "__gt__(self, o): return 'gt'", "__le__(self, o): return self.v <= 2",
	"__hash__(self): return 7", "__hash__(self): return 'h'",
	"__repr__(self): return 'R!'", "__repr__(self): return 5", "__str__(self): return 'S!'", "__str__(self): return None",
	"__format__(self, spec): return f'F<{spec}>'", "__format__(self, spec): return 3",
	"__iter__(self): return iter([1, 2, 3])", "__iter__(self): yield from 'xy'", "__iter__(self): return 5", "__iter__(self): return self",
	"__next__(self): raise StopIteration", "__reversed__(self): return ['rev']",
	"__getitem__(self, i):\n    if i in (3, 'x'): raise IndexError('end')\n    return i", "__getitem__(self, i): return (1, 2)[i]",
	"__setitem__(self, i, x): print('set', i, x)", "__delitem__(self, i): print('del', i)",
	"__contains__(self, x): print('in', x); return x == 1", "__contains__(self, x): return 'yes'",
	"__call__(self, *a, **k): return a, k",
	"__add__(self, o): return 'add'", "__add__(self, o): return NotImplemented", "__radd__(self, o): return 'radd'", "__iadd__(self, o): print('iadd'); return self", "__iadd__(self, o): return NotImplemented",
	"__sub__(self, o): return o", "__rsub__(self, o): return 'rsub'", "__mul__(self, o): return [o]", "__rmul__(self, o): return 'rmul'", "__truediv__(self, o): return 'div'", "__floordiv__(self, o): return 'fdiv'", "__mod__(self, o): return 'mod'", "__pow__(self, o, m=None): return (o, m)", "__matmul__(self, o): return 'mat'",
	"__and__(self, o): return 'and'", "__ror__(self, o): return 'ror'", "__lshift__(self, o): return 'ls'", "__divmod__(self, o): return 'dm'",
	"__neg__(self): return 'neg'", "__pos__(self): return 'pos'", "__invert__(self): return 'inv'", "__abs__(self): return 'abs'",
	"__int__(self): return 4", "__int__(self): return 4.5", "__float__(self): return 2.5", "__float__(self): return 2", "__index__(self): return 2", "__index__(self): return 'i'", "__round__(self, n=None): return ('round', n)", "__trunc__(self): return 9", "__floor__(self): return 'floor'",
	"__getattr__(self, name): return 'got ' + name", "__getattr__(self, name): raise AttributeError('no ' + name)", "__setattr__(self, name, x): print('setattr', name); object.__setattr__(self, name, x)", "__delattr__(self, name): print('delattr', name)", "__getattribute__(self, name): return object.__getattribute__(self, name)",
	"__enter__(self): return 'entered'", "__exit__(self, *a): print('exit', len(a)); return True", "__exit__(self, a, b, c): return False", "__dir__(self): return ['b', 'a']", "__sizeof__(self): return 1", "__length_hint__(self): return 10", "__bytes__(self): return b'by'", "__class_getitem__(cls, k): return ('cls', k)", "__contains__ = None", "__hash__ = None", "__iter__ = None", "__copy__(self): return 'copied'", "__deepcopy__(self, memo): return 'deep'", "__instancecheck__(self, x): return True",
}

// dunderUses are expressions (and a few statements) over the object o.
var dunderUses = []string{
	"len(o)", "bool(o)", "not o", "o == 1", "1 == o", "o != 1", "o == o", "o < 2", "o > 2", "o <= 2", "2 >= o", "hash(o) if '__hash__' in vars(type(o)) else 0", "repr(o)", "str(o)", "f'{o}'", "f'{o:>5}'", "f'{o!r:10}|'", "format(o, 'x')", "'%s' % o", "'%d' % o", "'{0!s}'.format(o)",
	"list(o)", "[*o]", "tuple(reversed(o))", "iter(o)", "next(o)", "o[1]", "o[1:2]", "o[5]", "o[-1]", "1 in o", "9 not in o", "o(1, k=2)", "o()", "o + 1", "1 + o", "o - 1", "1 - o", "o * 2", "2 * o", "o / 1", "o // 1", "o % 1", "o ** 2", "pow(o, 2, 3)", "2 ** o", "o @ o", "o & 1", "1 | o", "o << 1", "o ^ 1", "divmod(o, 2)", "-o", "+o", "~o", "abs(o)", "int(o)", "float(o)", "[10, 20, 30][o]", "'ab' * o", "range(o)", "hex(o)", "round(o)", "round(o, 2)", "math.floor(o)", "math.ceil(o)", "math.trunc(o)", "o.zzz", "o.v", "getattr(o, 'q', 'dflt')", "hasattr(o, 'q')", "max(o, 1)", "sorted([o, o]) == 0", "sum(o)", "any(o)", "{o: 1} and 'hashed'", "o in [1, 2]", "o in {1: 2}", "{**o}", "print(*o)", "[n for n in dir(o) if n[0] != '_']", "isinstance(o, list)", "bytes(o)", "copy.copy(o)", "copy.deepcopy(o)", "dict(o)", "set(o) and 0", "str.join('-', o)", "zip(o, o) and 1", "enumerate(o) and 2", "list(map(str, o))", "callable(o)", "min([3, o])", "type(o)[3]", "bin(o)", "chr(o)", "json.dumps(o)", "o is o", "(lambda *a: a)(*o)",
}

// dunders writes a class with some special methods and uses it.
func (g *gen) dunders(int) string {
	var c code
	k := g.name("D")
	base := pick(g, []string{"", "", "", "", "(int)", "(str)", "(list)", "(dict)", "(Exception)", "(float)", "(tuple)", "(object)"})
	c.in("class "+k+base+":", func() {
		c.add("v = 1")
		for range g.between(1, 4) {
			m := pick(g, dunderMethods)
			if strings.Contains(m, " = ") && !strings.Contains(m, "(") {
				c.add("%s", m)
				continue
			}
			for line := range strings.SplitSeq("def "+m, "\n") {
				c.add("%s", line)
			}
		}
	})
	o := g.name("o")
	c.add("%s = %s()", o, k)
	for range g.between(3, 6) {
		c.in("try:", func() { g.useDunder(&c, k, o) })
		c.in("except Exception as e:", func() { c.add("print(type(e).__name__, e)") })
	}
	return c.String()
}

func (g *gen) useDunder(c *code, class, o string) {
	switch g.between(0, 14) {
	case 0:
		v := g.name("w")
		c.add("%s = %s; %s %s= %s; print(type(%s).__name__)", v, o, v, pick(g, []string{"+", "-", "*", "|", "@", "**", ">>"}), pick(g, []string{"1", "'s'", "[2]", "2.5"}), v)
	case 1:
		c.add("%s", useName(pick(g, []string{"o[1] = 2", "del o[1]", "o.v = 5; print(o.v)", "del o.v", "del o.nope", "o.new = 1; print(vars(o))", "o[0] += 1"}), o))
	case 2:
		c.in("with "+o+" as w:", func() { c.add("print('in with', w)"); c.add("raise KeyError('inside')") })
	case 3:
		c.in("for w in "+o+":", func() { c.add("print('item', w)"); c.add("if w in (3, 20): break") })
	case 4:
		c.add("print(*(x for x in zip(%s, range(3))))", o)
	case 5:
		c.add("print(type(%s + %s()).__name__, %s == %s())", o, class, o, class)
	default:
		use := pick(g, dunderUses)
		c.add("r = %s; print(type(r).__name__, r if isinstance(r, (int, float, str, list, tuple, bytes, type(None))) and type(r) is not %s else '')", useName(use, o), class)
	}
}

var objectName = regexp.MustCompile(`\bo\b`)

// useName replaces the name o in a piece of code.
func useName(text, name string) string { return objectName.ReplaceAllString(text, name) }
