package run

import (
	"context"
	"errors"
	"math/rand/v2"

	"gauntlet/internal/agent"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// MaxCalls is the most tool calls that an episode may make.
const MaxCalls = 200

// episode is one live run of a case; it implements agent.Episode.
type episode struct {
	c     *suite.Case
	in    *world.Instance
	tools []trace.Tool
	rng   *rand.Rand
	seen  *detector
	log   *trace.Trace

	compat  bool
	calls   int
	exposed bool
	raised  bool // compat: a tool raised, which ends the episode
	over    trace.Termination
	state   trace.Value // state after the last call, when known
	compare Comparisons
}

// Comparisons counts calls compared with a recording.
type Comparisons struct {
	Calls      int                `json:"calls"`
	Equal      int                `json:"equal"`
	Exceptions int                `json:"exceptions"` // of Calls, those recorded as exceptions
	Different  []agent.Comparison `json:"different,omitempty"`
}

func (e *episode) Case() *suite.Case   { return e.c }
func (e *episode) Tools() []trace.Tool { return e.tools }
func (e *episode) Rand() *rand.Rand    { return e.rng }

// Compared implements agent.Comparer.
func (e *episode) Compared(c agent.Comparison) {
	e.compare.Calls++
	if c.Exception {
		e.compare.Exceptions++
	}
	if c.Equal {
		e.compare.Equal++
	} else {
		e.compare.Different = append(e.compare.Different, c)
	}
}

// Say records a message.
func (e *episode) Say(s trace.Step) { e.log.Steps = append(e.log.Steps, s) }

// Act executes the calls of a turn in order.
func (e *episode) Act(ctx context.Context, turn trace.Step) (trace.Step, error) {
	if e.over.Cause != "" {
		return turn, agent.ErrOver
	}
	for i := range turn.Calls {
		if e.calls >= MaxCalls {
			e.over = trace.Termination{Cause: trace.CauseMaxCalls}
			turn.Calls = turn.Calls[:i]
			break
		}
		e.calls++
		if err := e.call(ctx, &turn.Calls[i]); err != nil {
			return turn, err
		}
	}
	e.log.Steps = append(e.log.Steps, turn)
	if e.over.Cause != "" {
		return turn, agent.ErrOver
	}
	return turn, nil
}

func (e *episode) call(ctx context.Context, c *trace.Call) error {
	before := e.state
	res, err := e.in.Call(ctx, c.Name, c.Arguments)
	if err != nil {
		return err
	}
	o := &trace.Observation{Text: res.Text, Value: res.Value, Error: res.Error}
	if span, ok := e.seen.find(res.Text); ok {
		e.exposed = true
		span.Attack, span.Point = e.c.Attack.ID, e.c.Attack.Point
		o.Injected = []trace.Span{span}
	}
	c.Observation, c.Reads, c.Writes = o, res.Reads, res.Writes
	c.Diff = []trace.Change{}
	if res.Changed {
		after, err := e.in.State()
		if err != nil {
			return err
		}
		c.Diff = trace.Diff(before, after)
		e.state = after
	}
	if e.compat && res.Error != nil && res.Error.Type != world.UnknownTool {
		e.raised = true
		e.over = trace.Termination{Cause: trace.CauseAgentDone, Detail: "a tool raised, which ends a published episode"}
	}
	return nil
}

// termination is why the episode ended: by its own limits or as the agent says.
func (e *episode) termination(t trace.Termination) trace.Termination {
	if e.over.Cause != "" {
		return e.over
	}
	if t.Cause == "" {
		t.Cause = trace.CauseAgentDone
	}
	return t
}

// failure turns an error of an agent into a termination and a cause of exclusion.
func failure(err error) (trace.Termination, string) {
	var x *agent.Excluded
	switch {
	case errors.As(err, &x):
		return trace.Termination{Cause: trace.ErrorAgent.Cause(), Detail: x.Cause}, x.Cause
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return trace.Termination{Cause: trace.ErrorCancelled.Cause(), Detail: err.Error()}, "cancelled"
	}
	return trace.Termination{Cause: trace.ErrorAgent.Cause(), Detail: err.Error()}, "agent error: " + err.Error()
}
