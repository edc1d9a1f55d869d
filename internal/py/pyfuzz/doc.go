// Package pyfuzz compares a Python interpreter with CPython 3.11 on generated
// programs: the standard output and the uncaught exception (type and message)
// of both must be equal.
//
// # Parts
//
//   - The grammar (grammar/*.txt, one file per area such as str or datetime)
//     holds weighted entries: expressions and statement blocks with typed
//     holes. grammar.go reads it and says how a file is written.
//   - Generate turns a seed into one program of about 10 to 40 lines. Holes
//     are filled by type, from literals (literal.go), variables in scope and
//     nested expressions; a per-program share of holes is filled with a value
//     of a wrong type, so that error messages are compared as well. Control
//     flow, calls, class graphs, scopes, generators, patterns and format specs
//     have their own makers in Go (flow.go, call.go, class.go, scope.go,
//     spec.go, pattern.go) because a grammar without memory cannot make them
//     interesting.
//   - CPython runs programs in a python3 child (harness.py).
//   - Compare says where two results differ; Allowed lists the differences
//     that are accepted, each with its reason.
//   - Minimise shrinks a failing program by removing and unwrapping blocks.
//   - Run does all of it for n seeds and reports each kind of difference once.
//
// # What a program may do
//
// Programs are self-contained and deterministic: no input or output but
// print, no clock, no entropy, no addresses, nothing that depends on
// PYTHONHASHSEED or on the iteration order of a set (sets are printed through
// sorted(..., key=repr), or have at most one element). Transcendental float
// functions are rounded before printing. The tests check determinism by
// running every program in two CPython children with different hash seeds.
//
// # Use
//
//	pyfuzz.Run(t, 50000, 1, func(src string) pyfuzz.Result { ... })
//
// TestDifferential does that for our interpreter:
//
//	go test ./internal/py/pyfuzz -run TestDifferential -fuzzn=50000 -fuzzseed=1
//
// -fuzzareas=str,dict draws from those grammar files only and -fuzzreport=50
// minimises and prints more kinds of differences. TestCPython checks the
// generator alone; with -fuzzstats it prints the coverage table. A failure
// names its seed: Generate(seed), or Config.Generate when areas were chosen,
// gives the whole program back.
//
// # What it does not do
//
// What the interpreter refuses at load (match, except*, metaclasses, complex
// numbers) is in the area "refused" of weight 0, which is drawn only when it
// is named. Programs that are refused for another reason are counted by
// reason, not reported as differences. There are no tests of syntax errors,
// finalisers, memory or speed.
package pyfuzz
