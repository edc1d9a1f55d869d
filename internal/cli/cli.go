package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"gauntlet/internal/report"
)

// Version is the version of the program.
const Version = "0.1.0-dev"

// Exit codes of the command.
const (
	exitOK      = 0
	exitProblem = 1 // what was asked for failed: a check, a comparison, a run
	exitUsage   = 2 // the command line or an input is wrong
)

// problem is an error that ends the command with exitProblem: the input was
// readable, and the answer is no.
type problem struct{ msg string }

func (p *problem) Error() string { return p.msg }

// Main runs the command line and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	// The first Ctrl-C asks for an orderly end, the second gets none.
	context.AfterFunc(ctx, stop)
	root := command(stdin, stdout, stderr)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	_, _ = fmt.Fprintln(stderr, "gauntlet: "+report.Sanitize(err.Error()))
	var p *problem
	if errors.As(err, &p) {
		return exitProblem
	}
	if c, _, _ := root.Find(args); c != nil && usage.MatchString(err.Error()) {
		_, _ = fmt.Fprintf(stderr, "see: %s --help\n", c.CommandPath())
	}
	return exitUsage
}

// usage matches cobra's complaints about the command line itself.
var usage = regexp.MustCompile(`^(unknown (flag|shorthand|command)|invalid argument|flag needs|accepts |requires |--limit and --workers |--json and --csv |--(out|suite) DIR is required)`)

// command builds the command tree.
func command(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "gauntlet",
		Short: "A laboratory for the safety of LLM agents that call tools",
		Long: `Gauntlet attacks agents inside executable tool worlds with indirect prompt
injections and scores, by code and from the final state, what they got done and
what the attacker got done.

With no key, no network and no service:
  gauntlet run                      play the bundled suite with the reference agents`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       Version,
	}
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(runCommand(), runsCommand(), resumeCommand(), retryCommand(), rescoreCommand(), withPage(reportCommand()), showCommand(), exportCommand(), providersCommand(), worldCommand(), importCommand())
	return root
}

// writeJSON writes an indented document that is safe to show on a terminal.
func writeJSON(w io.Writer, doc any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err := w.Write(report.EscapeJSON(b.Bytes()))
	return err
}

// group makes a command that only holds others: a word that is none of them is
// a usage error.
func group(c *cobra.Command) *cobra.Command {
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
	}
	return c
}

// hostClock is a monotonic clock from the start of the program.
func hostClock() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
