package model

import (
	"encoding/base64"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"gauntlet/internal/trace"
)

// This file writes requests, replies and failures as JSON and reads replies and
// failures back, for the cache's keys and entries and for cassettes. The order of
// fields is fixed, so equal requests have equal texts.

// Canonical returns the request as JSON, all that can change the reply and
// nothing else: the same request has the same text on every machine.
func (r Request) Canonical() []byte { return r.encode().AppendJSON(nil) }

func (r Request) encode() trace.Value {
	var o object
	o.text("model", r.Model)
	messages := make([]trace.Value, len(r.Messages))
	for i, m := range r.Messages {
		messages[i] = m.encode()
	}
	o.set("messages", trace.Array(messages...))
	tools := make([]trace.Value, len(r.Tools))
	for i, t := range r.Tools {
		var tool object
		tool.text("name", t.Name)
		tool.text("description", t.Description)
		tool.set("parameters", t.Parameters)
		tools[i] = tool.value()
	}
	o.set("tools", trace.Array(tools...))
	o.set("tool_choice", trace.Strings([]string{string(r.ToolChoice.Mode), r.ToolChoice.Name}))
	if r.Parallel != nil {
		o.set("parallel", trace.Bool(*r.Parallel))
	}
	o.set("max_tokens", trace.Int(int64(r.MaxTokens)))
	o.float("temperature", r.Temperature)
	o.float("top_p", r.TopP)
	if r.Seed != nil {
		o.set("seed", trace.Int(*r.Seed))
	}
	o.set("stop", trace.Strings(r.Stop))
	o.set("logprobs", trace.Int(int64(r.Logprobs)))
	o.set("extra", r.Extra)
	o.set("epoch", trace.Int(int64(r.Epoch)))
	return o.value()
}

func (m Message) encode() trace.Value {
	var o object
	o.text("role", string(m.Role))
	o.text("text", m.Text)
	if m.Thought != "" {
		o.text("thought", m.Thought)
	}
	if m.Sealed.Exists() {
		o.set("sealed", m.Sealed)
	}
	if len(m.Calls) > 0 {
		o.set("calls", encodeCalls(m.Calls))
	}
	if m.Role == trace.RoleTool {
		o.set("call_id", encodeOptional(m.CallID))
		o.set("is_error", trace.Bool(m.IsError))
	}
	return o.value()
}

func encodeOptional(s *string) trace.Value {
	if s == nil {
		return trace.Null()
	}
	return trace.String(*s)
}

func encodeCalls(calls []Call) trace.Value {
	list := make([]trace.Value, len(calls))
	for i, c := range calls {
		list[i] = trace.Object(
			trace.Field{Key: "id", Value: encodeOptional(c.ID)},
			trace.Field{Key: "name", Value: trace.String(c.Name)},
			trace.Field{Key: "raw_arguments", Value: trace.String(c.RawArguments)},
		)
	}
	return trace.Array(list...)
}

func (r Reply) encode() trace.Value {
	var o object
	o.text("text", r.Text)
	o.text("thought", r.Thought)
	if r.Sealed.Exists() {
		o.set("sealed", r.Sealed)
	}
	o.set("calls", encodeCalls(r.Calls))
	o.text("finish_reason", r.FinishReason)
	o.set("truncated", trace.Bool(r.Truncated))
	o.set("usage", encodeUsage(r.Usage))
	if len(r.Logprobs) > 0 {
		o.set("logprobs", encodeLogprobs(r.Logprobs))
	}
	setRaw(&o, r.Raw)
	o.set("latency_ns", trace.Int(int64(r.Latency)))
	o.text("provider", r.Provider)
	o.text("model", r.Model)
	return o.value()
}

// setRaw keeps a body readable where it is text, and exact where it is not.
func setRaw(o *object, raw []byte) {
	if utf8.Valid(raw) {
		o.text("raw", string(raw))
	} else {
		o.text("raw_base64", base64.StdEncoding.EncodeToString(raw))
	}
}

func getRaw(v trace.Value) ([]byte, error) {
	if b := v.Get("raw_base64"); b.Exists() {
		return base64.StdEncoding.DecodeString(b.Text())
	}
	return []byte(v.Get("raw").Text()), nil
}

func encodeUsage(u trace.Usage) trace.Value {
	return trace.Object(
		trace.Field{Key: "requests", Value: trace.Int(u.Requests)},
		trace.Field{Key: "input_tokens", Value: trace.Int(u.InputTokens)},
		trace.Field{Key: "cached_tokens", Value: trace.Int(u.CachedTokens)},
		trace.Field{Key: "output_tokens", Value: trace.Int(u.OutputTokens)},
		trace.Field{Key: "reasoning_tokens", Value: trace.Int(u.ReasoningTokens)},
		trace.Field{Key: "cost_usd", Value: trace.Float(u.CostUSD)},
	)
}

func decodeUsage(v trace.Value) trace.Usage {
	cost, _ := v.Get("cost_usd").Float64()
	return trace.Usage{
		Requests:        count(v.Get("requests")),
		InputTokens:     count(v.Get("input_tokens")),
		CachedTokens:    count(v.Get("cached_tokens")),
		OutputTokens:    count(v.Get("output_tokens")),
		ReasoningTokens: count(v.Get("reasoning_tokens")),
		CostUSD:         cost,
	}
}

func encodeLogprobs(list []Logprob) trace.Value {
	items := make([]trace.Value, len(list))
	for i, p := range list {
		var o object
		o.text("token", p.Token)
		o.set("logprob", trace.Float(p.Logprob))
		if len(p.Top) > 0 {
			top := make([]trace.Value, len(p.Top))
			for j, t := range p.Top {
				top[j] = trace.Object(
					trace.Field{Key: "token", Value: trace.String(t.Token)},
					trace.Field{Key: "logprob", Value: trace.Float(t.Logprob)},
				)
			}
			o.set("top_logprobs", trace.Array(top...))
		}
		items[i] = o.value()
	}
	return trace.Array(items...)
}

// decodeReply reads what Reply.encode wrote.
func decodeReply(v trace.Value) (Reply, error) {
	if v.Get("text").Kind() != trace.KindString || v.Get("calls").Kind() != trace.KindArray {
		return Reply{}, errors.New("read reply: no text or no calls")
	}
	raw, err := getRaw(v)
	if err != nil {
		return Reply{}, fmt.Errorf("read raw reply: %w", err)
	}
	reply := Reply{
		Text:         v.Get("text").Text(),
		Thought:      v.Get("thought").Text(),
		Sealed:       v.Get("sealed"),
		FinishReason: v.Get("finish_reason").Text(),
		Truncated:    v.Get("truncated").Bool(),
		Usage:        decodeUsage(v.Get("usage")),
		Logprobs:     openAILogprobs(v.Get("logprobs")),
		Raw:          raw,
		Latency:      time.Duration(count(v.Get("latency_ns"))),
		Provider:     v.Get("provider").Text(),
		Model:        v.Get("model").Text(),
	}
	for _, c := range v.Get("calls").Items() {
		reply.Calls = append(reply.Calls, Call{
			ID: optional(c.Get("id")), Name: c.Get("name").Text(), RawArguments: c.Get("raw_arguments").Text(),
		})
	}
	return reply, nil
}

func (e *Error) encode() trace.Value {
	var o object
	o.text("kind", string(e.Kind))
	o.text("op", e.Op)
	o.set("status", trace.Int(int64(e.Status)))
	o.text("message", e.Message)
	o.set("retry_after_ns", trace.Int(int64(e.RetryAfter)))
	o.set("permanent", trace.Bool(e.Permanent))
	o.set("usage", encodeUsage(e.Usage))
	setRaw(&o, e.Raw)
	return o.value()
}

// decodeError reads what Error.encode wrote.
func decodeError(v trace.Value) (*Error, error) {
	raw, err := getRaw(v)
	if err != nil {
		return nil, fmt.Errorf("read raw reply: %w", err)
	}
	e := &Error{
		Kind:       Kind(v.Get("kind").Text()),
		Op:         v.Get("op").Text(),
		Status:     int(count(v.Get("status"))),
		Message:    v.Get("message").Text(),
		RetryAfter: time.Duration(count(v.Get("retry_after_ns"))),
		Permanent:  v.Get("permanent").Bool(),
		Usage:      decodeUsage(v.Get("usage")),
		Raw:        raw,
	}
	if !e.Kind.Valid() {
		return nil, fmt.Errorf("read error: unknown kind %q", e.Kind)
	}
	return e, nil
}
