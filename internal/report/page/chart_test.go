package page

import (
	"math"
	"testing"

	"gauntlet/internal/metrics"

	"pgregory.net/rapid"
)

// No two labels stand on each other in any plot, also when the points do.
func TestLabelsDoNotCollide(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(r, "points")
		var points []Point
		for range n {
			draw := func(name string) metrics.Rate {
				return metrics.Rate{Successes: rapid.SampledFrom([]int{0, 0, 1, 5, 10, 19, 20, 20}).Draw(r, name), N: 20}
			}
			points = append(points, Point{Agent: "a", BR: draw("br"), ASR: draw("asr")})
		}
		marks := newChart(points).Marks
		if len(marks) != n {
			r.Fatalf("%d marks for %d points", len(marks), n)
		}
		for _, plot := range plots {
			for i, a := range marks {
				x, y := a.x*plot.width+a.DX, a.y*plot.height+a.DY
				if x < 0 || y < 0 || x > plot.width+margin || y > plot.height {
					r.Errorf("label %d is at %.0f, %.0f of %v", i+1, x, y, plot)
				}
				for j, b := range marks[:i] {
					distance := math.Hypot(x-b.x*plot.width-b.DX, y-b.y*plot.height-b.DY)
					if distance < labelSize/2 {
						r.Errorf("labels %d and %d are %.0f pixels apart in %v", j+1, i+1, distance, plot)
					}
				}
			}
		}
	})
}

func TestChartShowsOnlyWhatHasAValue(t *testing.T) {
	half := metrics.Rate{Successes: 1, N: 2}
	c := newChart([]Point{{"a", half, half}, {"b", half, nil}, {"c", metrics.Rate{Excluded: 3}, half}, {"d", half, half}})
	if len(c.Keys) != 4 || len(c.Marks) != 2 || c.Marks[1].Key.Number != 4 {
		t.Errorf("keys %v, marks %v", c.Keys, c.Marks)
	}
	if m := c.Marks[0]; m.X != "50.00%" || m.Y != "50.00%" || m.Low != "9.45%" || m.Base != "90.55%" {
		t.Errorf("mark is %+v", m)
	}
	if got := c.Keys[2].BR; got != (shown{"-", "excluded=3"}) {
		t.Errorf("a rate over nothing is shown as %q", got)
	}
}

func TestScale(t *testing.T) {
	for _, tt := range []struct{ successes, n, level int }{
		{0, 0, -1}, {0, 50, 0}, {1, 50, 1}, {5, 50, 1}, {6, 50, 2}, {25, 50, 3}, {26, 50, 4}, {50, 50, 5},
	} {
		if level, _ := scale(metrics.Rate{Successes: tt.successes, N: tt.n}); level != tt.level {
			t.Errorf("%d of %d is on level %d, want %d", tt.successes, tt.n, level, tt.level)
		}
	}
}
