package metrics

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// duel makes trials of two sides, a pair for each two scores, in scenarios of size
// pairs; a negative score is one that was not assessed.
func duel(size int, scores ...[2]float64) (a, b []Trial) {
	for i, s := range scores {
		trial := Trial{Pair: fmt.Sprintf("case %03d", i), Cluster: fmt.Sprintf("scenario %03d", i/size)}
		side := func(score float64) Trial {
			trial.Score, trial.Assessed = score, score >= 0
			return trial
		}
		a, b = append(a, side(s[0])), append(b, side(s[1]))
	}
	return a, b
}

func compare(t interface{ Fatal(...any) }, a, b []Trial) Difference {
	d, err := Compare(a, b, Bootstrap{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func near(got, want float64) bool { return math.Abs(got-want) < 1e-9 }

// The differences are 1, 1, -1, 0 over four assessed pairs.
func TestCompareCounts(t *testing.T) {
	a, b := duel(1, [2]float64{1, 0}, [2]float64{1, 0}, [2]float64{0, 1}, [2]float64{1, 1},
		[2]float64{-1, 1}, [2]float64{1, -1}, [2]float64{0, -1}, [2]float64{-1, -1})
	a = append(a, Trial{Pair: "a alone", Assessed: true, Score: 1})
	b = append(b, Trial{Pair: "b alone"}, Trial{Pair: "b alone too", Assessed: true})
	d := compare(t, a, b)
	if d.Pairs != 4 || d.UnassessedA != 1 || d.UnassessedB != 2 || d.UnassessedBoth != 1 || d.UnpairedA != 1 || d.UnpairedB != 2 || d.Dropped() != 4 {
		t.Errorf("counts: %+v", d)
	}
	// Of the 8 choices of signs of 1, 1, 1 all have a sum of at least 1.
	if d.Value == nil || !near(*d.Value, 0.25) || !near(*d.P, 1) || d.Test != TestExact || d.Interval.Clusters != 4 {
		t.Errorf("difference: %v", d)
	}
}

func TestCompareWithoutPairs(t *testing.T) {
	a, b := duel(1, [2]float64{-1, 1}, [2]float64{1, -1})
	for _, tt := range []struct {
		a, b []Trial
		want string
		json string
	}{
		{nil, nil, "-", `{"value":null,"interval":null,"p":null,"pairs":0,"unassessed_a":0,"unassessed_b":0,"unassessed_both":0,"unpaired_a":0,"unpaired_b":0}`},
		{a, b, "- dropped=2", `{"value":null,"interval":null,"p":null,"pairs":0,"unassessed_a":1,"unassessed_b":1,"unassessed_both":0,"unpaired_a":0,"unpaired_b":0}`},
	} {
		d := compare(t, tt.a, tt.b)
		if d.Value != nil || d.Interval != nil || d.P != nil || d.String() != tt.want {
			t.Errorf("no pairs give %v, want %q", d, tt.want)
		}
		if got, err := json.Marshal(d); err != nil || string(got) != tt.json {
			t.Errorf("JSON %s, %v", got, err)
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	good := []Trial{{Pair: "1", Cluster: "s", Score: 1, Assessed: true}}
	for name, bad := range map[string][]Trial{
		"repeated":      {good[0], good[0]},
		"other cluster": {{Pair: "1", Cluster: "r", Score: 1, Assessed: true}},
		"above 1":       {{Pair: "2", Cluster: "s", Score: 1.5, Assessed: true}},
		"no number":     {{Pair: "2", Cluster: "s", Score: math.NaN(), Assessed: true}},
	} {
		if d, err := Compare(good, bad, Bootstrap{}); err == nil {
			t.Errorf("%s on side b: %v", name, d)
		}
		if d, err := Compare(bad, good, Bootstrap{}); err == nil {
			t.Errorf("%s on side a: %v", name, d)
		}
	}
	if _, err := Compare(good, []Trial{{Pair: "1", Cluster: "s", Score: math.NaN()}}, Bootstrap{}); err != nil {
		t.Errorf("a score that was not assessed is looked at: %v", err)
	}
}

// Two agents that never differ in n scenarios can still differ by as much as a
// discordance that n scenarios would not have shown.
func TestCompareAlike(t *testing.T) {
	var scores [][2]float64
	for i := range 60 {
		scores = append(scores, [2]float64{float64(i % 2), float64(i % 2)})
	}
	a, b := duel(3, scores...)
	d := compare(t, a, b)
	_, bound := Wilson(0, 20, Z95)
	if *d.Value != 0 || *d.P != 1 || d.Interval.Method != MethodWilsonDifference || !near(d.Interval.Low, -bound) || !near(d.Interval.High, bound) {
		t.Errorf("two sides that are alike: %v by %s, want ±%v", d, d.Interval.Method, bound)
	}
	if got, want := d.String(), "+0.0 [-16.1, +16.1] n=60 dropped=0 p=1"; got != want {
		t.Errorf("prints %q, want %q", got, want)
	}
}

// By hand: one pair in each of 5 scenarios, a ahead in all. Of 32 choices of signs
// two have a sum of 5, and with one scenario of five pairs both have.
func TestCompareByScenario(t *testing.T) {
	scores := [][2]float64{{1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}}
	a, b := duel(1, scores...)
	if d := compare(t, a, b); !near(*d.P, 2./32) || !near(*d.Value, 1) {
		t.Errorf("five scenarios: %v", d)
	}
	a, b = duel(5, scores...)
	if d := compare(t, a, b); !near(*d.P, 1) || d.Interval.Low > 0 {
		t.Errorf("one scenario proves a difference: %v", d)
	}
}

func drawDuel(t *rapid.T, scores *rapid.Generator[float64]) (a, b []Trial) {
	pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]float64 {
		return [2]float64{scores.Draw(t, "a"), scores.Draw(t, "b")}
	}), 1, 40).Draw(t, "pairs")
	return duel(rapid.IntRange(1, 3).Draw(t, "size"), pairs...)
}

func TestCompareProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDuel(t, rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{-1, 0, 0.5, 1})))
		o := Bootstrap{Seed: rapid.Uint64().Draw(t, "seed"), Resamples: 60}
		d, err := Compare(a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		if d.Pairs+d.Dropped() != len(a) || (d.Pairs == 0) != (d.Value == nil) {
			t.Fatalf("%d pairs, of them %+v", len(a), d)
		}
		if d.Value == nil {
			return
		}
		i := d.Interval
		if !(-1 <= i.Low && i.Low <= *d.Value && *d.Value <= i.High && i.High <= 1 && i.Low < i.High) {
			t.Fatalf("interval %+v around %v", *i, *d.Value)
		}
		if !(*d.P > 0 && *d.P <= 1) {
			t.Fatalf("p = %v", *d.P)
		}
		again, err := Compare(rapid.Permutation(a).Draw(t, "a"), rapid.Permutation(b).Draw(t, "b"), o)
		if err != nil || *again.Value != *d.Value || *again.Interval != *i || *again.P != *d.P {
			t.Fatalf("order changes %v to %v, %v", d, again, err)
		}
		swapped, err := Compare(b, a, o)
		if err != nil || !near(*swapped.Value, -*d.Value) || !near(swapped.Interval.Low, -i.High) || !near(swapped.Interval.High, -i.Low) ||
			*swapped.P != *d.P || swapped.UnassessedA != d.UnassessedB {
			t.Fatalf("swapping changes %v to %v, %v", d, swapped, err)
		}
	})
}

// With scores of 0 and 1 and one pair in a scenario the test is McNemar's: twice
// the binomial tail of the discordant pairs.
func TestSignFlipIsMcNemar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		onlyA, onlyB := rapid.IntRange(0, 60).Draw(t, "only a"), rapid.IntRange(0, 60).Draw(t, "only b")
		values := make([]float64, onlyA+onlyB)
		for i := range values {
			values[i] = 1
			if i >= onlyA {
				values[i] = -1
			}
		}
		n, tail := onlyA+onlyB, 0.0
		for k := range min(onlyA, onlyB) + 1 {
			top, _ := math.Lgamma(float64(n + 1))
			one, _ := math.Lgamma(float64(k + 1))
			two, _ := math.Lgamma(float64(n - k + 1))
			tail += math.Exp(top - one - two - float64(n)*math.Ln2)
		}
		if p, test := signFlip(values, 0); test != TestExact || math.Abs(p-min(1, 2*tail)) > 1e-9 {
			t.Fatalf("%d against %d: p = %v, McNemar gives %v", onlyA, onlyB, p, min(1, 2*tail))
		}
	})
}

// The three ways to the p value agree where all can be taken.
func TestSignFlipWays(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 40 {
		sizes, reach, sum := make([]float64, 1+random.IntN(12)), 0.0, 0.0
		for i := range sizes {
			sizes[i] = float64(1 + random.IntN(4))
			reach += sizes[i]
			sum += sizes[i] * float64(2*random.IntN(2)-1)
		}
		if sum == 0 {
			continue
		}
		least := math.Abs(sum) - 1e-9
		whole, each, drawn := flipWhole(sizes, int(reach), least), flipEach(sizes, least), flipRandomly(sizes, least, 7)
		if !near(whole, each) || math.Abs(drawn-each) > 5*math.Sqrt(each*(1-each)/randomFlips)+2e-4 {
			t.Errorf("%v as far as %v: %v added up, %v listed, %v drawn", sizes, sum, whole, each, drawn)
		}
	}
}

func TestSignFlipManyClusters(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	values := make([]float64, 150) // more than two words of signs
	for i := range values {
		values[i] = random.Float64() - 0.5
	}
	if p, test := signFlip(values, 1); test != TestMonteCarlo || p <= 0.001 {
		t.Errorf("noise: p = %v by %s", p, test)
	}
	for i := range values {
		values[i] = 0.25 + random.Float64()/2
	}
	if p, _ := signFlip(values, 1); p != 1./10001 {
		t.Errorf("all ahead: p = %v, want the least that 10000 draws can show", p)
	}
}

// pairedOracle lists all choices of signs, asks SciPy for its permutation test
// (exact, of paired samples: swapping the sides of a cluster is flipping its sign)
// and for McNemar's by its binomial test, and resamples with NumPy.
const pairedOracle = `
import itertools, json, sys
import numpy as np
from scipy import stats
out = []
random = np.random.default_rng(1)
for groups in json.load(sys.stdin):
    sums = np.array([sum(g) for g in groups]); ns = np.array([len(g) for g in groups])
    c = len(groups)
    signs = np.array(list(itertools.product([-1, 1], repeat=c)))
    listed = float((np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9).mean())
    test = stats.permutation_test((sums, np.zeros(c)), lambda x, y, axis: np.sum(x - y, axis=axis),
        vectorized=True, permutation_type="samples", n_resamples=np.inf)
    drawn = random.integers(0, c, size=(40000, c))
    ratios = sums[drawn].sum(axis=1) / ns[drawn].sum(axis=1)
    tail = stats.norm.cdf(-stats.t.ppf(0.975, c - 1) * np.sqrt(c / (c - 1)))
    out.append([listed, float(test.pvalue)] + list(np.quantile(ratios, [tail, 1 - tail])) + [ratios.std()])
json.dump(out, sys.stdout)
`

func TestCompareAgainstSciPy(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	var groups [][][]float64
	var got []Difference
	for k := range 12 {
		var a, b []Trial
		var all [][]float64
		for c := range 7 + k%6 {
			lean := random.Float64()
			var group []float64
			for range 1 + random.IntN(5) {
				x, y := random.Float64(), random.Float64()*lean
				if k%2 == 0 {
					x, y = math.Round(x), math.Round(y)
				}
				trial := Trial{Pair: fmt.Sprint(len(a)), Cluster: fmt.Sprintf("%02d", c), Assessed: true, Score: x}
				a = append(a, trial)
				trial.Score = y
				b = append(b, trial)
				group = append(group, x-y)
			}
			all = append(all, group)
		}
		d, err := Compare(a, b, Bootstrap{Seed: 3, Resamples: 40_000})
		if err != nil {
			t.Fatal(err)
		}
		groups, got = append(groups, all), append(got, d)
	}
	var want [][5]float64
	python(t, pairedOracle, groups, &want, "numpy", "scipy")
	if len(want) != len(got) {
		t.Fatalf("%d results, want %d", len(want), len(got))
	}
	for k, d := range got {
		if d.Test != TestExact || math.Abs(*d.P-want[k][0]) > 1e-9 || math.Abs(*d.P-want[k][1]) > 1e-9 {
			t.Errorf("set %d: p = %v, listing gives %v, SciPy %v", k, *d.P, want[k][0], want[k][1])
		}
		tolerance := 0.1 * want[k][4]
		if d.Interval.Method != MethodBootstrap || math.Abs(d.Interval.Low-want[k][2]) > tolerance || math.Abs(d.Interval.High-want[k][3]) > tolerance {
			t.Errorf("set %d: %+v, NumPy gives %v ± %v", k, *d.Interval, want[k][2:4], tolerance)
		}
	}
}

// TestCompareCoverage counts how often the interval contains the true difference,
// and how often the test finds one where there is none.
func TestCompareCoverage(t *testing.T) {
	for _, n := range []int{4, 8, 25} {
		for _, delta := range []float64{0, 0.3} {
			random := rand.New(rand.NewPCG(7, uint64(n)))
			const samples = 400
			covered, rejected := 0, 0
			for range samples {
				var scores [][2]float64
				for range n {
					p := delta + (1-delta)*random.Float64()
					for range 3 {
						pair := [2]float64{0, 0}
						if random.Float64() < p {
							pair[0] = 1
						}
						if random.Float64() < p-delta {
							pair[1] = 1
						}
						scores = append(scores, pair)
					}
				}
				a, b := duel(3, scores...)
				d, err := Compare(a, b, Bootstrap{Seed: random.Uint64(), Resamples: 1000})
				if err != nil {
					t.Fatal(err)
				}
				if d.Interval.Low <= delta && delta <= d.Interval.High {
					covered++
				}
				if *d.P <= 0.05 {
					rejected++
				}
			}
			t.Logf("%d clusters, difference %v: coverage %.3f, rejected %.3f", n, delta, float64(covered)/samples, float64(rejected)/samples)
			if coverage := float64(covered) / samples; coverage < 0.91 {
				t.Errorf("%d clusters, difference %v: coverage %.3f", n, delta, coverage)
			}
			if share := float64(rejected) / samples; delta == 0 && share > 0.07 {
				t.Errorf("%d clusters: %.3f of the true hypotheses are rejected at 5 %%", n, share)
			}
		}
	}
}

// Tenths have the p value of the whole numbers that they are tenths of: sums that
// only rounding tells apart are as far from 0 as each other.
func TestSignFlipTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOfN(rapid.IntRange(-9, 9), 1, 12).Draw(t, "values")
		values, tenths := make([]float64, len(whole)), make([]float64, len(whole))
		for i, v := range whole {
			values[i], tenths[i] = float64(v), float64(v)/10
		}
		want, _ := signFlip(values, 0)
		if got, test := signFlip(tenths, 0); test != TestExact || !near(got, want) {
			t.Fatalf("tenths of %v give p = %v, want %v", whole, got, want)
		}
	})
}
