package py

import "slices"

// Copier makes a deep copy of a thread's heap for a fork: everything mutable
// that is reached is copied once, everything immutable is shared. Aliases stay
// aliases.
type Copier struct {
	home  *Module           // shared by all forks; each has its own globals of it
	memo  map[uintptr]Value // by the address of the original
	depth int
	ids   *idCarrier // nil outside of a fork
}

// maxCopyDepth bounds the nesting of what can be copied, since the copy recurses.
const maxCopyDepth = 20_000

// NewCopier makes a copier with room for about n containers.
func NewCopier(n int) *Copier { return &Copier{memo: make(map[uintptr]Value, n)} }

// Copyable is implemented by library objects that a fork must copy.
type Copyable interface {
	CopyFor(c *Copier) (Value, error)
}

func (c *Copier) refuse(v Value) error {
	return TypeErrorf("cannot copy a live '%s' object for a fork", TypeName(v))
}

// Copy returns the fork's version of v.
func (c *Copier) Copy(v Value) (Value, error) {
	switch x := v.(type) {
	case nil, *Str, Int, Float, Bool, NoneType, *Big, *Bytes, *Native, *Range, EllipsisType, NotImplementedType, *Code:
		return v, nil
	case *Tuple:
		return c.copyTuple(x)
	case *Type:
		if !x.Heap || x.shared {
			return x, nil
		}
	case *Module:
		if x.Fixed || x == c.home {
			return x, nil
		}
	case *Function:
		if x.shared {
			return x, nil
		}
	case *Getter:
		return x, nil
	}
	if n, ok := c.memo[pointerOf(v)]; ok {
		return n, nil
	}
	if c.depth++; c.depth > maxCopyDepth {
		return nil, &LimitError{LimitDepth, "values nested more than 20000 deep cannot be copied"}
	}
	defer func() { c.depth-- }()
	switch x := v.(type) {
	case *Dict:
		n := &Dict{}
		c.memo[pointerOf(v)] = n
		return n, c.table(&n.table, &x.table)
	case *List:
		n := &List{}
		c.memo[pointerOf(v)] = n
		var err error
		n.Items, err = c.slice(x.Items)
		return n, err
	case *Set:
		n := &Set{Frozen: x.Frozen}
		c.memo[pointerOf(v)] = n
		return n, c.table(&n.tab, &x.tab)
	case *Instance:
		return c.keepID(v)(c.copyInstance(x))
	case *Function:
		return c.keepID(v)(c.copyFunction(x))
	case *Type:
		return c.keepID(v)(c.copyClass(x))
	case *Module:
		n := &Module{Name: x.Name}
		c.memo[pointerOf(v)] = n
		d, err := c.Copy(x.Attrs)
		if err == nil {
			n.Attrs = d.(*Dict)
		}
		return n, err
	case *Cell:
		n := &Cell{}
		c.memo[pointerOf(v)] = n
		var err error
		n.V, err = c.Copy(x.V)
		return n, err
	}
	return c.keepID(v)(c.copyOther(v))
}

// keepID gives the copy of v its id, by which tables may have hashed it.
func (c *Copier) keepID(v Value) func(Value, error) (Value, error) {
	return func(n Value, err error) (Value, error) {
		if c.ids != nil && err == nil {
			c.ids.carry(v, n)
		}
		return n, err
	}
}

func (c *Copier) copyOther(v Value) (Value, error) {
	switch x := v.(type) {
	case *Method:
		f, err := c.Copy(x.Fn)
		if err != nil {
			return nil, err
		}
		s, err := c.Copy(x.Self)
		return &Method{f, s}, err
	case *StaticMethod:
		f, err := c.Copy(x.Fn)
		if f == x.Fn {
			return x, err
		}
		return &StaticMethod{f}, err
	case *ClassMethod:
		f, err := c.Copy(x.Fn)
		if f == x.Fn {
			return x, err
		}
		return &ClassMethod{f}, err
	case *Property:
		old := []Value{x.Get, x.Set, x.Del, x.Doc}
		parts, err := c.slice(old)
		if err != nil {
			return nil, err
		}
		if slices.Equal(parts, old) {
			return x, nil
		}
		return &Property{parts[0], parts[1], parts[2], parts[3], x.name}, nil
	case *GenericAlias:
		args, err := c.slice(x.Args)
		if err != nil {
			return nil, err
		}
		o, err := c.Copy(x.Origin)
		return &GenericAlias{o, args}, err
	case *Union:
		args, err := c.slice(x.Args)
		return &Union{args}, err
	case *Slice:
		return x, nil
	case *Super:
		return nil, c.refuse(x)
	case Copyable:
		n, err := x.CopyFor(c)
		if err == nil {
			c.memo[pointerOf(v)] = n
		}
		return n, err
	}
	// What is left is an immutable library value (date, UUID, pattern).
	return v, nil
}

func (c *Copier) slice(items []Value) ([]Value, error) {
	if items == nil {
		return nil, nil
	}
	out := make([]Value, len(items))
	for i, v := range items {
		switch v.(type) {
		case *Str, Int, Float, Bool, NoneType:
			out[i] = v
			continue
		}
		n, err := c.Copy(v)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

func (c *Copier) table(dst, src *table) error {
	dst.entries = make([]entry, len(src.entries))
	copy(dst.entries, src.entries)
	if src.index != nil {
		dst.index = append([]int32(nil), src.index...)
	}
	dst.live, dst.used, dst.head = src.live, src.used, src.head
	moved := false // a key is hashed by its address, which the copy does not share
	for i := range dst.entries {
		e := &dst.entries[i]
		switch e.key.(type) {
		case *Str, Int, nil:
		default:
			k, err := c.Copy(e.key)
			if err != nil {
				return err
			}
			if h, ok := addressHash(k); ok && h != e.hash {
				e.hash, moved = h, true
			}
			e.key = k
		}
		switch e.val.(type) {
		case *Str, Int, Float, Bool, NoneType, nil:
			continue
		}
		v, err := c.Copy(e.val)
		if err != nil {
			return err
		}
		e.val = v
	}
	if moved && dst.index != nil {
		dst.reindex()
	}
	return nil
}

// copyTuple shares a tuple whose items all stay the same.
func (c *Copier) copyTuple(x *Tuple) (Value, error) {
	if c.depth++; c.depth > maxCopyDepth {
		return nil, &LimitError{LimitDepth, "values nested more than 20000 deep cannot be copied"}
	}
	defer func() { c.depth-- }()
	items, err := c.slice(x.Items)
	if err != nil {
		return nil, err
	}
	for i := range items {
		if items[i] != x.Items[i] {
			return &Tuple{items}, nil
		}
	}
	return x, nil
}

func (c *Copier) copyInstance(x *Instance) (Value, error) {
	n := &Instance{}
	c.memo[pointerOf(x)] = n
	cls, err := c.Copy(x.class)
	if err != nil {
		return nil, err
	}
	n.class = cls.(*Type)
	if x.attrs != nil {
		d, err := c.Copy(x.attrs)
		if err != nil {
			return nil, err
		}
		n.attrs = d.(*Dict)
	}
	if n.exc, err = c.copyExc(x.exc); err != nil {
		return nil, err
	}
	n.payload, err = c.Copy(x.payload)
	return n, err
}

// copyExc copies what an exception carries.
func (c *Copier) copyExc(x *excState) (*excState, error) {
	if x == nil {
		return nil, nil
	}
	n := *x
	args, err := c.copyTuple(x.args)
	if err != nil {
		return nil, err
	}
	n.args = args.(*Tuple)
	for _, link := range []**Instance{&n.cause, &n.context} {
		if *link == nil {
			continue
		}
		e, err := c.Copy(*link)
		if err != nil {
			return nil, err
		}
		*link = e.(*Instance)
	}
	return &n, nil
}

func (c *Copier) copyFunction(x *Function) (Value, error) {
	n := *x
	c.memo[pointerOf(x)] = &n
	m, err := c.Copy(x.Globals)
	if err != nil {
		return nil, err
	}
	n.Globals = m.(*Module)
	if n.Defaults, err = c.slice(x.Defaults); err != nil {
		return nil, err
	}
	if n.KwDefaults, err = c.slice(x.KwDefaults); err != nil {
		return nil, err
	}
	if x.Closure != nil {
		n.Closure = make([]*Cell, len(x.Closure))
		for i, cell := range x.Closure {
			k, err := c.Copy(cell)
			if err != nil {
				return nil, err
			}
			n.Closure[i] = k.(*Cell)
		}
	}
	if x.Attrs != nil {
		d, err := c.Copy(x.Attrs)
		if err != nil {
			return nil, err
		}
		n.Attrs = d.(*Dict)
	}
	return &n, nil
}

func (c *Copier) copyClass(x *Type) (Value, error) {
	n := *x
	c.memo[pointerOf(x)] = &n
	n.Bases, n.MRO = make([]*Type, len(x.Bases)), make([]*Type, len(x.MRO))
	for i, b := range x.Bases {
		k, err := c.Copy(b)
		if err != nil {
			return nil, err
		}
		n.Bases[i] = k.(*Type)
	}
	for i, b := range x.MRO {
		k, err := c.Copy(b)
		if err != nil {
			return nil, err
		}
		n.MRO[i] = k.(*Type)
	}
	n.subs = make([]*Type, len(x.subs))
	for i, b := range x.subs {
		k, err := c.Copy(b)
		if err != nil {
			return nil, err
		}
		n.subs[i] = k.(*Type)
	}
	d, err := c.Copy(x.Attrs)
	if err != nil {
		return nil, err
	}
	n.Attrs = d.(*Dict)
	return &n, nil
}

// Fork makes a thread that continues from this one's state: the same random
// sequence, clock and module state. Values are copied by c; copy the roots
// (module, instance) through the same c.
func (t *Thread) Fork(c *Copier) (*Thread, error) {
	rng := *t.rng
	n := &Thread{Importer: t.Importer, Now: t.Now, Monotonic: t.Monotonic, lim: t.lim, rng: &rng, seed: t.seed}
	if old, ok := t.locals[idLocal].(*idTable); ok {
		fresh := old.Clone().(*idTable)
		n.locals = map[string]Local{idLocal: fresh}
		c.ids = &idCarrier{old, fresh}
	}
	if c.home = t.home.module; c.home != nil {
		n.home.module = c.home
		d, err := c.Copy(t.home.attrs)
		if err != nil {
			return nil, err
		}
		n.home.attrs = d.(*Dict)
		for f, attrs := range t.home.fn {
			d, err := c.Copy(attrs)
			if err != nil {
				return nil, err
			}
			if n.home.fn == nil {
				n.home.fn = make(map[*Function]*Dict, len(t.home.fn))
			}
			n.home.fn[f] = d.(*Dict)
		}
	}
	for k, l := range t.locals {
		if k == idLocal {
			continue
		}
		if n.locals == nil {
			n.locals = map[string]Local{}
		}
		n.locals[k] = l.Clone()
	}
	n.Refill()
	return n, nil
}
