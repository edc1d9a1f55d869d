package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"gauntlet/internal/model"
	"gauntlet/internal/trace"
)

// driver is what the scaffolds share that are driven by a model. It implements
// [Modelled].
type driver struct {
	config Config
	client model.Client
	spec   model.Spec
	clock  model.Clock
	extra  trace.Value
	warn   func(text string) // once
}

func newDriver(c Config, arg string, env Env) (driver, error) {
	d := driver{config: c, clock: env.Clock, warn: once(c, env.Warn)}
	switch {
	case arg != "":
		return d, fmt.Errorf("agent takes no argument, got %q", arg)
	case c.Model == "":
		return d, fmt.Errorf("agent %s needs a model", c.Scaffold)
	case len(c.Command) > 0:
		return d, fmt.Errorf("agent %s runs no command", c.Scaffold)
	case env.Client == nil || env.Clock == nil:
		return d, fmt.Errorf("agent %s: there is no client or no clock for its model", c.Scaffold)
	}
	if err := checkSystem(c.System); err != nil {
		return d, err
	}
	if c.Params.Extra != "" {
		v, ok := object(c.Params.Extra)
		if !ok {
			return d, fmt.Errorf("agent %s: extra parameters %q are no JSON object", c.Scaffold, c.Params.Extra)
		}
		d.extra = v
	}
	var err error
	if d.client, d.spec, err = env.Client(c.Model); err != nil {
		return d, fmt.Errorf("open model: %w", err)
	}
	return d, nil
}

// once returns a warning that is given to warn once, with the agent's name.
func once(c Config, warn func(string)) func(string) {
	var given sync.Once
	return func(text string) {
		if warn != nil {
			given.Do(func() { warn(fmt.Sprintf("agent %s: %s", cmp.Or(c.Name, c.Model), text)) })
		}
	}
}

// Model returns the model's name as its provider knows it, and the provider's.
func (d *driver) Model() (name, provider string) { return d.spec.Model, d.spec.Provider.Name }

// errTimeLimit is the cause of a request's end at the episode's limit of time.
var errTimeLimit = errors.New("the episode's limit of time")

// talk is the conversation of one run with its model.
type talk struct {
	driver  *driver
	ep      Episode
	request model.Request // grows by what is said
	start   time.Time
	turns   int
	tokens  int64
}

// open starts a conversation with the system prompt and the user's task.
func (d *driver) open(ep Episode, system string) *talk {
	p, s := d.config.Params, ep.Setting()
	t := &talk{driver: d, ep: ep, start: d.clock.Now(), request: model.Request{
		Model:       d.spec.Model,
		MaxTokens:   p.MaxTokens,
		Temperature: p.Temperature,
		TopP:        p.TopP,
		Parallel:    p.Parallel,
		Logprobs:    p.Logprobs,
		Extra:       d.extra,
		Epoch:       s.Epoch,
	}}
	if p.Seeded {
		seed := requestSeed(s)
		t.request.Seed = &seed
	}
	if system != "" {
		t.add(model.Message{Role: trace.RoleSystem, Text: system})
	}
	t.hear(ep.Case().Task)
	return t
}

// requestSeed derives the seed of requests from the cell's. It has 31 bits, which
// every server takes.
func requestSeed(s Setting) int64 {
	return int64(rand.New(rand.NewPCG(s.Seed, uint64(s.Epoch))).Int32())
}

func (t *talk) add(m model.Message) { t.request.Messages = append(t.request.Messages, m) }

// hear adds something that is said to the model. What follows a message of the
// user becomes a part of it: the chat templates of many models refuse two in a row.
func (t *talk) hear(text string) {
	if n := len(t.request.Messages); n > 0 && t.request.Messages[n-1].Role == trace.RoleUser {
		t.request.Messages[n-1].Text += "\n\n" + text
		return
	}
	t.add(model.Message{Role: trace.RoleUser, Text: text})
}

// tell is hear for words that are nobody's observation: they become a step of
// their own, in the name of origin.
func (t *talk) tell(origin, text string) {
	t.ep.Say(trace.Step{Role: trace.RoleUser, Origin: origin, Text: text})
	t.hear(text)
}

// repeat shows the task again if the defence wants that after a turn of calls.
func (t *talk) repeat() {
	if t.ep.Setting().Defence.Repeat {
		t.tell("defence", t.ep.Case().Task)
	}
}

// play asks the model and hands its replies to a scaffold, until the scaffold
// returns a termination with a cause, a limit is reached or something fails.
//
// Only requests are cut off at the limit of time. Calls are carried out to their
// end: half a turn would be no record.
func (t *talk) play(ctx context.Context, answer func(context.Context, *talk, model.Reply) (trace.Termination, error)) (trace.Termination, error) {
	for {
		if ctx.Err() != nil {
			return trace.Termination{}, &Failure{Kind: trace.ErrorCancelled, Err: context.Cause(ctx)}
		}
		if end := t.limit(); end.Cause != "" {
			return end, nil
		}
		var end trace.Termination
		reply, err := t.ask(ctx)
		if err == nil {
			end, err = answer(ctx, t, reply)
		}
		switch {
		case err != nil && !errors.Is(err, ErrOver) && ctx.Err() != nil:
			return trace.Termination{}, &Failure{Kind: trace.ErrorCancelled, Err: err}
		case err != nil:
			return over(err)
		case end.Cause != "":
			return end, nil
		}
	}
}

// limit returns the termination at a limit that has been reached, if one has.
func (t *talk) limit() trace.Termination {
	l := t.ep.Setting().Limits
	switch {
	case l.Turns > 0 && t.turns >= l.Turns:
		return trace.Termination{Cause: trace.CauseMaxTurns, Detail: fmt.Sprintf("the limit of %d replies", l.Turns)}
	case l.Tokens > 0 && t.tokens >= l.Tokens:
		return trace.Termination{Cause: trace.CauseTokenBudget, Detail: fmt.Sprintf("%d of %d tokens are used up", t.tokens, l.Tokens)}
	case l.Time > 0 && t.elapsed() >= l.Time:
		return t.late()
	}
	return trace.Termination{}
}

func (t *talk) elapsed() time.Duration { return t.driver.clock.Now().Sub(t.start) }

func (t *talk) late() trace.Termination {
	return trace.Termination{Cause: trace.CauseTimeLimit, Detail: fmt.Sprintf("the limit of %v", t.ep.Setting().Limits.Time)}
}

// ask makes a request. It returns a reply or a [*Failure].
//
// A request that is cut off at the episode's limit of time is a failure, too: the
// service did not answer, and nobody knows what the model would have done. The
// limit is a termination where it is found between two replies.
func (t *talk) ask(ctx context.Context) (model.Reply, error) {
	limit := t.ep.Setting().Limits.Time
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit-t.elapsed(), errTimeLimit)
		defer cancel()
	}
	reply, err := t.driver.client.Complete(ctx, t.request)
	if err == nil {
		t.turns++
		t.tokens += reply.Usage.InputTokens + reply.Usage.OutputTokens
		return reply, nil
	}
	var failed *model.Error
	if errors.As(err, &failed) {
		t.ep.Spend(failed.Usage)
	}
	if isLate(ctx, err) {
		return model.Reply{}, &Failure{Kind: trace.ErrorTimeout, Err: fmt.Errorf("no reply until the episode's limit of %v: %w", limit, err)}
	}
	return model.Reply{}, &Failure{Kind: model.KindOf(err).Trace(), Err: err}
}

// isLate reports whether a request failed because the limit of time had come,
// and not for what failed before it.
func isLate(ctx context.Context, err error) bool {
	return errors.Is(err, errTimeLimit) ||
		errors.Is(context.Cause(ctx), errTimeLimit) && errors.Is(err, context.DeadlineExceeded)
}

// step returns the record of a reply; its calls are the scaffold's to add. The
// provider's own text goes along, in the field raw_reply that is no part of the
// format: log probabilities, names of model versions and what else only one
// service has.
func step(r model.Reply) trace.Step {
	s := trace.Step{Role: trace.RoleAssistant, Thought: r.Thought, Text: r.Text, FinishReason: r.FinishReason, Usage: &r.Usage}
	if len(r.Raw) > 0 {
		raw, _, err := trace.ParseValue(r.Raw)
		if err != nil {
			raw = trace.String(string(r.Raw))
		}
		s.Extra = []trace.Field{{Key: "raw_reply", Value: raw}}
	}
	return s
}

// doubt notes in the record, in the field doubt that is no part of the format, why
// a reply may not be what the model would have said, and warns the user.
func (t *talk) doubt(s *trace.Step, reply model.Reply) {
	if text := model.Doubt(t.request, reply); text != "" {
		s.Extra = append(s.Extra, trace.Field{Key: "doubt", Value: trace.String(text)})
		t.driver.warn(text)
	}
}

// finish records a reply without calls, which ends the run. One that was cut at
// the limit of tokens is no answer. Where nobody asked for a limit, it was cut at
// one of the service's own, which in most servers is the end of the context: a
// failure.
func (t *talk) finish(s trace.Step, truncated bool) (trace.Termination, error) {
	t.ep.Say(s)
	switch {
	case !truncated:
		return trace.Termination{Cause: trace.CauseFinalAnswer}, nil
	case t.request.MaxTokens == 0 && t.driver.spec.Provider.Wire != model.WireAnthropic:
		return trace.Termination{}, &Failure{Kind: trace.ErrorContext, Err: errors.New("the reply was cut where the context or the service's own limit ends; --max-tokens sets a limit of its own")}
	}
	return trace.Termination{Cause: trace.CauseTokenBudget, Detail: "the last reply was cut at its limit of tokens and is no final answer"}, nil
}

// act executes calls and returns them with their observations.
func (t *talk) act(ctx context.Context, s trace.Step) ([]trace.Call, error) {
	done, err := t.ep.Act(ctx, s)
	if err != nil {
		return nil, err
	}
	if len(done.Calls) != len(s.Calls) {
		return nil, fmt.Errorf("the episode answered %d of %d calls", len(done.Calls), len(s.Calls))
	}
	for i, c := range done.Calls {
		if c.Observation == nil {
			return nil, fmt.Errorf("the episode left call %d without an answer", i+1)
		}
	}
	return done.Calls, nil
}
