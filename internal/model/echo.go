package model

import (
	"bytes"
	"fmt"
	"strings"

	"gauntlet/internal/trace"
)

// This file makes what a model said fit to be sent back. Models write names that
// no tool has and halves of characters, and what is planted in a world may hold
// anything; services refuse a whole conversation for such a thing, and the cell
// would be lost for what is the model's conduct.

// nameLimit is the most bytes of a name that OpenAI takes; Anthropic takes 128.
const nameLimit = 64

// echoName returns the name of a called tool as it can stand in a conversation.
// Names on offer were accepted and stay as they are. OpenAI and Anthropic refuse a
// conversation with a name of other characters or length, such as
// "multi_tool_use.parallel" or an empty one; the name that is sent instead is no
// tool's. The record keeps what the model wrote.
func (r Request) echoName(name string) string {
	if r.offers(name) {
		return name
	}
	plain := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, name)
	plain = plain[:min(len(plain), nameLimit)]
	for n := 1; plain == "" || r.offers(plain); n++ {
		plain = fmt.Sprintf("unknown_%d", n)
	}
	return plain
}

func (r Request) offers(name string) bool {
	for _, t := range r.Tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// appendPlain appends the JSON text of v with U+FFFD in place of lone surrogates.
// JSON can spell them, but Anthropic, llama.cpp and whatever is written in Python
// refuse or drop the request. Replies and records keep them.
func appendPlain(dst []byte, v trace.Value) []byte {
	start := len(dst)
	dst = v.AppendJSON(dst)
	if !bytes.Contains(dst[start:], []byte(`\ud`)) {
		return dst
	}
	// Canonical JSON writes whole pairs as characters, and no other escape of six
	// bytes begins with \ud.
	given := bytes.Clone(dst[start:])
	dst = dst[:start]
	for i := 0; i < len(given); i++ {
		switch {
		case given[i] != '\\':
			dst = append(dst, given[i])
		case given[i+1] == 'u' && given[i+2] == 'd':
			dst = append(dst, "\uFFFD"...)
			i += 5
		default:
			dst = append(dst, given[i], given[i+1])
			i++
		}
	}
	return dst
}

// echoArguments returns arguments of an earlier turn as text. The format takes any
// text, but servers that fill a chat template from it (vLLM) refuse one that is no
// object; such a text goes into the one field of an object.
func echoArguments(arguments string) string {
	v, _, err := trace.ParseValue([]byte(arguments))
	if err != nil || v.Kind() != trace.KindObject {
		return string(appendPlain(nil, anthropicInput(arguments)))
	}
	if exact := v.AppendJSON(nil); bytes.Contains(exact, []byte(`\ud`)) {
		return string(appendPlain(nil, v))
	}
	return arguments
}
