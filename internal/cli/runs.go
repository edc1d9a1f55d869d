package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gauntlet/internal/report"
	"gauntlet/internal/store"
)

func runsCommand() *cobra.Command {
	db, asJSON := "", false
	c := &cobra.Command{
		Use:   "runs",
		Short: "List the journaled runs",
		Long: `Lists the journaled runs, the newest first: how many cells each has, how many were
assessed, and why others are excluded. A run's id begins with the time, in UTC, at
which it was planned; other commands take the id or its beginning.`,
		Example: `  gauntlet runs
  gauntlet runs --db night.db --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			st, err := openStore(cmd.Context(), db, false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, st.Close()) }()
			runs, err := st.Runs(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return writeRunsJSON(cmd, runs)
			}
			return writeRuns(cmd, runs)
		},
	}
	addDB(c, &db)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func writeRuns(cmd *cobra.Command, runs []store.Info) error {
	if len(runs) == 0 {
		return writeLine(cmd.OutOrStdout(), "the journal is empty; gauntlet run plays a run")
	}
	t := &report.Table{Keys: 1, Columns: []report.Column{{Header: "run"}, {Header: "name", Max: 40}, {Header: "suite", Max: 30}, {Header: "cells", Align: report.Right},
		{Header: "assessed", Align: report.Right}, {Header: "excluded", Align: report.Right}, {Header: "pending", Align: report.Right}, {Header: "causes", Max: 60}}}
	for _, r := range runs {
		lost := 0
		var causes []string
		for _, k := range slices.Sorted(maps.Keys(r.Excluded)) {
			lost += r.Excluded[k]
			causes = append(causes, fmt.Sprintf("%d %s", r.Excluded[k], k))
		}
		t.Rows = append(t.Rows, []report.Cell{report.Text(r.ID), report.Text(r.Name), report.Text(r.Suite), report.Int(r.Cells), report.Int(r.Done),
			report.Int(lost), report.Int(r.Pending), report.Text(strings.Join(causes, ", "))})
	}
	return writeTable(cmd.OutOrStdout(), t)
}

func writeRunsJSON(cmd *cobra.Command, runs []store.Info) error {
	type row struct {
		ID       string         `json:"id"`
		Name     string         `json:"name"`
		Suite    string         `json:"suite"`
		Created  string         `json:"created"`
		Version  string         `json:"version"`
		Cells    int            `json:"cells"`
		Assessed int            `json:"assessed"`
		Excluded map[string]int `json:"excluded"`
		Pending  int            `json:"pending"`
	}
	rows := []row{}
	for _, r := range runs {
		excluded := r.Excluded
		if excluded == nil {
			excluded = map[string]int{}
		}
		rows = append(rows, row{r.ID, r.Name, r.Suite, r.Created.Format("2006-01-02T15:04:05Z"), r.Version, r.Cells, r.Done, excluded, r.Pending})
	}
	return writeJSON(cmd.OutOrStdout(), rows)
}
