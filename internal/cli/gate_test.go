package cli

import (
	"strings"
	"testing"

	"gauntlet/internal/summary"
)

func TestGate(t *testing.T) {
	tests := []struct {
		percent         float64
		cells, excluded int
		want            string // part of the problem; empty: passes
	}{
		{-1, 4, 4, ""},
		{-1, 0, 0, ""},
		{0, 4, 0, ""},
		{0, 4, 1, "1 of 4 cells are excluded, more than 0 % (--max-excluded); again"},
		{25, 4, 1, ""},
		{24.9, 4, 1, "more than 24.9 %"},
		{100, 4, 4, ""},
		{50, 0, 0, "no cell was played"}, // nothing measured is not nothing excluded
	}
	for _, tt := range tests {
		err := (&gate{tt.percent}).pass(summary.Loss{Cells: tt.cells, Excluded: tt.excluded}, "again")
		if err == nil && tt.want == "" {
			continue
		}
		if err == nil || tt.want == "" || !strings.Contains(err.Error(), tt.want) || exitCode(err) != exitProblem {
			t.Errorf("%d of %d excluded at %g %%: %v, want %q", tt.excluded, tt.cells, tt.percent, err, tt.want)
		}
	}
}
