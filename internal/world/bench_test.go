package world_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"gauntlet/internal/suite"
	"gauntlet/internal/world"
	"gauntlet/worlds"
)

// bench is the first bundled case with a middling state.
func bench(b testing.TB) (*world.Blueprint, *suite.Case) {
	b.Helper()
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		b.Fatal(err)
	}
	c, ok := s.Case("rush_shipments")
	if !ok {
		b.Fatal("no case rush_shipments")
	}
	w, _ := s.World(c.World)
	bp, err := w.Blueprint()
	if err != nil {
		b.Fatal(err)
	}
	return bp, c
}

func instance(b testing.TB) (*world.Instance, *suite.Case) {
	b.Helper()
	bp, c := bench(b)
	in, err := bp.New(c.State, world.Options{Seed: 1, Start: c.Time})
	if err != nil {
		b.Fatal(err)
	}
	return in, c
}

// BenchmarkCall plays the calls of a reference solution on forks of one episode.
// p50-ns is the median of the single calls.
func BenchmarkCall(b *testing.B) {
	in, c := instance(b)
	ctx := context.Background()
	live, err := in.Fork()
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := c.Solution[i%len(c.Solution)]
		if i%len(c.Solution) == 0 {
			b.StopTimer()
			if live, err = in.Fork(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		start := time.Now()
		if _, err := live.Call(ctx, k.Tool, k.Arguments); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
}

// BenchmarkNew starts an episode from a state.
func BenchmarkNew(b *testing.B) {
	bp, c := bench(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bp.New(c.State, world.Options{Seed: 1, Start: c.Time}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFork copies a live episode.
func BenchmarkFork(b *testing.B) {
	in, _ := instance(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.Fork(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkState converts the state of an episode.
func BenchmarkState(b *testing.B) {
	in, _ := instance(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.State(); err != nil {
			b.Fatal(err)
		}
	}
}

// maxLive is what 10,000 live episodes may hold on the heap.
const maxLive = 1 << 30

// live starts n episodes, makes one call in each, and returns what they hold.
func live(tb testing.TB, bp *world.Blueprint, c *suite.Case, n int) (heap uint64) {
	tb.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	all := make([]*world.Instance, n)
	for i := range all {
		var err error
		if all[i], err = bp.New(c.State, world.Options{Seed: uint64(i), Start: c.Time}); err != nil {
			tb.Fatal(err)
		}
		if _, err := all[i].Call(context.Background(), c.Solution[0].Tool, c.Solution[0].Arguments); err != nil {
			tb.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(all)
	return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
}

// BenchmarkLive measures the memory of 10,000 live episodes.
func BenchmarkLive(b *testing.B) {
	bp, c := bench(b)
	const n = 10_000
	var heap uint64
	for b.Loop() {
		heap = live(b, bp, c, n)
	}
	b.ReportMetric(float64(heap)/n, "B/episode")
	b.ReportMetric(float64(heap)/(1<<20), "MiB/10k")
}

// TestLive holds 10,000 live episodes to a GiB.
func TestLive(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 episodes take seconds")
	}
	bp, c := bench(t)
	heap := live(t, bp, c, 10_000)
	t.Logf("10,000 live episodes hold %d MiB", heap>>20)
	if heap > maxLive {
		t.Errorf("10,000 live episodes hold %d MiB, at most %d are allowed", heap>>20, maxLive>>20)
	}
}
