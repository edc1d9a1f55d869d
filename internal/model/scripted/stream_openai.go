package scripted

import "gauntlet/internal/trace"

// openAIStream is the sequence of chat completion chunks,
// https://platform.openai.com/docs/api-reference/chat-streaming: the role, the
// pieces of the thought (an extension of vLLM and others), of the text and of the
// calls, of which only the first of each has its id and name, the finish reason
// and, if the request wants it, the usage with no choice.
func openAIStream(h head, t Turn) []event {
	var events []event
	emit := func(choices, usage trace.Value) {
		chunk := openAIObject(h, "chat.completion.chunk", field("choices", choices))
		if h.usage {
			chunk = chunk.With("usage", usage)
		}
		events = append(events, event{data: chunk})
	}
	choose := func(delta trace.Value, finish string, logprobs trace.Value) {
		choice := trace.Object(number("index", 0), field("delta", delta), field("finish_reason", textOrNull(finish)))
		if logprobs.Exists() {
			choice = choice.With("logprobs", logprobs)
		}
		emit(trace.Array(choice), trace.Null())
	}
	add := func(delta trace.Value) { choose(delta, "", trace.Value{}) }

	add(trace.Object(word("role", "assistant"), word("content", "")))
	for _, piece := range pieces(t.Thought) {
		add(trace.Object(word("reasoning_content", piece)))
	}
	for i, piece := range pieces(t.Text) {
		var logprobs trace.Value
		if t.Logprobs && i == 0 {
			logprobs = openAILogprobs(t)
		}
		choose(trace.Object(word("content", piece)), "", logprobs)
	}
	for i, c := range t.Calls {
		call := func(fields ...trace.Field) {
			fields = append([]trace.Field{number("index", int64(i))}, fields...)
			add(trace.Object(field("tool_calls", trace.Array(trace.Object(fields...)))))
		}
		call(field("id", idOrNull(c.ID)), word("type", "function"),
			field("function", trace.Object(word("name", c.Name), word("arguments", ""))))
		for _, piece := range pieces(c.Arguments) {
			call(field("function", trace.Object(word("arguments", piece))))
		}
	}
	choose(trace.Object(), openAIFinish(t), trace.Value{})
	if h.usage {
		emit(trace.Array(), openAIUsage(t))
	}
	return events
}
