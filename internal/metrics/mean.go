package metrics

import (
	"fmt"
	"slices"
)

// Mean is the mean of N scores, each in [0, 1], with Excluded cases that have no
// score. The zero Mean has no value. Build it with [MeanOf].
type Mean struct {
	Sum      float64 `json:"sum"`
	N        int     `json:"n"`
	Excluded int     `json:"excluded"`
}

// MeanOf returns the mean of scores, beside excluded cases without one. A score
// that is NaN or outside [0, 1] is an error, never clipped. The result does not
// depend on the order of scores, to the last bit.
func MeanOf(scores []float64, excluded int) (Mean, error) {
	if excluded < 0 {
		return Mean{}, fmt.Errorf("take mean: %d excluded cases", excluded)
	}
	for i, score := range scores {
		if !(score >= 0 && score <= 1) {
			return Mean{}, fmt.Errorf("take mean: score %d is %v, want a number from 0 to 1", i, score)
		}
	}
	// Floating-point addition is not associative; a fixed order of addition
	// makes the sum a function of the scores alone.
	sorted := slices.Sorted(slices.Values(scores))
	sum := 0.0
	for _, score := range sorted {
		sum += score
	}
	return Mean{Sum: sum, N: len(scores), Excluded: excluded}, nil
}

// Check returns an error when m cannot be a mean of scores in [0, 1].
func (m Mean) Check() error {
	if m.N < 0 || m.Excluded < 0 || !(m.Sum >= 0 && m.Sum <= float64(m.N)) {
		return fmt.Errorf("check mean: a sum of %v over %d scores with %d excluded cannot be", m.Sum, m.N, m.Excluded)
	}
	return nil
}

// Value returns the mean in [0, 1]. It has none (ok = false) when N is 0 or m
// fails Check.
func (m Mean) Value() (value float64, ok bool) {
	if m.N == 0 || m.Check() != nil {
		return 0, false
	}
	return m.Sum / float64(m.N), true
}

// Interval returns a 95 % interval for the expected score; ok = false exactly
// where Value has none.
//
// It is the Wilson score interval with the mean in the place of the proportion.
// A variable in [0, 1] with expectation p has a variance of at most p(1-p), with
// equality for a variable that is only ever 0 or 1, so the interval errs to the
// wide side, equals the interval of a [Rate] when all scores are 0 or 1, stays
// in [0, 1], and has no zero width when all scores happen to agree. The t
// interval and the percentile bootstrap both claim certainty in that last case,
// which for an attack that failed three times of three is a false claim.
//
// Source of the bound: R. Bhatia and C. Davis, "A better bound on the variance",
// American Mathematical Monthly 107 (2000) 353-357; of the interval: [Wilson].
func (m Mean) Interval() (interval Interval, ok bool) {
	if _, ok := m.Value(); !ok {
		return Interval{}, false
	}
	lo, hi := scoreInterval(m.Sum, float64(m.N), Z95)
	return Interval{lo, hi}, true
}

// String prints the mean like [Rate.String], in percent of the full score.
func (m Mean) String() string {
	if err := m.Check(); err != nil {
		return fmt.Sprintf("invalid %v/%d excluded=%d", m.Sum, m.N, m.Excluded)
	}
	value, _ := m.Value()
	interval, ok := m.Interval()
	return format(value, interval, ok, m.N, m.Excluded)
}
