package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"gauntlet/internal/convert"
	"gauntlet/internal/report"
)

func importCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "import",
		Short:   "Convert foreign formats into suites",
		Example: "  gauntlet import toolhazard --envs envs.json --tasks tasks.json --out bench",
	}
	c.AddCommand(importToolHazardCommand())
	return c
}
