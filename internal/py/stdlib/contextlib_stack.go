package stdlib

import (
	"errors"

	"gauntlet/internal/py"
)

// exitStack is contextlib.ExitStack. Its callbacks take the three arguments of
// __exit__ when exit is set, their own otherwise.
type exitStack struct {
	libHeader
	calls []exitCall
}

type exitCall struct {
	partial
	exit bool
}

// Type returns contextlib.ExitStack.
func (*exitStack) Type() *py.Type { return exitStackType }

// Save returns a function that restores the callbacks.
func (s *exitStack) Save() func() {
	calls := append([]exitCall(nil), s.calls...)
	return func() { s.calls = calls }
}

// CopyFor copies the stack for a fork.
func (s *exitStack) CopyFor(c *py.Copier) (py.Value, error) {
	n := &exitStack{}
	for _, call := range s.calls {
		p, err := call.mapValues(c.Copy)
		if err != nil {
			return nil, err
		}
		n.calls = append(n.calls, exitCall{*p, call.exit})
	}
	return n, nil
}

func (s *exitStack) push(t *py.Thread, call exitCall) error {
	t.Touch(s)
	s.calls = append(s.calls, call)
	return t.Alloc(64)
}

// close runs the callbacks, last first, each seeing the exception that is on
// its way; it reports whether the exception of the with block was dealt with.
func (s *exitStack) close(t *py.Thread, exc py.Value) (bool, error) {
	var pending error
	current := exc
	for len(s.calls) > 0 {
		t.Touch(s)
		call := s.calls[len(s.calls)-1]
		s.calls = s.calls[:len(s.calls)-1]
		var v py.Value
		var err error
		if call.exit {
			var cls py.Value = py.None
			if current != py.None {
				cls = current.Type()
			}
			v, err = call.CallObject(t, []py.Value{cls, current, py.None}, nil)
		} else {
			_, err = call.CallObject(t, nil, nil)
			v = py.None
		}
		if err != nil {
			raised, ok := py.Catch(err, py.BaseExceptionType)
			if !ok {
				return false, err
			}
			pending, current = err, raised
			continue
		}
		handled, err := t.Truth(v)
		if err != nil {
			return false, err
		}
		if handled {
			pending, current = nil, py.None
		}
	}
	var r *py.Raised
	if errors.As(pending, &r) && py.Value(r.Exc) != exc {
		return false, pending
	}
	return exc != py.None && current == py.None, nil
}

func setupExitStack() {
	of := func(v py.Value) *exitStack { return py.Unwrap(v).(*exitStack) }
	exitStackType.New = func(_ *py.Thread, cls *py.Type, _ []py.Value, _ []py.Kw) (py.Value, error) {
		if cls != exitStackType {
			return py.NewInstance(cls, &exitStack{}), nil
		}
		return &exitStack{}, nil
	}
	exitStackType.Finish(
		py.Def("__enter__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return self, nil }),
		py.Def("__exit__", "typ, value, traceback", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			exc, err := excArg(t, a)
			if err != nil {
				return nil, err
			}
			ok, err := of(self).close(t, exc)
			return py.Bool(ok), err
		}),
		py.Def("close", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			_, err := of(self).close(t, py.None)
			return py.None, err
		}),
		py.Def("enter_context", "cm", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			leave, ok := a[0].Type().Lookup("__exit__")
			if _, enters := a[0].Type().Lookup("__enter__"); !ok || !enters {
				return nil, py.TypeErrorf("'%s.%s' object does not support the context manager protocol", a[0].Type().Mod, a[0].Type().Qualname)
			}
			v, _, err := t.CallSpecial(a[0], "__enter__")
			if err != nil {
				return nil, err
			}
			return v, of(self).push(t, exitCall{partial{fn: leave, args: []py.Value{a[0]}}, true})
		}),
		py.Def("push", "exit", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			if leave, ok := a[0].Type().Lookup("__exit__"); ok {
				return a[0], of(self).push(t, exitCall{partial{fn: leave, args: []py.Value{a[0]}}, true})
			}
			return a[0], of(self).push(t, exitCall{partial{fn: a[0]}, true})
		}),
		py.Member{Name: "callback", Value: py.NewRawMethod("callback", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			if len(args) < 2 {
				return nil, py.TypeErrorf("ExitStack.callback() missing 1 required positional argument: 'callback'")
			}
			call := exitCall{partial{args[1], append([]py.Value(nil), args[2:]...), append([]py.Kw(nil), kw...)}, false}
			return args[1], of(args[0]).push(t, call)
		})},
		py.Def("pop_all", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s := of(self)
			t.Touch(s)
			n := &exitStack{calls: s.calls}
			s.calls = nil
			return n, nil
		}),
	)
}
