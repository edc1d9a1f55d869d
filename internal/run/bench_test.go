package run_test

import (
	"context"
	"testing"

	"gauntlet/internal/run"
	"gauntlet/internal/suite"
	"gauntlet/worlds"
)

// play runs a suite with one agent in each iteration.
func play(b *testing.B, s *suite.Suite, o run.Options) {
	b.Helper()
	b.ReportAllocs()
	cells := 0
	for b.Loop() {
		outcomes, err := run.Run(context.Background(), s, o)
		if err != nil {
			b.Fatal(err)
		}
		cells = len(outcomes)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cells), "ns/cell")
}

// BenchmarkPublishedNoop is the run of 502 published cases in which nobody acts:
// worlds start, and 10,360 + 1,402 checks run.
func BenchmarkPublishedNoop(b *testing.B) {
	s := bench(b)
	b.ResetTimer()
	play(b, s, run.Options{Agents: []string{"reference:noop"}, Compat: true, Seed: 1})
}

// BenchmarkBundled is the main job: the bundled suite with all reference agents.
func BenchmarkBundled(b *testing.B) {
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		b.Fatal(err)
	}
	play(b, s, run.Options{Agents: []string{"reference:noop", "reference:random", "reference:solver", "reference:gullible"}, Seed: 1})
}
