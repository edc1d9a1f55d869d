package pyfuzz

import (
	"strings"
	"sync"
	"testing"
)

// TestRunFindsSeededBug replaces the interpreter by a CPython whose output is
// wrong wherever it prints a certain message, and checks the report.
func TestRunFindsSeededBug(t *testing.T) {
	child := startCPython(t, "random")
	var mu sync.Mutex
	c := Config{N: 120, Seed: 1, Areas: []string{"list"}, Report: 2}
	s, err := c.Compare(func(src string) Result {
		mu.Lock()
		defer mu.Unlock()
		r, err := child.Run(src)
		if err != nil {
			t.Fatal(err)
		}
		r.Stdout = strings.ReplaceAll(r.Stdout, "list index out of range", "list index out of reach")
		return r
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.Different == 0 || s.Equal == 0 || s.Different+s.Equal != s.Programs {
		t.Fatalf("summary %+v", s)
	}
	f := s.Failures[0]
	if !strings.Contains(f.Signature, "reach") || !strings.Contains(f.CPython.Stdout, "range") || !strings.Contains(f.Ours.Stdout, "reach") {
		t.Errorf("failure %v", f)
	}
	if !strings.HasPrefix(f.Entry, "list/") {
		t.Errorf("entry %q, want one of list", f.Entry)
	}
	if n := strings.Count(f.Src, "\n"); n > 8 {
		t.Errorf("minimised to %d lines:\n%s", n, f.Src)
	}
}
