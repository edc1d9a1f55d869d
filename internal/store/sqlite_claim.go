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
	return s.claims.add(file), nil
}

// claims are the lock files that are held. A file that nothing refers to is closed
// sooner or later, and with it would go the claim of a caller that does not mean to
// release it.
type claims struct {
	mu    sync.Mutex
	files map[*os.File]bool
}

// add keeps a locked file, and returns what unlocks it.
func (c *claims) add(file *os.File) (release func() error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[*os.File]bool{}
	}
	c.files[file] = true
	return func() error { return c.release(file) }
}

// release unlocks a file, unless that was done before.
func (c *claims) release(file *os.File) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.files[file] {
		return nil
	}
	delete(c.files, file)
	return unlock(file)
}

// releaseAll unlocks all files that are still held.
func (c *claims) releaseAll() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for file := range c.files {
		delete(c.files, file)
		errs = append(errs, unlock(file))
	}
	return errors.Join(errs...)
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
