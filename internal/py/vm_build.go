package py

import (
	"strings"
)

// buildOp makes containers and strings.
func (t *Thread) buildOp(f *frame, in instr) error {
	s := f.stack
	top := len(s) - 1
	n := int(in.arg)
	switch in.op {
	case opList:
		if err := t.Alloc(48 + 16*n); err != nil {
			return err
		}
		return replace(f, n, t.NewList(append([]Value(nil), s[len(s)-n:]...)), nil)
	case opTuple:
		if err := t.Alloc(32 + 16*n); err != nil {
			return err
		}
		return replace(f, n, NewTuple(append([]Value(nil), s[len(s)-n:]...)...), nil)
	case opSet:
		v, err := t.NewSet(s[len(s)-n:]...)
		return replace(f, n, v, err)
	case opMap:
		v, err := t.buildMap(s[len(s)-2*n:])
		return replace(f, 2*n, v, err)
	case opString:
		v, err := t.buildString(s[len(s)-n:])
		return replace(f, n, v, err)
	case opListAppend:
		return drop(f, 1, s[top-n].(*List).Append(t, s[top]))
	case opSetAdd:
		return drop(f, 1, s[top-n].(*Set).Add(t, s[top]))
	case opMapAdd:
		return drop(f, 2, s[top-1-n].(*Dict).Set(t, s[top-1], s[top]))
	case opKeyword:
		return t.addKeyword(f)
	case opListExtend:
		return drop(f, 1, t.starExtend(s[top-n].(*List), s[top]))
	case opSetUpdate:
		set := s[top-n].(*Set)
		return drop(f, 1, t.ForEach(s[top], func(v Value) error { return set.Add(t, v) }))
	case opDictUpdate, opDictMerge:
		return drop(f, 1, t.mergeMapping(f, in.op, s[top-n].(*Dict), s[top]))
	case opListToTuple:
		return replace(f, 1, NewTuple(s[top].(*List).Items...), nil)
	}
	return t.formatOp(f, in)
}

func (t *Thread) buildMap(pairs []Value) (Value, error) {
	if err := t.Alloc(64 + 24*len(pairs)); err != nil {
		return nil, err
	}
	d := t.NewDict()
	d.entries = make([]entry, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		h, err := t.Hash(pairs[i])
		if err != nil {
			return nil, err
		}
		at, err := d.find(t, pairs[i], h)
		if err != nil {
			return nil, err
		}
		d.put(at, h, pairs[i], pairs[i+1])
	}
	return d, nil
}

func (t *Thread) buildString(parts []Value) (Value, error) {
	size := 0
	for _, p := range parts {
		size += len(p.(*Str).s)
	}
	if err := t.Alloc(size + 24); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.Grow(size)
	for _, p := range parts {
		b.WriteString(p.(*Str).s)
	}
	return NewStr(b.String()), nil
}

func (t *Thread) addKeyword(f *frame) error {
	s := f.stack
	top := len(s) - 1
	d := s[top-2].(*Dict)
	if v, _ := d.GetStr(s[top-1].(*Str).s); v != nil {
		return TypeErrorf("%s got multiple values for keyword argument '%s'", t.calleeName(s[top-4]), s[top-1].(*Str).s)
	}
	return drop(f, 2, d.Set(t, s[top-1], s[top]))
}

// calleeName is the name of a callable in argument errors: module.function().
func (t *Thread) calleeName(fn Value) string {
	switch x := fn.(type) {
	case *Function:
		return x.Globals.Name + "." + x.Qualname + "()"
	case *Method:
		return t.calleeName(x.Fn)
	case *Native:
		return x.qualname() + "()"
	case *Type:
		if x.Mod != "builtins" {
			return x.Mod + "." + x.Qualname + "()"
		}
		return x.Qualname + "()"
	}
	s, err := t.Str(fn)
	if err != nil {
		return TypeName(fn) + " object"
	}
	return s
}

// starExtend is *iterable in a display or among the arguments of a call.
func (t *Thread) starExtend(l *List, v Value) error {
	if _, err := t.Iter(v); err != nil {
		if t.notIterable(v, err) {
			return TypeErrorf("Value after * must be an iterable, not %s", TypeName(v))
		}
		return err
	}
	return t.listExtend(l, v)
}

// notIterable reports whether err says that v's class has no way to iterate.
func (t *Thread) notIterable(v Value, err error) bool {
	if _, ok := Catch(err, TypeErrorType); !ok {
		return false
	}
	_, has := v.Type().Lookup("__iter__")
	return !has
}

// loneStar is the argument list of f(*v).
func (t *Thread) loneStar(fn, v Value) ([]Value, error) {
	if tuple, ok := v.(*Tuple); ok {
		return tuple.Items, nil
	}
	if _, err := t.Iter(v); err != nil {
		if t.notIterable(v, err) {
			return nil, TypeErrorf("%s argument after * must be an iterable, not %s", t.calleeName(fn), TypeName(v))
		}
		return nil, err
	}
	return t.collectList(v)
}

// mergeMapping is **mapping in a dict display (update) or a call (merge).
func (t *Thread) mergeMapping(f *frame, op opcode, d *Dict, v Value) error {
	src, ok := AsDict(v)
	if !ok {
		keys, err := t.LookupAttr(v, "keys")
		if err != nil {
			return err
		}
		if keys == nil {
			if op == opDictMerge {
				fn := f.stack[len(f.stack)-4]
				return TypeErrorf("%s argument after ** must be a mapping, not %s", t.calleeName(fn), TypeName(v))
			}
			return TypeErrorf("'%s' object is not a mapping", TypeName(v))
		}
		src = t.NewDict()
		if err := t.dictUpdate(src, v); err != nil {
			return err
		}
	}
	for _, it := range src.Items(t) {
		if op == opDictMerge {
			old, err := d.Get(t, it.Key)
			if err != nil {
				return err
			}
			if old != nil {
				key, err := t.Str(it.Key)
				if err != nil {
					return err
				}
				return TypeErrorf("%s got multiple values for keyword argument '%s'", t.calleeName(f.stack[len(f.stack)-4]), key)
			}
		}
		if err := d.Set(t, it.Key, it.Value); err != nil {
			return err
		}
	}
	return nil
}

// formatOp is one replacement field of an f-string.
func (t *Thread) formatOp(f *frame, in instr) error {
	s := f.stack
	spec, n := "", 1
	if in.arg&(1<<16) != 0 {
		spec, n = s[len(s)-1].(*Str).s, 2
	}
	v := s[len(s)-n]
	if conv := in.arg & 0xFFFF; conv != 0 {
		var text string
		var err error
		switch conv {
		case 's':
			text, err = t.Str(v)
		case 'r':
			text, err = t.Repr(v)
		default:
			text, err = t.ASCII(v)
		}
		if err != nil {
			return err
		}
		v = NewStr(text)
	}
	if spec == "" {
		switch x := v.(type) {
		case *Str:
			return replace(f, n, x, nil)
		case Int:
			text, err := t.Repr(x)
			return replace(f, n, NewStr(text), err)
		}
	}
	text, err := t.Format(v, spec)
	if err != nil {
		return err
	}
	return replace(f, n, NewStr(text), t.Alloc(len(text)))
}

// unpack is a, b = v: it replaces the top of the stack by its n items.
func (t *Thread) unpack(f *frame, n int) error {
	s := f.stack
	items, err := t.Unpack(s[len(s)-1], n)
	if err != nil {
		return err
	}
	s = s[:len(s)-1]
	for i := n - 1; i >= 0; i-- {
		s = append(s, items[i])
	}
	f.stack = s
	return nil
}

// Unpack returns the n items of v, as an assignment to n names does. The
// result must not be changed.
func (t *Thread) Unpack(v Value, n int) ([]Value, error) {
	var items []Value
	switch x := v.(type) {
	case *Tuple:
		items = x.Items
	case *List:
		t.sawKeys(&x.obj)
		items = x.Items
		if t.log.on {
			for i := range items {
				x.At(t, i)
			}
		}
	default:
		it, err := t.Iter(v)
		if err != nil {
			if t.notIterable(v, err) {
				return nil, TypeErrorf("cannot unpack non-iterable %s object", TypeName(v))
			}
			return nil, err
		}
		for len(items) <= n {
			x, err := it.Next(t)
			if err != nil {
				return nil, err
			}
			if x == nil {
				break
			}
			items = append(items, x)
		}
	}
	if len(items) > n {
		return nil, ValueErrorf("too many values to unpack (expected %d)", n)
	}
	if len(items) < n {
		return nil, ValueErrorf("not enough values to unpack (expected %d, got %d)", n, len(items))
	}
	return items, nil
}

func (t *Thread) unpackEx(f *frame, before, after int) error {
	v := f.stack[len(f.stack)-1]
	if _, err := t.Iter(v); err != nil {
		if _, ok := Catch(err, TypeErrorType); ok {
			if _, has := v.Type().Lookup("__iter__"); !has {
				return TypeErrorf("cannot unpack non-iterable %s object", TypeName(v))
			}
		}
		return err
	}
	items, err := t.Collect(v)
	if err != nil {
		return err
	}
	if len(items) < before+after {
		return ValueErrorf("not enough values to unpack (expected at least %d, got %d)", before+after, len(items))
	}
	s := f.stack[:len(f.stack)-1]
	for i := len(items) - 1; i >= len(items)-after; i-- {
		s = append(s, items[i])
	}
	s = append(s, t.NewList(append([]Value(nil), items[before:len(items)-after]...)))
	for i := before - 1; i >= 0; i-- {
		s = append(s, items[i])
	}
	f.stack = s
	return nil
}
