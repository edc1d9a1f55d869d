package regex

import (
	"errors"
	"strconv"
	"strings"
)

// ErrStack reports that a match needed more than the engine's fixed amount of
// memory for backtracking (about 80 MiB).
var ErrStack = errors.New("regex: backtrack stack is full")

// ErrSpan reports a group that would end before it starts. In some patterns
// that set a group in one branch of a repeat and abandon it in another, CPython
// 3.11 comes to such a result and raises SystemError with this text. So do we,
// because a program must not behave otherwise here than there.
var ErrSpan = errors.New("The span of capturing group is wrong, please report a bug for the re module.")

// Error is Python's re.error: a pattern or a replacement template that is not
// well formed.
type Error struct {
	Msg     string // message without the position
	Pattern string // the pattern or template
	Pos     int    // code point index of the fault, -1 when Python gives none
	Line    int    // line of Pos from 1; 0 when Pos is -1
	Col     int    // column of Pos from 1; 0 when Pos is -1
}

// Error returns the text of str(re.error).
func (e *Error) Error() string {
	if e.Pos < 0 {
		return e.Msg
	}
	s := e.Msg + " at position " + strconv.Itoa(e.Pos)
	if strings.Contains(e.Pattern, "\n") {
		s += " (line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Col) + ")"
	}
	return s
}

// newError builds an Error at code point pos of text, whose decoded form is
// chars.
func newError(msg, text string, chars []rune, pos int) *Error {
	e := &Error{Msg: msg, Pattern: text, Pos: pos}
	e.Line, e.Col = 1, pos+1
	for i, c := range chars[:min(max(pos, 0), len(chars))] {
		if c == '\n' {
			e.Line++
			e.Col = pos - i
		}
	}
	return e
}

// FlagError reports flags that cannot be combined. Python raises ValueError
// with this text.
type FlagError struct{ Msg string }

func (e *FlagError) Error() string { return e.Msg }

// GroupError reports an unknown group name in a replacement template. Python
// raises IndexError with this text.
type GroupError struct{ Msg string }

func (e *GroupError) Error() string { return e.Msg }

// OverflowError reports a number in a pattern that is too large: a count of
// 4294967295 or more in {m,n}, or an escape beyond \U7FFFFFFF. Python raises
// OverflowError with this text.
type OverflowError struct{ Msg string }

func (e *OverflowError) Error() string { return e.Msg }
