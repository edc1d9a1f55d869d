package page

import (
	"testing"

	"gauntlet/internal/metrics"
	"gauntlet/internal/report"
)

func TestPrintedCells(t *testing.T) {
	tests := []struct {
		cell report.Cell
		want shown
		bold bool
	}{
		{report.Text("a b"), shown{"a b", ""}, false},
		{report.Text(""), shown{}, false},
		{report.Text("\x1b[1mbold\x1b[0m"), shown{`\x1b[1mbold\x1b[0m`, ""}, false},
		{report.Text("see [1]"), shown{"see [1]", ""}, false},
		{report.Int(12).Bold(), shown{"12", ""}, true},
		{report.Number(0.12345, 2), shown{"0.12", ""}, false},
		{report.None(), shown{"-", ""}, false},
		{report.Rate(metrics.Rate{Successes: 1, N: 2}), shown{"50.0%", "[9.5, 90.5] n=2 excluded=0"}, false},
		{report.Rate(metrics.Rate{Excluded: 2}), shown{"-", "excluded=2"}, false},
	}
	for _, tt := range tests {
		text, bold, err := printed(tt.cell)
		if err != nil || bold != tt.bold || split(text) != tt.want {
			t.Errorf("%+v is printed as %q, bold %v, %v", tt.cell, split(text), bold, err)
		}
	}
}
