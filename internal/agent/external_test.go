package agent

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gauntlet/internal/trace"
)

// patience is a clock on which nothing takes any time, or, if it is endless, on
// which waiting takes for ever.
type patience struct{ endless bool }

func (patience) Now() time.Time { return time.Time{} }
func (p patience) Sleep(ctx context.Context, _ time.Duration) error {
	if p.endless {
		<-ctx.Done()
	}
	return ctx.Err()
}

// others is the external agent of these tests, which does one of the acts.
func others(t *testing.T, act string, p patience, environ ...string) *external {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(Config{Scaffold: "external", Command: []string{program}},
		Env{Clock: p, Environ: append(os.Environ(), append(environ, "TEST_AGENT="+act)...), Program: program})
	if err != nil {
		t.Fatal(err)
	}
	return a.(*external)
}

// cleared checks that an agent left nothing behind.
func cleared(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}

func TestExternalEnds(t *testing.T) {
	limited := func(calls int, d time.Duration) Limits { return Limits{Calls: calls, Time: d} }
	for _, c := range []struct {
		act    string
		limits Limits
		clock  patience
		cause  trace.Cause     // of an end without a failure; "" is the episode's own
		kind   trace.ErrorKind // of a failure
		words  string          // of the answer, or of the failure
		calls  int
	}{
		{act: "list", cause: trace.CauseAgentDone, words: "All done."},
		{act: "absent", kind: trace.ErrorAgent, words: "never connected"},
		{act: "handshake", kind: trace.ErrorAgent, words: "never connected"}, // it cannot have known its tools
		{act: "fail", kind: trace.ErrorAgent, words: "exit status 3: "},
		{act: "fail", kind: trace.ErrorAgent, words: "my model is down"},
		{act: "mute", kind: trace.ErrorAgent, words: "before it asked for its tools: API error: 529"},
		{act: "crash", kind: trace.ErrorAgent, words: "signal: killed"},
		{act: "hang", limits: limited(0, time.Millisecond), kind: trace.ErrorTimeout, words: "not done after 1ms"},
		{act: "obedient", limits: limited(2, 0), clock: patience{endless: true}, words: "It is over.", calls: 2},
		{act: "stubborn", limits: limited(2, 0), calls: 2},
	} {
		t.Run(c.act, func(t *testing.T) {
			s := newStage()
			s.setting.Limits = c.limits
			end, err := others(t, c.act, c.clock).Run(t.Context(), s)
			var f *Failure
			switch {
			case c.kind != "":
				if !errors.As(err, &f) || f.Kind != c.kind || !strings.Contains(f.Error(), c.words) {
					t.Errorf("error %v of kind %v, want %s: %s", err, f, c.kind, c.words)
				}
				if len(err.Error()) > maxWords+500 {
					t.Errorf("the error has %d bytes", len(err.Error()))
				}
				if end.Cause != "" || len(s.replies()) != 0 {
					t.Errorf("a failure ended with %q and %d steps", end.Cause, len(s.replies()))
				}
			case err != nil || end.Cause != c.cause:
				t.Errorf("ended with %q, %v; want %q", end.Cause, err, c.cause)
			default:
				var said []string
				for _, r := range s.replies() {
					if len(r.Calls) == 0 {
						said = append(said, r.Text)
					}
				}
				if strings.Join(said, "|") != c.words {
					t.Errorf("answers %q, want %q", said, c.words)
				}
			}
			if s.calls != c.calls {
				t.Errorf("%d calls, want %d", s.calls, c.calls)
			}
			cleared(t)
		})
	}
}

func TestExternalThatCannotStart(t *testing.T) {
	for _, command := range []string{"/nonexistent/agent", "no-such-agent-here", t.TempDir()} {
		a, err := New(Config{Scaffold: "external", Command: []string{command}}, Env{Clock: patience{}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.Run(t.Context(), newStage())
		var f *Failure
		if !errors.As(err, &f) || f.Kind != trace.ErrorAgent || !strings.Contains(f.Error(), "start agent") || !strings.Contains(f.Error(), "PATH") {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// A file that is named from where the user stands is not found in the agent's
// folder; the error says so.
func TestExternalHintsAtRelativePaths(t *testing.T) {
	a := &external{command: []string{"python3", "--flag", "external_test.go"}}
	if hint := a.astray(); !strings.Contains(hint, `"external_test.go" as an absolute path`) {
		t.Errorf("hint %q", hint)
	}
	here, err := filepath.Abs("external_test.go")
	if err != nil {
		t.Fatal(err)
	}
	a.command[2] = here
	if hint := a.astray(); hint != "" {
		t.Errorf("hint %q about an absolute path", hint)
	}
	a.command[0] = "./agent.go"
	if got := a.path(); got != filepath.Join(filepath.Dir(here), "agent.go") {
		t.Errorf("program %s", got)
	}
}

func TestExternalIsToldItsTask(t *testing.T) {
	s := newStage()
	s.c.Task = "Say {system} and {dir}; 鐘を鳴らす。\x00\xed\xa0\x80"
	s.setting.Seed, s.setting.Epoch = 7, 3
	a := others(t, "tell", patience{endless: true}, "GAUNTLET_TASK=an older one", "GAUNTLET_OTHER=kept")
	a.command = append(a.command, "--file={task_file}", "{mcp_config}", "{mcp_stdio_config}", "{mcp_url}", "{system_file}", "{dir}/x", "{seed}/{epoch}", "{other}", "{system}", "$HOME")
	if _, err := a.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	var told struct {
		Args, Environ []string
		Stdin, Dir    string
		Files         map[string]string
	}
	if err := json.Unmarshal([]byte(s.replies()[0].Text), &told); err != nil {
		t.Fatal(err)
	}
	dir, system := told.Dir, a.Prompt(s)
	task := "Say {system} and {dir}; 鐘を鳴らす。\x00\uFFFD"
	in := func(name string) string { return filepath.Join(dir, name) }
	var urls struct {
		Servers struct{ World struct{ URL, Type string } } `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(told.Files["mcp.json"]), &urls); err != nil {
		t.Fatal(err)
	}
	url := urls.Servers.World.URL
	want := []string{"--file=" + in("task.txt"), in("mcp.json"), in("mcp-stdio.json"), url, in("system.txt"), dir + "/x", "7/3", "{other}", system, "$HOME"}
	if !slices.Equal(told.Args, want) {
		t.Errorf("arguments %q\nwant %q", told.Args, want)
	}
	if told.Stdin != task || told.Files["task.txt"] != task || told.Files["system.txt"] != system || urls.Servers.World.Type != "http" {
		t.Errorf("standard input %q, files %q", told.Stdin, told.Files)
	}
	for _, v := range []string{"GAUNTLET_SYSTEM=" + system, "GAUNTLET_MCP_URL=" + url, "GAUNTLET_SEED=7", "GAUNTLET_EPOCH=3", "GAUNTLET_DIR=" + dir,
		"GAUNTLET_TASK_FILE=" + in("task.txt"), "GAUNTLET_SYSTEM_FILE=" + in("system.txt"), "GAUNTLET_MCP_CONFIG=" + in("mcp.json"),
		"GAUNTLET_MCP_STDIO_CONFIG=" + in("mcp-stdio.json"), "GAUNTLET_OTHER=kept", "PWD=" + dir} {
		if !slices.Contains(told.Environ, v) {
			t.Errorf("the environment has no %s", v)
		}
	}
	// No environment can hold this task.
	if slices.ContainsFunc(told.Environ, func(v string) bool { return strings.HasPrefix(v, "GAUNTLET_TASK=") }) {
		t.Error("the environment has a task, and not this one")
	}
	if !strings.HasPrefix(url, "http://127.0.0.1:") || len(url[strings.LastIndex(url, "/")+1:]) != 5 {
		t.Errorf("URL %s: the token was not taken out of the record", url)
	}
	cleared(t)
}

func TestExternalSaysWhatToolsSays(t *testing.T) {
	for _, c := range []Config{{}, {User: "Eve"}, {System: "You are in ${title}. ${rules}"}} {
		s := newStage()
		s.setting.Defence, _ = FindDefence("delimit")
		c.Scaffold, c.Command = "external", []string{"x"}
		a, err := New(c, Env{Clock: patience{}})
		if err != nil {
			t.Fatal(err)
		}
		n := native{driver{config: Config{System: c.System, User: c.User}}}
		if got, want := a.(Prompted).Prompt(s), n.Prompt(s); got != want || !strings.Contains(got, "<< and >>") {
			t.Errorf("prompt %q, want %q", got, want)
		}
	}
}

func TestExternalAnswers(t *testing.T) {
	s := newStage()
	if _, err := others(t, "bytes", patience{endless: true}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if got := s.replies()[0].Text; got != "a\uFFFDb\x00\x1b[31m é" {
		t.Errorf("answer %q", got)
	}
	s = newStage()
	if _, err := others(t, "big", patience{endless: true}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	got := s.replies()[0].Text
	if len(got) != maxAnswer-1 || !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) {
		t.Errorf("answer of %d bytes, want the %d that are whole", len(got), maxAnswer-1)
	}
}

func TestExternalKeepsSecretsOutOfTheRecord(t *testing.T) {
	const key = "sk-0123456789abcdef"
	s := newStage()
	if _, err := others(t, "secrets", patience{endless: true}, "TEST_API_KEY="+key).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	said := s.replies()[0].Text
	if strings.Contains(said, key) || !strings.HasPrefix(said, "at http://127.0.0.1:") || !strings.HasSuffix(said, "/TOKEN with [TEST_API_KEY]") {
		t.Errorf("answer %q", said)
	}
	_, err := others(t, "secrets", patience{endless: true}, "TEST_API_KEY="+key, "TEST_FAIL=1").Run(t.Context(), s)
	if err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "/TOKEN with [TEST_API_KEY]") {
		t.Errorf("error %v", err)
	}
}

func TestExternalRefusesWhatItCannotUse(t *testing.T) {
	clock := patience{}
	for name, c := range map[string]struct {
		config Config
		env    Env
		want   string
	}{
		"no command":  {Config{}, Env{Clock: clock}, "needs a command"},
		"no program":  {Config{Command: []string{""}}, Env{Clock: clock}, "needs a command"},
		"model":       {Config{Command: []string{"x"}, Model: "openai:m"}, Env{Clock: clock}, "its own model"},
		"parameters":  {Config{Command: []string{"x"}, Params: Params{MaxTokens: 1}}, Env{Clock: clock}, "parameters"},
		"argument":    {Config{Scaffold: "external:x", Command: []string{"x"}}, Env{Clock: clock}, "no argument"},
		"system":      {Config{Command: []string{"x"}, System: "${rulez}"}, Env{Clock: clock}, "${rulez}"},
		"no clock":    {Config{Command: []string{"x"}}, Env{}, "clock"},
		"no gauntlet": {Config{Command: []string{"x", "{mcp_stdio_config}"}}, Env{Clock: clock}, "gauntlet"},
	} {
		if c.config.Scaffold == "" {
			c.config.Scaffold = "external"
		}
		if _, err := New(c.config, c.env); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	s := newStage()
	s.setting.Defence, _ = FindDefence("repeat_task")
	var x *Excluded
	if _, err := others(t, "list", clock).Run(t.Context(), s); !errors.As(err, &x) {
		t.Errorf("a defence that cannot be shown: %v", err)
	}
}

// faulty is an episode in which a call fails, or panics.
type faulty struct {
	*stage
	err error
}

func (f faulty) Act(_ context.Context, turn trace.Step) (trace.Step, error) {
	if f.err == nil {
		panic("a fault of ours")
	}
	return turn, f.err
}

func TestExternalInAWorldThatFails(t *testing.T) {
	broken := errors.New("the world is broken")
	if _, err := others(t, "obedient", patience{endless: true}).Run(t.Context(), faulty{newStage(), broken}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	var f *Failure
	if _, err := others(t, "obedient", patience{endless: true}).Run(t.Context(), faulty{newStage(), nil}); !errors.As(err, &f) || f.Kind != trace.ErrorInternal {
		t.Errorf("a panic: %v", err)
	}
}

func TestDoorThatIsShut(t *testing.T) {
	s := newStage()
	d := newDoor(s)
	turn := trace.Step{Calls: []trace.Call{{Name: "ring", Arguments: trace.Object()}}}
	if _, err := d.Act(t.Context(), turn); err != nil || s.calls != 1 || !d.asked.Load() {
		t.Fatalf("%d calls, %v", s.calls, err)
	}
	// close waits for a call that is carried out.
	started, release, closed := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s.during = func() { close(started); <-release }
	go func() {
		_, _ = d.Act(context.Background(), turn)
		close(closed)
	}()
	<-started
	go close(release)
	d.close()
	if s.calls != 2 || len(s.steps) != 2 {
		t.Errorf("%d calls, %d steps when the door was shut", s.calls, len(s.steps))
	}
	<-closed
	if _, err := d.Act(t.Context(), turn); !errors.Is(err, ErrOver) || s.calls != 2 {
		t.Errorf("a call through a shut door: %v, %d calls", err, s.calls)
	}
}
