package pyfuzz

import (
	"flag"
	"fmt"
	"sort"
	"strings"
	"sync"
	"testing"
)

var (
	fuzzN     = flag.Int("fuzzn", 300, "number of programs to compare")
	fuzzSeed  = flag.Uint64("fuzzseed", 1, "seed of the first program")
	fuzzAreas = flag.String("fuzzareas", "", "comma-separated grammar areas; all when empty")
	fuzzKinds = flag.Int("fuzzreport", 20, "kinds of differences to minimise and print")
	fuzzStats = flag.Bool("fuzzstats", false, "print the coverage table and the exception types")
)

func config() Config {
	c := Config{N: *fuzzN, Seed: *fuzzSeed, Report: *fuzzKinds}
	if *fuzzAreas != "" {
		c.Areas = strings.Split(*fuzzAreas, ",")
	}
	return c
}

func startCPython(t *testing.T, hashSeed string) *CPython {
	t.Helper()
	c, err := StartCPython(hashSeed)
	if err != nil {
		t.Skipf("python3 not found: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestGenerateIsDeterministic(t *testing.T) {
	for seed := range uint64(200) {
		if Generate(seed) != Generate(seed) {
			t.Errorf("seed %d gives two programs", seed)
		}
	}
}

// measure is what one program did under two hash seeds.
type measure struct {
	seed     uint64
	program  program
	result   Result
	again    Result
	executed int
}

// TestCPython checks the generator with CPython alone: each program compiles,
// does the same under two hash seeds, ends soon, and the mix is as intended.
func TestCPython(t *testing.T) {
	c := config()
	measures := make([]measure, c.N)
	var wg sync.WaitGroup
	for w := range workers {
		first, second := startCPython(t, "0"), startCPython(t, "12345")
		wg.Go(func() {
			for i := w; i < c.N; i += workers {
				m := &measures[i]
				m.seed = c.Seed + uint64(i)
				m.program = generate(m.seed, c.keep())
				var err, err2 error
				m.result, err = first.Run(m.program.src)
				m.again, err2 = second.Run(m.program.src)
				if *fuzzStats && err == nil {
					_, m.executed, err = first.Trace(m.program.src)
				}
				if err != nil || err2 != nil {
					t.Error(err, err2)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, m := range measures {
		m.check(t)
	}
	checkMix(t, c, measures)
}

func (m measure) check(t *testing.T) {
	t.Helper()
	switch {
	case m.result.ErrorType == CompileError, m.result.ErrorType == Timeout:
		t.Errorf("seed %d: %s: %s\n%s", m.seed, m.result.ErrorType, m.result.ErrorMessage, m.program.src)
	case len(m.result.Stdout) > 1<<16:
		t.Errorf("seed %d: %d bytes of output", m.seed, len(m.result.Stdout))
	default:
		if d := Compare(m.result, m.again); d != "" {
			t.Errorf("seed %d depends on the hash seed: %s\n%s", m.seed, d, m.program.src)
		}
	}
}

// checkMix checks shares over all programs, and with enough programs that
// every entry is reached.
func checkMix(t *testing.T, c Config, measures []measure) {
	t.Helper()
	uncaught, caught, lines, executed := 0, 0, 0, 0
	used, errors := map[string]int{}, map[string]int{}
	for _, m := range measures {
		lines += strings.Count(m.program.src, "\n")
		executed += m.executed
		for _, e := range m.program.entries {
			used[e]++
		}
		if m.result.ErrorType != "" {
			uncaught++
			errors[m.result.ErrorType+" (uncaught)"]++
		}
		found := false
		for _, line := range strings.Split(m.result.Stdout, "\n") {
			word, _, _ := strings.Cut(line, " ")
			if strings.HasSuffix(word, "Error") || word == "StopIteration" {
				errors[word]++
				found = true
			}
		}
		if found {
			caught++
		}
	}
	n := len(measures)
	t.Logf("programs %d, lines %.1f, executed lines %.1f, uncaught %.1f%%, with caught errors %.1f%%",
		n, ratio(lines, n), ratio(executed, n), 100*ratio(uncaught, n), 100*ratio(caught, n))
	if share := ratio(uncaught, n); share > 0.15 {
		t.Errorf("%.0f%% of the programs end by an exception, want at most 15%%", share*100)
	}
	if n >= 5000 && len(c.Areas) == 0 {
		for _, a := range loadGrammar().areas {
			for _, e := range a.entries {
				if a.weight > 0 && used[e.id()] == 0 {
					t.Errorf("entry %s is never used", e.id())
				}
			}
		}
	}
	if *fuzzStats {
		t.Logf("areas:\n%s", areaTable(used))
		t.Logf("exceptions:\n%s", countTable(errors))
	}
}

func ratio(a, n int) float64 { return float64(a) / float64(max(n, 1)) }

func areaTable(used map[string]int) string {
	var b strings.Builder
	for _, a := range loadGrammar().areas {
		total, alts, least := 0, 0, 1<<30
		for _, e := range a.entries {
			total += used[e.id()]
			alts += len(e.alts)
			least = min(least, used[e.id()])
		}
		b.WriteString(row(a.name, a.weight, len(a.entries), alts, total, least))
	}
	return b.String()
}

func countTable(counts map[string]int) string {
	var names []string
	for n := range counts {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool { return counts[names[i]] > counts[names[j]] })
	var b strings.Builder
	for _, n := range names {
		b.WriteString(row(n, counts[n]))
	}
	return b.String()
}

func row(name string, numbers ...int) string {
	return fmt.Sprintf("%-28s %v\n", name, numbers)
}
