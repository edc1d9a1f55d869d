package agent_test
import ("testing";"os";"time";"fmt"
"gauntlet/internal/agent"
"gauntlet/internal/run"
"gauntlet/internal/suite"
"gauntlet/worlds"
)
func TestZZ(t *testing.T){
	g,_ := os.Executable()
	s, _ := suite.LoadFS(worlds.Files, "worlds")
	k := run.Cell{Limits: agent.Limits{Time: 3 * time.Minute}}
	k.Case,_ = s.Case("rush_shipments")
	recorded := sit(t, s, k, agent.Config{Scaffold: "reference:solver"}, agent.Env{}).Trace
	server, address := serve(t, turns(recorded, func(name string) string { return "world_" + name }))
	home := t.TempDir()
	cfg := home+"/oc.json"
	os.WriteFile(cfg, []byte(`{"provider":{"scripted":{"npm":"@ai-sdk/openai-compatible","name":"scripted","options":{"baseURL":"`+address+`/v1","apiKey":"scripted"},"models":{"m":{"name":"m","tool_call":true,"reasoning":true}}}},"model":"scripted/m","small_model":"scripted/m","autoupdate":false,"share":"disabled","mcp":{"world":{"type":"remote","url":"{env:GAUNTLET_MCP_URL}","oauth":false,"enabled":true,"timeout":60000}},"permission":{"*":"deny","world_*":"allow"}}`), 0o600)
	env := agent.Env{Clock: clock{}, Program: g, Environ: []string{"TEST_AGENT=","PATH=/usr/bin:/bin","HOME="+home,"TMPDIR="+t.TempDir(),"OPENCODE_CONFIG="+cfg,"npm_config_registry=http://127.0.0.1:1/",
	 "OPENCODE_DISABLE_MODELS_FETCH=1","OPENCODE_DISABLE_AUTOUPDATE=1","OPENCODE_DISABLE_DEFAULT_PLUGINS=1","OPENCODE_DISABLE_LSP_DOWNLOAD=1","OPENCODE_DISABLE_SHARE=1","OPENCODE_DISABLE_CLAUDE_CODE=1"}}
	got := sit(t, s, k, agent.Config{Scaffold: "external", Command: []string{"/tmp/lead/cli/install/opencode/node_modules/opencode-linux-x64/bin/opencode","run","--pure","--title","t","{task}"}}, env)
	fmt.Println(got.Excluded, got.Ended, got.Benign.Outcome, got.Calls, len(server.Requests()))
	fmt.Println(got.Trace.Steps[len(got.Trace.Steps)-1])
	if len(server.Requests())>0 {
	r := server.Requests()[0]
	fmt.Printf("%.3000s\n", r.Get("messages"))
	fmt.Println(len(r.Get("tools").Items()), r.Get("tools").Items()[0])
	}
}
