package py

// setMembers are the methods of set.
func setMembers() []Member {
	return append(commonSetMembers(SetType),
		Def("add", "object, /", func(t *Thread, self Value, a []Value) (Value, error) {
			return None, self.(*Set).Add(t, a[0])
		}),
		Def("clear", "", func(t *Thread, self Value, a []Value) (Value, error) {
			self.(*Set).assign(t, table{})
			return None, nil
		}),
		Def("discard", "object, /", func(t *Thread, self Value, a []Value) (Value, error) {
			_, err := t.setRemove(self.(*Set), a[0])
			return None, err
		}),
		Def("pop", "", setPop),
		Def("remove", "object, /", func(t *Thread, self Value, a []Value) (Value, error) {
			had, err := t.setRemove(self.(*Set), a[0])
			if err == nil && !had {
				err = KeyErrorFor(a[0])
			}
			return None, err
		}),
		counted(SetType, "update", 0, -1, setEach((*Thread).setAddAll)),
		counted(SetType, "difference_update", 0, -1, setEach((*Thread).setRemoveAll)),
		counted(SetType, "intersection_update", 0, -1, func(t *Thread, self Value, a []Value) (Value, error) {
			s := self.(*Set)
			r, err := t.setMeetAll(s, a)
			if err != nil {
				return nil, err
			}
			s.assign(t, r.tab)
			return None, nil
		}),
		Def("symmetric_difference_update", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			s := self.(*Set)
			r, err := setSymmetric(t, s, a[0])
			if err != nil {
				return nil, err
			}
			s.assign(t, r.tab)
			return None, nil
		}),
		initSlot(SetType, 1, false, func(t *Thread, self Value, args []Value, kw []Kw) error {
			s := self.(*Set)
			if s.Len() > 0 {
				s.assign(t, table{})
			}
			if len(args) == 0 {
				return nil
			}
			return t.setAddAll(s, args[0])
		}))
}

// setEach makes a method that changes the set by each argument in turn.
func setEach(change func(t *Thread, s *Set, other Value) error) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		for _, other := range a {
			if err := change(t, self.(*Set), other); err != nil {
				return nil, err
			}
		}
		return None, nil
	}
}

// frozenSetMembers are the methods of frozenset.
func frozenSetMembers() []Member { return commonSetMembers(FrozenSetType) }

// commonSetMembers are the methods that set and frozenset share.
func commonSetMembers(owner *Type) []Member {
	return []Member{
		Def("copy", "", func(t *Thread, self Value, a []Value) (Value, error) {
			s := self.(*Set)
			if s.Frozen {
				return s, nil
			}
			return orNil(t.setCopy(s))
		}),
		counted(owner, "difference", 0, -1, func(t *Thread, self Value, a []Value) (Value, error) {
			r, err := t.setCopy(self.(*Set))
			for i := 0; err == nil && i < len(a); i++ {
				err = t.setRemoveAll(r, a[i])
			}
			return orNil(r, err)
		}),
		counted(owner, "intersection", 0, -1, func(t *Thread, self Value, a []Value) (Value, error) {
			return orNil(t.setMeetAll(self.(*Set), a))
		}),
		Def("isdisjoint", "other, /", setDisjoint),
		Def("issubset", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			o, err := t.asSetOf(a[0])
			if err != nil {
				return nil, err
			}
			ok, err := setSubset(t, self.(*Set), o)
			return Bool(ok), err
		}),
		Def("issuperset", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			if o, ok := AsSet(a[0]); ok {
				holds, err := setSubset(t, o, self.(*Set))
				return Bool(holds), err
			}
			missing, err := t.until(a[0], func(x Value) (bool, error) {
				has, err := self.(*Set).Has(t, x)
				return !has, err
			})
			return Bool(!missing), err
		}),
		Def("symmetric_difference", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			return orNil(setSymmetric(t, self.(*Set), a[0]))
		}),
		counted(owner, "union", 0, -1, func(t *Thread, self Value, a []Value) (Value, error) {
			r, err := t.setCopy(self.(*Set))
			for i := 0; err == nil && i < len(a); i++ {
				err = t.setAddAll(r, a[i])
			}
			return orNil(r, err)
		}),
	}
}

// assign replaces the content.
func (s *Set) assign(t *Thread, tab table) {
	t.touchSet(s)
	t.wroteAll(&s.obj)
	s.tab = tab
}

// setCopy copies a set; a frozenset gives a frozenset. The copy may be changed
// until it is handed out.
func (t *Thread) setCopy(s *Set) (*Set, error) {
	if err := t.Alloc(56 * s.Len()); err != nil {
		return nil, err
	}
	if err := t.Charge(s.Len()); err != nil {
		return nil, err
	}
	t.sawKeys(&s.obj)
	n := &Set{Frozen: s.Frozen}
	n.txn = t.txn
	n.tab.entries = make([]entry, 0, s.Len())
	for _, e := range s.tab.entries {
		if e.key != nil {
			n.tab.put(-1, e.hash, e.key, e.val)
		}
	}
	return n, nil
}

// setOf makes a new set of the elements of any iterable.
func (t *Thread) setOf(v Value) (*Set, error) {
	s := &Set{}
	s.txn = t.txn
	return s, t.setAddAll(s, v)
}

// asSetOf returns v itself when it is a set and a new set of its elements
// otherwise.
func (t *Thread) asSetOf(v Value) (*Set, error) {
	if s, ok := AsSet(v); ok {
		return s, nil
	}
	return t.setOf(v)
}

// setAddAll adds the elements of an iterable.
func (t *Thread) setAddAll(s *Set, v Value) error {
	if o, ok := AsSet(v); ok {
		for _, x := range o.Items(t) {
			if err := t.Charge(1); err != nil {
				return err
			}
			if err := s.Add(t, x); err != nil {
				return err
			}
		}
		return nil
	}
	return t.ForEach(v, func(x Value) error { return s.Add(t, x) })
}

// setRemoveAll removes the elements of an iterable.
func (t *Thread) setRemoveAll(s *Set, v Value) error {
	if o, ok := AsSet(v); ok {
		if o == s {
			s.assign(t, table{})
			return nil
		}
		for _, x := range o.Items(t) {
			if err := t.Charge(1); err != nil {
				return err
			}
			if _, err := s.Remove(t, x); err != nil {
				return err
			}
		}
		return nil
	}
	return t.ForEach(v, func(x Value) error {
		_, err := s.Remove(t, x)
		return err
	})
}

// setKey is v as an element to look for: an unhashable set stands for its
// frozen copy.
func (t *Thread) setKey(v Value) (Value, error) {
	s, ok := AsSet(v)
	if !ok || s.Frozen {
		return v, nil
	}
	if _, err := t.Hash(v); err == nil { // a subclass with a hash of its own
		return v, nil
	}
	n, err := t.setCopy(s)
	if err != nil {
		return nil, err
	}
	n.Frozen = true
	return n, nil
}

// setHas is v in s.
func (t *Thread) setHas(s *Set, v Value) (bool, error) {
	k, err := t.setKey(v)
	if err != nil {
		return false, err
	}
	return s.Has(t, k)
}

func (t *Thread) setRemove(s *Set, v Value) (bool, error) {
	k, err := t.setKey(v)
	if err != nil {
		return false, err
	}
	return s.Remove(t, k)
}

func setPop(t *Thread, self Value, _ []Value) (Value, error) {
	s := self.(*Set)
	if s.Len() == 0 {
		return nil, RaiseType(KeyErrorType, "pop from an empty set")
	}
	i := s.tab.head
	for s.tab.entries[i].key == nil {
		i++
	}
	k := s.tab.entries[i].key
	t.touchSet(s)
	t.wroteAll(&s.obj)
	s.tab.remove(i)
	return k, nil
}

// setMeetAll is s.intersection(*others).
func (t *Thread) setMeetAll(s *Set, others []Value) (*Set, error) {
	if len(others) == 0 {
		return t.setCopy(s)
	}
	r := s
	for _, o := range others {
		var err error
		if r, err = setIntersection(t, r, o); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func setDisjoint(t *Thread, self Value, a []Value) (Value, error) {
	met, err := t.until(a[0], func(x Value) (bool, error) { return self.(*Set).Has(t, x) })
	return Bool(!met), err
}

// setUnion returns a | b for a set and any iterable; the kind of a decides
// whether the result is frozen, here and below.
func setUnion(t *Thread, a *Set, b Value) (*Set, error) {
	r, err := t.setCopy(a)
	if err != nil {
		return nil, err
	}
	return r, t.setAddAll(r, b)
}

// setIntersection returns a & b. Of two sets it keeps the elements of the
// smaller one, as CPython does (1 and 1.0 are equal but not the same).
func setIntersection(t *Thread, a *Set, b Value) (*Set, error) {
	r := &Set{Frozen: a.Frozen}
	r.txn = t.txn
	from, in := b, a
	if s, ok := AsSet(b); ok && s.Len() > a.Len() {
		from, in = a, s
	}
	return r, t.ForEach(from, func(x Value) error {
		ok, err := in.Has(t, x)
		if ok && err == nil {
			err = r.Add(t, x)
		}
		return err
	})
}

// setDifference returns a - b.
func setDifference(t *Thread, a *Set, b Value) (*Set, error) {
	r, err := t.setCopy(a)
	if err != nil {
		return nil, err
	}
	return r, t.setRemoveAll(r, b)
}

// setSymmetric returns a ^ b.
func setSymmetric(t *Thread, a *Set, b Value) (*Set, error) {
	o, err := t.asSetOf(b)
	if err != nil {
		return nil, err
	}
	r, err := setDifference(t, a, o)
	if err != nil {
		return nil, err
	}
	for _, x := range o.Items(t) {
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		in, err := a.Has(t, x)
		if err == nil && !in {
			err = r.Add(t, x)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// setSubset reports whether every element of a is in b.
func setSubset(t *Thread, a, b *Set) (bool, error) {
	if a.Len() > b.Len() {
		return false, nil
	}
	for _, x := range a.Items(t) {
		if err := t.Charge(1); err != nil {
			return false, err
		}
		if ok, err := b.Has(t, x); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
