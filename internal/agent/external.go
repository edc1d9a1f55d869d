package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gauntlet/internal/mcp"
	"gauntlet/internal/model"
	"gauntlet/internal/trace"
)

const (
	// externalTime is the longest episode of an external agent whose limits name
	// no other time.
	externalTime = 30 * time.Minute
	// externalGrace is the time that the agent is given to finish when the episode
	// has ended, and externalTerm the time between asking its processes to end
	// and killing them.
	externalGrace = 10 * time.Second
	externalTerm  = 2 * time.Second
)

// external is the scaffold "external": a program of others that is given the task
// and an MCP server with the case's tools.
//
// The program runs in an empty folder of its own, with the task on standard input.
// Its arguments may hold {task}, {task_file}, {system}, {system_file}, {mcp_url},
// {mcp_config}, {mcp_stdio_config}, {dir}, {seed} and {epoch}; the same values are
// in its environment as GAUNTLET_TASK and so on. Other words in braces are left
// alone. What it writes to standard output is its final answer, and status 0 says
// that it is done.
//
// Each call that arrives is a turn. The limits of turns and tokens do not apply,
// since nobody sees the agent's model; the limits of calls and of time do.
type external struct {
	voice   native // whose system prompt is this agent's, too
	command []string
	clock   model.Clock
	environ []string
	program string
}

func newExternal(c Config, arg string, env Env) (Agent, error) {
	a := &external{voice: native{driver{config: c}}, command: c.Command, clock: env.Clock, environ: env.Environ, program: env.Program}
	switch {
	case arg != "":
		return nil, fmt.Errorf("agent external takes no argument, got %q", arg)
	case len(c.Command) == 0 || c.Command[0] == "":
		return nil, errors.New("agent external needs a command: the program and its arguments, such as gauntlet run -- my-agent {mcp_config}")
	case c.Model != "":
		return nil, fmt.Errorf("agent external brings its own model; name %s in its command", c.Model)
	case c.Params != (Params{}):
		return nil, errors.New("agent external asks its own model; parameters of requests belong into its command")
	case a.clock == nil:
		return nil, errors.New("agent external: there is no clock")
	case a.program == "" && a.mentions("{mcp_stdio_config}"):
		return nil, errors.New("agent external: {mcp_stdio_config} starts gauntlet, whose path is not known")
	}
	return a, checkSystem(c.System)
}

// mentions reports whether an argument of the command holds one of these words.
func (a *external) mentions(words ...string) bool {
	return slices.ContainsFunc(a.command[1:], func(arg string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(arg, w) })
	})
}

// Version implements [Versioned].
func (*external) Version() string { return promptVersion("external/1", &external{}) }

// Prompt returns the system prompt, which is that of the scaffold "tools". What
// the agent makes of it is its own affair.
func (a *external) Prompt(ep Episode) string { return a.voice.Prompt(ep) }

// Instructions is what an agent that plays over MCP should tell its model first:
// the system prompt of the scaffold "tools".
func Instructions(ep Episode) string { return (&native{}).Prompt(ep) }

// Unfit reports why agents that play over MCP cannot be shown a defence; nil if
// they can. Such an agent hears nothing from us between two calls.
func Unfit(d Defence) error {
	if d.Repeat {
		return fmt.Errorf("defence %s speaks between calls, which an agent that plays over MCP does not hear", d.Name)
	}
	return nil
}

// Run starts the program and waits for its end.
func (a *external) Run(ctx context.Context, ep Episode) (trace.Termination, error) {
	if err := Unfit(ep.Setting().Defence); err != nil {
		return trace.Termination{}, &Excluded{err.Error()}
	}
	token, err := secret()
	if err != nil {
		return trace.Termination{}, &Failure{Kind: trace.ErrorInternal, Err: err}
	}
	d := newDoor(ep)
	o := mcp.Options{Name: "world", Version: "1", Task: ep.Case().Task}
	if !a.mentions("{system}", "{system_file}") {
		o.Instructions = a.Prompt(ep) // or the model would read it twice
	}
	url, stop, err := mcp.Listen(ctx, d.watch(mcp.New(d, o).Handler(token)))
	if err != nil {
		return trace.Termination{}, &Failure{Kind: trace.ErrorInternal, Err: fmt.Errorf("serve tools: %w", err)}
	}
	e, err := a.errand(ep, url+"/"+token)
	if err != nil {
		return trace.Termination{}, &Failure{Kind: trace.ErrorInternal, Err: errors.Join(err, stop())}
	}
	p := a.spawn(ctx, ep, d, e)
	d.close()
	// The door is shut: requests that are cut off here would be refused anyway. So
	// would the files that cannot be removed change no result.
	_, _ = stop(), e.remove()
	p.redact(a.environ, token)
	return a.judge(ctx, ep, d, p)
}

// secret is the part of a URL that nobody can guess.
func secret() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("make token: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// judge says what the end of the program means for the episode.
func (a *external) judge(ctx context.Context, ep Episode, d *door, p *process) (trace.Termination, error) {
	failed := func(kind trace.ErrorKind, format string, args ...any) (trace.Termination, error) {
		return trace.Termination{}, &Failure{Kind: kind, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case ctx.Err() != nil:
		return failed(trace.ErrorCancelled, "agent was stopped: %w", context.Cause(ctx))
	case d.end != nil && !errors.Is(d.end, ErrOver):
		return trace.Termination{}, d.end
	case d.end != nil:
		// It may fail as it likes now.
		if p.killed == nil && p.ok {
			p.answer(ep)
		}
		return trace.Termination{}, nil
	case errors.Is(p.killed, errTimeLimit):
		// Nobody knows whether it worked or waited for a service that hung.
		return failed(trace.ErrorTimeout, "agent was not done after %v%s", a.limit(ep), p.words())
	case p.start != nil:
		return failed(trace.ErrorAgent, "start agent: %w; the command is a program and its arguments, and the program stands in the PATH or is named by its path", p.start)
	case !p.ok && !d.asked.Load():
		return failed(trace.ErrorAgent, "agent ended with %s before it asked for its tools%s%s", p.status, p.words(), a.astray())
	case !p.ok:
		return failed(trace.ErrorAgent, "agent ended with %s%s", p.status, p.words())
	case !d.asked.Load():
		return failed(trace.ErrorAgent, "agent never connected to its tools, so nothing was measured; give it the MCP server with {mcp_config}, {mcp_stdio_config} or {mcp_url}%s", p.words())
	}
	p.answer(ep)
	return trace.Termination{Cause: trace.CauseAgentDone}, nil
}

func (a *external) limit(ep Episode) time.Duration {
	return cmp.Or(ep.Setting().Limits.Time, externalTime)
}
