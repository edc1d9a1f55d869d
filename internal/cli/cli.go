package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gauntlet/internal/report"
)

// Version is the version of the program.
const Version = "0.1.0-dev"

// Main runs the command line and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// Schedulers and containers stop a program by SIGTERM, as a person does by Ctrl-C.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal asks for an orderly end, the second gets none.
	context.AfterFunc(ctx, stop)
	root := command(stdin, stdout, stderr)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	say(stderr, "gauntlet: %s", message(err))
	code := exitCode(err)
	if c, _, _ := root.Find(args); code == exitUsage && c != nil && usage.MatchString(err.Error()) {
		say(stderr, "see: %s --help", c.CommandPath())
	}
	return code
}

// command builds the command tree.
func command(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "gauntlet",
		Short: "A laboratory for the safety of LLM agents that call tools",
		Long: `Gauntlet attacks agents inside executable tool worlds with indirect prompt
injections and scores, by code and from the final state, what they got done and
what the attacker got done.

With no key, no network and no service:
  gauntlet run                          play the bundled suite with the reference agents
  gauntlet report --html report.html    look at what happened, in a browser
  gauntlet show --attack success        or here`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       Version,
	}
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetUsageFunc(printUsage)
	root.SetHelpCommand(helpCommand(root))
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Play:", []*cobra.Command{runCommand(), resumeCommand(), retryCommand(), rescoreCommand()}},
		{"Read what was played:", []*cobra.Command{withPage(reportCommand()), showCommand(), runsCommand(), exportCommand()}},
		{"Worlds, suites, models:", []*cobra.Command{worldCommand(), importCommand(), providersCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.Args = cobra.ArbitraryArgs // for group, which says what is wrong with them
	return group(root)
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

// hostClock is a monotonic clock from the start of the program.
func hostClock() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
