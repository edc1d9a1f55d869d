package py

// Exec runs a program as a fresh module and returns its namespace.
func (t *Thread) Exec(p *Program, name string) (*Module, error) {
	m := &Module{Name: name, Attrs: &Dict{}}
	m.Attrs.SetStr("__name__", NewStr(name))
	m.Attrs.SetStr("__doc__", None)
	m.Attrs.SetStr("__file__", NewStr(p.File))
	return m, t.ExecIn(p, m)
}

// ExecIn runs a program in an existing namespace.
func (t *Thread) ExecIn(p *Program, m *Module) error {
	f, err := t.newFrame(p.code, m)
	if err != nil {
		return err
	}
	defer t.freeFrame(f)
	_, err = t.run(f)
	return err
}

// coreMembers are the built-in functions that look at frames or modules.
func coreMembers() []Member {
	return []Member{
		Func("globals", "", func(t *Thread, _ []Value) (Value, error) {
			if t.frame == nil {
				return t.NewDict(), nil
			}
			return t.frame.gattrs, nil
		}),
		Func("locals", "", func(t *Thread, _ []Value) (Value, error) { return t.localsDict() }),
		Func("__import__", "name, globals=None, locals=None, fromlist=None, level=0", func(t *Thread, a []Value) (Value, error) {
			s, ok := AsStr(a[0])
			if !ok {
				return nil, TypeErrorf("__import__() argument 1 must be str, not %s", TypeName(a[0]))
			}
			return t.importModule(s.s)
		}),
	}
}

// localsDict is a snapshot of the running frame's variables.
func (t *Thread) localsDict() (Value, error) {
	f := t.frame
	if f == nil {
		return t.NewDict(), nil
	}
	if f.ns != nil {
		return f.ns, nil
	}
	if len(f.code.varNames) == 0 && f.back == nil && f.code.Name == "<module>" {
		return f.gattrs, nil
	}
	d := t.NewDict()
	for i, n := range f.code.varNames {
		if f.locals[i] != nil {
			d.SetStr(n, f.locals[i])
		}
	}
	for i, c := range f.cells {
		name := ""
		if i < len(f.code.cellNames) {
			name = f.code.cellNames[i]
		} else {
			name = f.code.freeNames[i-len(f.code.cellNames)]
		}
		if c.V != nil {
			d.SetStr(name, c.V)
		}
	}
	return d, nil
}

// NewNamespace makes an empty namespace to run code in, as exec(code, {})
// does: __name__ is then that of the built-ins.
func NewNamespace() *Module { return &Module{Name: "builtins", Attrs: &Dict{}} }

// Builtins is the module of the built-in names, with __name__ "builtins".
var Builtins = func() *Module {
	_ = ready
	builtins.SetStr("__name__", NewStr("builtins"))
	return &Module{Name: "builtins", Attrs: builtins, Fixed: true}
}()
