package py

// Len is len(v).
func (t *Thread) Len(v Value) (int, error) {
	switch x := v.(type) {
	case *Str:
		return x.n, nil
	case *List:
		t.sawKeys(&x.obj)
		return len(x.Items), nil
	case *Tuple:
		return len(x.Items), nil
	case *Dict:
		t.sawKeys(&x.obj)
		return x.live, nil
	case *Set:
		t.sawKeys(&x.obj)
		return x.Len(), nil
	case *Bytes:
		return len(x.B), nil
	case *Range:
		return x.length()
	case *MappingProxy:
		return x.D.live, nil
	}
	f, ok := v.Type().Lookup("__len__")
	if !ok || f == None {
		return 0, TypeErrorf("object of type '%s' has no len()", TypeName(v))
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return t.Len(Unwrap(v))
	}
	r, err := t.callBound(f, v)
	if err != nil {
		return 0, err
	}
	i, err := t.index(r)
	if err != nil {
		return 0, err
	}
	n, ok := AsInt(i)
	switch {
	case !ok && i.(*Big).V.Sign() > 0:
		return 0, OverflowErrorf("cannot fit '%s' into an index-sized integer", TypeName(r))
	case !ok, n < 0:
		return 0, ValueErrorf("__len__() should return >= 0")
	}
	return int(n), nil
}

// GetItem is v[key].
func (t *Thread) GetItem(v, key Value) (Value, error) {
	switch x := v.(type) {
	case *Dict:
		r, err := x.Get(t, key)
		if r == nil && err == nil {
			err = KeyErrorFor(key)
		}
		return r, err
	case *List:
		return t.listItem(x, key)
	case *Tuple:
		if s, ok := key.(*Slice); ok {
			items, err := t.sliceItems(x.Items, s)
			return NewTuple(items...), err
		}
		i, err := t.position(key, len(x.Items), "tuple", "tuple index out of range")
		if err != nil {
			return nil, err
		}
		return x.Items[i], nil
	case *Str:
		return t.strItem(x, key)
	case *Bytes:
		if s, ok := key.(*Slice); ok {
			start, _, step, n, err := t.sliceBounds(s, len(x.B))
			if err != nil {
				return nil, err
			}
			return &Bytes{string(pick([]byte(x.B), start, step, n))}, t.Alloc(n)
		}
		i, err := t.position(key, len(x.B), "byte", "index out of range")
		if err != nil {
			return nil, err
		}
		return Int(x.B[i]), nil
	case *Range:
		return t.rangeItem(x, key)
	case *MappingProxy:
		return t.GetItem(x.D, key)
	case *Type:
		return t.typeItem(x, key)
	}
	f, ok := v.Type().Lookup("__getitem__")
	if !ok {
		return nil, TypeErrorf("'%s' object is not subscriptable", TypeName(v))
	}
	if v.Type().Sequence {
		if err := t.checkIndex(key); err != nil {
			return nil, err
		}
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		if d, isDict := Unwrap(v).(*Dict); isDict {
			if m, has := v.Type().Lookup("__missing__"); has {
				r, err := d.Get(t, key)
				if r != nil || err != nil {
					return r, err
				}
				return t.callBound(m, v, key)
			}
		}
		return t.GetItem(Unwrap(v), key)
	}
	return t.callBound(f, v, key)
}

// typeItem is Class[key]: a metaclass's items, __class_getitem__, or a generic alias.
func (t *Thread) typeItem(c *Type, key Value) (Value, error) {
	if c.Meta != nil {
		if f, ok := c.Meta.Lookup("__getitem__"); ok {
			return t.callBound(f, c, key)
		}
	}
	if f, ok := c.Lookup("__class_getitem__"); ok {
		b, err := t.bind(f, nil, c)
		if err != nil {
			return nil, err
		}
		if _, static := b.(*Function); static {
			b = &Method{b, c}
		}
		return t.Call(b, []Value{key}, nil)
	}
	if c == TypeType {
		return NewGenericAlias(c, key), nil
	}
	for _, m := range c.MRO {
		switch m {
		case ListType, DictType, SetType, FrozenSetType, TupleType:
			return NewGenericAlias(c, key), nil
		}
	}
	return nil, TypeErrorf("type '%s' is not subscriptable", c.Name)
}

func (t *Thread) listItem(x *List, key Value) (Value, error) {
	if s, ok := key.(*Slice); ok {
		items, err := t.sliceItems(x.Items, s)
		if err != nil {
			return nil, err
		}
		t.sawKeys(&x.obj)
		return t.NewList(items), nil
	}
	i, err := t.position(key, len(x.Items), "list", "list index out of range")
	if err != nil {
		return nil, err
	}
	return x.At(t, i), nil
}

func (t *Thread) sliceItems(items []Value, s *Slice) ([]Value, error) {
	start, _, step, n, err := t.sliceBounds(s, len(items))
	if err != nil {
		return nil, err
	}
	if err := t.Alloc(16 * n); err != nil {
		return nil, err
	}
	return pick(items, start, step, n), nil
}

func (t *Thread) strItem(x *Str, key Value) (Value, error) {
	if s, ok := key.(*Slice); ok {
		start, _, step, n, err := t.sliceBounds(s, x.n)
		if err != nil {
			return nil, err
		}
		if err := t.Alloc(4 * n); err != nil {
			return nil, err
		}
		return x.slice(start, step, n), nil
	}
	i, err := t.position(key, x.n, "string", "string index out of range")
	if err != nil {
		return nil, err
	}
	if x.ASCII() {
		return asciiStr[x.s[i]], nil
	}
	if err := t.Charge(i >> 3); err != nil {
		return nil, err
	}
	at := x.offset(i)
	return NewStr(x.s[at : at+runeLen(x.s[at])]), nil
}

// offset is the byte offset of code point i.
func (s *Str) offset(i int) int {
	if s.ASCII() {
		return i
	}
	at := 0
	for ; i > 0; i-- {
		at += runeLen(s.s[at])
	}
	return min(at, len(s.s))
}

// slice takes count code points from start, step apart.
func (s *Str) slice(start, step, count int) *Str {
	if count == 0 {
		return emptyStr
	}
	if s.ASCII() {
		if step == 1 {
			return NewStr(s.s[start : start+count])
		}
		return NewStr(string(pick([]byte(s.s), start, step, count)))
	}
	if step == 1 {
		a := s.offset(start)
		rest := Str{s.s[a:], s.n - start}
		return &Str{rest.s[:rest.offset(count)], count}
	}
	chars := make([]string, 0, s.n)
	for at := 0; at < len(s.s); {
		n := runeLen(s.s[at])
		chars = append(chars, s.s[at:at+n])
		at += n
	}
	var out []byte
	for _, c := range pick(chars, start, step, count) {
		out = append(out, c...)
	}
	return NewStr(string(out))
}

func (t *Thread) rangeItem(x *Range, key Value) (Value, error) {
	if s, ok := key.(*Slice); ok {
		return x.slice(t, s)
	}
	if !hasIndex(key) {
		return nil, TypeErrorf("range indices must be integers or slices, not %s", TypeName(key))
	}
	k, err := t.index(key)
	if err != nil {
		return nil, err
	}
	outside := IndexErrorf("range object index out of range")
	if x.wide != nil {
		if v, ok := x.wide.item(bigOf(k)); ok {
			return v, nil
		}
		return nil, outside
	}
	i, ok := AsInt(k)
	if i < 0 {
		i += x.N
	}
	if !ok || i < 0 || i >= x.N {
		return nil, outside
	}
	return Int(x.Start + i*x.Step), nil
}

// NewRange makes a range; step is not zero.
func NewRange(start, stop, step int64) *Range { return makeRange(start, stop, step) }
