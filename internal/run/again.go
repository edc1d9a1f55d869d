package run

import (
	"context"
	"errors"
	"fmt"

	"gauntlet/internal/agent"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// again is an agent that repeats a trace of ours: the same messages, the same
// calls. Since episodes are deterministic, the same observations come back.
type again struct{ t *trace.Trace }

// Prompt is the recorded system prompt.
func (a again) Prompt(agent.Episode) string {
	if len(a.t.Steps) > 0 && a.t.Steps[0].Role == trace.RoleSystem {
		return a.t.Steps[0].Text
	}
	return ""
}

// Run repeats the steps of the assistant and of the scaffold.
func (a again) Run(ctx context.Context, ep agent.Episode) (trace.Termination, error) {
	steps := a.t.Steps
	for len(steps) > 0 && steps[0].Role != trace.RoleUser {
		steps = steps[1:] // the system prompt
	}
	for _, s := range steps[min(1, len(steps)):] {
		if len(s.Calls) == 0 {
			ep.Say(s)
			continue
		}
		turn := s
		turn.Calls = make([]trace.Call, len(s.Calls))
		for i, c := range s.Calls {
			c.Observation, c.Reads, c.Writes, c.Diff = nil, nil, nil, nil
			turn.Calls[i] = c
		}
		// An agent may say something after the end, but makes no more calls.
		if _, err := ep.Act(ctx, turn); err != nil && !errors.Is(err, agent.ErrOver) {
			return trace.Termination{}, err
		}
	}
	return a.t.Termination, nil
}

// Rescorer computes outcomes of traces anew, without any model. One for a whole run
// compiles each check once.
type Rescorer struct{ r *runner }

// NewRescorer returns a rescorer for traces of a suite.
func NewRescorer(s *suite.Suite, o Options) *Rescorer { return &Rescorer{newRunner(s, o)} }

// Rescore computes the outcome of one trace; see [Rescorer.Rescore].
func Rescore(ctx context.Context, s *suite.Suite, k Cell, t *trace.Trace, o Options) (*Outcome, error) {
	return NewRescorer(s, o).Rescore(ctx, k, t)
}

// Rescore computes the outcome of a trace anew: the calls are executed again, which
// must lead to the recorded observations and to the recorded final state, and the
// suite's checks are run on it. It is an error when they do not: world, case or
// settings are no longer those of the trace.
func (x *Rescorer) Rescore(ctx context.Context, k Cell, t *trace.Trace) (*Outcome, error) {
	if t.Termination.Cause.IsError() {
		return nil, fmt.Errorf("rescore %s: the run ended with %s and has no final state", t.ID, t.Termination.Cause)
	}
	played := k
	played.Agent = again{t}
	out := x.r.play(ctx, played)
	if out.Excluded != "" {
		return out, fmt.Errorf("rescore %s: %s", t.ID, out.Excluded)
	}
	if err := sameCalls(t, out.Trace); err != nil {
		return out, fmt.Errorf("rescore %s: %w", t.ID, err)
	}
	if m, ok := k.Agent.(agent.Modelled); ok {
		out.Model, _ = m.Model()
	}
	out.Usage = t.Usage
	return out, nil
}

// sameCalls compares a repetition with its original.
func sameCalls(old, now *trace.Trace) error {
	a, b := old.Calls(), now.Calls()
	if len(a) != len(b) {
		return fmt.Errorf("%d calls were recorded, %d were repeated", len(a), len(b))
	}
	for i, c := range a {
		if (c.Observation == nil) != (b[i].Observation == nil) || c.Observation != nil && c.Observation.Text != b[i].Observation.Text {
			return fmt.Errorf("call %d (%s) gives another observation than recorded: the world or the case has changed", i+1, c.Name)
		}
	}
	if old.Final != nil && (now.Final == nil || !trace.Equal(old.Final.Value, now.Final.Value)) {
		return errors.New("the repeated calls lead to another final state than recorded")
	}
	return nil
}
