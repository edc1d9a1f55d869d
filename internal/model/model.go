package model

import (
	"context"
	"time"

	"gauntlet/internal/trace"
)

// Client asks a model for one reply.
type Client interface {
	// Complete sends the request and returns the reply. The error is an [*Error].
	// Clients may be used from many goroutines at once.
	Complete(ctx context.Context, r Request) (Reply, error)
}

// Clock is the time that the package runs on. internal/cli hands in the real
// one, tests a fake.
type Clock interface {
	// Now returns the time.
	Now() time.Time
	// Sleep waits for d, or until ctx is done, and then returns its error.
	Sleep(ctx context.Context, d time.Duration) error
}

// Request is one question to a model: the conversation so far, the tools on
// offer and the parameters. The zero value of a parameter leaves it to the
// provider.
type Request struct {
	// Model is the model's name as the provider knows it.
	Model string
	// Messages are the conversation in order.
	Messages []Message
	// Tools are the tools on offer, in the order in which the model sees them.
	Tools []Tool
	// ToolChoice says whether the model may, must or must not call.
	ToolChoice ToolChoice
	// Parallel allows or forbids several calls in one reply; nil leaves it open.
	Parallel *bool
	// MaxTokens limits the reply, reasoning included. Anthropic requires a limit
	// and gets [DefaultMaxTokens] for 0.
	MaxTokens int
	// Temperature is from 0 to 2 (Anthropic: to 1).
	Temperature *float64
	// TopP is the mass of nucleus sampling, from 0 to 1.
	TopP *float64
	// Seed asks for a repeatable reply where the provider can (not Anthropic,
	// which gets none).
	Seed *int64
	// Stop are texts that end the reply.
	Stop []string
	// Logprobs is the number of alternatives per token whose log probabilities
	// are returned; 0 asks for none. Anthropic has none and rejects the request.
	Logprobs int
	// Extra is an object of fields for this provider alone, such as
	// {"reasoning_effort":"low"}; they replace fields of the same name.
	Extra trace.Value
	// Epoch tells repetitions of one case apart, from 0. It is not sent; it is
	// part of the cache's key.
	Epoch int
}

// DefaultMaxTokens limits replies of providers that demand a limit.
const DefaultMaxTokens = 4096

// ToolChoice says what the model is to do with its tools.
type ToolChoice struct {
	// Mode is one of the constants below.
	Mode ToolMode
	// Name is the tool to call, for [ToolNamed].
	Name string
}

// ToolMode is the kind of a [ToolChoice].
type ToolMode string

// The modes. The zero mode sends nothing, which providers read as auto.
const (
	ToolAuto     ToolMode = "auto"     // call or answer
	ToolNone     ToolMode = "none"     // answer
	ToolRequired ToolMode = "required" // call some tool
	ToolNamed    ToolMode = "named"    // call the tool of that name
)

// Tool is a tool on offer.
type Tool struct {
	// Name is the name by which the model calls the tool.
	Name string
	// Description tells the model what the tool is for.
	Description string
	// Parameters is the JSON schema of the arguments; its order of keys is sent
	// as it is. Absent stands for a tool without arguments.
	Parameters trace.Value
}

// Message is one message of a conversation.
type Message struct {
	// Role says who speaks.
	Role trace.Role
	// Text is what was said or, for the role tool, the observation.
	Text string
	// Thought is the assistant's reasoning. It is sent back only to providers
	// whose table entry asks for it.
	Thought string
	// Sealed is an array of what the provider signed of the message and wants back
	// unchanged; absent if there is nothing.
	Sealed trace.Value
	// Calls are the assistant's calls in order.
	Calls []Call
	// CallID is the id of the call that a tool message answers. Null and repeated
	// ids are paired with the calls of the turn by their order.
	CallID *string
	// IsError says that the call that a tool message answers failed.
	IsError bool
}

// Call is one tool call as the model wrote it.
type Call struct {
	// ID is the id that came with the call; nil if it was null or missing.
	ID *string
	// Name is the name of the tool.
	Name string
	// RawArguments is the text of the arguments, which may be no JSON.
	RawArguments string
}

// Reply is what a model answered: text, calls or both.
type Reply struct {
	// Text is the answer; the parts around calls are joined.
	Text string
	// Thought is the reasoning that the provider showed.
	Thought string
	// Sealed is what the provider signed, for [Message.Sealed].
	Sealed trace.Value
	// Calls are the calls in order.
	Calls []Call
	// FinishReason is the provider's word for why the reply ended.
	FinishReason string
	// Truncated says that the reply ended at the limit of tokens.
	Truncated bool
	// Usage is what the reply consumed. Its Requests count the attempts.
	Usage trace.Usage
	// Logprobs are the tokens with their log probabilities, if asked for.
	Logprobs []Logprob
	// Raw is the provider's body as it came, keys redacted.
	Raw []byte
	// Latency is the time from the request to the end of the reply.
	Latency time.Duration
	// Provider names the service.
	Provider string
	// Model is the model's name as the reply gives it, often with a date.
	Model string
	// Cached says that the reply came from a [Cache] and nothing was spent.
	Cached bool
}

// Logprob is a token with its log probability and the alternatives to it.
type Logprob struct {
	// Token is the token's text.
	Token string
	// Logprob is the natural logarithm of its probability, at most 0.
	Logprob float64
	// Top are the most likely tokens at this place, without alternatives of their own.
	Top []Logprob
}

// Message returns the reply as a message, to continue the conversation with.
func (r Reply) Message() Message {
	return Message{Role: trace.RoleAssistant, Text: r.Text, Thought: r.Thought, Sealed: r.Sealed, Calls: r.Calls}
}
