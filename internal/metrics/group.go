package metrics

import (
	"fmt"
	"maps"
	"slices"
)

// Groups holds one [Tally] per key, such as per agent or per strategy, all over
// the same closed set of outcomes. It is not safe for concurrent use.
type Groups[O ~string] struct {
	outcomes []O
	tallies  map[string]*Tally[O]
}

// NewGroups returns empty groups over outcomes, which follow the rules of
// [NewTally].
func NewGroups[O ~string](outcomes ...O) (*Groups[O], error) {
	if _, err := NewTally(outcomes...); err != nil {
		return nil, fmt.Errorf("make groups: %w", err)
	}
	return &Groups[O]{outcomes: slices.Clone(outcomes), tallies: map[string]*Tally[O]{}}, nil
}

// Add counts one case in the group of key, which is made when it is new; see
// [Tally.Add].
func (g *Groups[O]) Add(key string, outcome O, cause string) error {
	tally, err := g.Tally(key)
	if err != nil {
		return err
	}
	if err := tally.Add(outcome, cause); err != nil {
		return fmt.Errorf("group %q: %w", key, err)
	}
	g.tallies[key] = tally
	return nil
}

// Keys returns the keys of all groups that hold a case, sorted.
func (g *Groups[O]) Keys() []string {
	return slices.Sorted(maps.Keys(g.tallies))
}

// Tally returns the tally of key; for a key without cases it is an empty one,
// whose rates have no value.
func (g *Groups[O]) Tally(key string) (*Tally[O], error) {
	if tally, ok := g.tallies[key]; ok {
		return tally, nil
	}
	return NewTally(g.outcomes...)
}
