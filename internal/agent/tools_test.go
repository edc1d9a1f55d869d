package agent

import (
	"fmt"
	"strings"
	"testing"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

// answered returns "id=text" of the tool messages of a request, and the ids of
// the calls of its assistant messages.
func answered(body trace.Value) (results, calls []string) {
	for _, m := range body.Get("messages").Items() {
		if m.Get("role").Text() == "tool" {
			results = append(results, m.Get("tool_call_id").Text()+"="+m.Get("content").Text())
		}
		for _, c := range m.Get("tool_calls").Items() {
			calls = append(calls, c.Get("id").Text())
		}
		for _, b := range m.Get("content").Items() {
			switch b.Get("type").Text() {
			case "tool_result":
				results = append(results, b.Get("tool_use_id").Text()+"="+b.Get("content").Text())
			case "tool_use":
				calls = append(calls, b.Get("id").Text())
			}
		}
	}
	return results, calls
}

func TestParallelCallsAreExecutedInOrderAndAnsweredByID(t *testing.T) {
	for _, wire := range wires {
		a, server := serve(t, Config{}, wire,
			scripted.Turn{Calls: []scripted.Call{ring("b", "one"), ring("a", "two"), ring("c", "three")}},
			scripted.Turn{Calls: []scripted.Call{ring("d", "four")}},
			scripted.Turn{Text: "Done."})
		s := newStage()
		if got := ends(t, a, s); got != trace.CauseFinalAnswer {
			t.Errorf("%s: ended with %q", wire, got)
		}
		results, _ := answered(server.Requests()[2])
		if got, want := strings.Join(results, " "), "b=heard one a=heard two c=heard three d=heard four"; got != want {
			t.Errorf("%s: answers %q, want %q", wire, got, want)
		}
		if got := s.replies(); len(got) != 3 || len(got[0].Calls) != 3 || got[2].Text != "Done." || got[2].Calls != nil {
			t.Errorf("%s: record %+v", wire, got)
		}
		for _, r := range s.replies() {
			if r.Usage == nil || r.Usage.Requests != 1 || r.Usage.InputTokens < 100 || r.Usage.OutputTokens != 5 || r.FinishReason == "" || r.Latency != 0 {
				t.Errorf("%s: reply is recorded as %+v", wire, r)
			}
		}
	}
}

func TestNullAndRepeatedIDsArePairedByOrder(t *testing.T) {
	for _, wire := range wires {
		a, server := serve(t, Config{}, wire,
			scripted.Turn{Calls: []scripted.Call{ring("", "one"), ring("x", "two"), ring("x", "three"), ring("", "four")}},
			scripted.Turn{Calls: []scripted.Call{ring("x", "five")}},
			scripted.Turn{Text: "Done."})
		s := newStage()
		ends(t, a, s)
		results, calls := answered(server.Requests()[2])
		seen := map[string]bool{}
		for i, word := range []string{"one", "two", "three", "four", "five"} {
			if len(results) != 5 || len(calls) != 5 || results[i] != calls[i]+"=heard "+word || seen[calls[i]] || calls[i] == "" {
				t.Fatalf("%s: calls %q, answers %q", wire, calls, results)
			}
			seen[calls[i]] = true
		}
		var kept []string
		for _, c := range s.replies()[0].Calls {
			if c.ID == nil {
				kept = append(kept, "null")
			} else {
				kept = append(kept, *c.ID)
			}
		}
		if got := strings.Join(kept, " "); got != "null x x null" {
			t.Errorf("%s: ids in the record are %s", wire, got)
		}
	}
}

// tau2-bench #397: a call of a tool that does not exist; openai-agents-python
// #2061: arguments that are no JSON. Neither ends the run.
func TestHallucinatedToolAndMalformedArgumentsGoOn(t *testing.T) {
	a, server := serve(t, Config{}, model.WireOpenAI, scripted.Turn{Calls: []scripted.Call{
		{ID: scripted.ID("1"), Name: "fly", Arguments: `{}`},
		{ID: scripted.ID("2"), Name: "ring", Arguments: `{"text": "a`},
		{ID: scripted.ID("3"), Name: "ring", Arguments: `["a"]`},
		ring("4", "a"),
	}}, scripted.Turn{Text: "Done."})
	s := newStage()
	if got := ends(t, a, s); got != trace.CauseFinalAnswer {
		t.Errorf("ended with %q", got)
	}
	results, _ := answered(server.Requests()[1])
	if got := strings.Join(results, "|"); got != "1=error: no tool fly|2=error: no object|3=error: no object|4=heard a" {
		t.Errorf("answers %s", got)
	}
	calls := s.replies()[0].Calls
	if calls[1].RawArguments == nil || *calls[1].RawArguments != `{"text": "a` || calls[1].Arguments.Exists() || calls[2].Arguments.Exists() {
		t.Errorf("broken arguments are recorded as %+v", calls[1])
	}
}

func TestFailedCallIsMarkedForTheModel(t *testing.T) {
	c := &asked{}
	c.reply = replies(model.Reply{Calls: []model.Call{{Name: "fly"}, {Name: "ring", RawArguments: "{}"}}}, model.Reply{Text: "ok"})
	ends(t, with(t, Config{}, c, model.Spec{}), newStage())
	m := c.requests[1].Messages
	if n := len(m); n != 5 || !m[3].IsError || m[4].IsError {
		t.Errorf("messages %+v", m)
	}
}

// verifiers PR #1692: a loop that ended by too many errors was recorded as
// completed. Errors of calls end nothing here; the limit does, and says so.
func TestManyFailingCallsAreNoEndInThemselves(t *testing.T) {
	script := make([]scripted.Turn, 0, 13)
	for i := range 12 {
		script = append(script, scripted.Turn{Calls: []scripted.Call{{ID: scripted.ID(fmt.Sprint(i)), Name: "fly", Arguments: "{"}}})
	}
	script = append(script, scripted.Turn{Text: "I give up."})
	a, _ := serve(t, Config{}, model.WireOpenAI, script...)
	s := newStage()
	if got := ends(t, a, s); got != trace.CauseFinalAnswer || s.calls != 12 {
		t.Errorf("ended with %q after %d calls", got, s.calls)
	}
	s = newStage()
	s.setting.Limits.Turns = 10
	if got := ends(t, a, s); got != trace.CauseMaxTurns || s.calls != 10 {
		t.Errorf("with a limit: ended with %q after %d calls", got, s.calls)
	}
}

// inspect_ai #4457: the text beside calls was dropped.
func TestTextBesideCallsIsKept(t *testing.T) {
	for _, wire := range wires {
		a, server := serve(t, Config{}, wire,
			scripted.Turn{Thought: "Hm.", Text: "First I ring.", Calls: []scripted.Call{ring("1", "a"), ring("2", "b")}},
			scripted.Turn{Text: "Done."})
		s := newStage()
		ends(t, a, s)
		if r := s.replies()[0]; r.Text != "First I ring." || r.Thought != "Hm." || len(r.Calls) != 2 {
			t.Errorf("%s: record %+v", wire, r)
		}
		if body := server.Requests()[1].String(); strings.Count(body, "First I ring.") != 1 {
			t.Errorf("%s: the model is not shown its text again: %s", wire, body)
		}
	}
}

// A reply that is cut where nobody asked for a limit has met the end of the
// context, or a limit of the service's own: no result.
func TestReplyCutWithoutALimitIsAFullContext(t *testing.T) {
	for _, scaffold := range []string{"tools", "react"} {
		a, _ := serve(t, Config{Scaffold: scaffold}, model.WireOpenAI, scripted.Turn{Text: "The answer is fo", Finish: "length"})
		s := newStage()
		if got := fails(t.Context(), t, a, s); got != trace.ErrorContext {
			t.Errorf("%s: failed with %q", scaffold, got)
		}
		if r := s.replies(); len(r) != 1 || r[0].Text != "The answer is fo" {
			t.Errorf("%s: record %+v", scaffold, r)
		}
	}
}

// inspect_ai #4552: a reply that is cut at the limit of tokens.
func TestReplyCutAtTheLimitIsNoFinalAnswer(t *testing.T) {
	for _, scaffold := range []string{"tools", "react"} {
		for _, finish := range []string{"length", "max_tokens"} {
			wire := model.WireOpenAI
			if finish == "max_tokens" {
				wire = model.WireAnthropic
			}
			a, _ := serve(t, Config{Scaffold: scaffold, Params: Params{MaxTokens: model.DefaultMaxTokens}}, wire, scripted.Turn{Text: "The answer is fo", Finish: finish, OutputTokens: model.DefaultMaxTokens})
			s := newStage()
			end, err := a.Run(t.Context(), s)
			if err != nil || end.Cause != trace.CauseTokenBudget || !strings.Contains(end.Detail, "no final answer") {
				t.Errorf("%s: ended with %+v, %v", scaffold, end, err)
			}
			if r := s.replies(); len(r) != 1 || r[0].Text != "The answer is fo" || r[0].FinishReason != finish {
				t.Errorf("%s: record %+v", scaffold, r)
			}
		}
	}
}

// A cut reply whose calls are whole is a turn like any other.
func TestWholeCallsOfACutReplyAreExecuted(t *testing.T) {
	a, _ := serve(t, Config{}, model.WireOpenAI, scripted.Turn{Calls: []scripted.Call{ring("1", "a")}, Finish: "length"}, scripted.Turn{Text: "Done."})
	s := newStage()
	if got := ends(t, a, s); got != trace.CauseFinalAnswer || s.calls != 1 {
		t.Errorf("ended with %q after %d calls", got, s.calls)
	}
}

// Anthropic refuses a conversation whose signed blocks of reasoning are missing.
func TestSealedReasoningIsSentBack(t *testing.T) {
	seal := trace.Array(trace.String("signed"))
	c := &asked{reply: replies(model.Reply{Sealed: seal, Calls: []model.Call{{Name: "ring", RawArguments: "{}"}}}, model.Reply{Text: "ok"})}
	ends(t, with(t, Config{}, c, model.Spec{}), newStage())
	if got := c.requests[1].Messages[2].Sealed; !trace.Equal(got, seal) {
		t.Errorf("sent back %s", got)
	}
}

func TestCallsBeyondTheEndAreNotAnswered(t *testing.T) {
	a, server := serve(t, Config{}, model.WireOpenAI, scripted.Turn{Calls: []scripted.Call{ring("1", "a"), ring("2", "b"), ring("3", "c")}})
	s := newStage()
	s.setting.Limits.Calls = 2
	if got := ends(t, a, s); got != "" || server.Count("") != 1 || s.calls != 2 {
		t.Errorf("ended with %q after %d requests and %d calls; the episode says why it ended", got, server.Count(""), s.calls)
	}
}

func TestDefencesReachTheModel(t *testing.T) {
	for _, name := range []string{"delimit", "repeat_task"} {
		d, err := FindDefence(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, scaffold := range []string{"tools", "react"} {
			for _, system := range []string{"", "Be brief."} {
				call := scripted.Turn{Calls: []scripted.Call{ring("1", "a")}}
				if scaffold == "react" {
					call = scripted.Turn{Text: "<tool_call>{\"name\": \"ring\", \"arguments\": {\"text\": \"a\"}}</tool_call>"}
				}
				a, server := serve(t, Config{Scaffold: scaffold, System: system}, model.WireOpenAI, call, scripted.Turn{Text: "Done."})
				s := newStage()
				s.setting.Defence = d
				ends(t, a, s)
				body := server.Requests()[1].String()
				if d.System != "" && strings.Count(body, d.System) != 1 {
					t.Errorf("%s, %s, %q: the sentence is not there once", name, scaffold, system)
				}
				if n := strings.Count(body, "heard a"); n != 1 || !strings.Contains(body, d.Show("heard a")) || strings.Contains(body, "<<<<") {
					t.Errorf("%s, %s: the observation is there %d times: %s", name, scaffold, n, body)
				}
				want := 1
				if d.Repeat {
					want = 2
				}
				if got := strings.Count(body, "Ring twice."); got != want {
					t.Errorf("%s, %s: the task is there %d times, want %d", name, scaffold, got, want)
				}
				if got := s.steps[1]; (got.Origin == "defence") != d.Repeat || d.Repeat && (got.Role != trace.RoleUser || got.Text != "Ring twice.") {
					t.Errorf("%s, %s: record %+v", name, scaffold, got)
				}
			}
		}
	}
}

// inspect_ai 0.3.260: state of one run was left in the next.
func TestRunLeavesNothingBehind(t *testing.T) {
	for _, scaffold := range []string{"tools", "react"} {
		c := says(model.Reply{Text: "Done."})
		a := with(t, Config{Scaffold: scaffold}, c, model.Spec{})
		limited := newStage()
		limited.setting = Setting{Compat: true, Epoch: 3, Limits: Limits{Turns: 1, Tokens: 1}}
		ends(t, a, newStage())
		ends(t, a, limited)
		ends(t, a, newStage())
		if first, third := string(c.requests[0].Canonical()), string(c.requests[2].Canonical()); first != third {
			t.Errorf("%s: the same run asks\n%s\nand later\n%s", scaffold, first, third)
		}
	}
}
