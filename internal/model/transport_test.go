package model

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gauntlet/internal/trace"
)

// still is a time that stands still.
type still struct{}

func (still) Now() time.Time                                   { return time.Time{} }
func (still) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// crowd lets requests go on when all of a round have come.
type crowd struct {
	size    int64
	arrived atomic.Int64
	all     chan struct{}
}

func (c *crowd) join() {
	if c.arrived.Add(1) == c.size {
		close(c.all)
	}
	<-c.all
}

// TestConnectionsAreUsedAgain: a hundred requests that are in flight together need a
// connection each in HTTP/1, and the next hundred use these again; in HTTP/2 they
// share.
func TestConnectionsAreUsedAgain(t *testing.T) {
	const size, rounds = 100, 4
	for _, proto := range []int{1, 2} {
		var opened atomic.Int64
		var other atomic.Int32
		var round atomic.Pointer[crowd]
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ProtoMajor != proto {
				other.Add(1)
			}
			round.Load().join()
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`)
		}))
		server.EnableHTTP2 = proto == 2
		server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // of connections that were opened in vain
		server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				opened.Add(1)
			}
		}
		server.StartTLS()
		client := newHTTPClient(nil)
		transport, ok := client.Transport.(*http.Transport)
		if !ok {
			t.Fatalf("the transport is %T", client.Transport)
		}
		pool := x509.NewCertPool()
		pool.AddCert(server.Certificate())
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		c := &openAI{endpoint: endpoint{url: server.URL, client: client, clock: still{}}}
		for range rounds {
			round.Store(&crowd{size: size, all: make(chan struct{})})
			var wg sync.WaitGroup
			for range size {
				wg.Go(func() {
					_, err := c.Complete(t.Context(), Request{Model: "m", Messages: []Message{{Role: trace.RoleUser, Text: "hi"}}})
					if err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		}
		if n := opened.Load(); n > 2*size || other.Load() > 0 {
			t.Errorf("HTTP/%d: %d connections for %d times %d requests; %d spoke another version", proto, n, rounds, size, other.Load())
		}
		transport.CloseIdleConnections()
		server.Close()
	}
}
