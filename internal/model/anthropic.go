package model

import (
	"context"
	"strings"

	"gauntlet/internal/trace"
)

// anthropic speaks the messages of Anthropic
// (https://docs.anthropic.com/en/api/messages).
type anthropic struct{ endpoint }

func (c *anthropic) Complete(ctx context.Context, r Request) (Reply, error) {
	if err := r.check(); err != nil {
		return Reply{}, err
	}
	if r.Logprobs > 0 {
		return Reply{}, rejected("Anthropic's messages have no log probabilities")
	}
	if r.MaxTokens == 0 {
		r.MaxTokens = DefaultMaxTokens
	}
	a, failure := c.post(ctx, anthropicBody(r))
	if failure != nil {
		return Reply{}, failure
	}
	reply, failure := readAnthropic(r, a.value)
	return c.finish(r, a, reply, failure)
}

func anthropicBody(r Request) trace.Value {
	var o object
	o.text("model", r.Model)
	o.set("max_tokens", trace.Int(int64(r.MaxTokens)))
	system, messages := anthropicMessages(r.Messages)
	if system != "" {
		o.text("system", system)
	}
	o.set("messages", messages)
	if len(r.Tools) > 0 {
		tools := make([]trace.Value, len(r.Tools))
		for i, t := range r.Tools {
			var tool object
			tool.text("name", t.Name)
			tool.text("description", t.Description)
			tool.set("input_schema", t.parameters())
			tools[i] = tool.value()
		}
		o.set("tools", trace.Array(tools...))
		if choice := anthropicChoice(r); choice.Exists() {
			o.set("tool_choice", choice)
		}
	}
	o.float("temperature", r.Temperature)
	o.float("top_p", r.TopP)
	if len(r.Stop) > 0 {
		o.set("stop_sequences", trace.Strings(r.Stop))
	}
	return withExtra(o.value(), r.Extra)
}

func anthropicChoice(r Request) trace.Value {
	types := map[ToolMode]string{ToolAuto: "auto", ToolNone: "none", ToolRequired: "any", ToolNamed: "tool"}
	mode := r.ToolChoice.Mode
	if mode == "" {
		if r.Parallel == nil {
			return trace.Value{}
		}
		mode = ToolAuto
	}
	var o object
	o.text("type", types[mode])
	if mode == ToolNamed {
		o.text("name", r.ToolChoice.Name)
	}
	if r.Parallel != nil && mode != ToolNone {
		o.set("disable_parallel_tool_use", trace.Bool(!*r.Parallel))
	}
	return o.value()
}

// anthropicMessages returns the system prompt and the other messages. The format
// knows two roles; observations are blocks of the user's next message.
func anthropicMessages(messages []Message) (string, trace.Value) {
	ids := wireIDs(messages)
	var system []string
	var list []trace.Value
	var blocks []trace.Value
	role := ""
	flush := func() {
		if len(blocks) > 0 {
			list = append(list, trace.Object(
				trace.Field{Key: "role", Value: trace.String(role)},
				trace.Field{Key: "content", Value: trace.Array(blocks...)},
			))
		}
		blocks = nil
	}
	for i, m := range messages {
		if m.Role == trace.RoleSystem {
			system = append(system, m.Text)
			continue
		}
		next := "user"
		if m.Role == trace.RoleAssistant {
			next = "assistant"
		}
		if next != role {
			flush()
			role = next
		}
		blocks = append(blocks, anthropicBlocks(m, ids[i])...)
	}
	flush()
	return strings.Join(system, "\n\n"), trace.Array(list...)
}

func anthropicBlocks(m Message, ids []string) []trace.Value {
	if m.Role == trace.RoleTool {
		var o object
		o.text("type", "tool_result")
		o.text("tool_use_id", ids[0])
		o.text("content", m.Text)
		if m.IsError {
			o.set("is_error", trace.Bool(true))
		}
		return []trace.Value{o.value()}
	}
	blocks := append([]trace.Value(nil), m.Sealed.Items()...)
	if m.Text != "" { // empty blocks are not accepted
		blocks = append(blocks, trace.Object(
			trace.Field{Key: "type", Value: trace.String("text")},
			trace.Field{Key: "text", Value: trace.String(m.Text)},
		))
	}
	for j, call := range m.Calls {
		var o object
		o.text("type", "tool_use")
		o.text("id", ids[j])
		o.text("name", call.Name)
		o.set("input", anthropicInput(call.RawArguments))
		blocks = append(blocks, o.value())
	}
	return blocks
}

// anthropicInput returns arguments as the object that the format demands; a text
// that is none goes into the one field of an object, so that the model sees what
// it wrote.
func anthropicInput(arguments string) trace.Value {
	v, _, err := trace.ParseValue([]byte(arguments))
	if err == nil && v.Kind() == trace.KindObject {
		return v
	}
	if arguments == "" {
		return trace.Object()
	}
	return trace.Object(trace.Field{Key: "malformed_arguments", Value: trace.String(arguments)})
}

// readAnthropic reads a message. The reply is returned beside a failure, too, for
// its usage.
func readAnthropic(r Request, body trace.Value) (Reply, *Error) {
	reply := Reply{
		Model:        body.Get("model").Text(),
		Usage:        anthropicUsage(body.Get("usage")),
		FinishReason: body.Get("stop_reason").Text(),
	}
	if body.Get("content").Kind() != trace.KindArray {
		return reply, malformed("the reply has no content")
	}
	switch reply.FinishReason {
	case "refusal":
		return reply, &Error{Kind: KindRefused, Op: "read reply", Message: "the service's classifier withheld the reply"}
	case "model_context_window_exceeded":
		return reply, &Error{Kind: KindContextOverflow, Op: "read reply", Message: "the reply ran into the end of the context"}
	}
	reply.Truncated = reply.FinishReason == "max_tokens"
	var sealed []trace.Value
	for i, block := range body.Get("content").Items() {
		switch block.Get("type").Text() {
		case "text":
			reply.Text += block.Get("text").Text()
		case "thinking":
			reply.Thought += block.Get("thinking").Text()
			sealed = append(sealed, block)
		case "redacted_thinking":
			sealed = append(sealed, block)
		case "tool_use":
			if block.Get("name").Kind() != trace.KindString {
				return reply, malformed("block %d is a call without a name", i+1)
			}
			reply.Calls = append(reply.Calls, Call{
				ID:           optional(block.Get("id")),
				Name:         block.Get("name").Text(),
				RawArguments: argumentsText(block.Get("input")),
			})
		}
	}
	if len(sealed) > 0 {
		reply.Sealed = trace.Array(sealed...)
	}
	if reply.FinishReason == "tool_use" && len(reply.Calls) == 0 {
		return reply, malformed("the reply ended for calls, but has none")
	}
	return reply, r.judge(reply)
}

// anthropicUsage adds up the input, which the format splits by its way through
// the cache.
func anthropicUsage(u trace.Value) trace.Usage {
	cached := count(u.Get("cache_read_input_tokens"))
	return trace.Usage{
		InputTokens:  count(u.Get("input_tokens")) + count(u.Get("cache_creation_input_tokens")) + cached,
		CachedTokens: cached,
		OutputTokens: count(u.Get("output_tokens")),
	}
}
