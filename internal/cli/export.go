package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"gauntlet/internal/store"
)

func exportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "export",
		Short:   "Write what a run left behind in other forms",
		Example: "  gauntlet export traces > traces.jsonl",
	}
	c.AddCommand(exportTracesCommand())
	return group(c)
}

func exportTracesCommand() *cobra.Command {
	db, file, errorsToo := "", "", false
	c := &cobra.Command{
		Use:   "traces [RUN]",
		Short: "Write the traces of a run as JSON Lines",
		Long: `Writes the trace of each assessed cell, one a line, in the order of the plan, in
the form that docs/format.md describes. --errors adds those of cells without an
assessment, as far as they went.`,
		Example: `  gauntlet export traces > traces.jsonl
  gauntlet export traces 20261130-141523 --out traces.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			st, err := openStore(cmd.Context(), db, false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, st.Close()) }()
			info, err := findRun(cmd, st, args)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if file != "" {
				f, createErr := os.Create(file)
				if createErr != nil {
					return fmt.Errorf("--out: %w", createErr)
				}
				defer func() { err = errors.Join(err, f.Close()) }()
				w = f
			}
			n, err := exportTraces(cmd.Context(), st, info.ID, errorsToo, w)
			if err == nil && file != "" {
				_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%d traces in %s\n", n, file)
			}
			return err
		},
	}
	addDB(c, &db)
	c.Flags().StringVar(&file, "out", "", "write to this file instead of standard output")
	c.Flags().BoolVar(&errorsToo, "errors", false, "also traces of cells without an assessment")
	return c
}

func exportTraces(ctx context.Context, st store.Store, id string, errorsToo bool, w io.Writer) (n int, err error) {
	b := bufio.NewWriter(w)
	for r, err := range st.Results(ctx, id, true) {
		if err != nil {
			return n, err
		}
		if len(r.Trace) == 0 || !r.Assessed && !errorsToo {
			continue
		}
		if _, err := b.Write(append(r.Trace, '\n')); err != nil {
			return n, fmt.Errorf("write traces: %w", err)
		}
		n++
	}
	return n, b.Flush()
}
