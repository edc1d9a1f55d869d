package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
)

// pageSize is how many results are held in memory while results are listed,
// without their traces, which are read one at a time.
const pageSize = 32

// Finish implements [Store].
func (s *SQLite) Finish(ctx context.Context, run string, r Result) error {
	doing := fmt.Sprintf("finish cell %.200q of run %.200q", r.Cell, run)
	if err := checkResult(r); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	var encoding string
	var data []byte
	var err error
	if len(r.Trace) > 0 && !s.readonly {
		// Before the turn to write, so that processors share the work.
		if encoding, data, err = s.codec.pack(r.Trace); err != nil {
			return fmt.Errorf("%s: %w", doing, err)
		}
	}
	return s.write(ctx, doing, func(ctx context.Context, conn *sql.Conn) error {
		var cell, result int64
		err := conn.QueryRowContext(ctx, `UPDATE cell SET attempts = attempts + 1, assessed = ?, cause = ?
			WHERE run = (SELECT run FROM run WHERE id = ?) AND id = ? AND attempts + 1 = ? AND assessed IS NOT 1 RETURNING cell`,
			r.Assessed, r.Cause, run, r.Cell, r.Attempt).Scan(&cell)
		if errors.Is(err, sql.ErrNoRows) {
			return whyNot(ctx, conn, run, r)
		}
		if err != nil {
			return err
		}
		err = conn.QueryRowContext(ctx, `INSERT INTO result (cell, attempt, started, ended, scorer, assessed, cause, at, outcome)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING result`,
			cell, r.Attempt, r.Started.UnixMicro(), r.Ended.UnixMicro(), r.Scorer, r.Assessed, r.Cause, r.Ended.UnixMicro(), document(r.Outcome)).Scan(&result)
		if err != nil || data == nil {
			return err
		}
		_, err = conn.ExecContext(ctx, "INSERT INTO trace (result, encoding, size, data) VALUES (?, ?, ?, ?)", result, encoding, len(r.Trace), data)
		return err
	})
}

// whyNot returns why an attempt at a cell cannot be added.
func whyNot(ctx context.Context, conn *sql.Conn, run string, r Result) error {
	var attempts int
	var assessed sql.NullBool
	err := conn.QueryRowContext(ctx, "SELECT attempts, assessed FROM cell JOIN run USING (run) WHERE run.id = ? AND cell.id = ?", run, r.Cell).Scan(&attempts, &assessed)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	case err != nil:
		return err
	case assessed.Bool:
		return fmt.Errorf("%w: attempt %d was assessed", ErrFinished, attempts)
	}
	return fmt.Errorf("%w: attempt %d follows on %d", ErrFinished, r.Attempt, attempts)
}

// resultColumns are what scanResult reads, of the tables cell and result.
const resultColumns = "result.result, cell.id, attempt, started, ended, result.assessed, result.cause, outcome, scorer"

func scanResult(row interface{ Scan(...any) error }, more ...any) (key int64, r Result, err error) {
	var started, ended int64
	err = row.Scan(append([]any{&key, &r.Cell, &r.Attempt, &started, &ended, &r.Assessed, &r.Cause, &r.Outcome, &r.Scorer}, more...)...)
	r.Started, r.Ended = moment(started), moment(ended)
	return key, r, err
}

// Results implements [Store]. It holds no connection while the loop's body runs,
// and no snapshot of the database, which would keep the journal from being reused.
func (s *SQLite) Results(ctx context.Context, run string, withTrace bool) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		fail := func(err error) {
			yield(Result{}, fmt.Errorf("list results of run %.200q: %w", run, explain(err)))
		}
		key, err := s.run(ctx, run)
		if err != nil {
			fail(err)
			return
		}
		for after := -1; ; {
			page, err := s.page(ctx, key, after)
			if err != nil {
				fail(err)
				return
			}
			for _, entry := range page {
				if withTrace {
					if entry.result.Trace, err = s.trace(ctx, entry.key); err != nil {
						fail(fmt.Errorf("cell %q: %w", entry.result.Cell, err))
						return
					}
				}
				if !yield(entry.result, nil) {
					return
				}
				after = entry.place
			}
			if len(page) < pageSize {
				return
			}
		}
	}
}

// entry is a result with its key and its cell's place in the plan.
type entry struct {
	key    int64
	place  int
	result Result
}

// page returns the next standing results of a run, after a place in the plan.
func (s *SQLite) page(ctx context.Context, run int64, after int) (entries []entry, err error) {
	err = each(s.readers.QueryContext(ctx, `SELECT `+resultColumns+`, place
		FROM cell JOIN result ON result.cell = cell.cell AND attempt = attempts
		WHERE run = ? AND place > ? ORDER BY place LIMIT ?`, run, after, pageSize))(func(rows *sql.Rows) error {
		var e entry
		var err error
		e.key, e.result, err = scanResult(rows, &e.place)
		entries = append(entries, e)
		return err
	})
	return entries, err
}

// trace returns the trace of a result, or nil when it has none.
func (s *SQLite) trace(ctx context.Context, result int64) ([]byte, error) {
	var encoding string
	var size int64
	var data []byte
	err := s.readers.QueryRowContext(ctx, "SELECT encoding, size, data FROM trace WHERE result = ?", result).Scan(&encoding, &size, &data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return unpack(encoding, size, data)
}

// Result implements [Store].
func (s *SQLite) Result(ctx context.Context, run, cell string, withTrace bool) (Result, error) {
	r, err := s.result(ctx, run, cell, withTrace)
	if err != nil {
		return Result{}, fmt.Errorf("read result of cell %.200q of run %.200q: %w", cell, run, explain(err))
	}
	return r, nil
}

func (s *SQLite) result(ctx context.Context, run, ref string, withTrace bool) (Result, error) {
	cell, err := s.cell(ctx, run, ref, true)
	if err != nil {
		return Result{}, err
	}
	key, r, err := scanResult(s.readers.QueryRowContext(ctx, `SELECT `+resultColumns+`
		FROM cell JOIN result ON result.cell = cell.cell AND attempt = attempts WHERE cell.cell = ?`, cell))
	if errors.Is(err, sql.ErrNoRows) {
		return Result{}, fmt.Errorf("result: %w: the cell is pending", ErrNotFound)
	}
	if err == nil && withTrace {
		r.Trace, err = s.trace(ctx, key)
	}
	return r, err
}

// cell returns the key of a cell, which it keeps for good: of the one of this id
// or, if asked for, of the only one whose id begins so.
func (s *SQLite) cell(ctx context.Context, run, ref string, orPrefix bool) (int64, error) {
	key, err := s.run(ctx, run)
	if err != nil {
		return 0, err
	}
	if !printable(ref) {
		return 0, fmt.Errorf("cell: %w", ErrNotFound)
	}
	end := ref
	if orPrefix {
		end += "\x7f" // above all that ids are made of
	}
	const enough = 7
	var found int64
	var names []string
	err = each(s.readers.QueryContext(ctx, "SELECT cell, id FROM cell WHERE run = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?", key, ref, end, enough))(func(rows *sql.Rows) error {
		var cell int64
		var id string
		err := rows.Scan(&cell, &id)
		if len(names) == 0 {
			found = cell
		}
		names = append(names, id)
		return err
	})
	switch {
	case err != nil:
		return 0, err
	case len(names) == 0:
		return 0, fmt.Errorf("cell: %w", ErrNotFound)
	case len(names) > 1 && names[0] != ref: // the id itself would be the first
		return 0, fmt.Errorf("cell: %w", ambiguous(names))
	}
	return found, nil
}

// Attempts implements [Store].
func (s *SQLite) Attempts(ctx context.Context, run, cell string) ([]Result, error) {
	var results []Result
	key, err := s.cell(ctx, run, cell, false)
	if err == nil {
		err = each(s.readers.QueryContext(ctx, `SELECT `+resultColumns+`
			FROM cell JOIN result USING (cell) WHERE cell = ? ORDER BY attempt`, key))(func(rows *sql.Rows) error {
			_, r, err := scanResult(rows)
			results = append(results, r)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("list attempts at cell %.200q of run %.200q: %w", cell, run, explain(err))
	}
	return results, nil
}
