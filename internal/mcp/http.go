package mcp

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bodyTime is the most time that the body of a request may take to arrive.
const bodyTime = time.Minute

// Handler serves the episode over streamable HTTP, in both eras of the protocol and
// without sessions: whoever reaches the URL acts in this one episode, and the path
// /TOKEN is the whole secret. An empty token means the path /, for use behind
// another check.
//
// The handler refuses requests of web pages of other origins, requests to a
// loopback address under another name, and messages of more than MaxMessage bytes.
func (s *Server) Handler(token string) http.Handler {
	return guard(token, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		s.serveStateless(w, r)
	}))
}

// serveStateless answers one request in either era.
func (s *Server) serveStateless(w http.ResponseWriter, r *http.Request) {
	r, m, ok := receiveBody(w, r)
	if !ok {
		return
	}
	answer := answering(w, m)
	s.stateless.ServeHTTP(answer, r)
	answer.done()
}

// newStateless returns the SDK's handler for a server without sessions.
func newStateless(s *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		JSONResponse:                 true,
		MaxRequestBodyBytes:          MaxMessage,
		PropagateRequestCancellation: true,
	})
}

// receiveBody reads the message of a POST and notes its id for Server.receive. It
// returns the request to go on with, or answers the request and returns false. The
// header of what is no message is empty; the SDK answers that.
func receiveBody(w http.ResponseWriter, r *http.Request) (*http.Request, header, bool) {
	// A shallow copy, since a handler must not change the request it was given.
	r = r.WithContext(r.Context())
	r.Header = r.Header.Clone()
	r.Header.Del(callHeader)
	if r.Method != http.MethodPost {
		return r, header{}, true
	}
	// The server's ReadTimeout would count the time of the call, too.
	rc := http.NewResponseController(w)
	late := time.AfterFunc(bodyTime, func() { _ = rc.SetReadDeadline(time.Unix(1, 0)) })
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxMessage))
	if !late.Stop() {
		_ = rc.SetReadDeadline(time.Time{}) // err says what there is to say
	}
	if err != nil {
		status := http.StatusBadRequest
		var tooLong *http.MaxBytesError
		if errors.As(err, &tooLong) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, err.Error(), status)
		return nil, header{}, false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	h, err := peek(body)
	if err != nil {
		return r, header{}, true
	}
	if h.call() {
		r.Header[callHeader] = []string{h.idText()}
	}
	return r, h, true
}

// guard refuses requests that a browser was led to make, and those without the
// token as the first part of their path. It takes the token off the path.
func guard(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !trusted(r) {
			http.Error(w, "this origin or host may not use the server", http.StatusForbidden)
			return
		}
		rest, ok := cutToken(r.URL.Path, token)
		if !ok {
			http.NotFound(w, r)
			return
		}
		r = r.WithContext(r.Context())
		u := *r.URL
		u.Path, u.RawPath = rest, ""
		r.URL = &u
		next.ServeHTTP(w, r)
	})
}

// trusted reports whether a request can only come from a program that means this
// server. A web page that had its own name resolve to a loopback address (DNS
// rebinding) gives itself away by the Host header, one of another site by Origin.
func trusted(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if ok && loopback(local.String()) && !loopback(r.Host) {
		return false
	}
	for _, origin := range r.Header["Origin"] {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return false
		}
	}
	return true
}

// loopback reports whether a host, with or without a port, is this machine.
func loopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// cutToken takes the token off a path. The comparison takes a time that does not
// depend on how much of the token is right.
func cutToken(path, token string) (rest string, ok bool) {
	if token == "" {
		return path, true
	}
	given, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return "/" + rest, subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}

// detached returns the values of a request's context without its end.
func detached(r *http.Request) context.Context { return context.WithoutCancel(r.Context()) }
