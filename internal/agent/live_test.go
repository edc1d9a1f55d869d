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

// script is the conversation of a model that knows the reference solution.
func script(c *suite.Case, scaffold string) scripted.Script {
	var out scripted.Script
	for i, call := range c.Solution {
		args := call.Arguments.String()
		if scaffold == "react" {
			out = append(out, scripted.Turn{Text: "<tool_call>\n{\"name\": \"" + call.Tool + "\", \"arguments\": " + args + "}\n</tool_call>"})
		} else {
			out = append(out, scripted.Turn{Calls: []scripted.Call{{ID: scripted.ID("call_" + strconv.Itoa(i)), Name: call.Tool, Arguments: args}}})
		}
	}
	return append(out, scripted.Turn{Text: "Task Completed"})
}

// play runs the bundled cases that a fixed script can solve, with a model
// behind a real HTTP server. spoil changes the script of a case.
func play(t *testing.T, scaffold string, wire model.Wire, compat bool, spoil func(scripted.Script) scripted.Script) []*run.Outcome {
	t.Helper()
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]scripted.Script{}
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
	a, err := agent.New(agent.Config{Scaffold: scaffold, Model: "m", Params: agent.Params{MaxTokens: 100}}, agent.Env{Clock: clock{}, Client: func(string) (model.Client, model.Spec, error) {
		spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: wire, BaseURL: address + "/v1"}}
		c, err := model.Open(spec, model.Options{Clock: clock{}})
		return c, spec, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	none, err := agent.FindDefence("")
	if err != nil {
		t.Fatal(err)
	}
	var cells []run.Cell
	for _, c := range s.Cases {
		literal := c.Attack == nil && len(c.Solution) > 0
		for _, call := range c.Solution {
			literal = literal && !strings.Contains(call.Arguments.String(), "${")
		}
		if literal && len(cells) < 4 {
			scripts[c.Task] = spoil(script(c, scaffold))
			cells = append(cells, run.Cell{Case: c, Name: scaffold, Agent: a, Format: trace.FormatJSON, Defence: none, Seed: 1})
		}
	}
	if len(cells) == 0 {
		t.Fatal("no case has a solution without references")
	}
	var out []*run.Outcome
	_, err = run.Run(t.Context(), s, cells, run.Options{Compat: compat, Workers: 2, Sink: func(o *run.Outcome) error {
		out = append(out, o)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestModelThatKnowsTheSolutionPasses(t *testing.T) {
	for _, scaffold := range []string{"tools", "react"} {
		for _, wire := range []model.Wire{model.WireOpenAI, model.WireAnthropic} {
			for _, o := range play(t, scaffold, wire, false, func(s scripted.Script) scripted.Script { return s }) {
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
	for _, fault := range scripted.Overflows() {
		for _, compat := range []bool{false, true} {
			for _, o := range play(t, "react", model.WireOpenAI, compat, func(s scripted.Script) scripted.Script {
				s[len(s)-1].Fault = fault
				return s
			}) {
				if o.Excluded == "" || o.Kind != trace.ErrorContext || !o.Ended.Cause.IsError() {
					t.Errorf("%s, %s: kind %q, ended %+v, excluded %q", fault, o.Case, o.Kind, o.Ended, o.Excluded)
				}
			}
		}
	}
}
