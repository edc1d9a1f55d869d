package model

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gauntlet/internal/trace"
)

// Providers agree on neither statuses nor codes, and many say only in prose what
// failed. A failure is therefore read in this order: the code, the words, the
// status. Words are asked only where the status leaves the question open: a 429
// that speaks of tokens per minute is no full context.

// codes are the machine-readable words of error bodies (fields code and type).
var codes = map[string]Kind{
	"context_length_exceeded":   KindContextOverflow, // OpenAI, Azure, DeepSeek
	"exceed_context_size_error": KindContextOverflow, // llama.cpp
	"request_too_large":         KindContextOverflow, // Anthropic
	"content_filter":            KindRefused,         // Azure, Moonshot
	"invalid_prompt":            KindRefused,         // OpenAI: reasoning models
	"sensitivecontentdetected":  KindRefused,         // Volcengine
	"1301":                      KindRefused,         // Zhipu
	"content_policy_violation":  KindRefused,         // OpenAI
	"data_inspection_failed":    KindRefused,         // DashScope
	"datainspectionfailed":      KindRefused,         // DashScope, older
	"invalid_api_key":           KindAuth,
	"authentication_error":      KindAuth,
	"permission_error":          KindAuth,
	"tool_use_failed":           KindMalformed, // Groq: the model's call cannot be read (failed_generation)
	"arrearage":                 KindBudget,    // DashScope
	"insufficient_quota":        KindBudget,    // OpenAI: comes with status 429, waiting does not help
	"billing_error":             KindBudget,
	"rate_limit_error":          KindRateLimit,
	"rate_limit_exceeded":       KindRateLimit,
	"overloaded_error":          KindOverloaded,
	"api_error":                 KindOverloaded,
	"timeout_error":             KindTimeout,
}

// phrases are the words of messages, in lower case.
var phrases = []struct {
	words string
	kind  Kind
}{
	{"maximum context length", KindContextOverflow},               // OpenAI, vLLM, DeepSeek
	{"longer than the maximum model length", KindContextOverflow}, // vLLM
	{"reduce the length of the messages", KindContextOverflow},    // OpenAI-compatible gateways
	{"prompt is too long", KindContextOverflow},                   // Anthropic
	{"exceed context limit", KindContextOverflow},                 // Anthropic: input and max_tokens
	{"exceeds the available context size", KindContextOverflow},   // llama.cpp
	{"context window", KindContextOverflow},                       // OpenAI, LM Studio
	{"context size has been exceeded", KindContextOverflow},       // LM Studio
	{"range of input length should be", KindContextOverflow},      // DashScope
	{"exceeds the maximum number of tokens", KindContextOverflow}, // Gemini
	{"input length exceeds", KindContextOverflow},                 // Ollama
	{"too many tokens in the", KindContextOverflow},               // Cohere and others
	{"model's context length", KindContextOverflow},               // SGLang
	{"greater than the context length", KindContextOverflow},      // LM Studio
	{"maximum prompt length", KindContextOverflow},                // xAI
	{"exceeded model token limit", KindContextOverflow},           // Moonshot
	{"prompt exceeds max length", KindContextOverflow},            // Zhipu
	{"input is too long", KindContextOverflow},                    // Bedrock
	{"max_new_tokens` must be <=", KindContextOverflow},           // TGI
	{"].content': string too long", KindContextOverflow},          // OpenAI: a message of more than a million characters
	{"content management policy", KindRefused},                    // Azure
	{"content filtering policy", KindRefused},                     // Anthropic
	{"content exists risk", KindRefused},                          // DeepSeek
	{"violates usage guidelines", KindRefused},                    // xAI, status 403
	{"prompt was flagged", KindRefused},                           // OpenAI
	{"input was flagged", KindRefused},                            // OpenRouter, status 403
	{"requires moderation", KindRefused},                          // OpenRouter, status 403
	{"inappropriate content", KindRefused},                        // DashScope
	{"rejected as a result of our safety system", KindRefused},    // OpenAI
	{"blocked by our content filter", KindRefused},                // OpenRouter
	{"credit balance is too low", KindBudget},                     // Anthropic, status 400
	{"insufficient balance", KindBudget},                          // DeepSeek
	{"exceeded your current quota", KindBudget},                   // OpenAI
	{"api key not valid", KindAuth},                               // Gemini, status 400
	{"api key expired", KindAuth},                                 // Gemini, status 400
	{"error parsing tool call", KindMalformed},                    // Ollama, status 500: the model's call cannot be read
	{"failed to parse input at pos", KindMalformed},               // llama.cpp, status 500: likewise
}

// passing are words of rate limits that pass although the rest of the failure
// speaks of a quota, as if the account had no money left.
var passing = []string{
	"resource_exhausted",       // Gemini: its 429 repeats OpenAI's sentence on quotas
	"allocated quota exceeded", // DashScope: its 429 has OpenAI's code insufficient_quota
}

// classify returns the kind of a failure from its status (0 in a body that came
// with status 200), the codes of its body and its message.
func classify(status int, message string, words ...string) Kind {
	lower := strings.ToLower(message)
	for _, p := range passing {
		if strings.Contains(lower, p) || slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, p) }) {
			return KindRateLimit
		}
	}
	for _, w := range words {
		if kind, ok := codes[strings.ToLower(w)]; ok && !(kind == KindOverloaded && status == http.StatusBadRequest) {
			if kind == KindOverloaded {
				break // as vague as a 500: the message may say more
			}
			return kind
		}
	}
	for _, p := range phrases {
		if strings.Contains(lower, p.words) && (p.kind == KindBudget || wordsCount(status)) {
			return p.kind
		}
	}
	return classifyStatus(status)
}

// wordsCount reports whether a status is so vague that the message is asked.
func wordsCount(status int) bool {
	switch status {
	case 0, http.StatusBadRequest, http.StatusForbidden, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return true
	}
	return false
}

func classifyStatus(status int) Kind {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return KindAuth
	case status == http.StatusPaymentRequired:
		return KindBudget
	case status == http.StatusRequestTimeout, status == http.StatusGatewayTimeout:
		return KindTimeout
	case status == http.StatusRequestEntityTooLarge:
		return KindContextOverflow
	case status == http.StatusTooManyRequests:
		return KindRateLimit
	case status == 0, status >= 500, status == http.StatusConflict, status == http.StatusTooEarly, status == statusCapacity:
		return KindOverloaded
	}
	return KindRejected
}

// statusCapacity is Groq's status for a service tier without room.
const statusCapacity = 498

// proseError reads a failure whose body is no error object.
func proseError(status int, raw []byte) *Error {
	message := strings.TrimSpace(string(raw))
	if message == "" {
		message = http.StatusText(status)
	}
	kind := classify(status, message)
	if status == http.StatusForbidden && kind == KindAuth && strings.HasPrefix(message, "<") {
		// A page of HTML comes from a firewall in front of the service, which takes
		// offence at what the request says. The key has nothing to do with it.
		kind = KindRejected
	}
	return &Error{Kind: kind, Op: "post", Status: status, Message: clip(message), Permanent: tooLarge(kind, status, message)}
}

// tooLarge reports whether a rate limit refused a request for its size: more than
// the service takes in a minute will not fit into the next one either.
func tooLarge(kind Kind, status int, message string) bool {
	return kind == KindRateLimit &&
		(status == http.StatusRequestEntityTooLarge || strings.Contains(strings.ToLower(message), "request too large"))
}

// bodyError reads the error object of a body in the form that OpenAI, Anthropic
// and their imitators share: {"error": {"message", "type", "code"}}, with the
// error a plain text or its fields at the top in some. ok is false if there is none.
func bodyError(status int, body trace.Value) (*Error, bool) {
	if body.Len() == 1 && body.Kind() == trace.KindArray {
		body = body.Index(0) // Gemini
	}
	e := body.Get("error")
	switch {
	case e.Kind() == trace.KindString && e.Text() != "":
		e = trace.Object(trace.Field{Key: "message", Value: e})
	case e.Kind() == trace.KindObject && e.Len() > 0:
	default: // some put an empty one beside each reply
		if status < 400 || body.Kind() != trace.KindObject {
			return nil, false
		}
		e = body
	}
	message := cmp.Or(e.Get("message").Text(), e.Get("msg").Text(), e.Get("detail").Text(), e.String())
	metadata := e.Get("metadata")
	if inner := metadata.Get("raw").Text(); inner != "" {
		message += ": " + inner // OpenRouter: what the provider behind it said
	}
	if code, ok := e.Get("code").Int64(); ok && status < 400 && code >= 400 && code < 600 {
		status = int(code) // gateways that answer 200 and put the status inside
	} else if status < 400 {
		status = 0
	}
	kind := classify(status, message, e.Get("code").Text(), e.Get("type").Text(), e.Get("status").Text())
	if metadata.Get("flagged_input").Exists() {
		kind = KindRefused // OpenRouter: moderation, with the status of a bad key
	}
	return &Error{
		Kind: kind, Op: "post", Status: status, Message: clip(message),
		RetryAfter: retryDelay(e.Get("details")), Permanent: tooLarge(kind, status, message),
	}, true
}

// retryDelay reads the wait that Google puts among the details of an error, such as
// {"@type": ".../google.rpc.RetryInfo", "retryDelay": "34.07s"}.
func retryDelay(details trace.Value) time.Duration {
	for _, d := range details.Items() {
		text, ok := strings.CutSuffix(d.Get("retryDelay").Text(), "s")
		if s, err := strconv.ParseFloat(text, 64); ok && err == nil {
			return seconds(s)
		}
	}
	return 0
}

// clip keeps messages readable; the whole body is in Error.Raw.
func clip(s string) string {
	const limit = 2000
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut-- // not inside a character
	}
	return s[:cut] + "…"
}

// retryAfter reads the wait that a reply asks for: retry-after-ms, or Retry-After
// in seconds or as a date (RFC 9110, 10.2.3). It returns 0 if there is none, and
// at most an hour.
func retryAfter(h http.Header, now time.Time) time.Duration {
	wait := time.Duration(0)
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		wait = seconds(ms / 1000)
	} else if s, err := strconv.ParseFloat(h.Get("Retry-After"), 64); err == nil {
		wait = seconds(s)
	} else if at, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), time.Hour)
}

// seconds converts without overflow; NaN becomes 0.
func seconds(s float64) time.Duration {
	if !(s > 0) {
		return 0
	}
	return time.Duration(min(s, 3600) * float64(time.Second))
}
