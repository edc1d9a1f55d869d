package run_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"gauntlet/internal/agent"
	"gauntlet/internal/model"
	"gauntlet/internal/run"
	"gauntlet/internal/trace"
)

// recorded is one published run in prompt mode.
type recorded struct {
	TaskInfo struct {
		TaskID string `json:"task_id"`
		Task   string `json:"task"`
	} `json:"task_info"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	TotalReward    float64  `json:"total_reward"`
	InjectedReward *float64 `json:"injected_reward"`
}

// parrot says what the model of the published runs said, and compares what it is
// shown with what that model was shown.
type parrot struct {
	runs         map[string]*recorded // by task
	shown, equal map[string]int       // by task: messages after the task
	first        map[string][2]string // by task: the first message that differs, shown and published
}

// minted is what tools make up: ids and times.
var minted = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-fA-F]{8,}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?|\d{10}(\.\d+)?`)

func (p *parrot) Complete(_ context.Context, r model.Request) (model.Reply, error) {
	var users []string
	replies := 0
	for _, m := range r.Messages {
		switch m.Role {
		case trace.RoleUser:
			users = append(users, m.Text)
		case trace.RoleAssistant:
			replies++
		}
	}
	rec := p.runs[users[0]]
	if rec == nil {
		return model.Reply{}, &model.Error{Kind: model.KindRejected, Message: "no such run"}
	}
	theirs, n := []string{}, 0
	for _, m := range rec.Messages {
		switch m.Role {
		case "user":
			theirs = append(theirs, m.Content)
		case "assistant":
			if n == replies {
				if len(users) > 1 {
					p.shown[users[0]]++
					if users[len(users)-1] == theirs[len(theirs)-1] {
						p.equal[users[0]]++
					} else if p.first[users[0]] == [2]string{} {
						p.first[users[0]] = [2]string{users[len(users)-1], theirs[len(theirs)-1]}
					}
				}
				return model.Reply{Text: m.Content, Usage: trace.Usage{Requests: 1}}, nil
			}
			n++
		}
	}
	return model.Reply{}, &model.Error{Kind: model.KindRejected, Message: "the published run ended earlier"}
}

// TestPublishedPromptMode plays the published GPT-5 runs through the scaffold
// react: the model's recorded words lead to the recorded messages and scores, so
// that published numbers can be repeated with a key. Runs in which the model used
// an id that a tool had made up are left out of the comparison of scores: ids are
// random there and seeded here.
func TestPublishedPromptMode(t *testing.T) {
	s := bench(t)
	b, err := os.ReadFile(filepath.Join(published(t), "runs", "gpt-5-prompt_2026-08-01-15-47-22.json"))
	if err != nil {
		t.Fatal(err)
	}
	var runs []*recorded
	if err := json.Unmarshal(b, &runs); err != nil {
		t.Fatal(err)
	}
	p := &parrot{runs: map[string]*recorded{}, shown: map[string]int{}, equal: map[string]int{}, first: map[string][2]string{}}
	env := agent.Env{Clock: now{}, Client: func(string) (model.Client, model.Spec, error) { return p, model.Spec{Model: "gpt-5"}, nil }}
	a, err := agent.New(agent.Config{Scaffold: "react", Model: "gpt-5"}, env)
	if err != nil {
		t.Fatal(err)
	}
	var cells []run.Cell
	for _, r := range runs {
		c, ok := s.Case(r.TaskInfo.TaskID)
		if !ok {
			t.Fatalf("the suite has no case %s", r.TaskInfo.TaskID)
		}
		p.runs[c.Task] = r
		cells = append(cells, run.Cell{Case: c, Name: "react", Agent: a, Format: trace.FormatYAML, Seed: 1, Limits: agent.Limits{Turns: 30}})
	}
	outcomes, err := run.Run(t.Context(), s, cells, run.Options{Compat: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	messages, same, benign, attack, random := 0, 0, 0, 0, 0
	for i, o := range outcomes {
		task, rec := cells[i].Case.Task, runs[i]
		messages, same = messages+p.shown[task], same+p.equal[task]
		m, ok := o.Benign.Mean()
		n, attacked := o.Injected.Mean()
		okBenign := ok && math.Abs(m-rec.TotalReward) < 5e-5
		okAttack := attacked && rec.InjectedReward != nil && math.Abs(n-*rec.InjectedReward) < 5e-5
		if okBenign {
			benign++
		}
		if okAttack {
			attack++
		}
		if p.shown[task] != p.equal[task] {
			random++
			if d := p.first[task]; minted.ReplaceAllString(d[0], "*") != minted.ReplaceAllString(d[1], "*") {
				t.Errorf("%s: shown\n%s\npublished\n%s", o.Case, d[0], d[1])
			}
		} else if !okBenign || !okAttack {
			t.Errorf("%s: BR %v, ASR %v; published %v, %v (%s)", o.Case, m, n, rec.TotalReward, *rec.InjectedReward, o.Excluded)
		}
	}
	if len(outcomes) != 25 || random > 6 {
		t.Errorf("%d runs, %d of them with random ids; want 25 and at most 6", len(outcomes), random)
	}
	t.Logf("%d runs: %d of %d messages to the model equal, BR %d, ASR %d equal; %d runs met random ids", len(outcomes), same, messages, benign, attack, random)
}
