package archtest

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
)

// ban is a set of names of one package that only internal/cli may refer to.
type ban struct {
	path    string
	names   []string // the banned names, or
	allowed []string // all but these are banned
	instead string
}

// seeded are the names of math/rand and math/rand/v2 that have no global state.
var seeded = []string{"New", "NewSource", "NewZipf", "NewPCG", "NewChaCha8", "Rand", "Source", "Source64", "Zipf", "PCG", "ChaCha8"}

var bans = []ban{
	{path: "time", names: []string{"Now", "Since", "Until"}, instead: "take the time, or a clock, as a value"},
	{path: "os", names: []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, instead: "take the setting as an option"},
	{path: "os", names: []string{"Stdout", "Stderr", "Stdin"}, instead: "take an io.Writer or io.Reader"},
	{path: "fmt", names: []string{"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"}, instead: "take an io.Writer or io.Reader"},
	{path: "math/rand", allowed: seeded, instead: "take a *rand.Rand that comes from the cell's seed"},
	{path: "math/rand/v2", allowed: seeded, instead: "take a *rand.Rand that comes from the cell's seed"},
}

// forbids reports whether b bans the name of its package.
func (b ban) forbids(name string) bool {
	if b.allowed != nil {
		return !slices.Contains(b.allowed, name)
	}
	return slices.Contains(b.names, name)
}

// Banned returns a problem for every reference, called or not, to the clock, the
// environment, global random numbers and the standard streams outside of
// internal/cli and of tests, unless excuses has it, and for every excuse that
// excuses nothing. A dot import of a package with bans is a problem by itself.
func Banned(t *Tree, excuses map[string]string) []string {
	var problems []string
	used := map[string]bool{}
	for _, p := range t.packages {
		if under("cli", p.name) {
			continue
		}
		for _, f := range p.files {
			if f.test {
				continue
			}
			for _, r := range t.references(f) {
				key := f.path + ":" + r.name
				used[key] = true
				if excuses[key] == "" {
					problems = append(problems, fmt.Sprintf("%s:%d: %s is for internal/cli; %s", f.path, r.line, r.name, r.instead))
				}
			}
		}
	}
	return append(problems, unused("References", excuses, used)...)
}

// reference is one use of a banned name.
type reference struct {
	line    int
	name    string // package.Name
	instead string
}

// references returns the banned references in f, in order.
func (t *Tree) references(f *file) []reference {
	var found []reference
	imports := map[string]string{} // local name to path
	for _, spec := range f.ast.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it
		}
		local := lastName(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if local == "." && slices.ContainsFunc(bans, func(b ban) bool { return b.path == imported }) {
			found = append(found, reference{t.line(spec.Pos()), imported + ".*", "import the package by its name"})
		}
		imports[local] = imported
	}
	uses := t.resolve(f)
	ast.Inspect(f.ast, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		operand, ok := selector.X.(*ast.Ident)
		if !ok {
			return true
		}
		if object := uses[operand]; object != nil {
			if _, isPackage := object.(*types.PkgName); !isPackage {
				return true // a variable that is called like the package
			}
		}
		for _, b := range bans {
			if b.path == imports[operand.Name] && b.forbids(selector.Sel.Name) {
				name := lastName(b.path) + "." + selector.Sel.Name
				found = append(found, reference{t.line(selector.Pos()), name, b.instead})
			}
		}
		return true
	})
	return found
}

// resolve returns what the identifiers in f refer to, as far as f alone tells.
func (t *Tree) resolve(f *file) map[*ast.Ident]types.Object {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{
		Importer: hollow{},
		Error:    func(error) {}, // names of other files are unknown, and need not be known
	}
	// The error is one of those above; the scopes are right all the same.
	_, _ = config.Check(f.path, t.fset, []*ast.File{f.ast}, info)
	return info.Uses
}

// hollow imports every path as a package without contents.
type hollow struct{}

func (hollow) Import(imported string) (*types.Package, error) {
	hollow := types.NewPackage(imported, lastName(imported))
	hollow.MarkComplete()
	return hollow, nil
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// lastName returns the package name that an import path suggests: its last
// element that is not a version.
func lastName(imported string) string {
	if base := path.Base(imported); !version.MatchString(base) {
		return base
	}
	return path.Base(path.Dir(imported))
}
