package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"gauntlet/internal/mcp"
)

// shutdownTime is the most time that requests in progress get when the server is
// stopped.
const shutdownTime = 2 * time.Second

// tokenSyntax is a path segment that needs no escapes.
var tokenSyntax = regexp.MustCompile(`^[A-Za-z0-9._~-]+$`)

// checkAddress refuses to let other machines in without a token.
func checkAddress(address, token string) error {
	if token != "" && !tokenSyntax.MatchString(token) {
		return errors.New("--token: a token is made of letters, digits and . _ ~ -")
	}
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--http %q: an address is HOST:PORT, such as 127.0.0.1:8080", address)
	}
	if token == "" && !isLoopback(name) {
		return fmt.Errorf("--http %q: other machines could reach this address; give a --token, or take 127.0.0.1", address)
	}
	return nil
}

func isLoopback(name string) bool {
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// serveHTTP serves an episode to each session or name that comes.
func (h *host) serveHTTP(ctx context.Context, address, token string) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	// A name is what the system's resolver makes of it.
	if a, ok := l.Addr().(*net.TCPAddr); token == "" && (!ok || !a.IP.IsLoopback()) {
		return errors.Join(fmt.Errorf("--http %q: other machines could reach %s; give a --token", address, l.Addr()), l.Close())
	}
	episodes := mcp.Handler(h.beginRequest, mcp.HandlerOptions{Token: token, Closed: func(s *mcp.Server) { h.end(s, "") }})
	srv := &http.Server{Handler: episodes, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	base := "http://" + l.Addr().String() + "/" + token
	h.mu.Lock()
	say(h.stderr, "serving case %s at %s (Ctrl-C ends)", h.cell.Case.ID, base)
	h.mu.Unlock()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		err = shutdown(ctx, srv)
	}
	episodes.Close() // ends the episodes that are still open
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// shutdown lets requests end, for a while. Streams that clients hold open do not
// end by themselves.
func shutdown(ctx context.Context, srv *http.Server) error {
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := srv.Shutdown(grace); errors.Is(err, context.DeadlineExceeded) {
		return srv.Close()
	} else if err != nil {
		return fmt.Errorf("stop server: %w", err)
	}
	return nil
}

func (h *host) beginRequest(_ context.Context, r *http.Request) (*mcp.Server, error) {
	return h.begin(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/"), "episode/"))
}
