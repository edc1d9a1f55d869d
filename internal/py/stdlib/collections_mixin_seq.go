package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// indexIter iterates by position, forwards until IndexError or backwards to 0.
type indexIter struct {
	seq  py.Value
	i    int
	step int
}

func (s *indexIter) next(t *py.Thread) (py.Value, error) {
	if s.i < 0 {
		return nil, nil
	}
	v, err := t.GetItem(s.seq, py.Int(s.i))
	if _, end := py.Catch(err, py.IndexErrorType); end {
		s.i = -1
		return nil, nil
	}
	s.i += s.step
	return v, err
}

func (s *indexIter) fork(c *py.Copier) (iterSource, error) {
	v, err := c.Copy(s.seq)
	return &indexIter{v, s.i, s.step}, err
}

func addSequenceMixins() {
	abcSequence.Finish(
		py.Def("__iter__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return &libIter{itGenerator, &indexIter{self, 0, 1}}, nil
		}),
		py.Def("__reversed__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			n, err := t.Len(self)
			return &libIter{itGenerator, &indexIter{self, n - 1, -1}}, err
		}),
		py.Def("__contains__", "value, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			i, err := sequenceFind(t, self, a[0], 0, -1)
			return py.Bool(i >= 0), err
		}),
		py.Def("index", "value, start=0, stop=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			start, err := clipIndex(t, self, a[1], 0)
			if err != nil {
				return nil, err
			}
			stop, err := clipIndex(t, self, a[2], -1)
			if err != nil {
				return nil, err
			}
			i, err := sequenceFind(t, self, a[0], start, stop)
			if err == nil && i < 0 {
				err = py.RaiseArgs(py.ValueErrorType)
			}
			return py.Int(i), err
		}),
		py.Def("count", "value", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			n := 0
			err := t.ForEach(self, func(x py.Value) error {
				same, err := sameValue(t, x, a[0])
				if same {
					n++
				}
				return err
			})
			return py.Int(n), err
		}),
	)
	addMutableSequenceMixins()
}

func addMutableSequenceMixins() {
	each := func(fn func(t *py.Thread, self, item py.Value) error) py.MethodFunc {
		return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			items, err := t.Collect(a[0])
			if err != nil {
				return nil, err
			}
			for _, x := range items {
				if err := fn(t, self, x); err != nil {
					return nil, err
				}
			}
			return py.None, nil
		}
	}
	appendTo := func(t *py.Thread, self, x py.Value) error {
		n, err := t.Len(self)
		if err != nil {
			return err
		}
		_, err = t.CallMethod(self, "insert", py.Int(n), x)
		return err
	}
	abcMutableSequence.Finish(
		py.Def("append", "value", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return py.None, appendTo(t, self, a[0])
		}),
		py.Def("extend", "values", each(func(t *py.Thread, self, x py.Value) error {
			_, err := t.CallMethod(self, "append", x)
			return err
		})),
		py.Def("__iadd__", "values, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			_, err := t.CallMethod(self, "extend", a[0])
			return self, err
		}),
		py.Def("pop", "index=-1", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			i := given(a[0], py.Int(-1))
			v, err := t.GetItem(self, i)
			if err != nil {
				return nil, err
			}
			return v, t.DelItem(self, i)
		}),
		py.Def("remove", "value", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			i, err := t.CallMethod(self, "index", a[0])
			if err != nil {
				return nil, err
			}
			return py.None, t.DelItem(self, i)
		}),
		py.Def("clear", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			for {
				if err := t.Charge(1); err != nil {
					return nil, err
				}
				_, err := t.CallMethod(self, "pop")
				if _, empty := py.Catch(err, py.IndexErrorType); empty {
					return py.None, nil
				}
				if err != nil {
					return nil, err
				}
			}
		}),
		py.Def("reverse", "", reverseSequence),
	)
}

func reverseSequence(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	n, err := t.Len(self)
	for i := 0; i < n/2 && err == nil; i++ {
		var x, y py.Value
		if x, err = t.GetItem(self, py.Int(i)); err != nil {
			break
		}
		if y, err = t.GetItem(self, py.Int(n-1-i)); err != nil {
			break
		}
		if err = t.SetItem(self, py.Int(i), y); err == nil {
			err = t.SetItem(self, py.Int(n-1-i), x)
		}
	}
	return py.None, err
}

// clipIndex resolves a start or stop argument; negative ones count from the end.
func clipIndex(t *py.Thread, seq, v py.Value, def int) (int, error) {
	if v == nil || v == py.None {
		return def, nil
	}
	i, err := t.AsIndex(v)
	if err != nil || i >= 0 {
		return int(i), err
	}
	n, err := t.Len(seq)
	return max(0, int(i)+n), err
}

// sequenceFind is the first position of v in [start, stop), or -1; a negative
// stop is no limit.
func sequenceFind(t *py.Thread, seq, v py.Value, start, stop int) (int, error) {
	for i := start; stop < 0 || i < stop; i++ {
		if err := t.Charge(1); err != nil {
			return -1, err
		}
		x, err := t.GetItem(seq, py.Int(i))
		if err != nil {
			if _, end := py.Catch(err, py.IndexErrorType); end {
				return -1, nil
			}
			return -1, err
		}
		if same, err := sameValue(t, x, v); same || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// subset reports whether every item of a is in b.
func subset(t *py.Thread, a, b py.Value) (bool, error) {
	all := true
	err := t.ForEach(a, func(x py.Value) error {
		in, err := t.Contains(b, x)
		all = all && in
		return err
	})
	return all, err
}

// setCompare orders two sets; nil when the other operand is no set.
func setCompare(op syntax.CmpOp) py.MethodFunc {
	return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		other, err := abcInstance(t, abcSet, a[0])
		if err != nil || !other {
			return py.NotImplemented, err
		}
		n, err := t.Len(self)
		if err != nil {
			return nil, err
		}
		m, err := t.Len(a[0])
		if err != nil {
			return nil, err
		}
		x, y, fits := self, a[0], n <= m
		switch op {
		case syntax.Eq:
			fits = n == m
		case syntax.Lt:
			fits = n < m
		case syntax.Gt:
			x, y, fits = a[0], self, n > m
		case syntax.GtE:
			x, y, fits = a[0], self, n >= m
		}
		if !fits {
			return py.False, nil
		}
		ok, err := subset(t, x, y)
		return py.Bool(ok), err
	}
}

// setOperation makes the set of the items of keep(self, other) by calling the
// class's _from_iterable, or the class itself.
func setOperation(keep func(t *py.Thread, self, other py.Value) ([]py.Value, error), swap bool) py.MethodFunc {
	return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		if ok, err := abcInstance(t, abcIterable, a[0]); err != nil || !ok {
			return py.NotImplemented, err
		}
		x, y := self, a[0]
		if swap {
			x, y = y, x
		}
		items, err := keep(t, x, y)
		if err != nil {
			return nil, err
		}
		make, err := t.LookupAttr(self, "_from_iterable")
		if err != nil {
			return nil, err
		}
		if make == nil {
			make = self.Type()
		}
		return t.Call(make, []py.Value{t.NewList(items)}, nil)
	}
}

// itemsWhere are the items of a whose membership in b is want.
func itemsWhere(t *py.Thread, a, b py.Value, want bool) ([]py.Value, error) {
	if it, err := t.Iter(b); err == nil && py.Value(it) == b { // a one-shot iterator
		items, err := t.Collect(b)
		if err != nil {
			return nil, err
		}
		b = t.NewList(items)
	}
	var out []py.Value
	err := t.ForEach(a, func(x py.Value) error {
		in, err := t.Contains(b, x)
		if in == want {
			out = append(out, x)
		}
		return err
	})
	return out, err
}

func addSetMixins() {
	and := func(t *py.Thread, x, y py.Value) ([]py.Value, error) { return itemsWhere(t, y, x, true) }
	sub := func(t *py.Thread, x, y py.Value) ([]py.Value, error) { return itemsWhere(t, x, y, false) }
	or := func(t *py.Thread, x, y py.Value) ([]py.Value, error) {
		a, err := t.Collect(x)
		if err != nil {
			return nil, err
		}
		b, err := t.Collect(y)
		return append(a, b...), err
	}
	xor := func(t *py.Thread, x, y py.Value) ([]py.Value, error) {
		a, err := sub(t, x, y)
		if err != nil {
			return nil, err
		}
		b, err := sub(t, y, x)
		return append(a, b...), err
	}
	abcSet.Finish(
		py.Def("__le__", "other, /", setCompare(syntax.LtE)), py.Def("__lt__", "other, /", setCompare(syntax.Lt)),
		py.Def("__ge__", "other, /", setCompare(syntax.GtE)), py.Def("__gt__", "other, /", setCompare(syntax.Gt)),
		py.Def("__eq__", "other, /", setCompare(syntax.Eq)), py.Member{Name: "__hash__", Value: py.None},
		py.Def("__and__", "other, /", setOperation(and, false)), py.Def("__rand__", "other, /", setOperation(and, false)),
		py.Def("__or__", "other, /", setOperation(or, false)), py.Def("__ror__", "other, /", setOperation(or, false)),
		py.Def("__sub__", "other, /", setOperation(sub, false)), py.Def("__rsub__", "other, /", setOperation(sub, true)),
		py.Def("__xor__", "other, /", setOperation(xor, false)), py.Def("__rxor__", "other, /", setOperation(xor, false)),
		py.Def("isdisjoint", "other", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			both, err := itemsWhere(t, a[0], self, true)
			return py.Bool(len(both) == 0), err
		}),
	)
	inplace := func(method string, keepOwn bool) py.MethodFunc {
		return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			source := a[0]
			if keepOwn {
				gone, err := itemsWhere(t, self, a[0], false)
				if err != nil {
					return nil, err
				}
				source = t.NewList(gone)
			}
			items, err := t.Collect(source)
			if err != nil {
				return nil, err
			}
			for _, x := range items {
				if _, err := t.CallMethod(self, method, x); err != nil {
					return nil, err
				}
			}
			return self, nil
		}
	}
	abcMutableSet.Finish(
		py.Def("remove", "value", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			in, err := t.Contains(self, a[0])
			if err != nil {
				return nil, err
			}
			if !in {
				return nil, py.KeyErrorFor(a[0])
			}
			return t.CallMethod(self, "discard", a[0])
		}),
		py.Def("pop", "", setMixinPop),
		py.Def("clear", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			items, err := t.Collect(self)
			for _, x := range items {
				if err == nil {
					_, err = t.CallMethod(self, "discard", x)
				}
			}
			return py.None, err
		}),
		py.Def("__ior__", "other, /", inplace("add", false)), py.Def("__isub__", "other, /", inplace("discard", false)),
		py.Def("__iand__", "other, /", inplace("discard", true)),
	)
}

func setMixinPop(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	it, err := t.Iter(self)
	if err != nil {
		return nil, err
	}
	v, err := it.Next(t)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, py.RaiseArgs(py.KeyErrorType)
	}
	_, err = t.CallMethod(self, "discard", v)
	return v, err
}
