package agent

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"time"

	"gauntlet/internal/model"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// Episode is what an agent can see and do in one run of one case.
type Episode interface {
	// Case is the case. Only the reference agents look at its solution and attack.
	Case() *suite.Case
	// World is what the world says of itself: title, introduction, rules.
	World() *world.Blueprint
	// Tools are the tools on offer.
	Tools() []trace.Tool
	// Setting are the choices of the cell that a scaffold must respect.
	Setting() Setting
	// Act makes a turn: the calls are executed in order and come back with
	// their observations, which are what the agent must be shown. A call whose
	// arguments are no object is answered with an error, as is one of an unknown
	// tool; the episode goes on. ErrOver means that the episode has ended.
	Act(ctx context.Context, turn trace.Step) (trace.Step, error)
	// Say records a message without calls: what the scaffold or the user said, or
	// the final answer.
	Say(step trace.Step)
	// Spend records consumption that belongs to no step: failed requests.
	Spend(u trace.Usage)
	// Rand is the cell's random source.
	Rand() *rand.Rand
}

// Setting are the choices of a cell that bear on how an agent is run.
type Setting struct {
	Epoch   int // repetition of the case, from 0
	Seed    uint64
	Limits  Limits
	Defence Defence
	// Compat asks for the behaviour of the published benchmark.
	Compat bool
}

// Limits end an episode; each is a cause of termination, and none makes the
// cell unassessed. A zero is no limit.
type Limits struct {
	Turns  int           `json:"turns,omitempty" yaml:"turns,omitempty"`   // replies of the model
	Calls  int           `json:"calls,omitempty" yaml:"calls,omitempty"`   // tool calls
	Tokens int64         `json:"tokens,omitempty" yaml:"tokens,omitempty"` // input and output together
	Time   time.Duration `json:"time,omitempty" yaml:"time,omitempty"`
}

// Failure is a failure of what an agent depends on, such as its model's
// service. The cell is unassessed with this kind.
type Failure struct {
	Kind trace.ErrorKind
	Err  error
}

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

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

// Config says which agent plays: a scaffold and what drives it.
type Config struct {
	// Name is the agent's name in tables; New's caller fills it in.
	Name string `json:"name,omitempty" yaml:"name,omitempty"`
	// Scaffold is a name of the table, such as "tools", with an argument after a
	// colon where it takes one.
	Scaffold string `json:"scaffold" yaml:"scaffold"`
	// Model is PROVIDER:NAME or http://host/v1#NAME, for scaffolds that use one.
	Model string `json:"model,omitempty" yaml:"model,omitempty"`
	// System replaces the scaffold's own system prompt. ${rules}, ${intro},
	// ${title} and ${user} stand for what the world and the case say.
	System string `json:"system,omitempty" yaml:"system,omitempty"`
	// User replaces the user's name that the case gives.
	User string `json:"user,omitempty" yaml:"user,omitempty"`
	// Command is the external agent's program and its arguments.
	Command []string `json:"command,omitempty" yaml:"command,omitempty"`
	// Params are the parameters of requests to the model.
	Params Params `json:"params,omitzero" yaml:"params,omitempty"`
}

// Params are the parameters of requests; zero leaves them to the provider.
type Params struct {
	MaxTokens   int      `json:"max_tokens,omitempty" yaml:"max_tokens,omitempty"`
	Temperature *float64 `json:"temperature,omitempty" yaml:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty" yaml:"top_p,omitempty"`
	// Seeded sends the cell's seed with each request.
	Seeded   bool  `json:"seeded,omitempty" yaml:"seeded,omitempty"`
	Parallel *bool `json:"parallel,omitempty" yaml:"parallel,omitempty"`
	Logprobs int   `json:"logprobs,omitempty" yaml:"logprobs,omitempty"`
	// Extra is a JSON object of fields for the provider alone.
	Extra string `json:"extra,omitempty" yaml:"extra,omitempty"`
}

// Env is what agents get from outside. Only those that use a model or a process
// need any of it.
type Env struct {
	// Client opens a model by its spec. All agents share one client per spec.
	Client func(spec string) (model.Client, model.Spec, error)
	Clock  model.Clock
	// Environ is the environment of external agents, as os.Environ gives it.
	Environ []string
	// Warn is told, in words for the user and once by each agent, of a doubt whether
	// a service does what it is asked; nil tells nobody. It is called from several
	// goroutines.
	Warn func(text string)
	// Program is the path of gauntlet itself, for agents that start it to reach
	// their tools; empty if it is not known.
	Program string
}

// Modelled is implemented by agents that are driven by a model.
type Modelled interface {
	// Model is the model's name as its provider knows it, and the provider's.
	Model() (name, provider string)
}

// Prompted is implemented by agents that give their model a system prompt.
type Prompted interface {
	// Prompt is the system prompt of an episode. It is recorded as the first step.
	Prompt(ep Episode) string
}

// maker makes an agent. arg is the part of the scaffold's name after the colon.
type maker struct {
	doc  string
	make func(c Config, arg string, env Env) (Agent, error)
}

// agents is the table of all agents. To add one: its file, its line here, its test.
var agents = map[string]maker{
	"reference:noop":     {"does nothing: the baseline of every benign score", fixed(noop{})},
	"reference:random":   {"calls random tools with values from the state", fixed(random{})},
	"reference:solver":   {"plays the scenario's reference solution", fixed(solver{})},
	"reference:gullible": {"plays the reference solution and carries out every injected goal it has read", fixed(solver{gullible: true})},
	"tools":              {"a model that calls tools through its provider's interface for calls", newTools},
	"react":              {"a model that writes one call a turn as text", newReact},
	"external":           {"a program of others that acts over MCP: gauntlet run -- PROGRAM ARGUMENTS", newExternal},
	"replay":             {"plays recorded ToolHazard runs again: replay:FILE", newReplay},
}

func fixed(a Agent) func(Config, string, Env) (Agent, error) {
	return func(c Config, arg string, _ Env) (Agent, error) {
		if arg != "" {
			return nil, fmt.Errorf("agent takes no argument, got %q", arg)
		}
		if c.Model != "" {
			return nil, fmt.Errorf("agent %s uses no model", c.Scaffold)
		}
		return a, nil
	}
}

// New makes the agent of a configuration.
func New(c Config, env Env) (Agent, error) {
	if m, ok := agents[c.Scaffold]; ok {
		return m.make(c, "", env)
	}
	head, arg, _ := strings.Cut(c.Scaffold, ":")
	if m, ok := agents[head]; ok && arg != "" {
		return m.make(c, arg, env)
	}
	return nil, fmt.Errorf("unknown agent %q; agents are %s", c.Scaffold, strings.Join(Names(), ", "))
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

// Version names the rules that all agents share: how turns are counted, how
// calls are answered. It is part of every cell's id.
const Version = "gauntlet.agent/1"

// Versioned is implemented by agents whose own prompts and rules can change
// while their configuration stays the same.
type Versioned interface {
	// Version names these prompts and rules, best by their hash.
	Version() string
}
