package py

import (
	"sort"
)

// setupObject attaches the methods of object, type and super.
func setupObject() {
	ObjectType.New = func(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
		if cls == ObjectType && len(args)+len(kw) > 0 {
			return nil, TypeErrorf("object() takes no arguments")
		}
		return t.allocateNative(cls, args, kw)
	}
	ObjectType.Finish(objectMembers()...)
	ObjectType.Finish(attributeMembers()...)
	TypeType.Finish(typeMembers()...)
	SuperType.New = newSuper
	MappingProxyType.Finish(mappingProxyMembers()...)
}

func objectMembers() []Member {
	return []Member{
		{"__new__", &Native{Name: "__new__", Owner: nil, raw: objectNew}},
		{"__init__", NewRawMethod("__init__", objectInit)},
		Def("__repr__", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			s, err := t.DefaultRepr(self)
			return NewStr(s), err
		}),
		Def("__str__", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			s, err := t.Repr(self)
			return NewStr(s), err
		}),
		Def("__eq__", "other, /", func(_ *Thread, self Value, a []Value) (Value, error) {
			if Is(self, a[0]) {
				return True, nil
			}
			return NotImplemented, nil
		}),
		Def("__ne__", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			r, _, err := t.CallSpecial(self, "__eq__", a[0])
			if err != nil || r == NotImplemented {
				return r, err
			}
			b, err := t.Truth(r)
			return Bool(!b), err
		}),
		Def("__hash__", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			return t.idOf(self)
		}),
	}
}

// attributeMembers are object's methods around attributes.
func attributeMembers() []Member {
	return []Member{
		Def("__setattr__", "name, value, /", func(t *Thread, self Value, a []Value) (Value, error) {
			s, ok := AsStr(a[0])
			if !ok {
				return nil, TypeErrorf("attribute name must be string, not '%s'", TypeName(a[0]))
			}
			if o, ok := self.(*Instance); ok {
				return None, t.SetAttrDirect(o, s.s, a[1])
			}
			return None, t.SetAttr(self, s.s, a[1])
		}),
		Def("__delattr__", "name, /", func(t *Thread, self Value, a []Value) (Value, error) {
			s, _ := AsStr(a[0])
			if o, ok := self.(*Instance); ok && s != nil {
				return None, t.DelAttrDirect(o, s.s)
			}
			return nil, TypeErrorf("cannot delete attribute of '%s' object", TypeName(self))
		}),
		Def("__getattribute__", "name, /", func(t *Thread, self Value, a []Value) (Value, error) {
			s, ok := AsStr(a[0])
			if !ok {
				return nil, TypeErrorf("attribute name must be string, not '%s'", TypeName(a[0]))
			}
			if o, ok := self.(*Instance); ok {
				v, err := t.genericAttr(o, s.s)
				if v == nil && err == nil {
					err = missingAttr(o, s.s)
				}
				return v, err
			}
			return t.GetAttr(self, s.s)
		}),
		Def("__format__", "spec, /", func(t *Thread, self Value, a []Value) (Value, error) {
			s, ok := AsStr(a[0])
			if !ok {
				return nil, TypeErrorf("__format__() argument must be str, not %s", TypeName(a[0]))
			}
			if s.n > 0 {
				return nil, TypeErrorf("unsupported format string passed to %s.__format__", TypeName(self))
			}
			r, err := t.Str(self)
			return NewStr(r), err
		}),
		Def("__dir__", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			return t.NewList(strList(t.dirNames(self))), nil
		}),
		{"__init_subclass__", &ClassMethod{&Native{Name: "__init_subclass__", raw: func(_ *Thread, args []Value, kw []Kw) (Value, error) {
			if len(kw) > 0 {
				name := "?"
				if c, ok := args[0].(*Type); ok {
					name = c.Qualname
				}
				return nil, TypeErrorf("%s.__init_subclass__() takes no keyword arguments", name)
			}
			return None, nil
		}}}},
	}
}

func typeMembers() []Member {
	return []Member{
		Def("mro", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			v, err := t.typeAttr(self.(*Type), "__mro__")
			if err != nil {
				return nil, err
			}
			return t.NewList(append([]Value(nil), v.(*Tuple).Items...)), nil
		}),
		{"__call__", NewRawMethod("__call__", func(t *Thread, args []Value, kw []Kw) (Value, error) {
			c, ok := args[0].(*Type)
			if !ok {
				return nil, TypeErrorf("descriptor '__call__' requires a 'type' object but received a '%s'", TypeName(args[0]))
			}
			return t.constructPlain(c, args[1:], kw)
		})},
		Def("__subclasses__", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			var out []Value
			for _, c := range self.(*Type).subs {
				out = append(out, c)
			}
			return t.NewList(out), nil
		}),
		Def("__instancecheck__", "instance, /", func(_ *Thread, self Value, a []Value) (Value, error) {
			return Bool(self.(*Type).IsInstance(a[0])), nil
		}),
		Def("__or__", "other, /", func(_ *Thread, self Value, a []Value) (Value, error) { return NewUnion(self, a[0]), nil }),
		Def("__ror__", "other, /", func(_ *Thread, self Value, a []Value) (Value, error) { return NewUnion(a[0], self), nil }),
	}
}

func objectNew(t *Thread, args []Value, kw []Kw) (Value, error) {
	if len(args) == 0 {
		return nil, TypeErrorf("object.__new__(): not enough arguments")
	}
	c, ok := args[0].(*Type)
	if !ok {
		return nil, TypeErrorf("object.__new__(X): X is not a type object (%s)", TypeName(args[0]))
	}
	for _, m := range c.MRO {
		if m.solid {
			return nil, TypeErrorf("object.__new__(%s) is not safe, use %s.__new__()", c.Name, m.Name)
		}
	}
	if len(args)+len(kw) > 1 && c.nativeNew() == nil {
		_, custom := c.Lookup("__init__")
		f, _ := c.Lookup("__init__")
		n, native := f.(*Native)
		own, _ := c.Lookup("__new__")
		on, ownNative := own.(*Native)
		if !custom || native && n.Owner == ObjectType || !(ownNative && on.Name == "__new__") {
			if !(ownNative && on.Name == "__new__") {
				return nil, TypeErrorf("object.__new__() takes exactly one argument (the type to instantiate)")
			}
			return nil, TypeErrorf("%s() takes no arguments", c.Name)
		}
	}
	return t.allocateNative(c, args[1:], kw)
}

// objectInit refuses arguments that neither __init__ nor __new__ takes.
func objectInit(t *Thread, args []Value, kw []Kw) (Value, error) {
	if len(args) == 0 {
		return nil, TypeErrorf("descriptor '__init__' of 'object' object needs an argument")
	}
	if len(args)+len(kw) > 1 {
		c := args[0].Type()
		f, _ := c.Lookup("__init__")
		if n, native := f.(*Native); !native || n.Owner != ObjectType {
			return nil, TypeErrorf("object.__init__() takes exactly one argument (the instance to initialize)")
		}
		if !t.newTakesArgs(c) {
			return nil, TypeErrorf("%s() takes no arguments", c.Name)
		}
	}
	return None, nil
}

func strList(names []string) []Value {
	out := make([]Value, len(names))
	for i, n := range names {
		out[i] = NewStr(n)
	}
	return out
}

// dirNames is dir(v): sorted names of the object, its class and bases.
func (t *Thread) dirNames(v Value) []string {
	seen := map[string]bool{}
	add := func(d *Dict) {
		if d != nil {
			for _, k := range d.keys() {
				if s, ok := k.(*Str); ok {
					seen[s.s] = true
				}
			}
		}
	}
	switch x := v.(type) {
	case *Instance:
		add(x.attrs)
	case *Module:
		add(x.Attrs)
	}
	c, ok := v.(*Type)
	if !ok {
		c = v.Type()
	}
	if _, isModule := v.(*Module); !isModule {
		for _, m := range c.MRO {
			add(m.Attrs)
		}
	}
	names := make([]string, 0, len(seen))
	for n := range seen {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// typeCall is type(x) or type(name, bases, dict).
func (t *Thread) typeCall(args []Value, kw []Kw) (Value, error) {
	switch len(args) {
	case 1:
		if len(kw) > 0 {
			return nil, TypeErrorf("type() takes no keyword arguments")
		}
		return args[0].Type(), nil
	case 3:
		name, ok := AsStr(args[0])
		if !ok {
			return nil, TypeErrorf("type.__new__() argument 1 must be str, not %s", TypeName(args[0]))
		}
		bases, ok := args[1].(*Tuple)
		if !ok {
			return nil, TypeErrorf("type.__new__() argument 2 must be tuple, not %s", TypeName(args[1]))
		}
		ns, ok := args[2].(*Dict)
		if !ok {
			return nil, TypeErrorf("type.__new__() argument 3 must be dict, not %s", TypeName(args[2]))
		}
		d, err := ns.Copy(t)
		if err != nil {
			return nil, err
		}
		return t.MakeClass(name.s, name.s, bases.Items, d, kw)
	}
	return nil, TypeErrorf("type() takes 1 or 3 arguments")
}

// newSuper is super() and super(cls, obj).
func newSuper(t *Thread, _ *Type, args []Value, _ []Kw) (Value, error) {
	var start, self Value
	if len(args) == 0 {
		f := t.frame
		if f == nil || f.code.argCount == 0 {
			return nil, RaiseType(RuntimeErrorType, "super(): no arguments")
		}
		self = f.firstArg()
		for i, n := range f.code.freeNames {
			if n == "__class__" {
				start = f.cells[len(f.code.cellNames)+i].V
			}
		}
		if start == nil {
			return nil, RaiseType(RuntimeErrorType, "super(): __class__ cell not found")
		}
		if self == nil {
			return nil, RaiseType(RuntimeErrorType, "super(): arg[0] deleted")
		}
	} else {
		start = args[0]
		if len(args) > 1 {
			self = args[1]
		}
	}
	c, ok := start.(*Type)
	if !ok {
		return nil, TypeErrorf("super() argument 1 must be a type, not %s", TypeName(start))
	}
	if self == nil {
		return nil, TypeErrorf("unbound super objects are not supported")
	}
	s := &Super{start: c, self: self}
	if k, isClass := self.(*Type); isClass && k.IsSubclass(c) {
		s.class = k
		return s, nil
	}
	if s.class = self.Type(); !s.class.IsSubclass(c) {
		return nil, TypeErrorf("super(type, obj): obj must be an instance or subtype of type")
	}
	return s, nil
}

func mappingProxyMembers() []Member {
	pass := func(name, sig string) Member {
		return Def(name, sig, func(t *Thread, self Value, a []Value) (Value, error) {
			var args []Value
			for _, x := range a {
				if x != nil {
					args = append(args, x)
				}
			}
			return t.CallMethod(self.(*MappingProxy).D, name, args...)
		})
	}
	return []Member{pass("get", "key, default=None, /"), pass("keys", "/"), pass("values", "/"), pass("items", "/"), pass("copy", "/"),
		pass("__len__", "/"), pass("__iter__", "/"), pass("__getitem__", "key, /"), pass("__contains__", "key, /")}
}
