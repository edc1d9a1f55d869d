package trace

import "time"

// Versions of the records, in their first field. A reader refuses every other
// version; a change that old readers would misread gets a new one.
const (
	Version       = "gauntlet.trace/1"
	SampleVersion = "gauntlet.sample/1"
)

// Trace is everything that happened in one run: one agent on one case, in the
// order in which it happened. It is written once and never changed.
type Trace struct {
	// Version is "gauntlet.trace/1".
	Version string `json:"version"`
	// ID names the trace within its set.
	ID string `json:"id"`
	// Case names the case: a scenario with or without an attack.
	Case string `json:"case,omitzero"`
	// World names the world that the tools act on.
	World string `json:"world,omitzero"`
	// Suite names the set of cases.
	Suite string `json:"suite,omitzero"`
	// Source names where a trace that we did not record comes from.
	Source string `json:"source,omitzero"`
	// Agent names the scaffold, such as "tools" or "react".
	Agent string `json:"agent,omitzero"`
	// Defences names the defences of the agent in the order in which they apply.
	Defences []string `json:"defences,omitzero"`
	// Model is the model's name as its provider knows it.
	Model string `json:"model,omitzero"`
	// Provider names the service that ran the model.
	Provider string `json:"provider,omitzero"`
	// Guard names the guard that was asked before each call; absent without one.
	Guard string `json:"guard,omitzero"`
	// Strategy names the way in which the attack was worded; absent without an attack.
	Strategy string `json:"strategy,omitzero"`
	// Seed is the seed of the run; absent if the run had none.
	Seed *uint64 `json:"seed,omitzero" jsonschema:"minimum=0"`
	// Format is the form in which tool results were shown to the agent.
	Format Format `json:"format,omitzero"`
	// Tools are the tools that the agent was offered, in that order.
	Tools []Tool `json:"tools,omitzero"`
	// Initial is the state of the world before the first step.
	Initial *State `json:"initial,omitzero"`
	// Steps are the messages and calls in order.
	Steps []Step `json:"steps"`
	// Final is the state of the world after the last step.
	Final *State `json:"final,omitzero"`
	// Termination says why the run ended; absent in a prefix of a trace.
	Termination Termination `json:"termination,omitzero"`
	// Usage is the consumption of the agent's model over the whole run.
	Usage *Usage `json:"usage,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Tool is a tool as the agent was offered it.
type Tool struct {
	// Name is the name by which the agent calls the tool.
	Name string `json:"name"`
	// Description is the text that the agent was given about the tool.
	Description string `json:"description,omitzero"`
	// Parameters is the JSON schema of the arguments.
	Parameters Value `json:"parameters,omitzero"`
	// Effect says what a call can do; absent if it is not known.
	Effect Effect `json:"effect,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// State is a state of a world, by its hash, by its value, or both.
type State struct {
	// Hash identifies the state: the algorithm, a colon and the digest in hexadecimal.
	Hash string `json:"hash,omitzero"`
	// Value is the state itself.
	Value Value `json:"value,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Step is one message: what the user or the scaffold said, or one reply of the
// model with the calls it made. Observations are no steps of their own; they
// stand in the call that they answer. A reply that puts text between its calls
// becomes several steps of the assistant.
type Step struct {
	// Role says who speaks.
	Role Role `json:"role"`
	// Origin is absent for ordinary messages, and names the part that wrote a
	// message on behalf of the role, such as "scaffold" for a note about an
	// unreadable reply or "simulator" for a user played by a model.
	Origin string `json:"origin,omitzero"`
	// Thought is the reasoning that the model showed before its text.
	Thought string `json:"thought,omitzero"`
	// Text is the text of the message.
	Text string `json:"text,omitzero"`
	// Injected marks the attacker's words in the text.
	Injected []Span `json:"injected,omitzero"`
	// Calls are the calls that the model made in this reply, in order.
	Calls []Call `json:"calls,omitzero"`
	// FinishReason is the provider's word for why the reply ended.
	FinishReason string `json:"finish_reason,omitzero"`
	// Usage is the consumption of the model for this reply.
	Usage *Usage `json:"usage,omitzero"`
	// Latency is the time that the reply took, in nanoseconds; absent in
	// deterministic runs.
	Latency time.Duration `json:"latency_ns,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Call is one tool call that the model proposed, and what became of it.
type Call struct {
	// ID is the id that the model gave the call; null if it gave none. Ids are
	// kept as they are, also when two calls share one.
	ID *string `json:"id" jsonschema:"nullable"`
	// Name is the name of the tool as the model wrote it.
	Name string `json:"name"`
	// Arguments is the object of arguments that was used; absent if there was none.
	Arguments Value `json:"arguments,omitzero"`
	// RawArguments is the model's text where it is no JSON object. Beside
	// Arguments it says that the scaffold repaired the text.
	RawArguments *string `json:"raw_arguments,omitzero"`
	// Verdicts are the answers of the guards, in the order in which they were asked.
	Verdicts []Verdict `json:"verdicts,omitzero"`
	// Observation is the answer that the agent got; absent if it got none.
	Observation *Observation `json:"observation,omitzero"`
	// Reads are the JSON pointers of the state that the call read; absent if
	// reads were not recorded.
	Reads []string `json:"reads,omitzero"`
	// Writes are the JSON pointers of the state that the call wrote; absent if
	// writes were not recorded.
	Writes []string `json:"writes,omitzero"`
	// Diff is what the call changed in the state, empty if nothing; absent if
	// changes were not recorded.
	Diff []Change `json:"diff,omitzero"`
	// Latency is the time that the tool took, in nanoseconds; absent in
	// deterministic runs.
	Latency time.Duration `json:"latency_ns,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// SetArguments takes the text of arguments as a model wrote it: an object becomes
// Arguments, every other text is kept as RawArguments, unrepaired. It returns
// what [ParseValue] found odd in an object.
func (c *Call) SetArguments(text string) []Problem {
	v, problems, err := ParseValue([]byte(text))
	if err != nil || v.Kind() != KindObject || checkDepth(v) != nil {
		c.Arguments, c.RawArguments = Value{}, &text
		return nil
	}
	c.Arguments, c.RawArguments = v, nil
	return problems
}

// Observation is what the agent was told about a call.
type Observation struct {
	// Text is exactly what the agent saw.
	Text string `json:"text"`
	// Value is the result of the tool before it was rendered as text.
	Value Value `json:"value,omitzero"`
	// Error says that the call failed; absent if it did not.
	Error *CallError `json:"error,omitzero"`
	// Injected marks the attacker's words in the text.
	Injected []Span `json:"injected,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// CallError is the error that a call ended with.
type CallError struct {
	// Type is the class of the error, such as "KeyError".
	Type string `json:"type"`
	// Message is the text of the error.
	Message string `json:"message"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Span marks words of the attacker in a text.
type Span struct {
	// Start is the position of the first code point, from 0.
	Start int `json:"start"`
	// End is the position after the last code point.
	End int `json:"end"`
	// Attack names the attack.
	Attack string `json:"attack,omitzero"`
	// Point is the attack point: the JSON pointer of the field in the state
	// that carried the words.
	Point string `json:"point,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Cut returns the part of a text that the span marks, and false if the span does
// not lie within the text.
func (s Span) Cut(text string) (string, bool) {
	if s.Start < 0 || s.End < s.Start {
		return "", false
	}
	start, ok := ByteOffset(text, s.Start)
	if !ok {
		return "", false
	}
	length, ok := ByteOffset(text[start:], s.End-s.Start)
	return text[start : start+length], ok
}

// Verdict is what a guard said about a call.
type Verdict struct {
	// Guard names the guard.
	Guard string `json:"guard"`
	// Decision is the answer.
	Decision Decision `json:"decision"`
	// Score grows with the danger that the guard sees; absent if it gives none.
	Score *float64 `json:"score,omitzero"`
	// Reason is the guard's explanation, or the cause of an error.
	Reason string `json:"reason,omitzero"`
	// Raw is the guard's text as it came, kept where it could not be read.
	Raw *string `json:"raw,omitzero"`
	// Usage is the consumption of the guard's model.
	Usage *Usage `json:"usage,omitzero"`
	// Latency is the time that the guard took, in nanoseconds; absent in
	// deterministic runs.
	Latency time.Duration `json:"latency_ns,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Usage counts what a model consumed. Absent counts are not known.
type Usage struct {
	// Requests is the number of requests to the provider, retries included.
	Requests int64 `json:"requests,omitzero"`
	// InputTokens is the number of tokens read, cached ones included.
	InputTokens int64 `json:"input_tokens,omitzero"`
	// CachedTokens is the number of input tokens that came from the provider's cache.
	CachedTokens int64 `json:"cached_tokens,omitzero"`
	// OutputTokens is the number of tokens written, reasoning included.
	OutputTokens int64 `json:"output_tokens,omitzero"`
	// ReasoningTokens is the number of output tokens spent on reasoning.
	ReasoningTokens int64 `json:"reasoning_tokens,omitzero"`
	// CostUSD is the price in US dollars.
	CostUSD float64 `json:"cost_usd,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Plus returns what u and v consumed together. Unknown fields have no sum and are
// left out.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Requests:        u.Requests + v.Requests,
		InputTokens:     u.InputTokens + v.InputTokens,
		CachedTokens:    u.CachedTokens + v.CachedTokens,
		OutputTokens:    u.OutputTokens + v.OutputTokens,
		ReasoningTokens: u.ReasoningTokens + v.ReasoningTokens,
		CostUSD:         u.CostUSD + v.CostUSD,
	}
}

// Termination says why a run ended.
type Termination struct {
	// Cause is the reason, from a closed set.
	Cause Cause `json:"cause"`
	// Detail is a sentence for people.
	Detail string `json:"detail,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Sample is what a guard is asked about: what happened so far, and the call that
// the agent proposes next.
type Sample struct {
	// Version is "gauntlet.sample/1".
	Version string `json:"version"`
	// ID names the sample within its set.
	ID string `json:"id"`
	// Trace is the prefix: the steps before the proposed call.
	Trace Trace `json:"trace"`
	// Call is the proposed call.
	Call Call `json:"call"`
	// Label is the truth about the call.
	Label Label `json:"label"`
	// Twin names the sample that differs in the edit alone and has the other label.
	Twin string `json:"twin,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Label is the truth about a proposed call.
type Label struct {
	// Unsafe says whether a guard must block the call.
	Unsafe bool `json:"unsafe"`
	// Category names the risk; absent for safe calls.
	Category string `json:"category,omitzero"`
	// Mutator names the operation that made the label true.
	Mutator string `json:"mutator,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Calls returns the calls of all steps in order. The pointers are into t.
func (t *Trace) Calls() []*Call {
	var calls []*Call
	for i := range t.Steps {
		for j := range t.Steps[i].Calls {
			calls = append(calls, &t.Steps[i].Calls[j])
		}
	}
	return calls
}

// Tool returns the first tool with the name, or nil.
func (t *Trace) Tool(name string) *Tool {
	for i := range t.Tools {
		if t.Tools[i].Name == name {
			return &t.Tools[i]
		}
	}
	return nil
}

// Prefix returns the trace as it was when the call with the given indices was
// proposed: the steps before it, and its own step with the calls before it. It
// holds nothing that was known only later, such as the final state. The result
// shares its contents with t. It fails if there is no such call.
func (t *Trace) Prefix(step, call int) (Trace, bool) {
	if step < 0 || step >= len(t.Steps) || call < 0 || call >= len(t.Steps[step].Calls) {
		return Trace{}, false
	}
	prefix := *t
	prefix.Steps = append([]Step(nil), t.Steps[:step+1]...)
	last := &prefix.Steps[step]
	last.Calls = last.Calls[:call:call]
	prefix.Final, prefix.Termination, prefix.Usage = nil, Termination{}, nil
	return prefix, true
}
