package model_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

// faultKinds says as what each fault must be seen. "" is a reply.
var faultKinds = map[scripted.Fault]model.Kind{
	scripted.RateLimit:         model.KindRateLimit,
	scripted.ServerError:       model.KindOverloaded,
	scripted.Overloaded:        model.KindOverloaded,
	scripted.Unavailable:       model.KindOverloaded,
	scripted.Auth:              model.KindAuth,
	scripted.Quota:             model.KindBudget,
	scripted.NoModel:           model.KindRejected,
	scripted.Stall:             model.KindTimeout,
	scripted.StallBody:         model.KindTimeout,
	scripted.Disconnect:        model.KindOverloaded,
	scripted.Cut:               model.KindOverloaded,
	scripted.CutJSON:           model.KindMalformed,
	scripted.HalfCall:          model.KindMalformed,
	scripted.WrongType:         model.KindMalformed,
	scripted.EmptyChoice:       model.KindMalformed,
	scripted.NoChoice:          model.KindMalformed,
	scripted.BadArguments:      "",
	scripted.Refusal:           model.KindRefused,
	scripted.FilterError:       model.KindRefused,
	scripted.HiddenError:       model.KindOverloaded,
	scripted.OverflowOpenAI:    model.KindContextOverflow,
	scripted.OverflowVLLM:      model.KindContextOverflow,
	scripted.OverflowLlamaCPP:  model.KindContextOverflow,
	scripted.OverflowAnthropic: model.KindContextOverflow,
	scripted.OverflowDashScope: model.KindContextOverflow,
	scripted.OverflowGateway:   model.KindContextOverflow,
	scripted.OverflowGemini:    model.KindContextOverflow,
	scripted.OverflowReply:     model.KindContextOverflow,
}

// TestFaults: every fault is a failure of the right kind, never an answer.
func TestFaults(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		for _, fault := range scripted.Faults() {
			want, ok := faultKinds[fault]
			if !ok {
				t.Errorf("fault %s is not tested", fault)
				continue
			}
			t.Run(string(fault), func(t *testing.T) {
				t.Parallel()
				s := scripted.Play(scripted.Turn{
					Text: "hello", Fault: fault,
					Calls: []scripted.Call{{ID: scripted.ID("a"), Name: "find", Arguments: `{"x":"1"}`}},
				})
				c := open(t, wire, s, func(p *model.Provider, _ *model.Options) { p.Timeout = 300 * time.Millisecond })
				if want != model.KindTimeout {
					c = open(t, wire, s, nil)
				}
				r := ask("hi")
				r.MaxTokens = 100
				reply, err := c.Complete(t.Context(), r)
				if model.KindOf(err) != want {
					t.Fatalf("got kind %q (%v), want %q", model.KindOf(err), err, want)
				}
				if want == "" {
					if len(reply.Calls) != 1 {
						t.Errorf("got %d calls, want 1", len(reply.Calls))
					}
					return
				}
				if e := failure(t, err); e.Usage.Requests != 1 {
					t.Errorf("the failure counts %d requests, want 1", e.Usage.Requests)
				}
				if reply.Text != "" || reply.Calls != nil {
					t.Errorf("a failure came with the reply %+v", reply)
				}
			})
		}
	})
}

// TestParallelCallsKept: every call of a reply is kept in order, with ids as they
// came, also null and repeated ones, and with the text beside them. (Published
// runs have lost 192 parallel calls; inspect_ai #4457 lost the text.)
func TestParallelCallsKept(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.Play(scripted.Turn{
			Thought: "think", Text: "text",
			Calls: []scripted.Call{
				{ID: scripted.ID("a"), Name: "one", Arguments: `{"z":1,"a":25.0}`},
				{ID: scripted.ID("a"), Name: "two", Arguments: `{"名":"취미"}`},
				{ID: nil, Name: "three", Arguments: `{}`},
				{ID: scripted.ID(""), Name: "four", Arguments: `{}`},
			},
			InputTokens: 7, OutputTokens: 8,
		}, scripted.Turn{Text: "done"})
		c := open(t, wire, s, nil)
		r := ask("hi")
		reply, err := c.Complete(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		want := []model.Call{
			{ID: scripted.ID("a"), Name: "one", RawArguments: `{"z":1,"a":25.0}`},
			{ID: scripted.ID("a"), Name: "two", RawArguments: `{"名":"취미"}`},
			{Name: "three", RawArguments: `{}`},
			{ID: scripted.ID(""), Name: "four", RawArguments: `{}`},
		}
		if diff := cmp.Diff(want, reply.Calls); diff != "" {
			t.Error(diff)
		}
		if reply.Text != "text" || reply.Thought != "think" || reply.Usage.InputTokens != 7 || reply.Usage.OutputTokens != 8 {
			t.Errorf("got %+v", reply)
		}
		if len(reply.Raw) == 0 || reply.Provider != "test" || reply.Model != "m" {
			t.Errorf("raw, provider or model are missing: %+v", reply)
		}

		// The next turn goes out with ids that are all different, and each
		// observation with the id of its call.
		r.Messages = append(r.Messages, reply.Message())
		for _, i := range []int{0, 1, 2, 3} {
			r.Messages = append(r.Messages, model.Message{Role: trace.RoleTool, Text: fmt.Sprint("saw ", i), CallID: reply.Calls[i].ID})
		}
		if _, err := c.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		calls, answers := idsOnWire(s.Requests()[1])
		if diff := cmp.Diff([]string{"a", "call00001", "call00002", "call00003"}, calls); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(calls, answers); diff != "" {
			t.Error("observations answer other calls:", diff)
		}
	})
}

// idsOnWire returns the ids of calls and of observations in a request's body.
func idsOnWire(body trace.Value) (calls, answers []string) {
	for _, m := range body.Get("messages").Items() {
		for _, c := range m.Get("tool_calls").Items() {
			calls = append(calls, c.Get("id").Text())
		}
		if id := m.Get("tool_call_id").Text(); id != "" {
			answers = append(answers, id)
		}
		for _, b := range m.Get("content").Items() {
			switch b.Get("type").Text() {
			case "tool_use":
				calls = append(calls, b.Get("id").Text())
			case "tool_result":
				answers = append(answers, b.Get("tool_use_id").Text())
			}
		}
	}
	return calls, answers
}

// TestMalformedArgumentsKeptRaw (openai-agents-python #2061, opencode #15049,
// inspect_ai #4822): arguments that are no JSON reach the scaffold as they are.
func TestMalformedArgumentsKeptRaw(t *testing.T) {
	for _, arguments := range []string{"", "{", `{"a":1}"`, `"{\"a\":1}"`, `[1]`, `{"a":"\u6수"}`, `{"a":"\ucde8\ubbf8"}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `null`} {
		s := scripted.Play(scripted.Turn{Calls: []scripted.Call{{Name: "f", Arguments: arguments}}})
		reply, err := open(t, model.WireOpenAI, s, nil).Complete(t.Context(), ask("hi"))
		if err != nil {
			t.Errorf("%q: %v", arguments, err)
			continue
		}
		want := trace.String(arguments).Text()
		if len(reply.Calls) != 1 || reply.Calls[0].RawArguments != want {
			t.Errorf("got %+v, want arguments %q", reply.Calls, want)
		}
	}
}

// TestSurrogatesKept (gajae-code PR #4352): half of a surrogate pair survives the
// way from the wire to the reply, and escapes equal what they stand for. It is not
// sent: services refuse the whole conversation for it (claude-code #1709, #60394).
func TestSurrogatesKept(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		half := "\xed\xa0\x80" // U+D800 in WTF-8
		s := scripted.Play(scripted.Turn{Text: "a" + half + "취미"})
		reply, err := open(t, wire, s, nil).Complete(t.Context(), ask("say "+half))
		if err != nil || reply.Text != "a"+half+"취미" {
			t.Errorf("got %q, %v", reply.Text, err)
		}
		if got := s.Requests()[0].String(); !strings.Contains(got, "say \uFFFD") {
			t.Errorf("sent %s", got)
		}
	})
}

// TestLengthWithHalfACall (inspect_ai #4552): a reply that ends at the limit
// inside a call is malformed and not to be executed; one that ends in text is
// marked.
func TestLengthWithHalfACall(t *testing.T) {
	ends := map[model.Wire]string{model.WireOpenAI: "length", model.WireAnthropic: "max_tokens"}
	each(t, func(t *testing.T, wire model.Wire) {
		c := open(t, wire, scripted.Play(scripted.Turn{Fault: scripted.HalfCall}), nil)
		r := ask("hi")
		r.MaxTokens = 5
		_, err := c.Complete(t.Context(), r)
		if e := failure(t, err); e.Kind != model.KindMalformed || !e.Permanent || e.Usage.OutputTokens != 5 {
			t.Errorf("got %+v", e)
		}
		c = open(t, wire, scripted.Play(scripted.Turn{Text: "a long", Finish: ends[wire]}), nil)
		reply, err := c.Complete(t.Context(), r)
		if err != nil || !reply.Truncated || reply.Text != "a long" {
			t.Errorf("got %+v, %v", reply, err)
		}
		r.MaxTokens = 50 // the reply ended before the limit: the context is full
		if _, err = c.Complete(t.Context(), r); model.KindOf(err) != model.KindContextOverflow {
			t.Errorf("got %v", err)
		}
	})
}

// TestEmptyChoiceIsNoAnswer: reasoning alone is no answer either.
func TestEmptyChoiceIsNoAnswer(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		for _, turn := range []scripted.Turn{{}, {Thought: "only thoughts"}, {Finish: "tool_calls"}, {Text: "x", Finish: map[model.Wire]string{model.WireOpenAI: "tool_calls", model.WireAnthropic: "tool_use"}[wire]}} {
			_, err := open(t, wire, scripted.Play(turn), nil).Complete(t.Context(), ask("hi"))
			if model.KindOf(err) != model.KindMalformed {
				t.Errorf("%+v: got %v", turn, err)
			}
		}
	})
}

// TestCancelled: stopped from outside is neither a timeout nor a failure of the service.
func TestCancelled(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.Play(scripted.Turn{Fault: scripted.Stall})
		c := open(t, wire, s, nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for s.Count("") == 0 {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		if _, err := c.Complete(ctx, ask("hi")); model.KindOf(err) != model.KindCancelled || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := c.Complete(ctx, ask("hi")); model.KindOf(err) != model.KindTimeout {
			t.Errorf("got %v", err)
		}
	})
}

// TestKeyIsRedacted: the service gets the key, and nothing else does.
func TestKeyIsRedacted(t *testing.T) {
	const secret = "sk-very-secret-0123456789"
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.New(scripted.Options{Key: secret, Scripts: map[string]scripted.Script{"": {{Text: "the key is " + secret}}}})
		key := func(k string) func(*model.Provider, *model.Options) {
			return func(_ *model.Provider, o *model.Options) { o.Key = model.NewKey(k + "\n") }
		}
		reply, err := open(t, wire, s, key(secret)).Complete(t.Context(), ask("hi"))
		if err != nil || strings.Contains(fmt.Sprintf("%+v %s", reply, reply.Raw), secret) {
			t.Errorf("got %+v, %v", reply, err)
		}
		s = scripted.New(scripted.Options{Key: "another"})
		_, err = open(t, wire, s, key(secret)).Complete(t.Context(), ask("hi"))
		e := failure(t, err)
		if e.Kind != model.KindAuth || !strings.Contains(e.Message, "[redacted]") || strings.Contains(fmt.Sprintf("%+v %s", e, e.Raw), secret) {
			t.Errorf("got %+v", e)
		}
	})
}

// TestNoRedirect: a key does not travel to another address.
func TestNoRedirect(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		asked := 0
		transport := roundTrip(func(r *http.Request) (*http.Response, error) {
			asked++
			h := http.Header{"Location": {"https://elsewhere.invalid/"}}
			return &http.Response{StatusCode: http.StatusTemporaryRedirect, Header: h, Body: http.NoBody, Request: r}, nil
		})
		c := open(t, wire, scripted.Play(), func(_ *model.Provider, o *model.Options) { o.Transport = transport })
		if _, err := c.Complete(t.Context(), ask("hi")); model.KindOf(err) != model.KindRejected || asked != 1 {
			t.Errorf("got %v after %d requests", err, asked)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestRequestOnWire: what goes out, to the byte.
func TestRequestOnWire(t *testing.T) {
	temperature, seed, parallel := 0.0, int64(7), false
	schema, _, err := trace.ParseValue([]byte(`{"type":"object","properties":{"z":{"type":"string"},"a":{}},"required":["z"]}`))
	if err != nil {
		t.Fatal(err)
	}
	r := model.Request{
		Model: "m", MaxTokens: 9, Temperature: &temperature, Seed: &seed, Stop: []string{"END"}, Parallel: &parallel,
		ToolChoice: model.ToolChoice{Mode: model.ToolRequired},
		Tools:      []model.Tool{{Name: "f", Description: "d", Parameters: schema}},
		Messages: []model.Message{
			{Role: trace.RoleSystem, Text: "be good"},
			{Role: trace.RoleUser, Text: "hi"},
			{Role: trace.RoleAssistant, Thought: "hm", Calls: []model.Call{{ID: scripted.ID("a"), Name: "f", RawArguments: `{bad`}}},
			{Role: trace.RoleTool, CallID: scripted.ID("a"), Text: "no", IsError: true},
			{Role: trace.RoleUser, Text: "again"},
		},
	}
	const common = `"tools":[`
	want := map[model.Wire]string{
		model.WireOpenAI: `{"model":"m","messages":[{"role":"system","content":"be good"},{"role":"user","content":"hi"},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"malformed_arguments\":\"{bad\"}"}}]},` +
			`{"role":"tool","tool_call_id":"a","content":"no"},{"role":"user","content":"again"}],` + common +
			`{"type":"function","function":{"name":"f","description":"d","parameters":` + schema.String() + `}}],` +
			`"tool_choice":"required","parallel_tool_calls":false,"max_tokens":9,"temperature":0.0,"seed":7,"stop":["END"]}`,
		model.WireAnthropic: `{"model":"m","max_tokens":9,"system":"be good","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"malformed_arguments":"{bad"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"no","is_error":true},{"type":"text","text":"again"}]}],` + common +
			`{"name":"f","description":"d","input_schema":` + schema.String() + `}],` +
			`"tool_choice":{"type":"any","disable_parallel_tool_use":true},"temperature":0.0,"stop_sequences":["END"]}`,
	}
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.Play(scripted.Turn{Text: "ok"})
		if _, err := open(t, wire, s, nil).Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[wire], s.Requests()[0].String()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestBadRequestsCostNothing: they are refused before they are sent.
func TestBadRequestsCostNothing(t *testing.T) {
	bad := map[string]model.Request{
		"no model":    {Messages: ask("hi").Messages},
		"no messages": {Model: "m"},
		"role":        {Model: "m", Messages: []model.Message{{Role: "narrator"}}},
		"orphan":      {Model: "m", Messages: []model.Message{{Role: trace.RoleTool, Text: "saw"}}},
		"extra":       {Model: "m", Messages: ask("hi").Messages, Extra: trace.Int(1)},
	}
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.Play(scripted.Turn{Text: "ok"})
		c := open(t, wire, s, nil)
		for name, r := range bad {
			if _, err := c.Complete(t.Context(), r); model.KindOf(err) != model.KindRejected {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if n := s.Count(""); n != 0 {
			t.Errorf("%d requests were sent", n)
		}
	})
}

func TestLogprobsAndThoughtEcho(t *testing.T) {
	s := scripted.Play(scripted.Turn{Text: "yes", Thought: "hm", Logprobs: true})
	c := open(t, model.WireOpenAI, s, func(p *model.Provider, _ *model.Options) { p.EchoThought = true })
	r := ask("hi")
	r.Logprobs = 2
	reply, err := c.Complete(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Logprob{{Token: "yes", Logprob: -0.25, Top: []model.Logprob{{Token: "yes", Logprob: -0.25}, {Token: "other", Logprob: -1.5}}}}
	if diff := cmp.Diff(want, reply.Logprobs); diff != "" {
		t.Error(diff)
	}
	r.Messages = append(r.Messages, reply.Message(), model.Message{Role: trace.RoleUser, Text: "why"})
	if _, err := c.Complete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got := s.Requests()[1].Get("messages").Index(1).Get("reasoning_content").Text(); got != "hm" {
		t.Errorf("got thought %q sent back", got)
	}
	if _, err := open(t, model.WireAnthropic, s, nil).Complete(t.Context(), r); model.KindOf(err) != model.KindRejected {
		t.Errorf("Anthropic with logprobs: got %v", err)
	}
}

// TestSealedThoughtGoesBack: signed reasoning is sent back unchanged, first.
func TestSealedThoughtGoesBack(t *testing.T) {
	s := scripted.Play(scripted.Turn{Thought: "hm", Text: "yes"}, scripted.Turn{Text: "ok"})
	c := open(t, model.WireAnthropic, s, nil)
	r := ask("hi")
	reply, err := c.Complete(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	r.Messages = append(r.Messages, reply.Message(), model.Message{Role: trace.RoleUser, Text: "why"})
	if _, err := c.Complete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[1].Get("messages").Index(1).Get("content").String()
	want := `[{"type":"thinking","thinking":"hm","signature":"scripted"},{"type":"text","text":"yes"}]`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
