// Package agent holds what acts in an episode: something that is given a task
// and tools, and calls them.
//
// The reference agents need no model. They bound what a measurement can mean:
// noop does nothing, random calls tools blindly, solver plays the scenario's
// reference solution, gullible does the same and carries out every injected
// goal that it has read. replay plays recorded runs again.
//
// An agent sees the world only through an Episode, which package run provides:
// it executes calls, keeps the trace and enforces limits.
package agent
