package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// Claim implements [Store] by a lock of the operating system on the file
// FILE.lock-RUN beside the database, which ends with the process at the latest. It
// stays with this process: commands that it starts do not hold it.
func (s *SQLite) Claim(ctx context.Context, run string) (release func() error, err error) {
	doing := fmt.Sprintf("claim run %.200q", run)
	if s.readonly {
		return nil, fmt.Errorf("%s: %w", doing, ErrReadOnly)
	}
	if _, err := s.run(ctx, run); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, explain(err))
	}
	file, err := lock(s.path + ".lock-" + run)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return sync.OnceValue(func() error { return unlock(file) }), nil
}

// lock creates the file at path, if need be, and locks it. Whoever unlocks removes
// the file, so a file that was opened before and locked after that is not the one
// at path any more, and does not count.
func lock(path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, fmt.Errorf("create the lock file (check that you may write in its folder): %w", err)
		}
		held, err := tryLock(file)
		if err == nil && !held {
			err = fmt.Errorf("%w: its lock file is %q", ErrClaimed, path)
		}
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		locked, err := file.Stat()
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		if current, err := os.Stat(path); err == nil && os.SameFile(locked, current) {
			return file, nil
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
	}
}

// unlock removes the lock file while it is still locked, and then unlocks it.
func unlock(file *os.File) error {
	if err := errors.Join(os.Remove(file.Name()), file.Close()); err != nil {
		return fmt.Errorf("release claim: %w", err)
	}
	return nil
}
