package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// counterMix computes the count of a key from the two counts.
type counterMix func(t *py.Thread, x, y py.Value) (py.Value, error)

// counterPick is the larger or smaller of two counts; y wins only if it is
// beyond x in the order of the comparison given.
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

// beyondZero is v > 0 or v < 0.
func beyondZero(t *py.Thread, op syntax.CmpOp, v py.Value) (bool, error) {
	r, err := t.Compare(op, v, py.Int(0))
	return truthOf(t, r, err)
}

// otherOnly says what a multiset operator does with the keys of the right side alone.
type otherOnly uint8

const (
	dropOther   otherOnly = iota // &
	keepOther                    // + and |: positive counts
	negateOther                  // -: negative counts, with the sign changed
)

// counterCombine is the multiset operator: the positive results of mix over
// the keys of x, then the keys of y alone.
func counterCombine(mix counterMix, rest otherOnly) py.MethodFunc {
	return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		if !counterType.IsInstance(a[0]) {
			return py.NotImplemented, nil
		}
		x, y, out := dictOf(self), dictOf(a[0]), t.NewDict()
		if err := t.Charge(x.Len() + y.Len()); err != nil {
			return nil, err
		}
		for _, it := range x.Items(t) {
			other, err := counterGet(t, y, it.Key)
			if err != nil {
				return nil, err
			}
			v, err := mix(t, it.Value, other)
			if err != nil {
				return nil, err
			}
			positive, err := beyondZero(t, syntax.Gt, v)
			if err == nil && positive {
				err = out.Set(t, it.Key, v)
			}
			if err != nil {
				return nil, err
			}
		}
		if rest == dropOther {
			return py.NewInstance(counterType, out), nil
		}
		for _, it := range y.Items(t) {
			own, err := x.Get(t, it.Key)
			if err == nil && own == nil {
				err = counterSigned(t, out, it, rest == negateOther)
			}
			if err != nil {
				return nil, err
			}
		}
		return py.NewInstance(counterType, out), nil
	}
}

// counterSigned adds an item with a positive count to out; with negate one
// with a negative count, its sign changed.
func counterSigned(t *py.Thread, out *py.Dict, it py.Item, negate bool) error {
	op := syntax.Gt
	if negate {
		op = syntax.Lt
	}
	ok, err := beyondZero(t, op, it.Value)
	if err != nil || !ok {
		return err
	}
	v := it.Value
	if negate {
		if v, err = t.BinaryOp(syntax.Sub, py.Int(0), v); err != nil {
			return err
		}
	}
	return out.Set(t, it.Key, v)
}

// counterUnary is +c or -c.
func counterUnary(negate bool) py.MethodFunc {
	return func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		out := t.NewDict()
		for _, it := range dictOf(self).Items(t) {
			if err := counterSigned(t, out, it, negate); err != nil {
				return nil, err
			}
		}
		return py.NewInstance(counterType, out), t.Charge(dictOf(self).Len())
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
			positive, err := beyondZero(t, syntax.Gt, it.Value)
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
	inplace := func(op syntax.Operator) counterMix {
		return func(t *py.Thread, x, y py.Value) (py.Value, error) { return t.InplaceOp(op, x, y) }
	}
	members := []py.Member{
		py.Def("__add__", "other, /", counterCombine(counterArith(syntax.Add), keepOther)),
		py.Def("__sub__", "other, /", counterCombine(counterArith(syntax.Sub), negateOther)),
		py.Def("__or__", "other, /", counterCombine(counterPick(true), keepOther)),
		py.Def("__and__", "other, /", counterCombine(counterPick(false), dropOther)),
		py.Def("__iadd__", "other, /", counterInplace(inplace(syntax.Add), false)),
		py.Def("__isub__", "other, /", counterInplace(inplace(syntax.Sub), false)),
		py.Def("__ior__", "other, /", counterInplace(counterPick(true), false)),
		py.Def("__iand__", "other, /", counterInplace(counterPick(false), true)),
		py.Def("__pos__", "/", counterUnary(false)),
		py.Def("__neg__", "/", counterUnary(true)),
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
