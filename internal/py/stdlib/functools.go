package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// This file is the module functools, with partial and what is built on it; the
// caches are in functools_cache.go, singledispatch in functools_dispatch.go.

var (
	partialType       = cType("functools", "partial")
	partialMethodType = py.NewType("functools", "partialmethod")
	keyWrapperType    = cType("functools", "KeyWrapper")
)

// buildFunctools makes the module functools.
func buildFunctools() *py.Module {
	setupPartial()
	setupKeyWrapper()
	setupCaches()
	setupDispatch()
	names := func(list ...string) py.Value {
		out := make([]py.Value, len(list))
		for i, s := range list {
			out[i] = py.NewStr(s)
		}
		return py.NewTuple(out...)
	}
	return py.NewModule("functools",
		py.Func("reduce", "function, iterable, initial=None, /", reduce),
		py.Member{Name: "partial", Value: partialType},
		py.Member{Name: "partialmethod", Value: partialMethodType},
		py.Member{Name: "cached_property", Value: cachedPropertyType},
		py.Member{Name: "update_wrapper", Value: updateWrapperFunc},
		pyFunc("wraps", "wrapped, assigned=None, updated=None", func(_ *py.Thread, a []py.Value) (py.Value, error) {
			return &partial{fn: updateWrapperFunc, kw: []py.Kw{{Name: "wrapped", Value: a[0]}}}, nil
		}),
		py.Func("cmp_to_key", "mycmp", func(_ *py.Thread, a []py.Value) (py.Value, error) { return &keyWrapper{cmp: a[0]}, nil }),
		pyFunc("total_ordering", "cls", totalOrdering),
		pyFunc("lru_cache", "maxsize=128, typed=False", lruCache),
		pyFunc("cache", "user_function", func(_ *py.Thread, a []py.Value) (py.Value, error) {
			return newCacheWrapper(a[0], -1, false), nil
		}),
		pyFunc("singledispatch", "func", singleDispatch),
		py.Member{Name: "singledispatchmethod", Value: dispatchMethodType},
		py.Member{Name: "WRAPPER_ASSIGNMENTS", Value: names("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")},
		py.Member{Name: "WRAPPER_UPDATES", Value: names("__dict__")},
	)
}

func reduce(t *py.Thread, a []py.Value) (py.Value, error) {
	it, err := t.Iter(a[1])
	if err != nil {
		if _, bad := py.Catch(err, py.TypeErrorType); bad {
			return nil, py.TypeErrorf("reduce() arg 2 must support iteration")
		}
		return nil, err
	}
	acc := a[2]
	fn := a[0]
	err = t.ForEach(it, func(v py.Value) error {
		if acc == nil {
			acc = v
			return nil
		}
		var err error
		acc, err = t.Call(fn, []py.Value{acc, v}, nil)
		return err
	})
	if err == nil && acc == nil {
		err = py.TypeErrorf("reduce() of empty iterable with no initial value")
	}
	return acc, err
}

// partial is a function with some arguments fixed.
type partial struct {
	fn   py.Value
	args []py.Value
	kw   []py.Kw
}

// Type returns functools.partial.
func (*partial) Type() *py.Type { return partialType }

// CallObject calls the function with the fixed arguments first.
func (p *partial) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if err := t.Alloc(16 * (len(p.args) + len(args))); err != nil {
		return nil, err
	}
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	all := append(append(make([]py.Value, 0, len(p.args)+len(args)), p.args...), args...)
	return t.Call(p.fn, all, mergeKw(p.kw, kw))
}

// mergeKw is {**a, **b}.
func mergeKw(a, b []py.Kw) []py.Kw {
	out := append(make([]py.Kw, 0, len(a)+len(b)), a...)
next:
	for _, k := range b {
		for i := range a {
			if out[i].Name == k.Name {
				out[i].Value = k.Value
				continue next
			}
		}
		out = append(out, k)
	}
	return out
}

// CopyFor copies the object for a fork.
func (p *partial) CopyFor(c *py.Copier) (py.Value, error) {
	return p.mapValues(c.Copy)
}

// mapValues is a copy with every value replaced by fn of it.
func (p *partial) mapValues(fn func(py.Value) (py.Value, error)) (*partial, error) {
	n := &partial{args: make([]py.Value, len(p.args)), kw: make([]py.Kw, len(p.kw))}
	var err error
	if n.fn, err = fn(p.fn); err != nil {
		return nil, err
	}
	for i, v := range p.args {
		if n.args[i], err = fn(v); err != nil {
			return nil, err
		}
	}
	for i, k := range p.kw {
		n.kw[i].Name = k.Name
		if n.kw[i].Value, err = fn(k.Value); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// newPartial joins the arguments of a partial of a partial.
func newPartial(t *py.Thread, args []py.Value, kw []py.Kw) (*partial, error) {
	if len(args) == 0 {
		return nil, py.TypeErrorf("type 'partial' takes at least one argument")
	}
	if !t.IsCallable(args[0]) {
		return nil, py.TypeErrorf("the first argument must be callable")
	}
	n := len(args) + 2*len(kw) + 8
	if inner, ok := args[0].(*partial); ok {
		n += len(inner.args) + 2*len(inner.kw)
	}
	if err := t.Alloc(16 * n); err != nil {
		return nil, err
	}
	p := &partial{fn: args[0]}
	if inner, ok := args[0].(*partial); ok {
		p = &partial{fn: inner.fn, args: append([]py.Value(nil), inner.args...), kw: append([]py.Kw(nil), inner.kw...)}
	}
	p.args = append(p.args, args[1:]...)
	p.kw = mergeKw(p.kw, kw)
	return p, nil
}

// kwDict is keyword arguments as a dict.
func kwDict(t *py.Thread, kw []py.Kw) *py.Dict {
	d := t.NewDict()
	for _, k := range kw {
		d.SetStr(k.Name, k.Value)
	}
	return d
}

// callText is how a call prints: name(a, b, k=c).
func callText(t *py.Thread, name string, args []py.Value, kw []py.Kw) (string, error) {
	text := name + "("
	sep := ""
	for _, v := range args {
		s, err := t.Repr(v)
		if err != nil {
			return "", err
		}
		text += sep + s
		sep = ", "
	}
	for _, k := range kw {
		s, err := t.Repr(k.Value)
		if err != nil {
			return "", err
		}
		text += sep + k.Name + "=" + s
		sep = ", "
	}
	return text + ")", t.Alloc(len(text))
}

func setupPartial() {
	partialType.New = func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		p, err := newPartial(t, args, kw)
		if err != nil {
			return nil, err
		}
		if cls != partialType {
			return py.NewInstance(cls, p), nil
		}
		return p, nil
	}
	of := func(v py.Value) *partial { p, _ := py.Unwrap(v).(*partial); return p }
	partialType.Finish(
		py.Get("func", func(_ *py.Thread, self py.Value) (py.Value, error) { return of(self).fn, nil }),
		py.Get("args", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewTuple(of(self).args...), nil }),
		py.Get("keywords", func(t *py.Thread, self py.Value) (py.Value, error) { return kwDict(t, of(self).kw), nil }),
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			p := of(self)
			s, err := guardRepr(t, p, "...", func() (string, error) {
				return callText(t, "functools.partial", append([]py.Value{p.fn}, p.args...), p.kw)
			})
			return py.NewStr(s), err
		}),
		py.Member{Name: "__call__", Value: py.NewRawMethod("__call__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			return of(args[0]).CallObject(t, args[1:], kw)
		})},
	)
	partialMethodType.New = func(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		if len(args) == 0 {
			return nil, py.TypeErrorf("partialmethod.__init__() missing 1 required positional argument: 'func'")
		}
		if _, descriptor := args[0].(py.Descriptor); !t.IsCallable(args[0]) && !descriptor && !isMethodWrapper(args[0]) {
			s, err := t.Repr(args[0])
			if err != nil {
				return nil, err
			}
			return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr(s+" is not callable or a descriptor"))
		}
		return &partialMethod{partial{args[0], append([]py.Value(nil), args[1:]...), append([]py.Kw(nil), kw...)}}, nil
	}
}

func isMethodWrapper(v py.Value) bool {
	switch v.(type) {
	case *py.StaticMethod, *py.ClassMethod:
		return true
	}
	return false
}

// partialMethod is a method with some arguments after self fixed.
type partialMethod struct{ partial }

// Type returns functools.partialmethod.
func (*partialMethod) Type() *py.Type { return partialMethodType }

// CopyFor copies the object for a fork.
func (p *partialMethod) CopyFor(c *py.Copier) (py.Value, error) {
	n, err := p.mapValues(c.Copy)
	if err != nil {
		return nil, err
	}
	return &partialMethod{*n}, nil
}

// Bind makes a partial of the function with the receiver fixed.
func (p *partialMethod) Bind(_ *py.Thread, self py.Value, cls *py.Type) (py.Value, error) {
	switch f := p.fn.(type) {
	case *py.StaticMethod:
		return &partial{f.Fn, p.args, p.kw}, nil
	case *py.ClassMethod:
		return &partial{&py.Method{Fn: f.Fn, Self: cls}, p.args, p.kw}, nil
	}
	if self == nil {
		return &partial{p.fn, p.args, p.kw}, nil
	}
	return &partial{p.fn, append([]py.Value{self}, p.args...), p.kw}, nil
}

// updateWrapperFunc is update_wrapper.
var updateWrapperFunc = pyFunc("update_wrapper", "wrapper, wrapped, assigned=None, updated=None", func(t *py.Thread, a []py.Value) (py.Value, error) {
	return a[0], updateWrapper(t, a[0], a[1])
}).Value

// updateWrapper makes wrapper look like the function that it wraps.
func updateWrapper(t *py.Thread, wrapper, wrapped py.Value) error {
	for _, name := range []string{"__module__", "__name__", "__qualname__", "__doc__", "__annotations__"} {
		v, err := t.LookupAttr(wrapped, name)
		if err != nil {
			return err
		}
		if v != nil {
			if err := t.SetAttr(wrapper, name, v); err != nil {
				return err
			}
		}
	}
	attrs, err := t.LookupAttr(wrapped, "__dict__")
	if err != nil {
		return err
	}
	if d, ok := attrs.(*py.Dict); ok {
		for _, it := range d.Items(t) {
			if name, ok := textOf(it.Key); ok {
				if err := t.SetAttr(wrapper, name, it.Value); err != nil {
					return err
				}
			}
		}
	}
	return t.SetAttr(wrapper, "__wrapped__", wrapped)
}

// keyWrapper is what cmp_to_key returns: without obj the class-like function,
// with obj a key.
type keyWrapper struct {
	cmp, obj py.Value
}

// Type returns functools.KeyWrapper.
func (*keyWrapper) Type() *py.Type { return keyWrapperType }

// CallObject makes a key.
func (k *keyWrapper) CallObject(_ *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) == 1 && len(kw) == 0 {
		return &keyWrapper{k.cmp, args[0]}, nil
	}
	if len(args) == 0 && len(kw) == 1 && kw[0].Name == "obj" {
		return &keyWrapper{k.cmp, kw[0].Value}, nil
	}
	return nil, py.TypeErrorf("K() missing required argument 'obj' (pos 1)")
}

// CopyFor copies the key for a fork.
func (k *keyWrapper) CopyFor(c *py.Copier) (py.Value, error) {
	v, err := forkSlice(c, []py.Value{k.cmp, k.obj})
	if err != nil {
		return nil, err
	}
	return &keyWrapper{v[0], v[1]}, nil
}

func setupKeyWrapper() {
	compare := func(name string, op syntax.CmpOp) py.Member {
		return py.Def(name, "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			x := self.(*keyWrapper)
			y, ok := a[0].(*keyWrapper)
			if !ok {
				return nil, py.TypeErrorf("other argument must be K instance")
			}
			if x.obj == nil || y.obj == nil {
				return nil, py.AttributeErrorf("object")
			}
			r, err := t.Call(x.cmp, []py.Value{x.obj, y.obj}, nil)
			if err != nil {
				return nil, err
			}
			return t.Compare(op, r, py.Int(0))
		})
	}
	keyWrapperType.Finish(
		compare("__lt__", syntax.Lt), compare("__le__", syntax.LtE), compare("__gt__", syntax.Gt),
		compare("__ge__", syntax.GtE), compare("__eq__", syntax.Eq), compare("__ne__", syntax.NotEq),
		py.Member{Name: "__hash__", Value: py.None},
		py.Get("obj", func(_ *py.Thread, self py.Value) (py.Value, error) {
			return given(self.(*keyWrapper).obj, py.None), nil
		}),
	)
}

// orderRoot is the comparison that total_ordering derives the others from.
type orderRoot struct {
	name    string
	derived map[string]func(less, equal bool) bool
	equal   map[string]bool // derived comparisons that need ==
}

// orderRoots are in order of preference. A derived function gets the root's
// result and whether the operands are equal.
var orderRoots = []orderRoot{
	{"__lt__", map[string]func(r, eq bool) bool{
		"__gt__": func(r, eq bool) bool { return !r && !eq },
		"__le__": func(r, eq bool) bool { return r || eq },
		"__ge__": func(r, _ bool) bool { return !r },
	}, map[string]bool{"__gt__": true, "__le__": true}},
	{"__le__", map[string]func(r, eq bool) bool{
		"__ge__": func(r, eq bool) bool { return !r || eq },
		"__lt__": func(r, eq bool) bool { return r && !eq },
		"__gt__": func(r, _ bool) bool { return !r },
	}, map[string]bool{"__ge__": true, "__lt__": true}},
	{"__gt__", map[string]func(r, eq bool) bool{
		"__lt__": func(r, eq bool) bool { return !r && !eq },
		"__ge__": func(r, eq bool) bool { return r || eq },
		"__le__": func(r, _ bool) bool { return !r },
	}, map[string]bool{"__lt__": true, "__ge__": true}},
	{"__ge__", map[string]func(r, eq bool) bool{
		"__le__": func(r, eq bool) bool { return !r || eq },
		"__gt__": func(r, eq bool) bool { return r && !eq },
		"__lt__": func(r, _ bool) bool { return !r },
	}, map[string]bool{"__le__": true, "__gt__": true}},
}

// totalOrdering is the class decorator.
func totalOrdering(t *py.Thread, a []py.Value) (py.Value, error) {
	cls, ok := a[0].(*py.Type)
	if !ok {
		return nil, py.TypeErrorf("total_ordering() requires a class")
	}
	own := func(name string) bool {
		v, ok := cls.Lookup(name)
		base, _ := py.ObjectType.Lookup(name)
		return ok && v != base
	}
	// CPython takes the largest name: __lt__, __le__, __gt__, __ge__.
	for _, root := range orderRoots {
		if !own(root.name) {
			continue
		}
		for name, fn := range root.derived {
			if own(name) {
				continue
			}
			if err := t.SetAttr(cls, name, derivedOrder(name, root.name, root.equal[name], fn)); err != nil {
				return nil, err
			}
		}
		return cls, nil
	}
	return nil, py.ValueErrorf("must define at least one ordering operation: < > <= >=")
}

func derivedOrder(name, root string, needEqual bool, fn func(r, eq bool) bool) *libMethod {
	return libDef(name, name, "other", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		r, found, err := t.CallSpecial(self, root, a[0])
		if err != nil {
			return nil, err
		}
		if !found || r == py.NotImplemented {
			return py.NotImplemented, nil
		}
		truth, err := t.Truth(r)
		if err != nil {
			return nil, err
		}
		eq := false
		if needEqual {
			if eq, err = t.Eq(self, a[0]); err != nil {
				return nil, err
			}
		}
		return py.Bool(fn(truth, eq)), nil
	})
}
