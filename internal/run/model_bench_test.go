package run_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/agent/agenttest"
	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/run"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/worlds"
)

// now is the real time.
type now struct{}

func (now) Now() time.Time { return time.Now() }
func (now) Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// memory is a model without latency: the replies of the scripted model, prepared
// for each case, by the number of replies before.
type memory struct {
	replies map[string][]model.Reply // by task
}

// prepared plays the reference solutions once, and returns a client that gives
// the same calls again without thinking.
func prepared(b *testing.B, s *suite.Suite) *memory {
	b.Helper()
	m := &memory{replies: map[string][]model.Reply{}}
	for _, o := range playNamed(b, s, []string{"reference:solver"}, 1, 0, run.Options{Sink: func(o *run.Outcome) error {
		var out []model.Reply
		for _, c := range o.Trace.Calls() {
			id := *c.ID
			out = append(out, model.Reply{Calls: []model.Call{{ID: &id, Name: c.Name, RawArguments: c.Arguments.String()}}, Usage: trace.Usage{Requests: 1, InputTokens: 1000, OutputTokens: 50}})
		}
		c, _ := s.Case(o.Case)
		m.replies[c.Task] = append(out, model.Reply{Text: "Task Completed", Usage: trace.Usage{Requests: 1}})
		return nil
	}}) {
		if o.Excluded != "" {
			b.Fatal(o.Excluded)
		}
	}
	return m
}

func (m *memory) Complete(_ context.Context, r model.Request) (model.Reply, error) {
	task, n := "", 0
	for _, x := range r.Messages {
		if x.Role == trace.RoleUser && task == "" {
			task = x.Text
		}
		if x.Role == trace.RoleAssistant {
			n++
		}
	}
	replies := m.replies[task]
	return replies[min(n, len(replies)-1)], nil
}

// modelCells are cells of the scaffold tools on the bundled suite.
func modelCells(b *testing.B, s *suite.Suite, client model.Client, n int) []run.Cell {
	b.Helper()
	env := agent.Env{Clock: now{}, Client: func(string) (model.Client, model.Spec, error) {
		return client, model.Spec{Provider: model.Provider{Name: "p", Wire: model.WireOpenAI}, Model: "m"}, nil
	}}
	one, err := run.Cross(s, []agent.Config{{Scaffold: "tools", Model: "m"}}, env, 1, 0)
	if err != nil {
		b.Fatal(err)
	}
	var cells []run.Cell
	for epoch := 0; len(cells) < n; epoch++ {
		for _, c := range one {
			c.Epoch = epoch
			if len(cells) < n {
				cells = append(cells, c)
			}
		}
	}
	return cells
}

func bundledSuite(b *testing.B) *suite.Suite {
	b.Helper()
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// played checks outcomes and returns how many replies they took, in all and at
// most.
func played(b *testing.B, outcomes []*run.Outcome) (turns, longest int) {
	b.Helper()
	for _, o := range outcomes {
		if o.Excluded != "" {
			b.Fatalf("%s: %s", o.Case, o.Excluded)
		}
		turns += o.Turns
		longest = max(longest, o.Turns)
	}
	return turns, longest
}

// measureTurns plays cells on one processor and reports what a turn costs.
func measureTurns(b *testing.B, s *suite.Suite, cells []run.Cell, workers int) {
	b.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	turns := 0
	b.ResetTimer()
	for b.Loop() {
		outcomes, err := run.Run(context.Background(), s, cells, run.Options{Workers: workers})
		if err != nil {
			b.Fatal(err)
		}
		n, _ := played(b, outcomes)
		turns += n
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(turns), "µs/turn")
	b.ReportMetric(float64(turns)/b.Elapsed().Seconds(), "turns/s")
}

// BenchmarkTurn is what the harness adds to a turn of a model that answers at
// once: request, reply, call, state, record, score; everything but the wire.
func BenchmarkTurn(b *testing.B) {
	s := bundledSuite(b)
	cells := modelCells(b, s, prepared(b, s), 104)
	measureTurns(b, s, cells, 1)
}

// BenchmarkWireTurn is BenchmarkTurn over HTTP. The scripted service runs on the
// same core, so that its time is in the figure.
func BenchmarkWireTurn(b *testing.B) {
	s := bundledSuite(b)
	client := wired(b, s, 0)
	cells := modelCells(b, s, client, 104)
	measureTurns(b, s, cells, 8)
}

// wired is a client of a scripted service.
func wired(b *testing.B, s *suite.Suite, latency time.Duration) model.Client {
	b.Helper()
	m := agenttest.New(s)
	m.Character = agenttest.Always(agenttest.Solves)
	address, stop, err := scripted.New(scripted.Options{Choose: m.Choose, Latency: latency}).Start(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(stop)
	client, err := model.Open(model.Spec{Provider: model.Provider{Name: "p", Wire: model.WireOpenAI, BaseURL: address + "/v1"}, Model: "m"}, model.Options{Clock: now{}})
	if err != nil {
		b.Fatal(err)
	}
	return client
}

// BenchmarkThousandEpisodes plays 1,000 episodes at once against a service that
// takes two seconds for each reply. The bound is the longest episode's replies
// times two seconds; service and harness share the machine. Run it with
// -benchtime 1x.
func BenchmarkThousandEpisodes(b *testing.B) {
	const latency = 2 * time.Second
	s := bundledSuite(b)
	cells := modelCells(b, s, wired(b, s, latency), 1000)
	runtime.GC()
	peak := make(chan uint64)
	done := make(chan struct{})
	go func() { peak <- watchMemory(done) }()
	b.ResetTimer()
	for b.Loop() {
		start := time.Now()
		outcomes, err := run.Run(context.Background(), s, cells, run.Options{Workers: len(cells)})
		if err != nil {
			b.Fatal(err)
		}
		turns, longest := played(b, outcomes)
		bound := time.Duration(longest) * latency
		b.ReportMetric(time.Since(start).Seconds()/bound.Seconds(), "×bound")
		b.ReportMetric(float64(turns)/time.Since(start).Seconds(), "turns/s")
		b.Logf("%d episodes, %d turns, longest %d: bound %s, took %s", len(outcomes), turns, longest, bound, time.Since(start).Round(time.Millisecond))
	}
	close(done)
	b.ReportMetric(float64(<-peak)/(1<<20), "MiB-peak")
}

// watchMemory is the most memory that the process had from the system until done.
func watchMemory(done <-chan struct{}) uint64 {
	var peak uint64
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.Sys-m.HeapReleased)
		select {
		case <-done:
			return peak
		case <-time.After(250 * time.Millisecond):
		}
	}
}
