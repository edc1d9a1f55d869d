package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"gauntlet/internal/store"
)

// writePage writes the HTML page of a run.
func writePage(cmd *cobra.Command, st store.Store, r *result, info store.Info, file string) error {
	return errors.New("not yet")
}
