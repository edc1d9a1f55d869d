package py

import "fmt"

// GetAttr is v.name.
func (t *Thread) GetAttr(v Value, name string) (Value, error) {
	x, err := t.findAttr(v, name)
	if x != nil || err != nil {
		return x, err
	}
	return nil, missingAttr(v, name)
}

// LookupAttr is GetAttr that returns nil, nil when there is no such attribute.
func (t *Thread) LookupAttr(v Value, name string) (Value, error) {
	x, err := t.findAttr(v, name)
	if err != nil {
		if _, ok := Catch(err, AttributeErrorType); ok {
			return nil, nil
		}
	}
	return x, err
}

func missingAttr(v Value, name string) error {
	var msg string
	switch x := v.(type) {
	case *Type:
		msg = fmt.Sprintf("type object '%s' has no attribute '%s'", x.longName(), name)
	case *Module:
		msg = fmt.Sprintf("module '%s' has no attribute '%s'", x.Name, name)
	default:
		msg = fmt.Sprintf("'%s' object has no attribute '%s'", TypeName(v), name)
	}
	e := NewException(AttributeErrorType, NewStr(msg))
	e.attrs.SetStr("name", NewStr(name))
	e.attrs.SetStr("obj", v)
	return &Raised{Exc: e}
}

// findAttr returns nil, nil when there is no such attribute.
func (t *Thread) findAttr(v Value, name string) (Value, error) {
	switch x := v.(type) {
	case *Instance:
		return t.instanceAttr(x, name)
	case *Type:
		return t.typeAttr(x, name)
	case *Module:
		if r, ok := t.namespace(x).GetStr(name); ok {
			return r, nil
		}
		if x.Fixed && t.Importer != nil {
			if sub, ok := t.Importer.Import(x.Name + "." + name); ok {
				return sub, nil
			}
		}
		if name == "__dict__" {
			return x.Attrs, nil
		}
	case *Super:
		return t.superAttr(x, name)
	case *Function:
		if r, err := t.functionAttr(x, name); r != nil || err != nil {
			return r, err
		}
	case *Native:
		switch name {
		case "__name__":
			return NewStr(x.Name), nil
		case "__qualname__":
			return NewStr(x.qualname()), nil
		case "__doc__":
			return NewStr("The function " + x.qualname() + " of the library."), nil
		case "__module__":
			return NewStr(x.Mod), nil
		case "__self__":
			return None, nil
		}
	case *Method:
		switch name {
		case "__self__":
			return x.Self, nil
		case "__func__":
			return x.Fn, nil
		case "__name__", "__qualname__", "__doc__", "__module__", "__dict__", "__annotations__":
			return t.findAttr(x.Fn, name)
		}
	}
	if name == "__class__" {
		return v.Type(), nil
	}
	f, ok := v.Type().Lookup(name)
	if !ok {
		return t.fallbackAttr(v, name)
	}
	return t.bind(f, v, v.Type())
}

// instanceAttr asks __getattribute__ where a class defines it.
func (t *Thread) instanceAttr(x *Instance, name string) (Value, error) {
	if x.class.hooked {
		if f, ok := x.class.Lookup("__getattribute__"); ok {
			if n, native := f.(*Native); !native || n.Owner != ObjectType {
				v, err := t.callBound(f, x, NewStr(name))
				if err != nil {
					if _, is := Catch(err, AttributeErrorType); is {
						if g, has := x.class.Lookup("__getattr__"); has {
							return t.callBound(g, x, NewStr(name))
						}
					}
				}
				return v, err
			}
		}
	}
	return t.genericAttr(x, name)
}

// genericAttr is object.__getattribute__ followed by __getattr__: data
// descriptor, instance dictionary, class.
func (t *Thread) genericAttr(x *Instance, name string) (Value, error) {
	f, ok := x.class.Lookup(name)
	if ok {
		switch d := f.(type) {
		case *Property, *Getter:
			v, err := t.bind(f, x, x.class)
			if err != nil {
				if _, is := Catch(err, AttributeErrorType); is {
					if g, has := x.class.Lookup("__getattr__"); has {
						return t.callBound(g, x, NewStr(name))
					}
				}
			}
			return v, err
		case DataDescriptor:
			return d.Bind(t, x, x.class)
		case *Instance:
			if _, data := d.class.Lookup("__set__"); data {
				return t.bind(f, x, x.class)
			}
		}
	}
	if x.attrs != nil {
		h := hashStr(name)
		if i := x.attrs.findStr(name, h); i >= 0 {
			v := x.attrs.entries[i].val
			if t.log.on {
				t.sawItem(&x.attrs.obj, x.attrs.entries[i].key, v)
			}
			return v, nil
		}
	}
	switch name {
	case "__class__":
		return x.class, nil
	case "__dict__":
		if x.attrs != nil && x.class.hasDict() {
			return x.attrs, nil
		}
	}
	if ok {
		return t.bind(f, x, x.class)
	}
	return t.fallbackAttr(x, name)
}

func (t *Thread) fallbackAttr(v Value, name string) (Value, error) {
	if f := orderDefault[name]; f != nil {
		return &Method{f, v}, nil
	}
	if g, ok := v.Type().Lookup("__getattr__"); ok {
		return t.callBound(g, v, NewStr(name))
	}
	return nil, nil
}

// orderDefault is the ordering methods that object has in CPython. They are not
// attributes of ObjectType here, because comparisons would find them each time.
var orderDefault = func() map[string]*Native {
	m := map[string]*Native{}
	for _, name := range []string{"__lt__", "__le__", "__gt__", "__ge__"} {
		m[name] = NewMethod(name, "other, /", func(*Thread, Value, []Value) (Value, error) { return NotImplemented, nil })
	}
	return m
}()

// bind applies the descriptor protocol to an attribute f found on class cls
// for the object self (nil: accessed on the class).
func (t *Thread) bind(f, self Value, cls *Type) (Value, error) {
	switch d := f.(type) {
	case *Function:
		if self == nil {
			return f, nil
		}
		return &Method{f, self}, nil
	case *Native:
		if d.class {
			return &Method{f, cls}, nil
		}
		if self == nil || d.Owner == nil {
			return f, nil
		}
		return &Method{f, self}, nil
	case *StaticMethod:
		return d.Fn, nil
	case *ClassMethod:
		if err := t.Enter(); err != nil { // class methods may be nested
			return nil, err
		}
		c, err := t.bind(d.Fn, cls, cls)
		t.Leave()
		if err != nil || c != d.Fn {
			return c, err
		}
		return &Method{d.Fn, cls}, nil
	case *Property:
		if self == nil {
			return f, nil
		}
		if d.Get == nil || d.Get == None {
			return nil, d.missing(self, "getter")
		}
		return t.Call(d.Get, []Value{self}, nil)
	case *Getter:
		if self == nil {
			return f, nil
		}
		return d.Fn(t, self)
	case *Instance:
		if g, ok := d.class.Lookup("__get__"); ok {
			var s Value = None
			if self != nil {
				s = self
			}
			return t.callBound(g, d, s, cls)
		}
	case Descriptor:
		return d.Bind(t, self, cls)
	}
	return f, nil
}

// Descriptor is a library object with a __get__ of its own (cached_property,
// partialmethod). self is nil when accessed on the class.
type Descriptor interface {
	Value
	Bind(t *Thread, self Value, cls *Type) (Value, error)
}

// DataDescriptor is a Descriptor that comes before the instance dictionary and
// takes assignments.
type DataDescriptor interface {
	Descriptor
	BindSet(t *Thread, self, v Value) error
}

// typeAttr is attribute access on a class.
func (t *Thread) typeAttr(c *Type, name string) (Value, error) {
	if c.Meta != nil {
		if f, ok := c.Meta.Lookup(name); ok {
			switch f.(type) {
			case *Getter, *Property:
				return t.bind(f, c, c.Meta)
			}
			if _, own := c.Lookup(name); !own {
				return t.bind(f, c, c.Meta)
			}
		}
	}
	switch name {
	case "__name__":
		return NewStr(c.Name), nil
	case "__qualname__":
		return NewStr(c.Qualname), nil
	case "__mro__":
		out := make([]Value, len(c.MRO))
		for i, m := range c.MRO {
			out[i] = m
		}
		return NewTuple(out...), nil
	case "__bases__":
		out := make([]Value, len(c.Bases))
		for i, m := range c.Bases {
			out[i] = m
		}
		return NewTuple(out...), nil
	case "__base__":
		if len(c.Bases) == 0 {
			return None, nil
		}
		return c.Bases[0], nil
	case "__class__":
		return c.Type(), nil
	case "__dict__":
		return &MappingProxy{c.Attrs}, nil
	case "__module__":
		if v, ok := c.Attrs.GetStr(name); ok {
			return v, nil
		}
		return NewStr(c.Mod), nil
	case "__doc__":
		if v, ok := c.Attrs.GetStr(name); ok {
			return v, nil
		}
		return None, nil
	case "__annotations__":
		if v, ok := c.Attrs.GetStr(name); ok {
			return v, nil
		}
		if c.Heap {
			d := t.NewDict()
			c.Attrs.SetStr(name, d)
			return d, nil
		}
		return nil, nil
	}
	if f, ok := c.Lookup(name); ok {
		return t.bind(f, nil, c)
	}
	if f, ok := TypeType.Lookup(name); ok {
		return t.bind(f, c, TypeType)
	}
	if c.Meta != nil {
		return t.fallbackAttr(c, name)
	}
	return nil, nil
}

func (t *Thread) superAttr(s *Super, name string) (Value, error) {
	past := false
	for _, m := range s.class.MRO {
		if past {
			if f, ok := m.Attrs.GetStr(name); ok {
				if c, isClass := s.self.(*Type); isClass && c == s.class {
					if n, ok := f.(*Native); ok && n.Name == "__new__" {
						return f, nil
					}
					return t.bind(f, nil, c)
				}
				return t.bind(f, s.self, s.class)
			}
		}
		past = past || m == s.start
	}
	if name == "__class__" {
		return SuperType, nil
	}
	return nil, AttributeErrorf("'super' object has no attribute '%s'", name)
}

func (t *Thread) functionAttr(f *Function, name string) (Value, error) {
	if attrs := t.functionAttrs(f, false); attrs != nil {
		if v, ok := attrs.GetStr(name); ok {
			return v, nil
		}
	}
	switch name {
	case "__name__":
		return NewStr(f.Name), nil
	case "__qualname__":
		return NewStr(f.Qualname), nil
	case "__doc__":
		if f.Doc == nil {
			return None, nil
		}
		return f.Doc, nil
	case "__module__":
		return NewStr(f.Globals.Name), nil
	case "__defaults__":
		if f.Defaults == nil {
			return None, nil
		}
		return NewTuple(f.Defaults...), nil
	case "__kwdefaults__":
		d := t.NewDict()
		for i, v := range f.KwDefaults {
			if v != nil {
				d.SetStr(f.Code.varNames[f.Code.argCount+i], v)
			}
		}
		if d.live == 0 {
			return None, nil
		}
		return d, nil
	case "__dict__":
		return t.functionAttrs(f, true), nil
	case "__annotations__":
		if f.Notes == nil && f.shared {
			return &Dict{}, nil
		}
		if f.Notes == nil {
			f.Notes = &Dict{}
		}
		return f.Notes, nil
	case "__globals__":
		return t.namespace(f.Globals), nil
	}
	return nil, nil
}

// MappingProxy is the read-only view of a class dictionary.
type MappingProxy struct{ D *Dict }

// Type returns mappingproxy.
func (*MappingProxy) Type() *Type { return MappingProxyType }
