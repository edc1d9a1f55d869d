package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"gauntlet/internal/job"
	"gauntlet/internal/plan"
	"gauntlet/internal/store"
)

func reportCommand() *cobra.Command {
	db, html := "", ""
	asJSON, asCSV := false, false
	var g gate
	c := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Print the numbers of a run, or make a page of it",
		Long: `Prints the tables of a run: scores, paired differences, cost. RUN is a run's id or
its beginning; without it the newest run is meant. --html writes one file that holds
everything, transcripts too, and loads nothing from anywhere.`,
		Example: `  gauntlet report
  gauntlet report --html report.html
  gauntlet report 20261130-141523 --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if asJSON && asCSV || html != "" && (asJSON || asCSV) {
				return errors.New("--json and --csv exclude each other, and --html excludes both")
			}
			if err := g.check(); err != nil {
				return err
			}
			st, err := openStore(cmd.Context(), db, false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, st.Close()) }()
			info, err := findRun(cmd, st, args)
			if err != nil {
				return err
			}
			r, err := readResult(cmd, st, info)
			if err != nil {
				return err
			}
			if html != "" {
				err = writePage(cmd, st, r, info, html)
			} else {
				err = r.print(cmd.OutOrStdout(), asJSON, asCSV, true)
			}
			if err != nil {
				return err
			}
			return g.pass(r.sum.Loss, commandLine(db, "retry", "--errors", info.ID))
		},
	}
	addDB(c, &db)
	c.Flags().StringVar(&html, "html", "", "write a page with everything to this file")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&asCSV, "csv", false, "print the table of scores as CSV")
	g.add(c.Flags())
	return c
}

// readResult reads the standing outcomes of a journaled run.
func readResult(cmd *cobra.Command, st store.Store, info store.Info) (*result, error) {
	p, err := plan.Decode(info.Plan)
	if err != nil {
		return nil, err
	}
	outcomes, err := job.Outcomes(cmd.Context(), st, info.ID)
	if err != nil {
		return nil, err
	}
	return newResult(info.ID, info.Suite, p, info.Pending, outcomes, true)
}
