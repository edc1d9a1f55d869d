// Package agent holds what acts in an episode: something that is given a task
// and tools, and calls them.
//
// The reference agents need no model. They bound what a measurement can mean:
// noop does nothing, random calls tools blindly, solver plays the scenario's
// reference solution, gullible does the same and carries out every injected
// goal that it has read. replay plays recorded runs again.
//
// The scaffolds put a model, or somebody else's agent, into the episode: tools
// uses native tool calling, react has the model write its calls as text, and
// external starts a program and serves it the tools over MCP. Their rules are the
// same: bad calls are answered and the episode goes on, limits are terminations,
// and a failure of what the agent depends on is a [Failure], never a result.
//
// An agent sees the world only through an Episode, which package run provides:
// it executes calls, keeps the trace and enforces limits.
package agent
