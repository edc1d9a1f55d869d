package cli

import (
	"io"
	"strings"

	"gauntlet/internal/metrics"
	"gauntlet/internal/summary"
)

// jsonRow is a group of cells as --json prints it.
type jsonRow struct {
	summary.Key
	Cells    int             `json:"cells"`
	Metrics  jsonMetrics     `json:"metrics"`
	Excluded []metrics.Count `json:"excluded"`
	Loss     summary.Loss    `json:"loss"`
	PassK    []summary.PassK `json:"pass_k,omitempty"`
	Spent    summary.Spent   `json:"spent"`
}

type jsonMetrics struct {
	BenignMean              summary.Mean `json:"benign_mean"`
	BenignMeanClean         summary.Mean `json:"benign_mean_clean"`
	BenignMeanUnderAttack   summary.Mean `json:"benign_mean_under_attack"`
	BenignStrict            summary.Rate `json:"benign_strict"`
	BenignStrictClean       summary.Rate `json:"benign_strict_clean"`
	BenignStrictUnderAttack summary.Rate `json:"benign_strict_under_attack"`
	DoNothing               summary.Mean `json:"do_nothing"`
	AttackMean              summary.Mean `json:"attack_mean"`
	AttackAny               summary.Rate `json:"attack_any"`
	AttackStrict            summary.Rate `json:"attack_strict"`
	AttackIntermediate      summary.Rate `json:"attack_intermediate"`
	Exposure                summary.Rate `json:"exposure"`
	AnyGivenExposure        summary.Rate `json:"attack_any_given_exposure"`
	StrictGivenExposure     summary.Rate `json:"attack_strict_given_exposure"`
}

// writeJSON writes everything that the tables show, in full precision.
func (r *result) writeJSON(w io.Writer) error {
	doc := struct {
		Run     string          `json:"run,omitempty"`
		Suite   string          `json:"suite"`
		Seed    uint64          `json:"seed"`
		Compat  bool            `json:"compat"`
		Scorer  string          `json:"scorer"`
		Pending int             `json:"pending"`
		Loss    summary.Loss    `json:"loss"`
		Rows    []jsonRow       `json:"rows"`
		Pairs   []summary.Pair  `json:"pairs"`
		Notes   []string        `json:"notes"`
		Spent   summary.Spent   `json:"spent"`
		Replay  *summary.Replay `json:"replay,omitempty"`
	}{Run: r.id, Suite: r.suite, Seed: *r.plan.Seed, Compat: r.plan.Compat, Scorer: strings.Join(r.scorers(), ", "), Pending: r.pending,
		Loss: r.sum.Loss, Rows: []jsonRow{}, Pairs: r.sum.Pairs, Notes: r.sum.Notes, Spent: r.sum.Spent}
	if replay, ok := summary.Replays(r.outcomes); ok {
		doc.Replay = &replay
	}
	for _, g := range r.sum.Groups {
		row := jsonRow{Key: g.Key, Cells: g.Cells, Loss: g.Loss, PassK: g.PassK, Spent: g.Spent, Excluded: []metrics.Count{}, Metrics: jsonMetrics{
			g.Benign, g.BenignClean, g.BenignUnderAttack, g.Strict, g.StrictClean, g.StrictUnderAttack, g.Baseline,
			g.Attack, g.AttackAny, g.AttackStrict, g.AttackIntermediate, g.Exposed, g.AnyGivenExposure, g.StrictGivenExposure}}
		for _, e := range g.Exclusions {
			row.Excluded = append(row.Excluded, metrics.Count{Name: e.Cause, N: e.N})
		}
		doc.Rows = append(doc.Rows, row)
	}
	return writeJSON(w, doc)
}
