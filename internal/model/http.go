package model

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"gauntlet/internal/trace"
)

// maxBody limits a reply, so that a broken server cannot fill the memory.
const maxBody = 64 << 20

// defaultTimeout ends attempts at providers that name no time of their own: a
// server that accepts a request and falls silent would hold its cell for ever.
const defaultTimeout = 30 * time.Minute

// endpoint is one URL of one service, and all that both wire formats share.
type endpoint struct {
	provider Provider
	url      string
	key      Key
	headers  map[string]string // may hold the key
	client   *http.Client
	clock    Clock
}

// newHTTPClient returns a client that follows no redirect: a key must not travel
// to an address that nobody configured. Without a transport it gets one that
// asks no proxy, since proxies come from the environment.
func newHTTPClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		transport = &http.Transport{
			DialContext:            (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
			MaxIdleConnsPerHost:    1024,
			IdleConnTimeout:        90 * time.Second,
			TLSHandshakeTimeout:    20 * time.Second,
			MaxResponseHeaderBytes: 1 << 20,
			ForceAttemptHTTP2:      true,
			// All requests may share one connection of HTTP/2; one that died without a
			// word must not hold them until they time out.
			HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// answer is a body that is JSON and came with a status of success.
type answer struct {
	value   trace.Value
	raw     []byte
	latency time.Duration
	before  int64 // attempts that it took before this one
}

// post sends a body and returns the JSON of a successful reply.
func (e *endpoint) post(ctx context.Context, body trace.Value) (answer, *Error) {
	start := e.clock.Now()
	limit := cmp.Or(e.provider.Timeout, defaultTimeout)
	late := &Error{Kind: KindTimeout, Op: "post", Message: fmt.Sprintf("no reply within %v", limit)}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(appendPlain(nil, body)))
	if err != nil {
		return answer{}, rejected("%s", e.scrub(err))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "gauntlet") // some firewalls take Go's own for a robot
	for name, value := range e.headers {
		request.Header.Set(name, value)
	}
	response, err := e.client.Do(request)
	if err != nil {
		return answer{}, e.transportError(ctx, "post", 0, nil, err)
	}
	defer response.Body.Close() //nolint:errcheck // the body has been read, and what was read counts
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	raw = e.key.redactJSON(raw)
	if err != nil {
		return answer{}, e.transportError(ctx, "read reply", response.StatusCode, raw, err)
	}
	if len(raw) > maxBody {
		return answer{}, malformed("the reply is longer than %d bytes", maxBody)
	}
	value, failure := e.parse(response, raw)
	if failure != nil {
		failure.Raw = raw
		failure.Usage.Requests = 1
		return answer{}, failure
	}
	return answer{value: value, raw: raw, latency: e.clock.Now().Sub(start)}, nil
}

// parse returns the JSON of a reply, or the failure that its status or its body tells.
func (e *endpoint) parse(response *http.Response, raw []byte) (trace.Value, *Error) {
	status := response.StatusCode
	value, _, err := trace.ParseValue(raw)
	failure, failed := bodyError(status, value)
	switch {
	case failed:
	case status < 200 || status >= 300:
		failure = proseError(status, raw)
	case err != nil:
		return trace.Value{}, malformed("the body (content type %q) is no JSON: %v", response.Header.Get("Content-Type"), err)
	case value.Kind() != trace.KindObject:
		return trace.Value{}, malformed("the body is %v, want an object", value.Kind())
	default:
		return value, nil
	}
	failure.RetryAfter = cmp.Or(retryAfter(response.Header, e.clock.Now()), failure.RetryAfter)
	return trace.Value{}, failure
}

// transportError returns the failure of a request without a whole reply.
func (e *endpoint) transportError(ctx context.Context, op string, status int, raw []byte, err error) *Error {
	var failure *Error
	if ctx.Err() != nil {
		stopped := *contextError(ctx, op)
		failure = &stopped
	} else {
		kind := KindOverloaded
		var timeout interface{ Timeout() bool }
		if errors.As(err, &timeout) && timeout.Timeout() {
			kind = KindTimeout
		}
		failure = &Error{Kind: kind, Op: op, Message: e.scrub(err), Permanent: isForever(err)}
	}
	failure.Status, failure.Raw, failure.Usage.Requests = status, raw, 1
	return failure
}

// isForever reports whether a connection failed for the address or the
// certificate: the next attempt would, too.
func isForever(err error) bool {
	var certificate *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	return errors.As(err, &certificate) || errors.As(err, &plain) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

// scrub returns the text of an error without the key.
func (e *endpoint) scrub(err error) string { return string(e.key.redact([]byte(err.Error()))) }

// finish completes a reply, or a failure that was found in a whole reply.
func (e *endpoint) finish(r Request, a answer, reply Reply, failure *Error) (Reply, error) {
	reply.Usage.Requests = 1 + a.before
	if price, ok := e.provider.Price(r.Model); ok {
		reply.Usage.CostUSD = price.Cost(reply.Usage)
	}
	if failure != nil {
		failure.Status = cmp.Or(failure.Status, http.StatusOK)
		failure.Raw, failure.Usage = a.raw, reply.Usage
		return Reply{}, failure
	}
	reply.Raw, reply.Latency, reply.Provider = a.raw, a.latency, e.provider.Name
	if reply.Model == "" {
		reply.Model = r.Model
	}
	return reply, nil
}
