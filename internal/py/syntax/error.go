package syntax

import "fmt"

// Error is a syntax error with the place it was found at.
type Error struct {
	File    string
	Pos     Pos
	Msg     string
	Refused bool // valid Python 3.11 that the project does not support
}

// Error returns "file:line:col: message".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Line, e.Pos.Col, e.Msg)
}

// The lexer, the parser and the checker leave their recursion by panicking with
// an *Error, which Parse recovers: every caller would otherwise have to test for
// a failure that ends the parse anyway. No other panic is caught.

func fail(file string, at Pos, format string, args ...any) {
	panic(&Error{File: file, Pos: at, Msg: fmt.Sprintf(format, args...)})
}

func refuse(file string, at Pos, what string) {
	panic(&Error{File: file, Pos: at, Msg: what + " not supported by the world interpreter", Refused: true})
}

// recoverError stores the *Error of a panic in err and lets other panics pass.
func recoverError(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		*err = e
	default:
		panic(e)
	}
}
