package py

import (
	"strings"
)

// setupExceptions attaches the methods of exceptions.
func setupExceptions() {
	BaseExceptionType.New = func(_ *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
		if len(kw) > 0 {
			if f, ok := cls.Lookup("__init__"); ok {
				if n, native := f.(*Native); native && n.Owner == BaseExceptionType {
					return nil, TypeErrorf("%s() takes no keyword arguments", cls.Name)
				}
			}
		}
		e := NewException(cls, append([]Value(nil), args...)...)
		if cls.IsSubclass(excByName["SystemExit"]) {
			var code Value = None
			switch len(args) {
			case 0:
			case 1:
				code = args[0]
			default:
				code = NewTuple(append([]Value(nil), args...)...)
			}
			e.attrs.SetStr("code", code)
		}
		if cls.IsSubclass(StopIterationType) {
			e.attrs.SetStr("value", None)
			if len(args) > 0 {
				e.attrs.SetStr("value", args[0])
			}
		}
		return e, nil
	}
	BaseExceptionType.Finish(exceptionMembers()...)
	KeyErrorType.Finish(Member{"__str__", NewRawMethod("__str__", keyErrorStr)})
	setupImportError()
	setupOSError()
}

func exceptionMembers() []Member {
	args := &Getter{Name: "args", Fn: func(_ *Thread, self Value) (Value, error) {
		return self.(*Instance).state().args, nil
	}, Set: func(t *Thread, self, v Value) error {
		items, err := t.Collect(v)
		self.(*Instance).state().args = NewTuple(items...)
		return err
	}}
	linked := func(name string, get func(*excState) *Instance, set func(*excState, *Instance)) Member {
		return Member{name, &Getter{Name: name, Fn: func(_ *Thread, self Value) (Value, error) {
			if e := self.(*Instance).exc; e != nil && get(e) != nil {
				return get(e), nil
			}
			return None, nil
		}, Set: func(_ *Thread, self, v Value) error {
			e, ok := v.(*Instance)
			if v != None && (!ok || !e.class.IsSubclass(BaseExceptionType)) {
				return TypeErrorf("exception %s must be None or derive from BaseException", strings.Trim(name, "_"))
			}
			set(self.(*Instance).state(), e)
			return nil
		}}}
	}
	return []Member{
		{"args", args},
		linked("__cause__", func(e *excState) *Instance { return e.cause }, func(e *excState, x *Instance) { e.cause, e.suppress = x, true }),
		linked("__context__", func(e *excState) *Instance { return e.context }, func(e *excState, x *Instance) {
			if e.context = x; x != nil {
				x.state().linked = true
			}
		}),
		Get("__suppress_context__", func(_ *Thread, self Value) (Value, error) {
			e := self.(*Instance).exc
			return Bool(e != nil && e.suppress), nil
		}),
		Get("__traceback__", func(*Thread, Value) (Value, error) { return None, nil }),
		{"__init__", NewRawMethod("__init__", func(_ *Thread, a []Value, kw []Kw) (Value, error) {
			e, ok := a[0].(*Instance)
			if !ok {
				return nil, TypeErrorf("descriptor '__init__' requires a 'BaseException' object but received a '%s'", TypeName(a[0]))
			}
			if len(kw) > 0 {
				return nil, TypeErrorf("%s() takes no keyword arguments", e.class.Name)
			}
			e.state().args = NewTuple(append([]Value(nil), a[1:]...)...)
			return None, nil
		})},
		{"__str__", NewRawMethod("__str__", exceptionStr)},
		{"__repr__", NewRawMethod("__repr__", exceptionRepr)},
		{"with_traceback", NewRawMethod("with_traceback", func(_ *Thread, a []Value, _ []Kw) (Value, error) { return a[0], nil })},
		{"add_note", NewRawMethod("add_note", func(t *Thread, a []Value, _ []Kw) (Value, error) {
			e := a[0].(*Instance)
			notes, ok := e.attrs.GetStr("__notes__")
			if !ok {
				notes = t.NewList(nil)
				e.attrs.SetStr("__notes__", notes)
			}
			if len(a) == 2 {
				if _, ok := AsStr(a[1]); !ok {
					return nil, TypeErrorf("note must be a str, not '%s'", TypeName(a[1]))
				}
			}
			if len(a) != 2 {
				return nil, TypeErrorf("BaseException.add_note() takes exactly one argument (%d given)", len(a)-1)
			}
			return None, notes.(*List).Append(t, a[1])
		})},
	}
}

// keyErrorStr shows the key by its repr.
func keyErrorStr(t *Thread, a []Value, _ []Kw) (Value, error) {
	e := a[0].(*Instance)
	if x := ExcArgs(e); len(x) == 1 {
		s, err := t.Repr(x[0])
		return NewStr(s), err
	}
	return exceptionStr(t, a, nil)
}

// errnoTypes maps error numbers to the subclasses that OSError(errno, text)
// makes. Source: the Python library reference, "OS exceptions".
var errnoTypes = map[int64]string{
	1: "PermissionError", 2: "FileNotFoundError", 3: "ProcessLookupError", 4: "InterruptedError", 10: "ChildProcessError",
	11: "BlockingIOError", 13: "PermissionError", 17: "FileExistsError", 20: "NotADirectoryError", 21: "IsADirectoryError",
	32: "BrokenPipeError", 103: "ConnectionAbortedError", 104: "ConnectionResetError", 108: "BrokenPipeError",
	110: "TimeoutError", 111: "ConnectionRefusedError", 114: "BlockingIOError", 115: "BlockingIOError",
}

// setupOSError picks the subclass by error number and sets errno, strerror and filename.
func setupOSError() {
	OSErrorType.New = func(_ *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
		if len(kw) > 0 {
			return nil, TypeErrorf("%s() takes no keyword arguments", cls.Name)
		}
		var no, text, file Value = None, None, None
		kept := append([]Value(nil), args...)
		if len(args) >= 2 && len(args) <= 5 {
			no, text = args[0], args[1]
			if n, ok := AsInt(no); ok && cls == OSErrorType && errnoTypes[n] != "" {
				cls = excByName[errnoTypes[n]]
			}
			if len(args) >= 3 && args[2] != None {
				file, kept = args[2], kept[:2]
			}
		}
		e := NewException(cls, kept...)
		for _, m := range []Member{{"errno", no}, {"strerror", text}, {"filename", file}} {
			e.attrs.SetStr(m.Name, m.Value)
		}
		return e, nil
	}
	OSErrorType.Finish(Member{"__init__", NewRawMethod("__init__", func(*Thread, []Value, []Kw) (Value, error) { return None, nil })})
}

// setupImportError gives ImportError its name and path keywords.
func setupImportError() {
	ImportErrorType.New = func(_ *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
		e := NewException(cls, append([]Value(nil), args...)...)
		for _, k := range kw {
			e.attrs.SetStr(k.Name, k.Value)
		}
		return e, nil
	}
	ImportErrorType.Finish(Member{"__init__", NewRawMethod("__init__", func(*Thread, []Value, []Kw) (Value, error) { return None, nil })})
}

func exceptionStr(t *Thread, a []Value, _ []Kw) (Value, error) {
	e, ok := a[0].(*Instance)
	if !ok {
		return nil, TypeErrorf("descriptor '__str__' requires a 'BaseException' object")
	}
	args := ExcArgs(e)
	switch len(args) {
	case 0:
		return emptyStr, nil
	case 1:
		s, err := t.Str(args[0])
		return NewStr(s), err
	}
	if e.class.IsSubclass(excByName["OSError"]) && len(args) <= 5 {
		no, err := t.Str(args[0])
		if err != nil {
			return nil, err
		}
		msg, err := t.Str(args[1])
		if err != nil {
			return nil, err
		}
		text := "[Errno " + no + "] " + msg
		if f, ok := e.attrs.GetStr("filename"); ok && f != None {
			name, err := t.Repr(f)
			return NewStr(text + ": " + name), err
		}
		return NewStr(text), nil
	}
	s, err := t.Repr(NewTuple(args...))
	return NewStr(s), err
}

func exceptionRepr(t *Thread, a []Value, _ []Kw) (Value, error) {
	e := a[0].(*Instance)
	args := ExcArgs(e)
	if len(args) == 1 {
		s, err := t.Repr(args[0])
		return NewStr(e.class.Name + "(" + s + ")"), err
	}
	s, err := t.Repr(NewTuple(args...))
	return NewStr(e.class.Name + s), err
}
