//go:build unix && !aix && !solaris

package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// tryLock locks an open file and reports whether it could. The lock belongs to
// this opening of the file, so that it also keeps out the same process, and ends
// when the file is closed.
func tryLock(file *os.File) (bool, error) {
	for {
		switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, fmt.Errorf("lock %q: %w", file.Name(), err)
		}
	}
}
