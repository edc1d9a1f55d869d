// Package job plays the cells of a journaled run.
//
// A run is created once, with all its cells. [Play] then plays those that are
// chosen, many at once, and journals each as soon as it is finished, in a
// transaction of its own; a kill at any moment costs the cells in flight. What has
// been finished is never played again: the store refuses it.
//
//	err := job.Create(ctx, st, job.New(...), cells)
//	err = job.Play(ctx, st, id, s, cells, job.Pending, job.Options{...})
//	outcomes, err := job.Outcomes(ctx, st, id)
//
// An outcome is assessed when its scores could be computed. Every other one has a
// cause, one word of a closed set: a kind of trace.ErrorKind, [NotPlayable] or
// [CheckFailed].
package job
