// Package run executes cells: one case, one agent, one seed make one episode,
// one trace and its scores.
//
// Cells run on a pool of workers and come back in the order of the plan, so
// that the output of a run does not depend on how many workers it had. Every
// random choice of a cell comes from its seed. What goes wrong outside the
// agent's conduct excludes the cell with a cause; it never becomes a score.
package run
