package run

import (
	"context"

	"gauntlet/internal/agent"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// Live is an episode without an agent of ours: somebody else makes the calls,
// such as a client that reaches it over MCP. It is used by one goroutine at a time.
type Live struct {
	r       *runner
	k       Cell
	e       *episode
	initial *world.Snapshot
}

// Open starts an episode of a cell, whose Agent is not used.
func Open(s *suite.Suite, k Cell, o Options) (*Live, error) {
	k.Agent = nil
	k = k.complete(o)
	r := newRunner(s, o)
	e, initial, err := r.open(k)
	if err != nil {
		return nil, err
	}
	return &Live{r, k, e, initial}, nil
}

// Episode is what an agent can see and do.
func (l *Live) Episode() agent.Episode { return l.e }

// Tools are the tools on offer.
func (l *Live) Tools() []trace.Tool { return l.e.Tools() }

// Act executes the calls of a turn; see [agent.Episode].
func (l *Live) Act(ctx context.Context, turn trace.Step) (trace.Step, error) {
	return l.e.Act(ctx, turn)
}

// Finish ends the episode and scores it, unless it ends with an error. The outcome
// has the trace.
func (l *Live) Finish(ctx context.Context, end trace.Termination) (o *Outcome) {
	o = blank(l.k)
	defer o.guard(&l.e)
	if o.conclude(l.e, end, nil) {
		l.r.score(ctx, o, l.k, l.e, l.initial)
	}
	return o
}
