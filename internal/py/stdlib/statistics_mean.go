package stdlib

import (
	"math"
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/libm"
	"gauntlet/internal/py/syntax"
)

func statMean(t *py.Thread, a []py.Value) (py.Value, error) {
	s, err := measure(t, a[0], false)
	if err != nil {
		return nil, err
	}
	if s.n < 1 {
		return nil, statisticsError("mean requires at least one data point")
	}
	if s.sum.hasSpecial {
		return convertSpecial(t, s.sum.special/float64(s.n), s.class)
	}
	return convertRat(t, new(big.Rat).Quo(s.sum.total(), new(big.Rat).SetInt64(s.n)), s.class)
}

// sumFloats is math.fsum of values that are at hand.
func sumFloats(t *py.Thread, items []py.Value) (float64, error) {
	v, err := mathFsum(t, []py.Value{py.NewTuple(items...)})
	if err != nil {
		return 0, err
	}
	return float64(v.(py.Float)), nil
}

func statFmean(t *py.Thread, a []py.Value) (py.Value, error) {
	data, err := t.Collect(a[0])
	if err != nil {
		return nil, err
	}
	if !isSet(a[1]) {
		total, err := sumFloats(t, data)
		if err != nil {
			return nil, err
		}
		if len(data) == 0 {
			return nil, statisticsError("fmean requires at least one data point")
		}
		return py.Float(total / float64(len(data))), nil
	}
	weights, err := t.Collect(a[1])
	if err != nil {
		return nil, err
	}
	products := make([]py.Value, min(len(data), len(weights)))
	for i := range products {
		if products[i], err = t.BinaryOp(syntax.Mult, data[i], weights[i]); err != nil {
			return nil, err
		}
	}
	num, err := sumFloats(t, products)
	if err != nil {
		return nil, err
	}
	if len(data) != len(weights) {
		return nil, statisticsError("data and weights must be the same length")
	}
	den, err := sumFloats(t, weights)
	if err != nil {
		return nil, err
	}
	if den == 0 {
		return nil, statisticsError("sum of weights must be non-zero")
	}
	return py.Float(num / den), nil
}

func statGeometric(t *py.Thread, a []py.Value) (py.Value, error) {
	logs, err := t.Collect(a[0])
	for i := 0; err == nil && i < len(logs); i++ {
		logs[i], err = logOf(t, logs[i], libm.Log)
	}
	total := 0.0
	if err == nil {
		total, err = sumFloats(t, logs)
	}
	if _, bad := py.Catch(err, py.ValueErrorType); bad || err == nil && len(logs) == 0 {
		return nil, statisticsError("geometric mean requires a non-empty dataset containing positive numbers")
	}
	if err != nil {
		return nil, err
	}
	x := libm.Exp(total / float64(len(logs)))
	if math.IsInf(x, 0) && !math.IsInf(total, 0) {
		return nil, errRange()
	}
	return py.Float(x), nil
}

const errNegative = "harmonic mean does not support negative values"

func isNegative(t *py.Thread, v py.Value) error {
	less, err := t.Less(v, py.Int(0))
	if err == nil && less {
		return statisticsError(errNegative)
	}
	return err
}

func statHarmonic(t *py.Thread, a []py.Value) (py.Value, error) {
	data, err := t.Collect(a[0])
	if err != nil {
		return nil, err
	}
	n := len(data)
	switch {
	case n < 1:
		return nil, statisticsError("harmonic_mean requires at least one data point")
	case n == 1 && !isSet(a[1]):
		_, rational := asRat(t, data[0])
		if _, isFloat := py.Unwrap(data[0]).(py.Float); !isFloat && !rational {
			return nil, py.TypeErrorf("unsupported type")
		}
		return data[0], isNegative(t, data[0])
	}
	weights := make([]py.Value, n)
	for i := range weights {
		weights[i] = py.Int(1)
	}
	if isSet(a[1]) {
		if weights, err = t.Collect(a[1]); err != nil {
			return nil, err
		}
		if len(weights) != n {
			return nil, statisticsError("Number of weights does not match data size")
		}
		for _, w := range weights {
			if err := isNegative(t, w); err != nil {
				return nil, err
			}
		}
	}
	all, err := measure(t, py.NewTuple(weights...), false)
	if err != nil {
		return nil, err
	}
	parts, err := weightedInverses(t, data, weights)
	if _, zero := py.Catch(err, py.ZeroDivisionErrorType); zero {
		return py.Int(0), nil
	}
	if err != nil {
		return nil, err
	}
	s, err := measure(t, py.NewTuple(parts...), false)
	if err != nil {
		return nil, err
	}
	if s.sum.hasSpecial {
		// NaN, or an infinite inverse: the mean is NaN or 0.
		if s.sum.special != s.sum.special {
			return py.Float(math.NaN()), nil
		}
		return py.Float(0), nil
	}
	total := s.sum.total()
	if total.Sign() <= 0 {
		return nil, statisticsError("Weighted sum must be positive")
	}
	return convertRat(t, new(big.Rat).Quo(all.sum.total(), total), s.class)
}

// weightedInverses is w/x for each number, 0 where the weight is 0.
func weightedInverses(t *py.Thread, data, weights []py.Value) ([]py.Value, error) {
	out := make([]py.Value, len(data))
	for i, x := range data {
		if err := isNegative(t, x); err != nil {
			return nil, err
		}
		some, err := t.Truth(weights[i])
		if err != nil {
			return nil, err
		}
		out[i] = py.Int(0)
		if some {
			if out[i], err = t.BinaryOp(syntax.Div, weights[i], x); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
