// Package score decides, by running code and never by asking a model, what an
// episode came to: which checks hold on its final state.
//
// A check is a Python function over the initial and the final state. It runs
// in the hermetic interpreter on a copy of both. The outcome of a set of checks
// is closed: pass (all hold), fail (at least one does not), or unassessed with
// a cause (a check raised, returned something that is no bool, or there was no
// state to look at). An unassessed score counts in no rate.
//
// Under the published rule (Compat) a check that raises or returns a non-bool
// counts as one that does not hold.
package score
