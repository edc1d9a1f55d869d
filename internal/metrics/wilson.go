package metrics

import "math"

// Z95 is the two-sided 95 % quantile of the standard normal distribution, the
// z of every interval that this package prints.
const Z95 = 1.959963984540054

// Interval is a closed interval of proportions; 0 ≤ Low ≤ High ≤ 1.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Wilson returns the Wilson score interval for k successes in n trials at the
// normal quantile z (Z95 for 95 %). It always contains k/n and lies in [0, 1],
// and it has no zero width at k = 0 or k = n, which is why it is preferred over
// the textbook p ± z·s interval. No continuity correction is applied.
//
// Where n ≤ 0, k is outside [0, n], or z is not positive and finite there is no
// interval: both results are NaN, which no comparison accepts and JSON refuses.
//
// Source: E. B. Wilson, "Probable inference, the law of succession, and
// statistical inference", JASA 22 (1927) 209-212; method 3 of R. G. Newcombe,
// Statistics in Medicine 17 (1998) 857-872.
func Wilson(k, n int, z float64) (lo, hi float64) {
	if n <= 0 || k < 0 || k > n {
		return math.NaN(), math.NaN()
	}
	return scoreInterval(float64(k), float64(n), z)
}

// scoreInterval solves |s/n - p| = z·sqrt(p(1-p)/n) for p, with 0 ≤ s ≤ n and n > 0.
func scoreInterval(s, n, z float64) (lo, hi float64) {
	if !(z > 0) || math.IsInf(z, 0) {
		return math.NaN(), math.NaN()
	}
	p, z2 := s/n, z*z
	denominator := n + z2
	centre := (s + z2/2) / denominator
	half := z * math.Sqrt(n*p*(1-p)+z2/4) / denominator
	// In exact arithmetic the bounds already satisfy these limits; rounding can
	// leave -1e-17 at p = 0, where the bound is exactly 0.
	return min(p, max(0, centre-half)), max(p, min(1, centre+half))
}
