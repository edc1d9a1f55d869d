package stdlib

import (
	"fmt"
	"testing"
)

func TestStatisticsDiff(t *testing.T) {
	diffSnippets(t, "import statistics\nfrom fractions import Fraction as F", append(statisticsSnippets, statisticsGrid()...))
}

// statisticsGrid calls each function of one data set with many data sets.
func statisticsGrid() []string {
	var out []string
	for _, f := range []string{"mean", "fmean", "geometric_mean", "harmonic_mean", "median", "median_low", "median_high", "median_grouped", "mode", "multimode", "pvariance", "variance", "pstdev", "stdev", "quantiles"} {
		for _, d := range []string{
			"[]", "[1]", "[1, 2, 3]", "[1, 2, 3, 4]", "[1.5, 2.5, 4]", "[0.1, 0.2, 0.3]", "[F(1, 3), F(2, 3)]", "[F(1, 2), 1.5, 2]", "[True, False, True]", "(5, 5, 5)", "range(1, 11)",
			"[10**20, 1]", "[1e300, 1e300, 2e300]", "[1e-310, 2e-310]", "[float('inf'), 1]", "[float('nan'), 1.0]", "[-1, -2, 3]", "'abc'", "['a', 'b', 'a']", "[None]", "5", "iter([3, 1, 2])", "{1: 2, 3: 4}", "[0, 5]", "[0.0, 1e16, -1e16, 1]", "[3.3] * 7", "[1, 1, 2, 2, 3]", "[2.75, 1.75, 1.25, 0.25, 0.5, 1.25, 3.5]",
		} {
			out = append(out, fmt.Sprintf("statistics.%s(%s)", f, d))
		}
	}
	return out
}

var statisticsSnippets = []string{
	`statistics.mean()`, `statistics.mean([1], 2)`, `statistics.mean(data=[1, 3])`, `statistics.StatisticsError('x')`, `issubclass(statistics.StatisticsError, ValueError), statistics.StatisticsError.__module__`,
	`statistics.fmean([85, 92, 83, 91], weights=[0.2, 0.2, 0.3, 0.3])`, `statistics.fmean([1, 2], [1])`, `statistics.fmean([1, 2], [0, 0])`, `statistics.fmean([1, 2], iter([1, 3]))`, `statistics.fmean(iter([1, 2]), iter([1, 3]))`,
	`statistics.harmonic_mean([40, 60], weights=[5, 30])`, `statistics.harmonic_mean([1, 2], weights=[1])`, `statistics.harmonic_mean([1, 2], weights=[1, -1])`, `statistics.harmonic_mean([1, 2], weights=[0, 0])`, `statistics.harmonic_mean([F(1, 2), F(1, 3)])`, `statistics.harmonic_mean([-1])`, `statistics.harmonic_mean(['a'])`, `statistics.harmonic_mean([1, 0], weights=[1, 0])`,
	`statistics.median_grouped([1, 2, 2, 3, 4, 4, 4, 4, 4, 5])`, `statistics.median_grouped([1, 3, 3, 5, 7], interval=2)`, `statistics.median_grouped([52, 52, 53, 54])`,
	`statistics.variance([1, 2, 3, 4], 2.5)`, `statistics.variance([1, 2, 3, 4], xbar=2)`, `statistics.pvariance([1, 2, 3, 4], mu=2.5)`, `statistics.stdev([1, 2, 3, 4], 2.5)`, `statistics.pstdev([0.1, 0.2, 0.4], 0.2)`, `statistics.variance([1, 2], mu=1)`, `statistics.variance([F(1, 2), F(3, 4)], F(5, 8))`,
	`statistics.quantiles([1, 2, 3, 4, 5], n=10)`, `statistics.quantiles([1, 2, 3, 4, 5], n=10, method='inclusive')`, `statistics.quantiles([1, 2], n=1)`, `statistics.quantiles([1, 2], n=0)`, `statistics.quantiles([1, 2], method='x')`, `statistics.quantiles([1])`, `statistics.quantiles(range(100), n=100)`, `statistics.quantiles([105, 129, 87, 86, 111, 111, 89, 81, 108, 92, 110], n=10)`, `statistics.quantiles([F(1, 2), F(1, 3), F(3, 4)])`,
	`statistics.covariance([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 1, 2, 3, 1, 2, 3])`, `statistics.covariance([1], [1])`, `statistics.covariance([1, 2], [1])`, `statistics.covariance(iter([1]), [1])`, `statistics.covariance(x=[1, 2], y=[1, 2])`,
	`statistics.correlation([1, 2, 3, 4], [2, 4, 6, 8.5])`, `statistics.correlation([1, 2, 3], [9, 8, 1])`, `statistics.correlation([1, 1], [1, 2])`, `statistics.correlation([1], [2])`, `statistics.correlation([1, 2], [2])`, `statistics.correlation([0.1, 0.25, 3], [F(1, 2), 2, 7])`,
	`statistics.linear_regression([1, 2, 3, 4], [2, 4, 6, 8.5])`, `statistics.linear_regression([1, 2, 3], [3, 5, 7]).slope`, `statistics.linear_regression([1, 2, 3], [3, 5, 7.5], proportional=True)`, `statistics.linear_regression([1, 1], [2, 3])`, `statistics.linear_regression([1], [2])`, `statistics.linear_regression([1, 2], [2])`,
	"s, i = statistics.linear_regression([1, 2, 3], [3, 5, 7])\nprint(s, i)", "r = statistics.linear_regression([1, 2, 3], [3, 5, 7])\nprint(r == (2.0, 1.0), r[0], len(r), isinstance(r, tuple), r._asdict(), r._fields, r)",
	"class M(int): pass\nprint(type(statistics.mean([M(1), M(3)])).__name__, statistics.mean([M(1), 2]))", "class G(float): pass\nprint(type(statistics.mean([G(1), G(3)])).__name__, type(statistics.mean([G(1), 2.0])).__name__, type(statistics.variance([G(1), 2.0])).__name__)",
	`statistics.mean([F(1, 2), F(1, 3), 1])`, `type(statistics.mean([F(1, 2), F(1, 2)])).__name__`, `statistics.mean([1, 2.0])`, `statistics.mean([1, 2])`, `type(statistics.mean([1, 3])).__name__`, `statistics.mean([1, None])`, `statistics.mean([[1]])`, `statistics.mean([10**400, 1])`, `statistics.mean([1e308, 1e308])`, `statistics.mean([float('inf'), -float('inf')])`, `statistics.mean([float('inf'), 1])`, `statistics.variance([float('inf'), 1])`,
	`statistics.mean(x / 10 for x in range(100))`, `statistics.stdev([x * 0.1 for x in range(100)])`, `statistics.pstdev([x ** 2 / 7 for x in range(100)])`, `statistics.variance([x / 3 for x in range(50)])`, `statistics.stdev([1e-200, 3e-200])`, `statistics.stdev([1e200, 3e200])`, `statistics.stdev([10**30, 10**30 + 7])`, `statistics.stdev([F(1, 3), F(7, 3)])`, `statistics.geometric_mean([54, 24, 36])`, `statistics.geometric_mean(range(1, 50))`, `statistics.geometric_mean(['a'])`,
	`statistics.mode(['red', 'blue', 'red'])`, `statistics.mode('aabbb')`, `statistics.mode([[1]])`, `statistics.multimode('aabbbbccddddeeffffgg')`, `statistics.multimode('')`, `statistics.mode([1, 1.0, True, 2])`,
	`statistics.median(['a', 'b'])`, `statistics.median(['a', 'b', 'c'])`, `statistics.median([1, 'a'])`, `statistics.median([F(1, 2), F(1, 3)])`, `statistics.median([3, 1, 2, 10])`,
	`statistics.NormalDist(), statistics.NormalDist(5), statistics.NormalDist(1.5, 2)`, `statistics.NormalDist(0, -1)`, `statistics.NormalDist(sigma=3, mu=1).variance`, `statistics.NormalDist('a')`, `statistics.NormalDist(1, 2, 3)`,
	"n = statistics.NormalDist(100, 15)\nprint(n.mean, n.median, n.mode, n.stdev, n.variance, n.pdf(110), n.inv_cdf(0.3), n.inv_cdf(0.001), n.inv_cdf(1e-20), n.quantiles(), n.quantiles(n=10), n.zscore(130))",
	"n = statistics.NormalDist(1060, 195)\nprint(round(n.cdf(1200 + 0.5) - n.cdf(1100 - 0.5), 3), n.samples(5, seed=3))",
	"a = statistics.NormalDist(1, 2)\nb = statistics.NormalDist(3, 4)\nprint(a + b, a - b, a + 1, 1 + a, a - 1, 1 - a, a * 2, 2 * a, a / 2, -a, +a, a == b, a == statistics.NormalDist(1, 2), hash(a) == hash(statistics.NormalDist(1, 2)), a.overlap(b), a.overlap(statistics.NormalDist(2, 2)))",
	`statistics.NormalDist(1, 0).cdf(1)`, `statistics.NormalDist(1, 0).pdf(1)`, `statistics.NormalDist(1, 0).inv_cdf(0.5)`, `statistics.NormalDist().inv_cdf(0)`, `statistics.NormalDist().inv_cdf(1.5)`, `statistics.NormalDist().overlap(1)`, `statistics.NormalDist() / 0`, `statistics.NormalDist.from_samples([1, 2, 3.5])`, `statistics.NormalDist.from_samples([1])`, `statistics.NormalDist(1, 0).zscore(2)`,
}
