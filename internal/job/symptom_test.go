package job_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/job"
	"gauntlet/internal/plan"
	"gauntlet/internal/run"
	"gauntlet/internal/store"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// played is a journaled run of agents in the shops, with the agent of cell 0
// replaced.
func played(t *testing.T, st store.Store, id string, first agent.Agent) (*suite.Suite, []run.Cell) {
	t.Helper()
	s := shops(t)
	p := &plan.Plan{Agents: []agent.Config{{Name: "a", Scaffold: "reference:noop"}}, Limit: 3}
	if err := p.Complete(); err != nil {
		t.Fatal(err)
	}
	cells, err := plan.Expand(p, s, agent.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if first != nil {
		cells[0].Agent = first
	}
	if err := job.Create(t.Context(), st, store.Run{ID: id, Suite: s.Name, Created: time.Now()}, cells); err != nil {
		t.Fatal(err)
	}
	if _, err := job.Play(t.Context(), st, id, s, cells, job.Pending, job.Options{Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	return s, cells
}

type function func(agent.Episode) (trace.Termination, error)

func (f function) Run(_ context.Context, ep agent.Episode) (trace.Termination, error) { return f(ep) }

// One result that no record can hold once ended the run, and ended it again
// whenever it was resumed.
func TestResultThatCannotBeWrittenDoesNotEndTheRun(t *testing.T) {
	st := open(t)
	odd := function(func(ep agent.Episode) (trace.Termination, error) {
		ep.Say(trace.Step{Role: "nobody"})
		return trace.Termination{Cause: trace.CauseFinalAnswer}, nil
	})
	played(t, st, "r", odd)
	info, err := st.Run(t.Context(), "r")
	if err != nil || info.Pending != 0 || info.Done != 2 || info.Excluded[string(trace.ErrorInternal)] != 1 {
		t.Fatalf("%+v, %v", info, err)
	}
	o := outcomes(t, st, "r")[0]
	if !strings.Contains(o.Excluded, "nobody") || job.Cause(o) != string(trace.ErrorInternal) {
		t.Errorf("%+v", o)
	}
}

// A failure without a message once counted as a broken check, which is never
// played again.
func TestFailureWithoutWordsIsPlayedAgain(t *testing.T) {
	st := open(t)
	n := 0
	s, cells := played(t, st, "r", function(func(agent.Episode) (trace.Termination, error) {
		if n++; n == 1 {
			return trace.Termination{}, &agent.Failure{Kind: trace.ErrorProvider, Err: errors.New("")}
		}
		return trace.Termination{Cause: trace.CauseFinalAnswer}, nil
	}))
	if o := outcomes(t, st, "r")[0]; job.Cause(o) != string(trace.ErrorProvider) {
		t.Errorf("cause %q", job.Cause(o))
	}
	if _, err := job.Play(t.Context(), st, "r", s, cells, job.Failed, job.Options{Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	if o := outcomes(t, st, "r")[0]; job.Cause(o) != "" || n != 2 {
		t.Errorf("cause %q after %d attempts", job.Cause(o), n)
	}
}

// Scoring anew under another plan once gave old results new labels.
func TestScoringAnewDoesNotRelabel(t *testing.T) {
	st := open(t)
	s, cells := played(t, st, "r", nil)
	for name, change := range map[string]func(*run.Cell){
		"format":  func(k *run.Cell) { k.Format = trace.FormatYAML },
		"defence": func(k *run.Cell) { k.Defence = agent.Defence{Name: "delimit", Open: "<<", Close: ">>"} },
		"agent":   func(k *run.Cell) { k.Name = "b" },
		"epoch":   func(k *run.Cell) { k.Epoch = 1 },
		"seed":    func(k *run.Cell) { k.Seed = 2 },
		"case":    func(k *run.Cell) { k.Case = s.Cases[5] },
	} {
		other := slices.Clone(cells)
		change(&other[1])
		before := outcomes(t, st, "r")
		if _, err := job.Rescore(t.Context(), st, "r", s, other, run.Options{}, time.Now); err == nil {
			t.Errorf("another %s: scored anew", name)
		}
		for i, o := range outcomes(t, st, "r") {
			if result(t, o) != result(t, before[i]) {
				t.Errorf("another %s: cell %d has changed", name, i)
			}
		}
	}
}

// Ctrl-C while scoring anew once made refusals of the cells that were left.
func TestScoringAnewStops(t *testing.T) {
	st := open(t)
	s, cells := played(t, st, "r", nil)
	ctx, cancel := context.WithCancel(t.Context())
	now := func() time.Time { cancel(); return time.Now() }
	cells[0].Case = func() *suite.Case {
		c := *cells[0].Case
		c.Checks = c.Checks[:1]
		return &c
	}()
	done, err := job.Rescore(ctx, st, "r", s, cells, run.Options{}, now)
	if err == nil || len(done.Refused) > 0 {
		t.Errorf("%+v, %v", done, err)
	}
}
