//go:build unix

package agent

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gauntlet/internal/trace"
)

// pipe makes a named pipe. Reading it blocks until a child of an agent opens it,
// and ends when the child is dead.
func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCancelledAgentDiesWithItsChildren(t *testing.T) {
	path := pipe(t)
	a := others(t, "family", patience{endless: true}, "TEST_PIPE="+path)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error, 1)
	s := newStage()
	go func() {
		_, err := a.Run(ctx, s)
		done <- err
	}()
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.ReadFull(r, make([]byte, len("here"))); err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("the user pressed a key")
	cancel(stopped)
	var f *Failure
	if err := <-done; !errors.As(err, &f) || f.Kind != trace.ErrorCancelled || !errors.Is(err, stopped) {
		t.Errorf("error %v", err)
	}
	if b, err := io.ReadAll(r); err != nil || len(b) > 0 {
		t.Errorf("read %q, %v", b, err)
	}
	cleared(t)
}

// The answer of an agent counts also when something that it started goes on.
func TestAgentThatLeavesAChildBehind(t *testing.T) {
	path := pipe(t)
	read := make(chan string, 1)
	go func() {
		b, err := os.ReadFile(path)
		if err != nil {
			b = []byte(err.Error())
		}
		read <- string(b)
	}()
	s := newStage()
	end, err := others(t, "leftover", patience{endless: true}, "TEST_PIPE="+path).Run(t.Context(), s)
	if err != nil || end.Cause != trace.CauseAgentDone || len(s.replies()) != 1 || s.replies()[0].Text != "I am done." {
		t.Errorf("ended with %v, %v; %v", end, err, s.replies())
	}
	if got := <-read; got != "here" {
		t.Errorf("read %q", got)
	}
}
