package store

import "errors"

// The errors that callers tell apart, with errors.Is. See [Store] for when they
// are returned.
var (
	ErrExists    = errors.New("there is such a run already")
	ErrNotFound  = errors.New("not found")
	ErrFinished  = errors.New("the cell is finished, or this is not its next attempt")
	ErrStale     = errors.New("the score is not of the standing attempt")
	ErrAmbiguous = errors.New("the name is ambiguous")
	ErrClaimed   = errors.New("the run is being worked on")
	ErrReadOnly  = errors.New("the database is open for reading only")
	ErrInvalid   = errors.New("invalid")
)

// refused reports whether err is an answer of the store that leaves the database
// as it was, and not a failure of the database.
func refused(err error) bool {
	for _, answer := range []error{ErrExists, ErrNotFound, ErrFinished, ErrStale} {
		if errors.Is(err, answer) {
			return true
		}
	}
	return false
}
