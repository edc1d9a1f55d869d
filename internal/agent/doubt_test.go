package agent

import (
	"context"
	"strings"
	"testing"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// wordy is a stage with so many tools that nobody can overlook them.
type wordy struct{ *stage }

func (wordy) Tools() []trace.Tool {
	tools := newStage().Tools()
	for _, name := range []string{"a", "b", "c", "d"} {
		tools = append(tools, trace.Tool{Name: name, Description: strings.Repeat("It does much. ", 200)})
	}
	return tools
}

// A server whose chat template has no place for tools drops them and answers 200;
// the agent then looks like one that resists. The record says so, and so hears the
// user, once.
func TestServerThatDropsTheToolsIsNoted(t *testing.T) {
	for tokens, doubted := range map[int64]bool{100: true, 4000: false, 0: false} {
		for _, wire := range wires {
			_, server := serve(t, Config{}, wire, scripted.Turn{Text: "I have no tools.", InputTokens: tokens})
			address, stop, err := server.Start(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
			spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: wire, BaseURL: address}}
			client, err := model.Open(spec, model.Options{Clock: &clock{}})
			if err != nil {
				t.Fatal(err)
			}
			var heard []string
			a, err := New(Config{Name: "small", Scaffold: "tools", Model: "test:m"}, Env{
				Clock:  &clock{},
				Client: func(string) (model.Client, model.Spec, error) { return client, spec, nil },
				Warn:   func(text string) { heard = append(heard, text) },
			})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s := newStage()
				if end, err := a.Run(context.Background(), wordy{s}); err != nil || end.Cause != trace.CauseFinalAnswer {
					t.Fatalf("ended with %+v, %v", end, err)
				}
				noted := false
				for _, f := range s.replies()[0].Extra {
					noted = noted || f.Key == "doubt" && strings.Contains(f.Value.Text(), "100 input tokens")
				}
				if noted != doubted {
					t.Errorf("%s, %d tokens: noted %v, want %v", wire, tokens, noted, doubted)
				}
			}
			if want := map[bool]int{true: 1}[doubted]; len(heard) != want || doubted && !strings.HasPrefix(heard[0], "agent small: ") {
				t.Errorf("%s, %d tokens: heard %q", wire, tokens, heard)
			}
		}
	}
}

// An agent that ends its turn without a word, after all its calls, has done what it
// has done.
func TestSilentEndIsAnEnd(t *testing.T) {
	for wire, finish := range map[model.Wire]string{model.WireOpenAI: "stop", model.WireAnthropic: "end_turn"} {
		a, server := serve(t, Config{}, wire, scripted.Turn{Calls: []scripted.Call{ring("1", "a")}}, scripted.Turn{Finish: finish, OutputTokens: 2})
		s := newStage()
		if got := ends(t, a, s); got != trace.CauseFinalAnswer || s.calls != 1 || server.Count("") != 2 {
			t.Errorf("%s: ended with %q after %d calls and %d requests", wire, got, s.calls, server.Count(""))
		}
		s.steps = append([]trace.Step{{Role: trace.RoleUser, Text: suiteTask(s.c)}}, s.steps...)
		line, err := trace.Append(nil, &trace.Trace{Steps: s.steps})
		if err != nil {
			t.Fatal(err)
		}
		if _, problems, err := trace.Decode(line); len(problems) > 0 {
			t.Errorf("%s: the record has problems %v, %v", wire, problems, err)
		}
	}
}

func suiteTask(c suite.Case) string { return c.Task }
