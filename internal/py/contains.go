package py

// Contains is v in c.
func (t *Thread) Contains(c, v Value) (bool, error) {
	switch x := c.(type) {
	case *Dict:
		r, err := x.Get(t, v)
		return r != nil, err
	case *Set:
		return t.setHas(x, v)
	case *Str:
		s, ok := AsStr(v)
		if !ok {
			return false, TypeErrorf("'in <string>' requires string as left operand, not %s", TypeName(v))
		}
		return containsText(t, x.s, s.s)
	case *List, *Tuple, *Range:
		if r, ok := x.(*Range); ok && isInt(v) {
			_, ok := r.find(bigOf(v))
			return ok, nil
		}
		return t.containsItem(c, v)
	case *Bytes:
		switch y := Unwrap(v).(type) {
		case *Bytes:
			return containsText(t, x.B, y.B)
		default:
			if _, ok := v.Type().Lookup("__index__"); ok {
				i, err := t.index(v)
				if err != nil {
					return false, err
				}
				y, fits := AsInt(i)
				if !fits || y < 0 || y > 255 {
					return false, ValueErrorf("byte must be in range(0, 256)")
				}
				return containsText(t, x.B, string([]byte{byte(y)}))
			}
		}
		return false, TypeErrorf("a bytes-like object is required, not '%s'", TypeName(v))
	case *MappingProxy:
		return t.Contains(x.D, v)
	}
	f, ok := c.Type().Lookup("__contains__")
	if f == None {
		return false, TypeErrorf("'%s' object is not a container", TypeName(c))
	}
	if !ok {
		it, err := t.Iter(c)
		if _, is := Catch(err, TypeErrorType); is {
			err = TypeErrorf("argument of type '%s' is not iterable", TypeName(c))
		}
		if err != nil {
			return false, err
		}
		return t.containsItem(it, v)
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return t.Contains(Unwrap(c), v)
	}
	r, err := t.callBound(f, c, v)
	if err != nil {
		return false, err
	}
	return t.Truth(r)
}

func containsText(t *Thread, s, sub string) (bool, error) {
	if err := t.Charge(len(s) >> 5); err != nil {
		return false, err
	}
	return indexText(s, sub) >= 0, nil
}

func (t *Thread) containsItem(c, v Value) (bool, error) {
	it, err := t.Iter(c)
	if err != nil {
		return false, err
	}
	for {
		if err := t.Charge(1); err != nil {
			return false, err
		}
		x, err := it.Next(t)
		if x == nil || err != nil {
			return false, err
		}
		if ok, err := t.same(x, v); ok || err != nil {
			return ok, err
		}
	}
}
