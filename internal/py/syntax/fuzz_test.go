package syntax

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// FuzzParse wants no panic, an *Error or a tree that can be walked and dumped,
// and a position inside the text.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"valid.txt", "invalid.txt"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		for _, src := range strings.Split(string(data), "%%%\n") {
			f.Add([]byte(src))
		}
	}
	for seed := range uint64(20) {
		f.Add([]byte(newGenerator(seed).program()))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Parse("w.py", src)
		lines := int32(strings.Count(string(src), "\n") + strings.Count(string(src), "\r") + 2)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got a %T: %v", err, err)
			}
			if e.Pos.Line < 1 || e.Pos.Line > lines || e.Pos.Col < 1 || int(e.Pos.Col) > len(src)+2 {
				t.Fatalf("position of %v is outside of the text", e)
			}
			return
		}
		Walk(m, func(n Node) bool {
			if p := n.At(); p.Line < 1 || p.Line > lines || p.Col < 1 || int(p.Col) > len(src)+2 {
				t.Fatalf("position %v of %T is outside of the text", p, n)
			}
			return true
		})
		if dump := Dump(m); !strings.HasPrefix(dump, "Module(body=[") {
			t.Fatal(dump)
		}
	})
}
