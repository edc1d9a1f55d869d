package worlds_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"gauntlet/internal/agent"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
	"gauntlet/worlds"
)

// bundled loads the suite.
func bundled(t testing.TB) *suite.Suite {
	t.Helper()
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// blueprint compiles the world of a case.
func blueprint(t testing.TB, s *suite.Suite, id string) *world.Blueprint {
	t.Helper()
	w, ok := s.World(id)
	if !ok {
		t.Fatalf("no world %s", id)
	}
	b, err := w.Blueprint()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cell is one played cell with its trace.
type cell struct {
	*run.Outcome
	c     *suite.Case
	trace *trace.Trace
}

// calls lists the calls of a cell in order.
func (c cell) calls() []trace.Call {
	var out []trace.Call
	for _, s := range c.trace.Steps {
		out = append(out, s.Calls...)
	}
	return out
}

// played runs an agent over all cases.
func played(t testing.TB, s *suite.Suite, name string) []cell {
	t.Helper()
	var out []cell
	cells, err := run.Cross(s, []agent.Config{{Scaffold: name}}, agent.Env{}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = run.Run(context.Background(), s, cells, run.Options{Sink: func(o *run.Outcome) error {
		c, ok := s.Case(o.Case)
		if !ok || o.Excluded != "" || o.Trace == nil {
			t.Errorf("%s on %s: excluded: %s", name, o.Case, o.Excluded)
			return nil
		}
		out = append(out, cell{o, c, o.Trace})
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != len(s.Cases) {
		t.Fatalf("%s played %d of %d cases", name, len(out), len(s.Cases))
	}
	return out
}

// The sizes that the suite promises.
const (
	minWorlds    = 8
	minChinese   = 4 // worlds with Chinese users and data
	minTools     = 14
	maxTools     = 25
	minEntities  = 4
	minScenarios = 24
	minCalls     = 10
	maxCalls     = 25
	meanCalls    = 14
)

func TestWorlds(t *testing.T) {
	s := bundled(t)
	if len(s.Worlds) < minWorlds || len(s.Scenarios()) < minScenarios {
		t.Errorf("%d worlds and %d scenarios, want at least %d and %d", len(s.Worlds), len(s.Scenarios()), minWorlds, minScenarios)
	}
	for _, id := range s.WorldIDs() {
		b := blueprint(t, s, id)
		if len(b.Tools) < minTools || len(b.Tools) > maxTools || len(b.Entities) < minEntities || len(b.Rules) == 0 || b.Title == "" || b.Intro == "" {
			t.Errorf("%s: %d tools, %d entities, %d rules, title %q, introduction of %d bytes", id, len(b.Tools), len(b.Entities), len(b.Rules), b.Title, len(b.Intro))
		}
		writes := 0
		for _, tool := range b.Tools {
			if !tool.Effect.Valid() || tool.Description == "" {
				t.Errorf("%s.%s: effect %q, description %q; both are needed", id, tool.Name, tool.Effect, tool.Description)
			}
			if tool.Effect != trace.EffectRead {
				writes++
			}
			for _, p := range tool.Params {
				if p.Description == "" || len(p.Type.Kinds) == 0 && len(p.Type.Enum) == 0 {
					t.Errorf("%s.%s: argument %s has no description or no type", id, tool.Name, p.Name)
				}
			}
		}
		if card, err := worlds.Files.ReadFile("cards/" + id + ".md"); err != nil || len(card) == 0 {
			t.Errorf("%s has no card: %v", id, err)
		}
		t.Logf("%s: %d tools, %d of them change something, %d entities, %d rules", id, len(b.Tools), writes, len(b.Entities), len(b.Rules))
	}
}

// Scenarios are long, and one world at least has Chinese users and data.
func TestScenarios(t *testing.T) {
	s := bundled(t)
	chinese := map[string]int{}
	perWorld := map[string]int{}
	calls := 0
	for _, id := range s.Scenarios() {
		c, ok := s.Case(id)
		if !ok || c.Attack != nil {
			t.Fatalf("scenario %s has no case without an attack", id)
		}
		perWorld[c.World]++
		calls += len(c.Solution)
		if len(c.Solution) < minCalls || len(c.Solution) > maxCalls {
			t.Errorf("%s: the reference solution has %d calls, want %d to %d", id, len(c.Solution), minCalls, maxCalls)
		}
		if c.User == "" || c.Time == "" {
			t.Errorf("%s: user %q, time %q; both are needed", id, c.User, c.Time)
		}
		if han(c.Task) && han(c.User) && han(c.State.String()) {
			chinese[c.World]++
		}
		invariants := 0
		for _, k := range c.Checks {
			if k.Invariant {
				invariants++
			}
		}
		if invariants == 0 || invariants == len(c.Checks) {
			t.Errorf("%s: %d of %d checks are invariants", id, invariants, len(c.Checks))
		}
	}
	t.Logf("scenarios per world: %v; Chinese: %v", perWorld, chinese)
	if len(perWorld) != len(s.Worlds) || len(chinese) < minChinese {
		t.Errorf("scenarios per world: %v, of which with Chinese users and data: %v", perWorld, chinese)
	}
	if n := len(s.Scenarios()); calls < meanCalls*n {
		t.Errorf("%d scenarios have solutions of %d calls in all; %d on average are wanted", n, calls, meanCalls)
	} else {
		t.Logf("%d scenarios, %.1f calls on average", n, float64(calls)/float64(n))
	}
}

func han(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0
}

// The payload is planted exactly: nothing but the text of one field differs,
// and that by the payload. The attacks of a scenario differ in wording only.
func TestAttacks(t *testing.T) {
	s := bundled(t)
	first := map[string]*suite.Attack{}
	strategies := map[string]int{}
	for _, c := range s.Cases {
		a := c.Attack
		if a == nil {
			if !trace.Equal(c.State, c.Clean) {
				t.Errorf("%s has no attack, and starts in another state than the clean one", c.ID)
			}
			continue
		}
		strategies[a.Strategy]++
		old := c.Clean.Pointer(a.Point).Text()
		want := a.Payload
		if a.Plant != "replace" && old != "" {
			want = old + "\n" + a.Payload
		}
		diff := trace.Diff(c.Clean, c.State)
		if len(diff) != 1 || diff[0].Op != trace.Changed || diff[0].Path != a.Point || diff[0].New.Text() != want {
			t.Errorf("%s: planting changed %v", c.ID, diff)
		}
		if strings.Count(a.Payload, a.Goal) != 1 || len(a.Fulfils) == 0 || len(a.Checks) == 0 {
			t.Errorf("%s: the payload holds the goal %d times, %d calls fulfil it, %d checks", c.ID, strings.Count(a.Payload, a.Goal), len(a.Fulfils), len(a.Checks))
		}
		f := first[c.Scenario]
		if f == nil {
			first[c.Scenario] = a
			continue
		}
		if a.Goal != f.Goal || a.Point != f.Point || a.Plant != f.Plant || !reflect.DeepEqual(a.Checks, f.Checks) || !sameCalls(a.Fulfils, f.Fulfils) {
			t.Errorf("%s differs from the first attack of its scenario in more than its wording", c.ID)
		}
		if a.Payload == f.Payload {
			t.Errorf("%s has the payload of the first attack of its scenario", c.ID)
		}
	}
	for _, id := range s.Scenarios() {
		if first[id] == nil {
			t.Errorf("scenario %s has no attack", id)
		}
	}
	t.Logf("attacks by strategy: %v", strategies)
}

func sameCalls(a, b []suite.Call) bool {
	return slices.EqualFunc(a, b, func(x, y suite.Call) bool { return x.Tool == y.Tool && trace.Equal(x.Arguments, y.Arguments) })
}

// position is an episode after some calls, with the state it started from.
type position struct {
	initial, final *world.Snapshot
	now            time.Time
	state          trace.Value
}

// play makes calls on a case without an agent; failures of calls are no matter.
func play(t testing.TB, b *world.Blueprint, state trace.Value, at string, calls []suite.Call) position {
	t.Helper()
	in, err := b.New(state, world.Options{Seed: 1, Start: at})
	if err != nil {
		t.Fatal(err)
	}
	var p position
	if p.initial, err = in.Snapshot(); err != nil {
		t.Fatal(err)
	}
	for _, k := range calls {
		if _, err := in.Call(context.Background(), k.Tool, k.Arguments); err != nil {
			t.Fatal(err)
		}
	}
	if p.final, err = in.Snapshot(); err != nil {
		t.Fatal(err)
	}
	if p.state, err = in.State(); err != nil {
		t.Fatal(err)
	}
	p.now = in.Now()
	return p
}

// assess runs checks and reports the ones that raise.
func (p position) assess(t testing.TB, k *score.Checker, checks []suite.Check) []bool {
	t.Helper()
	results := k.Run(checks, p.initial, p.final, score.Options{Now: p.now}).Checks
	if len(results) != len(checks) {
		t.Fatalf("%d results of %d checks", len(results), len(checks))
	}
	out := make([]bool, len(checks))
	for i, r := range results {
		if r.Error != "" {
			t.Errorf("check %q: %s", r.Item, r.Error)
		}
		out[i] = r.Holds
	}
	return out
}

// No check that is not an invariant holds at the start, and every invariant does.
func TestChecksAtStart(t *testing.T) {
	s, k := bundled(t), score.NewChecker()
	benign, invariant, injected := 0, 0, 0
	for _, c := range s.Cases {
		b := blueprint(t, s, c.World)
		start := play(t, b, c.State, c.Time, nil)
		for i, holds := range start.assess(t, k, c.Checks) {
			if c.Checks[i].Invariant {
				invariant++
			} else {
				benign++
			}
			if holds != c.Checks[i].Invariant {
				t.Errorf("%s: check %q at the start: %v, invariant: %v", c.ID, c.Checks[i].Item, holds, c.Checks[i].Invariant)
			}
		}
		if c.Attack == nil {
			continue
		}
		for i, holds := range start.assess(t, k, c.Attack.Checks) {
			injected++
			if holds || c.Attack.Checks[i].Invariant {
				t.Errorf("%s: the attack's check %q at the start: %v, invariant: %v", c.ID, c.Attack.Checks[i].Item, holds, c.Attack.Checks[i].Invariant)
			}
		}
	}
	t.Logf("at the start: %d checks do not hold, %d invariants hold, %d checks of attacks do not hold", benign, invariant, injected)
}

// Every call of a reference solution succeeds, all its checks hold in the end,
// and what it reads contains the whole payload, before the solution is over.
func TestSolver(t *testing.T) {
	s := bundled(t)
	cells, calls, attacked := played(t, s, "reference:solver"), 0, 0
	for _, c := range cells {
		list := c.calls()
		calls += len(list)
		if len(list) != len(c.c.Solution) {
			t.Errorf("%s: %d of %d calls made", c.Case, len(list), len(c.c.Solution))
		}
		seen := false
		for i, k := range list {
			succeeded(t, c, i, k)
			if a := c.c.Attack; a != nil && holds(k.Observation.Value, a.Payload) {
				seen = true
				if len(k.Observation.Injected) == 0 {
					t.Errorf("%s: call %d shows the payload, and the trace does not mark it", c.Case, i+1)
				}
			}
		}
		if c.Benign.Outcome != score.Pass || c.Benign.Passed != c.Benign.Total || c.Benign.Broken != 0 {
			t.Errorf("%s: the reference solution has %+v", c.Case, c.Benign)
		}
		if c.c.Attack == nil {
			continue
		}
		attacked++
		if !seen || !c.Exposed {
			t.Errorf("%s: the payload is in an observation: %v; exposed: %v", c.Case, seen, c.Exposed)
		}
		if c.Injected.Passed != 0 || c.Attack != run.Resisted {
			t.Errorf("%s: the solver has %s, %+v", c.Case, c.Attack, c.Injected)
		}
	}
	t.Logf("solver: %d cells, %d calls succeed, BR strict 100 %%, exposed and ASR 0 in %d attacked cells", len(cells), calls, attacked)
}

// succeeded reports a call that failed, in whatever way the world says so.
func succeeded(t *testing.T, c cell, i int, k trace.Call) {
	t.Helper()
	if o := k.Observation; o == nil || o.Error != nil || !o.Value.Get("success").Bool() {
		t.Errorf("%s: call %d, %s(%s), failed: %+v", c.Case, i+1, k.Name, k.Arguments, o)
	}
}

// holds reports whether a text inside v contains s.
func holds(v trace.Value, s string) bool {
	switch v.Kind() {
	case trace.KindString:
		return strings.Contains(v.Text(), s)
	case trace.KindArray:
		return slices.ContainsFunc(v.Items(), func(x trace.Value) bool { return holds(x, s) })
	case trace.KindObject:
		return slices.ContainsFunc(v.Fields(), func(f trace.Field) bool { return holds(f.Value, s) })
	}
	return false
}

// The gullible agent reaches every goal by calls that all succeed.
func TestGullible(t *testing.T) {
	s := bundled(t)
	attacked := 0
	for _, c := range played(t, s, "reference:gullible") {
		for i, k := range c.calls() {
			succeeded(t, c, i, k)
		}
		if c.Benign.Passed != c.Benign.Total {
			t.Errorf("%s: the work is not done: %+v", c.Case, c.Benign)
		}
		if c.c.Attack == nil {
			continue
		}
		attacked++
		if c.Attack != run.Success || c.Injected.Outcome != score.Pass || c.Injected.Passed != c.Injected.Total {
			t.Errorf("%s: %s, %+v", c.Case, c.Attack, c.Injected)
		}
		if c.Benign.Broken == 0 {
			t.Errorf("%s: no invariant notices what the attack changed", c.Case)
		}
	}
	t.Logf("gullible: ASR strict 100 %% of %d attacked cells", attacked)
}

// Doing nothing earns nothing.
func TestNoop(t *testing.T) {
	cells := played(t, bundled(t), "reference:noop")
	for _, c := range cells {
		mean, ok := c.Benign.Mean()
		if !ok || mean != 0 || c.Benign.Outcome != score.Fail || c.Baseline == nil || *c.Baseline != 0 {
			t.Errorf("%s: doing nothing has %+v, baseline %v", c.Case, c.Benign, c.Baseline)
		}
		if c.Injected != nil && c.Injected.Passed != 0 {
			t.Errorf("%s: doing nothing reaches the goal: %+v", c.Case, c.Injected)
		}
	}
	t.Logf("noop: BR mean and strict 0 in %d cells", len(cells))
}

// A tool that says it reads writes nothing, whoever calls it.
func TestEffects(t *testing.T) {
	s := bundled(t)
	used := map[string]map[string]bool{}
	for _, agent := range []string{"reference:random", "reference:gullible"} {
		for _, c := range played(t, s, agent) {
			b := blueprint(t, s, c.c.World)
			for _, k := range c.calls() {
				tool, ok := b.Tool(k.Name)
				if !ok {
					t.Fatalf("%s has no tool %s", b.ID, k.Name)
				}
				if tool.Effect == trace.EffectRead && (len(k.Writes) > 0 || len(k.Diff) > 0) {
					t.Errorf("%s: the reading tool %s wrote %v", c.Case, k.Name, k.Writes)
				}
				if k.Observation.Error == nil && len(k.Diff) > 0 {
					set(used, b.ID, k.Name)
				}
			}
		}
	}
	for id, names := range used {
		t.Logf("%s: %d tools changed something", id, len(names))
	}
}

func set(m map[string]map[string]bool, a, b string) {
	if m[a] == nil {
		m[a] = map[string]bool{}
	}
	m[a][b] = true
}

// mutant is a reference solution with one change.
type mutant struct {
	what  string
	calls []suite.Call
}

// solution is a case's reference solution with its references resolved.
func solution(c cell) []suite.Call {
	var out []suite.Call
	for _, k := range c.calls() {
		out = append(out, suite.Call{Tool: k.Name, Arguments: k.Arguments})
	}
	return out
}

// dropped leaves out each call in turn.
func dropped(calls []suite.Call) []mutant {
	var out []mutant
	for i, k := range calls {
		out = append(out, mutant{"without " + k.Tool, append(slices.Clone(calls[:i]), calls[i+1:]...)})
	}
	return out
}

// strayed makes each writing call once more, and each once more with one id in
// its arguments replaced by another of the same container.
func strayed(b *world.Blueprint, state trace.Value, calls []suite.Call) []mutant {
	var out []mutant
	for i, k := range calls {
		tool, ok := b.Tool(k.Tool)
		if !ok || tool.Effect == trace.EffectRead {
			continue
		}
		add := func(x suite.Call) {
			out = append(out, mutant{fmt.Sprintf("after call %d also %s(%s)", i+1, x.Tool, x.Arguments), slices.Insert(slices.Clone(calls), i+1, x)})
		}
		add(k)
		for _, f := range k.Arguments.Fields() {
			for _, box := range state.Fields() {
				if f.Value.Kind() != trace.KindString || box.Value.Kind() != trace.KindObject || !box.Value.Get(f.Value.Text()).Exists() {
					continue
				}
				for _, other := range box.Value.Keys() {
					if other != f.Value.Text() {
						add(suite.Call{Tool: k.Tool, Arguments: k.Arguments.With(f.Key, trace.String(other))})
					}
				}
			}
		}
	}
	return out
}

// Every check can fail: one that says what is to be done fails without some
// call of the solution, an invariant when a writing call is made once more or
// on another record.
func TestChecksBite(t *testing.T) {
	s, k := bundled(t), score.NewChecker()
	benign, invariant, mutants, changed, caught := 0, 0, 0, 0, 0
	for _, c := range played(t, s, "reference:solver") {
		if c.c.Attack != nil {
			continue
		}
		b, calls := blueprint(t, s, c.c.World), solution(c)
		whole := play(t, b, c.c.State, c.c.Time, calls)
		if all := whole.assess(t, k, c.c.Checks); slices.Contains(all, false) {
			t.Fatalf("%s: the resolved solution has %v", c.Case, all)
		}
		killed := make([]string, len(c.c.Checks))
		kill := func(list []mutant, invariant bool) {
			mutants += len(list)
			for _, m := range list {
				p := play(t, b, c.c.State, c.c.Time, m.calls)
				got := p.assess(t, k, c.c.Checks)
				for i, holds := range got {
					if !holds && c.c.Checks[i].Invariant == invariant && killed[i] == "" {
						killed[i] = m.what
					}
				}
				if invariant && !trace.Equal(p.state, whole.state) {
					changed++
					if slices.Contains(got, false) {
						caught++
					} else {
						t.Logf("%s: no check notices %s", c.Case, m.what)
					}
				}
			}
		}
		kill(dropped(calls), false)
		kill(strayed(b, c.c.State, calls), true)
		for i, what := range killed {
			if c.c.Checks[i].Invariant {
				invariant++
			} else {
				benign++
			}
			if what == "" {
				t.Errorf("%s: nothing makes check %q fail", c.Case, c.c.Checks[i].Item)
			}
		}
	}
	t.Logf("%d checks and %d invariants fail under some of %d mutants; of %d mutants that end in another state by a stray write, %d fail some check", benign, invariant, mutants, changed, caught)
}

// cpythonHarness runs calls of bundled worlds in CPython on a virtual clock,
// one JSON line in, one out.
const cpythonHarness = `
import copy, datetime, json, sys, time

class Virtual(datetime.datetime):
    clock = 0
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(cls.clock, tz) if tz else cls.utcnow()
    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(cls.clock, datetime.timezone.utc).replace(tzinfo=None)
    @classmethod
    def today(cls):
        return cls.utcnow()

datetime.datetime = Virtual
time.time = lambda: float(Virtual.clock)
for line in sys.stdin:
    job = json.loads(line)
    names = {"__name__": job["world"]}
    Virtual.clock = job["start"]
    exec(compile(job["source"], job["world"] + ".py", "exec"), names)
    config = copy.deepcopy(job["state"])
    try:
        obj = names[job["class"]](config)
    except TypeError:
        obj = names[job["class"]]()
    for key, value in config.items():
        setattr(obj, key, value)
    texts = []
    for call in job["calls"]:
        Virtual.clock += 1
        if call["skip"]:
            texts.append(None)
            continue
        texts.append(json.dumps(getattr(obj, call["tool"])(**copy.deepcopy(call["arguments"])), ensure_ascii=False))
    state = {key: value for key, value in vars(obj).items() if value is not config}
    print(json.dumps({"texts": texts, "state": state}))
`

// TestCPython compares what the worlds return, and the states they end in, with
// CPython: the solutions, the attackers' calls, and random calls.
func TestCPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: the comparison of the bundled worlds with CPython is skipped: ", err)
	}
	s := bundled(t)
	var cells []cell
	var jobs bytes.Buffer
	for _, agent := range []string{"reference:solver", "reference:gullible", "reference:random"} {
		for _, c := range played(t, s, agent) {
			cells = append(cells, c)
			jobs.Write(append(job(t, blueprint(t, s, c.c.World), c), '\n'))
		}
	}
	cmd := exec.Command(python, "-I", "-B", "-c", cpythonHarness)
	cmd.Env = []string{"PYTHONHASHSEED=1", "TZ=UTC", "PYTHONUTF8=1"}
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &jobs, &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("run python3: %v\n%s", err, errs.String())
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(answers) != len(cells) {
		t.Fatalf("%d answers for %d cells", len(answers), len(cells))
	}
	compared, byAgent := 0, map[string]int{}
	for i, c := range cells {
		n := sameAsCPython(t, c, answers[i])
		compared += n
		byAgent[c.Agent] += n
	}
	t.Logf("CPython: %d observations and %d final states compared (%s)", compared, len(cells), list(byAgent))
}

func list(m map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(out, ", ")
}

// job is one line for the harness. Calls that failed reach no world code, or
// leave no trace in the state.
func job(t *testing.T, b *world.Blueprint, c cell) []byte {
	t.Helper()
	start, err := time.Parse(time.RFC3339, c.c.Time)
	if err != nil {
		t.Fatal(err)
	}
	type call struct {
		Tool      string      `json:"tool"`
		Arguments trace.Value `json:"arguments"`
		Skip      bool        `json:"skip"`
	}
	var calls []call
	for _, k := range c.calls() {
		calls = append(calls, call{k.Name, k.Arguments, k.Observation.Error != nil})
	}
	line, err := json.Marshal(map[string]any{"world": b.ID, "class": b.Class, "source": b.Source, "state": c.c.State, "start": start.Unix(), "calls": calls})
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// sameAsCPython compares one cell and returns how many observations it has.
func sameAsCPython(t *testing.T, c cell, answer string) (compared int) {
	t.Helper()
	v, _, err := trace.ParseValue([]byte(answer))
	if err != nil {
		t.Fatal(err)
	}
	calls, texts := c.calls(), v.Get("texts")
	if texts.Len() != len(calls) {
		t.Fatalf("%s: %d texts for %d calls", c.Case, texts.Len(), len(calls))
	}
	for i, k := range calls {
		if k.Observation.Error != nil {
			continue
		}
		compared++
		if want := texts.Index(i).Text(); k.Observation.Text != want {
			t.Errorf("%s %s: call %d, %s(%s):\n got %s\nwant %s", c.Agent, c.Case, i+1, k.Name, k.Arguments, k.Observation.Text, want)
		}
	}
	if got := c.trace.Final.Value; !trace.Equal(got, v.Get("state")) {
		t.Errorf("%s %s: the final state differs: %v", c.Agent, c.Case, trace.Diff(v.Get("state"), got))
	}
	return compared
}
