package archtest

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
)

// The caps on length, in lines. A function is counted from its "func" to its
// closing brace.
const (
	maxFileLines     = 500
	maxFunctionLines = 80
)

// Sizes returns a problem for every file and function above its cap that has no
// excuse, and for every excuse that excuses nothing. Tests and generated files
// may be of any length.
func Sizes(t *Tree, longFiles, longFunctions map[string]string) []string {
	var problems []string
	usedFiles, usedFunctions := map[string]bool{}, map[string]bool{}
	for f := range t.ordinary {
		if f.lines > maxFileLines {
			usedFiles[f.path] = true
			if longFiles[f.path] == "" {
				problems = append(problems, fmt.Sprintf("%s: %d lines, at most %d; split it by idea, or give a reason in LongFiles", f.path, f.lines, maxFileLines))
			}
		}
		for _, declaration := range f.ast.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := 1 + t.line(function.End()) - t.line(function.Pos())
			if lines <= maxFunctionLines {
				continue
			}
			key := f.path + ":" + functionName(function)
			usedFunctions[key] = true
			if longFunctions[key] == "" {
				problems = append(problems, fmt.Sprintf("%s: %d lines, at most %d; name its parts, or give a reason in LongFunctions", key, lines, maxFunctionLines))
			}
		}
	}
	problems = append(problems, unused("LongFiles", longFiles, usedFiles)...)
	return append(problems, unused("LongFunctions", longFunctions, usedFunctions)...)
}

// ordinary yields the files that are neither tests nor generated.
func (t *Tree) ordinary(yield func(*file) bool) {
	for _, p := range t.packages {
		for _, f := range p.files {
			if !f.test && !ast.IsGenerated(f.ast) && !yield(f) {
				return
			}
		}
	}
}

// functionName returns "Function" or "Type.Method".
func functionName(function *ast.FuncDecl) string {
	if function.Recv == nil || len(function.Recv.List) == 0 {
		return function.Name.Name
	}
	receiver := function.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.Name + "." + function.Name.Name
		default:
			return function.Name.Name
		}
	}
}

// unused returns a problem for every excuse in list that nothing needed.
func unused(name string, list map[string]string, used map[string]bool) []string {
	var problems []string
	for _, key := range slices.Sorted(maps.Keys(list)) {
		if !used[key] {
			problems = append(problems, fmt.Sprintf("%s: the excuse in %s is not needed any more; remove it", key, name))
		}
	}
	return problems
}
