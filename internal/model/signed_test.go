package model_test

import (
	"strings"
	"testing"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

// again asks, answers the calls of the reply and asks again; it returns the
// assistant's message as the second request shows it.
func again(t *testing.T, c model.Client, s *service) trace.Value {
	t.Helper()
	r := ask("hi")
	r.Tools = []model.Tool{{Name: "f"}, {Name: "g"}}
	reply, err := c.Complete(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	r.Messages = append(r.Messages, reply.Message())
	for _, call := range reply.Calls {
		r.Messages = append(r.Messages, model.Message{Role: trace.RoleTool, Text: "saw", CallID: call.ID})
	}
	if len(reply.Calls) == 0 {
		r.Messages = append(r.Messages, model.Message{Role: trace.RoleUser, Text: "and?"})
	}
	if _, err := c.Complete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return s.asked[1].Get("messages").Index(1)
}

// TestGeminiWantsItsSignatureBack: Gemini's endpoint and OpenRouter sign reasoning
// in fields of their own, and refuse the second turn without.
func TestGeminiWantsItsSignatureBack(t *testing.T) {
	c, s := gives(t, model.WireOpenAI, nil, answer{200, "", said(`{"content":null,"reasoning_details":[{"type":"reasoning.encrypted","data":"xyz"}],"tool_calls":[`+
		`{"id":"1","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"abc"}}},`+
		`{"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}]}`, "tool_calls", 9)})
	m := again(t, c, s)
	if got := m.Get("tool_calls").Index(0).Get("extra_content").String(); got != `{"google":{"thought_signature":"abc"}}` {
		t.Errorf("the first call goes back with %q", got)
	}
	if m.Get("tool_calls").Index(1).Get("extra_content").Exists() {
		t.Error("a call that was not signed goes back signed")
	}
	if got := m.Get("reasoning_details").String(); got != `[{"type":"reasoning.encrypted","data":"xyz"}]` {
		t.Errorf("the message goes back with %q", got)
	}
}

// TestDeepSeekWantsItsThoughtsBack: beside calls, also where they are empty.
func TestDeepSeekWantsItsThoughtsBack(t *testing.T) {
	table, err := model.LoadTable(nil)
	if err != nil {
		t.Fatal(err)
	}
	echo := func(p *model.Provider, _ *model.Options) { p.EchoThought = table["deepseek"].EchoThought }
	for _, thought := range []string{"hm", ""} {
		c, s := gives(t, model.WireOpenAI, echo, answer{200, "", said(`{"content":"","reasoning_content":"`+thought+`","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}`, "tool_calls", 9)})
		if got := again(t, c, s).Get("reasoning_content"); got.Kind() != trace.KindString || got.Text() != thought {
			t.Errorf("%q goes back as %s", thought, got)
		}
	}
	c, s := gives(t, model.WireOpenAI, nil, answer{200, "", said(`{"content":"","reasoning_content":"hm","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}`, "tool_calls", 9)})
	if got := again(t, c, s); got.Get("reasoning_content").Exists() {
		t.Errorf("others get the thoughts back: %s", got)
	}
}

// TestSignedReasoningKeepsItsPlace: Anthropic's signed blocks go back between the
// blocks between which they came, with the ids that the calls have on the wire.
func TestSignedReasoningKeepsItsPlace(t *testing.T) {
	const content = `[{"type":"thinking","thinking":"a","signature":"s1"},{"type":"text","text":"one"},` +
		`{"type":"redacted_thinking","data":"x"},{"type":"tool_use","id":"t1","name":"f","input":{"a":1}},{"type":"tool_use","id":%s,"name":"g","input":{}}]`
	body := func(id string) string {
		return `{"content":` + replaceOne(content, id) + `,"stop_reason":"tool_use","usage":{"input_tokens":50,"output_tokens":9}}`
	}
	c, s := gives(t, model.WireAnthropic, nil, answer{200, "", body(`"t2"`)})
	if got := again(t, c, s).Get("content").String(); got != replaceOne(content, `"t2"`) {
		t.Errorf("got %s", got)
	}
	c, s = gives(t, model.WireAnthropic, nil, answer{200, "", body("null")})
	if got := again(t, c, s).Get("content").String(); got != replaceOne(content, `"call00001"`) {
		t.Errorf("got %s", got)
	}
	// A scaffold that changes the message keeps the signed blocks, in front.
	sealed, _, err := trace.ParseValue([]byte(replaceOne(content, `"t2"`)))
	if err != nil {
		t.Fatal(err)
	}
	server := scripted.Play(scripted.Turn{Text: "ok"})
	r := ask("hi")
	r.Messages = append(r.Messages, model.Message{Role: trace.RoleAssistant, Text: "changed", Sealed: sealed}, model.Message{Role: trace.RoleUser, Text: "and?"})
	if _, err := open(t, model.WireAnthropic, server, nil).Complete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	want := `[{"type":"thinking","thinking":"a","signature":"s1"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"changed"}]`
	if got := server.Requests()[0].Get("messages").Index(1).Get("content").String(); got != want {
		t.Errorf("got %s", got)
	}
}

func replaceOne(format, id string) string { return strings.Replace(format, "%s", id, 1) }

// TestBlankTextIsNoBlock: Anthropic refuses a text block without a word, which a
// model writes all the same.
func TestBlankTextIsNoBlock(t *testing.T) {
	s := scripted.Play(scripted.Turn{Text: "ok"})
	r := after(model.Call{ID: scripted.ID("a"), Name: "find_user", RawArguments: "{}"})
	r.Messages[1].Text = "\n\n"
	r.Messages = append(r.Messages, model.Message{Role: trace.RoleAssistant, Text: " "}, model.Message{Role: trace.RoleUser, Text: "and?"})
	if _, err := open(t, model.WireAnthropic, s, nil).Complete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	want := `[{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"find_user","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"saw"},{"type":"text","text":"and?"}]}]`
	if got := s.Requests()[0].Get("messages").String(); got != want {
		t.Errorf("got %s", got)
	}
}
