package store

import (
	"errors"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// TestLock takes and gives back one lock as often as it can, so that a file is
// opened by one goroutine while another is about to remove it.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var holders, taken atomic.Int32
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			for range 2000 {
				file, err := lock(path)
				if errors.Is(err, ErrClaimed) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken.Add(1)
				if holders.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				runtime.Gosched()
				holders.Add(-1)
				if err := unlock(file); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	if taken.Load() == 0 {
		t.Error("nobody could take the lock")
	}
}
