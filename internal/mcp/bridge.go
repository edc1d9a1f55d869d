package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gauntlet/internal/trace"
)

const (
	// maxPages is the most pages of tools/list in a row that Bridge asks for: a
	// server that never ends its list would keep a client busy for ever.
	maxPages = 1000
	// maxAnswer is the greatest length of an answer that Bridge passes on.
	maxAnswer = 64 << 20
	// codeBridge is the JSON-RPC error of a request that got no answer, from the
	// range that JSON-RPC leaves to implementations.
	codeBridge = -32000
)

// Bridge connects a client that speaks the stdio transport to a server at a URL:
// the lines of in are posted to it, and what it answers is written to out, a message
// a line. It returns nil when in ends and everything is answered, the context's
// error when ctx ends, and an error when in or out fails.
//
// Messages pass as they are, with their ids, cursors, numbers and escapes. Calls are
// posted one after the other, in the order in which they came; one that the client
// cancels while it waits is not posted. A request that the
// server does not answer with a message is answered with a JSON-RPC error; the URL,
// which may hold a secret, is in none. What a server sends on its own is not asked
// for: servers of episodes send nothing. The proxy of the environment is not used.
//
// If in is an io.Closer, the end of ctx closes it, since nothing else ends a read.
func Bridge(ctx context.Context, url string, in io.Reader, out io.Writer) error {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b := &bridge{
		url: url,
		client: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		out:      out,
		fail:     cancel,
		underway: make(chan struct{}, maxHeld),
		cancels:  map[string]context.CancelFunc{},
	}
	err := b.run(ctx, in)
	b.leave(ctx)
	return err
}

type bridge struct {
	url    string
	client *http.Client
	fail   context.CancelCauseFunc // ends the bridge, since out cannot be written
	pages  int                     // of the list of tools that is being read

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	session string                        // of the handshake era
	version string                        // of the protocol, as far as it is known
	cancels map[string]context.CancelFunc // of calls without an answer, by id

	underway chan struct{} // holds an element for each other request without an answer
	work     sync.WaitGroup
}

// message is a line and what it says of itself.
type message struct {
	header
	data []byte
}

// call is a tools/call and the context in which it is posted.
type call struct {
	message
	ctx context.Context
}

func (b *bridge) run(ctx context.Context, in io.Reader) error {
	quit := make(chan struct{})
	defer close(quit)
	lines := readLines(in, quit)
	calls := make(chan call, maxHeld)
	b.work.Go(func() {
		for c := range calls {
			b.post(c.ctx, c.message)
			b.cancel(c.id)
		}
	})
	err := b.read(ctx, lines, calls)
	close(calls)
	if ctx.Err() != nil {
		closeReader(in)
	}
	b.work.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// read hands the lines out to whoever posts them, until they end.
func (b *bridge) read(ctx context.Context, lines <-chan line, calls chan<- call) error {
	for {
		var l line
		select {
		case l = <-lines:
		case <-ctx.Done():
			return nil
		}
		switch {
		case errors.Is(l.err, errLong):
			b.write(failure(trace.Value{}, jsonrpc.CodeInvalidRequest, l.err.Error()))
			continue
		case errors.Is(l.err, io.EOF):
			return nil
		case l.err != nil:
			return fmt.Errorf("read message: %w", l.err)
		}
		h, err := peek(l.data)
		if err != nil {
			b.write(failure(trace.Value{}, jsonrpc.CodeParseError, err.Error()))
			continue
		}
		b.dispatch(ctx, message{h, l.data}, calls)
	}
}

// dispatch posts a message: at once if what follows depends on it, else beside the
// others, so that a call that takes long does not hold up a ping.
func (b *bridge) dispatch(ctx context.Context, m message, calls chan<- call) {
	switch {
	case m.call() && m.method == "tools/call":
		own, cancel := context.WithCancel(ctx)
		b.mu.Lock()
		b.cancels[m.id.String()] = cancel
		b.mu.Unlock()
		select {
		case calls <- call{m, own}:
		case <-ctx.Done():
			cancel()
		}
	case m.method == "notifications/cancelled":
		b.cancel(m.params.Get("requestId"))
		b.post(ctx, m)
	case m.method == "tools/list" && !b.page(m):
		b.write(failure(m.id, codeBridge, fmt.Sprintf("tools/list does not end after %d pages", maxPages)))
	case !m.call() || m.method == "initialize":
		b.post(ctx, m)
	default:
		b.underway <- struct{}{}
		b.work.Go(func() {
			defer func() { <-b.underway }()
			b.post(ctx, m)
		})
	}
}

// cancel gives up the call with an id, if it has no answer yet. One that waits for
// its turn is not posted; of one that was, the answer is not waited for.
func (b *bridge) cancel(id trace.Value) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cancel := b.cancels[id.String()]; cancel != nil {
		delete(b.cancels, id.String())
		cancel()
	}
}

// page counts the pages of a list, and reports whether one more may be asked for.
func (b *bridge) page(m message) bool {
	if !m.params.Get("cursor").Exists() {
		b.pages = 0
	}
	b.pages++
	return b.pages <= maxPages
}

// post sends one message and writes what comes back.
func (b *bridge) post(ctx context.Context, m message) {
	err := b.exchange(ctx, m)
	if err == nil || !m.call() || ctx.Err() != nil {
		return // a notification has no answer to put an error in
	}
	b.write(failure(m.id, codeBridge, err.Error()))
}

// forward writes a message of the server as one line. It reports whether the
// message is the answer to m.
func (b *bridge) forward(m message, data []byte) (bool, error) {
	h, err := peek(data)
	if err != nil && !json.Valid(data) { // a batch is valid, and passes
		return false, fmt.Errorf("read answer: %w", err)
	}
	answer := err == nil && h.method == "" && h.id.Exists() && trace.Equal(h.id, m.id)
	if answer && m.method == "initialize" {
		b.handshake(data)
	}
	if bytes.ContainsAny(data, "\n\r") {
		var one bytes.Buffer
		if err := json.Compact(&one, data); err != nil {
			return false, fmt.Errorf("read answer: %w", err)
		}
		data = one.Bytes()
	}
	b.write(data)
	return answer, nil
}

// handshake remembers the version that was agreed on; later requests name it.
func (b *bridge) handshake(data []byte) {
	v, _, err := trace.ParseValue(data)
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.version = v.Get("result").Get("protocolVersion").Text()
}

func (b *bridge) write(data []byte) {
	b.writing.Lock()
	defer b.writing.Unlock()
	if _, err := b.out.Write(append(bytes.Clone(data), '\n')); err != nil {
		b.fail(fmt.Errorf("write message: %w", err))
	}
}
