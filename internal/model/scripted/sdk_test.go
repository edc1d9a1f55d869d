package scripted_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gauntlet/internal/model/scripted"
)

// The official Python SDKs are clients that others wrote: what they make of our
// replies is what any program makes of them. One Python process for each SDK runs
// all cases, and prints one line of JSON for each.

const openAIClient = `
import json, sys, openai
base, cases = sys.argv[1], json.loads(sys.argv[2])
client = openai.OpenAI(base_url=base + "/v1", api_key="k", max_retries=0, timeout=120)
def calls(list):
    return [{"ID": c.id, "Name": c.function.name, "Arguments": c.function.arguments} for c in list or []]
def whole(model):
    r = client.chat.completions.create(model=model, messages=[{"role": "user", "content": "x"}])
    m, c = r.choices[0].message, r.choices[0]
    assert r.object == "chat.completion" and r.model == model and m.role == "assistant"
    return {"Thought": getattr(m, "reasoning_content", None) or "", "Text": m.content or "", "Finish": c.finish_reason, "Calls": calls(m.tool_calls),
        "In": r.usage.prompt_tokens, "Out": r.usage.completion_tokens, "Total": r.usage.total_tokens}
def accumulated(model):
    thought = []
    with client.chat.completions.stream(model=model, messages=[{"role": "user", "content": "x"}], stream_options={"include_usage": True}) as s:
        for e in s:
            if e.type == "chunk" and e.chunk.choices:
                thought.append(getattr(e.chunk.choices[0].delta, "reasoning_content", None) or "")
        r = s.get_final_completion()
    c = r.choices[0]
    return {"Thought": "".join(thought), "Text": c.message.content or "", "Finish": c.finish_reason, "Calls": calls(c.message.tool_calls),
        "In": r.usage.prompt_tokens, "Out": r.usage.completion_tokens, "Total": r.usage.total_tokens}
def attempt(f, model):
    try:
        return f(model)
    except Exception as e:
        status = getattr(e, "status_code", 0)
        return {"Error": str(status) if status >= 400 else "failed"}
assert sorted(m.id for m in client.models.list()) == sorted(cases)
for model in cases:
    assert client.models.retrieve(model).id == model
    print(json.dumps([attempt(whole, model), attempt(accumulated, model)]))
`

const anthropicClient = `
import json, sys, anthropic
base, cases = sys.argv[1], json.loads(sys.argv[2])
client = anthropic.Anthropic(base_url=base, api_key="k", max_retries=0, timeout=120)
def answer(r):
    out = {"Thought": "", "Text": "", "Finish": r.stop_reason, "Calls": [], "In": r.usage.input_tokens, "Out": r.usage.output_tokens}
    assert r.type == "message" and r.role == "assistant" and r.stop_sequence is None
    for b in r.content:
        if b.type == "thinking":
            assert b.signature == "scripted"
            out["Thought"] += b.thinking
        elif b.type == "text":
            out["Text"] += b.text
        else:
            out["Calls"].append({"ID": b.id, "Name": b.name, "Arguments": json.dumps(b.input, separators=(",", ":"), ensure_ascii=False)})
    out["Total"] = out["In"] + out["Out"]
    return out
ask = dict(max_tokens=1000, messages=[{"role": "user", "content": "x"}])
def whole(model):
    return answer(client.messages.create(model=model, **ask))
def accumulated(model):
    with client.messages.stream(model=model, **ask) as s:
        for _ in s:
            pass
        return answer(s.get_final_message())
def attempt(f, model):
    try:
        return f(model)
    except Exception as e:
        status = getattr(e, "status_code", 0)
        return {"Error": str(status) if status >= 400 else "failed"}
assert sorted(m.id for m in client.models.list()) == sorted(cases)
for model in cases:
    assert client.models.retrieve(model).id == model
    assert client.messages.count_tokens(model=model, messages=ask["messages"]).input_tokens > 0
    print(json.dumps([attempt(whole, model), attempt(accumulated, model)]))
`

// heard is what an SDK understood.
type heard struct {
	Thought, Text, Finish, Error string
	Calls                        []call
	In, Out, Total               int64
}

// runSDK runs a client over all models of a script and returns what it heard,
// whole and streamed.
func runSDK(t *testing.T, module, program string, models []string, scripts map[string]scripted.Script) [][2]heard {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("the Python SDK of %s is not tried: %v", module, err)
	}
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import "+module).CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Skipf("the Python SDK of %s is not tried: %s", module, lines[len(lines)-1])
	}
	s := scripted.New(scripted.Options{Scripts: scripts})
	address, stop, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	names, err := json.Marshal(models)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), python, "-c", program, address, string(names))
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var list [][2]heard
	for line := range strings.Lines(string(out)) {
		var pair [2]heard
		if err := json.Unmarshal([]byte(line), &pair); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		list = append(list, pair)
	}
	if len(list) != len(models) {
		t.Fatalf("heard %d replies, want %d: %s", len(list), len(models), stderr.String())
	}
	return list
}

// TestSDKs: the official SDKs hear what was written, and the same in a stream.
func TestSDKs(t *testing.T) {
	find := scripted.Call{ID: scripted.ID("c1"), Name: "mcp__world__find", Arguments: `{"名":"취미","n":[1,2.5,null,true],"deep":{"a":{"b":"\"\\"}}}`}
	empty := scripted.Call{ID: scripted.ID("c2"), Name: "now", Arguments: `{}`}
	cases := []struct {
		name string
		turn scripted.Turn
	}{
		{"text", scripted.Turn{Text: "Hello, 취미 \U0001F600\u2028\u0085\r\n\ndata: [DONE]\n\n", InputTokens: 77, OutputTokens: 33}},
		{"long", scripted.Turn{Text: strings.Repeat("a long text 😀 ", 500)}},
		{"thought", scripted.Turn{Thought: "hm\nhm", Text: "yes"}},
		{"call", scripted.Turn{Calls: []scripted.Call{find}}},
		{"all", scripted.Turn{Thought: "let me see", Text: "I look.", Calls: []scripted.Call{find, empty, {ID: scripted.ID("c3"), Name: "now", Arguments: `{"again":true}`}}}},
		{"half", scripted.Turn{Text: "I look. And then I", Fault: scripted.Cut}},
		{"gateway", scripted.Turn{Text: "never", Fault: scripted.HiddenError}},
		{"limit", scripted.Turn{Text: "never", Fault: scripted.RateLimit}},
		{"busy", scripted.Turn{Text: "never", Fault: scripted.Overloaded}},
		{"who", scripted.Turn{Text: "never", Fault: scripted.Auth}},
	}
	models, scripts := []string{}, map[string]scripted.Script{}
	for i, c := range cases {
		if c.turn.InputTokens == 0 { // else it depends on the length of the request
			c.turn.InputTokens, c.turn.OutputTokens = 10, 5
			cases[i] = c
		}
		models = append(models, c.name)
		scripts[c.name] = scripted.Script{c.turn}
	}
	failures := map[scripted.Fault]string{
		scripted.Cut: "failed", scripted.HiddenError: "failed", scripted.RateLimit: "429", scripted.Overloaded: "529", scripted.Auth: "401",
	}
	for module, program := range map[string]string{"openai": openAIClient, "anthropic": anthropicClient} {
		t.Run(module, func(t *testing.T) {
			for i, pair := range runSDK(t, module, program, models, scripts) {
				c := cases[i]
				for streamed, got := range pair {
					want := heard{Error: failures[c.turn.Fault]}
					if c.turn.Fault == "" {
						want = spoken(module, c.turn)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("%s, streamed %d (-written +heard):\n%s", c.name, streamed, diff)
					}
				}
			}
		})
	}
}

// spoken is what a client should make of a turn.
func spoken(module string, turn scripted.Turn) heard {
	h := heard{Thought: turn.Thought, Text: turn.Text, Calls: []call{}, In: turn.InputTokens, Out: turn.OutputTokens}
	h.Total = h.In + h.Out
	for _, c := range turn.Calls {
		h.Calls = append(h.Calls, call{*c.ID, c.Name, c.Arguments})
	}
	for _, d := range dialects {
		if d.name == module {
			h.Finish = d.finish(len(turn.Calls))
		}
	}
	return h
}
