package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gauntlet/internal/plan"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/worlds"
)

// runFlags are the flags of gauntlet run.
type runFlags struct {
	planFlags
	playFlags
	out string
}

func runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [SUITE]",
		Short: "Play cases with agents and print their scores",
		Long: `Plays every case of a suite with every agent and prints, per agent and strategy,
benign completion (BR) and attack success (ASR) as mean, any and strict, exposure,
and the score of doing nothing. Without SUITE the bundled suite is played.

Agents without a model (--agent NAME; without any flag, the four reference agents):
` + agentList(false) + `
Models (--model), each in every scaffold (--scaffold NAME):
` + agentList(true) + `A model is PROVIDER:NAME with a provider of the table (gauntlet providers), or
http://HOST:PORT/v1#NAME for any OpenAI-compatible server. Keys are read from the
environment only.

A whole agent that speaks MCP is put to the test by its command after --, in which
{task}, {system}, {mcp_config} and others are filled in (docs/external.md).

Every finished cell is journaled (--db): gauntlet runs lists the runs, resume goes
on with one that was stopped, retry --errors plays failed cells again, report and
show read them. A cell that cannot be assessed is excluded from every rate and
counted with its cause.

Exit status: 0 when the run was played; 1 when it was stopped or broke off, when no
cell could be assessed, or more than --max-excluded allows could not; 2 when the
command line or an input is wrong.`,
		Example: `  gauntlet run
  gauntlet run my-suite --agent reference:solver --json
  gauntlet run --model openai:gpt-5-mini --epochs 3 --budget-usd 5
  gauntlet run --model http://127.0.0.1:8000/v1#qwen3-8b --scaffold react --workers 32
  gauntlet run --plan night.yaml
  gauntlet run --case 'rush_*' -- my-agent --mcp-config {mcp_config} {task}
  gauntlet run bench --agent replay:runs.json --compat --out traces`,
		Args: suiteAndCommand,
		RunE: func(cmd *cobra.Command, args []string) error {
			// Cases and episodes make garbage quickly and keep little: a larger heap
			// saves a fifth of the time.
			defer debug.SetGCPercent(debug.SetGCPercent(400))
			if f.json && f.csv {
				return errors.New("--json and --csv exclude each other")
			}
			p, err := f.plan(cmd, args)
			if err != nil {
				return err
			}
			return startRun(cmd, p, f)
		},
	}
	f.planFlags.add(c)
	f.playFlags.add(c)
	heading(c, ofOutput, func(g *pflag.FlagSet) {
		g.StringVar(&f.out, "out", "", "write traces.jsonl and outcomes.jsonl to this `FOLDER`")
	})
	return c
}

// openSuite loads the suite in a folder, or the bundled one.
func openSuite(dir string) (*suite.Suite, error) {
	if dir == "" {
		return suite.LoadFS(worlds.Files, "worlds")
	}
	return suite.Load(dir)
}

// startRun plays a new run.
func startRun(cmd *cobra.Command, p *plan.Plan, f runFlags) error {
	s, err := openSuite(p.Suite)
	if err != nil {
		return err
	}
	x, err := newSession(cmd, p, s, f.playFlags)
	if err != nil {
		return err
	}
	out := &output{}
	// The folder's old files go only when the journal can be written.
	x.ready = func() error {
		o, err := openOutput(f.out)
		if err != nil {
			return err
		}
		if out = o; f.out != "" {
			x.sink = o.write
		}
		return nil
	}
	err = x.start()
	if closeErr := out.close(); err == nil {
		err = closeErr
	}
	return x.finish(err)
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
