package agent

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// Episode is what an agent can see and do in one run of one case.
type Episode interface {
	// Case is the case. Only the reference agents look at its solution and attack.
	Case() *suite.Case
	// Tools are the tools on offer.
	Tools() []trace.Tool
	// Act makes a turn: the calls are executed in order and come back with
	// their observations. ErrOver means that the episode has ended.
	Act(ctx context.Context, turn trace.Step) (trace.Step, error)
	// Say records a message without calls (the final answer).
	Say(step trace.Step)
	// Rand is the cell's random source.
	Rand() *rand.Rand
}

// Agent plays an episode.
type Agent interface {
	// Run plays until the agent is done. The termination says why it stopped;
	// an error is a failure outside the agent's conduct, and makes the cell
	// unassessed.
	Run(ctx context.Context, ep Episode) (trace.Termination, error)
}

// ErrOver is returned by Episode.Act when the episode has ended; the agent
// should return at once.
var ErrOver = fmt.Errorf("the episode is over")

// Excluded is an error of an agent that cannot play a case by its nature (no
// reference solution, no recorded run): the cell is excluded with this cause.
type Excluded struct{ Cause string }

func (e *Excluded) Error() string { return e.Cause }

// maker makes an agent from the part of its name after the colon.
type maker struct {
	doc  string
	make func(arg string) (Agent, error)
}

// agents is the table of all agents. To add one: its file, its line here, its test.
var agents = map[string]maker{
	"reference:noop":     {"does nothing: the baseline of every benign score", fixed(noop{})},
	"reference:random":   {"calls random tools with values from the state", fixed(random{})},
	"reference:solver":   {"plays the scenario's reference solution", fixed(solver{})},
	"reference:gullible": {"plays the reference solution and carries out every injected goal it has read", fixed(solver{gullible: true})},
	"replay":             {"plays recorded ToolHazard runs again: replay:FILE", newReplay},
}

func fixed(a Agent) func(string) (Agent, error) {
	return func(arg string) (Agent, error) {
		if arg != "" {
			return nil, fmt.Errorf("agent takes no argument, got %q", arg)
		}
		return a, nil
	}
}

// New makes the agent called name.
func New(name string) (Agent, error) {
	if m, ok := agents[name]; ok {
		return m.make("")
	}
	head, arg, _ := strings.Cut(name, ":")
	if m, ok := agents[head]; ok && arg != "" {
		return m.make(arg)
	}
	return nil, fmt.Errorf("unknown agent %q; agents are %s", name, strings.Join(Names(), ", "))
}

// Names lists the agents.
func Names() []string {
	out := make([]string, 0, len(agents))
	for n := range agents {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// Doc is the one-line description of an agent.
func Doc(name string) string { return agents[name].doc }
