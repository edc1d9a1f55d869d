package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// CreateRun implements [Store].
func (s *SQLite) CreateRun(ctx context.Context, run Run, cells []Cell) error {
	doing := fmt.Sprintf("create run %.100q", run.ID)
	if err := checkRun(run, cells); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return s.write(ctx, doing, func(ctx context.Context, conn *sql.Conn) error {
		var key int64
		err := conn.QueryRowContext(ctx, `INSERT INTO run (id, name, suite, created, version, plan)
			VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING run`,
			run.ID, run.Name, run.Suite, run.Created.UnixMicro(), run.Version, document(run.Plan)).Scan(&key)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrExists
		}
		if err != nil {
			return err
		}
		insert, err := conn.PrepareContext(ctx, "INSERT INTO cell (run, id, place, label) VALUES (?, ?, ?, ?)")
		if err != nil {
			return err
		}
		for _, cell := range cells {
			if _, err := insert.ExecContext(ctx, key, cell.ID, cell.Index, document(cell.Label)); err != nil {
				return errors.Join(err, insert.Close())
			}
		}
		return insert.Close()
	})
}

// Runs implements [Store].
func (s *SQLite) Runs(ctx context.Context) ([]Info, error) {
	infos, err := s.infos(ctx, "TRUE")
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", explain(err))
	}
	return infos, nil
}

// Run implements [Store].
func (s *SQLite) Run(ctx context.Context, id string) (Info, error) {
	infos, err := s.infos(ctx, "id = ?", id)
	if err == nil && len(infos) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Info{}, fmt.Errorf("find run %.200q: %w", id, explain(err))
	}
	return infos[0], nil
}

// infos returns the runs that meet the condition, with their counts, as they stood
// at one moment.
func (s *SQLite) infos(ctx context.Context, condition string, args ...any) (infos []Info, err error) {
	tx, err := s.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written

	at := map[int64]int{}
	err = each(tx.QueryContext(ctx, `SELECT run, id, name, suite, created, version, plan FROM run
		WHERE `+condition+` ORDER BY created DESC, id DESC`, args...))(func(rows *sql.Rows) error {
		var key, created int64
		var info Info
		err := rows.Scan(&key, &info.ID, &info.Name, &info.Suite, &created, &info.Version, &info.Plan)
		info.Created = moment(created)
		at[key] = len(infos)
		infos = append(infos, info)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = each(tx.QueryContext(ctx, `SELECT run, assessed, cause, count(*) FROM cell
		WHERE run IN (SELECT run FROM run WHERE `+condition+`) GROUP BY run, assessed, cause`, args...))(func(rows *sql.Rows) error {
		var key int64
		var assessed sql.NullBool
		var cause string
		var n int
		if err := rows.Scan(&key, &assessed, &cause, &n); err != nil {
			return err
		}
		infos[at[key]].count(assessed, cause, n)
		return nil
	})
	return infos, err
}

// count adds n cells in one state: not assessed, assessed, or pending if assessed
// has no value.
func (i *Info) count(assessed sql.NullBool, cause string, n int) {
	i.Cells += n
	switch {
	case !assessed.Valid:
		i.Pending += n
	case assessed.Bool:
		i.Done += n
	default:
		if i.Excluded == nil {
			i.Excluded = map[string]int{}
		}
		i.Excluded[cause] += n
	}
}

// Cells implements [Store].
func (s *SQLite) Cells(ctx context.Context, run string) ([]CellState, error) {
	cells, err := s.cells(ctx, run)
	if err != nil {
		return nil, fmt.Errorf("list cells of run %.200q: %w", run, explain(err))
	}
	return cells, nil
}

func (s *SQLite) cells(ctx context.Context, run string) (cells []CellState, err error) {
	key, err := s.run(ctx, run)
	if err != nil {
		return nil, err
	}
	err = each(s.readers.QueryContext(ctx, `SELECT id, place, label, attempts, assessed, cause FROM cell
		WHERE run = ? ORDER BY place`, key))(func(rows *sql.Rows) error {
		var c CellState
		var assessed sql.NullBool
		err := rows.Scan(&c.ID, &c.Index, &c.Label, &c.Attempts, &assessed, &c.Cause)
		c.Assessed = assessed.Bool
		cells = append(cells, c)
		return err
	})
	return cells, err
}

// run returns the key of a run, which it keeps for good.
func (s *SQLite) run(ctx context.Context, id string) (key int64, err error) {
	err = s.readers.QueryRowContext(ctx, "SELECT run FROM run WHERE id = ?", id).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("run: %w", ErrNotFound)
	}
	return key, err
}

// each calls scan for every row of a query, and closes it.
func each(rows *sql.Rows, err error) func(scan func(*sql.Rows) error) error {
	return func(scan func(*sql.Rows) error) error {
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := scan(rows); err != nil {
				return errors.Join(err, rows.Close())
			}
		}
		return errors.Join(rows.Err(), rows.Close())
	}
}

// moment returns the time that was stored as microseconds.
func moment(micros int64) time.Time {
	return time.UnixMicro(micros).UTC()
}

// document returns what is stored for a document: NULL for an empty one.
func document(bytes []byte) []byte {
	if len(bytes) == 0 {
		return nil
	}
	return bytes
}
