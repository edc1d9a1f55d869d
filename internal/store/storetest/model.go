package storetest

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"gauntlet/internal/store"
)

// model compares random calls with a simple idea of a store: a map of runs, each
// with the attempts at its cells in memory.
func model(s *suite) {
	// One store for all sequences, each with runs of its own, since opening one
	// costs more than a sequence.
	sequence := 0
	if checks := flag.Lookup("rapid.checks"); checks != nil && checks.Value.String() == checks.DefValue {
		s.ok(checks.Value.Set(strconv.Itoa(Effort(100))))
		defer func() { s.ok(checks.Value.Set(checks.DefValue)) }()
	}
	rapid.Check(s.T, func(t *rapid.T) {
		sequence++
		m := &journal{t: t, s: s, name: fmt.Sprintf("s%d-", sequence), runs: map[string]*memory{}}
		t.Repeat(map[string]func(*rapid.T){
			"create":  m.create,
			"finish":  m.finish,
			"rescore": m.rescore,
			"result":  m.result,
			"":        m.check,
		})
		m.checkAll()
	})
}

type journal struct {
	t    *rapid.T
	s    *suite
	name string
	runs map[string]*memory
	last string // the run that was called for last
}

// memory is what is known of one run.
type memory struct {
	run   store.Run
	cells []store.Cell // in the order of the plan
	made  map[string][]attempt
}

type attempt struct {
	result store.Result // with its latest score
	scores []store.Score
}

// standing returns the latest attempt at a cell, or nil.
func (m *memory) standing(cell string) *attempt {
	made := m.made[cell]
	if len(made) == 0 {
		return nil
	}
	return &made[len(made)-1]
}

var (
	documents = rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) []byte {
		if len(b) == 0 {
			return nil
		}
		return b
	})
	// Few, so that calls meet what others have made.
	cellIDs = rapid.SampledFrom([]string{"aa", "ab", "b", "b1", "B", "c~"})
	causes  = rapid.SampledFrom([]string{"", "", "timeout", "budget"})
	moments = rapid.Map(rapid.Int64Range(-1<<50, 1<<50), func(micros int64) time.Time { return time.UnixMicro(micros).UTC() })
	texts   = rapid.Map(rapid.String(), func(s string) string { return strings.ReplaceAll(s, "\x00", "") })
)

func (j *journal) runID(t *rapid.T) string {
	j.last = j.name + rapid.SampledFrom([]string{"x", "y", "y1"}).Draw(t, "run")
	return j.last
}

func (j *journal) want(err, want error) {
	if !errors.Is(err, want) || want == nil && err != nil {
		j.t.Fatalf("the error is %v, want %v", err, want)
	}
}

func (j *journal) same(what string, got, want any) {
	if difference := diff(want, got); difference != "" {
		j.t.Fatalf("%s (- want, + got):\n%s", what, difference)
	}
}

func (j *journal) create(t *rapid.T) {
	run := store.Run{
		ID: j.runID(t), Name: texts.Draw(t, "name"), Suite: texts.Draw(t, "suite"), Version: texts.Draw(t, "version"),
		Created: moments.Draw(t, "created"), Plan: documents.Draw(t, "plan"),
	}
	var cells []store.Cell
	places := rapid.SliceOfNDistinct(rapid.IntRange(0, 20), 6, 6, rapid.ID[int]).Draw(t, "places")
	for i, id := range rapid.SliceOfNDistinct(cellIDs, 0, 5, rapid.ID[string]).Draw(t, "cells") {
		cells = append(cells, store.Cell{ID: id, Index: places[i], Label: documents.Draw(t, "label")})
	}
	err := j.s.CreateRun(j.s.ctx, run, cells)
	if j.runs[run.ID] != nil {
		j.want(err, store.ErrExists)
		return
	}
	j.want(err, nil)
	cells = slices.SortedFunc(slices.Values(cells), func(a, b store.Cell) int { return a.Index - b.Index })
	j.runs[run.ID] = &memory{run: run, cells: cells, made: map[string][]attempt{}}
}

// find returns the memory of a run that has the cell, or nil.
func (j *journal) find(run, cell string) *memory {
	m := j.runs[run]
	if m == nil || !slices.ContainsFunc(m.cells, func(c store.Cell) bool { return c.ID == cell }) {
		return nil
	}
	return m
}

func (j *journal) finish(t *rapid.T) {
	run := j.runID(t)
	cause := causes.Draw(t, "cause")
	r := store.Result{
		Cell: cellIDs.Draw(t, "cell"), Attempt: rapid.IntRange(1, 3).Draw(t, "attempt"), Started: moments.Draw(t, "started"), Ended: moments.Draw(t, "ended"),
		Assessed: cause == "", Cause: cause, Outcome: documents.Draw(t, "outcome"), Trace: documents.Draw(t, "trace"), Scorer: texts.Draw(t, "scorer"),
	}
	err := j.s.Finish(j.s.ctx, run, r)
	m := j.find(run, r.Cell)
	if m == nil {
		j.want(err, store.ErrNotFound)
		return
	}
	if last := m.standing(r.Cell); last != nil && last.result.Assessed || r.Attempt != len(m.made[r.Cell])+1 {
		j.want(err, store.ErrFinished)
		return
	}
	j.want(err, nil)
	m.made[r.Cell] = append(m.made[r.Cell], attempt{r, []store.Score{firstScore(r)}})
}

func (j *journal) rescore(t *rapid.T) {
	run, cell := j.runID(t), cellIDs.Draw(t, "cell")
	cause := causes.Draw(t, "cause")
	score := store.Score{
		Attempt: rapid.IntRange(0, 3).Draw(t, "attempt"), Scorer: texts.Draw(t, "scorer"), Assessed: cause == "", Cause: cause,
		Outcome: documents.Draw(t, "outcome"), At: moments.Draw(t, "at"),
	}
	err := j.s.Rescore(j.s.ctx, run, cell, score)
	m := j.find(run, cell)
	if m == nil {
		j.want(err, store.ErrNotFound)
		return
	}
	last := m.standing(cell)
	if last == nil || score.Attempt != last.result.Attempt {
		j.want(err, store.ErrStale)
		return
	}
	j.want(err, nil)
	last.result = scored(last.result, score)
	last.scores = append(last.scores, score)
}

// result asks for a result by the beginning of a cell's id.
func (j *journal) result(t *rapid.T) {
	run, ref := j.runID(t), rapid.SampledFrom([]string{"a", "aa", "b", "b1", "B", "c", "d", ""}).Draw(t, "ref")
	got, err := j.s.Result(j.s.ctx, run, ref, true)
	var matches []string
	if m := j.runs[run]; m != nil && ref != "" {
		for _, c := range m.cells {
			if c.ID == ref {
				matches = []string{ref}
				break
			}
			if strings.HasPrefix(c.ID, ref) {
				matches = append(matches, c.ID)
			}
		}
	}
	switch {
	case len(matches) > 1:
		j.want(err, store.ErrAmbiguous)
	case len(matches) == 0 || j.runs[run].standing(matches[0]) == nil:
		j.want(err, store.ErrNotFound)
	default:
		j.want(err, nil)
		j.same("result", got, j.runs[run].standing(matches[0]).result)
	}
}

// check compares the run that was called for last, with its history.
func (j *journal) check(*rapid.T) {
	if m := j.runs[j.last]; m != nil {
		j.compare(j.last, m)
		j.checkHistory(j.last, m)
	}
}

// checkAll compares all runs: what was done to one has not touched the others.
func (j *journal) checkAll() {
	for _, id := range slices.Sorted(maps.Keys(j.runs)) {
		j.compare(id, j.runs[id])
		j.checkHistory(id, j.runs[id])
	}
}

// compare compares a run, its cells and their standing results.
func (j *journal) compare(id string, m *memory) {
	s, ctx := j.s, j.s.ctx
	info, states, standing := m.view()
	gotInfo, err := s.Run(ctx, id)
	j.want(err, nil)
	j.same("info", gotInfo, info)
	gotStates, err := s.Cells(ctx, id)
	j.want(err, nil)
	j.same("cells", gotStates, states)
	var results []store.Result
	for r, err := range s.Results(ctx, id, true) {
		j.want(err, nil)
		results = append(results, r)
	}
	j.same("results", results, standing)
}

// view returns what Run, Cells and Results have to return.
func (m *memory) view() (info store.Info, states []store.CellState, standing []store.Result) {
	info = store.Info{Run: m.run, Cells: len(m.cells), Excluded: map[string]int{}}
	for _, c := range m.cells {
		state := store.CellState{Cell: c, Attempts: len(m.made[c.ID])}
		if last := m.standing(c.ID); last == nil {
			info.Pending++
		} else {
			standing = append(standing, last.result)
			state.Assessed, state.Cause = last.result.Assessed, last.result.Cause
			if state.Assessed {
				info.Done++
			} else {
				info.Excluded[state.Cause]++
			}
		}
		states = append(states, state)
	}
	return info, states, standing
}

func (j *journal) checkHistory(id string, m *memory) {
	for _, c := range m.cells {
		var history []store.Result
		var scores []store.Score
		for _, a := range m.made[c.ID] {
			history = append(history, bare(a.result)...)
			scores = append(scores, a.scores...)
		}
		got, err := j.s.Attempts(j.s.ctx, id, c.ID)
		j.want(err, nil)
		j.same("attempts", got, history)
		gotScores, err := j.s.Scores(j.s.ctx, id, c.ID)
		j.want(err, nil)
		j.same("scores", gotScores, scores)
	}
}
