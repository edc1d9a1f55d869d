package py

import (
	"errors"
	"sync"
)

// frame is one running Python body.
type frame struct {
	code    *Code
	globals *Module
	gattrs  *Dict // of globals
	ns      *Dict // class and module bodies: the namespace
	body    ClassBody
	locals  []Value
	cells   []*Cell
	stack   []Value
	ip      int
	blocks  []block
	handled int // exceptions being handled by this frame
	gen     *Generator
	back    *frame
	arena   []Value // region to release
}

// block is an active try: where to continue and how much stack to keep.
type block struct {
	target  int32
	level   int32
	handled int32 // exceptions that the frame was handling
}

// arenaSize is the number of slots of a fresh operand arena.
const arenaSize = 512

// newFrame takes a frame and its slots from the thread. The recursion limit
// is CPython's count of Python frames.
func (t *Thread) newFrame(code *Code, globals *Module) (*frame, error) {
	t.depth++
	if t.depth > t.lim.Depth {
		t.depth--
		return nil, RaiseType(RecursionErrorType, "maximum recursion depth exceeded")
	}
	if err := t.Charge(8 + len(code.instrs)>>3); err != nil {
		t.depth--
		return nil, err
	}
	var f *frame
	if n := len(t.frames); n > 0 {
		f = t.frames[n-1]
		t.frames = t.frames[:n-1]
	} else {
		f = &frame{}
	}
	need := len(code.varNames) + code.maxStack
	var slots []Value
	if code.generator {
		slots = make([]Value, need)
	} else {
		if len(t.stack)+need > cap(t.stack) {
			t.stack = make([]Value, 0, max(arenaSize, need))
		}
		base := len(t.stack)
		t.stack = t.stack[:base+need]
		slots = t.stack[base : base+need : base+need]
		f.arena = slots
	}
	f.code, f.globals, f.gattrs = code, globals, t.namespace(globals)
	n := len(code.varNames)
	f.locals = slots[:n:n]
	f.stack = slots[n:n]
	f.ip = 0
	return f, nil
}

// freeFrame gives a finished frame back.
func (t *Thread) freeFrame(f *frame) {
	t.depth--
	if f.arena != nil {
		clear(f.arena)
		// The arena may have been replaced by a larger one meanwhile.
		if n := len(t.stack) - len(f.arena); n >= 0 && len(f.arena) > 0 && &t.stack[n] == &f.arena[0] {
			t.stack = t.stack[:n]
		}
	}
	*f = frame{blocks: f.blocks[:0]}
	if len(t.frames) < 32 {
		t.frames = append(t.frames, f)
	}
}

// enterCells makes the cells of a frame and takes over the closure's.
func (f *frame) enterCells(closure []*Cell) {
	n := len(f.code.cellNames)
	if n+len(closure) == 0 {
		return
	}
	f.cells = make([]*Cell, n, n+len(closure))
	for i := range n {
		c := &Cell{}
		if p := f.code.cellParam[i]; p >= 0 {
			c.V = f.locals[p]
			f.locals[p] = nil
		}
		f.cells[i] = c
	}
	f.cells = append(f.cells, closure...)
}

// firstArg is the first parameter, for super().
func (f *frame) firstArg() Value {
	for i, p := range f.code.cellParam {
		if p == 0 {
			return f.cells[i].V
		}
	}
	return f.locals[0]
}

// Generator is a suspended Python function.
type Generator struct {
	name     string
	qualname string
	f        *frame // nil when finished
	running  bool
	started  bool
	ret      Value       // value of the return statement
	handling []*Instance // exceptions it was handling when it was suspended
}

// Type returns generator.
func (*Generator) Type() *Type { return GeneratorType }

func (t *Thread) newGenerator(f *frame, fn *Function) *Generator {
	t.depth--
	g := &Generator{name: fn.Qualname, qualname: fn.Qualname, f: f}
	f.gen = g
	return g
}

// Next resumes the generator; nil, nil when it is finished.
func (g *Generator) Next(t *Thread) (Value, error) { return t.resume(g, None, nil) }

// resume sends v, or raises exc inside the generator.
func (t *Thread) resume(g *Generator, v Value, exc error) (Value, error) {
	if g.running {
		return nil, ValueErrorf("generator already executing")
	}
	if g.f == nil {
		g.ret = nil
		return nil, exc
	}
	if t.depth >= t.lim.Depth {
		return nil, RaiseType(RecursionErrorType, "maximum recursion depth exceeded")
	}
	f := g.f
	if exc != nil && !g.started {
		g.f = nil
		return nil, generatorError(exc)
	}
	if g.started && exc == nil {
		f.stack = append(f.stack, v)
	}
	g.started = true
	t.depth++
	g.running = true
	base := len(t.handling)
	t.handling = append(t.handling, g.handling...)
	var thrown *Raised
	if errors.As(exc, &thrown) {
		// It meets the exceptions that the generator itself is handling, but not its caller's.
		thrown.chained = len(g.handling) == 0
	}
	r, err := t.runFrom(f, exc)
	g.running = false
	t.depth--
	if err != nil {
		t.handling = t.handling[:min(base, len(t.handling))]
		g.f, g.handling = nil, nil
		return nil, generatorError(err)
	}
	if f.code.instrs[f.ip-1].op == opReturn {
		g.ret, g.f, g.handling = r, nil, nil
		t.handling = t.handling[:base]
		return nil, nil
	}
	g.handling = append(g.handling[:0], t.handling[base:]...)
	t.handling = t.handling[:base]
	return r, nil
}

// generatorError turns a StopIteration that leaves a generator into a
// RuntimeError (PEP 479).
func generatorError(err error) error {
	cause, stop := Catch(err, StopIterationType)
	if !stop {
		return err
	}
	e := NewException(RuntimeErrorType, NewStr("generator raised StopIteration"))
	s := e.state()
	s.cause, s.context, s.suppress = cause, cause, true
	return &Raised{Exc: e}
}

// CopyFor copies a suspended generator for a fork.
func (g *Generator) CopyFor(c *Copier) (Value, error) {
	if g.running {
		return nil, c.refuse(g)
	}
	n := *g
	c.memo[pointerOf(g)] = &n
	if g.f == nil {
		return &n, nil
	}
	f := *g.f
	f.gen = &n
	var err error
	if f.locals, err = c.slice(g.f.locals); err != nil {
		return nil, err
	}
	stack, err := c.slice(g.f.stack)
	if err != nil {
		return nil, err
	}
	f.stack = append(make([]Value, 0, f.code.maxStack), stack...)
	f.blocks = append([]block(nil), g.f.blocks...)
	f.cells = make([]*Cell, len(g.f.cells))
	for i, cell := range g.f.cells {
		k, err := c.Copy(cell)
		if err != nil {
			return nil, err
		}
		f.cells[i] = k.(*Cell)
	}
	m, err := c.Copy(f.globals)
	if err != nil {
		return nil, err
	}
	f.globals = m.(*Module)
	d, err := c.Copy(f.gattrs)
	if err != nil {
		return nil, err
	}
	f.gattrs = d.(*Dict)
	n.f = &f
	return &n, nil
}

// stopIteration is the exception at the end of a generator.
func stopIteration(ret Value) error {
	if ret == nil || ret == None {
		e := NewException(StopIterationType)
		e.attrs.SetStr("value", None)
		return &Raised{Exc: e}
	}
	e := NewException(StopIterationType, ret)
	e.attrs.SetStr("value", ret)
	return &Raised{Exc: e}
}

func setupGenerator() {
	finish := func(t *Thread, g *Generator, v Value, err error) (Value, error) {
		if v == nil && err == nil {
			ret := g.ret
			g.ret = nil
			return nil, stopIteration(ret)
		}
		return v, err
	}
	self := func(v Value) *Generator { return v.(*Generator) }
	GeneratorType.Finish(
		Def("__iter__", "/", func(_ *Thread, g Value, _ []Value) (Value, error) { return g, nil }),
		Def("__next__", "/", func(t *Thread, g Value, _ []Value) (Value, error) {
			v, err := t.resume(self(g), None, nil)
			return finish(t, self(g), v, err)
		}),
		Def("send", "value, /", func(t *Thread, g Value, a []Value) (Value, error) {
			if !self(g).started && a[0] != None && self(g).f != nil {
				return nil, TypeErrorf("can't send non-None value to a just-started generator")
			}
			v, err := t.resume(self(g), a[0], nil)
			return finish(t, self(g), v, err)
		}),
		Def("throw", "typ, val=None, tb=None, /", func(t *Thread, g Value, a []Value) (Value, error) {
			exc, err := t.throwArgs(a)
			if err != nil {
				return nil, err
			}
			v, err := t.throwInto(self(g), &Raised{Exc: exc})
			return finish(t, self(g), v, err)
		}),
		Def("close", "/", func(t *Thread, g Value, _ []Value) (Value, error) { return None, t.closeGenerator(self(g)) }),
		Get("__name__", func(_ *Thread, g Value) (Value, error) { return NewStr(self(g).f.code.Name), nil }),
	)
}

func (t *Thread) throwArgs(a []Value) (*Instance, error) {
	if e, ok := a[0].(*Instance); ok && e.class.IsSubclass(BaseExceptionType) {
		return e, nil
	}
	c, ok := a[0].(*Type)
	if !ok || !c.IsSubclass(BaseExceptionType) {
		return nil, TypeErrorf("exceptions must be classes or instances deriving from BaseException, not %s", TypeName(a[0]))
	}
	var args []Value
	if a[1] != nil && a[1] != None {
		if e, ok := a[1].(*Instance); ok && e.class.IsSubclass(c) {
			return e, nil
		}
		args = []Value{a[1]}
	}
	v, err := t.Call(c, args, nil)
	if err != nil {
		return nil, err
	}
	return v.(*Instance), nil
}

// throwInto raises exc at the suspension point, first inside a delegate of
// yield from; GeneratorExit closes the delegate instead.
func (t *Thread) throwInto(g *Generator, exc error) (Value, error) {
	sub := g.delegatee()
	if sub == nil {
		return t.resume(g, None, exc)
	}
	g.running = true
	v, passed, err := t.throwDelegate(sub, exc)
	g.running = false
	switch {
	case !passed && err == nil:
		err = exc
	case err == nil && v != nil:
		return v, nil
	case err == nil:
		// The delegate finished: go on after the yield from with its value.
		ret := None
		if s, ok := sub.(*Generator); ok {
			ret = orNone(s.ret)
		}
		g.f.stack[len(g.f.stack)-1] = ret
		g.f.ip++
		return t.resumeAt(g, nil)
	}
	if e, stop := Catch(err, StopIterationType); passed && stop {
		g.f.stack[len(g.f.stack)-1] = stopValue(e)
		g.f.ip++
		return t.resumeAt(g, nil)
	}
	g.f.ip++
	return t.resume(g, None, err)
}

// delegatee is the iterator of the yield from at which g is suspended, or nil.
func (g *Generator) delegatee() Value {
	if g.f == nil || !g.started || g.running || g.f.ip >= len(g.f.code.instrs) || g.f.code.instrs[g.f.ip].op != opYieldFrom {
		return nil
	}
	return g.f.stack[len(g.f.stack)-1]
}

// throwDelegate hands an exception to a delegate. passed is false when the
// delegate has no throw, or was closed: then the exception is the generator's.
func (t *Thread) throwDelegate(sub Value, exc error) (v Value, passed bool, err error) {
	_, closing := Catch(exc, GeneratorExitType)
	s, isGenerator := sub.(*Generator)
	switch {
	case isGenerator && closing:
		return nil, false, t.closeGenerator(s)
	case isGenerator:
		v, err := t.throwInto(s, exc)
		return v, true, err
	}
	obj, name := sub, "throw"
	if it, ok := sub.(*instIter); ok {
		obj = it.obj
	}
	if closing {
		name = "close"
	}
	f, err := t.LookupAttr(obj, name)
	if f == nil || err != nil {
		return nil, false, err
	}
	if closing {
		_, err := t.Call(f, nil, nil)
		return nil, false, err
	}
	var r *Raised
	errors.As(exc, &r)
	v, err = t.Call(f, []Value{r.Exc}, nil)
	return v, true, err
}

// resumeAt continues without pushing a sent value.
func (t *Thread) resumeAt(g *Generator, exc error) (Value, error) {
	v := g.f.stack[len(g.f.stack)-1]
	g.f.stack = g.f.stack[:len(g.f.stack)-1]
	return t.resume(g, v, exc)
}

func (t *Thread) closeGenerator(g *Generator) error {
	if g.f == nil {
		return nil
	}
	v, err := t.throwInto(g, &Raised{Exc: NewException(GeneratorExitType)})
	if err != nil {
		if _, ok := Catch(err, GeneratorExitType, StopIterationType); ok {
			return nil
		}
		return err
	}
	if v != nil {
		return RaiseType(RuntimeErrorType, "generator ignored GeneratorExit")
	}
	return nil
}

// arenas recycles operand arenas between threads, so that an idle episode
// holds none.
var arenas = sync.Pool{New: func() any { return &arena{stack: make([]Value, 0, arenaSize), args: make([]Value, 0, 64)} }}

// arena is the scratch memory of a running thread.
type arena struct {
	stack, args []Value
	frames      []*frame
}

// Wake takes scratch memory before a call into world code. A thread that was
// not woken makes its own.
func (t *Thread) Wake() {
	if t.stack == nil {
		a := arenas.Get().(*arena)
		t.stack, t.argStack, t.frames, t.scratch = a.stack[:0], a.args[:0], a.frames, a
	}
}

// Idle gives scratch memory back between calls, so that thousands of live
// episodes stay small.
func (t *Thread) Idle() {
	if a := t.scratch; a != nil {
		if cap(t.stack) <= 8*arenaSize && cap(t.argStack) <= arenaSize {
			clear(t.stack[:cap(t.stack)])
			clear(t.argStack[:cap(t.argStack)])
			a.stack, a.args, a.frames = t.stack[:0], t.argStack[:0], t.frames
			arenas.Put(a)
		}
		t.scratch = nil
	}
	t.stack, t.argStack, t.frames, t.handling, t.reprSet, t.out = nil, nil, nil, nil, nil, nil
	t.log.events = nil
	t.journal = nil
	t.ctx = nil
}
