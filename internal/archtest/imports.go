package archtest

import (
	"fmt"
	"strconv"
	"strings"
)

// Imports returns a problem for every import that rules do not allow, and for
// every package without a rule.
func Imports(t *Tree, rules []Rule) []string {
	byName := map[string]Rule{}
	var problems []string
	for _, rule := range rules {
		if _, repeated := byName[rule.Package]; repeated || rule.Why == "" {
			problems = append(problems, fmt.Sprintf("%s: its rule is repeated or gives no reason", rule.Package))
		}
		byName[rule.Package] = rule
	}
	for _, p := range t.packages {
		rule, known := byName[p.name]
		if !known {
			problems = append(problems, fmt.Sprintf(
				"%s: the package has no rule; add {%q, \"packages it may import\", \"why\"} to Layers in internal/archtest/table.go, below everything it imports, and its line to the layout in ARCHITECTURE.md",
				p.name, p.name))
			continue
		}
		for _, f := range p.files {
			problems = append(problems, f.forbidden(rule)...)
		}
	}
	return problems
}

// forbidden returns a problem for every import in f that rule does not allow.
func (f *file) forbidden(rule Rule) []string {
	var problems []string
	for _, spec := range f.ast.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it
		}
		ours, ok := strings.CutPrefix(imported, Module+"/")
		if !ok {
			continue
		}
		ours = strings.TrimPrefix(ours, "internal/")
		if f.test {
			if under("cli", ours) && rule.Package != "main" && !under("cli", rule.Package) {
				problems = append(problems, fmt.Sprintf("%s: a test imports cli; test through the package under it, or write a script in testdata/script", f.path))
			}
			continue
		}
		if !rule.allows(ours) {
			problems = append(problems, fmt.Sprintf(
				"%s: %s may not import %s (%s); it may import: %s. Move the code, or let the caller pass what is needed; widen the rule only if the layering itself was wrong",
				f.path, rule.Package, ours, rule.Why, orNothing(rule.May)))
		}
	}
	return problems
}

// allows reports whether the rule lets its package import the named one.
func (r Rule) allows(name string) bool {
	for _, pattern := range strings.Fields(r.May) {
		parent, subtree := strings.CutSuffix(pattern, "/...")
		switch {
		case pattern == "...":
			if !under("cli", name) {
				return true
			}
		case pattern == name, subtree && under(parent, name):
			return true
		}
	}
	return false
}

// under reports whether name is parent or below it.
func under(parent, name string) bool {
	return name == parent || strings.HasPrefix(name, parent+"/")
}

func orNothing(may string) string {
	if may == "" {
		return "nothing of ours"
	}
	return may
}
