package py

import (
	"errors"
	"math"

	"gauntlet/internal/py/text"
)

// This file converts and counts arguments the way CPython's argument parsers
// do, where a signature (native.go) cannot say it.

// raiseText turns an error of package text into the Python exception it
// describes; other errors pass through.
func raiseText(err error) error {
	var e *text.Error
	if errors.As(err, &e) {
		cls := excByName[e.Class]
		if cls == nil {
			cls = ValueErrorType
		}
		return RaiseArgs(cls, NewStr(e.Text))
	}
	var u *text.UnicodeError
	if errors.As(err, &u) {
		cls, object := UnicodeDecodeErrType, Value(&Bytes{string(u.Bytes)})
		if u.Encode {
			cls, object = UnicodeEncodeErrType, NewStr(u.Object)
		}
		return RaiseArgs(cls, NewStr(u.Encoding), object, Int(u.Start), Int(u.End), NewStr(u.Reason))
	}
	return err
}

// plainInt returns an int of any class as an Int or a *Big.
func plainInt(v Value) (Value, bool) {
	switch x := Unwrap(v).(type) {
	case Int:
		return x, true
	case *Big:
		return x, true
	case Bool:
		if x {
			return Int(1), true
		}
		return Int(0), true
	}
	return nil, false
}

// hasIndex reports whether v can be an index without converting it.
func hasIndex(v Value) bool {
	if isInt(Unwrap(v)) {
		return true
	}
	_, ok := v.Type().Lookup("__index__")
	return ok
}

// toSize converts an argument that C code takes as Py_ssize_t.
func (t *Thread) toSize(v Value) (int, error) {
	i, err := t.index(v)
	if err != nil {
		return 0, err
	}
	if n, ok := AsInt(i); ok {
		return int(n), nil
	}
	return 0, OverflowErrorf("Python int too large to convert to C ssize_t")
}

// toCInt converts an argument that C code takes as int.
func (t *Thread) toCInt(v Value) (int, error) {
	i, err := t.index(v)
	if err != nil {
		return 0, err
	}
	if n, ok := AsInt(i); ok && n >= math.MinInt32 && n <= math.MaxInt32 {
		return int(n), nil
	}
	return 0, OverflowErrorf("Python int too large to convert to C int")
}

// clampSize converts an index to an int, pinning what does not fit.
func clampSize(i Value) int {
	if n, ok := AsInt(i); ok {
		return int(n)
	}
	if b, ok := i.(*Big); ok && b.V.Sign() < 0 {
		return math.MinInt
	}
	return math.MaxInt
}

// sliceBound converts a start or stop argument of a search method; an absent
// one or None gives def.
func (t *Thread) sliceBound(v Value, def int) (int, error) {
	if v == nil || v == None {
		return def, nil
	}
	if !hasIndex(v) {
		return 0, TypeErrorf("slice indices must be integers or None or have an __index__ method")
	}
	i, err := t.index(v)
	if err != nil {
		return 0, err
	}
	return clampSize(i), nil
}

// itemBound is sliceBound for list.index and tuple.index, which refuse None.
func (t *Thread) itemBound(v Value, def int) (int, error) {
	if v == nil {
		return def, nil
	}
	if !hasIndex(v) {
		return 0, TypeErrorf("slice indices must be integers or have an __index__ method")
	}
	i, err := t.index(v)
	if err != nil {
		return 0, err
	}
	return clampSize(i), nil
}

// clipBounds resolves start and stop against a length: negative ones count
// from the end, all are clamped to 0..n.
func clipBounds(start, stop, n int) (int, int) {
	return clipBound(start, n), clipBound(stop, n)
}

func clipBound(i, n int) int {
	if i < 0 {
		i += n
	}
	return max(0, min(i, n))
}

// strArg returns a str argument of a method called name.
func strArg(name string, v Value) (*Str, error) {
	if s, ok := AsStr(v); ok {
		return s, nil
	}
	return nil, TypeErrorf("%s() argument must be str, not %s", name, typeNameNone(v))
}

// typeNameNone is the class name as CPython's argument parser prints it:
// None is called None, not NoneType.
func typeNameNone(v Value) string {
	if v == None {
		return "None"
	}
	return TypeName(v)
}

// counted makes a method whose arguments CPython counts with PyArg_ParseTuple;
// its messages name neither the class nor differ from function to function.
func counted(owner *Type, name string, least, most int, fn MethodFunc) Member {
	n := NewRawMethod(name, func(t *Thread, args []Value, kw []Kw) (Value, error) {
		self, args, err := receiver(owner, name, args)
		if err != nil {
			return nil, err
		}
		if len(kw) > 0 {
			return nil, TypeErrorf("%s.%s() takes no keyword arguments", owner.Name, name)
		}
		if len(args) < least || most >= 0 && len(args) > most {
			how, limit := "at least", least
			if len(args) > most && most >= 0 {
				how, limit = "at most", most
			}
			return nil, TypeErrorf("%s() takes %s %d argument%s (%d given)", name, how, limit, plural(limit), len(args))
		}
		if most < 0 {
			return fn(t, self, args)
		}
		if len(args) == most {
			return fn(t, self, args)
		}
		mark := len(t.argStack)
		t.argStack = append(t.argStack, args...)
		for range most - len(args) {
			t.argStack = append(t.argStack, nil)
		}
		v, err := fn(t, self, t.argStack[mark:len(t.argStack):len(t.argStack)])
		t.argStack = t.argStack[:mark]
		return v, err
	})
	return Member{name, n}
}

// receiver splits off the receiver of a raw method and unwraps it.
func receiver(owner *Type, name string, args []Value) (Value, []Value, error) {
	if len(args) == 0 {
		return nil, nil, TypeErrorf("unbound method %s.%s() needs an argument", owner.Name, name)
	}
	self := args[0]
	if !owner.IsInstance(self) {
		return nil, nil, TypeErrorf("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", name, owner.longName(), TypeName(self))
	}
	return unwrapFor(owner, self), args[1:], nil
}

// unwrapFor returns the built-in part of self when owner is a built-in layout.
func unwrapFor(owner *Type, self Value) Value {
	if owner.solid {
		return Unwrap(self)
	}
	return self
}

// slot makes a special method with n positional arguments, with the wording
// of CPython's slot wrappers.
func slot(owner *Type, name string, n int, fn MethodFunc) Member {
	return slotWhole(owner, name, n, n, "", func(t *Thread, self Value, a []Value) (Value, error) {
		return fn(t, unwrapFor(owner, self), a)
	})
}

// spaced is the prefix of slotWhole for slots that CPython counts with a
// function that expects a name: the name is empty, a space remains.
const spaced = " "

// slotWhole is slot for least to most arguments and a receiver that is not
// unwrapped; prefix starts the message for a wrong count.
func slotWhole(owner *Type, name string, least, most int, prefix string, fn MethodFunc) Member {
	return Member{name, NewRawMethod(name, func(t *Thread, args []Value, kw []Kw) (Value, error) {
		if len(args) == 0 {
			return nil, TypeErrorf("descriptor '%s' of '%s' object needs an argument", name, owner.Name)
		}
		if !owner.IsInstance(args[0]) {
			return nil, TypeErrorf("descriptor '%s' requires a '%s' object but received a '%s'", name, owner.Name, TypeName(args[0]))
		}
		if len(kw) > 0 {
			return nil, TypeErrorf("wrapper %s() takes no keyword arguments", name)
		}
		if n := len(args) - 1; n < least || n > most {
			how, limit := "", least
			switch {
			case least == most:
			case n < least:
				how = "at least "
			default:
				how, limit = "at most ", most
			}
			return nil, TypeErrorf("%sexpected %s%d argument%s, got %d", prefix, how, limit, plural(limit), n)
		}
		return fn(t, args[0], args[1:])
	})}
}

// coexist makes a special method that CPython defines as an ordinary method,
// with its wording; the receiver is not unwrapped.
func coexist(owner *Type, name string, fn func(t *Thread, self, arg Value) (Value, error)) Member {
	return Member{name, NewRawMethod(name, func(t *Thread, args []Value, kw []Kw) (Value, error) {
		if _, _, err := receiver(owner, name, args); err != nil {
			return nil, err
		}
		if len(kw) > 0 {
			return nil, TypeErrorf("%s.%s() takes no keyword arguments", owner.Name, name)
		}
		if len(args) != 2 {
			return nil, TypeErrorf("%s.%s() takes exactly one argument (%d given)", owner.Name, name, len(args)-1)
		}
		return fn(t, args[0], args[1])
	})}
}

// initSlot makes an __init__ whose messages name the class.
func initSlot(owner *Type, most int, keywords bool, fn func(t *Thread, self Value, args []Value, kw []Kw) error) Member {
	return Member{"__init__", NewRawMethod("__init__", func(t *Thread, args []Value, kw []Kw) (Value, error) {
		if len(args) == 0 {
			return nil, TypeErrorf("descriptor '__init__' of '%s' object needs an argument", owner.Name)
		}
		if !owner.IsInstance(args[0]) {
			return nil, TypeErrorf("descriptor '__init__' requires a '%s' object but received a '%s'", owner.Name, TypeName(args[0]))
		}
		if err := checkCall(owner.Name, args[1:], kw, 0, most, keywords); err != nil {
			return nil, err
		}
		return None, fn(t, unwrapFor(owner, args[0]), args[1:], kw)
	})}
}

// checkCall counts the arguments of a constructor or raw function.
func checkCall(name string, args []Value, kw []Kw, least, most int, keywords bool) error {
	if len(kw) > 0 && !keywords {
		return TypeErrorf("%s() takes no keyword arguments", name)
	}
	if len(args) >= least && len(args) <= most {
		return nil
	}
	how, limit := "", least
	switch {
	case least == most:
	case len(args) < least:
		how = "at least "
	default:
		how, limit = "at most ", most
	}
	return TypeErrorf("%s expected %s%d argument%s, got %d", name, how, limit, plural(limit), len(args))
}

// tooManyGiven is the error for more arguments than a function has parameters.
func tooManyGiven(name string, most int, args []Value, kw []Kw) error {
	kind := ""
	if len(args) == 0 {
		kind = "keyword "
	}
	return TypeErrorf("%s() takes at most %d %sargument%s (%d given)", name, most, kind, plural(most), len(args)+len(kw))
}
