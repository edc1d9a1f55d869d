package py

import "strings"

// MakeClass creates a class as a class statement does: bases may be any
// values, ns is owned by the class.
func (t *Thread) MakeClass(name, qualname string, bases []Value, ns *Dict, kw []Kw) (Value, error) {
	if len(bases) > 0 && !isClassBase(bases[0]) {
		// The class of the first base is the metaclass, whatever it is.
		meta := bases[0].Type()
		for _, b := range bases[1:] {
			switch other := b.Type(); {
			case meta.IsSubclass(other):
			case other.IsSubclass(meta):
				meta = other
			default:
				return nil, metaConflict()
			}
		}
		return t.Call(meta, []Value{NewStr(name), NewTuple(bases...), ns}, kw)
	}
	bases, err := t.resolveBases(bases)
	if err != nil {
		return nil, err
	}
	for _, b := range bases {
		for _, m := range b.(*Type).MRO {
			if m.BuildClass != nil {
				return m.BuildClass(t, b.(*Type).Meta, name, bases, ns, kw)
			}
		}
	}
	c, err := t.NewClass(name, qualname, bases, ns)
	if err != nil {
		return nil, err
	}
	return c, t.FinishClass(c, kw)
}

func metaConflict() error {
	return TypeErrorf("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases")
}

// isClassBase reports whether b is a class or stands for one.
func isClassBase(b Value) bool {
	switch b.(type) {
	case *Type, *GenericAlias:
		return true
	}
	_, ok := b.Type().Lookup("__mro_entries__")
	return ok
}

// resolveBases replaces generic aliases by their origins.
func (t *Thread) resolveBases(bases []Value) ([]Value, error) {
	out := make([]Value, 0, len(bases))
	for _, b := range bases {
		if g, ok := b.(*GenericAlias); ok {
			b = g.Origin
		}
		if f, ok := b.Type().Lookup("__mro_entries__"); ok {
			r, err := t.callBound(f, b, NewTuple(bases...))
			if err != nil {
				return nil, err
			}
			items, err := t.Collect(r)
			if err != nil {
				return nil, err
			}
			out = append(out, items...)
			continue
		}
		if _, ok := b.(*Type); !ok {
			return nil, metaConflict()
		}
		out = append(out, b)
	}
	return out, nil
}

// NewClass makes the class object without the hooks that FinishClass runs.
func (t *Thread) NewClass(name, qualname string, bases []Value, ns *Dict) (*Type, error) {
	if err := t.Alloc(512); err != nil {
		return nil, err
	}
	if strings.IndexByte(name, 0) >= 0 {
		return nil, ValueErrorf("type name must not contain null characters")
	}
	c := &Type{Name: name, Qualname: qualname, Mod: "__main__", Heap: true, Attrs: ns}
	seen := map[*Type]bool{}
	for _, b := range bases {
		bt := b.(*Type)
		if seen[bt] {
			return nil, TypeErrorf("duplicate base class %s", bt.Name)
		}
		seen[bt] = true
		if bt.final {
			return nil, TypeErrorf("type '%s' is not an acceptable base type", bt.Name)
		}
		c.Bases = append(c.Bases, bt)
		if c.Meta == nil {
			c.Meta = bt.Meta
		}
	}
	if len(c.Bases) == 0 {
		c.Bases = []*Type{ObjectType}
	}
	if err := t.setMRO(c); err != nil {
		return nil, err
	}
	if err := layoutConflict(c); err != nil {
		return nil, err
	}
	if _, own := ns.GetStr("__getattribute__"); own {
		c.hooked = true
	}
	for _, b := range c.Bases {
		c.hooked = c.hooked || b.hooked
		if b.Heap {
			b.subs = append(b.subs, c)
		}
	}
	if m, ok := ns.GetStr("__module__"); ok {
		if s, ok := m.(*Str); ok {
			c.Mod = s.s
		}
	}
	if q, ok := ns.GetStr("__qualname__"); ok {
		if s, ok := q.(*Str); ok {
			c.Qualname = s.s
		}
		_, _ = ns.Pop(t, NewStr("__qualname__"))
	}
	for _, special := range []string{"__init_subclass__", "__class_getitem__"} {
		if f, ok := ns.GetStr(special); ok {
			if _, isFunc := f.(*Function); isFunc {
				ns.SetStr(special, &ClassMethod{f})
			}
		}
	}
	if _, ok := ns.GetStr("__doc__"); !ok {
		ns.SetStr("__doc__", None) // not inherited
	}
	if f, ok := ns.GetStr("__new__"); ok {
		if _, isFunc := f.(*Function); isFunc {
			ns.SetStr("__new__", &StaticMethod{f})
		}
	}
	if _, eq := ns.GetStr("__eq__"); eq {
		if _, hash := ns.GetStr("__hash__"); !hash {
			ns.SetStr("__hash__", None)
		}
	}
	return c, t.setSlots(c)
}

// setMRO linearizes the bases of a new class.
func (t *Thread) setMRO(c *Type) error {
	// Each step of the linearization compares all heads with all tails.
	total := len(c.Bases)
	for _, b := range c.Bases {
		total += len(b.MRO)
	}
	if err := t.Charge(total * total * (len(c.Bases) + 1) / 16); err != nil {
		return err
	}
	if err := t.Alloc(32 * total); err != nil {
		return err
	}
	var conflict []*Type
	if c.MRO, conflict = linearize(c, c.Bases); conflict != nil {
		names := make([]string, len(conflict))
		for i, b := range conflict {
			names[i] = b.Name
		}
		return TypeErrorf("Cannot create a consistent method resolution\norder (MRO) for bases %s", strings.Join(names, ", "))
	}
	return nil
}

// layoutConflict refuses two different built-in layouts in one class.
func layoutConflict(c *Type) error {
	var layout *Type
	for _, m := range c.MRO[1:] {
		if m.solid || m.New != nil && m != ObjectType && !m.Heap {
			switch {
			case layout == nil || m.IsSubclass(layout):
				layout = m
			case !layout.IsSubclass(m):
				return TypeErrorf("multiple bases have instance lay-out conflict")
			}
		}
	}
	return nil
}

func (t *Thread) setSlots(c *Type) error {
	s, ok := c.Attrs.GetStr("__slots__")
	if !ok {
		return nil
	}
	var names []Value
	if one, isStr := s.(*Str); isStr {
		names = []Value{one}
	} else {
		var err error
		if names, err = t.Collect(s); err != nil {
			return err
		}
	}
	c.slots = []string{}
	for _, n := range names {
		name, ok := n.(*Str)
		if !ok {
			return TypeErrorf("__slots__ items must be strings, not '%s'", TypeName(n))
		}
		if _, clash := c.Attrs.GetStr(name.s); clash {
			return ValueErrorf("'%s' in __slots__ conflicts with class variable", name.s)
		}
		c.slots = append(c.slots, name.s)
	}
	return nil
}

// FinishClass runs __set_name__ of the attributes and __init_subclass__ of the parent.
func (t *Thread) FinishClass(c *Type, kw []Kw) error {
	for _, e := range append([]entry(nil), c.Attrs.entries...) {
		if e.key == nil {
			continue
		}
		switch d := e.val.(type) {
		case Named:
			if err := d.SetName(t, c, e.key.(*Str).s); err != nil {
				return err
			}
		case *Instance:
			if f, ok := d.class.Lookup("__set_name__"); ok {
				if _, err := t.callBound(f, d, c, e.key); err != nil {
					return err
				}
			}
		}
	}
	s := &Super{start: c, self: c, class: c}
	f, err := t.superAttr(s, "__init_subclass__")
	if err != nil {
		return err
	}
	_, err = t.Call(f, nil, kw)
	return err
}

// Named is a library descriptor that wants to know its attribute name.
type Named interface {
	SetName(t *Thread, owner *Type, name string) error
}

// GenericAlias is list[int] and the like.
type GenericAlias struct {
	Origin Value
	Args   []Value
}

// GenericAliasType is types.GenericAlias.
var GenericAliasType = sealedIn("types", "GenericAlias")

func sealedIn(mod, name string) *Type {
	c := sealed(name)
	c.Mod, c.Long = mod, true
	return c
}

// Type returns GenericAlias.
func (*GenericAlias) Type() *Type { return GenericAliasType }

// NewGenericAlias makes origin[key].
func NewGenericAlias(origin, key Value) *GenericAlias {
	if tup, ok := key.(*Tuple); ok {
		return &GenericAlias{origin, tup.Items}
	}
	return &GenericAlias{origin, []Value{key}}
}

// CallObject constructs the origin.
func (g *GenericAlias) CallObject(t *Thread, args []Value, kw []Kw) (Value, error) {
	return t.Call(g.Origin, args, kw)
}

// Union is X | Y between classes.
type Union struct{ Args []Value }

// UnionType is types.UnionType.
var UnionType = sealedIn("types", "UnionType")

// Type returns UnionType.
func (*Union) Type() *Type { return UnionType }

// NewUnion makes a | b, flat and without duplicates; NotImplemented when an
// operand is no type.
func NewUnion(a, b Value) Value {
	u := &Union{}
	for i, x := range []Value{a, b} {
		switch y := x.(type) {
		case NoneType:
			x = NoneTypeType
		case *Union:
			if i == 0 {
				u.Args = append([]Value(nil), y.Args...)
				continue
			}
			for _, z := range y.Args {
				u.add(z)
			}
			continue
		case *Type, *GenericAlias, TypeForm:
		default:
			return NotImplemented
		}
		u.add(x)
	}
	if len(u.Args) == 1 {
		return u.Args[0]
	}
	return u
}

// TypeForm is implemented by typing's objects, which may stand in unions.
type TypeForm interface{ TypeForm() }

// sameArgs compares the members of two unions, whose order does not matter.
func (t *Thread) sameArgs(a, b []Value) (bool, error) {
	if err := t.Charge(len(a) * len(b)); err != nil {
		return false, err
	}
	for _, pair := range [][2][]Value{{a, b}, {b, a}} {
		for _, x := range pair[0] {
			found := false
			for _, y := range pair[1] {
				eq, err := t.same(x, y)
				if err != nil {
					return false, err
				}
				found = found || eq
			}
			if !found {
				return false, nil
			}
		}
	}
	return true, nil
}

func (u *Union) add(v Value) {
	for _, x := range u.Args {
		if x == v {
			return
		}
	}
	u.Args = append(u.Args, v)
}

// TypeText is how a type prints inside list[...] and X | Y.
func (t *Thread) TypeText(v Value) (string, error) {
	switch x := v.(type) {
	case *Type:
		if x == NoneTypeType {
			return "None", nil
		}
		if x.Mod == "builtins" {
			return x.Qualname, nil
		}
		return x.Mod + "." + x.Qualname, nil
	case EllipsisType:
		return "...", nil
	}
	return t.Repr(v)
}

// setupGenerics attaches the methods of aliases and unions.
func setupGenerics() {
	join := func(t *Thread, args []Value, sep string) (string, error) {
		var parts []string
		for _, a := range args {
			s, err := t.TypeText(a)
			if err != nil {
				return "", err
			}
			parts = append(parts, s)
		}
		return strings.Join(parts, sep), nil
	}
	GenericAliasType.Finish(
		Def("__repr__", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			g := self.(*GenericAlias)
			o, err := t.TypeText(g.Origin)
			if err != nil {
				return nil, err
			}
			s, err := join(t, g.Args, ", ")
			if len(g.Args) == 0 {
				s = "()"
			}
			return NewStr(o + "[" + s + "]"), err
		}),
		Def("__eq__", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			g := self.(*GenericAlias)
			h, ok := a[0].(*GenericAlias)
			if !ok || h.Origin != g.Origin {
				return Bool(false), nil
			}
			eq, err := t.Eq(NewTuple(g.Args...), NewTuple(h.Args...))
			return Bool(eq), err
		}),
		Def("__hash__", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			h, err := t.hashTuple(self.(*GenericAlias).Args)
			return Int(h), err
		}),
		Get("__origin__", func(_ *Thread, self Value) (Value, error) { return self.(*GenericAlias).Origin, nil }),
		Get("__args__", func(_ *Thread, self Value) (Value, error) { return NewTuple(self.(*GenericAlias).Args...), nil }),
		Def("__or__", "other, /", func(_ *Thread, self Value, a []Value) (Value, error) { return NewUnion(self, a[0]), nil }),
		Def("__ror__", "other, /", func(_ *Thread, self Value, a []Value) (Value, error) { return NewUnion(a[0], self), nil }),
	)
	UnionType.Finish(
		Def("__repr__", "/", func(t *Thread, self Value, _ []Value) (Value, error) {
			s, err := join(t, self.(*Union).Args, " | ")
			return NewStr(s), err
		}),
		Def("__eq__", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			h, ok := a[0].(*Union)
			if !ok {
				return NotImplemented, nil
			}
			eq, err := t.sameArgs(self.(*Union).Args, h.Args)
			return Bool(eq), err
		}),
		Def("__hash__", "/", func(_ *Thread, self Value, _ []Value) (Value, error) {
			return Int(len(self.(*Union).Args)), nil
		}),
		Get("__args__", func(_ *Thread, self Value) (Value, error) { return NewTuple(self.(*Union).Args...), nil }),
		Def("__or__", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			return NewUnion(self, a[0]), t.Alloc(64 * len(self.(*Union).Args))
		}),
		Def("__ror__", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			return NewUnion(a[0], self), t.Alloc(64 * len(self.(*Union).Args))
		}),
	)
}
