package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestRateString(t *testing.T) {
	tests := []struct {
		rate Rate
		want string
	}{
		{Rate{}, "-"},
		{Rate{Excluded: 2}, "- excluded=2"},
		{Rate{0, 20, 0}, "0.0% [0.0, 16.1] n=20 excluded=0"},
		{Rate{81, 263, 5}, "30.8% [25.5, 36.6] n=263 excluded=5"},
		{Rate{1, 1, 0}, "100.0% [20.7, 100.0] n=1 excluded=0"},
		{Rate{3, 2, 0}, "invalid 3/2 excluded=0"},
	}
	for _, tt := range tests {
		if got := tt.rate.String(); got != tt.want {
			t.Errorf("%#v prints %q, want %q", tt.rate, got, tt.want)
		}
	}
}

// Counts that cannot be, and counts over nothing, have no value and no interval.
func TestRateWithoutValue(t *testing.T) {
	for _, rate := range []Rate{{}, {0, 0, 9}, {2, 1, 0}, {-1, 1, 0}, {0, -1, 0}, {0, 1, -1}} {
		if value, ok := rate.Value(); ok {
			t.Errorf("%#v has the value %v", rate, value)
		}
		if interval, ok := rate.Interval(); ok {
			t.Errorf("%#v has the interval %v", rate, interval)
		}
	}
}

func TestRatePlus(t *testing.T) {
	if got, want := (Rate{1, 2, 3}).Plus(Rate{10, 20, 30}), (Rate{11, 22, 33}); got != want {
		t.Errorf("sum is %v, want %v", got, want)
	}
}

func TestMeanString(t *testing.T) {
	tests := []struct {
		scores   []float64
		excluded int
		want     string
	}{
		{nil, 0, "-"},
		{nil, 3, "- excluded=3"},
		{[]float64{0.25, 0.75}, 1, "50.0% [9.5, 90.5] n=2 excluded=1"},
		{[]float64{1, 1, 1}, 0, "100.0% [43.9, 100.0] n=3 excluded=0"},
	}
	for _, tt := range tests {
		mean, err := MeanOf(tt.scores, tt.excluded)
		if err != nil {
			t.Fatal(err)
		}
		if got := mean.String(); got != tt.want {
			t.Errorf("mean of %v prints %q, want %q", tt.scores, got, tt.want)
		}
	}
}

func TestMeanRefuses(t *testing.T) {
	for _, scores := range [][]float64{{0.5, -0.1}, {1.1}, {math.NaN()}, {math.Inf(1)}} {
		if mean, err := MeanOf(scores, 0); err == nil {
			t.Errorf("mean of %v is %v, want an error", scores, mean)
		}
	}
	if mean, err := MeanOf([]float64{1}, -1); err == nil {
		t.Errorf("mean with -1 excluded is %v, want an error", mean)
	}
	for _, mean := range []Mean{{}, {Sum: 2, N: 1}, {Sum: -1, N: 1}, {Sum: math.NaN(), N: 1}, {Sum: 1, N: 1, Excluded: -1}} {
		if value, ok := mean.Value(); ok {
			t.Errorf("%#v has the value %v", mean, value)
		}
	}
	if got, want := (Mean{Sum: 2, N: 1}).String(), "invalid 2/1 excluded=0"; got != want {
		t.Errorf("prints %q, want %q", got, want)
	}
}

func TestMeanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 50).Draw(t, "scores")
		mean, err := MeanOf(scores, 0)
		if err != nil {
			t.Fatal(err)
		}
		value, _ := mean.Value()
		interval, ok := mean.Interval()
		if !ok || !(0 <= interval.Low && interval.Low <= value && value <= interval.High && interval.High <= 1) {
			t.Fatalf("interval %v around %v", interval, value)
		}
		shuffled := rapid.Permutation(scores).Draw(t, "shuffled")
		if again, _ := MeanOf(shuffled, 0); again != mean {
			t.Fatalf("order changes the mean: %v and %v", mean, again)
		}
	})
}

// On scores that are 0 or 1 the mean is a rate, with the same interval.
func TestMeanOfRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		scores := make([]float64, n)
		for i := range k {
			scores[i] = 1
		}
		mean, err := MeanOf(scores, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := mean.String(), (Rate{k, n, 0}).String(); got != want {
			t.Fatalf("mean %q, rate %q", got, want)
		}
	})
}

// TestMeanCoverage counts, over seeded samples, how often the interval contains
// the true mean. 2000 samples know a coverage of 95 % to about ±1 point.
func TestMeanCoverage(t *testing.T) {
	tests := []struct {
		name string
		draw func(*rand.Rand) float64
		mean float64
	}{
		{"uniform", func(r *rand.Rand) float64 { return r.Float64() }, 1.0 / 2},
		{"skewed low", func(r *rand.Rand) float64 { return math.Pow(r.Float64(), 4) }, 1.0 / 5},
		{"graded, mostly none", func(r *rand.Rand) float64 { return float64(max(0, r.IntN(10)-6)) / 3 }, 1.0 / 5},
		{"yes or no", func(r *rand.Rand) float64 { return float64(r.IntN(2)) }, 1.0 / 2},
	}
	for _, tt := range tests {
		for _, n := range []int{5, 30} {
			random := rand.New(rand.NewPCG(1, uint64(n)))
			const samples = 2000
			covered := 0
			for range samples {
				scores := make([]float64, n)
				for i := range scores {
					scores[i] = tt.draw(random)
				}
				mean, err := MeanOf(scores, 0)
				if err != nil {
					t.Fatal(err)
				}
				if interval, _ := mean.Interval(); interval.Low <= tt.mean && tt.mean <= interval.High {
					covered++
				}
			}
			// The lattice of a binomial with n = 5 costs the interval up to 2 points.
			if coverage := float64(covered) / samples; coverage < 0.93 {
				t.Errorf("%s, n = %d: coverage %.3f", tt.name, n, coverage)
			}
		}
	}
}
