package py

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var updateMethods = flag.Bool("update-methods", false, "rewrite testdata/method/*.txt from python3")

// runSource runs a module and returns what it printed.
func runSource(src string) (string, error) {
	p, err := CompileSource("test.py", src, nil)
	if err != nil {
		return "", err
	}
	t := NewThread(1, nil, Limits{Output: 64 << 20, Steps: 200_000_000, Alloc: 2 << 30, Wall: -1})
	_, err = t.Exec(p, "__main__")
	return t.Output(), err
}

var addressPattern = regexp.MustCompile(`0x[0-9a-f]{8,}`)

// oracle runs a program under CPython 3.11.
func oracle(t *testing.T, src string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	version, err := exec.Command(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").Output()
	if err != nil || strings.TrimSpace(string(version)) != "3.11" {
		t.Skip("python3 is not CPython 3.11")
	}
	cmd := exec.Command(python, "-X", "utf8", "-")
	cmd.Stdin = strings.NewReader(src)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("python3: %v\n%s", err, errs.String())
	}
	return out.String()
}

// methodCase is an expression with the repr of its value or its exception.
type methodCase struct{ expr, want string }

const arrow = "  =>  "

// readCases reads "expression  =>  result" lines; a line that starts with "#!"
// is a definition that all expressions see.
func readCases(t *testing.T, path string) (prelude string, cases []methodCase) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "#!"):
			prelude += strings.TrimPrefix(line, "#!") + "\n"
		case line == "" || line[0] == '#':
		default:
			expr, want, _ := strings.Cut(line, arrow)
			cases = append(cases, methodCase{expr, want})
		}
	}
	return prelude, cases
}

// program prints one line per case.
func program(prelude string, cases []methodCase) string {
	var b strings.Builder
	b.WriteString(prelude)
	for i, c := range cases {
		fmt.Fprintf(&b, "def case%d(): return %s\n", i, c.expr)
	}
	b.WriteString("def show(f):\n    try:\n        r = ascii(f())\n    except Exception as e:\n" +
		"        r = type(e).__name__ + ': ' + ascii(str(e))[1:-1]\n    print(r)\n")
	for i := range cases {
		fmt.Fprintf(&b, "show(case%d)\n", i)
	}
	return b.String()
}

func outputLines(s string) []string {
	return strings.Split(strings.TrimSuffix(addressPattern.ReplaceAllString(s, "0x0"), "\n"), "\n")
}

// TestMethods compares the built-in functions and methods with the committed
// results of CPython.
func TestMethods(t *testing.T) {
	files, _ := filepath.Glob("testdata/method/*.txt")
	if len(files) == 0 {
		t.Fatal("no testdata/method/*.txt")
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			prelude, cases := readCases(t, path)
			out, err := runSource(program(prelude, cases))
			if err != nil {
				t.Errorf("run: %v", err)
			}
			got := outputLines(out)
			for i, c := range cases {
				if i >= len(got) {
					t.Fatalf("output ends before %q", c.expr)
				}
				if got[i] != c.want {
					t.Errorf("%s\n got %s\nwant %s", c.expr, got[i], c.want)
				}
			}
		})
	}
}

// TestMethodOracle checks the committed results against python3, and rewrites
// them with -update-methods.
func TestMethodOracle(t *testing.T) {
	files, _ := filepath.Glob("testdata/method/*.txt")
	for _, path := range files {
		prelude, cases := readCases(t, path)
		want := outputLines(oracle(t, program(prelude, cases)))
		if len(want) != len(cases) {
			t.Fatalf("%s: python3 printed %d lines for %d cases", path, len(want), len(cases))
		}
		if *updateMethods {
			rewriteCases(t, path, want)
			continue
		}
		for i, c := range cases {
			if c.want != want[i] {
				t.Errorf("%s: %s\npython3 says %s\n    file has %s", path, c.expr, want[i], c.want)
			}
		}
	}
}

// TestMethodPrograms runs programs whose whole output is committed: sorting
// order, changes during iteration, consumption of iterators.
func TestMethodPrograms(t *testing.T) {
	files, _ := filepath.Glob("testdata/method/*.py")
	if len(files) == 0 {
		t.Fatal("no testdata/method/*.py")
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(path, ".py") + ".out")
		if err != nil {
			t.Fatal(err)
		}
		got, err := runSource(string(src))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		g, w := outputLines(got), outputLines(string(want))
		for i := range w {
			if i >= len(g) || g[i] != w[i] {
				t.Errorf("%s: line %d\n got %s\nwant %s", path, i+1, append(g, "")[min(i, len(g))], w[i])
			}
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			if now := oracle(t, string(src)); now != string(want) {
				t.Errorf("python3 prints something else than %s.out", strings.TrimSuffix(path, ".py"))
			}
		})
	}
}

func rewriteCases(t *testing.T, path string, want []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, i := strings.Split(string(data), "\n"), 0
	for n, line := range lines {
		if line == "" || line[0] == '#' {
			continue
		}
		expr, _, _ := strings.Cut(line, arrow)
		lines[n] = expr + arrow + want[i]
		i++
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}
