package syntax

import "testing"

func TestGeneratedProgramsMatchCPython(t *testing.T) {
	c := newComparer(t)
	for seed := range uint64(2200) {
		c.compare("seed", newGenerator(seed).program())
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d programs, %d rejected by both, %d refused", c.total, c.rejected, c.refused)
	if valid := len(c.seen) - c.rejected - c.refused; valid < 2000 {
		t.Errorf("%d programs are valid, want at least 2000", valid)
	}
}
