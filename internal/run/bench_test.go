package run_test

import (
	"testing"

	"gauntlet/internal/run"
	"gauntlet/internal/suite"
	"gauntlet/worlds"
)

// play runs a suite with one agent in each iteration.
func play(b *testing.B, s *suite.Suite, agents []string, o run.Options) {
	b.Helper()
	b.ReportAllocs()
	cells := 0
	for b.Loop() {
		cells = len(playNamed(b, s, agents, 1, 0, o))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cells), "ns/cell")
}

// references are the reference agents.
var references = []string{"reference:noop", "reference:random", "reference:solver", "reference:gullible"}

// BenchmarkPublishedNoop is the run of 502 published cases in which nobody acts:
// worlds start, and 10,360 + 1,402 checks run.
func BenchmarkPublishedNoop(b *testing.B) {
	s := bench(b)
	b.ResetTimer()
	play(b, s, []string{"reference:noop"}, run.Options{Compat: true})
}

// BenchmarkBundled is the main job: the bundled suite with all reference agents.
func BenchmarkBundled(b *testing.B) {
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		b.Fatal(err)
	}
	play(b, s, references, run.Options{})
}
