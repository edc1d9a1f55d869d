// Package stdlib is the part of Python's standard library that worlds and
// their checks may use, written in Go against package py.
//
// Every module behaves as CPython 3.11.7's does, with three exceptions that
// determinism asks for: the clock is the thread's virtual clock, entropy is
// the thread's seeded source, and the local time zone is UTC. There are no
// files, no network and no processes.
//
// One file (or a few with a common prefix) holds one module. The table in
// all.go names them; a module is built once per process and shared by all
// threads, so it holds no mutable state. What a thread owns (the hidden
// generator of the random module) hangs on the thread: see py.Thread.Local.
//
// An attribute that CPython's module has and this library lacks is refused
// when a world is loaded, by name and position (known.go).
package stdlib
