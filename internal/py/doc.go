// Package py is a hermetic interpreter for the part of Python 3.11 that tool
// worlds and their checks are written in.
//
// World code is hostile input. It runs here without files, network, clock or
// entropy, under limits on steps, allocated bytes, recursion depth and output;
// exceeding one is a *LimitError, never a dead process. What CPython would do
// is the contract: values, method sets, exception types and their messages,
// evaluation order, repr text. Where CPython depends on the process (set order,
// hash seeds, addresses, the clock) this interpreter is fixed instead.
//
// # How a program runs
//
//	syntax.Parse -> Compile (compile*.go: scopes, bytecode) -> Thread.Exec (vm.go)
//
// A Program is immutable and shared by any number of threads. A Thread is one
// episode's execution context: its heap, its limits, its virtual clock, its
// random source and its journal. A thread and the values made on it belong to
// one goroutine at a time.
//
// # Values
//
//	None, Bool, Int (int64), *Big, Float, *Str, *Bytes      immutable scalars
//	*Tuple, *Range, *Slice                                    immutable compounds
//	*List, *Dict, *Set, *Instance, *Cell                      mutable, journaled
//	*Type, *Function, *Method, *Native, *Module               callables and namespaces
//
// An *Instance of a class that derives from a built-in carries the built-in
// part in its payload (class Status(str, Enum): payload *Str).
//
// # Transactions and the access log
//
// Every mutable container has a header. Begin starts a transaction: the first
// mutation of a container saves its old content in the journal, Rollback puts
// it back. TrackRoot names a root object: containers reached from it carry
// their path, and reads and writes of them are logged (access.go).
//
// # Adding library code
//
// Native functions are made with NewFunc and methods with NewMethod: a name, a
// Python-style signature and a Go function. Arguments arrive bound to the
// signature; an absent optional argument is nil. Modules live in py/stdlib.
//
// What the package does not do: async, star imports, match, complex numbers,
// metaclasses of the world's own. Those are refused at load with
// file:line:col.
package py
