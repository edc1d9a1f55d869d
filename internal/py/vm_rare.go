package py

import (
	"strings"

	"gauntlet/internal/py/syntax"
)

// rare executes the operations outside the inner loop. It works on f.stack and f.ip.
func (t *Thread) rare(f *frame, in instr) error {
	s := f.stack
	top := len(s) - 1
	switch in.op {
	case opDelFast:
		if f.locals[in.arg] == nil {
			return unbound(f.code.varNames[in.arg])
		}
		f.locals[in.arg] = nil
	case opLoadName, opStoreName, opDelName, opStoreGlobal, opDelGlobal, opLoadClassDeref:
		return t.nameOp(f, in)
	case opLoadDeref, opStoreDeref, opDelDeref, opLoadClosure:
		return t.cellOp(f, in)
	case opDup:
		f.stack = append(s, s[top])
	case opDup2:
		f.stack = append(s, s[top-1], s[top])
	case opRot2:
		s[top], s[top-1] = s[top-1], s[top]
	case opRot3:
		s[top], s[top-1], s[top-2] = s[top-1], s[top-2], s[top]
	case opInplace:
		v, err := t.InplaceOp(syntax.Operator(in.arg), s[top-1], s[top])
		return replace(f, 2, v, err)
	case opUnary:
		v, err := t.UnaryOp(syntax.UnaryOperator(in.arg), s[top])
		return replace(f, 1, v, err)
	case opStoreSubscr:
		err := t.SetItem(s[top-1], s[top], s[top-2])
		return drop(f, 3, err)
	case opDelSubscr:
		return drop(f, 2, t.DelItem(s[top-1], s[top]))
	case opSlice:
		return replace(f, 3, &Slice{s[top-2], s[top-1], s[top]}, nil)
	case opStoreAttr:
		return drop(f, 2, t.SetAttr(s[top], f.code.names[in.arg], s[top-1]))
	case opDelAttr:
		return drop(f, 1, t.DelAttr(s[top], f.code.names[in.arg]))
	case opIter:
		it, err := t.Iter(s[top])
		if err != nil {
			return err
		}
		s[top] = it
	case opCallKw, opCallEx:
		return t.callOp(f, in)
	case opList, opTuple, opSet, opMap, opString, opListAppend, opSetAdd, opMapAdd, opListExtend, opSetUpdate, opDictUpdate, opDictMerge, opKeyword, opListToTuple, opFormat:
		return t.buildOp(f, in)
	case opUnpack:
		return t.unpack(f, int(in.arg))
	case opUnpackEx:
		return t.unpackEx(f, int(in.arg&0xFFF), int(in.arg>>12))
	default:
		return t.controlOp(f, in)
	}
	return nil
}

// replace drops n operands and pushes v.
func replace(f *frame, n int, v Value, err error) error {
	if err != nil {
		return err
	}
	f.stack = append(f.stack[:len(f.stack)-n], v)
	return nil
}

// drop removes n operands.
func drop(f *frame, n int, err error) error {
	if err == nil {
		f.stack = f.stack[:len(f.stack)-n]
	}
	return err
}

// nameOp handles names in module and class bodies and global stores.
func (t *Thread) nameOp(f *frame, in instr) error {
	top := len(f.stack) - 1
	if in.op == opLoadClassDeref {
		name := f.stack[top].(*Str)
		if v, ok := f.ns.GetStr(name.s); ok {
			f.stack[top] = v
			return nil
		}
		v := f.cells[in.arg].V
		if v == nil {
			return freeError(name.s)
		}
		f.stack[top] = v
		return nil
	}
	name := f.code.names[in.arg]
	ns := f.ns
	if in.op == opStoreGlobal || in.op == opDelGlobal || ns == nil {
		ns = f.globals.Attrs
	}
	switch in.op {
	case opLoadName:
		v, ok := ns.GetStr(name)
		if !ok {
			if v, ok = f.globals.Attrs.GetStr(name); !ok {
				if v, ok = builtins.GetStr(name); !ok {
					return nameError(name)
				}
			}
		}
		f.stack = append(f.stack, v)
	case opStoreName, opStoreGlobal:
		err := ns.Set(t, NewStr(name), f.stack[top])
		return drop(f, 1, err)
	default:
		v, err := ns.Pop(t, NewStr(name))
		if v == nil && err == nil {
			err = nameError(name)
		}
		return err
	}
	return nil
}

func freeError(name string) error {
	return RaiseType(NameErrorType, "cannot access free variable '%s' where it is not associated with a value in enclosing scope", name)
}

func (t *Thread) cellOp(f *frame, in instr) error {
	c := f.cells[in.arg]
	switch in.op {
	case opLoadClosure:
		f.stack = append(f.stack, c)
	case opStoreDeref:
		c.V = f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
	default:
		if c.V == nil {
			n := int(in.arg)
			if n < len(f.code.cellNames) {
				return unbound(f.code.cellNames[n])
			}
			return freeError(f.code.freeNames[n-len(f.code.cellNames)])
		}
		if in.op == opDelDeref {
			c.V = nil
		} else {
			f.stack = append(f.stack, c.V)
		}
	}
	return nil
}

// callOp handles calls with keywords or unpacking.
func (t *Thread) callOp(f *frame, in instr) error {
	s := f.stack
	if in.op == opCallKw {
		n := int(in.arg & 0x3FF)
		names := f.code.consts[in.arg>>10].(*Tuple).Items
		base := len(s) - n
		args := s[base : len(s)-len(names)]
		kw := make([]Kw, len(names))
		for i, k := range names {
			kw[i] = Kw{k.(*Str).s, s[len(s)-len(names)+i]}
		}
		v, err := t.Call(s[base-1], args, kw)
		return replace(f, n+1, v, err)
	}
	args := s[len(s)-2].(*List).Items
	d := s[len(s)-1].(*Dict)
	kw := make([]Kw, 0, d.live)
	for _, e := range d.entries {
		if e.key == nil {
			continue
		}
		k, ok := e.key.(*Str)
		if !ok {
			return TypeErrorf("keywords must be strings")
		}
		kw = append(kw, Kw{k.s, e.val})
	}
	v, err := t.Call(s[len(s)-3], args, kw)
	return replace(f, 3, v, err)
}

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
		return drop(f, 1, t.starExtend(s[top-n&0xFFFF].(*List), s[top], f, n > 0xFFFF))
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

// starExtend is *iterable in a display or call.
func (t *Thread) starExtend(l *List, v Value, f *frame, call bool) error {
	if _, err := t.Iter(v); err != nil {
		if _, ok := Catch(err, TypeErrorType); ok {
			if _, has := v.Type().Lookup("__iter__"); !has {
				if call {
					return TypeErrorf("%s argument after * must be an iterable, not %s", t.calleeName(f.stack[len(f.stack)-3]), TypeName(v))
				}
				return TypeErrorf("Value after * must be an iterable, not %s", TypeName(v))
			}
		}
		return err
	}
	return t.listExtend(l, v)
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
			s, ok := it.Key.(*Str)
			if !ok {
				return TypeErrorf("keywords must be strings")
			}
			if old, _ := d.GetStr(s.s); old != nil {
				return TypeErrorf("%s got multiple values for keyword argument '%s'", t.calleeName(f.stack[len(f.stack)-4]), s.s)
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

func (t *Thread) unpack(f *frame, n int) error {
	s := f.stack
	v := s[len(s)-1]
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
			if _, ok := Catch(err, TypeErrorType); ok {
				if _, has := v.Type().Lookup("__iter__"); !has {
					return TypeErrorf("cannot unpack non-iterable %s object", TypeName(v))
				}
			}
			return err
		}
		for len(items) <= n {
			x, err := it.Next(t)
			if err != nil {
				return err
			}
			if x == nil {
				break
			}
			items = append(items, x)
		}
	}
	if len(items) > n {
		return ValueErrorf("too many values to unpack (expected %d)", n)
	}
	if len(items) < n {
		return ValueErrorf("not enough values to unpack (expected %d, got %d)", n, len(items))
	}
	s = s[:len(s)-1]
	for i := n - 1; i >= 0; i-- {
		s = append(s, items[i])
	}
	f.stack = s
	return nil
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

// controlOp handles exceptions, with, functions, classes and imports.
func (t *Thread) controlOp(f *frame, in instr) error {
	s := f.stack
	top := len(s) - 1
	switch in.op {
	case opNop:
	case opSetupTry:
		f.blocks = append(f.blocks, block{in.arg, int32(len(s))})
	case opSetupWith:
		f.blocks = append(f.blocks, block{in.arg, int32(len(s) - 1)})
	case opPopBlock:
		f.blocks = f.blocks[:len(f.blocks)-1]
	case opLoadExc:
		f.stack = append(s, t.handling[len(t.handling)-1])
	case opExcMatch:
		ok, err := t.excMatch(t.handling[len(t.handling)-1], s[top])
		return replace(f, 1, Bool(ok), err)
	case opPopExcept:
		t.popHandled(f)
	case opReraise:
		e := t.popHandled(f)
		for range in.arg {
			t.popHandled(f)
		}
		return &Raised{Exc: e}
	case opRaise:
		return t.raise(f, int(in.arg))
	case opBeforeWith:
		return t.beforeWith(f)
	case opWithExcept:
		e := t.handling[len(t.handling)-1]
		v, err := t.Call(s[top], []Value{e.class, e, None}, nil)
		if err != nil {
			return err
		}
		f.stack = append(s, v)
	case opYieldFromIter:
		if _, ok := s[top].(*Generator); ok {
			return nil
		}
		it, err := t.Iter(s[top])
		if err != nil {
			return err
		}
		s[top] = it
	case opFunction:
		return t.makeFunction(f, in)
	case opClass:
		return t.buildClass(f, f.code.names[in.arg])
	case opImport:
		m, err := t.importModule(f.code.names[in.arg])
		if err != nil {
			return err
		}
		f.stack = append(s, m)
	case opImportFrom:
		return t.importFrom(f, f.code.names[in.arg])
	case opAssertionError:
		f.stack = append(s, AssertionErrorType)
	case opSetupAnnotations:
		ns := f.ns
		if ns == nil {
			ns = f.globals.Attrs
		}
		if _, ok := ns.GetStr("__annotations__"); !ok {
			ns.SetStr("__annotations__", t.NewDict())
		}
	case opAnnotation:
		ns := f.ns
		if ns == nil {
			ns = f.globals.Attrs
		}
		if d, ok := ns.GetStr("__annotations__"); ok {
			return drop(f, 1, t.SetItem(d, NewStr(f.code.names[in.arg]), s[top]))
		}
		return drop(f, 1, nil)
	}
	return nil
}

func (t *Thread) popHandled(f *frame) *Instance {
	e := t.handling[len(t.handling)-1]
	t.handling = t.handling[:len(t.handling)-1]
	f.handled--
	return e
}

// excMatch is the class test of an except clause.
func (t *Thread) excMatch(e *Instance, cls Value) (bool, error) {
	switch c := cls.(type) {
	case *Type:
		if c.IsSubclass(BaseExceptionType) {
			return e.class.IsSubclass(c), nil
		}
	case *Tuple:
		for _, x := range c.Items {
			if k, ok := x.(*Type); !ok || !k.IsSubclass(BaseExceptionType) {
				return false, TypeErrorf("catching classes that do not inherit from BaseException is not allowed")
			}
		}
		for _, x := range c.Items {
			if ok, err := t.excMatch(e, x); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	}
	return false, TypeErrorf("catching classes that do not inherit from BaseException is not allowed")
}

func (t *Thread) raise(f *frame, n int) error {
	s := f.stack
	if n == 0 {
		if len(t.handling) == 0 {
			return RaiseType(RuntimeErrorType, "No active exception to reraise")
		}
		return &Raised{Exc: t.handling[len(t.handling)-1]}
	}
	e, err := t.exception(s[len(s)-n])
	if err != nil {
		return err
	}
	if n == 2 {
		st := e.state()
		st.suppress = true
		if s[len(s)-1] == None {
			st.cause = nil
		} else {
			cause, err := t.exception(s[len(s)-1])
			if err != nil {
				if _, ok := Catch(err, TypeErrorType); ok {
					return TypeErrorf("exception causes must derive from BaseException")
				}
				return err
			}
			st.cause = cause
		}
	}
	return &Raised{Exc: e}
}

// exception instantiates a class that is raised.
func (t *Thread) exception(v Value) (*Instance, error) {
	switch x := v.(type) {
	case *Instance:
		if x.class.IsSubclass(BaseExceptionType) {
			return x, nil
		}
	case *Type:
		if x.IsSubclass(BaseExceptionType) {
			r, err := t.Call(x, nil, nil)
			if err != nil {
				return nil, err
			}
			if e, ok := r.(*Instance); ok && e.class.IsSubclass(BaseExceptionType) {
				return e, nil
			}
			return nil, TypeErrorf("calling %s should have returned an instance of BaseException, not %s", x.Name, TypeName(r))
		}
	}
	return nil, TypeErrorf("exceptions must derive from BaseException")
}

func (t *Thread) beforeWith(f *frame) error {
	top := len(f.stack) - 1
	m := f.stack[top]
	enter, ok := m.Type().Lookup("__enter__")
	if !ok {
		return TypeErrorf("'%s' object does not support the context manager protocol", TypeName(m))
	}
	exit, ok := m.Type().Lookup("__exit__")
	if !ok {
		return TypeErrorf("'%s' object does not support the context manager protocol (missed __exit__ method)", TypeName(m))
	}
	bound, err := t.bind(exit, m, m.Type())
	if err != nil {
		return err
	}
	r, err := t.callBound(enter, m)
	if err != nil {
		return err
	}
	f.stack[top] = bound
	f.stack = append(f.stack, r)
	return nil
}

func (t *Thread) makeFunction(f *frame, in instr) error {
	code := f.code.codes[in.arg&0xFFFF]
	flags := int(in.arg >> 16)
	fn := &Function{Code: code, Globals: f.globals, Name: code.Name, Qualname: code.Qualname, Doc: code.doc}
	if err := t.Alloc(160); err != nil {
		return err
	}
	s := f.stack
	pop := func() Value {
		v := s[len(s)-1]
		s = s[:len(s)-1]
		return v
	}
	if flags&fnClosure != 0 {
		for _, c := range pop().(*Tuple).Items {
			fn.Closure = append(fn.Closure, c.(*Cell))
		}
	}
	if flags&fnAnnotations != 0 {
		fn.Notes = pop().(*Dict)
	}
	if flags&fnKwDefaults != 0 {
		d := pop().(*Dict)
		fn.KwDefaults = make([]Value, code.kwOnly)
		for i := range fn.KwDefaults {
			fn.KwDefaults[i], _ = d.GetStr(code.varNames[code.argCount+i])
		}
	}
	if flags&fnDefaults != 0 {
		fn.Defaults = pop().(*Tuple).Items
	}
	f.stack = append(s, fn)
	return nil
}

// buildClass runs a class body and makes the class. Stack: body, bases, keywords.
func (t *Thread) buildClass(f *frame, name string) error {
	s := f.stack
	fn := s[len(s)-3].(*Function)
	bases := s[len(s)-2].(*List).Items
	d := s[len(s)-1].(*Dict)
	var kw []Kw
	for _, e := range d.entries {
		if e.key != nil {
			kw = append(kw, Kw{e.key.(*Str).s, e.val})
		}
	}
	fr, err := t.newFrame(fn.Code, fn.Globals)
	if err != nil {
		return err
	}
	fr.ns = t.NewDict()
	fr.enterCells(fn.Closure)
	cell, err := t.run(fr)
	ns := fr.ns
	t.freeFrame(fr)
	if err != nil {
		return err
	}
	c, err := t.MakeClass(name, fn.Qualname, bases, ns, kw)
	if err != nil {
		return err
	}
	if k, ok := cell.(*Cell); ok {
		k.V = c
	}
	return replace(f, 3, c, nil)
}

func (t *Thread) importModule(name string) (Value, error) {
	if t.Importer != nil {
		if m, ok := t.Importer.Import(name); ok {
			return m, nil
		}
	}
	e := NewException(ModuleNotFoundErrType, NewStr("No module named '"+name+"'"))
	return nil, &Raised{Exc: e}
}

func (t *Thread) importFrom(f *frame, name string) error {
	m := f.stack[len(f.stack)-1].(*Module)
	v, ok := m.Attrs.GetStr(name)
	if !ok {
		if sub, found := t.Importer.Import(m.Name + "." + name); found {
			v = sub
		} else {
			return RaiseType(ImportErrorType, "cannot import name '%s' from '%s' (unknown location)", name, m.Name)
		}
	}
	f.stack = append(f.stack, v)
	return nil
}
