package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"gauntlet/internal/report"
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
		Long: `Writes the trace of each assessed cell of a run, one a line, in the order of the plan, in
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
			n := 0
			write := func(w io.Writer) (err error) {
				n, err = exportTraces(cmd.Context(), st, info.ID, errorsToo, w)
				return err
			}
			if file == "" {
				return write(cmd.OutOrStdout())
			}
			if err := writeOut(file, write); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			say(cmd.ErrOrStderr(), "%s in %s", plural(n, "trace"), file)
			return nil
		},
	}
	addDB(c, &db)
	c.Flags().StringVar(&file, "out", "", "write to this file instead of standard output")
	c.Flags().BoolVar(&errorsToo, "errors", false, "also traces of cells without an assessment")
	return c
}

// writeOut writes a file aside, and to a pipe or a device as it is.
func writeOut(file string, write func(io.Writer) error) error {
	if isFile(file) {
		_, err := writeAside(file, write)
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
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
		line := r.Trace
		if isTerminal(w) {
			line = report.EscapeJSON(line) // the same JSON; it must not move the terminal
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return n, fmt.Errorf("write traces: %w", err)
		}
		n++
	}
	return n, b.Flush()
}
