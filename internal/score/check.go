package score

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"gauntlet/internal/py"
	"gauntlet/internal/py/stdlib"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/suite"
	"gauntlet/internal/world"
)

// Outcome of a set of checks.
type Outcome string

// The outcomes.
const (
	Pass       Outcome = "pass"
	Fail       Outcome = "fail"
	Unassessed Outcome = "unassessed"
)

// Score is the result of a set of checks on one final state.
//
// Passed and Total count the checks that say what was to be done. Invariants,
// which hold when nothing is done, would only dilute the share: a broken one
// fails the score as a whole and is counted in Broken.
type Score struct {
	Outcome Outcome  `json:"outcome"`
	Passed  int      `json:"passed"`
	Total   int      `json:"total"`
	Broken  int      `json:"broken,omitempty"` // invariants that do not hold
	Cause   string   `json:"cause,omitempty"`  // why unassessed
	Checks  []Result `json:"checks,omitempty"`
}

// Result is one check's.
type Result struct {
	Item  string `json:"item"`
	Holds bool   `json:"holds"`
	Error string `json:"error,omitempty"` // the check raised or returned no bool
}

// Mean is Passed of Total, in [0, 1]; false when unassessed or when there are
// no checks but invariants.
func (s Score) Mean() (float64, bool) {
	if s.Outcome == Unassessed || s.Total == 0 {
		return 0, false
	}
	return float64(s.Passed) / float64(s.Total), true
}

// Unscored is a score without an assessment.
func Unscored(cause string) Score { return Score{Outcome: Unassessed, Cause: cause} }

// Options are the choices of one assessment.
type Options struct {
	Compat bool
	Now    time.Time // virtual time at the end of the episode
	Host   func() time.Duration
}

// Checker compiles checks once and runs them. It is safe for concurrent use.
type Checker struct {
	mu       sync.RWMutex
	programs map[string]*compiled
}

type compiled struct {
	p    *py.Program
	name string // function to call: check or check_func
	err  error
}

// NewChecker makes a checker with an empty cache.
func NewChecker() *Checker { return &Checker{programs: map[string]*compiled{}} }

// Compile compiles a check and finds its function.
func (c *Checker) Compile(k suite.Check) error { return c.compile(k.Code).err }

func (c *Checker) compile(code string) *compiled {
	c.mu.RLock()
	p, ok := c.programs[code]
	c.mu.RUnlock()
	if ok {
		return p
	}
	p = compileCheck(code)
	c.mu.Lock()
	c.programs[code] = p
	c.mu.Unlock()
	return p
}

// CheckFile names check source in error positions.
const CheckFile = "check.py"

func compileCheck(code string) *compiled {
	m, err := syntax.ParseString(CheckFile, code)
	if err != nil {
		return &compiled{err: err}
	}
	p := &compiled{}
	for _, s := range m.Body {
		if f, ok := s.(*syntax.FunctionDef); ok && (f.Name == "check_func" || f.Name == "check") {
			p.name = f.Name
		}
	}
	if p.name == "" {
		p.err = errors.New(CheckFile + ":1:1: the code defines neither check(initial, final) nor check_func(final_state)")
		return p
	}
	p.p, p.err = py.Compile(m, stdlib.Library)
	return p
}

// Run assesses checks on the initial and final state.
func (c *Checker) Run(checks []suite.Check, initial, final *world.Snapshot, o Options) Score {
	if len(checks) == 0 {
		return Unscored("no checks")
	}
	s := Score{}
	t := py.NewThread(0, stdlib.Library, py.Limits{})
	t.Now = func() time.Time { return o.Now }
	t.Monotonic = o.Host
	before, after, err := states(initial, final)
	if err != nil {
		return Unscored("copy state: " + err.Error())
	}
	for _, k := range checks {
		r := Result{Item: k.Item}
		holds, err := c.one(t, k, before, after)
		if err != nil {
			r.Error = err.Error()
			if s.Cause == "" {
				s.Cause = "check raised: " + r.Error
			}
		}
		r.Holds = holds
		s.count(k, holds)
		s.Checks = append(s.Checks, r)
	}
	switch {
	case s.Cause != "" && !o.Compat:
		s.Outcome = Unassessed
	case s.Total == 0:
		s.Outcome, s.Cause = Unassessed, "no checks but invariants"
	case s.Passed == s.Total && s.Broken == 0:
		s.Outcome, s.Cause = Pass, ""
	default:
		s.Outcome, s.Cause = Fail, ""
	}
	return s
}

func (s *Score) count(k suite.Check, holds bool) {
	switch {
	case k.Invariant && !holds:
		s.Broken++
	case k.Invariant:
	case holds:
		s.Passed++
		s.Total++
	default:
		s.Total++
	}
}

// states copies both snapshots, so that no check sees another's changes to them.
func states(initial, final *world.Snapshot) (before, after py.Value, err error) {
	if before, err = initial.Copy(); err != nil {
		return nil, nil, err
	}
	after, err = final.Copy()
	return before, after, err
}

// one runs a single check in a transaction that is rolled back.
func (c *Checker) one(t *py.Thread, k suite.Check, initial, final py.Value) (holds bool, err error) {
	defer world.Recover(&err)
	p := c.compile(k.Code)
	if p.err != nil {
		return false, p.err
	}
	t.Refill()
	t.Begin()
	defer t.Rollback()
	m := py.NewNamespace()
	m.Attrs.SetStr("initial_state", initial)
	if err := t.ExecIn(p.p, m); err != nil {
		return false, err
	}
	f, ok := m.Attrs.GetStr(p.name)
	if !ok {
		return false, fmt.Errorf("the code does not define %s", p.name)
	}
	args := []py.Value{final}
	if p.name == "check" {
		args = []py.Value{initial, final}
	}
	v, err := t.Call(f, args, nil)
	if err != nil {
		return false, err
	}
	b, ok := v.(py.Bool)
	if !ok {
		return false, fmt.Errorf("the check returned a %s, not a bool", py.TypeName(v))
	}
	return bool(b), nil
}
