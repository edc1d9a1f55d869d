package scripted

import "gauntlet/internal/trace"

// anthropicStream is the sequence of events of a message,
// https://docs.anthropic.com/en/docs/build-with-claude/streaming: its start, each
// block of content with its pieces, and its end with the stop reason and usage.
// The usage at the start counts one token of output, as that of the service does;
// the one at the end counts all.
func anthropicStream(h head, t Turn) []event {
	var events []event
	emit := func(name string, fields ...trace.Field) {
		data := trace.Object(append([]trace.Field{word("type", name)}, fields...)...)
		events = append(events, event{name, data})
	}
	index := int64(0)
	block := func(start trace.Value, deltas ...trace.Value) {
		emit("content_block_start", number("index", index), field("content_block", start))
		if index == 0 {
			emit("ping") // the service sends them anywhere
		}
		for _, delta := range deltas {
			emit("content_block_delta", number("index", index), field("delta", delta))
		}
		emit("content_block_stop", number("index", index))
		index++
	}

	start := anthropicMessage(h, trace.Array(), trace.Null(), anthropicUsage(t.InputTokens, 1))
	emit("message_start", field("message", start))
	if t.Thought != "" {
		block(trace.Object(word("type", "thinking"), word("thinking", ""), word("signature", "")),
			append(deltas("thinking_delta", "thinking", t.Thought), delta("signature_delta", "signature", signature))...)
	}
	if t.Text != "" {
		block(trace.Object(word("type", "text"), word("text", "")), deltas("text_delta", "text", t.Text)...)
	}
	for _, c := range t.Calls {
		block(trace.Object(word("type", "tool_use"), field("id", idOrNull(c.ID)), word("name", c.Name), field("input", trace.Object())),
			append([]trace.Value{delta("input_json_delta", "partial_json", "")}, deltas("input_json_delta", "partial_json", c.Arguments)...)...)
	}
	emit("message_delta",
		field("delta", trace.Object(word("stop_reason", anthropicFinish(t)), field("stop_sequence", trace.Null()))),
		field("usage", anthropicUsage(t.InputTokens, t.output())))
	emit("message_stop")
	return events
}

// delta is an addition to a block of content.
func delta(kind, key, piece string) trace.Value {
	return trace.Object(word("type", kind), word(key, piece))
}

// deltas are the additions that make up a text.
func deltas(kind, key, text string) []trace.Value {
	var list []trace.Value
	for _, piece := range pieces(text) {
		list = append(list, delta(kind, key, piece))
	}
	return list
}
