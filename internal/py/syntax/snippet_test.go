package syntax

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// snippets reads programs separated by lines of "%%%".
func snippets(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(string(data), "%%%\n")
	for i, s := range list {
		list[i] = strings.TrimSuffix(s, "\n")
	}
	return list
}

func TestValidSnippets(t *testing.T) {
	for _, src := range snippets(t, "valid.txt") {
		if _, err := ParseString("w.py", src); err != nil {
			t.Errorf("%v\n%s", err, src)
		}
	}
}

func TestInvalidSnippets(t *testing.T) {
	for _, src := range snippets(t, "invalid.txt") {
		_, err := ParseString("w.py", src)
		var e *Error
		if !errors.As(err, &e) || e.Refused || e.Pos.Line < 1 || e.Pos.Col < 1 {
			t.Errorf("got %v, want a syntax error with a position\n%s", err, src)
		}
	}
}

func TestSnippetsMatchCPython(t *testing.T) {
	valid, invalid := snippets(t, "valid.txt"), snippets(t, "invalid.txt")
	c := newComparer(t)
	for _, src := range append(valid, invalid...) {
		c.compare("snippet", src)
	}
	// CPython agrees with the sorting of the files if it rejects as many as are invalid.
	if c.rejected != len(invalid) {
		t.Errorf("%d snippets rejected, want %d", c.rejected, len(invalid))
	}
}
