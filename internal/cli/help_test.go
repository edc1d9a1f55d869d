package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gauntlet/internal/agent"
)

// every calls f with each command of the program.
func every(t *testing.T, f func(*testing.T, *cobra.Command)) {
	t.Helper()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		t.Run(c.CommandPath(), func(t *testing.T) { f(t, c) })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(command(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}))
}

// Help says on its first line what a command is for, and how it is called; every
// flag is explained, and no line is wider than a terminal.
func TestHelpOfEveryCommand(t *testing.T) {
	every(t, func(t *testing.T, c *cobra.Command) {
		if c.Name() == "help" {
			return
		}
		if c.Short == "" || !unicode.IsUpper(rune(c.Short[0])) || strings.HasSuffix(c.Short, ".") {
			t.Errorf("the short text %q is no line of a list", c.Short)
		}
		if c.HasParent() && !strings.Contains(c.Example, "gauntlet") {
			t.Error("there is no example")
		}
		if verb, _, _ := strings.Cut(c.Long, " "); c.Long != "" && c.HasParent() && !strings.HasSuffix(verb, "s") {
			t.Errorf("help begins with %q, not with what the command does", verb)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("--%s is not explained", f.Name)
			}
		})
		text := c.Long + "\n" + helpText(c, helpWidth)
		for line := range strings.Lines(text) {
			if n := len(strings.TrimSuffix(line, "\n")); n > 124 || n > helpWidth+6 && !strings.Contains(line, "gauntlet") {
				t.Errorf("%d columns: %s", n, line)
			}
		}
	})
}

// Each flag stands in the help once, whatever its heading.
func TestFlagGroupsAreWhole(t *testing.T) {
	every(t, func(t *testing.T, c *cobra.Command) {
		shown := map[string]int{}
		for _, g := range flagGroups(c) {
			g.VisitAll(func(f *pflag.Flag) { shown[f.Name]++ })
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if shown[f.Name] != 1 {
				t.Errorf("--%s is shown %d times", f.Name, shown[f.Name])
			}
		})
	})
}

// Every agent is in the help of run: by itself, as a scaffold, or as a command.
func TestAgentsAreListed(t *testing.T) {
	alone, modelled := agentList(false), agentList(true)
	for _, name := range agent.Names() {
		if n := strings.Count("\n"+alone+modelled, "\n  "+name+" "); n != 1 && name != external {
			t.Errorf("agent %s is listed %d times", name, n)
		}
	}
	if !strings.Contains(modelled, "  tools ") || !strings.Contains(modelled, "  react ") || !strings.Contains(alone, "  reference:noop ") {
		t.Errorf("without a model:\n%swith one:\n%s", alone, modelled)
	}
}
