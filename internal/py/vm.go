package py

import (
	"gauntlet/internal/py/syntax"
)

// run executes a fresh frame to its return.
func (t *Thread) run(f *frame) (Value, error) { return t.runFrom(f, nil) }

// runFrom executes f from its instruction pointer; exc, when not nil, is
// raised there first. For a generator it returns at the next yield.
func (t *Thread) runFrom(f *frame, exc error) (Value, error) {
	f.back, t.frame = t.frame, f
	v, err := t.loop(f, exc)
	t.frame = f.back
	return v, err
}

// loop is the bytecode interpreter: it steps until a return, a yield, or an
// exception that no block of the frame handles.
func (t *Thread) loop(f *frame, err error) (Value, error) {
	for {
		if err != nil {
			if err = t.handle(f, err); err != nil {
				return nil, err
			}
		}
		var v Value
		v, err = t.step(f)
		if err == nil {
			return v, nil
		}
	}
}

// handle finds the block that handles err: the stack is cut back, the
// exception becomes the one being handled, and execution goes on there.
func (t *Thread) handle(f *frame, err error) error {
	r, ok := err.(*Raised) //nolint:errorlint // inside the machine exceptions are never wrapped, and this is hot
	if !ok {
		return err
	}
	at := max(f.ip-1, 0)
	if at < len(f.code.pos) {
		p := f.code.pos[at]
		if len(r.Trace) < 16 {
			t.alloc -= 64
			r.Trace = append(r.Trace, Frame{f.code.File, f.code.Qualname, p.Line, p.Col})
		}
	}
	t.chain(r)
	if len(f.blocks) == 0 {
		t.handling = t.handling[:len(t.handling)-f.handled]
		f.handled = 0
		return err
	}
	// An exception lives on in the context of the next one.
	if err := t.Alloc(512); err != nil {
		return err
	}
	b := f.blocks[len(f.blocks)-1]
	f.blocks = f.blocks[:len(f.blocks)-1]
	clear(f.stack[b.level:])
	f.stack = f.stack[:b.level]
	if extra := f.handled - int(b.handled); extra > 0 { // left by an except clause that failed
		t.handling = t.handling[:len(t.handling)-extra]
		f.handled = int(b.handled)
	}
	t.handling = append(t.handling, r.Exc)
	f.handled++
	f.ip = int(b.target)
	return nil
}

// chain makes the exception being handled the context of a new one. The chain
// must not become a ring: an exception that is raised again leaves its old place.
func (t *Thread) chain(r *Raised) {
	n := len(t.handling)
	if r.chained || n == 0 || t.handling[n-1] == r.Exc {
		r.chained = true
		return
	}
	r.chained = true
	top := t.handling[n-1]
	slow := top
	// Only an exception that is a context already can stand in the chain.
	linked := r.Exc.exc != nil && r.Exc.exc.linked
	for i, e := 0, top; linked && e.exc != nil && e.exc.context != nil; i++ {
		if e.exc.context == r.Exc {
			e.exc.context = nil
			break
		}
		e = e.exc.context
		if i%2 == 1 {
			slow = slow.exc.context
		}
		if e == slow { // a ring that the program made
			break
		}
	}
	r.Exc.state().context = top
	top.state().linked = true
}

// step runs instructions until return, yield or error. The operand stack is
// kept in a local and stored back on the way out.
func (t *Thread) step(f *frame) (Value, error) {
	code := f.code
	instrs := code.instrs
	s := f.stack
	ip := f.ip
	var err error
	for {
		in := instrs[ip]
		ip++
		switch in.op {
		case opConst:
			s = append(s, code.consts[in.arg])
		case opLoadFast:
			v := f.locals[in.arg]
			if v == nil {
				err = unbound(code.varNames[in.arg])
				goto fail
			}
			s = append(s, v)
		case opStoreFast:
			n := len(s) - 1
			f.locals[in.arg] = s[n]
			s = s[:n]
		case opLoadGlobal:
			name := code.names[in.arg]
			v, ok := f.gattrs.GetStr(name)
			if !ok {
				if v, ok = builtins.GetStr(name); !ok {
					err = nameError(name)
					goto fail
				}
			}
			s = append(s, v)
		case opLoadAttr:
			var v Value
			f.ip, f.stack = ip, s
			v, err = t.GetAttr(s[len(s)-1], code.names[in.arg])
			if err != nil {
				goto fail
			}
			s[len(s)-1] = v
		case opLoadMethod:
			var fn, self Value
			f.ip, f.stack = ip, s
			fn, self, err = t.loadMethod(s[len(s)-1], code.names[in.arg])
			if err != nil {
				goto fail
			}
			s[len(s)-1] = fn
			s = append(s, self)
		case opCallMethod:
			n := len(s) - int(in.arg) - 2
			args := s[n+1:]
			if args[0] == nil {
				args = args[1:]
			}
			var v Value
			f.ip, f.stack = ip, s
			if fn, ok := s[n].(*Function); ok {
				v, err = t.callFunction(fn, args, nil)
			} else {
				v, err = t.Call(s[n], args, nil)
			}
			if err != nil {
				goto fail
			}
			s = append(s[:n], v)
		case opCall:
			n := len(s) - int(in.arg) - 1
			var v Value
			f.ip, f.stack = ip, s
			v, err = t.Call(s[n], s[n+1:], nil)
			if err != nil {
				goto fail
			}
			s = append(s[:n], v)
		case opSubscr:
			n := len(s) - 2
			var v Value
			f.ip, f.stack = ip, s
			v, err = t.GetItem(s[n], s[n+1])
			if err != nil {
				goto fail
			}
			s[n] = v
			s = s[:n+1]
		case opCompare:
			n := len(s) - 2
			var v Value
			f.ip, f.stack = ip, s
			v, err = t.compareOp(syntax.CmpOp(in.arg), s[n], s[n+1])
			if err != nil {
				goto fail
			}
			s[n] = v
			s = s[:n+1]
		case opBinary:
			n := len(s) - 2
			var v Value
			f.ip, f.stack = ip, s
			v, err = t.BinaryOp(syntax.Operator(in.arg), s[n], s[n+1])
			if err != nil {
				goto fail
			}
			s[n] = v
			s = s[:n+1]
		case opJump:
			ip = int(in.arg)
		case opLoop:
			f.ip = ip
			if err = t.Charge(2 + (ip-int(in.arg))>>2); err != nil {
				goto fail
			}
			ip = int(in.arg)
		case opJumpIfFalse, opJumpIfTrue:
			n := len(s) - 1
			b, ok := s[n].(Bool)
			if !ok {
				var x bool
				f.ip, f.stack = ip, s
				if x, err = t.Truth(s[n]); err != nil {
					goto fail
				}
				b = Bool(x)
			}
			s = s[:n]
			if bool(b) == (in.op == opJumpIfTrue) {
				if int(in.arg) < ip {
					if err = t.Charge(2); err != nil {
						goto fail
					}
				}
				ip = int(in.arg)
			}
		case opJumpIfFalseOrPop, opJumpIfTrueOrPop:
			n := len(s) - 1
			var x bool
			f.ip, f.stack = ip, s
			if x, err = t.Truth(s[n]); err != nil {
				goto fail
			}
			if x == (in.op == opJumpIfTrueOrPop) {
				ip = int(in.arg)
			} else {
				s = s[:n]
			}
		case opForIter:
			var v Value
			f.ip, f.stack = ip, s
			v, err = s[len(s)-1].(Iterator).Next(t)
			if err != nil {
				goto fail
			}
			if v == nil {
				s = s[:len(s)-1]
				ip = int(in.arg)
			} else {
				s = append(s, v)
			}
		case opPop:
			s = s[:len(s)-1]
		case opReturn:
			n := len(s) - 1
			v := s[n]
			f.ip, f.stack = ip, s[:n]
			return v, nil
		case opYield:
			n := len(s) - 1
			v := s[n]
			f.ip, f.stack = ip, s[:n]
			return v, nil
		case opYieldFrom:
			f.ip, f.stack = ip, s
			var v Value
			v, err = t.delegate(f)
			s = f.stack
			if err != nil {
				goto fail
			}
			if v != nil {
				f.ip = ip - 1
				return v, nil
			}
		default:
			f.ip, f.stack = ip, s
			err = t.rare(f, in)
			s, ip = f.stack, f.ip
			if err != nil {
				return nil, err
			}
		}
		continue
	fail:
		f.ip, f.stack = ip, s
		return nil, err
	}
}

func unbound(name string) error {
	return RaiseType(UnboundLocalErrorType, "cannot access local variable '%s' where it is not associated with a value", name)
}

func nameError(name string) error {
	e := NewException(NameErrorType, NewStr("name '"+name+"' is not defined"))
	e.attrs.SetStr("name", NewStr(name))
	return &Raised{Exc: e}
}

// compareOp is Compare with the common cases first.
func (t *Thread) compareOp(op syntax.CmpOp, a, b Value) (Value, error) {
	switch op {
	case syntax.Is:
		return Bool(Is(a, b)), nil
	case syntax.IsNot:
		return Bool(!Is(a, b)), nil
	case syntax.In, syntax.NotIn:
		in, err := t.Contains(b, a)
		return Bool(in == (op == syntax.In)), err
	}
	if x, ok := a.(*Str); ok {
		if y, ok := b.(*Str); ok && op <= syntax.NotEq {
			eq, err := t.equalText(x, y)
			return Bool(eq == (op == syntax.Eq)), err
		}
	}
	return t.Compare(op, a, b)
}

// loadMethod finds v.name for a call without making a bound method: it returns
// the function and its receiver, or a nil receiver for a plain callable.
func (t *Thread) loadMethod(v Value, name string) (fn, self Value, err error) {
	switch x := v.(type) {
	case *Instance:
		f, ok := x.class.Lookup(name)
		if ok {
			if _, isFn := f.(*Function); isFn && name != "__class__" && !x.class.hooked {
				if _, shadow := x.attrs.GetStr(name); !shadow {
					return f, v, nil
				}
			}
		}
	case *Dict, *Str, *List, *Set, *Tuple:
		if f, ok := v.Type().Attrs.GetStr(name); ok {
			if n, isNative := f.(*Native); isNative && !n.class && n.Owner != nil {
				return f, v, nil
			}
		}
	}
	fn, err = t.GetAttr(v, name)
	return fn, nil, err
}

// delegate is one step of yield from: the top of the stack is the value to
// send, below it the delegate. nil means that the delegate has finished and its
// value replaced it.
func (t *Thread) delegate(f *frame) (Value, error) {
	n := len(f.stack) - 1
	send, it := f.stack[n], f.stack[n-1]
	f.stack = f.stack[:n]
	if g, ok := it.(*Generator); ok {
		v, err := t.resume(g, send, nil)
		if err != nil || v != nil {
			return v, err
		}
		f.stack[n-1] = orNone(g.ret)
		return nil, nil
	}
	if send != None {
		v, err := t.CallMethod(IterObject(it.(Iterator)), "send", send)
		if err == nil {
			return v, nil
		}
		if e, stop := Catch(err, StopIterationType); stop {
			f.stack[n-1] = stopValue(e)
			return nil, nil
		}
		return nil, err
	}
	if i, ok := it.(*instIter); ok {
		next, _ := i.obj.Type().Lookup("__next__")
		v, err := t.callBound(next, i.obj)
		if e, stop := Catch(err, StopIterationType); stop {
			f.stack[n-1] = stopValue(e)
			return nil, nil
		}
		return v, err
	}
	v, err := it.(Iterator).Next(t)
	if v == nil && err == nil {
		f.stack[n-1] = None
	}
	return v, err
}

func stopValue(e *Instance) Value {
	if v, ok := e.attrs.GetStr("value"); ok {
		return v
	}
	return None
}
