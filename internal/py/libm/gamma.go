package libm

import "math"

// Python does not use the C library's gamma: it evaluates a Lanczos
// approximation, whose rounding errors are several units. They are reproduced
// by the same approximation: gamma(x+1) is sqrt(2 pi) (x+g+1/2)^(x+1/2)
// exp(-(x+g+1/2)) L(x), where L is a quotient of two polynomials of degree 12.
// Source: C. Lanczos, "A precision approximation of the gamma function"
// (1964); coefficients for g = 6.0246... by J. Maddock, Boost.Math, scaled so
// that the denominator is x(x+1)...(x+11).

const lanczosG = 6.024680040776729583740234375

var (
	lanczosNum = [13]float64{
		23531376880.410759688572007674451636754734846804940,
		42919803642.649098768957899047001988850926355848959,
		35711959237.355668049440185451547166705960488635843,
		17921034426.037209699919755754458931112671403265390,
		6039542586.3520280050642916443072979210699388420708,
		1439720407.3117216736632230727949123939715485786372,
		248874557.86205415651146038641322942321632125127801,
		31426415.585400194380614231628318205362874684987640,
		2876370.6289353724412254090516208496135991145378768,
		186056.26539522349504029498971604569928220784236328,
		8071.6720023658162106380029022722506138218516325024,
		210.82427775157934587250973392071336271166969580291,
		2.5066282746310002701649081771338373386264310793408,
	}
	lanczosDen = risingFactorial()
)

// risingFactorial returns the coefficients of x(x+1)...(x+11), lowest first.
func risingFactorial() (c [13]float64) {
	c[0] = 1
	for k := range 12 {
		for i := 12; i > 0; i-- {
			c[i] = c[i-1] + float64(c[i]*float64(k))
		}
		c[0] *= float64(k)
	}
	return c
}

// lanczosSum is L at a positive x. For a large x both polynomials are
// evaluated in 1/x, which keeps them in range.
func lanczosSum(x float64) float64 {
	num, den := 0.0, 0.0
	if x < 5 {
		for i := 12; i >= 0; i-- {
			num = float64(num*x) + lanczosNum[i]
			den = float64(den*x) + lanczosDen[i]
		}
	} else {
		for i := range 13 {
			num = num/x + lanczosNum[i]
			den = den/x + lanczosDen[i]
		}
	}
	return num / den
}

// sinPi is sin(pi*x), with the argument reduced exactly.
func sinPi(x float64) float64 {
	y := math.Mod(math.Abs(x), 2)
	var r float64
	switch math.Round(2 * y) {
	case 0:
		r = Sin(math.Pi * y)
	case 1:
		r = Cos(math.Pi * (y - 0.5))
	case 2:
		r = Sin(math.Pi * (1 - y))
	case 3:
		r = -Cos(math.Pi * (y - 1.5))
	default:
		r = Sin(math.Pi * (y - 2))
	}
	return math.Copysign(1, x) * r
}

// Gamma is the gamma function. At 0 it is an infinity, at negative integers a
// NaN, and beyond the range of float64 an infinity.
func Gamma(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case math.IsInf(x, -1):
		return math.NaN()
	case x == 0:
		return math.Copysign(math.Inf(1), x)
	}
	if x == math.Floor(x) {
		if x < 0 {
			return math.NaN()
		}
		if x <= 23 {
			f := 1.0
			for i := 2.0; i < x; i++ {
				f *= i
			}
			return f
		}
	}
	a := math.Abs(x)
	switch {
	case a < 1e-20:
		return 1 / x
	case x > 200:
		return math.Inf(1)
	case x < -200:
		return 0 / sinPi(x)
	}
	return lanczosGamma(x, a)
}

func lanczosGamma(x, a float64) float64 {
	const shift = lanczosG - 0.5
	y := a + shift
	// z corrects for the rounding of y.
	var z float64
	if a > shift {
		z = (y - a) - shift
	} else {
		z = (y - shift) - a
	}
	z = z * lanczosG / y
	if x < 0 {
		r := -math.Pi / sinPi(a) / a * Exp(y) / lanczosSum(a)
		r -= float64(z * r)
		if a < 140 {
			return r / Pow(y, a-0.5)
		}
		p := Pow(y, a/2-0.25)
		return r / p / p
	}
	r := lanczosSum(a) / Exp(y)
	r += float64(z * r)
	if a < 140 {
		return r * Pow(y, a-0.5)
	}
	p := Pow(y, a/2-0.25)
	return float64(r*p) * p
}

// Lgamma is the logarithm of the absolute value of Gamma. It is infinite at 0
// and at negative integers.
func Lgamma(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.IsInf(x, 0), x == math.Floor(x) && x <= 0:
		return math.Inf(1)
	case x == 1 || x == 2:
		return 0
	}
	a := math.Abs(x)
	if a < 1e-20 {
		return -Log(a)
	}
	r := Log(lanczosSum(a)) - lanczosG
	r += float64((a - 0.5) * (Log(a+lanczosG-0.5) - 1))
	if x < 0 {
		const logPi = 1.144729885849400174143427351353058711647
		r = logPi - Log(math.Abs(sinPi(a))) - Log(a) - r
	}
	return r
}
