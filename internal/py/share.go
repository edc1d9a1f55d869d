package py

// This file lets episodes of one world share what none of them can change.
//
// A world's module is executed once; every episode then starts as a fork of
// that template. Functions without a closure are the bulk of it. They are
// immutable but for their globals and their attributes, so a shared function
// looks both up on the thread: the globals of the home module in home, its
// attributes in attrs. Forks then copy neither.

// home is the module that a thread's shared functions belong to.
type home struct {
	module *Module // identity; nil when nothing is shared
	attrs  *Dict   // this thread's globals of it
	fn     map[*Function]*Dict
}

// namespace returns the globals of a module as this thread sees them.
func (t *Thread) namespace(m *Module) *Dict {
	if m == t.home.module && m != nil {
		return t.home.attrs
	}
	return m.Attrs
}

// Namespace returns the globals of a module as this thread sees them.
func (t *Thread) Namespace(m *Module) *Dict { return t.namespace(m) }

// functionAttrs is the attribute dictionary of a function; nil when it has
// none and create is false.
func (t *Thread) functionAttrs(f *Function, create bool) *Dict {
	if !f.shared {
		if f.Attrs == nil && create {
			f.Attrs = &Dict{}
		}
		return f.Attrs
	}
	d := t.home.fn[f]
	if d == nil && create {
		if t.home.fn == nil {
			t.home.fn = map[*Function]*Dict{}
		}
		d = &Dict{}
		t.home.fn[f] = d
	}
	return d
}

// Pure reports whether what ran on the thread so far depended on neither its
// seed nor its clock.
func (t *Thread) Pure() bool {
	fresh := NewThread(t.seed, nil, Limits{})
	return *fresh.rng == *t.rng && len(t.locals) == 0 && !t.clockRead && len(t.out) == 0
}

// Freeze makes the thread a template with m as its module: from now on it may
// only be forked. Several goroutines may fork it at once.
func (t *Thread) Freeze(m *Module) {
	t.home = home{module: m, attrs: m.Attrs}
	for _, e := range m.Attrs.entries {
		freeze(e.val, m)
	}
}

// freeze marks the functions of the module's top level and of its classes.
func freeze(v Value, m *Module) {
	switch x := v.(type) {
	case *Function:
		x.shared = x.Globals == m && x.Closure == nil && x.Attrs == nil && scalars(x.Defaults) && scalars(x.KwDefaults)
	case *StaticMethod:
		freeze(x.Fn, m)
	case *ClassMethod:
		freeze(x.Fn, m)
	case *Property:
		for _, f := range []Value{x.Get, x.Set, x.Del} {
			if f != nil {
				freeze(f, m)
			}
		}
	case *Type:
		// TypedDict classes only describe; their calls make plain dicts.
		if _, record := x.Attrs.GetStr("__total__"); record && x.Heap {
			x.shared = true
			return
		}
		if x.Heap {
			for _, e := range x.Attrs.entries {
				if _, class := e.val.(*Type); !class {
					freeze(e.val, m)
				}
			}
		}
	}
}

// scalars reports whether all values are immutable through and through.
func scalars(vs []Value) bool {
	for _, v := range vs {
		switch x := v.(type) {
		case nil, *Str, Int, Float, Bool, NoneType, *Big, *Bytes, EllipsisType:
		case *Tuple:
			if !scalars(x.Items) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// ForkSeed is Fork for a new episode: with its own seed and limits.
func (t *Thread) ForkSeed(c *Copier, seed uint64, lim Limits) (*Thread, error) {
	n, err := t.Fork(c)
	if err != nil {
		return nil, err
	}
	fresh := NewThread(seed, nil, lim)
	n.rng, n.seed, n.lim = fresh.rng, seed, fresh.lim
	n.Refill()
	return n, nil
}
