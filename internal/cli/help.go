package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gauntlet/internal/agent"
)

// helpWidth is the most columns that lines about flags take.
const helpWidth = 100

// underHeading is the annotation of flags that stand under a heading of their own.
const underHeading = "heading"

// group makes a command that only holds others: a word that is none of them is
// a usage error.
func group(c *cobra.Command) *cobra.Command {
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return unknown(cmd, args[0])
	}
	return c
}

func unknown(c *cobra.Command, word string) error {
	hint := ""
	c.SuggestionsMinimumDistance = 2 // letters
	if like := c.SuggestionsFor(word); len(like) > 0 {
		hint = "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return fmt.Errorf("unknown command %q for %q%s", word, c.CommandPath(), hint)
}

// helpCommand is cobra's, but for an error where there is nothing to explain.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Short:  "Explain a command",
		Hidden: true, // --help is told everywhere
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknown(c, rest[0])
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// heading adds flags to a command, under a heading of its help.
func heading(c *cobra.Command, title string, add func(*pflag.FlagSet)) {
	g := pflag.NewFlagSet(title, pflag.ContinueOnError)
	g.SortFlags = false
	add(g)
	g.VisitAll(func(f *pflag.Flag) {
		f.Annotations = map[string][]string{underHeading: {title}}
		c.Flags().AddFlag(f)
	})
	c.Flags().SortFlags = false
}

// helpText is what help says after a command's description: how it is called,
// examples, its commands and its flags under their headings.
func helpText(c *cobra.Command, width int) string {
	var b strings.Builder
	line := c.UseLine()
	if c.HasAvailableSubCommands() {
		line = c.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", line)
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.TrimRight(c.Example, "\n"))
	}
	groups := append([]*cobra.Group{{Title: "Commands:"}}, c.Groups()...)
	for _, g := range groups {
		var list []*cobra.Command
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && sub.GroupID == g.ID {
				list = append(list, sub)
			}
		}
		if len(list) > 0 {
			fmt.Fprintf(&b, "\n%s\n", g.Title)
		}
		for _, sub := range list {
			fmt.Fprintf(&b, "  %-11s %s\n", sub.Name(), sub.Short)
		}
	}
	for _, f := range flagGroups(c) {
		fmt.Fprintf(&b, "\n%s:\n%s", f.Name(), f.FlagUsagesWrapped(width))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help tells more about a command.\n", c.CommandPath())
	}
	return b.String()
}

// flagGroups are the flags of a command by their headings, in the order in which
// these were added, and then those without one.
func flagGroups(c *cobra.Command) []*pflag.FlagSet {
	var groups []*pflag.FlagSet
	rest := pflag.NewFlagSet("Flags", pflag.ContinueOnError)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		title := f.Annotations[underHeading]
		if len(title) == 0 {
			rest.AddFlag(f)
			return
		}
		i := slices.IndexFunc(groups, func(g *pflag.FlagSet) bool { return g.Name() == title[0] })
		if i < 0 {
			i = len(groups)
			g := pflag.NewFlagSet(title[0], pflag.ContinueOnError)
			g.SortFlags = false
			groups = append(groups, g)
		}
		groups[i].AddFlag(f)
	})
	if len(groups) > 0 {
		rest.Init("Other flags", pflag.ContinueOnError)
	}
	return append(groups, rest)
}

// printUsage is helpText for cobra.
func printUsage(c *cobra.Command) error {
	w := c.OutOrStdout()
	width := helpWidth
	if t := terminalOf(w); t.width > 0 {
		width = min(width, t.width)
	}
	_, err := io.WriteString(w, helpText(c, width))
	return err
}

// agentList lists the agents that are named by themselves or, if modelled, what
// can stand around a model.
func agentList(modelled bool) string {
	var b strings.Builder
	for _, n := range agent.Names() {
		if n != external && strings.HasPrefix(agent.Doc(n), "a model ") == modelled {
			fmt.Fprintf(&b, "  %-20s %s\n", n, agent.Doc(n))
		}
	}
	return b.String()
}
