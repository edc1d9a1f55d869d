// Package syntax reads Python 3.11 source text into a syntax tree.
//
// Worlds are written in Python, so their text comes from strangers. The package
// accepts what CPython 3.11 accepts, rejects what CPython rejects, and stops
// with an error instead of exhausting the stack or the clock on hostile text.
//
// # Pipeline
//
//	source.go   bytes      -> text     byte order mark, coding line, line ends
//	lexer.go    text       -> tokens   on demand, indentation included
//	parser.go   tokens     -> tree     recursive descent with one token of lookahead
//	check.go    tree       -> tree     the rules that CPython's compiler checks
//
// Targets of assignments are parsed as expressions and converted afterwards
// (target.go), which keeps the parser free of backtracking. Two statements need
// a look ahead over one logical line: "match", which is an ordinary name
// elsewhere, and "with (", whose parenthesis may hold one expression or a list
// of context managers.
//
// # Reading the tree
//
// Parse returns a Module whose nodes (ast.go) carry the names and the field
// order of CPython's ast module. Walk visits them, and Dump prints them as
// CPython's ast.dump does, which is how the tests compare the two parsers.
//
// # What is refused
//
// Some valid Python has no place in a deterministic world. It is reported as an
// Error with Refused set: async and await, match statements, except*, complex
// literals, "from m import *", the barry_as_FLUFL future and source encodings
// other than UTF-8.
//
// # Limits
//
// As in CPython, 200 brackets and 99 levels of indentation may be open at once,
// 20 blocks may be nested in a function, and a decimal integer has at most 4300
// digits. A tree is at most MaxDepth nodes deep, so code that walks it
// recursively is safe.
package syntax
