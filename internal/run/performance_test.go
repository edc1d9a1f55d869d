package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
	"gauntlet/worlds"
)

var (
	performance = flag.Bool("performance", false, "measure and rewrite docs/performance.md")
	repeats     = flag.Int("performance-repeats", 5, "how often each program is timed")
)

// referenceNoop does in CPython what the no-op run does: it loads the published
// files, runs the module of each case's world anew, so that no case sees another,
// constructs the world, copies its state, and runs the checks. With the argument
// "cache" it compiles equal source once, as Gauntlet does.
const referenceNoop = `
import copy, json, sys

cache = {} if sys.argv[1] == "cache" else None

def compiled(source):
    code = cache.get(source) if cache is not None else None
    if code is None:
        code = compile(source, "<source>", "exec")
        if cache is not None:
            cache[source] = code
    return code

def share(checks, initial, final):
    held = 0
    for check in checks:
        names = {"initial_state": initial}
        try:
            exec(compiled(check["check_func"]), names)
            held += names["check_func"](final) is True
        except Exception:
            pass
    return held / len(checks)

def state(world):
    return copy.deepcopy({k: v for k, v in vars(world).items() if not (k.startswith("__") and k.endswith("__"))})

with open(sys.argv[2], encoding="utf-8") as f:
    environments = json.load(f)
benign, injected = [], []
for path in sys.argv[3:]:
    with open(path, encoding="utf-8") as f:
        tasks = json.load(f)
    for task in tasks:
        environment, names = environments[task["env_id"]], {}
        exec(compiled(environment["env_class_code"]), names)
        config = copy.deepcopy(task["init_config"])
        world = names[environment["env_class_name"]](config)
        for key, value in config.items():
            setattr(world, key, value)
        initial, final = state(world), state(world)
        benign.append(share(task["checklist_with_func"], initial, final))
        injected.append(share(task["injected_checklist_with_func"], initial, final))
print(json.dumps({"cells": len(benign), "benign": sum(benign) / len(benign), "injected": sum(injected) / len(injected)}))
`

// timing is the cost of one program: wall and processor times of its runs.
type timing struct{ wall, cpu []time.Duration }

func (t *timing) add(d timing) { t.wall, t.cpu = append(t.wall, d.wall...), append(t.cpu, d.cpu...) }

// quantile is the value at q of a sorted series.
func quantile(list []time.Duration, q float64) time.Duration {
	s := slices.Clone(list)
	slices.Sort(s)
	return s[min(int(q*float64(len(s))), len(s)-1)]
}

func (t timing) Median() time.Duration { return quantile(t.wall, .5).Round(time.Millisecond) }
func (t timing) Best() time.Duration   { return quantile(t.wall, 0).Round(time.Millisecond) }
func (t timing) Worst() time.Duration  { return quantile(t.wall, 1).Round(time.Millisecond) }
func (t timing) CPU() time.Duration    { return quantile(t.cpu, .5).Round(time.Millisecond) }

// Times is by what t's median wall time exceeds other's; TimesCPU is the same
// for processor time.
func (t timing) Times(other timing) string    { return times(t.wall, other.wall) }
func (t timing) TimesCPU(other timing) string { return times(t.cpu, other.cpu) }

func times(a, b []time.Duration) string {
	return fmt.Sprintf("%.1f", float64(quantile(a, .5))/float64(quantile(b, .5)))
}

// command runs a program and returns what it printed and what it took.
func command(t *testing.T, dir, name string, args ...string) (string, timing) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, errs.String())
	}
	wall := time.Since(start)
	return out.String(), timing{[]time.Duration{wall}, []time.Duration{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}}
}

// sideBySide times the no-op run of the built program and the same work in
// CPython, taking turns.
func sideBySide(t *testing.T, python string) (ours, plain, cached timing) {
	t.Helper()
	dir := t.TempDir()
	program, out := filepath.Join(dir, "gauntlet"), filepath.Join(dir, "suite")
	envs, tasks := testSet(t)
	root := filepath.Join("..", "..")
	command(t, root, "go", "build", "-o", program, ".")
	args := []string{"import", "toolhazard", "--out", out, "--envs", envs[0]}
	for _, f := range tasks {
		args = append(args, "--tasks", f)
	}
	command(t, root, program, args...)
	reference := func(mode string) timing {
		text, took := command(t, dir, python, append([]string{"-I", "-B", "-c", referenceNoop, mode, envs[0]}, tasks...)...)
		var got struct {
			Cells            int
			Benign, Injected float64
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Cells != 502 || math.Round(got.Benign*1e4) != 1174 || got.Injected != 0 {
			t.Fatalf("the reference program printed %s (%v)", text, err)
		}
		return took
	}
	noop := func() timing {
		text, took := command(t, dir, program, "run", out, "--agent", "reference:noop", "--compat", "--quiet", "--csv", "--no-db")
		if !strings.Contains(text, "502") {
			t.Fatalf("the no-op run printed %s", text)
		}
		return took
	}
	noop() // the files are in the cache of the system afterwards
	reference("plain")
	for range *repeats {
		ours.add(noop())
		plain.add(reference("plain"))
		cached.add(reference("cache"))
	}
	return ours, plain, cached
}

// spread is the distribution of a small cost.
type spread []time.Duration

// Q is a quantile in microseconds.
func (s spread) Q(q float64) string { return fmt.Sprintf("%.1f", float64(quantile(s, q))/1e3) }

// timed measures f once for each of a series.
func timed(n int, f func(i int)) spread {
	s := make(spread, n)
	for i := range s {
		start := time.Now()
		f(i)
		s[i] = time.Since(start)
	}
	return s
}

// costs are the small costs of one set of worlds.
type costs struct {
	Call, New, Fork, State spread
}

// publishedCosts measures the published cases, and the recorded tool calls.
func publishedCosts(t *testing.T) costs {
	s := bench(t)
	instances := make([]*world.Instance, len(s.Cases))
	fresh := func(i int) {
		instances[i] = start(t, blueprint(t, s, s.Cases[i].World), s.Cases[i].State, world.Options{Seed: 1})
	}
	timed(len(s.Cases), fresh) // compiles the worlds
	runtime.GC()
	c := costs{New: timed(len(s.Cases), fresh)}
	c.Fork = timed(len(instances), func(i int) { fork(t, instances[i]) })
	c.State = timed(len(instances), func(i int) { state(t, instances[i]) })
	byCase := map[string]*world.Instance{}
	for i, k := range s.Cases {
		byCase[k.ID] = instances[i]
	}
	var calls []golden
	goldenCalls(t, func(g golden) { calls = append(calls, g) })
	for _, g := range calls {
		in := fork(t, byCase[g.task.Text()])
		c.Call = append(c.Call, timed(1, func(int) { call(t, in, g.tool.Text(), g.arguments) })...)
	}
	return c
}

// bundledCosts measures the bundled suite, and its reference solutions.
func bundledCosts(t *testing.T) costs {
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	var c costs
	for round := range 20 {
		for _, k := range s.Cases {
			if k.Attack != nil {
				continue
			}
			b := blueprint(t, s, k.World)
			var in *world.Instance
			one := costs{New: timed(1, func(int) { in = start(t, b, k.State, world.Options{Seed: 1, Start: k.Time}) })}
			one.Fork = timed(1, func(int) { fork(t, in) })
			one.State = timed(1, func(int) { state(t, in) })
			one.Call = timed(len(k.Solution), func(i int) { call(t, in, k.Solution[i].Tool, k.Solution[i].Arguments) })
			if round > 0 { // the first one compiles
				c.New, c.Fork, c.State, c.Call = append(c.New, one.New...), append(c.Fork, one.Fork...), append(c.State, one.State...), append(c.Call, one.Call...)
			}
		}
	}
	return c
}

func fork(t *testing.T, in *world.Instance) *world.Instance {
	t.Helper()
	n, err := in.Fork()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func call(t *testing.T, in *world.Instance, tool string, args trace.Value) {
	t.Helper()
	if _, err := in.Call(context.Background(), tool, args); err != nil {
		t.Fatal(err)
	}
}

// liveMemory is what 10,000 live episodes of the published cases hold.
func liveMemory(t *testing.T) uint64 {
	s := bench(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	all := make([]*world.Instance, 10_000)
	for i := range all {
		c := s.Cases[i%len(s.Cases)]
		all[i] = start(t, blueprint(t, s, c.World), c.State, world.Options{Seed: uint64(i)})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(all)
	return after.HeapAlloc - before.HeapAlloc
}

// TestPerformance measures and rewrites docs/performance.md:
//
//	go test ./internal/run -run TestPerformance -performance -v
func TestPerformance(t *testing.T) {
	if !*performance {
		t.Skip("measures only with -performance")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: nothing to compare with: ", err)
	}
	version, _ := command(t, ".", python, "--version")
	d := map[string]any{"Machine": machine(), "Python": strings.TrimSpace(version), "Repeats": *repeats}
	ours, plain, cached := sideBySide(t, python)
	d["Ours"], d["Plain"], d["Cached"] = ours, plain, cached
	t.Logf("502-case no-op run: Gauntlet %v, CPython %v (%s times as long, %s times the processor time), with a cache of compiled source %v (%s, %s)",
		ours.Median(), plain.Median(), plain.Times(ours), plain.TimesCPU(ours), cached.Median(), cached.Times(ours), cached.TimesCPU(ours))
	own, published := bundledCosts(t), publishedCosts(t)
	d["Bundled"], d["Published"] = own, published
	t.Logf("tool call p50: bundled %s µs, published %s µs; new %s, %s; fork %s, %s; state %s, %s",
		own.Call.Q(.5), published.Call.Q(.5), own.New.Q(.5), published.New.Q(.5), own.Fork.Q(.5), published.Fork.Q(.5), own.State.Q(.5), published.State.Q(.5))
	d["Live"] = liveMemory(t) >> 20
	t.Logf("10,000 live episodes: %d MiB", d["Live"])
	for name, f := range map[string]func(*testing.B){"Turn": BenchmarkTurn, "Wire": BenchmarkWireTurn, "Thousand": BenchmarkThousandEpisodes} {
		d[name] = figures(testing.Benchmark(f).Extra)
		t.Logf("%s: %v", name, d[name])
	}
	var doc bytes.Buffer
	if err := template.Must(template.New("doc").Parse(performanceDoc)).Execute(&doc, d); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("..", "..", "docs", "performance.md"), doc.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// figures are the metrics of a benchmark.
type figures map[string]float64

// F is a metric with some decimals.
func (f figures) F(name string, decimals int) string {
	return fmt.Sprintf("%.*f", decimals, f[name])
}

// machine describes where the measurement was made.
func machine() string {
	parts := []string{runtime.GOOS + "/" + runtime.GOARCH, fmt.Sprintf("%d processors", runtime.NumCPU()), runtime.Version()}
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(b), "model name"); ok {
			name, _, _ := strings.Cut(rest, "\n")
			parts = append(parts, strings.Trim(name, "\t :"))
		}
	}
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		parts = append(parts, "load before the measurement "+strings.Join(strings.Fields(string(b))[:1], ""))
	}
	return strings.Join(parts, ", ")
}

const performanceDoc = `# Performance

What Gauntlet costs, and how that compares with the same work in CPython. The
numbers below are one measurement; everything between the tables says what was
done, and one command does it again (it needs the published ToolHazard data,
see ` + "`GAUNTLET_SHARED`" + ` in CONTRIBUTING.md, and ` + "`python3`" + `):

` + "```" + `
go test ./internal/run -run TestPerformance -performance -v
` + "```" + `

Machine: {{.Machine}}. Reference: {{.Python}}.

## The 502-case no-op run, side by side

502 published cases: load everything, start 502 worlds, run 10,360 benign and
1,402 injected checks on the initial state. Both programs start as processes of
their own and print the same mean (0.1174); they take turns, {{.Repeats}} times each,
after one round that is not counted. Times are of the whole process; wall times
suffer from other work on the machine (see its load above), processor times less.

| program | wall, median | best | worst | times as long | processor time | times as much |
|---|---|---|---|---|---|---|
| ` + "`gauntlet run SUITE --agent reference:noop --compat`" + ` | {{.Ours.Median}} | {{.Ours.Best}} | {{.Ours.Worst}} | 1 | {{.Ours.CPU}} | 1 |
| CPython, compiling worlds and checks where they stand, as the published evaluation does | {{.Plain.Median}} | {{.Plain.Best}} | {{.Plain.Worst}} | {{.Plain.Times .Ours}} | {{.Plain.CPU}} | {{.Plain.TimesCPU .Ours}} |
| CPython, compiling equal source once, as Gauntlet does | {{.Cached.Median}} | {{.Cached.Best}} | {{.Cached.Worst}} | {{.Cached.Times .Ours}} | {{.Cached.CPU}} | {{.Cached.TimesCPU .Ours}} |

The reference program is our own, some 50 lines, in ` + "`internal/run/performance_test.go`" + `. It reads
the published JSON files and runs the module of a world anew for each case, as Gauntlet
does; Gauntlet reads the suite that it has imported from them, uses all processors, runs the benign checks a second time for the do-nothing
baseline, and keeps a trace of every cell.

## Small costs

Microseconds, single measurements, no compat mode.

| what | bundled p50 | bundled p95 | published p50 | published p95 | target p50 |
|---|---|---|---|---|---|
| tool call (validated, transactional, logged, rendered) | {{.Bundled.Call.Q .5}} | {{.Bundled.Call.Q .95}} | {{.Published.Call.Q .5}} | {{.Published.Call.Q .95}} | 30 |
| new episode | {{.Bundled.New.Q .5}} | {{.Bundled.New.Q .95}} | {{.Published.New.Q .5}} | {{.Published.New.Q .95}} | 100 |
| fork of an episode | {{.Bundled.Fork.Q .5}} | {{.Bundled.Fork.Q .95}} | {{.Published.Fork.Q .5}} | {{.Published.Fork.Q .95}} | 20 |
| state as a value | {{.Bundled.State.Q .5}} | {{.Bundled.State.Q .95}} | {{.Published.State.Q .5}} | {{.Published.State.Q .95}} | - |

Bundled: the reference solutions of all scenarios, 19 times. Published: all 502
cases, and for the calls 4,129 recorded ones, each on a fresh fork.

## The harness around a model

What a turn costs beside the model: request, reply, tool call, state, record, and in
the end the score; on one processor, over the bundled suite (17 calls an episode).

| replies come from | µs a turn | turns a second | target |
|---|---|---|---|
| memory, at once | {{.Turn.F "µs/turn" 0}} | {{.Turn.F "turns/s" 0}} | 2,000 µs, 300 turns/s |
| a scripted HTTP service on the same processor, whose time is in the figure | {{.Wire.F "µs/turn" 0}} | {{.Wire.F "turns/s" 0}} | - |

1,000 episodes at once against a scripted service on the same machine that takes two
seconds for each reply: {{.Thousand.F "×bound" 3}} times the latency bound (the longest episode's
replies times two seconds; target: 1.15), {{.Thousand.F "turns/s" 0}} turns a second, at most {{.Thousand.F "MiB-peak" 0}} MiB
from the system for harness and service together (target: 1,024).

10,000 live episodes of the published cases hold {{.Live}} MiB on the heap (target: 1,024).

The benchmarks ` + "`go test -bench . ./internal/world ./internal/run`" + ` follow the same costs from day to day.
`
