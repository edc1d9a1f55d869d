package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/trace"
)

const emptySchema = `{"type":"object"}`

// describe turns tools into the protocol's form. Schemas are passed on as they are
// written. The protocol demands an object schema, and some clients refuse a whole
// list for one that is none, so a tool without a schema gets the empty one, and
// a schema of another type is said to be of an object.
func describe(tools []trace.Tool) []*mcp.Tool {
	list := make([]*mcp.Tool, len(tools))
	for i, t := range tools {
		schema := t.Parameters
		switch {
		case schema.Kind() != trace.KindObject:
			list[i] = &mcp.Tool{InputSchema: json.RawMessage(emptySchema)}
		case schema.Get("type").Text() != "object":
			schema = schema.With("type", trace.String("object"))
			fallthrough
		default:
			list[i] = &mcp.Tool{InputSchema: json.RawMessage(encode(schema))}
		}
		list[i].Name, list[i].Description = valid(t.Name), valid(t.Description)
		if t.Effect != "" {
			list[i].Annotations = &mcp.ToolAnnotations{ReadOnlyHint: t.Effect == trace.EffectRead}
		}
	}
	return list
}

// result is the answer to a call.
func result(text string, failed bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: valid(text)}}, IsError: failed}
}

// encode returns the JSON text of v with U+FFFD in place of lone surrogates. JSON
// can spell them, but most clients cannot read them: the official Python client
// (2.3.0) drops the whole message and waits for ever, and so would an agent that a
// payload wants to stop.
func encode(v trace.Value) []byte {
	given := v.AppendJSON(nil)
	if !bytes.Contains(given, []byte(`\ud`)) {
		return given
	}
	// In canonical JSON no other escape has six bytes and begins with \ud.
	text := make([]byte, 0, len(given))
	for i := 0; i < len(given); i++ {
		switch {
		case given[i] != '\\':
			text = append(text, given[i])
		case given[i+1] == 'u' && given[i+2] == 'd':
			text = append(text, "\uFFFD"...)
			i += 5
		default:
			text = append(text, given[i], given[i+1])
			i++
		}
	}
	return text
}

// valid returns a string of a trace as UTF-8, with U+FFFD as in encode.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	v, _, err := trace.ParseValue(encode(trace.String(s)))
	if err != nil { // encode returns JSON
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return v.Text()
}
