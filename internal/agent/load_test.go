package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

// quick is a time that runs a thousand times as fast as ours.
type quick struct{}

const haste = 1000

var dawn = time.Now()

func (quick) Now() time.Time { return dawn.Add(time.Since(dawn) * haste) }
func (quick) Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d / haste):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// bad is a service on a bad night: three of ten requests fail. It counts the
// connections that are opened.
func bad(t *testing.T) (address string, server *scripted.Server, opened *atomic.Int64) {
	t.Helper()
	server = scripted.New(scripted.Options{Seed: 3, FaultRate: 0.3, RetryAfter: 1, Choose: func(body trace.Value) scripted.Script {
		name := body.Get("messages").Index(1).Get("content").Text()
		return scripted.Script{
			{Calls: []scripted.Call{ring("", name), ring("same", name)}},
			{Text: "and", Calls: []scripted.Call{ring("same", name)}},
			{Text: "done " + name},
		}
	}})
	opened = &atomic.Int64{}
	h := httptest.NewUnstartedServer(server)
	h.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	h.Start()
	t.Cleanup(h.Close)
	return h.URL, server, opened
}

// A thousand episodes at once, with everything between them and a service that
// fails three times of ten: none is lost, none hears what was said to another, all
// requests are accounted for once, and nothing is left behind.
func TestThousandEpisodesOnABadNight(t *testing.T) {
	episodes := 1000
	if testing.Short() {
		episodes = 100
	}
	const most = 256
	address, server, opened := bad(t)
	transport := &http.Transport{MaxIdleConnsPerHost: 1024}
	spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: model.WireOpenAI, BaseURL: address, Concurrent: most}}
	client, err := model.Open(spec, model.Options{Clock: quick{}, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	client = model.NewLimiter(spec.Provider.Limits(), quick{}).Wrap(client)
	client = model.NewRetry(client, model.RetryOptions{Clock: quick{}, Attempts: 5})
	budget := model.NewBudget(model.Allowance{Tokens: 1 << 40}, quick{})
	if client, err = budget.Wrap(client, spec); err != nil {
		t.Fatal(err)
	}
	var tape bytes.Buffer
	client = model.NewCache(model.NewRecorder(client, &tape), spec, &model.MemoryStore{})
	a, err := New(Config{Scaffold: "tools", Model: "m", Params: Params{MaxTokens: 100}}, Env{
		Clock: quick{}, Client: func(string) (model.Client, model.Spec, error) { return client, spec, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	play := func() []*stage {
		stages := make([]*stage, episodes)
		var wg sync.WaitGroup
		for i := range stages {
			s := newStage()
			s.c.Task = fmt.Sprintf("task %d.", i)
			stages[i] = s
			wg.Go(func() {
				end, err := a.Run(t.Context(), s)
				checkNight(t, s, end, err)
			})
		}
		wg.Wait()
		return stages
	}
	good, requests := tally(play())
	if want := int64(server.Count("")); requests != want || budget.Spent().Requests != want {
		t.Errorf("the records count %d requests and the budget %d, the service %d", requests, budget.Spent().Requests, want)
	}
	if good < episodes*8/10 || good == episodes {
		t.Errorf("%d of %d episodes came to their end", good, episodes)
	}
	dropped := int64(server.Count(scripted.Disconnect) + server.Count(scripted.Cut))
	if n := opened.Load(); n > most+dropped {
		t.Errorf("%d connections for %d requests at a time and %d that were dropped", n, most, dropped)
	}
	// What was answered is not asked again.
	asked := server.Count("")
	if again, requests := tally(play()); again < good || requests >= int64(asked) {
		t.Errorf("with a full cache %d of %d episodes came to their end with %d requests", again, episodes, requests)
	}
	if n := bytes.Count(tape.Bytes(), []byte("\n")); n < 3*good {
		t.Errorf("%d recordings of %d good episodes", n, good)
	}
	if _, err := model.NewReplay(&tape); err != nil {
		t.Error(err)
	}
	transport.CloseIdleConnections()
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+8; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// checkNight wants an episode to be whole or to have failed with a cause.
func checkNight(t *testing.T, s *stage, end trace.Termination, err error) {
	var f *Failure
	switch {
	case err == nil && end.Cause == trace.CauseFinalAnswer && s.calls == 3:
		if last := s.replies()[2]; last.Text != "done "+s.c.Task {
			t.Errorf("%s ended with the answer %q", s.c.Task, last.Text)
		}
	case errors.As(err, &f) && f.Kind.Cause().IsError() && f.Kind != trace.ErrorInternal && f.Kind != trace.ErrorCancelled:
	default:
		t.Errorf("%s ended with %+v and %v after %d calls", s.c.Task, end, err, s.calls)
	}
	for _, step := range s.replies() {
		for _, c := range step.Calls {
			if c.Observation == nil || !strings.HasSuffix(c.Observation.Text, s.c.Task) {
				t.Errorf("%s was answered %+v", s.c.Task, c.Observation)
			}
		}
	}
}

// tally counts the episodes that came to their end, and all requests on record.
func tally(stages []*stage) (good int, requests int64) {
	for _, s := range stages {
		if n := len(s.replies()); n == 3 {
			good++
		}
		for _, step := range s.replies() {
			requests += step.Usage.Requests
		}
		for _, u := range s.spent {
			requests += u.Requests
		}
	}
	return good, requests
}

// A run that is stopped while a thousand episodes wait for their turn ends at once,
// and each episode says that it was stopped.
func TestThousandEpisodesStopAtOnce(t *testing.T) {
	server := scripted.New(scripted.Options{Latency: time.Hour, Scripts: map[string]scripted.Script{"": {{Text: "late"}}}})
	h := httptest.NewServer(server)
	defer h.Close()
	spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: model.WireOpenAI, BaseURL: h.URL}}
	client, err := model.Open(spec, model.Options{Clock: quick{}})
	if err != nil {
		t.Fatal(err)
	}
	client = model.NewRetry(model.NewLimiter(model.Limits{Concurrent: 4}, quick{}).Wrap(client), model.RetryOptions{Clock: quick{}})
	budget := model.NewBudget(model.Allowance{Tokens: 5000}, quick{}) // for a few at a time
	if client, err = budget.Wrap(client, spec); err != nil {
		t.Fatal(err)
	}
	a, err := New(Config{Scaffold: "tools", Model: "m"}, Env{
		Clock: quick{}, Client: func(string) (model.Client, model.Spec, error) { return client, spec, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	for range 1000 {
		wg.Go(func() {
			if _, err := a.Run(ctx, newStage()); model.KindOf(err) != model.KindCancelled {
				t.Errorf("got %v", err)
			}
		})
	}
	for server.Count("") == 0 {
		time.Sleep(time.Millisecond)
	}
	start := time.Now()
	cancel()
	wg.Wait()
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("stopping took %v", took)
	}
}
