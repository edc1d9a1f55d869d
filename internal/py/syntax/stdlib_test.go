package syntax

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestStandardLibrary compares trees and positions for the files of CPython's
// standard library, several thousand with its tests. It takes minutes, so it
// runs only on request.
func TestStandardLibrary(t *testing.T) {
	if os.Getenv("GAUNTLET_STDLIB_PARSE") == "" {
		t.Skip("GAUNTLET_STDLIB_PARSE is not set")
	}
	o := startOracle(t)
	out, err := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, refused, rejected := 0, 0, 0
	err = filepath.WalkDir(strings.TrimSpace(string(out)), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		diff, ref := o.verdict(src)
		if diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		m, err := Parse(path, src)
		switch {
		case ref:
			refused++
		case err != nil:
			rejected++
		default:
			comparePlaces(t, path, m, o.ask(src, true).Places)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files: %d refused, %d rejected by both", files, refused, rejected)
}

func comparePlaces(t *testing.T, name string, m *Module, want []string) {
	t.Helper()
	got := places(m)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		i := 0
		for i < len(got) && i < len(want) && got[i] == want[i] {
			i++
		}
		t.Errorf("%s: positions differ: got %v, want %v", name, got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
	}
}
