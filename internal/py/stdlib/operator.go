package stdlib

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// This file is the module operator.

var (
	itemGetterType   = cType("operator", "itemgetter")
	attrGetterType   = cType("operator", "attrgetter")
	methodCallerType = cType("operator", "methodcaller")
)

// buildOperator makes the module operator.
func buildOperator() *py.Module {
	setupGetters()
	members := []py.Member{
		{Name: "itemgetter", Value: itemGetterType}, {Name: "attrgetter", Value: attrGetterType}, {Name: "methodcaller", Value: methodCallerType},
	}
	return py.NewModule("operator", append(append(members, operatorForms()...), operatorFuncs()...)...)
}

// operatorForms are the functions that apply one operator, also under the
// names of special methods.
func operatorForms() []py.Member {
	var out []py.Member
	both := func(name, sig string, fn py.NativeFunc) {
		out = append(out, py.Func(name, sig, fn))
		out = append(out, py.Member{Name: "__" + strings.TrimSuffix(name, "_") + "__", Value: out[len(out)-1].Value})
	}
	for name, op := range map[string]syntax.Operator{
		"add": syntax.Add, "sub": syntax.Sub, "mul": syntax.Mult, "matmul": syntax.MatMult, "truediv": syntax.Div, "floordiv": syntax.FloorDiv,
		"mod": syntax.Mod, "pow": syntax.Pow, "lshift": syntax.LShift, "rshift": syntax.RShift, "and_": syntax.BitAnd, "or_": syntax.BitOr, "xor": syntax.BitXor,
	} {
		both(name, "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return t.BinaryOp(op, a[0], a[1]) })
		both("i"+strings.TrimSuffix(name, "_"), "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return t.InplaceOp(op, a[0], a[1]) })
	}
	for name, op := range map[string]syntax.CmpOp{"lt": syntax.Lt, "le": syntax.LtE, "eq": syntax.Eq, "ne": syntax.NotEq, "ge": syntax.GtE, "gt": syntax.Gt} {
		both(name, "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return t.Compare(op, a[0], a[1]) })
	}
	for name, op := range map[string]syntax.UnaryOperator{"neg": syntax.USub, "pos": syntax.UAdd, "inv": syntax.Invert, "invert": syntax.Invert} {
		both(name, "a, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return t.UnaryOp(op, a[0]) })
	}
	both("not_", "a, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
		b, err := t.Truth(a[0])
		return py.Bool(!b), err
	})
	both("abs", "a, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return absolute(t, a[0]) })
	both("index", "a, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
		if n, ok := t.AsBigInt(a[0]); ok {
			return py.MakeInt(n), nil
		}
		n, err := t.AsIndex(a[0])
		return py.Int(n), err
	})
	both("contains", "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
		ok, err := t.Contains(a[0], a[1])
		return py.Bool(ok), err
	})
	both("concat", "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
		if _, ok := a[0].Type().Lookup("__getitem__"); !ok {
			return nil, py.TypeErrorf("'%s' object can't be concatenated", py.TypeName(a[0]))
		}
		return t.BinaryOp(syntax.Add, a[0], a[1])
	})
	both("iconcat", "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return t.InplaceOp(syntax.Add, a[0], a[1]) })
	both("getitem", "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return t.GetItem(a[0], a[1]) })
	both("setitem", "a, b, c, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return py.None, t.SetItem(a[0], a[1], a[2]) })
	both("delitem", "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return py.None, t.DelItem(a[0], a[1]) })
	return out
}

func absolute(t *py.Thread, v py.Value) (py.Value, error) {
	if f, ok := v.(py.Float); ok {
		if f < 0 || f == 0 {
			f = -f
		}
		if f == 0 {
			f = 0
		}
		return f, nil
	}
	if _, whole := t.AsBigInt(v); whole {
		neg, err := t.Less(v, py.Int(0))
		if err != nil || !neg {
			return v, err
		}
		return t.UnaryOp(syntax.USub, v)
	}
	r, found, err := t.CallSpecial(v, "__abs__")
	if err == nil && !found {
		err = py.TypeErrorf("bad operand type for abs(): '%s'", py.TypeName(v))
	}
	return r, err
}

// operatorFuncs are the functions without an operator of their own.
func operatorFuncs() []py.Member {
	return []py.Member{
		py.Func("truth", "a, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			b, err := t.Truth(a[0])
			return py.Bool(b), err
		}),
		py.Func("is_", "a, b, /", func(_ *py.Thread, a []py.Value) (py.Value, error) { return py.Bool(py.Is(a[0], a[1])), nil }),
		py.Func("is_not", "a, b, /", func(_ *py.Thread, a []py.Value) (py.Value, error) { return py.Bool(!py.Is(a[0], a[1])), nil }),
		py.Func("countOf", "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			n, want := 0, a[1]
			err := t.ForEach(a[0], func(x py.Value) error {
				same, err := sameValue(t, x, want)
				if same {
					n++
				}
				return err
			})
			return py.Int(n), err
		}),
		py.Func("indexOf", "a, b, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			items, err := t.Collect(a[0])
			if err != nil {
				return nil, err
			}
			for i, x := range items {
				same, err := sameValue(t, x, a[1])
				if same || err != nil {
					return py.Int(i), err
				}
			}
			return nil, py.ValueErrorf("sequence.index(x): x not in sequence")
		}),
		py.Func("length_hint", "obj, default=0, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			if _, ok := a[0].Type().Lookup("__len__"); ok {
				n, err := t.Len(a[0])
				return py.Int(n), err
			}
			if r, found, err := t.CallSpecial(a[0], "__length_hint__"); found || err != nil {
				return r, err
			}
			return given(a[1], py.Int(0)), nil
		}),
		{Name: "call", Value: py.NewRaw("call", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			if len(args) == 0 {
				return nil, py.TypeErrorf("call expected at least 1 argument, got 0")
			}
			return t.Call(args[0], args[1:], kw)
		})},
	}
}

// getter is an itemgetter, attrgetter or methodcaller.
type getter struct {
	class *py.Type
	keys  []py.Value // items, attribute names, or the method's name and arguments
	kw    []py.Kw    // methodcaller only
}

// Type returns the class.
func (g *getter) Type() *py.Type { return g.class }

// CopyFor copies the object for a fork.
func (g *getter) CopyFor(c *py.Copier) (py.Value, error) {
	p, err := (&partial{py.None, g.keys, g.kw}).mapValues(c.Copy)
	if err != nil {
		return nil, err
	}
	return &getter{g.class, p.args, p.kw}, nil
}

// CallObject applies the getter to its one argument.
func (g *getter) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(kw) > 0 {
		return nil, py.TypeErrorf("%s() takes no keyword arguments", g.class.Name)
	}
	if len(args) != 1 {
		return nil, py.TypeErrorf("%s expected 1 argument, got %d", g.class.Name, len(args))
	}
	if g.class == methodCallerType {
		name, _ := textOf(g.keys[0])
		f, err := t.GetAttr(args[0], name)
		if err != nil {
			return nil, err
		}
		return t.Call(f, g.keys[1:], g.kw)
	}
	out := make([]py.Value, len(g.keys))
	for i, k := range g.keys {
		v, err := g.get(t, args[0], k)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return py.NewTuple(out...), t.Alloc(16 * len(out))
}

// get is one item, or one attribute path such as "a.b".
func (g *getter) get(t *py.Thread, v, key py.Value) (py.Value, error) {
	if g.class == itemGetterType {
		return t.GetItem(v, key)
	}
	path, _ := textOf(key)
	for _, name := range strings.Split(path, ".") {
		var err error
		if v, err = t.GetAttr(v, name); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func setupGetters() {
	for _, c := range []*py.Type{itemGetterType, attrGetterType, methodCallerType} {
		c.New = func(_ *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
			if err := checkGetter(c, args, kw); err != nil {
				return nil, err
			}
			return &getter{c, append([]py.Value(nil), args...), append([]py.Kw(nil), kw...)}, nil
		}
		c.Finish(
			py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
				g := self.(*getter)
				s, err := callText(t, "operator."+c.Name, g.keys, g.kw)
				return py.NewStr(s), err
			}),
			py.Member{Name: "__call__", Value: py.NewRawMethod("__call__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
				return args[0].(*getter).CallObject(t, args[1:], kw)
			})},
		)
	}
}

func checkGetter(c *py.Type, args []py.Value, kw []py.Kw) error {
	if len(kw) > 0 && c != methodCallerType {
		return py.TypeErrorf("%s() takes no keyword arguments", c.Name)
	}
	if len(args) == 0 {
		if c == methodCallerType {
			return py.TypeErrorf("methodcaller needs at least one argument, the method name")
		}
		return py.TypeErrorf("%s expected 1 argument, got 0", c.Name)
	}
	switch c {
	case methodCallerType:
		if _, ok := textOf(args[0]); !ok {
			return py.TypeErrorf("method name must be a string")
		}
	case attrGetterType:
		for _, v := range args {
			if _, ok := textOf(v); !ok {
				return py.TypeErrorf("attribute name must be a string")
			}
		}
	}
	return nil
}
