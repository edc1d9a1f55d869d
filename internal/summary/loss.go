package summary

import (
	"cmp"
	"fmt"
	"slices"

	"gauntlet/internal/metrics"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
)

// ErrorBudget is the share of excluded cells above which a table says so in its
// title. What is missing is seldom missing at random.
const ErrorBudget = 0.05

// Causes of exclusion of cells that ended well but could not be scored. Others
// are error kinds of the trace format, or the words of an agent that cannot play
// a case by its nature.
const (
	CauseBenign = "benign_unassessed" // the checks of the task gave no assessment
	CauseAttack = "attack_unassessed" // those of the attack gave none
)

// Loss says how many cells there are and which of them are missing from a rate
// that they belong to.
type Loss struct {
	Cells int `json:"cells"`
	// Completed counts cells that ended without an error, and Scored those with a
	// benign score. An episode can end in an error and be scored all the same, and
	// the other way round, so neither number follows from the other.
	Completed  int         `json:"completed"`
	Scored     int         `json:"scored"`
	Excluded   int         `json:"excluded"`          // cells, each counted once
	Over       bool        `json:"over_error_budget"` // Excluded of Cells is more than ErrorBudget
	Exclusions []Exclusion `json:"exclusions"`        // by cause, the most frequent first
}

// Exclusion is one cause of exclusion.
type Exclusion struct {
	Cause   string          `json:"cause"`
	N       int             `json:"n"`                 // cells
	Share   float64         `json:"share"`             // of all cells, in (0, 1]
	Details []metrics.Count `json:"details,omitempty"` // sentences, where they say more than the cause
}

// Share is the share of cells that are excluded, in [0, 1]; 0 without cells.
func (l Loss) Share() float64 {
	if l.Cells == 0 {
		return 0
	}
	return float64(l.Excluded) / float64(l.Cells)
}

// Title is base, and a warning when the excluded cells are over the budget.
func (l Loss) Title(base string) string {
	if !l.Over {
		return base
	}
	return fmt.Sprintf("%s - %.1f %% of cells excluded, over the error budget of %g %%", base, 100*l.Share(), 100*ErrorBudget)
}

// lossOf counts cells.
func lossOf(cells []*run.Outcome) Loss {
	l := Loss{Cells: len(cells), Exclusions: []Exclusion{}}
	causes := map[string]map[string]int{}
	for _, o := range cells {
		if o.Excluded == "" && o.Kind == "" && !o.Ended.Cause.IsError() {
			l.Completed++
		}
		if _, ok := benignShare(o); ok {
			l.Scored++
		}
		cause, detail := exclusion(o)
		if cause == "" {
			continue
		}
		l.Excluded++
		if causes[cause] == nil {
			causes[cause] = map[string]int{}
		}
		causes[cause][detail]++
	}
	l.Over = l.Share() > ErrorBudget
	for cause, details := range causes {
		e := Exclusion{Cause: cause}
		for detail, n := range details {
			e.N += n
			if detail != "" && detail != cause {
				e.Details = append(e.Details, metrics.Count{Name: detail, N: n})
			}
		}
		slices.SortFunc(e.Details, func(a, b metrics.Count) int {
			return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
		})
		e.Share = float64(e.N) / float64(l.Cells)
		l.Exclusions = append(l.Exclusions, e)
	}
	slices.SortFunc(l.Exclusions, func(a, b Exclusion) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Cause, b.Cause))
	})
	return l
}

// exclusion is why a cell is missing from a rate; both are empty when it is in all.
func exclusion(o *run.Outcome) (cause, detail string) {
	if o.Excluded != "" {
		if o.Kind != "" {
			return string(o.Kind), o.Excluded
		}
		return o.Excluded, ""
	}
	if _, ok := benignShare(o); !ok {
		return CauseBenign, unassessed(o.Benign)
	}
	if _, ok := attackShare(o); attacked(o) && !ok {
		if o.Injected == nil {
			return CauseAttack, ""
		}
		return CauseAttack, unassessed(*o.Injected)
	}
	return "", ""
}

// unassessed is why a score has no mean.
func unassessed(s score.Score) string {
	if s.Outcome != score.Unassessed && s.Total == 0 {
		return "no checks but invariants"
	}
	return s.Cause
}
