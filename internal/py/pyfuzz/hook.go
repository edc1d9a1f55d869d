package pyfuzz

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

// Interp runs a program in the interpreter under test. It must be safe for
// concurrent use. A source that does not compile is reported with the error
// type CompileError, a program beyond its limits with Timeout, and one that
// uses what the interpreter does not support with Refused and the reason.
type Interp func(src string) Result

// Config says what to compare.
type Config struct {
	N      int      // number of programs
	Seed   uint64   // of the first program; the others follow by one
	Areas  []string // only entries of these areas; all when empty
	Report int      // kinds of differences to minimise and print; 20 when 0
}

// Run compares n programs from seed on with CPython and fails t for every
// kind of difference that is not Allowed. It skips t when python3 is absent.
func Run(t *testing.T, n int, seed uint64, interp Interp) {
	t.Helper()
	Config{N: n, Seed: seed}.Run(t, interp)
}

// Failure is one kind of difference.
type Failure struct {
	Signature string
	Count     int    // programs with this signature
	Seed      uint64 // the first of them
	Entry     string // grammar entry named in the minimised program
	Src       string // its minimised program
	CPython   Result // of Src
	Ours      Result // of Src
}

// Summary counts the programs of a run.
type Summary struct {
	Programs, Equal, Different, Timeouts int
	Refused                              map[string]int // by reason
	Allowed                              map[string]int // by Allowance.ID
	Failures                             []Failure      // most frequent first
	Entries                              map[string]int // different programs by the entry at fault, of those minimised
}

// Run is the function Run with more choice.
func (c Config) Run(t *testing.T, interp Interp) {
	t.Helper()
	s, err := c.Compare(interp)
	if errors.Is(err, exec.ErrNotFound) {
		t.Skipf("python3 not found: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("programs %d, equal %d, different %d, timeouts of CPython %d, refused %v, allowed %v, kinds of differences %d, by entry %v",
		s.Programs, s.Equal, s.Different, s.Timeouts, s.Refused, s.Allowed, len(s.Failures), s.Entries)
	limit := c.reportLimit()
	for i, f := range s.Failures {
		if i == limit {
			t.Errorf("... and %d more kinds", len(s.Failures)-limit)
			break
		}
		t.Errorf("%s", f)
	}
}

// Generate returns the program of a seed, drawn from the areas of c.
func (c Config) Generate(seed uint64) string { return generate(seed, c.keep()).src }

func (c Config) reportLimit() int {
	if c.Report > 0 {
		return c.Report
	}
	return 20
}

// String shows the failure with its program and both results.
func (f Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d programs, first seed %d, entry %s\nsignature: %s\n", f.Count, f.Seed, f.Entry, f.Signature)
	fmt.Fprintf(&b, "--- program\n%s--- CPython\n%s--- ours\n%s", f.Src, f.CPython, f.Ours)
	return b.String()
}

// String is the output followed by the exception.
func (r Result) String() string {
	s := r.Stdout
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	if e := exception(r); e != "" {
		s += "!! " + e + "\n"
	}
	return s
}

// workers is the number of CPython children and of programs in flight.
const workers = 2

// outcome is what one program did.
type outcome struct {
	seed      uint64
	src       string
	signature string // "" when equal
	allowed   string
	refused   string
	timeout   bool
}

// Compare runs the programs and minimises one program of each kind of
// difference. The error wraps exec.ErrNotFound when there is no python3.
func (c Config) Compare(interp Interp) (Summary, error) {
	children := make([]*CPython, workers)
	for i := range children {
		child, err := StartCPython("random")
		if err != nil {
			return Summary{}, err
		}
		defer child.Close()
		children[i] = child
	}
	outcomes := make([]outcome, c.N)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w, child := range children {
		wg.Go(func() {
			for i := w; i < c.N && errs[w] == nil; i += workers {
				outcomes[i], errs[w] = c.one(child, interp, c.Seed+uint64(i))
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return Summary{}, err
		}
	}
	return c.summarise(children[0], interp, outcomes)
}

// guarded runs interp and reports a panic or a hang of it as a result. After a
// hang its goroutine is left behind: Go cannot end it.
func guarded(interp Interp, src string) Result {
	done := make(chan Result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- Result{ErrorType: "Panic", ErrorMessage: fmt.Sprintf("%v %s", p, panicSite(string(debug.Stack())))}
			}
		}()
		done <- interp(src)
	}()
	select {
	case r := <-done:
		return r
	case <-time.After(hangLimit):
		return Result{ErrorType: "Hang"}
	}
}

// panicSite returns the file and line that panicked, from a stack taken while
// recovering: the first call of this module below the last call of panic.
func panicSite(stack string) string {
	if i := strings.LastIndex(stack, "\npanic("); i >= 0 {
		stack = stack[i:]
	}
	for line := range strings.SplitSeq(stack, "\n") {
		if _, site, ok := strings.Cut(line, "/internal/"); ok && strings.HasPrefix(line, "\t") {
			site, _, _ = strings.Cut(site, " ")
			return "at " + site
		}
	}
	return ""
}

func (c Config) keep() func(string) bool {
	if len(c.Areas) == 0 {
		return nil
	}
	set := map[string]bool{}
	for _, a := range c.Areas {
		set[a] = true
	}
	return func(area string) bool { return set[area] }
}

func (c Config) one(child *CPython, interp Interp, seed uint64) (outcome, error) {
	src := c.Generate(seed)
	o := outcome{seed: seed, src: src}
	want, err := child.Run(src)
	if err != nil {
		return o, err
	}
	if want.ErrorType == Timeout {
		o.timeout = true
		return o, nil
	}
	got := guarded(interp, src)
	if got.ErrorType == Refused {
		o.refused = got.ErrorMessage
		return o, nil
	}
	if Compare(want, got) == "" {
		return o, nil
	}
	if a := allowance(Allowed(), src, want, got); a != nil {
		o.allowed = a.ID
		return o, nil
	}
	o.signature = Signature(want, got)
	return o, nil
}

func (c Config) summarise(child *CPython, interp Interp, outcomes []outcome) (Summary, error) {
	s := Summary{Programs: len(outcomes), Refused: map[string]int{}, Allowed: map[string]int{}, Entries: map[string]int{}}
	kinds := map[string]*Failure{}
	for _, o := range outcomes {
		switch {
		case o.timeout:
			s.Timeouts++
		case o.refused != "":
			s.Refused[o.refused]++
		case o.allowed != "":
			s.Allowed[o.allowed]++
		case o.signature == "":
			s.Equal++
		default:
			s.Different++
			if kinds[o.signature] == nil {
				kinds[o.signature] = &Failure{Signature: o.signature, Seed: o.seed, Src: o.src}
			}
			kinds[o.signature].Count++
		}
	}
	for _, f := range kinds {
		s.Failures = append(s.Failures, *f)
	}
	sort.Slice(s.Failures, func(i, j int) bool {
		a, b := s.Failures[i], s.Failures[j]
		return a.Count > b.Count || a.Count == b.Count && a.Seed < b.Seed
	})
	for i := range min(len(s.Failures), c.reportLimit()) {
		if err := s.Failures[i].minimise(child, interp); err != nil {
			return s, err
		}
		s.Entries[s.Failures[i].Entry] += s.Failures[i].Count
	}
	return s, nil
}

// minimise shrinks the program of a failure as long as its signature stays.
func (f *Failure) minimise(child *CPython, interp Interp) error {
	var failure error
	f.Src = Minimise(f.Src, func(src string) bool {
		want, err := child.Run(src)
		if err != nil {
			failure = err
			return false
		}
		return want.ErrorType != CompileError && want.ErrorType != Timeout && Signature(want, guarded(interp, src)) == f.Signature
	})
	if failure != nil {
		return failure
	}
	var err error
	if f.CPython, err = child.Run(f.Src); err != nil {
		return err
	}
	f.Ours = guarded(interp, f.Src)
	if _, tag, ok := strings.Cut(f.Src, entryMark); ok {
		f.Entry, _, _ = strings.Cut(tag, "\n")
	}
	return nil
}
