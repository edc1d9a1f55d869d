// Package metrics turns counted outcomes into numbers that can be trusted: a
// proportion with its Wilson interval, the mean of bounded scores with an
// interval, and tallies over closed sets of outcomes with the excluded cases
// listed by cause. It is arithmetic only: it imports nothing of ours, reads no
// clock, file or network, and every function is pure.
//
// Three rules hold everywhere:
//
//   - An error is never a result. What could not be assessed leaves the
//     numerator and the denominator of a rate and is counted beside it, so
//     Successes + failures + Excluded is always the number of cases seen.
//   - Nothing over n = 0 has a value. Such a value comes back with ok = false
//     and prints as "-"; it is never 0.
//   - A value never travels without its n, its interval and its excluded count:
//     [Rate] and [Mean] carry all of them.
//
// A short example:
//
//	tally, err := metrics.NewTally("success", "resisted", "unassessed")
//	...
//	err = tally.Add("success", "")
//	err = tally.Add("unassessed", "provider timeout")
//	...
//	attack := metrics.Split[string]{Success: []string{"success"}, Failure: []string{"resisted"}}
//	rate, err := tally.Rate(attack)        // 100.0% [20.7, 100.0] n=1 excluded=1
//	causes, err := tally.Exclusions(attack) // [{provider timeout 1}]
//
// The intervals of [Rate] and [Mean] describe the sampling error of independent
// cases. Cases that share a scenario are not independent; for those they are too
// narrow, and [Clusters] gives an interval that resamples whole scenarios:
//
//	var success metrics.Clusters
//	...
//	err = success.Add("scenario 1", 1)
//	...
//	interval, ok := success.Interval(metrics.Bootstrap{Seed: 1})
//
// Two agents that met the same cases are compared case by case with [Compare],
// which takes the differences between scenarios out of the comparison. Two
// intervals that overlap do not say that two agents are alike.
package metrics
