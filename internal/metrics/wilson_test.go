package metrics

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWilsonPublished(t *testing.T) {
	newcombe := "Newcombe 1998, table I, method 3"
	tests := []struct {
		k, n     int
		lo, hi   float64
		decimals int // of the published figures
		source   string
	}{
		{81, 263, 0.2553, 0.3662, 4, newcombe},
		{15, 148, 0.0624, 0.1605, 4, newcombe},
		{0, 20, 0, 0.1611, 4, newcombe},
		{1, 29, 0.0061, 0.1718, 4, newcombe},
		{29, 29, 0.8830, 1, 4, "closed form at k = n: 1/(1 + z²/n)"},
		{16, 176, 0.057, 0.143, 3, "false-alarm rate of a published guard card"},
		{138, 174, 0.727, 0.847, 3, "recall of the same card"},
	}
	for _, tt := range tests {
		lo, hi := Wilson(tt.k, tt.n, Z95)
		tolerance := 0.5000001 * math.Pow10(-tt.decimals)
		if math.Abs(lo-tt.lo) > tolerance || math.Abs(hi-tt.hi) > tolerance {
			t.Errorf("Wilson(%d, %d) = %.5f, %.5f, want %v, %v (%s)", tt.k, tt.n, lo, hi, tt.lo, tt.hi, tt.source)
		}
	}
}

func TestWilsonWithoutValue(t *testing.T) {
	tests := []struct {
		k, n int
		z    float64
	}{
		{0, 0, Z95}, {1, 0, Z95}, {-1, 3, Z95}, {4, 3, Z95}, {0, -1, Z95},
		{1, 3, 0}, {1, 3, -1}, {1, 3, math.NaN()}, {1, 3, math.Inf(1)},
	}
	for _, tt := range tests {
		if lo, hi := Wilson(tt.k, tt.n, tt.z); !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("Wilson(%d, %d, %v) = %v, %v, want NaN, NaN", tt.k, tt.n, tt.z, lo, hi)
		}
	}
}

// drawTrials draws k successes of n trials, n > 0.
func drawTrials(t *rapid.T) (k, n int) {
	n = rapid.IntRange(1, 1_000_000).Draw(t, "n")
	return rapid.IntRange(0, n).Draw(t, "k"), n
}

func TestWilsonContainsEstimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, n := drawTrials(t)
		z := rapid.Float64Range(0.01, 10).Draw(t, "z")
		lo, hi := Wilson(k, n, z)
		p := float64(k) / float64(n)
		if !(0 <= lo && lo <= p && p <= hi && hi <= 1 && lo < hi) {
			t.Fatalf("Wilson(%d, %d, %v) = %v, %v around %v", k, n, z, lo, hi, p)
		}
		if (k == 0) != (lo == 0) || (k == n) != (hi == 1) {
			t.Fatalf("Wilson(%d, %d, %v) = %v, %v: a bound is certain without cause", k, n, z, lo, hi)
		}
	})
}

func TestWilsonMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100_000).Draw(t, "n")
		k := rapid.IntRange(0, n-1).Draw(t, "k")
		lo, hi := Wilson(k, n, Z95)
		lo1, hi1 := Wilson(k+1, n, Z95)
		if lo1 <= lo || hi1 <= hi {
			t.Fatalf("of %d: %d gives [%v, %v], %d gives [%v, %v]", n, k, lo, hi, k+1, lo1, hi1)
		}
		if wlo, whi := Wilson(k, n, Z95+0.5); wlo > lo || whi < hi {
			t.Fatalf("%d/%d: more confidence gives [%v, %v] inside [%v, %v]", k, n, wlo, whi, lo, hi)
		}
		if nlo, nhi := Wilson(10*k, 10*n, Z95); nhi-nlo >= hi-lo {
			t.Fatalf("%d/%d: ten times the cases give a width of %v, not below %v", k, n, nhi-nlo, hi-lo)
		}
	})
}

func TestWilsonSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, n := drawTrials(t)
		lo, hi := Wilson(k, n, Z95)
		flo, fhi := Wilson(n-k, n, Z95)
		if math.Abs(lo-(1-fhi)) > 1e-12 || math.Abs(hi-(1-flo)) > 1e-12 {
			t.Fatalf("%d/%d gives [%v, %v], failures give [%v, %v]", k, n, lo, hi, flo, fhi)
		}
	})
}

// TestWilsonInvertsScoreTest checks the closed form against the definition: a
// bound is the proportion that the score test just fails to reject.
func TestWilsonInvertsScoreTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10_000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		p := float64(k) / float64(n)
		rejected := func(q float64) bool {
			return math.Abs(p-q) > Z95*math.Sqrt(q*(1-q)/float64(n))
		}
		bisect := func(inside, outside float64) float64 {
			for range 200 {
				middle := (inside + outside) / 2
				if rejected(middle) {
					outside = middle
				} else {
					inside = middle
				}
			}
			return inside
		}
		lo, hi := Wilson(k, n, Z95)
		if want := bisect(p, 0); k > 0 && math.Abs(lo-want) > 1e-9 {
			t.Fatalf("%d/%d: low %v, score test gives %v", k, n, lo, want)
		}
		if want := bisect(p, 1); k < n && math.Abs(hi-want) > 1e-9 {
			t.Fatalf("%d/%d: high %v, score test gives %v", k, n, hi, want)
		}
	})
}

// oracle prints "k n lo hi" from whichever statistics library is installed, or
// nothing at all.
const oracle = `
import sys
pairs = [(k, n) for n in (1, 2, 3, 7, 20, 148, 1000) for k in sorted({0, 1, n // 3, n // 2, n - 1, n})]
try:
    from statsmodels.stats.proportion import proportion_confint
    f = lambda k, n: proportion_confint(k, n, alpha=0.05, method="wilson")
except ImportError:
    try:
        from scipy.stats import binomtest
    except ImportError:
        sys.exit(0)
    f = lambda k, n: tuple(binomtest(k, n).proportion_ci(0.95, method="wilson"))
for k, n in pairs:
    lo, hi = f(k, n)
    print(k, n, repr(float(lo)), repr(float(hi)))
`

func TestWilsonAgainstLibrary(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	output, err := exec.Command(python, "-c", oracle).Output()
	if err != nil {
		t.Fatal(err)
	}
	if len(output) == 0 {
		t.Skip("python3 has neither statsmodels nor scipy")
	}
	rows := 0
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); rows++ {
		var k, n int
		var wantLo, wantHi float64
		if _, err := fmt.Fscan(strings.NewReader(lines.Text()), &k, &n, &wantLo, &wantHi); err != nil {
			t.Fatalf("read %q: %v", lines.Text(), err)
		}
		lo, hi := Wilson(k, n, Z95)
		if math.Abs(lo-wantLo) > 1e-12 || math.Abs(hi-wantHi) > 1e-12 {
			t.Errorf("Wilson(%d, %d) = %v, %v; the library gives %v, %v", k, n, lo, hi, wantLo, wantHi)
		}
	}
	if rows < 30 {
		t.Errorf("compared %d rows, want at least 30", rows)
	}
}
