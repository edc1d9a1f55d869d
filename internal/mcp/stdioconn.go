package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/trace"
)

// maxHeld is the most calls that wait for their turn on one connection before
// reading stops.
const maxHeld = 1000

// stdioConn is a connection of the SDK over lines. The SDK's own ends at the first
// message that it cannot read, and drops what is not answered when its input ends.
// It also starts calls at once and in any order; so calls are handed over one at a
// time.
type stdioConn struct {
	in   <-chan line
	quit chan struct{} // closed by Close
	once sync.Once

	end  error              // why there are no more lines; of Read alone
	held []*jsonrpc.Request // calls that wait; of Read alone

	writing sync.Mutex // guards out
	out     io.Writer

	mu       sync.Mutex
	open     map[jsonrpc.ID]bool // requests without an answer
	running  jsonrpc.ID          // the call that was handed over last, while it is open
	lists    map[jsonrpc.ID]bool // requests for the tools without an answer
	answered chan struct{}       // wakes Read
}

func newStdioConn(in io.Reader, out io.Writer) *stdioConn {
	quit := make(chan struct{})
	return &stdioConn{
		in: readLines(in, quit), quit: quit, out: out,
		open: map[jsonrpc.ID]bool{}, lists: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1),
	}
}

// SessionID returns "": the process is the session.
func (c *stdioConn) SessionID() string { return "" }

// Read returns the next message that can be worked on.
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if call := c.nextCall(); call != nil {
			return call, nil
		}
		in := c.in
		if c.end != nil || len(c.held) >= maxHeld {
			in = nil
		}
		if c.end != nil && c.idle() {
			return nil, c.end
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.quit:
			return nil, io.EOF
		case <-c.answered:
		case l := <-in:
			if l.err != nil && !errors.Is(l.err, errLong) {
				c.end = l.err
				continue
			}
			msg, err := c.accept(l)
			if msg != nil || err != nil {
				return msg, err
			}
		}
	}
}

// accept turns a line into a message. It returns none for what it has dealt with.
func (c *stdioConn) accept(l line) (jsonrpc.Message, error) {
	if l.err != nil {
		return nil, c.write(failure(trace.Value{}, jsonrpc.CodeInvalidRequest, l.err.Error()))
	}
	h, err := peek(l.data)
	if err != nil {
		code := int64(jsonrpc.CodeParseError)
		if bytes.HasPrefix(l.data, []byte("[")) {
			code, err = jsonrpc.CodeInvalidRequest, fmt.Errorf("batches are not supported")
		}
		return nil, c.write(failure(trace.Value{}, code, err.Error()))
	}
	msg, err := jsonrpc.DecodeMessage(l.data)
	if err != nil {
		return nil, c.write(failure(h.id, jsonrpc.CodeInvalidRequest, err.Error()))
	}
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		return msg, nil
	}
	if !req.IsCall() {
		if c.cancelHeld(h) {
			return nil, nil
		}
		return msg, nil
	}
	c.mu.Lock()
	taken := c.open[req.ID]
	c.open[req.ID] = true
	if !taken && req.Method == "tools/list" {
		c.lists[req.ID] = true
	}
	c.mu.Unlock()
	if taken {
		return nil, c.write(failure(h.id, jsonrpc.CodeInvalidRequest, "id is that of a request without an answer"))
	}
	if req.Method != "tools/call" {
		return msg, nil
	}
	req.Extra = &mcp.RequestExtra{Header: http.Header{callHeader: {h.idText()}}}
	c.held = append(c.held, req)
	return nil, nil
}

// nextCall takes the first call that waits, if none is running. A list of tools
// that is being made is answered first: simple clients write their whole script at
// once and read the answers in its order.
func (c *stdioConn) nextCall() *jsonrpc.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.held) == 0 || c.running.IsValid() || len(c.lists) > 0 {
		return nil
	}
	call := c.held[0]
	c.held = c.held[1:]
	c.running = call.ID
	return call
}

// cancelHeld forgets a call that waits, if h cancels one.
func (c *stdioConn) cancelHeld(h header) bool {
	if h.method != "notifications/cancelled" {
		return false
	}
	id, err := jsonrpc.MakeID(plainID(h.params.Get("requestId")))
	if err != nil {
		return false
	}
	for i, call := range c.held {
		if call.ID == id {
			c.held = append(c.held[:i:i], c.held[i+1:]...)
			c.mu.Lock()
			delete(c.open, id)
			c.mu.Unlock()
			return true
		}
	}
	return false
}

// plainID returns an id as MakeID takes it.
func plainID(v trace.Value) any {
	if f, ok := v.Float64(); ok {
		return f
	}
	if v.Kind() == trace.KindString {
		return v.Text()
	}
	return nil
}

func (c *stdioConn) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open) == 0
}

// Write writes a message of the SDK's.
func (c *stdioConn) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	resp, answer := msg.(*jsonrpc.Response)
	if answer {
		// Before the client sees the answer: it may use the id again at once.
		c.mu.Lock()
		delete(c.open, resp.ID)
		c.mu.Unlock()
	}
	err = c.write(data)
	if answer {
		c.mu.Lock()
		delete(c.lists, resp.ID)
		if c.running == resp.ID {
			c.running = jsonrpc.ID{}
		}
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

// write writes one line. Its bytes are handed over in one piece, so that lines of
// several writers to the same stream do not mix.
func (c *stdioConn) write(data []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// Close ends Read. It leaves the streams to their owner.
func (c *stdioConn) Close() error {
	c.once.Do(func() { close(c.quit) })
	return nil
}
