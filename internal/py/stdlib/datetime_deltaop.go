package stdlib

import (
	"math"
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// deltaArithmetic returns the operators of timedelta.
func deltaArithmetic() []py.Member {
	sum := func(op func(x, y *pyDelta) (*pyDelta, error)) py.MethodFunc {
		return func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			e, ok := asDelta(a[0])
			if !ok {
				return py.NotImplemented, nil
			}
			d, _ := asDelta(self)
			return deltaResult(op(d, e))
		}
	}
	one := func(op func(d *pyDelta) (*pyDelta, error)) py.MethodFunc {
		return func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDelta(self)
			return deltaResult(op(d))
		}
	}
	neg := func(d *pyDelta) (*pyDelta, error) { return new(pyDelta).sub(d) }
	return []py.Member{
		py.Def("__add__", "other, /", sum((*pyDelta).add)),
		py.Def("__radd__", "other, /", sum((*pyDelta).add)),
		py.Def("__sub__", "other, /", sum((*pyDelta).sub)),
		py.Def("__rsub__", "other, /", sum(func(x, y *pyDelta) (*pyDelta, error) { return y.sub(x) })),
		py.Def("__neg__", "/", one(neg)),
		py.Def("__pos__", "/", one(func(d *pyDelta) (*pyDelta, error) { return d.add(new(pyDelta)) })),
		py.Def("__abs__", "/", one(func(d *pyDelta) (*pyDelta, error) {
			if d.days < 0 {
				return neg(d)
			}
			return d.add(new(pyDelta))
		})),
		py.Def("__mul__", "other, /", deltaMul),
		py.Def("__rmul__", "other, /", deltaMul),
		py.Def("__truediv__", "other, /", deltaTrueDiv),
		py.Def("__floordiv__", "other, /", deltaFloorDiv),
		py.Def("__mod__", "other, /", deltaMod),
		py.Def("__divmod__", "other, /", deltaDivmod),
	}
}

// deltaResult keeps a nil *pyDelta from becoming a Value that is not nil.
func deltaResult(d *pyDelta, err error) (py.Value, error) {
	if err != nil {
		return nil, err
	}
	return d, nil
}

// deltaMul multiplies by an int exactly and by a float as by the fraction it
// stands for, rounded half to even.
func deltaMul(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	d, _ := asDelta(self)
	n := d.total()
	if k, ok := t.AsBigInt(a[0]); ok {
		if err := t.Charge(k.BitLen() >> 6); err != nil {
			return nil, err
		}
		return deltaResult(deltaFromMicros(n.Mul(n, k)))
	}
	if f, ok := py.Unwrap(a[0]).(py.Float); ok {
		num, den, err := floatRatio(float64(f))
		if err != nil {
			return nil, err
		}
		return deltaNearest(n.Mul(n, num), den)
	}
	return py.NotImplemented, nil
}

func deltaTrueDiv(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	d, _ := asDelta(self)
	if e, ok := asDelta(a[0]); ok {
		return t.BinaryOp(syntax.Div, py.MakeInt(d.total()), py.MakeInt(e.total()))
	}
	if k, ok := t.AsBigInt(a[0]); ok {
		return deltaNearest(d.total(), k)
	}
	if f, ok := py.Unwrap(a[0]).(py.Float); ok {
		num, den, err := floatRatio(float64(f))
		if err != nil {
			return nil, err
		}
		n := d.total()
		return deltaNearest(n.Mul(n, den), num)
	}
	return py.NotImplemented, nil
}

func deltaFloorDiv(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	d, _ := asDelta(self)
	if e, ok := asDelta(a[0]); ok {
		return t.BinaryOp(syntax.FloorDiv, py.MakeInt(d.total()), py.MakeInt(e.total()))
	}
	if k, ok := t.AsBigInt(a[0]); ok {
		if k.Sign() == 0 {
			return nil, errDeltaByZero()
		}
		q, _ := floorDivBig(d.total(), k)
		return deltaResult(deltaFromMicros(q))
	}
	return py.NotImplemented, nil
}

func deltaMod(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	d, _ := asDelta(self)
	e, ok := asDelta(a[0])
	if !ok {
		return py.NotImplemented, nil
	}
	if *e == (pyDelta{}) {
		return nil, py.RaiseType(py.ZeroDivisionErrorType, "integer modulo by zero")
	}
	_, r := floorDivBig(d.total(), e.total())
	return deltaResult(deltaFromMicros(r))
}

func deltaDivmod(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	d, _ := asDelta(self)
	e, ok := asDelta(a[0])
	if !ok {
		return py.NotImplemented, nil
	}
	if *e == (pyDelta{}) {
		return nil, errDeltaByZero()
	}
	q, r := floorDivBig(d.total(), e.total())
	rest, err := deltaFromMicros(r)
	if err != nil {
		return nil, err
	}
	return py.NewTuple(py.MakeInt(q), rest), nil
}

func errDeltaByZero() error {
	return py.RaiseType(py.ZeroDivisionErrorType, "integer division or modulo by zero")
}

// floorDivBig is Python's divmod for b != 0: the remainder has the sign of b.
func floorDivBig(a, b *big.Int) (q, r *big.Int) {
	q, r = new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	return q, r
}

// deltaNearest is the timedelta of num/den microseconds, rounded half to even.
func deltaNearest(num, den *big.Int) (py.Value, error) {
	if den.Sign() == 0 {
		return nil, errDeltaByZero()
	}
	if den.Sign() < 0 {
		num, den = new(big.Int).Neg(num), new(big.Int).Neg(den)
	}
	q, r := floorDivBig(num, den)
	if c := r.Lsh(r, 1).Cmp(den); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	return deltaResult(deltaFromMicros(q))
}

// floatRatio is float.as_integer_ratio.
func floatRatio(f float64) (num, den *big.Int, err error) {
	switch {
	case math.IsNaN(f):
		return nil, nil, py.ValueErrorf("cannot convert NaN to integer ratio")
	case math.IsInf(f, 0):
		return nil, nil, py.OverflowErrorf("cannot convert Infinity to integer ratio")
	}
	r := new(big.Rat).SetFloat64(f)
	return r.Num(), r.Denom(), nil
}
