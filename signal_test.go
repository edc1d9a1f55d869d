package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestTerminatedRunEndsInOrder stops a run by SIGTERM, as schedulers and containers
// do, while its second cell waits for a model. It was killed by it, and said
// neither how far it had come nor how to go on.
func TestTerminatedRunEndsInOrder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs SIGTERM")
	}
	asked, over := make(chan int, 100), make(chan struct{})
	n := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not notice that the client leaves
		n++                                // one request at a time: the run has one worker
		asked <- n
		if n > 1 {
			<-over
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Done."}}]}`))
	}))
	defer srv.Close()
	cmd := exec.CommandContext(t.Context(), "gauntlet", "run", "--quiet", "--db", "my runs.db", "--workers", "1", "--model", srv.URL+"/v1#m")
	cmd.Dir = t.TempDir()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	<-asked
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	close(over)
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	for _, want := range []string{"gauntlet: stopped after 1 cell; the table shows these; 103 are pending: gauntlet resume ", " --db 'my runs.db'\n"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error has no %q:\n%s", want, stderr.String())
		}
	}
	if !strings.Contains(stdout.String(), "103 cells pending") {
		t.Errorf("the table does not say what is missing:\n%s", stdout.String())
	}
}
