package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

var counterType = py.NewType("collections", "Counter", py.DictType)

func setupCounter() {
	dictLike(counterType, func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) error {
		if len(args) > 1 {
			return py.TypeErrorf("Counter.__init__() takes from 1 to 2 positional arguments but %d were given", len(args)+1)
		}
		return counterUpdate(t, dictOf(self), args, kw, syntax.Add)
	})
	change := func(name string, op syntax.Operator) py.Member {
		return py.Member{Name: name, Value: py.NewRawMethod(name, func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			if len(args) == 0 || len(args) > 2 || !counterType.IsInstance(args[0]) {
				return nil, py.TypeErrorf("Counter.%s() takes from 1 to 2 positional arguments but %d were given", name, len(args))
			}
			return py.None, counterUpdate(t, dictOf(args[0]), args[1:], kw, op)
		})}
	}
	counterType.Finish(
		change("update", syntax.Add), change("subtract", syntax.Sub),
		py.Def("__missing__", "key, /", func(*py.Thread, py.Value, []py.Value) (py.Value, error) { return py.Int(0), nil }),
		py.Def("__delitem__", "key, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			_, err := dictOf(self).Pop(t, a[0])
			return py.None, err
		}),
		py.Def("__repr__", "/", counterRepr),
		pyMethod(counterType, "most_common", "n=None", counterMostCommon),
		pyMethod(counterType, "elements", "", counterElements),
		pyMethod(counterType, "total", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			var sum py.Value = py.Int(0)
			for _, it := range dictOf(self).Items(t) {
				var err error
				if sum, err = add(t, sum, it.Value); err != nil {
					return nil, err
				}
			}
			return sum, t.Charge(dictOf(self).Len())
		}),
		py.Member{Name: "fromkeys", Value: py.NewClassMethod("fromkeys", "iterable, v=None", func(*py.Thread, py.Value, []py.Value) (py.Value, error) {
			return nil, py.RaiseType(py.NotImplementedErrType, "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")
		})},
		py.Member{Name: "__hash__", Value: py.None},
	)
	counterType.Finish(copyMembers(func(t *py.Thread, self py.Value) (py.Value, error) { return t.Call(self.Type(), nil, nil) })...)
	counterType.Finish(counterOperators()...)
}

// counterGet is the count of key, 0 when it is absent.
func counterGet(t *py.Thread, d *py.Dict, key py.Value) (py.Value, error) {
	v, err := d.Get(t, key)
	if v == nil {
		v = py.Int(0)
	}
	return v, err
}

// counterUpdate adds or subtracts the counts of a mapping or the items of an
// iterable, and of the keywords.
func counterUpdate(t *py.Thread, d *py.Dict, args []py.Value, kw []py.Kw, op syntax.Operator) error {
	if len(args) > 0 && args[0] != py.None {
		mapping, err := abcInstance(t, abcMapping, args[0])
		if err != nil {
			return err
		}
		if mapping {
			err = counterMerge(t, d, args[0], op)
		} else {
			err = t.ForEach(args[0], func(k py.Value) error { return counterOne(t, d, k, op) })
		}
		if err != nil {
			return err
		}
	}
	if op == syntax.Add && d.Len() == 0 {
		return fillDict(t, d, nil, kw) // an empty counter takes over values as they are
	}
	for _, k := range kw {
		if err := counterChange(t, d, py.NewStr(k.Name), k.Value, op); err != nil {
			return err
		}
	}
	return nil
}

func counterMerge(t *py.Thread, d *py.Dict, m py.Value, op syntax.Operator) error {
	if op == syntax.Add && d.Len() == 0 {
		return fillDict(t, d, []py.Value{m}, nil)
	}
	items, err := t.CallMethod(m, "items")
	if err != nil {
		return err
	}
	return t.ForEach(items, func(pair py.Value) error {
		kv, err := t.Collect(pair)
		if err != nil {
			return err
		}
		if len(kv) != 2 {
			return py.ValueErrorf("too many values to unpack (expected 2)")
		}
		return counterChange(t, d, kv[0], kv[1], op)
	})
}

// counterOne is d[key] = d.get(key, 0) op 1.
func counterOne(t *py.Thread, d *py.Dict, key py.Value, op syntax.Operator) error {
	old, err := d.Get(t, key)
	if err != nil {
		return err
	}
	v, err := t.BinaryOp(op, given(old, py.Int(0)), py.Int(1))
	if err != nil {
		return err
	}
	return d.Set(t, key, v)
}

func counterChange(t *py.Thread, d *py.Dict, key, by py.Value, op syntax.Operator) error {
	old, err := d.Get(t, key)
	if err != nil {
		return err
	}
	if old == nil {
		old = py.Int(0)
	}
	var v py.Value
	if op == syntax.Add {
		v, err = t.BinaryOp(op, by, old)
	} else {
		v, err = t.BinaryOp(op, old, by)
	}
	if err != nil {
		return err
	}
	return d.Set(t, key, v)
}

// countOfPair is the sort key of items: their count.
var countOfPair = py.NewFunc("count", "pair, /", func(_ *py.Thread, a []py.Value) (py.Value, error) { return a[0].(*py.Tuple).Items[1], nil })

// counterSorted is the items by falling count, in insertion order among equals.
func counterSorted(t *py.Thread, d *py.Dict) ([]py.Value, error) {
	if err := t.Alloc(80 * d.Len()); err != nil {
		return nil, err
	}
	var pairs []py.Value
	for _, it := range d.Items(t) {
		pairs = append(pairs, py.NewTuple(it.Key, it.Value))
	}
	list := t.NewList(pairs)
	sort, err := t.GetAttr(list, "sort")
	if err != nil {
		return nil, err
	}
	_, err = t.Call(sort, nil, []py.Kw{{Name: "key", Value: countOfPair}, {Name: "reverse", Value: py.True}})
	return list.Items, err
}

func counterMostCommon(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	d := dictOf(self)
	n := d.Len()
	if isSet(a[0]) {
		var err error
		if n, err = selectCount(t, a[0], d); err != nil {
			return nil, err
		}
	}
	if n == 0 {
		return t.NewList(nil), nil
	}
	if one, ok := py.AsInt(given(a[0], py.None)); ok && one == 1 {
		var items []py.Value
		for _, it := range d.Items(t) {
			items = append(items, py.NewTuple(it.Key, it.Value))
		}
		best, err := extremeOf(t, items, countOfPair, true)
		return t.NewList(best), err
	}
	pairs, err := counterSorted(t, d)
	if err != nil {
		return nil, err
	}
	n = min(n, len(pairs))
	return t.NewList(pairs[:n:n]), nil
}

func counterRepr(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	name := self.Type().Name
	d := dictOf(self)
	if d.Len() == 0 {
		return py.NewStr(name + "()"), nil
	}
	sorted := t.NewDict()
	pairs, err := counterSorted(t, d)
	if _, unorderable := py.Catch(err, py.TypeErrorType); unorderable {
		sorted, err = d, nil
		pairs = nil
	}
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		kv := p.(*py.Tuple).Items
		if err := sorted.Set(t, kv[0], kv[1]); err != nil {
			return nil, err
		}
	}
	s, err := guardRepr(t, self, name+"(...)", func() (string, error) { return t.Repr(sorted) })
	return py.NewStr(name + "(" + s + ")"), err
}

// elementSource repeats each key of a counter as often as its count.
type elementSource struct {
	items []py.Value // keys and counts in turn
	left  int64
	key   py.Value
}

func counterElements(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	d := dictOf(self)
	if err := t.Alloc(32 * d.Len()); err != nil {
		return nil, err
	}
	s := &elementSource{}
	for _, it := range d.Items(t) {
		s.items = append(s.items, it.Key, it.Value)
	}
	return &libIter{itChain, s}, nil
}

func (s *elementSource) next(t *py.Thread) (py.Value, error) {
	for s.left <= 0 {
		if len(s.items) == 0 {
			return nil, nil
		}
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		n, err := t.AsIndex(s.items[1])
		if err != nil {
			return nil, err
		}
		s.key, s.left, s.items = s.items[0], n, s.items[2:]
	}
	s.left--
	return s.key, nil
}

func (s *elementSource) fork(c *py.Copier) (iterSource, error) {
	items, err := forkSlice(c, s.items)
	if err != nil {
		return nil, err
	}
	key, err := c.Copy(s.key)
	return &elementSource{items, s.left, key}, err
}
