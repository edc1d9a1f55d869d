package libm

import (
	"math"
	"math/big"
)

// dd is an unevaluated sum hi+lo with |lo| at most half a unit in the last
// place of hi: about 106 bits.
type dd struct{ hi, lo float64 }

// Products are wrapped in float64(...) wherever an addition follows: the
// conversion keeps the compiler from fusing the two.

// twoSum is a+b exactly.
func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

// fastSum is a+b exactly when |a| >= |b|.
func fastSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// twoProd is a*b exactly unless the low part underflows.
func twoProd(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) add(b dd) dd {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = fastSum(s.hi, s.lo+t.hi)
	return fastSum(s.hi, s.lo+t.lo)
}

func (a dd) neg() dd { return dd{-a.hi, -a.lo} }

func (a dd) sub(b dd) dd { return a.add(b.neg()) }

func (a dd) mul(b dd) dd {
	p := twoProd(a.hi, b.hi)
	return fastSum(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a dd) mulF(b float64) dd {
	p := twoProd(a.hi, b)
	return fastSum(p.hi, p.lo+float64(a.lo*b))
}

func (a dd) div(b dd) dd {
	q1 := a.hi / b.hi
	r := a.sub(b.mulF(q1))
	q2 := r.hi / b.hi
	r = r.sub(b.mulF(q2))
	return fastSum(q1, q2).add(dd{r.hi / b.hi, 0})
}

func (a dd) sqrt() dd {
	if a.hi <= 0 {
		return dd{}
	}
	s := math.Sqrt(a.hi)
	// One Newton step in double-double.
	r := a.sub(twoProd(s, s))
	return fastSum(s, r.hi/(2*s)).add(dd{0, -float64(r.hi/(2*s)) * float64(r.hi/(2*s)) / (2 * s)})
}

// float rounds to nearest, ties to even. Exact middles between two float64
// arise from powers of small numbers; the error of the arithmetic must not
// decide them, so the low part is rounded to 84 bits first.
func (a dd) float() float64 {
	s := fastSum(a.hi, a.lo)
	if s.lo == 0 || math.IsInf(s.hi, 0) || s.hi != s.hi {
		return s.hi
	}
	c := s.hi * 0x1.8p-32
	return s.hi + ((s.lo + c) - c)
}

// floatScaled rounds a*2^e, once, also where the result is subnormal.
func (a dd) floatScaled(e int) float64 {
	if f := math.Ldexp(a.hi, e); math.Abs(f) > 0x1p-1000 {
		return math.Ldexp(a.float(), e)
	}
	x := new(big.Float).SetPrec(300).SetFloat64(a.hi)
	x.Add(x, new(big.Float).SetPrec(300).SetFloat64(a.lo))
	x.SetPrec(84)
	f, _ := x.SetMantExp(x, e).Float64()
	return f
}

// parts splits a decimal number into n float64 that sum to it.
func parts(decimal string, n int) []float64 {
	x, _, err := big.ParseFloat(decimal, 10, 400, big.ToNearestEven)
	if err != nil {
		return make([]float64, n)
	}
	return split(x, n)
}

func split(x *big.Float, n int) []float64 {
	x = new(big.Float).Copy(x)
	out := make([]float64, n)
	for i := range out {
		out[i], _ = x.Float64()
		x.Sub(x, new(big.Float).SetFloat64(out[i]))
	}
	return out
}

// inverses returns 1/n for odd n, as the series of atanh needs them.
func oddInverses(n int) []dd {
	out := make([]dd, n)
	for i := range out {
		out[i] = dd{1, 0}.div(dd{float64(2*i + 1), 0})
	}
	return out
}

// inverseFactorials returns 1/n! from 0 on.
func inverseFactorials(n int) []dd {
	out := make([]dd, n)
	out[0] = dd{1, 0}
	for i := 1; i < n; i++ {
		out[i] = out[i-1].div(dd{float64(i), 0})
	}
	return out
}

var (
	ln2Parts = parts("0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641868754200148102057068573", 3)
	ln2      = dd{ln2Parts[0], ln2Parts[1]}
	invFact  = inverseFactorials(30)
	invOdd   = oddInverses(24)
)
