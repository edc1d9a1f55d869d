package stdlib

import "gauntlet/internal/py"

// libMethod is a method in Go that the library puts into a class at run time: a
// class decorator's (dataclass, total_ordering) or a class factory's
// (namedtuple). It binds like a function written in Python, and unlike a
// py.Native it has no owner class, so that a fork may copy the class it is in.
type libMethod struct {
	name     string
	abstract bool // stands for a method that subclasses must define
	fn       func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error)
}

var libMethodType = py.NewType("builtins", "function").Finish(
	py.Get("__name__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(self.(*libMethod).name), nil }),
	py.Get("__isabstractmethod__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.Bool(self.(*libMethod).abstract), nil }),
)

// Type returns the class function.
func (*libMethod) Type() *py.Type { return libMethodType }

// CallObject calls the method; args[0] is the receiver.
func (m *libMethod) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) == 0 {
		return nil, py.TypeErrorf("%s() missing 1 required positional argument: 'self'", m.name)
	}
	return m.fn(t, args[0], args[1:], kw)
}

// Bind makes a bound method of an instance.
func (m *libMethod) Bind(_ *py.Thread, self py.Value, _ *py.Type) (py.Value, error) {
	if self == nil {
		return m, nil
	}
	return &py.Method{Fn: m, Self: self}, nil
}

// libDef makes a libMethod whose arguments follow sig (without self), with the
// error texts of a Python function called qualname.
func libDef(name, qualname, sig string, fn py.MethodFunc) *libMethod {
	s := parsePySig(qualname, "self, "+sig)
	return &libMethod{name: name, fn: func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
		a, err := s.bind(t, append([]py.Value{self}, args...), kw)
		if err != nil {
			return nil, err
		}
		return fn(t, self, a[1:])
	}}
}

// cType makes a library class that CPython writes in C: messages name it with
// its module.
func cType(module, name string, bases ...*py.Type) *py.Type {
	c := py.NewType(module, name, bases...)
	c.Long = module != "builtins"
	return c
}

// classTest is isinstance(v, cls) for one class or class-like object.
func classTest(t *py.Thread, v, cls py.Value) (bool, error) {
	c, ok := cls.(*py.Type)
	if ok && c.Meta == nil {
		return c.IsInstance(v), nil
	}
	r, found, err := t.CallSpecial(cls, "__instancecheck__", v)
	if err != nil {
		return false, err
	}
	if found {
		return t.Truth(r)
	}
	if ok {
		return c.IsInstance(v), nil
	}
	return false, py.TypeErrorf("isinstance() arg 2 must be a type, a tuple of types, or a union")
}

// subclassTest is issubclass(sub, cls) for one class or class-like object.
func subclassTest(t *py.Thread, sub *py.Type, cls py.Value) (bool, error) {
	c, ok := cls.(*py.Type)
	if ok && c.Meta == nil {
		return sub.IsSubclass(c), nil
	}
	r, found, err := t.CallSpecial(cls, "__subclasscheck__", sub)
	if err != nil {
		return false, err
	}
	if found {
		return t.Truth(r)
	}
	if ok {
		return sub.IsSubclass(c), nil
	}
	return false, py.TypeErrorf("issubclass() arg 2 must be a class, a tuple of classes, or a union")
}

// wholeArgs are the arguments of a bound signature as a tuple, whose absent
// ones are nil; see bindNative.
func wholeArgs(_ *py.Thread, a []py.Value) (py.Value, error) {
	return &py.Tuple{Items: append([]py.Value(nil), a...)}, nil
}

// bindNative lays out the arguments of a constructor by the signature of sig,
// a native made with wholeArgs.
func bindNative(t *py.Thread, sig *py.Native, args []py.Value, kw []py.Kw) ([]py.Value, error) {
	v, err := t.Call(sig, args, kw)
	if err != nil {
		return nil, err
	}
	return v.(*py.Tuple).Items, nil
}

// truthOf is the truth of a result that may be an error.
func truthOf(t *py.Thread, v py.Value, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	return t.Truth(v)
}

// textOf is the text of a str or of an object that is one.
func textOf(v py.Value) (string, bool) {
	s, ok := py.AsStr(v)
	if !ok {
		return "", false
	}
	return s.String(), true
}

// heapGuard holds the values whose repr is under way on a thread, for library
// objects that may contain themselves.
type heapGuard struct{ active []py.Value }

// Clone starts afresh: a fork happens outside of any repr.
func (*heapGuard) Clone() py.Local { return &heapGuard{} }

// guardRepr runs fn unless the repr of v is under way already; then it returns dots.
func guardRepr(t *py.Thread, v py.Value, dots string, fn func() (string, error)) (string, error) {
	g := t.Local("repr", func() py.Local { return &heapGuard{} }).(*heapGuard)
	for _, x := range g.active {
		if x == v {
			return dots, nil
		}
	}
	if err := t.Enter(); err != nil {
		return "", err
	}
	defer t.Leave()
	g.active = append(g.active, v)
	defer func() { g.active = g.active[:len(g.active)-1] }()
	return fn()
}

// libHeader is py.Header under a name that does not hide its method Header
// when it is embedded.
type libHeader = py.Header

// unpackError is the ValueError of an unpacking assignment.
func unpackError(got, want int) error {
	if got > want {
		return py.ValueErrorf("too many values to unpack (expected %d)", want)
	}
	return py.ValueErrorf("not enough values to unpack (expected %d, got %d)", want, got)
}
