package model

import (
	"context"
	"gauntlet/internal/trace"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"
)

// RetryOptions say how often and how patiently to ask again.
type RetryOptions struct {
	// Clock is required.
	Clock Clock
	// Attempts is the most attempts, the first one included; 0 stands for 6.
	Attempts int
	// Base is the wait after the first failure; it doubles each time. 0 stands for a second.
	Base time.Duration
	// Max limits a wait, unless the service asks for a longer one; 0 stands for a minute.
	Max time.Duration
	// Seed is the source of the jitter.
	Seed uint64
	// Kinds are asked again; nil stands for [RetryKinds].
	Kinds []Kind
}

// RetryKinds returns the kinds that asking again can cure. A malformed reply is
// among them because a proxy's page of HTML and an empty choice come and go;
// those that the request itself brings about are marked [Error.Permanent].
func RetryKinds() []Kind {
	return []Kind{KindRateLimit, KindOverloaded, KindTimeout, KindMalformed}
}

// Retry is a Client that asks again when a request fails in a way that may pass.
type Retry struct {
	next Client
	o    RetryOptions
}

// NewRetry wraps a client.
func NewRetry(next Client, o RetryOptions) *Retry {
	if o.Attempts <= 0 {
		o.Attempts = 6
	}
	if o.Base <= 0 {
		o.Base = time.Second
	}
	if o.Max <= 0 {
		o.Max = time.Minute
	}
	if o.Kinds == nil {
		o.Kinds = RetryKinds()
	}
	return &Retry{next, o}
}

// Complete asks until there is a reply, a failure that stays, or no attempt
// left; then it returns the last failure. The usage of the result covers all
// attempts.
func (c *Retry) Complete(ctx context.Context, r Request) (Reply, error) {
	var spent trace.Usage
	var random *rand.Rand
	for attempt := 1; ; attempt++ {
		reply, err := c.next.Complete(ctx, r)
		if err == nil {
			reply.Usage = spent.Plus(reply.Usage)
			return reply, nil
		}
		failure := *asError(err) // a copy: the usage is ours
		failure.Usage = spent.Plus(failure.Usage)
		spent = failure.Usage
		again := slices.Contains(c.o.Kinds, failure.Kind) && !failure.Permanent
		if !again || attempt >= c.o.Attempts || ctx.Err() != nil {
			return Reply{}, &failure
		}
		if random == nil {
			random = c.random(r)
		}
		if err := c.o.Clock.Sleep(ctx, c.wait(attempt, failure.RetryAfter, random)); err != nil {
			stopped := *contextError(ctx, "wait for next attempt")
			stopped.Usage = failure.Usage
			return Reply{}, &stopped
		}
	}
}

// random returns the source of a request's jitter. It depends on the request
// alone, so that waits do not depend on the order of goroutines.
func (c *Retry) random(r Request) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write(r.Canonical()) // a hash takes everything
	return rand.New(rand.NewPCG(c.o.Seed, h.Sum64()))
}

// wait returns the wait after a failed attempt: between half and all of the
// exponential step, and at least what the service asks for, with up to a tenth
// on top so that those who were told the same do not come back at once.
func (c *Retry) wait(attempt int, asked time.Duration, random *rand.Rand) time.Duration {
	step := c.o.Max
	if shift := attempt - 1; shift < 30 && c.o.Base <= c.o.Max>>shift {
		step = c.o.Base << shift
	}
	f := random.Float64()
	wait := step/2 + time.Duration(f*float64(step/2))
	if asked > 0 {
		wait = max(wait, asked+time.Duration(f*float64(asked)/10))
	}
	return wait
}
