package model_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"gauntlet/internal/model"
	"gauntlet/internal/model/scripted"
)

// TestThousandAtOnce: a thousand requests to a server with latency run beside one
// another, on however busy a machine, and take little memory.
func TestThousandAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the load test takes seconds")
	}
	const latency, most = time.Second, 20 * time.Second
	s := scripted.New(scripted.Options{Latency: latency, Scripts: map[string]scripted.Script{"": {{Text: "ok"}}}})
	c := open(t, model.WireOpenAI, s, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			if _, err := c.Complete(t.Context(), ask(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	t.Logf("1,000 requests took %v; %d MB more from the system", took, (after.Sys-before.Sys)>>20)
	if took > most {
		t.Errorf("1,000 requests took %v, one takes %v: they waited for one another", took, latency)
	}
}
