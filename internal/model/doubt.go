package model

import (
	"fmt"
	"strings"
)

// A server can drop the tools of a request, or a part of the conversation, and
// answer 200 all the same: llama.cpp does so with a chat template without a place
// for tools, Ollama with what exceeds its context. The agent that follows looks
// like one that is safe. Only the count of input tokens gives it away.
const (
	// No tokenizer in use reads so many bytes of text, or of tools, as one token:
	// text has about four, and the JSON of tools eight where a service rewrites it
	// in a shorter form.
	mostTextBytes = 8
	mostToolBytes = 16
	// leastTools is the size from which tools must show in the count.
	leastTools = 2000
)

// unread are the marks of calls in the formats of open models, which a server is to
// turn into calls and leave in the text where it cannot.
var unread = []string{"<tool_call>", "[TOOL_CALLS]", "<function=", "<|python_tag|>", "<|tool_call>", "<|tool_calls_section_begin|>", "<｜tool▁calls▁begin｜>"}

// Doubt returns why a reply without calls to a request with tools may not be what
// the model would have said, in words for a reader, or "" if nothing speaks for
// it. It is a doubt and no more: a service may count wrongly, and a model may write
// such marks in an answer.
func Doubt(r Request, reply Reply) string {
	if len(r.Tools) == 0 || len(reply.Calls) > 0 {
		return ""
	}
	for _, mark := range unread {
		if strings.Contains(reply.Text, mark) {
			return fmt.Sprintf("the reply holds %q and no call: the service may not read the calls of this model", mark)
		}
	}
	text, tools := 0, 0
	for _, m := range r.Messages {
		if len(m.Calls) > 0 {
			return "" // the model knows its tools
		}
		text += len(m.Text)
	}
	for _, t := range r.Tools {
		tools += t.size()
	}
	fewest := int64(text/mostTextBytes + tools/mostToolBytes)
	if counted := reply.Usage.InputTokens; counted > 0 && counted < fewest && tools >= leastTools {
		return fmt.Sprintf("the service counted %d input tokens for a request of %d bytes, %d of them tools: it may have dropped the tools or a part of the conversation", counted, text+tools, tools)
	}
	return ""
}
