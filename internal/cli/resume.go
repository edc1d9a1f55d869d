package cli

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"gauntlet/internal/job"
	"gauntlet/internal/plan"
	"gauntlet/internal/store"
	"gauntlet/internal/trace"
)

func resumeCommand() *cobra.Command {
	var f playFlags
	c := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with a run that was stopped",
		Long: `Plays the cells of a run that were never finished, and prints the table of the
whole run. Finished cells are not played again. RUN is a run's id or its beginning;
without it the newest run is meant.

The run goes on with its own plan. When suite, prompts or program have changed since
it was planned, that is an error: results of two experiments do not mix.`,
		Example: `  gauntlet resume
  gauntlet resume 20261130-141523 --workers 32 --budget-usd 20`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return again(cmd, args, f, func(i store.Info) (job.Which, error) {
				if i.Pending == 0 && !f.quiet {
					say(cmd.ErrOrStderr(), "run %s is complete; nothing is left to play", i.ID)
				}
				return job.Pending, nil
			})
		},
	}
	f.addTraffic(c)
	return c
}

func retryCommand() *cobra.Command {
	var f playFlags
	var errorsToo bool
	var kinds []string
	c := &cobra.Command{
		Use:   "retry --errors [RUN]",
		Short: "Play the cells of a run again that ended with an error",
		Long: `Plays again the cells of a run that could not be assessed: rate limits, timeouts,
broken replies, used-up budgets. What was assessed stays, and earlier attempts are
kept in the journal. Cells that an agent cannot play by its nature, and cells whose
check is broken (see gauntlet rescore), are left alone.`,
		Example: `  gauntlet retry --errors
  gauntlet retry --errors --kind rate_limit --kind timeout 20261130-141523`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !errorsToo {
				return errors.New("requires --errors: only cells that ended with an error are played again")
			}
			for _, k := range kinds {
				if !slices.Contains(trace.ErrorKinds(), trace.ErrorKind(k)) {
					return fmt.Errorf("--kind %q: kinds are %v", k, trace.ErrorKinds())
				}
			}
			return again(cmd, args, f, func(store.Info) (job.Which, error) {
				if len(kinds) > 0 {
					return job.FailedWith(kinds...), nil
				}
				return job.Failed, nil
			})
		},
	}
	f.addTraffic(c)
	c.Flags().BoolVar(&errorsToo, "errors", false, "play cells again that ended with an error")
	c.Flags().StringArrayVar(&kinds, "kind", nil, "only errors of this kind, repeatable, as the table of exclusions names it")
	return c
}

// again plays cells of a journaled run.
func again(cmd *cobra.Command, args []string, f playFlags, which func(store.Info) (job.Which, error)) (err error) {
	if f.json && f.csv {
		return errors.New("--json and --csv exclude each other")
	}
	st, err := openStore(cmd.Context(), f.db, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	info, x, err := reopen(cmd, st, args, f)
	if err != nil {
		return err
	}
	w, err := which(info)
	if err != nil {
		return err
	}
	return x.finish(x.play(st, w))
}

// reopen finds a run and makes its session anew from its plan.
func reopen(cmd *cobra.Command, st store.Store, args []string, f playFlags) (store.Info, *session, error) {
	info, err := findRun(cmd, st, args)
	if err != nil {
		return info, nil, err
	}
	p, err := plan.Decode(info.Plan)
	if err != nil {
		return info, nil, fmt.Errorf("run %s: %w", info.ID, err)
	}
	s, err := openSuite(p.Suite)
	if err != nil {
		return info, nil, fmt.Errorf("run %s: %w", info.ID, err)
	}
	x, err := newSession(cmd, p, s, f)
	if err != nil {
		return info, nil, fmt.Errorf("run %s: %w", info.ID, err)
	}
	x.id = info.ID
	return info, x, nil
}

func findRun(cmd *cobra.Command, st store.Store, args []string) (store.Info, error) {
	ref := ""
	if len(args) > 0 {
		ref = args[0]
	}
	return store.Find(cmd.Context(), st, ref)
}

func rescoreCommand() *cobra.Command {
	f := playFlags{offline: true}
	c := &cobra.Command{
		Use:   "rescore [RUN]",
		Short: "Compute the scores of a run anew, without any model",
		Long: `Executes the recorded calls of every finished cell again and runs the checks that
the suite has now on the final state. Traces stay as they are; earlier scores are
kept in the journal. A trace whose calls do not give the recorded observations any
more is refused and keeps its score.`,
		Example: `  gauntlet rescore
  gauntlet rescore 20261130-141523 --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			st, err := openStore(cmd.Context(), f.db, false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, st.Close()) }()
			info, x, err := reopen(cmd, st, args, f)
			if err != nil {
				return err
			}
			done, err := job.Rescore(x.ctx, st, info.ID, x.suite, x.cells, x.options(&progress{quiet: true}), time.Now)
			if err != nil {
				return err
			}
			return printRescored(cmd, done, f.json)
		},
	}
	addDB(c, &f.db)
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

func printRescored(cmd *cobra.Command, done job.Rescored, asJSON bool) error {
	if asJSON {
		if done.Refused == nil {
			done.Refused = []string{}
		}
		if err := writeJSON(cmd.OutOrStdout(), done); err != nil {
			return err
		}
	} else {
		w := cmd.OutOrStdout()
		if err := writeLine(w, "%d results: %d changed, %d the same, %d without a final state, %d refused", done.Cells, done.Changed, done.Same, done.Skipped, len(done.Refused)); err != nil {
			return err
		}
		for _, r := range done.Refused {
			if err := writeLine(w, "refused: %s", r); err != nil {
				return err
			}
		}
	}
	if len(done.Refused) > 0 {
		return &problem{"some traces cannot be scored anew and keep their scores"}
	}
	return nil
}
