package agent

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// stage is an episode in a world of one tool, which says its argument again.
type stage struct {
	c       suite.Case
	setting Setting
	steps   []trace.Step
	spent   []trace.Usage
	calls   int
	during  func() // called by each call
}

func newStage() *stage { return &stage{c: suite.Case{Task: "Ring twice.", User: "Ada"}} }

func (s *stage) Case() *suite.Case { return &s.c }
func (s *stage) World() *world.Blueprint {
	return &world.Blueprint{Title: "Bell tower", Intro: "It has one bell.", Rules: []string{"Be quiet at night.", "Pay $1 & <tax>."}}
}
func (s *stage) Tools() []trace.Tool {
	v, _, _ := trace.ParseValue([]byte(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`))
	return []trace.Tool{{Name: "ring", Description: "Rings the bell.\n\n\"Ding\" — 鐘", Parameters: v}, {Name: "stop"}}
}
func (s *stage) Setting() Setting    { return s.setting }
func (s *stage) Say(x trace.Step)    { s.steps = append(s.steps, x) }
func (s *stage) Spend(u trace.Usage) { s.spent = append(s.spent, u) }
func (s *stage) Rand() *rand.Rand    { return rand.New(rand.NewPCG(1, 1)) }

func (s *stage) Act(_ context.Context, turn trace.Step) (trace.Step, error) {
	defer func() { s.steps = append(s.steps, turn) }()
	for i := range turn.Calls {
		if l := s.setting.Limits.Calls; l > 0 && s.calls == l {
			return turn, ErrOver
		}
		s.calls++
		if s.during != nil {
			s.during()
		}
		c := &turn.Calls[i]
		o := &trace.Observation{}
		switch {
		case !c.Arguments.Exists():
			o.Text, o.Error = "error: no object", &trace.CallError{Type: "InvalidArgument"}
		case c.Name != "ring":
			o.Text, o.Error = "error: no tool "+c.Name, &trace.CallError{Type: world.UnknownTool}
		default:
			o.Text = "heard " + c.Arguments.Get("text").Text()
		}
		o.Text = s.setting.Defence.Show(o.Text)
		c.Observation = o
	}
	return turn, nil
}

// replies are the steps of the model.
func (s *stage) replies() []trace.Step {
	var out []trace.Step
	for _, x := range s.steps {
		if x.Role == trace.RoleAssistant {
			out = append(out, x)
		}
	}
	return out
}

// clock is a time that moves when a test moves it.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time                                   { return c.now }
func (c *clock) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// asked is a client made of a function that keeps the requests.
type asked struct {
	requests []model.Request
	reply    func(ctx context.Context, n int) (model.Reply, error)
}

func (a *asked) Complete(ctx context.Context, r model.Request) (model.Reply, error) {
	a.requests = append(a.requests, r)
	return a.reply(ctx, len(a.requests))
}

// says is a client that gives the same reply again and again.
func says(r model.Reply) *asked {
	return &asked{reply: func(context.Context, int) (model.Reply, error) { return r, nil }}
}

// with makes the agent of a configuration around a client.
func with(t testing.TB, c Config, client model.Client, spec model.Spec) Agent {
	t.Helper()
	if c.Scaffold == "" {
		c.Scaffold = "tools"
	}
	c.Model = "test:m"
	spec.Model = "m"
	a, err := New(c, Env{Clock: &clock{}, Client: func(string) (model.Client, model.Spec, error) { return client, spec, nil }})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// serve makes the agent of a configuration around a scripted server.
func serve(t testing.TB, c Config, wire model.Wire, turns ...scripted.Turn) (Agent, *scripted.Server) {
	t.Helper()
	server := scripted.New(scripted.Options{Scripts: map[string]scripted.Script{"": turns}, Keep: true})
	address, stop, err := server.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: wire, BaseURL: address + "/v1"}}
	client, err := model.Open(spec, model.Options{Clock: &clock{}})
	if err != nil {
		t.Fatal(err)
	}
	return with(t, c, client, spec), server
}

// ends runs an agent that must not fail.
func ends(t testing.TB, a Agent, s *stage) trace.Cause {
	t.Helper()
	end, err := a.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return end.Cause
}

// fails runs an agent that must fail, and returns the kind.
func fails(ctx context.Context, t testing.TB, a Agent, s *stage) trace.ErrorKind {
	t.Helper()
	end, err := a.Run(ctx, s)
	var f *Failure
	if !errors.As(err, &f) || end.Cause != "" {
		t.Fatalf("ended with %q and error %v, want a failure", end.Cause, err)
	}
	if !f.Kind.Cause().Valid() {
		t.Errorf("kind %q is none", f.Kind)
	}
	return f.Kind
}

var wires = []model.Wire{model.WireOpenAI, model.WireAnthropic}

func ring(id, text string) scripted.Call {
	c := scripted.Call{Name: "ring", Arguments: `{"text":"` + text + `"}`}
	if id != "" {
		c.ID = &id
	}
	return c
}

func TestEachLimitHasItsCause(t *testing.T) {
	again := model.Reply{Calls: []model.Call{{Name: "ring", RawArguments: `{"text":"a"}`}}, Usage: trace.Usage{InputTokens: 30, OutputTokens: 5}}
	for name, test := range map[string]struct {
		limits Limits
		cause  trace.Cause
		turns  int
	}{
		"turns":          {Limits{Turns: 3}, trace.CauseMaxTurns, 3},
		"tokens":         {Limits{Tokens: 100}, trace.CauseTokenBudget, 3},
		"tokens, exact":  {Limits{Tokens: 70}, trace.CauseTokenBudget, 2},
		"calls":          {Limits{Calls: 4}, "", 5}, // the episode says why
		"time":           {Limits{Time: 2 * time.Minute}, trace.CauseTimeLimit, 2},
		"first of them":  {Limits{Turns: 9, Tokens: 40, Time: time.Hour}, trace.CauseTokenBudget, 2},
		"one reply only": {Limits{Turns: 1}, trace.CauseMaxTurns, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage()
			s.setting.Limits = test.limits
			time := &clock{}
			a, err := New(Config{Scaffold: "tools", Model: "m"}, Env{Clock: time,
				Client: func(string) (model.Client, model.Spec, error) { return says(again), model.Spec{Model: "m"}, nil }})
			if err != nil {
				t.Fatal(err)
			}
			s.during = func() { time.now = time.now.Add(60e9) }
			if got := ends(t, a, s); got != test.cause || len(s.replies()) != test.turns {
				t.Errorf("ended with %q after %d replies, want %q after %d", got, len(s.replies()), test.cause, test.turns)
			}
		})
	}
}

// A request that stalls is cut at the limit of time, and that is a failure of
// the service: nobody knows what the model would have said.
func TestStalledRequestAtTheLimitOfTimeIsNoResult(t *testing.T) {
	for _, fault := range []scripted.Fault{scripted.Stall, scripted.StallBody} {
		a, _ := serve(t, Config{}, model.WireOpenAI, scripted.Turn{Fault: fault})
		s := newStage()
		s.setting.Limits.Time = 20 * time.Millisecond
		if got := fails(context.Background(), t, a, s); got != trace.ErrorTimeout {
			t.Errorf("%s: failed with %q", fault, got)
		}
		if len(s.spent) != 1 || s.spent[0].Requests != 1 {
			t.Errorf("%s: spent %+v, want the request that was cut", fault, s.spent)
		}
	}
	plain := &asked{reply: func(ctx context.Context, _ int) (model.Reply, error) {
		<-ctx.Done()
		return model.Reply{}, ctx.Err()
	}}
	s := newStage()
	s.setting.Limits.Time = time.Millisecond
	if got := fails(context.Background(), t, with(t, Config{}, plain, model.Spec{}), s); got != trace.ErrorTimeout {
		t.Errorf("a client that knows no causes: failed with %q", got)
	}
}

// A failure that merely comes late is still a failure.
func TestFailureAtTheLimitOfTimeStaysAFailure(t *testing.T) {
	c := &asked{reply: func(ctx context.Context, _ int) (model.Reply, error) {
		<-ctx.Done()
		return model.Reply{}, &model.Error{Kind: model.KindOverloaded, Op: "post", Status: 500}
	}}
	s := newStage()
	s.setting.Limits.Time = time.Millisecond
	if got := fails(context.Background(), t, with(t, Config{}, c, model.Spec{}), s); got != trace.ErrorProvider {
		t.Errorf("got %q", got)
	}
}

func TestEachErrorOfTheModelIsAFailure(t *testing.T) {
	for _, kind := range model.Kinds() {
		for _, scaffold := range []string{"tools", "react"} {
			spent := trace.Usage{Requests: 3, InputTokens: 7}
			c := &asked{reply: func(_ context.Context, n int) (model.Reply, error) {
				if n == 1 {
					return model.Reply{Text: "<tool_call>\n{\"name\": \"ring\", \"arguments\": {}}\n</tool_call>"}, nil
				}
				return model.Reply{}, fmt.Errorf("outer: %w", &model.Error{Kind: kind, Op: "post", Usage: spent})
			}}
			if scaffold == "tools" {
				first := c.reply
				c.reply = func(ctx context.Context, n int) (model.Reply, error) { return first(ctx, n+1) }
			}
			s := newStage()
			if got := fails(context.Background(), t, with(t, Config{Scaffold: scaffold}, c, model.Spec{}), s); got != kind.Trace() {
				t.Errorf("%s, %s: kind %q, want %q", scaffold, kind, got, kind.Trace())
			}
			if len(s.spent) != 1 || s.spent[0].Requests != 3 || s.spent[0].InputTokens != 7 {
				t.Errorf("%s, %s: spent %+v", scaffold, kind, s.spent)
			}
		}
	}
	odd := &asked{reply: func(context.Context, int) (model.Reply, error) { return model.Reply{}, errors.New("odd") }}
	if got := fails(context.Background(), t, with(t, Config{}, odd, model.Spec{}), newStage()); got != trace.ErrorInternal {
		t.Errorf("an unknown error is %q", got)
	}
}

func TestFaultsOfAServiceAreFailures(t *testing.T) {
	want := map[scripted.Fault]trace.ErrorKind{
		scripted.RateLimit: trace.ErrorRateLimit, scripted.ServerError: trace.ErrorProvider, scripted.Unavailable: trace.ErrorProvider,
		scripted.Auth: trace.ErrorProvider, scripted.Quota: trace.ErrorBudget, scripted.NoModel: trace.ErrorProvider,
		scripted.EmptyChoice: trace.ErrorOutput, scripted.CutJSON: trace.ErrorOutput, scripted.WrongType: trace.ErrorOutput,
		scripted.HalfCall: trace.ErrorOutput, scripted.Refusal: trace.ErrorFilter, scripted.FilterError: trace.ErrorFilter,
	}
	for _, fault := range scripted.Overflows() {
		want[fault] = trace.ErrorContext
	}
	for fault, kind := range want {
		for _, wire := range wires {
			// Where a limit was asked for, a reply that ends before it shows a full context.
			a, _ := serve(t, Config{Params: Params{MaxTokens: 100}}, wire, scripted.Turn{Calls: []scripted.Call{ring("a", "x")}}, scripted.Turn{Calls: []scripted.Call{ring("b", "y")}, Fault: fault})
			s := newStage()
			s.setting.Limits = Limits{Turns: 5, Tokens: 1e6, Time: time.Hour}
			if got := fails(context.Background(), t, a, s); got != kind {
				t.Errorf("%s, %s: %q, want %q", wire, fault, got, kind)
			}
			if s.calls != 1 || len(s.replies()) != 1 {
				t.Errorf("%s, %s: %d calls in %d replies; what came with the fault must not count", wire, fault, s.calls, len(s.replies()))
			}
		}
	}
}

func TestCancelledRunStaysCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := newStage()
	s.during = cancel
	a := with(t, Config{}, says(model.Reply{Calls: []model.Call{{Name: "ring", RawArguments: "{}"}}}), model.Spec{})
	if got := fails(ctx, t, a, s); got != trace.ErrorCancelled || s.calls != 1 {
		t.Errorf("between requests: %q after %d calls", got, s.calls)
	}
	ctx, cancel = context.WithCancel(context.Background())
	c := &asked{reply: func(context.Context, int) (model.Reply, error) {
		cancel()
		return model.Reply{}, &model.Error{Kind: model.KindOverloaded, Op: "post"}
	}}
	if got := fails(ctx, t, with(t, Config{}, c, model.Spec{}), newStage()); got != trace.ErrorCancelled {
		t.Errorf("within a request: %q", got)
	}
}

func TestRequestCarriesParameters(t *testing.T) {
	temperature, top, parallel := 0.5, 0.8, false
	p := Params{MaxTokens: 50, Temperature: &temperature, TopP: &top, Seeded: true, Parallel: &parallel, Logprobs: 2, Extra: `{"reasoning_effort":"low"}`}
	seeds := map[int64]bool{}
	for _, setting := range []Setting{{Seed: 1}, {Seed: 1, Epoch: 1}, {Seed: 2}, {Seed: 2, Epoch: 0}} {
		c := says(model.Reply{Text: "done"})
		s := newStage()
		s.setting = setting
		ends(t, with(t, Config{Params: p}, c, model.Spec{}), s)
		r := c.requests[0]
		if r.MaxTokens != 50 || *r.Temperature != 0.5 || *r.TopP != 0.8 || *r.Parallel || r.Logprobs != 2 ||
			r.Extra.String() != `{"reasoning_effort":"low"}` || r.Model != "m" || r.Epoch != setting.Epoch {
			t.Errorf("request %+v", r)
		}
		if r.Seed == nil || *r.Seed < 0 || *r.Seed >= 1<<31 {
			t.Fatalf("seed %v", r.Seed)
		}
		seeds[*r.Seed] = true
	}
	if len(seeds) != 3 {
		t.Errorf("%d seeds of 3 different cells", len(seeds))
	}
	c := says(model.Reply{Text: "done"})
	ends(t, with(t, Config{}, c, model.Spec{}), newStage())
	if r := c.requests[0]; r.Seed != nil || r.Temperature != nil || r.MaxTokens != 0 || r.Extra.Exists() {
		t.Errorf("parameters nobody asked for: %+v", r)
	}
}

func TestNewRefuses(t *testing.T) {
	env := Env{Clock: &clock{}, Client: func(spec string) (model.Client, model.Spec, error) {
		if spec == "bad" {
			return nil, model.Spec{}, errors.New("no provider")
		}
		return says(model.Reply{}), model.Spec{Model: "m", Provider: model.Provider{Name: "p"}}, nil
	}}
	for want, c := range map[string]Config{
		"needs a model":          {Scaffold: "tools"},
		"takes no argument":      {Scaffold: "react:x", Model: "m"},
		"runs no command":        {Scaffold: "tools", Model: "m", Command: []string{"sh"}},
		"are no JSON object":     {Scaffold: "tools", Model: "m", Params: Params{Extra: `[1]`}},
		"no provider":            {Scaffold: "react", Model: "bad"},
		"unknown placeholder":    {Scaffold: "react", Model: "m", System: "Hello ${users}"},
		"placeholders are ${tit": {Scaffold: "tools", Model: "m", System: "${}"},
	} {
		if _, err := New(c, env); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", c, err, want)
		}
	}
	if _, err := New(Config{Scaffold: "tools", Model: "m"}, Env{}); err == nil {
		t.Error("an agent without a client was made")
	}
	a, err := New(Config{Scaffold: "react", Model: "m"}, env)
	if err != nil {
		t.Fatal(err)
	}
	if name, provider := a.(Modelled).Model(); name != "m" || provider != "p" {
		t.Errorf("model %q of %q", name, provider)
	}
}

// replies gives one reply after the other.
func replies(list ...model.Reply) func(context.Context, int) (model.Reply, error) {
	return func(_ context.Context, n int) (model.Reply, error) { return list[n-1], nil }
}

// silent is an episode that breaks its contract.
type silent struct {
	*stage
	calls int // calls that come back
}

func (s silent) Act(_ context.Context, turn trace.Step) (trace.Step, error) {
	turn.Calls = turn.Calls[:s.calls]
	return turn, nil
}

func TestCallsWithoutAnswerAreAnError(t *testing.T) {
	c := says(model.Reply{Calls: []model.Call{{Name: "ring"}, {Name: "ring"}}})
	for n := range 3 {
		end, err := with(t, Config{}, c, model.Spec{}).Run(context.Background(), silent{newStage(), n})
		if err == nil || end.Cause != "" {
			t.Errorf("%d calls came back unanswered: ended with %q, %v", n, end.Cause, err)
		}
	}
}
