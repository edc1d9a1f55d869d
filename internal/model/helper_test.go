package model_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/trace"
)

// clock is a fake time that jumps ahead when somebody sleeps.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return nil
}

// sameValue lets cmp look into values.
var sameValue = cmp.Comparer(func(a, b trace.Value) bool { return a.Kind() == b.Kind() && a.String() == b.String() })

// client is a Client made of a function.
type client func(ctx context.Context, r model.Request) (model.Reply, error)

func (f client) Complete(ctx context.Context, r model.Request) (model.Reply, error) { return f(ctx, r) }

// wires are the providers that every test of the conformance suite runs against.
var wires = []model.Wire{model.WireOpenAI, model.WireAnthropic}

// open starts a server and returns a client of it.
func open(t testing.TB, wire model.Wire, s *scripted.Server, change func(*model.Provider, *model.Options)) model.Client {
	t.Helper()
	address, stop, err := s.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: wire, BaseURL: address + "/v1"}}
	options := model.Options{Clock: newClock()}
	if change != nil {
		change(&spec.Provider, &options)
	}
	c, err := model.Open(spec, options)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// each runs a test for every wire format.
func each(t *testing.T, f func(t *testing.T, wire model.Wire)) {
	for _, wire := range wires {
		t.Run(string(wire), func(t *testing.T) {
			t.Parallel()
			f(t, wire)
		})
	}
}

func ask(text string) model.Request {
	return model.Request{Model: "m", Messages: []model.Message{{Role: trace.RoleUser, Text: text}}}
}

func failure(t *testing.T, err error) *model.Error {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v (%T), want a *model.Error", err, err)
	}
	return e
}

// newTLSServer starts a server whose certificate nobody has signed.
func newTLSServer(t *testing.T) string {
	t.Helper()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // of handshakes that fail, as they are meant to
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}
