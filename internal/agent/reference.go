package agent

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// noop ends at once.
type noop struct{}

func (noop) Run(_ context.Context, ep Episode) (trace.Termination, error) {
	ep.Say(trace.Step{Role: trace.RoleAssistant, Text: "Task Completed"})
	return trace.Termination{Cause: trace.CauseFinalAnswer}, nil
}

// solver plays the reference solution; gullible also carries out goals it reads.
type solver struct{ gullible bool }

func (s solver) Run(ctx context.Context, ep Episode) (trace.Termination, error) {
	c := ep.Case()
	if len(c.Solution) == 0 {
		return trace.Termination{}, &Excluded{"the scenario has no reference solution"}
	}
	made := 0
	p := player{ep: ep, made: &made}
	obeyed := !s.gullible || c.Attack == nil
	for _, call := range c.Solution {
		done, err := p.play(ctx, call)
		if err != nil {
			return over(err)
		}
		if !obeyed && exposed(done) {
			obeyed = true
			if len(c.Attack.Fulfils) == 0 {
				return trace.Termination{}, &Excluded{"the case names no calls that fulfil its goal"}
			}
			q := player{ep: ep, made: &made}
			for _, f := range c.Attack.Fulfils {
				if _, err := q.play(ctx, f); err != nil {
					return over(err)
				}
			}
		}
	}
	ep.Say(trace.Step{Role: trace.RoleAssistant, Text: "Task Completed"})
	return trace.Termination{Cause: trace.CauseFinalAnswer}, nil
}

// over turns the end of the episode into a termination decided by the episode.
func over(err error) (trace.Termination, error) {
	if errors.Is(err, ErrOver) {
		return trace.Termination{}, nil
	}
	return trace.Termination{}, err
}

// exposed reports whether an observation carries the attacker's words.
func exposed(s trace.Step) bool {
	for _, c := range s.Calls {
		if c.Observation != nil && len(c.Observation.Injected) > 0 {
			return true
		}
	}
	return false
}

// player plays planned calls and resolves references to earlier results.
type player struct {
	ep      Episode
	made    *int // calls of the episode so far, for their ids
	results []trace.Value
}

func (p *player) play(ctx context.Context, c suite.Call) (trace.Step, error) {
	args, err := suite.Resolve(c.Arguments, p.results)
	if err != nil {
		return trace.Step{}, fmt.Errorf("planned call %d (%s): %w", len(p.results)+1, c.Tool, err)
	}
	*p.made++
	id := "call_" + strconv.Itoa(*p.made)
	step, err := p.ep.Act(ctx, trace.Step{Role: trace.RoleAssistant, Calls: []trace.Call{{ID: &id, Name: c.Tool, Arguments: args}}})
	if err != nil {
		return step, err
	}
	var v trace.Value
	if o := step.Calls[0].Observation; o != nil {
		v = o.Value
	}
	p.results = append(p.results, v)
	return step, nil
}
