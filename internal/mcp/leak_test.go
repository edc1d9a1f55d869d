package mcp

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestLeaks starts and stops servers of all kinds with clients at work. What they
// started must be gone when they have stopped, apart from what is about to end.
func TestLeaks(t *testing.T) {
	before := runtime.NumGoroutine()
	for i := range 50 {
		httpRound(t, i)
		stdioRound(t, i)
	}
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for runtime.NumGoroutine() > before+5 {
		select {
		case <-tick.C:
		case <-deadline:
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		}
	}
}

// httpRound has two sessions and a named episode, of which one client leaves and
// the others are left.
func httpRound(t *testing.T, i int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	h := &house{}
	e := Handler(h.open, HandlerOptions{})
	url, stop, err := Listen(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	var sessions []*mcp.ClientSession
	for _, path := range []string{"", "", "/episode/a"} {
		cs := connect(t, &mcp.StreamableClientTransport{Endpoint: url + path, HTTPClient: &http.Client{Transport: tr}}, "")
		sdkCall(t, cs, "t01", nil)
		sessions = append(sessions, cs)
	}
	sessions[0].Close()
	e.Close()
	if i%2 == 0 {
		if err := stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	}
	cancel()
	for _, cs := range sessions[1:] {
		cs.Close()
	}
}

// stdioRound has a client on a bridge and one on a pipe; they end in turn by the end
// of their input and of the context.
func stdioRound(t *testing.T, i int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := newServer(&fake{})
	url, stop, err := Listen(ctx, s.Handler("k"))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []func(io.Reader, io.Writer) error{
		func(in io.Reader, out io.Writer) error { return s.ServeStdio(ctx, in, out) },
		func(in io.Reader, out io.Writer) error { return Bridge(ctx, url+"/k", in, out) },
	} {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		done := make(chan error, 1)
		go func() {
			err := run(inR, outW)
			outW.Close()
			done <- err
		}()
		cs := connect(t, &mcp.IOTransport{Reader: outR, Writer: inW}, "")
		sdkCall(t, cs, "t01", nil)
		if i%2 == 0 {
			cancel()
			if err := <-done; err == nil {
				t.Error("the end of the context is no error")
			}
			cs.Close()
			break // the server is gone
		}
		cs.Close()
		if err := <-done; err != nil {
			t.Errorf("end: %v", err)
		}
	}
	if err := stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
}
