package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// exchange posts one message and forwards the answers, as the client side of
// streamable HTTP (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports).
func (b *bridge) exchange(ctx context.Context, m message) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url, bytes.NewReader(m.data))
	if err != nil {
		return fmt.Errorf("post message: %w", withoutURL(err))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	b.mark(req, m)
	resp, err := b.client.Do(req)
	if err != nil {
		return fmt.Errorf("post message: %w", withoutURL(err))
	}
	defer closeBody(resp)
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" && m.method == "initialize" {
		b.mu.Lock()
		b.session = id
		b.mu.Unlock()
	}
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	answered := false
	if media == "text/event-stream" {
		answered, err = b.events(m, resp.Body)
	} else {
		answered, err = b.body(m, resp, media)
	}
	if err != nil {
		return err
	}
	if m.call() && !answered {
		return errors.New("server closed the answer without one")
	}
	return nil
}

// body forwards an answer that is one JSON text.
func (b *bridge) body(m message, resp *http.Response, media string) (bool, error) {
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return false, fmt.Errorf("read answer: %w", withoutURL(err))
	case len(data) > maxAnswer:
		return false, fmt.Errorf("answer is longer than %d bytes", maxAnswer)
	}
	data = bytes.TrimSpace(data)
	if media == "application/json" && len(data) > 0 && (resp.StatusCode < 300 || answers(m, data)) {
		return b.forward(m, data)
	}
	if resp.StatusCode < 300 && !m.call() {
		return false, nil // 202: a notification was taken
	}
	const most = 200
	return false, fmt.Errorf("server answered %d: %.*s", resp.StatusCode, most, strings.ToValidUTF8(string(data), "�"))
}

// answers reports whether data is a JSON-RPC answer to m: what a proxy in between
// says of its troubles is JSON at times, too.
func answers(m message, data []byte) bool {
	h, err := peek(data)
	return err == nil && m.call() && h.method == "" && h.id.Exists() && h.idText() == m.idText()
}

// events forwards the messages of a stream of server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html) until one
// answers m.
func (b *bridge) events(m message, r io.Reader) (bool, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	var data []byte
	event := ""
	for {
		raw, err := readEventLine(in)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil // an event without its end does not count
			}
			return false, withoutURL(err)
		}
		field, value, _ := strings.Cut(raw, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case raw == "":
			data = bytes.TrimSpace(data)
			if len(data) > 0 && (event == "" || event == "message") {
				if answered, err := b.forward(m, data); answered || err != nil {
					return answered, err
				}
			}
			data, event = nil, ""
		case field == "event":
			event = value
		case field == "data":
			if data = append(append(data, value...), '\n'); len(data) > maxAnswer {
				return false, fmt.Errorf("answer is longer than %d bytes", maxAnswer)
			}
		}
	}
}

// readEventLine returns the next line without its end. Lines may end in \n or
// \r\n; servers of the protocol use no bare \r.
func readEventLine(in *bufio.Reader) (string, error) {
	var data []byte
	for {
		part, err := in.ReadSlice('\n')
		data = append(data, part...)
		switch {
		case len(data) > maxAnswer:
			return "", fmt.Errorf("answer is longer than %d bytes", maxAnswer)
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return "", err
		default:
			return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
		}
	}
}

// mark sets the headers in which the protocol repeats what a message says, for
// those who route it.
func (b *bridge) mark(req *http.Request, m message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if v := m.version(); v != "" {
		b.version = v
	}
	if b.version != "" && m.method != "initialize" {
		req.Header.Set("Mcp-Protocol-Version", b.version)
	}
	if b.session != "" {
		req.Header.Set("Mcp-Session-Id", b.session)
	}
	if m.method == "" {
		return
	}
	req.Header.Set("Mcp-Method", m.method)
	switch m.method {
	case "tools/call", "prompts/get":
		req.Header.Set("Mcp-Name", m.params.Get("name").Text())
	case "resources/read":
		req.Header.Set("Mcp-Name", m.params.Get("uri").Text())
	}
}

// leave ends the session, if there is one. Servers may not support that.
func (b *bridge) leave(ctx context.Context) {
	if b.session == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, b.url, nil)
	if err != nil {
		return
	}
	b.mark(req, message{})
	if resp, err := b.client.Do(req); err == nil {
		closeBody(resp)
	}
}

// closeBody closes the body of an answer that is read as far as it matters.
func closeBody(resp *http.Response) { _ = resp.Body.Close() }

// withoutURL takes the URL off an error of net/http: its path is the secret.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
