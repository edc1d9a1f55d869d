package world_test

import (
	"context"
	"testing"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
	"gauntlet/worlds"
)

// bench is the first bundled case with a middling state.
func bench(b *testing.B) (*world.Blueprint, *suite.Case) {
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

func instance(b *testing.B) (*world.Instance, *suite.Case) {
	bp, c := bench(b)
	in, err := bp.New(c.State, world.Options{Seed: 1, Start: c.Time})
	if err != nil {
		b.Fatal(err)
	}
	return in, c
}

// BenchmarkCall plays the calls of a reference solution on forks of one episode.
func BenchmarkCall(b *testing.B) {
	in, c := instance(b)
	ctx := context.Background()
	live, err := in.Fork()
	if err != nil {
		b.Fatal(err)
	}
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
		if _, err := live.Call(ctx, k.Tool, k.Arguments); err != nil {
			b.Fatal(err)
		}
	}
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

var _ trace.Value
