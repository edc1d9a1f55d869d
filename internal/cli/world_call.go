package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

func worldCallCommand() *cobra.Command {
	var stateFile, format, start string
	var seed uint64
	compat, asJSON := false, false
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
			return callOnce(cmd, in, args[1], callArgs, asJSON)
		},
	}
	c.Flags().StringVar(&stateFile, "state", "", "JSON file with the initial state")
	c.Flags().StringVar(&format, "format", "", "form of the observation: json, yaml or text")
	c.Flags().StringVar(&start, "time", "", "start of the virtual clock, RFC 3339")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of ids")
	c.Flags().BoolVar(&compat, "compat", false, "behave as the published reference does")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON: what world exec answers for a call, and the diff of the state")
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

func callOnce(cmd *cobra.Command, in *world.Instance, tool string, args trace.Value, asJSON bool) error {
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
	diff := trace.Diff(before, after)
	if asJSON {
		err = indentJSON(cmd, callValue(res, diff))
	} else {
		err = writeCall(cmd.OutOrStdout(), res, diff)
	}
	if err == nil && res.Error != nil {
		return &problem{"the call failed"}
	}
	return err
}

// writeCall prints the observation, and a line for each access and each change.
func writeCall(w io.Writer, res world.Result, diff []trace.Change) error {
	lines := []string{res.Text}
	for _, fr := range res.Traceback {
		lines = append(lines, fmt.Sprintf("  at %s:%d:%d in %s", fr.File, fr.Line, fr.Col, fr.Func))
	}
	for _, p := range res.Reads {
		lines = append(lines, "read  "+p)
	}
	for _, p := range res.Writes {
		lines = append(lines, "write "+p)
	}
	for _, d := range diff {
		lines = append(lines, changeText(d))
	}
	for _, line := range lines {
		if err := writeLine(w, "%s", line); err != nil {
			return err
		}
	}
	return nil
}

// callValue is a call as world exec answers it, with the diff of the state as it
// stands in traces.
func callValue(res world.Result, diff []trace.Change) trace.Value {
	changes := []trace.Value{}
	for _, d := range diff {
		fields := []trace.Field{{Key: "op", Value: trace.String(string(d.Op))}, {Key: "path", Value: trace.String(d.Path)}}
		for _, v := range []trace.Field{{Key: "old", Value: d.Old}, {Key: "new", Value: d.New}} {
			if v.Value.Exists() {
				fields = append(fields, v)
			}
		}
		changes = append(changes, trace.Object(fields...))
	}
	answer := (&executor{}).result(res)
	return trace.Object(append(answer.Fields(), trace.Field{Key: "diff", Value: trace.Array(changes...)})...)
}
