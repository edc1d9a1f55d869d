package py

// Set is Python's set or frozenset; it iterates in insertion order.
type Set struct {
	obj
	tab    table
	Frozen bool
}

// Type returns set or frozenset.
func (s *Set) Type() *Type {
	if s.Frozen {
		return FrozenSetType
	}
	return SetType
}

// NewSet makes a set that the current transaction owns.
func (t *Thread) NewSet(items ...Value) (*Set, error) {
	s := &Set{}
	s.txn = t.txn
	for _, v := range items {
		if err := s.Add(t, v); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Len is the number of elements.
func (s *Set) Len() int { return s.tab.live }

// Has reports whether v is an element.
func (s *Set) Has(t *Thread, v Value) (bool, error) {
	h, err := t.Hash(v)
	if err != nil {
		return false, err
	}
	i, err := s.tab.find(t, v, h)
	t.sawKeys(&s.obj)
	return i >= 0, err
}

// Add puts v in the set.
func (s *Set) Add(t *Thread, v Value) error {
	h, err := t.Hash(v)
	if err != nil {
		return err
	}
	i, err := s.tab.find(t, v, h)
	if err != nil || i >= 0 {
		return err
	}
	if err := t.Alloc(56); err != nil {
		return err
	}
	t.touchSet(s)
	t.wroteAll(&s.obj)
	s.tab.put(-1, h, v, None)
	return nil
}

// Remove takes v out and reports whether it was there.
func (s *Set) Remove(t *Thread, v Value) (bool, error) {
	h, err := t.Hash(v)
	if err != nil {
		return false, err
	}
	i, err := s.tab.find(t, v, h)
	if err != nil || i < 0 {
		return false, err
	}
	t.touchSet(s)
	t.wroteAll(&s.obj)
	s.tab.remove(i)
	return true, nil
}

// Items returns the elements in insertion order.
func (s *Set) Items(t *Thread) []Value {
	t.sawKeys(&s.obj)
	return s.tab.keys()
}

// List is Python's list.
type List struct {
	obj
	Items []Value // change through Thread.Touch-aware methods only
}

// Type returns list.
func (*List) Type() *Type { return ListType }

// NewList makes a list that owns items.
func (t *Thread) NewList(items []Value) *List {
	l := &List{Items: items}
	l.txn = t.txn
	return l
}

// Append adds v at the end.
func (l *List) Append(t *Thread, v Value) error {
	if len(l.Items) == cap(l.Items) {
		if err := t.Alloc(16 * (len(l.Items) + 4)); err != nil {
			return err
		}
	}
	t.touchList(l)
	l.Items = append(l.Items, v)
	if t.log.on {
		t.wroteItem(&l.obj, Int(len(l.Items)-1), v)
	}
	return nil
}

// At returns item i (in range) and logs the read.
func (l *List) At(t *Thread, i int) Value {
	v := l.Items[i]
	if t.log.on {
		t.sawItem(&l.obj, Int(i), v)
	}
	return v
}

// Replace sets the whole content; items is owned by the list afterwards.
func (l *List) Replace(t *Thread, items []Value) {
	t.touchList(l)
	t.wroteAll(&l.obj)
	l.Items = items
}
