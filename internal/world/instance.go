package world

import (
	"errors"
	"fmt"
	"time"

	"gauntlet/internal/py"
	"gauntlet/internal/py/stdlib"
	"gauntlet/internal/trace"
)

// DefaultStart is where the virtual clock stands when a scenario names no time:
// soon after the publication of the ToolHazard data, whose worlds compare their
// records with the present day.
const DefaultStart = "2026-11-29T00:00:00Z"

// tick is how far the virtual clock moves with each call.
const tick = time.Second

// Instance is one live episode of a world. It is used by one goroutine at a time.
type Instance struct {
	Blueprint *Blueprint
	Options   Options

	t      *py.Thread
	module *py.Module
	obj    *py.Instance
	clock  time.Time
	config py.Value // the constructor's argument, when the object kept it
	calls  int
}

// New starts an episode from an initial state, an object whose keys become
// attributes of the world's object. An error is the world's own: its module or
// constructor failed.
func (b *Blueprint) New(state trace.Value, o Options) (*Instance, error) {
	if state.Exists() && state.Kind() != trace.KindObject {
		return nil, fmt.Errorf("start world %s: the state is %s, not an object", b.ID, kindText(state.Kind()))
	}
	if o.Start == "" {
		o.Start = DefaultStart
	}
	start, err := time.Parse(time.RFC3339Nano, o.Start)
	if err != nil {
		return nil, fmt.Errorf("start world %s: time %q is not RFC 3339: %w", b.ID, o.Start, err)
	}
	in := &Instance{Blueprint: b, Options: o, clock: start.UTC()}
	if err := in.execute(state); err != nil {
		return nil, err
	}
	return in, nil
}

func (in *Instance) attachClock(t *py.Thread) {
	t.Now = func() time.Time { return in.clock }
	t.Monotonic = in.Options.Host
}

// ErrLoad marks errors of the module itself, before any state is there.
var ErrLoad = errors.New("load world")

// template is a world's module after its execution, which episodes fork.
type template struct {
	t      *py.Thread
	module *py.Module
}

// start returns the template; nil when the module fails or depends on its seed
// or clock, and so has to be executed for each episode.
func (b *Blueprint) start() *template {
	b.once.Do(func() {
		t := py.NewThread(0, stdlib.Library, py.Limits{})
		var m *py.Module
		err := func() (err error) {
			defer Recover(&err)
			m, err = t.Exec(b.program, b.ID)
			return err
		}()
		if err == nil && t.Pure() {
			t.Idle()
			t.Freeze(m)
			b.template = &template{t, m}
		}
	})
	return b.template
}

// load gives the episode its thread and its module.
func (in *Instance) load() error {
	b, o := in.Blueprint, in.Options
	if s := b.start(); s != nil {
		var err error
		if in.t, err = s.t.ForkSeed(py.NewCopier(128), o.Seed, o.Limits); err != nil {
			return err
		}
		in.module = s.module
		in.attachClock(in.t)
		in.t.Refill()
		return nil
	}
	in.t = py.NewThread(o.Seed, stdlib.Library, o.Limits)
	in.attachClock(in.t)
	in.t.Refill()
	var err error
	in.module, err = in.t.Exec(b.program, b.ID)
	return err
}

// execute runs the module and the constructor.
func (in *Instance) execute(state trace.Value) (err error) {
	defer Recover(&err)
	b := in.Blueprint
	if err := in.load(); err != nil {
		return fmt.Errorf("%w %s: %w", ErrLoad, b.ID, err)
	}
	in.t.Wake()
	defer in.t.Idle()
	in.t.Refill()
	if err := in.construct(state); err != nil {
		return fmt.Errorf("construct %s of world %s: %w", b.Class, b.ID, err)
	}
	return nil
}

// construct calls the class with the configuration, an empty one or nothing
// (published worlds differ), then sets every key of the state as an attribute.
func (in *Instance) construct(state trace.Value) error {
	cls, ok := in.t.Namespace(in.module).GetStr(in.Blueprint.Class)
	if !ok {
		return fmt.Errorf("the module does not define it")
	}
	var cfg py.Value = in.t.NewDict()
	if state.Exists() {
		var err error
		if cfg, err = FromValue(in.t, state); err != nil {
			return err
		}
	}
	obj, err := in.t.Call(cls, []py.Value{cfg}, nil)
	if err != nil {
		if _, isType := py.Catch(err, py.TypeErrorType); !isType {
			return err
		}
		first := err
		if obj, err = in.t.Call(cls, nil, nil); err != nil {
			return first
		}
	}
	if in.obj, ok = obj.(*py.Instance); !ok {
		return fmt.Errorf("the class made a %s", py.TypeName(obj))
	}
	for _, it := range cfg.(*py.Dict).Items(in.t) {
		name, _ := py.AsStr(it.Key)
		if err := in.t.SetAttr(in.obj, name.String(), it.Value); err != nil {
			return err
		}
	}
	for _, it := range in.obj.Attrs().Items(in.t) {
		if it.Value == cfg {
			in.config = cfg
		}
	}
	return nil
}

// State returns the state: all attributes of the world's object but those with
// dunder names. Outside compat mode an attribute that is just the constructor's
// argument is left out, since it repeats the rest.
func (in *Instance) State() (trace.Value, error) {
	in.t.Refill()
	d, err := in.stateDict()
	if err != nil {
		return trace.Value{}, err
	}
	return ToValue(in.t, d)
}

func (in *Instance) stateDict() (*py.Dict, error) {
	d := in.t.NewDict()
	for _, it := range in.obj.Attrs().Items(in.t) {
		name, ok := py.AsStr(it.Key)
		if !ok || len(name.String()) > 3 && name.String()[:2] == "__" && name.String()[name.Len()-2:] == "__" {
			continue
		}
		if !in.Options.Compat && in.config != nil && it.Value == in.config {
			continue
		}
		if err := d.Set(in.t, it.Key, it.Value); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Fork makes an independent copy of the episode as it stands: state, clock,
// ids and random sequence.
func (in *Instance) Fork() (*Instance, error) {
	n := &Instance{Blueprint: in.Blueprint, Options: in.Options, clock: in.clock, calls: in.calls}
	c := py.NewCopier(128)
	var err error
	if n.t, err = in.t.Fork(c); err != nil {
		return nil, fmt.Errorf("fork world %s: %w", in.Blueprint.ID, err)
	}
	n.attachClock(n.t)
	m, err := c.Copy(in.module)
	if err != nil {
		return nil, fmt.Errorf("fork world %s: %w", in.Blueprint.ID, err)
	}
	n.module = m.(*py.Module)
	obj, err := c.Copy(in.obj)
	if err != nil {
		return nil, fmt.Errorf("fork world %s: %w", in.Blueprint.ID, err)
	}
	n.obj = obj.(*py.Instance)
	if in.config != nil {
		if n.config, err = c.Copy(in.config); err != nil {
			return nil, fmt.Errorf("fork world %s: %w", in.Blueprint.ID, err)
		}
	}
	return n, nil
}

// Now is the episode's virtual time.
func (in *Instance) Now() time.Time { return in.clock }

// Advance moves the virtual clock forward.
func (in *Instance) Advance(d time.Duration) { in.clock = in.clock.Add(d) }

// Snapshot is a state set aside with its Python values: what checks look at.
type Snapshot struct {
	dict *py.Dict
}

// Snapshot copies the present state.
func (in *Instance) Snapshot() (*Snapshot, error) {
	in.t.Refill()
	d, err := in.stateDict()
	if err != nil {
		return nil, err
	}
	v, err := py.NewCopier(128).Copy(d)
	if err != nil {
		return nil, err
	}
	return &Snapshot{v.(*py.Dict)}, nil
}

// Copy returns an independent copy of the state as a Python dict.
func (s *Snapshot) Copy() (py.Value, error) { return py.NewCopier(128).Copy(s.dict) }

// Value converts the state.
func (s *Snapshot) Value() (trace.Value, error) {
	return ToValue(py.NewThread(0, stdlib.Library, py.Limits{}), s.dict)
}
