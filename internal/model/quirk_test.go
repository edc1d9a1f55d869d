package model_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

// service is a server that answers with ready-made bodies, the last one again and
// again, and keeps what it was asked.
type service struct {
	mu      sync.Mutex
	asked   []trace.Value
	answers []answer
}

type answer struct {
	status int
	header string // "Name: value"; Content-Type is application/json without
	body   string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	v, _, err := trace.ParseValue(data)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	a := s.answers[min(len(s.asked), len(s.answers)-1)]
	s.asked = append(s.asked, v)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if name, value, ok := strings.Cut(a.header, ": "); ok {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// gives starts a service and returns a client of it.
func gives(t *testing.T, wire model.Wire, change func(*model.Provider, *model.Options), answers ...answer) (model.Client, *service) {
	t.Helper()
	s := &service{answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: wire, BaseURL: server.URL}}
	options := model.Options{Clock: newClock()}
	if change != nil {
		change(&spec.Provider, &options)
	}
	c, err := model.Open(spec, options)
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

// said is the body of a whole reply of OpenAI with this message.
func said(message, finish string, output int) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"message":%s,"finish_reason":%q}],"usage":{"prompt_tokens":50,"completion_tokens":%d,"total_tokens":%d}}`, message, finish, output, 50+output)
}

// TestFailuresInTheWordsOfServices: each is a failure of the right kind, and none
// of the harmless ones ends a run (auth and budget do).
func TestFailuresInTheWordsOfServices(t *testing.T) {
	const quota = `You exceeded your current quota, please check your plan and billing details.`
	tests := map[string]struct {
		wire      model.Wire
		answer    answer
		want      model.Kind
		wait      time.Duration
		permanent bool
	}{
		"Gemini's rate limit repeats OpenAI's sentence on quotas": {answer: answer{429, "", `[{"error":{"code":429,"message":"` + quota + ` Please retry in 34.07s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.Help"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.07s"}]}}]`}, want: model.KindRateLimit, wait: 34070 * time.Millisecond},
		"the same behind OpenRouter":                              {answer: answer{429, "", `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"{\"error\":{\"message\":\"` + quota + `\",\"status\":\"RESOURCE_EXHAUSTED\"}}"}}}`}, want: model.KindRateLimit},
		"OpenAI's account without money":                          {answer: answer{429, "", `{"error":{"message":"` + quota + `","type":"insufficient_quota","code":"insufficient_quota"}}`}, want: model.KindBudget},
		"DashScope's limit per minute has OpenAI's code":          {answer: answer{429, "", `{"error":{"message":"Allocated quota exceeded, please increase your quota limit.","type":"insufficient_quota","code":"insufficient_quota"}}`}, want: model.KindRateLimit},
		"DashScope's account without money":                       {answer: answer{400, "", `{"error":{"message":"Access denied, please make sure your account is in good standing.","code":"Arrearage"}}`}, want: model.KindBudget},
		"Gemini's wrong key":                                      {answer: answer{400, "", `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`}, want: model.KindAuth},
		"OpenRouter's moderation is no wrong key":                 {answer: answer{403, "", `{"error":{"message":"The model requires moderation.","code":403,"metadata":{"reasons":["violence"],"flagged_input":"..."}}}`}, want: model.KindRefused},
		"xAI's moderation is no wrong key":                        {answer: answer{403, "", `{"code":"The caller does not have permission","error":"Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_X"}`}, want: model.KindRefused},
		"a firewall's page is no wrong key":                       {answer: answer{403, "Content-Type: text/html", "<!DOCTYPE html><title>Sorry, you have been blocked</title>"}, want: model.KindRejected},
		"a proxy's page for a wrong key":                          {answer: answer{401, "Content-Type: text/html", "<html>401 Authorization Required</html>"}, want: model.KindAuth},
		"DeepSeek's filter":                                       {answer: answer{400, "", `{"error":{"message":"Content Exists Risk","type":"invalid_request_error","code":"invalid_request_error"}}`}, want: model.KindRefused},
		"Anthropic's filter":                                      {wire: model.WireAnthropic, answer: answer{400, "", `{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}`}, want: model.KindRefused},
		"Anthropic overloaded":                                    {wire: model.WireAnthropic, answer: answer{529, "Retry-After: 5", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, want: model.KindOverloaded, wait: 5 * time.Second},
		"Groq's model wrote a call that nobody can read":          {answer: answer{400, "", `{"error":{"message":"Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=f{"}}`}, want: model.KindMalformed},
		"so did Ollama's":                                         {answer: answer{500, "", `{"error":{"message":"error parsing tool call: raw='{', err=unexpected end of JSON input","type":"api_error"}}`}, want: model.KindMalformed},
		"Groq has no room":                                        {answer: answer{498, "", `{"error":{"message":"capacity exceeded","type":"x"}}`}, want: model.KindOverloaded},
		"more tokens than Groq takes in a minute":                 {answer: answer{413, "", `{"error":{"message":"Request too large for model: Limit 6000, Requested 9000","type":"tokens","code":"rate_limit_exceeded"}}`}, want: model.KindRateLimit, permanent: true},
		"more tokens than OpenAI takes in a minute":               {answer: answer{429, "", `{"error":{"message":"Request too large for gpt in organization o on tokens per min (TPM): Limit 30000, Requested 40000.","type":"tokens","code":"rate_limit_exceeded"}}`}, want: model.KindRateLimit, permanent: true},
		"an observation of more than a million characters":        {answer: answer{400, "", `{"error":{"message":"Invalid 'messages[3].content': string too long. Expected a string with maximum length 1048576","code":"string_above_max_length"}}`}, want: model.KindContextOverflow},
		"a description that is too long":                          {answer: answer{400, "", `{"error":{"message":"Invalid 'tools[0].function.description': string too long.","code":"string_above_max_length"}}`}, want: model.KindRejected},
		"SGLang's full context":                                   {answer: answer{400, "", `{"object":"error","message":"The input (9000 tokens) is longer than the model's context length (8192 tokens).","code":400}`}, want: model.KindContextOverflow},
		"Ollama without tools":                                    {answer: answer{400, "", `{"error":{"message":"registry.ollama.ai/library/m does not support tools"}}`}, want: model.KindRejected},
		"DeepSeek breaks off":                                     {answer: answer{200, "", said(`{"content":"I will"}`, "insufficient_system_resource", 9)}, want: model.KindOverloaded},
		"vLLM breaks off":                                         {answer: answer{200, "", said(`{"content":"I will"}`, "abort", 9)}, want: model.KindOverloaded},
		"Gemini cannot read the model's call":                     {answer: answer{200, "", said(`{"content":"I will"}`, "function_call_filter: MALFORMED_FUNCTION_CALL", 9)}, want: model.KindMalformed},
		"Mistral's full context":                                  {answer: answer{200, "", said(`{"content":"I will"}`, "model_length", 9)}, want: model.KindContextOverflow},
		"OpenRouter fails in the middle":                          {answer: answer{200, "", `{"choices":[{"message":{"content":"I will"},"finish_reason":"error","error":{"code":502,"message":"Upstream idle timeout"}}]}`}, want: model.KindOverloaded},
		"Anthropic pauses":                                        {wire: model.WireAnthropic, answer: answer{200, "", `{"content":[{"type":"text","text":"I will"}],"stop_reason":"pause_turn","usage":{"output_tokens":9}}`}, want: model.KindMalformed, permanent: true},
		"an error that is empty is none":                          {answer: answer{200, "", `{"error":"","choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`}},
		"JSON by another name":                                    {answer: answer{200, "Content-Type: text/plain", said(`{"content":"ok"}`, "stop", 9)}},
		"a stream that nobody asked for":                          {answer: answer{200, "Content-Type: text/event-stream", "data: {}\n\n"}, want: model.KindMalformed},
		"blank lines that keep the connection alive":              {answer: answer{200, "", "\n\n \n" + said(`{"content":"ok"}`, "stop", 9)}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wire := test.wire
			if wire == "" {
				wire = model.WireOpenAI
			}
			c, _ := gives(t, wire, nil, test.answer)
			_, err := c.Complete(t.Context(), ask("hi"))
			if model.KindOf(err) != test.want {
				t.Fatalf("got kind %q (%v), want %q", model.KindOf(err), err, test.want)
			}
			if test.want == "" {
				return
			}
			if e := failure(t, err); e.RetryAfter != test.wait || e.Permanent != test.permanent {
				t.Errorf("wait %v, permanent %v; want %v, %v", e.RetryAfter, e.Permanent, test.wait, test.permanent)
			}
		})
	}
}

// after is a conversation in which the model has called a tool and got its result.
func after(call model.Call, more ...model.Message) model.Request {
	r := ask("hi")
	r.Tools = []model.Tool{{Name: "find_user"}}
	r.Messages = append(r.Messages,
		model.Message{Role: trace.RoleAssistant, Calls: []model.Call{call}},
		model.Message{Role: trace.RoleTool, Text: "saw", CallID: call.ID})
	r.Messages = append(r.Messages, more...)
	return r
}

// TestSilenceAfterResultsIsTheModelsEnd: some models end their turn without a word
// after the last result. Such a cell was excluded, and one that has done all the
// attacker's work with it.
func TestSilenceAfterResultsIsTheModelsEnd(t *testing.T) {
	silence := map[model.Wire]func(output int) string{
		model.WireOpenAI: func(output int) string { return said(`{"content":null}`, "stop", output) },
		model.WireAnthropic: func(output int) string {
			return fmt.Sprintf(`{"content":[],"stop_reason":"end_turn","usage":{"input_tokens":50,"output_tokens":%d}}`, output)
		},
	}
	call := model.Call{ID: scripted.ID("a"), Name: "find_user", RawArguments: "{}"}
	each(t, func(t *testing.T, wire model.Wire) {
		for name, test := range map[string]struct {
			request model.Request
			output  int
			want    model.Kind
		}{
			"after a result":              {after(call), 2, ""},
			"after a result and the task": {after(call, model.Message{Role: trace.RoleUser, Text: "again"}), 3, ""},
			"before any result":           {ask("hi"), 2, model.KindMalformed},
			"nothing was generated":       {after(call), 0, model.KindMalformed},
			"much was generated and lost": {after(call), 40, model.KindMalformed},
		} {
			c, _ := gives(t, wire, nil, answer{200, "", silence[wire](test.output)})
			reply, err := c.Complete(t.Context(), test.request)
			if model.KindOf(err) != test.want || reply.Text != "" {
				t.Errorf("%s: got %+v, %v", name, reply, err)
			}
		}
	})
}

// TestCalledNamesThatServicesRefuse: a model calls what no tool is named, and the
// next request must not be refused for it.
func TestCalledNamesThatServicesRefuse(t *testing.T) {
	for name, want := range map[string]string{
		"find_user":                 "find_user",
		"multi_tool_use.parallel":   "multi_tool_use_parallel",
		"":                          "unknown_1",
		"find user":                 "unknown_1", // find_user is a tool, and was not called
		"취소":                        "__",
		strings.Repeat("long", 50):  strings.Repeat("long", 16),
		"ok-1":                      "ok-1",
		"<script>alert(1)</script>": "_script_alert_1___script_",
	} {
		each(t, func(t *testing.T, wire model.Wire) {
			s := scripted.Play(scripted.Turn{Text: "ok"})
			_, err := open(t, wire, s, nil).Complete(t.Context(), after(model.Call{Name: name, RawArguments: "{}"}))
			if err != nil {
				t.Fatal(err)
			}
			m := s.Requests()[0].Get("messages").Index(1)
			got := m.Get("tool_calls").Index(0).Get("function").Get("name").Text() + m.Get("content").Index(0).Get("name").Text()
			if got != want {
				t.Errorf("%q goes out as %q, want %q", name, got, want)
			}
		})
	}
}

// TestHalvesOfCharactersAreNotSent: neither in texts nor inside arguments, however
// deep, and pairs stay what they are.
func TestHalvesOfCharactersAreNotSent(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		for arguments, want := range map[string]string{
			`{"a":"\ud83d"}`:            `{"a":"` + "\uFFFD" + `"}`,
			`{"a":"\ud83d\ude00"}`:      `{"a":"😀"}`,
			`{"a":"\\ud83d"}`:           `{"a":"\\ud83d"}`, // a backslash and letters
			`{"a":{"\udc00":["\ud8"]}}`: `{"malformed_arguments":"{\"a\":{\"\\udc00\":[\"\\ud8\"]}}"}`,
		} {
			s := scripted.Play(scripted.Turn{Text: "ok"})
			_, err := open(t, wire, s, nil).Complete(t.Context(), after(model.Call{Name: "find_user", RawArguments: arguments}))
			if err != nil {
				t.Fatal(err)
			}
			m := s.Requests()[0].Get("messages").Index(1)
			got := m.Get("content").Index(0).Get("input")
			if wire == model.WireOpenAI {
				if got, _, err = trace.ParseValue([]byte(m.Get("tool_calls").Index(0).Get("function").Get("arguments").Text())); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != want {
				t.Errorf("%s goes out as %s, want %s", arguments, got, want)
			}
		}
	})
}

// TestSchemasThatServicesRefuse: OpenAI demands properties, Anthropic the type.
func TestSchemasThatServicesRefuse(t *testing.T) {
	for given, want := range map[string]string{
		``:                  `{"type":"object","properties":{}}`,
		`true`:              `{"type":"object","properties":{}}`,
		`{"type":"object"}`: `{"type":"object","properties":{}}`,
		`{"properties":{"a":{"type":["string","null"]}}}`: `{"properties":{"a":{"type":["string","null"]}},"type":"object"}`,
	} {
		each(t, func(t *testing.T, wire model.Wire) {
			r := ask("hi")
			r.Tools = []model.Tool{{Name: "f"}}
			if given != "" {
				v, _, err := trace.ParseValue([]byte(given))
				if err != nil {
					t.Fatal(err)
				}
				r.Tools[0].Parameters = v
			}
			s := scripted.Play(scripted.Turn{Text: "ok"})
			if _, err := open(t, wire, s, nil).Complete(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			tool := s.Requests()[0].Get("tools").Index(0)
			schema := tool.Get("input_schema")
			if wire == model.WireOpenAI {
				schema = tool.Get("function").Get("parameters")
			}
			if got := schema.String(); got != want {
				t.Errorf("%s goes out as %s", given, got)
			}
			if tool.Get("function").Get("description").Exists() || tool.Get("description").Exists() {
				t.Error("an empty description goes out")
			}
		})
	}
}

// TestUnansweredCallsAreOurFault: services refuse such a conversation, and the
// cell must not look as if the service were to blame.
func TestUnansweredCallsAreOurFault(t *testing.T) {
	call := model.Call{ID: scripted.ID("a"), Name: "find_user"}
	r := after(call)
	r.Messages[1].Calls = append(r.Messages[1].Calls, model.Call{Name: "other"})
	early := after(call, model.Message{Role: trace.RoleUser, Text: "and?"})
	early.Messages[1].Calls = r.Messages[1].Calls
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.Play(scripted.Turn{Text: "ok"})
		c := open(t, wire, s, nil)
		for _, r := range []model.Request{r, early} {
			if _, err := c.Complete(t.Context(), r); model.KindOf(err) != model.KindRejected || s.Count("") != 0 {
				t.Errorf("got %v after %d requests", err, s.Count(""))
			}
		}
	})
}

// TestLimitOfTokensByItsOtherName: reasoning models behind an address without a
// table entry refuse max_tokens and say what they want.
func TestLimitOfTokensByItsOtherName(t *testing.T) {
	refusal := answer{400, "", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`}
	c, s := gives(t, model.WireOpenAI, nil, refusal, answer{200, "", said(`{"content":"ok"}`, "stop", 9)})
	r := ask("hi")
	r.MaxTokens = 100
	for want := range 2 {
		reply, err := c.Complete(t.Context(), r)
		if err != nil || reply.Usage.Requests != int64(2-want) {
			t.Fatalf("got %+v, %v", reply, err)
		}
	}
	var got []string
	for _, body := range s.asked {
		got = append(got, body.Get("max_tokens").String()+"/"+body.Get("max_completion_tokens").String())
	}
	if diff := cmp.Diff([]string{"100/null", "null/100", "null/100"}, got); diff != "" {
		t.Error(diff)
	}
	c, s = gives(t, model.WireOpenAI, nil, refusal)
	for range 2 {
		if _, err := c.Complete(t.Context(), r); model.KindOf(err) != model.KindRejected {
			t.Errorf("got %v", err)
		}
	}
	if len(s.asked) != 3 {
		t.Errorf("%d requests to a service that refuses both names, want 3", len(s.asked))
	}
}
