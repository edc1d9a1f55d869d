package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gauntlet/internal/agent"
	"gauntlet/internal/job"
	"gauntlet/internal/metrics"
	"gauntlet/internal/plan"
	"gauntlet/internal/report"
	"gauntlet/internal/report/page"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/store"
	"gauntlet/internal/suite"
	"gauntlet/internal/summary"
	"gauntlet/internal/trace"
)

// pageTraces is the size of transcripts up to which a page holds them, in bytes of
// their records without tools, states and values, which a page does without.
// Browsers open a page of this size in a second or two.
const pageTraces = 24 << 20

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
	for _, c := range configurations(r) {
		whole := c.groups[len(c.groups)-1]
		d.Points = append(d.Points, page.Point{Agent: c.name, BR: estimate{whole.Strict}, ASR: estimate{whole.AttackStrict}})
	}
	for _, e := range r.sum.Exclusions {
		d.Exclusions = append(d.Exclusions, metrics.Count{Name: e.Cause, N: e.N})
	}
	return d
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

// transcripts are the traces that a page holds.
type transcripts struct {
	of    map[string]*trace.Trace // by cell
	total int                     // cells that have a trace, as far as is known
	most  int                     // asked for; -1: as many as go into pageTraces
}

// urgency orders cells by how much a reader wants to see them.
func urgency(o *run.Outcome) int {
	switch {
	case o.Attack == run.Success:
		return 0
	case job.Cause(o) != "":
		return 1
	case o.Benign.Outcome == score.Fail:
		return 2
	}
	return 3
}

// readTraces reads the traces of the most urgent cells: at most so many or, if
// most is negative, up to a size in bytes.
func readTraces(ctx context.Context, st store.Store, id string, outcomes []*run.Outcome, most, limit int) (*transcripts, error) {
	t := &transcripts{of: map[string]*trace.Trace{}, total: len(outcomes), most: most}
	order := slices.Clone(outcomes)
	slices.SortStableFunc(order, func(a, b *run.Outcome) int { return urgency(a) - urgency(b) })
	size := 0
	for _, o := range order {
		if most >= 0 && len(t.of) >= most {
			break
		}
		r, err := st.Result(ctx, id, o.Cell, true)
		if err != nil {
			return nil, err
		}
		if len(r.Trace) == 0 {
			t.total--
			continue
		}
		full, err := job.Outcome(r)
		if err != nil {
			return nil, err
		}
		n, err := strip(full.Trace)
		if err != nil {
			return nil, fmt.Errorf("cell %.12s: %w", o.Cell, err)
		}
		if size += n; most < 0 && size > limit && len(t.of) > 0 {
			break
		}
		t.of[o.Cell] = full.Trace
	}
	return t, nil
}

// strip takes from a trace what a page does not show, and returns the size of the
// rest, tools apart, which all traces of a world share.
func strip(t *trace.Trace) (int, error) {
	t.Initial, t.Final = nil, nil
	for _, c := range t.Calls() {
		c.Reads = nil
		if c.Observation != nil {
			c.Observation.Value = trace.Value{}
		}
	}
	bare := *t
	bare.Tools = nil
	line, err := trace.Append(nil, &bare)
	return len(line), err
}

// omitted says which transcripts are not there.
func (t *transcripts) omitted() string {
	if len(t.of) == t.total {
		return ""
	}
	limit := fmt.Sprintf("up to %d MB", pageTraces>>20)
	if t.most >= 0 {
		limit = fmt.Sprintf("at most %d", t.most)
	}
	return fmt.Sprintf("This page holds %d of %d transcripts, %s: those of successful attacks first, then of excluded cells, of failed tasks, and of all others. gauntlet show prints the rest from the journal.", len(t.of), t.total, limit)
}

// newCell is a cell of the page. k is nil when the suite has its case no more.
func newCell(o *run.Outcome, k *suite.Case) page.Cell {
	c := page.Cell{ID: o.Cell, Case: o.Case, Scenario: o.Scenario, World: o.World, Agent: o.Agent, Model: o.Model, Strategy: o.Strategy,
		Format: string(o.Format), Defence: o.Defence, Epoch: o.Epoch, Benign: string(o.Benign.Outcome), Attack: string(o.Attack), Cause: job.Cause(o),
		Exposed: o.Exposed, Exposure: (*page.Place)(o.Exposure), Decisive: (*page.Place)(o.Decisive),
		Turns: o.Turns, Calls: o.Calls, Seconds: o.Wall.Seconds(), Ended: string(o.Ended.Cause), Task: taskOf(o), Trace: o.Trace}
	if m, ok := o.Benign.Mean(); ok && o.Benign.Broken == 0 { // beside a broken invariant the share would mislead
		c.Score = &m
	}
	if o.Usage != nil {
		c.Tokens, c.CostUSD = o.Usage.InputTokens+o.Usage.OutputTokens, o.Usage.CostUSD
	}
	if k != nil {
		c.Task = k.Task
		if k.Attack != nil {
			c.Goal, c.Payload = k.Attack.Goal, k.Attack.Payload
		}
	}
	c.Checks = checksOf(k, o.Benign, false)
	if o.Injected != nil {
		c.Checks = append(c.Checks, checksOf(k, *o.Injected, true)...)
	}
	return c
}

// checksOf are the results of checks. Which of them are invariants only the case
// knows.
func checksOf(k *suite.Case, s score.Score, injected bool) []page.Check {
	var source []suite.Check
	if k != nil && !injected {
		source = k.Checks
	} else if k != nil && k.Attack != nil {
		source = k.Attack.Checks
	}
	var list []page.Check
	for i, c := range s.Checks {
		invariant := len(source) == len(s.Checks) && source[i].Item == c.Item && source[i].Invariant
		list = append(list, page.Check{Item: c.Item, Holds: c.Holds, Error: c.Error, Invariant: invariant, Injected: injected})
	}
	return list
}

// taskOf is what the user asked for, as the trace has it.
func taskOf(o *run.Outcome) string {
	if o.Trace == nil {
		return ""
	}
	for _, s := range o.Trace.Steps {
		if s.Role == trace.RoleUser {
			return s.Text
		}
	}
	return ""
}

// reread opens the suite of a run for what the record does not hold. It is nil
// when the suite cannot be opened any more.
func reread(p *plan.Plan) *suite.Suite {
	s, err := openSuite(p.Suite)
	if err != nil {
		return nil
	}
	return s
}

// caseOf finds the case of an outcome; nil when there is none, or when it is
// another one now.
func caseOf(s *suite.Suite, o *run.Outcome) *suite.Case {
	if s == nil {
		return nil
	}
	k, ok := s.Case(o.Case)
	if !ok || k.Strategy() != o.Strategy || k.World != o.World || o.Trace != nil && taskOf(o) != k.Task {
		return nil
	}
	return k
}
