package model

import (
	"fmt"
	"slices"

	"gauntlet/internal/trace"
)

// object builds a JSON object field by field.
type object []trace.Field

func (o *object) set(key string, v trace.Value) { *o = append(*o, trace.Field{Key: key, Value: v}) }
func (o *object) text(key, s string)            { o.set(key, trace.String(s)) }
func (o *object) float(key string, f *float64) {
	if f != nil {
		o.set(key, trace.Float(*f))
	}
}
func (o object) value() trace.Value { return trace.Object(o...) }

// describe adds the description of a tool, if it has one: not all services take an
// empty one.
func (o *object) describe(s string) {
	if s != "" {
		o.text("description", s)
	}
}

// withExtra returns the body with the request's own fields on top.
func withExtra(body, extra trace.Value) trace.Value {
	for _, f := range extra.Fields() {
		body = body.With(f.Key, f.Value)
	}
	return body
}

// check refuses requests that no provider could answer, before they cost anything.
func (r Request) check() *Error {
	if r.Model == "" {
		return rejected("the request names no model")
	}
	if len(r.Messages) == 0 {
		return rejected("the request has no messages")
	}
	if r.Extra.Exists() && r.Extra.Kind() != trace.KindObject {
		return rejected("extra is %v, want an object", r.Extra.Kind())
	}
	if r.MaxTokens < 0 || r.Logprobs < 0 {
		return rejected("a limit is negative")
	}
	open := 0 // calls that wait for an answer
	for i, m := range r.Messages {
		if !m.Role.Valid() {
			return rejected("message %d has the role %q", i+1, m.Role)
		}
		if m.Role != trace.RoleAssistant && len(m.Calls) > 0 {
			return rejected("message %d has calls, but is no assistant's", i+1)
		}
		if m.Role != trace.RoleTool {
			if open > 0 {
				return rejected("message %d comes before %d calls are answered", i+1, open)
			}
			open = len(m.Calls)
			continue
		}
		if open == 0 {
			return rejected("message %d is an observation, but answers no call", i+1)
		}
		open--
	}
	if open > 0 {
		return rejected("the last %d calls are not answered", open)
	}
	return nil
}

// wireIDs gives the calls and observations of a conversation ids that a provider
// accepts: those of the model where they can be used, and made-up ones where they
// are null, empty or used before. Made-up ids are nine letters and digits, the one
// form that Mistral takes. ids[i] are the ids of message i: of its calls, or the
// one that a tool message answers. An observation answers the first open
// call of its turn with its id, or else the first open call.
func wireIDs(messages []Message) [][]string {
	ids := make([][]string, len(messages))
	used := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.Calls {
			if c.ID != nil {
				used[*c.ID] = false // known, so that no made-up id equals it
			}
		}
	}
	made := 0
	turn, open := -1, []int(nil) // the last message with calls, and which of them wait
	for i, m := range messages {
		if m.Role == trace.RoleTool {
			if len(open) == 0 {
				continue
			}
			at := matching(messages[turn].Calls, open, m.CallID)
			ids[i] = []string{ids[turn][open[at]]}
			open = append(open[:at:at], open[at+1:]...)
			continue
		}
		turn, open = i, nil
		for j, c := range m.Calls {
			id := ""
			if c.ID != nil {
				id = *c.ID
			}
			for taken := used[id]; id == "" || taken; {
				made++
				id = fmt.Sprintf("call%05d", made)
				_, taken = used[id]
			}
			used[id] = true
			ids[i] = append(ids[i], id)
			open = append(open, j)
		}
	}
	return ids
}

// matching returns the position in open of the call that an id answers.
func matching(calls []Call, open []int, id *string) int {
	for at, j := range open {
		own := calls[j].ID
		if id != nil && own != nil && *own == *id {
			return at
		}
	}
	return 0
}

// parameters returns the schema of a tool's arguments. Anthropic demands the type
// and OpenAI the properties, so those that are missing are added.
func (t Tool) parameters() trace.Value {
	schema := t.Parameters
	if schema.Kind() != trace.KindObject {
		schema = trace.Object()
	}
	if !schema.Get("type").Exists() {
		schema = schema.With("type", trace.String("object"))
	}
	if !schema.Get("properties").Exists() && schema.Get("type").Text() == "object" {
		schema = schema.With("properties", trace.Object())
	}
	return schema
}

// optional returns a text that may be null or missing.
func optional(v trace.Value) *string {
	if v.Kind() != trace.KindString {
		return nil
	}
	s := v.Text()
	return &s
}

// whole reports whether a text of arguments is a JSON object.
func whole(arguments string) bool {
	v, _, err := trace.ParseValue([]byte(arguments))
	return err == nil && v.Kind() == trace.KindObject
}

// count returns a number of tokens, 0 if there is none or it makes no sense.
func count(v trace.Value) int64 {
	n, ok := v.Int64()
	if !ok {
		f, _ := v.Float64()
		if f >= 0 && f < 1<<53 {
			n = int64(f)
		}
	}
	return max(n, 0)
}

// judge applies the rules that both wire formats share to a reply that was read:
// it returns a failure for one that is no answer.
func (r Request) judge(reply Reply) *Error {
	if reply.Truncated {
		// A reply that ended before the limit that was asked for ran into the end
		// of the context; one token of difference is a matter of counting.
		if r.MaxTokens > 0 && reply.Usage.OutputTokens > 0 && reply.Usage.OutputTokens+1 < int64(r.MaxTokens) {
			return &Error{
				Kind: KindContextOverflow, Op: "read reply", Permanent: true,
				Message: fmt.Sprintf("the reply was cut after %d of %d tokens: the context is full", reply.Usage.OutputTokens, r.MaxTokens),
			}
		}
		for _, c := range reply.Calls {
			if !whole(c.RawArguments) {
				failure := malformed("the reply was cut inside a call of %q", c.Name)
				failure.Permanent = true
				return failure
			}
		}
		if reply.Text == "" && len(reply.Calls) == 0 {
			failure := malformed("the reply was cut before any text or call")
			failure.Permanent = true
			return failure
		}
	}
	if reply.Text == "" && len(reply.Calls) == 0 && !r.silenceAnswers(reply) {
		return malformed("the reply has no text and no call (finish reason %q)", reply.FinishReason)
	}
	return nil
}

// silenceAnswers reports whether an empty reply is the model's own doing: after
// observations some models end their turn without a word
// (https://docs.anthropic.com/en/api/handling-stop-reasons, "empty responses with
// end_turn"). Two or three tokens show that the model was asked and ended;
// whatever else is empty has been lost on the way.
func (r Request) silenceAnswers(reply Reply) bool {
	const most = 3
	generated := reply.Usage.OutputTokens - reply.Usage.ReasoningTokens
	if reply.FinishReason != "stop" && reply.FinishReason != "end_turn" || reply.Thought != "" || generated < 1 || generated > most {
		return false
	}
	for _, m := range slices.Backward(r.Messages) {
		switch m.Role {
		case trace.RoleTool:
			return true
		case trace.RoleAssistant:
			return false
		}
	}
	return false
}
