package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"gauntlet/internal/report"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

func worldCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "world",
		Short:   "Check, describe and run tool worlds",
		Example: "  gauntlet world check worlds/worlds/*.py",
	}
	c.AddCommand(worldCheckCommand(), worldSchemaCommand(), worldCallCommand(), worldExecCommand(), worldMCPCommand())
	return group(c)
}

// declared is what world check reports of one file.
type declared struct {
	File     string          `json:"file"`
	OK       bool            `json:"ok"`
	Problems []world.Problem `json:"problems"`
	ID       string          `json:"id,omitempty"`
	Title    string          `json:"title,omitempty"`
	Class    string          `json:"class,omitempty"`
	Tools    int             `json:"tools"`
	Reads    int             `json:"read"`
	Writes   int             `json:"write"`
	External int             `json:"external"`
	Entities int             `json:"entities"`
}

func worldCheckCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Report problems of world files with file:line:col, and what they declare",
		Long: `Parses and compiles each world, starts it once, and lints what it declares.
Exit status 1 means that a file cannot be loaded; warnings do not fail the check.`,
		Example: "  gauntlet world check my_world.py\n  gauntlet world check --json worlds/*.py",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var all []declared
			failed := 0
			for _, f := range args {
				d, err := checkFile(f)
				if err != nil {
					return err
				}
				if !d.OK {
					failed++
				}
				all = append(all, d)
			}
			if err := printDeclared(cmd, all, asJSON); err != nil {
				return err
			}
			if failed > 0 {
				return &problem{fmt.Sprintf("%d of %d worlds cannot be loaded", failed, len(all))}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func checkFile(file string) (declared, error) {
	d := declared{File: file, Problems: []world.Problem{}}
	src, err := world.ReadSource(file)
	if err != nil {
		return d, err
	}
	bp, problems := world.Check(file, src)
	d.Problems = append(d.Problems, problems...)
	if bp == nil {
		return d, nil
	}
	d.OK, d.ID, d.Title, d.Class = true, bp.ID, bp.Title, bp.Class
	d.Tools, d.Entities = len(bp.Tools), len(bp.Entities)
	for _, t := range bp.Tools {
		switch t.Effect {
		case trace.EffectRead:
			d.Reads++
		case trace.EffectWrite:
			d.Writes++
		case trace.EffectExternal:
			d.External++
		}
	}
	return d, nil
}

func printDeclared(cmd *cobra.Command, all []declared, asJSON bool) error {
	w := cmd.OutOrStdout()
	if asJSON {
		return writeJSON(w, all)
	}
	t := &report.Table{Keys: 1, Columns: []report.Column{{Header: "world"}, {Header: "class"}, {Header: "tools", Align: report.Right}, {Header: "read", Align: report.Right},
		{Header: "write", Align: report.Right}, {Header: "external", Align: report.Right}, {Header: "entities", Align: report.Right}, {Header: "title", Max: 60}}}
	for _, d := range all {
		for _, p := range d.Problems {
			if err := writeLine(w, "%s", p); err != nil {
				return err
			}
		}
		if d.OK {
			t.Rows = append(t.Rows, []report.Cell{report.Text(d.ID), report.Text(d.Class), report.Int(d.Tools), report.Int(d.Reads), report.Int(d.Writes), report.Int(d.External), report.Int(d.Entities), report.Text(d.Title)})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return writeTable(w, t)
}

func worldSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "schema FILE",
		Short:   "Print the tools of a world with JSON Schemas of their arguments",
		Example: "  gauntlet world schema my_world.py",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bp, err := world.Load(args[0])
			if err != nil {
				return err
			}
			var tools []trace.Value
			for _, t := range bp.Schemas() {
				f := []trace.Field{{Key: "name", Value: trace.String(t.Name)}, {Key: "description", Value: trace.String(t.Description)}}
				if t.Effect != "" {
					f = append(f, trace.Field{Key: "effect", Value: trace.String(string(t.Effect))})
				}
				tools = append(tools, trace.Object(append(f, trace.Field{Key: "parameters", Value: t.Parameters})...))
			}
			return indentJSON(cmd, trace.Array(tools...))
		},
	}
}

func indentJSON(cmd *cobra.Command, v trace.Value) error {
	return writeJSON(cmd.OutOrStdout(), json.RawMessage(v.AppendJSON(nil)))
}
