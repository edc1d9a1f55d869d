package py

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// Limits bound what one call into world code may use. The zero value of a
// field takes the default. All but Wall are deterministic: the same program
// stops at the same point on every machine.
type Limits struct {
	Steps  int64         // bytecode instructions and proportional work of built-ins; default 10 million
	Alloc  int64         // bytes allocated in one call, freed or not; default 128 MiB
	Depth  int           // nested Python calls before RecursionError; default 1000
	Output int           // bytes that print may write; default 1 MiB
	Wall   time.Duration // last resort against slow native code; default 10 s, negative: none
}

func (l Limits) withDefaults() Limits {
	if l.Steps == 0 {
		l.Steps = 10_000_000
	}
	if l.Alloc == 0 {
		l.Alloc = 128 << 20
	}
	if l.Depth == 0 {
		l.Depth = 1000
	}
	if l.Output == 0 {
		l.Output = 1 << 20
	}
	if l.Wall == 0 {
		l.Wall = 10 * time.Second
	}
	return l
}

// Importer finds library modules. py/stdlib provides it.
type Importer interface {
	// Import returns the module called name ("datetime", "os.path"), or false
	// when the library does not have it.
	Import(name string) (*Module, bool)
	// Knows reports whether CPython's module mod has the attribute although
	// the library here lacks it; such a use is refused at load.
	Knows(mod, attr string) bool
}

// Thread is one episode's execution context. It is not safe for concurrent use.
type Thread struct {
	Importer Importer
	// Now is the virtual clock; nil means a clock that stands at the Unix epoch.
	Now func() time.Time
	// Monotonic is the host's clock for the wall limit only; nil: no wall limit.
	Monotonic func() time.Duration

	lim      Limits
	steps    int64 // left
	alloc    int64 // left
	wallEnd  time.Duration
	depth    int
	native   int // depth of native recursion (repr, eq, deepcopy)
	out      []byte
	rng      *rand.PCG
	locals   map[string]Local
	argStack []Value
	stack    []Value // operand arena of running frames
	frames   []*frame
	scratch  *arena // where stack, argStack and frames come from
	frame    *frame // innermost running frame
	ctx      context.Context
	poll     int

	handling []*Instance // exceptions being handled, innermost last
	reprSet  []Value     // containers whose repr is under way

	seed      uint64
	clockRead bool
	home      home

	txn     uint32
	journal []undo
	log     accessLog
}

// Local is per-thread state of a library module (the random module's generator).
type Local interface {
	// Clone copies the state for a forked thread.
	Clone() Local
}

// NewThread makes a thread whose random source, ids and hash-dependent choices
// come from seed.
func NewThread(seed uint64, imp Importer, lim Limits) *Thread {
	t := &Thread{Importer: imp, lim: lim.withDefaults(), seed: seed, rng: rand.NewPCG(seed, 0x6761756e746c6574)}
	t.Refill()
	return t
}

// Refill grants the full limits again; call it before each call into world code.
func (t *Thread) Refill() {
	t.steps, t.alloc = t.lim.Steps, t.lim.Alloc
	t.depth, t.native = 0, 0
	t.out = t.out[:0]
	t.handling = t.handling[:0]
	t.reprSet = t.reprSet[:0]
	if t.Monotonic != nil && t.lim.Wall > 0 {
		t.wallEnd = t.Monotonic() + t.lim.Wall
	}
}

// SetContext makes the thread stop soon after ctx is done.
func (t *Thread) SetContext(ctx context.Context) { t.ctx = ctx }

// Clock returns the virtual time.
func (t *Thread) Clock() time.Time {
	t.clockRead = true
	if t.Now == nil {
		return time.Unix(0, 0).UTC()
	}
	return t.Now()
}

// Rand is the thread's seeded source, for ids and unseeded randomness.
func (t *Thread) Rand() *rand.PCG { return t.rng }

// Local returns the module state under key, made by mk on first use.
func (t *Thread) Local(key string, mk func() Local) Local {
	if l, ok := t.locals[key]; ok {
		return l
	}
	if t.locals == nil {
		t.locals = map[string]Local{}
	}
	l := mk()
	t.locals[key] = l
	return l
}

// Output is what print has written since Refill.
func (t *Thread) Output() string { return string(t.out) }

// Print appends to the output.
func (t *Thread) Print(s string) error {
	if len(t.out)+len(s) > t.lim.Output {
		return &LimitError{Kind: LimitOutput, Msg: fmt.Sprintf("more than %d bytes printed", t.lim.Output)}
	}
	t.out = append(t.out, s...)
	return nil
}

// LimitKind names the limit that was exceeded.
type LimitKind string

// The limits.
const (
	LimitSteps  LimitKind = "steps"
	LimitMemory LimitKind = "memory"
	LimitOutput LimitKind = "output"
	LimitTime   LimitKind = "time"
	LimitCancel LimitKind = "cancelled"
	LimitDepth  LimitKind = "depth"
)

// LimitError ends a call that exceeded a limit. Python code cannot catch it.
type LimitError struct {
	Kind LimitKind
	Msg  string
}

func (e *LimitError) Error() string { return "limit exceeded (" + string(e.Kind) + "): " + e.Msg }

// Charge takes n steps from the budget; native code calls it in proportion to
// its work, before doing it.
func (t *Thread) Charge(n int) error {
	t.steps -= int64(n)
	if t.steps < 0 {
		return &LimitError{LimitSteps, fmt.Sprintf("more than %d steps", t.lim.Steps)}
	}
	t.poll -= n
	if t.poll <= 0 {
		t.poll = 1 << 14
		return t.pollHost()
	}
	return nil
}

// pollHost looks at cancellation and the wall limit.
func (t *Thread) pollHost() error {
	if t.ctx != nil && t.ctx.Err() != nil {
		return &LimitError{LimitCancel, context.Cause(t.ctx).Error()}
	}
	if t.alloc < 0 {
		return t.Alloc(-1)
	}
	if t.Monotonic != nil && t.lim.Wall > 0 && t.Monotonic() > t.wallEnd {
		return &LimitError{LimitTime, fmt.Sprintf("more than %v", t.lim.Wall)}
	}
	return nil
}

// Alloc takes n bytes from the memory budget; native code calls it before
// allocating anything whose size the program controls. It also charges steps
// for the work of filling the memory.
func (t *Thread) Alloc(n int) error {
	if n < 0 || int64(n) > t.alloc {
		return &LimitError{LimitMemory, fmt.Sprintf("more than %d bytes allocated", t.lim.Alloc)}
	}
	t.alloc -= int64(n)
	if n >= 512 {
		return t.Charge(n >> 6)
	}
	return nil
}

// maxNative bounds recursion inside native code (nested repr, comparison, copy).
const maxNative = 900

// Enter guards native recursion; pair it with Leave.
func (t *Thread) Enter() error {
	t.native++
	if t.native > maxNative {
		t.native--
		return RaiseType(RecursionErrorType, "maximum recursion depth exceeded")
	}
	return nil
}

// Leave ends what Enter began.
func (t *Thread) Leave() { t.native-- }
