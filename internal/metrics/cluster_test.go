package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// scored is one cell for a test.
type scored struct {
	cluster string
	score   float64
}

func clustersOf(t interface{ Fatal(...any) }, cells []scored) *Clusters {
	var c Clusters
	for _, cell := range cells {
		if err := c.Add(cell.cluster, cell.score); err != nil {
			t.Fatal(err)
		}
	}
	return &c
}

// evenClusters makes one cluster of size cells for each mean.
func evenClusters(size int, means ...float64) []scored {
	var cells []scored
	for i, mean := range means {
		for range size {
			cells = append(cells, scored{fmt.Sprintf("scenario %02d", i), mean})
		}
	}
	return cells
}

func TestClustersFallBack(t *testing.T) {
	wilson := func(sum, n float64) Interval {
		lo, hi := scoreInterval(sum, n, Z95)
		return Interval{lo, hi}
	}
	tests := []struct {
		name  string
		cells []scored
		want  Interval
		n     int
	}{
		{"one cluster is one case", evenClusters(50, 1), Interval{0.20654, 1}, 1},
		{"five clusters are too few", evenClusters(3, 0, 0, 1, 0, 1), wilson(2, 5), 5},
		{"no success in 20 scenarios of 10 cells is not certain", evenClusters(10, make([]float64, 20)...), Interval{0, 0.16113}, 20},
		{"equal means", evenClusters(4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5), wilson(3.5, 7), 7},
		{"equal means up to rounding", []scored{{"a", 0.1}, {"a", 0.1}, {"a", 0.1}, {"b", 0.1}, {"c", 0.1}, {"d", 0.1}, {"e", 0.1}, {"f", 0.1}}, wilson(0.1*64/14, 64./14), 6},
		{"a cluster that dominates", append(evenClusters(4, 1), scored{"other", 1}), wilson(25./17, 25./17), 2},
	}
	for _, tt := range tests {
		got, ok := clustersOf(t, tt.cells).Interval(Bootstrap{Seed: 1})
		if !ok || got.Method != MethodWilson || got.Clusters != tt.n ||
			math.Abs(got.Low-tt.want.Low) > 1e-5 || math.Abs(got.High-tt.want.High) > 1e-5 {
			t.Errorf("%s: %+v, %v, want %v over %d clusters", tt.name, got, ok, tt.want, tt.n)
		}
	}
	if got, ok := new(Clusters).Interval(Bootstrap{}); ok {
		t.Errorf("no cells have the interval %v", got)
	}
}

func TestClustersRefuse(t *testing.T) {
	var c Clusters
	for _, score := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		if err := c.Add("a", score); err == nil {
			t.Errorf("a score of %v was added", score)
		}
	}
	if got, ok := c.Interval(Bootstrap{}); ok {
		t.Errorf("refused scores have the interval %v", got)
	}
}

// Cells of a scenario that agree are no more evidence than one of them.
func TestClustersIgnoreCopies(t *testing.T) {
	means := []float64{0, 1, 0, 0, 1, 0.5, 0, 1}
	once, _ := clustersOf(t, evenClusters(1, means...)).Interval(Bootstrap{Seed: 5})
	often, _ := clustersOf(t, evenClusters(25, means...)).Interval(Bootstrap{Seed: 5})
	if once.Method != MethodBootstrap || math.Abs(once.Low-often.Low) > 1e-12 || math.Abs(once.High-often.High) > 1e-12 {
		t.Errorf("one cell in a scenario gives %v, 25 give %v", once, often)
	}
	plain, _ := Rate{Successes: 3 * 25, N: 8 * 25}.Interval()
	if often.High-often.Low < 2*(plain.High-plain.Low) {
		t.Errorf("the clustered interval %v is not much wider than the plain one %v", often, plain)
	}
}

func TestClustersDeterministic(t *testing.T) {
	c := clustersOf(t, evenClusters(2, 0, 1, 0.25, 0.5, 1, 0, 0.75))
	first, _ := c.Interval(Bootstrap{Seed: 9})
	if again, _ := c.Interval(Bootstrap{Seed: 9, Resamples: DefaultResamples}); again != first {
		t.Errorf("the same seed gives %v and %v", first, again)
	}
	seen := map[Interval]bool{}
	for seed := range uint64(20) {
		i, _ := c.Interval(Bootstrap{Seed: seed, Resamples: 50})
		seen[i.Interval] = true
	}
	if len(seen) < 2 {
		t.Error("20 seeds give one and the same interval")
	}
}

func drawCells(t *rapid.T) []scored {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) scored {
		return scored{
			fmt.Sprint(rapid.IntRange(0, 12).Draw(t, "cluster")),
			rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 1})).Draw(t, "score"),
		}
	}), 1, 60).Draw(t, "cells")
}

func TestClustersProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := drawCells(t)
		b := Bootstrap{Seed: rapid.Uint64().Draw(t, "seed"), Resamples: rapid.IntRange(1, 100).Draw(t, "resamples")}
		got, ok := clustersOf(t, cells).Interval(b)
		sum := 0.0
		for _, cell := range cells {
			sum += cell.score
		}
		value := sum / float64(len(cells))
		if !ok || !(0 <= got.Low && got.Low <= value+1e-12 && value <= got.High+1e-12 && got.High <= 1) {
			t.Fatalf("interval %+v around %v", got, value)
		}
		// One resample has no spread of its own, however unlike the clusters are.
		if got.Low == got.High && b.Resamples > 20 {
			t.Fatalf("interval %+v claims certainty", got)
		}
		if again, _ := clustersOf(t, rapid.Permutation(cells).Draw(t, "shuffled")).Interval(b); again != got {
			t.Fatalf("order changes the interval: %v and %v", got, again)
		}
	})
}

// TestClustersCoverage counts how often the interval contains the true mean when
// the cells of a scenario depend on each other.
func TestClustersCoverage(t *testing.T) {
	for _, n := range []int{3, 6, 10, 30} {
		random := rand.New(rand.NewPCG(3, uint64(n)))
		const samples = 600
		covered, naive := 0, 0
		for range samples {
			var c Clusters
			var rate Rate
			for i := range n {
				p := random.Float64() // of the scenario; 0.5 on average
				for range 4 + random.IntN(4) {
					score := 0.0
					if random.Float64() < p {
						score = 1
					}
					if err := c.Add(fmt.Sprint(i), score); err != nil {
						t.Fatal(err)
					}
					rate = rate.Plus(Rate{Successes: int(score), N: 1})
				}
			}
			if i, _ := c.Interval(Bootstrap{Seed: random.Uint64(), Resamples: 1000}); i.Low <= 0.5 && 0.5 <= i.High {
				covered++
			}
			if i, _ := rate.Interval(); i.Low <= 0.5 && 0.5 <= i.High {
				naive++
			}
		}
		t.Logf("%d clusters: coverage %.3f, of the plain interval %.3f", n, float64(covered)/samples, float64(naive)/samples)
		if coverage := float64(covered) / samples; coverage < 0.92 {
			t.Errorf("%d clusters: coverage %.3f", n, coverage)
		}
		if coverage := float64(naive) / samples; coverage > 0.92 {
			t.Errorf("%d clusters: the plain interval covers %.3f: the samples do not test clustering", n, coverage)
		}
	}
}

// Published in every table of the t distribution, to three decimals.
func TestStudentQuantile(t *testing.T) {
	for df, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 29: 2.045, 30: 2.042, 120: 1.980, 100_000: 1.960} {
		if got := studentQuantile95(df); math.Abs(got-want) > 0.0005001 {
			t.Errorf("%d degrees of freedom: %.4f, want %.3f", df, got, want)
		}
	}
	if tail := expandedTail(1_000_000); math.Abs(tail-0.025) > 1e-6 || tail >= 0.025 {
		t.Errorf("the tail for many clusters is %v, want just under 0.025", tail)
	}
}

// python runs source with input as JSON on its standard input and decodes what it
// prints. The test is skipped where there is no python3 with the modules named.
func python(t *testing.T, source string, input, output any, modules ...string) {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	for _, module := range modules {
		if err := exec.Command(path, "-c", "import "+module).Run(); err != nil {
			t.Skipf("python3 has no %s: %v", module, err)
		}
	}
	data, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, "-c", source)
	command.Stdin = bytes.NewReader(data)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, stderr.Bytes())
	}
	if err := json.Unmarshal(printed, output); err != nil {
		t.Fatalf("read %q: %v", printed, err)
	}
}

// bootstrapOracle resamples with NumPy and takes the quantiles that SciPy's t and
// normal distributions ask for.
const bootstrapOracle = `
import json, sys
import numpy as np
from scipy import stats
out = []
random = np.random.default_rng(1)
for groups in json.load(sys.stdin):
    sums = np.array([sum(g) for g in groups]); ns = np.array([len(g) for g in groups])
    c = len(groups)
    drawn = random.integers(0, c, size=(40000, c))
    ratios = sums[drawn].sum(axis=1) / ns[drawn].sum(axis=1)
    tail = stats.norm.cdf(-stats.t.ppf(0.975, c - 1) * np.sqrt(c / (c - 1)))
    out.append([tail] + list(np.quantile(ratios, [tail, 1 - tail])) + [ratios.std()])
json.dump(out, sys.stdout)
`

func TestClustersAgainstNumPy(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	var all [][][]float64
	for _, n := range []int{6, 12, 40} {
		var groups [][]float64
		for range n {
			p := random.Float64()
			group := make([]float64, 1+random.IntN(9))
			for i := range group {
				group[i] = float64(int(4*min(0.999, p+random.Float64()/2))) / 4
			}
			groups = append(groups, group)
		}
		all = append(all, groups)
	}
	var want [][4]float64
	python(t, bootstrapOracle, all, &want, "numpy", "scipy")
	if len(want) != len(all) {
		t.Fatalf("%d results, want %d", len(want), len(all))
	}
	for k, groups := range all {
		var c Clusters
		for i, group := range groups {
			for _, score := range group {
				if err := c.Add(fmt.Sprintf("%03d", i), score); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, _ := c.Interval(Bootstrap{Seed: 2, Resamples: 40_000})
		// The error of a tail quantile of 40000 draws is below 1/20 of a standard
		// error of the mean; both sides have it.
		tolerance := 0.1 * want[k][3]
		if tail := expandedTail(len(groups)); math.Abs(tail-want[k][0]) > 1e-10 {
			t.Errorf("%d clusters: tail %v, SciPy gives %v", len(groups), tail, want[k][0])
		}
		if got.Method != MethodBootstrap || math.Abs(got.Low-want[k][1]) > tolerance || math.Abs(got.High-want[k][2]) > tolerance {
			t.Errorf("%d clusters: %+v, NumPy gives %v ± %v", len(groups), got, want[k][1:3], tolerance)
		}
	}
}

func TestQuantile(t *testing.T) {
	sorted := []float64{1, 2, 4, 8}
	for q, want := range map[float64]float64{0: 1, 1: 8, 0.5: 3, 0.25: 1.75, 0.9: 6.8} {
		if got := quantile(sorted, q); math.Abs(got-want) > 1e-12 {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if got := quantile(slices.Repeat([]float64{3}, 1), 0.7); got != 3 {
		t.Errorf("the quantile of one value 3 is %v", got)
	}
}

func BenchmarkClusters(b *testing.B) {
	var c Clusters
	for i := range 1000 {
		if err := c.Add(fmt.Sprint(i/5), float64(i%2)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		c.Interval(Bootstrap{})
	}
}
