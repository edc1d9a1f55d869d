package trace

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// runPython feeds input to a Python program and returns the lines it prints.
func runPython(t *testing.T, program, input string) []string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	cmd := exec.Command(path, "-c", program)
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, stderr.Bytes())
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// TestFloatAsPython compares the spelling of floats with Python's repr.
func TestFloatAsPython(t *testing.T) {
	floats := []float64{0, 1, 0.1, 1e15, 1e16, 9999999999999998, 123456789012345680, 1e-4, 9.999e-5, 5e-324, math.MaxFloat64, 1.5e300, -2.5}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		if f := math.Float64frombits(rng.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			floats = append(floats, f)
		}
		floats = append(floats, math.Exp(rng.Float64()*90-45), float64(rng.IntN(1000))/8)
	}
	var input strings.Builder
	for _, f := range floats {
		fmt.Fprintln(&input, math.Float64bits(f))
	}
	got := runPython(t, `
import struct, sys
for line in sys.stdin:
    print(repr(struct.unpack("<d", struct.pack("<Q", int(line)))[0]))
`, input.String())
	for i, f := range floats {
		if want := got[i]; Float(f).Literal() != want {
			t.Errorf("%s, want %s", Float(f), want)
		}
	}
}

// TestStringsAsPython has Python read our canonical text and write it again, in
// ASCII only; the value must be the same, lone surrogates included.
func TestStringsAsPython(t *testing.T) {
	texts := append(oddStrings, "\xff\xfe raw bytes", "\xed\xa0\xbd\xed\xb8\x80", strings.Repeat("中", 1000))
	var input strings.Builder
	for _, s := range texts {
		fmt.Fprintln(&input, Object(Field{s, Array(String(s))}))
	}
	got := runPython(t, `
import json, sys
for line in sys.stdin.buffer:
    print(json.dumps(json.loads(line.decode("utf-8"))))
`, input.String())
	for i, s := range texts {
		want := Object(Field{s, Array(String(s))})
		if back := parse(t, got[i]); !Equal(back, want) {
			t.Errorf("%s became %s", want, got[i])
		}
	}
}
