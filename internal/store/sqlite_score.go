package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Rescore implements [Store].
func (s *SQLite) Rescore(ctx context.Context, run, cell string, score Score) error {
	doing := fmt.Sprintf("rescore cell %.200q of run %.200q", cell, run)
	if err := checkScore(score); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return s.write(ctx, doing, func(ctx context.Context, conn *sql.Conn) error {
		var key int64
		var attempts int
		err := conn.QueryRowContext(ctx, "SELECT cell, attempts FROM cell JOIN run USING (run) WHERE run.id = ? AND cell.id = ?", run, cell).Scan(&key, &attempts)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return ErrNotFound
		case err != nil:
			return err
		case attempts == 0 || attempts != score.Attempt:
			return fmt.Errorf("%w: attempt %d of %d", ErrStale, score.Attempt, attempts)
		}
		for _, change := range []struct {
			statement string
			args      []any
		}{
			{`INSERT INTO score (result, scorer, assessed, cause, at, outcome)
				SELECT result, scorer, assessed, cause, at, outcome FROM result WHERE cell = ? AND attempt = ?`,
				[]any{key, attempts}},
			{`UPDATE result SET scorer = ?, assessed = ?, cause = ?, at = ?, outcome = ? WHERE cell = ? AND attempt = ?`,
				[]any{score.Scorer, score.Assessed, score.Cause, score.At.UnixMicro(), document(score.Outcome), key, attempts}},
			{`UPDATE cell SET assessed = ?, cause = ? WHERE cell = ?`,
				[]any{score.Assessed, score.Cause, key}},
		} {
			if _, err := conn.ExecContext(ctx, change.statement, change.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// Scores implements [Store].
func (s *SQLite) Scores(ctx context.Context, run, cell string) ([]Score, error) {
	var scores []Score
	key, err := s.cell(ctx, run, cell, false)
	if err == nil {
		// The latest score is in the result and has no key: it goes last.
		err = each(s.readers.QueryContext(ctx, `
			SELECT attempt, score.scorer, score.assessed, score.cause, score.at, score.outcome, score AS sequence
				FROM result JOIN score USING (result) WHERE cell = ?1
			UNION ALL SELECT attempt, scorer, assessed, cause, at, outcome, NULL FROM result WHERE cell = ?1
			ORDER BY attempt, sequence NULLS LAST`, key))(func(rows *sql.Rows) error {
			var score Score
			var at int64
			var sequence sql.NullInt64
			err := rows.Scan(&score.Attempt, &score.Scorer, &score.Assessed, &score.Cause, &at, &score.Outcome, &sequence)
			score.At = moment(at)
			scores = append(scores, score)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("list scores of cell %.200q of run %.200q: %w", cell, run, explain(err))
	}
	return scores, nil
}
