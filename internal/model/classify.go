package model

import (
	"cmp"
	"net/http"
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
	"content_filter":            KindRefused,         // Azure
	"content_policy_violation":  KindRefused,         // OpenAI
	"data_inspection_failed":    KindRefused,         // DashScope
	"datainspectionfailed":      KindRefused,         // DashScope, older
	"invalid_api_key":           KindAuth,
	"authentication_error":      KindAuth,
	"permission_error":          KindAuth,
	"insufficient_quota":        KindBudget, // OpenAI: comes with status 429, waiting does not help
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
	{"content management policy", KindRefused},                    // Azure
	{"inappropriate content", KindRefused},                        // DashScope
	{"rejected as a result of our safety system", KindRefused},    // OpenAI
	{"blocked by our content filter", KindRefused},                // OpenRouter
	{"credit balance is too low", KindBudget},                     // Anthropic, status 400
	{"insufficient balance", KindBudget},                          // DeepSeek
	{"exceeded your current quota", KindBudget},                   // OpenAI
}

// classify returns the kind of a failure from its status (0 in a body that came
// with status 200), the codes of its body and its message.
func classify(status int, message string, words ...string) Kind {
	for _, w := range words {
		if kind, ok := codes[strings.ToLower(w)]; ok && !(kind == KindOverloaded && status == http.StatusBadRequest) {
			if kind == KindOverloaded {
				break // as vague as a 500: the message may say more
			}
			return kind
		}
	}
	lower := strings.ToLower(message)
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
	case status == 0, status >= 500, status == http.StatusConflict, status == http.StatusTooEarly:
		return KindOverloaded
	}
	return KindRejected
}

// bodyError reads the error object of a body in the form that OpenAI, Anthropic
// and their imitators share: {"error": {"message", "type", "code"}}, with the
// error a plain text or its fields at the top in some. ok is false if there is none.
func bodyError(status int, body trace.Value) (*Error, bool) {
	e := body.Get("error")
	switch e.Kind() {
	case trace.KindString:
		e = trace.Object(trace.Field{Key: "message", Value: e})
	case trace.KindObject:
	default:
		if status < 400 || body.Kind() != trace.KindObject {
			return nil, false
		}
		e = body
	}
	message := cmp.Or(e.Get("message").Text(), e.Get("msg").Text(), e.Get("detail").Text(), e.String())
	if inner := e.Get("metadata").Get("raw").Text(); inner != "" {
		message += ": " + inner // OpenRouter: what the provider behind it said
	}
	if code, ok := e.Get("code").Int64(); ok && status < 400 && code >= 400 && code < 600 {
		status = int(code) // gateways that answer 200 and put the status inside
	} else if status < 400 {
		status = 0
	}
	kind := classify(status, message, e.Get("code").Text(), e.Get("type").Text())
	return &Error{Kind: kind, Op: "post", Status: status, Message: clip(message)}, true
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
