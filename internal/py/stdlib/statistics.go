package stdlib

import (
	"math"
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// The statistics module. Means and variances are computed exactly, as rational
// numbers, and converted once to the type that the data have in common; that
// is why mean([1, 2, 3]) is an int. Averages are in statistics_mean.go, orders
// and counts in statistics_order.go, relations between two variables in
// statistics_pair.go, NormalDist in statistics_normal.go.

// statisticsErrorType is statistics.StatisticsError.
var statisticsErrorType = py.NewType("statistics", "StatisticsError", py.ValueErrorType)

func statisticsError(text string) error { return py.RaiseType(statisticsErrorType, "%s", text) }

func buildStatistics() *py.Module {
	finishNormal()
	finishLinear()
	return py.NewModule("statistics",
		py.Member{Name: "StatisticsError", Value: statisticsErrorType},
		py.Member{Name: "NormalDist", Value: normalType},
		py.Member{Name: "LinearRegression", Value: linearType},
		pyFunc("mean", "data", statMean),
		pyFunc("fmean", "data, weights=None", statFmean),
		pyFunc("geometric_mean", "data", statGeometric),
		pyFunc("harmonic_mean", "data, weights=None", statHarmonic),
		pyFunc("median", "data", statMedian),
		pyFunc("median_low", "data", statMedianLow),
		pyFunc("median_high", "data", statMedianHigh),
		pyFunc("median_grouped", "data, interval=1.0", statMedianGrouped),
		pyFunc("mode", "data", statMode),
		pyFunc("multimode", "data", statMultimode),
		pyFunc("quantiles", "data, *, n=4, method='exclusive'", statQuantiles),
		pyFunc("variance", "data, xbar=None", spreadOf("variance", 2, 1, false)),
		pyFunc("pvariance", "data, mu=None", spreadOf("pvariance", 1, 0, false)),
		pyFunc("stdev", "data, xbar=None", spreadOf("stdev", 2, 1, true)),
		pyFunc("pstdev", "data, mu=None", spreadOf("pstdev", 1, 0, true)),
		pyFunc("covariance", "x, y, /", statCovariance),
		pyFunc("correlation", "x, y, /", statCorrelation),
		pyFunc("linear_regression", "x, y, /, *, proportional=False", statLinear),
	)
}

// exactSum adds numbers exactly: ints, floats and fractions apart, since each
// kind is added fastest in its own representation.
type exactSum struct {
	ints   big.Int
	floats big.Float
	rats   big.Rat
	// special is the float sum of infinities and NaN, if there were any.
	special    float64
	hasSpecial bool
}

// exactBits holds any sum of squares of float64.
const exactBits = 4600

func (s *exactSum) add(v *big.Rat, isFloat bool, f float64) {
	switch {
	case isFloat:
		s.floats.SetPrec(exactBits)
		s.floats.Add(&s.floats, new(big.Float).SetFloat64(f))
	case v.IsInt():
		s.ints.Add(&s.ints, v.Num())
	default:
		s.rats.Add(&s.rats, v)
	}
}

func (s *exactSum) addSquare(v *big.Rat, isFloat bool, f float64) {
	switch {
	case isFloat:
		s.floats.SetPrec(exactBits)
		x := new(big.Float).SetPrec(106).SetFloat64(f)
		s.floats.Add(&s.floats, x.Mul(x, x))
	case v.IsInt():
		s.ints.Add(&s.ints, new(big.Int).Mul(v.Num(), v.Num()))
	default:
		s.rats.Add(&s.rats, new(big.Rat).Mul(v, v))
	}
}

func (s *exactSum) total() *big.Rat {
	r := new(big.Rat).SetInt(&s.ints)
	r.Add(r, &s.rats)
	if f, _ := s.floats.Rat(nil); f != nil {
		r.Add(r, f)
	}
	return r
}

// sample is what one pass over the data finds.
type sample struct {
	n       int64
	class   *py.Type // type of results
	sum     exactSum
	squares exactSum
}

// measure passes over data; squares are added up only if asked for.
func measure(t *py.Thread, data py.Value, squares bool) (*sample, error) {
	s := &sample{class: py.IntType}
	var types []*py.Type
	err := t.ForEach(data, func(v py.Value) error {
		if c := v.Type(); len(types) == 0 || types[len(types)-1] != c {
			known := false
			for _, x := range types {
				known = known || x == c
			}
			if !known {
				types = append(types, c)
			}
		}
		s.n++
		return s.take(t, v, squares)
	})
	if err != nil {
		return nil, err
	}
	for _, c := range types {
		if s.class, err = commonType(s.class, c); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// take adds one number.
func (s *sample) take(t *py.Thread, v py.Value, squares bool) error {
	if err := t.Charge(8); err != nil {
		return err
	}
	r, f, isFloat, err := exactValue(t, v)
	if err != nil {
		return err
	}
	if isFloat && (math.IsInf(f, 0) || f != f) {
		s.sum.special += f
		s.sum.hasSpecial = true
		return nil
	}
	if !isFloat {
		if err := chargeRat(t, &s.sum.rats, r); err != nil {
			return err
		}
	}
	s.sum.add(r, isFloat, f)
	if squares {
		if err := chargeRat(t, &s.squares.rats, &s.squares.rats); err != nil {
			return err
		}
		s.squares.addSquare(r, isFloat, f)
	}
	return nil
}

// exactValue returns a number as a float or as a rational.
func exactValue(t *py.Thread, v py.Value) (r *big.Rat, f float64, isFloat bool, err error) {
	if r, ok := asRat(t, v); ok {
		return r, 0, false, nil
	}
	if x, ok := py.Unwrap(v).(py.Float); ok {
		return nil, float64(x), true, nil
	}
	ratio, ok, err := t.CallSpecial(v, "as_integer_ratio")
	if err != nil {
		return nil, 0, false, err
	}
	if ok {
		parts, err := t.Collect(ratio)
		if err != nil {
			return nil, 0, false, err
		}
		if len(parts) != 2 {
			return nil, 0, false, unpackError(len(parts), 2)
		}
		r, err = quotient(t, parts[0], parts[1])
		return r, 0, false, err
	}
	return nil, 0, false, py.TypeErrorf("can't convert type '%s' to numerator/denominator", v.Type().Name)
}

// commonType is the type that holds values of both: float wins over Fraction,
// which wins over int, and a subclass over its base.
func commonType(a, b *py.Type) (*py.Type, error) {
	switch {
	case a == b, b == py.IntType, b == py.BoolType:
		return a, nil
	case a == py.IntType, b.IsSubclass(a):
		return b, nil
	case a.IsSubclass(b):
		return a, nil
	case a.IsSubclass(py.IntType):
		return b, nil
	case b.IsSubclass(py.IntType):
		return a, nil
	case a.IsSubclass(fractionType) && b.IsSubclass(py.FloatType):
		return b, nil
	case a.IsSubclass(py.FloatType) && b.IsSubclass(fractionType):
		return a, nil
	}
	return nil, py.TypeErrorf("don't know how to coerce %s and %s", a.Name, b.Name)
}

// convertRat gives an exact result the type of the data; an int that would
// need a fraction becomes a float.
func convertRat(t *py.Thread, v *big.Rat, class *py.Type) (py.Value, error) {
	if class.IsSubclass(py.IntType) && !v.IsInt() {
		class = py.FloatType
	}
	switch class {
	case py.IntType:
		return py.MakeInt(v.Num()), nil
	case py.FloatType:
		f, err := ratFloat(v)
		return py.Float(f), err
	case fractionType:
		return &fraction{v}, nil
	}
	return t.Call(class, []py.Value{&fraction{v}}, nil)
}

// convertSpecial is convertRat for an infinity or a NaN.
func convertSpecial(t *py.Thread, f float64, class *py.Type) (py.Value, error) {
	if class == py.FloatType {
		return py.Float(f), nil
	}
	return t.Call(class, []py.Value{py.Float(f)}, nil)
}

// deviations is the sum of squared deviations from center, or from the mean
// when center is nil. The result is exact unless the data hold an infinity or
// a NaN: then special is the result and r is nil.
func deviations(t *py.Thread, data, center py.Value) (s *sample, r *big.Rat, special float64, err error) {
	if isSet(center) {
		var squares []py.Value
		err := t.ForEach(data, func(x py.Value) error {
			d, err := t.BinaryOp(syntax.Sub, x, center)
			if err != nil {
				return err
			}
			if d, err = t.BinaryOp(syntax.Mult, d, d); err != nil {
				return err
			}
			squares = append(squares, d)
			return t.Alloc(32)
		})
		if err != nil {
			return nil, nil, 0, err
		}
		if s, err = measure(t, py.NewTuple(squares...), false); err != nil {
			return nil, nil, 0, err
		}
		if s.sum.hasSpecial {
			return s, nil, s.sum.special, nil
		}
		return s, s.sum.total(), 0, nil
	}
	if s, err = measure(t, data, true); err != nil || s.n == 0 {
		return s, new(big.Rat), 0, err
	}
	if s.sum.hasSpecial {
		return s, nil, s.sum.special, nil
	}
	// (n * sum(x^2) - sum(x)^2) / n
	n := new(big.Rat).SetInt64(s.n)
	sum := s.sum.total()
	r = new(big.Rat).Mul(n, s.squares.total())
	r.Sub(r, sum.Mul(sum, sum))
	return s, r.Quo(r, n), 0, nil
}

// spreadOf makes variance, stdev and their population forms: the sum of
// squared deviations over n-less, and its root if asked for.
func spreadOf(name string, least, less int64, root bool) py.NativeFunc {
	points := "two data points"
	if least == 1 {
		points = "one data point"
	}
	return func(t *py.Thread, a []py.Value) (py.Value, error) {
		s, r, special, err := deviations(t, a[0], a[1])
		if err != nil {
			return nil, err
		}
		if s.n < least {
			return nil, statisticsError(name + " requires at least " + points)
		}
		switch {
		case r == nil && root:
			return nil, py.AttributeErrorf("'float' object has no attribute 'numerator'")
		case r == nil:
			return convertSpecial(t, special, s.class)
		}
		r = new(big.Rat).Quo(r, new(big.Rat).SetInt64(s.n-less))
		if root {
			f, err := sqrtRat(r)
			return py.Float(f), err
		}
		return convertRat(t, r, s.class)
	}
}

// sqrtRat is the correctly rounded square root: an integer root with at least
// 64 bits whose lowest bit is set when it is not exact, which lets the final
// rounding see on which side of a middle the root lies.
func sqrtRat(v *big.Rat) (float64, error) {
	if v.Sign() <= 0 {
		return 0, nil
	}
	shift := (130 - v.Num().BitLen() + v.Denom().BitLen()) / 2
	num, den := new(big.Int).Set(v.Num()), new(big.Int).Set(v.Denom())
	if shift > 0 {
		num.Lsh(num, uint(2*shift))
	} else {
		den.Lsh(den, uint(-2*shift))
	}
	q, m := new(big.Int).QuoRem(num, den, new(big.Int))
	root := new(big.Int).Sqrt(q)
	if m.Sign() != 0 || new(big.Int).Mul(root, root).Cmp(q) != 0 {
		root.SetBit(root, 0, 1)
	}
	f := new(big.Float).SetInt(root)
	x, _ := f.SetMantExp(f, -shift).Float64()
	if math.IsInf(x, 0) {
		return 0, py.OverflowErrorf("integer division result too large for a float")
	}
	return x, nil
}
