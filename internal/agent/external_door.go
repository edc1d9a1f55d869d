package agent

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"gauntlet/internal/trace"
)

// door is an episode as its MCP server sees it. It knows whether the agent ever
// came, and why the episode ended, and it can be shut: nothing reaches the episode
// after close has returned.
type door struct {
	ep    Episode
	asked atomic.Bool   // the agent asked for the tools or called one
	over  chan struct{} // closed when the episode ends

	mu   sync.Mutex // held while a call is carried out
	shut bool
	end  error // of the call that ended the episode
}

func newDoor(ep Episode) *door { return &door{ep: ep, over: make(chan struct{})} }

// Tools implements [mcp.Episode], as does Act.
func (d *door) Tools() []trace.Tool { return d.ep.Tools() }

func (d *door) Act(ctx context.Context, turn trace.Step) (done trace.Step, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut || d.end != nil {
		return turn, ErrOver
	}
	d.asked.Store(true)
	defer func() {
		// A server's goroutine: nobody else would catch a fault of ours, and it would
		// end all cells at once.
		if p := recover(); p != nil {
			err = &Failure{Kind: trace.ErrorInternal, Err: fmt.Errorf("panic: %v", p)}
		}
		if d.end = err; err != nil {
			close(d.over)
		}
	}()
	return d.ep.Act(ctx, turn)
}

// close waits for the call that is carried out and lets no more through.
func (d *door) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = true
}

// watch notes requests for the list of tools. An agent that never saw it cannot
// have acted as it would have.
func (d *door) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(r.Context()) // a handler must not change the request it was given
		r.Body = &watched{ReadCloser: r.Body, door: d}
		next.ServeHTTP(w, r)
	})
}

// asksForTools reports whether a message, or one of a batch, asks for the tools.
func asksForTools(message trace.Value) bool {
	return message.Get("method").Text() == "tools/list" || slices.ContainsFunc(message.Items(), asksForTools)
}

// watchedBytes is more than any request for the list of tools has.
const watchedBytes = 64 << 10

// watched is the body of a request that is being read. Without the token none is.
type watched struct {
	io.ReadCloser
	door *door
	text []byte
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.text = append(b.text, p[:min(n, watchedBytes-len(b.text))]...)
	if err == io.EOF {
		// Before the answer: the agent may be gone as soon as it has that.
		if v, _, parseErr := trace.ParseValue(b.text); parseErr == nil && asksForTools(v) {
			b.door.asked.Store(true)
		}
	}
	return n, err
}
