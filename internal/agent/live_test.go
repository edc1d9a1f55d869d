package agent_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/run"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/worlds"
)

type clock struct{}

func (clock) Now() time.Time                                   { return time.Time{} }
func (clock) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// script is the conversation of a model that makes the calls of a trace.
func script(t *trace.Trace, scaffold string) scripted.Script {
	var out scripted.Script
	for i, c := range t.Calls() {
		args := c.Arguments.String()
		if scaffold == "react" {
			out = append(out, scripted.Turn{Text: "<tool_call>\n{\"name\": \"" + c.Name + "\", \"arguments\": " + args + "}\n</tool_call>"})
		} else {
			out = append(out, scripted.Turn{Calls: []scripted.Call{{ID: scripted.ID("call_" + strconv.Itoa(i)), Name: c.Name, Arguments: args}}})
		}
	}
	return append(out, scripted.Turn{Text: "Task Completed"})
}

// play runs a few bundled cases without an attack.
func play(t *testing.T, s *suite.Suite, c agent.Config, env agent.Env, compat bool) []*run.Outcome {
	t.Helper()
	a, err := agent.New(c, env)
	if err != nil {
		t.Fatal(err)
	}
	none, err := agent.FindDefence("")
	if err != nil {
		t.Fatal(err)
	}
	var cells []run.Cell
	for _, k := range s.Cases {
		if k.Attack == nil && len(k.Solution) > 0 && len(cells) < 3 {
			cells = append(cells, run.Cell{Case: k, Name: c.Scaffold, Agent: a, Format: trace.FormatJSON, Defence: none, Seed: 1})
		}
	}
	var out []*run.Outcome
	_, err = run.Run(t.Context(), s, cells, run.Options{Compat: compat, Workers: 2, Sink: func(o *run.Outcome) error {
		kept := *o // the run lets go of the trace
		out = append(out, &kept)
		return nil
	}})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d outcomes, %v", len(out), err)
	}
	return out
}

// playModel has a model make the calls of the reference solutions, known
// from a run of the solver, through a real HTTP server. spoil changes the script of a case.
func playModel(t *testing.T, scaffold string, wire model.Wire, compat bool, spoil func(scripted.Script)) []*run.Outcome {
	t.Helper()
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]scripted.Script{}
	for _, o := range play(t, s, agent.Config{Scaffold: "reference:solver"}, agent.Env{}, compat) {
		x := script(o.Trace, scaffold)
		spoil(x)
		scripts[o.Trace.Steps[0].Text] = x
	}
	server := scripted.New(scripted.Options{Choose: func(body trace.Value) scripted.Script {
		text := body.String()
		for task, script := range scripts {
			if strings.Contains(text, trace.String(task).String()) {
				return script
			}
		}
		return nil
	}})
	address, stop, err := server.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	env := agent.Env{Clock: clock{}, Client: func(string) (model.Client, model.Spec, error) {
		spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: wire, BaseURL: address + "/v1"}}
		c, err := model.Open(spec, model.Options{Clock: clock{}})
		return c, spec, err
	}}
	return play(t, s, agent.Config{Scaffold: scaffold, Model: "m", Params: agent.Params{MaxTokens: 100}}, env, compat)
}

func TestModelThatKnowsTheSolutionPasses(t *testing.T) {
	for _, scaffold := range []string{"tools", "react"} {
		for _, wire := range []model.Wire{model.WireOpenAI, model.WireAnthropic} {
			for _, o := range playModel(t, scaffold, wire, false, func(scripted.Script) {}) {
				if o.Excluded != "" || o.Benign.Outcome != "pass" || o.Ended.Cause != trace.CauseFinalAnswer {
					t.Errorf("%s, %s, %s: score %v, ended %+v, excluded %q", scaffold, wire, o.Case, o.Benign, o.Ended, o.Excluded)
				}
				if o.Turns != o.Calls+1 || o.Usage == nil || o.Usage.Requests != int64(o.Turns) {
					t.Errorf("%s: %d turns, %d calls, usage %+v", o.Case, o.Turns, o.Calls, o.Usage)
				}
				if o.Trace.Steps[0].Role != trace.RoleSystem || o.Trace.Steps[1].Role != trace.RoleUser {
					t.Errorf("%s: the record starts with %s", o.Case, o.Trace.Steps[0].Role)
				}
				line, err := trace.Append(nil, o.Trace)
				if err != nil {
					t.Fatal(err)
				}
				if _, problems, err := trace.Decode(line); err != nil || len(problems) > 0 {
					t.Errorf("%s: the record has problems %v, %v", o.Case, problems, err)
				}
			}
		}
	}
}

// A full context in the last turn, after all the work has been done: the cell
// has no score all the same.
func TestContextOverflowIsNoResult(t *testing.T) {
	for _, fault := range []scripted.Fault{scripted.OverflowVLLM, scripted.OverflowReply} { // TestFaultsOfAServiceAreFailures knows all
		for _, compat := range []bool{false, true} {
			for _, o := range playModel(t, "react", model.WireOpenAI, compat, func(s scripted.Script) { s[len(s)-1].Fault = fault }) {
				if o.Excluded == "" || o.Kind != trace.ErrorContext || !o.Ended.Cause.IsError() {
					t.Errorf("%s, %s: kind %q, ended %+v, excluded %q", fault, o.Case, o.Kind, o.Ended, o.Excluded)
				}
			}
		}
	}
}
