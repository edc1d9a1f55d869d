package agent_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gauntlet/internal/agent"
	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/plan"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/worlds"
)

// claudeSettings keep Claude Code away from the user's settings, from every service
// but the model's, and from retries that would hide a failure, and have it wait for
// its tools.
var claudeSettings = []string{"HOME={dir}", "TMPDIR={dir}", "CLAUDE_CONFIG_DIR={dir}/.claude",
	"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
	"CLAUDE_CODE_MAX_RETRIES=0", "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1", "CLAUDE_CODE_DISABLE_ATTACHMENTS=1",
	"MCP_CONNECTION_NONBLOCKING=0", "MCP_CONNECT_TIMEOUT_MS=60000", "MCP_TIMEOUT=60000", "MCP_TOOL_TIMEOUT=60000",
	"ENABLE_TOOL_SEARCH=false", "MAX_MCP_OUTPUT_TOKENS=1000000"}

// claudeFlags have it play the task on standard input with the world's tools only.
var claudeFlags = []string{"--print", "--bare", "--max-turns", "100", "--system-prompt", "{system}", "--strict-mcp-config",
	"--tools=", "--allowedTools=mcp__world", "--permission-mode", "dontAsk", "--disable-slash-commands",
	"--output-format", "text", "--no-session-persistence"}

// claude is the command for Claude Code that docs/external.md shows.
func claude(program, config string) []string {
	return slices.Concat([]string{"env"}, claudeSettings, []string{program, "--model", "scripted-model", "--mcp-config=" + config}, claudeFlags)
}

func claudeEnviron(address string) []string {
	return []string{"PATH=/usr/bin:/bin", "ANTHROPIC_BASE_URL=" + address, "ANTHROPIC_API_KEY=scripted", "TEST_AGENT="}
}

// The documentation shows the command with which this test is run.
func TestDocumentedCLI(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "docs", "external.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	file := filepath.Join(t.TempDir(), "claude.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := plan.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	command := p.Agents[0].Command
	i := slices.Index(command, "--model")
	if i < 0 || p.Agents[0].Scaffold != "external" {
		t.Fatalf("agent %+v", p.Agents[0])
	}
	command[i+1] = "scripted-model"
	if diff := cmp.Diff(claude(command[i-1], "{mcp_stdio_config}"), command); diff != "" {
		t.Errorf("the documented command differs (-):\n%s", diff)
	}
}

// TestRealCLI plays cases with a real agent, Claude Code, whose model is a script.
// It runs where GAUNTLET_CLAUDE names the program, which comes from npm:
//
//	npm install --prefix DIR --ignore-scripts @anthropic-ai/claude-code@2.1.197
//	GAUNTLET_CLAUDE=DIR/node_modules/@anthropic-ai/claude-code-linux-x64/claude
func TestRealCLI(t *testing.T) {
	program := os.Getenv("GAUNTLET_CLAUDE")
	if program == "" {
		t.Skip("GAUNTLET_CLAUDE names no Claude Code: no real agent is run")
	}
	gauntlet, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id, player, config string
		attack             run.AttackOutcome
	}{
		{"rush_shipments", "reference:solver", "{mcp_config}", ""},
		{"midterm_exam_rooms/important_template", "reference:gullible", "{mcp_stdio_config}", run.Success},
	} {
		t.Run(c.id+" with "+c.config, func(t *testing.T) {
			k := run.Cell{Limits: agent.Limits{Time: 3 * time.Minute}}
			var ok bool
			if k.Case, ok = s.Case(c.id); !ok {
				t.Fatal("there is no such case")
			}
			recorded := sit(t, s, k, agent.Config{Scaffold: c.player}, agent.Env{}).Trace
			// Calls of one reply are sent at the same time, and over HTTP arrive in any order.
			turns := turns
			if c.config == "{mcp_config}" {
				turns = single
			}
			_, address := serve(t, turns(recorded, same))
			want := sit(t, s, k, agent.Config{Scaffold: "tools", Model: "m"}, asking(address, model.WireAnthropic))

			theirs := turns(recorded, func(name string) string { return "mcp__world__" + name })
			server, address := serve(t, theirs)
			env := agent.Env{Clock: clock{}, Environ: claudeEnviron(address), Program: gauntlet}
			got := sit(t, s, k, agent.Config{Scaffold: "external", Command: claude(program, c.config)}, env)
			if got.Excluded != "" || got.Ended.Cause != trace.CauseAgentDone || got.Attack != c.attack {
				t.Fatalf("ended %v, attack %q, excluded %q", got.Ended, got.Attack, got.Excluded)
			}
			if diff := cmp.Diff(view(want), view(got), cmp.AllowUnexported(trace.Value{})); diff != "" {
				t.Errorf("the trace differs from that of tools (-):\n%s", diff)
			}
			first := server.Requests()[0]
			if len(first.Get("tools").Items()) != len(got.Trace.Tools) {
				t.Errorf("the model saw %d tools, the world has %d", len(first.Get("tools").Items()), len(got.Trace.Tools))
			}
			if system := got.Trace.Steps[0].Text; strings.Count(first.String(), strings.Trim(trace.String(system).String(), `"`)) != 1 {
				t.Errorf("the model was not told what the record says, once: %.5000s", first)
			}

			// The same, but for the service's failure in the last turn: no result.
			theirs[len(theirs)-1].Fault = scripted.Overloaded
			_, address = serve(t, theirs)
			env.Environ = claudeEnviron(address)
			got = sit(t, s, k, agent.Config{Scaffold: "external", Command: claude(program, c.config)}, env)
			if got.Kind != trace.ErrorAgent || got.Benign.Outcome != score.Unassessed || !strings.Contains(got.Excluded, "529") {
				t.Errorf("the model's service failed: benign %v, excluded %q (%s)", got.Benign.Outcome, got.Excluded, got.Kind)
			}
		})
	}
}
