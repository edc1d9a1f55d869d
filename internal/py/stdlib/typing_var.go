package stdlib

import (
	"gauntlet/internal/py"
)

// typeVar is a TypeVar (or ParamSpec).
type typeVar struct {
	name        string
	bound       py.Value // None without one
	constraints []py.Value
	variance    string // "~", "+" or "-"
}

// Type returns typing.TypeVar.
func (*typeVar) Type() *py.Type { return typeVarType }

// newTypeVar is TypeVar(name, *constraints, bound=None, covariant=False, contravariant=False).
func newTypeVar(t *py.Thread, a []py.Value) (py.Value, error) {
	name, ok := textOf(a[0])
	if !ok {
		return nil, py.TypeErrorf("TypeVar name must be a str, not %s", py.TypeName(a[0]))
	}
	flag := func(v py.Value) (bool, error) {
		if v == nil {
			return false, nil
		}
		return t.Truth(v)
	}
	co, err := flag(a[2])
	if err != nil {
		return nil, err
	}
	contra, err := flag(a[3])
	if err != nil {
		return nil, err
	}
	v := &typeVar{name: name, bound: py.None, variance: "~", constraints: toTypes(a[4].(*py.Tuple).Items)}
	switch {
	case co && contra:
		return nil, py.ValueErrorf("Bivariant types are not supported.")
	case co:
		v.variance = "+"
	case contra:
		v.variance = "-"
	}
	if isSet(a[1]) {
		v.bound = toType(a[1])
	}
	if len(v.constraints) == 1 {
		return nil, py.TypeErrorf("A single constraint is not allowed")
	}
	if len(v.constraints) > 0 && v.bound != py.None {
		return nil, py.TypeErrorf("Constraints cannot be combined with bound=...")
	}
	return v, nil
}

// forwardRef is a type given as text.
type forwardRef struct {
	text   string
	module string // "" when unknown
}

// Type returns typing.ForwardRef.
func (*forwardRef) Type() *py.Type { return forwardRefType }

// newTypeObject is what NewType makes: a callable that returns its argument.
type newTypeObject struct {
	name  string
	super py.Value
}

// Type returns typing.NewType.
func (*newTypeObject) Type() *py.Type { return newTypeType }

// CallObject returns its argument.
func (n *newTypeObject) CallObject(_ *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) != 1 || len(kw) > 0 {
		if len(args) == 0 {
			return nil, py.TypeErrorf("NewType.__call__() missing 1 required positional argument: 'x'")
		}
		return nil, py.TypeErrorf("NewType.__call__() takes 2 positional arguments but %d were given", 1+len(args))
	}
	return args[0], nil
}

// CopyFor copies the object for a fork.
func (n *newTypeObject) CopyFor(c *py.Copier) (py.Value, error) {
	s, err := c.Copy(n.super)
	return &newTypeObject{n.name, s}, err
}

// setupVars attaches the methods and constructors of TypeVar, ForwardRef and NewType.
func setupVars() {
	bindVar := py.NewFunc("TypeVar", "name, *constraints, bound=None, covariant=False, contravariant=False", newTypeVar)
	typeVarType.New = func(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		return t.Call(bindVar, args, kw)
	}
	of := func(v py.Value) *typeVar { return v.(*typeVar) }
	typeVarType.Finish(unionOperators()...)
	typeVarType.Finish(
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.NewStr(of(self).variance + of(self).name), nil
		}),
		py.Get("__name__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(of(self).name), nil }),
		py.Get("__bound__", func(_ *py.Thread, self py.Value) (py.Value, error) { return of(self).bound, nil }),
		py.Get("__constraints__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewTuple(of(self).constraints...), nil }),
		py.Get("__covariant__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.Bool(of(self).variance == "+"), nil }),
		py.Get("__contravariant__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.Bool(of(self).variance == "-"), nil }),
		py.Get("args", func(_ *py.Thread, self py.Value) (py.Value, error) { return self, nil }),
		py.Get("kwargs", func(_ *py.Thread, self py.Value) (py.Value, error) { return self, nil }),
	)
	ref := func(v py.Value) *forwardRef { return v.(*forwardRef) }
	forwardRefType.New = func(_ *py.Thread, _ *py.Type, args []py.Value, _ []py.Kw) (py.Value, error) {
		if len(args) == 0 {
			return nil, py.TypeErrorf("ForwardRef.__init__() missing 1 required positional argument: 'arg'")
		}
		s, ok := textOf(args[0])
		if !ok {
			return nil, py.TypeErrorf("Forward reference must be a string -- got %s", py.TypeName(args[0]))
		}
		return &forwardRef{text: s}, nil
	}
	forwardRefType.Finish(unionOperators()...)
	forwardRefType.Finish(
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s := "ForwardRef(" + reprText(ref(self).text)
			if m := ref(self).module; m != "" {
				s += ", module=" + reprText(m)
			}
			return py.NewStr(s + ")"), nil
		}),
		py.Def("__eq__", "other, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			o, ok := a[0].(*forwardRef)
			if !ok {
				return py.NotImplemented, nil
			}
			return py.Bool(*o == *ref(self)), nil
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			h, err := t.HashInt(py.NewStr(ref(self).text))
			return py.Int(h), err
		}),
		py.Get("__forward_arg__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(ref(self).text), nil }),
	)
	nt := func(v py.Value) *newTypeObject { return v.(*newTypeObject) }
	newTypeType.New = func(_ *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		if len(args) != 2 || len(kw) > 0 {
			return nil, py.TypeErrorf("NewType.__init__() missing required positional arguments: 'name' and 'tp'")
		}
		name, ok := textOf(args[0])
		if !ok {
			return nil, py.TypeErrorf("NewType name must be a str, not %s", py.TypeName(args[0]))
		}
		return &newTypeObject{name, args[1]}, nil
	}
	newTypeType.Finish(unionOperators()...)
	newTypeType.Finish(
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.NewStr("__main__." + nt(self).name), nil
		}),
		py.Get("__name__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(nt(self).name), nil }),
		py.Get("__qualname__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(nt(self).name), nil }),
		py.Get("__supertype__", func(_ *py.Thread, self py.Value) (py.Value, error) { return nt(self).super, nil }),
	)
}
