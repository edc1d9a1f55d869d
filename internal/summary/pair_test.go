package summary

import (
	"fmt"
	"strings"
	"testing"

	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/trace"
)

// find returns the comparison of a with b.
func find(t *testing.T, s *Summary, d Dimension, a, b string) Pair {
	t.Helper()
	for _, p := range s.Pairs {
		if p.Dimension == d && p.A == a && p.B == b {
			return p
		}
	}
	t.Fatalf("no %s %s against %s in %+v", d, a, b, s.Pairs)
	return Pair{}
}

// metric prints a difference, without its interval: value, pairs, dropped, p.
func metric(p Pair, name string) string {
	for _, d := range p.Differences {
		if d.Metric != name {
			continue
		}
		if d.Value == nil {
			return fmt.Sprintf("- n=%d dropped=%d", d.Pairs, d.Dropped())
		}
		return fmt.Sprintf("%.4g n=%d dropped=%d p=%.4g", *d.Value, d.Pairs, d.Dropped(), *d.P)
	}
	return "absent"
}

// Seven scenarios: x does the task in all, y in the first only, and y is lost in
// the last; x falls for every attack, y for none.
func duel() []*run.Outcome {
	var outcomes []*run.Outcome
	for _, agent := range []string{"x", "y"} {
		for i := range 7 {
			scenario, done := fmt.Sprintf("s%d", i), 1
			if agent == "y" && i > 0 {
				done = 0
			}
			attack := ratio(2, 2)
			if agent == "y" {
				attack = ratio(1, 2)
			}
			for _, o := range []*run.Outcome{cleanCell(agent, scenario, ratio(done, 1)), attackedCell(agent, scenario, "fake", ratio(done, 1), attack)} {
				o.Model = "m-" + agent
				if agent == "y" && i == 6 {
					lost(o, trace.ErrorTimeout, "no answer")
				}
				outcomes = append(outcomes, o)
			}
		}
	}
	return outcomes
}

func TestPairsByHand(t *testing.T) {
	s := summarize(t, duel()...)
	p := find(t, s, DimensionAgent, "x", "y")
	// Five of six scenarios differ, all in one direction: 2 of 2^5 choices of signs
	// are as extreme. In the attack all six do: 2 of 2^6.
	for name, want := range map[string]string{
		"benign_mean":                "0.8333 n=12 dropped=2 p=0.0625",
		"benign_strict":              "0.8333 n=12 dropped=2 p=0.0625",
		"benign_strict_clean":        "0.8333 n=6 dropped=1 p=0.0625",
		"benign_strict_under_attack": "0.8333 n=6 dropped=1 p=0.0625",
		"attack_any":                 "0 n=6 dropped=1 p=1",
		"attack_strict":              "1 n=6 dropped=1 p=0.03125",
	} {
		if got := metric(p, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, d := range p.Differences {
		if d.UnassessedB != d.Dropped() || d.Interval.Clusters != 6 {
			t.Errorf("%s: %+v", d.Metric, d)
		}
	}
	if p.Within != "" || p.Ambiguous != 0 || len(p.AlsoDiffers) != 1 || p.AlsoDiffers[0] != DimensionModel {
		t.Errorf("pair %+v", p)
	}
	// Within an agent: the task without and with the attack.
	q := find(t, s, DimensionStrategy, "none", "fake")
	if q.Within != "x" || metric(q, "benign_strict") != "0 n=7 dropped=0 p=1" || metric(q, "attack_any") != "absent" || metric(q, "benign_strict_clean") != "absent" {
		t.Errorf("pair %+v", q)
	}
	if len(s.Pairs) != 3 {
		t.Errorf("%d pairs, want one of agents and one of strategies in each", len(s.Pairs))
	}
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "not adjusted") {
		t.Errorf("notes %q", s.Notes)
	}
}

// Agents that met different formats are compared in those that both met.
func TestPairsAgreeInOtherDimensions(t *testing.T) {
	var outcomes []*run.Outcome
	for i := range 6 {
		for _, format := range []trace.Format{trace.FormatJSON, trace.FormatYAML} {
			for epoch := range 2 {
				o := cleanCell("x", fmt.Sprint(i), ratio(1, 1))
				o.Format, o.Epoch = format, epoch
				outcomes = append(outcomes, o)
			}
		}
		y := cleanCell("y", fmt.Sprint(i), ratio(i%2, 1))
		outcomes = append(outcomes, y)
	}
	s := summarize(t, outcomes...)
	p := find(t, s, DimensionAgent, "x", "y")
	if got := metric(p, "benign_strict"); got != "0.5 n=6 dropped=0 p=0.25" || len(p.AlsoDiffers) != 0 {
		t.Errorf("agents: %s, %+v", got, p)
	}
	if d := p.Differences[0]; d.UnpairedA != 18 || d.UnpairedB != 0 {
		t.Errorf("unpaired: %+v", d)
	}
	q := find(t, s, DimensionFormat, "json", "yaml")
	if got := metric(q, "benign_mean"); q.Within != "x" || got != "0 n=12 dropped=0 p=1" {
		t.Errorf("formats: %s, %+v", got, q)
	}
}

// A scenario with two attacks of a strategy cannot be paired with another's.
func TestPairsOfStrategiesWithSeveralAttacks(t *testing.T) {
	var outcomes []*run.Outcome
	for i := range 3 {
		scenario := fmt.Sprint(i)
		outcomes = append(outcomes,
			attackedCell("a", scenario, "fake", ratio(1, 1), ratio(1, 1)),
			attackedCell("a", scenario, "urgent", ratio(1, 1), ratio(0, 1)))
	}
	second := attackedCell("a", "0", "urgent", ratio(1, 1), ratio(1, 1))
	second.Case = "0-urgent-2"
	p := find(t, summarize(t, append(outcomes, second)...), DimensionStrategy, "fake", "urgent")
	if got := metric(p, "attack_strict"); got != "1 n=2 dropped=0 p=0.5" || p.Ambiguous != 2 {
		t.Errorf("%s, %+v", got, p)
	}
	for _, d := range p.Differences {
		if d.UnpairedA != 1 || d.UnpairedB != 0 {
			t.Errorf("%+v", d)
		}
	}
}

// Merged runs hold a cell twice. Neither is taken for the other's epoch.
func TestPairsOfRepeatedCells(t *testing.T) {
	outcomes := duel()
	outcomes = append(outcomes, outcomes[0])
	p := find(t, summarize(t, outcomes...), DimensionAgent, "x", "y")
	if got := metric(p, "benign_strict_clean"); p.Ambiguous != 2 || !strings.Contains(got, "n=5 dropped=1") {
		t.Errorf("%s, %+v", got, p)
	}
}

func TestPairsOfManyAgents(t *testing.T) {
	for n, want := range map[int]int{MaxPaired: MaxPaired * (MaxPaired - 1) / 2, MaxPaired + 1: MaxPaired} {
		var outcomes []*run.Outcome
		for i := range n {
			outcomes = append(outcomes, cleanCell(fmt.Sprintf("agent %d", i), "s", ratio(i%2, 1)))
		}
		s := summarize(t, outcomes...)
		if len(s.Pairs) != want {
			t.Errorf("%d agents: %d pairs, want %d", n, len(s.Pairs), want)
		}
		said := strings.Contains(strings.Join(s.Notes, "\n"), "each is compared with the first, agent 0, only")
		if said != (n > MaxPaired) {
			t.Errorf("%d agents: notes %q", n, s.Notes)
		}
	}
}

// A comparison of which no pair is assessed says what was dropped, and no number.
func TestPairsWithoutAssessment(t *testing.T) {
	s := summarize(t,
		attackedCell("x", "s", "fake", ratio(1, 1), score.Unscored("raised")),
		attackedCell("y", "s", "fake", ratio(1, 1), ratio(1, 1)))
	p := find(t, s, DimensionAgent, "x", "y")
	if got := metric(p, "attack_strict"); got != "- n=0 dropped=1" {
		t.Errorf("attack: %s", got)
	}
	if got := metric(p, "benign_strict"); got != "0 n=1 dropped=0 p=1" {
		t.Errorf("benign: %s", got)
	}
}
