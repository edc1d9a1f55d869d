package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/trace"
)

// post sends a body with the headers that the protocol demands and others.
func post(t *testing.T, url, body string, headers ...string) (int, trace.Value, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	return do(t, req, headers...)
}

func do(t *testing.T, req *http.Request, headers ...string) (int, trace.Value, http.Header) {
	t.Helper()
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := trace.ParseValue(data)
	if err != nil {
		v = trace.String(string(data))
	}
	return resp.StatusCode, v, resp.Header
}

func TestHTTPEras(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			f := &fake{}
			url := listen(t, newServer(f).Handler("secret")) + "/secret"
			cs := connect(t, &mcp.StreamableClientTransport{Endpoint: url}, version)
			defer cs.Close()
			if got := cs.InitializeResult(); got.Instructions != "规则: be kind" || got.ProtocolVersion != version {
				t.Errorf("handshake = %+v", got)
			}
			list, err := cs.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 15 || list.Tools[0].Name != "t14" {
				t.Fatalf("list = %v, %v", list, err)
			}
			if text, failed := sdkCall(t, cs, "t01", map[string]any{"z": "汉"}); text != `{"z":"汉"}` || failed {
				t.Errorf("call = %q, %v", text, failed)
			}
			if text, failed := sdkCall(t, cs, "no_such_tool", nil); text != "no tool no_such_tool" || !failed {
				t.Errorf("unknown tool = %q, %v", text, failed)
			}
			prompt, err := cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "task"})
			if err != nil || len(prompt.Messages) != 1 {
				t.Errorf("prompt = %v, %v", prompt, err)
			}
			sdkCall(t, cs, "end", nil)
			if text, failed := sdkCall(t, cs, "t01", nil); text != "the episode is over: limit of calls" || !failed {
				t.Errorf("after the end = %q, %v", text, failed)
			}
			calls := f.calls()
			if len(calls) != 3 || calls[0].ID == nil || *calls[0].ID == "" {
				t.Errorf("episode saw %+v", calls)
			}
			f.check(t)
		})
	}
}

func TestHTTPRaw(t *testing.T) {
	f := &fake{}
	url := listen(t, newServer(f).Handler("")) + "/"
	status, v, _ := post(t, url, callLine(`"a\u6c49"`, "t01", `{"n":1e400,"s":"\ud800","b":12345678901234567890123}`),
		callHeader, "forged")
	if text, failed := answer(t, v); status != 200 || failed || text != `{"n":1e400,"s":"\ud800","b":12345678901234567890123}` {
		t.Errorf("answer = %d %s", status, v)
	}
	if id := f.calls()[0].ID; id == nil || *id != "a汉" {
		t.Errorf("id = %v", id)
	}
	// A batch, which the protocol had until 2025-03-26, has no one id to pass on.
	_, v, _ = post(t, url, `[`+callLine("5", "t01", `{}`)+`]`, callHeader, "forged")
	if v.Index(0).Get("id").String() != "5" || f.calls()[1].ID != nil {
		t.Errorf("batch: %s", v)
	}
	if status, _, _ := post(t, url, callLine("1", "t01", `"`+strings.Repeat("x", MaxMessage)+`"`)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("long message: %d", status)
	}
	if status, _, _ := post(t, url, `{"jsonrpc":`); status != http.StatusBadRequest {
		t.Errorf("no JSON: %d", status)
	}
	if n := len(f.calls()); n != 2 {
		t.Errorf("episode saw %d calls", n)
	}
}

func TestGuard(t *testing.T) {
	f := &fake{}
	base := listen(t, newServer(f).Handler("secret"))
	host := strings.TrimPrefix(base, "http://")
	_, port, _ := strings.Cut(host, ":")
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	tests := []struct {
		path    string
		headers []string
		want    int
	}{
		{"/secret", nil, 200},
		{"/secret/", nil, 200},
		{"/secret", []string{"Origin", base}, 200},
		{"/secret", []string{"Host", "localhost:" + port}, 200},
		{"/secret", []string{"Host", "localhost:" + port, "Origin", "http://localhost:" + port}, 200},
		{"/", nil, 404},
		{"", nil, 404},
		{"/secre", nil, 404},
		{"/secrets", nil, 404},
		{"/Secret", nil, 404},
		{"/secret/more", nil, 404},
		{"/x/secret", nil, 404},
		// DNS rebinding: the page's name resolves to a loopback address.
		{"/secret", []string{"Host", "evil.example:" + port, "Origin", "http://evil.example:" + port}, 403},
		{"/secret", []string{"Host", "evil.example"}, 403},
		{"/secret", []string{"Host", "127.0.0.1.evil.example"}, 403},
		// A page of another site that knows the port.
		{"/secret", []string{"Origin", "https://evil.example"}, 403},
		{"/secret", []string{"Origin", "http://localhost:1"}, 403},
		{"/secret", []string{"Origin", "null"}, 403},
		{"/secret", []string{"Origin", "file://"}, 403},
		{"/secret", []string{"Origin", "http://%zz"}, 403},
	}
	for _, tt := range tests {
		if got, _, _ := post(t, base+tt.path, ping, tt.headers...); got != tt.want {
			t.Errorf("%s %q: %d, want %d", tt.path, tt.headers, got, tt.want)
		}
	}
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:1": true, "127.0.0.1": true, "127.9.9.9:80": true, "[::1]:80": true, "[::1]": true, "::1": true,
		"[::ffff:127.0.0.1]:1": true,
		"":                     false, "10.0.0.1": false, "evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example:80": false, "0.0.0.0": false,
	} {
		if got := loopback(host); got != want {
			t.Errorf("loopback(%q) = %v", host, got)
		}
	}
}

// TestConcurrent has many clients call at the same time; the fake complains if two
// calls overlap.
func TestConcurrent(t *testing.T) {
	f := &fake{}
	url := listen(t, newServer(f).Handler("s")) + "/s"
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				args := fmt.Sprintf(`{"i":%d,"j":%d}`, i, j)
				_, v, _ := post(t, url, callLine("1", "t01", args))
				if text, failed := answer(t, v); text != args || failed {
					t.Errorf("answer = %s", v)
				}
			}
		})
	}
	wg.Wait()
	if n := len(f.calls()); n != 160 {
		t.Errorf("%d calls", n)
	}
	f.check(t)
}

// TestClientLeaves has a client give up a call that runs: it is finished and stands
// in the episode, and the next one is executed after it.
func TestClientLeaves(t *testing.T) {
	f := &fake{gate: make(chan struct{}), started: make(chan string, 10)}
	url := listen(t, newServer(f).Handler("")) + "/"
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(callLine("1", "wait", `{}`)))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if resp, err := http.DefaultClient.Do(req); err == nil {
			resp.Body.Close()
			t.Error("the call was answered")
		}
	}()
	<-f.started
	cancel()
	<-left
	go func() { f.gate <- struct{}{} }()
	_, v, _ := post(t, url, callLine("2", "t02", `{}`))
	if text, failed := answer(t, v); text != "{}" || failed {
		t.Errorf("answer = %s", v)
	}
	if calls := f.calls(); len(calls) != 2 || calls[0].Name != "wait" {
		t.Errorf("episode saw %+v", calls)
	}
	f.check(t)
}

// TestListenEnd: the end of the listener's context ends the call that runs.
func TestListenEnd(t *testing.T) {
	f := &fake{gate: make(chan struct{}), started: make(chan string, 1)}
	s := newServer(f)
	ctx, cancel := context.WithCancelCause(t.Context())
	url, stop, err := Listen(ctx, s.Handler(""))
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(callLine("1", "wait", "{}")))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	go func() {
		if resp, err := http.DefaultClient.Do(req); err == nil {
			resp.Body.Close()
		}
	}()
	<-f.started
	why := errors.New("time is up")
	cancel(why)
	if err := stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	s.finish() // waits for the call
	if !errors.Is(s.over, why) {
		t.Errorf("the call ended with %v", s.over)
	}
}

// TestLeftWhileWaiting: a call whose client leaves before its turn is not executed.
func TestLeftWhileWaiting(t *testing.T) {
	f := &fake{}
	s := newServer(f)
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), proposalKey{}, proposal{name: "t01"}))
	s.turn <- struct{}{} // another call runs
	done := make(chan error, 1)
	go func() {
		_, err := s.callTool(ctx, nil)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("call = %v", err)
	}
	<-s.turn
	if _, err := s.callTool(ctx, nil); !errors.Is(err, context.Canceled) { // its turn comes, but it has left
		t.Errorf("call = %v", err)
	}
	if n := len(f.calls()); n != 0 {
		t.Errorf("%d calls were executed", n)
	}
}
