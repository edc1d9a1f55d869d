package storetest

import (
	"time"

	"gauntlet/internal/store"
)

func newScore(attempt, n int, cause string) store.Score {
	return store.Score{
		Attempt: attempt, Scorer: "scorer " + string(rune('1'+n)), Assessed: cause == "", Cause: cause,
		Outcome: []byte{byte(n), 0, 0xff}, At: epoch.Add(time.Duration(n) * time.Hour),
	}
}

// scored returns a result with another score.
func scored(r store.Result, score store.Score) store.Result {
	r.Scorer, r.Assessed, r.Cause, r.Outcome = score.Scorer, score.Assessed, score.Cause, score.Outcome
	return r
}

func rescore(s *suite) {
	s.create(newRun("r", 0), newCells(2))
	s.fails(s.Rescore(s.ctx, "r", "c0000", newScore(0, 1, "")), store.ErrStale)
	s.fails(s.Rescore(s.ctx, "r", "c0000", newScore(1, 1, "")), store.ErrStale)
	first, second := newResult("c0000", 1, "timeout"), newResult("c0000", 2, "unscored")
	s.ok(s.Finish(s.ctx, "r", first))
	s.ok(s.Finish(s.ctx, "r", second))
	s.fails(s.Rescore(s.ctx, "r", "c0000", newScore(1, 1, "")), store.ErrStale)
	s.fails(s.Rescore(s.ctx, "r", "c0000", newScore(3, 1, "")), store.ErrStale)

	s.ok(s.Rescore(s.ctx, "r", "c0000", newScore(2, 1, "")))
	s.same("standing", s.results("r", true), []store.Result{scored(second, newScore(2, 1, ""))})
	_, states := s.state("r")
	s.same("state", states[0], store.CellState{Cell: newCells(1)[0], Attempts: 2, Assessed: true})
	s.fails(s.Finish(s.ctx, "r", newResult("c0000", 3, "")), store.ErrFinished)

	// The scores may come in any order of time: the order is that of the calls.
	s.ok(s.Rescore(s.ctx, "r", "c0000", newScore(2, 9, "")))
	s.ok(s.Rescore(s.ctx, "r", "c0000", newScore(2, 3, "")))
	scores, err := s.Scores(s.ctx, "r", "c0000")
	s.ok(err)
	s.same("scores", scores, []store.Score{
		firstScore(first), firstScore(second), newScore(2, 1, ""), newScore(2, 9, ""), newScore(2, 3, ""),
	})
	latest := scored(second, newScore(2, 3, ""))
	history, err := s.Attempts(s.ctx, "r", "c0000")
	s.ok(err)
	s.same("attempts", history, bare(first, latest))
	got, err := s.Result(s.ctx, "r", "c0000", true)
	s.ok(err)
	s.same("the trace is the same", got, latest)
	scores, err = s.Scores(s.ctx, "r", "c0001")
	s.ok(err)
	s.same("scores of a pending cell", scores, []store.Score{})
}

func rescoreToUnassessed(s *suite) {
	s.create(newRun("r", 0), newCells(1))
	first, second := newResult("c0000", 1, ""), newResult("c0000", 2, "")
	s.ok(s.Finish(s.ctx, "r", first))
	s.ok(s.Rescore(s.ctx, "r", "c0000", newScore(1, 1, "check raised")))
	info, _ := s.state("r")
	s.same("excluded", info.Excluded, map[string]int{"check raised": 1})
	s.fails(s.Finish(s.ctx, "r", newResult("c0000", 1, "")), store.ErrFinished)
	s.ok(s.Finish(s.ctx, "r", second))
	s.fails(s.Rescore(s.ctx, "r", "c0000", newScore(1, 2, "")), store.ErrStale)
	s.same("standing", s.results("r", true), []store.Result{second})
	history, err := s.Attempts(s.ctx, "r", "c0000")
	s.ok(err)
	s.same("attempts", history, bare(scored(first, newScore(1, 1, "check raised")), second))
}
