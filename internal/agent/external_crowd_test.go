package agent

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"gauntlet/internal/trace"
)

// Fifty external agents at once, each with its own server and folder: all come to
// their end, each acts in its own episode alone, and nothing is left behind.
func TestFiftyExternalAgents(t *testing.T) {
	const agents = 50
	a := others(t, "obedient", patience{endless: true})
	var wg sync.WaitGroup
	for range agents {
		s := newStage()
		s.setting.Limits.Calls = 2
		wg.Go(func() {
			if _, err := a.Run(t.Context(), s); err != nil || s.calls != 2 || len(s.replies()) != 4 {
				t.Errorf("%d calls and %d replies, %v", s.calls, len(s.replies()), err)
			}
		})
	}
	wg.Wait()
	cleared(t)
}

// What an agent writes beyond all measure is cut, and holds up nobody.
func TestExternalThatWritesTooMuch(t *testing.T) {
	s := newStage()
	end, err := others(t, "noisy", patience{endless: true}).Run(t.Context(), s)
	if err != nil || end.Cause != trace.CauseAgentDone || len(s.replies()) != 1 {
		t.Fatalf("ended with %v, %v; %d replies", end, err, len(s.replies()))
	}
	if text := s.replies()[0].Text; len(text) > maxAnswer || !strings.HasPrefix(text, "the answernoise") {
		t.Errorf("the answer has %d bytes and begins %.40q", len(text), text)
	}
	cleared(t)
}

func TestErrandIsRemovedWithWhatTheAgentLocked(t *testing.T) {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(os.MkdirAll(dir+"/a/b", 0o700), os.WriteFile(dir+"/a/b/file", nil, 0o400), os.Chmod(dir+"/a/b", 0o500), os.Chmod(dir+"/a", 0))
	if err != nil {
		t.Fatal(err)
	}
	if err := (&errand{dir: dir}).remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}
