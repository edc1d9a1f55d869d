package storetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"gauntlet/internal/store"
)

func resultsEndedEarly(s *suite) {
	const n = 100
	s.create(newRun("r", 0), newCells(n))
	for _, cell := range newCells(n) {
		s.ok(s.Finish(s.ctx, "r", newResult(cell.ID, 1, "")))
	}
	all := s.Results(s.ctx, "r", true)
	// More often than there can be connections or cursors to lose.
	for i := range 100 {
		seen := 0
		for r, err := range all {
			s.ok(err)
			s.same("result", r, newResult(newCells(n)[seen].ID, 1, ""))
			if seen++; seen > i%70 {
				break
			}
		}
	}
	// Loops inside loops, deeper than any pool of connections.
	var nest func(depth int)
	nest = func(depth int) {
		if depth == 0 {
			return
		}
		for _, err := range all {
			s.ok(err)
			nest(depth - 1)
			break
		}
	}
	nest(50)
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	seen := 0
	var last error
	for _, err := range s.Results(ctx, "r", true) {
		if seen++; err != nil {
			last = err
			continue
		}
		cancel()
	}
	s.fails(last, context.Canceled)
	if seen > n {
		s.Errorf("a cancelled loop went on for %d results", seen)
	}
}

// resultsWhileWriting changes the store inside the loop, as rescoring does.
func resultsWhileWriting(s *suite) {
	const n = 100
	s.create(newRun("r", 0), newCells(n))
	for _, cell := range newCells(n) {
		s.ok(s.Finish(s.ctx, "r", newResult(cell.ID, 1, "timeout")))
	}
	seen := 0
	for r, err := range s.Results(s.ctx, "r", true) {
		s.ok(err)
		s.same("result", r, newResult(r.Cell, 1, "timeout"))
		seen++
		s.ok(s.Rescore(s.ctx, "r", r.Cell, newScore(1, 1, "")))
	}
	info, _ := s.state("r")
	if seen != n || info.Done != n {
		s.Errorf("%d results were seen and %d are assessed, want %d", seen, info.Done, n)
	}
}

// concurrent has many goroutines finish cells while others read, and sees that
// nothing is lost and no reader sees half of anything.
func concurrent(s *suite) {
	const workers = 64
	each := Effort(12)
	cells := newCells(workers * each)
	s.create(newRun("r", 0), cells)
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	var writers, readers sync.WaitGroup
	for w := range workers {
		writers.Go(func() {
			for i := range each {
				cell := cells[i*workers+w].ID
				err := errors.Join(s.Finish(ctx, "r", newResult(cell, 1, "timeout")), s.Finish(ctx, "r", newResult(cell, 2, "")))
				if err == nil && w%8 == 0 {
					err = s.CreateRun(ctx, newRun(fmt.Sprintf("w%d-%d", w, i), i), newCells(3))
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	finished := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				if err := look(ctx, s, workers*each); err != nil {
					cancel(err)
					return
				}
				select {
				case <-finished:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(finished)
	readers.Wait()
	s.ok(context.Cause(ctx))
	info, _ := s.state("r")
	s.same("info", info, store.Info{Run: newRun("r", 0), Cells: len(cells), Done: len(cells)})
	for i, r := range s.results("r", true) {
		s.same("result", r, newResult(cells[i].ID, 2, ""))
	}
	runs, err := s.Runs(s.ctx)
	s.ok(err)
	s.same("runs", len(runs), 1+workers/8*each)
}

// look reads a run of n cells that is being worked on and returns what is wrong.
func look(ctx context.Context, s store.Store, n int) error {
	infos, err := s.Runs(ctx)
	if err != nil {
		return err
	}
	for _, info := range infos {
		excluded := 0
		for _, k := range info.Excluded {
			excluded += k
		}
		if info.Cells != info.Done+excluded+info.Pending || info.Cells != n && info.Cells != 3 {
			return fmt.Errorf("the counts of a run do not add up: %+v", info)
		}
	}
	for r, err := range s.Results(ctx, "r", true) {
		if err != nil {
			return err
		}
		want := newResult(r.Cell, r.Attempt, r.Cause)
		if string(r.Trace) != string(want.Trace) || string(r.Outcome) != string(want.Outcome) {
			return fmt.Errorf("half a result: %+v", r)
		}
	}
	return nil
}

// concurrentAttempts has several finish the same attempt: one of them succeeds.
func concurrentAttempts(s *suite) {
	const rivals, rounds = 64, 5
	s.create(newRun("r", 0), newCells(1))
	for round := 1; round <= rounds; round++ {
		cause := "timeout"
		if round == rounds {
			cause = ""
		}
		var succeeded atomic.Int32
		var failures sync.Map
		var wait sync.WaitGroup
		for i := range rivals {
			wait.Go(func() {
				switch err := s.Finish(s.ctx, "r", newResult("c0000", round, cause)); {
				case err == nil:
					succeeded.Add(1)
				case !errors.Is(err, store.ErrFinished):
					failures.Store(i, err)
				}
			})
		}
		wait.Wait()
		failures.Range(func(_, err any) bool { s.Errorf("finish: %v", err); return true })
		if n := succeeded.Load(); n != 1 {
			s.Fatalf("attempt %d was finished %d times", round, n)
		}
	}
	history, err := s.Attempts(s.ctx, "r", "c0000")
	s.ok(err)
	s.same("attempts", len(history), rounds)
}

// cancelled sees that a call with an ended context does nothing, and does not
// disturb the ones beside it.
func cancelled(s *suite) {
	cells := newCells(200)
	s.create(newRun("r", 0), cells)
	gone, cancel := context.WithCancel(s.ctx)
	cancel()
	s.fails(s.Finish(gone, "r", newResult("c0000", 1, "")), context.Canceled)
	s.fails(s.CreateRun(gone, newRun("x", 0), nil), context.Canceled)
	_, err := s.Cells(gone, "r")
	s.fails(err, context.Canceled)
	_, err = s.Run(gone, "r")
	s.fails(err, context.Canceled)

	var wait sync.WaitGroup
	outcome := make([]error, len(cells))
	for i, cell := range cells {
		wait.Go(func() {
			ctx, cancel := context.WithCancel(s.ctx)
			defer cancel()
			if i%2 == 1 {
				go cancel() // before, during or after
			}
			outcome[i] = s.Finish(ctx, "r", newResult(cell.ID, 1, ""))
		})
	}
	wait.Wait()
	_, states := s.state("r")
	for i, state := range states {
		switch err := outcome[i]; {
		case err == nil && state.Attempts != 1:
			s.Errorf("cell %d was finished and is pending", i)
		case err != nil && state.Attempts != 0:
			s.Errorf("cell %d failed with %v and is finished", i, err)
		case err != nil && (i%2 == 0 || !errors.Is(err, context.Canceled)):
			s.Errorf("cell %d failed: %v", i, err)
		}
	}
}

func claim(s *suite) {
	s.create(newRun("r", 0), newCells(1))
	s.create(newRun("other", 0), nil)
	for range 3 {
		release, err := s.Claim(s.ctx, "r")
		s.ok(err)
		_, err = s.Claim(s.ctx, "r")
		s.fails(err, store.ErrClaimed)
		another, err := s.Claim(s.ctx, "other")
		s.ok(err)
		s.ok(another())
		s.ok(release())
		s.ok(release())
	}
	// Releasing twice does not release the claim of somebody else.
	first, err := s.Claim(s.ctx, "r")
	s.ok(err)
	s.ok(first())
	second, err := s.Claim(s.ctx, "r")
	s.ok(err)
	s.ok(first())
	_, err = s.Claim(s.ctx, "r")
	s.fails(err, store.ErrClaimed)
	s.ok(second())

	// A claim stays, also when its holder forgets about it.
	forgotten := func() {
		_, err := s.Claim(s.ctx, "other")
		s.ok(err)
	}
	forgotten()
	runtime.GC()
	runtime.GC()
	_, err = s.Claim(s.ctx, "other")
	s.fails(err, store.ErrClaimed)

	// However many try, one holds it at a time.
	var holders, claims atomic.Int32
	var failures sync.Map
	var wait sync.WaitGroup
	for i := range 32 {
		wait.Go(func() {
			for range 30 {
				release, err := s.Claim(s.ctx, "r")
				if errors.Is(err, store.ErrClaimed) {
					continue
				}
				if err != nil {
					failures.Store(i, err)
					return
				}
				claims.Add(1)
				if holders.Add(1) != 1 {
					failures.Store(i, errors.New("two hold the claim"))
				}
				holders.Add(-1)
				if err := release(); err != nil {
					failures.Store(i, err)
				}
			}
		})
	}
	wait.Wait()
	failures.Range(func(_, err any) bool { s.Errorf("claim: %v", err); return true })
	if claims.Load() == 0 {
		s.Error("nobody could claim the run")
	}
}

func closed(s *suite) {
	s.create(newRun("r", 0), newCells(1))
	release, err := s.Claim(s.ctx, "r")
	s.ok(err)
	s.ok(s.Close())
	s.ok(s.Close())
	s.ok(release())
	if _, err := s.Runs(s.ctx); err == nil {
		s.Error("a closed store lists runs")
	}
	if err := s.Finish(s.ctx, "r", newResult("c0000", 1, "")); err == nil {
		s.Error("a closed store finishes cells")
	}
	for _, err := range s.Results(s.ctx, "r", false) {
		if err == nil {
			s.Error("a closed store has results")
		}
	}
}
