package stdlib

import (
	"math"

	"gauntlet/internal/py"
	"gauntlet/internal/py/libm"
)

// normalType is statistics.NormalDist.
var normalType = py.NewType("statistics", "NormalDist")

// normal is a normal distribution; immutable.
type normal struct{ mu, sigma float64 }

// Type returns statistics.NormalDist.
func (*normal) Type() *py.Type { return normalType }

func normalOf(v py.Value) *normal {
	if n, ok := py.Unwrap(v).(*normal); ok {
		return n
	}
	return &normal{sigma: 1}
}

func newNormal(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	a, err := parsePySig("NormalDist.__init__", "self, mu=0.0, sigma=1.0").bind(t, append([]py.Value{cls}, args...), kw)
	if err != nil {
		return nil, err
	}
	n := &normal{sigma: 1}
	for i, to := range []*float64{&n.mu, &n.sigma} {
		if v := a[i+1]; v != nil {
			f, err := t.Call(py.FloatType, []py.Value{v}, nil)
			if err != nil {
				return nil, err
			}
			*to = float64(f.(py.Float))
		}
	}
	if n.sigma < 0 {
		return nil, statisticsError("sigma must be non-negative")
	}
	if cls != normalType {
		return py.NewInstance(cls, n), nil
	}
	return n, nil
}

func finishNormal() {
	normalType.New = newNormal
	get := func(name string, f func(n *normal) float64) py.Member {
		return py.Get(name, func(_ *py.Thread, self py.Value) (py.Value, error) { return py.Float(f(normalOf(self))), nil })
	}
	mu := func(n *normal) float64 { return n.mu }
	normalType.Finish(
		get("mean", mu), get("median", mu), get("mode", mu),
		get("stdev", func(n *normal) float64 { return n.sigma }),
		get("variance", func(n *normal) float64 { return n.sigma * n.sigma }),
		normalFunc("pdf", "x", "pdf() not defined when sigma is zero", (*normal).pdf),
		normalFunc("cdf", "x", "cdf() not defined when sigma is zero", (*normal).cdf),
		normalFunc("zscore", "x", "zscore() not defined when sigma is zero", func(n *normal, x float64) float64 { return (x - n.mu) / n.sigma }),
		pyMethod(normalType, "inv_cdf", "p", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			p, err := t.AsFloat(a[0])
			if err != nil {
				return nil, err
			}
			return inverseNormal(normalOf(self), p)
		}),
		pyMethod(normalType, "quantiles", "n=4", normalQuantiles),
		pyMethod(normalType, "samples", "n, *, seed=None", normalSamples),
		pyMethod(normalType, "overlap", "other", normalOverlap),
		py.Member{Name: "from_samples", Value: py.NewClassMethod("from_samples", "data", normalFromSamples)},
	)
	normalType.Finish(normalOperators()...)
	normalType.Finish(normalBasics()...)
}

// normalFunc makes a method of a float that needs a positive sigma.
func normalFunc(name, sig, zero string, f func(n *normal, x float64) float64) py.Member {
	return pyMethod(normalType, name, sig, func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		n := normalOf(self)
		x, err := t.AsFloat(a[0])
		if err != nil {
			return nil, err
		}
		if n.sigma == 0 {
			return nil, statisticsError(zero)
		}
		return py.Float(f(n, x)), nil
	})
}

func (n *normal) pdf(x float64) float64 {
	v := n.sigma * n.sigma
	d := x - n.mu
	return libm.Exp(d*d/(-2*v)) / math.Sqrt(2*math.Pi*v)
}

func (n *normal) cdf(x float64) float64 {
	return 0.5 * (1 + libm.Erf((x-n.mu)/(n.sigma*math.Sqrt2)))
}

func inverseNormal(n *normal, p float64) (py.Value, error) {
	if p <= 0 || p >= 1 {
		return nil, statisticsError("p must be in the range 0.0 < p < 1.0")
	}
	if n.sigma <= 0 {
		return nil, statisticsError("cdf() not defined when sigma at or below zero")
	}
	return py.Float(n.mu + float64(normalDeviate(p)*n.sigma)), nil
}

// Coefficients of normalDeviate, highest power first: numerator and
// denominator for the middle, the tails and the far tails.
// Source: M. J. Wichura, "Algorithm AS 241: the percentage points of the normal
// distribution" (1988), PPND16.
var deviateTable = [3][2][8]float64{
	{{2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4, 4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3, 1.3314166789178437745e+2, 3.3871328727963666080e+0},
		{5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4, 2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2, 4.2313330701600911252e+1, 1}},
	{{7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0, 4.63033784615654529590e+0, 1.42343711074968357734e+0},
		{1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e+0, 2.05319162663775882187e+0, 1}},
	{{2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0, 5.46378491116411436990e+0, 6.65790464350110377720e+0},
		{2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1}},
}

// normalDeviate is the inverse of the standard normal distribution.
func normalDeviate(p float64) float64 {
	horner := func(c [8]float64, r float64) float64 {
		s := c[0]
		for _, x := range c[1:] {
			s = float64(s*r) + x
		}
		return s
	}
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(horner(deviateTable[0][0], r)*q) / horner(deviateTable[0][1], r)
	}
	r := p
	if q > 0 {
		r = 1 - p
	}
	r = math.Sqrt(-libm.Log(r))
	k, shift := 1, 1.6
	if r > 5 {
		k, shift = 2, 5
	}
	x := horner(deviateTable[k][0], r-shift) / horner(deviateTable[k][1], r-shift)
	return math.Copysign(x, q)
}

func normalQuantiles(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	n, err := t.AsIndex(given(a[0], py.Int(4)))
	if err != nil {
		return nil, err
	}
	if err := t.Alloc(int(max(0, min(n, 1<<40))) * 64); err != nil {
		return nil, err
	}
	var out []py.Value
	for i := int64(1); i < n; i++ {
		v, err := inverseNormal(normalOf(self), float64(i)/float64(n))
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return t.NewList(out), nil
}

func normalSamples(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	n, err := t.AsIndex(a[0])
	if err != nil {
		return nil, err
	}
	r := hiddenRandom(t)
	if isSet(a[1]) {
		r = &randomObject{}
		if _, err := randomSeed(t, r, []py.Value{a[1], nil}); err != nil {
			return nil, err
		}
	}
	if err := t.Alloc(int(max(0, min(n, 1<<40))) * 64); err != nil {
		return nil, err
	}
	d := normalOf(self)
	var out []py.Value
	for range n {
		out = append(out, py.Float(d.mu+float64(standardGauss(r)*d.sigma)))
	}
	return t.NewList(out), nil
}

func normalFromSamples(t *py.Thread, cls py.Value, a []py.Value) (py.Value, error) {
	items, err := t.Collect(a[0])
	if err != nil {
		return nil, err
	}
	data := py.NewTuple(items...)
	sd, err := spreadOf("stdev", 2, 1, true)(t, []py.Value{data, nil})
	if err != nil {
		return nil, err
	}
	m, err := statMean(t, []py.Value{data})
	if err != nil {
		return nil, err
	}
	return t.Call(cls, []py.Value{m, sd}, nil)
}

// normalOverlap is the area that two densities share: they cross at the roots
// of a quadratic equation. Source: H. F. Inman and E. L. Bradley, "The
// overlapping coefficient as a measure of agreement" (1989).
func normalOverlap(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	x := normalOf(self)
	y, ok := py.Unwrap(a[0]).(*normal)
	if !ok {
		return nil, py.TypeErrorf("Expected another NormalDist instance")
	}
	if y.sigma < x.sigma || y.sigma == x.sigma && y.mu < x.mu {
		x, y = y, x
	}
	vx, vy := x.sigma*x.sigma, y.sigma*y.sigma
	if vx == 0 || vy == 0 {
		return nil, statisticsError("overlap() not defined when sigma is zero")
	}
	dv, dm := vy-vx, math.Abs(y.mu-x.mu)
	if dv == 0 {
		return py.Float(1 - libm.Erf(dm/(2*x.sigma*math.Sqrt2))), nil
	}
	p := float64(x.mu*vy) - float64(y.mu*vx)
	q := x.sigma * y.sigma * math.Sqrt(float64(dm*dm)+float64(dv*libm.Log(vy/vx)))
	x1, x2 := (p+q)/dv, (p-q)/dv
	return py.Float(1 - (math.Abs(y.cdf(x1)-x.cdf(x1)) + math.Abs(y.cdf(x2)-x.cdf(x2)))), nil
}

func normalOperators() []py.Member {
	binary := func(name string, f func(n *normal, x float64) (*normal, error), pair func(n, o *normal) *normal) py.Member {
		return py.Def(name, "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			n := normalOf(self)
			if o, ok := py.Unwrap(a[0]).(*normal); ok {
				if pair == nil {
					return py.NotImplemented, nil
				}
				return pair(n, o), nil
			}
			x, err := t.AsFloat(a[0])
			if err != nil {
				return py.NotImplemented, nil //nolint:nilerr // an operand that is no number is the other side's business
			}
			r, err := f(n, x)
			if err != nil {
				return nil, err
			}
			return r, nil
		})
	}
	add := func(n *normal, x float64) (*normal, error) { return &normal{n.mu + x, n.sigma}, nil }
	mul := func(n *normal, x float64) (*normal, error) { return &normal{n.mu * x, n.sigma * math.Abs(x)}, nil }
	addPair := func(n, o *normal) *normal { return &normal{n.mu + o.mu, libm.Hypot(n.sigma, o.sigma)} }
	return []py.Member{
		binary("__add__", add, addPair), binary("__radd__", add, addPair),
		binary("__sub__", func(n *normal, x float64) (*normal, error) { return &normal{n.mu - x, n.sigma}, nil },
			func(n, o *normal) *normal { return &normal{n.mu - o.mu, libm.Hypot(n.sigma, o.sigma)} }),
		binary("__rsub__", func(n *normal, x float64) (*normal, error) { return &normal{-(n.mu - x), n.sigma}, nil }, nil),
		binary("__mul__", mul, nil), binary("__rmul__", mul, nil),
		binary("__truediv__", func(n *normal, x float64) (*normal, error) {
			if x == 0 {
				return nil, errFloatDivision()
			}
			return &normal{n.mu / x, n.sigma / math.Abs(x)}, nil
		}, nil),
		py.Def("__neg__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			n := normalOf(self)
			return &normal{-n.mu, n.sigma}, nil
		}),
		py.Def("__pos__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			n := *normalOf(self)
			return &n, nil
		}),
	}
}

// normalBasics are equality, hash and repr.
func normalBasics() []py.Member {
	return []py.Member{
		py.Def("__eq__", "other, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			o, ok := py.Unwrap(a[0]).(*normal)
			if !ok {
				return py.NotImplemented, nil
			}
			return py.Bool(*normalOf(self) == *o), nil
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			n := normalOf(self)
			h, err := t.HashInt(py.NewTuple(py.Float(n.mu), py.Float(n.sigma)))
			return py.Int(h), err
		}),
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			n := normalOf(self)
			mu, err := t.Repr(py.Float(n.mu))
			if err != nil {
				return nil, err
			}
			sigma, err := t.Repr(py.Float(n.sigma))
			return py.NewStr(py.TypeName(self) + "(mu=" + mu + ", sigma=" + sigma + ")"), err
		}),
	}
}
