package metrics

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Bootstrap says how to resample. The same values always give the same interval.
type Bootstrap struct {
	Resamples int    `json:"resamples"` // 0: DefaultResamples
	Seed      uint64 `json:"seed"`      // of the PCG generator
}

// DefaultResamples is how often a bootstrap resamples unless told otherwise.
const DefaultResamples = 2000

// MinClusters is the number of clusters from which on they are resampled. No
// resample lies outside the smallest and the largest of C cluster means, and
// those enclose the centre of a symmetric distribution with probability
// 1 - 2^(1-C): 93.8 % for 5 clusters, 96.9 % for 6. With fewer than 6 the
// bootstrap cannot say 95 %, however it is computed.
const MinClusters = 6

// Method is how an interval over clusters was found.
type Method string

// The methods.
const (
	// MethodBootstrap resamples whole clusters.
	MethodBootstrap Method = "bootstrap"
	// MethodWilson is the Wilson interval with every cluster as one case.
	MethodWilson Method = "wilson"
)

// Clustered is a 95 % interval that counts clusters, not cells, as independent.
type Clustered struct {
	Interval
	Clusters int    `json:"clusters"` // with at least one assessed cell
	Method   Method `json:"method"`
}

// Clusters collects the scores of assessed cells by cluster, such as the
// scenario that they share. What could not be assessed is not added. The zero
// Clusters is empty and ready for use; it is not safe for concurrent use.
type Clusters struct {
	scores map[string][]float64
}

// Add puts in the score of one cell. A score that is NaN or outside [0, 1] is an
// error and adds nothing.
func (c *Clusters) Add(cluster string, score float64) error {
	if !(score >= 0 && score <= 1) {
		return fmt.Errorf("add to cluster %q: score is %v, want a number from 0 to 1", cluster, score)
	}
	if c.scores == nil {
		c.scores = map[string][]float64{}
	}
	c.scores[cluster] = append(c.scores[cluster], score)
	return nil
}

// Interval returns a 95 % interval for the expected score of a cell; ok = false
// when there are no cells. It contains the mean, lies in [0, 1], has no zero
// width, and does not depend on the order in which cells were added.
//
// Whole clusters are drawn with replacement, as many as there are, and the sum
// of their scores is divided by the number of their cells: the ratio estimator,
// in which large clusters weigh more, as they do in the plain mean. A cluster
// without cells was never added, so every resample has cells. The interval is
// the expanded percentile interval: quantiles of the resampled ratios, further
// out than 2.5 % and 97.5 % by what the t distribution with one degree of
// freedom less than there are clusters demands, since the plain percentile
// interval is too narrow when clusters are few.
//
// With fewer than MinClusters clusters, or when all clusters have the same mean,
// the bootstrap has nothing to say: in the second case its width is zero, a
// false certainty. Then the interval is the one of [Mean.Interval] with
// (Σn)²/Σn² in the place of the number of cases, where n is the number of cells
// of a cluster. That is the number of clusters when they are of equal size, and
// less when some dominate. Within a cluster it assumes nothing.
//
// Sources: A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their
// Application" (1997), section 3.8, for resampling clusters; T. C. Hesterberg,
// "What Teachers Should Know About the Bootstrap", The American Statistician 69
// (2015) 371-386, for the expansion; L. Kish, "Survey Sampling" (1965), for the
// effective number.
func (c *Clusters) Interval(b Bootstrap) (interval Clustered, ok bool) {
	var groups []group
	for _, key := range slices.Sorted(maps.Keys(c.scores)) {
		var g group
		for _, score := range slices.Sorted(slices.Values(c.scores[key])) {
			g.sum += score
			g.n++
		}
		groups = append(groups, g)
	}
	if len(groups) == 0 {
		return Clustered{}, false
	}
	if i, ok := resample(groups, b); ok {
		return Clustered{Interval{max(0, i.Low), min(1, i.High)}, len(groups), MethodBootstrap}, true
	}
	effective := effectiveClusters(groups)
	lo, hi := scoreInterval(min(1, ratio(groups))*effective, effective, Z95)
	return Clustered{Interval{lo, hi}, len(groups), MethodWilson}, true
}

// group is the sum of the n scores of one cluster, n > 0.
type group struct {
	sum float64
	n   int
}

func (g group) mean() float64 { return g.sum / float64(g.n) }

func ratio(groups []group) float64 {
	var total group
	for _, g := range groups {
		total.sum += g.sum
		total.n += g.n
	}
	return total.mean()
}

// effectiveClusters is Kish's number: a mean with weights w_i = n_i/Σn of values
// with variance v has the variance v·Σw², that of a plain mean of 1/Σw² values.
func effectiveClusters(groups []group) float64 {
	var sum, squares float64
	for _, g := range groups {
		n := float64(g.n)
		sum += n
		squares += n * n
	}
	return sum * sum / squares
}

// sameMean is the difference up to which two means count as equal, so that the
// rounding of sums is not taken for spread.
const sameMean = 1e-12

// resample returns the expanded percentile interval of the ratio of groups, or
// false when they are too few or too much alike.
func resample(groups []group, b Bootstrap) (Interval, bool) {
	byMean := func(x, y group) int { return cmp.Compare(x.mean(), y.mean()) }
	spread := slices.MaxFunc(groups, byMean).mean() - slices.MinFunc(groups, byMean).mean()
	if len(groups) < MinClusters || spread <= sameMean {
		return Interval{}, false
	}
	times := b.Resamples
	if times <= 0 {
		times = DefaultResamples
	}
	random := rand.New(rand.NewPCG(b.Seed, 0))
	ratios := make([]float64, times)
	for i := range ratios {
		var total group
		for range groups {
			g := groups[random.IntN(len(groups))]
			total.sum += g.sum
			total.n += g.n
		}
		ratios[i] = total.mean()
	}
	slices.Sort(ratios)
	tail, value := expandedTail(len(groups)), ratio(groups)
	return Interval{min(value, quantile(ratios, tail)), max(value, quantile(ratios, 1-tail))}, true
}

// quantile interpolates between order statistics: definition 7 of R. J. Hyndman
// and Y. Fan, The American Statistician 50 (1996) 361-365, NumPy's default.
func quantile(sorted []float64, q float64) float64 {
	position := q * float64(len(sorted)-1)
	below := int(position)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	fraction := position - float64(below)
	return sorted[below] + fraction*(sorted[below+1]-sorted[below])
}

// expandedTail is the probability to cut off on each side for n values, n > 1:
// Φ(-t·sqrt(n/(n-1))), with t the 97.5 % quantile of Student's t distribution
// with n-1 degrees of freedom. It nears 2.5 % from below as n grows.
func expandedTail(n int) float64 {
	z := studentQuantile95(n-1) * math.Sqrt(float64(n)/float64(n-1))
	return math.Erfc(z/math.Sqrt2) / 2
}

// studentQuantile95 returns the t with P(|T| ≤ t) = 0.95 for Student's T with df
// ≥ 1 degrees of freedom; no such t is above 12.8.
func studentQuantile95(df int) float64 {
	lo, hi := 0.0, 13.0
	for range 60 {
		if t := (lo + hi) / 2; studentWithin(t, df) < 0.95 {
			lo = t
		} else {
			hi = t
		}
	}
	return (lo + hi) / 2
}

// studentWithin returns P(|T| ≤ t) for Student's T with df degrees of freedom.
//
// Source: the finite sums 26.7.3 and 26.7.4 of M. Abramowitz and I. A. Stegun,
// "Handbook of Mathematical Functions" (1964).
func studentWithin(t float64, df int) float64 {
	theta := math.Atan(t / math.Sqrt(float64(df)))
	sin, cos := math.Sincos(theta)
	odd := df % 2
	term := 1.0 // of the sum, at the power of the cosine that is its index
	if odd == 1 {
		term = cos
	}
	sum := 0.0
	for power := odd; power <= df-2; power += 2 {
		sum += term
		term *= cos * cos * float64(power+1) / float64(power+2)
	}
	if odd == 1 {
		return 2 / math.Pi * (theta + sin*sum)
	}
	return sin * sum
}
