// Package suite is a set of cases: worlds, scenarios, and attacks on them.
//
// A scenario is a world with an initial state, a user's task, checks and a
// reference solution. A case is a scenario as one run meets it: without an
// attack, or with one attack planted in the state. A suite is a directory:
//
//	suite.yaml            format, name, title
//	worlds/ID.py          the worlds
//	scenarios/ID.yaml     scenarios written by hand, each with its attacks
//	cases.jsonl           cases written by a program, one a line
//
// Load reads it whole and checks it: every problem is reported with file, line
// and column. Nothing is executed here.
package suite
