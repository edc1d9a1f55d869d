package metrics

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Trial is one cell of one side of a comparison.
type Trial struct {
	Pair     string  // what the two sides have in common, such as case and epoch; once in a side
	Cluster  string  // what dependent pairs have in common, such as the scenario
	Score    float64 // in [0, 1]; not looked at unless Assessed
	Assessed bool
}

// MethodWilsonDifference is the method of intervals of a difference where the
// bootstrap has nothing to say; see [Compare].
const MethodWilsonDifference Method = "wilson_difference"

// Test is how a p value was found.
type Test string

// The tests; see [Compare].
const (
	TestExact      Test = "sign_flip_exact"
	TestMonteCarlo Test = "sign_flip_monte_carlo"
)

// Difference is the mean of a's score less b's over the pairs of which both
// sides are assessed. Without such a pair it has no value, no interval and no p:
// they are nil, never 0.
type Difference struct {
	Value    *float64   `json:"value"`    // in [-1, 1]
	Interval *Clustered `json:"interval"` // 95 %, in [-1, 1]
	P        *float64   `json:"p"`        // two-sided
	Test     Test       `json:"test,omitempty"`
	Pairs    int        `json:"pairs"`
	// Pairs that are dropped, each counted once, by the side that was not assessed.
	UnassessedA    int `json:"unassessed_a"`
	UnassessedB    int `json:"unassessed_b"`
	UnassessedBoth int `json:"unassessed_both"`
	// Trials, assessed or not, to which the other side has none.
	UnpairedA int `json:"unpaired_a"`
	UnpairedB int `json:"unpaired_b"`
}

// Dropped is the number of pairs of which a side was not assessed.
func (d Difference) Dropped() int { return d.UnassessedA + d.UnassessedB + d.UnassessedBoth }

// String prints the difference in percentage points with everything that belongs
// to it, such as "+12.5 [+3.0, +21.0] n=40 dropped=2 p=0.012"; without a value it
// prints "-", followed by the dropped count if there is one.
func (d Difference) String() string {
	switch {
	case d.Value == nil && d.Dropped() == 0:
		return "-"
	case d.Value == nil:
		return fmt.Sprintf("- dropped=%d", d.Dropped())
	}
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f] n=%d dropped=%d p=%.3g",
		100**d.Value, 100*d.Interval.Low, 100*d.Interval.High, d.Pairs, d.Dropped(), *d.P)
}

// Compare returns the paired difference a less b. A pair that is repeated within
// a side, that is in different clusters on the two sides, or whose assessed score
// is no number from 0 to 1, is an error. The result does not depend on the order
// of the trials; swapping a and b changes signs and sides, and nothing else but
// the rounding.
//
// The interval resamples whole clusters as [Clusters.Interval] does. Where that
// has nothing to say, which includes two sides that never differ, it is built
// from the Wilson intervals [l, u] of the mean gain of a, max(0, a-b), and of b,
// max(0, b-a), over the effective number of clusters: from l of a less u of b, to
// u of a less l of b. That is the method of variance estimates recovery of G. Y.
// Zou and A. Donner, Statistics in Medicine 27 (2008) 1693-1702, with the
// correlation at its worst, -1, so it errs to the wide side.
//
// The p value is that of a sign-flip permutation test by cluster. If a and b do
// not differ, the sum of the differences of a cluster is as likely as its
// negative; p is the share of the 2^C ways to choose signs in which the total is
// at least as far from 0 as it is. For scores of 0 and 1 it is exact, and so it is
// for others in up to 16 clusters that differ; else it is (1+k)/(1+10000) with k
// of 10000 random choices. With scores of 0 and 1 and one pair in a cluster it is
// the exact McNemar test.
//
// Sources: R. A. Fisher, "The Design of Experiments" (1935), section 21; M. H.
// Gail and others, Statistics in Medicine 15 (1996) 1069-1092, for clusters; B.
// Phipson and G. K. Smyth, Statistical Applications in Genetics and Molecular
// Biology 9 (2010) 39, for (1+k)/(1+n); Q. McNemar, Psychometrika 12 (1947)
// 153-157.
func Compare(a, b []Trial, o Bootstrap) (Difference, error) {
	var d Difference
	left, err := byPair(a)
	if err != nil {
		return d, fmt.Errorf("compare a with b: side a: %w", err)
	}
	right, err := byPair(b)
	if err != nil {
		return d, fmt.Errorf("compare a with b: side b: %w", err)
	}
	clusters := map[string]*gain{}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		x := left[key]
		y, paired := right[key]
		if paired && x.Cluster != y.Cluster {
			return d, fmt.Errorf("compare a with b: pair %q is in clusters %q and %q", key, x.Cluster, y.Cluster)
		}
		switch {
		case !paired:
			d.UnpairedA++
		case !x.Assessed && !y.Assessed:
			d.UnassessedBoth++
		case !x.Assessed:
			d.UnassessedA++
		case !y.Assessed:
			d.UnassessedB++
		default:
			if clusters[x.Cluster] == nil {
				clusters[x.Cluster] = &gain{}
			}
			clusters[x.Cluster].add(x.Score - y.Score)
			d.Pairs++
		}
	}
	d.UnpairedB = len(right) - (len(left) - d.UnpairedA)
	if d.Pairs > 0 {
		d.estimate(clusters, o)
	}
	return d, nil
}

func byPair(trials []Trial) (map[string]Trial, error) {
	pairs := make(map[string]Trial, len(trials))
	for _, trial := range trials {
		if _, repeated := pairs[trial.Pair]; repeated {
			return nil, fmt.Errorf("pair %q is repeated", trial.Pair)
		}
		if trial.Assessed && !(trial.Score >= 0 && trial.Score <= 1) {
			return nil, fmt.Errorf("pair %q: score is %v, want a number from 0 to 1", trial.Pair, trial.Score)
		}
		pairs[trial.Pair] = trial
	}
	return pairs, nil
}

// gain is what each side is ahead by in the n pairs of a cluster, both ≥ 0.
type gain struct {
	a, b float64
	n    int
}

func (g *gain) add(difference float64) {
	g.a += max(0, difference)
	g.b += max(0, -difference)
	g.n++
}

// estimate fills in what is known when there is at least one pair.
func (d *Difference) estimate(clusters map[string]*gain, o Bootstrap) {
	var net, ahead, behind []group
	var sums []float64
	for _, key := range slices.Sorted(maps.Keys(clusters)) {
		g := clusters[key]
		net = append(net, group{g.a - g.b, g.n})
		ahead = append(ahead, group{g.a, g.n})
		behind = append(behind, group{g.b, g.n})
		sums = append(sums, g.a-g.b)
	}
	value := min(1, max(-1, ratio(net)))
	d.Value = &value
	d.Interval = &Clustered{Clusters: len(net), Method: MethodBootstrap}
	if i, ok := resample(net, o); ok {
		d.Interval.Interval = Interval{max(-1, i.Low), min(1, i.High)}
	} else {
		n := effectiveClusters(net)
		aLow, aHigh := scoreInterval(min(1, ratio(ahead))*n, n, Z95)
		bLow, bHigh := scoreInterval(min(1, ratio(behind))*n, n, Z95)
		d.Interval.Method = MethodWilsonDifference
		d.Interval.Interval = Interval{min(value, aLow-bHigh), max(value, aHigh-bLow)}
	}
	p, test := signFlip(sums, o.Seed)
	d.P, d.Test = &p, test
}

const (
	maxEnumerated = 16      // clusters whose choices of signs are listed: 65536
	randomFlips   = 10_000  // choices of signs otherwise
	maxTable      = 1 << 26 // steps to add up whole numbers, about 0.1 s
)

// signFlip returns the share of choices of signs in which the sum of values is at
// least as far from 0 as it is.
func signFlip(values []float64, seed uint64) (p float64, test Test) {
	var sizes []float64
	sum, reach, whole := 0.0, 0.0, true
	for _, v := range values {
		if math.Abs(v) <= sameMean {
			continue // no choice of its sign matters
		}
		sizes = append(sizes, math.Abs(v))
		sum += v
		reach += math.Abs(v)
		whole = whole && v == math.Trunc(v)
	}
	// Choices that give the same sum must not be told apart by rounding.
	least := math.Abs(sum) - sameMean*max(1, reach)
	switch {
	case len(sizes) == 0 || least <= 0:
		return 1, TestExact
	case whole && reach*float64(len(sizes)) <= maxTable:
		return flipWhole(sizes, int(reach), least), TestExact
	case len(sizes) <= maxEnumerated:
		return flipEach(sizes, least), TestExact
	}
	return flipRandomly(sizes, least, seed), TestMonteCarlo
}

// flipWhole adds up the distribution of the sum of whole numbers ≥ 1 with random
// signs, one number at a time. Index i stands for the sum i - reach.
func flipWhole(sizes []float64, reach int, least float64) float64 {
	chance := make([]float64, 2*reach+1)
	chance[reach] = 1
	far := 0 // sums so far are within ±far
	for _, size := range sizes {
		step := int(size)
		next := make([]float64, len(chance))
		for i := reach - far; i <= reach+far; i++ {
			next[i-step] += chance[i] / 2
			next[i+step] += chance[i] / 2
		}
		chance, far = next, far+step
	}
	p := 0.0
	for i, c := range chance {
		if math.Abs(float64(i-reach)) >= least {
			p += c
		}
	}
	return min(1, p)
}

func flipEach(sizes []float64, least float64) float64 {
	choices, extreme := 1<<len(sizes), 0
	for choice := range choices {
		if math.Abs(signed(sizes, uint64(choice))) >= least {
			extreme++
		}
	}
	return float64(extreme) / float64(choices)
}

func flipRandomly(sizes []float64, least float64, seed uint64) float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	extreme := 0
	for range randomFlips {
		sum := 0.0
		for some := range slices.Chunk(sizes, 64) {
			sum += signed(some, random.Uint64())
		}
		if math.Abs(sum) >= least {
			extreme++
		}
	}
	return float64(1+extreme) / float64(1+randomFlips)
}

// signed sums sizes, negative where the bit of signs is set; at most 64 of them.
func signed(sizes []float64, signs uint64) float64 {
	sum := 0.0
	for i, size := range sizes {
		if signs>>i&1 == 1 {
			size = -size
		}
		sum += size
	}
	return sum
}
