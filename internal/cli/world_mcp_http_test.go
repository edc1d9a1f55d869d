package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"gauntlet/internal/mcp"
	"gauntlet/internal/run"
	"gauntlet/internal/suite"
)

// stopping is a standard error that stops the server once something is said there.
type stopping struct {
	bytes.Buffer
	stop context.CancelFunc
}

func (s *stopping) Write(b []byte) (int, error) {
	defer s.stop()
	return s.Buffer.Write(b)
}

// The id of the served case went to the terminal as it was.
func TestServedCaseIsSanitized(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stderr := &stopping{stop: stop}
	h := &host{stderr: stderr, open: map[*mcp.Server]*sitting{}, cell: run.Cell{Case: &suite.Case{ID: "c\x1b[2J\u202e"}}}
	if err := h.serveHTTP(ctx, "127.0.0.1:0", ""); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(stderr.String(), `serving case c\x1b[2J\u202e at http://127.0.0.1:`) {
		t.Errorf("standard error is %q", stderr.String())
	}
}
