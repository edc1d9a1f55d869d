package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStdio serves the episode to one client: messages are lines of JSON-RPC, as
// in the protocol's stdio transport. It returns nil when in ends and all that was
// asked before is answered, the context's error when ctx ends, and an error when in
// or out fails. A message that is no JSON is answered with an error and the
// connection goes on; batches are not supported.
//
// If in is an io.Closer, the end of ctx closes it, since nothing else ends a read;
// if it is none, its last read outlives the call.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	conn := newStdioConn(in, out)
	ss, err := s.sdk.Connect(withLife(ctx), conn, nil)
	if err != nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- ss.Wait() }()
	select {
	case err = <-done:
	case <-ctx.Done():
		closeReader(in)
		// What the broken connection says is the consequence, not the cause.
		_, _ = ss.Close(), <-done
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}

// closeReader ends the reads of in, if anything can.
func closeReader(in io.Reader) {
	if c, ok := in.(io.Closer); ok {
		// The reader is given up; what closing it says changes nothing.
		_ = c.Close()
	}
}

// Connect lets a stdioConn be its own transport.
func (c *stdioConn) Connect(context.Context) (mcp.Connection, error) { return c, nil }
