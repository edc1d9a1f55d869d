package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gauntlet/internal/plan"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/store"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// Causes of outcomes without an assessment, beside the kinds of errors.
const (
	NotPlayable = "not_playable" // the agent cannot play the case by its nature
	CheckFailed = "check"        // a check failed in itself; rescoring can help, playing again cannot
)

// Create journals a new run with its cells, all pending.
func Create(ctx context.Context, st store.Store, r store.Run, cells []run.Cell) error {
	rows := make([]store.Cell, len(cells))
	for i, c := range cells {
		label, err := json.Marshal(plan.LabelOf(c))
		if err != nil {
			return fmt.Errorf("label cell of %s: %w", c.Case.ID, err)
		}
		rows[i] = store.Cell{ID: c.ID, Index: i, Label: label}
	}
	if err := st.CreateRun(ctx, r, rows); err != nil {
		return fmt.Errorf("create run: %w", err)
	}
	return nil
}

// Which chooses cells by how they stand.
type Which func(store.CellState) bool

// Pending chooses cells that were never finished.
func Pending(c store.CellState) bool { return c.Attempts == 0 }

// Failed chooses cells that ended with an error which playing again can cure; a
// cell that the agent cannot play and one whose check is broken are not among them.
func Failed(c store.CellState) bool {
	return c.Attempts > 0 && !c.Assessed && c.Cause != NotPlayable && c.Cause != CheckFailed
}

// FailedWith chooses cells that ended with one of these causes.
func FailedWith(causes ...string) Which {
	return func(c store.CellState) bool {
		for _, k := range causes {
			if c.Attempts > 0 && !c.Assessed && c.Cause == k {
				return true
			}
		}
		return false
	}
}

// Options are the choices of playing.
type Options struct {
	run.Options
	// Now is the time that the journal notes; required.
	Now func() time.Time
}

// Play plays the chosen cells of a run. cells is the whole plan, as it was when
// the run was created: another id at any place is an error, since suite, prompts
// or program have changed since then. The outcomes of this call come back in the
// order of the plan; when ctx is done, those finished so far, with its error.
func Play(ctx context.Context, st store.Store, id string, s *suite.Suite, cells []run.Cell, which Which, o Options) (outcomes []*run.Outcome, err error) {
	release, err := st.Claim(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	states, err := st.Cells(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	if err := Same(cells, states); err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	var todo []run.Cell
	var attempts []int
	for i, c := range states {
		if which(c) {
			todo = append(todo, cells[i])
			attempts = append(attempts, c.Attempts+1)
		}
	}
	// The cell is done: stopping the run must not lose it.
	keep := context.WithoutCancel(ctx)
	o.Finished = func(i int, out *run.Outcome) error {
		ended := o.Now()
		err := finish(keep, st, id, out, attempts[i], ended)
		if err == nil || !errors.Is(err, errUnwritable) && !errors.Is(err, store.ErrInvalid) {
			return err
		}
		// What cannot be written must not end the run, now and whenever it is resumed.
		out.Exclude(trace.ErrorInternal, "the result cannot be journaled: "+err.Error())
		out.Trace, out.Usage = nil, nil
		return finish(keep, st, id, out, attempts[i], ended)
	}
	return run.Run(ctx, s, todo, o.Options)
}

// Same compares the cells of a plan with those that were journaled.
func Same(cells []run.Cell, states []store.CellState) error {
	const remedy = "the suite, a prompt or the program has changed since the run was planned; start a new run"
	if len(cells) != len(states) {
		return fmt.Errorf("the plan has %d cells now and had %d: %s", len(cells), len(states), remedy)
	}
	for i, c := range cells {
		if states[i].ID != c.ID {
			return fmt.Errorf("cell %d (%s, %s) is not the one that was planned: %s", i+1, c.Name, c.Case.ID, remedy)
		}
	}
	return nil
}

// Cause is why an outcome is not assessed; empty if it is.
func Cause(o *run.Outcome) string {
	switch {
	case o.Excluded != "" && o.Kind != "":
		return string(o.Kind)
	case o.Excluded != "":
		return NotPlayable
	case o.Benign.Outcome == score.Unassessed, o.Attack == run.Unassessed:
		return CheckFailed
	}
	return ""
}

// errUnwritable marks outcomes and traces that have no form in JSON.
var errUnwritable = errors.New("no record can hold it")

// finish journals a finished cell.
func finish(ctx context.Context, st store.Store, id string, o *run.Outcome, attempt int, ended time.Time) error {
	r, err := result(o, attempt, ended.Add(-o.Wall), ended)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnwritable, err)
	}
	return st.Finish(ctx, id, r)
}

// result is a finished cell as it is journaled.
func result(o *run.Outcome, attempt int, started, ended time.Time) (store.Result, error) {
	r := store.Result{Cell: o.Cell, Attempt: attempt, Started: started, Ended: ended, Cause: Cause(o), Scorer: run.ScorerVersion}
	r.Assessed = r.Cause == ""
	var err error
	if r.Outcome, err = encode(o); err != nil {
		return r, err
	}
	if o.Trace != nil {
		if r.Trace, err = trace.Append(nil, o.Trace); err != nil {
			return r, fmt.Errorf("encode trace of %s: %w", o.Case, err)
		}
	}
	return r, nil
}

func encode(o *run.Outcome) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(o); err != nil {
		return nil, fmt.Errorf("encode outcome of %s: %w", o.Case, err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// Outcome reads a journaled result, with its trace where the result has one.
func Outcome(r store.Result) (*run.Outcome, error) {
	var o run.Outcome
	if err := json.Unmarshal(r.Outcome, &o); err != nil {
		return nil, fmt.Errorf("read outcome of cell %.12s: %w", r.Cell, err)
	}
	o.Wall, o.Scorer = r.Ended.Sub(r.Started), r.Scorer
	if len(r.Trace) > 0 {
		t, _, err := trace.Decode(bytes.TrimSpace(r.Trace))
		if err != nil {
			return nil, fmt.Errorf("read trace of cell %.12s: %w", r.Cell, err)
		}
		o.Trace = t
	}
	return &o, nil
}

// Outcomes reads the standing outcomes of a run, without traces, in the order of
// its plan. Pending cells have none.
func Outcomes(ctx context.Context, st store.Store, id string) ([]*run.Outcome, error) {
	var out []*run.Outcome
	for r, err := range st.Results(ctx, id, false) {
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", id, err)
		}
		o, err := Outcome(r)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}
