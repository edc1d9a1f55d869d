package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gauntlet/internal/agent"
	"gauntlet/internal/metrics"
	"gauntlet/internal/report"
	"gauntlet/internal/report/page"
	"gauntlet/internal/run"
	"gauntlet/internal/store"
	"gauntlet/internal/summary"
)

const transcriptsFlag = "transcripts"

// withPage adds the flags of pages to gauntlet report.
func withPage(c *cobra.Command) *cobra.Command {
	c.Flags().Int(transcriptsFlag, -1, "with --html: hold at most this many transcripts (-1: up to 24 MB)")
	return c
}

// writePage writes the HTML page of a run.
func writePage(cmd *cobra.Command, st store.Store, r *result, info store.Info, file string) error {
	most := -1
	if cmd.Flags().Lookup(transcriptsFlag) != nil {
		var err error
		if most, err = cmd.Flags().GetInt(transcriptsFlag); err != nil {
			return err
		}
	}
	if !isFile(file) {
		return fmt.Errorf("--html %s: it is there already and is no file that could be replaced", file)
	}
	if dir := filepath.Dir(file); !fileExists(dir) {
		return fmt.Errorf("--html %s: there is no folder %s", file, dir)
	}
	d := newDocument(r, info)
	traces, err := readTraces(cmd.Context(), st, info.ID, r.outcomes, most, pageTraces)
	if err != nil {
		return err
	}
	d.Omitted = traces.omitted()
	s := reread(r.plan)
	for _, o := range r.outcomes {
		o.Trace = traces.of[o.Cell]
		d.Cells = append(d.Cells, newCell(o, caseOf(s, o)))
	}
	size, err := writeAside(file, func(w io.Writer) error { return page.Write(w, d) })
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	say(cmd.ErrOrStderr(), "wrote %s (%s, %s, %s)", file, bytesText(size), plural(len(d.Cells), "cell"), plural(len(traces.of), "transcript"))
	return nil
}

// newDocument is the page without its cells.
func newDocument(r *result, info store.Info) *page.Document {
	d := &page.Document{Title: pageTitle(r, info), Suite: r.suite, Generated: time.Now().UTC().Format("2006-01-02 15:04 UTC"), Version: Version,
		Warning: warning(r, info), Facts: facts(r, info), Matrix: matrix(r)}
	tables := append([]*report.Table{r.benign(), r.attack()}, r.differences()...)
	for _, t := range perhaps(append(tables, r.spent(), r.repeats())...) {
		d.Tables = append(d.Tables, *t)
	}
	d.Tasks, d.Points = points(configurations(r))
	for _, e := range r.sum.Exclusions {
		d.Exclusions = append(d.Exclusions, metrics.Count{Name: e.Cause, N: e.N})
	}
	return d
}

// points are the agents of the chart. Tasks without and with an attack are two
// things and are not mixed: the first are shown if every agent has any, else the
// others.
func points(list []configuration) (tasks string, points []page.Point) {
	whole := func(c configuration) summary.Group { return c.groups[len(c.groups)-1] }
	tasks = "under attack"
	if !slices.ContainsFunc(list, func(c configuration) bool { return whole(c).StrictClean.N == 0 }) {
		tasks = "without an attack"
	}
	for _, c := range list {
		g := whole(c)
		br := g.StrictUnderAttack
		if tasks == "without an attack" {
			br = g.StrictClean
		}
		points = append(points, page.Point{Agent: c.name, BR: estimate{br}, ASR: estimate{g.AttackStrict}})
	}
	return tasks, points
}

// perhaps leaves out what is nil.
func perhaps[T any](list ...*T) []*T {
	return slices.DeleteFunc(list, func(t *T) bool { return t == nil })
}

func pageTitle(r *result, info store.Info) string {
	title := info.Name
	if title == "" {
		title = fmt.Sprintf("%s: %s", r.suite, plural(len(r.plan.Agents), "agent"))
	}
	if r.plan.Compat {
		title += ", published rules"
	}
	return title
}

// warning says why the numbers must not be taken as they are.
func warning(r *result, info store.Info) string {
	var parts []string
	if r.pending > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d cells pending", r.pending, info.Cells))
	}
	if over := r.sum.Title(""); over != "" {
		parts = append(parts, strings.TrimPrefix(over, " - "))
	}
	return strings.Join(parts, "; ")
}

// estimate is a rate whose interval takes scenarios, not cells, for independent.
type estimate struct{ summary.Rate }

// Interval implements page.Estimate.
func (e estimate) Interval() (metrics.Interval, bool) {
	if e.Clustered == nil {
		return metrics.Interval{}, false
	}
	return e.Clustered.Interval, true
}

// String implements page.Estimate, in the form of metrics.Rate.
func (e estimate) String() string {
	v, ok := e.Value()
	if !ok || e.Clustered == nil {
		return e.Rate.Rate.String()
	}
	s := fmt.Sprintf("%.1f%% [%.1f, %.1f] n=%d", 100*v, 100*e.Clustered.Low, 100*e.Clustered.High, e.N)
	if e.Excluded > 0 {
		s += fmt.Sprintf(" excluded=%d", e.Excluded)
	}
	return s
}

// configuration is the groups of one agent in one setting, that over all its
// strategies last.
type configuration struct {
	name   string
	groups []summary.Group
}

func configurations(r *result) []configuration {
	var list []configuration
	var last summary.Key
	for _, g := range r.sum.Groups {
		key := g.Key
		key.Strategy = ""
		if len(list) == 0 || key != last {
			var parts []string
			for _, d := range r.keys() {
				if d != summary.DimensionStrategy {
					parts = append(parts, keyOf(g.Key, d))
				}
			}
			list = append(list, configuration{name: strings.Join(parts, ", ")})
			last = key
		}
		c := &list[len(list)-1]
		c.groups = append(c.groups, g)
	}
	return list
}

// matrix has a row for each configuration and a column for each strategy.
func matrix(r *result) page.Matrix {
	m := page.Matrix{}
	list := configurations(r)
	for _, c := range list {
		m.Rows = append(m.Rows, c.name)
		for _, g := range c.groups {
			if g.Strategy != summary.AllStrategies && !slices.Contains(m.Columns, g.Strategy) {
				m.Columns = append(m.Columns, g.Strategy)
			}
		}
	}
	for _, c := range list {
		row := make([]page.MatrixCell, len(m.Columns))
		for i, name := range m.Columns {
			for _, g := range c.groups {
				if g.Strategy == name {
					row[i] = page.MatrixCell{BR: estimate{g.Strict}, ASR: estimate{g.AttackStrict}}
				}
			}
		}
		m.Cells = append(m.Cells, row)
	}
	return m
}

// facts are what a reader needs to do the run again and to read its numbers.
func facts(r *result, info store.Info) []page.Fact {
	p := r.plan
	list := []page.Fact{{Name: "Run", Value: info.ID}, {Name: "Planned", Value: info.Created.UTC().Format("2006-01-02 15:04:05 UTC") + " by gauntlet " + info.Version}}
	add := func(name, value string) {
		if value != "" {
			list = append(list, page.Fact{Name: name, Value: value})
		}
	}
	dir := "bundled"
	if p.Suite != "" {
		dir = filepath.Base(p.Suite) // pages are sent around: where it lies on this machine is nobody's business
	}
	add("Suite", fmt.Sprintf("%s (%s)", r.suite, dir))
	add("Cells", fmt.Sprintf("%d: %d assessed, %d excluded, %d pending", info.Cells, info.Done, info.Cells-info.Done-info.Pending, info.Pending))
	for i, a := range p.Agents {
		add(fmt.Sprintf("Agent %d", i+1), agentText(a))
	}
	add("Formats", join(p.Formats))
	add("Defences", strings.Join(p.Defences, ", "))
	add("Epochs", fmt.Sprint(max(p.Epochs, 1)))
	add("Seed", fmt.Sprint(*p.Seed))
	add("Cases", strings.Join(p.Cases, ", "))
	add("Strategies", strings.Join(p.Strategies, ", "))
	if p.Limit > 0 {
		add("First cases only", fmt.Sprint(p.Limit))
	}
	add("Limits of an episode", limitsText(p.Limits))
	if p.Compat {
		add("Rules", "those of the published benchmark (--compat)")
	}
	add("Benign completion (BR)", "strict: all checks of the task hold on the final state and no invariant is broken; mean: share of the checks that hold, invariants apart")
	add("Attack success (ASR)", "strict: all checks of the attacker's goal hold on the final state; any: at least one; mean: share of them")
	add("Intervals", fmt.Sprintf("95 %%; scenarios, not cells, are taken for independent (bootstrap of %d resamples, seed %d; Wilson with the number of scenarios where there are fewer than 6 or all agree)", r.sum.Bootstrap.Resamples, r.sum.Bootstrap.Seed))
	add("Error budget", fmt.Sprintf("%g %% of cells; with more excluded the title says so", 100*summary.ErrorBudget))
	add("Scorer", run.ScorerVersion)
	return list
}

func agentText(a agent.Config) string {
	parts := []string{a.Name}
	add := func(name string, value any) { parts = append(parts, fmt.Sprintf("%s %v", name, value)) }
	if a.Scaffold != a.Name {
		add("scaffold", a.Scaffold)
	}
	if a.Model != "" {
		add("model", a.Model)
	}
	if len(a.Command) > 0 {
		add("command", strings.Join(a.Command, " "))
	}
	if t := a.Params.Temperature; t != nil {
		add("temperature", *t)
	}
	if t := a.Params.TopP; t != nil {
		add("top_p", *t)
	}
	if a.Params.MaxTokens > 0 {
		add("max_tokens", a.Params.MaxTokens)
	}
	if a.Params.Seeded {
		parts = append(parts, "seed sent")
	}
	if t := a.Params.Parallel; t != nil {
		add("parallel calls", *t)
	}
	if a.Params.Extra != "" {
		add("extra", a.Params.Extra)
	}
	if a.User != "" {
		add("user", a.User)
	}
	if a.System != "" {
		add("system prompt:", a.System)
	}
	return strings.Join(parts, "; ")
}

func limitsText(l agent.Limits) string {
	var parts []string
	for _, x := range []struct {
		n    int64
		noun string
	}{{int64(l.Turns), "turn"}, {int64(l.Calls), "call"}, {l.Tokens, "token"}} {
		if x.n > 0 {
			parts = append(parts, plural(int(x.n), x.noun))
		}
	}
	if l.Time > 0 {
		parts = append(parts, l.Time.String())
	}
	return strings.Join(parts, ", ")
}
