package summary

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"gauntlet/internal/metrics"
	"gauntlet/internal/run"
	"gauntlet/internal/trace"
)

// drawGrid is a run over agents, formats, defences, epochs and cases, of which some
// cells failed and others are pending.
func drawGrid(r *rapid.T) []*run.Outcome {
	agents, formats, epochs := rapid.IntRange(2, 3).Draw(r, "agents"), rapid.IntRange(1, 2).Draw(r, "formats"), rapid.IntRange(1, 3).Draw(r, "epochs")
	defences, scenarios := rapid.IntRange(1, 2).Draw(r, "defences"), rapid.IntRange(1, 4).Draw(r, "scenarios")
	fate := rapid.IntRange(0, 5)
	var cells []*run.Outcome
	for a := range agents {
		for f := range formats {
			for d := range defences {
				for e := range epochs {
					for s := range scenarios {
						for _, strategy := range []string{"none", "fake", "plain"} {
							benign, attack := ratio(fate.Draw(r, "benign")%3, 2), ratio(fate.Draw(r, "attack")%3, 2)
							o := cleanCell(fmt.Sprint("a", a), fmt.Sprint(s), benign)
							if strategy != "none" {
								o = attackedCell(fmt.Sprint("a", a), fmt.Sprint(s), strategy, benign, attack)
							}
							o.Format, o.Defence, o.Epoch = trace.Formats()[f], fmt.Sprint("d", d), e
							switch fate.Draw(r, "fate") {
							case 0:
								continue
							case 1:
								lost(o, trace.ErrorTimeout, "no answer")
							}
							cells = append(cells, o)
						}
					}
				}
			}
		}
	}
	return cells
}

// TestPairsOfAgentsCellByCell finds the differences of agents again, cell by cell.
func TestPairsOfAgentsCellByCell(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cells := drawGrid(r)
		s, err := Summarize(cells, Options{Bootstrap: 10})
		if err != nil {
			r.Fatal(err)
		}
		at := map[string]*run.Outcome{}
		key := func(agent string, o *run.Outcome) string {
			return fmt.Sprint(agent, "|", o.Case, "|", o.Format, "|", o.Defence, "|", o.Epoch)
		}
		for _, o := range cells {
			at[key(o.Agent, o)] = o
		}
		compared := 0
		for _, p := range s.Pairs {
			if p.Ambiguous > 0 {
				r.Fatalf("a grid is not ambiguous: %+v", p)
			}
			if p.Dimension != DimensionAgent || len(p.AlsoDiffers) > 0 {
				continue
			}
			compared++
			for _, m := range []measure{benignStrict, attackStrict} {
				var sum float64
				pairs, dropped := 0, 0
				for _, a := range cells {
					b := at[key(p.B, a)]
					if a.Agent != p.A || b == nil || !m.on(a) {
						continue
					}
					x, okA := m.of(a)
					y, okB := m.of(b)
					if !okA || !okB {
						dropped++
						continue
					}
					pairs++
					sum += x - y
				}
				got := metrics.Difference{}
				for _, d := range p.Differences {
					if d.Metric == m.name {
						got = d.Difference
					}
				}
				if got.Pairs != pairs || got.Dropped() != dropped || (got.Value != nil) != (pairs > 0) {
					r.Fatalf("%s of %s and %s: %v, want %d pairs and %d dropped", m.name, p.A, p.B, got, pairs, dropped)
				}
				if pairs > 0 && math.Abs(*got.Value-sum/float64(pairs)) > 1e-12 {
					r.Fatalf("%s of %s and %s: %v, want %v", m.name, p.A, p.B, *got.Value, sum/float64(pairs))
				}
			}
		}
		if agents := len(DimensionAgent.values(cells)); compared > agents*(agents-1)/2 {
			r.Fatalf("%d pairs of %d agents", compared, agents)
		}
	})
}

// The score of doing nothing once had other cells than the one it stands beside.
func TestDoingNothingIsOfTheSameCells(t *testing.T) {
	held := 0.5
	var cells []*run.Outcome
	for i := range 3 {
		o := cleanCell("a", fmt.Sprint(i), ratio(1, 1))
		o.Baseline = &held
		if i == 2 {
			o.Benign = ratio(0, 0)
		}
		cells = append(cells, o)
	}
	g := summarize(t, cells...).Groups[0]
	if g.Baseline.N != g.Benign.N || g.Benign.N != 2 || g.Baseline.Excluded != 1 {
		t.Errorf("doing nothing %v beside %v", g.Baseline, g.Benign)
	}
}
