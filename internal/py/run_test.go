package py

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// Run runs a program without a library and returns what it printed.
func Run(src string) (stdout string, err error) {
	p, err := CompileSource("<string>", src, nil)
	if err != nil {
		return "", err
	}
	t := NewThread(1, nil, Limits{})
	_, err = t.Exec(p, "__main__")
	return t.Output(), err
}

// runOutcome is the output followed by the last line of an uncaught exception.
func runOutcome(src string) string {
	out, err := Run(src)
	var r *Raised
	if errors.As(err, &r) {
		return out + r.Error() + "\n"
	}
	if err != nil {
		return out + "GO ERROR " + err.Error() + "\n"
	}
	return out
}

// cpython runs a program with python3 and returns the same kind of text.
func cpython(t *testing.T, src string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: the comparison with CPython is skipped")
	}
	var out, stderr strings.Builder
	cmd := exec.Command(python, "-I", "-c", src)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return out.String() + lines[len(lines)-1] + "\n"
	}
	return out.String()
}

// same compares a program with CPython.
func same(t *testing.T, src string) {
	t.Helper()
	want := cpython(t, src)
	if got := runOutcome(src); got != want {
		t.Errorf("program:\n%s\ngot:\n%s\nwant:\n%s", src, got, want)
	}
}
