package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// applicationID marks a SQLite file as ours, in its header: "Gntl".
const applicationID = 0x476e746c

// migrations make the schema: the first one from an empty file, each later one
// from what the one before it has left. A file says in its user_version how many
// it has seen. What is released here is never edited.
//
// A cell's row repeats the number of its attempts and the state of the latest one.
// Finishing a cell is therefore one conditional update of that row, and counting
// the cells of a run reads one index.
var migrations = []string{`
CREATE TABLE run (
	run     INTEGER PRIMARY KEY,
	id      TEXT NOT NULL UNIQUE,
	name    TEXT NOT NULL,
	suite   TEXT NOT NULL,
	created INTEGER NOT NULL, -- microseconds since 1970, as all times here
	version TEXT NOT NULL,
	plan    BLOB
) STRICT;
CREATE TABLE cell (
	cell     INTEGER PRIMARY KEY,
	run      INTEGER NOT NULL REFERENCES run,
	id       TEXT NOT NULL,
	place    INTEGER NOT NULL, -- in the plan
	label    BLOB,
	attempts INTEGER NOT NULL DEFAULT 0,
	assessed INTEGER, -- of the latest attempt, like cause; NULL before the first
	cause    TEXT NOT NULL DEFAULT '',
	UNIQUE (run, id),
	UNIQUE (run, place)
) STRICT;
CREATE INDEX cell_state ON cell (run, assessed, cause);
CREATE TABLE result (
	result   INTEGER PRIMARY KEY,
	cell     INTEGER NOT NULL REFERENCES cell,
	attempt  INTEGER NOT NULL,
	started  INTEGER NOT NULL,
	ended    INTEGER NOT NULL,
	scorer   TEXT NOT NULL, -- from here on: the latest score
	assessed INTEGER NOT NULL,
	cause    TEXT NOT NULL,
	at       INTEGER NOT NULL,
	outcome  BLOB,
	UNIQUE (cell, attempt)
) STRICT;
CREATE TABLE trace (
	result   INTEGER PRIMARY KEY REFERENCES result,
	encoding TEXT NOT NULL, -- '' or 'gzip'
	size     INTEGER NOT NULL, -- in bytes, decoded
	data     BLOB NOT NULL
) STRICT;
CREATE TABLE score ( -- that was replaced, in the order of the key
	score    INTEGER PRIMARY KEY,
	result   INTEGER NOT NULL REFERENCES result,
	scorer   TEXT NOT NULL,
	assessed INTEGER NOT NULL,
	cause    TEXT NOT NULL,
	at       INTEGER NOT NULL,
	outcome  BLOB
) STRICT;
CREATE INDEX score_result ON score (result);
`}

// identify returns the version of the schema in the file, 0 for an empty one. A
// file that is not ours, or newer than latest, is an error; nothing is written.
func identify(ctx context.Context, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, latest int) (int, error) {
	var application, version, objects int
	err := db.QueryRowContext(ctx, `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`).Scan(&application, &version, &objects)
	switch {
	case err != nil:
		return 0, err
	case application == 0 && version == 0 && objects == 0:
		return 0, nil
	case application != applicationID || version < 1:
		return 0, errors.New("it is the database of another program; name another file")
	case version > latest:
		return 0, fmt.Errorf("it was written by a newer version of the program (schema %d, this version knows up to %d); use the newer version", version, latest)
	}
	return version, nil
}

// prepare brings the file to the schema that steps make, also when it is there already: the
// transaction then shows whether the file can be written.
func prepare(ctx context.Context, db *sql.DB, steps []string) (err error) {
	// The first look is without a lock, so that a foreign file is left untouched.
	if _, err := identify(ctx, db, len(steps)); err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := migrate(ctx, conn, steps); err != nil {
		return err
	}
	// Only now that the file is ours. The mode stays with the file.
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the journal mode is %q; the file system may lack shared memory", mode)
	}
	return nil
}

// migrate applies the steps that the file has not seen, in one transaction. When it
// has seen them all, it is only tried out whether the file can be written.
func migrate(ctx context.Context, conn *sql.Conn, steps []string) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	version, err := identify(ctx, conn, len(steps)) // another process may have been faster
	if err == nil {
		err = apply(ctx, conn, version, steps)
	}
	if err == nil && version < len(steps) {
		if _, err = conn.ExecContext(ctx, "COMMIT"); err == nil {
			return nil
		}
	}
	return errors.Join(err, rollback(conn))
}

// apply takes a file from a version to the last of the steps.
func apply(ctx context.Context, conn *sql.Conn, version int, steps []string) error {
	for i, statements := range steps[version:] {
		if _, err := conn.ExecContext(ctx, statements); err != nil {
			return fmt.Errorf("migrate to schema %d: %w", version+i+1, err)
		}
	}
	_, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps)))
	return err
}
