package store_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gauntlet/internal/store"
	"gauntlet/internal/store/storetest"
)

// crashEnv names the database for a test binary that is started to be killed.
const crashEnv = "STORE_TEST_CRASH"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashEnv); path != "" {
		fmt.Fprintln(os.Stderr, "child:", crashChild(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const crashCells = 5000

// crashResult is what the child writes for a cell: more than a page of everything,
// so that there are halves to be found.
func crashResult(i, attempt int) store.Result {
	r := store.Result{Cell: fmt.Sprintf("cell-%06d", i), Attempt: attempt, Assessed: attempt == 2, Scorer: "s"}
	if !r.Assessed {
		r.Cause = "timeout"
	}
	random := rand.New(rand.NewPCG(uint64(i), uint64(attempt)))
	r.Outcome, r.Trace = make([]byte, 5000), make([]byte, 20_000)
	for j := range r.Outcome {
		r.Outcome[j] = byte(random.Uint32())
	}
	for j := range r.Trace {
		r.Trace[j] = byte(random.Uint32())
	}
	return r
}

// crashChild claims the run and finishes, by eight goroutines, what is not finished
// yet, two attempts at each cell. It prints a line after each return of Finish.
func crashChild(path string) error {
	ctx := context.Background()
	s, err := store.OpenSQLite(ctx, path)
	if err != nil {
		return err
	}
	if _, err := s.Claim(ctx, "r"); err != nil {
		return err
	}
	states, err := s.Cells(ctx, "r")
	if err != nil {
		return err
	}
	fmt.Println("claimed")
	var next atomic.Int64
	failed := make(chan error, 8)
	for range 8 {
		go func() {
			for i := int(next.Add(1)) - 1; i < len(states); i = int(next.Add(1)) - 1 {
				for attempt := states[i].Attempts + 1; attempt <= 2; attempt++ {
					if err := s.Finish(ctx, "r", crashResult(i, attempt)); err != nil {
						failed <- err
						return
					}
					fmt.Printf("%d %d\n", i, attempt) // one write each: lines stay whole
				}
			}
			failed <- errors.New("no cells left")
		}()
	}
	return <-failed
}

// TestCrash kills a process that writes, many times, and looks each time whether
// everything is there that it had been told was, and nothing by halves.
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := open(t, path)
	var cells []store.Cell
	for i := range crashCells {
		cells = append(cells, store.Cell{ID: crashResult(i, 1).Cell, Index: i})
	}
	if err := s.CreateRun(t.Context(), store.Run{ID: "r"}, cells); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	reported := map[int]int{} // cell to attempts
	for round := range storetest.Effort(20) {
		watch := round%2 == 0
		if watch {
			s = open(t, path) // a reader and its claims survive the crash of another
		}
		killed(t, path, 1+random.IntN(60), reported, func() {
			if !watch {
				return
			}
			if _, err := s.Claim(t.Context(), "r"); !errors.Is(err, store.ErrClaimed) {
				t.Errorf("while another process works: %v", err)
			}
		})
		if !watch {
			s = open(t, path)
		}
		release, err := s.Claim(t.Context(), "r")
		if err != nil {
			t.Fatalf("claim after the kill: %v", err)
		}
		inspect(t, s, reported)
		if err := errors.Join(release(), s.Close()); err != nil {
			t.Fatal(err)
		}
		integrity(t, path)
	}
	leftovers, err := filepath.Glob(path + "?*")
	if err != nil || len(leftovers) > 0 {
		t.Errorf("left behind: %v, %v", leftovers, err)
	}
}

// killed starts a child, waits for some reports, kills it and takes note of all
// that it had reported. It calls working while the child works.
func killed(t *testing.T, path string, reports int, reported map[int]int, working func()) {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), executable, "-test.run=^$")
	child.Env = append(os.Environ(), crashEnv+"="+path)
	var complaints bytes.Buffer
	child.Stderr = &complaints
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	seen := 0
	for lines.Scan() {
		if lines.Text() == "claimed" {
			working()
			continue
		}
		var i, attempt int
		if _, err := fmt.Sscanf(lines.Text(), "%d %d", &i, &attempt); err != nil {
			t.Fatalf("the child says %q", lines.Text())
		}
		if reported[i] != attempt-1 && !(reported[i] == 0 && attempt == 2) {
			t.Errorf("attempt %d at cell %d was finished after attempt %d", attempt, i, reported[i])
		}
		reported[i] = attempt
		if seen++; seen == reports {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = child.Wait()
	if seen < reports || err == nil || complaints.Len() > 0 {
		t.Fatalf("the child ended by itself after %d reports: %v\n%s", seen, err, &complaints)
	}
}

// inspect compares the store with what was reported. A result that was written and
// not reported is right, too: the child died between the two.
func inspect(t *testing.T, s *store.SQLite, reported map[int]int) {
	t.Helper()
	states, err := s.Cells(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	standing := 0
	for i, state := range states {
		if state.Attempts < reported[i] || state.Assessed != (state.Attempts == 2) {
			t.Errorf("cell %d: %d attempts were reported, found %+v", i, reported[i], state)
		}
		reported[i] = state.Attempts
		if state.Attempts > 0 {
			standing++
		}
	}
	for r, err := range s.Results(t.Context(), "r", true) {
		if err != nil {
			t.Fatal(err)
		}
		standing--
		var i int
		if _, err := fmt.Sscanf(r.Cell, "cell-%d", &i); err != nil {
			t.Fatal(err)
		}
		want := crashResult(i, reported[i])
		if r.Attempt != want.Attempt || !bytes.Equal(r.Outcome, want.Outcome) || !bytes.Equal(r.Trace, want.Trace) {
			t.Errorf("cell %d: the standing result is not attempt %d", i, want.Attempt)
		}
	}
	if standing != 0 {
		t.Errorf("%d cells have attempts and no standing result", standing)
	}
}

// integrity looks at the file with SQLite alone.
func integrity(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	var broken, bare int
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity check: %s, %v", verdict, err)
	}
	if err := db.QueryRow("SELECT count(*) FROM pragma_foreign_key_check").Scan(&broken); err != nil || broken != 0 {
		t.Fatalf("%d broken references, %v", broken, err)
	}
	if err := db.QueryRow("SELECT (SELECT count(*) FROM result LEFT JOIN trace USING (result) WHERE trace.data IS NULL) + (SELECT count(*) FROM cell WHERE attempts != (SELECT count(*) FROM result WHERE result.cell = cell.cell))").Scan(&bare); err != nil || bare != 0 {
		t.Fatalf("%d halves of results, %v", bare, err)
	}
}

func TestTwoProcesses(t *testing.T) {
	// Two stores on one file stand for two processes: they share nothing but the
	// file, and SQLite's locks between them are those between processes.
	path := filepath.Join(t.TempDir(), "test.db")
	var wait sync.WaitGroup
	errs := make(chan error, 1000)
	for p := range 4 {
		wait.Go(func() {
			s, err := store.OpenSQLite(t.Context(), path) // all at once: one creates the schema
			if err != nil {
				errs <- fmt.Errorf("open: %w", err)
				return
			}
			run := fmt.Sprintf("run%d", p)
			var cells []store.Cell
			for i := range 200 {
				cells = append(cells, store.Cell{ID: fmt.Sprint(i), Index: i})
			}
			errs <- s.CreateRun(t.Context(), store.Run{ID: run}, cells)
			var inner sync.WaitGroup
			for w := range 16 {
				inner.Go(func() {
					for i := w; i < len(cells); i += 16 {
						errs <- s.Finish(t.Context(), run, store.Result{Cell: cells[i].ID, Attempt: 1, Assessed: true, Trace: []byte(strings.Repeat(run, 100))})
					}
				})
			}
			inner.Wait()
			infos, err := s.Runs(t.Context())
			if err == nil && len(infos) == 0 {
				err = errors.New("no runs")
			}
			errs <- errors.Join(err, s.Close())
		})
	}
	wait.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	s := open(t, path)
	defer s.Close()
	infos, err := s.Runs(t.Context())
	if err != nil || len(infos) != 4 {
		t.Fatalf("%d runs, %v", len(infos), err)
	}
	for _, info := range infos {
		if info.Done != 200 {
			t.Errorf("%s: %d of 200 cells", info.ID, info.Done)
		}
	}
}
