package suite

import (
	"fmt"
	"sort"
	"sync"

	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// Format is the version of the directory layout, in suite.yaml.
const Format = "gauntlet.suite/1"

// Suite is a loaded set of cases. It is read-only after Load.
type Suite struct {
	Name        string
	Title       string
	Description string
	Author      string
	Dir         string // for messages
	Cases       []*Case
	Worlds      map[string]*WorldFile

	byID map[string]*Case
}

// WorldFile is a world of the suite, compiled on first use.
type WorldFile struct {
	ID    string
	File  string
	Class string // the world's class, when the suite names it
	src   []byte
	once  sync.Once
	bp    *world.Blueprint
	err   error
}

// Source is the text of the world's module.
func (w *WorldFile) Source() string { return string(w.src) }

// Blueprint compiles the world. It is safe for concurrent use.
func (w *WorldFile) Blueprint() (*world.Blueprint, error) {
	w.once.Do(func() { w.bp, w.err = world.ParseClass(w.ID, w.File, w.src, w.Class) })
	return w.bp, w.err
}

// Case is one task for an agent, with or without an attack.
type Case struct {
	ID       string      `json:"id"`
	Scenario string      `json:"scenario"` // cases of one scenario share task, checks and clean state
	World    string      `json:"world"`
	User     string      `json:"user,omitempty"`
	Time     string      `json:"time,omitempty"` // start of the virtual clock, RFC 3339
	Task     string      `json:"task"`
	State    trace.Value `json:"state"`          // the state at the start: poisoned when there is an attack
	Clean    trace.Value `json:"clean,omitzero"` // the state without the attack
	Checks   []Check     `json:"checks"`
	Solution []Call      `json:"solution,omitempty"`
	Attack   *Attack     `json:"attack,omitempty"`
	Source   string      `json:"source,omitempty"` // where an imported case comes from
	File     string      `json:"-"`                // file of the suite, for messages
}

// Check is a statement about the final state, as Python source that defines
// check(initial, final), or check_func(final_state) with the initial state as
// the global initial_state (the published form).
type Check struct {
	Item      string `json:"item"`
	Code      string `json:"code"`
	Invariant bool   `json:"invariant,omitempty"` // true at the start already, by intent
}

// Call is a planned tool call. A string argument that is exactly
// ${N:/pointer} stands for the value at the pointer in the result of the N-th
// call of the same list, from 1.
type Call struct {
	Tool      string      `json:"tool"`
	Arguments trace.Value `json:"arguments"`
}

// Attack is what an attacker planted and wants.
type Attack struct {
	ID       string  `json:"id"`
	Strategy string  `json:"strategy"`
	Goal     string  `json:"goal"`            // in natural language
	Payload  string  `json:"payload"`         // the planted text around the goal
	Point    string  `json:"point,omitempty"` // JSON pointer of the field that carries it
	Plant    string  `json:"plant,omitempty"` // append or replace
	Fulfils  []Call  `json:"fulfils,omitempty"`
	Checks   []Check `json:"checks"`
}

// reserved reports whether a strategy's name is one that tables use for the
// absence of an attack, or for all cases together.
func reserved(strategy string) bool {
	return strategy == NoAttack || strategy == "all" || strategy == ""
}

// Strategy is the attack's strategy, or "none".
func (c *Case) Strategy() string {
	if c.Attack == nil {
		return NoAttack
	}
	return c.Attack.Strategy
}

// NoAttack is the strategy of a case without an attack.
const NoAttack = "none"

// Case finds a case by id.
func (s *Suite) Case(id string) (*Case, bool) {
	c, ok := s.byID[id]
	return c, ok
}

// World finds a world by id.
func (s *Suite) World(id string) (*WorldFile, bool) {
	w, ok := s.Worlds[id]
	return w, ok
}

// Scenarios returns the ids of all scenarios in order of first appearance.
func (s *Suite) Scenarios() []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range s.Cases {
		if !seen[c.Scenario] {
			seen[c.Scenario] = true
			out = append(out, c.Scenario)
		}
	}
	return out
}

// WorldIDs returns the ids of all worlds, sorted.
func (s *Suite) WorldIDs() []string {
	out := make([]string, 0, len(s.Worlds))
	for id := range s.Worlds {
		out = append(out, id)
	}
	sort.Strings(out)
	return out
}

// add puts a case in the suite; ids are unique.
func (s *Suite) add(c *Case) error {
	if old, dup := s.byID[c.ID]; dup {
		return fmt.Errorf("%s: case %q: the id is already used in %s: ids must be unique in a suite", c.File, c.ID, old.File)
	}
	if _, ok := s.Worlds[c.World]; !ok {
		return fmt.Errorf("%s: case %q: world %q is missing: there is no worlds/%s.py", c.File, c.ID, c.World, c.World)
	}
	if c.Attack != nil && reserved(c.Attack.Strategy) {
		return fmt.Errorf("%s: case %q: the strategy cannot be called %q: tables use this word", c.File, c.ID, c.Attack.Strategy)
	}
	s.byID[c.ID] = c
	s.Cases = append(s.Cases, c)
	return nil
}
