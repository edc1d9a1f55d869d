package agent_test

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gauntlet/internal/agent"
	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/worlds"
)

// sit plays one cell and returns its outcome with the trace.
func sit(t *testing.T, s *suite.Suite, k run.Cell, c agent.Config, env agent.Env) *run.Outcome {
	t.Helper()
	a, err := agent.New(c, env)
	if err != nil {
		t.Fatal(err)
	}
	k.Name, k.Agent, k.Seed = c.Scaffold, a, 1
	var out run.Outcome
	_, err = run.Run(t.Context(), s, []run.Cell{k}, run.Options{Workers: 1, Sink: func(o *run.Outcome) error { out = *o; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return &out
}

// turns is the conversation of a model that makes the calls of a trace, a few of
// them in one reply.
func turns(t *trace.Trace, rename func(string) string) scripted.Script {
	var out scripted.Script
	for i, c := range t.Calls() {
		call := scripted.Call{ID: scripted.ID("call_" + strconv.Itoa(i)), Name: rename(c.Name), Arguments: c.Arguments.String()}
		if i%5 == 4 {
			last := &out[len(out)-1]
			last.Calls = append(last.Calls, call)
			continue
		}
		out = append(out, scripted.Turn{Calls: []scripted.Call{call}})
	}
	return append(out, scripted.Turn{Text: "Everything is done. — 完成了。"})
}

// single is turns with one call in each reply.
func single(t *trace.Trace, rename func(string) string) scripted.Script {
	var out scripted.Script
	for _, turn := range turns(t, rename) {
		for len(turn.Calls) > 1 {
			out = append(out, scripted.Turn{Calls: turn.Calls[:1]})
			turn.Calls = turn.Calls[1:]
		}
		out = append(out, turn)
	}
	return out
}

func same(name string) string { return name }

// clumsy adds calls that go wrong: a tool that does not exist, arguments that are
// missing, unknown, of the wrong type, and no object.
func clumsy(tool string) scripted.Script {
	var out scripted.Script
	for i, c := range []scripted.Call{{Name: "no_such_tool", Arguments: `{"a":1.50}`}, {Name: tool, Arguments: `{"nonsense":true}`}, {Name: tool, Arguments: `[1,2]`}, {Name: tool, Arguments: `"x"`}} {
		c.ID = scripted.ID("wrong_" + strconv.Itoa(i))
		out = append(out, scripted.Turn{Calls: []scripted.Call{c}})
	}
	return out
}

// played is what a trace and its outcome say of what happened in the world.
type played struct {
	Calls          []string
	Initial, Final string
	Benign         score.Score
	Injected       *score.Score
	Attack         run.AttackOutcome
	Exposed        bool
	Deviated       bool
	First, Last    trace.Step // what was said before and after all calls
}

func view(o *run.Outcome) played {
	p := played{Benign: o.Benign, Injected: o.Injected, Attack: o.Attack, Exposed: o.Exposed, Deviated: o.Deviated}
	for _, c := range o.Trace.Calls() {
		d := *c
		d.ID = nil
		line, err := trace.Append(nil, &trace.Trace{Steps: []trace.Step{{Role: trace.RoleAssistant, Calls: []trace.Call{d}}}})
		if err != nil {
			line = []byte(err.Error())
		}
		p.Calls = append(p.Calls, string(line))
	}
	p.Initial, p.Final = o.Trace.Initial.Hash, o.Trace.Final.Value.String()
	p.First, p.Last = o.Trace.Steps[0], o.Trace.Steps[len(o.Trace.Steps)-1]
	p.Last.FinishReason, p.Last.Usage, p.Last.Extra = "", nil, nil
	return p
}

// serve plays a script to whoever asks.
func serve(t *testing.T, script scripted.Script) (*scripted.Server, string) {
	t.Helper()
	server := scripted.New(scripted.Options{Scripts: map[string]scripted.Script{"": script}, Keep: true})
	address, stop, err := server.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return server, address
}

// asking is the environment of the scaffold tools.
func asking(address string, wire model.Wire) agent.Env {
	return agent.Env{Clock: clock{}, Client: func(string) (model.Client, model.Spec, error) {
		spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: wire, BaseURL: address + "/v1"}}
		c, err := model.Open(spec, model.Options{Clock: clock{}})
		return c, spec, err
	}}
}

// On the same replies of a model, an agent of others leaves the same record as our
// scaffold, over either transport: only who asked for what, and at which cost, is
// not known.
func TestExternalEqualsTools(t *testing.T) {
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	delimit, err := agent.FindDefence("delimit")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id      string
		player  string
		clumsy  bool
		defence agent.Defence
		format  trace.Format
		attack  run.AttackOutcome
	}{
		{id: "rush_shipments", player: "reference:solver"},
		{id: "rush_shipments/important_template", player: "reference:gullible", attack: run.Success, format: trace.FormatYAML},
		{id: "travel_strike/combined", player: "reference:solver", clumsy: true, attack: run.Resisted, defence: delimit, format: trace.FormatText},
		{id: "midterm_exam_rooms/important_template", player: "reference:gullible", clumsy: true, attack: run.Success, defence: delimit},
	} {
		k := run.Cell{Defence: c.defence, Format: c.format}
		var ok bool
		if k.Case, ok = s.Case(c.id); !ok {
			t.Fatalf("there is no case %s", c.id)
		}
		recorded := sit(t, s, k, agent.Config{Scaffold: c.player}, agent.Env{})
		script := turns(recorded.Trace, same)
		if c.clumsy {
			script = slices.Concat(clumsy(recorded.Trace.Calls()[0].Name), script)
		}
		server, address := serve(t, script)
		native := sit(t, s, k, agent.Config{Scaffold: "tools", Model: "m", Params: agent.Params{MaxTokens: 100}}, asking(address, model.WireOpenAI))
		if native.Benign.Outcome != recorded.Benign.Outcome || native.Attack != c.attack || native.Ended.Cause != trace.CauseFinalAnswer {
			t.Fatalf("%s: tools: %v, %q, ended %v, excluded %q", c.id, native.Benign.Outcome, native.Attack, native.Ended, native.Excluded)
		}
		want, asked := view(native), len(server.Requests())
		if len(want.Final) < 100 || len(want.Calls) < 5 {
			t.Fatalf("%s: %d calls, final state %s", c.id, len(want.Calls), want.Final)
		}
		for _, transport := range []string{"http", "stdio"} {
			t.Run(c.id+" over "+transport, func(t *testing.T) {
				before := len(server.Requests())
				env := agent.Env{Clock: clock{}, Environ: append(os.Environ(), "TEST_AGENT="+transport, "TEST_MODEL="+address), Program: program}
				o := sit(t, s, k, agent.Config{Scaffold: "external", Command: []string{program, "{mcp_config}", "{system_file}"}}, env)
				if o.Excluded != "" || o.Ended.Cause != trace.CauseAgentDone {
					t.Fatalf("ended %v, excluded %q", o.Ended, o.Excluded)
				}
				if diff := cmp.Diff(want, view(o), cmp.AllowUnexported(trace.Value{})); diff != "" {
					t.Errorf("the trace differs from that of tools (-):\n%s", diff)
				}
				// The model has read the same words, too.
				requests := server.Requests()[before:]
				if len(requests) != asked {
					t.Fatalf("the model was asked %d times, by tools %d times", len(requests), asked)
				}
				for i, r := range requests {
					if theirs, ours := r.Get("messages").String(), server.Requests()[i].Get("messages").String(); theirs != ours {
						t.Fatalf("request %d: messages\n%s\nby tools\n%s", i, theirs, ours)
					}
				}
				line, err := trace.Append(nil, o.Trace)
				if err != nil {
					t.Fatal(err)
				}
				if _, problems, err := trace.Decode(line); err != nil || len(problems) > 0 {
					t.Errorf("the record has problems %v, %v", problems, err)
				}
				if o.Trace.Usage != nil || o.Model != "" {
					t.Errorf("the record knows a model that nobody saw: %v, %q", o.Trace.Usage, o.Model)
				}
			})
		}
	}
}
