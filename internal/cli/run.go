package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"gauntlet/internal/agent"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/worlds"
)

// defaultAgents are played when no --agent is given: they need no model.
var defaultAgents = []string{"reference:noop", "reference:random", "reference:solver", "reference:gullible"}

// runFlags are the flags of gauntlet run.
type runFlags struct {
	agents  []string
	compat  bool
	limit   int
	seed    uint64
	out     string
	format  string
	workers int
	json    bool
	csv     bool
	quiet   bool
}

func runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [SUITE]",
		Short: "Play cases with agents and print their scores",
		Long: `Plays every case of a suite with every agent and prints, per agent and
strategy, benign completion (BR) and attack success (ASR) as mean, any and strict,
exposure, and the score of doing nothing. Without SUITE the bundled suite is played.

Agents:
` + agentList() + `
A cell that cannot be assessed is excluded from every rate and counted with its cause.`,
		Example: `  gauntlet run
  gauntlet run my-suite --agent reference:solver --json
  gauntlet run bench --agent reference:noop --compat
  gauntlet run bench --agent replay:runs.json --compat --out traces`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// Cases and episodes make garbage quickly and keep little: a larger heap
			// saves a fifth of the time.
			defer debug.SetGCPercent(debug.SetGCPercent(400))
			s, err := openSuite(args)
			if err != nil {
				return err
			}
			return playSuite(cmd, s, f)
		},
	}
	c.Flags().StringArrayVar(&f.agents, "agent", nil, "agent to play, repeatable (default: the four reference agents)")
	c.Flags().BoolVar(&f.compat, "compat", false, "behave and score as the published benchmark does")
	c.Flags().IntVar(&f.limit, "limit", 0, "play only the first N cases (0: all)")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of ids, times and random choices")
	c.Flags().StringVar(&f.out, "out", "", "write traces.jsonl and outcomes.jsonl to this folder")
	c.Flags().StringVar(&f.format, "format", "", "form of observations: json, yaml or text (default json; with --compat text)")
	c.Flags().IntVar(&f.workers, "workers", 0, "cells played at once (0: one per processor)")
	c.Flags().BoolVar(&f.json, "json", false, "print the table as JSON")
	c.Flags().BoolVar(&f.csv, "csv", false, "print the table as CSV")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "show no progress")
	return c
}

func agentList() string {
	var b strings.Builder
	for _, n := range agent.Names() {
		fmt.Fprintf(&b, "  %-20s %s\n", n, agent.Doc(n))
	}
	return b.String()
}

// openSuite loads the suite named on the command line, or the bundled one.
func openSuite(args []string) (*suite.Suite, error) {
	if len(args) == 0 {
		return suite.LoadFS(worlds.Files, "worlds")
	}
	return suite.Load(args[0])
}

func playSuite(cmd *cobra.Command, s *suite.Suite, f runFlags) error {
	if len(f.agents) == 0 {
		f.agents = defaultAgents
	}
	if f.format != "" && !trace.Format(f.format).Valid() {
		return fmt.Errorf("--format %q: formats are json, yaml and text", f.format)
	}
	if f.limit < 0 || f.workers < 0 {
		return errors.New("--limit and --workers are 0 (all, one per processor) or more")
	}
	if f.json && f.csv {
		return errors.New("--json and --csv exclude each other")
	}
	o := run.Options{Agents: f.agents, Seed: f.seed, Limit: f.limit, Compat: f.compat, Format: trace.Format(f.format), Workers: f.workers, Host: hostClock()}
	out, err := openOutput(f.out)
	if err != nil {
		return err
	}
	o.Sink = out.write
	p := newProgress(cmd.ErrOrStderr(), f.quiet)
	o.Progress = p.show
	outcomes, err := run.Run(cmd.Context(), s, o)
	p.finish()
	if closeErr := out.close(); err == nil {
		err = closeErr
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if printErr := printRun(cmd.OutOrStdout(), s, f, outcomes); printErr != nil {
		return printErr
	}
	if err != nil {
		noun := "cells"
		if len(outcomes) == 1 {
			noun = "cell"
		}
		return &problem{fmt.Sprintf("stopped after %d %s; the table shows these", len(outcomes), noun)}
	}
	if r, ok := run.Replays(outcomes); ok && (r.Equal < r.Calls || r.BenignOK < r.Benign || r.AttackOK < r.Attack) {
		return &problem{"the replay differs from its recording; outcomes.jsonl (--out) lists the calls"}
	}
	return assessed(outcomes)
}

// assessed is a problem when no cell at all could be assessed.
func assessed(outcomes []*run.Outcome) error {
	for _, o := range outcomes {
		if o.Excluded == "" && o.Benign.Outcome != score.Unassessed {
			return nil
		}
	}
	if len(outcomes) == 0 {
		return &problem{"no cell was played"}
	}
	first := outcomes[0]
	cause := first.Excluded
	if cause == "" {
		cause = first.Benign.Cause
	}
	return &problem{fmt.Sprintf("no cell could be assessed; the first, %s: %s", first.Case, cause)}
}

// output writes traces and outcomes, one line per cell.
type output struct {
	dir              string
	traces, outcomes *os.File
	tw, ow           *bufio.Writer
}

func openOutput(dir string) (*output, error) {
	o := &output{dir: dir}
	if dir == "" {
		return o, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	var err error
	if o.traces, err = os.Create(filepath.Join(dir, "traces.jsonl")); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	if o.outcomes, err = os.Create(filepath.Join(dir, "outcomes.jsonl")); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	o.tw, o.ow = bufio.NewWriter(o.traces), bufio.NewWriter(o.outcomes)
	return o, nil
}

func (o *output) write(c *run.Outcome) error {
	if o.dir == "" {
		return nil
	}
	if c.Trace != nil {
		if err := trace.Encode(o.tw, c.Trace); err != nil {
			return fmt.Errorf("write trace of %s: %w", c.Case, err)
		}
	}
	b, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("write outcome of %s: %w", c.Case, err)
	}
	_, err = o.ow.Write(append(b, '\n'))
	return err
}

func (o *output) close() error {
	if o.dir == "" {
		return nil
	}
	err := errors.Join(o.tw.Flush(), o.ow.Flush(), o.traces.Close(), o.outcomes.Close())
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// progress shows one live line on a terminal, and plain lines elsewhere.
type progress struct {
	w     io.Writer
	live  bool
	quiet bool
	start time.Time
	last  time.Time
	done  int
	total int
}

func newProgress(w io.Writer, quiet bool) *progress {
	p := &progress{w: w, quiet: quiet, start: time.Now()}
	if f, ok := w.(*os.File); ok {
		p.live = term.IsTerminal(int(f.Fd()))
	}
	p.last = p.start
	return p
}

func (p *progress) show(done, total int) {
	p.done, p.total = done, total
	if p.quiet {
		return
	}
	every := 100 * time.Millisecond
	if !p.live {
		every = 5 * time.Second
	}
	if time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	rest := time.Since(p.start) / time.Duration(max(done, 1)) * time.Duration(total-done)
	line := fmt.Sprintf("%d of %d cells, about %s left", done, total, rest.Round(time.Second))
	if p.live {
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		return
	}
	_, _ = fmt.Fprintln(p.w, line)
}

func (p *progress) finish() {
	if p.quiet || p.total == 0 {
		return
	}
	if p.live {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
	_, _ = fmt.Fprintf(p.w, "%d of %d cells in %s\n", p.done, p.total, time.Since(p.start).Round(time.Millisecond))
}
