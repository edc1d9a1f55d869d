// Package model talks to language models. It has one neutral vocabulary, the
// [Request] and the [Reply], two wire formats behind it (OpenAI-compatible chat
// completions and Anthropic messages), and wrappers that are Clients around
// Clients: [Retry], [Limiter], [Budget], [Cache], [Recorder] and [Replay].
//
// The usual order, from the outside in, is
//
//	cache -> budget -> retry -> limiter -> provider
//
// so that a cached reply costs nothing, every attempt waits for its turn, and a
// wait between attempts holds no slot.
//
// Two rules govern the package. A failure is never a reply: an empty choice, half
// a call, a page of HTML and a full context are errors with a [Kind], never an
// answer of the model. And nothing the model said is repaired: ids that are null
// or repeated, arguments that are no JSON and reasoning are kept as they came.
//
// The package reads neither the environment nor the clock: keys and a [Clock]
// are handed in, and keys are redacted in all that it returns.
package model
