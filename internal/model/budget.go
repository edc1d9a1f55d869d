package model

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gauntlet/internal/trace"
)

// Allowance is what an experiment may consume. A zero is no limit.
type Allowance struct {
	// Tokens are input and output together.
	Tokens int64
	// USD is money, by the price table.
	USD float64
	// Time is from the making of the budget.
	Time time.Duration
}

// Budget stops an experiment that has used up its means: further requests fail
// with [KindBudget] and are not sent. One Budget is shared by all clients of an
// experiment. While requests are in flight, their estimated consumption is set
// aside, and others wait if nothing else is left; so the limit is exceeded by at
// most what one request consumes beyond its estimate for each one in flight.
type Budget struct {
	clock Clock
	limit Allowance
	start time.Time

	mu       sync.Mutex
	spent    trace.Usage
	reserved reservation
	settled  chan struct{} // closed and replaced when a request ends
}

// reservation is what requests in flight may consume.
type reservation struct {
	requests int
	tokens   int64
	usd      float64
}

// NewBudget returns a budget whose time starts now.
func NewBudget(limit Allowance, clock Clock) *Budget {
	return &Budget{clock: clock, limit: limit, start: clock.Now(), settled: make(chan struct{})}
}

// Spent returns what has been consumed so far.
func (b *Budget) Spent() trace.Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// Wrap returns a client of a model that draws on the budget. It fails if the
// budget is in money and the provider's table has no price for the model: money
// that cannot be counted cannot be limited.
func (b *Budget) Wrap(next Client, s Spec) (Client, error) {
	price, ok := s.Provider.Price(s.Model)
	if !ok && b.limit.USD > 0 {
		return nil, fmt.Errorf("budget in money: no price for model %q in the table of provider %q", s.Model, s.Provider.Name)
	}
	return budgeted{next, b, price}, nil
}

type budgeted struct {
	next  Client
	b     *Budget
	price Price
}

func (c budgeted) Complete(ctx context.Context, r Request) (Reply, error) {
	input, output := estimate(r)
	aside := reservation{1, input + output, c.price.Cost(trace.Usage{InputTokens: input, OutputTokens: output})}
	if err := c.b.reserve(ctx, aside); err != nil {
		return Reply{}, err
	}
	if c.b.limit.Time > 0 {
		left := c.b.limit.Time - c.b.clock.Now().Sub(c.b.start)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, left, c.b.exhausted("time"))
		defer cancel()
	}
	reply, err := c.next.Complete(ctx, r)
	consumed := reply.Usage
	if err != nil {
		consumed = asError(err).Usage
	}
	c.b.settle(aside, consumed)
	return reply, err
}

// reserve sets the estimate of a request aside, or returns why it must not start.
func (b *Budget) reserve(ctx context.Context, aside reservation) error {
	for {
		b.mu.Lock()
		what, wait := b.missing()
		if what == "" && !wait {
			b.reserved.add(aside, 1)
			b.mu.Unlock()
			return nil
		}
		settled := b.settled
		b.mu.Unlock()
		if what != "" {
			return b.exhausted(what)
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return contextError(ctx, "wait for budget")
		}
	}
}

// missing returns what is used up, or whether all that is left is set aside.
func (b *Budget) missing() (what string, wait bool) {
	tokens := b.spent.InputTokens + b.spent.OutputTokens
	l := b.limit
	switch {
	case l.Time > 0 && b.clock.Now().Sub(b.start) >= l.Time:
		return "time", false
	case l.Tokens > 0 && tokens >= l.Tokens:
		return "tokens", false
	case l.USD > 0 && b.spent.CostUSD >= l.USD:
		return "money", false
	}
	return "", b.reserved.requests > 0 &&
		(l.Tokens > 0 && tokens+b.reserved.tokens >= l.Tokens || l.USD > 0 && b.spent.CostUSD+b.reserved.usd >= l.USD)
}

func (r *reservation) add(s reservation, sign int) {
	r.requests += sign * s.requests
	r.tokens += int64(sign) * s.tokens
	r.usd += float64(sign) * s.usd
	if r.requests == 0 {
		*r = reservation{} // sums of floats leave crumbs
	}
}

func (b *Budget) settle(aside reservation, consumed trace.Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved.add(aside, -1)
	b.spent = b.spent.Plus(consumed)
	close(b.settled)
	b.settled = make(chan struct{})
}

func (b *Budget) exhausted(what string) *Error {
	l := b.limit
	limits := map[string]string{
		"time": l.Time.String(), "tokens": fmt.Sprintf("%d tokens", l.Tokens), "money": fmt.Sprintf("US$ %.2f", l.USD),
	}
	return &Error{Kind: KindBudget, Op: "reserve budget", Message: fmt.Sprintf("the budget of %s is used up", limits[what]), Permanent: true}
}
