package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gauntlet/internal/job"
	"gauntlet/internal/plan"
	"gauntlet/internal/report"
	"gauntlet/internal/run"
	"gauntlet/internal/store"
	"gauntlet/internal/suite"
	"gauntlet/internal/summary"
)

// defaultDB is where runs are journaled when --db does not say otherwise.
const defaultDB = "gauntlet.db"

// modelWorkers is the number of cells at once when cells wait for models.
const modelWorkers = 16

// playFlags say how a plan is played and printed.
type playFlags struct {
	db      string
	noDB    bool
	traffic plan.Traffic
	record  string
	replay  string
	json    bool
	csv     bool
	quiet   bool
	gate    gate
	offline bool // no model is asked: no flag, but what a command does
}

// Headings of flags in help texts.
const (
	ofRequests = "Speed, requests to models, budgets"
	ofOutput   = "Journal and output"
)

func (f *playFlags) add(c *cobra.Command) {
	f.addTraffic(c)
	heading(c, ofRequests, func(g *pflag.FlagSet) {
		g.StringVar(&f.record, "record", "", "write all requests and replies to this cassette, a `FILE`")
		g.StringVar(&f.replay, "replay", "", "answer all requests from this cassette, a `FILE`; no service is asked")
	})
	heading(c, ofOutput, func(g *pflag.FlagSet) {
		g.BoolVar(&f.noDB, "no-db", false, "journal nothing: a run that is stopped is lost")
	})
}

// addTraffic adds the flags that also resume and retry have.
func (f *playFlags) addTraffic(c *cobra.Command) {
	t := &f.traffic
	heading(c, ofRequests, func(g *pflag.FlagSet) {
		g.IntVar(&t.Workers, "workers", 0, "cells played at once (0: one per processor, 16 with models)")
		g.Float64Var(&t.BudgetUSD, "budget-usd", 0, "stop when this much `MONEY` is spent (0: no limit)")
		g.Int64Var(&t.BudgetTokens, "budget-tokens", 0, "stop when this many `TOKENS` are used (0: no limit)")
		g.DurationVar(&t.BudgetTime, "budget-time", 0, "stop after this time, such as 8h (0: no limit)")
		g.IntVar(&t.Attempts, "attempts", 0, "most attempts of a request (0: 6)")
		g.StringVar(&t.Providers, "providers", "", "YAML `FILE` with providers, limits and prices beside the built-in ones")
		g.StringVar(&t.Cache, "cache", "", "`FOLDER` in which replies of models are kept and looked up")
	})
	heading(c, ofOutput, func(g *pflag.FlagSet) {
		g.StringVar(&f.db, "db", defaultDB, "journal of runs, a `FILE`")
		g.BoolVar(&f.json, "json", false, "print the table as JSON")
		g.BoolVar(&f.csv, "csv", false, "print the table as CSV")
		g.BoolVar(&f.quiet, "quiet", false, "show no progress")
		f.gate.add(g)
	})
}

func addDB(c *cobra.Command, db *string) {
	c.Flags().StringVar(db, "db", defaultDB, "journal of runs, a `FILE`")
}

// over puts the flags that were given in place of what a plan says.
func (f *playFlags) over(cmd *cobra.Command, t *plan.Traffic) error {
	g := cmd.Flags()
	if f.traffic.Workers < 0 || f.traffic.Attempts < 0 || !(f.traffic.BudgetUSD >= 0) || f.traffic.BudgetTokens < 0 || f.traffic.BudgetTime < 0 {
		return errors.New("--limit and --workers are 0 (all, one per processor) or more, as are --attempts and the budgets")
	}
	if g.Changed("workers") {
		t.Workers = f.traffic.Workers
	}
	if g.Changed("providers") {
		t.Providers = f.traffic.Providers
	}
	if g.Changed("cache") {
		t.Cache = f.traffic.Cache
	}
	if g.Changed("attempts") {
		t.Attempts = f.traffic.Attempts
	}
	if g.Changed("budget-usd") {
		t.BudgetUSD = f.traffic.BudgetUSD
	}
	if g.Changed("budget-tokens") {
		t.BudgetTokens = f.traffic.BudgetTokens
	}
	if g.Changed("budget-time") {
		t.BudgetTime = f.traffic.BudgetTime
	}
	return nil
}

// session plays one plan: from models and cells to the printed table.
type session struct {
	cmd    *cobra.Command
	ctx    context.Context
	flags  playFlags
	plan   *plan.Plan
	suite  *suite.Suite
	cells  []run.Cell
	models *models
	ready  func() error // called when the run can begin; nil: nothing to do
	sink   func(*run.Outcome) error
	host   func() time.Duration

	id       string // of the run in the journal; empty without one
	pending  int    // cells of the journaled run that are not played yet
	outcomes []*run.Outcome
	result   *result // once it is printed
}

func newSession(cmd *cobra.Command, p *plan.Plan, s *suite.Suite, f playFlags) (*session, error) {
	if err := f.over(cmd, &p.Traffic); err != nil {
		return nil, err
	}
	if err := f.gate.check(); err != nil {
		return nil, err
	}
	if f.noDB && cmd.Flags().Changed("db") {
		return nil, errors.New("invalid argument: --db and --no-db exclude each other")
	}
	ctx, stop := context.WithCancelCause(cmd.Context())
	m, err := newModels(p.Traffic, *p.Seed, stop)
	if err != nil {
		return nil, err
	}
	m.warn = func(text string) { _, _ = fmt.Fprintln(cmd.ErrOrStderr(), "note: "+report.Sanitize(text)) }
	if err := m.cassettes(f); err != nil {
		return nil, err
	}
	x := &session{cmd: cmd, ctx: ctx, flags: f, plan: p, suite: s, models: m, host: hostClock()}
	if x.cells, err = plan.Expand(p, s, m.env()); err != nil {
		return nil, err
	}
	return x, nil
}

// options are those of every way to play.
func (x *session) options(p *progress) run.Options {
	o := run.Options{Compat: x.plan.Compat, Workers: x.plan.Traffic.Workers, Host: x.host, Sink: x.sink, Progress: p.show}
	if o.Workers == 0 && x.plan.UsesModels() {
		o.Workers = max(modelWorkers, runtime.GOMAXPROCS(0))
	}
	p.workers = o.Workers
	if p.workers == 0 {
		p.workers = runtime.GOMAXPROCS(0)
	}
	return o
}

// start plays all cells as a new run.
func (x *session) start() (err error) {
	if x.flags.noDB {
		if err := x.prepare(); err != nil {
			return err
		}
		p := newProgress(x.cmd.ErrOrStderr(), x.flags.quiet, x.plan, x.models)
		defer p.finish()
		x.outcomes, err = run.Run(x.ctx, x.suite, x.cells, x.options(p))
		for _, o := range x.outcomes {
			o.Wall = 0 // times are the journal's; without one, the same plan prints the same
		}
		x.pending = len(x.cells) - len(x.outcomes)
		return err
	}
	st, err := openStore(x.ctx, x.flags.db, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	row, err := x.row()
	if err != nil {
		return err
	}
	if err := x.prepare(); err != nil {
		return err
	}
	if err := job.Create(x.ctx, st, row, x.cells); err != nil {
		return err
	}
	x.id = row.ID
	return x.play(st, job.Pending)
}

func (x *session) prepare() error {
	if x.ready == nil {
		return nil
	}
	return x.ready()
}

// row is the new run as it is journaled.
func (x *session) row() (store.Run, error) {
	var noise [2]byte
	if _, err := rand.Read(noise[:]); err != nil {
		return store.Run{}, fmt.Errorf("make run id: %w", err)
	}
	now := time.Now().UTC()
	p := *x.plan
	if p.Suite != "" {
		dir, err := filepath.Abs(p.Suite)
		if err != nil {
			return store.Run{}, fmt.Errorf("suite %s: %w", p.Suite, err)
		}
		p.Suite = dir
	}
	p.Agents = slices.Clone(p.Agents)
	for i, a := range p.Agents {
		// A file is found again from every folder. The name, and with it the table,
		// stays as it was given.
		if file, ok := strings.CutPrefix(a.Scaffold, "replay:"); ok {
			whole, err := filepath.Abs(file)
			if err != nil {
				return store.Run{}, fmt.Errorf("replay %s: %w", file, err)
			}
			p.Agents[i].Scaffold = "replay:" + whole
		}
	}
	doc, err := p.Encode()
	if err != nil {
		return store.Run{}, err
	}
	id := now.Format("20060102-150405-") + hex.EncodeToString(noise[:])
	return store.Run{ID: id, Name: p.Name, Suite: x.suite.Name, Created: now, Version: Version, Plan: doc}, nil
}

// play plays the chosen cells of the journaled run x.id, and then reads how all
// of its cells stand.
func (x *session) play(st store.Store, which job.Which) error {
	p := newProgress(x.cmd.ErrOrStderr(), x.flags.quiet, x.plan, x.models)
	_, err := job.Play(x.ctx, st, x.id, x.suite, x.cells, which, job.Options{Options: x.options(p), Now: time.Now})
	p.finish()
	if err != nil && !stopped(err) {
		return x.failed(st, err)
	}
	// The journal is read also after Ctrl-C.
	ctx := context.WithoutCancel(x.ctx)
	outcomes, readErr := job.Outcomes(ctx, st, x.id)
	if readErr != nil {
		return readErr
	}
	x.outcomes, x.pending = outcomes, len(x.cells)-len(outcomes)
	return err
}

// stopped reports whether a run was stopped, from outside or by itself.
func stopped(err error) bool { return errors.Is(err, context.Canceled) || halted(err) != nil }

// finish prints the table, and says what is to be said about the run as a whole.
func (x *session) finish(err error) error {
	if err != nil && !stopped(err) {
		return err
	}
	if printErr := x.print(); printErr != nil {
		return printErr
	}
	if !x.flags.quiet && x.id != "" {
		say(x.cmd.ErrOrStderr(), "run %s in %s; %s makes a page of it", x.id, x.flags.db, commandLine(x.flags.db, "report", "--html", "report.html"))
	}
	if err != nil {
		return x.broken(err)
	}
	if r, ok := summary.Replays(x.outcomes); ok && (r.Equal < r.Calls || r.BenignOK < r.Benign || r.AttackOK < r.Attack) {
		return &problem{"the replay differs from its recording; outcomes.jsonl (--out) lists the calls"}
	}
	if err := assessed(x.outcomes); err != nil {
		return err
	}
	return x.flags.gate.pass(x.result.sum.Loss, x.again("retry", "--errors"))
}

// again is a command about the run; empty when it is not journaled.
func (x *session) again(words ...string) string {
	if x.id == "" {
		return ""
	}
	return commandLine(x.flags.db, append(words, x.id)...)
}

// failed is the error of a run that could not be played to its end. When it was
// being played the command line was right, and what is finished is kept.
func (x *session) failed(st store.Store, err error) error {
	if errors.Is(err, store.ErrClaimed) || errors.Is(err, store.ErrReadOnly) {
		return err
	}
	states, readErr := st.Cells(context.WithoutCancel(x.ctx), x.id)
	if readErr != nil || job.Same(x.cells, states) != nil {
		return err
	}
	finished := 0
	for _, c := range states {
		if c.Attempts > 0 {
			finished++
		}
	}
	return &problem{fmt.Sprintf("%v; %d of %s are finished and kept: %s goes on", err, finished, plural(len(states), "cell"), x.again("resume"))}
}

// broken is the problem of a run that was stopped.
func (x *session) broken(err error) error {
	msg := fmt.Sprintf("stopped after %s; the table shows these", plural(len(x.outcomes), "cell"))
	if h := halted(err); h != nil {
		msg = fmt.Sprintf("stopped after %s: %s", plural(len(x.outcomes), "cell"), h)
	}
	if x.id != "" && x.pending > 0 {
		msg += fmt.Sprintf("; %d are pending: %s", x.pending, x.again("resume"))
	}
	return &problem{msg}
}

// openStore opens the journal; without create it must be there already.
func openStore(ctx context.Context, file string, create bool) (store.Store, error) {
	if !create && !fileExists(file) {
		return nil, fmt.Errorf("there is no journal %s; gauntlet run makes one, --db names another", file)
	}
	st, err := store.OpenSQLite(ctx, file)
	if err != nil && create {
		return nil, fmt.Errorf("--db: %w (gauntlet run --no-db journals nothing)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("--db: %w", err)
	}
	return st, nil
}
