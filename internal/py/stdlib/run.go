package stdlib

import (
	"gauntlet/internal/py"
)

// RunSource runs a program with the whole library and default limits, as the
// tests do: it returns what the program printed and the error that ended it.
// The virtual clock stands at the Unix epoch.
func RunSource(src string) (stdout string, err error) {
	p, err := py.CompileSource("<string>", src, Library)
	if err != nil {
		return "", err
	}
	t := py.NewThread(1, Library, py.Limits{})
	_, err = t.Exec(p, "__main__")
	return t.Output(), err
}
