package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gauntlet/internal/store"
)

// prose returns n bytes that compress about as well as the JSON of traces.
func prose(n int) []byte {
	random := rand.New(rand.NewPCG(5, 6))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, `{"kind":"call","tool":"t%d","arguments":{"id":"%08x"},"text":"word%d word%d"},`,
			random.IntN(20), random.Uint32(), random.IntN(999), random.IntN(999))
	}
	return b.Bytes()[:n]
}

// BenchmarkFinish finishes cells with outcomes of 10 KB and traces of 60 KB, by
// several goroutines at once. Every call returns after its commit is durable.
func BenchmarkFinish(b *testing.B) {
	outcome, trace := prose(10<<10), prose(60<<10)
	for _, workers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			s := open(b, filepath.Join(b.TempDir(), "bench.db"))
			defer s.Close()
			cells := make([]store.Cell, b.N)
			for i := range cells {
				cells[i] = store.Cell{ID: fmt.Sprintf("%064x", i), Index: i}
			}
			if err := s.CreateRun(b.Context(), store.Run{ID: "r", Created: time.Now()}, cells); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			var next atomic.Int64
			var wait sync.WaitGroup
			for range workers {
				wait.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						r := store.Result{Cell: cells[i-1].ID, Attempt: 1, Assessed: true, Outcome: outcome, Trace: trace}
						if err := s.Finish(b.Context(), "r", r); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wait.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cells/s")
		})
	}
}

// BenchmarkRead lists the cells of a run of 10,000 and its results with traces.
func BenchmarkRead(b *testing.B) {
	const n = 10_000
	s := open(b, filepath.Join(b.TempDir(), "bench.db"))
	defer s.Close()
	cells := make([]store.Cell, n)
	for i := range cells {
		cells[i] = store.Cell{ID: fmt.Sprintf("%064x", i), Index: i, Label: []byte(`{"case":"case","model":"model"}`)}
	}
	if err := s.CreateRun(b.Context(), store.Run{ID: "r"}, cells); err != nil {
		b.Fatal(err)
	}
	var wait sync.WaitGroup
	outcome, trace := prose(2<<10), prose(10<<10)
	for w := range 32 {
		wait.Go(func() {
			for i := w; i < n; i += 32 {
				if err := s.Finish(b.Context(), "r", store.Result{Cell: cells[i].ID, Attempt: 1, Assessed: true, Outcome: outcome, Trace: trace}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wait.Wait()
	b.Run("Run", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Run(b.Context(), "r"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Cells", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Cells(b.Context(), "r"); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, withTrace := range []bool{false, true} {
		b.Run(fmt.Sprintf("Results/traces=%t", withTrace), func(b *testing.B) {
			for b.Loop() {
				for _, err := range s.Results(b.Context(), "r", withTrace) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
