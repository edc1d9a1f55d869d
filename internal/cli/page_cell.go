package cli

import (
	"gauntlet/internal/job"
	"gauntlet/internal/plan"
	"gauntlet/internal/report/page"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// newCell is a cell of the page. k is nil when the suite has its case no more.
func newCell(o *run.Outcome, k *suite.Case) page.Cell {
	c := page.Cell{ID: o.Cell, Case: o.Case, Scenario: o.Scenario, World: o.World, Agent: o.Agent, Model: o.Model, Strategy: o.Strategy,
		Format: string(o.Format), Defence: o.Defence, Epoch: o.Epoch, Benign: string(o.Benign.Outcome), Attack: string(o.Attack), Cause: job.Cause(o),
		Exposed: o.Exposed, Exposure: (*page.Place)(o.Exposure), Decisive: (*page.Place)(o.Decisive),
		Turns: o.Turns, Calls: o.Calls, Seconds: o.Wall.Seconds(), Ended: string(o.Ended.Cause), Task: taskOf(o), Trace: o.Trace}
	if m, ok := o.Benign.Mean(); ok && o.Benign.Broken == 0 { // beside a broken invariant the share would mislead
		c.Score = &m
	}
	if o.Usage != nil {
		c.Tokens, c.CostUSD = o.Usage.InputTokens+o.Usage.OutputTokens, o.Usage.CostUSD
	}
	if k != nil {
		c.Task = k.Task
		if k.Attack != nil {
			c.Goal, c.Payload = k.Attack.Goal, k.Attack.Payload
		}
	}
	c.Checks = checksOf(k, o.Benign, false)
	if o.Injected != nil {
		c.Checks = append(c.Checks, checksOf(k, *o.Injected, true)...)
	}
	return c
}

// checksOf are the results of checks. Which of them are invariants only the case
// knows.
func checksOf(k *suite.Case, s score.Score, injected bool) []page.Check {
	var source []suite.Check
	if k != nil && !injected {
		source = k.Checks
	} else if k != nil && k.Attack != nil {
		source = k.Attack.Checks
	}
	var list []page.Check
	for i, c := range s.Checks {
		invariant := len(source) == len(s.Checks) && source[i].Item == c.Item && source[i].Invariant
		list = append(list, page.Check{Item: c.Item, Holds: c.Holds, Error: c.Error, Invariant: invariant, Injected: injected})
	}
	return list
}

// taskOf is what the user asked for, as the trace has it.
func taskOf(o *run.Outcome) string {
	if o.Trace == nil {
		return ""
	}
	for _, s := range o.Trace.Steps {
		if s.Role == trace.RoleUser {
			return s.Text
		}
	}
	return ""
}

// reread opens the suite of a run for what the record does not hold. It is nil
// when the suite cannot be opened any more.
func reread(p *plan.Plan) *suite.Suite {
	s, err := openSuite(p.Suite)
	if err != nil {
		return nil
	}
	return s
}

// caseOf finds the case of an outcome; nil when there is none, or when it is
// another one now.
func caseOf(s *suite.Suite, o *run.Outcome) *suite.Case {
	if s == nil {
		return nil
	}
	k, ok := s.Case(o.Case)
	if !ok || k.Strategy() != o.Strategy || k.World != o.World || o.Trace != nil && taskOf(o) != k.Task {
		return nil
	}
	return k
}
