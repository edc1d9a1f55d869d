package syntax

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// readShared decodes a JSON file of the shared data, which is not part of the
// repository.
func readShared(t *testing.T, name string, v any) {
	t.Helper()
	dir := os.Getenv("GAUNTLET_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	data, err := os.ReadFile(filepath.Join(dir, "toolhazard", name))
	if err != nil {
		t.Skip("shared data not found (set GAUNTLET_SHARED): ", err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("decode %s: %v", name, err)
	}
}

// comparer counts programs and compares each distinct one with CPython.
type comparer struct {
	*oracle
	seen                     map[string]bool
	total, refused, rejected int
}

func newComparer(t *testing.T) *comparer {
	return &comparer{oracle: startOracle(t), seen: map[string]bool{}}
}

// compare compares the trees of a program and, if both accept it, the positions
// of its nodes.
func (c *comparer) compare(name, src string) {
	c.t.Helper()
	c.total++
	if c.seen[src] {
		return
	}
	c.seen[src] = true
	m, err := ParseString("w.py", src)
	if e, ok := err.(*Error); ok && e.Refused {
		c.refused++
		return
	}
	a := c.ask([]byte(src), true)
	switch {
	case a.Deep:
		c.t.Errorf("%s: CPython: %s", name, a.Error)
	case err != nil && a.OK:
		c.t.Errorf("%s: CPython accepts, we say: %v\n%s", name, err, src)
	case err == nil && !a.OK:
		c.t.Errorf("%s: we accept, CPython says: %s\n%s", name, a.Error, src)
	case err != nil:
		c.rejected++
	default:
		if diff := firstDifference(Dump(m), a.Dump); diff != "" {
			c.t.Errorf("%s: %s\n%s", name, diff, src)
		}
		comparePlaces(c.t, name, m, a.Places)
	}
}

type world struct {
	Code string `json:"env_class_code"`
}

func TestWorldsMatchCPython(t *testing.T) {
	for name, want := range map[string]int{
		"test_set/env_with_attack_points.json":                33,
		"env_1/filtered_env_metadata_with_attack_points.json": 1,
	} {
		var worlds map[string]world
		readShared(t, name, &worlds)
		c := newComparer(t)
		for id, w := range worlds {
			c.compare(id, w.Code)
		}
		if c.total != want || c.rejected+c.refused != 0 {
			t.Errorf("%s: %d worlds, %d rejected, %d refused; want %d, 0, 0", name, c.total, c.rejected, c.refused, want)
		}
	}
}

func TestCheckFunctionsMatchCPython(t *testing.T) {
	type check struct {
		Func string `json:"check_func"`
	}
	c := newComparer(t)
	for _, strategy := range []string{"combined", "decision_criteria_hijacking", "important_template",
		"multi_turn", "reasoning_criteria", "toolselection"} {
		var tasks []struct {
			ID       string  `json:"task_id"`
			Benign   []check `json:"checklist_with_func"`
			Injected []check `json:"injected_checklist_with_func"`
		}
		readShared(t, "test_set/rl_task_top_5_IPI_"+strategy+".json", &tasks)
		for _, task := range tasks {
			for _, k := range append(task.Benign, task.Injected...) {
				c.compare(strategy+"/"+task.ID, k.Func)
			}
		}
	}
	if c.total != 11762 || c.rejected+c.refused != 0 {
		t.Errorf("%d check functions, %d rejected, %d refused; want 11762, 0, 0", c.total, c.rejected, c.refused)
	}
	t.Logf("%d check functions, %d distinct", c.total, len(c.seen))
}
