// Package mcp serves the tools of one live episode to any client of the Model
// Context Protocol (https://modelcontextprotocol.io), over stdio and over
// streamable HTTP. It knows nothing of worlds, cases or scores: an [Episode] is a
// list of tools and something that executes calls.
//
//	srv := mcp.New(ep, mcp.Options{Name: "bank", Instructions: rules, Task: task})
//	err := srv.ServeStdio(ctx, in, out)               // one process, one episode
//	url, stop, err := mcp.Listen(ctx, srv.Handler(token)) // or one URL, one episode
//
// # What a client sees
//
// tools/list gives all tools on one page, in the episode's order, with their
// schemas as they are written. Each tools/call is one turn of the episode: one
// [trace.Step] of the assistant with one call. Its answer is the text of the
// observation, exactly (but for lone surrogates, which most clients cannot read and
// which are sent as U+FFFD), and isError says that the call failed. A tool that does
// not exist, and arguments that do not fit the schema or are no object, reach the
// episode too: it answers with an error that the model can read, and they stand in
// the trace. Arguments keep the spelling of their numbers, the order of their keys
// and their lone surrogates.
//
// The instructions of the server say what the world is; the prompt "task" says
// what the user wants.
//
// When the episode has ended, every call is answered with an error result that
// says so. A call that the client cancels is not executed if it still waits for
// its turn; one that runs is finished, and stands in the trace.
//
// Names of tools are served as they are. Clients hand them to model services,
// most of which take only letters, digits, "_" and "-", at most 64 of them with
// the client's own prefix; a world whose names are longer or not ASCII works with
// clients that rewrite names, and with no others.
//
// # Eras and sessions
//
// Up to 2025-11-25 the protocol begins with a handshake ("initialize") and HTTP
// has sessions; from 2026-07-28 on each request stands for itself. Only a process
// or a URL tells two agents apart in both, so that is the unit of an episode:
// [Server.ServeStdio] and [Server.Handler] serve both eras. [Handler] opens an
// episode for each session, in the old era, and for each path /episode/NAME, in
// both. docs/decisions/0007-mcp.md has the reasons.
//
// [Bridge] lets an agent that speaks only stdio reach a URL.
package mcp
