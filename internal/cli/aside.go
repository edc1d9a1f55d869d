package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// writeAside writes a new file and then gives it its name, so that a full disk or
// a kill leaves the old file or none, and never a part of one.
func writeAside(file string, write func(io.Writer) error) (size int64, err error) {
	if target, linkErr := filepath.EvalSymlinks(file); linkErr == nil {
		file = target
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	err = write(f)
	if err == nil {
		size, err = f.Seek(0, io.SeekCurrent)
	}
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return 0, err
	}
	return size, os.Rename(f.Name(), file)
}

// isFile reports whether a file can be replaced: it is an ordinary one, or there
// is none yet.
func isFile(file string) bool {
	i, err := os.Stat(file)
	return err != nil || i.Mode().IsRegular()
}
