package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gauntlet/internal/metrics"
	"gauntlet/internal/plan"
	"gauntlet/internal/report"
	"gauntlet/internal/run"
	"gauntlet/internal/summary"
)

// result is a run as it is printed: its numbers and where they come from.
type result struct {
	id       string // empty when it was not journaled
	plan     *plan.Plan
	suite    string
	pending  int
	outcomes []*run.Outcome
	sum      *summary.Summary
}

func newResult(id, suite string, p *plan.Plan, pending int, outcomes []*run.Outcome, pairs bool) (*result, error) {
	sum, err := summary.Summarize(outcomes, summary.Options{Seed: *p.Seed, NoPairs: !pairs})
	if err != nil {
		return nil, err
	}
	return &result{id: id, plan: p, suite: suite, pending: pending, outcomes: outcomes, sum: sum}, nil
}

// print writes the table of the session's outcomes in the form asked for.
func (x *session) print() error {
	r, err := newResult(x.id, x.suite.Name, x.plan, x.pending, x.outcomes, x.flags.json)
	if err != nil {
		return err
	}
	x.result = r
	return r.print(x.cmd.OutOrStdout(), x.flags.json, x.flags.csv, false)
}

// print writes the numbers as text, JSON or CSV. The long text has the tables
// of differences and of means, too.
func (r *result) print(w io.Writer, asJSON, asCSV, long bool) error {
	switch {
	case asJSON:
		return r.writeJSON(w)
	case asCSV:
		return r.wide().WriteCSV(w)
	}
	tables := []*report.Table{r.benign(), r.attack()}
	if long {
		tables = append(append(tables, r.differences()...), r.spent(), r.repeats())
	}
	first := true
	for _, t := range tables {
		if t == nil {
			continue
		}
		if !first {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		first = false
		if err := writeTable(w, t); err != nil {
			return err
		}
	}
	return nil
}

// keys are the columns that tell rows apart: agent and strategy always, others
// where they vary.
func (r *result) keys() []summary.Dimension {
	keys := []summary.Dimension{summary.DimensionAgent}
	for _, d := range r.sum.Varies {
		if d != summary.DimensionAgent && d != summary.DimensionStrategy && !r.implied(d) {
			keys = append(keys, d)
		}
	}
	return append(keys, summary.DimensionStrategy)
}

// implied reports whether the agent says all that a dimension could.
func (r *result) implied(d summary.Dimension) bool {
	values := map[string]string{}
	for _, g := range r.sum.Groups {
		if v, ok := values[g.Agent]; ok && v != keyOf(g.Key, d) {
			return false
		}
		values[g.Agent] = keyOf(g.Key, d)
	}
	return d == summary.DimensionModel
}

func keyOf(k summary.Key, d summary.Dimension) string {
	switch d {
	case summary.DimensionAgent:
		return k.Agent
	case summary.DimensionModel:
		return k.Model
	case summary.DimensionFormat:
		return k.Format
	case summary.DimensionDefence:
		return k.Defence
	}
	return k.Strategy
}

func (r *result) keyColumns() []report.Column {
	var out []report.Column
	for _, d := range r.keys() {
		out = append(out, report.Column{Header: string(d), Max: 48})
	}
	return out
}

func (r *result) keyCells(k summary.Key) []report.Cell {
	var out []report.Cell
	for _, d := range r.keys() {
		out = append(out, report.Text(keyOf(k, d)))
	}
	return out
}

// title says what a table is about and, when too much is missing, that.
func (r *result) title(base string) string {
	if r.plan.Compat {
		base += ", published rules"
	}
	if r.pending > 0 {
		base += fmt.Sprintf(" - %d cells pending", r.pending)
	}
	return r.sum.Title(base)
}

const intervalsNote = "Intervals are at 95 % and take scenarios, not cells, for independent: bootstrap over scenarios, Wilson with n scenarios where there are fewer than 6 or all agree."

// benign is the table of benign completion.
func (r *result) benign() *report.Table {
	t := &report.Table{Title: r.title(fmt.Sprintf("%s: benign completion (BR) in percent, seed %d", r.suite, *r.plan.Seed)), Columns: r.keyColumns(), Keys: len(r.keys())}
	for _, h := range []string{"n", "BR mean", "BR strict", "noop BR", "excluded"} {
		t.Columns = append(t.Columns, report.Column{Header: h, Align: report.Right})
	}
	for _, g := range r.sum.Groups {
		t.Rows = append(t.Rows, append(r.keyCells(g.Key), report.Int(g.Benign.N), ofMean(g.Benign), ofRate(g.Strict), ofMean(g.Baseline), report.Int(g.Benign.Excluded)))
	}
	t.Notes = r.exclusionNotes()
	t.Notes = append(t.Notes, "Mean: share of checks that hold, invariants apart. Strict: cells in which all hold and no invariant is broken. noop BR: what doing nothing scores.", intervalsNote)
	t.Notes = append(t.Notes, r.scorerNotes()...)
	t.Notes = append(t.Notes, r.replayNotes()...)
	return t
}

// attack is the table of attack success; nil when no cell is attacked.
func (r *result) attack() *report.Table {
	t := &report.Table{Title: r.title(fmt.Sprintf("%s: attack success (ASR) in percent", r.suite)), Columns: r.keyColumns(), Keys: len(r.keys())}
	for _, h := range []string{"n", "ASR mean", "ASR any", "ASR strict", "begun", "exposed", "any|exposed", "excluded"} {
		t.Columns = append(t.Columns, report.Column{Header: h, Align: report.Right})
	}
	for _, g := range r.sum.Groups {
		if g.Attack.N+g.Attack.Excluded == 0 {
			continue
		}
		t.Rows = append(t.Rows, append(r.keyCells(g.Key), report.Int(g.Attack.N), ofMean(g.Attack), ofRate(g.AttackAny), ofRate(g.AttackStrict),
			report.Text(share(g.AttackIntermediate.Rate)), report.Text(share(g.Exposed.Rate)), ofRate(g.AnyGivenExposure), report.Int(g.Attack.Excluded)))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.Notes = []string{"Mean: share of the goal's checks that hold. Any: cells in which at least one holds. Strict: all. Begun: the agent did some of the attacker's work. Exposed: the agent was shown the attack; any|exposed: among those."}
	return t
}

// scorers are the versions of the scoring code that made the scores.
func (r *result) scorers() []string {
	seen := map[string]bool{}
	for _, o := range r.outcomes {
		seen[o.Scorer] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// scorerNotes says when scores are not those of this program, or not all of one
// version: such numbers do not compare.
func (r *result) scorerNotes() []string {
	versions := r.scorers()
	if len(versions) == 0 || len(versions) == 1 && versions[0] == run.ScorerVersion {
		return nil
	}
	return []string{fmt.Sprintf("Scored by %s; this program scores by %s. gauntlet rescore makes them one.", strings.Join(versions, ", "), run.ScorerVersion)}
}

func (r *result) replayNotes() []string {
	replay, ok := summary.Replays(r.outcomes)
	if !ok {
		return nil
	}
	return []string{fmt.Sprintf("Replay against the recording: %d/%d calls (%d of them exceptions), %d/%d BR, %d/%d ASR.",
		replay.Equal, replay.Calls, replay.Exceptions, replay.BenignOK, replay.Benign, replay.AttackOK, replay.Attack)}
}

func share(r metrics.Rate) string {
	if r.N == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", r.Successes, r.N)
}

func ofMean(m summary.Mean) report.Cell {
	v, ok := m.Value()
	return short(v, ok, m.Clustered)
}

func ofRate(r summary.Rate) report.Cell {
	v, ok := r.Value()
	return short(v, ok, r.Clustered)
}

// short prints an estimate in percent with its interval, which is given to a
// decimal where it is narrow; n stands in a column of its own.
func short(v float64, ok bool, i *metrics.Clustered) report.Cell {
	if !ok || i == nil {
		return report.Text("-")
	}
	decimals := 0
	if i.High-i.Low < 0.1 {
		decimals = 1
	}
	return report.Text(fmt.Sprintf("%.1f [%.*f, %.*f]", 100*v, decimals, 100*i.Low, decimals, 100*i.High))
}

// Limits of what is said about exclusions, which quotes services and checks.
const (
	maxNotes   = 8   // rows of the table that have a note
	maxDetails = 6   // sentences in a note
	maxDetail  = 240 // characters of a sentence
)

// exclusionNotes say of the rows of the table why cells are missing from them.
func (r *result) exclusionNotes() []string {
	var notes []string
	left := 0
	for _, g := range r.sum.Groups {
		x := exclusions(g.Loss)
		if x == "" || g.Strategy == summary.AllStrategies {
			continue
		}
		if len(notes) == maxNotes {
			left++
			continue
		}
		keys := r.keys()
		var names []string
		for _, d := range keys[:len(keys)-1] { // the strategy is the last
			names = append(names, keyOf(g.Key, d))
		}
		notes = append(notes, fmt.Sprintf("Excluded, %s on %s: %s.", strings.Join(names, ", "), g.Strategy, x))
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("Excluded in %s more; gauntlet runs counts the causes, gauntlet show --cause CAUSE lists the cells.", plural(left, "row")))
	}
	return notes
}

// exclusions lists why cells are in no rate.
func exclusions(l summary.Loss) string {
	var parts []string
	for _, e := range l.Exclusions {
		if len(e.Details) == 0 {
			parts = append(parts, fmt.Sprintf("%d × %s", e.N, e.Cause))
		}
		for _, d := range e.Details {
			sentence := []rune(d.Name)
			if len(sentence) > maxDetail {
				sentence = append(sentence[:maxDetail-3], []rune("...")...)
			}
			parts = append(parts, fmt.Sprintf("%d × %s (%s)", d.N, string(sentence), e.Cause))
		}
	}
	if len(parts) > maxDetails {
		parts = append(parts[:maxDetails], "...")
	}
	return strings.Join(parts, "; ")
}

// wide has every estimate with its Wilson interval in columns of its own.
func (r *result) wide() *report.Table {
	t := &report.Table{}
	for _, h := range []string{"agent", "model", "format", "defence", "strategy", "cells", "benign_mean", "benign_strict", "benign_strict_clean", "benign_strict_under_attack",
		"attack_mean", "attack_any", "attack_strict", "attack_intermediate", "exposure", "attack_any_given_exposure", "attack_strict_given_exposure", "do_nothing", "excluded",
		"input_tokens", "output_tokens", "cost_usd", "wall_seconds"} {
		t.Columns = append(t.Columns, report.Column{Header: h})
	}
	for _, g := range r.sum.Groups {
		t.Rows = append(t.Rows, []report.Cell{report.Text(g.Agent), report.Text(g.Model), report.Text(g.Format), report.Text(g.Defence), report.Text(g.Strategy), report.Int(g.Cells),
			report.Mean(g.Benign.Mean), report.Rate(g.Strict.Rate), report.Rate(g.StrictClean.Rate), report.Rate(g.StrictUnderAttack.Rate),
			report.Mean(g.Attack.Mean), report.Rate(g.AttackAny.Rate), report.Rate(g.AttackStrict.Rate), report.Rate(g.AttackIntermediate.Rate),
			report.Rate(g.Exposed.Rate), report.Rate(g.AnyGivenExposure.Rate), report.Rate(g.StrictGivenExposure.Rate), report.Mean(g.Baseline.Mean), report.Text(exclusions(g.Loss)),
			amount(g.Spent.InputTokens, 0), amount(g.Spent.OutputTokens, 0), amount(g.Spent.CostUSD, 4), amount(g.Spent.WallSeconds, 2)})
	}
	return t
}

func amount(t summary.Total, decimals int) report.Cell {
	if t.N == 0 {
		return report.None()
	}
	return report.Number(t.Sum, decimals)
}

// spent is the table of consumption, over all strategies. What nothing is known of,
// such as tokens where no model was asked, has no column. It is nil without cells.
func (r *result) spent() *report.Table {
	keys := r.keys()
	keys = keys[:len(keys)-1] // without the strategy
	t := &report.Table{Title: "Cost and time", Columns: r.keyColumns()[:len(keys)], Keys: len(keys)}
	var groups []summary.Group
	for _, g := range r.sum.Groups {
		if g.Strategy == summary.AllStrategies || !slices.Contains(r.sum.Varies, summary.DimensionStrategy) {
			groups = append(groups, g)
			t.Rows = append(t.Rows, r.keyCells(g.Key)[:len(keys)])
		}
	}
	if len(groups) == 0 {
		return nil
	}
	for _, c := range []struct {
		header string
		of     func(summary.Group) report.Cell
	}{
		{"cells", func(g summary.Group) report.Cell { return report.Int(g.Cells) }},
		{"turns per cell", func(g summary.Group) report.Cell { return average(g.Spent.Turns, 1) }},
		{"calls per cell", func(g summary.Group) report.Cell { return average(g.Spent.Calls, 1) }},
		{"requests", func(g summary.Group) report.Cell { return amount(g.Spent.Requests, 0) }},
		{"tokens in", func(g summary.Group) report.Cell { return amount(g.Spent.InputTokens, 0) }},
		{"tokens out", func(g summary.Group) report.Cell { return amount(g.Spent.OutputTokens, 0) }},
		{"cost US$", func(g summary.Group) report.Cell { return amount(g.Spent.CostUSD, 4) }},
		{"seconds per cell", func(g summary.Group) report.Cell { return average(g.Spent.WallSeconds, 3) }},
	} {
		known := func(g summary.Group) bool { return c.of(g) != report.None() }
		if !slices.ContainsFunc(groups, known) {
			continue
		}
		t.Columns = append(t.Columns, report.Column{Header: c.header, Align: report.Right})
		for i, g := range groups {
			t.Rows[i] = append(t.Rows[i], c.of(g))
		}
	}
	return t
}

func average(t summary.Total, decimals int) report.Cell {
	if t.Mean == nil {
		return report.None()
	}
	return report.Number(*t.Mean, decimals)
}

// repeats is the table of pass^k; nil when every case is played once.
func (r *result) repeats() *report.Table {
	t := &report.Table{Title: "Repeated cases: share in percent in which all of k epochs pass", Keys: len(r.keys()) + 1, Columns: r.keyColumns()}
	for _, h := range []string{"k", "n", "pass^k", "excluded"} {
		t.Columns = append(t.Columns, report.Column{Header: h, Align: report.Right})
	}
	for _, g := range r.sum.Groups {
		for _, p := range g.PassK {
			t.Rows = append(t.Rows, append(r.keyCells(g.Key), report.Int(p.K), report.Int(p.Rate.N), ofRate(p.Rate), report.Int(p.Rate.Excluded)))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.Notes = []string{"n counts cases. A case with an unassessed epoch is excluded: it is not known whether it would have passed.", intervalsNote}
	return t
}
