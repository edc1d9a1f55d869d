package model

import (
	"context"
	"math"
	"sync"
	"time"
)

// Limits are what a provider allows. A zero is no limit.
type Limits struct {
	// Concurrent is the most requests in flight.
	Concurrent int
	// RequestsPerMinute and TokensPerMinute are rates; a tenth of a minute's worth
	// may be used at once.
	RequestsPerMinute, TokensPerMinute float64
}

// Limits returns the limits of the provider's table entry.
func (p Provider) Limits() Limits {
	return Limits{Concurrent: p.Concurrent, RequestsPerMinute: p.RequestsPerMinute, TokensPerMinute: p.TokensPerMinute}
}

// Limiter keeps the traffic to one provider within its limits: concurrency, and
// rates of requests and tokens. When the provider answers with a rate limit, it
// pauses as long as it was told and halves the concurrency, which then grows by
// one for each round of successes, as TCP's window does (RFC 5681). One Limiter
// is shared by all clients of a provider; requests start in the order in which
// they come.
type Limiter struct {
	clock Clock
	limit Limits
	turn  chan struct{} // held by the request that is next to start
	freed chan struct{} // tells it that another one has ended

	mu       sync.Mutex
	window   float64 // the concurrency allowed now, at least 1
	inFlight int
	started  uint64 // requests started so far
	cut      uint64 // requests up to this one have had their say about the window
	paused   time.Time
	requests bucket
	tokens   bucket
}

// NewLimiter returns a limiter.
func NewLimiter(limit Limits, clock Clock) *Limiter {
	l := &Limiter{
		clock: clock, limit: limit,
		turn: make(chan struct{}, 1), freed: make(chan struct{}, 1),
		window: math.Inf(1),
	}
	if limit.Concurrent > 0 {
		l.window = float64(limit.Concurrent)
	}
	now := clock.Now()
	l.requests = newBucket(limit.RequestsPerMinute, now)
	l.tokens = newBucket(limit.TokensPerMinute, now)
	return l
}

// Window returns the concurrency that is allowed now; infinite without a limit.
func (l *Limiter) Window() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.window
}

// Wrap returns a client whose requests wait for their turn.
func (l *Limiter) Wrap(next Client) Client { return limited{next, l} }

type limited struct {
	next Client
	l    *Limiter
}

func (c limited) Complete(ctx context.Context, r Request) (Reply, error) {
	input, output := estimate(r)
	expected := float64(input + output)
	number, err := c.l.start(ctx, expected)
	if err != nil {
		return Reply{}, err
	}
	reply, failure := c.next.Complete(ctx, r)
	if failure != nil {
		e := asError(failure)
		c.l.end(number, expected, float64(e.Usage.InputTokens+e.Usage.OutputTokens), e)
		return Reply{}, failure
	}
	c.l.end(number, expected, float64(reply.Usage.InputTokens+reply.Usage.OutputTokens), nil)
	return reply, nil
}

// start waits until a request may start, and returns its number.
func (l *Limiter) start(ctx context.Context, expected float64) (uint64, error) {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return 0, contextError(ctx, "wait for turn")
	}
	defer func() { <-l.turn }()
	for {
		if ctx.Err() != nil {
			return 0, contextError(ctx, "wait for turn")
		}
		number, wait := l.admit(expected)
		switch {
		case number > 0:
			return number, nil
		case wait > 0:
			if l.clock.Sleep(ctx, wait) != nil {
				return 0, contextError(ctx, "wait for turn")
			}
		default:
			select {
			case <-l.freed:
			case <-ctx.Done():
			}
		}
	}
}

// admit starts a request if it may start now and returns its number from 1. If
// not, it returns 0 and the time to wait, which is 0 where a slot is missing.
func (l *Limiter) admit(expected float64) (uint64, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if float64(l.inFlight) >= math.Floor(l.window) {
		return 0, 0
	}
	now := l.clock.Now()
	wait := max(l.paused.Sub(now), l.requests.wait(now, 1), l.tokens.wait(now, expected))
	if wait > 0 {
		return 0, wait
	}
	l.requests.take(1)
	l.tokens.take(expected)
	l.inFlight++
	l.started++
	return l.started, 0
}

// end takes note of a request's end: what it consumed instead of what was
// expected, and what its failure says about the limits.
func (l *Limiter) end(number uint64, expected, consumed float64, failure *Error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case failure == nil:
		l.tokens.take(consumed - expected)
		if l.limit.Concurrent > 0 {
			l.window = min(l.window+1/l.window, float64(l.limit.Concurrent))
		} else if !math.IsInf(l.window, 1) {
			l.window += 1 / l.window
		}
	case failure.Kind == KindRateLimit && !failure.Permanent:
		l.tokens.take(-expected)
		pause := failure.RetryAfter
		if pause == 0 {
			pause = time.Second
		}
		if until := l.clock.Now().Add(pause); until.After(l.paused) {
			l.paused = until
		}
		// A burst that is refused as a whole counts once.
		if number > l.cut {
			l.window = max(1, math.Floor(min(l.window, float64(l.inFlight))/2))
			l.cut = l.started
		}
	default:
		l.tokens.take(consumed - expected)
	}
	l.inFlight--
	select {
	case l.freed <- struct{}{}:
	default: // it has been told already
	}
}

// bucket is a token bucket. The zero bucket is no limit.
type bucket struct {
	perSecond, size float64
	level           float64 // may be negative: a debt
	at              time.Time
}

// newBucket returns a full bucket of a tenth of a minute's worth.
func newBucket(perMinute float64, now time.Time) bucket {
	if perMinute <= 0 {
		return bucket{}
	}
	size := max(1, perMinute/10)
	return bucket{perSecond: perMinute / 60, size: size, level: size, at: now}
}

// wait fills the bucket up to now and returns the time until n can be taken. More
// than the bucket's size needs a full bucket and leaves a debt.
func (b *bucket) wait(now time.Time, n float64) time.Duration {
	if b.perSecond == 0 {
		return 0
	}
	if d := now.Sub(b.at).Seconds(); d > 0 {
		b.level = min(b.size, b.level+d*b.perSecond)
		b.at = now
	}
	missing := min(n, b.size) - b.level
	if missing <= 1e-9*b.size {
		return 0
	}
	return max(time.Microsecond, time.Duration(math.Ceil(min(missing/b.perSecond, 3600)*float64(time.Second))))
}

func (b *bucket) take(n float64) {
	if b.perSecond > 0 {
		b.level = min(b.size, b.level-n)
	}
}
