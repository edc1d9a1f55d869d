package stdlib

import (
	"math"
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// fractionOperators are the arithmetic and comparison methods of Fraction.
func fractionOperators() []py.Member {
	var out []py.Member
	for _, o := range []struct {
		name string
		op   syntax.Operator
	}{{"add", syntax.Add}, {"sub", syntax.Sub}, {"mul", syntax.Mult}, {"truediv", syntax.Div},
		{"floordiv", syntax.FloorDiv}, {"mod", syntax.Mod}, {"pow", syntax.Pow}} {
		out = append(out,
			py.Def("__"+o.name+"__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
				return fractionArith(t, o.op, self, a[0])
			}),
			py.Def("__r"+o.name+"__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
				return fractionArith(t, o.op, a[0], self)
			}))
	}
	for _, o := range []struct {
		name string
		op   syntax.CmpOp
	}{{"__eq__", syntax.Eq}, {"__lt__", syntax.Lt}, {"__le__", syntax.LtE}, {"__gt__", syntax.Gt}, {"__ge__", syntax.GtE}} {
		out = append(out, py.Def(o.name, "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return fractionCompare(t, o.op, fractionOf(self), a[0])
		}))
	}
	unary := func(name string, f func(t *py.Thread, v *big.Rat) (py.Value, error)) {
		out = append(out, py.Def(name, "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return f(t, fractionOf(self)) }))
	}
	unary("__neg__", func(_ *py.Thread, v *big.Rat) (py.Value, error) { return &fraction{new(big.Rat).Neg(v)}, nil })
	unary("__pos__", func(_ *py.Thread, v *big.Rat) (py.Value, error) { return &fraction{v}, nil })
	unary("__abs__", func(_ *py.Thread, v *big.Rat) (py.Value, error) { return &fraction{new(big.Rat).Abs(v)}, nil })
	unary("__bool__", func(_ *py.Thread, v *big.Rat) (py.Value, error) { return py.Bool(v.Sign() != 0), nil })
	unary("__floor__", func(_ *py.Thread, v *big.Rat) (py.Value, error) { return py.MakeInt(floorRat(v)), nil })
	unary("__ceil__", func(_ *py.Thread, v *big.Rat) (py.Value, error) {
		n := floorRat(new(big.Rat).Neg(v))
		return py.MakeInt(n.Neg(n)), nil
	})
	trunc := func(_ *py.Thread, v *big.Rat) (py.Value, error) {
		return py.MakeInt(new(big.Int).Quo(v.Num(), v.Denom())), nil
	}
	unary("__trunc__", trunc)
	unary("__int__", trunc)
	unary("__float__", func(_ *py.Thread, v *big.Rat) (py.Value, error) {
		f, err := ratFloat(v)
		return py.Float(f), err
	})
	divmod := func(t *py.Thread, x, y py.Value) (py.Value, error) {
		q, err := fractionArith(t, syntax.FloorDiv, x, y)
		if err != nil || q == py.NotImplemented {
			return q, err
		}
		m, err := fractionArith(t, syntax.Mod, x, y)
		return py.NewTuple(q, m), err
	}
	return append(out, py.Def("__round__", "ndigits=None, /", fractionRound),
		py.Def("__divmod__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return divmod(t, self, a[0]) }),
		py.Def("__rdivmod__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return divmod(t, a[0], self) }))
}

// fractionArith computes x op y, one of which is a Fraction. With a float the
// arithmetic is that of floats.
func fractionArith(t *py.Thread, op syntax.Operator, x, y py.Value) (py.Value, error) {
	a, okA := asRat(t, x)
	b, okB := asRat(t, y)
	if _, reflected := py.Unwrap(x).(*fraction); op == syntax.Pow && !reflected && okB && b.IsInt() && b.Sign() >= 0 {
		return t.BinaryOp(op, x, py.MakeInt(b.Num()))
	}
	if !okA || !okB {
		return fractionFloatArith(t, op, x, y, a, b)
	}
	if err := chargeRat(t, a, b); err != nil {
		return nil, err
	}
	switch op {
	case syntax.Add:
		return &fraction{new(big.Rat).Add(a, b)}, nil
	case syntax.Sub:
		return &fraction{new(big.Rat).Sub(a, b)}, nil
	case syntax.Mult:
		return &fraction{new(big.Rat).Mul(a, b)}, nil
	case syntax.Pow:
		return fractionPow(t, a, b)
	}
	if b.Sign() == 0 {
		switch op {
		case syntax.Div:
			return nil, errZeroFraction(big.NewInt(int64(a.Sign())))
		case syntax.Mod:
			return nil, py.RaiseType(py.ZeroDivisionErrorType, "integer modulo by zero")
		}
		return nil, py.RaiseType(py.ZeroDivisionErrorType, "integer division or modulo by zero")
	}
	q := new(big.Rat).Quo(a, b)
	switch op {
	case syntax.Div:
		return &fraction{q}, nil
	case syntax.FloorDiv:
		return py.MakeInt(floorRat(q)), nil
	}
	n := new(big.Rat).SetInt(floorRat(q))
	return &fraction{new(big.Rat).Sub(a, n.Mul(n, b))}, nil
}

// fractionFloatArith is fractionArith where one operand is no rational number
// (its value is nil).
func fractionFloatArith(t *py.Thread, op syntax.Operator, x, y py.Value, a, b *big.Rat) (py.Value, error) {
	side := func(v py.Value, r *big.Rat) (py.Value, bool, error) {
		if r != nil {
			f, err := ratFloat(r)
			return py.Float(f), true, err
		}
		f, ok := py.Unwrap(v).(py.Float)
		if !ok && op == syntax.Pow && a != nil {
			return v, true, nil // the float base words the error
		}
		return f, ok, nil
	}
	fx, ok, err := side(x, a)
	if err != nil || !ok {
		return py.NotImplemented, err
	}
	fy, ok, err := side(y, b)
	if err != nil || !ok {
		return py.NotImplemented, err
	}
	return t.BinaryOp(op, fx, fy)
}

// fractionPow is exact for whole exponents and a float for others.
func fractionPow(t *py.Thread, a, b *big.Rat) (py.Value, error) {
	if b.IsInt() {
		return ratPow(t, a, b.Num())
	}
	x, err := ratFloat(a)
	if err != nil {
		return nil, err
	}
	y, err := ratFloat(b)
	if err != nil {
		return nil, err
	}
	return t.BinaryOp(syntax.Pow, py.Float(x), py.Float(y))
}

func fractionCompare(t *py.Thread, op syntax.CmpOp, v *big.Rat, other py.Value) (py.Value, error) {
	w, ok := asRat(t, other)
	if !ok {
		f, isFloat := py.Unwrap(other).(py.Float)
		if !isFloat {
			return py.NotImplemented, nil
		}
		if x := float64(f); math.IsInf(x, 0) || x != x {
			return t.Compare(op, py.Float(0), f)
		}
		w = new(big.Rat).SetFloat64(float64(f))
	}
	c := v.Cmp(w)
	var r bool
	switch op {
	case syntax.Eq:
		r = c == 0
	case syntax.Lt:
		r = c < 0
	case syntax.LtE:
		r = c <= 0
	case syntax.Gt:
		r = c > 0
	default:
		r = c >= 0
	}
	return py.Bool(r), nil
}

// roundRat rounds to an integer, halves to even.
func roundRat(v *big.Rat) *big.Int {
	n := floorRat(v)
	rest := new(big.Rat).Sub(v, new(big.Rat).SetInt(n))
	switch c := rest.Cmp(big.NewRat(1, 2)); {
	case c > 0, c == 0 && n.Bit(0) == 1:
		n.Add(n, big.NewInt(1))
	}
	return n
}

func fractionRound(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	v := fractionOf(self)
	if !isSet(a[0]) {
		return py.MakeInt(roundRat(v)), nil
	}
	n, err := t.AsIndex(a[0])
	if err != nil {
		return nil, err
	}
	if err := chargeBits(t, 3.4*math.Abs(float64(n))); err != nil {
		return nil, err
	}
	shift := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(n, -n)), nil))
	if n < 0 {
		shift.Inv(shift)
	}
	r := new(big.Rat).SetInt(roundRat(new(big.Rat).Mul(v, shift)))
	return &fraction{r.Quo(r, shift)}, nil
}
