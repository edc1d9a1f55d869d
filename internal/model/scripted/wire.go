package scripted

import (
	"cmp"
	"net/http"
	"strings"

	"gauntlet/internal/trace"
)

// wire is a wire format: how it words a reply, a failure and the ends of replies.
type wire struct {
	reply                     func(model string, t Turn) trace.Value
	failure                   func(kind, code, message string) trace.Value
	refusal, length, overflow string // finish reasons
}

var (
	openAI    = wire{openAIReply, openAIFailure, "content_filter", "length", "length"}
	anthropic = wire{anthropicReply, anthropicFailure, "refusal", "max_tokens", "model_context_window_exceeded"}
)

// wireOf returns the wire format that a path belongs to.
func wireOf(path string) (wire, bool) {
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return openAI, true
	case strings.HasSuffix(path, "/messages"):
		return anthropic, true
	}
	return wire{}, false
}

// play is the answer to one request.
type play struct {
	w          http.ResponseWriter
	r          *http.Request
	wire       wire
	model      string
	retryAfter int
	maxTokens  int64 // what the request allows; 0 if it does not say
}

func (p play) reply(t Turn) []byte { return p.wire.reply(p.model, t).AppendJSON(nil) }

func (p play) failure(status int, kind, code, message string) {
	p.send(status, "application/json", p.wire.failure(kind, code, message).AppendJSON(nil))
}

func (p play) send(status int, contentType string, body []byte) {
	p.w.Header().Set("Content-Type", contentType)
	p.w.WriteHeader(status)
	p.write(body)
}

func (p play) write(body []byte) { _, _ = p.w.Write(body) } // a client that has gone needs no reply

func field(key string, v trace.Value) trace.Field { return trace.Field{Key: key, Value: v} }
func word(key, s string) trace.Field              { return field(key, trace.String(s)) }
func number(key string, n int64) trace.Field      { return field(key, trace.Int(n)) }

func textOrNull(s string) trace.Value {
	if s == "" {
		return trace.Null()
	}
	return trace.String(s)
}

func idOrNull(id *string) trace.Value {
	if id == nil {
		return trace.Null()
	}
	return trace.String(*id)
}

func openAIReply(model string, t Turn) trace.Value {
	message := trace.Object(word("role", "assistant"), field("content", textOrNull(t.Text)))
	if t.Thought != "" {
		message = message.With("reasoning_content", trace.String(t.Thought))
	}
	finish := "stop"
	if len(t.Calls) > 0 {
		finish = "tool_calls"
		calls := make([]trace.Value, len(t.Calls))
		for i, c := range t.Calls {
			calls[i] = trace.Object(
				field("id", idOrNull(c.ID)), word("type", "function"),
				field("function", trace.Object(word("name", c.Name), word("arguments", c.Arguments))),
			)
		}
		message = message.With("tool_calls", trace.Array(calls...))
	}
	choice := trace.Object(number("index", 0), field("message", message), word("finish_reason", cmp.Or(t.Finish, finish)))
	if t.Logprobs {
		token := func(s string, p float64) trace.Value {
			return trace.Object(word("token", s), field("logprob", trace.Float(p)))
		}
		top := trace.Array(token(t.Text, -0.25), token("other", -1.5))
		choice = choice.With("logprobs", trace.Object(field("content", trace.Array(token(t.Text, -0.25).With("top_logprobs", top)))))
	}
	return trace.Object(
		word("id", "scripted"), word("object", "chat.completion"), word("model", model),
		field("choices", trace.Array(choice)),
		field("usage", trace.Object(
			number("prompt_tokens", cmp.Or(t.InputTokens, 10)),
			number("completion_tokens", cmp.Or(t.OutputTokens, 5)),
		)),
	)
}

func openAIFailure(kind, code, message string) trace.Value {
	return trace.Object(field("error", trace.Object(
		word("message", message), word("type", kind), field("param", trace.Null()), field("code", textOrNull(code)),
	)))
}

func anthropicReply(model string, t Turn) trace.Value {
	var blocks []trace.Value
	if t.Thought != "" {
		blocks = append(blocks, trace.Object(word("type", "thinking"), word("thinking", t.Thought), word("signature", "scripted")))
	}
	if t.Text != "" {
		blocks = append(blocks, trace.Object(word("type", "text"), word("text", t.Text)))
	}
	finish := "end_turn"
	for _, c := range t.Calls {
		finish = "tool_use"
		input, _, err := trace.ParseValue([]byte(c.Arguments))
		if err != nil {
			input = trace.String(c.Arguments)
		}
		blocks = append(blocks, trace.Object(word("type", "tool_use"), field("id", idOrNull(c.ID)), word("name", c.Name), field("input", input)))
	}
	return trace.Object(
		word("id", "scripted"), word("type", "message"), word("role", "assistant"), word("model", model),
		field("content", trace.Array(blocks...)), word("stop_reason", cmp.Or(t.Finish, finish)),
		field("usage", trace.Object(
			number("input_tokens", cmp.Or(t.InputTokens, 10)),
			number("output_tokens", cmp.Or(t.OutputTokens, 5)),
		)),
	)
}

func anthropicFailure(kind, code, message string) trace.Value {
	return trace.Object(word("type", "error"), field("error", trace.Object(
		word("type", cmp.Or(code, kind)), word("message", message),
	)))
}
