package stdlib

import (
	"math"
	"math/big"
	"regexp"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/py/text"
)

// The fractions module: class Fraction on math/big. Operators are in
// fractions_op.go.

// fractionType is fractions.Fraction.
var fractionType = py.NewType("fractions", "Fraction")

// fraction is a rational number in lowest terms; v must not be changed.
type fraction struct{ v *big.Rat }

// Type returns fractions.Fraction.
func (*fraction) Type() *py.Type { return fractionType }

func buildFractions() *py.Module {
	fractionType.New = newFraction
	ratio := func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		v := fractionOf(self)
		return py.NewTuple(py.MakeInt(v.Num()), py.MakeInt(v.Denom())), nil
	}
	fractionType.Finish(
		py.Get("numerator", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.MakeInt(fractionOf(self).Num()), nil }),
		py.Get("denominator", func(_ *py.Thread, self py.Value) (py.Value, error) {
			return py.MakeInt(fractionOf(self).Denom()), nil
		}),
		pyMethod(fractionType, "as_integer_ratio", "", ratio),
		pyMethod(fractionType, "limit_denominator", "max_denominator=1000000", limitDenominator),
		py.Member{Name: "from_float", Value: py.NewClassMethod("from_float", "f", fractionFromFloat)},
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			v := fractionOf(self)
			return py.NewStr(py.TypeName(self) + "(" + v.Num().String() + ", " + v.Denom().String() + ")"), nil
		}),
		py.Def("__str__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.NewStr(fractionOf(self).RatString()), nil
		}),
		py.Def("__hash__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.Int(hashRat(fractionOf(self))), nil
		}),
	)
	fractionType.Finish(fractionOperators()...)
	return py.NewModule("fractions", py.Member{Name: "Fraction", Value: fractionType})
}

// fractionOf returns the number in a Fraction or an instance of a subclass.
func fractionOf(v py.Value) *big.Rat {
	if f, ok := py.Unwrap(v).(*fraction); ok {
		return f.v
	}
	return new(big.Rat)
}

// asRat returns an int or Fraction as a rational number.
func asRat(t *py.Thread, v py.Value) (*big.Rat, bool) {
	if f, ok := py.Unwrap(v).(*fraction); ok {
		return f.v, true
	}
	if n, ok := t.AsBigInt(v); ok {
		return new(big.Rat).SetInt(n), true
	}
	return nil, false
}

// newFraction is Fraction(numerator=0, denominator=None).
func newFraction(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	a, err := parsePySig("Fraction.__new__", "cls, numerator=0, denominator=None").bind(t, append([]py.Value{cls}, args...), kw)
	if err != nil {
		return nil, err
	}
	var v *big.Rat
	if isSet(a[2]) {
		v, err = quotient(t, given(a[1], py.Int(0)), a[2])
	} else {
		v, err = convertFraction(t, given(a[1], py.Int(0)))
	}
	if err != nil {
		return nil, err
	}
	if err := t.Alloc(64); err != nil {
		return nil, err
	}
	if cls != fractionType {
		return py.NewInstance(cls, &fraction{v}), nil
	}
	return &fraction{v}, nil
}

func errZeroFraction(num *big.Int) error {
	return py.RaiseType(py.ZeroDivisionErrorType, "Fraction(%s, 0)", num)
}

// quotient is Fraction(n, d).
func quotient(t *py.Thread, n, d py.Value) (*big.Rat, error) {
	x, okx := asRat(t, n)
	y, oky := asRat(t, d)
	if !okx || !oky {
		return nil, py.TypeErrorf("both arguments should be Rational instances")
	}
	if y.Sign() == 0 {
		return nil, errZeroFraction(new(big.Int).Mul(x.Num(), y.Denom()))
	}
	return new(big.Rat).Quo(x, y), chargeRat(t, x, y)
}

// convertFraction is Fraction(v).
func convertFraction(t *py.Thread, v py.Value) (*big.Rat, error) {
	if r, ok := asRat(t, v); ok {
		return r, nil
	}
	switch x := py.Unwrap(v).(type) {
	case py.Float:
		return floatRat(float64(x))
	case *py.Str:
		return parseFraction(t, x.String())
	}
	return nil, py.TypeErrorf("argument should be a string or a Rational instance")
}

// floatRat is the exact value of a float.
func floatRat(f float64) (*big.Rat, error) {
	switch {
	case f != f:
		return nil, py.ValueErrorf("cannot convert NaN to integer ratio")
	case math.IsInf(f, 0):
		return nil, py.OverflowErrorf("cannot convert Infinity to integer ratio")
	}
	return new(big.Rat).SetFloat64(f), nil
}

// fractionText is the literal that Fraction reads: sign, digits, then /digits
// or a decimal part and an exponent.
var fractionText = regexp.MustCompile(`^([-+]?)(\d+(?:_\d+)*)?(?:/(\d+(?:_\d+)*)|(?:\.(\d+(?:_\d+)*)?)?(?:[eE]([-+]?\d+(?:_\d+)*))?)$`)

func parseFraction(t *py.Thread, s string) (*big.Rat, error) {
	if err := t.Alloc(4 * len(s)); err != nil {
		return nil, err
	}
	m := fractionText.FindStringSubmatch(strings.ReplaceAll(text.StripSpace(s, text.Both), "\n", "?"))
	if m == nil || m[2] == "" && (m[3] != "" || m[4] == "") {
		return nil, py.ValueErrorf("Invalid literal for Fraction: %s", text.Repr(s))
	}
	digits := func(s string) *big.Int {
		n, _ := new(big.Int).SetString("0"+strings.ReplaceAll(s, "_", ""), 10)
		return n
	}
	if len(s) > 4300 {
		return nil, py.ValueErrorf("Exceeds the limit (4300 digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit", len(s))
	}
	num, den := digits(m[2]), big.NewInt(1)
	ten := big.NewInt(10)
	if m[3] != "" {
		den = digits(m[3])
	}
	if places := strings.ReplaceAll(m[4], "_", ""); places != "" {
		den.Exp(ten, big.NewInt(int64(len(places))), nil)
		num.Add(num.Mul(num, den), digits(places))
	}
	if e := m[5]; e != "" {
		exp := digits(strings.TrimLeft(e, "+-"))
		f, _ := new(big.Float).SetInt(exp).Float64()
		if err := chargeBits(t, 3.4*f); err != nil {
			return nil, err
		}
		p := new(big.Int).Exp(ten, exp, nil)
		if e[0] == '-' {
			den.Mul(den, p)
		} else {
			num.Mul(num, p)
		}
	}
	if m[1] == "-" {
		num.Neg(num)
	}
	if den.Sign() == 0 {
		return nil, errZeroFraction(num)
	}
	return new(big.Rat).SetFrac(num, den), nil
}

func fractionFromFloat(t *py.Thread, cls py.Value, a []py.Value) (py.Value, error) {
	if n, ok := t.AsBigInt(a[0]); ok {
		return t.Call(cls, []py.Value{py.MakeInt(n)}, nil)
	}
	if f, ok := py.Unwrap(a[0]).(py.Float); ok {
		return t.Call(cls, []py.Value{f}, nil)
	}
	s, err := t.Repr(a[0])
	if err != nil {
		return nil, err
	}
	return nil, py.TypeErrorf("%s.from_float() only takes floats, not %s (%s)", cls.(*py.Type).Name, s, py.TypeName(a[0]))
}

// limitDenominator finds the closest fraction with a small denominator: the
// last convergent of the continued fraction that fits, or the semiconvergent
// after it.
func limitDenominator(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	most, err := bigIndex(t, given(a[0], py.Int(1000000)))
	if err != nil {
		return nil, err
	}
	if most.Sign() <= 0 {
		return nil, py.ValueErrorf("max_denominator should be at least 1")
	}
	v := fractionOf(self)
	if v.Denom().Cmp(most) <= 0 {
		return &fraction{v}, nil
	}
	if err := t.Charge(v.Denom().BitLen()); err != nil {
		return nil, err
	}
	p0, q0, p1, q1 := new(big.Int), big.NewInt(1), big.NewInt(1), new(big.Int)
	n, d := new(big.Int).Set(v.Num()), new(big.Int).Set(v.Denom())
	for {
		k := floorQuo(n, d)
		q2 := new(big.Int).Add(q0, new(big.Int).Mul(k, q1))
		if q2.Cmp(most) > 0 {
			break
		}
		p2 := new(big.Int).Add(p0, new(big.Int).Mul(k, p1))
		p0, q0, p1, q1 = p1, q1, p2, q2
		n, d = d, new(big.Int).Sub(n, new(big.Int).Mul(k, d))
	}
	k := floorQuo(new(big.Int).Sub(most, q0), q1)
	semi := new(big.Rat).SetFrac(new(big.Int).Add(p0, new(big.Int).Mul(k, p1)), new(big.Int).Add(q0, new(big.Int).Mul(k, q1)))
	last := new(big.Rat).SetFrac(p1, q1)
	dist := func(x *big.Rat) *big.Rat { x = new(big.Rat).Sub(x, v); return x.Abs(x) }
	if dist(last).Cmp(dist(semi)) <= 0 {
		return &fraction{last}, nil
	}
	return &fraction{semi}, nil
}

// hashRat is the hash of a rational number modulo the prime 2^61-1, which
// agrees with ints and floats. Source: the Python library reference, "Hashing
// of numeric types".
func hashRat(v *big.Rat) int64 {
	p := big.NewInt(1<<61 - 1)
	h := int64(314159)
	if inv := new(big.Int).ModInverse(v.Denom(), p); inv != nil {
		inv.Mul(inv, new(big.Int).Abs(v.Num()))
		h = inv.Mod(inv, p).Int64()
	}
	if v.Sign() < 0 {
		h = -h
	}
	if h == -1 {
		h = -2
	}
	return h
}

// chargeRat pays for an operation on rational numbers: reducing the result to
// lowest terms takes time quadratic in its length.
func chargeRat(t *py.Thread, x, y *big.Rat) error {
	bits := x.Num().BitLen() + x.Denom().BitLen() + y.Num().BitLen() + y.Denom().BitLen()
	words := bits / 64
	if err := t.Charge(1 + words + words*words/4); err != nil {
		return err
	}
	return chargeBits(t, float64(bits))
}

// ratFloat is float(v), correctly rounded.
func ratFloat(v *big.Rat) (float64, error) {
	f, _ := v.Float64()
	if math.IsInf(f, 0) {
		return 0, py.OverflowErrorf("integer division result too large for a float")
	}
	return f, nil
}

// floorRat is floor(v).
func floorRat(v *big.Rat) *big.Int { return floorQuo(v.Num(), v.Denom()) }

// ratPow is v to an integer power.
func ratPow(t *py.Thread, v *big.Rat, n *big.Int) (py.Value, error) {
	if n.Sign() < 0 && v.Sign() == 0 {
		return nil, errZeroFraction(big.NewInt(1))
	}
	num, err := t.BinaryOp(syntax.Pow, py.MakeInt(v.Num()), py.MakeInt(new(big.Int).Abs(n)))
	if err != nil {
		return nil, err
	}
	den, err := t.BinaryOp(syntax.Pow, py.MakeInt(v.Denom()), py.MakeInt(new(big.Int).Abs(n)))
	if err != nil {
		return nil, err
	}
	if n.Sign() < 0 {
		num, den = den, num
	}
	r, err := quotient(t, num, den)
	return &fraction{r}, err
}
