package plan_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gauntlet/internal/plan"
	"gauntlet/internal/suite"
)

// A night's run could not be resumed after its cases had been imported again from
// another folder.
func TestIdDoesNotDependOnWhereACaseComesFrom(t *testing.T) {
	s := bundled(t)
	want := ids(t, s, nightly(t))
	moved := *s
	moved.Dir, moved.Cases = "/elsewhere", nil
	for _, c := range s.Cases {
		x := *c
		x.Source, x.File = "/elsewhere/tasks.json", "/elsewhere/cases.jsonl"
		moved.Cases = append(moved.Cases, &x)
	}
	if got := ids(t, &moved, nightly(t)); !slices.Equal(got, want) {
		t.Error("cases from elsewhere have other ids")
	}
	changed := *s
	changed.Cases = slices.Clone(s.Cases)
	x := *s.Cases[0]
	x.Checks = append(slices.Clone(x.Checks), suite.Check{Item: "more", Code: "def check(a, b):\n    return True\n"})
	changed.Cases[0] = &x
	if got := ids(t, &changed, nightly(t)); got[0] == want[0] || got[1] != want[1] {
		t.Error("another check is the same cell, or changes its neighbour")
	}
}

func nightly(t testing.TB) *plan.Plan {
	t.Helper()
	p, err := plan.Parse("night.yaml", []byte(night))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestIdsAreTheSameInEveryProcess expands a plan in other processes, with other
// seeds of map orders and other numbers of processors.
func TestIdsAreTheSameInEveryProcess(t *testing.T) {
	want := strings.Join(ids(t, bundled(t), nightly(t)), "\n")
	if os.Getenv("GAUNTLET_PRINT_IDS") != "" {
		t.Log("ids: " + sum(want))
		return
	}
	for _, processors := range []string{"1", "2"} {
		cmd := exec.CommandContext(context.Background(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), "GAUNTLET_PRINT_IDS=1", "GOMAXPROCS="+processors)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "ids: "+sum(want)) {
			t.Errorf("with %s of %d processors: %v\n%s", processors, runtime.NumCPU(), err, out)
		}
	}
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}
