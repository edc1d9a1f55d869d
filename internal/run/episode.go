package run

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// episode is one live run of a case; it implements agent.Episode.
type episode struct {
	k     Cell
	in    *world.Instance
	tools []trace.Tool
	rng   *rand.Rand
	seen  *detector
	log   *trace.Trace

	compat   bool
	maxCalls int
	calls    int
	turns    int
	spent    []trace.Usage
	exposure *Place
	raised   bool // compat: a tool raised, which ends the episode
	over     trace.Termination
	broken   error // of a call that could not be carried out to its end
	start    time.Time
	state    trace.Value // state after the last call, when known
	compare  Comparisons
	// after is told of each call that changed the state; false ends the episode.
	after func(Place) bool
}

// Comparisons counts calls compared with a recording.
type Comparisons struct {
	Calls      int                `json:"calls"`
	Equal      int                `json:"equal"`
	Exceptions int                `json:"exceptions"` // of Calls, those recorded as exceptions
	Different  []agent.Comparison `json:"different,omitempty"`
}

// Case implements agent.Episode, as do the methods below.
func (e *episode) Case() *suite.Case       { return e.k.Case }
func (e *episode) World() *world.Blueprint { return e.in.Blueprint }
func (e *episode) Tools() []trace.Tool     { return e.tools }
func (e *episode) Rand() *rand.Rand        { return e.rng }
func (e *episode) Spend(u trace.Usage)     { e.spent = append(e.spent, u) }
func (e *episode) Setting() agent.Setting {
	return agent.Setting{Epoch: e.k.Epoch, Seed: e.k.Seed, Limits: e.k.Limits, Defence: e.k.Defence, Compat: e.compat}
}

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

// Say records a message and counts it.
func (e *episode) Say(s trace.Step) {
	e.log.Steps = append(e.log.Steps, s)
	if s.Role == trace.RoleAssistant {
		e.turns++
	}
}

// usage is the consumption of all failed requests and steps; nil if none is known.
func (e *episode) usage() *trace.Usage {
	var sum trace.Usage
	known := len(e.spent) > 0
	for _, u := range e.spent {
		sum = sum.Plus(u)
	}
	for _, s := range e.log.Steps {
		if s.Usage != nil {
			known, sum = true, sum.Plus(*s.Usage)
		}
	}
	if !known {
		return nil
	}
	return &sum
}

// Act executes the calls of a turn in order.
func (e *episode) Act(ctx context.Context, turn trace.Step) (trace.Step, error) {
	if e.broken != nil {
		return turn, e.broken
	}
	if e.over.Cause != "" {
		return turn, agent.ErrOver
	}
	for i := range turn.Calls {
		if e.over.Cause == "" && e.calls >= e.maxCalls {
			e.over = trace.Termination{Cause: trace.CauseMaxCalls, Detail: fmt.Sprintf("the limit of %d calls", e.maxCalls)}
		}
		if e.over.Cause != "" {
			break // what the model proposed beyond the end stays in the record, unanswered
		}
		e.calls++
		if err := e.call(ctx, &turn.Calls[i], Place{Step: len(e.log.Steps), Call: i, Tool: turn.Calls[i].Name}); err != nil {
			e.broken = err
			e.Say(turn)
			return turn, err
		}
	}
	e.Say(turn)
	if e.over.Cause != "" {
		return turn, agent.ErrOver
	}
	return turn, nil
}

func (e *episode) call(ctx context.Context, c *trace.Call, at Place) error {
	if c.RawArguments != nil && !c.Arguments.Exists() {
		e.refuse(c)
		return nil
	}
	before := e.state
	res, err := e.in.Call(ctx, c.Name, c.Arguments)
	if err != nil {
		return err
	}
	o := &trace.Observation{Text: e.k.Defence.Show(e.words(res)), Value: res.Value, Error: res.Error}
	if e.exposure == nil {
		e.seen.disown(c.Arguments)
	}
	if span, ok := e.seen.find(o.Text); ok {
		if e.exposure == nil {
			e.exposure = &at
		}
		span.Attack, span.Point = e.k.Case.Attack.ID, e.k.Case.Attack.Point
		o.Injected = []trace.Span{span}
	}
	c.Observation, c.Reads, c.Writes = o, res.Reads, res.Writes
	c.Diff = []trace.Change{}
	if res.Changed {
		after, err := e.in.State()
		if err != nil {
			return &agent.Failure{Kind: trace.ErrorWorld, Err: fmt.Errorf("state after %s: %w", c.Name, err)}
		}
		c.Diff = trace.Diff(before, after)
		e.state = after
		if e.after != nil && !e.after(at) {
			e.over = trace.Termination{Cause: trace.CauseReplayEnd}
		}
	}
	if e.compat && res.Error != nil && res.Error.Type != world.UnknownTool {
		e.raised = true
		e.over = trace.Termination{Cause: trace.CauseAgentDone, Detail: "a tool raised, which ends a published episode"}
	}
	return nil
}

// words are the text of a result. A published episode has one text for every call
// that cannot be made.
func (e *episode) words(r world.Result) string {
	if e.compat && r.Error != nil && (r.Error.Type == world.UnknownTool || r.Error.Type == world.InvalidArgument) {
		return "Error: Invalid action"
	}
	return r.Text
}

// refuse answers a call whose arguments are no object. The world is not asked.
func (e *episode) refuse(c *trace.Call) {
	problem := "the arguments are not valid JSON"
	if v, _, err := trace.ParseValue([]byte(*c.RawArguments)); err == nil {
		problem = fmt.Sprintf("the arguments are %s, not a JSON object", v.Kind())
	}
	res := e.in.Refuse(world.InvalidArgument, problem)
	c.Observation = &trace.Observation{Text: e.k.Defence.Show(e.words(res)), Error: res.Error}
	c.Reads, c.Writes, c.Diff = []string{}, []string{}, []trace.Change{}
}

// termination is why the episode ended: by its own limits or as the agent says.
func (e *episode) termination(t trace.Termination) trace.Termination {
	if e.over.Cause != "" {
		return e.over
	}
	switch {
	case t.Cause == "":
		t.Cause = trace.CauseUnknown // the agent did not say, and nothing is made up for it
	case !t.Cause.Valid():
		t = trace.Termination{Cause: trace.CauseUnknown, Detail: strings.TrimSpace(fmt.Sprintf("%q %s", t.Cause, t.Detail))}
	}
	return t
}

// unread reports whether a limit ended the episode before the agent could read the
// observation that first showed the attack. The published rules do not ask.
func (e *episode) unread() bool {
	if e.exposure == nil || e.compat {
		return false
	}
	switch e.log.Termination.Cause {
	case trace.CauseMaxTurns, trace.CauseMaxCalls, trace.CauseTokenBudget, trace.CauseTimeLimit:
	default:
		return false
	}
	later := e.log.Steps[e.exposure.Step+1:]
	return !slices.ContainsFunc(later, func(s trace.Step) bool { return s.Role == trace.RoleAssistant })
}
