package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"gauntlet/internal/convert"
)

func importCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "import",
		Short:   "Convert foreign formats into suites",
		Example: "  gauntlet import toolhazard --envs envs.json --tasks tasks.json --out bench",
	}
	c.AddCommand(importToolHazardCommand())
	return group(c)
}

func importToolHazardCommand() *cobra.Command {
	var o convert.Options
	asJSON, quiet := false, false
	c := &cobra.Command{
		Use:   "toolhazard --envs FILE... [--tasks FILE...] --out DIR",
		Short: "Import environments and tasks of ToolHazard as a suite",
		Long: `Writes a suite: one .py per world, cases with benign and injected checks, clean
and poisoned initial states, published attack points, and import.json, which says
what was counted, what was refused and why, and which defects the data has.

--verify compares with CPython (python3), call by call. It runs the published
code there, outside of the hermetic interpreter and with the rights of the user:
use it on files that you trust.`,
		Example: `  gauntlet import toolhazard --envs env_with_attack_points.json --tasks tasks_1.json --tasks tasks_2.json --out bench
  gauntlet import toolhazard --envs envs.json --tasks tasks.json --out bench --verify`,
		// Files may follow a flag one after the other, as a shell expands them.
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Tasks = append(o.Tasks, args...)
			if o.Out == "" {
				return fmt.Errorf("--out DIR is required")
			}
			if !quiet {
				o.Progress = func(line string) { say(cmd.ErrOrStderr(), "%s", line) }
			}
			r, err := convert.ToolHazard(o)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), r)
			}
			return r.WriteText(cmd.OutOrStdout())
		},
	}
	c.Flags().StringArrayVar(&o.Envs, "envs", nil, "environment file, repeatable")
	c.Flags().StringArrayVar(&o.Tasks, "tasks", nil, "task file, repeatable; files that follow the flags are tasks too")
	c.Flags().StringVar(&o.Out, "out", "", "folder of the new suite, missing or empty")
	c.Flags().BoolVar(&o.Verify, "verify", false, "compare with CPython, call by call")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	c.Flags().BoolVar(&quiet, "quiet", false, "show no progress")
	return c
}
