package agent

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

const (
	callA = `{"name": "ring", "arguments": {"text": "a"}}`
	tagA  = "<tool_call>\n" + callA + "\n</tool_call>"
	argsA = `{"text":"a"}`
)

// reading is a reading of a reply in short: "call NAME ARGUMENTS", "answer", or
// the problem.
func reading(s spoken) string {
	switch {
	case s.call != nil && s.call.Arguments.Exists():
		return "call " + s.call.Name + " " + s.call.Arguments.String()
	case s.call != nil:
		return "call " + s.call.Name + " raw " + *s.call.RawArguments
	case s.answer:
		return "answer"
	}
	return s.problem
}

func TestReactParser(t *testing.T) {
	for _, test := range []struct{ name, text, ours, published string }{
		{"call", tagA, "call ring " + argsA, ""},
		{"without white space", "<tool_call>" + callA + "</tool_call>", "call ring " + argsA, ""},
		{"text around", "I ring.\n" + tagA + "\nWait.", "call ring " + argsA, ""},
		{"plain text", "Task Completed", "answer", ""},
		{"prose about tools", "I could use `tool_call`.", "answer", ""},
		{"thought", "<think>\nHm.\n</think>\n" + tagA, "call ring " + argsA, ""},
		{"call inside the thought only", "<think>" + tagA + "</think>Done.", "answer", ""},
		{"the last end of a thought counts", "a</think>" + tagA + "</think>" + strings.ReplaceAll(tagA, `"a"`, `"b"`), `call ring {"text":"b"}`, ""},
		{"thought without end", "<think>" + tagA, "its <think> has no", publishedNoStruct},
		{"nothing but a thought", "<think>Hm.</think>", "neither a call nor an answer", publishedNoAction},
		{"blank", " \n", "neither a call nor an answer", publishedNoAction},
		{"tag mentioned before", "With <tool_call> I call.\n" + tagA, "call ring " + argsA, ""},
		{"tag without an object", "<tool_call>ring()</tool_call>", "no JSON object between", "answer"},
		{"end without start", callA + "</tool_call>", "no JSON object between", "answer"},
		{"no end of the object", "<tool_call>\n" + callA[:20], "has no end", publishedNoStruct},
		{"no end of the tag", "<tool_call>\n" + callA, "right after", publishedNoStruct},
		{"one brace too many", "<tool_call>\n" + callA + "}\n</tool_call>", "right after", publishedNoStruct},
		{"garbage behind the object", "<tool_call>" + callA + "**</tool_call>", "right after", "answer"},
		{"broken first, good second", "<tool_call>" + callA + ">\n</tool_call>" + tagA, "right after", publishedNoStruct},
		{"broken escape", `<tool_call>{"name": "ring", "arguments": {"text": "\u6수"}}</tool_call>`, "not valid JSON", publishedNoStruct},
		{"valid escape", `<tool_call>{"name": "ring", "arguments": {"text": "\ucde8\ubbf8"}}</tool_call>`, `call ring {"text":"취미"}`, ""},
		{"closing tag in a string", `<tool_call>{"name": "ring", "arguments": {"text": "{}</tool_call>"}}</tool_call>`, `call ring {"text":"{}</tool_call>"}`, publishedNoStruct},
		{"no name", `<tool_call>{"arguments": {}}</tool_call>`, `needs a "name"`, publishedNoStruct},
		{"no arguments", `<tool_call>{"name": "ring"}</tool_call>`, `needs a "name"`, publishedNoStruct},
		{"name is no string", `<tool_call>{"name": 1, "arguments": {}}</tool_call>`, `needs a "name"`, publishedNoAction},
		{"null arguments", `<tool_call>{"name": "ring", "arguments": null}</tool_call>`, "call ring {}", "call ring raw null"},
		{"list of arguments", `<tool_call>{"name": "ring", "arguments": [1]}</tool_call>`, "call ring raw [1]", ""},
		{"empty string", `<tool_call>{"name": "ring", "arguments": ""}</tool_call>`, "call ring {}", ""},
		{"None in a string", `<tool_call>{"name": "ring", "arguments": "None"}</tool_call>`, "call ring {}", ""},
		{"double-encoded arguments", `<tool_call>{"name": "ring", "arguments": "{\"text\": \"a\"}"}</tool_call>`, "call ring " + argsA, ""},
		{"a word", `<tool_call>{"name": "ring", "arguments": "a"}</tool_call>`, `call ring raw "a"`, publishedNoAction},
		{"a list in a string", `<tool_call>{"name": "ring", "arguments": "[1]"}</tool_call>`, `call ring raw "[1]"`, ""},
		{"talk to the user", `<tool_call>{"name": "chat_with_user", "arguments": {"content": "Hi"}}</tool_call>`, `call chat_with_user {"content":"Hi"}`, "answer"},
		{"talk without content", `<tool_call>{"name": "chat_with_user", "arguments": {}}</tool_call>`, `call chat_with_user {}`, ""},
		{"wide white space", "<tool_call>\u3000\v" + callA + "\u00a0\x1c</tool_call>", "no JSON object between", "call ring " + argsA},
		{"other think tags", "@Think@ Hm. @/THINK@" + tagA, "call ring " + argsA, ""},
		{"other think tag without end", "@think@ Hm." + tagA, "call ring " + argsA, publishedNoStruct},
		{"other think tags and nothing else", "@think@ Hm. @/think@ ", "answer", publishedNoAction},
	} {
		if test.published == "" {
			test.published = test.ours
		}
		if got := reading(parseSpoken(test.text)); !strings.Contains(got, test.ours) {
			t.Errorf("%s: read as %q, want %q", test.name, got, test.ours)
		}
		if got := reading(parsePublished(test.text)); got != test.published {
			t.Errorf("%s: published reading %q, want %q", test.name, got, test.published)
		}
	}
}

func TestReactTextThoughtAndCallAreKeptApart(t *testing.T) {
	odd := strings.ReplaceAll(tagA, `"arguments"`, `"note": "!", "arguments"`)
	for _, test := range []struct{ name, text, thought, want string }{
		{"around", "One.\n" + tagA + "\nTwo.", "", "One.\nTwo."},
		{"thought", "<think>\nHm.\n</think>\n\n" + tagA, "Hm.", ""},
		{"thought without start", "Hm.</think>So:" + tagA, "Hm.", "So:"},
		{"second call", tagA + tagA, "", tagA},
		{"a call that says more", "One." + odd, "", "One." + odd},
	} {
		for _, parse := range []func(string) spoken{parseSpoken, parsePublished} {
			if s := parse(test.text); s.text != test.want || s.thought != test.thought || s.call == nil {
				t.Errorf("%s: text %q, thought %q", test.name, s.text, s.thought)
			}
		}
	}
}

func fuzzReact(f *testing.F, parse func(string) spoken) {
	for _, s := range []string{tagA, "<think>a</think>" + tagA + tagA, "<tool_call>{", tagA + "\n}</tool_call>", "@think@", "Done.", "</think>", `<tool_call>{"name":"a","arguments":"{}\""}</tool_call>`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := parse(text)
		outcomes := 0
		for _, is := range []bool{s.call != nil, s.answer, s.problem != ""} {
			if is {
				outcomes++
			}
		}
		if outcomes != 1 {
			t.Fatalf("%+v is not one thing", s)
		}
		if !strings.HasSuffix(strings.TrimSpace(text), s.rest) || !strings.Contains(text, s.thought) {
			t.Errorf("rest %q and thought %q are not what was written", s.rest, s.thought)
		}
		if s.call == nil && s.text != s.rest {
			t.Errorf("text %q was lost from %q", s.text, s.rest)
		}
		if s.call != nil && !s.call.Arguments.Exists() && s.call.RawArguments == nil {
			t.Error("arguments were lost")
		}
	})
}

func FuzzParseSpoken(f *testing.F)    { fuzzReact(f, parseSpoken) }
func FuzzParsePublished(f *testing.F) { fuzzReact(f, parsePublished) }

// messages returns "role: text" of a request's messages after the system prompt.
func messages(body trace.Value) string {
	var b strings.Builder
	for _, m := range body.Get("messages").Items()[1:] {
		b.WriteString(m.Get("role").Text() + ": " + m.Get("content").Text() + "\n")
	}
	return b.String()
}

func TestReactConversation(t *testing.T) {
	script := []scripted.Turn{
		{Text: "<think>\nHm.\n</think>\nI ring.\n" + tagA + tagA, Thought: "Native."},
		{Text: "<tool_call>" + callA},
		{Text: "Task Completed"},
	}
	shown := tagA + tagA
	a, server := serve(t, Config{Scaffold: "react"}, model.WireOpenAI, script...)
	s := newStage()
	if got := ends(t, a, s); got != trace.CauseFinalAnswer || s.calls != 1 {
		t.Errorf("ended with %q after %d calls", got, s.calls)
	}
	note := "Only the first call of your message was executed. 1 more had no effect: write one call in a message."
	problem := spoken{}.unreadable("there is no </tool_call> right after the JSON object").problem
	want := "user: Ring twice.\nassistant: I ring.\n" + shown + "\nuser: <tool_response>\nheard a\n</tool_response>\n\n" + note +
		"\nassistant: <tool_call>" + callA + "\nuser: " + problem + "\n"
	if got := messages(server.Requests()[2]); got != want {
		t.Errorf("the model saw\n%s\nwant\n%s", got, want)
	}
	first := s.steps[0]
	if first.Thought != "Native.\nHm." || first.Text != "I ring.\n"+tagA || len(first.Calls) != 1 || first.Calls[0].ID != nil || first.Usage == nil {
		t.Errorf("record of the call: %+v", first)
	}
	if x := s.steps[1]; x.Origin != "scaffold" || x.Role != trace.RoleUser || x.Text != note {
		t.Errorf("record of the note: %+v", x)
	}
	if x := s.steps[2]; x.Text != "<tool_call>"+callA || x.Calls != nil {
		t.Errorf("record of the unreadable reply: %+v", x)
	}
	if x := s.steps[3]; x.Origin != "scaffold" || x.Role != trace.RoleUser || x.Text != problem {
		t.Errorf("record of the problem: %+v", x)
	}

	a, server = serve(t, Config{Scaffold: "react"}, model.WireOpenAI, script...)
	s = newStage()
	s.setting.Compat = true
	if got := ends(t, a, s); got != trace.CauseFinalAnswer || s.calls != 1 || len(s.steps) != 4 {
		t.Errorf("published: ended with %q after %d calls in %d steps", got, s.calls, len(s.steps))
	}
	want = "user: Ring twice.\nassistant: I ring.\n" + shown + "\nuser: heard a\nassistant: <tool_call>" + callA + "\nuser: " + publishedNoStruct + "\n"
	if got := messages(server.Requests()[2]); got != want {
		t.Errorf("published: the model saw\n%s\nwant\n%s", got, want)
	}
	if x := s.steps[0]; x.Text != "I ring.\n"+tagA {
		t.Errorf("published: the dropped call is missing from the record: %+v", x)
	}
}

func TestReactPublishedDefaults(t *testing.T) {
	zero := 0.0
	for _, test := range []struct {
		compat      bool
		params      Params
		temperature *float64
		max         int
	}{
		{compat: true, temperature: func() *float64 { x := 0.9; return &x }(), max: 8000},
		{compat: true, params: Params{Temperature: &zero, MaxTokens: 5}, temperature: &zero, max: 5},
		{compat: false},
	} {
		c := says(model.Reply{Text: "Task Completed"})
		s := newStage()
		s.setting.Compat = test.compat
		ends(t, with(t, Config{Scaffold: "react", Params: test.params}, c, model.Spec{}), s)
		r := c.requests[0]
		if r.MaxTokens != test.max || (r.Temperature == nil) != (test.temperature == nil) || r.Temperature != nil && *r.Temperature != *test.temperature {
			t.Errorf("%+v: request %+v", test, r)
		}
	}
}

// A cut reply with half a call: nothing is executed (inspect_ai #4552).
func TestReactHalfCallIsNotExecuted(t *testing.T) {
	for _, compat := range []bool{false, true} {
		c := &asked{reply: replies(model.Reply{Text: "<tool_call>\n" + callA[:29], Truncated: true}, model.Reply{Text: "Done."})}
		s := newStage()
		s.setting.Compat = compat
		want := trace.CauseTokenBudget
		if compat {
			want = trace.CauseFinalAnswer // the published harness tells the model and goes on
		}
		if got := ends(t, with(t, Config{Scaffold: "react", Params: Params{MaxTokens: 40}}, c, model.Spec{}), s); got != want || s.calls != 0 {
			t.Errorf("compat %v: ended with %q after %d calls", compat, got, s.calls)
		}
		if s.steps[0].Text != "<tool_call>\n"+callA[:29] {
			t.Errorf("record %+v", s.steps[0])
		}
	}
}

func TestReactReplyOfNothingButReasoning(t *testing.T) {
	thought := model.Reply{Text: "<think>Hm.</think>"}
	c := &asked{reply: replies(thought, model.Reply{Text: "Done."})}
	s := newStage()
	if got := ends(t, with(t, Config{Scaffold: "react"}, c, model.Spec{}), s); got != trace.CauseFinalAnswer {
		t.Errorf("ended with %q", got)
	}
	if m := c.requests[1].Messages[2]; m.Text != thought.Text || s.steps[0].Thought != "Hm." {
		t.Errorf("sent back %+v, recorded %+v", m, s.steps[0])
	}
	s = newStage()
	s.setting.Compat = true
	if got := fails(context.Background(), t, with(t, Config{Scaffold: "react"}, says(thought), model.Spec{}), s); got != trace.ErrorOutput || len(s.steps) != 1 {
		t.Errorf("published: %q with %d steps", got, len(s.steps))
	}
}

// Some servers read the calls out of the text by themselves.
func TestReactTakesCallsThatTheServerRead(t *testing.T) {
	c := &asked{reply: replies(
		model.Reply{Text: "I ring.", Calls: []model.Call{{Name: "ring", RawArguments: `{"text":"a"}`}, {Name: "stop", RawArguments: `{`}}},
		model.Reply{Calls: []model.Call{{Name: `a"b`, RawArguments: ``}}},
		model.Reply{Text: "Done."})}
	s := newStage()
	if got := ends(t, with(t, Config{Scaffold: "react"}, c, model.Spec{}), s); got != trace.CauseFinalAnswer || s.calls != 2 {
		t.Errorf("ended with %q after %d calls", got, s.calls)
	}
	first, second := s.replies()[0], s.replies()[1]
	if first.Calls[0].Name != "ring" || first.Calls[0].Arguments.String() != argsA || !strings.Contains(first.Text, `"stop", "arguments": "{"`) {
		t.Errorf("record %+v", first)
	}
	if second.Calls[0].Name != `a"b` || second.Calls[0].Arguments.String() != "{}" {
		t.Errorf("record %+v", second.Calls[0])
	}
	for _, m := range c.requests[2].Messages {
		if len(m.Calls) > 0 || m.Role == trace.RoleTool {
			t.Errorf("a native message in prose: %+v", m)
		}
	}
}

// The replies of recorded runs are read as the published harness read them: it
// answered with its error exactly those that are unreadable to us.
func TestReactReadsRecordedRepliesAsPublished(t *testing.T) {
	root := os.Getenv("GAUNTLET_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	b, err := os.ReadFile(filepath.Join(root, "data", "toolhazard", "runs", "gpt-5-prompt_2026-08-01-15-47-22.json"))
	if err != nil {
		t.Skip("the recorded runs are not here: ", err)
	}
	var runs []struct {
		Messages []struct{ Role, Content string } `json:"messages"`
	}
	if err := json.Unmarshal(b, &runs); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range runs {
		for i, m := range r.Messages {
			if m.Role != "assistant" {
				continue
			}
			s := parsePublished(m.Content)
			next := ""
			if i+1 < len(r.Messages) {
				next = r.Messages[i+1].Content
			}
			if (s.problem == publishedNoStruct) != (next == publishedNoStruct) || s.answer && i+2 < len(r.Messages) {
				t.Errorf("%q is read as %q, then came %.60q", m.Content, reading(s), next)
			}
			switch {
			case s.call != nil:
				count["calls"]++
			case s.answer:
				count["answers"]++
			default:
				count["unreadable"]++
			}
		}
	}
	if count["calls"] != 268 || count["unreadable"] != 7 || count["answers"] != 25 {
		t.Errorf("read %v", count)
	}
}
