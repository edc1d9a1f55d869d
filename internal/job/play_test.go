package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/agent/agenttest"
	"gauntlet/internal/job"
	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/plan"
	"gauntlet/internal/run"
	"gauntlet/internal/store"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/worlds"
)

// clock is the real time: tests of faults wait for real sockets.
type clock struct{}

func (clock) Now() time.Time { return time.Now() }
func (clock) Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func bundled(t testing.TB) *suite.Suite {
	t.Helper()
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stage is a suite, a plan and a model service that plays it.
type stage struct {
	suite  *suite.Suite
	plan   *plan.Plan
	cells  []run.Cell
	server *scripted.Server
}

// newStage starts a server and plans cells on it. attempts is the most attempts
// of a request.
func newStage(t testing.TB, o scripted.Options, attempts int, p *plan.Plan) *stage {
	t.Helper()
	s := bundled(t)
	o.Choose = agenttest.New(s).Choose
	x := &stage{suite: s, plan: p, server: scripted.New(o)}
	address, stop, err := x.server.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	p.Agents = []agent.Config{{Name: "model", Scaffold: "tools", Model: "m"}}
	if err := p.Complete(); err != nil {
		t.Fatal(err)
	}
	timeout := time.Minute
	if o.FaultRate > 0 {
		timeout = 200 * time.Millisecond // a reply that comes later is one more fault
	}
	spec := model.Spec{Provider: model.Provider{Name: "local", Wire: model.WireOpenAI, BaseURL: address + "/v1", Timeout: timeout}, Model: "m"}
	client, err := model.Open(spec, model.Options{Clock: clock{}})
	if err != nil {
		t.Fatal(err)
	}
	client = model.NewRetry(client, model.RetryOptions{Clock: clock{}, Attempts: attempts, Base: time.Millisecond, Max: 4 * time.Millisecond})
	env := agent.Env{Clock: clock{}, Client: func(string) (model.Client, model.Spec, error) {
		// The address differs from server to server, and would be part of the ids.
		named := spec
		named.Provider.BaseURL = "http://model"
		return client, named, nil
	}}
	if x.cells, err = plan.Expand(p, s, env); err != nil {
		t.Fatal(err)
	}
	return x
}

func open(t testing.TB) store.Store {
	t.Helper()
	st, err := store.OpenSQLite(context.Background(), filepath.Join(t.TempDir(), "runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

func (x *stage) options(workers int) job.Options {
	return job.Options{Options: run.Options{Workers: workers}, Now: time.Now}
}

// create journals the stage's cells as a run.
func (x *stage) create(t testing.TB, st store.Store, id string) {
	t.Helper()
	doc, err := x.plan.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Create(t.Context(), st, store.Run{ID: id, Suite: x.suite.Name, Created: time.Now(), Plan: doc}, x.cells); err != nil {
		t.Fatal(err)
	}
}

// play plays the chosen cells and returns how all cells stand.
func (x *stage) play(t testing.TB, st store.Store, id string, which job.Which) []*run.Outcome {
	t.Helper()
	if _, err := job.Play(t.Context(), st, id, x.suite, x.cells, which, x.options(32)); err != nil {
		t.Fatal(err)
	}
	return outcomes(t, st, id)
}

func outcomes(t testing.TB, st store.Store, id string) []*run.Outcome {
	t.Helper()
	out, err := job.Outcomes(context.Background(), st, id)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// result is what must not depend on faults: everything but what was consumed.
func result(t testing.TB, o *run.Outcome) string {
	t.Helper()
	c := *o
	c.Usage = nil
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestFaultsAreNoResults plays 520 cells (104 under the race detector) against a
// service with 30 % faults of every kind that passes. Every cell ends with the outcome of a run without
// faults, or unassessed with the kind of what went wrong; retrying them in the
// end assesses all.
func TestFaultsAreNoResults(t *testing.T) {
	epochs := 5
	if testing.Short() || detector {
		epochs = 1
	}
	clean := newStage(t, scripted.Options{}, 1, &plan.Plan{Epochs: epochs})
	st := open(t)
	clean.create(t, st, "clean")
	want := clean.play(t, st, "clean", job.Pending)
	kinds := map[run.AttackOutcome]int{}
	for i, o := range want {
		if job.Cause(o) != "" {
			t.Fatalf("without faults, %s ended with %s: %s", o.Case, job.Cause(o), o.Excluded)
		}
		kinds[o.Attack]++
		if o.Cell != clean.cells[i].ID {
			t.Fatalf("outcome %d is of another cell", i)
		}
	}
	if kinds[run.Success] == 0 || kinds[run.Resisted] == 0 {
		t.Fatalf("the scripted model is no test: %v", kinds)
	}
	faults := append(scripted.CommonFaults(), scripted.Stall, scripted.StallBody, scripted.NoChoice, scripted.HiddenError, scripted.Unavailable)
	dirty := newStage(t, scripted.Options{FaultRate: 0.3, Faults: faults, Seed: 5}, 4, &plan.Plan{Epochs: epochs})
	dirty.create(t, st, "dirty")
	got := dirty.play(t, st, "dirty", job.Pending)
	if len(got) != len(dirty.cells) {
		t.Fatalf("%d cells are left of %d", len(got), len(dirty.cells))
	}
	lost := compareAssessed(t, got, want)
	t.Logf("%d cells, %d requests, %d of them met a fault; not assessed: %v", len(got), dirty.server.Count(""), faulty(dirty.server, faults), lost)
	if len(lost) < 2 {
		t.Error("the faults are too few to test anything")
	}
	for range 20 {
		if got = dirty.play(t, st, "dirty", job.Failed); len(compareAssessed(t, got, want)) == 0 {
			break
		}
	}
	if lost := compareAssessed(t, got, want); len(lost) > 0 {
		t.Errorf("after twenty retries there are still failures: %v", lost)
	}
}

func faulty(s *scripted.Server, faults []scripted.Fault) int {
	n := 0
	for _, f := range faults {
		n += s.Count(f)
	}
	return n
}

// compareAssessed compares outcomes with those of a run without faults, and
// counts those without an assessment by cause.
func compareAssessed(t *testing.T, got, want []*run.Outcome) map[string]int {
	t.Helper()
	passing := []string{string(trace.ErrorProvider), string(trace.ErrorRateLimit), string(trace.ErrorTimeout), string(trace.ErrorOutput)}
	lost := map[string]int{}
	for i, o := range got {
		cause := job.Cause(o)
		switch {
		case cause == "":
			if a, b := result(t, o), result(t, want[i]); a != b {
				t.Errorf("%s: with faults\n%s\nwithout\n%s", o.Case, a, b)
			}
		case !slices.Contains(passing, cause):
			t.Errorf("%s: cause %s (%s) is none of the faults", o.Case, cause, o.Excluded)
		case o.Benign.Outcome != "unassessed" || o.Case != want[i].Case:
			t.Errorf("%s: an error is scored: %+v", o.Case, o.Benign)
		default:
			lost[cause]++
		}
	}
	return lost
}

// TestEndpointThatAlwaysFails (rai-toolkit #66: three failures of the endpoint
// became "resistance 100 %"): nothing is assessed, and no rate has a value.
func TestEndpointThatAlwaysFails(t *testing.T) {
	x := newStage(t, scripted.Options{FaultRate: 1, Faults: []scripted.Fault{scripted.ServerError}}, 2, &plan.Plan{Limit: 8})
	st := open(t)
	x.create(t, st, "r")
	for _, o := range x.play(t, st, "r", job.Pending) {
		if o.Excluded == "" || o.Kind != trace.ErrorProvider || o.Benign.Outcome != "unassessed" || o.Attack != "" && o.Attack != run.Unassessed || o.Exposed {
			t.Errorf("%s: %+v", o.Case, o)
		}
	}
	info, err := st.Run(t.Context(), "r")
	if err != nil || info.Done != 0 || info.Excluded["provider"] != 8 || info.Pending != 0 {
		t.Errorf("%+v, %v", info, err)
	}
}

// TestContextOverflowIsNoSuccess (AgentDojo scores an overflow as a successful
// attack, A1), in all spellings that services have for it.
func TestContextOverflowIsNoSuccess(t *testing.T) {
	for _, f := range scripted.Overflows() {
		x := newStage(t, scripted.Options{FaultRate: 1, Faults: []scripted.Fault{f}}, 3, &plan.Plan{Strategies: []string{"combined"}, Limit: 2})
		st := open(t)
		x.create(t, st, "r")
		for _, o := range x.play(t, st, "r", job.Pending) {
			if job.Cause(o) != string(trace.ErrorContext) || o.Attack != run.Unassessed {
				t.Errorf("%s, %s: cause %q (%s), attack %s", f, o.Case, job.Cause(o), o.Excluded, o.Attack)
			}
		}
	}
}

// TestStoppedRunGoesOn stops a run at every place and resumes it: no finished
// cell is lost, changed or played twice.
func TestStoppedRunGoesOn(t *testing.T) {
	x := newStage(t, scripted.Options{}, 1, &plan.Plan{Limit: 24})
	st := open(t)
	x.create(t, st, "whole")
	want := x.play(t, st, "whole", job.Pending)
	x.create(t, st, "parts")
	played := map[string]int{}
	for round := 1; ; round++ {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		o := x.options(3)
		o.Progress = func(out *run.Outcome, _, _ int) {
			played[out.Cell]++
			if n++; n == round%5 {
				cancel()
			}
		}
		_, err := job.Play(ctx, st, "parts", x.suite, x.cells, job.Pending, o)
		cancel()
		if err == nil && n == 0 {
			break
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if round > 60 {
			t.Fatal("the run does not end")
		}
	}
	got := outcomes(t, st, "parts")
	if len(got) != len(want) {
		t.Fatalf("%d outcomes, want %d", len(got), len(want))
	}
	for i := range got {
		if a, b := result(t, got[i]), result(t, want[i]); a != b {
			t.Errorf("%s: in parts\n%s\nwhole\n%s", got[i].Case, a, b)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(played)) {
		if played[id] != 1 {
			t.Errorf("cell %.12s was finished %d times", id, played[id])
		}
	}
}

// TestChangedSuiteDoesNotMix (Meta_SecAlign #5, tau2: results of two versions in
// one table): a run does not go on when anything in it has changed.
func TestChangedSuiteDoesNotMix(t *testing.T) {
	x := newStage(t, scripted.Options{}, 1, &plan.Plan{Limit: 2})
	st := open(t)
	x.create(t, st, "r")
	changed := slices.Clone(x.cells)
	changed[1].ID = strings.Repeat("0", 64)
	_, err := job.Play(t.Context(), st, "r", x.suite, changed, job.Pending, x.options(1))
	if err == nil || !strings.Contains(err.Error(), "has changed since the run was planned") {
		t.Errorf("went on: %v", err)
	}
	if _, err := job.Play(t.Context(), st, "r", x.suite, x.cells[:1], job.Pending, x.options(1)); err == nil {
		t.Error("went on with fewer cells")
	}
}

// TestTwoProcessesDoNotShareARun: the second is refused while the first plays.
func TestTwoProcessesDoNotShareARun(t *testing.T) {
	x := newStage(t, scripted.Options{}, 1, &plan.Plan{Limit: 1})
	st := open(t)
	x.create(t, st, "r")
	release, err := st.Claim(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Play(t.Context(), st, "r", x.suite, x.cells, job.Pending, x.options(1)); !errors.Is(err, store.ErrClaimed) {
		t.Errorf("got %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	x.play(t, st, "r", job.Pending)
}

// TestRescore computes the same scores from the traces alone, with no model, and
// refuses a trace that the world would answer otherwise today.
func TestRescore(t *testing.T) {
	x := newStage(t, scripted.Options{}, 1, &plan.Plan{Limit: 30})
	st := open(t)
	x.create(t, st, "r")
	before := x.play(t, st, "r", job.Pending)
	asked := x.server.Count("")
	done, err := job.Rescore(t.Context(), st, "r", x.suite, x.cells, run.Options{}, time.Now)
	if err != nil || done.Same != 30 || done.Changed != 0 || len(done.Refused) != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	if x.server.Count("") != asked {
		t.Error("rescoring asked the model")
	}
	// Another check gives another score, and the trace stays.
	for i := range x.cells {
		c := *x.cells[i].Case
		c.Checks = []suite.Check{{Item: "never", Code: "def check(initial, final):\n    return False\n"}}
		x.cells[i].Case = &c
	}
	done, err = job.Rescore(t.Context(), st, "r", x.suite, x.cells, run.Options{}, time.Now)
	if err != nil || done.Changed != 30 {
		t.Fatalf("%+v, %v", done, err)
	}
	for i, o := range outcomes(t, st, "r") {
		if o.Benign.Outcome != "fail" || o.Attack != before[i].Attack {
			t.Errorf("%s: %+v", o.Case, o)
		}
	}
	// Another state gives other observations.
	for i := range x.cells {
		c := *x.cells[i].Case
		c.State = trace.Object()
		x.cells[i].Case = &c
	}
	if done, err = job.Rescore(t.Context(), st, "r", x.suite, x.cells, run.Options{}, time.Now); err != nil || len(done.Refused) == 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestPanicIsNoResult (strands-agents #295: a crash of the judge counted as a
// breach): a fault of ours in one cell leaves the others as they are.
func TestPanicIsNoResult(t *testing.T) {
	x := newStage(t, scripted.Options{}, 1, &plan.Plan{Limit: 4})
	x.cells[2].Agent = crashing{}
	st := open(t)
	x.create(t, st, "r")
	for i, o := range x.play(t, st, "r", job.Pending) {
		if want := map[bool]string{true: "internal"}[i == 2]; job.Cause(o) != want {
			t.Errorf("cell %d: cause %q, want %q", i, job.Cause(o), want)
		}
	}
}

type crashing struct{}

func (crashing) Run(context.Context, agent.Episode) (trace.Termination, error) { panic("no") }

func Example_causes() {
	fmt.Println(job.NotPlayable, job.CheckFailed)
	// Output: not_playable check
}
