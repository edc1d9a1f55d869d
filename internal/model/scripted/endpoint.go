package scripted

import (
	"io"
	"maps"
	"slices"
	"strings"

	"gauntlet/internal/trace"
)

// models answers with the list of models, or with the one that the path names.
func (s *Server) models(p play) {
	describe, list := openAIModel, openAIModels
	if p.r.Header.Get("Anthropic-Version") != "" {
		p.wire, describe, list = anthropic, anthropicModel, anthropicModels
	}
	if !s.admits(p.r) {
		p.fault(Auth, Turn{})
		return
	}
	if _, name, _ := strings.Cut(p.r.URL.Path, "/models/"); name != "" {
		if len(s.o.Scripts[name]) == 0 && len(s.o.Scripts[""]) == 0 {
			p.fault(NoModel, Turn{})
			return
		}
		p.giveValue(describe(name))
		return
	}
	names := slices.Sorted(maps.Keys(s.o.Scripts))
	if len(names) > 0 && names[0] == "" {
		names = names[1:]
	}
	if len(names) == 0 {
		names = []string{"scripted"}
	}
	items := make([]trace.Value, len(names))
	for i, name := range names {
		items[i] = describe(name)
	}
	p.giveValue(list(names, trace.Array(items...)))
}

func openAIModel(name string) trace.Value {
	return trace.Object(word("id", name), word("object", "model"), number("created", 0), word("owned_by", "scripted"))
}

func openAIModels(_ []string, items trace.Value) trace.Value {
	return trace.Object(word("object", "list"), field("data", items))
}

func anthropicModel(name string) trace.Value {
	return trace.Object(word("type", "model"), word("id", name), word("display_name", name), word("created_at", "1970-01-01T00:00:00Z"))
}

func anthropicModels(names []string, items trace.Value) trace.Value {
	return trace.Object(field("data", items), field("has_more", trace.Bool(false)),
		word("first_id", names[0]), word("last_id", names[len(names)-1]))
}

// countTokens answers with the input tokens of the turn that would be played.
func (s *Server) countTokens(p play) {
	data, err := io.ReadAll(p.r.Body)
	if err != nil {
		return // the client has gone
	}
	if !s.admits(p.r) {
		p.fault(Auth, Turn{})
		return
	}
	if _, turn, ok := s.read(p, data); ok {
		p.giveValue(trace.Object(number("input_tokens", turn.InputTokens)))
	}
}
