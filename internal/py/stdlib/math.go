package stdlib

import (
	"math"
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/libm"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/py/text"
)

// The math module. The functions on floats come from package libm, which says
// how close they are to the C library's. Functions on ints are in math_int.go.

func buildMath() *py.Module {
	members := []py.Member{
		{Name: "pi", Value: py.Float(math.Pi)}, {Name: "e", Value: py.Float(math.E)}, {Name: "tau", Value: py.Float(2 * math.Pi)},
		{Name: "inf", Value: py.Float(math.Inf(1))}, {Name: "nan", Value: py.Float(math.NaN())},
		py.Func("ceil", "x, /", rounder("__ceil__", math.Ceil)),
		py.Func("floor", "x, /", rounder("__floor__", math.Floor)),
		py.Func("trunc", "x, /", mathTrunc),
		py.Func("copysign", "x, y, /", mathBinary(math.Copysign)),
		py.Func("atan2", "y, x, /", mathBinary(libm.Atan2)),
		py.Func("fmod", "x, y, /", mathBinaryDomain(math.Mod)),
		py.Func("remainder", "x, y, /", mathBinaryDomain(math.Remainder)),
		py.Func("nextafter", "x, y, /", mathBinary(nextAfter)),
		py.Func("pow", "x, y, /", mathPow),
		py.Func("ulp", "x, /", mathPlain(ulp)),
		py.Func("fabs", "x, /", mathPlain(math.Abs)),
		py.Func("degrees", "x, /", mathPlain(func(x float64) float64 { return x * (180 / math.Pi) })),
		py.Func("radians", "x, /", mathPlain(func(x float64) float64 { return x * (math.Pi / 180) })),
		py.Func("isfinite", "x, /", mathTest(func(x float64) bool { return !math.IsInf(x, 0) && x == x })),
		py.Func("isinf", "x, /", mathTest(func(x float64) bool { return math.IsInf(x, 0) })),
		py.Func("isnan", "x, /", mathTest(math.IsNaN)),
		py.Func("isclose", "a, b, *, rel_tol=1e-09, abs_tol=0.0", isClose),
		py.Func("frexp", "x, /", mathFrexp),
		py.Func("ldexp", "x, i, /", mathLdexp),
		py.Func("modf", "x, /", mathModf),
		py.Func("fsum", "seq, /", mathFsum),
		py.Func("hypot", "*coordinates", func(t *py.Thread, a []py.Value) (py.Value, error) {
			xs, err := floatsOf(t, a[0])
			return py.Float(libm.Hypot(xs...)), err
		}),
		py.Func("dist", "p, q, /", mathDist),
		py.Func("prod", "iterable, /, *, start=1", mathProd),
		{Name: "log", Value: py.NewRaw("log", mathLog)},
		py.Func("log2", "x, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return logOf(t, a[0], libm.Log2) }),
		py.Func("log10", "x, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return logOf(t, a[0], libm.Log10) }),
		py.Func("gamma", "x, /", mathGamma),
		py.Func("lgamma", "x, /", mathUnary(libm.Lgamma, false)),
	}
	for name, f := range map[string]func(float64) float64{
		"acos": libm.Acos, "acosh": libm.Acosh, "asin": libm.Asin, "asinh": libm.Asinh, "atan": libm.Atan, "atanh": libm.Atanh,
		"cbrt": libm.Cbrt, "cos": libm.Cos, "erf": libm.Erf, "erfc": libm.Erfc, "log1p": libm.Log1p,
		"sin": libm.Sin, "sqrt": math.Sqrt, "tan": libm.Tan, "tanh": libm.Tanh,
	} {
		members = append(members, py.Func(name, "x, /", mathUnary(f, false)))
	}
	for name, f := range map[string]func(float64) float64{
		"cosh": libm.Cosh, "exp": libm.Exp, "exp2": libm.Exp2, "expm1": libm.Expm1, "sinh": libm.Sinh,
	} {
		members = append(members, py.Func(name, "x, /", mathUnary(f, true)))
	}
	return py.NewModule("math", append(members, integerMembers()...)...)
}

func errDomain() error { return py.ValueErrorf("math domain error") }
func errRange() error  { return py.OverflowErrorf("math range error") }

// mathUnary makes a function of one float. A NaN that does not come from a NaN
// is a domain error; an infinity that does not come from one is a range error
// for functions that can overflow and a domain error (a pole) for others.
func mathUnary(f func(float64) float64, overflows bool) py.NativeFunc {
	return func(t *py.Thread, a []py.Value) (py.Value, error) {
		x, err := t.AsFloat(a[0])
		if err != nil {
			return nil, err
		}
		y := f(x)
		switch {
		case y != y && x == x:
			return nil, errDomain()
		case math.IsInf(y, 0) && !math.IsInf(x, 0) && x == x:
			if overflows {
				return nil, errRange()
			}
			return nil, errDomain()
		}
		return py.Float(y), nil
	}
}

// mathPlain makes a function of one float that cannot fail.
func mathPlain(f func(float64) float64) py.NativeFunc {
	return func(t *py.Thread, a []py.Value) (py.Value, error) {
		x, err := t.AsFloat(a[0])
		return py.Float(f(x)), err
	}
}

func mathTest(f func(float64) bool) py.NativeFunc {
	return func(t *py.Thread, a []py.Value) (py.Value, error) {
		x, err := t.AsFloat(a[0])
		return py.Bool(f(x)), err
	}
}

// twoFloats converts two arguments.
func twoFloats(t *py.Thread, a []py.Value) (x, y float64, err error) {
	if x, err = t.AsFloat(a[0]); err == nil {
		y, err = t.AsFloat(a[1])
	}
	return x, y, err
}

func mathBinary(f func(x, y float64) float64) py.NativeFunc {
	return func(t *py.Thread, a []py.Value) (py.Value, error) {
		x, y, err := twoFloats(t, a)
		return py.Float(f(x, y)), err
	}
}

// mathBinaryDomain is mathBinary with a domain error for a NaN from numbers.
func mathBinaryDomain(f func(x, y float64) float64) py.NativeFunc {
	return func(t *py.Thread, a []py.Value) (py.Value, error) {
		x, y, err := twoFloats(t, a)
		if err != nil {
			return nil, err
		}
		r := f(x, y)
		if r != r && x == x && y == y {
			return nil, errDomain()
		}
		return py.Float(r), nil
	}
}

// rounder makes ceil or floor: a special method for numbers that have it, else
// the float function with an int result.
func rounder(special string, f func(float64) float64) py.NativeFunc {
	return func(t *py.Thread, a []py.Value) (py.Value, error) {
		switch a[0].(type) {
		case py.Float, py.Int, *py.Big, py.Bool:
		default:
			if r, ok, err := t.CallSpecial(a[0], special); ok || err != nil {
				return r, err
			}
		}
		if n, ok := t.AsBigInt(a[0]); ok {
			return py.MakeInt(n), nil
		}
		x, err := t.AsFloat(a[0])
		if err != nil {
			return nil, err
		}
		return floatToInt(f(x))
	}
}

// floatToInt is int(x) with Python's errors for infinities and NaN.
func floatToInt(x float64) (py.Value, error) {
	switch {
	case x != x:
		return nil, py.ValueErrorf("cannot convert float NaN to integer")
	case math.IsInf(x, 0):
		return nil, py.OverflowErrorf("cannot convert float infinity to integer")
	case math.Abs(x) < 1<<62:
		return py.Int(int64(x)), nil
	}
	n, _ := new(big.Float).SetFloat64(x).Int(nil)
	return py.MakeInt(n), nil
}

func mathTrunc(t *py.Thread, a []py.Value) (py.Value, error) {
	switch x := a[0].(type) {
	case py.Float:
		return floatToInt(float64(x))
	case py.Int, *py.Big:
		return x, nil
	}
	if r, ok, err := t.CallSpecial(a[0], "__trunc__"); ok || err != nil {
		return r, err
	}
	if n, ok := t.AsBigInt(a[0]); ok {
		return py.MakeInt(n), nil
	}
	if x, ok := py.Unwrap(a[0]).(py.Float); ok {
		return floatToInt(float64(x))
	}
	return nil, py.TypeErrorf("type %s doesn't define __trunc__ method", py.TypeName(a[0]))
}

// nextAfter differs from Go's for equal arguments, where C returns the second.
func nextAfter(x, y float64) float64 {
	if x == y {
		return y
	}
	return math.Nextafter(x, y)
}

func ulp(x float64) float64 {
	x = math.Abs(x)
	if x != x || math.IsInf(x, 0) {
		return x
	}
	if x == math.MaxFloat64 {
		return x - math.Nextafter(x, 0)
	}
	return math.Nextafter(x, math.Inf(1)) - x
}

func mathPow(t *py.Thread, a []py.Value) (py.Value, error) {
	x, y, err := twoFloats(t, a)
	if err != nil {
		return nil, err
	}
	r := libm.Pow(x, y)
	if finite := !math.IsInf(x, 0) && !math.IsInf(y, 0) && x == x && y == y; finite {
		switch {
		case r != r, math.IsInf(r, 0) && x == 0:
			return nil, errDomain()
		case math.IsInf(r, 0):
			return nil, errRange()
		}
	}
	return py.Float(r), nil
}

func isClose(t *py.Thread, a []py.Value) (py.Value, error) {
	xs := [4]float64{2: 1e-9}
	for i, v := range a {
		if v != nil {
			var err error
			if xs[i], err = t.AsFloat(v); err != nil {
				return nil, err
			}
		}
	}
	x, y, rel, abs := xs[0], xs[1], xs[2], xs[3]
	if rel < 0 || abs < 0 {
		return nil, py.ValueErrorf("tolerances must be non-negative")
	}
	if x == y {
		return py.True, nil
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return py.False, nil
	}
	d := math.Abs(y - x)
	return py.Bool(d <= math.Abs(float64(rel*y)) || d <= math.Abs(float64(rel*x)) || d <= abs), nil
}

func mathFrexp(t *py.Thread, a []py.Value) (py.Value, error) {
	x, err := t.AsFloat(a[0])
	if err != nil {
		return nil, err
	}
	m, e := math.Frexp(x)
	return py.NewTuple(py.Float(m), py.Int(e)), nil
}

func mathLdexp(t *py.Thread, a []py.Value) (py.Value, error) {
	x, err := t.AsFloat(a[0])
	if err != nil {
		return nil, err
	}
	i, ok := t.AsBigInt(a[1])
	if !ok {
		return nil, py.TypeErrorf("Expected an int as second argument to ldexp.")
	}
	if x == 0 || x != x || math.IsInf(x, 0) {
		return py.Float(x), nil
	}
	e := int64(math.MaxInt32)
	if i.IsInt64() {
		e = max(-math.MaxInt32, min(e, i.Int64()))
	} else if i.Sign() < 0 {
		e = -e
	}
	r := math.Ldexp(x, int(e))
	if math.IsInf(r, 0) {
		return nil, errRange()
	}
	return py.Float(r), nil
}

func mathModf(t *py.Thread, a []py.Value) (py.Value, error) {
	x, err := t.AsFloat(a[0])
	if err != nil {
		return nil, err
	}
	if math.IsInf(x, 0) {
		return py.NewTuple(py.Float(math.Copysign(0, x)), py.Float(x)), nil
	}
	whole := math.Trunc(x)
	return py.NewTuple(py.Float(math.Copysign(x-whole, x)), py.Float(whole)), nil
}

// mathFsum adds exactly and rounds once. 2200 bits hold any sum of float64.
func mathFsum(t *py.Thread, a []py.Value) (py.Value, error) {
	sum := new(big.Float).SetPrec(2200)
	term := new(big.Float)
	special, infinite := 0.0, 0.0
	err := t.ForEach(a[0], func(v py.Value) error {
		x, err := t.AsFloat(v)
		if err != nil {
			return err
		}
		if x != x || math.IsInf(x, 0) {
			special += x
			if x == x {
				infinite += x
			}
			return nil
		}
		sum.Add(sum, term.SetFloat64(x))
		if sum.MantExp(nil) > 1024 {
			return py.OverflowErrorf("intermediate overflow in fsum")
		}
		return t.Charge(4)
	})
	switch {
	case err != nil:
		return nil, err
	case infinite != infinite:
		return nil, py.ValueErrorf("-inf + inf in fsum")
	case special != 0:
		return py.Float(special), nil
	}
	f, _ := sum.Float64()
	return py.Float(f), nil
}

func floatsOf(t *py.Thread, v py.Value) ([]float64, error) {
	items, err := t.Collect(v)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(items))
	for i, x := range items {
		if out[i], err = t.AsFloat(x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func mathDist(t *py.Thread, a []py.Value) (py.Value, error) {
	p, err := t.Collect(a[0])
	if err != nil {
		return nil, err
	}
	q, err := t.Collect(a[1])
	if err != nil {
		return nil, err
	}
	if len(p) != len(q) {
		return nil, py.ValueErrorf("both points must have the same number of dimensions")
	}
	d := make([]float64, len(p))
	for i := range p {
		x, y, err := twoFloats(t, []py.Value{p[i], q[i]})
		if err != nil {
			return nil, err
		}
		d[i] = math.Abs(x - y)
	}
	return py.Float(libm.Hypot(d...)), nil
}

func mathProd(t *py.Thread, a []py.Value) (py.Value, error) {
	product := given(a[1], py.Int(1))
	err := t.ForEach(a[0], func(v py.Value) (err error) {
		product, err = t.BinaryOp(syntax.Mult, product, v)
		return err
	})
	return product, err
}

// logOf is a logarithm of an int of any size or of a float.
func logOf(t *py.Thread, v py.Value, f func(float64) float64) (py.Value, error) {
	n, isInt := t.AsBigInt(v)
	if !isInt {
		return mathUnary(f, false)(t, []py.Value{v})
	}
	if n.Sign() <= 0 {
		return nil, errDomain()
	}
	if x, err := text.IntToFloat(n); err == nil {
		return py.Float(f(x)), nil
	}
	m := new(big.Float).SetPrec(53).SetInt(n)
	e := m.MantExp(m)
	x, _ := m.Float64()
	return py.Float(f(x) + float64(f(2)*float64(e))), nil
}

func mathLog(t *py.Thread, a []py.Value, kw []py.Kw) (py.Value, error) {
	switch {
	case len(kw) > 0:
		return nil, py.TypeErrorf("math.log() takes no keyword arguments")
	case len(a) < 1 || len(a) > 2:
		return nil, py.TypeErrorf("math.log requires 1 to 2 arguments")
	}
	x, err := logOf(t, a[0], libm.Log)
	if err != nil || len(a) == 1 {
		return x, err
	}
	b, err := logOf(t, a[1], libm.Log)
	if err != nil {
		return nil, err
	}
	return t.BinaryOp(syntax.Div, x, b)
}

func mathGamma(t *py.Thread, a []py.Value) (py.Value, error) {
	x, err := t.AsFloat(a[0])
	if err != nil {
		return nil, err
	}
	y := libm.Gamma(x)
	switch {
	case y != y && x == x, x == 0:
		return nil, errDomain()
	case math.IsInf(y, 0) && !math.IsInf(x, 0):
		return nil, errRange()
	}
	return py.Float(y), nil
}
