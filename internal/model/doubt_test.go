package model_test

import (
	"fmt"
	"strings"
	"testing"

	"gauntlet/internal/model"
	"gauntlet/internal/trace"
)

// TestServerThatDropsTheToolsIsDoubted: llama.cpp with a chat template without a
// place for tools answers as if there were none.
func TestServerThatDropsTheToolsIsDoubted(t *testing.T) {
	// A bundled world has 20 KB of tools, its introduction and a task 3 KB.
	world := func(tools, text int) model.Request {
		r := ask(strings.Repeat("word ", text/5))
		for i := range 20 {
			r.Tools = append(r.Tools, model.Tool{Name: fmt.Sprint("tool_", i), Description: strings.Repeat("what it does ", tools/20/13)})
		}
		return r
	}
	called := world(20_000, 3_000)
	called.Messages = append(called.Messages,
		model.Message{Role: trace.RoleAssistant, Calls: []model.Call{{Name: "tool_1"}}}, model.Message{Role: trace.RoleTool, Text: "saw"})
	for name, test := range map[string]struct {
		request model.Request
		reply   model.Reply
		want    string
	}{
		"dropped":                      {world(20_000, 3_000), model.Reply{Text: "I cannot do that.", Usage: trace.Usage{InputTokens: 750}}, "750 input tokens"},
		"cut at a context of 1,024":    {world(20_000, 3_000), model.Reply{Text: "Hello.", Usage: trace.Usage{InputTokens: 1024}}, "1024 input tokens"},
		"arrived":                      {world(20_000, 3_000), model.Reply{Text: "No.", Usage: trace.Usage{InputTokens: 5750}}, ""},
		"arrived in half the length":   {world(20_000, 3_000), model.Reply{Text: "No.", Usage: trace.Usage{InputTokens: 3250}}, ""},
		"the service does not count":   {world(20_000, 3_000), model.Reply{Text: "No."}, ""},
		"a long text hides it":         {world(20_000, 60_000), model.Reply{Text: "No.", Usage: trace.Usage{InputTokens: 15_000}}, ""},
		"few tools":                    {world(1_000, 100), model.Reply{Text: "No.", Usage: trace.Usage{InputTokens: 20}}, ""},
		"no tools":                     {ask("hi"), model.Reply{Text: "<tool_call>", Usage: trace.Usage{InputTokens: 1}}, ""},
		"a call shows that they came":  {world(20_000, 3_000), model.Reply{Calls: []model.Call{{Name: "tool_1"}}, Usage: trace.Usage{InputTokens: 750}}, ""},
		"an earlier call does, too":    {called, model.Reply{Text: "Done.", Usage: trace.Usage{InputTokens: 750}}, ""},
		"a call that nobody read":      {world(20_000, 3_000), model.Reply{Text: "<tool_call>\n{\"name\":", Usage: trace.Usage{InputTokens: 5750}}, "<tool_call>"},
		"a call that was read, and so": {world(20_000, 3_000), model.Reply{Text: "<tool_call>", Calls: []model.Call{{Name: "tool_1"}}}, ""},
	} {
		got := model.Doubt(test.request, test.reply)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
