package convert

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"

	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// ReportFormat is the version of import.json.
const ReportFormat = "gauntlet.import/1"

// Report says what an import took, what it refused and what is odd. It is
// import.json in the suite.
type Report struct {
	Format  string    `json:"format"`
	Sources []Source  `json:"sources"`
	Counts  Counts    `json:"counts"`
	Refused []Refusal `json:"refused"` // left out whole
	Totals  []Total   `json:"totals"`  // of the defects, every kind, also those not found
	Defects []Defect  `json:"defects"` // by case, then kind
	// Verification is absent when none was asked for.
	Verification *Verification `json:"verification,omitempty"`
}

// Source is a file that was read.
type Source struct {
	Kind   string `json:"kind"` // environments or tasks
	File   string `json:"file"` // without directory
	Items  int    `json:"items"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Counts are the sizes of what was imported.
type Counts struct {
	Worlds         int             `json:"worlds"`
	Tools          int             `json:"tools"`
	ReadTools      int             `json:"read_tools"`  // published as query
	WriteTools     int             `json:"write_tools"` // published as state_change
	Scenarios      int             `json:"scenarios"`
	Cases          int             `json:"cases"`
	BenignCases    int             `json:"benign_cases"` // without an attack
	Strategies     []StrategyCount `json:"strategies"`   // in order of first appearance
	BenignChecks   int             `json:"benign_checks"`
	InjectedChecks int             `json:"injected_checks"`
	AttackPoints   int             `json:"attack_points"` // published entries
	// DistinctPoints counts by world and name of the attribute, without that of
	// the entity, which the plans of tasks do not give reliably.
	DistinctPoints int `json:"distinct_attack_points"`
	// Changed counts the cases by how many scalars of the state the poisoning
	// changed, added or removed.
	Changed ChangedCount `json:"changed"`
	// DoNothing is the mean share of benign checks that hold with no action, in
	// [0, 1], over the cases that have benign checks.
	DoNothing float64 `json:"do_nothing"`

	shares float64
	shared int
}

// StrategyCount is the number of cases of one strategy.
type StrategyCount struct {
	Strategy string `json:"strategy"`
	Cases    int    `json:"cases"`
}

// ChangedCount counts cases by the number of changed scalars.
type ChangedCount struct {
	None int `json:"none"`
	One  int `json:"one"`
	More int `json:"more"`
}

// Refusal is a world or case that was left out.
type Refusal struct {
	What   string `json:"what"` // world or case
	ID     string `json:"id"`
	File   string `json:"file"` // without directory
	Reason string `json:"reason"`
}

// Total counts one kind of defect.
type Total struct {
	Kind  Kind `json:"kind"`
	Cases int  `json:"cases"`
	Items int  `json:"items"` // checks; 0 for kinds that are not about checks
}

func newReport() *Report {
	return &Report{Format: ReportFormat, Sources: []Source{}, Refused: []Refusal{}, Defects: []Defect{}, Counts: Counts{Strategies: []StrategyCount{}}}
}

func (r *Report) refuse(what, id, file, reason string) {
	r.Refused = append(r.Refused, Refusal{what, id, filepath.Base(file), reason})
}

func (r *Report) firstRefusal() string {
	if len(r.Refused) == 0 {
		return "the task files hold none"
	}
	f := r.Refused[0]
	return fmt.Sprintf("%d refused; %s %q: %s", len(r.Refused), f.What, f.ID, f.Reason)
}

// countWorld counts an imported world.
func (r *Report) countWorld(e *environment, bp *world.Blueprint) {
	c := &r.Counts
	c.Worlds++
	c.Tools += len(bp.Tools)
	for _, t := range bp.Tools {
		switch e.effect[t.Name] {
		case trace.EffectRead:
			c.ReadTools++
		case trace.EffectWrite:
			c.WriteTools++
		}
	}
	c.AttackPoints += len(e.points)
	seen := map[string]bool{}
	for _, p := range e.points {
		if name := bare(p.Attribute); !seen[name] {
			seen[name] = true
			c.DistinctPoints++
		}
	}
}

// countCase counts an imported case.
func (r *Report) countCase(t *task) {
	c := &r.Counts
	c.Cases++
	c.BenignChecks += len(t.Checks)
	if t.Attack == nil {
		c.BenignCases++
	} else {
		c.InjectedChecks += len(t.Attack.Checks)
	}
	name := t.Strategy()
	i := slices.IndexFunc(c.Strategies, func(s StrategyCount) bool { return s.Strategy == name })
	if i < 0 {
		i = len(c.Strategies)
		c.Strategies = append(c.Strategies, StrategyCount{Strategy: name})
	}
	c.Strategies[i].Cases++
}

func (im *importer) countChanges(n int) {
	c := &im.report.Counts.Changed
	switch n {
	case 0:
		c.None++
	case 1:
		c.One++
	default:
		c.More++
	}
}

// doNothing adds a case of which some checks hold at the start.
func (c *Counts) doNothing(hold, of int) {
	c.shares += float64(hold) / float64(of)
	c.shared++
	c.DoNothing = c.shares / float64(c.shared)
}

// total counts the defects by kind.
func (r *Report) total() {
	r.Totals = nil
	for _, k := range Kinds() {
		t := Total{Kind: k}
		cases := map[string]bool{}
		for _, d := range r.Defects {
			if d.Kind == k {
				cases[d.Case] = true
				t.Items += len(d.Items)
			}
		}
		t.Cases = len(cases)
		r.Totals = append(r.Totals, t)
	}
}

// Total returns the count of one kind of defect.
func (r *Report) Total(k Kind) Total {
	for _, t := range r.Totals {
		if t.Kind == k {
			return t
		}
	}
	return Total{Kind: k}
}

// maxListed bounds the refusals and differences that WriteText lists; import.json
// has them all.
const maxListed = 20

// WriteText writes a summary for a reader. Text from the imported files is
// quoted where it is not plainly printable.
func (r *Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	row := func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				_, _ = fmt.Fprint(t, "\t") // errors come back from Flush
			}
			_, _ = fmt.Fprint(t, c)
		}
		_, _ = fmt.Fprintln(t)
	}
	c := r.Counts
	row("worlds", c.Worlds)
	row("tools", c.Tools, fmt.Sprintf("%d read, %d write", c.ReadTools, c.WriteTools))
	row("scenarios", c.Scenarios)
	row("cases", c.Cases, fmt.Sprintf("%d without attack", c.BenignCases))
	for _, s := range c.Strategies {
		row("  "+plain(s.Strategy), s.Cases)
	}
	row("benign checks", c.BenignChecks, fmt.Sprintf("%.4f hold when nothing is done (mean over cases)", c.DoNothing))
	row("injected checks", c.InjectedChecks)
	row("attack points", c.AttackPoints, fmt.Sprintf("%d distinct", c.DistinctPoints))
	row("refused", len(r.Refused))
	for _, f := range r.Refused[:min(len(r.Refused), maxListed)] {
		row("  "+f.What+" "+plain(f.ID), "", plain(f.Reason))
	}
	if more := len(r.Refused) - maxListed; more > 0 {
		row(fmt.Sprintf("  and %d more in import.json", more))
	}
	row("defects", "cases", "checks")
	for _, k := range r.Totals {
		items := ""
		if k.Items > 0 {
			items = strconv.Itoa(k.Items)
		}
		row("  "+string(k.Kind), k.Cases, items)
	}
	if r.Verification != nil {
		r.Verification.rows(row)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write summary: %w", err)
	}
	return nil
}

// plain quotes a text that a terminal could take for something else.
func plain(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
