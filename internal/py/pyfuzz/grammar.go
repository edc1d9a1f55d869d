package pyfuzz

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// A grammar file is a list of sections. A section starts at column 0 and its
// body is indented by four spaces:
//
//	weight 8                 weight of the whole area; 0: only on request
//	expr NAME WEIGHT         each body line is one expression to be printed
//	stmt NAME WEIGHT         the body is one block of statements
//	rule NAME                each body line is one way to fill <NAME>
//	atom NAME                the same, used when the depth budget is spent
//	typed NAME ...           these holes may get a variable or a wrong type
//
// A body line of expr, rule and atom may start with "@3 " to weigh three times
// as much, or with "! " to weigh a third because it is meant to raise.
// In a body:
//
//	<NAME>       a rule, an atom, or a maker written in Go (makers)
//	<NAME*>      0 to 3 of them, separated by ", "; <NAME+> gives 1 to 4
//	<-3..9>      an integer of the range
//	«a|b|c»      one of the alternatives, which may have holes themselves
//	$x           a name that is fresh in this block; $$ is a dollar sign
//
// A hole that is alone on its line may expand to several lines, which take
// over the line's indentation. Rules are shared by all files.

//go:embed grammar/*.txt
var grammarFiles embed.FS

// grammar is the parsed form of all grammar files. It is never changed.
type grammar struct {
	areas []area
	rules map[string][]alternative
	atoms map[string][]alternative
	typed map[string]bool
}

type area struct {
	name    string
	weight  int
	weighed bool // the file says its weight
	entries []entry
}

// entry is one row of the coverage table.
type entry struct {
	area   string
	name   string
	weight int
	stmt   bool          // one block of statements, else one of several expressions
	alts   []alternative // one for a stmt
}

func (e entry) id() string { return e.area + "/" + e.name }

type alternative struct {
	weight int
	nodes  []node
}

// node is one piece of a template; exactly one of the fields is used.
type node struct {
	lit    string   // literal text
	hole   string   // rule name
	rep    byte     // '*' or '+' after a rule name
	lo, hi int      // integer range when ranged
	fresh  string   // $name
	choice [][]node // «...»
	ranged bool
}

// loadGrammar parses the embedded files once. They are part of the program
// and TestGrammar parses them too, so an error here is a bug.
var loadGrammar = sync.OnceValue(func() *grammar {
	gr, err := parseFiles(grammarFiles)
	if err != nil {
		panic(err)
	}
	return gr
})

func parseFiles(fsys fs.FS) (*grammar, error) {
	names, err := fs.Glob(fsys, "grammar/*.txt")
	if err != nil {
		return nil, fmt.Errorf("list grammar: %w", err)
	}
	gr := &grammar{
		rules: map[string][]alternative{},
		atoms: map[string][]alternative{},
		typed: map[string]bool{},
	}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read grammar: %w", err)
		}
		base := strings.TrimSuffix(path.Base(name), ".txt")
		if err := gr.parseArea(base, string(text)); err != nil {
			return nil, fmt.Errorf("parse grammar %s: %w", name, err)
		}
	}
	sort.Slice(gr.areas, func(i, j int) bool { return gr.areas[i].name < gr.areas[j].name })
	return gr, gr.check()
}

// section is a heading of a grammar file with its body lines, dedented.
type section struct {
	head []string
	body []string
	line int
}

func splitSections(text string) ([]section, error) {
	var secs []section
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case strings.HasPrefix(line, "    "):
			if len(secs) == 0 {
				return nil, fmt.Errorf("line %d: body without a heading", i+1)
			}
			s := &secs[len(secs)-1]
			s.body = append(s.body, strings.TrimRight(line[4:], " "))
		case line[0] == ' ' || line[0] == '\t':
			return nil, fmt.Errorf("line %d: bad indentation", i+1)
		default:
			secs = append(secs, section{head: strings.Fields(line), line: i + 1})
		}
	}
	return secs, nil
}

func (gr *grammar) parseArea(name, text string) error {
	secs, err := splitSections(text)
	if err != nil {
		return err
	}
	a := area{name: name}
	for _, s := range secs {
		if err := gr.parseSection(&a, s); err != nil {
			return fmt.Errorf("line %d: %s: %w", s.line, strings.Join(s.head, " "), err)
		}
	}
	if len(a.entries) > 0 {
		gr.areas = append(gr.areas, a)
	}
	return nil
}

func (gr *grammar) parseSection(a *area, s section) error {
	kind, args := s.head[0], s.head[1:]
	switch kind {
	case "typed":
		for _, n := range args {
			gr.typed[n] = true
		}
		return nil
	case "weight":
		w, err := strconv.Atoi(strings.Join(args, " "))
		a.weight, a.weighed = w, true
		return err
	case "rule", "atom":
		alts, err := parseAlternatives(s.body)
		if err != nil {
			return err
		}
		into := gr.rules
		if kind == "atom" {
			into = gr.atoms
		}
		if len(args) != 1 || into[args[0]] != nil {
			return fmt.Errorf("want one new name")
		}
		into[args[0]] = alts
		return nil
	case "expr", "stmt":
		return a.parseEntry(kind == "stmt", args, s.body)
	}
	return fmt.Errorf("unknown section")
}

func (a *area) parseEntry(stmt bool, args, body []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want a name and a weight")
	}
	w, err := strconv.Atoi(args[1])
	if err != nil || w < 1 {
		return fmt.Errorf("bad weight %q", args[1])
	}
	e := entry{area: a.name, name: args[0], weight: w, stmt: stmt}
	if stmt {
		nodes, err := parseTemplate(strings.Join(body, "\n"))
		if err != nil {
			return err
		}
		e.alts = []alternative{{1, nodes}}
	} else if e.alts, err = parseAlternatives(body); err != nil {
		return err
	}
	a.entries = append(a.entries, e)
	return nil
}

func parseAlternatives(body []string) ([]alternative, error) {
	if len(body) == 0 {
		return nil, fmt.Errorf("empty body")
	}
	var alts []alternative
	for _, line := range body {
		w := 3
		if rest, ok := strings.CutPrefix(line, "! "); ok {
			w, line = 1, rest
		} else if num, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(num, "@") {
			if n, err := strconv.Atoi(num[1:]); err == nil {
				w, line = 3*n, rest
			}
		}
		nodes, err := parseTemplate(line)
		if err != nil {
			return nil, err
		}
		alts = append(alts, alternative{w, nodes})
	}
	return alts, nil
}

var (
	holePattern  = regexp.MustCompile(`^<(?:([a-z][a-z0-9_]*)([*+]?)|(-?\d+)\.\.(-?\d+))>`)
	freshPattern = regexp.MustCompile(`^\$([A-Za-z_]+|\$)`)
)

func parseTemplate(text string) ([]node, error) {
	nodes, rest, err := parseNodes(text, false)
	if err == nil && rest != "" {
		err = fmt.Errorf("stray text %q", rest)
	}
	return nodes, err
}

// parseNodes reads up to the end of text or, inside a choice, up to its next
// separator, and returns what it did not read.
func parseNodes(text string, inChoice bool) ([]node, string, error) {
	var nodes []node
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			nodes = append(nodes, node{lit: lit.String()})
			lit.Reset()
		}
	}
	for text != "" {
		if inChoice && (text[0] == '|' || strings.HasPrefix(text, "»")) {
			break
		}
		n, rest, err := parseNode(text)
		if err != nil {
			return nil, "", err
		}
		if n.lit != "" {
			lit.WriteString(n.lit)
		} else {
			flush()
			nodes = append(nodes, n)
		}
		text = rest
	}
	flush()
	return nodes, text, nil
}

func parseNode(text string) (node, string, error) {
	if m := holePattern.FindStringSubmatch(text); m != nil {
		rest := text[len(m[0]):]
		if m[1] == "" {
			lo, _ := strconv.Atoi(m[3])
			hi, _ := strconv.Atoi(m[4])
			if hi < lo {
				return node{}, "", fmt.Errorf("empty range %s", m[0])
			}
			return node{lo: lo, hi: hi, ranged: true}, rest, nil
		}
		n := node{hole: m[1]}
		if m[2] != "" {
			n.rep = m[2][0]
		}
		return n, rest, nil
	}
	if m := freshPattern.FindStringSubmatch(text); m != nil {
		if m[1] == "$" {
			return node{lit: "$"}, text[2:], nil
		}
		return node{fresh: m[1]}, text[len(m[0]):], nil
	}
	if rest, ok := strings.CutPrefix(text, "«"); ok {
		return parseChoice(rest)
	}
	return node{lit: text[:1]}, text[1:], nil
}

func parseChoice(text string) (node, string, error) {
	var n node
	for {
		alt, rest, err := parseNodes(text, true)
		if err != nil {
			return node{}, "", err
		}
		if rest == "" {
			return node{}, "", fmt.Errorf("« without »")
		}
		n.choice = append(n.choice, alt)
		if after, ok := strings.CutPrefix(rest, "»"); ok {
			return n, after, nil
		}
		text = rest[1:] // the separator '|'
	}
}

// check reports holes that nothing can fill and areas without a weight.
func (gr *grammar) check() error {
	for name, alts := range gr.rules {
		if err := gr.checkAlternatives(alts); err != nil {
			return fmt.Errorf("rule %s: %w", name, err)
		}
	}
	for name, alts := range gr.atoms {
		if err := gr.checkAlternatives(alts); err != nil {
			return fmt.Errorf("atom %s: %w", name, err)
		}
	}
	for _, a := range gr.areas {
		if !a.weighed {
			return fmt.Errorf("area %s: no weight", a.name)
		}
		seen := map[string]bool{}
		for _, e := range a.entries {
			if seen[e.name] {
				return fmt.Errorf("entry %s: twice", e.id())
			}
			seen[e.name] = true
			if err := gr.checkAlternatives(e.alts); err != nil {
				return fmt.Errorf("entry %s: %w", e.id(), err)
			}
		}
	}
	return nil
}

func (gr *grammar) checkAlternatives(alts []alternative) error {
	for _, a := range alts {
		if err := gr.checkNodes(a.nodes); err != nil {
			return err
		}
	}
	return nil
}

func (gr *grammar) checkNodes(nodes []node) error {
	for _, n := range nodes {
		if n.hole != "" && gr.rules[n.hole] == nil && gr.atoms[n.hole] == nil && makers(n.hole) == nil {
			return fmt.Errorf("nothing fills <%s>", n.hole)
		}
		for _, alt := range n.choice {
			if err := gr.checkNodes(alt); err != nil {
				return err
			}
		}
	}
	return nil
}
