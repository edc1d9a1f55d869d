package libm

import "math"

// reduceExp writes x as k*ln2 + r and returns exp(r)-1, with small relative
// error, and k.
func reduceExp(x dd) (dd, int) {
	k := math.RoundToEven(x.hi / ln2.hi)
	r := x
	if k != 0 {
		r = x.sub(twoProd(k, ln2Parts[0])).sub(twoProd(k, ln2Parts[1])).sub(twoProd(k, ln2Parts[2]))
	}
	return smallExpm1(r), int(k)
}

// smallExpm1 is exp(r)-1 for |r| < 0.35: a Taylor series for r/256, then eight
// times exp(2x)-1 = 2(exp(x)-1) + (exp(x)-1)^2.
func smallExpm1(r dd) dd {
	const halvings = 8
	r = dd{r.hi / (1 << halvings), r.lo / (1 << halvings)}
	s := invFact[11]
	for n := 10; n >= 1; n-- {
		s = s.mul(r).add(invFact[n])
	}
	s = s.mul(r)
	for range halvings {
		s = dd{2 * s.hi, 2 * s.lo}.add(s.mul(s))
	}
	return s
}

func expDD(x dd) (dd, int) {
	s, k := reduceExp(x)
	return s.add(dd{1, 0}), k
}

// Exp is e to the power x.
func Exp(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	s, k := expDD(dd{x, 0})
	return s.floatScaled(k)
}

// Exp2 is 2 to the power x.
func Exp2(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1080:
		return 0
	}
	k := math.RoundToEven(x)
	s := smallExpm1(ln2.mulF(x - k)).add(dd{1, 0})
	return s.floatScaled(int(k))
}

// log1pDD is log(1+f) for |f| < 0.42, by log(1+f) = 2 atanh(f/(2+f)).
func log1pDD(f dd) dd {
	s := f.div(f.add(dd{2, 0}))
	z := s.mul(s)
	sum := invOdd[len(invOdd)-1]
	for i := len(invOdd) - 2; i >= 0; i-- {
		sum = sum.mul(z).add(invOdd[i])
	}
	sum = sum.mul(s)
	return dd{2 * sum.hi, 2 * sum.lo}
}

// normal writes a positive x as m*2^e with m between sqrt(1/2) and sqrt(2).
func normal(x dd) (m dd, e int) {
	_, e = math.Frexp(x.hi)
	m = dd{math.Ldexp(x.hi, -e), math.Ldexp(x.lo, -e)}
	if m.hi < math.Sqrt2/2 {
		m, e = dd{2 * m.hi, 2 * m.lo}, e-1
	}
	return m, e
}

// logDD is the natural logarithm of a positive finite number.
func logDD(x dd) dd {
	m, e := normal(x)
	l := log1pDD(m.sub(dd{1, 0}))
	if e == 0 {
		return l
	}
	k := float64(e)
	return twoProd(k, ln2Parts[0]).add(twoProd(k, ln2Parts[1])).add(l)
}

// logSpecial handles what has no finite logarithm.
func logSpecial(x float64) (float64, bool) {
	switch {
	case x != x || math.IsInf(x, 1):
		return x, true
	case x == 0:
		return math.Inf(-1), true
	case x < 0:
		return math.NaN(), true
	}
	return 0, false
}

// Log is the natural logarithm.
func Log(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	return logDD(dd{x, 0}).float()
}

// Log2 is the logarithm to base 2; it is exact for powers of 2.
func Log2(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	m, e := normal(dd{x, 0})
	return log1pDD(m.sub(dd{1, 0})).div(ln2).add(dd{float64(e), 0}).float()
}

// Log10 is the logarithm to base 10, as the C library computes it: the
// logarithm of a number near 1 and a multiple of log10(2) in two parts.
func Log10(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	m, e := math.Frexp(x)
	if e--; e < 0 {
		e++
	} else {
		m *= 2
	}
	k := float64(e)
	z := float64(k*log2Low) + float64(invLn10*Log(m))
	return z + float64(k*log2High)
}

// log10(2) in two parts, the first short enough that small multiples are
// exact, and 1/log(10).
const (
	log2High = 0x1.34413509f6p-2
	log2Low  = 3.69423907715893078616e-13
	invLn10  = 1 / math.Ln10
)

// Pow is x to the power y, with the special cases of C99 annex F.
func Pow(x, y float64) float64 {
	switch {
	case x == 1 || y == 0:
		return 1
	case x == 0 || x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0), x < 0 && y != math.Trunc(y):
		return math.Pow(x, y)
	}
	sign := 1.0
	if x < 0 && math.Abs(y) < 1<<53 && math.Mod(y, 2) != 0 {
		sign = -1
	}
	z := logDD(dd{math.Abs(x), 0}).mulF(y)
	switch {
	case z.hi > 710:
		return math.Copysign(math.Inf(1), sign)
	case z.hi < -746:
		return math.Copysign(0, sign)
	}
	s, k := expDD(z)
	return sign * s.floatScaled(k)
}

// Cbrt is the cube root.
func Cbrt(x float64) float64 {
	if x == 0 || x != x || math.IsInf(x, 0) {
		return x
	}
	m, e := math.Frexp(x)
	for e%3 != 0 {
		m, e = m/2, e+1
	}
	y := math.Cbrt(m)
	// One Newton step on y^3 = m.
	d := dd{m, 0}.sub(twoProd(y, y).mulF(y)).div(twoProd(y, y).mulF(3))
	return dd{y, 0}.add(d).floatScaled(e / 3)
}
