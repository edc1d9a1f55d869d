//go:build !unix || aix || solaris

package store

import (
	"errors"
	"fmt"
	"os"
)

// tryLock fails: a claim that does not end with its process, or that does not keep
// others out, would be worse than none.
func tryLock(file *os.File) (bool, error) {
	return false, fmt.Errorf("lock %q: this system has no flock: %w", file.Name(), errors.ErrUnsupported)
}
