package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/model"
	"gauntlet/internal/plan"
)

// clock is the real time.
type clock struct{}

func (clock) Now() time.Time { return time.Now() }

func (clock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// models opens the models of a plan, one client for each spec, with everything
// around it: cache, budget, attempts and limits.
type models struct {
	traffic plan.Traffic
	table   model.Table
	budget  *model.Budget
	cache   model.CacheStore
	record  io.Writer     // cassette to write, or nil
	replay  *model.Replay // cassette that answers in place of all services, or nil
	seed    uint64
	warn    func(string)            // told of doubts about a service
	stop    context.CancelCauseFunc // called when going on makes no sense

	mu       sync.Mutex
	clients  map[string]opened
	limiters map[string]*model.Limiter // by provider
}

type opened struct {
	client model.Client
	spec   model.Spec
}

func newModels(t plan.Traffic, seed uint64, stop context.CancelCauseFunc) (*models, error) {
	m := &models{traffic: t, seed: seed, stop: stop, clients: map[string]opened{}, limiters: map[string]*model.Limiter{}}
	var own []byte
	if t.Providers != "" {
		var err error
		if own, err = os.ReadFile(t.Providers); err != nil {
			return nil, fmt.Errorf("--providers: %w", err)
		}
	}
	var err error
	if m.table, err = model.LoadTable(own); err != nil {
		return nil, fmt.Errorf("--providers %s: %w", t.Providers, err)
	}
	m.budget = model.NewBudget(model.Allowance{Tokens: t.BudgetTokens, USD: t.BudgetUSD, Time: t.BudgetTime}, clock{})
	if t.Cache != "" {
		if m.cache, err = model.NewDirStore(t.Cache); err != nil {
			return nil, fmt.Errorf("--cache: %w", err)
		}
	}
	return m, nil
}

// env is what agents get from outside.
func (m *models) env() agent.Env {
	program, err := os.Executable()
	if err != nil {
		program = "" // agents that need it say so
	}
	return agent.Env{Client: m.open, Clock: clock{}, Environ: os.Environ(), Program: program, Warn: m.warn}
}

// open implements agent.Env.Client.
func (m *models) open(text string) (model.Client, model.Spec, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o, ok := m.clients[text]; ok {
		return o.client, o.spec, nil
	}
	spec, err := model.ParseSpec(text, m.table)
	if err != nil {
		return nil, spec, err
	}
	c, err := m.stack(spec)
	if err != nil {
		return nil, spec, err
	}
	m.clients[text] = opened{c, spec}
	return c, spec, nil
}

// stack builds recorder -> cache -> budget -> retry -> limiter -> provider. The
// recorder is outermost, so that a cassette has the cached replies, too.
func (m *models) stack(spec model.Spec) (model.Client, error) {
	if m.replay != nil {
		return m.replay, nil
	}
	var key model.Key
	if v := spec.Provider.KeyVariable; v != "" {
		key = model.NewKey(os.Getenv(v))
	}
	c, err := model.Open(spec, model.Options{Clock: clock{}, Key: key})
	if err != nil {
		return nil, err
	}
	l := m.limiters[spec.Provider.Name]
	if l == nil {
		l = model.NewLimiter(spec.Provider.Limits(), clock{})
		m.limiters[spec.Provider.Name] = l
	}
	c = l.Wrap(c)
	c = model.NewRetry(c, model.RetryOptions{Clock: clock{}, Attempts: m.traffic.Attempts, Seed: m.seed})
	if c, err = m.budget.Wrap(c, spec); err != nil {
		return nil, err
	}
	if m.cache != nil {
		c = model.NewCache(c, spec, m.cache)
	}
	if m.record != nil {
		c = model.NewRecorder(c, m.record)
	}
	return watched{c, m.stop}, nil
}

// watched stops a run whose every further request would fail: the key is
// refused, or the means are used up. The cells that are left stay pending.
type watched struct {
	model.Client
	stop context.CancelCauseFunc
}

func (w watched) Complete(ctx context.Context, r model.Request) (model.Reply, error) {
	reply, err := w.Client.Complete(ctx, r)
	if k := model.KindOf(err); k == model.KindAuth || k == model.KindBudget {
		w.stop(&halt{err})
	}
	return reply, err
}

// halt is the cause of a run that stopped itself.
type halt struct{ err error }

func (h *halt) Error() string { return h.err.Error() }

// halted returns why a run stopped itself, or nil.
func halted(err error) *halt {
	var h *halt
	if errors.As(err, &h) {
		return h
	}
	return nil
}

// cassettes opens the files of --record and --replay. A command that asks no model
// has an empty cassette in the place of all services.
func (m *models) cassettes(f playFlags) error {
	record, replay := f.record, f.replay
	if f.offline {
		var err error
		m.replay, err = model.NewReplay(strings.NewReader(""))
		return err
	}
	if record != "" && replay != "" {
		return errors.New("--record and --replay exclude each other")
	}
	if record != "" {
		f, err := openCassette(record)
		if err != nil {
			return fmt.Errorf("--record: %w", err)
		}
		m.record = f // each line is one write; the process's end closes it
	}
	if replay != "" {
		f, err := os.Open(replay)
		if err != nil {
			return fmt.Errorf("--replay: %w", err)
		}
		defer func() { _ = f.Close() }() // only read
		if m.replay, err = model.NewReplay(f); err != nil {
			return fmt.Errorf("--replay %s: %w", replay, err)
		}
	}
	return nil
}

// openCassette opens a cassette to add to it. Half a line at its end, as a kill
// leaves it, is cut off: what follows would stand on the same line.
func openCassette(name string) (*os.File, error) {
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if whole := bytes.LastIndexByte(old, '\n') + 1; whole < len(old) {
		if err := f.Truncate(int64(whole)); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
