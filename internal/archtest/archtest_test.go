package archtest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestTree holds the tree of this module to all the rules.
func TestTree(t *testing.T) {
	tree, err := Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.packages) < 3 {
		t.Fatalf("found %d packages, the root of the module is elsewhere", len(tree.packages))
	}
	checks := []struct {
		name     string
		problems []string
	}{
		{"imports", Imports(tree, Layers)},
		{"docs", Docs(tree)},
		{"sizes", Sizes(tree, LongFiles, LongFunctions)},
		{"references", Banned(tree, References)},
	}
	for _, check := range checks {
		t.Run(check.name, func(t *testing.T) {
			for _, problem := range check.problems {
				t.Error(problem)
			}
		})
	}
}

// load parses files, given as path and source.
func load(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	root := fstest.MapFS{}
	for name, source := range files {
		root[name] = &fstest.MapFile{Data: []byte(source)}
	}
	tree, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// expect wants one problem for each fragment, which it contains, and no other.
func expect(t *testing.T, problems []string, fragments ...string) {
	t.Helper()
	all := strings.Join(problems, "\n")
	if len(problems) != len(fragments) {
		t.Errorf("%d problems, want %d:\n%s", len(problems), len(fragments), all)
	}
	for _, fragment := range fragments {
		if !strings.Contains(all, fragment) {
			t.Errorf("no problem says %q:\n%s", fragment, all)
		}
	}
}

func TestLoad(t *testing.T) {
	tree := load(t, map[string]string{
		"main.go":                   "package main",
		"internal/a/a.go":           "package a",
		"internal/a/a_test.go":      "package a",
		"internal/a/gen.go":         "//go:build ignore\n\npackage main",
		"internal/a/testdata/x.go":  "this is not Go",
		"internal/_old/x.go":        "neither is this",
		".cache/x.go":               "nor this",
		"tools/go.mod":              "module tools",
		"tools/x.go":                "package tools",
		"internal/b/c/c.go":         "package c",
		"internal/b/c/README.md":    "text",
		"vendor/example.com/dep.go": "package dep",
	})
	var got []string
	for _, p := range tree.packages {
		got = append(got, fmt.Sprintf("%s:%d", p.name, len(p.files)))
	}
	if want := "a:2 b/c:1 main:1"; strings.Join(got, " ") != want {
		t.Errorf("packages and files are %q, want %q", got, want)
	}
	if _, err := Load(fstest.MapFS{"x.go": {Data: []byte("not Go")}}); err == nil {
		t.Error("a file that does not parse was loaded")
	}
}

func TestImports(t *testing.T) {
	rules := []Rule{
		{"low", "", "the bottom"},
		{"mid", "low", "the middle"},
		{"py", "", "a tree"},
		{"py/x", "py", "its branch"},
		{"top", "py/... mid", "the top"},
		{"cli", "...", "all"},
		{"main", "cli", "one call"},
	}
	source := func(name string, imports ...string) string {
		text := "package " + name + "\n"
		for _, imported := range imports {
			text += fmt.Sprintf("import _ %q\n", imported)
		}
		return text
	}
	good := map[string]string{
		"main.go":                  source("main", "os", "gauntlet/internal/cli"),
		"main_test.go":             source("main", "gauntlet/internal/cli"),
		"internal/low/low.go":      source("low", "fmt", "example.com/gauntlet/internal/top"),
		"internal/mid/mid.go":      source("mid", "gauntlet/internal/low"),
		"internal/mid/mid_test.go": source("mid", "gauntlet/internal/top"),
		"internal/py/py.go":        source("py"),
		"internal/py/x/x.go":       source("x", "gauntlet/internal/py"),
		"internal/top/top.go":      source("top", "gauntlet/internal/py", "gauntlet/internal/py/x", "gauntlet/internal/mid"),
		"internal/cli/cli.go":      source("cli", "gauntlet/internal/low", "gauntlet/internal/py/x"),
		"internal/cli/cli_test.go": source("cli_test", "gauntlet/internal/cli"),
	}
	expect(t, Imports(load(t, good), rules))

	bad := map[string]string{
		"main.go":                  source("main", "gauntlet/internal/low"),
		"internal/low/low.go":      source("low", "gauntlet/internal/mid"),
		"internal/mid/mid.go":      source("mid", "gauntlet/internal/cli"),
		"internal/mid/mid_test.go": source("mid", "gauntlet/internal/cli"),
		"internal/py/py.go":        source("py", "gauntlet/internal/py/x"),
		"internal/top/top.go":      source("top", "gauntlet/internal/pyx"),
		"internal/new/new.go":      source("new"),
	}
	expect(t, Imports(load(t, bad), rules),
		"main.go: main may not import low",
		"low.go: low may not import mid",
		"mid.go: mid may not import cli",
		"mid_test.go: a test imports cli",
		"py.go: py may not import py/x",
		"top.go: top may not import pyx",
		"new: the package has no rule; add {\"new\"",
	)
	expect(t, Imports(load(t, nil), []Rule{{"a", "", "x"}, {"a", "", "y"}, {"b", "", ""}}),
		"a: its rule is repeated", "b: its rule is repeated or gives no reason")
}

func TestDocs(t *testing.T) {
	expect(t, Docs(load(t, map[string]string{
		"internal/a/a.go":      "// Package a is\n// explained in\n// three lines.\npackage a",
		"internal/b/b.go":      "package b",
		"internal/b/doc.go":    "// Package b is\n//\n// explained.\npackage b",
		"internal/c/c.go":      "// Package c is short.\npackage c",
		"internal/d/d.go":      "// Not a package comment,\n// for all of its\n// three lines.\n\npackage d",
		"internal/e/e_test.go": "package e",
		"internal/f/f.go":      "package f",
		"internal/f/f_test.go": "// Package f is\n// explained in\n// a test.\npackage f",
	})), "c: the package comment has 1 lines", "d: the package comment has 0 lines", "f: the package comment has 0 lines")
}

func TestSizes(t *testing.T) {
	function := func(signature string, lines int) string {
		return signature + " {" + strings.Repeat("\n", lines-1) + "}\n"
	}
	tree := load(t, map[string]string{
		"a.go":       "package a\n" + function("func F()", 80) + function("func G()", 81) + function("func (t *T[A, B]) M()", 81),
		"a_test.go":  "package a\n" + function("func Long()", 600),
		"gen.go":     "// Code generated by x. DO NOT EDIT.\n\npackage a\n" + function("func Long()", 600),
		"long.go":    "package a\n" + strings.Repeat("\n", 500),
		"allowed.go": "package a\n" + strings.Repeat("\n", 499),
	})
	expect(t, Sizes(tree, nil, nil), "a.go:G: 81 lines", "a.go:T.M: 81 lines", "long.go: 501 lines")
	expect(t, Sizes(tree, map[string]string{"long.go": "data"}, map[string]string{"a.go:G": "a switch", "a.go:T.M": "a switch"}))
	expect(t, Sizes(tree, map[string]string{"long.go": "", "allowed.go": "data"}, map[string]string{"a.go:G": "x", "a.go:T.M": "x", "a.go:F": "x"}),
		"long.go: 501 lines", "allowed.go: the excuse in LongFiles", "a.go:F: the excuse in LongFunctions")
}

func TestBanned(t *testing.T) {
	bad := `package a
import (
	"fmt"
	"math/rand/v2"
	clock "time"
	"os"
)
var now = clock.Now
func f(unknown other.Type) {
	fmt.Println(rand.IntN(3), os.Getenv("X"))
	unknown.Do(missing{at: clock.Since(x)})
	fmt.Fprintln(os.Stdout)
}
`
	good := `package a
import (
	"fmt"
	"io"
	"math/rand"
	"os"
	"time"
)
type clock struct{ time time.Time }
func f(w io.Writer, rand *rand.Rand, os clock, fmt2 any) string {
	time := clock{}
	_ = time.Now()
	return fmt.Sprint(rand.Intn(3), os.Stdout)
}
func g() *rand.Rand { return rand.New(rand.NewSource(1)) }
func h(d time.Duration) *os.File { return nil }
`
	tree := load(t, map[string]string{
		"internal/a/bad.go":       bad,
		"internal/a/good.go":      good,
		"internal/a/a_test.go":    bad,
		"internal/cli/cli.go":     bad,
		"internal/cli/sub/x.go":   bad,
		"internal/dot/dot.go":     "package dot\nimport . \"fmt\"\nfunc f() { Println() }\n",
		"internal/dot/strings.go": "package dot\nimport . \"strings\"\n",
	})
	problems := []string{
		"bad.go:8: time.Now", "bad.go:10: fmt.Println", "bad.go:10: rand.IntN", "bad.go:10: os.Getenv",
		"bad.go:11: time.Since", "bad.go:12: os.Stdout",
	}
	dot := "dot.go:2: fmt.* is for internal/cli; import the package by its name"
	expect(t, Banned(tree, nil), append(problems, dot)...)
	expect(t, Banned(tree, map[string]string{
		"internal/a/bad.go:time.Now": "measures wall time", "internal/a/good.go:time.Now": "stale", "internal/a/bad.go:os.Stdout": "",
	}), append(problems[1:], dot, "good.go:time.Now: the excuse in References is not needed")...)
}
