package stdlib

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"sort"
	"strings"
	"testing"
)

var updateKnown = flag.Bool("update-known", false, "rewrite known.go from python3")

// TestKnown compares the attributes of every module with CPython's: each is
// either here or listed in known, so that a world that uses a missing one is
// refused at load. Rewrite the list with -update-known.
func TestKnown(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: the list of missing attributes is not checked")
	}
	names := Names()
	sort.Strings(names)
	script := `import importlib, json, sys
if sys.version_info[:2] != (3, 11): print("null"); sys.exit()
out = {}
for n in json.loads(sys.argv[1]):
    out[n] = sorted(dir(importlib.import_module(n)))
print(json.dumps(out))`
	arg, _ := json.Marshal(names)
	b, err := exec.Command(python, "-I", "-c", script, string(arg)).Output()
	if err != nil {
		t.Fatalf("list attributes with python3: %v", err)
	}
	var theirs map[string][]string
	if err := json.Unmarshal(b, &theirs); err != nil {
		t.Fatal(err)
	}
	if theirs == nil {
		t.Skip("python3 is not 3.11: the list of missing attributes is not checked")
	}
	want := map[string][]string{}
	for _, n := range names {
		m, _ := Library.Import(n)
		for _, a := range theirs[n] {
			if _, ok := m.Attrs.GetStr(a); !ok && !strings.HasPrefix(a, "_") {
				if _, sub := Library.Import(n + "." + a); !sub && !isModule(python, n, a) {
					want[n] = append(want[n], a)
				}
			}
		}
	}
	if *updateKnown {
		writeKnown(t, names, want)
		return
	}
	for _, n := range names {
		if got, w := strings.Join(known[n], " "), strings.Join(want[n], " "); got != w {
			t.Errorf("known[%q]:\n got %s\nwant %s", n, got, w)
		}
	}
}

// isModule reports whether an attribute is a module that the module imports
// for its own use, such as datetime.sys.
func isModule(python, mod, attr string) bool {
	script := `import importlib, sys, types
sys.exit(isinstance(getattr(importlib.import_module(sys.argv[1]), sys.argv[2]), types.ModuleType))`
	return exec.Command(python, "-I", "-c", script, mod, attr).Run() != nil
}

func writeKnown(t *testing.T, names []string, want map[string][]string) {
	var b strings.Builder
	b.WriteString("package stdlib\n\n// known lists, per module, public names of CPython 3.11 that this library\n" +
		"// does not have. A world that uses one is refused at load; see docs/python.md.\n" +
		"// Written by: go test ./internal/py/stdlib -run TestKnown -update-known\nvar known = map[string][]string{\n")
	for _, n := range names {
		if len(want[n]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\t%q: {\n", n)
		for i := 0; i < len(want[n]); i += 6 {
			b.WriteString("\t\t")
			for _, a := range want[n][i:min(i+6, len(want[n]))] {
				fmt.Fprintf(&b, "%q, ", a)
			}
			b.WriteString("\n")
		}
		b.WriteString("\t},\n")
	}
	b.WriteString("}\n")
	src, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("known.go", src, 0o644); err != nil {
		t.Fatal(err)
	}
}
