package stdlib

import (
	"math"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// dequeDef makes a method that receives the deque inside self.
func dequeDef(name, sig string, fn func(t *py.Thread, d *deque, a []py.Value) (py.Value, error)) py.Member {
	return py.Def(name, sig, func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return fn(t, dequeOf(self), a) })
}

func setupDeque() {
	dequeType.New = newDeque
	dequeType.Sequence = true
	dequeType.Finish(dequeMembers()...)
	dequeType.Finish(dequeItemMembers()...)
	dequeType.Finish(dequeOperators()...)
}

func dequeMembers() []py.Member {
	end := func(left bool) func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
		return func(t *py.Thread, d *deque, _ []py.Value) (py.Value, error) {
			if len(d.items()) == 0 {
				return nil, py.IndexErrorf("pop from an empty deque")
			}
			t.SawDeep(d)
			t.Touch(d)
			d.edits++
			return d.drop(left), nil
		}
	}
	return []py.Member{
		{Name: "__init__", Value: py.NewRawMethod("__init__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			if len(args) == 0 || dequeOf(args[0]) == nil {
				return nil, py.TypeErrorf("descriptor '__init__' of 'collections.deque' object needs an argument")
			}
			return py.None, fillDeque(t, dequeOf(args[0]), args[1:], kw)
		})},
		{Name: "__class_getitem__", Value: py.NewClassMethod("__class_getitem__", "item, /", classGetItem)},
		{Name: "__hash__", Value: py.None},
		dequeDef("append", "x, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			return py.None, d.push(t, a[0], false)
		}),
		dequeDef("appendleft", "x, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			return py.None, d.push(t, a[0], true)
		}),
		dequeDef("extend", "iterable, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			return py.None, d.extend(t, a[0], false)
		}),
		dequeDef("extendleft", "iterable, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			return py.None, d.extend(t, a[0], true)
		}),
		dequeDef("pop", "", end(false)), dequeDef("popleft", "", end(true)),
		dequeDef("clear", "", func(t *py.Thread, d *deque, _ []py.Value) (py.Value, error) { d.set(t, nil); return py.None, nil }),
		py.Def("copy", "", dequeCopy), py.Def("__copy__", "", dequeCopy),
	}
}

// dequeItemMembers are the methods that look for items or move them.
func dequeItemMembers() []py.Member {
	return []py.Member{
		dequeDef("count", "value, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			n := 0
			it, err := d.Iter(t)
			if err != nil {
				return nil, err
			}
			err = t.ForEach(it, func(x py.Value) error {
				same, err := sameValue(t, x, a[0])
				if same {
					n++
				}
				return err
			})
			return py.Int(n), err
		}),
		dequeDef("index", "value, start=None, stop=None, /", dequeIndex),
		dequeDef("insert", "index, object, /", dequeInsert),
		dequeDef("remove", "value, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			i, err := d.find(t, a[0], 0, math.MaxInt)
			if err != nil {
				return nil, err
			}
			if i < 0 {
				return nil, notInDeque(t, a[0])
			}
			return py.None, d.delete(t, i)
		}),
		dequeDef("reverse", "", func(t *py.Thread, d *deque, _ []py.Value) (py.Value, error) {
			items := d.items()
			if err := t.Alloc(16 * len(items)); err != nil {
				return nil, err
			}
			out := make([]py.Value, len(items))
			for i, v := range items {
				out[len(items)-1-i] = v
			}
			edits := d.edits
			d.set(t, out)
			d.edits = edits // an iteration goes on
			return py.None, nil
		}),
		dequeDef("rotate", "n=1, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			n := int64(1)
			if a[0] != nil {
				var err error
				if n, err = t.AsIndex(a[0]); err != nil {
					return nil, err
				}
			}
			return py.None, d.rotate(t, n)
		}),
		py.Get("maxlen", func(_ *py.Thread, self py.Value) (py.Value, error) {
			if d := dequeOf(self); d.maxLen >= 0 {
				return py.Int(d.maxLen), nil
			}
			return py.None, nil
		}),
	}
}

func notInDeque(t *py.Thread, v py.Value) error {
	s, err := t.Repr(v)
	if err != nil {
		return err
	}
	return py.RaiseArgs(py.ValueErrorType, py.NewStr(s+" is not in deque"))
}

// dequeCopy makes a copy of the same class.
func dequeCopy(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	d := dequeOf(self)
	if err := t.Alloc(16 * len(d.items())); err != nil {
		return nil, err
	}
	t.SawDeep(d)
	n := &deque{buf: append([]py.Value(nil), d.items()...), maxLen: d.maxLen}
	if _, sub := self.(*py.Instance); sub {
		args := []py.Value{n}
		if d.maxLen >= 0 {
			args = append(args, py.Int(d.maxLen))
		}
		return t.Call(self.Type(), args, nil)
	}
	return n, nil
}

func dequeIndex(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
	n := len(d.items())
	bound := func(v py.Value, def int) (int, error) {
		if v == nil {
			return def, nil
		}
		i, err := seqBound(t, v)
		if i < 0 {
			i = max(0, i+int64(n))
		}
		return int(min(i, int64(n))), err
	}
	start, err := bound(a[1], 0)
	if err != nil {
		return nil, err
	}
	stop, err := bound(a[2], n)
	if err != nil {
		return nil, err
	}
	i, err := d.find(t, a[0], start, stop)
	if err == nil && i < 0 {
		err = notInDeque(t, a[0])
	}
	return py.Int(i), err
}

// seqBound is a start or stop argument: what does not fit is clamped.
func seqBound(t *py.Thread, v py.Value) (int64, error) {
	b, whole := t.AsBigInt(v)
	if !whole {
		if _, has := v.Type().Lookup("__index__"); !has {
			return 0, py.TypeErrorf("slice indices must be integers or have an __index__ method")
		}
		return t.AsIndex(v)
	}
	switch {
	case b.IsInt64():
		return b.Int64(), nil
	case b.Sign() < 0:
		return math.MinInt64 / 2, nil
	}
	return math.MaxInt64 / 2, nil
}

func dequeInsert(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
	i, err := t.AsIndex(a[0])
	if err != nil {
		return nil, err
	}
	items := d.items()
	if d.maxLen >= 0 && len(items) >= d.maxLen {
		return nil, py.IndexErrorf("deque already at its maximum size")
	}
	if i < 0 {
		i = max(0, i+int64(len(items)))
	}
	at := int(min(i, int64(len(items))))
	if err := t.Alloc(16 * (len(items) + 1)); err != nil {
		return nil, err
	}
	out := append(make([]py.Value, 0, len(items)+1), items[:at]...)
	d.set(t, append(append(out, a[1]), items[at:]...))
	return py.None, nil
}

func dequeOperators() []py.Member {
	compare := func(name string, op syntax.CmpOp) py.Member {
		return dequeDef(name, "other, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			o := dequeOf(a[0])
			if o == nil {
				return py.NotImplemented, nil
			}
			t.SawDeep(d)
			t.SawDeep(o)
			return t.Compare(op, py.NewTuple(append([]py.Value(nil), d.items()...)...), py.NewTuple(append([]py.Value(nil), o.items()...)...))
		})
	}
	repeat := func(inplace bool) py.MethodFunc {
		return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return dequeRepeat(t, self, a[0], inplace)
		}
	}
	return []py.Member{
		compare("__eq__", syntax.Eq), compare("__ne__", syntax.NotEq), compare("__lt__", syntax.Lt),
		compare("__le__", syntax.LtE), compare("__gt__", syntax.Gt), compare("__ge__", syntax.GtE),
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s, err := dequeRepr(t, self)
			return py.NewStr(s), err
		}),
		dequeDef("__len__", "/", func(t *py.Thread, d *deque, _ []py.Value) (py.Value, error) {
			t.SawDeep(d)
			return py.Int(len(d.items())), nil
		}),
		dequeDef("__iter__", "/", func(t *py.Thread, d *deque, _ []py.Value) (py.Value, error) { return d.Iter(t) }),
		dequeDef("__reversed__", "/", func(t *py.Thread, d *deque, _ []py.Value) (py.Value, error) {
			t.SawDeep(d)
			return &libIter{dequeReverseType, &dequeIter{d: d, step: -1, edits: d.edits}}, nil
		}),
		dequeDef("__contains__", "value, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			t.SawDeep(d)
			i, err := d.find(t, a[0], 0, math.MaxInt)
			return py.Bool(i >= 0), err
		}),
		dequeDef("__getitem__", "index, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			i, err := d.position(t, a[0])
			if err != nil {
				return nil, err
			}
			t.SawDeep(d)
			return d.buf[i], nil
		}),
		dequeDef("__setitem__", "index, value, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			i, err := d.position(t, a[0])
			if err != nil {
				return nil, err
			}
			t.Touch(d)
			d.buf[i] = a[1]
			return py.None, nil
		}),
		dequeDef("__delitem__", "index, /", func(t *py.Thread, d *deque, a []py.Value) (py.Value, error) {
			i, err := d.position(t, a[0])
			if err != nil {
				return nil, err
			}
			return py.None, d.delete(t, i-d.head)
		}),
		py.Def("__add__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			if dequeOf(a[0]) == nil {
				return nil, py.TypeErrorf("can only concatenate deque (not \"%s\") to deque", py.TypeName(a[0]))
			}
			n, err := dequeCopy(t, self, nil)
			if err != nil {
				return nil, err
			}
			return n, dequeOf(n).extend(t, a[0], false)
		}),
		py.Def("__iadd__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return self, dequeOf(self).extend(t, a[0], false)
		}),
		py.Def("__mul__", "n, /", repeat(false)), py.Def("__rmul__", "n, /", repeat(false)), py.Def("__imul__", "n, /", repeat(true)),
	}
}

func dequeRepeat(t *py.Thread, self, count py.Value, inplace bool) (py.Value, error) {
	if _, whole := t.AsBigInt(count); !whole {
		if _, has := count.Type().Lookup("__index__"); !has {
			return nil, py.TypeErrorf("can't multiply sequence by non-int of type '%s'", py.TypeName(count))
		}
	}
	n, err := t.AsSlot(count)
	if err != nil {
		return nil, err
	}
	d := dequeOf(self)
	items := append([]py.Value(nil), d.items()...)
	out := self
	if !inplace {
		if out, err = dequeCopy(t, self, nil); err != nil {
			return nil, err
		}
		d = dequeOf(out)
	}
	if n <= 0 {
		d.set(t, nil)
	}
	for ; n > 1 && len(items) > 0; n-- {
		for _, v := range items {
			if err := d.push(t, v, false); err != nil {
				return nil, err
			}
		}
		if err := t.Charge(1 + len(items)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
