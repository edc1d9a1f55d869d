package stdlib

import (
	"gauntlet/internal/py"
)

// This file is the module contextlib.

var (
	abstractContextType = func() *py.Type {
		c := abcClass("AbstractContextManager", nil, []string{"__enter__", "__exit__"}, []string{"__exit__"})
		c.Mod = "contextlib"
		return c.Finish(py.Def("__enter__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return self, nil }))
	}()
	generatorContextType = py.NewType("contextlib", "_GeneratorContextManager")
	contextFactoryType   = py.NewType("builtins", "function")
	suppressType         = py.NewType("contextlib", "suppress")
	nullContextType      = py.NewType("contextlib", "nullcontext")
	closingType          = py.NewType("contextlib", "closing")
	exitStackType        = py.NewType("contextlib", "ExitStack")
)

// buildContextlib makes the module contextlib.
func buildContextlib() *py.Module {
	setupGeneratorContext()
	setupHolders()
	setupExitStack()
	return py.NewModule("contextlib",
		py.Member{Name: "AbstractContextManager", Value: abstractContextType},
		py.Member{Name: "suppress", Value: suppressType},
		py.Member{Name: "nullcontext", Value: nullContextType},
		py.Member{Name: "closing", Value: closingType},
		py.Member{Name: "ExitStack", Value: exitStackType},
		pyFunc("contextmanager", "func", func(_ *py.Thread, a []py.Value) (py.Value, error) { return &contextFactory{a[0]}, nil }),
	)
}

// contextFactory is a function decorated by contextmanager.
type contextFactory struct{ fn py.Value }

// Type returns the class function.
func (*contextFactory) Type() *py.Type { return contextFactoryType }

// CallObject starts the generator function.
func (f *contextFactory) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	gen, err := t.Call(f.fn, args, kw)
	if err != nil {
		return nil, err
	}
	return &generatorContext{gen: gen, fn: f.fn, args: append([]py.Value(nil), args...), kw: append([]py.Kw(nil), kw...)}, nil
}

// Bind makes a bound method of an instance.
func (f *contextFactory) Bind(_ *py.Thread, self py.Value, _ *py.Type) (py.Value, error) {
	if self == nil {
		return f, nil
	}
	return &py.Method{Fn: f, Self: self}, nil
}

// CopyFor copies the function for a fork.
func (f *contextFactory) CopyFor(c *py.Copier) (py.Value, error) {
	fn, err := c.Copy(f.fn)
	return &contextFactory{fn}, err
}

// generatorContext is a context manager made from a generator. The arguments
// are kept for its use as a decorator, which starts the generator anew.
type generatorContext struct {
	gen  py.Value
	fn   py.Value
	args []py.Value
	kw   []py.Kw
}

// Type returns contextlib._GeneratorContextManager.
func (*generatorContext) Type() *py.Type { return generatorContextType }

// CopyFor copies the manager for a fork.
func (g *generatorContext) CopyFor(c *py.Copier) (py.Value, error) {
	p, err := (&partial{g.fn, g.args, g.kw}).mapValues(c.Copy)
	if err != nil {
		return nil, err
	}
	gen, err := c.Copy(g.gen)
	return &generatorContext{gen, p.fn, p.args, p.kw}, err
}

func (g *generatorContext) enter(t *py.Thread) (py.Value, error) {
	v, err := t.CallMethod(g.gen, "__next__")
	if _, stop := py.Catch(err, py.StopIterationType); stop {
		return nil, py.RaiseType(py.RuntimeErrorType, "generator didn't yield")
	}
	return v, err
}

// exit resumes the generator after the with block, or raises exc inside it; it
// reports whether the exception was dealt with.
func (g *generatorContext) exit(t *py.Thread, exc py.Value) (bool, error) {
	if exc == py.None {
		_, err := t.CallMethod(g.gen, "__next__")
		if _, stop := py.Catch(err, py.StopIterationType); stop {
			return false, nil
		}
		if err == nil {
			err = py.RaiseType(py.RuntimeErrorType, "generator didn't stop")
		}
		return false, err
	}
	_, err := t.CallMethod(g.gen, "throw", exc)
	if err == nil {
		return false, py.RaiseType(py.RuntimeErrorType, "generator didn't stop after throw()")
	}
	raised, ok := py.Catch(err, py.BaseExceptionType)
	switch {
	case !ok: // a limit
		return false, err
	case py.Value(raised) == exc:
		return false, nil
	case raised.Type().IsSubclass(py.StopIterationType):
		return true, nil
	}
	if e, _ := exc.(*py.Instance); e != nil && e.Type().IsSubclass(py.StopIterationType) && raised.Type() == py.RuntimeErrorType {
		if cause, err := t.LookupAttr(raised, "__cause__"); err == nil && cause == exc {
			return false, nil
		}
	}
	return false, err
}

// excArg is the exception among the arguments of __exit__, made from its class
// when only that is given.
func excArg(t *py.Thread, a []py.Value) (py.Value, error) {
	if a[0] == py.None {
		return py.None, nil
	}
	if a[1] == py.None {
		return t.Call(a[0], nil, nil)
	}
	return a[1], nil
}

func setupGeneratorContext() {
	of := func(v py.Value) *generatorContext { return v.(*generatorContext) }
	generatorContextType.Finish(
		py.Def("__enter__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return of(self).enter(t) }),
		py.Def("__exit__", "typ, value, traceback", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			exc, err := excArg(t, a)
			if err != nil {
				return nil, err
			}
			ok, err := of(self).exit(t, exc)
			return py.Bool(ok), err
		}),
		py.Def("__call__", "func, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return &contextDecorated{of(self), a[0]}, nil
		}),
	)
	for _, name := range []string{"__name__", "__qualname__", "__doc__", "__module__", "__wrapped__"} {
		contextFactoryType.Finish(py.Get(name, func(t *py.Thread, self py.Value) (py.Value, error) {
			fn := self.(*contextFactory).fn
			if name == "__wrapped__" {
				return fn, nil
			}
			return t.GetAttr(fn, name)
		}))
	}
}

// contextDecorated is a function that runs inside a context manager.
type contextDecorated struct {
	ctx *generatorContext
	fn  py.Value
}

// Type returns the class function.
func (*contextDecorated) Type() *py.Type { return libMethodType }

// Bind makes a bound method of an instance.
func (d *contextDecorated) Bind(_ *py.Thread, self py.Value, _ *py.Type) (py.Value, error) {
	if self == nil {
		return d, nil
	}
	return &py.Method{Fn: d, Self: self}, nil
}

// CopyFor copies the function for a fork.
func (d *contextDecorated) CopyFor(c *py.Copier) (py.Value, error) {
	ctx, err := c.Copy(d.ctx)
	if err != nil {
		return nil, err
	}
	fn, err := c.Copy(d.fn)
	return &contextDecorated{ctx.(*generatorContext), fn}, err
}

// CallObject enters a fresh context, calls the function and leaves.
func (d *contextDecorated) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	v, err := (&contextFactory{d.ctx.fn}).CallObject(t, d.ctx.args, d.ctx.kw)
	if err != nil {
		return nil, err
	}
	g := v.(*generatorContext)
	if _, err := g.enter(t); err != nil {
		return nil, err
	}
	r, err := t.Call(d.fn, args, kw)
	if err == nil {
		_, err = g.exit(t, py.None)
		return r, err
	}
	raised, ok := py.Catch(err, py.BaseExceptionType)
	if !ok {
		return nil, err
	}
	handled, exitErr := g.exit(t, raised)
	switch {
	case exitErr != nil:
		return nil, exitErr
	case handled:
		return py.None, nil
	}
	return nil, err
}

// holder is suppress, nullcontext or closing: a context manager around values.
type holder struct {
	class  *py.Type
	values []py.Value
}

// Type returns the class.
func (h *holder) Type() *py.Type { return h.class }

// CopyFor copies the object for a fork.
func (h *holder) CopyFor(c *py.Copier) (py.Value, error) {
	v, err := forkSlice(c, h.values)
	return &holder{h.class, v}, err
}

func setupHolders() {
	values := func(v py.Value) []py.Value { return v.(*holder).values }
	enter := func(first bool) py.Member {
		return py.Def("__enter__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			if v := values(self); first && len(v) > 0 {
				return v[0], nil
			}
			return py.None, nil
		})
	}
	for _, c := range []*py.Type{suppressType, nullContextType, closingType} {
		least, most := 0, 1
		switch c {
		case suppressType:
			most = 1 << 20
		case closingType:
			least = 1
		}
		c.New = func(_ *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
			if len(args) == 0 && len(kw) == 1 && (kw[0].Name == "enter_result" || kw[0].Name == "thing") {
				args, kw = []py.Value{kw[0].Value}, nil
			}
			if len(args) < least || len(args) > most || len(kw) > 0 {
				return nil, py.TypeErrorf("%s.__init__() got wrong arguments", c.Name)
			}
			return &holder{c, append([]py.Value(nil), args...)}, nil
		}
	}
	suppressType.Finish(enter(false), py.Def("__exit__", "exctype, excinst, exctb", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		cls, ok := a[0].(*py.Type)
		if !ok {
			return py.False, nil
		}
		for _, v := range values(self) {
			list := []py.Value{v}
			if tup, ok := v.(*py.Tuple); ok {
				list = tup.Items
			}
			for _, c := range list {
				if ok, err := subclassTest(t, cls, c); ok || err != nil {
					return py.Bool(ok), err
				}
			}
		}
		return py.False, nil
	}))
	nullContextType.Finish(enter(true), py.Def("__exit__", "*excinfo", func(*py.Thread, py.Value, []py.Value) (py.Value, error) { return py.None, nil }))
	closingType.Finish(enter(true), py.Def("__exit__", "*exc_info", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		_, err := t.CallMethod(values(self)[0], "close")
		return py.None, err
	}))
}
