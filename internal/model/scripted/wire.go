package scripted

import (
	"bytes"
	"cmp"
	"net/http"

	"gauntlet/internal/trace"
)

// wire is a wire format: how it words a reply, a failure and the ends of replies.
type wire struct {
	reply      func(h head, t Turn) trace.Value
	stream     func(h head, t Turn) []event
	streamEnd  string // what follows the last event
	errorEvent string // the name of the event that is an error
	failure    func(kind, code, message string) trace.Value

	refusal, length, overflow string // finish reasons
}

// head is what a reply says of itself.
type head struct {
	id, model string
	usage     bool // whether an OpenAI stream ends with the usage
}

var (
	openAI = wire{
		reply: openAIReply, stream: openAIStream, streamEnd: "data: [DONE]\n\n", failure: openAIFailure,
		refusal: "content_filter", length: "length", overflow: "length",
	}
	anthropic = wire{
		reply: anthropicReply, stream: anthropicStream, errorEvent: "error", failure: anthropicFailure,
		refusal: "refusal", length: "max_tokens", overflow: "model_context_window_exceeded",
	}
)

// play is the answer to one request.
type play struct {
	head
	w          http.ResponseWriter
	r          *http.Request
	wire       wire
	retryAfter int
	stream     bool  // whether the request asks for a stream
	maxTokens  int64 // what the request allows; 0 if it does not say
}

// give plays a turn as it is, whole or as a stream.
func (p play) give(t Turn) {
	if p.stream {
		p.flow(append(p.frames(t), []byte(p.wire.streamEnd)))
		return
	}
	p.giveValue(p.wire.reply(p.head, t))
}

// giveValue sends any value in place of a reply.
func (p play) giveValue(v trace.Value) {
	if p.stream {
		p.flow([][]byte{event{"", v}.frame(), []byte(p.wire.streamEnd)})
		return
	}
	p.send(http.StatusOK, "application/json", v.AppendJSON(nil))
}

// body returns all bytes of a reply.
func (p play) body(t Turn) []byte {
	if p.stream {
		return append(bytes.Join(p.frames(t), nil), p.wire.streamEnd...)
	}
	return p.wire.reply(p.head, t).AppendJSON(nil)
}

func (p play) mediaType() string {
	if p.stream {
		return "text/event-stream"
	}
	return "application/json"
}

func (p play) failure(status int, kind, code, message string) {
	p.send(status, "application/json", p.wire.failure(kind, code, message).AppendJSON(nil))
}

func (p play) send(status int, contentType string, body []byte) {
	p.w.Header().Set("Content-Type", contentType)
	p.w.WriteHeader(status)
	p.write(body)
}

func (p play) write(body []byte) { _, _ = p.w.Write(body) } // a client that has gone needs no reply

func (p play) flush() {
	if f, ok := p.w.(http.Flusher); ok {
		f.Flush()
	}
}

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

// openAIReply is the chat completion object,
// https://platform.openai.com/docs/api-reference/chat/object.
func openAIReply(h head, t Turn) trace.Value {
	message := trace.Object(word("role", "assistant"), field("content", textOrNull(t.Text)))
	if t.Thought != "" {
		message = message.With("reasoning_content", trace.String(t.Thought))
	}
	if len(t.Calls) > 0 {
		calls := make([]trace.Value, len(t.Calls))
		for i, c := range t.Calls {
			calls[i] = trace.Object(
				field("id", idOrNull(c.ID)), word("type", "function"),
				field("function", trace.Object(word("name", c.Name), word("arguments", c.Arguments))),
			)
		}
		message = message.With("tool_calls", trace.Array(calls...))
	}
	choice := trace.Object(number("index", 0), field("message", message), word("finish_reason", openAIFinish(t)))
	if t.Logprobs {
		choice = choice.With("logprobs", openAILogprobs(t))
	}
	return openAIObject(h, "chat.completion", field("choices", trace.Array(choice)), field("usage", openAIUsage(t)))
}

func openAIObject(h head, kind string, fields ...trace.Field) trace.Value {
	return trace.Object(append([]trace.Field{
		word("id", h.id), word("object", kind), number("created", 0), word("model", h.model),
	}, fields...)...)
}

func openAIFinish(t Turn) string {
	if t.Finish == "" && len(t.Calls) > 0 {
		return "tool_calls"
	}
	return cmp.Or(t.Finish, "stop")
}

func openAIUsage(t Turn) trace.Value {
	in, out := t.InputTokens, t.output()
	return trace.Object(number("prompt_tokens", in), number("completion_tokens", out), number("total_tokens", in+out))
}

func openAILogprobs(t Turn) trace.Value {
	token := func(s string, p float64) trace.Value {
		return trace.Object(word("token", s), field("logprob", trace.Float(p)))
	}
	top := trace.Array(token(t.Text, -0.25), token("other", -1.5))
	return trace.Object(field("content", trace.Array(token(t.Text, -0.25).With("top_logprobs", top))))
}

func openAIFailure(kind, code, message string) trace.Value {
	return trace.Object(field("error", trace.Object(
		word("message", message), word("type", kind), field("param", trace.Null()), field("code", textOrNull(code)),
	)))
}

// anthropicReply is the message object,
// https://docs.anthropic.com/en/api/messages.
func anthropicReply(h head, t Turn) trace.Value {
	var blocks []trace.Value
	if t.Thought != "" {
		blocks = append(blocks, trace.Object(word("type", "thinking"), word("thinking", t.Thought), word("signature", signature)))
	}
	if t.Text != "" {
		blocks = append(blocks, trace.Object(word("type", "text"), word("text", t.Text)))
	}
	for _, c := range t.Calls {
		input, _, err := trace.ParseValue([]byte(c.Arguments))
		if err != nil {
			input = trace.String(c.Arguments)
		}
		blocks = append(blocks, trace.Object(word("type", "tool_use"), field("id", idOrNull(c.ID)), word("name", c.Name), field("input", input)))
	}
	return anthropicMessage(h, trace.Array(blocks...), trace.String(anthropicFinish(t)), anthropicUsage(t.InputTokens, t.output()))
}

func anthropicMessage(h head, content, finish, usage trace.Value) trace.Value {
	return trace.Object(
		word("id", h.id), word("type", "message"), word("role", "assistant"), word("model", h.model),
		field("content", content), field("stop_reason", finish), field("stop_sequence", trace.Null()), field("usage", usage),
	)
}

// signature is what makes a thought genuine.
const signature = "scripted"

func anthropicFinish(t Turn) string {
	if t.Finish == "" && len(t.Calls) > 0 {
		return "tool_use"
	}
	return cmp.Or(t.Finish, "end_turn")
}

func anthropicUsage(in, out int64) trace.Value {
	return trace.Object(number("input_tokens", in), number("output_tokens", out))
}

func anthropicFailure(kind, code, message string) trace.Value {
	return trace.Object(word("type", "error"), field("error", trace.Object(
		word("type", cmp.Or(code, kind)), word("message", message),
	)))
}
