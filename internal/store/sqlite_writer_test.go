package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func newStore(t *testing.T, cells int) *SQLite {
	t.Helper()
	s, err := OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	all := make([]Cell, cells)
	for i := range all {
		all[i] = Cell{ID: fmt.Sprint(i), Index: i}
	}
	if err := s.CreateRun(t.Context(), Run{ID: "r"}, all); err != nil {
		t.Fatal(err)
	}
	return s
}

// setLimit sets how many pages the file may have: for SQLite the size of the disk.
func setLimit(t *testing.T, s *SQLite, pages int) {
	t.Helper()
	if _, err := s.writer.db.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
}

// TestDiskFull fills the disk while many write. Those that fit in are kept, those
// that do not get the error, and once there is room all is well again.
func TestDiskFull(t *testing.T) {
	const n = 300
	s := newStore(t, n)
	setLimit(t, s, 150)
	errs := finishAll(t, s, n)
	full := 0
	for _, err := range errs {
		if err == nil {
			continue
		}
		full++
		if !strings.Contains(err.Error(), "disk is full") {
			t.Fatalf("the error is %v", err)
		}
	}
	if full == 0 || full == n {
		t.Fatalf("%d of %d writes found the disk full, which tests nothing", full, n)
	}
	checkFinished(t, s, errs)

	setLimit(t, s, 1<<30)
	for i, err := range finishAll(t, s, n) {
		if wasDone := errs[i] == nil; wasDone != errors.Is(err, ErrFinished) || !wasDone && err != nil {
			t.Errorf("cell %d, once more: %v, at first %v", i, err, errs[i])
		}
		errs[i] = nil
	}
	checkFinished(t, s, errs)
}

// finishAll finishes the cells of a run by many goroutines.
func finishAll(t *testing.T, s *SQLite, n int) []error {
	t.Helper()
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			errs[i] = s.Finish(t.Context(), "r", Result{Cell: fmt.Sprint(i), Attempt: 1, Assessed: true, Outcome: make([]byte, 3000)})
		})
	}
	wait.Wait()
	return errs
}

// checkFinished wants those cells to be finished that had no error.
func checkFinished(t *testing.T, s *SQLite, errs []error) {
	t.Helper()
	states, err := s.Cells(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	for i, state := range states {
		if state.Assessed != (errs[i] == nil) {
			t.Errorf("cell %d: finishing it returned %v, and it is %+v", i, errs[i], state)
		}
	}
}

// TestGroup makes a group of writes of every kind, and looks at what becomes of
// each.
func TestGroup(t *testing.T) {
	s := newStore(t, 10)
	broken := errors.New("broken")
	finish := func(cell string) func(context.Context, *sql.Conn) error {
		return func(ctx context.Context, conn *sql.Conn) error {
			_, err := conn.ExecContext(ctx, "UPDATE cell SET attempts = attempts + 1 WHERE id = ?", cell)
			return err
		}
	}
	after := func(do func(context.Context, *sql.Conn) error, answer error) func(context.Context, *sql.Conn) error {
		return func(ctx context.Context, conn *sql.Conn) error { return errors.Join(do(ctx, conn), answer) }
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	writes := []struct {
		ctx  context.Context
		do   func(context.Context, *sql.Conn) error
		want error
	}{
		{t.Context(), finish("0"), nil},
		{t.Context(), after(finish("1"), ErrStale), ErrStale},
		{t.Context(), finish("2"), nil},
		{gone, finish("3"), context.Canceled},
		{t.Context(), finish("4"), nil},
		{t.Context(), after(finish("5"), broken), broken}, // rolls the group back
		{t.Context(), finish("6"), nil},
		{t.Context(), after(finish("7"), ErrFinished), ErrFinished},
	}
	for _, count := range []int{5, len(writes)} { // without the broken one, and with it
		var group []*write
		for _, w := range writes[:count] {
			group = append(group, &write{ctx: w.ctx, do: w.do, done: make(chan struct{})})
		}
		s.writer.queue = group
		if err := s.writer.lead(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, op := range group {
			<-op.done
			if !errors.Is(op.err, writes[i].want) || writes[i].want == nil && op.err != nil {
				t.Errorf("write %d: %v, want %v", i, op.err, writes[i].want)
			}
		}
	}
	states, err := s.Cells(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, state := range states {
		got = append(got, state.Attempts)
	}
	if want := "[2 0 2 0 2 0 1 0 0 0]"; fmt.Sprint(got) != want {
		t.Errorf("writes to each cell: %v, want %s", got, want)
	}
}

// TestLocked has somebody else keep the database locked: who waits can give up,
// and the others go on as soon as it is free.
func TestLocked(t *testing.T) {
	s := newStore(t, 4)
	other, err := connect(s.path, "mode=rw")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	results := make(chan error, 4)
	contexts := make([]context.CancelFunc, 4)
	for i := range 4 {
		var ctx context.Context
		ctx, contexts[i] = context.WithCancel(t.Context())
		go func() {
			results <- s.Finish(ctx, "r", Result{Cell: fmt.Sprint(i), Attempt: 1, Assessed: true})
		}()
	}
	for i := range 3 {
		contexts[i]()
		select {
		case err := <-results:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("a cancelled write returned %v", err)
			}
		case <-time.After(30 * time.Second):
			t.Fatal("a cancelled write goes on waiting")
		}
	}
	if _, err := s.Cells(t.Context(), "r"); err != nil {
		t.Errorf("a reader waits for a writer: %v", err)
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := <-results; err != nil {
		t.Error(err)
	}
	contexts[3]()
	states, err := s.Cells(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	for i, state := range states {
		if state.Assessed != (i == 3) {
			t.Errorf("cell %d is %+v", i, state)
		}
	}
}

func TestMigrate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := newStoreAt(t, path, migrations)
	if err := errors.Join(s.CreateRun(t.Context(), Run{ID: "old"}, nil), s.Close()); err != nil {
		t.Fatal(err)
	}
	// A step that fails leaves everything as it was.
	failing := append(append([]string{}, migrations...), "CREATE TABLE half (x); CREATE TABLE run (x)")
	if _, err := open(t.Context(), path, failing); err == nil || !strings.Contains(err.Error(), "migrate to schema 2") {
		t.Errorf("a failing migration: %v", err)
	}
	next := append(append([]string{}, migrations...), "CREATE TABLE half (x)")
	for range 2 {
		s = newStoreAt(t, path, next)
		if _, err := s.Run(t.Context(), "old"); err != nil {
			t.Error(err)
		}
		var version int
		if err := s.readers.QueryRow("SELECT user_version FROM pragma_user_version").Scan(&version); err != nil || version != 2 {
			t.Errorf("the schema is %d, %v", version, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := openReadOnly(t.Context(), path, 3, nil); err == nil || !strings.Contains(err.Error(), "older version") {
		t.Errorf("an older file that cannot be brought up to date: %v", err)
	}
	if _, err := OpenSQLite(t.Context(), path); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("a newer file: %v", err)
	}
}

func newStoreAt(t *testing.T, path string, steps []string) *SQLite {
	t.Helper()
	s, err := open(t.Context(), path, steps)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDurable reads back the settings that the promises rest on.
func TestDurable(t *testing.T) {
	s := newStore(t, 0)
	for setting, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1"} {
		var got string
		if err := s.writer.db.QueryRow("PRAGMA " + setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", setting, got, err, want)
		}
	}
	if _, err := s.readers.Exec("DELETE FROM cell"); err == nil {
		t.Error("a reading connection writes")
	}
}
