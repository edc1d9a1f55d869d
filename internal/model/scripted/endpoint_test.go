package scripted_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"gauntlet/internal/model/scripted"
)

// TestEndpoints: what clients ask besides conversations.
func TestEndpoints(t *testing.T) {
	named := map[string]scripted.Script{"b": {{Text: "x", InputTokens: 42}}, "a": {{Text: "x"}}}
	open := map[string]scripted.Script{"": {{Text: "x", Fault: scripted.ServerError}}}
	const (
		key = "secret"
		ask = `{"model":"b","messages":[]}`
	)
	tests := []struct {
		name         string
		scripts      map[string]scripted.Script
		method, path string
		header       string // "Name: value"
		body         string
		status       int
		want         string // the whole body, or "~" and a part of it
	}{
		{"a probe of the root", named, "HEAD", "/", "", "", 200, ""},
		{"the root", named, "GET", "/", "", "", 200, "{}"},
		{"no key", named, "GET", "/v1/models", "", "", 401, "~Wrong key"},
		{"no key for a count", named, "POST", "/v1/messages/count_tokens", "", ask, 401, "~Wrong key"},
		{
			"models of OpenAI", named, "GET", "/v1/models", "Authorization: Bearer " + key, "", 200,
			`{"object":"list","data":[{"id":"a","object":"model","created":0,"owned_by":"scripted"},{"id":"b","object":"model","created":0,"owned_by":"scripted"}]}`,
		},
		{
			"models of Anthropic", named, "GET", "/v1/models?limit=1000", "X-Api-Key: " + key, "", 200,
			`{"data":[{"type":"model","id":"a","display_name":"a","created_at":"1970-01-01T00:00:00Z"},{"type":"model","id":"b","display_name":"b","created_at":"1970-01-01T00:00:00Z"}],"has_more":false,"first_id":"a","last_id":"b"}`,
		},
		{"a model", named, "GET", "/models/b", "Authorization: Bearer " + key, "", 200, `{"id":"b","object":"model","created":0,"owned_by":"scripted"}`},
		{"a model with a slash", open, "GET", "/v1/models/vendor/m", "Authorization: Bearer " + key, "", 200, `~"id":"vendor/m"`},
		{"no such model", named, "GET", "/v1/models/c", "X-Api-Key: " + key, "", 404, `~"type":"model_not_found"`},
		{"any model", open, "GET", "/v1/models", "Authorization: Bearer " + key, "", 200, `~"id":"scripted"`},
		{"a count", named, "POST", "/v1/messages/count_tokens?beta=true", "X-Api-Key: " + key, ask, 200, `{"input_tokens":42}`},
		{"a count meets no fault", open, "POST", "/v1/messages/count_tokens", "X-Api-Key: " + key, ask, 200, `{"input_tokens":7}`},
		{"a count of no model", named, "POST", "/v1/messages/count_tokens", "X-Api-Key: " + key, `{"messages":[]}`, 404, "~does not exist"},
		{"a count of nothing", named, "POST", "/v1/messages/count_tokens", "X-Api-Key: " + key, `[]`, 400, "~not understood"},
		{"another path", named, "POST", "/v1/responses", "Authorization: Bearer " + key, ask, 404, "~not found"},
		{"another method", named, "GET", "/v1/messages", "X-Api-Key: " + key, "", 404, "~not found"},
		{"a post to the root", named, "POST", "/", "X-Api-Key: " + key, "{}", 404, "~not found"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := scripted.New(scripted.Options{Scripts: test.scripts, Key: key, Keep: true})
			request := httptest.NewRequestWithContext(t.Context(), test.method, test.path, strings.NewReader(test.body))
			if name, value, ok := strings.Cut(test.header, ": "); ok {
				request.Header.Set(name, value)
				if name == "X-Api-Key" {
					request.Header.Set("Anthropic-Version", "2023-06-01")
				}
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, request)
			got := w.Body.String()
			if test.method == http.MethodHead {
				got = "" // the recorder keeps what a server drops
			}
			part, ok := strings.CutPrefix(test.want, "~")
			if w.Code != test.status || ok && !strings.Contains(got, part) || !ok && got != test.want {
				t.Errorf("got %d %s\nwant %d %s", w.Code, got, test.status, test.want)
			}
			if s.Count("") != 0 || len(s.Requests()) != 0 {
				t.Error("counted as a conversation")
			}
		})
	}
}

// TestIdentity: replies to different requests have different ids, for there are
// clients that merge messages with the same one.
func TestIdentity(t *testing.T) {
	_, address := start(t, scripted.Turn{Text: "one"}, scripted.Turn{Text: "two"})
	const next = `{"model":"m","messages":[{"role":"assistant"}]}`
	for _, d := range dialects {
		id := func(body string) string {
			var r struct{ ID string }
			_, text := post(t, address+d.path, body)
			if err := json.Unmarshal([]byte(text), &r); err != nil || r.ID == "" {
				t.Fatalf("%v: %s", err, text)
			}
			return r.ID
		}
		const first = `{"model":"m","messages":[]}`
		if a, again, b := id(first), id(first), id(next); a != again || a == b {
			t.Errorf("%s: ids %s and %s for one request, %s for another", d.name, a, again, b)
		}
	}
}

// FuzzRequest: whatever comes, the server answers with JSON, a stream or a
// failure, and stays.
func FuzzRequest(f *testing.F) {
	f.Add("/v1/chat/completions", `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[]}`)
	f.Add("/v1/messages", `{"model":1,"stream":"yes","stream_options":[],"max_tokens":1e400,"messages":[null,{"role":["assistant"]}]}`)
	f.Add("/v1/messages/count_tokens", `{"messages":[{"role":"assistant"}]}`)
	f.Add("/v1/models/../models/", "")
	faults := slices.DeleteFunc(scripted.Faults(), func(fault scripted.Fault) bool {
		// These need a connection that they can hold or drop.
		return slices.Contains([]scripted.Fault{scripted.Stall, scripted.StallBody, scripted.Disconnect, scripted.Cut}, fault)
	})
	s := scripted.New(scripted.Options{
		Scripts:   map[string]scripted.Script{"": {{Thought: "hm", Text: "ok", Calls: []scripted.Call{{Name: "f", Arguments: "{}"}}}}},
		FaultRate: 0.5, Faults: faults,
	})
	f.Fuzz(func(t *testing.T, path, body string) {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			r := httptest.NewRequestWithContext(context.Background(), method, "/", strings.NewReader(body))
			r.URL.Path = path
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			data, err := io.ReadAll(w.Result().Body)
			if err != nil || len(data) == 0 {
				t.Errorf("%s %q: an empty reply, error %v", method, path, err)
			}
		}
	})
}
