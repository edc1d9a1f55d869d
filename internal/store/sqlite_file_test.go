//go:build unix

package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"gauntlet/internal/store"
)

// fill opens a new database at path with one run and two results, and closes it.
func fill(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	err := s.CreateRun(t.Context(), store.Run{ID: "r", Name: "kept"}, []store.Cell{{ID: "a"}, {ID: "b", Index: 1}, {ID: "c", Index: 2}})
	for _, cell := range []string{"a", "b"} {
		err = errors.Join(err, s.Finish(t.Context(), "r", store.Result{Cell: cell, Attempt: 1, Assessed: true, Trace: prose(50_000)}))
	}
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// refuses wants OpenSQLite to fail with a message that says so, and the file to be
// as before.
func refuses(t *testing.T, path, says string) {
	t.Helper()
	before, _ := os.ReadFile(path)
	s, err := store.OpenSQLite(t.Context(), path)
	if err == nil {
		t.Fatalf("%s was opened: %v", path, s.Close())
	}
	if !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), filepath.Base(path)) {
		t.Errorf("the error is %q, want it to name the file and to say %q", err, says)
	}
	after, _ := os.ReadFile(path)
	if !bytes.Equal(before, after) {
		t.Errorf("%s was changed", path)
	}
	if rest, _ := filepath.Glob(path + "-*"); len(rest) > 0 {
		t.Errorf("left behind: %v", rest)
	}
}

// execute runs statements on a file with SQLite alone.
func execute(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestRefuse(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, content string) string {
		if err := os.WriteFile(at(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	refuses(t, write("text.db", strings.Repeat("not a database at all\n", 100)), "not a database")
	refuses(t, write("short.db", "xy"), "not a database")
	refuses(t, at("none/x.db"), "does not exist; make it first")
	refuses(t, dir, "not a file")

	execute(t, at("foreign.db"), "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
	refuses(t, at("foreign.db"), "another program")
	execute(t, at("marked.db"), "PRAGMA application_id = 7; CREATE TABLE t (x)")
	refuses(t, at("marked.db"), "another program")
	execute(t, at("wal.db"), "PRAGMA journal_mode = WAL; CREATE TABLE run (x)")
	refuses(t, at("wal.db"), "another program")
	fill(t, at("newer.db"))
	execute(t, at("newer.db"), "PRAGMA user_version = 99")
	refuses(t, at("newer.db"), "newer version of the program (schema 99, this version knows up to 1)")
	fill(t, at("unversioned.db"))
	execute(t, at("unversioned.db"), "PRAGMA user_version = 0")
	refuses(t, at("unversioned.db"), "another program")

	if _, err := store.OpenSQLite(t.Context(), ""); err == nil {
		t.Error("an empty path was opened")
	}
	// An empty file is a database without anything in it.
	fill(t, write("empty.db", ""))
}

func TestCorrupt(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "test.db")
	fill(t, path)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Whatever page is overwritten or cut off: no panic, no hang, and an error or
	// the right answer.
	failures := 0
	const page = 4096
	for offset := 0; offset < len(whole); offset += page {
		for _, cut := range []bool{false, true} {
			damaged := bytes.Clone(whole[:offset])
			if !cut {
				damaged = append(append(damaged, bytes.Repeat([]byte{0xa5}, page)...), whole[min(len(whole), offset+page):]...)
			}
			if err := os.WriteFile(path, damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := readAll(t, path); err != nil {
				failures++
				if errors.Is(err, store.ErrNotFound) && offset > 0 {
					t.Errorf("page %d: damage looks like an absence: %v", offset/page, err)
				}
			}
			if rest, _ := filepath.Glob(path + "-*"); len(rest) > 0 {
				for _, name := range rest {
					os.Remove(name)
				}
			}
		}
	}
	if failures < len(whole)/page {
		t.Errorf("only %d of %d damages were noticed", failures, 2*len(whole)/page)
	}
}

// readAll reads a database that fill has made and returns the first error.
func readAll(t *testing.T, path string) error {
	s, err := store.OpenSQLite(t.Context(), path)
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Cells(t.Context(), "r"); err != nil {
		return err
	}
	for r, err := range s.Results(t.Context(), "r", true) {
		if err != nil {
			return err
		}
		if !bytes.Equal(r.Trace, prose(50_000)) {
			t.Errorf("a damaged trace was returned as a trace")
		}
	}
	return nil
}

// TestPaths opens files whose names mean something to a URI or to a shell, by
// different ways to say their name.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "a?mode=memory", "a#b", "a%20b", "ä\n.db", ":memory:", "file:x", "a&b=c;d'", "-x", "~"} {
		fill(t, filepath.Join(dir, name))
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("the database is elsewhere: %v", err)
		}
	}
	t.Chdir(dir)
	fill(t, "relative.db")
	if err := os.Symlink("relative.db", "link.db"); err != nil {
		t.Fatal(err)
	}
	// Claims by both names are claims of one run.
	first, second := open(t, filepath.Join(dir, "relative.db")), open(t, "link.db")
	defer first.Close()
	defer second.Close()
	if _, err := first.Claim(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Claim(t.Context(), "r"); !errors.Is(err, store.ErrClaimed) || !strings.Contains(err.Error(), "relative.db.lock-r") {
		t.Errorf("a run was claimed by another name of the file: %v", err)
	}
}

// TestReadOnly opens files and folders that cannot be written. Root can write
// everywhere, so as root the test runs again as nobody.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		asNobody(t)
		return
	}
	for _, mode := range []struct {
		name         string
		file, folder os.FileMode
	}{{"file", 0o444, 0o755}, {"folder", 0o644, 0o555}, {"both", 0o444, 0o555}} {
		t.Run(mode.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "test.db")
			fill(t, path)
			if err := errors.Join(os.Chmod(path, mode.file), os.Chmod(dir, mode.folder)); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(dir, 0o755)
			if err := readAll(t, path); err != nil {
				t.Fatal(err)
			}
			s := open(t, path)
			defer s.Close()
			if !s.ReadOnly() {
				t.Fatal("the store says that it can be written")
			}
			_, claimed := s.Claim(t.Context(), "r")
			for what, err := range map[string]error{
				"create":  s.CreateRun(t.Context(), store.Run{ID: "x"}, nil),
				"finish":  s.Finish(t.Context(), "r", store.Result{Cell: "c", Attempt: 1, Assessed: true, Trace: []byte("x")}),
				"rescore": s.Rescore(t.Context(), "r", "a", store.Score{Attempt: 1, Assessed: true}),
				"claim":   claimed,
			} {
				if !errors.Is(err, store.ErrReadOnly) {
					t.Errorf("%s: %v", what, err)
				}
			}
			_, err := store.OpenSQLite(t.Context(), filepath.Join(dir, "new.db"))
			if mode.folder == 0o555 && (err == nil || !strings.Contains(err.Error(), "may write in its folder")) {
				t.Errorf("a new file: %v", err)
			}
		})
	}
	t.Run("lost journal", func(t *testing.T) {
		// What is in the journal counts; it is not passed over because the file
		// cannot be written.
		dir := t.TempDir()
		path := filepath.Join(dir, "test.db")
		s := open(t, path)
		defer s.Close()
		if err := s.CreateRun(t.Context(), store.Run{ID: "r"}, nil); err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(t.TempDir(), "copy.db")
		for _, end := range []string{"", "-wal"} {
			data, err := os.ReadFile(path + end)
			if err == nil {
				err = os.WriteFile(copied+end, data, 0o444)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(filepath.Dir(copied), 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(filepath.Dir(copied), 0o755)
		other, err := store.OpenSQLite(t.Context(), copied)
		if err != nil {
			return
		}
		defer other.Close()
		if _, err := other.Run(t.Context(), "r"); err != nil {
			t.Errorf("the journal was passed over: %v", err)
		}
	})
}

// asNobody runs the test that calls it in a process without rights.
func asNobody(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("root can write everywhere")
	}
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(executable)
	if err != nil {
		t.Fatal(err)
	}
	// The folders that go test makes are closed to others.
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	copied := filepath.Join(dir, "store.test")
	if err := errors.Join(os.WriteFile(copied, program, 0o755), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), copied, "-test.run=^"+t.Name()+"$", "-test.v")
	child.Dir, child.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("cannot become nobody")
	}
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
}
