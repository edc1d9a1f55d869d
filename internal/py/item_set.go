package py

// SetItem is v[key] = x.
func (t *Thread) SetItem(v, key, x Value) error {
	switch o := v.(type) {
	case *Dict:
		return o.Set(t, key, x)
	case *List:
		if s, ok := key.(*Slice); ok {
			return t.setSlice(o, s, x)
		}
		i, err := t.position(key, len(o.Items), "list", "list assignment index out of range")
		if err != nil {
			return err
		}
		t.touchList(o)
		o.Items[i] = x
		if t.log.on {
			t.wroteItem(&o.obj, Int(i), x)
		}
		return nil
	}
	f, ok := v.Type().Lookup("__setitem__")
	if !ok {
		if err := halfStored(v, "__setitem__", "__delitem__"); err != nil {
			return err
		}
		if hasIndex(key) && t.sequenceProtocol(v) {
			if _, err := t.AsSubscript(key); err != nil {
				return err
			}
		}
		return TypeErrorf("'%s' object does not support item assignment", TypeName(v))
	}
	if v.Type().Sequence {
		if err := t.checkIndex(key); err != nil {
			return err
		}
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return t.SetItem(Unwrap(v), key, x)
	}
	_, err := t.callBound(f, v, key, x)
	return err
}

func (t *Thread) setSlice(l *List, s *Slice, x Value) error {
	start, stop, step, n, err := t.sliceBounds(s, len(l.Items))
	if err != nil {
		return err
	}
	it, err := t.Iter(x)
	if _, is := Catch(err, TypeErrorType); is {
		if step != 1 {
			return TypeErrorf("must assign iterable to extended slice")
		}
		return TypeErrorf("can only assign an iterable")
	}
	if err != nil {
		return err
	}
	items, err := t.Collect(it)
	if err != nil {
		return err
	}
	if step != 1 {
		if len(items) != n {
			return ValueErrorf("attempt to assign sequence of size %d to extended slice of size %d", len(items), n)
		}
		out := append([]Value(nil), l.Items...)
		for i, v := range items {
			out[start+i*step] = v
		}
		l.Replace(t, out)
		return nil
	}
	start = min(start, len(l.Items))
	stop = min(max(stop, start), len(l.Items))
	if err := t.Alloc(16 * (len(l.Items) + len(items))); err != nil {
		return err
	}
	out := make([]Value, 0, len(l.Items)+len(items))
	out = append(append(append(out, l.Items[:start]...), items...), l.Items[stop:]...)
	l.Replace(t, out)
	return nil
}

// DelItem is del v[key].
func (t *Thread) DelItem(v, key Value) error {
	switch o := v.(type) {
	case *Dict:
		r, err := o.Pop(t, key)
		if r == nil && err == nil {
			err = KeyErrorFor(key)
		}
		return err
	case *List:
		if s, ok := key.(*Slice); ok {
			return t.delSlice(o, s)
		}
		i, err := t.position(key, len(o.Items), "list", "list assignment index out of range")
		if err != nil {
			return err
		}
		out := make([]Value, 0, len(o.Items)-1)
		o.Replace(t, append(append(out, o.Items[:i]...), o.Items[i+1:]...))
		return t.Charge(len(o.Items) >> 4)
	}
	f, ok := v.Type().Lookup("__delitem__")
	if !ok {
		if err := halfStored(v, "__delitem__", "__setitem__"); err != nil {
			return err
		}
		if hasIndex(key) && t.sequenceProtocol(v) {
			if _, err := t.AsSubscript(key); err != nil {
				return err
			}
			return TypeErrorf("'%s' object doesn't support item deletion", TypeName(v))
		}
		return TypeErrorf("'%s' object does not support item deletion", TypeName(v))
	}
	if v.Type().Sequence {
		if err := t.checkIndex(key); err != nil {
			return err
		}
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return t.DelItem(Unwrap(v), key)
	}
	_, err := t.callBound(f, v, key)
	return err
}

func (t *Thread) delSlice(l *List, s *Slice) error {
	start, _, step, n, err := t.sliceBounds(s, len(l.Items))
	if err != nil || n == 0 {
		return err
	}
	gone := make([]bool, len(l.Items))
	for i := range n {
		gone[start+i*step] = true
	}
	out := make([]Value, 0, len(l.Items)-n)
	for i, v := range l.Items {
		if !gone[i] {
			out = append(out, v)
		}
	}
	l.Replace(t, out)
	return nil
}

// sequenceProtocol reports whether the class of v takes part in CPython's
// sequence protocol, which words some errors in its own way: classes written
// in Python do, and those that know a length or membership.
func (t *Thread) sequenceProtocol(v Value) bool {
	c := v.Type()
	if c.Heap {
		return true
	}
	_, sized := c.Lookup("__len__")
	_, tested := c.Lookup("__contains__")
	return sized || tested
}

// halfStored is the error for a class written in Python that defines only the
// other one of a pair of methods, which share a slot in CPython.
func halfStored(v Value, missing, other string) error {
	if f, ok := v.Type().Lookup(other); ok && builtOwner(f) == nil && v.Type().Heap {
		return AttributeErrorf("%s", missing)
	}
	return nil
}
