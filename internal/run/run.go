package run

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// Options are the choices that all cells of a run share.
type Options struct {
	// Compat behaves and scores as the published benchmark does.
	Compat  bool
	Workers int // cells played at once; 0: one per processor
	// Host is the host's monotonic clock, for the wall limit of world code and for
	// Outcome.Wall; nil: neither.
	Host func() time.Duration
	// Progress is told after each cell; calls do not overlap.
	Progress func(o *Outcome, done, total int)
	// Finished is told of every cell as soon as it has been played, from the
	// goroutine that played it. An error ends the run. It must be done with the
	// trace when it returns, since nothing keeps it.
	Finished func(i int, o *Outcome) error
	// Sink receives every finished cell in the order of the plan, with its
	// trace; calls do not overlap. An error ends the run. So that traces do not
	// pile up behind a slow cell, at most 256 cells, or 16 for each worker, are
	// played beyond it.
	Sink func(*Outcome) error
}

// Cell is one planned run: an agent on a case, under settings.
type Cell struct {
	// ID is the content hash under which the cell is journaled; may be empty.
	ID   string
	Case *suite.Case
	// Name is the agent's name in tables.
	Name    string
	Agent   agent.Agent
	Format  trace.Format // how observations are rendered; empty: json, under Compat text
	Defence agent.Defence
	Epoch   int // repetition, from 0
	Seed    uint64
	Limits  agent.Limits
}

// MaxCalls is the most tool calls of an episode whose limits name no other number.
const MaxCalls = 200

// Rules names the rules by which cells are played: how the world runtime executes
// and renders, what seeds are made of, when an episode's clock starts. It is part of
// every cell's id. A change after which the same replies can give another trace
// needs another name.
const Rules = "gauntlet.run/1 " + world.DefaultStart

// runner is the shared state of a run.
type runner struct {
	s       *suite.Suite
	o       Options
	checker *score.Checker
	ahead   chan struct{} // a place for each cell that is begun and not yet handed to the sink
	mu      sync.Mutex
	base    map[start]*idle
}

// start is a case with the seed of its world: what the first state depends on.
type start struct {
	c    *suite.Case
	seed uint64
}

// idle is what doing nothing comes to.
type idle struct {
	once   sync.Once
	benign *float64 // mean of the task's checks; nil: not assessed
	attack string   // a check of the goal that holds already; empty: none does
}

func newRunner(s *suite.Suite, o Options) *runner {
	return &runner{s: s, o: o, checker: score.NewChecker(), base: map[start]*idle{}}
}

// Cross lists a cell for every agent and case: agents in the order given, cases
// in the order of the suite, at most limit cases for each agent (0: all). An
// agent that can play no case at all is an error.
func Cross(s *suite.Suite, agents []agent.Config, env agent.Env, seed uint64, limit int) ([]Cell, error) {
	var cells []Cell
	for _, c := range agents {
		a, err := agent.New(c, env)
		if err != nil {
			return nil, err
		}
		cases := Playable(a, s.Cases)
		if len(cases) == 0 {
			return nil, fmt.Errorf("agent %s can play no case of suite %s", c.Scaffold, s.Name)
		}
		if limit > 0 && len(cases) > limit {
			cases = cases[:limit]
		}
		for _, k := range cases {
			cells = append(cells, Cell{Case: k, Name: c.Scaffold, Agent: a, Seed: seed})
		}
	}
	return cells, nil
}

// Playable returns the cases that an agent can play by its nature.
func Playable(a agent.Agent, cases []*suite.Case) []*suite.Case {
	sel, choosy := a.(agent.Selector)
	if !choosy {
		return cases
	}
	var out []*suite.Case
	for _, c := range cases {
		if sel.Plays(c) {
			out = append(out, c)
		}
	}
	return out
}

// Run plays cells. Outcomes come back in the order of the plan. When ctx is
// done, the cells finished so far are returned, with its error: those that had
// to be broken off are not among them.
func Run(ctx context.Context, s *suite.Suite, cells []Cell, o Options) ([]*Outcome, error) {
	r := newRunner(s, o)
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.ahead = make(chan struct{}, max(256, 16*workers))
	todo, done := make(chan int), make(chan finished)
	var wg sync.WaitGroup
	for range min(workers, len(cells)) {
		wg.Go(func() {
			for i := range todo {
				if f, err := r.finish(ctx, i, cells[i]); err != nil {
					cancel(err)
				} else {
					done <- f
				}
			}
		})
	}
	go r.feed(ctx, todo, len(cells))
	go func() { wg.Wait(); close(done) }()
	out := r.collect(done, len(cells), cancel)
	return out, context.Cause(ctx)
}

// feed hands out the places of cells until the context is done.
func (r *runner) feed(ctx context.Context, todo chan<- int, cells int) {
	defer close(todo)
	for i := range cells {
		if r.o.Sink != nil {
			select {
			case r.ahead <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
		select {
		case todo <- i:
		case <-ctx.Done():
			return
		}
	}
}

// finished is a played cell and its place in the plan; no outcome is one that
// was broken off.
type finished struct {
	i int
	o *Outcome
}

// finish plays a cell and hands it on.
func (r *runner) finish(ctx context.Context, i int, k Cell) (finished, error) {
	o := r.play(ctx, k)
	if ctx.Err() != nil && o.Excluded != "" {
		// Broken off, or failed while everything stopped: the cell is to be played
		// again, and is no result of any kind.
		return finished{i, nil}, nil
	}
	if r.o.Finished != nil {
		if err := r.o.Finished(i, o); err != nil {
			return finished{}, err
		}
	}
	if r.o.Sink == nil {
		o.Trace = nil // cells that wait for an earlier one must not fill the memory
	}
	return finished{i, o}, nil
}

// collect puts finished cells in order.
func (r *runner) collect(done <-chan finished, total int, cancel func(error)) []*Outcome {
	played := make([]*Outcome, total)
	n, next, failed := 0, 0, false
	for f := range done {
		if f.o == nil {
			continue
		}
		played[f.i] = f.o
		n++
		for ; next < total && played[next] != nil; next++ {
			o := played[next]
			if r.o.Sink != nil && !failed {
				if err := r.o.Sink(o); err != nil {
					failed = true
					cancel(err)
				}
			}
			o.Trace = nil
			if r.o.Sink != nil {
				<-r.ahead
			}
		}
		if r.o.Progress != nil {
			r.o.Progress(f.o, n, total)
		}
	}
	out := make([]*Outcome, 0, n)
	for _, o := range played {
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}
