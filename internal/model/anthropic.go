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
	system, messages := anthropicMessages(r)
	if system != "" {
		o.text("system", system)
	}
	o.set("messages", messages)
	if len(r.Tools) > 0 {
		tools := make([]trace.Value, len(r.Tools))
		for i, t := range r.Tools {
			var tool object
			tool.text("name", t.Name)
			tool.describe(t.Description)
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
func anthropicMessages(r Request) (string, trace.Value) {
	ids := wireIDs(r.Messages)
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
	for i, m := range r.Messages {
		if m.Role == trace.RoleSystem {
			system = append(system, m.Text)
			continue
		}
		next := "user"
		if m.Role == trace.RoleAssistant {
			next = "assistant"
		}
		own := r.anthropicBlocks(m, ids[i])
		if len(own) == 0 {
			continue // nothing that could be sent was said
		}
		if next != role {
			flush()
			role = next
		}
		blocks = append(blocks, own...)
	}
	flush()
	return strings.Join(system, "\n\n"), trace.Array(list...)
}

func (r Request) anthropicBlocks(m Message, ids []string) []trace.Value {
	if m.Role == trace.RoleTool {
		var o object
		o.text("type", "tool_result")
		o.text("tool_use_id", ids[0])
		o.text("content", m.Text)
		if m.IsError && m.Text != "" { // an error without words is not accepted
			o.set("is_error", trace.Bool(true))
		}
		return []trace.Value{o.value()}
	}
	if blocks, ok := r.unsealAnthropic(m, ids); ok {
		return blocks
	}
	var blocks []trace.Value
	for _, block := range m.Sealed.Items() {
		if isThinking(block) {
			blocks = append(blocks, block)
		}
	}
	if strings.TrimSpace(m.Text) != "" { // blocks without a word are not accepted
		blocks = append(blocks, trace.Object(
			trace.Field{Key: "type", Value: trace.String("text")},
			trace.Field{Key: "text", Value: trace.String(m.Text)},
		))
	}
	for j, call := range m.Calls {
		var o object
		o.text("type", "tool_use")
		o.text("id", ids[j])
		o.text("name", r.echoName(call.Name))
		o.set("input", anthropicInput(call.RawArguments))
		blocks = append(blocks, o.value())
	}
	return blocks
}

func isThinking(block trace.Value) bool {
	kind := block.Get("type").Text()
	return kind == "thinking" || kind == "redacted_thinking"
}

// unsealAnthropic returns the content of a message as the service gave it, with the
// ids that stand for its calls. Signed reasoning must come back in its place among
// the other blocks. ok is false if there is none, or if the message has been
// changed since, as the scaffold react does.
func (r Request) unsealAnthropic(m Message, ids []string) (blocks []trace.Value, ok bool) {
	text, calls := "", 0
	for _, block := range m.Sealed.Items() {
		switch kind := block.Get("type").Text(); {
		case kind == "text":
			text += block.Get("text").Text()
			if strings.TrimSpace(block.Get("text").Text()) == "" {
				continue
			}
		case kind == "tool_use" && calls < len(ids):
			name := block.Get("name").Text()
			if name != m.Calls[calls].Name || name != r.echoName(name) || block.Get("input").Kind() != trace.KindObject {
				return nil, false
			}
			block = block.With("id", trace.String(ids[calls]))
			calls++
		case !isThinking(block):
			return nil, false
		}
		blocks = append(blocks, block)
	}
	return blocks, len(blocks) > 0 && text == m.Text && calls == len(m.Calls)
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
	if failure := ending(reply.FinishReason); failure != nil {
		return reply, failure
	}
	reply.Truncated = truncated(reply.FinishReason)
	for i, block := range body.Get("content").Items() {
		switch block.Get("type").Text() {
		case "text":
			reply.Text += block.Get("text").Text()
		case "thinking":
			reply.Thought += block.Get("thinking").Text()
			reply.Sealed = body.Get("content")
		case "redacted_thinking":
			reply.Sealed = body.Get("content")
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
