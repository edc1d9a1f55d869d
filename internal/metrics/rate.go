package metrics

import "fmt"

// Rate is a proportion: Successes of N assessed cases, with Excluded cases that
// could not be assessed and are in neither number. The zero Rate has no value.
type Rate struct {
	Successes int `json:"successes"`
	N         int `json:"n"`
	Excluded  int `json:"excluded"`
}

// Check returns an error when r cannot be the result of counting: a negative
// number, or more successes than cases.
func (r Rate) Check() error {
	if r.Successes < 0 || r.N < 0 || r.Excluded < 0 || r.Successes > r.N {
		return fmt.Errorf("check rate: %d successes of %d with %d excluded cannot be counted", r.Successes, r.N, r.Excluded)
	}
	return nil
}

// Value returns the proportion in [0, 1]. It has none (ok = false) when N is 0
// or r fails Check.
func (r Rate) Value() (value float64, ok bool) {
	if r.N == 0 || r.Check() != nil {
		return 0, false
	}
	return float64(r.Successes) / float64(r.N), true
}

// Interval returns the 95 % Wilson interval, see [Wilson]; ok = false exactly
// where Value has none.
func (r Rate) Interval() (interval Interval, ok bool) {
	if _, ok := r.Value(); !ok {
		return Interval{}, false
	}
	lo, hi := Wilson(r.Successes, r.N, Z95)
	return Interval{lo, hi}, true
}

// Plus returns the rate over the cases of r and other together.
func (r Rate) Plus(other Rate) Rate {
	return Rate{r.Successes + other.Successes, r.N + other.N, r.Excluded + other.Excluded}
}

// String prints the rate in percent with everything that belongs to it, such as
// "42.0% [32.8, 51.8] n=100 excluded=2"; without a value it prints "-", followed
// by the excluded count if there is one.
func (r Rate) String() string {
	if err := r.Check(); err != nil {
		return fmt.Sprintf("invalid %d/%d excluded=%d", r.Successes, r.N, r.Excluded)
	}
	value, _ := r.Value()
	interval, ok := r.Interval()
	return format(value, interval, ok, r.N, r.Excluded)
}

// format is the one printed form of an estimate between 0 and 1.
func format(value float64, interval Interval, ok bool, n, excluded int) string {
	if !ok && excluded == 0 {
		return "-"
	}
	if !ok {
		return fmt.Sprintf("- excluded=%d", excluded)
	}
	return fmt.Sprintf("%.1f%% [%.1f, %.1f] n=%d excluded=%d",
		100*value, 100*interval.Low, 100*interval.High, n, excluded)
}
