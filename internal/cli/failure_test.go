package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"gauntlet/internal/store"
)

func TestExitCodes(t *testing.T) {
	wrap := func(err error) error { return fmt.Errorf("run: %w", err) }
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"nothing", nil, exitOK},
		{"a problem", wrap(&problem{"no"}), exitProblem},
		{"another process is at it", wrap(store.ErrClaimed), exitProblem},
		{"stopped", wrap(context.Canceled), exitProblem},
		{"a full disk", wrap(&fs.PathError{Op: "write", Path: "/dev/full", Err: syscall.ENOSPC}), exitProblem},
		{"no such file", wrap(&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}), exitUsage},
		{"no such run", wrap(store.ErrNotFound), exitUsage},
		{"anything else", errors.New("unknown flag: --x"), exitUsage},
	}
	for _, tt := range tests {
		if got := exitCode(tt.err); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// A case id of 10 MB came back in an error of 10 MB.
func TestMessageIsShort(t *testing.T) {
	long := message(fmt.Errorf("no case %q", strings.Repeat("日", 10<<20)+"END"))
	if n := utf8.RuneCountInString(long); n > maxMessage+100 || !strings.HasPrefix(long, `no case "日`) || !strings.HasSuffix(long, `日END"`) || !strings.Contains(long, " characters left out ...]") {
		t.Errorf("%d characters: %.100s", n, long)
	}
	if got := message(errors.New("short")); got != "short" {
		t.Errorf("got %q", got)
	}
}

func TestMessageSaysWhatToDo(t *testing.T) {
	for err, want := range map[error]string{
		store.ErrClaimed:  "wait for the process that plays it, or stop it",
		store.ErrReadOnly: "name another with --db",
		context.Canceled:  "stopped: ",
	} {
		if got := message(fmt.Errorf("run x: %w", err)); !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}

func TestCommandLineCanBeCopied(t *testing.T) {
	tests := []struct {
		db    string
		words []string
		want  string
	}{
		{defaultDB, []string{"resume", "20261130-141523-ab12"}, "gauntlet resume 20261130-141523-ab12"},
		{"night.db", []string{"report"}, "gauntlet report --db night.db"},
		{"it's mine.db", []string{"report"}, `gauntlet report --db 'it'\''s mine.db'`},
		{"$(rm x)", []string{"report"}, "gauntlet report --db '$(rm x)'"},
	}
	for _, tt := range tests {
		if got := commandLine(tt.db, tt.words...); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
