package mcp

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gauntlet/internal/trace"
)

// python returns an interpreter that has the official mcp package: the one that
// GAUNTLET_TEST_MCP_PYTHON names, or python3.
func python(t *testing.T) string {
	t.Helper()
	path := os.Getenv("GAUNTLET_TEST_MCP_PYTHON")
	if path == "" {
		var err error
		if path, err = exec.LookPath("python3"); err != nil {
			t.Skip("python3 not found: ", err)
		}
	}
	if out, err := exec.Command(path, "-c", "import mcp").CombinedOutput(); err != nil {
		t.Skipf("%s has no mcp package (pip install mcp): %v: %.200s", path, err, out)
	}
	return path
}

// TestPython has the official Python client work on the fake, over stdio, over HTTP
// and in both eras.
func TestPython(t *testing.T) {
	py := python(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, transport := range []string{"stdio", "http", "sessions"} {
		for _, mode := range []string{"legacy", "auto"} {
			t.Run(transport+" "+mode, func(t *testing.T) {
				f := &fake{}
				target := self
				var h *house
				switch transport {
				case "http":
					target = listen(t, newServer(f).Handler("k")) + "/k"
				case "sessions":
					h, _, target = serveHouse(t, HandlerOptions{})
				}
				checkPython(t, pythonSees(t, py, transport, target, mode))
				f.check(t)
				if h != nil && h.count() != 1 {
					t.Errorf("%d episodes for one session", h.count())
				}
			})
		}
	}
}

func pythonSees(t *testing.T, py string, args ...string) []trace.Value {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, py, append([]string{"testdata/client.py"}, args...)...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, problems.String())
	}
	var seen []trace.Value
	for l := range strings.Lines(string(out)) {
		v, _, err := trace.ParseValue([]byte(l))
		if err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		seen = append(seen, v)
	}
	return seen
}

func checkPython(t *testing.T, seen []trace.Value) {
	t.Helper()
	var tools []string
	for i := range 15 {
		required := `["z"]`
		if i == 2 {
			required = `null`
		}
		tools = append(tools, fmt.Sprintf(`["t%02d","说明 <b> %d",%s]`, 14-i, i, required))
	}
	want := []string{
		`["tools",[` + strings.Join(tools, ",") + `]]`,
		`["cursor",null]`,
		`["prompt",[["user","text"]]]`,
		`["t01",["{\"z\":\"취미 汉字 😀\",\"n\":[1.5,123456789012345678901234567890],\"<\":\"&\"}",false]]`,
		`["t02",["{}",false]]`,
		`["fail",["{\"k\":1}",true]]`,
		`["no_such_tool",["no tool no_such_tool",true]]`,
		`["say",["line\nbreak ` + "\u2028" + ` \u0000 \"quoted\"",false]]`,
		`["say",["",false]]`,
		`["end",["the episode is over: limit of calls",true]]`,
		`["t01",["the episode is over: limit of calls",true]]`,
	}
	if len(seen) == 0 || seen[0].Index(0).Text() != "version" {
		t.Fatalf("no version in %v", seen)
	}
	t.Logf("protocol %s", seen[0].Index(1))
	for i, w := range want {
		if i+1 >= len(seen) {
			t.Errorf("missing: %s", w)
		} else if got := seen[i+1].String(); got != w {
			t.Errorf("client saw  %s\nnot         %s", got, w)
		}
	}
}
