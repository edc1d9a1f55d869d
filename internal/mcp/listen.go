package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Listen serves a handler on a free port of 127.0.0.1 and returns its URL, such as
// http://127.0.0.1:40000, without a slash at its end. It serves until stop is
// called or ctx ends; the end of ctx also ends the call that runs, as Episode says.
// stop waits for requests that are being answered, at most five seconds; it can be
// called several times.
func Listen(ctx context.Context, handler http.Handler) (url string, stop func() error, err error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen: %w", err)
	}
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// No ReadTimeout and no WriteTimeout: a call may take long, and a stream stays
		// open. Handlers bound the body (bodyTime).
		BaseContext: func(net.Listener) context.Context { return withLife(ctx) },
		ErrorLog:    slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	end := sync.OnceValue(func() error {
		// ctx may have ended already, and the requests still deserve their time.
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err := srv.Shutdown(grace)
		if errors.Is(err, context.DeadlineExceeded) {
			err = srv.Close()
		}
		if s := <-served; !errors.Is(s, http.ErrServerClosed) {
			err = errors.Join(err, s)
		}
		return err
	})
	release := context.AfterFunc(ctx, func() {
		// Nobody waits for this stop; a caller that does calls it itself.
		_ = end()
	})
	return "http://" + l.Addr().String(), func() error { release(); return end() }, nil
}
