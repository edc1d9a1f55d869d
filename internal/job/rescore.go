package job

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gauntlet/internal/plan"
	"gauntlet/internal/run"
	"gauntlet/internal/store"
	"gauntlet/internal/suite"
)

// Rescored says what rescoring did.
type Rescored struct {
	Cells   int      `json:"cells"`   // results looked at
	Changed int      `json:"changed"` // another outcome than before
	Same    int      `json:"same"`
	Skipped int      `json:"skipped"` // ended with an error: there is no final state to score
	Refused []string `json:"refused"` // traces that cannot be repeated, and why
}

// Rescore computes the scores of a run anew from its traces, with the checks
// that the suite has now and without any model. Cells are matched by the case,
// not by the id, since corrected checks change the id; a trace whose calls do not
// give the recorded observations any more is refused and keeps its old score.
func Rescore(ctx context.Context, st store.Store, id string, s *suite.Suite, cells []run.Cell, o run.Options, now func() time.Time) (done Rescored, err error) {
	release, err := st.Claim(ctx, id)
	if err != nil {
		return done, fmt.Errorf("run %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	states, err := st.Cells(ctx, id)
	if err != nil {
		return done, fmt.Errorf("run %s: %w", id, err)
	}
	if len(states) != len(cells) {
		return done, fmt.Errorf("run %s: the plan has %d cells now and had %d: cases were added or removed, so they cannot be matched", id, len(cells), len(states))
	}
	place := map[string]int{}
	for i, c := range states {
		place[c.ID] = i
	}
	again := run.NewRescorer(s, o)
	for r, err := range st.Results(ctx, id, true) {
		if err != nil {
			return done, fmt.Errorf("run %s: %w", id, err)
		}
		if err := rescore(ctx, st, id, again, cells[place[r.Cell]], r, now, &done); err != nil {
			return done, err
		}
	}
	return done, nil
}

// labelOf is the label of the cell that an outcome is of, without its strategy.
func labelOf(o *run.Outcome) plan.Label {
	return plan.Label{Case: o.Case, Agent: o.Agent, Format: o.Format, Defence: o.Defence, Epoch: o.Epoch}
}

func rescore(ctx context.Context, st store.Store, id string, again *run.Rescorer, k run.Cell, r store.Result, now func() time.Time, done *Rescored) error {
	done.Cells++
	old, err := Outcome(r)
	if err != nil {
		return err
	}
	was, is := labelOf(old), plan.LabelOf(k)
	is.Strategy = "" // a word of the case, which may be corrected
	if was != is || old.Seed != k.Seed {
		return fmt.Errorf("run %s: cell %.12s was %+v with seed %d and is %+v with seed %d now", id, r.Cell, was, old.Seed, is, k.Seed)
	}
	if old.Trace == nil || old.Excluded != "" {
		done.Skipped++
		return nil
	}
	k.ID = r.Cell
	fresh, err := again.Rescore(ctx, k, old.Trace)
	if ctx.Err() != nil {
		return fmt.Errorf("rescore run %s: %w", id, context.Cause(ctx))
	}
	if err != nil {
		done.Refused = append(done.Refused, err.Error())
		return nil
	}
	fresh.Recorded, fresh.Compare = old.Recorded, old.Compare
	doc, err := encode(fresh)
	if err != nil {
		return err
	}
	if string(doc) == string(r.Outcome) && r.Scorer == run.ScorerVersion {
		done.Same++
		return nil
	}
	done.Changed++
	cause := Cause(fresh)
	err = st.Rescore(ctx, id, r.Cell, store.Score{Attempt: r.Attempt, Scorer: run.ScorerVersion, Assessed: cause == "", Cause: cause, Outcome: doc, At: now()})
	if err != nil {
		return fmt.Errorf("rescore cell %.12s: %w", r.Cell, err)
	}
	return nil
}
