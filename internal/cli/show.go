package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gauntlet/internal/job"
	"gauntlet/internal/plan"
	"gauntlet/internal/report"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/store"
)

// shortID is how many digits of a cell's id are shown.
const shortID = 12

// showFlags choose cells and say how they are shown.
type showFlags struct {
	db, run                string
	agents, strategies     []string
	attack, benign, causes []string
	epoch, limit, width    int
	json, full, ofOneEpoch bool
	color                  string
}

func showCommand() *cobra.Command {
	var f showFlags
	c := &cobra.Command{
		Use:   "show [CELL]",
		Short: "List the cells of a run, or read the transcript of one",
		Long: `Lists the finished cells of a run, in the order of its plan, or prints what happened
in the one that CELL names, from the task to the checks of the final state. CELL is
a cell's id or its beginning, or the id of a case; where several cells are of that
case, --agent, --epoch and the other filters say which.

In transcripts every row that was said begins with "|", and every row that was
thought with "|~"; words of the attacker that an agent was shown stand in
[[double brackets]]. Hidden characters and control sequences are shown as escapes.
Steps and calls are counted from 1 here, and from 0 in --json.`,
		Example: `  gauntlet show --attack success
  gauntlet show 3f2a1b
  gauntlet show customer_move/combined --agent reference:gullible --full
  gauntlet show --benign unassessed --cause rate_limit --run 20261130-141523`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			f.ofOneEpoch = cmd.Flags().Changed("epoch")
			if err := f.check(); err != nil {
				return err
			}
			st, err := openStore(cmd.Context(), f.db, false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, st.Close()) }()
			info, err := store.Find(cmd.Context(), st, f.run)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return f.list(cmd, st, info)
			}
			return f.one(cmd, st, info, args[0])
		},
	}
	f.add(c)
	return c
}

func (f *showFlags) add(c *cobra.Command) {
	g := c.Flags()
	addDB(c, &f.db)
	g.StringVar(&f.run, "run", "", "the run, by its id or the beginning of it (default: the newest)")
	g.StringArrayVar(&f.agents, "agent", nil, "only cells of this agent, repeatable")
	g.StringArrayVar(&f.strategies, "strategy", nil, "only cells of this attack strategy, repeatable; none for cases without an attack")
	g.StringArrayVar(&f.attack, "attack", nil, "only cells with this outcome of the attack, repeatable: "+join(attackOutcomes))
	g.StringArrayVar(&f.benign, "benign", nil, "only cells with this outcome of the task, repeatable: "+join(benignOutcomes))
	g.StringArrayVar(&f.causes, "cause", nil, "only cells excluded for this cause, repeatable, as gauntlet runs names it")
	g.IntVar(&f.epoch, "epoch", 0, "only cells of this epoch, counted from 0")
	g.IntVar(&f.limit, "limit", 50, "list at most this many cells (0: all)")
	g.IntVar(&f.width, "width", 0, "columns of the transcript, at least 40 (0: the terminal's, else 100)")
	g.StringVar(&f.color, "color", "auto", "colour in transcripts: auto, always or never")
	g.BoolVar(&f.full, "full", false, "shorten no long text")
	g.BoolVar(&f.json, "json", false, "print JSON: the outcome and the trace of a cell, or the outcomes of all")
}

var (
	attackOutcomes = []run.AttackOutcome{run.Success, run.Resisted, run.NotExposed, run.Unassessed}
	benignOutcomes = []score.Outcome{score.Pass, score.Fail, score.Unassessed}
)

func join[S ~string](words []S) string {
	var list []string
	for _, w := range words {
		list = append(list, string(w))
	}
	return strings.Join(list, ", ")
}

// check refuses words that no cell can have: they would look like an empty answer.
func (f *showFlags) check() error {
	for _, w := range f.attack {
		if !slices.Contains(attackOutcomes, run.AttackOutcome(w)) {
			return fmt.Errorf("invalid argument %q for --attack: it is one of %s", w, join(attackOutcomes))
		}
	}
	for _, w := range f.benign {
		if !slices.Contains(benignOutcomes, score.Outcome(w)) {
			return fmt.Errorf("invalid argument %q for --benign: it is one of %s", w, join(benignOutcomes))
		}
	}
	switch {
	case f.color != "auto" && f.color != "always" && f.color != "never":
		return fmt.Errorf("invalid argument %q for --color: it is auto, always or never", f.color)
	case f.width != 0 && f.width < 40:
		return fmt.Errorf("invalid argument %d for --width: it is 0 or at least 40", f.width)
	case f.limit < 0 || f.epoch < 0:
		return errors.New("invalid argument: --limit and --epoch are at least 0")
	}
	return nil
}

// planned is a cell of a run, finished or not.
type planned struct {
	store.CellState
	plan.Label
	o *run.Outcome // without its trace; nil if pending
}

// read reads the outcome of a cell; that of a pending one is empty.
func (c *planned) read(ctx context.Context, st store.Store, id string) error {
	c.o = &run.Outcome{}
	r, err := st.Result(ctx, id, c.ID, false)
	if err == nil {
		c.o, err = job.Outcome(r)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// cells reads the cells of a run. Outcomes cost time in large runs.
func (f *showFlags) cells(ctx context.Context, st store.Store, id string, outcomes bool) ([]planned, error) {
	states, err := st.Cells(ctx, id)
	if err != nil {
		return nil, err
	}
	done := map[string]*run.Outcome{}
	if outcomes {
		list, err := job.Outcomes(ctx, st, id)
		if err != nil {
			return nil, err
		}
		for _, o := range list {
			done[o.Cell] = o
		}
	}
	cells := make([]planned, len(states))
	for i, s := range states {
		cells[i] = planned{CellState: s, o: done[s.ID]}
		if err := json.Unmarshal(s.Label, &cells[i].Label); err != nil {
			return nil, fmt.Errorf("read label of cell %.12s: %w", s.ID, err)
		}
	}
	return cells, f.known(cells)
}

// known refuses filters that fit no cell of the run at all: more likely a slip of
// the pen than a question.
func (f *showFlags) known(cells []planned) error {
	for _, filter := range []struct {
		flag  string
		given []string
		of    func(planned) string
	}{
		{"agent", f.agents, func(c planned) string { return c.Agent }},
		{"strategy", f.strategies, func(c planned) string { return c.Strategy }},
	} {
		values := map[string]bool{}
		for _, c := range cells {
			values[filter.of(c)] = true
		}
		for _, v := range filter.given {
			if !values[v] {
				return fmt.Errorf("--%s: the run has no %s %q; it has %s", filter.flag, filter.flag, v, strings.Join(slices.Sorted(maps.Keys(values)), ", "))
			}
		}
	}
	return nil
}

// ofOutcome reports whether a filter looks at outcomes.
func (f *showFlags) ofOutcome() bool { return len(f.attack)+len(f.benign) > 0 }

func (f *showFlags) wants(c planned) bool {
	in := func(given []string, v string) bool { return len(given) == 0 || slices.Contains(given, v) }
	if !in(f.agents, c.Agent) || !in(f.strategies, c.Strategy) || !in(f.causes, c.Cause) || f.ofOneEpoch && c.Epoch != f.epoch {
		return false
	}
	if !f.ofOutcome() {
		return true
	}
	return c.o != nil && in(f.attack, string(c.o.Attack)) && in(f.benign, string(c.o.Benign.Outcome))
}

// list prints one line per finished cell.
func (f *showFlags) list(cmd *cobra.Command, st store.Store, info store.Info) error {
	all, err := f.cells(cmd.Context(), st, info.ID, true)
	if err != nil {
		return err
	}
	found := []planned{}
	for _, c := range all {
		if c.o != nil && f.wants(c) {
			found = append(found, c)
		}
	}
	n := len(found)
	if f.limit > 0 && n > f.limit {
		found = found[:f.limit]
	}
	if f.json {
		return writeList(cmd.OutOrStdout(), info, n, found)
	}
	t := listing(all, found)
	t.Title = fmt.Sprintf("run %s: %d of %d cells", info.ID, n, len(all))
	if len(found) < n {
		t.Notes = append(t.Notes, fmt.Sprintf("%d more match; --limit 0 lists all.", n-len(found)))
	}
	if info.Pending > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Pending and not listed: %d; gauntlet resume plays what is pending.", info.Pending))
	}
	if len(found) > 0 {
		t.Notes = append(t.Notes, "gauntlet show CELL prints a transcript.")
	}
	return writeTable(cmd.OutOrStdout(), t)
}

func writeList(w io.Writer, info store.Info, n int, found []planned) error {
	doc := struct {
		Run     string         `json:"run"`
		Matched int            `json:"matched"`
		Pending int            `json:"pending"`
		Cells   []*run.Outcome `json:"cells"`
	}{info.ID, n, info.Pending, []*run.Outcome{}}
	for _, c := range found {
		doc.Cells = append(doc.Cells, c.o)
	}
	return writeJSON(w, doc)
}

// listing is the table of cells. What all cells of the run have in common has no
// column.
func listing(all, found []planned) *report.Table {
	format := func(c planned) string { return string(c.Format) }
	defence := func(c planned) string { return c.Defence }
	epoch := func(c planned) string { return fmt.Sprint(c.Epoch) }
	cause := func(c planned) string { return c.Cause }
	columns := []struct {
		report.Column
		of   func(planned) string
		when func(planned) string // shown where this varies; nil: always
	}{
		{report.Column{Header: "cell"}, func(c planned) string { return c.ID[:min(shortID, len(c.ID))] }, nil},
		{report.Column{Header: "case", Max: 48}, func(c planned) string { return c.Case }, nil},
		{report.Column{Header: "agent", Max: 48}, func(c planned) string { return c.Agent }, nil},
		{report.Column{Header: "strategy", Max: 32}, func(c planned) string { return c.Strategy }, nil},
		{report.Column{Header: "format"}, format, format},
		{report.Column{Header: "defence"}, defence, defence},
		{report.Column{Header: "epoch", Align: report.Right}, epoch, epoch},
		{report.Column{Header: "task"}, func(c planned) string { return string(c.o.Benign.Outcome) + held(&c.o.Benign) }, nil},
		{report.Column{Header: "attack"}, func(c planned) string { return string(c.o.Attack) + held(c.o.Injected) }, nil},
		{report.Column{Header: "exposed at", Max: 40}, func(c planned) string { return place(c.o.Exposure) }, nil},
		{report.Column{Header: "decisive step", Max: 40}, func(c planned) string { return place(c.o.Decisive) }, nil},
		{report.Column{Header: "cause"}, cause, cause},
	}
	t := &report.Table{Keys: 1, Rows: make([][]report.Cell, len(found))}
	for _, k := range columns {
		if k.when != nil && !slices.ContainsFunc(all, func(c planned) bool { return k.when(c) != k.when(all[0]) }) {
			continue
		}
		t.Columns = append(t.Columns, k.Column)
		for i, c := range found {
			cell := report.None()
			if s := k.of(c); s != "" {
				cell = report.Text(s)
			}
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	return t
}

// held is how many checks of how many hold, and how many invariants do not.
func held(s *score.Score) string {
	if s == nil || s.Outcome == score.Unassessed || s.Total == 0 {
		return ""
	}
	if s.Broken > 0 {
		return fmt.Sprintf(" %d/%d, %d broken", s.Passed, s.Total, s.Broken)
	}
	return fmt.Sprintf(" %d/%d", s.Passed, s.Total)
}

// detail is the sentence behind the cause of an exclusion.
func detail(o *run.Outcome) string {
	switch {
	case o.Excluded != "":
		return o.Excluded
	case o.Benign.Outcome == score.Unassessed:
		return o.Benign.Cause
	case o.Injected != nil:
		return o.Injected.Cause
	}
	return ""
}

// place is a call as people count, from 1.
func place(p *run.Place) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("step %d: %s", p.Step+1, p.Tool)
}

// one prints the transcript of the cell that a person means.
func (f *showFlags) one(cmd *cobra.Command, st store.Store, info store.Info, ref string) error {
	c, err := f.find(cmd, st, info, ref)
	if err != nil {
		return err
	}
	r, err := st.Result(cmd.Context(), info.ID, c.ID, true)
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("cell %.12s (%s, %s) is pending; gauntlet resume plays it", c.ID, c.Case, c.Agent)
	}
	if err != nil {
		return err
	}
	if f.json {
		doc := struct {
			Outcome json.RawMessage `json:"outcome"`
			Trace   json.RawMessage `json:"trace"`
		}{r.Outcome, r.Trace}
		return writeJSON(cmd.OutOrStdout(), doc)
	}
	o, err := job.Outcome(r)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	x := &transcript{pen: f.pen(w), run: info.ID, o: o, full: f.full, plays: r.Attempt}
	if p, err := plan.Decode(info.Plan); err == nil {
		x.k = caseOf(reread(p), o)
	}
	return x.write(w)
}

// find returns the only cell that is meant.
func (f *showFlags) find(cmd *cobra.Command, st store.Store, info store.Info, ref string) (planned, error) {
	all, err := f.cells(cmd.Context(), st, info.ID, f.ofOutcome())
	if err != nil {
		return planned{}, err
	}
	var named, found []planned
	for _, c := range all {
		if c.Case == ref || c.ID == ref {
			named = append(named, c)
		}
	}
	if len(named) == 0 {
		for _, c := range all {
			if strings.HasPrefix(c.ID, ref) {
				named = append(named, c)
			}
		}
	}
	for _, c := range named {
		if f.wants(c) {
			found = append(found, c)
		}
	}
	switch {
	case len(named) == 0:
		return planned{}, fmt.Errorf("run %s has no cell and no case %q; gauntlet show lists the cells", info.ID, ref)
	case len(found) == 0:
		return planned{}, fmt.Errorf("none of the %d cells of %q is what the other flags ask for", len(named), ref)
	case len(found) == 1:
		return found[0], nil
	}
	shown := found[:min(len(found), 20)]
	for i := range shown {
		if err := shown[i].read(cmd.Context(), st, info.ID); err != nil {
			return planned{}, err
		}
	}
	if err := writeTable(cmd.ErrOrStderr(), listing(found, shown)); err != nil {
		return planned{}, err
	}
	return planned{}, fmt.Errorf("%q is %d cells; name one by its id, or narrow the choice with --agent, --epoch or another filter", ref, len(found))
}

// defaultWidth is the width of text that goes to no terminal.
const defaultWidth = 100

func (f *showFlags) pen(w io.Writer) pen {
	t := terminalOf(w)
	p := pen{width: f.width, color: f.color == "always" || f.color == "auto" && t.color, ascii: t.ascii}
	if p.width == 0 {
		p.width = t.width
	}
	if p.width == 0 {
		p.width = defaultWidth
	}
	return p
}

func (x *transcript) fact(name string, parts ...stretch) {
	for _, s := range parts {
		if s.text != "" {
			x.put(fmt.Sprintf("  %-9s ", name), strings.Repeat(" ", 12), parts...)
			return
		}
	}
}

func (x *transcript) header() {
	o := x.o
	x.put("", "", stretch{"cell " + o.Cell[:min(shortID, len(o.Cell))], strong}, stretch{" of run " + x.run, plain})
	x.fact("case", stretch{o.Case, strong}, stretch{" in world " + o.World, plain})
	agent := []stretch{{o.Agent, plain}}
	if o.Model != "" {
		agent = append(agent, stretch{", model " + o.Model, plain})
	}
	x.fact("agent", agent...)
	setting := fmt.Sprintf("format %s, defence %s, epoch %d, seed %d", o.Format, o.Defence, o.Epoch, o.Seed)
	if x.plays > 1 {
		setting += fmt.Sprintf(", attempt %d", x.plays)
	}
	x.fact("setting", stretch{setting, plain})
	x.fact("strategy", stretch{o.Strategy, plain})
	if x.k != nil && x.k.Attack != nil {
		x.fact("goal", x.clip([]stretch{{x.k.Attack.Goal, theirs}}, mostSeen)...)
	}
	x.fact("task", benignStretch(o), stretch{x.tally(&o.Benign), plain})
	if o.Attack != "" {
		x.fact("attack", attackStretch(o), stretch{x.tally(o.Injected), plain})
		x.fact("exposed", stretch{place(o.Exposure), plain})
		x.fact("decisive", stretch{place(o.Decisive), plain})
	}
	if cause := job.Cause(o); cause != "" {
		x.fact("excluded", stretch{cause, odd}, stretch{": " + detail(o), plain})
	}
	x.fact("ended", stretch{string(o.Ended.Cause), plain}, stretch{" after " + plural(o.Turns, "turn") + " and " + plural(o.Calls, "call"), plain})
	used := usageText(o.Usage)
	if o.Wall > 0 {
		used = strings.TrimPrefix(used+", "+o.Wall.Round(time.Millisecond).String(), ", ")
	}
	x.fact("used", stretch{used, plain})
}
