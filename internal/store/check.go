package store

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Every implementation calls these before it writes, so that what can be stored
// does not depend on the database. The limits are those that all databases keep:
// PostgreSQL, for one, has no NUL in text and stores times to the microsecond.

func checkRun(run Run, cells []Cell) error {
	if err := checkRunID(run.ID); err != nil {
		return err
	}
	for _, text := range []struct{ name, value string }{
		{"name", run.Name}, {"suite", run.Suite}, {"version", run.Version},
	} {
		if err := checkText(text.name, text.value); err != nil {
			return err
		}
	}
	if err := checkTime("time of creation", run.Created); err != nil {
		return err
	}
	if err := checkDocument("plan", run.Plan); err != nil {
		return err
	}
	ids := make(map[string]bool, len(cells))
	places := make(map[int]bool, len(cells))
	for _, cell := range cells {
		if !printable(cell.ID) || len(cell.ID) > 200 {
			return fmt.Errorf("%w: the cell id %.300q is not 1 to 200 printable ASCII characters", ErrInvalid, cell.ID)
		}
		if ids[cell.ID] {
			return fmt.Errorf("%w: two cells have the id %q", ErrInvalid, cell.ID)
		}
		if cell.Index < 0 || places[cell.Index] {
			return fmt.Errorf("%w: cell %q has the index %d, which is negative or repeated", ErrInvalid, cell.ID, cell.Index)
		}
		if err := checkDocument("label", cell.Label); err != nil {
			return fmt.Errorf("cell %q: %w", cell.ID, err)
		}
		ids[cell.ID], places[cell.Index] = true, true
	}
	return nil
}

func checkResult(r Result) error {
	if err := checkTime("start", r.Started); err != nil {
		return err
	}
	if err := checkDocument("trace", r.Trace); err != nil {
		return err
	}
	return checkScore(Score{r.Attempt, r.Scorer, r.Assessed, r.Cause, r.Outcome, r.Ended})
}

func checkScore(s Score) error {
	if s.Assessed != (s.Cause == "") {
		return fmt.Errorf("%w: assessed is %t and the cause is %.100q; a result has a cause exactly if it is not assessed", ErrInvalid, s.Assessed, s.Cause)
	}
	if err := checkText("cause", s.Cause); err != nil {
		return err
	}
	if err := checkText("version of the scorer", s.Scorer); err != nil {
		return err
	}
	if err := checkTime("time of the score", s.At); err != nil {
		return err
	}
	return checkDocument("outcome", s.Outcome)
}

// checkRunID holds the ids of runs to what can be part of a file name, too.
func checkRunID(id string) error {
	if id == "" || len(id) > 100 || id == Latest || strings.HasPrefix(id, ".") || strings.HasPrefix(id, "-") || strings.ContainsFunc(id, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '-' && r != '_' && r != '.'
	}) {
		return fmt.Errorf("%w: the run id %.200q is %q or not made of 1 to 100 ASCII letters, digits, '-', '_' and '.'", ErrInvalid, id, Latest)
	}
	return nil
}

// printable reports whether s is not empty and all visible ASCII, so that ids
// have one order in every database.
func printable(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

func checkText(name, text string) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return fmt.Errorf("%w: the %s %.100q is not valid UTF-8 or has a NUL", ErrInvalid, name, text)
	}
	return nil
}

func checkTime(name string, t time.Time) error {
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return fmt.Errorf("%w: the %s is in the year %d", ErrInvalid, name, year)
	}
	return nil
}

func checkDocument(name string, document []byte) error {
	if len(document) > MaxDocument {
		return fmt.Errorf("%w: the %s has %d bytes, more than %d", ErrInvalid, name, len(document), MaxDocument)
	}
	return nil
}
