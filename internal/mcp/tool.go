package mcp

import (
	"encoding/json"

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
			list[i] = &mcp.Tool{InputSchema: json.RawMessage(schema.AppendJSON(nil))}
		}
		list[i].Name, list[i].Description = t.Name, t.Description
		if t.Effect != "" {
			list[i].Annotations = &mcp.ToolAnnotations{ReadOnlyHint: t.Effect == trace.EffectRead}
		}
	}
	return list
}

// text is text content that may hold lone surrogates: the SDK's own encoder would
// turn them into U+FFFD. Embedding makes it one of the SDK's closed set of contents.
type text struct {
	*mcp.TextContent
	encoded []byte
}

func newText(s string) text {
	b := append([]byte(`{"type":"text","text":`), trace.String(s).AppendJSON(nil)...)
	return text{&mcp.TextContent{Text: s}, append(b, '}')}
}

// MarshalJSON returns the content as the protocol writes it.
func (t text) MarshalJSON() ([]byte, error) { return t.encoded, nil }

func result(s string, failed bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{newText(s)}, IsError: failed}
}
