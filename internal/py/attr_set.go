package py

// SetAttr is v.name = x.
func (t *Thread) SetAttr(v Value, name string, x Value) error {
	switch o := v.(type) {
	case *Instance:
		return t.setInstanceAttr(o, name, x)
	case *Type:
		if !o.Heap || o.shared {
			return TypeErrorf("cannot set '%s' attribute of immutable type '%s'", name, o.Name)
		}
		if o.Meta != nil {
			if f, ok := o.Meta.Lookup("__setattr__"); ok {
				_, err := t.callBound(f, o, NewStr(name), x)
				return err
			}
		}
		switch s := x.(type) {
		case *Str:
			if name == "__name__" {
				o.Name = s.s
				return nil
			}
			if name == "__qualname__" {
				o.Qualname = s.s
				return nil
			}
		}
		return o.Attrs.Set(t, NewStr(name), x)
	case *Function:
		return t.setFunctionAttr(o, name, x)
	case *Module:
		if o.Fixed {
			return AttributeErrorf("module '%s' is read-only in this interpreter", o.Name)
		}
		return t.namespace(o).Set(t, NewStr(name), x)
	}
	if f, ok := v.Type().Lookup(name); ok {
		if g, ok := f.(*Getter); ok && g.Set != nil {
			return g.Set(t, v, x)
		}
		if f, ok := v.Type().Lookup("__setattr__"); ok {
			if n, native := f.(*Native); !native || n.Owner != ObjectType {
				_, err := t.callBound(f, v, NewStr(name), x)
				return err
			}
		}
		if g, ok := f.(*Getter); ok {
			return AttributeErrorf("attribute '%s' of '%s' objects is not writable", g.Name, TypeName(v))
		}
		return AttributeErrorf("'%s' object attribute '%s' is read-only", TypeName(v), name)
	}
	if m, ok := v.(*Method); ok {
		return AttributeErrorf("'%s' object has no attribute '%s'", TypeName(m), name)
	}
	return missingAttr(v, name)
}

func (t *Thread) setFunctionAttr(f *Function, name string, x Value) error {
	if f.shared {
		return t.functionAttrs(f, true).Set(t, NewStr(name), x)
	}
	switch name {
	case "__name__", "__qualname__":
		s, ok := x.(*Str)
		if !ok {
			return TypeErrorf("%s must be set to a string object", name)
		}
		if name == "__name__" {
			f.Name = s.s
		} else {
			f.Qualname = s.s
		}
		return nil
	case "__doc__":
		f.Doc = x
		return nil
	case "__annotations__":
		if d, ok := x.(*Dict); ok {
			f.Notes = d
			return nil
		}
	}
	return t.functionAttrs(f, true).Set(t, NewStr(name), x)
}

func (t *Thread) setInstanceAttr(o *Instance, name string, x Value) error {
	if f, ok := o.class.Lookup("__setattr__"); ok {
		if n, native := f.(*Native); !native || n.Owner != ObjectType {
			_, err := t.callBound(f, o, NewStr(name), x)
			return err
		}
	}
	return t.SetAttrDirect(o, name, x)
}

// SetAttrDirect is object.__setattr__: data descriptors, then the dictionary.
func (t *Thread) SetAttrDirect(o *Instance, name string, x Value) error {
	if f, ok := o.class.Lookup(name); ok {
		switch d := f.(type) {
		case *Property:
			if d.Set == nil || d.Set == None {
				return d.missing(o, "setter")
			}
			_, err := t.Call(d.Set, []Value{o, x}, nil)
			return err
		case *Getter:
			if d.Set != nil {
				return d.Set(t, o, x)
			}
			return AttributeErrorf("attribute '%s' of '%s' objects is not writable", name, TypeName(o))
		case DataDescriptor:
			return d.BindSet(t, o, x)
		case *Instance:
			if g, has := d.class.Lookup("__set__"); has {
				_, err := t.callBound(g, d, o, x)
				return err
			}
			if err := halfStored(d, "__set__", "__delete__"); err != nil {
				return err
			}
		}
	}
	if name == "__class__" {
		c, ok := x.(*Type)
		if !ok {
			return TypeErrorf("__class__ must be set to a class, not '%s' object", TypeName(x))
		}
		if !c.Heap || !o.class.Heap {
			return TypeErrorf("__class__ assignment only supported for mutable types or ModuleType subclasses")
		}
		if c.layout() != o.class.layout() || c.hasDict() != o.class.hasDict() {
			return TypeErrorf("__class__ assignment: '%s' object layout differs from '%s'", c.Name, o.class.Name)
		}
		o.class = c
		return nil
	}
	if name == "__dict__" {
		if d, ok := x.(*Dict); ok {
			o.attrs = d
			return nil
		}
		return TypeErrorf("__dict__ must be set to a dictionary, not a '%s'", TypeName(x))
	}
	if o.attrs == nil || o.class.slots != nil && !o.class.slotAllowed(name) {
		if _, ok := o.class.Lookup(name); ok {
			return AttributeErrorf("'%s' object attribute '%s' is read-only", TypeName(o), name)
		}
		return missingAttr(o, name)
	}
	if err := t.Alloc(40); err != nil {
		return err
	}
	key := NewStr(name)
	h := hashStr(name)
	t.touchDict(o.attrs)
	o.attrs.put(o.attrs.findStr(name, h), h, key, x)
	if t.log.on {
		t.wroteItem(&o.attrs.obj, key, x)
	}
	return nil
}

// hasDict reports whether instances have a __dict__: a class of the MRO does
// not declare __slots__, or lists it there.
func (c *Type) hasDict() bool {
	for _, m := range c.MRO {
		if m == ObjectType {
			continue
		}
		if m.slots == nil && m.Heap {
			return true
		}
		for _, s := range m.slots {
			if s == "__dict__" {
				return true
			}
		}
	}
	return !c.Heap
}

// layout is the built-in or library class that fixes what instances hold.
func (c *Type) layout() *Type {
	for _, m := range c.MRO {
		if !m.Heap {
			return m
		}
	}
	return ObjectType
}

// slotAllowed reports whether instances may carry the attribute: every class
// of the MRO but object declares __slots__, and one of them lists it.
func (c *Type) slotAllowed(name string) bool {
	for _, m := range c.MRO {
		if m == ObjectType {
			continue
		}
		if m.slots == nil {
			return true
		}
		for _, s := range m.slots {
			if s == name || s == "__dict__" {
				return true
			}
		}
	}
	return false
}

// DelAttr is del v.name.
func (t *Thread) DelAttr(v Value, name string) error {
	var attrs *Dict
	switch o := v.(type) {
	case *Instance:
		if f, ok := o.class.Lookup("__delattr__"); ok {
			if n, native := f.(*Native); !native || n.Owner != ObjectType {
				_, err := t.callBound(f, o, NewStr(name))
				return err
			}
		}
		return t.DelAttrDirect(o, name)
	case *Type:
		if !o.Heap || o.shared {
			return TypeErrorf("cannot set '%s' attribute of immutable type '%s'", name, o.Name)
		}
		if o.Meta != nil {
			if f, ok := o.Meta.Lookup("__delattr__"); ok && builtOwner(f) == nil {
				if n, native := f.(*Native); !native || n.Owner != ObjectType {
					_, err := t.callBound(f, o, NewStr(name))
					return err
				}
			}
		}
		attrs = o.Attrs
	case *Function:
		attrs = t.functionAttrs(o, false)
	case *Module:
		if !o.Fixed {
			attrs = t.namespace(o)
		}
	}
	if attrs != nil {
		if x, err := attrs.Pop(t, NewStr(name)); x != nil || err != nil {
			return err
		}
	}
	if c, ok := v.(*Type); ok {
		return AttributeErrorf("type object '%s' has no attribute '%s'", c.Name, name)
	}
	if _, ok := v.Type().Lookup(name); ok {
		return AttributeErrorf("'%s' object attribute '%s' is read-only", TypeName(v), name)
	}
	return missingAttr(v, name)
}

// DelAttrDirect is object.__delattr__.
func (t *Thread) DelAttrDirect(o *Instance, name string) error {
	if f, ok := o.class.Lookup(name); ok {
		switch d := f.(type) {
		case *Property:
			if d.Del == nil || d.Del == None {
				return d.missing(o, "deleter")
			}
			_, err := t.Call(d.Del, []Value{o}, nil)
			return err
		case DataDescriptor:
			return d.BindSet(t, o, nil)
		case *Instance:
			if g, has := d.class.Lookup("__delete__"); has {
				_, err := t.callBound(g, d, o)
				return err
			}
			if err := halfStored(d, "__delete__", "__set__"); err != nil {
				return err
			}
		}
	}
	if o.attrs != nil {
		if x, err := o.attrs.Pop(t, NewStr(name)); x != nil || err != nil {
			return err
		}
	}
	return missingAttr(o, name)
}
