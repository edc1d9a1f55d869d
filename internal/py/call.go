package py

import (
	"fmt"
	"strings"
)

// Call calls fn. args and kw are only read.
func (t *Thread) Call(fn Value, args []Value, kw []Kw) (Value, error) {
	switch f := fn.(type) {
	case *Function:
		return t.callFunction(f, args, kw)
	case *Native:
		return f.call(t, args, kw)
	case *Method:
		return t.callMethodValue(f, args, kw)
	case *Type:
		return t.construct(f, args, kw)
	case *StaticMethod:
		if err := t.Enter(); err != nil { // static methods may be nested
			return nil, err
		}
		v, err := t.Call(f.Fn, args, kw)
		t.Leave()
		return v, err
	case Caller:
		return f.CallObject(t, args, kw)
	}
	if f, ok := fn.Type().Lookup("__call__"); ok {
		if err := t.Enter(); err != nil { // __call__ may be an object of the same class
			return nil, err
		}
		defer t.Leave()
		if err := t.Charge(len(args) + 1); err != nil {
			return nil, err
		}
		all := make([]Value, 0, len(args)+1)
		return t.Call(f, append(append(all, fn), args...), kw)
	}
	return nil, TypeErrorf("'%s' object is not callable", TypeName(fn))
}

// Caller is a library object that can be called (functools.partial).
type Caller interface {
	Value
	CallObject(t *Thread, args []Value, kw []Kw) (Value, error)
}

func (t *Thread) callMethodValue(m *Method, args []Value, kw []Kw) (Value, error) {
	if _, nested := m.Fn.(*Method); nested {
		if err := t.Enter(); err != nil {
			return nil, err
		}
		defer t.Leave()
	}
	mark := len(t.argStack)
	t.argStack = append(append(t.argStack, m.Self), args...)
	v, err := t.Call(m.Fn, t.argStack[mark:len(t.argStack):len(t.argStack)], kw)
	clear(t.argStack[mark:])
	t.argStack = t.argStack[:mark]
	return v, err
}

// IsCallable is callable(v).
func (t *Thread) IsCallable(v Value) bool {
	switch v.(type) {
	case *Function, *Native, *Method, *Type, *StaticMethod, Caller:
		return true
	}
	_, ok := v.Type().Lookup("__call__")
	return ok
}

// callBound calls attribute f of a class with self first, binding as a method.
func (t *Thread) callBound(f, self Value, args ...Value) (Value, error) {
	switch f.(type) {
	case *Function, *Native:
		mark := len(t.argStack)
		t.argStack = append(append(t.argStack, self), args...)
		v, err := t.Call(f, t.argStack[mark:len(t.argStack):len(t.argStack)], nil)
		t.argStack = t.argStack[:mark]
		return v, err
	}
	b, err := t.bind(f, self, self.Type())
	if err != nil {
		return nil, err
	}
	return t.Call(b, args, nil)
}

// CallMethod calls v.name(args...).
func (t *Thread) CallMethod(v Value, name string, args ...Value) (Value, error) {
	f, err := t.GetAttr(v, name)
	if err != nil {
		return nil, err
	}
	return t.Call(f, args, nil)
}

// CallSpecial calls a special method looked up on v's class, as operators do.
func (t *Thread) CallSpecial(v Value, name string, args ...Value) (Value, bool, error) {
	f, ok := v.Type().Lookup(name)
	if !ok || f == None {
		return nil, false, nil
	}
	r, err := t.callBound(f, v, args...)
	return r, true, err
}

// callFunction binds arguments and runs a Python function.
func (t *Thread) callFunction(f *Function, args []Value, kw []Kw) (Value, error) {
	code := f.Code
	fr, err := t.newFrame(code, f.Globals)
	if err != nil {
		return nil, err
	}
	if code.simple && len(kw) == 0 && len(args) == code.argCount {
		copy(fr.locals, args)
	} else if err := t.bindArgs(f, fr.locals, args, kw); err != nil {
		t.freeFrame(fr)
		return nil, err
	}
	fr.enterCells(f.Closure)
	if code.generator {
		return t.newGenerator(fr, f), nil
	}
	v, err := t.run(fr)
	t.freeFrame(fr)
	return v, err
}

// bindArgs lays out a call's arguments in the parameter slots.
func (t *Thread) bindArgs(f *Function, slots []Value, args []Value, kw []Kw) error {
	c := f.Code
	n := min(len(args), c.argCount)
	copy(slots, args[:n])
	total := c.argCount + c.kwOnly
	at := total
	if c.varargs {
		slots[at] = NewTuple(append([]Value(nil), args[n:]...)...)
		at++
	}
	var extra *Dict
	if c.varkw {
		extra = t.NewDict()
		slots[at] = extra
	}
	for _, a := range kw {
		i := c.paramIndex(a.Name)
		if i < 0 {
			if extra == nil {
				return t.badKeyword(f, a.Name, kw)
			}
			if err := extra.Set(t, NewStr(a.Name), a.Value); err != nil {
				return err
			}
			continue
		}
		if slots[i] != nil {
			return TypeErrorf("%s() got multiple values for argument '%s'", f.Qualname, a.Name)
		}
		slots[i] = a.Value
	}
	if len(args) > c.argCount && !c.varargs {
		return tooManyArgs(f, slots, len(args))
	}
	if err := fillDefaults(f, slots); err != nil {
		return err
	}
	return nil
}

func (t *Thread) badKeyword(f *Function, name string, kw []Kw) error {
	var bad []string
	for _, p := range f.Code.varNames[:f.Code.posOnly] {
		for _, a := range kw {
			if p == a.Name {
				bad = append(bad, p)
			}
		}
	}
	if len(bad) > 0 {
		return TypeErrorf("%s() got some positional-only arguments passed as keyword arguments: '%s'", f.Qualname, strings.Join(bad, ", "))
	}
	return TypeErrorf("%s() got an unexpected keyword argument '%s'", f.Qualname, name)
}

func fillDefaults(f *Function, slots []Value) error {
	c := f.Code
	first := c.argCount - len(f.Defaults)
	var missing []string
	for i := 0; i < c.argCount; i++ {
		if slots[i] == nil {
			if i < first {
				missing = append(missing, c.varNames[i])
			} else {
				slots[i] = f.Defaults[i-first]
			}
		}
	}
	if len(missing) > 0 {
		return missingArgs(f, "positional", missing)
	}
	for i := 0; i < c.kwOnly; i++ {
		if slots[c.argCount+i] == nil {
			if i < len(f.KwDefaults) && f.KwDefaults[i] != nil {
				slots[c.argCount+i] = f.KwDefaults[i]
			} else {
				missing = append(missing, c.varNames[c.argCount+i])
			}
		}
	}
	if len(missing) > 0 {
		return missingArgs(f, "keyword-only", missing)
	}
	return nil
}

// missingArgs lists names as CPython does: 'a', 'b', and 'c'.
func missingArgs(f *Function, kind string, names []string) error {
	var b strings.Builder
	for i, n := range names {
		switch {
		case i == 0:
		case len(names) == 2:
			b.WriteString(" and ")
		case i == len(names)-1:
			b.WriteString(", and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString("'" + n + "'")
	}
	return TypeErrorf("%s() missing %d required %s argument%s: %s", f.Qualname, len(names), kind, plural(len(names)), b.String())
}

func tooManyArgs(f *Function, slots []Value, given int) error {
	c := f.Code
	takes := fmt.Sprint(c.argCount)
	pl := plural(c.argCount)
	if len(f.Defaults) > 0 {
		takes = fmt.Sprintf("from %d to %d", c.argCount-len(f.Defaults), c.argCount)
		pl = "s"
	}
	kwGiven := 0
	for i := 0; i < c.kwOnly; i++ {
		if slots[c.argCount+i] != nil {
			kwGiven++
		}
	}
	sig, was := "", "were"
	if kwGiven > 0 {
		sig = fmt.Sprintf(" positional argument%s (and %d keyword-only argument%s)", plural(given), kwGiven, plural(kwGiven))
	} else if given == 1 {
		was = "was"
	}
	return TypeErrorf("%s() takes %s positional argument%s but %d%s %s given", f.Qualname, takes, pl, given, sig, was)
}

// construct is cls(*args, **kw).
func (t *Thread) construct(c *Type, args []Value, kw []Kw) (Value, error) {
	if c.Meta != nil {
		if f, ok := c.Meta.Lookup("__call__"); ok {
			return t.Call(f, append([]Value{c}, args...), kw)
		}
	}
	return t.constructPlain(c, args, kw)
}

// constructPlain is type.__call__: construction without the metaclass's say.
func (t *Thread) constructPlain(c *Type, args []Value, kw []Kw) (Value, error) {
	if !c.Heap {
		if c.New != nil {
			return c.New(t, c, args, kw)
		}
		if c == TypeType {
			return t.typeCall(args, kw)
		}
		if c.final && c.Mod == "builtins" {
			return nil, TypeErrorf("cannot create '%s' instances", c.Name)
		}
	}
	obj, err := t.allocate(c, args, kw)
	if err != nil {
		return nil, err
	}
	if !obj.Type().IsSubclass(c) {
		return obj, nil
	}
	f, ok := obj.Type().Lookup("__init__")
	if n, native := f.(*Native); !ok || native && n.Owner == ObjectType {
		if (len(args) > 0 || len(kw) > 0) && !t.newTakesArgs(c) {
			return nil, TypeErrorf("%s() takes no arguments", c.Name)
		}
		return obj, nil
	}
	mark := len(t.argStack)
	t.argStack = append(append(t.argStack, obj), args...)
	r, err := t.Call(f, t.argStack[mark:len(t.argStack):len(t.argStack)], kw)
	t.argStack = t.argStack[:mark]
	if err != nil {
		return nil, err
	}
	if r != None {
		return nil, TypeErrorf("__init__() should return None, not '%s'", TypeName(r))
	}
	return obj, nil
}

// newTakesArgs reports whether a class other than object defines construction.
func (t *Thread) newTakesArgs(c *Type) bool {
	if f, ok := c.Lookup("__new__"); ok {
		if n, native := f.(*Native); !native || n.Owner != ObjectType {
			return true
		}
	}
	return c.nativeNew() != nil
}

// nativeNew is the constructor inherited from a library or built-in class.
func (c *Type) nativeNew() func(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	for _, m := range c.MRO {
		if m.New != nil && m != ObjectType {
			return m.New
		}
	}
	return nil
}

// allocate is cls.__new__(cls, ...).
func (t *Thread) allocate(c *Type, args []Value, kw []Kw) (Value, error) {
	if f, ok := c.Lookup("__new__"); ok {
		if n, native := f.(*Native); !native || n.Owner != ObjectType {
			if s, static := f.(*StaticMethod); static {
				f = s.Fn
			}
			return t.Call(f, append([]Value{c}, args...), kw)
		}
	}
	return t.allocateNative(c, args, kw)
}

func (t *Thread) allocateNative(c *Type, args []Value, kw []Kw) (Value, error) {
	if err := t.Alloc(128); err != nil {
		return nil, err
	}
	if abs, ok := c.Lookup("__abstractmethods__"); ok && abs != None {
		if err := t.abstractError(c, abs); err != nil {
			return nil, err
		}
	}
	if mk := c.nativeNew(); mk != nil {
		return mk(t, c, args, kw)
	}
	o := &Instance{class: c, attrs: &Dict{}}
	o.attrs.txn = t.txn
	return o, nil
}

func (t *Thread) abstractError(c *Type, abs Value) error {
	names, err := t.Collect(abs)
	if err != nil || len(names) == 0 {
		return err
	}
	var list []string
	for _, n := range names {
		s, _ := t.Str(n)
		list = append(list, s)
	}
	return TypeErrorf("Can't instantiate abstract class %s with abstract method%s %s", c.Name, plural(len(list)), strings.Join(list, ", "))
}
