package summary

import (
	"fmt"
	"slices"
	"strings"

	"gauntlet/internal/metrics"
	"gauntlet/internal/run"
)

// MaxPaired is the number of values of a dimension up to which every two are
// compared; of more, each is compared with the first.
const MaxPaired = 8

// Pair compares two values of a dimension on the cells that they have in common:
// the same case and epoch, and the same values in all other dimensions. Cases of
// two strategies are paired by world and scenario, where each strategy has one
// case there.
type Pair struct {
	Dimension Dimension `json:"dimension"`
	Within    string    `json:"within,omitempty"` // the agent, unless agents are compared
	A         string    `json:"a"`
	B         string    `json:"b"`
	// AlsoDiffers are dimensions in which all cells of A have one value and all of
	// B another, such as the models of two agents: the difference is one of both.
	AlsoDiffers []Dimension `json:"also_differs,omitempty"`
	// Ambiguous counts cells left out because their side has several for one pair.
	Ambiguous   int          `json:"ambiguous,omitempty"`
	Differences []Difference `json:"differences"`
}

// Difference is A less B in one measure, named like the numbers of a [Group].
type Difference struct {
	Metric string `json:"metric"`
	metrics.Difference
}

// compared are the measures that pairs are compared in.
var compared = []measure{benignMean, benignStrict, benignStrictClean, benignStrictAttack, attackAny, attackStrict}

// compare fills in the pairs: of agents, and within each agent of the values of
// every other dimension.
func (s *Summary) compare(outcomes []*run.Outcome, b metrics.Bootstrap) error {
	if err := s.compareIn(outcomes, DimensionAgent, "", b); err != nil {
		return err
	}
	for _, agent := range DimensionAgent.values(outcomes) {
		cells := with(outcomes, DimensionAgent, agent)
		for _, d := range dimensions[1:] {
			if err := s.compareIn(cells, d, agent, b); err != nil {
				return err
			}
		}
	}
	n := 0
	for _, p := range s.Pairs {
		for _, d := range p.Differences {
			if d.P != nil {
				n++
			}
		}
	}
	if n > 1 {
		s.Notes = append(s.Notes, fmt.Sprintf("p values are not adjusted for their number: of %d tests without any true difference, up to %.1f are expected at or below 0.05.", n, 0.05*float64(n)))
	}
	return nil
}

// compareIn compares the values of one dimension of cells.
func (s *Summary) compareIn(cells []*run.Outcome, d Dimension, within string, b metrics.Bootstrap) error {
	values := d.values(cells)
	firsts := len(values)
	if len(values) > MaxPaired {
		firsts = 1
		place := ""
		if within != "" {
			place = " of " + within
		}
		s.Notes = append(s.Notes, fmt.Sprintf("The %s dimension%s has %d values: each is compared with the first, %s, only.", d, place, len(values), values[0]))
	}
	for i, first := range values[:firsts] {
		for _, second := range values[i+1:] {
			p, err := pairOf(cells, d, first, second, b)
			if err != nil {
				return fmt.Errorf("compare %s %s with %s: %w", d, first, second, err)
			}
			p.Within = within
			if len(p.Differences) > 0 {
				s.Pairs = append(s.Pairs, p)
			}
		}
	}
	return nil
}

// pairOf compares the cells that have the value a in d with those that have b.
func pairOf(cells []*run.Outcome, d Dimension, a, b string, o metrics.Bootstrap) (Pair, error) {
	p := Pair{Dimension: d, A: a, B: b}
	left, right := with(cells, d, a), with(cells, d, b)
	same := p.sameIn(left, right)
	left, right = p.unambiguous(left, same), p.unambiguous(right, same)
	both := slices.Concat(left, right)
	for _, m := range compared {
		if (m.name == benignStrictClean.name || m.name == benignStrictAttack.name) && !(slices.ContainsFunc(both, clean) && slices.ContainsFunc(both, attacked)) {
			continue // all cells are of one sort
		}
		difference, err := metrics.Compare(m.trials(left, p.Dimension, same), m.trials(right, p.Dimension, same), o)
		if err != nil {
			return p, err
		}
		if difference.Pairs+difference.Dropped() > 0 {
			p.Differences = append(p.Differences, Difference{m.name, difference})
		}
	}
	return p, nil
}

// sameIn returns the dimensions in which two cells of a pair must agree, and notes
// those in which they cannot. Strategies go with the case.
func (p *Pair) sameIn(left, right []*run.Outcome) []Dimension {
	var same []Dimension
	for _, d := range dimensions {
		if d == p.Dimension || d == DimensionStrategy {
			continue
		}
		a, b := d.values(left), d.values(right)
		if len(a) == 1 && len(b) == 1 && a[0] != b[0] {
			p.AlsoDiffers = append(p.AlsoDiffers, d)
		} else {
			same = append(same, d)
		}
	}
	return same
}

// unambiguous leaves out cells of one side that would be in the same pair.
func (p *Pair) unambiguous(cells []*run.Outcome, same []Dimension) []*run.Outcome {
	count := map[string]int{}
	for _, o := range cells {
		count[pairKey(o, p.Dimension, same)]++
	}
	kept := slices.DeleteFunc(slices.Clone(cells), func(o *run.Outcome) bool { return count[pairKey(o, p.Dimension, same)] > 1 })
	p.Ambiguous += len(cells) - len(kept)
	return kept
}

// pairKey is what the cells of a pair have in common.
func pairKey(o *run.Outcome, d Dimension, same []Dimension) string {
	parts := []string{fmt.Sprint(o.Epoch), cluster(o)}
	if d != DimensionStrategy {
		parts = append(parts, o.Case)
	}
	for _, s := range same {
		parts = append(parts, s.of(o))
	}
	return strings.Join(parts, "\x00")
}

// trials are the cells that m is about, as one side of a comparison.
func (m measure) trials(cells []*run.Outcome, d Dimension, same []Dimension) []metrics.Trial {
	var trials []metrics.Trial
	for _, o := range cells {
		if m.on(o) {
			score, ok := m.of(o)
			trials = append(trials, metrics.Trial{Pair: pairKey(o, d, same), Cluster: cluster(o), Score: score, Assessed: ok})
		}
	}
	return trials
}
