package model_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

func fails(kind model.Kind) error { return &model.Error{Kind: kind, Op: "test"} }

func TestRetryOnlyWhatMayPass(t *testing.T) {
	for _, kind := range model.Kinds() {
		n := 0
		c := model.NewRetry(client(func(context.Context, model.Request) (model.Reply, error) {
			n++
			return model.Reply{}, &model.Error{Kind: kind, Usage: trace.Usage{Requests: 1, OutputTokens: 2}}
		}), model.RetryOptions{Clock: newClock(), Attempts: 3})
		_, err := c.Complete(t.Context(), ask("hi"))
		want := 1
		for _, k := range model.RetryKinds() {
			if k == kind {
				want = 3
			}
		}
		e := failure(t, err)
		if n != want || e.Kind != kind || e.Usage.Requests != int64(want) || e.Usage.OutputTokens != int64(2*want) {
			t.Errorf("%s: %d attempts, %+v; want %d", kind, n, e, want)
		}
	}
}

func TestRetryWaits(t *testing.T) {
	waits := func(seed uint64, after time.Duration) []time.Duration {
		clock := newClock()
		c := model.NewRetry(client(func(context.Context, model.Request) (model.Reply, error) {
			return model.Reply{}, &model.Error{Kind: model.KindRateLimit, RetryAfter: after}
		}), model.RetryOptions{Clock: clock, Attempts: 9, Seed: seed})
		_, _ = c.Complete(t.Context(), ask("hi"))
		return clock.slept
	}
	got := waits(1, 0)
	for i, w := range got {
		step := min(time.Second<<i, time.Minute)
		if w < step/2 || w > step {
			t.Errorf("wait %d is %v, want %v to %v", i, w, step/2, step)
		}
	}
	if len(got) != 8 || !cmp.Equal(got, waits(1, 0)) || cmp.Equal(got, waits(2, 0)) {
		t.Errorf("waits %v do not depend on the seed alone", got)
	}
	for _, w := range waits(1, 100*time.Second) {
		if w < 100*time.Second || w > 110*time.Second {
			t.Errorf("asked for 100 s, waited %v", w)
		}
	}
}

// TestRetryAfterFromServer: the header is honoured end to end.
func TestRetryAfterFromServer(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.New(scripted.Options{RetryAfter: 17, Scripts: map[string]scripted.Script{"": {{Text: "ok", Fault: scripted.RateLimit, Times: 2}}}})
		clock := newClock()
		reply, err := model.NewRetry(open(t, wire, s, nil), model.RetryOptions{Clock: clock}).Complete(t.Context(), ask("hi"))
		if err != nil || reply.Usage.Requests != 3 {
			t.Fatalf("got %+v, %v", reply, err)
		}
		for _, w := range clock.slept {
			if w < 17*time.Second || w > 19*time.Second {
				t.Errorf("waited %v, want 17 s and a little", w)
			}
		}
	})
}

func TestLimiterConcurrency(t *testing.T) {
	l := model.NewLimiter(model.Limits{Concurrent: 4}, newClock())
	var now, most atomic.Int64
	c := l.Wrap(client(func(context.Context, model.Request) (model.Reply, error) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(time.Millisecond)
		now.Add(-1)
		return model.Reply{}, nil
	}))
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			if _, err := c.Complete(t.Context(), ask("hi")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 4 {
		t.Errorf("up to %d requests in flight, want 4", most.Load())
	}
}

func TestLimiterRates(t *testing.T) {
	tests := map[string]struct {
		limits model.Limits
		want   time.Duration // for 120 requests of 100 tokens, the first tenth of a minute being free
	}{
		"requests": {model.Limits{RequestsPerMinute: 60}, 114 * time.Second},
		"tokens":   {model.Limits{TokensPerMinute: 6000}, 114 * time.Second},
		"none":     {model.Limits{}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			clock := newClock()
			start := clock.Now()
			c := model.NewLimiter(test.limits, clock).Wrap(client(func(context.Context, model.Request) (model.Reply, error) {
				return model.Reply{Usage: trace.Usage{InputTokens: 60, OutputTokens: 40}}, nil
			}))
			r := ask("hi")
			r.MaxTokens = 96 // with 4 for the input, what is consumed
			for range 120 {
				if _, err := c.Complete(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			if got := clock.Now().Sub(start); got < test.want-time.Second || got > test.want+time.Second {
				t.Errorf("took %v, want %v", got, test.want)
			}
		})
	}
}

// TestLimiterAdapts: a refused burst halves the window once, and success opens it again.
func TestLimiterAdapts(t *testing.T) {
	clock := newClock()
	l := model.NewLimiter(model.Limits{Concurrent: 8}, clock)
	var refuse atomic.Bool
	var arrived sync.WaitGroup
	refuse.Store(true)
	arrived.Add(8)
	c := l.Wrap(client(func(context.Context, model.Request) (model.Reply, error) {
		if refuse.Load() {
			arrived.Done()
			arrived.Wait() // all eight are in flight
			return model.Reply{}, &model.Error{Kind: model.KindRateLimit, RetryAfter: 30 * time.Second}
		}
		return model.Reply{}, nil
	}))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { _, _ = c.Complete(t.Context(), ask("hi")) })
	}
	wg.Wait()
	if got := l.Window(); got != 4 {
		t.Errorf("the window is %v after a refused burst of 8, want 4", got)
	}
	refuse.Store(false)
	before := clock.Now()
	for range 100 {
		if _, err := c.Complete(t.Context(), ask("hi")); err != nil {
			t.Fatal(err)
		}
	}
	if waited := clock.Now().Sub(before); waited != 30*time.Second {
		t.Errorf("paused for %v, want 30 s", waited)
	}
	if got := l.Window(); got != 8 {
		t.Errorf("the window is %v after 100 replies, want 8", got)
	}
}

func TestLimiterStops(t *testing.T) {
	l := model.NewLimiter(model.Limits{Concurrent: 1}, newClock())
	entered, leave := make(chan bool), make(chan bool)
	c := l.Wrap(client(func(context.Context, model.Request) (model.Reply, error) {
		entered <- true
		<-leave
		return model.Reply{}, nil
	}))
	go func() { _, _ = c.Complete(context.Background(), ask("hi")) }()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if _, err := c.Complete(ctx, ask("hi")); model.KindOf(err) != model.KindCancelled {
				t.Errorf("got %v", err)
			}
		})
	}
	cancel()
	wg.Wait()
	close(leave)
}

func TestBudget(t *testing.T) {
	spec := model.Spec{Model: "m", Provider: model.Provider{Name: "p", Prices: map[string]model.Price{"m*": {Input: 1e6, Output: 2e6}}}}
	tests := map[string]struct {
		limit model.Allowance
		want  int // requests until it is used up; each takes 10 tokens, US$ 15 and a second
	}{
		"tokens": {model.Allowance{Tokens: 35}, 4},
		"money":  {model.Allowance{USD: 45}, 3},
		"time":   {model.Allowance{Time: 5 * time.Second}, 5},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			clock := newClock()
			b := model.NewBudget(test.limit, clock)
			n := 0
			c, err := b.Wrap(client(func(ctx context.Context, _ model.Request) (model.Reply, error) {
				n++
				used := trace.Usage{InputTokens: 5, OutputTokens: 5}
				used.CostUSD = spec.Provider.Prices["m*"].Cost(used)
				_ = clock.Sleep(ctx, time.Second)
				if n%2 == 0 { // failures that cost count, too
					return model.Reply{}, &model.Error{Kind: model.KindMalformed, Usage: used}
				}
				return model.Reply{Usage: used}, nil
			}), spec)
			if err != nil {
				t.Fatal(err)
			}
			for range 20 {
				_, err = c.Complete(t.Context(), ask("hi"))
			}
			if e := failure(t, err); e.Kind != model.KindBudget || n != test.want {
				t.Errorf("stopped after %d requests with %v, want %d", n, e, test.want)
			}
		})
	}
	unpriced := model.Spec{Model: "other", Provider: spec.Provider}
	if _, err := model.NewBudget(model.Allowance{USD: 1}, newClock()).Wrap(nil, unpriced); err == nil {
		t.Error("a budget in money was accepted for a model without a price")
	}
}

// TestBudgetUnderConcurrency: many at once exceed the limit by no more than one request.
func TestBudgetUnderConcurrency(t *testing.T) {
	b := model.NewBudget(model.Allowance{Tokens: 1000}, newClock())
	c, err := b.Wrap(client(func(context.Context, model.Request) (model.Reply, error) {
		time.Sleep(100 * time.Microsecond)
		return model.Reply{Usage: trace.Usage{OutputTokens: 30}}, nil
	}), model.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	r := ask("hi")
	r.MaxTokens = 30
	var wg sync.WaitGroup
	var refused atomic.Int64
	for range 100 {
		wg.Go(func() {
			if _, err := c.Complete(t.Context(), r); model.KindOf(err) == model.KindBudget {
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	if got := b.Spent().OutputTokens; got != 1020 || refused.Load() != 66 {
		t.Errorf("spent %d tokens of 1000 and refused %d requests, want 1020 and 66", got, refused.Load())
	}
}

// TestBudgetStopsWhatRuns: a request in flight ends with the time, as budget.
func TestBudgetStopsWhatRuns(t *testing.T) {
	s := scripted.Play(scripted.Turn{Fault: scripted.Stall})
	c, err := model.NewBudget(model.Allowance{Time: 50 * time.Millisecond}, newClock()).Wrap(open(t, model.WireOpenAI, s, nil), model.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Complete(t.Context(), ask("hi")); model.KindOf(err) != model.KindBudget {
		t.Errorf("got %v", err)
	}
}

func TestCache(t *testing.T) {
	dir, err := model.NewDirStore(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]model.CacheStore{"memory": &model.MemoryStore{}, "dir": dir} {
		t.Run(name, func(t *testing.T) {
			n := 0
			var next error
			truncated := false
			c := model.NewCache(client(func(context.Context, model.Request) (model.Reply, error) {
				n++
				return model.Reply{
					Text: fmt.Sprint(n), Calls: []model.Call{{Name: "f", RawArguments: "{\xed\xa0\x80"}, {ID: scripted.ID(""), Name: "g"}},
					Usage: trace.Usage{Requests: 1, OutputTokens: 3, CostUSD: 1}, Raw: []byte("\xff\x00"), Truncated: truncated,
				}, next
			}), model.Spec{}, store)
			a := ask("hi")
			next = fails(model.KindOverloaded)
			_, err := c.Complete(t.Context(), a)
			if model.KindOf(err) != model.KindOverloaded {
				t.Fatal(err)
			}
			next, truncated = nil, true
			_, _ = c.Complete(t.Context(), a)
			truncated = false
			first, _ := c.Complete(t.Context(), a) // neither the failure nor the cut reply was kept
			second, _ := c.Complete(t.Context(), a)
			if first.Text != "3" || n != 3 || !second.Cached || first.Cached {
				t.Errorf("first %+v, second %+v after %d requests", first, second, n)
			}
			first.Cached, first.Usage.Requests, first.Usage.CostUSD = true, 0, 0
			if diff := cmp.Diff(first, second, sameValue); diff != "" {
				t.Error("the cache changed the reply:", diff)
			}
			b := a
			b.Epoch = 1
			if other, _ := c.Complete(t.Context(), b); other.Cached {
				t.Error("epochs share an entry")
			}
			// An entry that is damaged is asked again.
			if err := store.Put(c.Key(a), []byte(`{"text":"half`)); err != nil {
				t.Fatal(err)
			}
			if again, err := c.Complete(t.Context(), a); err != nil || again.Cached {
				t.Errorf("got %+v, %v", again, err)
			}
		})
	}
}

// TestCacheKey: everything that can change a reply changes the key.
func TestCacheKey(t *testing.T) {
	one, seed, yes := 1.0, int64(1), true
	base := ask("hi")
	changes := map[string]func(*model.Request){
		"same":        func(*model.Request) {},
		"model":       func(r *model.Request) { r.Model = "n" },
		"text":        func(r *model.Request) { r.Messages = ask("ho").Messages },
		"tool":        func(r *model.Request) { r.Tools = []model.Tool{{Name: "f"}} },
		"description": func(r *model.Request) { r.Tools = []model.Tool{{Name: "f", Description: "d"}} },
		"choice":      func(r *model.Request) { r.ToolChoice.Mode = model.ToolNone },
		"parallel":    func(r *model.Request) { r.Parallel = &yes },
		"max":         func(r *model.Request) { r.MaxTokens = 1 },
		"temperature": func(r *model.Request) { r.Temperature = &one },
		"top_p":       func(r *model.Request) { r.TopP = &one },
		"seed":        func(r *model.Request) { r.Seed = &seed },
		"stop":        func(r *model.Request) { r.Stop = []string{"x"} },
		"logprobs":    func(r *model.Request) { r.Logprobs = 1 },
		"extra":       func(r *model.Request) { r.Extra = trace.Object() },
		"epoch":       func(r *model.Request) { r.Epoch = 1 },
	}
	keys := map[string]string{}
	for _, scope := range []string{"p", "q"} {
		c := model.NewCache(nil, model.Spec{Provider: model.Provider{Name: scope}}, &model.MemoryStore{})
		for name, change := range changes {
			r := base
			change(&r)
			key := c.Key(r)
			if other, ok := keys[key]; ok {
				t.Errorf("%s %s has the key of %s", scope, name, other)
			}
			keys[key] = scope + " " + name
		}
		if c.Key(base) != c.Key(ask("hi")) {
			t.Error("the same request has two keys")
		}
	}
}

func TestCassette(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.Play(scripted.Turn{Thought: "hm", Text: "한국어", Calls: []scripted.Call{{Name: "f", Arguments: `{"a":1}`}}, Fault: scripted.ServerError, Times: 1})
		var tape bytes.Buffer
		c := model.NewRecorder(open(t, wire, s, nil), &tape)
		var want []any
		for range 3 {
			reply, err := c.Complete(t.Context(), ask("hi"))
			want = append(want, reply, err)
		}
		replay, err := model.NewReplay(strings.NewReader(tape.String() + `{"version":"gauntlet.cass`))
		if err != nil {
			t.Fatal(err)
		}
		var got []any
		for range 3 {
			reply, err := replay.Complete(t.Context(), ask("hi"))
			got = append(got, reply, err)
		}
		if diff := cmp.Diff(want, got, sameValue); diff != "" {
			t.Error(diff)
		}
		if _, err := replay.Complete(t.Context(), ask("hi")); model.KindOf(err) != model.KindRejected || replay.Left() != 0 {
			t.Errorf("beyond the end: got %v, %d left", err, replay.Left())
		}
	})
	for _, bad := range []string{"{}\n", "x\n", `{"version":"gauntlet.cassette/1","key":"","request":{},"reply":{"text":"","calls":[]}}` + "\n"} {
		if _, err := model.NewReplay(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: got %v", bad, err)
		}
	}
}

// TestThirtyPercentFaults: with retries, every request ends in the reply of a
// fault-free run or in a failure with a cause, and none is lost.
func TestThirtyPercentFaults(t *testing.T) {
	each(t, func(t *testing.T, wire model.Wire) {
		s := scripted.New(scripted.Options{
			Seed: 1, FaultRate: 0.3,
			Choose: func(body trace.Value) scripted.Script {
				messages := body.Get("messages").Items()
				return scripted.Script{{Text: "answer to " + messages[len(messages)-1].String()}}
			},
		})
		clock := newClock()
		base := open(t, wire, s, nil)
		limiter := model.NewLimiter(model.Limits{Concurrent: 32}, clock)
		c := model.NewRetry(limiter.Wrap(base), model.RetryOptions{Clock: clock, Attempts: 4})
		var wg sync.WaitGroup
		var good, bad atomic.Int64
		for i := range 500 {
			wg.Go(func() {
				question := fmt.Sprintf("question %d.", i)
				reply, err := c.Complete(t.Context(), ask(question))
				switch {
				case err == nil && strings.HasPrefix(reply.Text, "answer to ") && strings.Contains(reply.Text, question):
					good.Add(1)
				case err != nil && model.KindOf(err).Valid():
					bad.Add(1)
				default:
					t.Errorf("got %+v, %v", reply, err)
				}
			})
		}
		wg.Wait()
		if good.Load()+bad.Load() != 500 || good.Load() < 460 || bad.Load() == 0 {
			t.Errorf("%d good and %d bad of 500", good.Load(), bad.Load())
		}
	})
}

// TestFaultsAreDeterministic: the same seed and requests meet the same faults.
func TestFaultsAreDeterministic(t *testing.T) {
	run := func(seed uint64) string {
		s := scripted.New(scripted.Options{Seed: seed, FaultRate: 0.5, Scripts: map[string]scripted.Script{"": {{Text: "ok"}}}})
		c := open(t, model.WireOpenAI, s, nil)
		var kinds []string
		for i := range 40 {
			_, err := c.Complete(t.Context(), ask(fmt.Sprint(i/2)))
			kinds = append(kinds, string(model.KindOf(err)))
		}
		return strings.Join(kinds, " ")
	}
	if a, b := run(1), run(1); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
	if run(1) == run(2) {
		t.Error("the seed has no effect")
	}
}

func TestDirStoreLeavesNoHalves(t *testing.T) {
	dir := t.TempDir()
	store, err := model.NewDirStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	key := strings.Repeat("ab", 32)
	for range 3 {
		if err := store.Put(key, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "ab"))
	if err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v", entries, err)
	}
	if _, ok, err := store.Get(strings.Repeat("cd", 32)); ok || err != nil {
		t.Errorf("a key that was never put: %v, %v", ok, err)
	}
}

func TestRecorderFailureIsAFailure(t *testing.T) {
	c := model.NewRecorder(client(func(context.Context, model.Request) (model.Reply, error) { return model.Reply{Text: "x"}, nil }), full{})
	if _, err := c.Complete(t.Context(), ask("hi")); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
