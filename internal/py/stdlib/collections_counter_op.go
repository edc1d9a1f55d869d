package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// counterMix computes the count of a key from the two counts.
type counterMix func(t *py.Thread, x, y py.Value) (py.Value, error)

func counterPick(larger bool) counterMix {
	return func(t *py.Thread, x, y py.Value) (py.Value, error) {
		less, err := t.Less(x, y)
		if less == larger {
			return y, err
		}
		return x, err
	}
}

func counterArith(op syntax.Operator) counterMix {
	return func(t *py.Thread, x, y py.Value) (py.Value, error) { return t.BinaryOp(op, x, y) }
}

// counterCombine is the multiset operator: the positive results of mix over
// the keys of x, then over those of y alone.
func counterCombine(mix counterMix) py.MethodFunc {
	return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		if !counterType.IsInstance(a[0]) {
			return py.NotImplemented, nil
		}
		x, y, out := dictOf(self), dictOf(a[0]), t.NewDict()
		if err := t.Charge(x.Len() + y.Len()); err != nil {
			return nil, err
		}
		put := func(key, cx, cy py.Value) error {
			v, err := mix(t, cx, cy)
			if err != nil {
				return err
			}
			positive, err := t.Less(py.Int(0), v)
			if !positive || err != nil {
				return err
			}
			return out.Set(t, key, v)
		}
		for _, it := range x.Items(t) {
			other, err := counterGet(t, y, it.Key)
			if err == nil {
				err = put(it.Key, it.Value, other)
			}
			if err != nil {
				return nil, err
			}
		}
		for _, it := range y.Items(t) {
			own, err := x.Get(t, it.Key)
			if err == nil && own == nil {
				err = put(it.Key, py.Int(0), it.Value)
			}
			if err != nil {
				return nil, err
			}
		}
		return py.NewInstance(counterType, out), nil
	}
}

// counterInplace is the multiset operator in place.
func counterInplace(mix counterMix, overOwn bool) py.MethodFunc {
	return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		x := dictOf(self)
		y, ok := py.AsDict(a[0])
		if !ok {
			_, err := t.GetAttr(a[0], "items")
			if err == nil {
				err = py.TypeErrorf("unsupported operand type for a Counter: '%s'", py.TypeName(a[0]))
			}
			return nil, err
		}
		keys := y
		if overOwn {
			keys = x
		}
		for _, it := range keys.Items(t) {
			cx, err := counterGet(t, x, it.Key)
			if err != nil {
				return nil, err
			}
			cy, err := counterGet(t, y, it.Key)
			if err != nil {
				return nil, err
			}
			v, err := mix(t, cx, cy)
			if err != nil {
				return nil, err
			}
			if err := x.Set(t, it.Key, v); err != nil {
				return nil, err
			}
		}
		for _, it := range x.Items(t) {
			positive, err := t.Less(py.Int(0), it.Value)
			if err == nil && !positive {
				_, err = x.Pop(t, it.Key)
			}
			if err != nil {
				return nil, err
			}
		}
		return self, t.Charge(x.Len())
	}
}

// counterCompare tests op for every key of either counter; absent counts are 0.
func counterCompare(op syntax.CmpOp, strict bool) py.MethodFunc {
	return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		if !counterType.IsInstance(a[0]) {
			return py.NotImplemented, nil
		}
		x, y := dictOf(self), dictOf(a[0])
		differ := false
		for _, d := range []*py.Dict{x, y} {
			for _, it := range d.Items(t) {
				cx, err := counterGet(t, x, it.Key)
				if err != nil {
					return nil, err
				}
				cy, err := counterGet(t, y, it.Key)
				if err != nil {
					return nil, err
				}
				r, err := t.Compare(op, cx, cy)
				ok, err := truthOf(t, r, err)
				if !ok || err != nil {
					return py.False, err
				}
				if strict && !differ {
					same, err := sameValue(t, cx, cy)
					if err != nil {
						return nil, err
					}
					differ = !same
				}
			}
		}
		return py.Bool(!strict || differ), t.Charge(x.Len() + y.Len())
	}
}

func counterOperators() []py.Member {
	equal := counterCompare(syntax.Eq, false)
	sign := func(mix counterMix) py.MethodFunc {
		combine := counterCombine(mix)
		return func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return combine(t, py.NewInstance(counterType, t.NewDict()), []py.Value{self})
		}
	}
	members := []py.Member{
		py.Def("__add__", "other, /", counterCombine(counterArith(syntax.Add))),
		py.Def("__sub__", "other, /", counterCombine(counterArith(syntax.Sub))),
		py.Def("__or__", "other, /", counterCombine(counterPick(true))),
		py.Def("__and__", "other, /", counterCombine(counterPick(false))),
		py.Def("__iadd__", "other, /", counterInplace(counterArith(syntax.Add), false)),
		py.Def("__isub__", "other, /", counterInplace(counterArith(syntax.Sub), false)),
		py.Def("__ior__", "other, /", counterInplace(counterPick(true), false)),
		py.Def("__iand__", "other, /", counterInplace(counterPick(false), true)),
		py.Def("__pos__", "/", sign(counterArith(syntax.Add))),
		py.Def("__neg__", "/", sign(counterArith(syntax.Sub))),
		py.Def("__eq__", "other, /", equal),
		py.Def("__ne__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			v, err := equal(t, self, a)
			if b, ok := v.(py.Bool); ok {
				return !b, err
			}
			return v, err
		}),
		py.Def("__le__", "other, /", counterCompare(syntax.LtE, false)),
		py.Def("__lt__", "other, /", counterCompare(syntax.LtE, true)),
		py.Def("__ge__", "other, /", counterCompare(syntax.GtE, false)),
		py.Def("__gt__", "other, /", counterCompare(syntax.GtE, true)),
	}
	return members
}
