package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"

	"gauntlet/internal/agent"
	"gauntlet/internal/score"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// cellSeed mixes the run's seed with the case, so that all agents meet the
// same ids and times in a case.
func cellSeed(seed uint64, parts ...string) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d", seed)
	for _, p := range parts {
		_, _ = h.Write([]byte{0})
		_, _ = h.Write([]byte(p))
	}
	return h.Sum64()
}

// seed mixes the cell's seed with its case and, beyond the first, its epoch.
func (k Cell) seed(parts ...string) uint64 {
	parts = append([]string{k.Case.ID}, parts...)
	if k.Epoch > 0 {
		parts = append(parts, "epoch "+strconv.Itoa(k.Epoch))
	}
	return cellSeed(k.Seed, parts...)
}

// complete fills in what a cell leaves to the run.
func (k Cell) complete(o Options) Cell {
	if k.Format == "" {
		k.Format = usual(o.Compat)
	}
	if k.Defence.Name == "" {
		k.Defence.Name = agent.NoDefence
	}
	return k
}

// usual is the format of cells that name none.
func usual(compat bool) trace.Format {
	if compat {
		return trace.FormatText
	}
	return trace.FormatJSON
}

// play plays and scores one cell.
func (r *runner) play(ctx context.Context, k Cell) (o *Outcome) {
	k = k.complete(r.o)
	o = blank(k)
	if r.o.Host != nil {
		start := r.o.Host()
		defer func() { o.Wall = r.o.Host() - start }()
	}
	var e *episode
	defer o.guard(&e)
	e, initial, err := r.open(k)
	if err != nil {
		return o.Exclude(trace.ErrorWorld, err.Error())
	}
	end, err := k.Agent.Run(ctx, e)
	if o.conclude(e, end, err) {
		r.score(ctx, o, k, e, initial)
	}
	return o
}

// guard is deferred: a fault of ours in one cell must neither end a night's run nor
// count as the agent's doing. What was consumed until then stays counted.
func (o *Outcome) guard(e **episode) {
	if p := recover(); p != nil {
		o.Exclude(trace.ErrorInternal, fmt.Sprintf("panic: %v", p))
		if *e != nil {
			(*e).log.Termination = trace.Termination{Cause: trace.ErrorInternal.Cause(), Detail: o.Excluded}
			o.record(*e)
		}
	}
}

// conclude records why an episode ended, as its agent or an error says; false when
// that is no result. A call that was broken off ends every episode without one,
// also that of an agent that went on all the same.
func (o *Outcome) conclude(e *episode, end trace.Termination, err error) bool {
	if errors.Is(err, agent.ErrOver) {
		end, err = trace.Termination{}, nil // the episode says why
	}
	if err == nil {
		err = e.broken
	}
	if err == nil && e.over.Cause == "" && end.Cause.IsError() {
		err = &agent.Failure{Kind: trace.ErrorKind(strings.TrimPrefix(string(end.Cause), string(trace.ErrorKind("").Cause()))), Err: errors.New(end.Detail)}
	}
	e.log.Termination = e.termination(end)
	if err != nil {
		kind, cause := failure(err)
		o.Exclude(kind, cause)
		if kind == "" {
			kind = trace.ErrorAgent
		}
		e.log.Termination = trace.Termination{Cause: kind.Cause(), Detail: o.Excluded}
	}
	o.record(e)
	return err == nil
}

// blank is the outcome of a cell that has not been played.
func blank(k Cell) *Outcome {
	o := &Outcome{Cell: k.ID, Case: k.Case.ID, Scenario: k.Case.Scenario, World: k.Case.World, Agent: k.Name, Strategy: k.Case.Strategy(),
		Format: k.Format, Defence: k.Defence.Name, Epoch: k.Epoch, Seed: k.Seed, Scorer: ScorerVersion, Benign: score.Unscored("not run")}
	if m, ok := k.Agent.(agent.Modelled); ok {
		o.Model, _ = m.Model()
	}
	if k.Case.Attack != nil {
		o.Attack = Unassessed
		u := score.Unscored("not run")
		o.Injected = &u
	}
	return o
}

// Exclude takes the cell out of every rate, with the kind of the failure (empty: the
// agent cannot play the case by its nature) and its cause in words.
func (o *Outcome) Exclude(kind trace.ErrorKind, cause string) *Outcome {
	cause = cmp.Or(cause, "no reason was given")
	o.Excluded, o.Kind = cause, kind
	o.Baseline, o.Deviated, o.Decisive, o.Recorded = nil, false, nil, nil
	o.Benign = score.Unscored(cause)
	if o.Injected != nil {
		u := score.Unscored(cause)
		o.Attack, o.Injected = Unassessed, &u
	}
	return o
}

// record copies what the episode counted.
func (o *Outcome) record(e *episode) {
	o.Trace, o.Turns, o.Calls = e.log, e.turns, e.calls
	if o.Exposure = e.exposure; e.unread() {
		o.Exposure = nil
	}
	o.Exposed = o.Exposure != nil || e.seen.told
	o.Ended, o.Usage = e.log.Termination, e.usage()
	e.log.Usage = o.Usage
	if e.compare.Calls > 0 {
		o.Compare = &e.compare
	}
}

// open starts the world and the episode of a cell.
func (r *runner) open(k Cell) (*episode, *world.Snapshot, error) {
	w, ok := r.s.World(k.Case.World)
	if !ok {
		return nil, nil, fmt.Errorf("the suite has no world %s", k.Case.World)
	}
	bp, err := w.Blueprint()
	if err != nil {
		return nil, nil, fmt.Errorf("world does not load: %w", err)
	}
	in, err := bp.New(k.Case.State, world.Options{Seed: k.seed(), Start: k.Case.Time, Format: k.Format, Compat: r.o.Compat, Host: r.o.Host})
	if err != nil {
		return nil, nil, fmt.Errorf("world does not start: %w", err)
	}
	initial, err := in.Snapshot()
	if err != nil {
		return nil, nil, fmt.Errorf("initial state: %w", err)
	}
	e := r.episode(k, in)
	if e.state, err = in.State(); err != nil {
		return nil, nil, fmt.Errorf("initial state: %w", err)
	}
	e.start = in.Now()
	e.log.Initial = &trace.State{Hash: stateHash(e.state)}
	return e, initial, nil
}

func (r *runner) episode(k Cell, in *world.Instance) *episode {
	seed := k.Seed
	e := &episode{k: k, in: in, tools: in.Blueprint.Schemas(), seen: newDetector(k.Case.Attack), compat: r.o.Compat,
		rng: rand.New(rand.NewPCG(k.seed(k.Name), 1)), maxCalls: k.Limits.Calls}
	if e.maxCalls == 0 {
		e.maxCalls = MaxCalls
	}
	e.log = &trace.Trace{Version: trace.Version, ID: k.label(r.o.Compat), Case: k.Case.ID, World: k.Case.World, Suite: r.s.Name,
		Agent: k.Name, Seed: &seed, Format: k.Format, Tools: e.tools}
	if k.Defence.Name != agent.NoDefence {
		e.log.Defences = []string{k.Defence.Name}
	}
	if m, ok := k.Agent.(agent.Modelled); ok {
		e.log.Model, e.log.Provider = m.Model()
	}
	if k.Case.Attack != nil {
		e.log.Strategy = k.Case.Attack.Strategy
	}
	if p, ok := k.Agent.(agent.Prompted); ok {
		if text := p.Prompt(e); text != "" {
			e.log.Steps = append(e.log.Steps, trace.Step{Role: trace.RoleSystem, Text: text})
		}
	}
	e.log.Steps = append(e.log.Steps, trace.Step{Role: trace.RoleUser, Text: k.Case.Task})
	for _, s := range e.log.Steps {
		e.seen.tell(s.Text)
	}
	return e
}

// label names the cell's trace within its run: all that tells cells apart, what
// is usual left out.
func (k Cell) label(compat bool) string {
	s := fmt.Sprintf("%s|%s|%d", k.Case.ID, k.Name, k.Seed)
	if k.Format != usual(compat) {
		s += "|" + string(k.Format)
	}
	if k.Defence.Name != agent.NoDefence {
		s += "|" + k.Defence.Name
	}
	if k.Epoch > 0 {
		s += "|epoch " + strconv.Itoa(k.Epoch)
	}
	return s
}

func stateHash(v trace.Value) string {
	h := sha256.Sum256(v.AppendJSON(nil))
	return "sha256:" + hex.EncodeToString(h[:])
}

// failure turns an error of an agent into the kind and the cause of an
// exclusion. No kind: the agent cannot play the case by its nature.
func failure(err error) (trace.ErrorKind, string) {
	var x *agent.Excluded
	var f *agent.Failure
	switch {
	case errors.As(err, &x):
		return "", cmp.Or(x.Cause, "the agent cannot play this case")
	case errors.As(err, &f):
		cause := ""
		if f.Err != nil {
			cause = f.Error()
		}
		if !f.Kind.Cause().Valid() {
			return trace.ErrorAgent, fmt.Sprintf("agent error: %q: %s", f.Kind, cause)
		}
		return f.Kind, cause
	case errors.Is(err, context.Canceled):
		return trace.ErrorCancelled, "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return trace.ErrorTimeout, err.Error()
	}
	return trace.ErrorAgent, "agent error: " + err.Error()
}
