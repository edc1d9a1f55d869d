package agent

import (
	"os"
	"testing"

	"gauntlet/internal/trace"
)

// A process that left its group outlived the agent, and each episode left one more.
func TestDaemonOfAnAgentDies(t *testing.T) {
	path := pipe(t)
	read := make(chan string, 1)
	go func() {
		b, err := os.ReadFile(path) // ends when the daemon does
		if err != nil {
			b = []byte(err.Error())
		}
		read <- string(b)
	}()
	s := newStage()
	end, err := others(t, "daemon", patience{endless: true}, "TEST_PIPE="+path).Run(t.Context(), s)
	if err != nil || end.Cause != trace.CauseAgentDone || len(s.replies()) != 1 {
		t.Errorf("ended with %v, %v; %v", end, err, s.replies())
	}
	if got := <-read; got != "here" {
		t.Errorf("read %q", got)
	}
	cleared(t)
}

func TestMarkedEnvironment(t *testing.T) {
	for environ, want := range map[string]bool{
		"":                       false,
		"A=1\x00D=/tmp/x\x00B=2": true,
		"D=/tmp/x":               true,
		"D=/tmp/xy\x00":          false,
		"E=D=/tmp/x\x00":         false,
	} {
		if got := marked([]byte(environ), []byte("D=/tmp/x")); got != want {
			t.Errorf("%q: %v", environ, got)
		}
	}
}
