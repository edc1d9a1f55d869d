package storetest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"time"

	"gauntlet/internal/store"
)

func oddBytes(s *suite) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	noise := make([]byte, 100_000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	documents := [][]byte{
		nil, {}, {0}, {0, 0, 0}, every, []byte("\xff\xfe"), []byte("'; DROP TABLE run; --"), []byte("\xed\xa0\x80"),
		[]byte("null"), []byte("\x1f\x8b\x08\x00"), []byte("12"), noise, bytes.Repeat([]byte("a"), 100_000), []byte("x\x00"),
	}
	var cells []store.Cell
	for i, cell := range newCells(len(documents)) {
		cell.Label = documents[i]
		cells = append(cells, cell)
	}
	for i, document := range documents {
		run := newRun("r"+string(rune('a'+i)), 0)
		run.Plan, run.Name, run.Suite, run.Version = document, "'\"\\\n\x1b[31m", "\u202e\ufffe", "\U0010ffff"
		s.create(run, cells)
		info, states := s.state(run.ID)
		s.same("run", info.Run, run)
		for j, state := range states {
			s.same("label", state.Label, documents[j])
		}
		var want []store.Result
		for j, cell := range cells {
			r := newResult(cell.ID, 1, "'\n\u2028")
			r.Outcome, r.Trace, r.Scorer = document, documents[j], "\r\t"
			s.ok(s.Finish(s.ctx, run.ID, r))
			want = append(want, r)
		}
		s.same("results", s.results(run.ID, true), want)
		score := newScore(1, 2, "\u0001")
		score.Outcome = document
		s.ok(s.Rescore(s.ctx, run.ID, cells[0].ID, score))
		scores, err := s.Scores(s.ctx, run.ID, cells[0].ID)
		s.ok(err)
		s.same("scores", scores, []store.Score{firstScore(want[0]), score})
	}
	// Empty documents come back as nil, so that no caller learns to tell them apart.
	for _, r := range s.results("rb", true)[:2] {
		if r.Trace != nil || r.Outcome != nil {
			s.Error("an empty document came back as something")
		}
	}
}

func times(s *suite) {
	zone := time.FixedZone("somewhere", 5*3600+1800)
	for i, at := range []time.Time{
		{}, epoch, time.Unix(0, 0), time.Unix(-1, 1), time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC), time.Date(1969, 12, 31, 23, 59, 59, 999999, time.UTC), epoch.In(zone).Add(789),
	} {
		run := newRun("r"+string(rune('a'+i)), 0)
		run.Created = at
		s.create(run, newCells(1))
		r := newResult("c0000", 1, "")
		r.Started, r.Ended = at, at
		s.ok(s.Finish(s.ctx, run.ID, r))
		info, err := s.Run(s.ctx, run.ID)
		s.ok(err)
		got, err := s.Result(s.ctx, run.ID, "c0000", false)
		s.ok(err)
		// Truncate counts from the zero time, which is a whole microsecond, too.
		want := at.UTC().Truncate(time.Microsecond)
		if at.Year() < 1 {
			want = at.UTC()
		}
		for _, back := range []time.Time{info.Created, got.Started, got.Ended} {
			if back != want {
				s.Errorf("%v came back as %v, want %v", at, back, want)
			}
		}
	}
}

func bigTrace(s *suite) {
	s.create(newRun("r", 0), newCells(2))
	random := rand.New(rand.NewPCG(3, 4))
	for i, mask := range []uint64{1<<64 - 1, 0x0101010101010101} { // noise, and what compresses
		size := Effort(50 << 20)
		trace := make([]byte, 0, size+8)
		for len(trace) < size {
			trace = binary.LittleEndian.AppendUint64(trace, random.Uint64()&mask)
		}
		r := newResult(newCells(2)[i].ID, 1, "")
		r.Trace = trace
		s.ok(s.Finish(s.ctx, "r", r))
		got, err := s.Result(s.ctx, "r", r.Cell, true)
		s.ok(err)
		if !bytes.Equal(got.Trace, trace) {
			s.Fatal("a large trace came back as another one")
		}
	}
}

func manyCells(s *suite) {
	const n = 9000
	cells := newCells(n)
	s.create(newRun("r", 0), cells)
	var want []store.Result
	for i := 0; i < n; i += 7 {
		r := newResult(cells[i].ID, 1, []string{"", "timeout", "provider"}[i%3])
		s.ok(s.Finish(s.ctx, "r", r))
		want = append(want, r)
	}
	s.same("results", s.results("r", true), want)
	info, states := s.state("r")
	s.same("cells", len(states), n)
	s.same("pending", info.Pending, n-len(want))
}
