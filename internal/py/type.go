package py

import "slices"

// Type is a class: built-in, of the library, or written in Python.
type Type struct {
	Name     string
	Qualname string
	Mod      string // "builtins" is left out of reprs
	Bases    []*Type
	MRO      []*Type // the class itself first, object last
	Attrs    *Dict   // methods and class attributes in definition order
	Heap     bool    // written in Python or made at run time: may be assigned to
	Meta     *Type   // metaclass with methods on the class itself (enum); nil: type

	// New makes an object from constructor arguments; inherited by subclasses.
	// nil on a class means: use the nearest base's. It receives the class that
	// is called, which may be a subclass.
	New func(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error)
	// BuildClass, when a base has it, replaces ordinary class creation
	// (enum, NamedTuple, TypedDict).
	BuildClass func(t *Thread, meta *Type, name string, bases []Value, ns *Dict, kw []Kw) (Value, error)
	// OpenBody, when a base has it, makes the observer of a class body.
	OpenBody func(t *Thread, name string, bases []Value) (ClassBody, error)

	final  bool // cannot be subclassed (bool, NoneType, range, ...)
	solid  bool // one of the built-ins whose operators are Go code on the payload
	slots  []string
	shared bool    // a record class of a template: see share.go
	hooked bool    // a class of the MRO written in Python defines __getattribute__
	subs   []*Type // direct subclasses, of classes written in Python

	// Long makes error messages name the class with its module, as CPython does
	// for classes written in C (datetime.date).
	Long bool
	// Sequence makes subscripts of a library class plain indexes: anything else
	// is refused before its methods are called.
	Sequence bool
}

// ClassBody sees the assignments of a class body while it runs, as the
// namespace that a metaclass prepares does in CPython (enum).
type ClassBody interface {
	// Store returns what name is bound to when v is assigned.
	Store(t *Thread, ns *Dict, name string, v Value) (Value, error)
	// Close is called with the finished namespace.
	Close(t *Thread, ns *Dict) error
}

// Type returns type, or the metaclass.
func (c *Type) Type() *Type {
	if c.Meta != nil {
		return c.Meta
	}
	return TypeType
}

// IsSubclass reports whether c is base or derives from it.
func (c *Type) IsSubclass(base *Type) bool {
	if c == base {
		return true
	}
	for _, m := range c.MRO {
		if m == base {
			return true
		}
	}
	return false
}

// IsInstance reports whether v's class is c or derives from it.
func (c *Type) IsInstance(v Value) bool { return v.Type().IsSubclass(c) }

// Lookup finds name in the class and its bases, without descriptors' effect.
func (c *Type) Lookup(name string) (Value, bool) {
	for _, m := range c.MRO {
		if v, ok := m.Attrs.GetStr(name); ok {
			return v, true
		}
	}
	return nil, false
}

// NewType makes a library class. bases defaults to object. Methods are added
// with AddMethods before the class is published; afterwards it is immutable.
func NewType(module, name string, bases ...*Type) *Type {
	if len(bases) == 0 {
		bases = []*Type{ObjectType}
	}
	c := &Type{Name: name, Qualname: name, Mod: module, Bases: bases, Attrs: &Dict{}}
	mro, conflict := linearize(c, bases)
	if conflict != nil {
		mro = append([]*Type{c}, bases[0].MRO...)
	}
	c.MRO = mro
	return c
}

// rootType makes object, the one class without a base.
func rootType() *Type {
	c := &Type{Name: "object", Qualname: "object", Mod: "builtins", Attrs: &Dict{}}
	c.MRO = []*Type{c}
	return c
}

// Finish adds methods and attributes to a library class: natives, getters, or
// any value under a name.
func (c *Type) Finish(members ...Member) *Type {
	for _, m := range members {
		if n, ok := m.Value.(*Native); ok && n.Owner == nil {
			n.Owner = c
		}
		if s, ok := m.Value.(*StaticMethod); ok {
			if n, ok := s.Fn.(*Native); ok {
				n.home = c
			}
		}
		c.Attrs.SetStr(m.Name, m.Value)
	}
	return c
}

// Member is a named attribute of a library class or module.
type Member struct {
	Name  string
	Value Value
}

// Def makes a method (signature without self; see NewMethod) as a class member.
func Def(name, sig string, fn MethodFunc) Member {
	return Member{name, NewMethod(name, sig, fn)}
}

// Get makes a read-only computed attribute as a class member.
func Get(name string, fn func(t *Thread, self Value) (Value, error)) Member {
	return Member{name, &Getter{Name: name, Fn: fn}}
}

// Func makes a module-level function as a member (see NewFunc).
func Func(name, sig string, fn NativeFunc) Member {
	return Member{name, NewFunc(name, sig, fn)}
}

// linearize computes the C3 method resolution order. When the bases' orders
// contradict each other it returns the classes that compete for the next place.
// Source: Barrett et al., "A Monotonic Superclass Linearization for Dylan" (1996).
func linearize(c *Type, bases []*Type) (mro, conflict []*Type) {
	var seqs [][]*Type
	for _, b := range bases {
		seqs = append(seqs, append([]*Type(nil), b.MRO...))
	}
	seqs = append(seqs, append([]*Type(nil), bases...))
	out := []*Type{c}
	for {
		left := seqs[:0]
		for _, s := range seqs {
			if len(s) > 0 {
				left = append(left, s)
			}
		}
		seqs = left
		if len(seqs) == 0 {
			return out, nil
		}
		next := mroHead(seqs)
		if next == nil {
			for _, s := range seqs {
				if !slices.Contains(conflict, s[0]) {
					conflict = append(conflict, s[0])
				}
			}
			return nil, conflict
		}
		out = append(out, next)
		for i, s := range seqs {
			if s[0] == next {
				seqs[i] = s[1:]
			}
		}
	}
}

// mroHead picks the first head that is in no tail, or nil.
func mroHead(seqs [][]*Type) *Type {
	for _, s := range seqs {
		head, ok := s[0], true
		for _, o := range seqs {
			for _, x := range o[1:] {
				if x == head {
					ok = false
				}
			}
		}
		if ok {
			return head
		}
	}
	return nil
}
