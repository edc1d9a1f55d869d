package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/trace"
)

// served is a running "gauntlet world mcp".
type served struct {
	cmd    *exec.Cmd
	stderr *bufio.Reader
	out    string // file with the traces
}

func startWorldMCP(t *testing.T, args ...string) *served {
	t.Helper()
	x := &served{out: filepath.Join(t.TempDir(), "traces.jsonl")}
	x.cmd = exec.Command("gauntlet", append([]string{"world", "mcp", "--case", "rush_shipments", "--out", x.out}, args...)...)
	pipe, err := x.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	x.stderr = bufio.NewReader(pipe)
	return x
}

// start starts the server; it dies with the test.
func (x *served) start(t *testing.T) {
	t.Helper()
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = x.cmd.Process.Kill(), x.cmd.Wait() })
}

// line is the next line of standard error.
func (x *served) line(t *testing.T) string {
	t.Helper()
	line, err := x.stderr.ReadString('\n')
	if err != nil {
		t.Fatalf("standard error ended after %q: %v", line, err)
	}
	return strings.TrimSuffix(line, "\n")
}

// traces are what was written until now, by id.
func (x *served) traces(t *testing.T) map[string]*trace.Trace {
	t.Helper()
	f, err := os.Open(x.out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]*trace.Trace{}
	for tr, err := range trace.NewReader(f, x.out).All() {
		if err != nil {
			t.Fatal(err)
		}
		if out[tr.ID] != nil {
			t.Errorf("two traces are called %s", tr.ID)
		}
		out[tr.ID] = tr
	}
	return out
}

func connectMCP(t *testing.T, url string) *mcp.ClientSession {
	t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func callMCP(t *testing.T, s *mcp.ClientSession, tool string) {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	if res.IsError {
		t.Errorf("%s: %v", tool, res.Content)
	}
}

var servedAt = regexp.MustCompile(`^serving case rush_shipments at (http://127\.0\.0\.1:\d+/(\S*)) `)

// Sessions are episodes of their own, names are shared; an episode is scored and
// written when it ends, and those that are left when the server does.
func TestWorldMCPOverHTTP(t *testing.T) {
	for _, token := range []string{"", "s3cret"} {
		args := []string{"--http", "127.0.0.1:0"}
		if token != "" {
			args = append(args, "--token", token)
		}
		x := startWorldMCP(t, args...)
		x.start(t)
		first := x.line(t)
		m := servedAt.FindStringSubmatch(first)
		if m == nil || m[2] != token {
			t.Fatalf("first line %q", first)
		}
		base := strings.TrimSuffix(m[1], "/")
		if token != "" {
			if got := post(t, strings.TrimSuffix(base, token)); got != http.StatusNotFound {
				t.Errorf("without the token: status %d", got)
			}
		}
		// Two clients of one name act in one episode; DELETE ends it.
		one, two := connectMCP(t, base+"/episode/shared"), connectMCP(t, base+"/episode/shared")
		callMCP(t, one, "list_orders")
		callMCP(t, two, "list_warehouses")
		req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, base+"/episode/shared", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got, want := x.line(t), "rush_shipments|mcp|1|episode 1 shared: BR 0.00 (fail), ASR -, exposed no, calls 2, ended by agent_done"; got != want {
			t.Errorf("line %q, want %q", got, want)
		}
		if len(x.traces(t)) != 1 {
			t.Errorf("%d traces after one episode", len(x.traces(t)))
		}
		// One is left open when the server is told to stop.
		callMCP(t, connectMCP(t, base+"/episode/open"), "list_orders")
		if runtime.GOOS == "windows" {
			continue // no signal but the kill
		}
		if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(x.stderr)
		if err != nil || !strings.Contains(string(rest), "|episode 2 open: ") {
			t.Errorf("the rest of standard error is %q, %v", rest, err)
		}
		if err := x.cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
		got := x.traces(t)
		var calls []int
		for _, tr := range got {
			calls = append(calls, len(tr.Calls()))
		}
		slices.Sort(calls)
		if !slices.Equal(calls, []int{1, 2}) {
			t.Errorf("traces of %v calls", calls)
		}
	}
}

func post(t *testing.T, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// A client of the handshake era has a session, and ends it.
func TestWorldMCPSessions(t *testing.T) {
	x := startWorldMCP(t, "--http", "127.0.0.1:0")
	x.start(t)
	url := servedAt.FindStringSubmatch(x.line(t))[1]
	for n, want := range []string{"rush_shipments|mcp|1: ", "rush_shipments|mcp|1|episode 2: "} {
		s := handshake(t, url)
		s.post(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_orders","arguments":{}}}`)
		s.post(t, "")
		if line := x.line(t); !strings.HasPrefix(line, want) || !strings.Contains(line, "calls 1,") {
			t.Errorf("session %d: line %q", n, line)
		}
	}
	if got := len(x.traces(t)); got != 2 {
		t.Errorf("%d traces after two sessions", got)
	}
}

// session is a session of a client that is written by hand, since the SDK's speaks
// of the newest era where it can.
type session struct{ url, id string }

func handshake(t *testing.T, url string) *session {
	t.Helper()
	s := &session{url: url}
	s.post(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if s.id == "" {
		t.Fatal("the handshake made no session")
	}
	s.post(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

// post sends a message, or without one the end of the session.
func (s *session) post(t *testing.T, message string) {
	t.Helper()
	method := http.MethodPost
	if message == "" {
		method = http.MethodDelete
	}
	req, err := http.NewRequestWithContext(t.Context(), method, s.url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if s.id != "" {
		req.Header.Set("Mcp-Session-Id", s.id)
		req.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 || strings.Contains(string(body), `"error":{`) {
		t.Fatalf("%s: status %d, %s, %v", message, resp.StatusCode, body, err)
	}
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		s.id = id
	}
}

// A client that stops its server by a signal gets its trace all the same.
func TestWorldMCPIsStopped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no signal but the kill")
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		x := startWorldMCP(t)
		in, err := x.cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := x.cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		x.start(t)
		s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.IOTransport{Reader: out, Writer: in}, nil)
		if err != nil {
			t.Fatal(err)
		}
		callMCP(t, s, "list_orders")
		if err := x.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if line := x.line(t); !strings.Contains(line, "calls 1, ended by agent_done") {
			t.Errorf("line %q", line)
		}
		if err := x.cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
		for id, tr := range x.traces(t) {
			if len(tr.Calls()) != 1 || !strings.Contains(tr.Termination.Detail, "signal") {
				t.Errorf("%s: %d calls, ended %v", id, len(tr.Calls()), tr.Termination)
			}
		}
	}
}
