package convert

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// Verification is a comparison with CPython, call by call.
type Verification struct {
	Python  string   `json:"python"`            // version of the interpreter, such as Python 3.11.7
	Skipped string   `json:"skipped,omitempty"` // why nothing was compared
	Cases   int      `json:"cases"`
	Raised  int      `json:"raised"` // of the compared calls, those that raise in CPython
	Compare Compared `json:"compared"`
	// LeftOut counts what is not compared because CPython's own runs, which
	// differ in hash seed and entropy, differ among themselves.
	LeftOut Compared `json:"left_out"`
	// Differences lists what differs, at most MaxDifferences; Different counts
	// all.
	Different   Compared     `json:"different"`
	Differences []Difference `json:"differences"`
}

// Compared counts comparisons.
type Compared struct {
	Calls  int `json:"calls"`  // what a call returned or raised
	States int `json:"states"` // the state after a call
	Checks int `json:"checks"` // what a check said, on the initial state and after a series of calls
}

// MaxDifferences bounds the list of differences.
const MaxDifferences = 1000

// Difference is one place where the two interpreters disagree.
type Difference struct {
	Case      string      `json:"case"`
	What      string      `json:"what"` // call, state, check or case
	Tool      string      `json:"tool,omitempty"`
	Arguments trace.Value `json:"arguments,omitzero"`
	Check     int         `json:"check,omitempty"` // position among benign, then injected checks
	Python    string      `json:"python"`
	Gauntlet  string      `json:"gauntlet"`
}

//go:embed verify.py
var verifyScript string

// hashSeeds are those of the runs of CPython. Two runs can print a small set in
// the same order by chance, so there are three.
var hashSeeds = []string{"1", "2", "3"}

// verify compares every kept case with CPython.
func (im *importer) verify(kept []*task) error {
	v := &Verification{Differences: []Difference{}}
	im.report.Verification = v
	python, err := exec.LookPath("python3")
	if err != nil {
		v.Skipped = "python3 not found: " + err.Error()
		im.progress("verification skipped: %s", v.Skipped)
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var oracles []*oracle
	defer func() { stop(cancel, oracles) }()
	version, err := exec.CommandContext(ctx, python, "--version").Output()
	if err != nil {
		return fmt.Errorf("ask python3 for its version: %w", err)
	}
	v.Python = strings.TrimSpace(string(version))
	for _, seed := range hashSeeds {
		o, err := im.oracle(ctx, python, seed, kept)
		if err != nil {
			return err
		}
		oracles = append(oracles, o)
	}
	for i, t := range kept {
		if i%50 == 0 {
			im.progress("comparing case %d of %d with CPython", i+1, len(kept))
		}
		answers := make([]trace.Value, len(oracles))
		for k, o := range oracles {
			if answers[k], err = o.next(t.ID); err != nil {
				return err
			}
		}
		if err := im.compare(t, answers); err != nil {
			return err
		}
	}
	return nil
}

// stop ends the runs of CPython and waits for them. Their exit status says
// nothing: they have answered, or an error is already on its way.
func stop(cancel func(), oracles []*oracle) {
	cancel()
	for _, o := range oracles {
		_ = o.cmd.Wait()
	}
}

// oracle is a running CPython.
type oracle struct {
	out    *bufio.Reader
	errors *bytes.Buffer
	cmd    *exec.Cmd
}

// oracle starts CPython on all kept cases. It ends with the context.
func (im *importer) oracle(ctx context.Context, python, seed string, kept []*task) (*oracle, error) {
	began, err := time.Parse(time.RFC3339, world.DefaultStart)
	if err != nil {
		return nil, fmt.Errorf("start python3: %w", err)
	}
	cmd := exec.CommandContext(ctx, python, "-s", "-S", "-B", "-c", verifyScript, strconv.FormatInt(began.Unix(), 10))
	cmd.Env = []string{"PYTHONHASHSEED=" + seed, "TZ=UTC", "PYTHONIOENCODING=utf-8", "LC_ALL=C.UTF-8"}
	cmd.Dir = os.TempDir()
	o := &oracle{cmd: cmd, errors: &bytes.Buffer{}}
	cmd.Stderr = o.errors
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start python3: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start python3: %w", err)
	}
	o.out = bufio.NewReaderSize(out, 1<<20)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start python3: %w", err)
	}
	go im.feed(in, kept)
	return o, nil
}

// feed writes the jobs. A write fails when the child is gone, which its reader
// reports.
func (im *importer) feed(in io.WriteCloser, kept []*task) {
	defer func() { _ = in.Close() }()
	w := bufio.NewWriterSize(in, 1<<20)
	defer func() { _ = w.Flush() }()
	sent := map[string]bool{}
	for _, t := range kept {
		if !sent[t.World] {
			sent[t.World] = true
			e := im.envs[t.World]
			_ = writeJob(w, pair("world", trace.String(e.id)), pair("class", trace.String(e.class)), pair("source", trace.String(e.code)))
		}
		if writeJob(w, im.job(t)...) != nil {
			return
		}
	}
}

func pair(key string, v trace.Value) trace.Field { return trace.Field{Key: key, Value: v} }

// writeJob writes one line. Python reads it as UTF-8; lone surrogates are
// escapes.
func writeJob(w io.Writer, fields ...trace.Field) error {
	_, err := w.Write(append(trace.Object(fields...).AppendJSON(nil), '\n'))
	return err
}

// job is what verify.py needs to know of a case.
func (im *importer) job(t *task) []trace.Field {
	calls := im.trials(t)
	list := make([]trace.Value, len(calls))
	for i, c := range calls {
		list[i] = trace.Object(pair("tool", trace.String(c.Tool)), pair("arguments", c.Arguments), pair("fresh", trace.Bool(c.Fresh)))
	}
	var codes []string
	for _, l := range checkLists(t) {
		for _, k := range l.checks {
			codes = append(codes, k.Code)
		}
	}
	return []trace.Field{pair("case", trace.String(t.ID)), pair("world", trace.String(t.World)), pair("state", t.State),
		pair("checks", trace.Strings(codes)), pair("calls", trace.Array(list...))}
}

func (im *importer) trials(t *task) []trial {
	return trials(t.ID, im.blueprints[t.World], im.envs[t.World].effect, t.State)
}

// next reads the answer for a case.
func (o *oracle) next(id string) (trace.Value, error) {
	line, err := o.out.ReadBytes('\n')
	if err != nil {
		if errors.Is(err, io.EOF) {
			werr := o.cmd.Wait() // completes o.errors
			err = fmt.Errorf("python3 ended early: %s (%w)", lastLine(o.errors.String()), werr)
		}
		return trace.Value{}, fmt.Errorf("read what CPython says of case %s: %w", id, err)
	}
	v, _, err := trace.ParseValue(line)
	if err != nil {
		return v, fmt.Errorf("read what CPython says of case %s: %w", id, err)
	}
	if got := v.Get("case").Text(); got != id {
		return v, fmt.Errorf("CPython answers for case %q, not %q", got, id)
	}
	return v, nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
