package convert

import (
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gauntlet/internal/trace"
)

func verified(t *testing.T, code string) *Verification {
	t.Helper()
	dir := t.TempDir()
	o := Options{Verify: true, Out: filepath.Join(dir, "out"),
		Envs:  []string{write(t, filepath.Join(dir, "envs.json"), object{"shelf_1": with(shelf("shelf_1"), "env_class_code", code)})},
		Tasks: []string{write(t, filepath.Join(dir, "tasks.json"), []object{injected("t_IPI_a"), injected("t_IPI_b")})}}
	r, err := ToolHazard(o)
	if err != nil {
		t.Fatal(err)
	}
	return r.Verification
}

func needPython(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 not found: ", err)
	}
}

// A world that uses the clock is compared; what holds random ids or the order
// of a set is left out, since CPython differs from itself there.
func TestVerify(t *testing.T) {
	needPython(t)
	v := verified(t, shelfCode)
	if len(v.Differences) > 0 {
		t.Errorf("differences: %+v", v.Differences)
	}
	if v.Cases != 2 || v.Compare.Calls == 0 || v.Compare.States == 0 || v.Compare.Checks != 8 || v.Raised == 0 || v.Raised == v.Compare.Calls {
		t.Errorf("compared too little: %+v", v)
	}
	if v.LeftOut.Calls == 0 || v.LeftOut.States == 0 {
		t.Errorf("random ids were compared: %+v", v)
	}
	if !strings.HasPrefix(v.Python, "Python 3.") {
		t.Errorf("version %q", v.Python)
	}
}

// A world that can tell the interpreters apart is found out: in what a call
// returns, and in the state.
func TestVerifyFindsDifferences(t *testing.T) {
	needPython(t)
	apart := strings.Replace(shelfCode, `"data": self.books[book_id]}`, `"data": hash(1.5)}`, 1)
	apart = strings.Replace(apart, `self.log = []`, `self.log = [hash(2.5)]`, 1)
	if v := verified(t, apart); v.Different.Calls+v.Different.States != 0 {
		t.Fatalf("hash of a float differs from CPython: %+v", v.Differences)
	}
	apart = strings.Replace(shelfCode, "import uuid", "import sys\nimport uuid", 1)
	apart = strings.Replace(apart, `"data": self.books[book_id]}`, `"data": sys.version}`, 1)
	apart = strings.Replace(apart, `str(uuid.uuid4())`, `sys.version`, 1)
	v := verified(t, apart)
	if v.Different.Calls == 0 || v.Different.States == 0 {
		t.Fatalf("different versions were not noticed: %+v", v)
	}
	d := v.Differences[0]
	if d.What != "call" || d.Tool != "read_book" || d.Arguments.Get("book_id").Text() == "" || !strings.Contains(d.Gauntlet, "gauntlet") || strings.Contains(d.Python, "gauntlet") {
		t.Errorf("difference %+v", d)
	}
}

func TestVerifyWithoutPython(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	v := verified(t, shelfCode)
	if !strings.Contains(v.Skipped, "python3 not found") || v.Cases != 0 {
		t.Errorf("got %+v", v)
	}
}

// An interpreter that dies is an error, not a result.
func TestVerifyPythonDies(t *testing.T) {
	needPython(t)
	code := shelfCode + "\nimport sys\nif 'gauntlet' not in sys.version:\n    raise ValueError('not here')\n"
	dir := t.TempDir()
	_, err := ToolHazard(Options{Verify: true, Out: filepath.Join(dir, "out"),
		Envs:  []string{write(t, filepath.Join(dir, "envs.json"), object{"shelf_1": with(shelf("shelf_1"), "env_class_code", code)})},
		Tasks: []string{write(t, filepath.Join(dir, "tasks.json"), []object{injected("t_IPI_a")})}})
	if err == nil || !strings.Contains(err.Error(), "ValueError: not here") {
		t.Errorf("got error %v", err)
	}
}

// The calls drawn for a case depend on nothing but the case.
func TestTrials(t *testing.T) {
	dir := t.TempDir()
	im, kept := imported(t, dir, shelfCode)
	calls := im.trials(kept)
	if !reflect.DeepEqual(calls, im.trials(kept)) {
		t.Error("two draws differ")
	}
	made := map[string]int{}
	fits := 0
	for _, c := range calls {
		made[c.Tool]++
		if id := c.Arguments.Get("book_id").Text(); id == "B1" || id == "B2" {
			fits++
		}
	}
	if !calls[0].Fresh || made["read_book"] != rounds || made["lend"] != rounds+1 || fits < len(calls)/2 {
		t.Errorf("calls %+v", calls)
	}
	empty := newDrawer("x", trace.Object())
	for i := range im.blueprints["shelf_1"].Tools {
		for round := range rounds {
			if v := empty.arguments(&im.blueprints["shelf_1"].Tools[i], round); v.Kind() != trace.KindObject {
				t.Errorf("an empty state gives arguments %s", v)
			}
		}
	}
}

// imported is an importer that has read one world and one case.
func imported(t *testing.T, dir, code string) (*importer, *task) {
	t.Helper()
	im := newImporter(Options{
		Envs:  []string{write(t, filepath.Join(dir, "envs.json"), object{"shelf_1": with(shelf("shelf_1"), "env_class_code", code)})},
		Tasks: []string{write(t, filepath.Join(dir, "tasks.json"), []object{injected("t_IPI_a")})}})
	if err := im.read(); err != nil {
		t.Fatal(err)
	}
	im.addWorlds()
	kept := im.addCases()
	if len(kept) != 1 {
		t.Fatalf("refused %+v", im.report.Refused)
	}
	return im, kept[0]
}
