// Package archtest keeps the shape of the source tree true. It reads every Go
// file of the module and checks what a compiler does not:
//
//   - imports: which package of ours may import which ([Layers]);
//   - docs: every package says what it is in at least three lines;
//   - sizes: files of at most 500 lines and functions of at most 80, tests and
//     generated files apart, with the exceptions listed and explained;
//   - references: clock, environment, global random numbers and standard output
//     are used in internal/cli only, so that everything else is deterministic and
//     testable.
//
// The tables are in table.go; a failing test says which line to add there, or
// what to do instead. Files are parsed one by one and never type-checked against
// each other, so the checks also work while another package does not build.
package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Module is the import path of the module whose tree is checked.
const Module = "gauntlet"

// Tree is the parsed source of a module. Build it with [Load].
type Tree struct {
	fset     *token.FileSet
	packages []*pkg // sorted by name
}

// pkg is a directory with Go files.
type pkg struct {
	name  string // as in Rule
	files []*file
}

// file is one Go file. Files that only "go run" builds are not part of a tree.
type file struct {
	path  string // relative to the root of the module
	ast   *ast.File
	lines int
	test  bool
}

// Load parses the Go files under root, which is the root of the module. Folders
// that the go command ignores (testdata, and names that start with "." or "_")
// and modules of their own are left out. A file that does not parse is an error.
func Load(root fs.FS) (*Tree, error) {
	t := &Tree{fset: token.NewFileSet()}
	byName := map[string]*pkg{}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipped(root, name)
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		f, err := t.parse(root, name)
		if err != nil || f == nil {
			return err
		}
		key := packageName(path.Dir(name))
		if byName[key] == nil {
			byName[key] = &pkg{name: key}
			t.packages = append(t.packages, byName[key])
		}
		byName[key].files = append(byName[key].files, f)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load source tree: %w", err)
	}
	slices.SortFunc(t.packages, func(a, b *pkg) int { return strings.Compare(a.name, b.name) })
	return t, nil
}

// skipped returns fs.SkipDir for a directory that is not part of the module.
func skipped(root fs.FS, dir string) error {
	if dir == "." {
		return nil
	}
	base := path.Base(dir)
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(root, path.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// parse returns nil for a file with the build constraint "ignore".
func (t *Tree) parse(root fs.FS, name string) (*file, error) {
	source, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	parsed, err := parser.ParseFile(t.fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if header, _, _ := bytes.Cut(source, []byte("\npackage ")); bytes.Contains(header, []byte("//go:build ignore")) {
		return nil, nil
	}
	lines := bytes.Count(source, []byte("\n"))
	return &file{path: name, ast: parsed, lines: lines, test: strings.HasSuffix(name, "_test.go")}, nil
}

// packageName returns the name of the package in dir as the tables spell it.
func packageName(dir string) string {
	if dir == "." {
		return "main"
	}
	return strings.TrimPrefix(dir, "internal/")
}

// line returns the line of pos in its file.
func (t *Tree) line(pos token.Pos) int { return t.fset.Position(pos).Line }

// Docs returns a problem for every package whose package comment has fewer than
// three lines. Packages of tests only are exempt.
func Docs(t *Tree) []string {
	var problems []string
	for _, p := range t.packages {
		longest, code := 0, false
		for _, f := range p.files {
			if f.test {
				continue
			}
			code = true
			text := strings.TrimSpace(f.ast.Doc.Text())
			if text != "" {
				longest = max(longest, 1+strings.Count(text, "\n"))
			}
		}
		if code && longest < 3 {
			problems = append(problems, fmt.Sprintf("%s: the package comment has %d lines, want at least 3: what the package is for, its words, what it does not do", p.name, longest))
		}
	}
	return problems
}
