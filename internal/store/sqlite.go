package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"modernc.org/sqlite"
)

// SQLite is a [Store] in one file, for the processes of one machine. One of them
// writes at a time and the others wait for it; readers wait for nobody.
//
// Beside the file lie FILE-wal and FILE-shm while it is open, and FILE.lock-RUN
// while a run is claimed. They belong to the database: moving the file without
// them, or opening it over a network file system, can damage it.
type SQLite struct {
	path     string // absolute, without symbolic links
	readonly bool
	readers  *sql.DB
	writer   *writer
	codec    codec
	claims   claims
	close    func() error // of the connections, once
}

var _ Store = (*SQLite)(nil)

// readerLimit is the number of reading connections. Queries are short and bound by
// the processor; a goroutine waits for a connection and never while it holds one.
const readerLimit = 8

// OpenSQLite opens the database in the file at path and creates it when there is
// none; the folder must exist. A file that cannot be written is opened for reading
// only, which ReadOnly reports; if its folder cannot be written either, nobody else
// may write to it meanwhile. It is an error when the file is a database of
// something else, or damaged, or written by a newer version of the program.
func OpenSQLite(ctx context.Context, path string) (*SQLite, error) {
	s, err := open(ctx, path, migrations)
	if err != nil {
		return nil, fmt.Errorf("open database %q: %w", path, explain(err))
	}
	return s, nil
}

func open(ctx context.Context, path string, steps []string) (*SQLite, error) {
	place, exists, err := locate(path)
	if err != nil {
		return nil, err
	}
	db, err := connect(place, "mode=rwc&_synchronous=FULL")
	if err != nil {
		return nil, err
	}
	// One writing connection: writers in this process queue in Go, where they can
	// share a commit, and not in SQLite, where they would sleep and try again.
	db.SetMaxOpenConns(1)
	err = prepare(ctx, db, steps)
	if exists && unwritable(err) {
		return openReadOnly(ctx, place, len(steps), errors.Join(err, db.Close()))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	readers, err := connect(place, "mode=ro&_query_only=1")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	readers.SetMaxOpenConns(readerLimit)
	readers.SetMaxIdleConns(readerLimit)
	w := newWriter(db)
	// The writer goes last: the last connection tidies up, and must be able to.
	end := sync.OnceValue(func() error { return errors.Join(readers.Close(), w.close()) })
	return &SQLite{path: place, readers: readers, writer: w, close: end}, nil
}

// openReadOnly opens a file that could not be opened for writing because of cause.
func openReadOnly(ctx context.Context, place string, latest int, cause error) (*SQLite, error) {
	options := []string{"mode=ro&_query_only=1"}
	// Even to read, SQLite has to write the index of the journal beside the file.
	// Where the folder does not allow that, the file can still be read as it is, so
	// long as no journal has anything to add to it.
	if info, err := os.Stat(place + "-wal"); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		options = append(options, "mode=ro&immutable=1&_query_only=1")
	}
	for _, option := range options {
		db, err := connect(place, option)
		if err != nil {
			return nil, err
		}
		version, err := identify(ctx, db, latest)
		switch {
		case err == nil && version == latest:
			db.SetMaxOpenConns(readerLimit)
			return &SQLite{path: place, readonly: true, readers: db, close: sync.OnceValue(db.Close)}, nil
		case err == nil:
			err = errors.New("it is of an older version and cannot be written to bring it up to date")
		}
		if err = errors.Join(err, db.Close()); !unwritable(err) {
			return nil, err
		}
	}
	return nil, cause
}

// locate returns the one path that every process has for the file, whichever way
// it names it: the lock files are named after it.
func locate(path string) (place string, exists bool, err error) {
	if path == "" {
		return "", false, errors.New("the path is empty")
	}
	place, err = filepath.Abs(path)
	if err != nil {
		return "", false, err
	}
	info, err := os.Stat(place)
	if errors.Is(err, fs.ErrNotExist) {
		folder, err := filepath.EvalSymlinks(filepath.Dir(place))
		if errors.Is(err, fs.ErrNotExist) {
			return "", false, fmt.Errorf("the folder %q does not exist; make it first", filepath.Dir(place))
		}
		return filepath.Join(folder, filepath.Base(place)), false, err
	}
	if err != nil {
		return "", false, err
	}
	if !info.Mode().IsRegular() {
		return "", false, errors.New("it is not a file; name a file in a folder")
	}
	place, err = filepath.EvalSymlinks(place)
	return place, true, err
}

// connect returns a pool of connections to the file; none is opened yet. Nothing
// in the options changes a file: it may turn out to belong to another program.
func connect(place, options string) (*sql.DB, error) {
	// Waiting for another process ends with the context, or after a minute. A large
	// trace makes the journal grow, and the limit lets it shrink again.
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(place)}
	connector, err := sqlite.NewConnector(file.String() + "?" + options +
		"&_busy_timeout=60000&_pragma=journal_size_limit(67108864)&_foreign_keys=1&_dqs=0&_defensive=1&_error_rc=1")
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// ReadOnly reports whether the store was opened for reading only.
func (s *SQLite) ReadOnly() bool {
	return s.readonly
}

// Close ends the use of the store, after the writes in progress, and releases the
// claims that are still held.
func (s *SQLite) Close() error {
	if err := errors.Join(s.close(), s.claims.releaseAll()); err != nil {
		return fmt.Errorf("close database: %w", explain(err))
	}
	return nil
}

// write runs do in a transaction, which is durable when write returns. The errors
// are wrapped with what was being done.
func (s *SQLite) write(ctx context.Context, doing string, do func(context.Context, *sql.Conn) error) error {
	err := ErrReadOnly
	if !s.readonly {
		err = s.writer.write(ctx, do)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, explain(err))
	}
	return nil
}
