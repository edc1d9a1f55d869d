package model_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gauntlet/internal/model"
	"gauntlet/internal/trace"
)

// TestKeyIsRedactedInEverySpelling: a service, or a proxy with a page of debugging,
// repeats the key as it got it or encoded, in a failure or in a reply, and none of
// it reaches errors, replies, the cache or a cassette.
func TestKeyIsRedactedInEverySpelling(t *testing.T) {
	const secret = "sk-very/secret+0123456789=="
	escaped := ""
	for _, c := range secret {
		escaped += fmt.Sprintf(`\u%04x`, c)
	}
	basic := func(before string) string {
		return base64.StdEncoding.EncodeToString([]byte(before + secret + ":pass"))
	}
	spellings := map[string]string{
		"plain": secret, "a bearer": "Bearer " + secret, "query": url.QueryEscape(secret), "path": url.PathEscape(secret),
		"slashes": strings.ReplaceAll(secret, "/", `\/`), "escapes": escaped, "hex": hex.EncodeToString([]byte(secret)),
		"basic, at 0": basic(""), "basic, at 1": basic("u"), "basic, at 2": basic("us"), "basic, at 3": basic("usr"),
		"base64 for URLs": base64.URLEncoding.EncodeToString([]byte(secret)),
	}
	for name, spelling := range spellings {
		for _, a := range []answer{
			{500, "", `{"error":{"message":"upstream got ` + spelling + `"}}`},
			{502, "Content-Type: text/html", "<html>" + spelling},
			{200, "X-Echo: " + secret, said(`{"content":"`+spelling+`","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}`, "stop", 9)},
		} {
			if name == "escapes" && a.status == 502 {
				continue // no JSON: nobody would read the escapes
			}
			c, _ := gives(t, model.WireOpenAI, func(_ *model.Provider, o *model.Options) { o.Key = model.NewKey(secret) }, a)
			var tape bytes.Buffer
			kept := &model.MemoryStore{}
			cache := model.NewCache(model.NewRecorder(c, &tape), model.Spec{}, kept)
			reply, err := cache.Complete(t.Context(), ask("hi"))
			all := fmt.Sprintf("%+v %s %v %s", reply, reply.Raw, err, tape.String())
			if err != nil {
				all += string(failure(t, err).Raw)
			}
			if data, _, _ := kept.Get(cache.Key(ask("hi"))); data != nil {
				all += string(data)
			}
			for _, leak := range []string{secret, strings.Trim(strings.TrimSuffix(spelling, "Og=="), "="), `\u0073\u006b`} {
				if strings.Contains(all, leak) {
					t.Errorf("%s, status %d: %q is in %s", name, a.status, leak, all)
				}
			}
			// What decodes to the key is as bad as the key.
			var decoded any
			if json.Unmarshal(tape.Bytes(), &decoded) == nil && strings.Contains(fmt.Sprint(decoded), secret) {
				t.Errorf("%s, status %d: the cassette decodes to the key", name, a.status)
			}
		}
	}
}

// TestStoppedRequestIsNotRecorded: a cassette to which a resumed run is added would
// otherwise replay the interruption.
func TestStoppedRequestIsNotRecorded(t *testing.T) {
	var tape bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, _ := gives(t, model.WireOpenAI, nil, answer{200, "", said(`{"content":"ok"}`, "stop", 9)})
	recorder := model.NewRecorder(c, &tape)
	if _, err := recorder.Complete(ctx, ask("hi")); model.KindOf(err) != model.KindCancelled || tape.Len() != 0 {
		t.Errorf("got %v and recorded %q", err, tape.String())
	}
	// The end of a time that somebody set is an outcome, and stays one on the tape.
	late := fmt.Errorf("the episode's limit")
	ctx, cancel = context.WithTimeoutCause(t.Context(), 0, late)
	defer cancel()
	if _, err := recorder.Complete(ctx, ask("hi")); model.KindOf(err) != model.KindTimeout {
		t.Errorf("got %v", err)
	}
	replay, err := model.NewReplay(&tape)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replay.Complete(t.Context(), ask("hi")); model.KindOf(err) != model.KindTimeout {
		t.Errorf("replayed %v", err)
	}
}

// TestCertificateIsNotAskedForAgain: what fails for the address fails each time.
func TestCertificateIsNotAskedForAgain(t *testing.T) {
	asked := 0
	server := newTLSServer(t)
	spec := model.Spec{Model: "m", Provider: model.Provider{Name: "p", Wire: model.WireOpenAI, BaseURL: server}}
	c, err := model.Open(spec, model.Options{Clock: newClock()})
	if err != nil {
		t.Fatal(err)
	}
	retry := model.NewRetry(client(func(ctx context.Context, r model.Request) (model.Reply, error) {
		asked++
		return c.Complete(ctx, r)
	}), model.RetryOptions{Clock: newClock()})
	if _, err := retry.Complete(t.Context(), ask("hi")); model.KindOf(err) != model.KindOverloaded || asked != 1 {
		t.Errorf("got %v after %d attempts", err, asked)
	}
}

// TestReplyDrop: a reply that comes byte by byte ends with the time of the attempt.
func TestReplyDropByDropTimesOut(t *testing.T) {
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: drops{r.Context()}, Request: r}, nil
	})
	c, _ := gives(t, model.WireOpenAI, func(p *model.Provider, o *model.Options) { p.Timeout, o.Transport = 50*time.Millisecond, transport }, answer{})
	_, err := c.Complete(t.Context(), ask("hi"))
	if e := failure(t, err); e.Kind != model.KindTimeout || !strings.Contains(e.Message, "50ms") {
		t.Errorf("got %+v", e)
	}
}

// drops is a body that never ends and always has one more byte.
type drops struct{ ctx context.Context }

func (d drops) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(time.Millisecond):
		return copy(p, " "), nil
	}
}

func (drops) Close() error { return nil }

// TestRequestTooLargeForAMinuteStopsNobody: it is no sign that others must wait.
func TestRequestTooLargeForAMinuteStopsNobody(t *testing.T) {
	clock := newClock()
	l := model.NewLimiter(model.Limits{Concurrent: 8}, clock)
	c := l.Wrap(client(func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{}, &model.Error{Kind: model.KindRateLimit, Permanent: true, RetryAfter: time.Hour, Usage: trace.Usage{Requests: 1}}
	}))
	start := clock.Now()
	for range 3 {
		_, _ = c.Complete(t.Context(), ask("hi"))
	}
	if waited := clock.Now().Sub(start); waited != 0 || l.Window() != 8 {
		t.Errorf("waited %v with a window of %v", waited, l.Window())
	}
}
