package world

import (
	"context"
	"errors"
	"fmt"

	"gauntlet/internal/py"
	"gauntlet/internal/trace"
)

// Result is what one call came to.
type Result struct {
	Text      string           // the observation as the agent sees it
	Value     trace.Value      // the returned value; absent when the call failed
	Error     *trace.CallError // nil when the tool returned
	Reads     []string         // what the call read, in order, without repeats
	Writes    []string         // what the call changed
	Changed   bool             // the state may differ from before
	Traceback []py.Frame       // of an exception, innermost first
}

// Errors of calls that do not reach world code.
const (
	UnknownTool     = "UnknownTool"
	InvalidArgument = "InvalidArgument"
	LimitExceeded   = "LimitExceeded"
)

// Call runs a tool. Whatever the tool, the arguments or the world's code do,
// the episode goes on: failures come back in the Result. The error is only for
// a world that cannot go on at all (none at present) or a done context.
func (in *Instance) Call(ctx context.Context, tool string, args trace.Value) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	in.t.Wake()
	defer in.t.Idle()
	in.t.Refill()
	in.t.SetContext(ctx)
	in.calls++
	in.Advance(tick)
	t, ok := in.Blueprint.tools[tool]
	if !ok {
		return in.failed(UnknownTool, fmt.Sprintf("%q is not a tool of this world", tool)), nil
	}
	if !in.Options.Compat {
		var problem string
		if args, problem = t.Validate(args); problem != "" {
			return in.failed(InvalidArgument, problem), nil
		}
	} else if !args.Exists() {
		args = trace.Object()
	}
	kw, err := in.keywords(args)
	if err != nil {
		return in.failed(InvalidArgument, err.Error()), nil
	}
	return in.invoke(tool, kw), ctx.Err()
}

// invoke runs the method inside a transaction.
func (in *Instance) invoke(tool string, kw []py.Kw) Result {
	in.t.Begin()
	in.t.TrackRoot(in.obj)
	v, err := in.method(tool, kw)
	var res Result
	if err == nil {
		in.t.SawDeep(v)
		res.Value, err = ToValue(in.t, v)
	}
	if err == nil {
		res.Text, err = Render(in.t, v, in.format())
	}
	res.Reads, res.Writes = in.t.StopTracking()
	if err == nil {
		res.Changed = in.t.Changed()
		in.t.Commit()
		return res
	}
	kind, msg := errorParts(err)
	fail := in.failed(kind, msg)
	fail.Reads = res.Reads
	var r *py.Raised
	if errors.As(err, &r) {
		fail.Traceback = r.Trace
	}
	if in.Options.Compat {
		fail.Writes, fail.Changed = res.Writes, in.t.Changed()
		in.t.Commit()
		return fail
	}
	in.t.Rollback()
	return fail
}

func (in *Instance) method(tool string, kw []py.Kw) (v py.Value, err error) {
	defer Recover(&err)
	f, err := in.t.GetAttr(in.obj, tool)
	if err != nil {
		return nil, err
	}
	return in.t.Call(f, nil, kw)
}

// Recover turns a panic into an error. The interpreter must not panic on any
// program; if it does all the same, one call fails instead of the process.
func Recover(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("fault of the interpreter: %v", r)
	}
}

func (in *Instance) format() trace.Format {
	if in.Options.Format == "" {
		return trace.FormatJSON
	}
	return in.Options.Format
}

// failed words an error observation: {"error": "Type: message"} in the
// episode's format. In compat mode the text is the error itself.
func (in *Instance) failed(kind, msg string) Result {
	text := kind + ": " + msg
	if msg == "" {
		text = kind
	}
	r := Result{Error: &trace.CallError{Type: kind, Message: msg}, Text: text, Reads: []string{}, Writes: []string{}}
	if !in.Options.Compat {
		d := in.t.NewDict()
		d.SetStr("error", py.NewStr(text))
		if s, err := Render(in.t, d, in.format()); err == nil {
			r.Text = s
		}
	}
	return r
}

// Refuse answers a call that never reaches the world, in the form of a failed
// one. Clock and state stay as they are.
func (in *Instance) Refuse(kind, msg string) Result { return in.failed(kind, msg) }

// errorParts splits an error from world code into class and message.
func errorParts(err error) (kind, msg string) {
	var r *py.Raised
	var l *py.LimitError
	switch {
	case errors.As(err, &r):
		return r.Exc.Type().Name, py.ExcMessage(r.Exc)
	case errors.As(err, &l):
		return LimitExceeded, string(l.Kind) + ": " + l.Msg
	}
	return "InternalError", err.Error()
}

// keywords converts an argument object; the copies belong to the world.
func (in *Instance) keywords(args trace.Value) ([]py.Kw, error) {
	if args.Kind() != trace.KindObject {
		return nil, fmt.Errorf("arguments are %s, not an object", kindText(args.Kind()))
	}
	fields := args.Distinct().Fields()
	kw := make([]py.Kw, 0, len(fields))
	for _, f := range fields {
		v, err := FromValue(in.t, f.Value)
		if err != nil {
			return nil, err
		}
		kw = append(kw, py.Kw{Name: f.Key, Value: v})
	}
	return kw, nil
}
