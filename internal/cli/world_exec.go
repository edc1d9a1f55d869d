package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"gauntlet/internal/report"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

func worldExecCommand() *cobra.Command {
	x := &executor{}
	dir, format := "", ""
	c := &cobra.Command{
		Use:   "exec --suite DIR",
		Short: "Execute batches of calls from standard input (JSON Lines)",
		Long: `Executes calls in worlds, many at once. It reads one request per line:
  {"id","world","state"?,"case"?,"seed"?,"calls":[{"tool","arguments"}]}
and writes one answer per line, in the order of the input:
  {"id","results":[{"observation","error","reads":[...],"writes":[...]}],"state"}

world is a world's id in the suite or a file, and may be left out where case
names a case. The start state is state, else the case's own (poisoned) state. The
calls of a line run in sequence on one instance. A line that cannot be executed is
answered {"id","error"}, and the exit status is then 1.`,
		Example: `  echo '{"id":"1","case":"rush_shipments","calls":[{"tool":"list_orders","arguments":{}}]}' |
    gauntlet world exec --suite worlds --format text`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return errors.New("--suite DIR is required")
			}
			if x.format = trace.Format(format); !x.format.Valid() {
				return fmt.Errorf("--format %q: formats are json, yaml and text", format)
			}
			var err error
			if x.suite, err = suite.Load(dir); err != nil {
				return err
			}
			x.host = hostClock()
			return x.run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	c.Flags().StringVar(&dir, "suite", "", "suite directory")
	c.Flags().StringVar(&format, "format", "json", "form of observations: json, yaml or text")
	c.Flags().BoolVar(&x.compat, "compat", false, "reproduce the published world's own behaviour: no argument checks, no rollback, Python repr in text")
	return c
}

// executor answers batches.
type executor struct {
	suite  *suite.Suite
	format trace.Format
	compat bool
	host   func() time.Duration
	mu     sync.Mutex
	files  map[string]*world.Blueprint
}

type batch struct {
	n      int
	line   []byte
	answer chan []byte
}

// run keeps all processors busy and the answers in order.
func (x *executor) run(ctx context.Context, in io.Reader, out io.Writer) error {
	todo := make(chan *batch)
	order := make(chan *batch, 4*runtime.GOMAXPROCS(0))
	failed := 0
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range todo {
				j.answer <- x.answer(ctx, j)
			}
		}()
	}
	readErr := make(chan error, 1)
	go func() {
		defer close(order)
		defer close(todo)
		readErr <- readLines(ctx, in, func(n int, line []byte) {
			j := &batch{n, line, make(chan []byte, 1)}
			order <- j
			todo <- j
		})
	}()
	w := bufio.NewWriter(out)
	var writeErr error
	for j := range order {
		b := <-j.answer
		if len(b) > 0 && b[0] == '!' {
			failed++
			b = b[1:]
		}
		if writeErr == nil {
			_, writeErr = w.Write(append(b, '\n'))
		}
	}
	wg.Wait()
	if err := errors.Join(<-readErr, writeErr, w.Flush()); err != nil {
		return err
	}
	if failed > 0 {
		return &problem{fmt.Sprintf("%d lines could not be executed", failed)}
	}
	return nil
}

// readLines calls f with each non-empty line, whatever its length.
func readLines(ctx context.Context, in io.Reader, f func(n int, line []byte)) error {
	r := bufio.NewReaderSize(in, 1<<16)
	for n := 1; ctx.Err() == nil; n++ {
		line, err := r.ReadBytes('\n')
		if len(trimSpace(line)) > 0 {
			f(n, line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
	}
	return ctx.Err()
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == '\n' || b[len(b)-1] == '\r' || b[len(b)-1] == ' ') {
		b = b[:len(b)-1]
	}
	return b
}

// answer executes one line. An answer that starts with '!' counts as failed.
func (x *executor) answer(ctx context.Context, j *batch) []byte {
	req, _, err := trace.ParseValue(j.line)
	id := trace.Null()
	if err == nil {
		if v := req.Get("id"); v.Exists() {
			id = v
		}
		var v trace.Value
		if v, err = x.execute(ctx, id, req); err == nil {
			return report.EscapeJSON(v.AppendJSON(nil))
		}
	}
	msg := fmt.Sprintf("line %d: %v", j.n, err)
	answer := trace.Object(trace.Field{Key: "id", Value: id}, trace.Field{Key: "error", Value: trace.String(msg)})
	return append([]byte{'!'}, report.EscapeJSON(answer.AppendJSON(nil))...)
}

func (x *executor) execute(ctx context.Context, id, req trace.Value) (trace.Value, error) {
	if err := checkRequest(req); err != nil {
		return trace.Value{}, err
	}
	bp, state, start, err := x.target(req)
	if err != nil {
		return trace.Value{}, err
	}
	seed, err := seedOf(req)
	if err != nil {
		return trace.Value{}, err
	}
	if req.Get("calls").Kind() != trace.KindArray {
		return trace.Value{}, errors.New("calls must be a list of {tool, arguments}")
	}
	in, err := bp.New(state, world.Options{Seed: seed, Start: start, Format: x.format, Compat: x.compat, Host: x.host})
	if err != nil {
		return trace.Value{}, err
	}
	results := []trace.Value{}
	for i, c := range req.Get("calls").Items() {
		name := c.Get("tool")
		if name.Kind() != trace.KindString {
			return trace.Value{}, fmt.Errorf("call %d has no tool", i+1)
		}
		res, err := in.Call(ctx, name.Text(), c.Get("arguments"))
		if err != nil {
			return trace.Value{}, err
		}
		results = append(results, x.result(res))
	}
	final, err := in.State()
	if err != nil {
		return trace.Value{}, err
	}
	return trace.Object(trace.Field{Key: "id", Value: id}, trace.Field{Key: "results", Value: trace.Array(results...)}, trace.Field{Key: "state", Value: final}), nil
}

// checkRequest refuses what would otherwise pass for a request that does nothing.
func checkRequest(req trace.Value) error {
	if req.Kind() != trace.KindObject {
		return errors.New("a request is a JSON object")
	}
	for _, f := range req.Fields() {
		switch f.Key {
		case "id", "state", "seed", "calls":
		case "world", "case":
			if k := f.Value.Kind(); k != trace.KindString && k != trace.KindNull {
				return fmt.Errorf("%s is not text", f.Key)
			}
		default:
			return fmt.Errorf("unknown field %q; fields are id, world, case, state, seed and calls", f.Key)
		}
	}
	return nil
}

func seedOf(req trace.Value) (uint64, error) {
	s := req.Get("seed")
	if !s.Exists() || s.Kind() == trace.KindNull {
		return 1, nil
	}
	n, err := strconv.ParseUint(s.Literal(), 10, 64)
	if err != nil {
		return 0, errors.New("seed is not an integer from 0 to 18446744073709551615")
	}
	return n, nil
}

// result is one call's answer. In compat mode a call that raised has no observation.
func (x *executor) result(res world.Result) trace.Value {
	obs, fail := trace.String(res.Text), trace.Null()
	if res.Error != nil {
		fail = trace.String(res.Error.Type + ": " + res.Error.Message)
		if res.Error.Message == "" {
			fail = trace.String(res.Error.Type)
		}
		if x.compat {
			obs = trace.Null()
		}
	}
	return trace.Object(trace.Field{Key: "observation", Value: obs}, trace.Field{Key: "error", Value: fail},
		trace.Field{Key: "reads", Value: trace.Strings(res.Reads)}, trace.Field{Key: "writes", Value: trace.Strings(res.Writes)})
}

// target finds the world, the start state and the time of a request.
func (x *executor) target(req trace.Value) (*world.Blueprint, trace.Value, string, error) {
	state, start := req.Get("state"), ""
	if state.Kind() == trace.KindNull {
		state = trace.Value{}
	}
	name := req.Get("world").Text()
	if cid := req.Get("case"); cid.Exists() && cid.Kind() != trace.KindNull {
		c, ok := x.suite.Case(cid.Text())
		if !ok {
			return nil, state, "", fmt.Errorf("the suite has no case %q", cid.Text())
		}
		if name == "" {
			name = c.World
		}
		if !state.Exists() || state.Kind() == trace.KindNull {
			state = c.State
		}
		start = c.Time
	}
	if name == "" {
		return nil, state, "", errors.New("a request needs world or case")
	}
	bp, err := x.blueprint(name)
	return bp, state, start, err
}

func (x *executor) blueprint(name string) (*world.Blueprint, error) {
	if w, ok := x.suite.World(name); ok {
		return w.Blueprint()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if bp, ok := x.files[name]; ok {
		return bp, nil
	}
	if _, err := os.Stat(name); err != nil {
		return nil, fmt.Errorf("world %q is neither in the suite nor a file", name)
	}
	bp, err := world.Load(name)
	if err == nil {
		if x.files == nil {
			x.files = map[string]*world.Blueprint{}
		}
		x.files[name] = bp
	}
	return bp, err
}
