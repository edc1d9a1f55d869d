//go:build linux

package py_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// What a hostile world may cost. Memory is the whole process's, with the test
// binary itself; processor time is that of all threads, garbage collection
// included.
const bombMemory = 512 << 20

var (
	// Two seconds are the bar on a machine that does nothing else (-bombs-time 2s);
	// the default leaves room for one that does.
	bombTime  = flag.Duration("bombs-time", 6*time.Second, "the most processor time that a bomb may take")
	bombNames = flag.String("bombs", "", "run the bombs whose name matches this regular expression")
	bombWall  = flag.Bool("bombs-wall", true, "give bombs the wall limit, as the program does; without it the counted limits alone must do")
)

// bomb is the body of a tool that asks for too much.
type bomb struct {
	name string
	body string // statements of a method; self.box is a list in the state
	want string // the error, as a regular expression over "Type: message"; "-" allows a result
}

// Errors that bombs end in.
const (
	memory   = "^LimitExceeded: memory"
	steps    = "^LimitExceeded: (steps|time)"
	limit    = "^LimitExceeded: (memory|steps|time)"
	depth    = "^RecursionError"
	limitOrD = "^(LimitExceeded|RecursionError)"
	survives = "-" // a result or any error: what counts is that the process lives and has cost little
)

// source is a world with the bomb as a tool, and a tool that tells whether the
// episode goes on.
func (b bomb) source() string {
	body := strings.ReplaceAll(strings.TrimSpace(b.body), "\n", "\n        ")
	return `"""Bomb"""
import collections, contextlib, copy, dataclasses, datetime, enum, fractions, functools, itertools, json, math, operator, random, re, time, uuid

class World:
    def __init__(self, config):
        self.box = []

    def boom(self) -> dict:
        """Ask for too much.

        Effect: write
        """
        ` + body + `

    def fine(self) -> int:
        """Answer.

        Effect: read
        """
        return 42
`
}

// blast is what one bomb came to.
type blast struct {
	Name  string `json:"name"`
	Ended bool   `json:"ended"` // false: the line that says that the bomb starts
	Error string `json:"error"` // Type: message of the call
	After string `json:"after"` // what was wrong with the episode afterwards
	CPU   int64  `json:"cpu"`   // nanoseconds
	Peak  int64  `json:"peak"`  // bytes, of the process so far
}

// usage is the processor time and the peak memory of this process.
func usage() (cpu time.Duration, peak int64) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), r.Maxrss << 10
}

// detonate runs bombs in this process and writes a line before and after each.
func detonate(bombs []bomb) {
	w := json.NewEncoder(os.Stdout)
	begin := time.Now()
	host := func() time.Duration { return time.Since(begin) }
	if !*bombWall {
		host = nil
	}
	for _, b := range bombs {
		_ = w.Encode(blast{Name: b.name})
		debug.FreeOSMemory()
		// Linux forgets the peak of a process that writes 5 here; where that
		// does not work, the peak is that of all bombs so far.
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
		before, _ := usage()
		r := blast{Name: b.name, Ended: true}
		r.Error, r.After = b.run(host)
		after, peak := usage()
		r.CPU, r.Peak = int64(after-before), peak
		_ = w.Encode(r)
	}
}

// run calls the bomb in a world and then asks whether the episode goes on.
func (b bomb) run(host func() time.Duration) (failure, after string) {
	bp, err := world.Parse("bomb", "bomb.py", []byte(b.source()))
	if err != nil {
		return "load: " + err.Error(), ""
	}
	in, err := bp.New(trace.Object(), world.Options{Host: host})
	if err != nil {
		return "", "start: " + err.Error()
	}
	r, err := in.Call(context.Background(), "boom", trace.Object())
	if err != nil {
		return "", "call: " + err.Error()
	}
	if r.Error != nil {
		failure = r.Error.Type + ": " + r.Error.Message
	}
	// What a run does with the state afterwards: an error is allowed when the
	// world has left a monster in it, and only then.
	_, stateErr := in.State()
	_, forkErr := in.Fork()
	_, snapErr := in.Snapshot()
	if failure != "" && (stateErr != nil || forkErr != nil || snapErr != nil) {
		after = fmt.Sprintf("a failed call left a state that cannot be read (%v), forked (%v), copied (%v)", stateErr, forkErr, snapErr)
	}
	r, err = in.Call(context.Background(), "fine", trace.Object())
	if err != nil || r.Error != nil || r.Text != "42" {
		after = fmt.Sprintf("the next call: %+v, %v", r, err)
	}
	return failure, after
}

// TestLimits runs every bomb in a child process: the child lives, each bomb ends
// in a typed error, soon and in little memory, and the episode goes on.
func TestLimits(t *testing.T) {
	bombs := selected(t)
	if name, inChild := os.LookupEnv("GAUNTLET_BOMBS_FROM"); inChild {
		i := slices.IndexFunc(bombs, func(b bomb) bool { return b.name == name })
		detonate(bombs[i:])
		os.Exit(0)
	}
	if testing.Short() {
		t.Skip("more than 300 worlds that use up their limits take a minute")
	}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector multiplies time and memory; make limits runs this test without it")
	}
	allowed := *bombTime
	var slowest, largest blast
	for i := 0; i < len(bombs); {
		done, crash := child(t, bombs[i:])
		for _, r := range done {
			judge(t, bombs[i], r, allowed)
			if r.CPU > slowest.CPU {
				slowest = r
			}
			if r.Peak > largest.Peak {
				largest = r
			}
			i++
		}
		if crash != "" {
			t.Errorf("%s kills the process: %s", bombs[i].name, crash)
			i++
		}
	}
	t.Logf("%d bombs; most processor time: %v (%s); most memory: %d MiB (%s)",
		len(bombs), time.Duration(slowest.CPU).Round(time.Millisecond), slowest.Name, largest.Peak>>20, largest.Name)
}

// selected are the bombs that the flags ask for.
func selected(t *testing.T) []bomb {
	t.Helper()
	which, err := regexp.Compile(*bombNames)
	if err != nil {
		t.Fatal(err)
	}
	var out []bomb
	seen := map[string]bool{}
	for _, b := range slices.Concat(textBombs, numberBombs, containerBombs, loopBombs, recursionBombs, nestBombs, collisionBombs, libraryBombs, regexBombs) {
		if seen[b.name] {
			t.Fatalf("two bombs are called %q", b.name)
		}
		seen[b.name] = true
		if which.MatchString(b.name) {
			out = append(out, b)
		}
	}
	return out
}

// child runs bombs in a child process until all are done or it dies. It ends
// itself, or is ended, after a bomb that takes 15 s.
func child(t *testing.T, bombs []bomb) (done []blast, crash string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append(slices.Clone(os.Args[1:]), "-test.run=^TestLimits$", "-test.v=false")...)
	cmd.Env = append(os.Environ(), "GAUNTLET_BOMBS_FROM="+bombs[0].name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var stopped atomic.Bool
	stop := time.AfterFunc(15*time.Second, func() { stopped.Store(true); _ = cmd.Process.Kill() })
	defer stop.Stop()
	var other strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var r blast
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			fmt.Fprintln(&other, lines.Text()) // of the test binary, when a panic ends it
			continue
		}
		if r.Ended {
			done = append(done, r)
		}
		stop.Reset(15 * time.Second)
	}
	err = cmd.Wait()
	switch {
	case len(done) == len(bombs):
		return done, ""
	case stopped.Load():
		return done, "it did not end within 15 s"
	}
	text := other.String() + said.String()
	return done, fmt.Sprintf("%v: %s", err, text[:min(len(text), 3000)])
}

// judge reports what is wrong with one bomb's end.
func judge(t *testing.T, b bomb, r blast, allowed time.Duration) {
	t.Helper()
	cpu := time.Duration(r.CPU)
	if testing.Verbose() {
		t.Logf("%-28s %6d ms  %4d MiB  %.90s", r.Name, cpu.Milliseconds(), r.Peak>>20, r.Error)
	}
	if b.want != survives && !regexp.MustCompile(b.want).MatchString(r.Error) {
		t.Errorf("%s: got %q, want %s", b.name, r.Error, b.want)
	}
	if strings.HasPrefix(r.Error, "InternalError") || strings.HasPrefix(r.Error, "load:") {
		t.Errorf("%s: %s", b.name, r.Error)
	}
	if r.After != "" {
		t.Errorf("%s: %s", b.name, r.After)
	}
	if cpu > allowed {
		t.Errorf("%s: took %v, at most %v is allowed", b.name, cpu, allowed)
	}
	if r.Peak > bombMemory {
		t.Errorf("%s: the process has reached %d MiB, at most %d is allowed", b.name, r.Peak>>20, bombMemory>>20)
	}
}

// TestSameEverywhere runs a world that shows what depends on the process in
// CPython: identities, hashes, the order of sets. Two episodes with one seed
// show the same.
func TestSameEverywhere(t *testing.T) {
	shows := bomb{body: `
class A: pass
a, b = A(), A()
seen = {"hash": [hash(x) for x in (a, A, self, self.boom, print, int, ValueError(1), lambda: 1, object())]}
seen["tuple"] = hash((a, 1))
seen["id"] = [id(x) for x in (a, A, self, [], "x")]
seen["repr"] = [repr(x) for x in (a, A, self.boom, print, lambda: 1, object(), (x for x in []))]
seen["text"] = [hash(x) for x in ("x", "é", b"x", 1.5, None, frozenset("abc"))]
seen["sets"] = [str({"b", "a", "c"}), str({a, b}), list({3.5, "x", None, (1, 2)}), str(frozenset("hello"))]
seen["chance"] = [random.random(), str(uuid.uuid4()), time.time(), str(datetime.datetime.now())]
return seen`}
	var texts [2]string
	for i := range texts {
		bp, err := world.Parse("bomb", "bomb.py", []byte(shows.source()))
		if err != nil {
			t.Fatal(err)
		}
		in, err := bp.New(trace.Object(), world.Options{Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		r, err := in.Call(context.Background(), "boom", trace.Object())
		if err != nil || r.Error != nil {
			t.Fatal(err, r.Error)
		}
		for _, f := range r.Value.Fields() {
			texts[i] += f.Key + ": " + f.Value.String() + "\n"
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("two episodes with one seed differ:\n%s\n%s", texts[0], texts[1])
	}
}
