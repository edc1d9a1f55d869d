package py

import (
	"slices"
)

// listMembers are the methods of list. Reads and changes go through the list's
// own methods or touchList, so that journal and access log see them.
func listMembers() []Member {
	return []Member{
		Def("append", "object, /", func(t *Thread, self Value, a []Value) (Value, error) {
			return None, self.(*List).Append(t, a[0])
		}),
		Def("clear", "", func(t *Thread, self Value, a []Value) (Value, error) {
			self.(*List).Replace(t, nil)
			return None, nil
		}),
		Def("copy", "", func(t *Thread, self Value, a []Value) (Value, error) {
			items, err := t.Collect(self)
			if err != nil {
				return nil, err
			}
			return t.NewList(items), nil
		}),
		Def("count", "value, /", listCount),
		Def("extend", "iterable, /", func(t *Thread, self Value, a []Value) (Value, error) {
			return None, t.listExtend(self.(*List), a[0])
		}),
		Def("index", "value, start=0, stop=0, /", listIndex),
		Def("insert", "index, object, /", listInsert),
		Def("pop", "index=-1, /", listPop),
		Def("remove", "value, /", listRemove),
		Def("reverse", "", listReverse),
		{"sort", NewRawMethod("sort", func(t *Thread, args []Value, kw []Kw) (Value, error) {
			self, args, err := receiver(ListType, "sort", args)
			if err != nil {
				return nil, err
			}
			key, reverse, err := sortKeywords(args, kw)
			if err != nil {
				return nil, err
			}
			return t.listSort(self.(*List), key, reverse)
		})},
		initSlot(ListType, 1, false, func(t *Thread, self Value, args []Value, kw []Kw) error {
			l := self.(*List)
			if len(l.Items) > 0 {
				l.Replace(t, nil)
			}
			if len(args) == 0 {
				return nil
			}
			return t.listExtend(l, args[0])
		}),
	}
}

// listExtend is l.extend(v). What an iterator yielded before it failed stays.
func (t *Thread) listExtend(l *List, v Value) error {
	switch v.(type) {
	case *List, *Tuple:
		return t.extend(l, v)
	}
	it, err := t.Iter(v)
	if err != nil {
		return err
	}
	if _, ok := v.(*Instance); ok {
		if err := t.lengthHint(v); err != nil {
			return err
		}
	}
	return t.ForEach(it, func(x Value) error { return l.Append(t, x) })
}

// tupleMembers are the methods of tuple.
func tupleMembers() []Member {
	return []Member{
		Def("count", "value, /", func(t *Thread, self Value, a []Value) (Value, error) {
			n := 0
			for _, v := range self.(*Tuple).Items {
				same, err := t.sameCharged(v, a[0])
				if err != nil {
					return nil, err
				}
				if same {
					n++
				}
			}
			return Int(n), nil
		}),
		Def("index", "value, start=0, stop=0, /", tupleIndex),
	}
}

// sameCharged is same for one step of a linear search.
func (t *Thread) sameCharged(a, b Value) (bool, error) {
	if err := t.Charge(1); err != nil {
		return false, err
	}
	return t.same(a, b)
}

func listCount(t *Thread, self Value, a []Value) (Value, error) {
	l, n := self.(*List), 0
	t.sawKeys(&l.obj)
	for i := 0; i < len(l.Items); i++ {
		same, err := t.sameCharged(l.At(t, i), a[0])
		if err != nil {
			return nil, err
		}
		if same {
			n++
		}
	}
	return Int(n), nil
}

// find returns the position of v at or after start and before stop, or -1. The
// comparison may change the list.
func (l *List) find(t *Thread, v Value, start, stop int) (int, error) {
	t.sawKeys(&l.obj)
	for i := start; i < stop && i < len(l.Items); i++ {
		same, err := t.sameCharged(l.At(t, i), v)
		if err != nil {
			return -1, err
		}
		if same {
			return i, nil
		}
	}
	return -1, nil
}

// searchBounds reads the start and stop arguments of the index methods.
func (t *Thread) searchBounds(a []Value, n int) (start, stop int, err error) {
	if start, err = t.itemBound(a[0], 0); err != nil {
		return 0, 0, err
	}
	if stop, err = t.itemBound(a[1], n); err != nil {
		return 0, 0, err
	}
	start, stop = clipBounds(start, stop, n)
	return start, stop, nil
}

func listIndex(t *Thread, self Value, a []Value) (Value, error) {
	l := self.(*List)
	start, stop, err := t.searchBounds(a[1:], len(l.Items))
	if err != nil {
		return nil, err
	}
	i, err := l.find(t, a[0], start, stop)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		text, err := t.Repr(a[0])
		if err != nil {
			return nil, err
		}
		return nil, ValueErrorf("%s is not in list", text)
	}
	return Int(i), nil
}

func tupleIndex(t *Thread, self Value, a []Value) (Value, error) {
	items := self.(*Tuple).Items
	start, stop, err := t.searchBounds(a[1:], len(items))
	if err != nil {
		return nil, err
	}
	for i := start; i < stop; i++ {
		same, err := t.sameCharged(items[i], a[0])
		if err != nil {
			return nil, err
		}
		if same {
			return Int(i), nil
		}
	}
	return nil, ValueErrorf("tuple.index(x): x not in tuple")
}

func listInsert(t *Thread, self Value, a []Value) (Value, error) {
	l := self.(*List)
	i, err := t.toSize(a[0])
	if err != nil {
		return nil, err
	}
	i = clipBound(i, len(l.Items))
	if i == len(l.Items) {
		return None, l.Append(t, a[1])
	}
	if len(l.Items) == cap(l.Items) {
		if err := t.Alloc(16 * (len(l.Items) + 4)); err != nil {
			return nil, err
		}
	}
	if err := t.Charge((len(l.Items) - i) >> 6); err != nil {
		return nil, err
	}
	t.touchList(l)
	t.wroteAll(&l.obj)
	l.Items = slices.Insert(l.Items, i, a[1])
	return None, nil
}

// removeAt takes item i out.
func (l *List) removeAt(t *Thread, i int) error {
	if err := t.Charge((len(l.Items) - i) >> 6); err != nil {
		return err
	}
	t.touchList(l)
	t.wroteAll(&l.obj)
	l.Items = slices.Delete(l.Items, i, i+1)
	return nil
}

func listPop(t *Thread, self Value, a []Value) (Value, error) {
	l, i := self.(*List), -1
	if a[0] != nil {
		n, err := t.toSize(a[0])
		if err != nil {
			return nil, err
		}
		i = n
	}
	if len(l.Items) == 0 {
		return nil, IndexErrorf("pop from empty list")
	}
	if i < 0 {
		i += len(l.Items)
	}
	if i < 0 || i >= len(l.Items) {
		return nil, IndexErrorf("pop index out of range")
	}
	v := l.At(t, i)
	return v, l.removeAt(t, i)
}

func listRemove(t *Thread, self Value, a []Value) (Value, error) {
	l := self.(*List)
	i, err := l.find(t, a[0], 0, len(l.Items))
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return nil, ValueErrorf("list.remove(x): x not in list")
	}
	if i >= len(l.Items) { // the comparison shortened the list
		return None, nil
	}
	return None, l.removeAt(t, i)
}

func listReverse(t *Thread, self Value, a []Value) (Value, error) {
	l := self.(*List)
	if err := t.Charge(len(l.Items) >> 4); err != nil {
		return nil, err
	}
	t.touchList(l)
	t.wroteAll(&l.obj)
	slices.Reverse(l.Items)
	return None, nil
}

// listSort empties the list while it sorts, as CPython does, so that a key or
// comparison that looks at the list sees no half-sorted state.
func (t *Thread) listSort(l *List, keyArg, reverseArg Value) (Value, error) {
	key, reverse, err := t.sortOptions(keyArg, reverseArg)
	if err != nil {
		return nil, err
	}
	items, err := t.Collect(l)
	if err != nil {
		return nil, err
	}
	l.Replace(t, nil)
	sorted, err := t.sortValues(items, key, reverse)
	changed := len(l.Items) > 0
	l.Replace(t, sorted)
	if err == nil && changed {
		err = ValueErrorf("list modified during sort")
	}
	if err != nil {
		return nil, err
	}
	return None, nil
}
