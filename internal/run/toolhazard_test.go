package run_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gauntlet/internal/agent"
	"gauntlet/internal/convert"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/summary"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
	"gauntlet/worlds"
)

// These tests repeat measurements that were made with the reference code in
// CPython on the published data of ToolHazard, and log each figure.

// published returns the folder of the published ToolHazard data, or skips.
func published(t testing.TB) string {
	t.Helper()
	root := os.Getenv("GAUNTLET_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir, err := filepath.Abs(filepath.Join(root, "toolhazard"))
	if err == nil {
		_, err = os.Stat(dir)
	}
	if err != nil {
		t.Skip("the published ToolHazard data is absent (GAUNTLET_SHARED names the folder that holds it): ", err)
	}
	return dir
}

// testSet are the files of the published test set.
func testSet(t testing.TB) (envs, tasks []string) {
	t.Helper()
	dir := filepath.Join(published(t), "test_set")
	tasks, err := filepath.Glob(filepath.Join(dir, "rl_task_top_5_IPI_*.json"))
	if err != nil || len(tasks) != 6 {
		t.Fatalf("found %d task files of the test set, want 6 (%v)", len(tasks), err)
	}
	return []string{filepath.Join(dir, "env_with_attack_points.json")}, tasks
}

// imports holds the imported suites of this test binary by name.
var imports struct {
	sync.Mutex
	suites map[string]*suite.Suite
}

// imported returns the suite made from some files; each is made once.
func imported(t testing.TB, name string, envs, tasks []string) *suite.Suite {
	t.Helper()
	imports.Lock()
	defer imports.Unlock()
	if s, ok := imports.suites[name]; ok {
		return s
	}
	out := filepath.Join(t.TempDir(), name)
	r, err := convert.ToolHazard(convert.Options{Envs: envs, Tasks: tasks, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Refused {
		t.Errorf("refused on import: %+v", f)
	}
	s, err := suite.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if imports.suites == nil {
		imports.suites = map[string]*suite.Suite{}
	}
	imports.suites[name] = s
	return s
}

// bench is the published test set as a suite.
func bench(t testing.TB) *suite.Suite {
	envs, tasks := testSet(t)
	s := imported(t, "test_set", envs, tasks)
	if len(s.Worlds) != 33 || len(s.Cases) != 502 {
		t.Fatalf("imported %d worlds and %d cases, want 33 and 502", len(s.Worlds), len(s.Cases))
	}
	return s
}

// blueprint compiles a world of a suite.
func blueprint(t testing.TB, s *suite.Suite, id string) *world.Blueprint {
	t.Helper()
	w, ok := s.World(id)
	if !ok {
		t.Fatalf("the suite has no world %s", id)
	}
	b, err := w.Blueprint()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// start begins an episode of a world.
func start(t testing.TB, b *world.Blueprint, state trace.Value, o world.Options) *world.Instance {
	t.Helper()
	in, err := b.New(state, o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// state is the present state of an episode.
func state(t testing.TB, in *world.Instance) trace.Value {
	t.Helper()
	v, err := in.State()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// differences counts what differs and reports the first few.
type differences struct {
	t testing.TB
	n int
}

func (d *differences) report(format string, args ...any) {
	d.t.Helper()
	if d.n++; d.n <= 10 {
		d.t.Errorf(format, args...)
	} else {
		d.t.Fail()
	}
}

// lines calls f with every line of a JSON Lines file.
func lines(t *testing.T, r io.Reader, f func(line []byte)) {
	t.Helper()
	s := bufio.NewScanner(r)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		f(s.Bytes())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestGoldenChecks compares every check on the initial states with CPython.
func TestGoldenChecks(t *testing.T) {
	s := bench(t)
	file, err := os.ReadFile(filepath.Join(published(t), "golden", "check_init.jsonl"))
	if err != nil {
		t.Skip("the recorded check results are absent: ", err)
	}
	checker, d := score.NewChecker(), differences{t: t}
	compared, raised := 0, 0
	lines(t, bytes.NewReader(file), func(line []byte) {
		var row struct {
			ID       string `json:"task_id"`
			Benign   []any  `json:"benign"`
			Injected []any  `json:"injected"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		c, ok := s.Case(row.ID)
		if !ok {
			t.Fatalf("the suite has no case %s", row.ID)
		}
		in := start(t, blueprint(t, s, c.World), c.State, world.Options{Compat: true, Start: c.Time})
		snap, err := in.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		o := score.Options{Compat: true, Now: in.Now()}
		got := checker.Run(c.Checks, snap, snap, o).Checks
		got = append(got, checker.Run(c.Attack.Checks, snap, snap, o).Checks...)
		want := append(row.Benign, row.Injected...)
		if len(got) != len(want) {
			t.Fatalf("%s has %d checks, want %d", row.ID, len(got), len(want))
		}
		for i, w := range want {
			compared++
			if row, ok := w.(map[string]any); ok {
				raised++
				if got[i].Holds || got[i].Error != row["error"] {
					d.report("%s check %d: got %+v, want error %v", c.ID, i, got[i], row["error"])
				}
			} else if got[i].Error != "" || got[i].Holds != w {
				d.report("%s check %d: got %+v, want %v", c.ID, i, got[i], w)
			}
		}
	})
	t.Logf("checks on the initial states: %d/%d equal, %d of them raise", compared-d.n, compared, raised)
	if compared != 11762 || raised != 1 {
		t.Errorf("compared %d checks of which %d raise, want 11762 and 1", compared, raised)
	}
}

// golden is one recorded tool call.
type golden struct{ task, tool, arguments, observation, exception, yaml, state trace.Value }

// goldenCalls reads the recorded tool calls.
func goldenCalls(t *testing.T, f func(golden)) {
	t.Helper()
	file, err := os.Open(filepath.Join(published(t), "golden", "tool_calls.jsonl.gz"))
	if err != nil {
		t.Skip("the recorded tool calls are absent: ", err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines(t, z, func(line []byte) {
		v, _, err := trace.ParseValue(line)
		if err != nil {
			t.Fatal(err)
		}
		f(golden{v.Get("task_id"), v.Get("tool"), v.Get("arguments"), v.Get("observation"), v.Get("exception"), v.Get("yaml"), v.Get("state")})
	})
}

// failure is the published form of an error: Type: message.
func failure(e *trace.CallError) string {
	if e == nil {
		return ""
	}
	if e.Message == "" {
		return e.Type
	}
	return e.Type + ": " + e.Message
}

// kept is the attribute in which a published class keeps its argument. A
// comparison of states leaves it out.
const kept = "init_config"

// TestGoldenCalls repeats recorded tool calls of CPython in compat mode.
func TestGoldenCalls(t *testing.T) {
	s := bench(t)
	fresh := map[string]*world.Instance{} // by case and format: forked for each call
	call := func(g golden, f trace.Format) (world.Result, trace.Value) {
		key := g.task.Text() + string(f)
		in := fresh[key]
		if in == nil {
			c, ok := s.Case(g.task.Text())
			if !ok {
				t.Fatalf("the suite has no case %s", g.task.Text())
			}
			in = start(t, blueprint(t, s, c.World), c.State, world.Options{Compat: true, Format: f, Start: c.Time})
			fresh[key] = in
		}
		in, err := in.Fork()
		if err != nil {
			t.Fatal(err)
		}
		r, err := in.Call(context.Background(), g.tool.Text(), g.arguments)
		if err != nil {
			t.Fatal(err)
		}
		return r, state(t, in)
	}
	d := differences{t: t}
	calls, raised, yaml := 0, 0, 0
	goldenCalls(t, func(g golden) {
		calls++
		label := fmt.Sprintf("%s %s(%s)", g.task.Text(), g.tool.Text(), g.arguments)
		r, after := call(g, trace.FormatText)
		if got := failure(r.Error); got != g.exception.Text() {
			d.report("%s: got exception %q, want %q", label, got, g.exception.Text())
			return
		}
		if r.Error != nil {
			raised++
		} else if r.Text != g.observation.Text() {
			d.report("%s: got\n%s\nwant\n%s", label, r.Text, g.observation.Text())
			return
		}
		if !trace.Equal(after.Without(kept), g.state.Without(kept)) {
			d.report("%s: the state after it differs: %v", label, trace.Diff(g.state.Without(kept), after.Without(kept)))
			return
		}
		if g.yaml.Kind() != trace.KindString {
			return
		}
		yaml++
		if r, _ := call(g, trace.FormatYAML); r.Text != g.yaml.Text() {
			d.report("%s: got YAML\n%s\nwant\n%s", label, r.Text, g.yaml.Text())
		}
	})
	t.Logf("recorded tool calls: %d/%d equal in observation and state, %d of them exceptions, %d also in YAML", calls-d.n, calls, raised, yaml)
	if calls != 4129 || raised != 39 || yaml != 4129-39-14 {
		t.Errorf("compared %d calls, %d exceptions, %d in YAML; want 4129, 39 and 4076", calls, raised, yaml)
	}
}

// playNamed plays a suite with agents that need nothing from outside.
func playNamed(t testing.TB, s *suite.Suite, agents []string, seed uint64, limit int, o run.Options) []*run.Outcome {
	t.Helper()
	var configs []agent.Config
	for _, name := range agents {
		configs = append(configs, agent.Config{Scaffold: name})
	}
	cells, err := run.Cross(s, configs, agent.Env{}, seed, limit)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := run.Run(context.Background(), s, cells, o)
	if err != nil {
		t.Fatal(err)
	}
	return outcomes
}

// all is the summary over all strategies of the only agent of a run.
func all(t *testing.T, outcomes []*run.Outcome) summary.Group {
	t.Helper()
	sum, err := summary.Summarize(outcomes, summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range sum.Groups {
		if g.Strategy == summary.AllStrategies {
			return g
		}
	}
	t.Fatalf("no row over all strategies in %+v", sum.Groups)
	return summary.Group{}
}

// TestPublishedBaseline measures what the test set gives for doing nothing.
func TestPublishedBaseline(t *testing.T) {
	s := bench(t)
	outcomes := playNamed(t, s, []string{"reference:noop"}, 1, 0, run.Options{Compat: true})
	unassessed := 0
	for _, o := range outcomes {
		if o.Excluded != "" || o.Benign.Outcome == score.Unassessed || o.Injected == nil || o.Injected.Outcome == score.Unassessed {
			unassessed++
			t.Errorf("%s: excluded %q, benign %q, injected %+v", o.Case, o.Excluded, o.Benign.Cause, o.Injected)
		}
	}
	sum := all(t, outcomes)
	mean, _ := sum.Benign.Value()
	attack, ok := sum.Attack.Value()
	t.Logf("doing nothing, compat: %d cells, BR mean %.4f, BR strict %d/%d, ASR mean %.4f, any %d/%d, strict %d/%d, %d unassessed",
		sum.Cells, mean, sum.Strict.Successes, sum.Strict.N, attack, sum.AttackAny.Successes, sum.AttackAny.N, sum.AttackStrict.Successes, sum.AttackStrict.N, unassessed)
	if sum.Cells != 502 || math.Round(mean*1e4) != 1174 || sum.Strict.Successes != 0 {
		t.Errorf("%d cells, BR mean %.4f, strict %d; want 502, 0.1174 and 0", sum.Cells, mean, sum.Strict.Successes)
	}
	if !ok || attack != 0 || sum.AttackAny.N != 502 || sum.AttackAny.Successes != 0 || sum.AttackStrict.Successes != 0 {
		t.Errorf("ASR mean %v, any %+v, strict %+v; want 0 of 502", attack, sum.AttackAny, sum.AttackStrict)
	}
}

// TestPublishedReplay plays the recorded runs again.
func TestPublishedReplay(t *testing.T) {
	dir := published(t)
	one := filepath.Join(dir, "env_1")
	var total summary.Replay
	for _, r := range []struct {
		file  string
		suite *suite.Suite
		want  summary.Replay
	}{
		{"gpt-5-prompt_2026-08-01-15-47-22.json", bench(t), summary.Replay{Calls: 268, Equal: 268, Benign: 25, BenignOK: 25, Attack: 25, AttackOK: 25}},
		{"qwen3-8b-fc_2026-08-01-13-11-54.json",
			imported(t, "env_1", []string{filepath.Join(one, "filtered_env_metadata_with_attack_points.json")}, []string{filepath.Join(one, "test_task_1_IPI_all_new.json")}),
			summary.Replay{Calls: 99, Equal: 99, Exceptions: 6, Benign: 11, BenignOK: 11, Attack: 11, AttackOK: 11}},
	} {
		outcomes := playNamed(t, r.suite, []string{"replay:" + filepath.Join(dir, "runs", r.file)}, 1, 0, run.Options{Compat: true})
		got, ok := summary.Replays(outcomes)
		if !ok || got != r.want {
			t.Errorf("%s: got %+v, want %+v", r.file, got, r.want)
		}
		for _, o := range outcomes {
			if o.Compare == nil {
				continue
			}
			for _, c := range o.Compare.Different {
				t.Logf("%s %s:\n got %s\nwant %s", o.Case, c.Tool, c.Got, c.Want)
			}
		}
		total.Calls, total.Equal, total.Exceptions = total.Calls+got.Calls, total.Equal+got.Equal, total.Exceptions+got.Exceptions
		total.Benign, total.BenignOK = total.Benign+got.Benign, total.BenignOK+got.BenignOK
		total.Attack, total.AttackOK = total.Attack+got.Attack, total.AttackOK+got.AttackOK
	}
	t.Logf("replay: calls %d/%d equal, %d of them exceptions; BR %d/%d, ASR %d/%d equal",
		total.Equal, total.Calls, total.Exceptions, total.BenignOK, total.Benign, total.AttackOK, total.Attack)
}

// misfits are arguments that few tools expect.
var misfits = []trace.Value{
	trace.Null(), trace.String(""), trace.String("unknown-id"), trace.Int(0), trace.Int(-1), trace.Array(), trace.Object(),
	trace.Array(trace.String("x")), trace.Object(trace.Field{Key: "a", Value: trace.Int(1)}), trace.Bool(true), trace.Float(3.5),
}

// everywhere gives every parameter of a tool the same value.
func everywhere(tool world.Tool, v trace.Value) trace.Value {
	fields := make([]trace.Field, len(tool.Params))
	for i, p := range tool.Params {
		fields[i] = trace.Field{Key: p.Name, Value: v}
	}
	return trace.Object(fields...)
}

// misfitWorlds calls f for every world of the test set, with the state of its
// first case (an empty one for the five worlds that no case uses).
func misfitWorlds(t *testing.T, f func(b *world.Blueprint, state trace.Value)) {
	t.Helper()
	s := bench(t)
	first := map[string]trace.Value{}
	for _, c := range s.Cases {
		if _, ok := first[c.World]; !ok {
			first[c.World] = c.State
		}
	}
	for _, id := range s.WorldIDs() {
		f(blueprint(t, s, id), first[id])
	}
}

// TestMisfits calls every published tool with arguments that do not fit. No
// call ends the episode, and none that fails changes the state.
func TestMisfits(t *testing.T) {
	d := differences{t: t}
	tools, calls, failed := 0, 0, map[string]int{}
	misfitWorlds(t, func(b *world.Blueprint, from trace.Value) {
		in := start(t, b, from, world.Options{Seed: 1})
		before := state(t, in)
		for _, tool := range b.Tools {
			tools++
			for _, v := range misfits {
				calls++
				r, err := in.Call(context.Background(), tool.Name, everywhere(tool, v))
				if err != nil {
					t.Fatalf("%s %s(%s) ended the episode: %v", b.ID, tool.Name, v, err)
				}
				if r.Text == "" {
					d.report("%s %s(%s): no observation", b.ID, tool.Name, v)
				}
				after := state(t, in)
				if r.Error != nil {
					failed[r.Error.Type]++
					if after.String() != before.String() || r.Changed || len(r.Writes) > 0 {
						d.report("%s %s(%s) failed (%s) and left changes %v %v", b.ID, tool.Name, v, failure(r.Error), r.Writes, trace.Diff(before, after))
					}
				}
				before = after
			}
		}
	})
	t.Logf("misfits: %d calls of %d tools, errors %v, %d with a changed state or without an observation", calls, tools, failed, d.n)
	if tools != 608 || calls != 6688 {
		t.Errorf("made %d calls of %d tools, want 6688 of 608", calls, tools)
	}
}

// TestMisfitsCompat counts how often the same calls raise when nothing guards
// the published tools.
func TestMisfitsCompat(t *testing.T) {
	calls, raised := 0, map[string]int{}
	misfitWorlds(t, func(b *world.Blueprint, from trace.Value) {
		fresh := start(t, b, from, world.Options{Seed: 1, Compat: true})
		for _, tool := range b.Tools {
			for _, v := range misfits {
				calls++
				in, err := fresh.Fork()
				if err != nil {
					t.Fatal(err)
				}
				r, err := in.Call(context.Background(), tool.Name, everywhere(tool, v))
				if err != nil {
					t.Fatalf("%s %s(%s): %v", b.ID, tool.Name, v, err)
				}
				if r.Error != nil {
					raised[r.Error.Type]++
				}
			}
		}
	})
	sum := 0
	for _, n := range raised {
		sum += n
	}
	t.Logf("misfits, compat: %d calls, %d raise: %v", calls, sum, raised)
	if calls != 6688 || sum != 2033 || raised["TypeError"] != 1967 || raised["AttributeError"] != 66 {
		t.Errorf("%d of %d calls raise (%v); want 2033 of 6688, 1967 TypeError and 66 AttributeError", sum, calls, raised)
	}
}

// traces is a digest of all traces of a run, and how many bytes they have.
func traces(t *testing.T, s *suite.Suite, agents []string, limit int, o run.Options) (string, int) {
	t.Helper()
	h, n := sha256.New(), 0
	o.Sink = func(c *run.Outcome) error {
		var b bytes.Buffer
		if err := trace.Encode(&b, c.Trace); err != nil {
			return err
		}
		n += b.Len()
		_, err := h.Write(b.Bytes())
		return err
	}
	playNamed(t, s, agents, 7, limit, o)
	return fmt.Sprintf("%x", h.Sum(nil)), n
}

// sameTraces plays a suite with one and with two processors.
func sameTraces(t *testing.T, s *suite.Suite, agents []string, limit int) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, n := traces(t, s, agents, limit, run.Options{})
	runtime.GOMAXPROCS(2)
	two, m := traces(t, s, agents, limit, run.Options{})
	seven, k := traces(t, s, agents, limit, run.Options{Workers: 7})
	t.Logf("%s %s: %d bytes of traces with GOMAXPROCS 1, %d with 2, %d with 7 workers, sha256 %.12s", s.Name, strings.Join(agents, " "), n, m, k, one)
	if one != two || one != seven || n == 0 {
		t.Errorf("the traces differ: %s with GOMAXPROCS 1, %s with 2, %s with 7 workers", one, two, seven)
	}
}

// TestDeterministic compares traces of runs with different numbers of processors.
func TestDeterministic(t *testing.T) {
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	sameTraces(t, s, references, 0)
	t.Run("published", func(t *testing.T) {
		sameTraces(t, bench(t), []string{"reference:random"}, 170)
	})
}
