package libm

import (
	"math"
	"math/big"
	"sync"
)

// halfPi in four parts: 212 bits, enough to reduce arguments below 2^20.
var halfPi = parts("1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931401741267105853399107404326", 4)

// bigHalfPi is pi/2 to 1300 bits, which reduces any float64.
// Source: Machin's formula, pi/4 = 4 arctan(1/5) - arctan(1/239).
var bigHalfPi = sync.OnceValue(func() *big.Float {
	const bits = 1300
	arctan := func(n int64) *big.Int {
		term := new(big.Int).Lsh(big.NewInt(1), bits)
		term.Quo(term, big.NewInt(n))
		sum, part := new(big.Int), new(big.Int)
		for k := int64(1); term.Sign() != 0; k += 2 {
			part.Quo(term, big.NewInt(k))
			if k%4 == 1 {
				sum.Add(sum, part)
			} else {
				sum.Sub(sum, part)
			}
			term.Quo(term, big.NewInt(n*n))
		}
		return sum
	}
	x := arctan(5)
	x.Lsh(x, 2)
	x.Sub(x, arctan(239))
	x.Lsh(x, 1)
	f := new(big.Float).SetPrec(bits).SetInt(x)
	return f.SetMantExp(f, -bits)
})

// reduce writes x as k*pi/2 + r with |r| at most about pi/4; it returns k mod 4 and r.
func reduce(x float64) (int, dd) {
	if math.Abs(x) <= math.Pi/4 {
		return 0, dd{x, 0}
	}
	if math.Abs(x) < 1<<20 {
		k := math.RoundToEven(x / halfPi[0])
		r := dd{x, 0}
		for _, p := range halfPi {
			r = r.sub(twoProd(k, p))
		}
		return int(int64(k) & 3), r
	}
	const prec = 1300
	f := new(big.Float).SetPrec(prec).SetFloat64(x)
	q, _ := new(big.Float).SetPrec(prec).Quo(f, bigHalfPi()).Int(nil)
	f.Sub(f, new(big.Float).SetPrec(prec).Mul(new(big.Float).SetPrec(prec).SetInt(q), bigHalfPi()))
	r := split(f, 2)
	k := int(new(big.Int).And(q, big.NewInt(3)).Int64())
	if math.Abs(r[0]) <= math.Pi/4 {
		return k, dd{r[0], r[1]}
	}
	// Int truncates: go to the nearest multiple.
	step := math.Copysign(1, r[0])
	d := dd{r[0], r[1]}.sub(twoProd(step, halfPi[0])).sub(twoProd(step, halfPi[1]))
	return (k + int(step)) & 3, d
}

// sinCosDD is the Taylor series of both for |r| < 0.8.
func sinCosDD(r dd) (sin, cos dd) {
	z := r.mul(r).neg()
	sin, cos = invFact[27], invFact[28]
	for n := 25; n >= 1; n -= 2 {
		sin = sin.mul(z).add(invFact[n])
	}
	for n := 26; n >= 0; n -= 2 {
		cos = cos.mul(z).add(invFact[n])
	}
	return sin.mul(r), cos
}

// sinCos returns both functions of any finite x.
func sinCos(x float64) (sin, cos dd) {
	k, r := reduce(x)
	sin, cos = sinCosDD(r)
	switch k {
	case 1:
		return cos, sin.neg()
	case 2:
		return sin.neg(), cos.neg()
	case 3:
		return cos.neg(), sin
	}
	return sin, cos
}

func notFinite(x float64) bool { return x != x || math.IsInf(x, 0) }

// Sin is the sine of x radians; of an infinity it is a NaN.
func Sin(x float64) float64 {
	switch {
	case notFinite(x):
		return math.NaN()
	case math.Abs(x) < 0x1p-30:
		return tiny(x, -1.0/6)
	}
	s, _ := sinCos(x)
	return s.float()
}

// tiny is x + c*x^3 rounded, for an x so small that the rest does not matter.
func tiny(x, c float64) float64 {
	if math.Abs(x) < 0x1p-300 {
		return x
	}
	return x + float64(float64(c*x)*float64(x*x))
}

// Cos is the cosine of x radians; of an infinity it is a NaN.
func Cos(x float64) float64 {
	if notFinite(x) {
		return math.NaN()
	}
	_, c := sinCos(x)
	return c.float()
}

// Tan is the tangent of x radians; of an infinity it is a NaN.
func Tan(x float64) float64 {
	switch {
	case notFinite(x):
		return math.NaN()
	case math.Abs(x) < 0x1p-30:
		return tiny(x, 1.0/3)
	}
	s, c := sinCos(x)
	return s.div(c).float()
}

// angle is the angle of the point (x, y), refined from a float64 estimate by
// the tangent of the small difference.
func angle(y, x dd) dd {
	estimate := math.Atan2(y.hi, x.hi)
	s, c := sinCos(estimate)
	num := y.mul(c).sub(x.mul(s))
	den := x.mul(c).add(y.mul(s))
	return dd{estimate, 0}.add(num.div(den))
}

// Atan is the inverse tangent, between -pi/2 and pi/2.
func Atan(x float64) float64 {
	switch a := math.Abs(x); {
	case notFinite(x):
		return math.Atan(x)
	case a < 0x1p-30:
		return tiny(x, -1.0/3)
	case a > 0x1p200:
		return math.Copysign(halfPi[0], x)
	}
	return angle(dd{x, 0}, dd{1, 0}).float()
}

// Atan2 is the angle of the point (x, y), between -pi and pi.
func Atan2(y, x float64) float64 {
	if notFinite(x) || notFinite(y) || x == 0 || y == 0 {
		return math.Atan2(y, x)
	}
	fy, ey := math.Frexp(y)
	fx, ex := math.Frexp(x)
	d := ey - ex
	switch {
	case d > 200 || d < -200 && x < 0:
		return math.Atan2(y, x)
	case d < -200:
		q := dd{fy, 0}.div(dd{fx, 0})
		return q.floatScaled(d)
	}
	return angle(dd{math.Ldexp(fy, d), 0}, dd{fx, 0}).float()
}

// cosine is sqrt(1-x*x).
func cosine(x float64) dd { return twoSum(1, -x).mul(twoSum(1, x)).sqrt() }

// Asin is the inverse sine; outside -1..1 it is a NaN.
func Asin(x float64) float64 {
	switch a := math.Abs(x); {
	case !(a <= 1):
		return math.NaN()
	case a < 0x1p-30:
		return tiny(x, 1.0/6)
	}
	return angle(dd{x, 0}, cosine(x)).float()
}

// Acos is the inverse cosine; outside -1..1 it is a NaN.
func Acos(x float64) float64 {
	switch {
	case !(math.Abs(x) <= 1):
		return math.NaN()
	case x == 1:
		return 0
	}
	return angle(cosine(x), dd{x, 0}).float()
}

// Hypot is the square root of the sum of squares, of any number of coordinates.
func Hypot(coordinates ...float64) float64 {
	most := 0.0
	nan := false
	for _, c := range coordinates {
		if math.IsInf(c, 0) {
			return math.Inf(1)
		}
		nan = nan || c != c
		most = max(most, math.Abs(c))
	}
	if nan {
		return math.NaN()
	}
	if most == 0 {
		return 0
	}
	_, e := math.Frexp(most)
	var sum dd
	for _, c := range coordinates {
		s := math.Ldexp(c, -e)
		sum = sum.add(twoProd(s, s))
	}
	return sum.sqrt().floatScaled(e)
}
