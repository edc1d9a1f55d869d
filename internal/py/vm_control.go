package py

// controlOp handles exceptions, with, functions, classes and imports.
func (t *Thread) controlOp(f *frame, in instr) error {
	s := f.stack
	top := len(s) - 1
	switch in.op {
	case opNop:
	case opSetupTry:
		f.blocks = append(f.blocks, block{in.arg, int32(len(s)), int32(f.handled)})
	case opSetupWith:
		f.blocks = append(f.blocks, block{in.arg, int32(len(s) - 1), int32(f.handled)})
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
		return &Raised{Exc: e, chained: true}
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
			ns = f.gattrs
		}
		if _, ok := ns.GetStr("__annotations__"); !ok {
			ns.SetStr("__annotations__", t.NewDict())
		}
	case opAnnotation:
		ns := f.ns
		if ns == nil {
			ns = f.gattrs
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
		return &Raised{Exc: t.handling[len(t.handling)-1], chained: true}
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
	if fr.body, err = t.openBody(name, bases); err != nil {
		t.freeFrame(fr)
		return err
	}
	fr.enterCells(fn.Closure)
	cell, err := t.run(fr)
	ns := fr.ns
	if fr.body != nil && err == nil {
		err = fr.body.Close(t, ns)
	}
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

// openBody finds the observer of a class body among the bases.
func (t *Thread) openBody(name string, bases []Value) (ClassBody, error) {
	for _, b := range bases {
		c, ok := b.(*Type)
		if !ok {
			continue
		}
		for _, m := range c.MRO {
			if m.OpenBody != nil {
				return m.OpenBody(t, name, bases)
			}
		}
	}
	return nil, nil
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
