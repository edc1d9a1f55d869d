package stdlib

import (
	"math"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/libm"
	"gauntlet/internal/py/syntax"
)

// The distributions draw the same random numbers in the same order as
// CPython's and compute with the same formulas, so that a seeded program
// prints the same numbers (see package libm for the last digit).

// floatVariate makes a method whose parameters are floats.
func floatVariate(names string, defaults []float64, f func(r *randomObject, p []float64) (float64, error)) func(*py.Thread, *randomObject, []py.Value) (py.Value, error) {
	n := len(strings.Fields(names))
	return func(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
		p := make([]float64, n)
		copy(p, defaults)
		for i, v := range a[:n] {
			if v != nil {
				var err error
				if p[i], err = t.AsFloat(v); err != nil {
					return nil, err
				}
			}
		}
		if err := t.Charge(8); err != nil {
			return nil, err
		}
		x, err := f(r, p)
		return py.Float(x), err
	}
}

// randomUniform is a + (b-a) * random(), in Python's arithmetic.
func randomUniform(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	return between(t, a[0], a[1], r.float64())
}

// between is low + (high-low) * x.
func between(t *py.Thread, low, high py.Value, x float64) (py.Value, error) {
	d, err := t.BinaryOp(syntax.Sub, high, low)
	if err == nil {
		d, err = t.BinaryOp(syntax.Mult, d, py.Float(x))
	}
	if err != nil {
		return nil, err
	}
	return t.BinaryOp(syntax.Add, low, d)
}

func randomTriangular(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	low, high := given(a[0], py.Float(0)), given(a[1], py.Float(1))
	u, c := r.float64(), 0.5
	if isSet(a[2]) {
		num, err := t.BinaryOp(syntax.Sub, a[2], low)
		if err != nil {
			return nil, err
		}
		den, err := t.BinaryOp(syntax.Sub, high, low)
		if err != nil {
			return nil, err
		}
		q, err := t.BinaryOp(syntax.Div, num, den)
		if _, zero := py.Catch(err, py.ZeroDivisionErrorType); zero {
			return low, nil
		}
		if err == nil {
			c, err = t.AsFloat(q)
		}
		if err != nil {
			return nil, err
		}
	}
	if u > c {
		u, c = 1-u, 1-c
		low, high = high, low
	}
	if u*c < 0 {
		return nil, errDomain()
	}
	return between(t, low, high, math.Sqrt(u*c))
}

// scaledVariate makes a method that returns mu + z*sigma, in Python's
// arithmetic, for a standard normal z.
func scaledVariate(standard func(r *randomObject) float64) func(*py.Thread, *randomObject, []py.Value) (py.Value, error) {
	return func(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
		if err := t.Charge(8); err != nil {
			return nil, err
		}
		mu, sigma := given(a[0], py.Float(0)), given(a[1], py.Float(1))
		v, err := t.BinaryOp(syntax.Mult, py.Float(standard(r)), sigma)
		if err != nil {
			return nil, err
		}
		return t.BinaryOp(syntax.Add, mu, v)
	}
}

// standardNormal uses the ratio of uniforms.
// Source: A. J. Kinderman and J. F. Monahan, "Computer generation of random
// variables using the ratio of uniform deviates" (1977).
func standardNormal(r *randomObject) float64 {
	magic := 4 * libm.Exp(-0.5) / math.Sqrt(2)
	for {
		u := r.float64()
		v := 1 - r.float64()
		z := magic * (u - 0.5) / v
		if float64(z*z)/4 <= -libm.Log(v) {
			return z
		}
	}
}

// standardGauss makes normal values in pairs and keeps the second.
// Source: G. E. P. Box and M. E. Muller, "A note on the generation of random
// normal deviates" (1958).
func standardGauss(r *randomObject) float64 {
	if g := r.gaussian; g != nil {
		r.gaussian = nil
		return *g
	}
	angle := r.float64() * (2 * math.Pi)
	radius := math.Sqrt(-2 * libm.Log(1-r.float64()))
	second := libm.Sin(angle) * radius
	r.gaussian = &second
	return float64(libm.Cos(angle) * radius)
}

// randomLogNormal is exp(normalvariate(mu, sigma)).
func randomLogNormal(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	v, err := scaledVariate(standardNormal)(t, r, a)
	if err != nil {
		return nil, err
	}
	x, err := t.AsFloat(v)
	if err != nil {
		return nil, err
	}
	if x = libm.Exp(x); math.IsInf(x, 0) {
		return nil, errRange()
	}
	return py.Float(x), nil
}

// randomExponential is -log(1-random()) / lambd.
func randomExponential(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	return t.BinaryOp(syntax.Div, py.Float(-libm.Log(1-r.float64())), a[0])
}

func errFloatDivision() error {
	return py.RaiseType(py.ZeroDivisionErrorType, "float division by zero")
}

// vonMisesVariate is the circular normal distribution.
// Source: D. J. Best and N. I. Fisher, "Efficient simulation of the von Mises
// distribution" (1979).
func vonMisesVariate(r *randomObject, p []float64) (float64, error) {
	const turn = 2 * math.Pi
	mu, kappa := p[0], p[1]
	if kappa <= 1e-6 {
		return turn * r.float64(), nil
	}
	s := 0.5 / kappa
	rho := s + math.Sqrt(1+float64(s*s))
	var z float64
	for {
		z = libm.Cos(math.Pi * r.float64())
		d := z / (rho + z)
		u := r.float64()
		if u < 1-float64(d*d) || u <= float64((1-d)*libm.Exp(d)) {
			break
		}
	}
	q := 1 / rho
	f := (q + z) / (1 + float64(q*z))
	theta := mu - libm.Acos(f)
	if r.float64() > 0.5 {
		theta = mu + libm.Acos(f)
	}
	theta = math.Mod(theta, turn)
	if theta < 0 {
		theta += turn
	}
	return theta, nil
}

// gammaVariate uses Cheng's method above 1 and Ahrens and Dieter's below.
// Sources: R. C. H. Cheng, "The generation of gamma variables with
// non-integral shape parameter" (1977); J. H. Ahrens and U. Dieter, "Computer
// methods for sampling from gamma, beta, Poisson and binomial distributions"
// (1974), algorithm GS.
func gammaVariate(r *randomObject, p []float64) (float64, error) {
	alpha, beta := p[0], p[1]
	if alpha <= 0 || beta <= 0 {
		return 0, py.ValueErrorf("gammavariate: alpha and beta must be > 0.0")
	}
	switch {
	case alpha > 1:
		return chengGamma(r, alpha) * beta, nil
	case alpha == 1:
		return -libm.Log(1-r.float64()) * beta, nil
	}
	for {
		b := (math.E + alpha) / math.E
		v := b * r.float64()
		var x float64
		if v <= 1 {
			x = libm.Pow(v, 1/alpha)
		} else {
			x = -libm.Log((b - v) / alpha)
		}
		u := r.float64()
		if v > 1 {
			if u <= libm.Pow(x, alpha-1) {
				return x * beta, nil
			}
		} else if u <= libm.Exp(-x) {
			return x * beta, nil
		}
	}
}

func chengGamma(r *randomObject, alpha float64) float64 {
	root := math.Sqrt(float64(2*alpha) - 1)
	b := alpha - libm.Log(4)
	c := alpha + root
	magic := 1 + libm.Log(4.5)
	for {
		u := r.float64()
		if !(1e-7 < u && u < 0.9999999) {
			continue
		}
		w := 1 - r.float64()
		v := libm.Log(u/(1-u)) / root
		x := alpha * libm.Exp(v)
		z := float64(u*u) * w
		s := b + float64(c*v) - x
		if s+magic-float64(4.5*z) >= 0 || s >= libm.Log(z) {
			return x
		}
	}
}

func betaVariate(r *randomObject, p []float64) (float64, error) {
	y, err := gammaVariate(r, []float64{p[0], 1})
	if err != nil || y == 0 {
		return 0, err
	}
	z, err := gammaVariate(r, []float64{p[1], 1})
	if err != nil {
		return 0, err
	}
	return y / (y + z), nil
}

func paretoVariate(r *randomObject, p []float64) (float64, error) {
	u := 1 - r.float64()
	if p[0] == 0 {
		return 0, errFloatDivision()
	}
	return libm.Pow(u, -1/p[0]), nil
}

func weibullVariate(r *randomObject, p []float64) (float64, error) {
	u := 1 - r.float64()
	if p[1] == 0 {
		return 0, errFloatDivision()
	}
	return p[0] * libm.Pow(-libm.Log(u), 1/p[1]), nil
}
