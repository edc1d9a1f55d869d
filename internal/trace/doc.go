// Package trace defines the one record of Gauntlet and its codec.
//
// A [Trace] is everything that happened in one run of one agent on one case:
// the messages, the thoughts, each [Call] with its arguments, the exact text
// the agent saw, what the call read and changed, what guards said about it, and
// why the run ended. A [Sample] is the prefix of a trace plus one proposed call
// and its [Label]; guards are measured on samples. Scores are not part of the
// record: they are derived from it and can be computed again at any time.
//
// # On disk
//
// Records are canonical JSON Lines: one record a line, UTF-8, no spaces, keys in
// the order in which the Go fields are declared, absent fields left out. The
// form is stable to the byte: encoding a decoded record gives the same line.
// docs/format.md describes every field, docs/trace.schema.json is generated
// from the Go types.
//
//	r := trace.NewReader(f, "traces.jsonl")
//	for {
//		t, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		if err != nil {
//			return err // "traces.jsonl:3: ..."
//		}
//		...
//	}
//
// # Values
//
// [Value] is the JSON value of the whole project: states of worlds, arguments,
// tool results and schemas. It loses nothing that JSON text can say: objects
// keep their key order and even their duplicate keys, numbers keep their
// spelling (1.0 is not 1, 1e400 is not infinity), and strings may hold lone
// surrogates, which encoding/json would turn into U+FFFD. Values are immutable
// and share structure, so they are cheap to copy and safe to read from several
// goroutines.
//
// # Problems and errors
//
// Input that cannot be a record is an error. Input that is a record but is
// odd (a duplicate key, a lone surrogate, a repeated call id, a span outside its
// text) is kept as it is and reported as a [Problem]: repairing it would hide
// from a guard or a reader what the agent really did.
package trace

//go:generate go test -run=^TestSchemaFile$ -update .
