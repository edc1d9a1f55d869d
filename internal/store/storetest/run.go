package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gauntlet/internal/store"
)

// Run checks the stores that open returns. Each call of open returns a store of an
// empty database of its own, which Run closes.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for _, test := range []struct {
		name string
		run  func(*suite)
	}{
		{"Empty", empty},
		{"CreateRun", createRun},
		{"Invalid", invalid},
		{"Order", order},
		{"Find", find},
		{"Finish", finish},
		{"Rescore", rescore},
		{"RescoreToUnassessed", rescoreToUnassessed},
		{"CellPrefix", cellPrefix},
		{"NotFound", notFound},
		{"Bytes", oddBytes},
		{"Times", times},
		{"BigTrace", bigTrace},
		{"ManyCells", manyCells},
		{"ResultsEndedEarly", resultsEndedEarly},
		{"ResultsWhileWriting", resultsWhileWriting},
		{"Concurrent", concurrent},
		{"ConcurrentAttempts", concurrentAttempts},
		{"Cancelled", cancelled},
		{"Claim", claim},
		{"Close", closed},
		{"Model", model},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.run(&suite{tester: tester{t}, ctx: t.Context(), open: open, Store: fresh(t, open)})
		})
	}
}

// fresh returns a store that is closed at the end of the test.
func fresh(t *testing.T, open func(t *testing.T) store.Store) store.Store {
	t.Helper()
	s := open(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// tester puts the methods of testing.T one level below those of the store, which
// has a Run, too.
type tester struct{ *testing.T }

// suite is one test and the store that it is about.
type suite struct {
	tester
	store.Store
	ctx  context.Context
	open func(t *testing.T) store.Store
}

// epoch is the moment from which the times in the tests are counted.
var epoch = time.Date(2026, 11, 30, 14, 15, 23, 123456000, time.UTC)

// newRun returns a run created some minutes after epoch.
func newRun(id string, minute int) store.Run {
	return store.Run{
		ID: id, Name: "näme", Suite: "suite", Version: "v1.2.3", Plan: []byte(`{"plan":1}`),
		Created: epoch.Add(time.Duration(minute) * time.Minute),
	}
}

// newCells returns n cells, c0000 and on.
func newCells(n int) []store.Cell {
	cells := make([]store.Cell, n)
	for i := range cells {
		cells[i] = store.Cell{ID: fmt.Sprintf("c%04d", i), Index: i, Label: fmt.Appendf(nil, `{"i":%d}`, i)}
	}
	return cells
}

// newResult returns a result of an attempt, excluded if there is a cause.
func newResult(cell string, attempt int, cause string) store.Result {
	return store.Result{
		Cell: cell, Attempt: attempt, Assessed: cause == "", Cause: cause, Scorer: "scorer 1",
		Started: epoch.Add(time.Duration(attempt) * time.Second), Ended: epoch.Add(time.Duration(attempt)*time.Second + time.Millisecond),
		Outcome: fmt.Appendf(nil, `{"outcome":%q}`, cause), Trace: fmt.Appendf(nil, "trace of %s, attempt %d", cell, attempt),
	}
}

// firstScore returns the score that a result comes with.
func firstScore(r store.Result) store.Score {
	return store.Score{Attempt: r.Attempt, Scorer: r.Scorer, Assessed: r.Assessed, Cause: r.Cause, Outcome: r.Outcome, At: r.Ended}
}

func (s *suite) create(run store.Run, cells []store.Cell) {
	s.Helper()
	s.ok(s.CreateRun(s.ctx, run, cells))
}

func (s *suite) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *suite) fails(err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Fatalf("the error is %v, want %v", err, want)
	}
}

// diff takes nil and empty slices as equal.
func diff(want, got any) string {
	some := func(a, b []byte) bool { return len(a)+len(b) > 0 }
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.FilterValues(some, cmp.Comparer(bytes.Equal)))
}

func (s *suite) same(what string, got, want any) {
	s.Helper()
	if difference := diff(want, got); difference != "" {
		s.Fatalf("%s (- want, + got):\n%s", what, difference)
	}
}

// results reads all of Results.
func (s *suite) results(run string, withTrace bool) []store.Result {
	s.Helper()
	var all []store.Result
	for r, err := range s.Results(s.ctx, run, withTrace) {
		s.ok(err)
		all = append(all, r)
	}
	return all
}

// bare returns results as they are without traces.
func bare(results ...store.Result) []store.Result {
	all := make([]store.Result, len(results))
	for i, r := range results {
		r.Trace = nil
		all[i] = r
	}
	return all
}

// state returns what Cells and Run, which have to agree, say of a run.
func (s *suite) state(run string) (store.Info, []store.CellState) {
	s.Helper()
	cells, err := s.Cells(s.ctx, run)
	s.ok(err)
	info, err := s.Run(s.ctx, run)
	s.ok(err)
	want := store.Info{Run: info.Run, Cells: len(cells), Excluded: map[string]int{}}
	for _, c := range cells {
		switch {
		case c.Attempts == 0:
			want.Pending++
		case c.Assessed:
			want.Done++
		default:
			want.Excluded[c.Cause]++
		}
	}
	s.same("counts", info, want)
	return info, cells
}
