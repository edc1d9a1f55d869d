package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"unicode/utf8"

	"gauntlet/internal/store"
)

// Exit codes of the command.
const (
	exitOK      = 0
	exitProblem = 1 // what was asked for failed: a check, a comparison, a run
	exitUsage   = 2 // the command line or an input is wrong
)

// problem is an error that ends the command with exitProblem: the input was
// readable, and the answer is no.
type problem struct{ msg string }

func (p *problem) Error() string { return p.msg }

// exitCode is the code for an error. An input can be right and yet the answer not
// be had: since it was stopped, since another process is at it, or since it
// cannot be written down.
func exitCode(err error) int {
	var p *problem
	var file *fs.PathError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &p), errors.Is(err, context.Canceled), errors.Is(err, store.ErrClaimed), errors.As(err, &file) && file.Op == "write":
		return exitProblem
	}
	return exitUsage
}

// maxMessage is the most characters of an error that are printed. Errors quote
// input, which can be of any length.
const maxMessage = 4000

// message is an error as it is printed: with what can be done, and not too long.
func message(err error) string {
	s := err.Error()
	switch {
	case errors.Is(err, context.Canceled):
		s = "stopped: " + s
	case errors.Is(err, store.ErrClaimed):
		s += "; wait for the process that plays it, or stop it"
	case errors.Is(err, store.ErrReadOnly):
		s += ": the file or its folder cannot be written; copy it to where you may write, or name another with --db"
	}
	if utf8.RuneCountInString(s) > maxMessage {
		r := []rune(s)
		s = fmt.Sprintf("%s [... %s characters left out ...] %s", string(r[:maxMessage/2]), thousands(int64(len(r)-maxMessage)), string(r[len(r)-maxMessage/2:]))
	}
	return s
}

// usage matches complaints about the command line itself, cobra's and ours.
var usage = regexp.MustCompile(`^(unknown (flag|shorthand|command)|invalid argument|flag needs|accepts |requires |--limit and --workers |--json and --csv |--(out|suite) DIR is required)`)

// simple matches what a shell takes as it is written.
var simple = regexp.MustCompile(`^[\w./:=@%+,-]+$`)

// commandLine is a command of ours for the reader to copy.
func commandLine(db string, words ...string) string {
	words = append([]string{"gauntlet"}, words...)
	if db != defaultDB {
		words = append(words, "--db", db)
	}
	for i, w := range words {
		if !simple.MatchString(w) {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
