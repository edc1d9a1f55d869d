package cli

import (
	"fmt"
	"slices"

	"gauntlet/internal/report"
	"gauntlet/internal/summary"
)

// measures are the differences that tables show, by their names there.
var measures = map[string]string{"benign_strict": "BR strict", "attack_strict": "ASR strict"}

const differencesNote = "The other measures are in --json. Pairs are the same case (for strategies: the same scenario) and epoch; dropped: pairs without an assessment on one side or both. p: sign-flip test over scenarios."

// differences are the tables of paired differences, one for each dimension in
// which cells differ; none when there is nothing to compare.
func (r *result) differences() []*report.Table {
	var tables []*report.Table
	for i, p := range r.sum.Pairs {
		if i == 0 || r.sum.Pairs[i-1].Dimension != p.Dimension {
			tables = append(tables, r.differencesIn(p.Dimension))
		}
	}
	tables = slices.DeleteFunc(tables, func(t *report.Table) bool { return len(t.Rows) == 0 })
	if len(tables) > 0 {
		last := tables[len(tables)-1]
		last.Notes = append(slices.Clone(r.sum.Notes), differencesNote)
	}
	return tables
}

// differencesIn is the table of one dimension. Where all pairs are within one
// agent, or none is, that has no column.
func (r *result) differencesIn(d summary.Dimension) *report.Table {
	pairs := slices.DeleteFunc(slices.Clone(r.sum.Pairs), func(p summary.Pair) bool { return p.Dimension != d })
	within := slices.ContainsFunc(pairs, func(p summary.Pair) bool { return p.Within != pairs[0].Within })
	t := &report.Table{Title: r.title(fmt.Sprintf("Paired differences by %s, A minus B, in points of percent", d)), Keys: 3}
	if within {
		t.Columns, t.Keys = []report.Column{{Header: "within", Max: 40}}, 4
	}
	t.Columns = append(t.Columns, report.Column{Header: "A", Max: 40}, report.Column{Header: "B", Max: 40}, report.Column{Header: "measure"})
	for _, h := range []string{"pairs", "difference", "p", "dropped"} {
		t.Columns = append(t.Columns, report.Column{Header: h, Align: report.Right})
	}
	for _, p := range pairs {
		for _, x := range p.Differences {
			if measures[x.Metric] == "" {
				continue
			}
			var row []report.Cell
			if within {
				row = append(row, report.Text(p.Within))
			}
			t.Rows = append(t.Rows, append(row, difference(p, x)...))
		}
	}
	return t
}

func difference(p summary.Pair, d summary.Difference) []report.Cell {
	value, chance := report.None(), report.None()
	if d.Value != nil && d.Interval != nil {
		// As in short: decimals where they say something.
		decimals := 0
		if d.Interval.High-d.Interval.Low < 0.1 {
			decimals = 1
		}
		value = report.Text(fmt.Sprintf("%+.1f [%+.*f, %+.*f]", 100**d.Value, decimals, 100*d.Interval.Low, decimals, 100*d.Interval.High))
	}
	if d.P != nil {
		chance = report.Text(fmt.Sprintf("%.4f", *d.P))
		if *d.P < 0.0001 {
			chance = report.Text("<0.0001")
		}
	}
	return []report.Cell{report.Text(p.A), report.Text(p.B), report.Text(measures[d.Metric]), report.Int(d.Pairs), value, chance, report.Int(d.Dropped())}
}
