package libm

import "math"

// The C library computes these functions from exp, expm1, log and log1p in
// plain float64 arithmetic. Its errors of one unit or two are part of what a
// Python program sees, so the same formulas are used here. Expm1 and Log1p of
// Go's math package descend from the same source as the C library's.
// Source of the formulas: FDLIBM, Sun Microsystems (1993).

// Expm1 is exp(x)-1.
func Expm1(x float64) float64 { return math.Expm1(x) }

// Log1p is log(1+x).
func Log1p(x float64) float64 { return math.Log1p(x) }

// Sinh is the hyperbolic sine.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x || math.IsInf(x, 0) || a < 0x1p-28:
		return x
	case a < 1:
		u := Expm1(a)
		return math.Copysign(0.5, x) * (2*u - float64(u*u)/(u+1))
	case a < 22:
		u := Expm1(a)
		return math.Copysign(0.5, x) * (u + u/(u+1))
	case a < 709.5:
		return math.Copysign(0.5, x) * Exp(a)
	}
	w := Exp(a / 2)
	return float64(math.Copysign(0.5, x)*w) * w
}

// Cosh is the hyperbolic cosine.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x || math.IsInf(x, 0):
		return a
	case a < math.Ln2/2:
		u := Expm1(a)
		w := 1 + u
		return 1 + float64(u*u)/(w+w)
	case a < 22:
		u := Exp(a)
		return float64(0.5*u) + 0.5/u
	case a < 709.5:
		return 0.5 * Exp(a)
	}
	w := Exp(a / 2)
	return float64(0.5*w) * w
}

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x || a < 0x1p-55:
		return x
	case a >= 22:
		return math.Copysign(1, x)
	case a >= 1:
		return math.Copysign(1-2/(Expm1(2*a)+2), x)
	}
	u := Expm1(-2 * a)
	return math.Copysign(-u/(u+2), x)
}

// Asinh is the inverse of Sinh.
func Asinh(x float64) float64 {
	a := math.Abs(x)
	var w float64
	switch {
	case x != x || math.IsInf(x, 0) || a < 0x1p-28:
		return x
	case a > 1<<28:
		w = Log(a) + math.Ln2
	case a > 2:
		w = Log(float64(2*a) + 1/(math.Sqrt(float64(x*x)+1)+a))
	default:
		u := float64(x * x)
		w = Log1p(a + u/(1+math.Sqrt(1+u)))
	}
	return math.Copysign(w, x)
}

// Acosh is the inverse of Cosh; below 1 it is a NaN.
func Acosh(x float64) float64 {
	switch {
	case x < 1 || x != x:
		return math.NaN()
	case x > 1<<28:
		return Log(x) + math.Ln2
	case x > 2:
		return Log(float64(2*x) - 1/(x+math.Sqrt(float64(x*x)-1)))
	}
	u := x - 1
	return Log1p(u + math.Sqrt(float64(2*u)+float64(u*u)))
}

// Atanh is the inverse of Tanh; outside -1..1 it is a NaN.
func Atanh(x float64) float64 {
	a := math.Abs(x)
	var w float64
	switch {
	case !(a <= 1):
		return math.NaN()
	case a == 1:
		return math.Copysign(math.Inf(1), x)
	case a < 0x1p-28:
		return x
	case a < 0.5:
		u := a + a
		w = 0.5 * Log1p(u+float64(u*a)/(1-a))
	default:
		w = 0.5 * Log1p((a+a)/(1-a))
	}
	return math.Copysign(w, x)
}

// Erf is the error function.
func Erf(x float64) float64 { return math.Erf(x) }

// Erfc is 1-Erf(x), without cancellation.
func Erfc(x float64) float64 { return math.Erfc(x) }
