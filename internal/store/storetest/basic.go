package storetest

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gauntlet/internal/store"
)

func empty(s *suite) {
	runs, err := s.Runs(s.ctx)
	s.ok(err)
	if len(runs) != 0 {
		s.Fatalf("an empty store has %d runs", len(runs))
	}
	for _, ref := range []string{"", store.Latest, "2026"} {
		_, err := store.Find(s.ctx, s, ref)
		s.fails(err, store.ErrNotFound)
	}
}

func createRun(s *suite) {
	run, cells := newRun("20261130-141523-ab12", 0), newCells(3)
	s.create(run, cells)
	s.fails(s.CreateRun(s.ctx, run, nil), store.ErrExists)
	s.fails(s.CreateRun(s.ctx, store.Run{ID: run.ID}, newCells(9)), store.ErrExists)

	info, states := s.state(run.ID)
	s.same("run", info, store.Info{Run: run, Cells: 3, Pending: 3})
	var want []store.CellState
	for _, cell := range cells {
		want = append(want, store.CellState{Cell: cell})
	}
	s.same("cells", states, want)

	// The least that a run can be, and the same cells in another run.
	s.create(store.Run{ID: "0"}, nil)
	s.create(newRun("other", 1), cells)
	runs, err := s.Runs(s.ctx)
	s.ok(err)
	s.same("runs", runs, []store.Info{
		{Run: newRun("other", 1), Cells: 3, Pending: 3},
		{Run: run, Cells: 3, Pending: 3},
		{Run: store.Run{ID: "0"}},
	})
}

func invalid(s *suite) {
	long := strings.Repeat("x", 201)
	for _, id := range []string{"", "a b", "a/b", "../a", ".a", "-a", "ä", "a\x00", store.Latest, "a\n", long[:101], "~"} {
		s.fails(s.CreateRun(s.ctx, store.Run{ID: id}, nil), store.ErrInvalid)
	}
	for _, text := range []string{"\x00", "a\xff", "\xed\xa0\x80"} {
		s.fails(s.CreateRun(s.ctx, store.Run{ID: "r", Name: text}, nil), store.ErrInvalid)
		s.fails(s.CreateRun(s.ctx, store.Run{ID: "r", Suite: text}, nil), store.ErrInvalid)
		s.fails(s.CreateRun(s.ctx, store.Run{ID: "r", Version: text}, nil), store.ErrInvalid)
	}
	for _, at := range []time.Time{time.Unix(math.MaxInt32*1000, 0), time.Date(-1, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		s.fails(s.CreateRun(s.ctx, store.Run{ID: "r", Created: at}, nil), store.ErrInvalid)
	}
	for _, cells := range [][]store.Cell{
		{{ID: ""}}, {{ID: "a b"}}, {{ID: "ä"}}, {{ID: "a\x7f"}}, {{ID: "a\x00"}}, {{ID: long}},
		{{ID: "a", Index: -1}},
		{{ID: "a"}, {ID: "a", Index: 1}},
		{{ID: "a", Index: 1}, {ID: "b", Index: 1}},
	} {
		s.fails(s.CreateRun(s.ctx, store.Run{ID: "r"}, cells), store.ErrInvalid)
	}
	runs, err := s.Runs(s.ctx)
	s.ok(err)
	if len(runs) > 0 {
		s.Fatalf("an invalid run was kept: %v", runs)
	}

	s.create(newRun("r", 0), []store.Cell{{ID: "!" + long[:198] + "~", Index: math.MaxInt32}})
	cell := "!" + long[:198] + "~"
	for _, spoil := range []func(*store.Result){
		func(r *store.Result) { r.Cause = "timeout" },
		func(r *store.Result) { r.Assessed = false },
		func(r *store.Result) { r.Assessed, r.Cause = false, "a\x00" },
		func(r *store.Result) { r.Scorer = "\xff" },
		func(r *store.Result) { r.Started = time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC) },
		func(r *store.Result) { r.Ended = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		func(r *store.Result) { r.Outcome = make([]byte, store.MaxDocument+1) },
		func(r *store.Result) { r.Trace = make([]byte, store.MaxDocument+1) },
	} {
		r := newResult(cell, 1, "")
		spoil(&r)
		s.fails(s.Finish(s.ctx, "r", r), store.ErrInvalid)
	}
	s.ok(s.Finish(s.ctx, "r", newResult(cell, 1, "")))
	s.fails(s.Rescore(s.ctx, "r", cell, store.Score{Attempt: 1}), store.ErrInvalid)
	s.fails(s.Rescore(s.ctx, "r", cell, store.Score{Attempt: 1, Assessed: true, Cause: "x"}), store.ErrInvalid)
	s.same("results", s.results("r", true), []store.Result{newResult(cell, 1, "")})
}

func order(s *suite) {
	for _, run := range []store.Run{newRun("a", 2), newRun("c", 1), newRun("b", 3), newRun("B", 1), newRun("d", 1)} {
		s.create(run, nil)
	}
	runs, err := s.Runs(s.ctx)
	s.ok(err)
	var ids []string
	for _, info := range runs {
		ids = append(ids, info.ID)
	}
	s.same("newest first, then by descending id", ids, []string{"b", "a", "d", "c", "B"})

	// The order of cells is the order of the plan, not that of the slice or the ids.
	s.create(newRun("r", 0), []store.Cell{{ID: "z", Index: 70}, {ID: "a", Index: 1000}, {ID: "m", Index: 2}})
	for _, cell := range []string{"a", "z", "m"} {
		s.ok(s.Finish(s.ctx, "r", newResult(cell, 1, "")))
	}
	_, states := s.state("r")
	var cells []string
	for _, c := range states {
		cells = append(cells, c.ID)
	}
	for _, r := range s.results("r", false) {
		cells = append(cells, r.Cell)
	}
	s.same("plan order", cells, []string{"m", "z", "a", "m", "z", "a"})
}

func find(s *suite) {
	for i, id := range []string{"20261130-1", "20261201-2", "20261130-12", "x%_*"[:1]} {
		s.create(newRun(id, i%3), nil)
	}
	for ref, want := range map[string]string{
		"": "20261130-12", store.Latest: "20261130-12", "20261130-1": "20261130-1", "20261130-12": "20261130-12",
		"20261201": "20261201-2", "202612": "20261201-2", "x": "x",
	} {
		info, err := store.Find(s.ctx, s, ref)
		s.ok(err)
		if info.ID != want {
			s.Errorf("%q is the run %q, want %q", ref, info.ID, want)
		}
		s.same("plan", info.Plan, []byte(`{"plan":1}`))
	}
	_, err := store.Find(s.ctx, s, "20261130-")
	s.fails(err, store.ErrAmbiguous)
	for _, candidate := range []string{"20261130-1", "20261130-12"} {
		if !strings.Contains(err.Error(), candidate) {
			s.Errorf("%q does not name %s", err, candidate)
		}
	}
	for _, ref := range []string{"20261130-123", "%", "2%", "_", "X", "\x00", "\xff", "'", "lates"} {
		_, err := store.Find(s.ctx, s, ref)
		s.fails(err, store.ErrNotFound)
	}
	for i := range 20 {
		s.create(newRun(fmt.Sprintf("many%02d", i), i), nil)
	}
	_, err = store.Find(s.ctx, s, "many")
	s.fails(err, store.ErrAmbiguous)
	if len(err.Error()) > 200 {
		s.Errorf("the list of candidates is too long to read: %v", err)
	}
}

func finish(s *suite) {
	s.create(newRun("r", 0), newCells(3))
	s.fails(s.Finish(s.ctx, "r", newResult("c0000", 0, "")), store.ErrFinished)
	s.fails(s.Finish(s.ctx, "r", newResult("c0000", 2, "")), store.ErrFinished)
	s.fails(s.Finish(s.ctx, "r", newResult("c0000", -1, "")), store.ErrFinished)

	first, second, third := newResult("c0001", 1, "timeout"), newResult("c0001", 2, "budget"), newResult("c0001", 3, "")
	second.Trace = nil
	s.ok(s.Finish(s.ctx, "r", first))
	s.fails(s.Finish(s.ctx, "r", newResult("c0001", 1, "")), store.ErrFinished)
	s.same("standing", s.results("r", true), []store.Result{first})
	s.ok(s.Finish(s.ctx, "r", second))
	s.same("standing", s.results("r", true), []store.Result{second})
	info, states := s.state("r")
	s.same("excluded", info.Excluded, map[string]int{"budget": 1})
	s.same("state", states[1], store.CellState{Cell: newCells(3)[1], Attempts: 2, Cause: "budget"})

	s.ok(s.Finish(s.ctx, "r", third))
	for attempt := range 6 {
		s.fails(s.Finish(s.ctx, "r", newResult("c0001", attempt, "")), store.ErrFinished)
		s.fails(s.Finish(s.ctx, "r", newResult("c0001", attempt, "timeout")), store.ErrFinished)
	}
	other := newResult("c0000", 1, "")
	s.ok(s.Finish(s.ctx, "r", other))

	info, states = s.state("r")
	s.same("info", info, store.Info{Run: newRun("r", 0), Cells: 3, Done: 2, Pending: 1})
	s.same("state", states[1], store.CellState{Cell: newCells(3)[1], Attempts: 3, Assessed: true})
	s.same("standing", s.results("r", true), []store.Result{other, third})
	s.same("without traces", s.results("r", false), bare(other, third))
	got, err := s.Result(s.ctx, "r", "c0001", true)
	s.ok(err)
	s.same("result", got, third)
	got, err = s.Result(s.ctx, "r", "c0001", false)
	s.ok(err)
	s.same("result", got, bare(third)[0])
	history, err := s.Attempts(s.ctx, "r", "c0001")
	s.ok(err)
	s.same("attempts", history, bare(first, second, third))
	history, err = s.Attempts(s.ctx, "r", "c0002")
	s.ok(err)
	s.same("attempts", history, []store.Result{})
}

func notFound(s *suite) {
	s.create(newRun("r", 0), newCells(1))
	s.create(newRun("other", 1), []store.Cell{{ID: "elsewhere"}})
	for _, at := range []struct{ run, cell string }{
		{"none", "c0000"}, {"", "c0000"}, {"R", "c0000"}, {"r\x00", "c0000"},
		{"r", "elsewhere"}, {"r", "c00000"}, {"r", ""}, {"r", "C0000"}, {"r", "c0000\x00"}, {"r", "\xff"}, {"r", "c000%"},
	} {
		s.fails(s.Finish(s.ctx, at.run, newResult(at.cell, 1, "")), store.ErrNotFound)
		s.fails(s.Rescore(s.ctx, at.run, at.cell, firstScore(newResult(at.cell, 1, ""))), store.ErrNotFound)
		_, err := s.Result(s.ctx, at.run, at.cell, true)
		s.fails(err, store.ErrNotFound)
		_, err = s.Attempts(s.ctx, at.run, at.cell)
		s.fails(err, store.ErrNotFound)
		_, err = s.Scores(s.ctx, at.run, at.cell)
		s.fails(err, store.ErrNotFound)
		if at.run == "r" {
			continue
		}
		_, err = s.Run(s.ctx, at.run)
		s.fails(err, store.ErrNotFound)
		_, err = s.Cells(s.ctx, at.run)
		s.fails(err, store.ErrNotFound)
		_, err = s.Claim(s.ctx, at.run)
		s.fails(err, store.ErrNotFound)
		n := 0
		for _, err := range s.Results(s.ctx, at.run, false) {
			s.fails(err, store.ErrNotFound)
			n++
		}
		if n != 1 {
			s.Errorf("results of no run yield %d times", n)
		}
	}
	// A pending cell is there, and has no result.
	_, err := s.Result(s.ctx, "r", "c0000", true)
	s.fails(err, store.ErrNotFound)
	// The beginning of an id is a name for Result alone.
	s.ok(s.Finish(s.ctx, "r", newResult("c0000", 1, "")))
	_, err = s.Attempts(s.ctx, "r", "c00")
	s.fails(err, store.ErrNotFound)
	s.fails(s.Finish(s.ctx, "r", newResult("c00", 1, "")), store.ErrNotFound)
}

func cellPrefix(s *suite) {
	cells := []string{"ab12", "ab3", "ab", "b~~", "c!", "C", "_", "%"}
	var all []store.Cell
	for i, id := range cells {
		all = append(all, store.Cell{ID: id, Index: i})
	}
	s.create(newRun("r", 0), all)
	for _, id := range cells {
		s.ok(s.Finish(s.ctx, "r", newResult(id, 1, "")))
	}
	for ref, want := range map[string]string{"ab": "ab", "ab1": "ab12", "ab12": "ab12", "ab3": "ab3", "b": "b~~", "b~": "b~~", "c": "c!", "C": "C", "_": "_", "%": "%"} {
		r, err := s.Result(s.ctx, "r", ref, true)
		s.ok(err)
		s.same(ref, r, newResult(want, 1, ""))
	}
	_, err := s.Result(s.ctx, "r", "a", false)
	s.fails(err, store.ErrAmbiguous)
	for _, id := range cells[:3] {
		if !strings.Contains(err.Error(), id) {
			s.Errorf("%q does not name %q", err, id)
		}
	}
	_, err = s.Result(s.ctx, "r", "ab123", false)
	s.fails(err, store.ErrNotFound)
}
