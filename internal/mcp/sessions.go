package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Open makes a new episode and the server for it. The context has the values of the
// request and outlives it. The request's path is / for a session and /episode/NAME
// for a named episode; its body is not to be read.
type Open func(ctx context.Context, r *http.Request) (*Server, error)

// HandlerOptions are the choices of Handler.
type HandlerOptions struct {
	// Token must be the first part of every path; empty for none.
	Token string
	// Limit is the most episodes that are open at a time; 0 means 10,000. More are
	// refused with status 503.
	Limit int
	// Idle ends sessions without a request for that long; 0 means never.
	Idle time.Duration
	// Closed, if set, is told once of each episode that no client can reach any
	// more: its session ended, its name was deleted, or the handler was closed.
	// It is called from several goroutines.
	Closed func(*Server)
}

// Episodes is an http.Handler that opens an episode for each client.
type Episodes struct {
	open     Open
	o        HandlerOptions
	sessions http.Handler
	lobby    *mcp.Server
	guarded  http.Handler

	mu     sync.Mutex
	closed bool
	count  int // episodes that are open or being opened
	named  map[string]*named
	live   map[*mcp.ServerSession]struct{}
	ending sync.WaitGroup // goroutines that wait for the end of a session
}

// named is an episode with a URL of its own.
type named struct {
	once sync.Once
	srv  *Server
	err  error
}

var nameSyntax = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// Handler returns a handler that opens episodes as clients come:
//
//   - At the path / each session is an episode of its own. Only the protocol up to
//     2025-11-25 has sessions; a client of the stateless era is told which versions
//     are served, and one that cannot fall back is told to use a path of its own.
//   - At the path /episode/NAME the first request opens an episode, which all
//     others with the same name share, in either era. NAME is 1 to 128 letters,
//     digits, "." "_" and "-". DELETE ends it.
//
// Close must be called when the handler is not served any more. What Server.Handler
// refuses, this handler refuses too.
func Handler(open Open, o HandlerOptions) *Episodes {
	if o.Limit <= 0 {
		o.Limit = 10_000
	}
	h := &Episodes{
		open:  open,
		o:     o,
		lobby: mcp.NewServer(&mcp.Implementation{Name: "gauntlet"}, nil),
		named: map[string]*named{},
		live:  map[*mcp.ServerSession]struct{}{},
	}
	h.sessions = mcp.NewStreamableHTTPHandler(h.server, &mcp.StreamableHTTPOptions{
		JSONResponse:        true,
		MaxRequestBodyBytes: MaxMessage,
		SessionTimeout:      o.Idle,
	})
	h.guarded = guard(o.Token, http.HandlerFunc(h.route))
	return h
}

// ServeHTTP implements http.Handler.
func (h *Episodes) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.guarded.ServeHTTP(w, r) }

func (h *Episodes) route(w http.ResponseWriter, r *http.Request) {
	const prefix = "/episode/"
	path := r.URL.Path
	switch {
	case path == "/":
		h.serveSession(w, r)
	case len(path) > len(prefix) && path[:len(prefix)] == prefix && nameSyntax.MatchString(path[len(prefix):]):
		h.serveNamed(w, r, path[len(prefix):])
	default:
		http.NotFound(w, r)
	}
}

type openedKey struct{}

// server is the server that the SDK uses for a request: the one that was opened for
// it, or one that only knows which versions there are.
func (h *Episodes) server(r *http.Request) *mcp.Server {
	if s, ok := r.Context().Value(openedKey{}).(*Server); ok {
		return s.sdk
	}
	return h.lobby
}

func (h *Episodes) serveSession(w http.ResponseWriter, r *http.Request) {
	request := r
	r, m, ok := receiveBody(w, r)
	switch {
	case !ok:
	case r.Method != http.MethodPost, r.Header.Get("Mcp-Session-Id") != "", m.method == "server/discover":
		answer := answering(w, m)
		h.sessions.ServeHTTP(answer, r)
		answer.done()
	case m.method == "initialize":
		h.startSession(w, r, request, m)
	default:
		refuse(w, http.StatusBadRequest, m, "there is no session: begin with initialize, or use a path /episode/NAME of your own, which needs none")
	}
}

// startSession opens an episode and lets the handshake begin. An episode whose
// handshake fails is closed at once.
func (h *Episodes) startSession(w http.ResponseWriter, r, request *http.Request, m header) {
	srv, err := h.begin(request)
	if err != nil {
		refuse(w, status(err), m, err.Error())
		return
	}
	h.sessions.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), openedKey{}, srv)))
	select {
	case ss := <-srv.session:
		h.watch(srv, ss)
	default:
		h.end(srv)
	}
}

// watch waits for the end of a session.
func (h *Episodes) watch(srv *Server, ss *mcp.ServerSession) {
	h.mu.Lock()
	h.live[ss] = struct{}{}
	closed := h.closed
	h.ending.Add(1)
	h.mu.Unlock()
	go func() {
		defer h.ending.Done()
		if closed {
			_ = ss.Close() // the same as the error of Wait, which says how the client left
		}
		_ = ss.Wait() // a client may leave as it likes
		h.mu.Lock()
		delete(h.live, ss)
		h.mu.Unlock()
		h.end(srv)
	}()
}

func (h *Episodes) serveNamed(w http.ResponseWriter, r *http.Request, name string) {
	switch r.Method {
	case http.MethodPost:
	case http.MethodDelete:
		h.deleteNamed(w, r, name)
		return
	default:
		w.Header().Set("Allow", "POST, DELETE")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	h.mu.Lock()
	n := h.named[name]
	if n == nil {
		n = &named{}
		h.named[name] = n
	}
	h.mu.Unlock()
	n.once.Do(func() { n.srv, n.err = h.begin(r) })
	if n.err != nil {
		h.mu.Lock()
		if h.named[name] == n { // the next request tries again
			delete(h.named, name)
		}
		h.mu.Unlock()
		refuse(w, status(n.err), header{}, n.err.Error())
		return
	}
	n.srv.serveStateless(w, r)
}

func (h *Episodes) deleteNamed(w http.ResponseWriter, r *http.Request, name string) {
	h.mu.Lock()
	n := h.named[name]
	delete(h.named, name)
	h.mu.Unlock()
	if n == nil {
		http.NotFound(w, r)
		return
	}
	h.endNamed(n)
	w.WriteHeader(http.StatusNoContent)
}

// endNamed ends a named episode, also one that is just being opened.
func (h *Episodes) endNamed(n *named) {
	n.once.Do(func() { n.err = errClosed })
	if n.err == nil {
		h.end(n.srv)
	}
}

var (
	errClosed = errors.New("the server is shutting down")
	errFull   = errors.New("too many episodes are open")
)

// begin opens an episode, within the limit.
func (h *Episodes) begin(r *http.Request) (*Server, error) {
	h.mu.Lock()
	switch {
	case h.closed:
		h.mu.Unlock()
		return nil, errClosed
	case h.count >= h.o.Limit:
		h.mu.Unlock()
		return nil, errFull
	}
	h.count++
	h.mu.Unlock()
	srv, err := h.open(detached(r), r)
	if err == nil {
		return srv, nil
	}
	h.mu.Lock()
	h.count--
	h.mu.Unlock()
	return nil, fmt.Errorf("open episode: %w", err)
}

// end closes an episode, after the call that it executes.
func (h *Episodes) end(srv *Server) {
	srv.finish()
	h.mu.Lock()
	h.count--
	h.mu.Unlock()
	if h.o.Closed != nil {
		h.o.Closed(srv)
	}
}

// Close ends all sessions and named episodes, after the call that each executes,
// and opens no more.
func (h *Episodes) Close() {
	h.mu.Lock()
	h.closed = true
	names := h.named
	h.named = map[string]*named{}
	var live []*mcp.ServerSession
	for ss := range h.live {
		live = append(live, ss)
	}
	h.mu.Unlock()
	for _, ss := range live {
		_ = ss.Close() // how a client left is its own affair
	}
	for _, n := range names {
		h.endNamed(n)
	}
	h.ending.Wait()
}

// status is the HTTP status of an episode that was not opened.
func status(err error) int {
	if errors.Is(err, errFull) || errors.Is(err, errClosed) {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// refuse answers a request with a JSON-RPC error.
func refuse(w http.ResponseWriter, status int, m header, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A client that is gone misses nothing.
	_, _ = w.Write(failure(m.id, jsonrpc.CodeInvalidRequest, message))
}
