package scripted_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"gauntlet/internal/model/scripted"
)

// post sends a body and returns the status and the text of the reply.
func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// TestTurns: the turn is the number of assistant messages, whoever asks.
func TestTurns(t *testing.T) {
	s := scripted.New(scripted.Options{Keep: true, Scripts: map[string]scripted.Script{
		"a": {{Text: "first"}, {Text: "second"}, {Text: "third", Fault: scripted.ServerError, Times: 1}},
	}})
	address, stop, err := s.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	const assistant = `{"role":"assistant","content":"x"}`
	tests := []struct {
		path, body string
		status     int
		want       string
	}{
		{"/v1/chat/completions", `{"model":"a","messages":[{"role":"user"}]}`, 200, "first"},
		{"/v1/messages", `{"model":"a","messages":[` + assistant + `]}`, 200, "second"},
		{"/v1/chat/completions", `{"model":"a","messages":[{"role":"user"}]}`, 200, "first"},
		{"/chat/completions", `{"model":"a","messages":[` + assistant + "," + assistant + `]}`, 500, "error"},
		{"/chat/completions", `{"model":"a","messages":[` + assistant + "," + assistant + `]}`, 200, "third"},
		{"/v1/messages", `{"model":"a","messages":[` + strings.Repeat(assistant+",", 5) + assistant + `]}`, 200, "third"},
		{"/v1/messages", `{"model":"b","messages":[]}`, 404, "does not exist"},
		{"/v1/messages", `{"model":`, 400, "not understood"},
		{"/v1/models", `{}`, 404, ""},
	}
	for _, test := range tests {
		if test.want == "third" && test.path == "/v1/messages" {
			post(t, address+test.path, test.body) // this request meets its own fault first
		}
		status, text := post(t, address+test.path, test.body)
		if status != test.status || !strings.Contains(text, test.want) {
			t.Errorf("%s %s: got %d %s, want %d %s", test.path, test.body, status, text, test.status, test.want)
		}
	}
	if got := s.Count(scripted.ServerError); got != 2 {
		t.Errorf("counted %d server errors, want 2", got)
	}
	if got := len(s.Requests()); got != 7 {
		t.Errorf("kept %d requests, want 7", got)
	}
}
