package model

import (
	"cmp"
	"context"
	"strings"
	"sync/atomic"

	"gauntlet/internal/trace"
)

// openAI speaks the chat completions of OpenAI
// (https://platform.openai.com/docs/api-reference/chat) and of the many servers
// that imitate them.
type openAI struct {
	endpoint
	renamed atomic.Bool // the service has asked for the other name of the limit of tokens
}

func (c *openAI) Complete(ctx context.Context, r Request) (Reply, error) {
	if err := r.check(); err != nil {
		return Reply{}, err
	}
	limit := c.limitField()
	a, failure := c.post(ctx, c.body(r, limit))
	if failure != nil && r.MaxTokens > 0 && c.wantsOther(limit, failure) {
		c.renamed.Store(true)
		a, failure = c.post(ctx, c.body(r, otherLimit))
		a.before = 1
	}
	if failure != nil {
		failure.Usage.Requests += a.before
		return Reply{}, failure
	}
	reply, failure := readOpenAI(r, a.value)
	return c.finish(r, a, reply, failure)
}

// otherLimit is the name of the limit of tokens that OpenAI's reasoning models
// demand, there and at Azure.
const otherLimit = "max_completion_tokens"

// wantsOther reports whether a request failed for the name of its limit of tokens.
// A provider that is given by its address has no table entry that would say so.
func (c *openAI) wantsOther(limit string, failure *Error) bool {
	return c.provider.MaxTokensField == "" && limit != otherLimit &&
		failure.Kind == KindRejected && strings.Contains(failure.Message, otherLimit)
}

func (c *openAI) limitField() string {
	if c.renamed.Load() {
		return otherLimit
	}
	return cmp.Or(c.provider.MaxTokensField, "max_tokens")
}

func (c *openAI) body(r Request, limit string) trace.Value {
	var o object
	o.text("model", r.Model)
	o.set("messages", c.messages(r))
	if len(r.Tools) > 0 {
		tools := make([]trace.Value, len(r.Tools))
		for i, t := range r.Tools {
			var function object
			function.text("name", t.Name)
			function.describe(t.Description)
			function.set("parameters", t.parameters())
			tools[i] = trace.Object(
				trace.Field{Key: "type", Value: trace.String("function")},
				trace.Field{Key: "function", Value: function.value()},
			)
		}
		o.set("tools", trace.Array(tools...))
		if choice := openAIChoice(r.ToolChoice); choice.Exists() {
			o.set("tool_choice", choice)
		}
		if r.Parallel != nil {
			o.set("parallel_tool_calls", trace.Bool(*r.Parallel))
		}
	}
	if r.MaxTokens > 0 {
		o.set(limit, trace.Int(int64(r.MaxTokens)))
	}
	o.float("temperature", r.Temperature)
	o.float("top_p", r.TopP)
	if r.Seed != nil {
		o.set("seed", trace.Int(*r.Seed))
	}
	if len(r.Stop) > 0 {
		o.set("stop", trace.Strings(r.Stop))
	}
	if r.Logprobs > 0 {
		o.set("logprobs", trace.Bool(true))
		o.set("top_logprobs", trace.Int(int64(r.Logprobs)))
	}
	return withExtra(o.value(), r.Extra)
}

func openAIChoice(c ToolChoice) trace.Value {
	switch c.Mode {
	case "":
		return trace.Value{}
	case ToolNamed:
		return trace.Object(
			trace.Field{Key: "type", Value: trace.String("function")},
			trace.Field{Key: "function", Value: trace.Object(trace.Field{Key: "name", Value: trace.String(c.Name)})},
		)
	}
	return trace.String(string(c.Mode))
}

func (c *openAI) messages(r Request) trace.Value {
	ids := wireIDs(r.Messages)
	list := make([]trace.Value, len(r.Messages))
	for i, m := range r.Messages {
		sealed := unsealOpenAI(m)
		var o object
		o.text("role", string(m.Role))
		switch {
		case m.Role == trace.RoleTool:
			o.text("tool_call_id", ids[i][0])
			o.text("content", m.Text)
		case len(m.Calls) > 0:
			if m.Text == "" {
				o.set("content", trace.Null())
			} else {
				o.text("content", m.Text)
			}
			calls := make([]trace.Value, len(m.Calls))
			for j, call := range m.Calls {
				var function, outer object
				function.text("name", r.echoName(call.Name))
				function.text("arguments", echoArguments(call.RawArguments))
				outer.text("id", ids[i][j])
				outer.text("type", "function")
				outer.set("function", function.value())
				if signed := sealed.Get(extraContent).Index(j); signed.Kind() == trace.KindObject {
					outer.set(extraContent, signed)
				}
				calls[j] = outer.value()
			}
			o.set("tool_calls", trace.Array(calls...))
		default:
			o.text("content", m.Text)
		}
		// DeepSeek demands the field beside calls, also where it is empty.
		if c.provider.EchoThought && m.Role == trace.RoleAssistant && (m.Thought != "" || len(m.Calls) > 0) {
			o.text("reasoning_content", m.Thought)
		}
		if details := sealed.Get(reasoningDetails); details.Exists() {
			o.set(reasoningDetails, details)
		}
		list[i] = o.value()
	}
	return trace.Array(list...)
}

// Fields in which services sign the reasoning behind a message. The next request
// must show it unchanged: Gemini refuses a conversation without.
const (
	extraContent     = "extra_content"     // of a call: Google's own endpoint
	reasoningDetails = "reasoning_details" // of a message: OpenRouter
)

// sealOpenAI returns the signed fields of a message for [Message.Sealed]; absent if
// there are none.
func sealOpenAI(message trace.Value) trace.Value {
	var o object
	if details := message.Get(reasoningDetails); details.Len() > 0 {
		o.set(reasoningDetails, details)
	}
	var signed []trace.Value
	found := false
	for _, call := range message.Get("tool_calls").Items() {
		extra := call.Get(extraContent)
		if extra.Kind() == trace.KindObject {
			found = true
		} else {
			extra = trace.Null()
		}
		signed = append(signed, extra)
	}
	if found {
		o.set(extraContent, trace.Array(signed...))
	}
	if len(o) == 0 {
		return trace.Value{}
	}
	return trace.Array(o.value())
}

// unsealOpenAI returns the object that sealOpenAI made.
func unsealOpenAI(m Message) trace.Value { return m.Sealed.Index(0) }

// readOpenAI reads a chat completion. The reply is returned beside a failure,
// too, for its usage.
func readOpenAI(r Request, body trace.Value) (Reply, *Error) {
	reply := Reply{Model: body.Get("model").Text(), Usage: openAIUsage(body.Get("usage"))}
	choice := body.Get("choices").Index(0)
	if choice.Kind() != trace.KindObject {
		return reply, malformed("the reply has no choice")
	}
	if failure, ok := bodyError(200, choice); ok {
		return reply, failure // OpenRouter: the provider failed on the way
	}
	message := choice.Get("message")
	if message.Kind() != trace.KindObject {
		return reply, malformed("the choice has no message")
	}
	reply.FinishReason = choice.Get("finish_reason").Text()
	if failure := ending(reply.FinishReason); failure != nil {
		return reply, failure
	}
	reply.Truncated = truncated(reply.FinishReason)
	// A refusal is what the model itself says, and therefore its answer.
	reply.Text = cmp.Or(openAIText(message.Get("content")), message.Get("refusal").Text())
	reply.Thought = cmp.Or(message.Get("reasoning_content").Text(), message.Get("reasoning").Text(), message.Get("thinking").Text())
	reply.Sealed = sealOpenAI(message)
	for i, call := range message.Get("tool_calls").Items() {
		function := call.Get("function")
		if function.Get("name").Kind() != trace.KindString {
			return reply, malformed("call %d has no name", i+1)
		}
		reply.Calls = append(reply.Calls, Call{
			ID:           optional(call.Get("id")),
			Name:         function.Get("name").Text(),
			RawArguments: argumentsText(function.Get("arguments")),
		})
	}
	if old := message.Get("function_call"); len(reply.Calls) == 0 && old.Get("name").Kind() == trace.KindString {
		reply.Calls = []Call{{Name: old.Get("name").Text(), RawArguments: argumentsText(old.Get("arguments"))}}
	}
	reply.Logprobs = openAILogprobs(choice.Get("logprobs").Get("content"))
	if reply.FinishReason == "tool_calls" && len(reply.Calls) == 0 {
		return reply, malformed("the reply ended for calls, but has none")
	}
	return reply, r.judge(reply)
}

// openAIText returns a content that is a text or, in some servers, a list of parts.
func openAIText(content trace.Value) string {
	var b strings.Builder
	b.WriteString(content.Text())
	for _, part := range content.Items() {
		b.WriteString(part.Text())
		b.WriteString(part.Get("text").Text())
	}
	return b.String()
}

// argumentsText returns arguments as text. The format wants a text; servers
// that send the object itself mean the same.
func argumentsText(v trace.Value) string {
	switch v.Kind() {
	case trace.KindString:
		return v.Text()
	case trace.KindAbsent, trace.KindNull:
		return ""
	}
	return v.String()
}

func openAIUsage(u trace.Value) trace.Usage {
	usage := trace.Usage{
		InputTokens:     count(u.Get("prompt_tokens")),
		CachedTokens:    count(u.Get("prompt_tokens_details").Get("cached_tokens")),
		OutputTokens:    count(u.Get("completion_tokens")),
		ReasoningTokens: count(u.Get("completion_tokens_details").Get("reasoning_tokens")),
	}
	if usage.CachedTokens == 0 {
		usage.CachedTokens = count(u.Get("prompt_cache_hit_tokens")) // DeepSeek
	}
	// Gemini and xAI count reasoning in the total alone.
	usage.OutputTokens = max(usage.OutputTokens, count(u.Get("total_tokens"))-usage.InputTokens)
	return usage
}

func openAILogprobs(content trace.Value) []Logprob {
	var list []Logprob
	for _, item := range content.Items() {
		p := readLogprob(item)
		for _, top := range item.Get("top_logprobs").Items() {
			p.Top = append(p.Top, readLogprob(top))
		}
		list = append(list, p)
	}
	return list
}

func readLogprob(v trace.Value) Logprob {
	f, _ := v.Get("logprob").Float64()
	return Logprob{Token: v.Get("token").Text(), Logprob: f}
}
