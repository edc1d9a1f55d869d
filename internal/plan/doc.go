// Package plan is an experiment: what is to be played, and as which cells.
//
// A [Plan] comes from flags or from a YAML file and expands over a suite to
// cells: agent × defence × format × epoch × case. Every cell has an id, the
// SHA-256 of everything that can change what happens in it: the world's source,
// the case with its state and checks, the agent with model, prompts and
// parameters, the format, the defence, the limits, seed and epoch. Two cells with
// one id are the same experiment; after any change the id is another one, so that
// a resumed run can never mix results. The version of the scoring code is apart,
// since scores can be computed again from a trace.
//
//	p, err := plan.Read("night.yaml")
//	cells, err := plan.Expand(p, suite, env)
package plan
