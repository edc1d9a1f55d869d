package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// replay plays recorded ToolHazard runs again: every recorded tool call is
// executed anew, and its observation is compared with the recorded one.
//
// Arguments come from the text of the recorded message, since the recorded
// action log holds references that later calls changed. Tokens that a tool
// minted in the recorded run (uuids, long hexadecimal ids, times) are bound to
// the ones minted now, and replaced in later arguments.
type replay struct {
	file string
	runs map[string]*recording
}

// Selector is implemented by agents that can play some cases only.
type Selector interface {
	Plays(c *suite.Case) bool
}

// Recorded is implemented by agents that repeat runs whose scores are known.
type Recorded interface {
	// Scores are the recorded benign score and, with an attack, the injected one.
	Scores(c *suite.Case) (benign float64, injected *float64)
}

// Comparer is implemented by episodes that count comparisons with a recording.
type Comparer interface {
	Compared(c Comparison)
}

// Comparison is one call compared with its recording.
type Comparison struct {
	Tool      string
	Equal     bool
	Exception bool
	Want, Got string
}

// recording is one run of a ToolHazard result file.
type recording struct {
	TaskInfo struct {
		TaskID string `json:"task_id"`
	} `json:"task_info"`
	Messages       []recordedMessage `json:"messages"`
	Trajectory     []recordedStep    `json:"trajectory"`
	TotalReward    float64           `json:"total_reward"`
	InjectedReward *float64          `json:"injected_reward"`
}

type recordedMessage struct {
	Role      string  `json:"role"`
	Content   *string `json:"content"`
	ToolCalls []struct {
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

type recordedStep struct {
	Step        int             `json:"step"`
	Action      json.RawMessage `json:"action"`
	Observation json.RawMessage `json:"observation"`
}

func newReplay(_ Config, file string, _ Env) (Agent, error) {
	if file == "" {
		return nil, fmt.Errorf("replay needs a file: replay:FILE")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read recorded runs: %w", err)
	}
	var runs []*recording
	if err := json.Unmarshal(b, &runs); err != nil {
		return nil, fmt.Errorf("%s: not a ToolHazard result file (a JSON list of runs): %w", file, err)
	}
	r := &replay{file: file, runs: map[string]*recording{}}
	for _, x := range runs {
		id := x.TaskInfo.TaskID
		if r.runs[id] != nil {
			return nil, fmt.Errorf("%s: run of task %q is recorded twice", file, id)
		}
		r.runs[id] = x
	}
	return r, nil
}

// Plays reports whether the file holds a run of the case.
func (r *replay) Plays(c *suite.Case) bool { return r.runs[c.ID] != nil }

// Scores returns the recorded rewards.
func (r *replay) Scores(c *suite.Case) (float64, *float64) {
	x := r.runs[c.ID]
	return x.TotalReward, x.InjectedReward
}

// Run plays the recorded run of the case.
func (r *replay) Run(ctx context.Context, ep Episode) (trace.Termination, error) {
	rec, ok := r.runs[ep.Case().ID]
	if !ok {
		return trace.Termination{}, &Excluded{"no recorded run of this case"}
	}
	p := replayer{ep: ep, bound: map[string]string{}, given: ep.Case().State.String() + ep.Case().Task, tools: map[string]bool{}}
	for _, t := range ep.Tools() {
		p.tools[t.Name] = true
	}
	var replies []recordedMessage
	for _, m := range rec.Messages {
		if m.Role == "assistant" {
			replies = append(replies, m)
		}
	}
	for i, s := range rec.Trajectory {
		if s.Step == 0 || len(s.Action) == 0 {
			continue
		}
		var reply recordedMessage
		if s.Step-1 < len(replies) {
			reply = replies[s.Step-1]
		}
		done, err := p.step(ctx, s, reply, i == len(rec.Trajectory)-1)
		if err != nil {
			return over(err)
		}
		if done {
			return trace.Termination{Cause: trace.CauseFinalAnswer}, nil
		}
	}
	return trace.Termination{Cause: trace.CauseReplayEnd}, nil
}

// replayer is the state of one replay.
type replayer struct {
	ep    Episode
	bound map[string]string // recorded token -> token of this run
	given string            // everything that was there before the run: its tokens are not minted
	tools map[string]bool
}

// step plays one recorded turn; done reports the end of the run by a message.
func (p *replayer) step(ctx context.Context, s recordedStep, reply recordedMessage, last bool) (done bool, err error) {
	action, _, err := trace.ParseValue(s.Action)
	if err != nil || action.Get("name").Text() == "" {
		text := string(s.Action)
		if action.Kind() == trace.KindString {
			text = action.Text()
		}
		p.ep.Say(trace.Step{Role: trace.RoleAssistant, Text: text})
		return false, nil
	}
	name := action.Get("name").Text()
	if name == "chat_with_user" {
		p.ep.Say(trace.Step{Role: trace.RoleAssistant, Text: action.Get("arguments").Get("content").Text()})
		return last, nil
	}
	args := action.Get("arguments")
	if said, ok := spokenArguments(reply, name); ok {
		args = said
	}
	if !p.tools[name] || args.Kind() != trace.KindObject {
		p.ep.Say(trace.Step{Role: trace.RoleAssistant, Text: string(s.Action)})
		return false, nil
	}
	args = p.bind(args)
	turn, actErr := p.ep.Act(ctx, trace.Step{Role: trace.RoleAssistant, Calls: []trace.Call{{Name: name, Arguments: args}}})
	if len(turn.Calls) == 1 && turn.Calls[0].Observation != nil {
		p.compare(name, args, s, turn.Calls[0].Observation)
	}
	return false, actErr
}

var toolCall = regexp.MustCompile(`(?s)<tool_call>\s*(\{.*?\})\s*</tool_call>`)

// spokenArguments reads the arguments of the first call in the message itself.
func spokenArguments(m recordedMessage, name string) (trace.Value, bool) {
	if len(m.ToolCalls) > 0 {
		f := m.ToolCalls[0].Function
		var text string
		raw := []byte(f.Arguments)
		if json.Unmarshal(f.Arguments, &text) == nil {
			raw = []byte(text)
		}
		v, _, err := trace.ParseValue(raw)
		return v, err == nil && v.Kind() == trace.KindObject && f.Name == name
	}
	if m.Content == nil {
		return trace.Value{}, false
	}
	text := *m.Content
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i:]
	}
	k := toolCall.FindStringSubmatch(text)
	if k == nil {
		return trace.Value{}, false
	}
	v, _, err := trace.ParseValue([]byte(k[1]))
	if err != nil || v.Get("name").Text() != name {
		return trace.Value{}, false
	}
	return v.Get("arguments"), v.Get("arguments").Kind() == trace.KindObject
}

// minted matches what tools make up: uuids, ISO times and dates, long
// hexadecimal or decimal ids, epoch seconds.
var minted = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}` +
	`|\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?` +
	`|\b1[5-9]\d{8}(?:\.\d+)?\b|\b\d{12,17}\b|[0-9a-f]{8,}|[0-9A-F]{8,}`)

// bind replaces recorded tokens in arguments by the tokens of this run.
func (p *replayer) bind(v trace.Value) trace.Value {
	switch v.Kind() {
	case trace.KindString:
		text := minted.ReplaceAllStringFunc(v.Text(), func(tok string) string {
			if now, ok := p.bound[tok]; ok {
				return now
			}
			return tok
		})
		if text == v.Text() {
			return v
		}
		return trace.String(text)
	case trace.KindArray:
		items := make([]trace.Value, v.Len())
		for i := range items {
			items[i] = p.bind(v.Index(i))
		}
		return trace.Array(items...)
	case trace.KindObject:
		var fields []trace.Field
		for _, f := range v.Fields() {
			fields = append(fields, trace.Field{Key: f.Key, Value: p.bind(f.Value)})
		}
		return trace.Object(fields...)
	}
	return v
}

// compare checks an observation against the recorded one and binds the tokens
// that differ and were minted during the recorded run.
func (p *replayer) compare(name string, args trace.Value, s recordedStep, got *trace.Observation) {
	var want struct {
		Type    string `json:"type"`
		Content string `json:"content"`
	}
	if json.Unmarshal(s.Observation, &want) != nil {
		_ = json.Unmarshal(s.Observation, &want.Content)
	}
	c := Comparison{Tool: name, Want: want.Content, Got: got.Text}
	if want.Type == "user" && strings.HasPrefix(want.Content, "Error:") {
		c.Exception = true
		lines := strings.Split(strings.TrimSpace(want.Content), "\n")
		c.Equal = got.Error != nil && lines[len(lines)-1] == got.Error.Type+": "+got.Error.Message
	} else {
		c.Equal = got.Error == nil && p.equal(want.Content, got.Text, args.String())
	}
	if k, ok := p.ep.(Comparer); ok {
		k.Compared(c)
	}
}

// equal compares two texts token by token.
func (p *replayer) equal(want, got, args string) bool {
	if want == got {
		return true
	}
	wt, gt := minted.FindAllString(want, -1), minted.FindAllString(got, -1)
	if len(wt) != len(gt) || minted.ReplaceAllLiteralString(want, "\x00") != minted.ReplaceAllLiteralString(got, "\x00") {
		return false
	}
	for i, w := range wt {
		g := gt[i]
		if old, ok := p.bound[w]; ok {
			if old != g {
				return false
			}
			continue
		}
		if w == g {
			continue
		}
		if strings.Contains(p.given, w) || strings.Contains(args, w) {
			return false // not minted: it was there before
		}
		p.bound[w] = g
	}
	return true
}
