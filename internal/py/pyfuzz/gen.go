package pyfuzz

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"sort"
	"strings"
)

// Generate returns the program of a seed: deterministic, self-contained
// Python 3.11 source that prints its results.
func Generate(seed uint64) string {
	return generate(seed, nil).src
}

// program is a generated source with the entries that made it, in order.
type program struct {
	src     string
	entries []string // ids of the entries, for coverage
}

// gen is the state of one generation.
type gen struct {
	rng    *rand.Rand
	gr     *grammar
	vars   map[string][]string // variables in scope by type
	poison float64             // share of typed holes with a value of a wrong type
	serial int                 // makes names unique in the program
}

// maxNesting bounds the expansion of rules that refer to themselves: beyond
// it the first alternative is taken, which by convention ends.
const maxNesting = -6

// generate builds the program of a seed from the areas that keep accepts
// (all with a positive weight when it is nil).
func generate(seed uint64, keep func(area string) bool) program {
	g := newGen(seed)
	g.poison = pick(g, []float64{0, 0, 0, 0.02, 0.02, 0.05, 0.15})
	areas := g.areas(keep)
	lines := g.header()
	budget := g.between(10, 36)
	var used []string
	for len(lines) < budget {
		e := g.entry(areas)
		used = append(used, e.id())
		lines = append(lines, g.block(e)...)
	}
	if g.chance(0.15) { // an end that may raise out of the program
		e := g.entry(areas)
		used = append(used, e.id())
		lines = append(lines, tag(g.bare(e), e)...)
	}
	body := strings.Join(lines, "\n")
	if strings.Contains(body, "hold.") {
		// Suspended generators stay alive to the end, because CPython runs the
		// finally blocks of an abandoned one as soon as its count drops to 0.
		body = "hold = []\n" + body
	}
	return program{src: imports(body) + body + "\n", entries: used}
}

func newGen(seed uint64) *gen {
	return &gen{
		rng:  rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)),
		gr:   loadGrammar(),
		vars: map[string][]string{},
	}
}

// areas returns the areas to draw from. Half of the programs stay in a few
// areas, so that their blocks share more state.
func (g *gen) areas(keep func(string) bool) []area {
	var all []area
	for _, a := range g.gr.areas {
		if keep == nil && a.weight > 0 || keep != nil && keep(a.name) {
			a.weight = max(a.weight, 1)
			all = append(all, a)
		}
	}
	if len(all) <= 3 || g.chance(0.5) {
		return all
	}
	var few []area
	for range 3 {
		few = append(few, weighted(g, all, func(a area) int { return a.weight }))
	}
	return few
}

func (g *gen) entry(areas []area) entry {
	a := weighted(g, areas, func(a area) int { return a.weight })
	return weighted(g, a.entries, func(e entry) int { return e.weight })
}

// header declares the shared variables. Its right-hand sides cannot fail.
func (g *gen) header() []string {
	poison := g.poison
	g.poison = 0
	defer func() { g.poison = poison }()
	var lines []string
	for _, v := range []struct{ name, kind string }{
		{"n", "int"}, {"s", "str"}, {"xs", "list"}, {"d", "dict"},
		{"f", "float"}, {"t", "tuple"}, {"m", "int"}, {"u", "str"}, {"ys", "ints"}, {"b", "bytes"},
	} {
		if len(lines) >= 4 && g.chance(0.6) {
			continue
		}
		lines = append(lines, v.name+" = "+g.expand(v.kind, 0, nil))
		g.vars[v.kind] = append(g.vars[v.kind], v.name)
	}
	if g.chance(0.15) {
		lines = append(lines, "zs = xs")
		g.vars["list"] = append(g.vars["list"], "zs")
	}
	return lines
}

// modules that are imported when a program mentions them.
var (
	moduleNames = []string{
		"ast", "collections", "copy", "dataclasses", "datetime", "enum", "functools", "itertools", "json",
		"math", "random", "re", "statistics", "string", "time", "typing", "unicodedata", "uuid",
	}
	modulePattern = regexp.MustCompile(`(?:^|[^\w.'"])(` + strings.Join(moduleNames, "|") + `)\.[A-Za-z_]`)
)

func imports(body string) string {
	found := map[string]bool{}
	for line := range strings.SplitSeq(body, "\n") {
		for _, m := range modulePattern.FindAllStringSubmatch(line, -1) {
			found[m[1]] = true
		}
	}
	names := make([]string, 0, len(found))
	for n := range found {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	for _, n := range names {
		b.WriteString("import " + n + "\n")
	}
	return b.String()
}

// expand fills <name>. Fresh names are shared through names, which may be nil.
func (g *gen) expand(name string, depth int, names map[string]string) string {
	if g.gr.typed[name] {
		if g.poison > 0 && g.rng.Float64() < g.poison {
			name, depth = "any", 0
		} else if vs := g.vars[name]; len(vs) > 0 && g.chance(0.2) {
			return pick(g, vs)
		}
	}
	if m := makers(name); m != nil {
		return m(g, depth)
	}
	alts := g.gr.rules[name]
	if atoms := g.gr.atoms[name]; atoms != nil && (depth <= 0 || alts == nil) {
		alts = atoms
	}
	if depth < maxNesting {
		return g.fill(alts[0].nodes, depth-1, names)
	}
	alt := weighted(g, alts, func(a alternative) int { return a.weight })
	return g.fill(alt.nodes, depth-1, names)
}

// fill writes a template out.
func (g *gen) fill(nodes []node, depth int, names map[string]string) string {
	var b strings.Builder
	for _, n := range nodes {
		text := g.piece(n, depth, names)
		if strings.Contains(text, "\n") {
			text = strings.ReplaceAll(text, "\n", "\n"+indentation(b.String()))
		}
		b.WriteString(text)
	}
	return b.String()
}

// indentation returns the spaces at the start of text's last line if the line
// has nothing else.
func indentation(text string) string {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if strings.TrimSpace(last) == "" {
		return last
	}
	return ""
}

func (g *gen) piece(n node, depth int, names map[string]string) string {
	switch {
	case n.lit != "":
		return n.lit
	case n.ranged:
		return fmt.Sprint(g.between(n.lo, n.hi))
	case n.choice != nil:
		return g.fill(pick(g, n.choice), depth, names)
	case n.fresh != "":
		if names == nil {
			return g.name(n.fresh)
		}
		if names[n.fresh] == "" {
			names[n.fresh] = g.name(n.fresh)
		}
		return names[n.fresh]
	}
	times := 1
	switch n.rep {
	case '*':
		times = g.between(0, 3)
	case '+':
		times = g.between(1, 4)
	}
	parts := make([]string, times)
	for i := range parts {
		parts[i] = g.expand(n.hole, depth, names)
	}
	return strings.Join(parts, ", ")
}

// name returns a new name that starts with stem.
func (g *gen) name(stem string) string {
	g.serial++
	return fmt.Sprintf("%s%d", stem, g.serial)
}

// between returns an integer of [lo, hi].
func (g *gen) between(lo, hi int) int { return lo + g.rng.IntN(hi-lo+1) }

func (g *gen) chance(p float64) bool { return g.rng.Float64() < p }

func pick[T any](g *gen, xs []T) T { return xs[g.rng.IntN(len(xs))] }

func weighted[T any](g *gen, xs []T, weight func(T) int) T {
	total := 0
	for _, x := range xs {
		total += weight(x)
	}
	r := g.rng.IntN(total)
	for _, x := range xs {
		if r -= weight(x); r < 0 {
			return x
		}
	}
	return xs[len(xs)-1]
}
