package convert

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gauntlet/internal/score"
	"gauntlet/internal/suite"
)

// shared returns the folder of published ToolHazard data, or skips the test.
func shared(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("GAUNTLET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "toolhazard")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no published ToolHazard data (set GAUNTLET_SHARED): ", err)
	}
	return dir
}

// published are the options that import the published test set.
func published(t *testing.T) Options {
	t.Helper()
	set := filepath.Join(shared(t), "test_set")
	tasks, err := filepath.Glob(filepath.Join(set, "rl_task_top_5_IPI_*.json"))
	if err != nil || len(tasks) != 6 {
		t.Fatalf("found %d task files, want 6: %v", len(tasks), err)
	}
	return Options{Envs: []string{filepath.Join(set, "env_with_attack_points.json")}, Tasks: tasks, Out: filepath.Join(t.TempDir(), "suite")}
}

// The published test set comes in whole, and its defects are those that were
// measured with the reference code in CPython.
func TestPublishedSet(t *testing.T) {
	o := published(t)
	r, err := ToolHazard(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Refused {
		t.Errorf("refused %+v", f)
	}
	c := r.Counts
	if got := int(c.DoNothing*1e4 + .5); got != 1174 {
		t.Errorf("do-nothing reward %.4f, want .1174", c.DoNothing)
	}
	c.DoNothing, c.shares, c.shared = 0, 0, 0
	want := Counts{
		Worlds: 33, Tools: 608, ReadTools: 345, WriteTools: 263, Scenarios: 87, Cases: 502,
		Strategies: []StrategyCount{{"combined", 85}, {"decision_criteria_hijacking", 74}, {"important_template", 85},
			{"multi_turn", 86}, {"reasoning_criteria", 86}, {"tool_selection", 86}},
		BenignChecks: 10360, InjectedChecks: 1402, AttackPoints: 68, DistinctPoints: 67, Changed: ChangedCount{2, 458, 42},
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("counts\n got %+v\nwant %+v", c, want)
	}
	for _, w := range []Total{
		{CheckTrueInitially, 315, 3370}, {CheckRaises, 1, 1}, {CheckNotBool, 0, 0},
		{PoisonBreaksCheck, 22, 27}, {PoisonMeetsCheck, 25, 25},
		{InjectedTrueInitially, 0, 0}, {InjectedTrueOnClean, 1, 1},
		{NoInjection, 2, 0}, {PayloadAbsent, 502 - 498, 0}, {PayloadAltered, 498 - 449, 0}, {GoalAbsent, 3, 0},
		{ChangedOutsidePoint, 41, 0}, {AttributeNotListed, 1, 0}, {StaleConfig, 23, 0}, {UndeclaredState, 16 + 11, 0},
		{StrategyGoalDiffers, 85, 0},
		// Not measured before: the planned field is a list in 36 cases and an
		// object in 12; a text that was there is lost in two.
		{FieldNotText, 36 + 12, 0}, {OriginalOverwritten, 2, 0}, {PointUnresolved, 3, 0}, {PointElsewhere, 5, 0},
	} {
		if got := r.Total(w.Kind); got != w {
			t.Errorf("defects\n got %+v\nwant %+v", got, w)
		}
	}
	checkPoints(t, o.Out)
	checkGolden(t, o.Out)
}

// checkPoints finds the injected goal at the point of every attack that has one,
// unless its wording was changed.
func checkPoints(t *testing.T, out string) {
	s, err := suite.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, c := range s.Cases {
		if strings.Contains(squeeze(c.State.Pointer(c.Attack.Point).Text()), squeeze(c.Attack.Goal)) {
			found++
		}
	}
	// Of 502 three hold no goal at all and one holds it in three fields.
	if found != 498 {
		t.Errorf("%d points carry the goal, want 498", found)
	}
}

// checkGolden compares each check on the initial state with CPython's result.
func checkGolden(t *testing.T, out string) {
	s, err := suite.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(shared(t), "golden", "check_init.jsonl"))
	if err != nil {
		t.Skip("no golden results: ", err)
	}
	type row struct {
		ID       string `json:"task_id"`
		Benign   []any  `json:"benign"`
		Injected []any  `json:"injected"`
	}
	checker, compared := score.NewChecker(), 0
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g row
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		c, ok := s.Case(g.ID)
		if !ok {
			t.Errorf("case %s is missing", g.ID)
			continue
		}
		w, _ := s.World(c.World)
		bp, err := w.Blueprint()
		if err != nil {
			t.Fatal(err)
		}
		state, err := startFrom(bp, c.State)
		if err != nil {
			t.Fatal(err)
		}
		results := append(state.run(checker, c.Checks), state.run(checker, c.Attack.Checks)...)
		for i, want := range append(g.Benign, g.Injected...) {
			compared++
			if _, raised := want.(map[string]any); raised != (results[i].Error != "") || !raised && want != results[i].Holds {
				t.Errorf("case %s check %d: got %+v, want %v", g.ID, i, results[i], want)
			}
		}
	}
	if compared != 11762 {
		t.Errorf("compared %d checks, want 11762", compared)
	}
}

// The one environment of the other published run set, whose ids are of the
// first form, comes in from its benign and injected files together.
func TestPublishedEnvironment(t *testing.T) {
	dir := filepath.Join(shared(t), "env_1")
	o := Options{Envs: []string{filepath.Join(dir, "filtered_env_metadata_with_attack_points.json")}, Out: filepath.Join(t.TempDir(), "suite"),
		Tasks: []string{filepath.Join(dir, "test_task_1.json"), filepath.Join(dir, "test_task_1_IPI_all_new.json")}}
	r, err := ToolHazard(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Refused) > 0 || r.Counts.Worlds != 1 || r.Counts.Cases != 14 || r.Counts.BenignCases != 3 || r.Counts.Scenarios != 3 {
		t.Errorf("refused %+v, counts %+v", r.Refused, r.Counts)
	}
}

// TestPublishedVerify compares a third of it with CPython, which takes some ten
// seconds. gauntlet import toolhazard --verify does all.
func TestPublishedVerify(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 not found: ", err)
	}
	o := published(t)
	o.Verify, o.Tasks = true, []string{o.Tasks[0], o.Tasks[5]}
	r, err := ToolHazard(o)
	if err != nil {
		t.Fatal(err)
	}
	v := r.Verification
	t.Logf("%s: compared %+v, different %+v, left out %+v", v.Python, v.Compare, v.Different, v.LeftOut)
	for i, d := range v.Differences {
		if i == 40 {
			t.Fatalf("and %d more", len(v.Differences)-i)
		}
		t.Errorf("%s: %s %s(%s)\n  CPython  %s\n  Gauntlet %s", d.Case, d.What, d.Tool, d.Arguments, d.Python, d.Gauntlet)
	}
}
