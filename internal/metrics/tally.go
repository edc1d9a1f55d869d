package metrics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Unstated is the cause under which excluded cases are counted that were added
// without one, so that the causes always add up to the excluded count.
const Unstated = "unstated"

// Count is how many cases share a name: an outcome or a cause.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Tally counts cases by outcome, over a set of outcomes that is closed when the
// tally is made, and by cause. O is the caller's own outcome type. A Tally is
// not safe for concurrent use.
type Tally[O ~string] struct {
	outcomes []O
	causes   map[O]map[string]int // every outcome has an entry
}

// NewTally returns an empty tally over outcomes, the whole closed set in the
// order in which they are to be printed. No outcome, an empty one or a repeated
// one is an error.
func NewTally[O ~string](outcomes ...O) (*Tally[O], error) {
	if len(outcomes) == 0 {
		return nil, fmt.Errorf("make tally: no outcomes")
	}
	t := &Tally[O]{outcomes: slices.Clone(outcomes), causes: map[O]map[string]int{}}
	for _, outcome := range outcomes {
		if _, repeated := t.causes[outcome]; repeated || outcome == "" {
			return nil, fmt.Errorf("make tally: outcome %q is empty or repeated", outcome)
		}
		t.causes[outcome] = map[string]int{}
	}
	return t, nil
}

// Add counts one case. The cause says why the outcome came about and may be
// empty for an outcome that needs no reason. An outcome outside the set is an
// error and counts nothing.
func (t *Tally[O]) Add(outcome O, cause string) error {
	causes, known := t.causes[outcome]
	if !known {
		return fmt.Errorf("add outcome: %q is not one of %q", outcome, t.outcomes)
	}
	if cause == "" {
		cause = Unstated
	}
	causes[cause]++
	return nil
}

// Counts returns every outcome of the set with its count, also those with none,
// in the order given to NewTally.
func (t *Tally[O]) Counts() []Count {
	counts := make([]Count, len(t.outcomes))
	for i, outcome := range t.outcomes {
		counts[i] = Count{string(outcome), t.count(outcome)}
	}
	return counts
}

// Total returns the number of cases added.
func (t *Tally[O]) Total() int {
	return t.count(t.outcomes...)
}

func (t *Tally[O]) count(outcomes ...O) int {
	total := 0
	for _, outcome := range outcomes {
		for _, n := range t.causes[outcome] {
			total += n
		}
	}
	return total
}

// Split says how the outcomes of a closed set make a rate: Success is the
// numerator, Success and Failure together are the denominator, and every other
// outcome of the set is excluded. One tally can be split in several ways, such
// as attack success over exposed cases and over all assessed cases.
type Split[O ~string] struct {
	Success []O
	Failure []O
}

// excluded returns the outcomes of t that s leaves out.
func (t *Tally[O]) excluded(s Split[O]) ([]O, error) {
	counted := map[O]bool{}
	for _, outcome := range slices.Concat(s.Success, s.Failure) {
		if _, known := t.causes[outcome]; !known {
			return nil, fmt.Errorf("split tally: %q is not one of %q", outcome, t.outcomes)
		}
		if counted[outcome] {
			return nil, fmt.Errorf("split tally: %q is named twice", outcome)
		}
		counted[outcome] = true
	}
	return slices.DeleteFunc(slices.Clone(t.outcomes), func(o O) bool { return counted[o] }), nil
}

// Rate returns the rate that s makes of the tally; N + Excluded equals Total. An
// outcome in s that is not in the set, or is named twice, is an error.
func (t *Tally[O]) Rate(s Split[O]) (Rate, error) {
	excluded, err := t.excluded(s)
	if err != nil {
		return Rate{}, err
	}
	successes := t.count(s.Success...)
	return Rate{
		Successes: successes,
		N:         successes + t.count(s.Failure...),
		Excluded:  t.count(excluded...),
	}, nil
}

// Exclusions returns the cases that s excludes, counted by cause, the most
// frequent first and equal counts by name. Their sum is the Excluded of the rate
// that s makes.
func (t *Tally[O]) Exclusions(s Split[O]) ([]Count, error) {
	excluded, err := t.excluded(s)
	if err != nil {
		return nil, err
	}
	total := map[string]int{}
	for _, outcome := range excluded {
		for cause, n := range t.causes[outcome] {
			total[cause] += n
		}
	}
	counts := make([]Count, 0, len(total))
	for _, cause := range slices.Sorted(maps.Keys(total)) {
		counts = append(counts, Count{cause, total[cause]})
	}
	slices.SortStableFunc(counts, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return counts, nil
}
