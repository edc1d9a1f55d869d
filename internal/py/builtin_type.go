package py

import "reflect"

// newProperty is property(fget=None, fset=None, fdel=None, doc=None).
func newProperty(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
	if n := len(args) + len(kw); n > 4 {
		return nil, tooManyGiven("property", 4, args, kw)
	}
	var a [4]Value
	copy(a[:], args)
	for _, k := range kw {
		i := -1
		for j, name := range []string{"fget", "fset", "fdel", "doc"} {
			if name == k.Name {
				i = j
			}
		}
		if i < 0 {
			return nil, TypeErrorf("'%s' is an invalid keyword argument for property()", k.Name)
		}
		if a[i] != nil {
			return nil, TypeErrorf("argument for property() given by name ('%s') and position (%d)", k.Name, i+1)
		}
		a[i] = k.Value
	}
	p := &Property{Get: notNone(a[0]), Set: notNone(a[1]), Del: notNone(a[2]), Doc: notNone(a[3])}
	if p.Doc == nil && p.Get != nil {
		doc, err := t.LookupAttr(p.Get, "__doc__")
		if err != nil {
			return nil, err
		}
		p.Doc = notNone(doc)
	}
	return p, nil
}

// SetName remembers the name of the class attribute.
func (p *Property) SetName(_ *Thread, _ *Type, name string) error {
	p.name = name
	return nil
}

// missing is the error for an absent part of the property on object v.
func (p *Property) missing(v Value, part string) error {
	if p.name == "" {
		return AttributeErrorf("property of '%s' object has no %s", v.Type().Qualname, part)
	}
	return AttributeErrorf("property '%s' of '%s' object has no %s", p.name, v.Type().Qualname, part)
}

// notNone maps None to nil.
func notNone(v Value) Value {
	if v == None {
		return nil
	}
	return v
}

// propertyMembers are the decorators and attributes of property.
func propertyMembers() []Member {
	with := func(name string, set func(p *Property, f Value)) Member {
		return Def(name, "fn, /", func(t *Thread, self Value, a []Value) (Value, error) {
			p := *self.(*Property)
			set(&p, notNone(a[0]))
			return &p, nil
		})
	}
	get := func(name string, part func(p *Property) Value) Member {
		return Get(name, func(_ *Thread, self Value) (Value, error) { return orNone(part(self.(*Property))), nil })
	}
	return []Member{
		with("getter", func(p *Property, f Value) { p.Get = f }),
		with("setter", func(p *Property, f Value) { p.Set = f }),
		with("deleter", func(p *Property, f Value) { p.Del = f }),
		get("fget", func(p *Property) Value { return p.Get }),
		get("fset", func(p *Property) Value { return p.Set }),
		get("fdel", func(p *Property) Value { return p.Del }),
		Def("__set_name__", "owner, name, /", func(_ *Thread, self Value, a []Value) (Value, error) {
			s, err := strArg("__set_name__", a[1])
			if err == nil {
				self.(*Property).name = s.s
			}
			return None, err
		}),
		get("__doc__", func(p *Property) Value { return p.Doc }),
		{"__get__", NewRawMethod("__get__", func(t *Thread, args []Value, kw []Kw) (Value, error) {
			self, args, err := receiver(PropertyType, "__get__", args)
			if err != nil {
				return nil, err
			}
			return descriptorGet(t, self, args)
		})},
	}
}

// descriptorGet is f.__get__(obj, cls=None).
func descriptorGet(t *Thread, f Value, args []Value) (Value, error) {
	if err := checkCall("__get__", args, nil, 1, 2, true); err != nil {
		return nil, err
	}
	self := notNone(args[0])
	var cls *Type
	if self != nil {
		cls = self.Type()
	}
	if len(args) > 1 {
		if c, ok := args[1].(*Type); ok {
			cls = c
		}
	}
	if self == nil && cls == nil {
		return nil, TypeErrorf("__get__(None, None) is invalid")
	}
	return t.bind(f, self, cls)
}

// wrapperMembers are the attributes of staticmethod and classmethod.
func wrapperMembers(c *Type, inner func(v Value) Value) []Member {
	get := func(t *Thread, self Value) (Value, error) { return inner(self), nil }
	members := []Member{Get("__func__", get), Get("__wrapped__", get),
		slot(c, "__repr__", 0, func(t *Thread, self Value, _ []Value) (Value, error) {
			s, err := t.Repr(inner(self))
			return textValue("<"+c.Name+"("+s+")>", err)
		})}
	for _, name := range []string{"__name__", "__qualname__", "__doc__", "__isabstractmethod__"} {
		members = append(members, Get(name, func(t *Thread, self Value) (Value, error) {
			if err := t.Enter(); err != nil { // wrappers may be nested
				return nil, err
			}
			v, err := t.LookupAttr(inner(self), name)
			t.Leave()
			if v == nil && err == nil && name == "__isabstractmethod__" {
				return False, nil
			}
			if v == nil && err == nil {
				err = missingAttr(self, name)
			}
			return v, err
		}))
	}
	return members
}

// isInstance is isinstance(v, cls).
func (t *Thread) isInstance(v, cls Value) (bool, error) {
	if c, ok := cls.(*Type); ok {
		if v.Type() == c {
			return true, nil
		}
		if c.Meta == nil {
			return c.IsInstance(v), nil
		}
	}
	return t.classTest(v, cls, "__instancecheck__", "isinstance() arg 2 must be a type, a tuple of types, or a union",
		func(c *Type) bool { return c.IsInstance(v) })
}

// isSubclass is issubclass(sub, cls).
func (t *Thread) isSubclass(sub, cls Value) (bool, error) {
	c, isClass := sub.(*Type)
	return t.classTest(sub, cls, "__subclasscheck__", "issubclass() arg 2 must be a class, a tuple of classes, or a union",
		func(base *Type) bool { return isClass && c.IsSubclass(base) })
}

// classTest runs isinstance or issubclass against a class, a tuple, a union or
// an object with a check of its own.
func (t *Thread) classTest(v, cls Value, hook, message string, plain func(*Type) bool) (bool, error) {
	if err := t.Enter(); err != nil {
		return false, err
	}
	defer t.Leave()
	if err := t.Charge(1); err != nil {
		return false, err
	}
	var parts []Value
	switch x := cls.(type) {
	case *Tuple:
		parts = x.Items
	case *Union:
		parts = x.Args
	case *GenericAlias:
		name := "isinstance"
		if hook == "__subclasscheck__" {
			name = "issubclass"
		}
		return false, TypeErrorf("%s() argument 2 cannot be a parameterized generic", name)
	default:
		return t.classHook(v, cls, hook, message, plain)
	}
	for _, c := range parts {
		if _, union := cls.(*Union); union && c == None { // X | None
			c = NoneTypeType
		}
		ok, err := t.classTest(v, c, hook, message, plain)
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func (t *Thread) classHook(v, cls Value, hook, message string, plain func(*Type) bool) (bool, error) {
	if _, ok := v.(*Type); !ok && hook == "__subclasscheck__" {
		return false, TypeErrorf("issubclass() arg 1 must be a class")
	}
	c, isType := cls.(*Type)
	if isType && c.Meta == nil {
		return plain(c), nil
	}
	f, ok := cls.Type().Lookup(hook)
	if n, native := f.(*Native); ok && isType && native && n.Owner == TypeType {
		return plain(c), nil
	}
	if ok {
		r, err := t.callBound(f, cls, v)
		if err != nil {
			return false, err
		}
		return t.Truth(r)
	}
	if isType {
		return plain(c), nil
	}
	return false, TypeErrorf("%s", message)
}

// idTable numbers the objects whose id() was taken.
type idTable struct {
	ids  map[Value]int64
	next int64
}

// idLocal is the key of the idTable among a thread's locals.
const idLocal = "id"

// Clone keeps the counter and the numbers of what forks may share; copied
// objects get theirs from an idCarrier.
func (i *idTable) Clone() Local {
	n := &idTable{map[Value]int64{}, i.next}
	for v, id := range i.ids {
		switch v.(type) {
		case *Type, *Function, *Native, *Module:
			n.ids[v] = id
		}
	}
	return n
}

// idCarrier hands the ids of copied objects on to a fork.
type idCarrier struct{ from, to *idTable }

func (c *idCarrier) carry(v, n Value) {
	if n == nil || len(c.from.ids) == 0 || !reflect.TypeOf(v).Comparable() {
		return
	}
	if id, ok := c.from.ids[v]; ok {
		c.to.ids[n] = id
	}
}

// idOf is id(v): a number that is fixed from the first call on.
func (t *Thread) idOf(v Value) (Value, error) {
	const first, step = 0x7f0000000000, 16
	if !reflect.TypeOf(v).Comparable() {
		return Int(first), nil
	}
	table := t.Local(idLocal, func() Local { return &idTable{map[Value]int64{}, first} }).(*idTable)
	id, ok := table.ids[v]
	if !ok {
		if err := t.Alloc(64); err != nil {
			return nil, err
		}
		table.next += step
		id = table.next
		table.ids[v] = id
	}
	return Int(id), nil
}
