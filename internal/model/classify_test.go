package model

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"gauntlet/internal/trace"
)

func TestClassify(t *testing.T) {
	tests := []struct {
		status        int
		code, message string
		want          Kind
	}{
		{400, "context_length_exceeded", "", KindContextOverflow},
		{400, "", "This model's maximum context length is 8 tokens", KindContextOverflow},
		{400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 9 + 9 > 10", KindContextOverflow},
		{500, "", "Please reduce the length of the messages.", KindContextOverflow},
		{500, "api_error", "Please reduce the length of the messages.", KindContextOverflow},
		{413, "", "", KindContextOverflow},
		{429, "rate_limit_exceeded", "Request too large: reduce the length of the messages; tokens per min", KindRateLimit},
		{429, "", "maximum context length", KindRateLimit},
		{429, "insufficient_quota", "", KindBudget},
		{429, "", "You exceeded your current quota", KindBudget},
		{400, "invalid_request_error", "Your credit balance is too low", KindBudget},
		{402, "", "Insufficient Balance", KindBudget},
		{400, "DataInspectionFailed", "", KindRefused},
		{400, "content_filter", "", KindRefused},
		{400, "invalid_request_error", "temperature is out of range", KindRejected},
		{404, "model_not_found", "", KindRejected},
		{401, "", "context window", KindAuth},
		{403, "", "", KindAuth},
		{408, "", "", KindTimeout},
		{504, "", "", KindTimeout},
		{503, "", "", KindOverloaded},
		{529, "overloaded_error", "", KindOverloaded},
		{0, "", "something", KindOverloaded},
		{302, "", "", KindRejected},
	}
	for _, test := range tests {
		if got := classify(test.status, test.message, test.code, ""); got != test.want {
			t.Errorf("%d %q %q: got %s, want %s", test.status, test.code, test.message, got, test.want)
		}
	}
}

// TestBodyErrors: the places where imitators put their messages.
func TestBodyErrors(t *testing.T) {
	tests := []struct {
		status  int
		body    string
		want    Kind
		message string
	}{
		{400, `{"error":{"message":"m","code":"context_length_exceeded"}}`, KindContextOverflow, "m"},
		{400, `{"error":"prompt is too long"}`, KindContextOverflow, "prompt is too long"},
		{400, `{"object":"error","message":"m","code":400}`, KindRejected, "m"},
		{422, `{"detail":[{"msg":"field required"}]}`, KindRejected, `{"detail":[{"msg":"field required"}]}`},
		{200, `{"error":{"message":"m","code":429}}`, KindRateLimit, "m"},
		{200, `{"error":{"message":"m"}}`, KindOverloaded, "m"},
		{200, `{"error":null,"choices":[]}`, "", ""},
		{500, `{"error":{"message":"m","metadata":{"raw":"maximum context length"}}}`, KindContextOverflow, "m: maximum context length"},
	}
	for _, test := range tests {
		v, _, err := trace.ParseValue([]byte(test.body))
		if err != nil {
			t.Fatal(err)
		}
		e, ok := bodyError(test.status, v)
		if ok != (test.want != "") || ok && (e.Kind != test.want || e.Message != test.message) {
			t.Errorf("%s: got %+v, %v", test.body, e, ok)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", "0.5", 500 * time.Millisecond},
		{"Retry-After", "-7", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "NaN", 0},
		{"Retry-After", "1e300", time.Hour},
		{"Retry-After", "Sun, 29 Nov 2026 00:01:00 GMT", time.Minute},
		{"Retry-After", "Sun, 29 Nov 2020 00:01:00 GMT", 0},
		{"Retry-After-Ms", "250", 250 * time.Millisecond},
	}
	for _, test := range tests {
		if got := retryAfter(http.Header{test.name: {test.value}}, now); got != test.want {
			t.Errorf("%s: %s: got %v, want %v", test.name, test.value, got, test.want)
		}
	}
}

// TestKindsInTraces: every kind has a word in a trace that is no result.
func TestKindsInTraces(t *testing.T) {
	for _, k := range Kinds() {
		if kind := k.Trace(); kind == trace.ErrorInternal || !kind.Cause().Valid() || !kind.Cause().IsError() {
			t.Errorf("%s becomes %s", k, kind)
		}
	}
	if KindOf(nil) != "" || KindOf(fmt.Errorf("x: %w", context.Canceled)) != KindCancelled || Kind("x").Valid() {
		t.Error("kinds of other errors are wrong")
	}
}

// FuzzReadReply: no body makes the readers fail in any other way than with a
// kind, and no reply comes out that is neither text nor call.
func FuzzReadReply(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"x","tool_calls":[{"id":null,"function":{"name":"f","arguments":{}}}]},"finish_reason":"length"}],"usage":{"completion_tokens":1e9}}`))
	f.Add([]byte(`{"content":[{"type":"tool_use","name":"f","input":"x"},{"type":"thinking"}],"stop_reason":"tool_use"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, _, err := trace.ParseValue(data)
		if err != nil {
			return
		}
		for _, read := range []func(Request, trace.Value) (Reply, *Error){readOpenAI, readAnthropic} {
			reply, failure := read(Request{MaxTokens: 10}, v)
			if failure != nil {
				if !failure.Kind.Valid() {
					t.Errorf("kind %q", failure.Kind)
				}
				continue
			}
			if reply.Text == "" && len(reply.Calls) == 0 {
				t.Errorf("an empty answer: %+v", reply)
			}
			again, err := decodeReply(reply.encode())
			if err != nil || again.encode().String() != reply.encode().String() {
				t.Errorf("the reply does not survive the cache: %v", err)
			}
		}
	})
}
