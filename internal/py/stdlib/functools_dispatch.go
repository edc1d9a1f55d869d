package stdlib

import (
	"gauntlet/internal/py"
)

var (
	dispatchType       = py.NewType("functools", "singledispatch")
	dispatchMethodType = py.NewType("functools", "singledispatchmethod")
)

// dispatcher is a generic function that chooses by the class of its first
// argument, or of the second one for a method.
type dispatcher struct {
	fn       py.Value
	registry *py.Dict // class -> implementation
	method   bool
}

// Type returns the class of generic functions or methods.
func (d *dispatcher) Type() *py.Type {
	if d.method {
		return dispatchMethodType
	}
	return dispatchType
}

// CopyFor copies the function and its registry for a fork.
func (d *dispatcher) CopyFor(c *py.Copier) (py.Value, error) {
	fn, err := c.Copy(d.fn)
	if err != nil {
		return nil, err
	}
	r, err := c.Copy(d.registry)
	if err != nil {
		return nil, err
	}
	return &dispatcher{fn, r.(*py.Dict), d.method}, nil
}

func newDispatcher(t *py.Thread, fn py.Value, method bool) (*dispatcher, error) {
	d := &dispatcher{fn, t.NewDict(), method}
	return d, d.registry.Set(t, py.ObjectType, fn)
}

func singleDispatch(t *py.Thread, a []py.Value) (py.Value, error) {
	return newDispatcher(t, a[0], false)
}

// find is the implementation for a class: its own or the nearest base's, an
// abstract class's, or the default.
func (d *dispatcher) find(t *py.Thread, cls *py.Type) (py.Value, error) {
	for _, c := range cls.MRO {
		if c == py.ObjectType {
			break
		}
		v, err := d.registry.Get(t, c)
		if v != nil || err != nil {
			return v, err
		}
	}
	for _, it := range d.registry.Items(t) {
		if it.Key == py.Value(py.ObjectType) {
			continue
		}
		ok, err := subclassTest(t, cls, it.Key)
		if ok || err != nil {
			return it.Value, err
		}
	}
	return d.fn, nil
}

// CallObject calls the implementation for the arguments.
func (d *dispatcher) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	at := 0
	if d.method {
		at = 1
	}
	if len(args) <= at {
		name := "singledispatchmethod"
		if v, err := t.LookupAttr(d.fn, "__name__"); err == nil && v != nil {
			name, _ = textOf(v)
		}
		return nil, py.TypeErrorf("%s requires at least 1 positional argument", name)
	}
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	fn, err := d.find(t, args[at].Type())
	if err != nil {
		return nil, err
	}
	switch f := fn.(type) {
	case *py.StaticMethod:
		return t.Call(f.Fn, args[1:], kw)
	case *py.ClassMethod:
		args = append([]py.Value{args[0].Type()}, args[1:]...)
		return t.Call(f.Fn, args, kw)
	}
	return t.Call(fn, args, kw)
}

// Bind makes a bound method of an instance.
func (d *dispatcher) Bind(_ *py.Thread, self py.Value, _ *py.Type) (py.Value, error) {
	if self == nil || !d.method {
		return d, nil
	}
	return &py.Method{Fn: d, Self: self}, nil
}

// register is f.register(cls), f.register(cls, fn) and f.register(fn).
func (d *dispatcher) register(t *py.Thread, a []py.Value) (py.Value, error) {
	if isClassLike(a[0]) {
		if a[1] == nil {
			cls := a[0]
			return py.NewFunc("register", "func", func(t *py.Thread, b []py.Value) (py.Value, error) {
				return b[0], d.put(t, cls, b[0])
			}), nil
		}
		return a[1], d.put(t, a[0], a[1])
	}
	fn := a[0]
	switch f := fn.(type) {
	case *py.StaticMethod:
		fn = f.Fn
	case *py.ClassMethod:
		fn = f.Fn
	}
	f, ok := fn.(*py.Function)
	if !ok || f.Notes == nil || f.Notes.Len() == 0 {
		s, err := t.Repr(a[0])
		if err != nil {
			return nil, err
		}
		return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr("Invalid first argument to `register()`: "+s+". Use either `@register(some_class)` or plain `@register` on an annotated function."))
	}
	hints, err := functionHints(t, f)
	if err != nil {
		return nil, err
	}
	if items := hints.Items(t); len(items) > 0 { // the first annotation counts
		it := items[0]
		if !isClassLike(it.Value) {
			s, err := t.Repr(it.Value)
			if err != nil {
				return nil, err
			}
			name, _ := textOf(it.Key)
			return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr("Invalid annotation for "+reprText(name)+". "+s+" is not a class."))
		}
		return a[0], d.put(t, it.Value, a[0])
	}
	return a[0], nil
}

func isClassLike(v py.Value) bool {
	switch u := v.(type) {
	case *py.Type:
		return true
	case *py.Union:
		for _, c := range u.Args {
			if _, ok := c.(*py.Type); !ok {
				return false
			}
		}
		return true
	}
	return false
}

func (d *dispatcher) put(t *py.Thread, cls, fn py.Value) error {
	if u, ok := cls.(*py.Union); ok {
		for _, c := range u.Args {
			if err := d.registry.Set(t, c, fn); err != nil {
				return err
			}
		}
		return nil
	}
	return d.registry.Set(t, cls, fn)
}

func setupDispatch() {
	of := func(v py.Value) *dispatcher { d, _ := v.(*dispatcher); return d }
	dispatchMethodType.New = func(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		if len(args) != 1 || len(kw) > 0 {
			return nil, py.TypeErrorf("singledispatchmethod.__init__() missing 1 required positional argument: 'func'")
		}
		return newDispatcher(t, args[0], true)
	}
	for _, c := range []*py.Type{dispatchType, dispatchMethodType} {
		c.Finish(
			py.Def("register", "cls, func=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return of(self).register(t, a) }),
			py.Def("dispatch", "cls", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
				cls, ok := a[0].(*py.Type)
				if !ok {
					return nil, py.TypeErrorf("dispatch() argument must be a class")
				}
				return of(self).find(t, cls)
			}),
			py.Get("registry", func(_ *py.Thread, self py.Value) (py.Value, error) {
				return &py.MappingProxy{D: of(self).registry}, nil
			}),
			py.Get("__wrapped__", func(_ *py.Thread, self py.Value) (py.Value, error) { return of(self).fn, nil }),
			py.Get("func", func(_ *py.Thread, self py.Value) (py.Value, error) { return of(self).fn, nil }),
			py.Get("__name__", func(t *py.Thread, self py.Value) (py.Value, error) { return t.GetAttr(of(self).fn, "__name__") }),
			py.Get("__doc__", func(t *py.Thread, self py.Value) (py.Value, error) { return t.GetAttr(of(self).fn, "__doc__") }),
		)
	}
}
