package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/trace"
)

// childFlag makes the test binary serve a fake episode on its standard streams.
const childFlag = "GAUNTLET_TEST_MCP_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childFlag) != "" {
		if err := newServer(&fake{}).ServeStdio(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake is an episode whose tools are t00 to t14. A tool answers with its arguments;
// "fail" with an error, "end" with the end of the episode, "last" with an answer and
// the end, "wait" when gate lets it.
type fake struct {
	gate    chan struct{}
	started chan string // told of each call that begins, if not nil

	busy atomic.Int32
	mu   sync.Mutex
	log  []trace.Call
	bad  []string
}

const schema = `{"type":"object","properties":{"z":{"type":"string","minLength":0},"a":{"type":"integer","maximum":12345678901234567890}},"required":["z"],"x":"<&>"}`

func (f *fake) Tools() []trace.Tool {
	params, _, err := trace.ParseValue([]byte(schema))
	if err != nil {
		panic(err)
	}
	var tools []trace.Tool
	for i := range 15 {
		t := trace.Tool{Name: fmt.Sprintf("t%02d", 14-i), Description: "说明 <b> " + fmt.Sprint(i), Parameters: params, Effect: trace.EffectWrite}
		switch i {
		case 1:
			t.Effect = trace.EffectRead
		case 2:
			t.Effect, t.Parameters = "", trace.Value{}
		}
		tools = append(tools, t)
	}
	return tools
}

var errOver = errors.New("the episode is over")

func (f *fake) Act(ctx context.Context, turn trace.Step) (trace.Step, error) {
	if f.busy.Add(1) != 1 {
		f.complain("two calls at the same time")
	}
	defer f.busy.Add(-1)
	for range 50 { // leave time for a call that overlaps
		runtime.Gosched()
	}
	if turn.Role != trace.RoleAssistant || len(turn.Calls) != 1 {
		f.complain(fmt.Sprintf("turn of %s with %d calls", turn.Role, len(turn.Calls)))
	}
	c := &turn.Calls[0]
	if f.started != nil {
		f.started <- c.Name
	}
	o := &trace.Observation{Text: c.Arguments.String()}
	if c.RawArguments != nil {
		o = &trace.Observation{Text: "arguments are no object: " + *c.RawArguments, Error: &trace.CallError{Type: "Arguments"}}
	}
	var err error
	switch {
	case c.Name == "fail":
		o.Error = &trace.CallError{Type: "KeyError", Message: "x"}
	case c.Name == "end":
		o, err = nil, fmt.Errorf("limit of calls")
	case c.Name == "last":
		err = errOver
	case c.Name == "say":
		o.Text = c.Arguments.Get("text").Text()
	case c.Name == "wait":
		select {
		case <-f.gate:
		case <-ctx.Done():
			o, err = nil, context.Cause(ctx)
		}
	case !strings.HasPrefix(c.Name, "t"):
		o = &trace.Observation{Text: "no tool " + c.Name, Error: &trace.CallError{Type: "UnknownTool"}}
	}
	c.Observation = o
	f.mu.Lock()
	f.log = append(f.log, *c)
	f.mu.Unlock()
	return turn, err
}

func (f *fake) complain(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bad = append(f.bad, s)
}

func (f *fake) calls() []trace.Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]trace.Call(nil), f.log...)
}

func (f *fake) check(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.bad) > 0 {
		t.Errorf("episode complains: %q", f.bad)
	}
}

func newServer(ep Episode) *Server {
	return New(ep, Options{Name: "bank", Version: "1", Instructions: "规则: be kind", Task: "do <it> \xed\xa0\x80"})
}

// wire is the client's end of a connection over lines.
type wire struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

// serve runs f on pipes until the test ends.
func serve(t *testing.T, f func(ctx context.Context, in io.Reader, out io.Writer) error) *wire {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	w := &wire{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		err := f(ctx, inR, outW)
		outW.Close()
		w.done <- err
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		outR.Close()
	})
	return w
}

func serveFake(t *testing.T, f *fake) *wire {
	t.Helper()
	s := newServer(f)
	t.Cleanup(func() { f.check(t) })
	return serve(t, s.ServeStdio)
}

func (w *wire) send(lines ...string) {
	w.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(w.in, l+"\n"); err != nil {
			w.t.Fatalf("send: %v", err)
		}
	}
}

// read returns the next message as it stands on the line, and its value.
func (w *wire) read() (string, trace.Value) {
	w.t.Helper()
	l, err := w.out.ReadString('\n')
	if err != nil {
		w.t.Fatalf("read: %v", err)
	}
	v, _, err := trace.ParseValue([]byte(l))
	if err != nil {
		w.t.Fatalf("read %q: %v", l, err)
	}
	return strings.TrimSuffix(l, "\n"), v
}

func (w *wire) ask(line string) trace.Value {
	w.t.Helper()
	w.send(line)
	_, v := w.read()
	return v
}

// handshake is the legacy one with the given version.
func (w *wire) handshake(version string) trace.Value {
	w.t.Helper()
	v := w.ask(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return v
}

// end closes the input and returns what the other side returned.
func (w *wire) end() error {
	w.t.Helper()
	w.in.Close()
	return <-w.done
}

// callLine is a tools/call of the handshake era.
func callLine(id, name, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
}

// answer returns the text of a result and whether it is an error.
func answer(t *testing.T, v trace.Value) (string, bool) {
	t.Helper()
	content := v.Get("result").Get("content")
	if content.Len() != 1 || content.Index(0).Get("type").Text() != "text" {
		t.Fatalf("no text content in %s", v)
	}
	return content.Index(0).Get("text").Text(), v.Get("result").Get("isError").Bool()
}

// listen serves a handler until the test ends.
func listen(t *testing.T, h http.Handler) string {
	t.Helper()
	url, stop, err := Listen(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return url
}

// connect makes a session of the SDK's client.
func connect(t *testing.T, tr mcp.Transport, version string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	cs, err := c.Connect(t.Context(), tr, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	return cs
}

// sdkCall is a call with the SDK's client.
func sdkCall(t *testing.T, cs *mcp.ClientSession, name string, args any) (string, bool) {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("call %s: %v", name, err)
	}
	if len(res.Content) != 1 {
		t.Fatalf("call %s: %d contents", name, len(res.Content))
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}
