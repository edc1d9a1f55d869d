package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/trace"
)

// house opens fakes and remembers them.
type house struct {
	mu     sync.Mutex
	opened []*fake
	paths  []string
	closed chan *Server
	refuse error
}

func (h *house) open(_ context.Context, r *http.Request) (*Server, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refuse != nil {
		return nil, h.refuse
	}
	f := &fake{}
	h.opened = append(h.opened, f)
	h.paths = append(h.paths, r.URL.Path)
	return newServer(f), nil
}

func (h *house) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.opened)
}

func serveHouse(t *testing.T, o HandlerOptions) (*house, *Episodes, string) {
	t.Helper()
	h := &house{closed: make(chan *Server, 100)}
	o.Closed = func(s *Server) { h.closed <- s }
	e := Handler(h.open, o)
	url := listen(t, e)
	t.Cleanup(e.Close) // before the listener stops
	return h, e, url
}

// TestSessions: two sessions are two episodes, also for a client that asks in the
// stateless era first.
func TestSessions(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			h, _, url := serveHouse(t, HandlerOptions{Token: "k"})
			var sessions []*mcp.ClientSession
			for i := range 2 {
				cs := connect(t, &mcp.StreamableClientTransport{Endpoint: url + "/k"}, version)
				defer cs.Close()
				sessions = append(sessions, cs)
				if n := h.count(); n != i+1 {
					t.Fatalf("%d episodes after %d sessions", n, i+1)
				}
			}
			for i, cs := range sessions {
				for range i + 1 {
					if text, failed := sdkCall(t, cs, "t01", map[string]any{"i": i}); failed || text != fmt.Sprintf(`{"i":%d}`, i) {
						t.Errorf("call = %q, %v", text, failed)
					}
				}
				if n := len(h.opened[i].calls()); n != i+1 {
					t.Errorf("episode %d saw %d calls", i, n)
				}
				if id := h.opened[i].calls()[0].ID; id == nil || *id == "" {
					t.Errorf("call without id")
				}
			}
			if err := sessions[0].Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			<-h.closed
			if text, failed := sdkCall(t, sessions[1], "t02", nil); failed || text != "{}" {
				t.Errorf("second session after the end of the first: %q", text)
			}
			if n := h.count(); n != 2 {
				t.Errorf("%d episodes were opened", n)
			}
		})
	}
}

func TestNoSession(t *testing.T) {
	h, _, url := serveHouse(t, HandlerOptions{})
	modern := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t01","arguments":{},` + meta + `}}`
	for _, body := range []string{callLine("2", "t01", "{}"), modern} {
		status, v, _ := post(t, url, body, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "t01")
		if message := v.Get("error").Get("message").Text(); status != 400 || v.Get("id").String() != "2" || !strings.Contains(message, "/episode/NAME") {
			t.Errorf("call without a session: %d %s", status, v)
		}
	}
	if status, _, _ := post(t, url, callLine("2", "t01", "{}"), "Mcp-Session-Id", "guess"); status != 404 {
		t.Errorf("call in an unknown session: %d", status)
	}
	if n := h.count(); n != 0 {
		t.Errorf("%d episodes were opened", n)
	}
	// A handshake that fails leaves no episode.
	post(t, url, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":7}`)
	if h.count() != 1 {
		t.Fatal("no episode for the handshake")
	}
	<-h.closed
}

func TestNamed(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			h, _, url := serveHouse(t, HandlerOptions{Token: "k"})
			for i, name := range []string{"a", "b.2-x_Y", "a"} {
				cs := connect(t, &mcp.StreamableClientTransport{Endpoint: url + "/k/episode/" + name}, version)
				if text, failed := sdkCall(t, cs, "t01", map[string]any{"i": i}); failed || text != fmt.Sprintf(`{"i":%d}`, i) {
					t.Errorf("call = %q, %v", text, failed)
				}
				cs.Close()
			}
			if n := h.count(); n != 2 {
				t.Fatalf("%d episodes for two names", n)
			}
			if len(h.opened[0].calls()) != 2 || len(h.opened[1].calls()) != 1 {
				t.Error("calls went to the wrong episodes")
			}
			if h.paths[0] != "/episode/a" {
				t.Errorf("path = %q", h.paths[0])
			}
			for _, want := range []int{204, 404} {
				req, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, url+"/k/episode/a", nil)
				if status, _, _ := do(t, req); status != want {
					t.Errorf("delete: %d, want %d", status, want)
				}
			}
			<-h.closed
			post(t, url+"/k/episode/a", callLine("1", "t01", "{}"))
			if n := h.count(); n != 3 {
				t.Errorf("%d episodes after the name was used again", n)
			}
			for _, bad := range []string{"", "a/b", "%2e%2e%2fx", "汉", strings.Repeat("x", 129)} {
				if status, _, _ := post(t, url+"/k/episode/"+bad, callLine("1", "t01", "{}")); status != 404 {
					t.Errorf("name %q: %d", bad, status)
				}
			}
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/k/episode/new", nil)
			if status, _, _ := do(t, req); status != 405 || h.count() != 3 {
				t.Errorf("GET: %d, %d episodes", status, h.count())
			}
		})
	}
}

func TestLimit(t *testing.T) {
	h, _, url := serveHouse(t, HandlerOptions{Limit: 2})
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`
	if status, _, header := post(t, url, initialize); status != 200 || header.Get("Mcp-Session-Id") == "" {
		t.Fatalf("first: %d %v", status, header)
	}
	if status, _, _ := post(t, url+"/episode/a", callLine("1", "t01", "{}")); status != 200 {
		t.Fatalf("second: %d", status)
	}
	for _, path := range []string{"", "/episode/b"} {
		if status, v, _ := post(t, url+path, initialize); status != 503 || !strings.Contains(v.Get("error").Get("message").Text(), "too many") {
			t.Errorf("third at %q: %d %s", path, status, v)
		}
	}
	if status, _, _ := post(t, url+"/episode/a", callLine("1", "t01", "{}")); status != 200 {
		t.Errorf("an open episode: %d", status)
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, url+"/episode/a", nil)
	do(t, req)
	if status, _, _ := post(t, url+"/episode/b", callLine("1", "t01", "{}")); status != 200 {
		t.Errorf("after one was closed: %d", status)
	}

	h.mu.Lock()
	h.refuse = errors.New("no such case")
	h.mu.Unlock()
	req, _ = http.NewRequestWithContext(t.Context(), http.MethodDelete, url+"/episode/b", nil)
	do(t, req)
	for range 3 { // refused openings do not count
		if status, v, _ := post(t, url+"/episode/c", callLine("1", "t01", "{}")); status != 500 || !strings.Contains(v.String(), "no such case") {
			t.Errorf("refused: %d %s", status, v)
		}
	}
	h.mu.Lock()
	h.refuse = nil
	h.mu.Unlock()
	if status, _, _ := post(t, url+"/episode/c", callLine("1", "t01", "{}")); status != 200 {
		t.Errorf("after refusals: %d", status)
	}
}

func TestCloseEpisodes(t *testing.T) {
	h, e, url := serveHouse(t, HandlerOptions{})
	cs := connect(t, &mcp.StreamableClientTransport{Endpoint: url}, "")
	defer cs.Close()
	post(t, url+"/episode/a", callLine("1", "t01", "{}"))
	e.Close()
	if n := len(h.closed); n != 2 {
		t.Errorf("%d episodes were closed", n)
	}
	for _, path := range []string{"", "/episode/a"} {
		initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`
		if status, _, _ := post(t, url+path, initialize); status != 503 {
			t.Errorf("after the end at %q: %d", path, status)
		}
	}
	e.Close() // again
	if h.count() != 2 || len(h.closed) != 2 {
		t.Errorf("%d opened, %d closed", h.count(), len(h.closed))
	}
}

func TestIdle(t *testing.T) {
	h, _, url := serveHouse(t, HandlerOptions{Idle: time.Millisecond})
	post(t, url, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`)
	<-h.closed
}

// TestClosedIsOver: a call that was on its way when its episode was closed is not
// executed.
func TestClosedIsOver(t *testing.T) {
	f := &fake{gate: make(chan struct{}), started: make(chan string, 2)}
	closed := make(chan *Server, 1)
	e := Handler(func(context.Context, *http.Request) (*Server, error) { return newServer(f), nil },
		HandlerOptions{Closed: func(s *Server) { closed <- s }})
	url := listen(t, e)
	first := make(chan trace.Value)
	go func() {
		_, v, _ := post(t, url+"/episode/a", callLine("1", "wait", "{}"))
		first <- v
	}()
	<-f.started
	go e.Close()
	f.gate <- struct{}{}
	if text, failed := answer(t, <-first); text != "{}" || failed {
		t.Errorf("the call that ran: %q", text)
	}
	srv := <-closed
	res, err := srv.callTool(context.WithValue(t.Context(), proposalKey{}, proposal{name: "t01"}), nil)
	if err != nil || !res.IsError || len(f.calls()) != 1 {
		t.Errorf("after the end: %+v, %v, %d calls", res, err, len(f.calls()))
	}
}
