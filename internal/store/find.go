package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Latest is the name that Find knows the newest run by.
const Latest = "latest"

// Find returns the run that a person means by ref: a run's id, its beginning where
// only one run has it, or "" or [Latest] for the newest run. The error is
// ErrNotFound, or ErrAmbiguous with the runs that begin so.
func Find(ctx context.Context, s Store, ref string) (Info, error) {
	newest := ref == "" || ref == Latest
	if !newest {
		info, err := s.Run(ctx, ref)
		if !errors.Is(err, ErrNotFound) {
			return info, err
		}
	}
	runs, err := s.Runs(ctx)
	if err != nil {
		return Info{}, err
	}
	var found []Info
	var names []string
	for _, info := range runs {
		if newest || strings.HasPrefix(info.ID, ref) {
			found = append(found, info)
			names = append(names, info.ID)
		}
	}
	switch {
	case len(found) == 0 && newest:
		return Info{}, fmt.Errorf("find the latest run: %w: there are no runs yet", ErrNotFound)
	case len(found) == 0:
		return Info{}, fmt.Errorf("find run %.200q: %w", ref, ErrNotFound)
	case len(found) > 1 && !newest:
		return Info{}, fmt.Errorf("find run %.200q: %w", ref, ambiguous(names))
	}
	return found[0], nil
}

// ambiguous returns an ErrAmbiguous that lists the names that were possible, up to
// a number that can be read at a glance.
func ambiguous(names []string) error {
	const shown = 5
	more := ""
	if len(names) > shown {
		names, more = names[:shown], ", ..."
	}
	return fmt.Errorf("%w: it can be %s%s", ErrAmbiguous, strings.Join(names, ", "), more)
}
