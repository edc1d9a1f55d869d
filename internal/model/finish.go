package model

import "strings"

// endings are the finish reasons that say that a reply is no answer, in lower case.
// Without them a sentence that broke off would pass for the model's last word.
var endings = map[string]struct {
	kind    Kind
	message string
}{
	"content_filter":                {KindRefused, "the service's content filter withheld the reply"},
	"sensitive":                     {KindRefused, "the service's content filter withheld the reply"}, // Zhipu
	"safety":                        {KindRefused, "the service's content filter withheld the reply"}, // Gemini behind gateways, as the next four
	"recitation":                    {KindRefused, "the service withheld the reply as a recitation"},
	"blocklist":                     {KindRefused, "the service's content filter withheld the reply"},
	"prohibited_content":            {KindRefused, "the service's content filter withheld the reply"},
	"spii":                          {KindRefused, "the service's content filter withheld the reply"},
	"refusal":                       {KindRefused, "the service's classifier withheld the reply"},                                 // Anthropic
	"model_context_window_exceeded": {KindContextOverflow, "the reply ran into the end of the context"},                           // Anthropic
	"model_length":                  {KindContextOverflow, "the reply ran into the end of the context"},                           // Mistral
	"error":                         {KindOverloaded, "the service ended the reply with an error"},                                // OpenRouter
	"insufficient_system_resource":  {KindOverloaded, "the service broke off the reply for want of means"},                        // DeepSeek
	"network_error":                 {KindOverloaded, "the service ended the reply with an error"},                                // Zhipu
	"abort":                         {KindOverloaded, "the service broke off the reply"},                                          // vLLM, SGLang
	"load":                          {KindOverloaded, "the model was loaded and said nothing"},                                    // Ollama
	"malformed_function_call":       {KindMalformed, "the service could not read the model's call"},                               // Gemini
	"pause_turn":                    {KindMalformed, "the service paused inside a tool of its own; such tools are not supported"}, // Anthropic
}

// ending returns the failure that a finish reason tells, or nil. Gemini's
// endpoint puts a word of its own before the reason.
func ending(reason string) *Error {
	word := strings.ToLower(reason)
	if _, last, ok := strings.Cut(word, ": "); ok {
		word = last
	}
	e, ok := endings[word]
	if !ok {
		return nil
	}
	return &Error{Kind: e.kind, Op: "read reply", Message: e.message, Permanent: word == "pause_turn"}
}

// truncated reports whether a finish reason says that a reply ended at the limit
// of tokens.
func truncated(reason string) bool {
	switch strings.ToLower(reason) {
	case "length", "max_tokens", "max_output_tokens":
		return true
	}
	return false
}
