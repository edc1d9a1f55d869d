package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/trace"
)

// bridgeTo connects the test to a URL through a bridge.
func bridgeTo(t *testing.T, url string) *wire {
	t.Helper()
	return serve(t, func(ctx context.Context, in io.Reader, out io.Writer) error { return Bridge(ctx, url, in, out) })
}

// TestBridgeClient has the SDK's client work through a bridge as it does directly,
// in both eras and with all three kinds of handlers.
func TestBridgeClient(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		for _, path := range []string{"", "/episode/a"} {
			t.Run(version+path, func(t *testing.T) {
				h, _, url := serveHouse(t, HandlerOptions{})
				ctx, cancel := context.WithCancel(t.Context())
				inR, inW := io.Pipe()
				outR, outW := io.Pipe()
				done := make(chan error, 1)
				go func() {
					err := Bridge(ctx, url+path, inR, outW)
					outW.Close()
					done <- err
				}()
				cs := connect(t, &mcp.IOTransport{Reader: outR, Writer: inW}, version)
				list, err := cs.ListTools(ctx, nil)
				if err != nil || len(list.Tools) != 15 {
					t.Fatalf("list: %v", err)
				}
				for i := range 3 {
					if text, failed := sdkCall(t, cs, "t01", map[string]any{"i": i}); failed || text != fmt.Sprintf(`{"i":%d}`, i) {
						t.Errorf("call = %q, %v", text, failed)
					}
				}
				if text, failed := sdkCall(t, cs, "nothing", nil); !failed || text != "no tool nothing" {
					t.Errorf("unknown tool = %q", text)
				}
				cs.Close()
				if err := <-done; err != nil {
					t.Errorf("bridge: %v", err)
				}
				cancel()
				if path == "" {
					<-h.closed // the bridge ends the session that it began
				}
				if n := h.count(); n != 1 {
					t.Errorf("%d episodes", n)
				}
			})
		}
	}
}

// TestBridgeExact sends what a re-encoding would change, through the bridge to an
// episode.
func TestBridgeExact(t *testing.T) {
	f := &fake{}
	w := bridgeTo(t, listen(t, newServer(f).Handler("s"))+"/s")
	w.handshake("2025-06-18")
	for i, args := range []string{
		`{"z":1,"a":1.0,"big":123456789012345678901,"e":1e400}`,
		`{"s":"\ud800 취미"}`,
		`{"a":1,"a":2}`,
	} {
		v := w.ask(callLine(fmt.Sprintf(`"id-%d"`, i), "t01", args))
		if text, failed := answer(t, v); text != args || failed || v.Get("id").Text() != fmt.Sprintf("id-%d", i) {
			t.Errorf("%s: %s", args, v)
		}
	}
	if text, _ := answer(t, w.ask(callLine("9", "say", `{"text":"\ud800 <汉>"}`))); text != "\uFFFD <汉>" {
		t.Errorf("answer = %q", text)
	}
	if err := w.end(); err != nil {
		t.Errorf("bridge: %v", err)
	}
}

func TestBridgeOrder(t *testing.T) {
	const n = 100
	f := &fake{gate: make(chan struct{}), started: make(chan string, 2*n)}
	w := bridgeTo(t, listen(t, newServer(f).Handler("s"))+"/s")
	w.handshake("2025-06-18")
	w.send(callLine("0", "wait", "{}"))
	<-f.started
	for i := range n {
		w.send(callLine(fmt.Sprint(i+1), "t01", fmt.Sprintf(`{"i":%d}`, i)))
	}
	// A ping is not held up by calls that wait, and a call that waits can be cancelled.
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":50}}`)
	if v := w.ask(`{"jsonrpc":"2.0","id":"p","method":"ping"}`); v.Get("id").Text() != "p" {
		t.Fatalf("ping = %s", v)
	}
	f.gate <- struct{}{}
	for i := range n + 1 {
		if i == 50 {
			continue
		}
		if _, v := w.read(); v.Get("id").String() != fmt.Sprint(i) {
			t.Fatalf("answer %d = %s", i, v)
		}
	}
	if err := w.end(); err != nil {
		t.Errorf("bridge: %v", err)
	}
	if got := len(f.calls()); got != n {
		t.Errorf("%d calls were executed", got)
	}
	f.check(t)
}

// script is a server that answers each POST with what a function says.
func script(t *testing.T, f func(w http.ResponseWriter, m header)) string {
	t.Helper()
	return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, m, ok := receiveBody(w, r)
		if ok {
			f(w, m)
		}
	}))
}

// TestBridgeCursor: 14 tools in pages of 8 are 14 tools in two requests.
func TestBridgeCursor(t *testing.T) {
	var requests atomic.Int32
	url := script(t, func(w http.ResponseWriter, m header) {
		requests.Add(1)
		from, to, next := 0, 8, `,"nextCursor":"p\u0032"`
		if m.params.Get("cursor").Text() == "p2" {
			from, to, next = 8, 14, ""
		}
		var tools []string
		for i := from; i < to; i++ {
			tools = append(tools, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"}}`, i))
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, "{\"jsonrpc\":\"2.0\",\n \"id\":%s,\"result\":{\"tools\":[%s]%s}}\n", m.id, strings.Join(tools, ","), next)
	})
	b := bridgeTo(t, url)
	seen := map[string]bool{}
	cursor := ""
	for i := 0; ; i++ {
		v := b.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s}}`, i, cursor))
		for _, tool := range v.Get("result").Get("tools").Items() {
			seen[tool.Get("name").Text()] = true
		}
		next := v.Get("result").Get("nextCursor")
		if !next.Exists() {
			break
		}
		cursor = `"cursor":` + next.String()
	}
	if len(seen) != 14 || requests.Load() != 2 {
		t.Errorf("%d tools in %d requests", len(seen), requests.Load())
	}
}

// TestBridgeEndless: a list that never ends stops with an error.
func TestBridgeEndless(t *testing.T) {
	url := script(t, func(w http.ResponseWriter, m header) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[],"nextCursor":"again"}}`, m.id)
	})
	b := bridgeTo(t, url)
	for range 2 { // a new list begins to count anew
		cursor := ""
		for i := 1; ; i++ {
			v := b.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%s}}`, i, cursor))
			cursor = `"cursor":"again"`
			if v.Get("error").Exists() {
				if i != maxPages+1 {
					t.Errorf("stopped after %d pages: %s", i-1, v)
				}
				break
			}
			if i > maxPages {
				t.Fatal("did not stop")
			}
		}
	}
}

// TestBridgeTroubles: what is no answer becomes an error with the id of the request.
func TestBridgeTroubles(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":1,"result":{"x":[1.0]}}`
	tests := []struct {
		name, media string
		status      int
		body        string
		want        string // the line, or a part of the error's message
	}{
		{"json", "application/json", 200, good, good},
		{"json with charset", "application/json; charset=utf-8", 200, " " + good + "\n", good},
		{"json over lines", "application/json", 200, "{\"jsonrpc\":\"2.0\",\r\n\"id\":1,\n\"result\":{\"x\":[1.0]}}", good},
		{"events", "text/event-stream", 200, ": hello\n\nid: 7\nevent: message\ndata: " + good + "\n\ndata: never read\n\n", good},
		{"events with \\r\\n", "text/event-stream", 200, "data:" + good + "\r\n\r\n", good},
		{"data over lines", "text/event-stream", 200, "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"result\":{\"x\":[1.0]}}\n\n", good},
		{"other events first", "text/event-stream", 200, "event: prime\ndata: x\n\nevent: close\n\ndata\n\ndata: " + good + "\n\n", good},
		{"protocol error", "application/json", 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m"}}`},
		{"cut off", "text/event-stream", 200, "data: " + good, "without"},
		{"no events", "text/event-stream", 200, "", "without"},
		{"accepted", "", 202, "", "server answered 202"},
		{"not found", "text/plain", 404, "404 page not found", "server answered 404: 404 page not found"},
		{"page", "text/html", 200, "<html>", "server answered 200: <html>"},
		{"error of a proxy", "application/json", 502, `{"error":"bad gateway"}`, "server answered 502"},
		{"no JSON", "application/json", 200, `{"jsonrpc":`, "read answer"},
		{"answer to another", "application/json", 200, `{"jsonrpc":"2.0","id":2,"result":{}}`, ""},
		{"redirect", "text/plain", 307, "elsewhere", "server answered 307"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url := script(t, func(w http.ResponseWriter, _ header) {
				if tt.media != "" {
					w.Header().Set("Content-Type", tt.media)
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			b := bridgeTo(t, url)
			b.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
			text, v := b.read()
			switch {
			case tt.want == "":
				if _, v := b.read(); v.Get("id").String() != "1" || !v.Get("error").Exists() {
					t.Errorf("after %s: %s", text, v)
				}
			case strings.HasPrefix(tt.want, "{"):
				if text != tt.want {
					t.Errorf("got %s", text)
				}
			case v.Get("id").String() != "1" || !strings.Contains(v.Get("error").Get("message").Text(), tt.want):
				t.Errorf("got %s", text)
			}
			if v := b.ask(`nonsense`); v.Get("error").Get("code").String() != "-32700" {
				t.Errorf("nonsense: %s", v)
			}
			if err := b.end(); err != nil {
				t.Errorf("bridge: %v", err)
			}
		})
	}
}

// TestBridgeSecret: the URL is in no message.
func TestBridgeSecret(t *testing.T) {
	url, stop, err := Listen(t.Context(), http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	for _, u := range []string{url + "/topsecret", "http://%zz/topsecret", "ftp://127.0.0.1/topsecret"} {
		b := bridgeTo(t, u)
		v := b.ask(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		if v.Get("error").Get("code").String() != "-32000" || strings.Contains(v.String(), "topsecret") {
			t.Errorf("%s", v)
		}
	}
}

func TestBridgeStreams(t *testing.T) {
	url := listen(t, newServer(&fake{}).Handler(""))
	broken := errors.New("broken pipe of ours")
	in := io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"), errReader{broken})
	if err := Bridge(t.Context(), url, in, io.Discard); !errors.Is(err, broken) {
		t.Errorf("bad input: %v", err)
	}
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
	if err := Bridge(t.Context(), url, r, errWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("bad output: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, w2 := io.Pipe()
	defer w2.Close()
	if err := Bridge(ctx, url, r, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

type errWriter struct{ err error }

func (w errWriter) Write([]byte) (int, error) { return 0, w.err }

func FuzzPeek(f *testing.F) {
	for _, s := range []string{`{"id":1,"method":"x","params":{"_meta":{}}}`, `{"id":null}`, `[]`, `{"id":{},"method":3}`, `{"id":"\ud800"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := peek(data)
		if err != nil {
			return
		}
		if h.call() && h.method == "" {
			t.Error("a call without a method")
		}
		// An error that names the id can be read back.
		v, _, err := trace.ParseValue(failure(h.id, -1, h.idText()+h.version()))
		if err != nil {
			t.Fatal(err)
		}
		if h.id.Exists() && v.Get("id").String() != h.id.String() {
			t.Errorf("id %s became %s", h.id, v.Get("id"))
		}
	})
}

func FuzzEvents(f *testing.F) {
	for _, s := range []string{"data: {\"id\":1,\"result\":{}}\n\n", "event: x\r\ndata:\r\n\r\n", ":\n\n\ndata: [1,\ndata: 2]\n\n", "data"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		var out strings.Builder
		b := &bridge{out: &out, fail: func(error) {}}
		m := message{header: header{id: trace.Int(1), method: "x"}}
		answered, _ := b.events(m, strings.NewReader(stream))
		// All that comes out is one JSON text a line.
		for l := range strings.Lines(out.String()) {
			if _, _, err := trace.ParseValue([]byte(l)); err != nil || strings.ContainsRune(l, '\r') {
				t.Errorf("line %q: %v", l, err)
			}
		}
		if answered && out.Len() == 0 {
			t.Error("answered with nothing")
		}
	})
}
