package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"gauntlet/internal/trace"
)

func TestHandshake(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			w := serveFake(t, &fake{})
			res := w.handshake(version).Get("result")
			if got := res.Get("protocolVersion").Text(); got != version {
				t.Errorf("version = %q", got)
			}
			if got := res.Get("instructions").Text(); got != "规则: be kind" {
				t.Errorf("instructions = %q", got)
			}
			if got := res.Get("serverInfo").Get("name").Text(); got != "bank" {
				t.Errorf("name = %q", got)
			}
			if text, failed := answer(t, w.ask(callLine("1", "t01", `{"z":"q"}`))); text != `{"z":"q"}` || failed {
				t.Errorf("answer = %q, %v", text, failed)
			}
			if err := w.end(); err != nil {
				t.Errorf("end: %v", err)
			}
		})
	}
}

// meta is what a request of the stateless era says of its client.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}}`

func TestStatelessEra(t *testing.T) {
	w := serveFake(t, &fake{})
	v := w.ask(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`)
	if !strings.Contains(v.Get("result").Get("supportedVersions").String(), "2026-07-28") {
		t.Errorf("discover = %s", v)
	}
	v = w.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t01","arguments":{"z":"q"},` + meta + `}}`)
	if text, failed := answer(t, v); text != `{"z":"q"}` || failed {
		t.Errorf("answer = %q, %v", text, failed)
	}
	if got := v.Get("result").Get("resultType").Text(); got != "complete" {
		t.Errorf("resultType = %q", got)
	}
}

func TestList(t *testing.T) {
	w := serveFake(t, &fake{})
	w.handshake("2025-06-18")
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	text, v := w.read()
	tools := v.Get("result").Get("tools")
	if tools.Len() != 15 || v.Get("result").Get("nextCursor").Exists() {
		t.Fatalf("list = %s", text)
	}
	for i, tool := range tools.Items() {
		if want := fmt.Sprintf("t%02d", 14-i); tool.Get("name").Text() != want {
			t.Errorf("tool %d is %s, not %s: the episode's order is lost", i, tool.Get("name"), want)
		}
		wantSchema := schema
		if i == 2 {
			wantSchema = `{"type":"object"}`
		}
		if got := tool.Get("inputSchema").String(); got != wantSchema {
			t.Errorf("schema %d = %s", i, got)
		}
		hint := tool.Get("annotations").Get("readOnlyHint")
		if want := i == 1; hint.Bool() != want || hint.Exists() == (i == 2) {
			t.Errorf("tool %d: readOnlyHint = %s", i, hint)
		}
	}
	if got := tools.Index(0).Get("description").Text(); got != "说明 <b> 0" {
		t.Errorf("description = %q", got)
	}
	if v := w.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}`); v.Get("error").Get("code").String() != "-32602" {
		t.Errorf("cursor that was never given: %s", v)
	}
}

func TestPrompt(t *testing.T) {
	w := serveFake(t, &fake{})
	w.handshake("2025-06-18")
	if v := w.ask(`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`); v.Get("result").Get("prompts").Index(0).Get("name").Text() != "task" {
		t.Errorf("prompts = %s", v)
	}
	w.send(`{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"task"}}`)
	_, v := w.read()
	m := v.Get("result").Get("messages").Index(0)
	if m.Get("role").Text() != "user" || m.Get("content").Get("text").Text() != "do <it> \uFFFD" {
		t.Errorf("prompt = %s", v)
	}

	without := New(&fake{}, Options{Name: "x"})
	w = serve(t, without.ServeStdio)
	if caps := w.handshake("2025-06-18").Get("result").Get("capabilities"); caps.Get("prompts").Exists() || !caps.Get("tools").Exists() {
		t.Errorf("capabilities without a task = %s", caps)
	}
}

// TestArguments looks at what the episode sees of arguments as a client spells them.
func TestArguments(t *testing.T) {
	tests := []struct {
		name, given, want string // want is the canonical text of the object, or !text for RawArguments
	}{
		{"order", `{"z":1,"a":2}`, `{"z":1,"a":2}`},
		{"numbers", `{"n":[1.0,1,1e400,-0,12345678901234567890123]}`, `{"n":[1.0,1,1e400,-0,12345678901234567890123]}`},
		{"raw Chinese", `{"s":"취미 汉字"}`, `{"s":"취미 汉字"}`},
		{"escaped Chinese", `{"s":"\ucde8\ubbf8 \u6c49\u5b57"}`, `{"s":"취미 汉字"}`},
		{"lone surrogates", `{"s":"\ud83d x \udc00"}`, `{"s":"\ud83d x \udc00"}`},
		{"pair", `{"s":"\ud83d\ude00"}`, `{"s":"😀"}`},
		{"duplicate keys", `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"white space", `{ "a" : [ ] }`, `{"a":[]}`},
		{"null", `null`, `{}`},
		{"array", `[1, 2]`, `![1, 2]`},
		{"string", `"{\"a\":1}"`, `!"{\"a\":1}"`},
		{"number", `7`, `!7`},
		{"false", `false`, `!false`},
	}
	f := &fake{}
	w := serveFake(t, f)
	w.handshake("2025-06-18")
	for i, tt := range tests {
		text, failed := answer(t, w.ask(callLine(fmt.Sprint(i), "t01", tt.given)))
		call := f.calls()[i]
		if raw, ok := strings.CutPrefix(tt.want, "!"); ok {
			if call.RawArguments == nil || *call.RawArguments != raw || call.Arguments.Exists() || !failed {
				t.Errorf("%s: call = %+v, failed %v", tt.name, call, failed)
			}
			continue
		}
		if got := call.Arguments.String(); got != tt.want || text != tt.want || failed {
			t.Errorf("%s: arguments = %s, answer = %s, failed %v", tt.name, got, text, failed)
		}
	}
	if _, failed := answer(t, w.ask(`{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"t01"}}`)); failed {
		t.Error("missing arguments are an error")
	}
	if got := f.calls()[len(tests)].Arguments.String(); got != "{}" {
		t.Errorf("missing arguments = %s", got)
	}
}

func TestAnswers(t *testing.T) {
	f := &fake{}
	w := serveFake(t, f)
	w.handshake("2025-06-18")
	tests := []struct {
		name, arguments, want string
		failed                bool
	}{
		{"say", `{"text":"a\ud800b <&>\u2028 \u0000 汉"}`, "a\uFFFDb <&>\u2028 \x00 汉", false},
		{"say", `{"text":""}`, "", false},
		{"fail", `{"k":1}`, `{"k":1}`, true},
		{"no_such_tool", `{}`, "no tool no_such_tool", true},
		{"any", `{}`, "no tool any", true}, // the SDK's one tool is no tool of the episode
		{"", `{}`, "no tool ", true},
	}
	for i, tt := range tests {
		text, failed := answer(t, w.ask(callLine(fmt.Sprint(i), tt.name, tt.arguments)))
		if text != tt.want || failed != tt.failed {
			t.Errorf("%s(%s) = %q, %v; want %q, %v", tt.name, tt.arguments, text, failed, tt.want, tt.failed)
		}
	}
	if got := f.calls(); len(got) != len(tests) || got[3].Name != "no_such_tool" {
		t.Errorf("episode saw %d calls", len(got))
	}
}

func TestIDs(t *testing.T) {
	f := &fake{}
	w := serveFake(t, f)
	w.handshake("2025-06-18")
	ids := []struct{ given, want string }{{"7", "7"}, {`"call_汉"`, "call_汉"}, {`"8"`, "8"}, {"-3", "-3"}}
	for i, id := range ids {
		v := w.ask(callLine(id.given, "t01", `{}`))
		if got := v.Get("id").String(); got != id.given {
			t.Errorf("answer has id %s, not %s", got, id.given)
		}
		if got := f.calls()[i].ID; got == nil || *got != id.want {
			t.Errorf("episode saw id %v, not %s", got, id.want)
		}
	}
}

func TestOver(t *testing.T) {
	for _, tt := range []struct {
		name, first string
		failed      bool
		later       string
	}{
		{"end", "the episode is over: limit of calls", true, "the episode is over: limit of calls"},
		{"last", "{}", false, "the episode is over"}, // was executed: the agent sees the answer
	} {
		f := &fake{}
		w := serveFake(t, f)
		w.handshake("2025-06-18")
		if text, failed := answer(t, w.ask(callLine("1", tt.name, `{}`))); text != tt.first || failed != tt.failed {
			t.Errorf("%s = %q, %v", tt.name, text, failed)
		}
		for range 2 {
			if text, failed := answer(t, w.ask(callLine("2", "t01", `{}`))); text != tt.later || !failed {
				t.Errorf("after %s: %q, %v", tt.name, text, failed)
			}
		}
		if n := len(f.calls()); n != 1 {
			t.Errorf("after %s the episode saw %d calls", tt.name, n)
		}
	}
}

// TestOrder sends calls without waiting for answers: they are executed one at a
// time, in the order in which they came, and all are answered before the end.
func TestOrder(t *testing.T) {
	const n = 200
	f := &fake{}
	w := serveFake(t, f)
	w.handshake("2025-06-18")
	go func() {
		for i := range n {
			fmt.Fprintln(w.in, callLine(fmt.Sprint(i), "t01", fmt.Sprintf(`{"i":%d}`, i)))
		}
		w.in.Close()
	}()
	for i := range n {
		_, v := w.read()
		if text, _ := answer(t, v); text != fmt.Sprintf(`{"i":%d}`, i) || v.Get("id").String() != fmt.Sprint(i) {
			t.Fatalf("answer %d = %s", i, v)
		}
	}
	if err := <-w.done; err != nil {
		t.Errorf("end: %v", err)
	}
	for i, c := range f.calls() {
		if got := c.Arguments.Get("i").Literal(); got != fmt.Sprint(i) {
			t.Fatalf("call %d was %s", i, got)
		}
	}
}

func TestCancel(t *testing.T) {
	f := &fake{gate: make(chan struct{}), started: make(chan string, 10)}
	w := serveFake(t, f)
	w.handshake("2025-06-18")
	w.send(callLine("1", "wait", `{}`), callLine("2", "t02", `{}`), callLine("3", "t03", `{}`))
	<-f.started
	w.send(
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}`,
	)
	// The connection lives while a call runs, and messages are read in order, so the
	// cancellations have arrived when this is answered.
	if v := w.ask(`{"jsonrpc":"2.0","id":"p","method":"ping"}`); v.Get("id").Text() != "p" {
		t.Fatalf("ping = %s", v)
	}
	f.gate <- struct{}{}
	for _, want := range []string{"1", "3"} { // what runs is finished, what waits is forgotten
		if _, v := w.read(); v.Get("id").String() != want {
			t.Fatalf("answer = %s, want id %s", v, want)
		}
	}
	if err := w.end(); err != nil {
		t.Errorf("end: %v", err)
	}
	var names []string
	for _, c := range f.calls() {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != "wait t03" {
		t.Errorf("executed: %s", got)
	}
}

func TestBadMessages(t *testing.T) {
	w := serveFake(t, &fake{})
	w.handshake("2025-06-18")
	tests := []struct{ name, line, id, code string }{
		{"no JSON", `{"jsonrpc":`, "null", "-32700"},
		{"text", `hello`, "null", "-32700"},
		{"batch", `[` + callLine("1", "t01", "{}") + `]`, "null", "-32600"},
		{"no version", `{"id":5,"method":"ping"}`, "5", "-32600"},
		{"id of no kind", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "{}", "-32600"},
		{"too deep", callLine("6", "t01", strings.Repeat(`{"a":`, 2000)+"1"+strings.Repeat("}", 2000)), "6", "-32600"},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"no/such"}`, "7", "-32601"},
		{"name of no kind", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":3}}`, "8", "-32602"},
		{"too long", strings.Repeat("x", MaxMessage+1), "null", "-32600"},
	}
	for _, tt := range tests {
		v := w.ask(tt.line)
		if id, code := v.Get("id").String(), v.Get("error").Get("code").String(); id != tt.id || code != tt.code {
			t.Errorf("%s: %s", tt.name, v)
		}
	}
	w.send("", "  \r")
	if text, failed := answer(t, w.ask(callLine("9", "t01", `{}`)+"\r")); text != "{}" || failed {
		t.Errorf("after bad messages: %q, %v", text, failed)
	}
	if err := w.end(); err != nil {
		t.Errorf("end: %v", err)
	}
}

func TestSameID(t *testing.T) {
	f := &fake{gate: make(chan struct{}), started: make(chan string, 10)}
	w := serveFake(t, f)
	w.handshake("2025-06-18")
	w.send(callLine("1", "wait", `{}`))
	<-f.started
	if v := w.ask(callLine("1", "t01", `{}`)); v.Get("error").Get("code").String() != "-32600" {
		t.Errorf("second request with the id of a running one: %s", v)
	}
	f.gate <- struct{}{}
	if _, v := w.read(); v.Get("id").String() != "1" || !v.Get("result").Exists() {
		t.Errorf("first = %s", v)
	}
	if text, _ := answer(t, w.ask(callLine("1", "t01", `{}`))); text != "{}" {
		t.Errorf("id of an answered request: %q", text)
	}
}

// TestContextEnd ends the server's context while a call runs: the call's context
// ends too, and so does the connection.
func TestContextEnd(t *testing.T) {
	f := &fake{gate: make(chan struct{}), started: make(chan string, 10)}
	ctx, cancel := context.WithCancelCause(t.Context())
	s := newServer(f)
	w := serve(t, func(_ context.Context, in io.Reader, out io.Writer) error { return s.ServeStdio(ctx, in, out) })
	w.handshake("2025-06-18")
	w.send(callLine("1", "wait", `{}`))
	<-f.started
	why := errors.New("time is up")
	go io.Copy(io.Discard, w.out)
	cancel(why)
	if err := <-w.done; !errors.Is(err, context.Canceled) {
		t.Errorf("ServeStdio = %v", err)
	}
	if !errors.Is(s.over, why) {
		t.Errorf("the call ended with %v", s.over)
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("broken pipe of ours")
	in := io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"), errReader{broken})
	var out strings.Builder
	if err := newServer(&fake{}).ServeStdio(t.Context(), in, &out); !errors.Is(err, broken) {
		t.Errorf("ServeStdio = %v", err)
	}
	if !strings.Contains(out.String(), `"id":1,"result":{}`) {
		t.Errorf("what was asked before is not answered: %q", out.String())
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func TestSchemas(t *testing.T) {
	for _, tt := range []struct{ given, want string }{
		{``, `{"type":"object"}`},
		{`[]`, `{"type":"object"}`},
		{`{}`, `{"type":"object"}`},
		{`{"properties":{}}`, `{"properties":{},"type":"object"}`},
		{`{"type":"string","x":1.0}`, `{"type":"object","x":1.0}`},
		{`{"x":1,"type":"object"}`, `{"x":1,"type":"object"}`},
		{`{"type":"object","\\ud800":"\ud83d\udc00\ud800\udfff\u0000\\\udc00"}`, `{"type":"object","\\ud800":"🐀𐏿\u0000\\�"}`},
	} {
		var v trace.Value
		if tt.given != "" {
			v, _, _ = trace.ParseValue([]byte(tt.given))
		}
		tool := describe([]trace.Tool{{Name: "x", Parameters: v}})[0]
		if got := fmt.Sprintf("%s", tool.InputSchema); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.given, got, tt.want)
		}
	}
}

// TestValid: what is sent is UTF-8 and has a character for each of the text.
func TestValid(t *testing.T) {
	for given, want := range map[string]string{
		"":                               "",
		"汉 \x00":                         "汉 \x00",
		"a\xed\xa0\x80b":                 "a\uFFFDb",
		"\xed\xa0\x80\xed\xa0\x80":       "\uFFFD\uFFFD",
		"\xff\xfe":                       "\uFFFD\uFFFD",
		"\\ud800 \xed\xb0\x80 \\\\ud800": "\\ud800 \uFFFD \\\\ud800",
	} {
		if got := valid(given); got != want {
			t.Errorf("valid(%q) = %q, want %q", given, got, want)
		}
	}
}

func FuzzValid(f *testing.F) {
	f.Add("\\ud800\xed\xa0\x80\\")
	f.Fuzz(func(t *testing.T, s string) {
		got := valid(s)
		if !utf8.ValidString(got) || trace.CodePoints(got) != trace.CodePoints(trace.String(s).Text()) {
			t.Errorf("valid(%q) = %q", s, got)
		}
		if utf8.ValidString(s) && got != s {
			t.Errorf("valid(%q) = %q", s, got)
		}
	})
}

// FuzzReadLine compares lines with those of a plain split.
func FuzzReadLine(f *testing.F) {
	f.Add("a\n b \r\n\n"+strings.Repeat("x", 40)+"\nlast", 20)
	f.Add(strings.Repeat("y", 20), 16)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = 16 + limit&63
		r := bufio.NewReaderSize(strings.NewReader(s), 16)
		parts := strings.SplitAfter(s, "\n")
		for i, part := range parts {
			got, err := readLine(r, limit)
			want := strings.TrimSpace(part)
			switch {
			case len(part) > limit:
				if !errors.Is(err, errLong) {
					t.Fatalf("line %d of %q: %q, %v", i, s, got, err)
				}
			case string(got) != want, err != nil && (i < len(parts)-1 || want != ""):
				t.Fatalf("line %d of %q: %q, %v", i, s, got, err)
			}
		}
		if got, err := readLine(r, limit); len(got) != 0 || !errors.Is(err, io.EOF) {
			t.Fatalf("after the end of %q: %q, %v", s, got, err)
		}
	})
}
