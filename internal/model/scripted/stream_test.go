package scripted_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

// reply is what a client of tests makes of a stream or of a whole reply.
type reply struct {
	Thought, Text, Finish, Error string
	Calls                        []call
	In, Out                      int64
	Ended                        bool     // the stream had its proper end
	Events                       []string // names (Anthropic) or kinds of delta (OpenAI)
}

type call struct{ ID, Name, Arguments string }

// start starts a server with one script.
func start(t testing.TB, turns ...scripted.Turn) (*scripted.Server, string) {
	t.Helper()
	s := scripted.Play(turns...)
	address, stop, err := s.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return s, address
}

// stream posts a request and returns the type of the body, the body, and the
// error that ended it early.
func stream(ctx context.Context, url, body string) (mediaType, text string, err error) {
	return streamUntil(ctx, url, body, "")
}

// streamUntil is stream for a client that goes as soon as a part has come.
func streamUntil(ctx context.Context, url, body, part string) (mediaType, text string, err error) {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return "", "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", "", err
	}
	defer response.Body.Close()
	var data []byte
	for buffer := make([]byte, 4096); err == nil; {
		var n int
		n, err = response.Body.Read(buffer)
		data = append(data, buffer[:n]...)
		if part != "" && bytes.Contains(data, []byte(part)) {
			leave()
		}
	}
	if err == io.EOF {
		err = nil
	}
	return response.Header.Get("Content-Type"), string(data), err
}

// events cuts a stream into its events. It is strict: all lines that the format
// does not have are errors.
func events(stream string) (names, data []string, err error) {
	for frame := range strings.SplitSeq(strings.TrimSuffix(stream, "\n\n"), "\n\n") {
		name := ""
		lines := strings.Split(frame, "\n")
		if rest, ok := strings.CutPrefix(lines[0], "event: "); ok {
			name, lines = rest, lines[1:]
		}
		if len(lines) != 1 || !strings.HasPrefix(lines[0], "data: ") {
			return names, data, errors.New("no event: " + frame)
		}
		names, data = append(names, name), append(data, lines[0][len("data: "):])
	}
	return names, data, nil
}

// readOpenAI is a client of chat completion chunks.
func readOpenAI(stream string) (r reply, err error) {
	_, data, err := events(stream)
	for _, d := range data {
		if d == "[DONE]" {
			r.Ended = true
			continue
		}
		v, _, failed := trace.ParseValue([]byte(d))
		if failed != nil {
			return r, failed
		}
		r.Error += v.Get("error").Get("message").Text()
		if in, ok := v.Get("usage").Get("prompt_tokens").Int64(); ok {
			r.In = in
			r.Out, _ = v.Get("usage").Get("completion_tokens").Int64()
			r.Events = append(r.Events, "usage")
		}
		for _, choice := range v.Get("choices").Items() {
			delta := choice.Get("delta")
			r.Events = append(r.Events, strings.Join(delta.Keys(), "+"))
			r.Thought += delta.Get("reasoning_content").Text()
			r.Text += delta.Get("content").Text()
			r.Finish += choice.Get("finish_reason").Text()
			for _, c := range delta.Get("tool_calls").Items() {
				if i, _ := c.Get("index").Int64(); int(i) == len(r.Calls) {
					r.Calls = append(r.Calls, call{ID: c.Get("id").Text(), Name: c.Get("function").Get("name").Text()})
				}
				r.Calls[len(r.Calls)-1].Arguments += c.Get("function").Get("arguments").Text()
			}
		}
	}
	return r, err
}

// readAnthropic is a client of the events of messages.
func readAnthropic(stream string) (r reply, err error) {
	names, data, err := events(stream)
	open := false
	for i, d := range data {
		v, _, failed := trace.ParseValue([]byte(d))
		if failed != nil {
			return r, failed
		}
		if names[i] != v.Get("type").Text() {
			return r, errors.New("the name of the event is not its type: " + d)
		}
		r.Events = append(r.Events, names[i])
		delta, block := v.Get("delta"), v.Get("content_block")
		switch names[i] {
		case "message_start":
			r.In, _ = v.Get("message").Get("usage").Get("input_tokens").Int64()
		case "content_block_start":
			open = true
			if block.Get("type").Text() == "tool_use" {
				r.Calls = append(r.Calls, call{ID: block.Get("id").Text(), Name: block.Get("name").Text()})
			}
		case "content_block_delta":
			if !open {
				return r, errors.New("a delta outside of a block")
			}
			r.Thought += delta.Get("thinking").Text()
			r.Text += delta.Get("text").Text()
			if delta.Get("type").Text() == "input_json_delta" {
				r.Calls[len(r.Calls)-1].Arguments += delta.Get("partial_json").Text()
			}
		case "content_block_stop":
			open = false
		case "message_delta":
			r.Finish = delta.Get("stop_reason").Text()
			r.Out, _ = v.Get("usage").Get("output_tokens").Int64()
		case "message_stop":
			r.Ended = true
		case "error":
			r.Error = v.Get("error").Get("message").Text()
		}
	}
	return r, err
}

// dialects are the wire formats with their clients.
var dialects = []struct {
	name, path string
	read       func(string) (reply, error)
	finish     func(calls int) string
}{
	{"openai", "/v1/chat/completions", readOpenAI, func(n int) string { return map[bool]string{true: "tool_calls", false: "stop"}[n > 0] }},
	{"anthropic", "/v1/messages", readAnthropic, func(n int) string { return map[bool]string{true: "tool_use", false: "end_turn"}[n > 0] }},
}

const question = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[]}`

// TestStreamEvents: the events of a small reply, in order.
func TestStreamEvents(t *testing.T) {
	_, address := start(t, scripted.Turn{
		Thought: "h", Text: "a", Calls: []scripted.Call{{ID: scripted.ID("c"), Name: "f", Arguments: `{"a":1}`}},
	})
	const (
		start, delta, stop = "content_block_start", "content_block_delta", "content_block_stop"
		calls              = "tool_calls"
	)
	want := map[string][]string{
		"openai": {"role+content", "reasoning_content", "content", calls, calls, calls, calls, calls, "", "usage"},
		"anthropic": {
			"message_start", start, "ping", delta, delta, stop, start, delta, stop,
			start, delta, delta, delta, delta, delta, stop, "message_delta", "message_stop",
		},
	}
	for _, d := range dialects {
		mediaType, text, err := stream(t.Context(), address+d.path, question)
		if err != nil || mediaType != "text/event-stream" {
			t.Fatalf("%s: %q, %v", d.name, mediaType, err)
		}
		r, err := d.read(text)
		if got, want := strings.Join(r.Events, " "), strings.Join(want[d.name], " "); err != nil || got != want {
			t.Errorf("%s: error %v, events\n%s, want\n%s", d.name, err, got, want)
		}
	}
	_, text, _ := stream(t.Context(), address+"/v1/chat/completions", strings.Replace(question, "true}", "false}", 1))
	if strings.Contains(text, "usage") {
		t.Error("usage that nobody wants: " + text)
	}
}

// TestStreamKeepsTurn: the pieces of any turn make up the turn.
func TestStreamKeepsTurn(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"취미 힣퟿ \U0001F600", "\u2028\u0085\r\n\n\ndata: [DONE]", strings.Repeat("long 😀 ", 100), "",
	}))
	arguments := rapid.Custom(func(t *rapid.T) string {
		text, err := json.Marshal(map[string]string{texts.Draw(t, "key"): texts.Draw(t, "value")})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	})
	calls := rapid.Custom(func(t *rapid.T) scripted.Call {
		return scripted.Call{ID: scripted.ID(texts.Draw(t, "id")), Name: texts.Draw(t, "name"), Arguments: arguments.Draw(t, "arguments")}
	})
	var turn scripted.Turn
	s := scripted.New(scripted.Options{Choose: func(trace.Value) scripted.Script { return scripted.Script{turn} }})
	address, stop, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	rapid.Check(t, func(rt *rapid.T) {
		turn = scripted.Turn{
			Thought: texts.Draw(rt, "thought"), Text: texts.Draw(rt, "text"), Calls: rapid.SliceOfN(calls, 0, 3).Draw(rt, "calls"),
			InputTokens: rapid.Int64Range(1, 1000).Draw(rt, "in"), OutputTokens: rapid.Int64Range(1, 1000).Draw(rt, "out"),
		}
		for _, d := range dialects {
			_, text, err := stream(t.Context(), address+d.path, question)
			if err != nil {
				rt.Fatal(err)
			}
			r, err := d.read(text)
			if err != nil {
				rt.Fatalf("%s: %v\n%s", d.name, err, text)
			}
			if strings.Contains(strings.ReplaceAll(text, `\\`, ""), `\ud`) { // half a character is written as a surrogate
				rt.Fatalf("%s: a character is cut: %s", d.name, text)
			}
			if r.Thought != turn.Thought || r.Text != turn.Text || r.In != turn.InputTokens || r.Out != turn.OutputTokens ||
				r.Finish != d.finish(len(turn.Calls)) || !r.Ended || r.Error != "" || len(r.Calls) != len(turn.Calls) {
				rt.Fatalf("%s: got %+v\nwant %+v", d.name, r, turn)
			}
			for i, c := range r.Calls {
				if w := turn.Calls[i]; c != (call{*w.ID, w.Name, w.Arguments}) {
					rt.Fatalf("%s: call %+v, want %+v", d.name, c, w)
				}
			}
		}
	})
}

// TestStreamSurrogates: a text that is no UTF-8 comes whole, too.
func TestStreamSurrogates(t *testing.T) {
	const high, low = "\xed\xa0\xbd", "\xed\xb8\x80"
	for _, text := range []string{high, "a" + low, strings.Repeat("a"+high+"취미"+low, 50)} {
		_, address := start(t, scripted.Turn{Text: text})
		for _, d := range dialects {
			_, body, err := stream(t.Context(), address+d.path, question)
			if err != nil {
				t.Fatal(err)
			}
			if r, err := d.read(body); err != nil || r.Text != text {
				t.Errorf("%s: got %q, error %v, want %q", d.name, r.Text, err, text)
			}
		}
	}
}

// TestStreamFaults: what a fault does to a stream.
func TestStreamFaults(t *testing.T) {
	const length = "{\"customer\": \"Ada\"}"
	tests := map[scripted.Fault]struct {
		early, ended bool // the body ended with an error; the stream had its end
		check        func(r reply) bool
	}{
		scripted.Cut:          {early: true, check: func(r reply) bool { return r.Finish == "" && r.Thought != "" }},
		scripted.StallBody:    {early: true, check: func(r reply) bool { return r.Finish == "" && r.Thought != "" }},
		scripted.CutJSON:      {check: func(r reply) bool { return r.Finish == "" && r.Thought != "" }},
		scripted.HiddenError:  {check: func(r reply) bool { return r.Error != "" && r.Thought == "" }},
		scripted.BadArguments: {ended: true, check: func(r reply) bool { return r.Calls[0].Arguments == `{"broken": ` }},
		scripted.HalfCall: {ended: true, check: func(r reply) bool {
			return r.Calls[0].Arguments == length[:len(length)/2] && (r.Finish == "length" || r.Finish == "max_tokens")
		}},
		scripted.EmptyChoice: {ended: true, check: func(r reply) bool { return r.Text+r.Thought == "" && len(r.Calls) == 0 && r.Finish != "" }},
		scripted.Refusal:     {ended: true, check: func(r reply) bool { return r.Finish == "content_filter" || r.Finish == "refusal" }},
	}
	for fault, test := range tests {
		for _, d := range dialects {
			t.Run(string(fault)+"/"+d.name, func(t *testing.T) {
				t.Parallel()
				_, address := start(t, scripted.Turn{
					Thought: "let me think of this", Text: "I look.", Fault: fault,
					Calls: []scripted.Call{{ID: scripted.ID("c"), Name: "f", Arguments: length}},
				})
				part := ""
				if fault == scripted.StallBody { // which holds the connection until the client goes
					part = "think"
				}
				mediaType, text, err := streamUntil(t.Context(), address+d.path, question, part)
				if (err != nil) != test.early || errors.Is(err, context.Canceled) != (part != "") || mediaType != "text/event-stream" {
					t.Fatalf("got %q, error %v", mediaType, err)
				}
				r, err := d.read(text)
				if broken := test.early || fault == scripted.CutJSON; (err != nil) && !broken {
					t.Fatal(err)
				}
				if r.Ended != test.ended || !test.check(r) {
					t.Errorf("got %+v of\n%s", r, text)
				}
			})
		}
	}
}

// TestStreamStatus: faults that are a status come before the stream.
func TestStreamStatus(t *testing.T) {
	for _, d := range dialects {
		_, address := start(t, scripted.Turn{Text: "ok", Fault: scripted.RateLimit, Times: 1})
		if status, text := post(t, address+d.path, question); status != 429 || !json.Valid([]byte(text)) {
			t.Errorf("%s: got %d %s", d.name, status, text)
		}
		if status, text := post(t, address+d.path, question); status != 200 || !strings.HasPrefix(strings.TrimPrefix(text, "event: message_start\n"), "data: ") {
			t.Errorf("%s: got %d %s", d.name, status, text)
		}
	}
}
