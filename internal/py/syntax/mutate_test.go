package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// lexemes splits a text at its tokens; joined, the parts give the text again.
// Text that cannot be lexed stays one part.
func lexemes(text string) []string {
	l := newLexer("w.py", text)
	var err error
	var parts []string
	last := 0
	func() {
		defer recoverError(&err)
		for t := l.scan(); t.kind != tEOF; t = l.scan() {
			if t.end > last {
				parts = append(parts, text[last:t.end])
				last = t.end
			}
		}
	}()
	return append(parts, text[last:])
}

// mutate deletes, doubles, swaps or replaces a token of the program.
func mutate(r *rand.Rand, parts []string) string {
	parts = append([]string(nil), parts...)
	i, j := r.IntN(len(parts)), r.IntN(len(parts))
	switch r.IntN(5) {
	case 0:
		parts[i] = ""
	case 1:
		parts[i] += parts[i]
	case 2:
		parts[i], parts[j] = parts[j], parts[i]
	case 3:
		parts[i] = parts[j]
	case 4:
		words := strings.Fields(`( ) [ ] { } : , ; . = := == * ** / @ -> + - ~ not in is if else for lambda yield
			def class return import from as with try except finally global nonlocal del x 1 "s" f"{x}" b"" None ... \ #`)
		parts[i] = " " + words[r.IntN(len(words))] + " "
	}
	return strings.Join(parts, "")
}

func TestMutatedProgramsMatchCPython(t *testing.T) {
	c := newComparer(t)
	r := rand.New(rand.NewPCG(1, 2))
	programs := snippets(t, "valid.txt")
	for seed := range uint64(100) {
		programs = append(programs, newGenerator(1e6+seed).program())
	}
	for _, src := range programs {
		parts := lexemes(src + "\n")
		for range 6 {
			c.compare("mutant", mutate(r, parts))
		}
	}
	t.Logf("%d mutants, %d rejected by both, %d refused", c.total, c.rejected, c.refused)
	if c.rejected < 1000 || c.total-c.rejected < 1000 {
		t.Errorf("%d of %d mutants rejected, want a mixture", c.rejected, c.total)
	}
}
