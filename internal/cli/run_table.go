package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gauntlet/internal/metrics"
	"gauntlet/internal/report"
	"gauntlet/internal/run"
	"gauntlet/internal/suite"
)

// printRun writes the table of a run in the form asked for.
func printRun(w io.Writer, s *suite.Suite, f runFlags, outcomes []*run.Outcome) error {
	rows, err := run.Summarize(outcomes)
	if err != nil {
		return err
	}
	replay, replayed := run.Replays(outcomes)
	switch {
	case f.json:
		return writeRunJSON(w, s, f, rows, replay, replayed)
	case f.csv:
		return wideTable(rows).WriteCSV(w)
	}
	t := compactTable(s, f, rows)
	if replayed {
		t.Notes = append(t.Notes, fmt.Sprintf("Replay against the recording: %d/%d calls (%d of them exceptions), %d/%d BR, %d/%d ASR.",
			replay.Equal, replay.Calls, replay.Exceptions, replay.BenignOK, replay.Benign, replay.AttackOK, replay.Attack))
	}
	return t.WriteText(w, report.TextOptions{})
}

func writeRunJSON(w io.Writer, s *suite.Suite, f runFlags, rows []run.Summary, replay run.Replay, replayed bool) error {
	type row struct {
		Agent    string          `json:"agent"`
		Strategy string          `json:"strategy"`
		Cells    int             `json:"cells"`
		Metrics  json.RawMessage `json:"metrics"`
		Excluded []metrics.Count `json:"excluded"`
	}
	doc := struct {
		Suite  string      `json:"suite"`
		Seed   uint64      `json:"seed"`
		Compat bool        `json:"compat"`
		Rows   []row       `json:"rows"`
		Replay *run.Replay `json:"replay,omitempty"`
	}{Suite: s.Name, Seed: f.seed, Compat: f.compat, Rows: []row{}}
	if replayed {
		doc.Replay = &replay
	}
	for _, r := range rows {
		m, err := json.Marshal(figures(r))
		if err != nil {
			return fmt.Errorf("write table: %w", err)
		}
		ex := r.Excluded
		if ex == nil {
			ex = []metrics.Count{}
		}
		doc.Rows = append(doc.Rows, row{r.Agent, r.Strategy, r.Cells, m, ex})
	}
	return writeJSON(w, doc)
}

// figure is an estimate with everything that belongs to it; absent numbers are null.
type figure struct {
	Value    *float64 `json:"value"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	N        int      `json:"n"`
	Excluded int      `json:"excluded"`
}

type estimate interface {
	Value() (float64, bool)
	Interval() (metrics.Interval, bool)
}

func newFigure(e estimate, n, excluded int) figure {
	f := figure{N: n, Excluded: excluded}
	if v, ok := e.Value(); ok {
		f.Value = &v
	}
	if i, ok := e.Interval(); ok {
		f.Low, f.High = &i.Low, &i.High
	}
	return f
}

func figures(r run.Summary) map[string]figure {
	mean := func(m metrics.Mean) figure { return newFigure(m, m.N, m.Excluded) }
	rate := func(m metrics.Rate) figure { return newFigure(m, m.N, m.Excluded) }
	return map[string]figure{
		"benign_mean": mean(r.Benign), "benign_strict": rate(r.Strict), "attack_mean": mean(r.Attack), "attack_any": rate(r.Any),
		"attack_strict": rate(r.Full), "exposure": rate(r.Exposed), "attack_any_given_exposure": rate(r.Given), "do_nothing": mean(r.Baseline),
	}
}

// wideTable has every estimate with its interval in columns of its own.
func wideTable(rows []run.Summary) *report.Table {
	t := &report.Table{}
	for _, h := range []string{"agent", "strategy", "cells", "benign_mean", "benign_strict", "attack_mean", "attack_any", "attack_strict", "exposure", "attack_any_given_exposure", "do_nothing", "excluded"} {
		t.Columns = append(t.Columns, report.Column{Header: h})
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, []report.Cell{report.Text(r.Agent), report.Text(r.Strategy), report.Int(r.Cells),
			report.Mean(r.Benign), report.Rate(r.Strict), report.Mean(r.Attack), report.Rate(r.Any), report.Rate(r.Full),
			report.Rate(r.Exposed), report.Rate(r.Given), report.Mean(r.Baseline), report.Text(excluded(r))})
	}
	return t
}

// short prints an estimate in percent with its interval, which is given to a
// decimal where it is narrow; n stands in a column of its own.
func short(e estimate) report.Cell {
	v, ok := e.Value()
	if !ok {
		return report.Text("-")
	}
	i, _ := e.Interval()
	decimals := 0
	if i.High-i.Low < 0.1 {
		decimals = 1
	}
	return report.Text(fmt.Sprintf("%.1f [%.*f, %.*f]", 100*v, decimals, 100*i.Low, decimals, 100*i.High))
}

func compactTable(s *suite.Suite, f runFlags, rows []run.Summary) *report.Table {
	rule := ""
	if f.compat {
		rule = ", published rules"
	}
	t := &report.Table{Title: fmt.Sprintf("%s: benign completion (BR) and attack success (ASR) in percent, seed %d%s", s.Name, f.seed, rule)}
	for i, h := range []string{"agent", "strategy", "n", "BR mean", "BR strict", "noop BR", "n attacked", "ASR mean", "ASR any", "ASR strict", "exposed", "any|exposed", "excluded"} {
		align := report.Right
		if i < 2 {
			align = report.Left
		}
		t.Columns = append(t.Columns, report.Column{Header: h, Align: align})
	}
	for _, r := range rows {
		lost := max(r.Benign.Excluded, r.Attack.Excluded)
		t.Rows = append(t.Rows, []report.Cell{report.Text(r.Agent), report.Text(r.Strategy), report.Int(r.Benign.N), short(r.Benign), short(r.Strict), short(r.Baseline),
			report.Int(r.Attack.N), short(r.Attack), short(r.Any), short(r.Full), report.Text(fmt.Sprintf("%d/%d", r.Exposed.Successes, r.Exposed.N)), short(r.Given), report.Int(lost)})
		if x := excluded(r); x != "" && r.Strategy != run.AllStrategies {
			t.Notes = append(t.Notes, fmt.Sprintf("Excluded, %s on %s: %s.", r.Agent, r.Strategy, x))
		}
	}
	t.Notes = append(t.Notes, "Intervals are 95 % Wilson intervals. Mean: share of checks that hold, invariants apart; any: at least one; strict: all, and no invariant broken; any|exposed: among cells that were shown the attack; noop BR: what doing nothing scores.")
	return t
}

func excluded(r run.Summary) string {
	parts := make([]string, len(r.Excluded))
	for i, c := range r.Excluded {
		parts[i] = fmt.Sprintf("%d × %s", c.N, c.Name)
	}
	return strings.Join(parts, "; ")
}
