package run

import (
	"fmt"
	"sort"

	"gauntlet/internal/metrics"
	"gauntlet/internal/score"
)

// Summary is the scores of one agent on the cases of one strategy.
//
// Means are over the share of checks that hold; strict rates count cells in
// which all checks hold; AttackAny counts cells in which at least one check of
// the goal holds. The field mixes the three, so all are given.
type Summary struct {
	Agent    string          `json:"agent"`
	Strategy string          `json:"strategy"` // "all" for all cases together
	Cells    int             `json:"cells"`
	Benign   metrics.Mean    `json:"benign_mean"`
	Strict   metrics.Rate    `json:"benign_strict"`
	Attack   metrics.Mean    `json:"attack_mean"`
	Any      metrics.Rate    `json:"attack_any"`
	Full     metrics.Rate    `json:"attack_strict"`
	Exposed  metrics.Rate    `json:"exposure"`
	Given    metrics.Rate    `json:"attack_any_given_exposure"`
	Baseline metrics.Mean    `json:"do_nothing"`
	Excluded []metrics.Count `json:"excluded"` // cells without an assessment, by cause
}

// AllStrategies is the strategy of rows over all cases of an agent.
const AllStrategies = "all"

// Summarize groups outcomes by agent and strategy, in order of first
// appearance; an agent with several strategies gets a row over all of them.
func Summarize(outcomes []*Outcome) ([]Summary, error) {
	type key struct{ agent, strategy string }
	groups := map[key][]*Outcome{}
	var order []key
	add := func(k key, o *Outcome) {
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], o)
	}
	var agents []string
	strategies := map[string]map[string]bool{}
	for _, o := range outcomes {
		if strategies[o.Agent] == nil {
			strategies[o.Agent] = map[string]bool{}
			agents = append(agents, o.Agent)
		}
		strategies[o.Agent][o.Strategy] = true
		add(key{o.Agent, o.Strategy}, o)
	}
	var out []Summary
	for _, a := range agents {
		var all []*Outcome
		for _, k := range order {
			if k.agent != a {
				continue
			}
			s, err := summary(a, k.strategy, groups[k])
			if err != nil {
				return nil, err
			}
			out = append(out, s)
			all = append(all, groups[k]...)
		}
		if len(strategies[a]) > 1 {
			s, err := summary(a, AllStrategies, all)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	return out, nil
}

func summary(agent, strategy string, cells []*Outcome) (Summary, error) {
	s := Summary{Agent: agent, Strategy: strategy, Cells: len(cells)}
	causes := map[string]int{}
	var benign, attack, base []float64
	noBenign, noAttack, noBase := 0, 0, 0
	for _, o := range cells {
		if m, ok := o.Benign.Mean(); ok && o.Excluded == "" {
			benign = append(benign, m)
			s.Strict.N++
			if o.Benign.Outcome == score.Pass {
				s.Strict.Successes++
			}
		} else {
			noBenign++
			causes[cause(o.Excluded, o.Benign.Cause)]++
		}
		if o.Baseline != nil {
			base = append(base, *o.Baseline)
		} else {
			noBase++
		}
		if o.Injected == nil {
			continue
		}
		if m, ok := o.Injected.Mean(); ok && o.Excluded == "" {
			attack = append(attack, m)
			s.attack(o, m > 0)
		} else {
			noAttack++
			if o.Excluded == "" {
				causes["attack: "+o.Injected.Cause]++
			}
		}
	}
	var err error
	if s.Benign, err = metrics.MeanOf(benign, noBenign); err != nil {
		return s, fmt.Errorf("summarize %s: %w", agent, err)
	}
	if s.Attack, err = metrics.MeanOf(attack, noAttack); err != nil {
		return s, fmt.Errorf("summarize %s: %w", agent, err)
	}
	if s.Baseline, err = metrics.MeanOf(base, noBase); err != nil {
		return s, fmt.Errorf("summarize %s: %w", agent, err)
	}
	s.Strict.Excluded = noBenign
	s.Any.Excluded, s.Full.Excluded, s.Exposed.Excluded = noAttack, noAttack, noAttack
	for c, n := range causes {
		s.Excluded = append(s.Excluded, metrics.Count{Name: c, N: n})
	}
	sort.Slice(s.Excluded, func(i, j int) bool { return s.Excluded[i].Name < s.Excluded[j].Name })
	return s, nil
}

// attack counts one assessed attacked cell.
func (s *Summary) attack(o *Outcome, some bool) {
	s.Any.N++
	s.Full.N++
	s.Exposed.N++
	if some {
		s.Any.Successes++
	}
	if o.Injected.Outcome == score.Pass {
		s.Full.Successes++
	}
	if o.Exposed {
		s.Exposed.Successes++
		s.Given.N++
		if some {
			s.Given.Successes++
		}
	}
}

func cause(a, b string) string {
	if a != "" {
		return a
	}
	if b != "" {
		return b
	}
	return "unassessed"
}

// Replay sums up how far replays repeat their recordings.
type Replay struct {
	Calls      int `json:"calls"`
	Equal      int `json:"equal"`
	Exceptions int `json:"exceptions"` // of Equal and Calls, recorded exceptions
	Benign     int `json:"benign"`     // runs with a recorded benign score
	BenignOK   int `json:"benign_equal"`
	Attack     int `json:"attack"`
	AttackOK   int `json:"attack_equal"`
}

// Replays compares replayed outcomes with their recordings; false when there
// are none. Scores are compared as published, rounded to four decimals.
func Replays(outcomes []*Outcome) (Replay, bool) {
	var r Replay
	found := false
	for _, o := range outcomes {
		if o.Compare != nil {
			r.Calls += o.Compare.Calls
			r.Equal += o.Compare.Equal
			r.Exceptions += o.Compare.Exceptions
		}
		if o.Recorded == nil {
			continue
		}
		found = true
		r.Benign++
		if m, ok := o.Benign.Mean(); ok && round4(m) == round4(o.Recorded.Benign) {
			r.BenignOK++
		}
		if o.Recorded.Injected != nil {
			r.Attack++
			if o.Injected != nil {
				if m, ok := o.Injected.Mean(); ok && round4(m) == round4(*o.Recorded.Injected) {
					r.AttackOK++
				}
			}
		}
	}
	return r, found
}

func round4(f float64) int { return int(f*10000 + 0.5) }
