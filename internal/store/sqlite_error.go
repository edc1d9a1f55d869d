package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// advice says what to do about failures of SQLite, by primary result code.
var advice = map[int]string{
	sqlite3.SQLITE_NOTADB:   "it is not a database; name another file",
	sqlite3.SQLITE_CORRUPT:  "the database is damaged; restore a copy of it, or save what can be read with the sqlite3 shell's .recover",
	sqlite3.SQLITE_FULL:     "the disk is full; make room and try again",
	sqlite3.SQLITE_IOERR:    "the disk failed to read or write",
	sqlite3.SQLITE_BUSY:     "another process keeps the database locked",
	sqlite3.SQLITE_CANTOPEN: "the file cannot be opened or created; check that you may write in its folder",
	sqlite3.SQLITE_READONLY: "the file or its folder cannot be written",
}

// resultCode returns the primary result code of SQLite in err, or 0.
func resultCode(err error) int {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return 0
	}
	return failure.Code() & 0xff
}

// unwritable reports whether err says that a file, or one that has to be beside it,
// cannot be written.
func unwritable(err error) bool {
	code := resultCode(err)
	return code == sqlite3.SQLITE_READONLY || code == sqlite3.SQLITE_CANTOPEN
}

// explain adds what to do to a failure of SQLite.
func explain(err error) error {
	if text := advice[resultCode(err)]; text != "" {
		return fmt.Errorf("%s: %w", text, err)
	}
	return err
}
