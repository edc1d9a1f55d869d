package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

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

func worldCallCommand() *cobra.Command {
	var stateFile, format, start string
	var seed uint64
	compat := false
	c := &cobra.Command{
		Use:   "call FILE TOOL [ARGUMENTS]",
		Short: "Call one tool of a world and print observation, accesses and state changes",
		Example: `  gauntlet world call my_world.py find_user '{"name": "Ann"}' --state state.json
  gauntlet world call worlds/worlds/hospital_beds.py list_wards`,
		Args: cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			bp, err := world.Load(args[0])
			if err != nil {
				return err
			}
			state := trace.Object()
			if stateFile != "" {
				b, err := os.ReadFile(stateFile)
				if err != nil {
					return fmt.Errorf("--state: %w", err)
				}
				if state, _, err = trace.ParseValue(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))); err != nil {
					return fmt.Errorf("--state %s: %w", stateFile, err)
				}
			}
			callArgs := trace.Object()
			if len(args) == 3 {
				if callArgs, _, err = trace.ParseValue([]byte(args[2])); err != nil {
					return fmt.Errorf("arguments: %w", err)
				}
			}
			if format != "" && !trace.Format(format).Valid() {
				return errors.New("--format: formats are json, yaml and text")
			}
			in, err := bp.New(state, world.Options{Seed: seed, Start: start, Format: trace.Format(format), Compat: compat, Host: hostClock()})
			if err != nil {
				return err
			}
			return callOnce(cmd, in, args[1], callArgs)
		},
	}
	c.Flags().StringVar(&stateFile, "state", "", "JSON file with the initial state")
	c.Flags().StringVar(&format, "format", "", "form of the observation: json, yaml or text")
	c.Flags().StringVar(&start, "time", "", "start of the virtual clock, RFC 3339")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of ids")
	c.Flags().BoolVar(&compat, "compat", false, "behave as the published reference does")
	return c
}

// changeText is one line of a state diff.
func changeText(d trace.Change) string {
	switch d.Op {
	case trace.Added:
		return fmt.Sprintf("added %s: %s", d.Path, d.New)
	case trace.Removed:
		return fmt.Sprintf("removed %s: %s", d.Path, d.Old)
	}
	return fmt.Sprintf("changed %s: %s -> %s", d.Path, d.Old, d.New)
}

func callOnce(cmd *cobra.Command, in *world.Instance, tool string, args trace.Value) error {
	before, err := in.State()
	if err != nil {
		return err
	}
	res, err := in.Call(cmd.Context(), tool, args)
	if err != nil {
		return err
	}
	after, err := in.State()
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	err = writeLine(w, "%s", res.Text)
	for _, fr := range res.Traceback {
		if err == nil {
			err = writeLine(w, "  at %s:%d:%d in %s", fr.File, fr.Line, fr.Col, fr.Func)
		}
	}
	for _, p := range res.Reads {
		if err == nil {
			err = writeLine(w, "read  %s", p)
		}
	}
	for _, p := range res.Writes {
		if err == nil {
			err = writeLine(w, "write %s", p)
		}
	}
	for _, d := range trace.Diff(before, after) {
		if err == nil {
			err = writeLine(w, "%s", changeText(d))
		}
	}
	if err == nil && res.Error != nil {
		return &problem{"the call failed"}
	}
	return err
}
