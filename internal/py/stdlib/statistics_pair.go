package stdlib

import (
	"math"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// linearType is the named tuple that linear_regression returns.
var linearType = py.NewType("statistics", "LinearRegression", py.TupleType)

func finishLinear() {
	fields := []string{"slope", "intercept"}
	linearType.New = func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		a, err := parsePySig("LinearRegression.__new__", "_cls, slope, intercept").bind(t, append([]py.Value{cls}, args...), kw)
		if err != nil {
			return nil, err
		}
		return newRecord(cls, a[1], a[2]), nil
	}
	linearType.Finish(recordMembers(linearType, fields)...)
	linearType.Finish(
		py.Member{Name: "_fields", Value: py.NewTuple(py.NewStr(fields[0]), py.NewStr(fields[1]))},
		pyMethod(linearType, "_asdict", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d := t.NewDict()
			for i, v := range py.Unwrap(self).(*py.Tuple).Items {
				d.SetStr(fields[i], v)
			}
			return d, nil
		}),
	)
}

// pairs holds two variables of one length and their deviations from the means.
type pairs struct {
	x, y       []py.Value
	n          float64
	meanX      float64
	meanY      float64
	sxy        float64
	dx, dy     []float64
	proportion bool
}

// newPairs reads two sequences for the function called what.
func newPairs(t *py.Thread, what string, x, y py.Value) (*pairs, error) {
	n, err := t.Len(x)
	if err != nil {
		return nil, err
	}
	m, err := t.Len(y)
	if err != nil {
		return nil, err
	}
	if n != m {
		return nil, statisticsError(what + " requires that both inputs have same number of data points")
	}
	if n < 2 {
		return nil, statisticsError(what + " requires at least two data points")
	}
	p := &pairs{n: float64(n)}
	if p.x, err = t.Collect(x); err != nil {
		return nil, err
	}
	p.y, err = t.Collect(y)
	return p, err
}

// center computes the means, the deviations and the sum of their products.
func (p *pairs) center(t *py.Thread) (err error) {
	mean := func(v []py.Value) (float64, []float64, error) {
		sum, err := sumFloats(t, v)
		if err != nil {
			return 0, nil, err
		}
		m := sum / p.n
		d := make([]float64, len(v))
		for i, x := range v {
			f, err := t.AsFloat(x)
			if err != nil {
				return 0, nil, err
			}
			d[i] = f - m
		}
		return m, d, nil
	}
	if p.meanX, p.dx, err = mean(p.x); err != nil {
		return err
	}
	if p.meanY, p.dy, err = mean(p.y); err != nil {
		return err
	}
	p.sxy, err = sumProducts(t, p.dx, p.dy)
	return err
}

// sumProducts is the exact sum of the rounded products.
func sumProducts(t *py.Thread, a, b []float64) (float64, error) {
	out := make([]py.Value, min(len(a), len(b)))
	for i := range out {
		out[i] = py.Float(a[i] * b[i])
	}
	return sumFloats(t, out)
}

func statCovariance(t *py.Thread, a []py.Value) (py.Value, error) {
	p, err := newPairs(t, "covariance", a[0], a[1])
	if err != nil {
		return nil, err
	}
	if err := p.center(t); err != nil {
		return nil, err
	}
	return py.Float(p.sxy / (p.n - 1)), nil
}

func statCorrelation(t *py.Thread, a []py.Value) (py.Value, error) {
	p, err := newPairs(t, "correlation", a[0], a[1])
	if err != nil {
		return nil, err
	}
	if err := p.center(t); err != nil {
		return nil, err
	}
	sxx, err := sumProducts(t, p.dx, p.dx)
	if err != nil {
		return nil, err
	}
	syy, err := sumProducts(t, p.dy, p.dy)
	if err != nil {
		return nil, err
	}
	root := math.Sqrt(sxx * syy)
	if root == 0 {
		return nil, statisticsError("at least one of the inputs is constant")
	}
	return py.Float(p.sxy / root), nil
}

func statLinear(t *py.Thread, a []py.Value) (py.Value, error) {
	p, err := newPairs(t, "linear regression", a[0], a[1])
	if err != nil {
		return nil, err
	}
	if a[2] != nil {
		if p.proportion, err = t.Truth(a[2]); err != nil {
			return nil, err
		}
	}
	var sxx float64
	if p.proportion {
		if p.sxy, err = sumMixed(t, p.x, p.y); err == nil {
			sxx, err = sumMixed(t, p.x, p.x)
		}
	} else if err = p.center(t); err == nil {
		sxx, err = sumProducts(t, p.dx, p.dx)
	}
	if err != nil {
		return nil, err
	}
	if sxx == 0 {
		return nil, statisticsError("x is constant")
	}
	slope := p.sxy / sxx
	intercept := 0.0
	if !p.proportion {
		intercept = p.meanY - float64(slope*p.meanX)
	}
	return newRecord(linearType, py.Float(slope), py.Float(intercept)), nil
}

// sumMixed is the sum of products in Python's arithmetic.
func sumMixed(t *py.Thread, a, b []py.Value) (float64, error) {
	out := make([]py.Value, min(len(a), len(b)))
	for i := range out {
		var err error
		if out[i], err = t.BinaryOp(syntax.Mult, a[i], b[i]); err != nil {
			return 0, err
		}
	}
	return sumFloats(t, out)
}
