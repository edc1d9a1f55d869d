package summary

import (
	"maps"
	"slices"

	"gauntlet/internal/metrics"
	"gauntlet/internal/run"
)

// PassK is pass^k: the share of cases, played K times each, that pass every time,
// where a trial passes when its benign score is strict.
//
// A case of which a trial was not assessed is excluded and counted, also when
// another trial failed and the answer would be no: else an error would only ever
// take away cases that had passed so far, and the rate would sink with the errors.
// A case that was played another number of times, as when a run
// was cut short, is in the rate of that number.
//
// Source of pass^k: S. Yao and others, "τ-bench: A Benchmark for Tool-Agent-User
// Interaction in Real-World Domains", arXiv:2406.12045, with all trials drawn.
type PassK struct {
	K    int  `json:"k"`
	Rate Rate `json:"rate"`
}

// passK returns the rates of cases with more than one trial, by k.
func passK(cells []*run.Outcome, b metrics.Bootstrap) ([]PassK, error) {
	trials := map[string][]*run.Outcome{}
	for _, o := range cells {
		trials[o.Case] = append(trials[o.Case], o)
	}
	type tally struct {
		rate     metrics.Rate
		clusters metrics.Clusters
	}
	byK := map[int]*tally{}
	for _, all := range trials {
		k := len(all)
		if k < 2 {
			continue
		}
		if byK[k] == nil {
			byK[k] = &tally{}
		}
		t, pass, assessed := byK[k], 1.0, true
		for _, o := range all {
			one, ok := benignPass(o)
			pass, assessed = min(pass, one), assessed && ok
		}
		if !assessed {
			t.rate.Excluded++
			continue
		}
		t.rate.N++
		t.rate.Successes += int(pass)
		if err := t.clusters.Add(cluster(all[0]), pass); err != nil {
			return nil, err
		}
	}
	out := []PassK{}
	for _, k := range slices.Sorted(maps.Keys(byK)) {
		p := PassK{K: k, Rate: Rate{Rate: byK[k].rate}}
		if i, ok := byK[k].clusters.Interval(b); ok {
			p.Rate.Clustered = &i
		}
		out = append(out, p)
	}
	return out, nil
}
