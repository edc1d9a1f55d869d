package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/mcp"
	"gauntlet/internal/model"
	"gauntlet/internal/trace"
)

// TestMain is three programs: the tests, an agent of others that they start, and
// the part of the command gauntlet that such agents start in turn.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && strings.Join(os.Args[1:4], " ") == "world mcp --connect" {
		exit(mcp.Bridge(context.Background(), os.Args[4], os.Stdin, os.Stdout))
	}
	if mode := os.Getenv("TEST_AGENT"); mode != "" {
		act := acts()[mode]
		if act == nil {
			exit(fmt.Errorf("no act %q", mode))
		}
		exit(act(context.Background()))
	}
	os.Exit(m.Run())
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(0)
}

// acts is what the agent of the tests can do.
func acts() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"http":      func(ctx context.Context) error { return actWith(ctx, overHTTP()) },
		"stdio":     func(ctx context.Context) error { return actWith(ctx, overStdio()) },
		"list":      func(ctx context.Context) error { return list(ctx, "All done.\n") },
		"big":       func(ctx context.Context) error { return list(ctx, "a"+strings.Repeat("é", 2<<20)) },
		"bytes":     func(ctx context.Context) error { return list(ctx, "a\xffb\x00\x1b[31m é") },
		"obedient":  func(ctx context.Context) error { return ring(ctx, false) },
		"stubborn":  func(ctx context.Context) error { return ring(ctx, true) },
		"absent":    func(context.Context) error { fmt.Println("I would rather not."); return nil },
		"mute":      func(context.Context) error { fmt.Println("API error: 529"); os.Exit(1); return nil },
		"hang":      func(context.Context) error { return hang() },
		"family":    func(context.Context) error { return family(true) },
		"child":     func(context.Context) error { return child() },
		"handshake": handshake,
		"fail":      fail,
		"crash":     func(context.Context) error { return crash() },
		"leftover":  leftover,
		"daemon":    daemon,
		"noisy":     noisy,
		"tell":      tell,
		"secrets":   secrets,
	}
}

func handshake(ctx context.Context) error {
	s, err := connect(ctx, overHTTP())
	if err != nil {
		return err
	}
	return s.Close()
}

func fail(ctx context.Context) error {
	if err := list(ctx, "never the answer"); err != nil {
		return err
	}
	return fmt.Errorf("%s\nmy model is down", strings.Repeat("noise ", 10_000))
}

func crash() error {
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	if err := p.Kill(); err != nil {
		return err
	}
	return hang()
}

// hang does not end by itself, also if it is asked to.
func hang() error {
	signal.Ignore(syscall.SIGTERM)
	<-make(chan int)
	return nil
}

func secrets(ctx context.Context) error {
	said := "at " + os.Getenv("GAUNTLET_MCP_URL") + " with " + os.Getenv("TEST_API_KEY")
	if err := list(ctx, said); err != nil {
		return err
	}
	if os.Getenv("TEST_FAIL") != "" {
		return fmt.Errorf("failed %s", said)
	}
	return nil
}

func overHTTP() sdk.Transport {
	return &sdk.StreamableClientTransport{Endpoint: os.Getenv("GAUNTLET_MCP_URL")}
}

// overStdio starts the server that the configuration names.
func overStdio() sdk.Transport {
	b, err := os.ReadFile(os.Getenv("GAUNTLET_MCP_STDIO_CONFIG"))
	if err != nil {
		exit(err)
	}
	var config struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(b, &config); err != nil {
		exit(err)
	}
	world := config.Servers["world"]
	return &sdk.CommandTransport{Command: exec.Command(world.Command, world.Args...)}
}

func connect(ctx context.Context, t sdk.Transport) (*sdk.ClientSession, error) {
	return sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil).Connect(ctx, t, nil)
}

// list asks for the tools and answers.
func list(ctx context.Context, answer string) error {
	s, err := connect(ctx, overHTTP())
	if err != nil {
		return err
	}
	if _, err := s.ListTools(ctx, nil); err != nil {
		return err
	}
	if _, err := io.WriteString(os.Stdout, answer); err != nil {
		return err
	}
	return s.Close()
}

// actWith is a real agent: it asks a model turn by turn and makes its calls.
func actWith(ctx context.Context, t sdk.Transport) error {
	s, err := connect(ctx, t)
	if err != nil {
		return err
	}
	spec := model.Spec{Model: "m", Provider: model.Provider{Name: "test", Wire: model.WireOpenAI, BaseURL: os.Getenv("TEST_MODEL") + "/v1"}}
	client, err := model.Open(spec, model.Options{Clock: clock{}})
	if err != nil {
		return err
	}
	system, err := os.ReadFile(os.Getenv("GAUNTLET_SYSTEM_FILE"))
	if err != nil {
		return err
	}
	task, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	r := model.Request{Model: "m", MaxTokens: 100, Messages: []model.Message{{Role: trace.RoleSystem, Text: string(system)}, {Role: trace.RoleUser, Text: string(task)}}}
	tools, err := s.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	for _, tool := range tools.Tools {
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			return err
		}
		v, _, err := trace.ParseValue(schema)
		if err != nil {
			return err
		}
		r.Tools = append(r.Tools, model.Tool{Name: tool.Name, Description: tool.Description, Parameters: v})
	}
	for {
		reply, err := client.Complete(ctx, r)
		if err != nil {
			return err
		}
		if len(reply.Calls) == 0 {
			fmt.Println(reply.Text)
			return s.Close()
		}
		r.Messages = append(r.Messages, reply.Message())
		for _, c := range reply.Calls {
			text, failed, err := call(ctx, s, c.Name, c.RawArguments)
			if err != nil {
				return err
			}
			r.Messages = append(r.Messages, model.Message{Role: trace.RoleTool, Text: text, CallID: c.ID, IsError: failed})
		}
	}
}

func call(ctx context.Context, s *sdk.ClientSession, name, arguments string) (text string, failed bool, err error) {
	res, err := s.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return "", false, err
	}
	content, ok := res.Content[0].(*sdk.TextContent)
	if !ok {
		return "", false, fmt.Errorf("%T is no text", res.Content[0])
	}
	return content.Text, res.IsError, nil
}

// ring calls the tool of the stage until the episode is over, and then stops or
// does not.
func ring(ctx context.Context, stubborn bool) error {
	s, err := connect(ctx, overHTTP())
	if err != nil {
		return err
	}
	for {
		text, failed, err := call(ctx, s, "ring", `{"text":"ding"}`)
		if err != nil {
			return err
		}
		if failed && strings.Contains(text, "over") {
			break
		}
	}
	fmt.Println("It is over.")
	if stubborn {
		return hang()
	}
	return s.Close()
}

// tell writes down how it was started.
func tell(ctx context.Context) error {
	stdin, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	told := map[string]any{"args": os.Args[1:], "environ": os.Environ(), "stdin": string(stdin), "dir": dir}
	files := map[string]string{}
	entries, err := os.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		b, err := os.ReadFile(e.Name())
		if err != nil {
			return err
		}
		files[e.Name()] = string(b)
	}
	told["files"] = files
	b, err := json.Marshal(told)
	if err != nil {
		return err
	}
	return list(ctx, string(b))
}

// family starts a child, and waits like it if it is told to.
func family(wait bool) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TEST_AGENT=child")
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdout, os.Stderr, []*os.File{w}
	if err := cmd.Start(); err != nil {
		return err
	}
	if _, err := r.Read(make([]byte, 1)); err != nil || !wait {
		return err
	}
	return cmd.Wait()
}

// leftover ends well and leaves a child behind that holds on to its output.
func leftover(ctx context.Context) error {
	if err := list(ctx, "I am done."); err != nil {
		return err
	}
	return family(false)
}

// daemon ends well and leaves behind a child in a session of its own, which keeps
// nothing of its parent but the environment, and a folder that may not be changed.
func daemon(ctx context.Context) error {
	if err := list(ctx, "I am done."); err != nil {
		return err
	}
	if err := os.MkdirAll("locked/inner", 0o700); err != nil {
		return err
	}
	if err := os.Chmod("locked", 0o500); err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TEST_AGENT=child")
	cmd.ExtraFiles = []*os.File{w}
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = r.Read(make([]byte, 1))
	return err
}

// noisy writes more to both outputs than anybody wants to keep, and ends well.
func noisy(ctx context.Context) error {
	if err := list(ctx, "the answer"); err != nil {
		return err
	}
	line := []byte(strings.Repeat("noise ", 1<<13))
	for range 200 {
		if _, err := os.Stdout.Write(line); err != nil {
			return err
		}
		if _, err := os.Stderr.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// child opens the pipe TEST_PIPE, says so, and does not end by itself.
func child() error {
	f, err := os.OpenFile(os.Getenv("TEST_PIPE"), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString("here"); err != nil {
		return err
	}
	if _, err := os.NewFile(3, "ready").Write([]byte{1}); err != nil {
		return err
	}
	return hang()
}
