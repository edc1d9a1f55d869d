package py

import "gauntlet/internal/py/syntax"

func (c *compiler) functionDef(s *syntax.FunctionDef) error {
	for _, d := range s.Decorators {
		if err := c.expr(d); err != nil {
			return err
		}
	}
	flags, err := c.functionExtras(s.Args, s.Returns)
	if err != nil {
		return err
	}
	n := c.child(s, s.Name)
	n.params(s.Args)
	n.code.doc = docOf(s.Body)
	if err := n.stmts(s.Body); err != nil {
		return err
	}
	n.loadConst(None)
	n.emit(opReturn, 0)
	c.at = s.Pos
	c.makeFunction(n.code, flags)
	for range s.Decorators {
		c.emitEffect(opCall, 1, -1)
	}
	c.access(s.Name, syntax.Store)
	return nil
}

func (c *compiler) params(a *syntax.Arguments) {
	c.code.posOnly = len(a.PosOnly)
	c.code.argCount = len(a.PosOnly) + len(a.Args)
	c.code.kwOnly = len(a.KwOnly)
	c.code.varargs = a.Vararg != nil
	c.code.varkw = a.Kwarg != nil
	c.code.simple = c.code.kwOnly == 0 && !c.code.varargs && !c.code.varkw
}

// functionExtras pushes defaults and annotations of a function.
func (c *compiler) functionExtras(a *syntax.Arguments, returns syntax.Expr) (int, error) {
	flags := 0
	if len(a.Defaults) > 0 {
		for _, d := range a.Defaults {
			if err := c.expr(d); err != nil {
				return 0, err
			}
		}
		c.emitEffect(opTuple, len(a.Defaults), 1-len(a.Defaults))
		flags |= fnDefaults
	}
	pushed := 0
	for i, d := range a.KwDefaults {
		if d != nil {
			c.loadConst(NewStr(c.scope.mangle(a.KwOnly[i].Name)))
			if err := c.expr(d); err != nil {
				return 0, err
			}
			pushed++
		}
	}
	if pushed > 0 {
		c.emitEffect(opMap, pushed, 1-2*pushed)
		flags |= fnKwDefaults
	}
	notes := 0
	note := func(name string, x syntax.Expr) error {
		if x == nil {
			return nil
		}
		notes++
		c.loadConst(NewStr(c.scope.mangle(name)))
		return c.annotation(x)
	}
	all := append(append([]*syntax.Arg(nil), a.PosOnly...), a.Args...)
	if a.Vararg != nil {
		all = append(all, a.Vararg)
	}
	all = append(all, a.KwOnly...)
	if a.Kwarg != nil {
		all = append(all, a.Kwarg)
	}
	for _, p := range all {
		if err := note(p.Name, p.Annotation); err != nil {
			return 0, err
		}
	}
	if err := note("return", returns); err != nil {
		return 0, err
	}
	if notes > 0 {
		c.emitEffect(opMap, notes, 1-2*notes)
		flags |= fnAnnotations
	}
	return flags, nil
}

func (c *compiler) classDef(s *syntax.ClassDef) error {
	for _, d := range s.Decorators {
		if err := c.expr(d); err != nil {
			return err
		}
	}
	n := c.child(s, s.Name)
	n.code.classBody = true
	n.loadConst(NewStr("__main__"))
	n.emit(opStoreName, n.name("__module__"))
	n.loadConst(NewStr(n.code.Qualname))
	n.emit(opStoreName, n.name("__qualname__"))
	n.docstring(s.Body)
	if hasAnnotations(s.Body) {
		n.emit(opSetupAnnotations, 0)
	}
	if err := n.stmts(s.Body); err != nil {
		return err
	}
	if i, ok := n.cellIdx["__class__"]; ok && n.scope.needClass {
		n.emit(opLoadClosure, int(i))
	} else {
		n.loadConst(None)
	}
	n.emit(opReturn, 0)
	c.at = s.Pos
	c.makeFunction(n.code, 0)
	if err := c.argList(s.Bases); err != nil {
		return err
	}
	if err := c.keywordDict(s.Keywords); err != nil {
		return err
	}
	c.at = s.Pos
	c.emitEffect(opClass, c.name(s.Name), -2)
	for range s.Decorators {
		c.emitEffect(opCall, 1, -1)
	}
	c.access(s.Name, syntax.Store)
	return nil
}
