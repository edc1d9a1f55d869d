package py

import "gauntlet/internal/py/syntax"

// maxNesting bounds the nesting of statements and expressions.
const maxNesting = 900

func (c *compiler) stmts(body []syntax.Stmt) error {
	c.nesting++
	defer func() { c.nesting-- }()
	if c.nesting > maxNesting {
		return c.errorf(c.at, "too many nested statements")
	}
	for _, s := range body {
		if err := c.stmt(s); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) stmt(s syntax.Stmt) error {
	c.at = s.At()
	switch s := s.(type) {
	case *syntax.ExprStmt:
		if _, ok := s.Value.(*syntax.Constant); ok {
			return nil
		}
		if err := c.expr(s.Value); err != nil {
			return err
		}
		c.emit(opPop, 0)
	case *syntax.Assign:
		return c.assign(s)
	case *syntax.AugAssign:
		return c.augAssign(s)
	case *syntax.AnnAssign:
		return c.annAssign(s)
	case *syntax.Return:
		return c.returnStmt(s)
	case *syntax.If:
		return c.ifStmt(s)
	case *syntax.For:
		return c.forStmt(s)
	case *syntax.While:
		return c.whileStmt(s)
	case *syntax.FunctionDef:
		return c.functionDef(s)
	case *syntax.ClassDef:
		return c.classDef(s)
	case *syntax.Try:
		return c.tryStmt(s)
	case *syntax.With:
		return c.withStmt(s, 0)
	case *syntax.Break, *syntax.Continue:
		return c.breakStmt(s)
	case *syntax.Pass, *syntax.Global, *syntax.Nonlocal:
	default:
		return c.rareStmt(s)
	}
	return nil
}

func (c *compiler) rareStmt(s syntax.Stmt) error {
	switch s := s.(type) {
	case *syntax.Delete:
		for _, t := range s.Targets {
			if err := c.delete(t); err != nil {
				return err
			}
		}
	case *syntax.Raise:
		n := 0
		for _, x := range []syntax.Expr{s.Exc, s.Cause} {
			if x != nil {
				if err := c.expr(x); err != nil {
					return err
				}
				n++
			}
		}
		c.at = s.Pos
		c.emitEffect(opRaise, n, -n)
	case *syntax.Assert:
		end := &label{}
		if err := c.cond(s.Test, end, true); err != nil {
			return err
		}
		c.at = s.Pos
		c.emit(opAssertionError, 0)
		if s.Msg != nil {
			if err := c.expr(s.Msg); err != nil {
				return err
			}
			c.emitEffect(opCall, 1, -1)
		}
		c.emitEffect(opRaise, 1, -1)
		c.place(end)
	case *syntax.Import:
		for _, a := range s.Names {
			c.emitEffect(opImport, c.name(a.Name), 1)
			if a.AsName == "" && importedName(a) != a.Name {
				// import a.b binds a; library modules hang below their parent.
				c.emit(opPop, 0)
				c.emitEffect(opImport, c.name(importedName(a)), 1)
			}
			c.access(importedName(a), syntax.Store)
		}
	case *syntax.ImportFrom:
		if s.Module == "__future__" {
			return nil
		}
		c.emitEffect(opImport, c.name(s.Module), 1)
		for _, a := range s.Names {
			c.emit(opImportFrom, c.name(a.Name))
			if a.AsName != "" {
				c.access(a.AsName, syntax.Store)
			} else {
				c.access(a.Name, syntax.Store)
			}
		}
		c.emit(opPop, 0)
	}
	return nil
}

func (c *compiler) assign(s *syntax.Assign) error {
	if err := c.expr(s.Value); err != nil {
		return err
	}
	for i, t := range s.Targets {
		if i < len(s.Targets)-1 {
			c.emit(opDup, 0)
		}
		if err := c.store(t); err != nil {
			return err
		}
	}
	return nil
}

// store pops the top of the stack into a target.
func (c *compiler) store(t syntax.Expr) error {
	c.at = t.At()
	switch t := t.(type) {
	case *syntax.Name:
		c.access(t.ID, syntax.Store)
	case *syntax.Attribute:
		if err := c.expr(t.Value); err != nil {
			return err
		}
		c.at = t.Pos
		c.emit(opStoreAttr, c.name(c.scope.mangle(t.Attr)))
	case *syntax.Subscript:
		if err := c.expr(t.Value); err != nil {
			return err
		}
		if err := c.expr(t.Slice); err != nil {
			return err
		}
		c.at = t.Pos
		c.emit(opStoreSubscr, 0)
	case *syntax.Tuple:
		return c.unpack(t.Elts)
	case *syntax.List:
		return c.unpack(t.Elts)
	case *syntax.Starred:
		return c.errorf(t.Pos, "starred assignment target must be in a list or tuple")
	default:
		return c.errorf(c.at, "cannot assign to expression")
	}
	return nil
}

func (c *compiler) unpack(elts []syntax.Expr) error {
	star := -1
	for i, e := range elts {
		if _, ok := e.(*syntax.Starred); ok {
			if star >= 0 {
				return c.errorf(e.At(), "multiple starred expressions in assignment")
			}
			star = i
		}
	}
	if star < 0 {
		c.emitEffect(opUnpack, len(elts), len(elts)-1)
	} else {
		c.emitEffect(opUnpackEx, star|(len(elts)-star-1)<<12, len(elts)-1)
	}
	for _, e := range elts {
		if s, ok := e.(*syntax.Starred); ok {
			e = s.Value
		}
		if err := c.store(e); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) delete(t syntax.Expr) error {
	c.at = t.At()
	switch t := t.(type) {
	case *syntax.Name:
		c.access(t.ID, syntax.Del)
	case *syntax.Attribute:
		if err := c.expr(t.Value); err != nil {
			return err
		}
		c.at = t.Pos
		c.emit(opDelAttr, c.name(c.scope.mangle(t.Attr)))
	case *syntax.Subscript:
		if err := c.expr(t.Value); err != nil {
			return err
		}
		if err := c.expr(t.Slice); err != nil {
			return err
		}
		c.at = t.Pos
		c.emit(opDelSubscr, 0)
	case *syntax.Tuple:
		for _, e := range t.Elts {
			if err := c.delete(e); err != nil {
				return err
			}
		}
	case *syntax.List:
		for _, e := range t.Elts {
			if err := c.delete(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *compiler) augAssign(s *syntax.AugAssign) error {
	switch t := s.Target.(type) {
	case *syntax.Name:
		c.at = t.Pos
		c.access(t.ID, syntax.Load)
		if err := c.expr(s.Value); err != nil {
			return err
		}
		c.at = s.Pos
		c.emit(opInplace, int(s.Op))
		c.access(t.ID, syntax.Store)
	case *syntax.Attribute:
		if err := c.expr(t.Value); err != nil {
			return err
		}
		c.emit(opDup, 0)
		c.at = t.Pos
		c.emit(opLoadAttr, c.name(c.scope.mangle(t.Attr)))
		if err := c.expr(s.Value); err != nil {
			return err
		}
		c.at = s.Pos
		c.emit(opInplace, int(s.Op))
		c.emit(opRot2, 0)
		c.emit(opStoreAttr, c.name(c.scope.mangle(t.Attr)))
	case *syntax.Subscript:
		if err := c.expr(t.Value); err != nil {
			return err
		}
		if err := c.expr(t.Slice); err != nil {
			return err
		}
		c.emit(opDup2, 0)
		c.at = t.Pos
		c.emit(opSubscr, 0)
		if err := c.expr(s.Value); err != nil {
			return err
		}
		c.at = s.Pos
		c.emit(opInplace, int(s.Op))
		c.emit(opRot3, 0)
		c.emit(opStoreSubscr, 0)
	}
	return nil
}

func (c *compiler) annAssign(s *syntax.AnnAssign) error {
	if s.Value != nil {
		if err := c.expr(s.Value); err != nil {
			return err
		}
		if err := c.store(s.Target); err != nil {
			return err
		}
	}
	if c.scope.kind == funcScope {
		return nil
	}
	n, ok := s.Target.(*syntax.Name)
	if !ok || !s.Simple {
		return nil
	}
	if err := c.annotation(s.Annotation); err != nil {
		return err
	}
	c.emit(opAnnotation, c.name(c.scope.mangle(n.ID)))
	return nil
}

// annotation pushes an annotation: its value, or its text under
// from __future__ import annotations.
func (c *compiler) annotation(x syntax.Expr) error {
	if c.future {
		c.loadConst(NewStr(unparse(x)))
		return nil
	}
	return c.expr(x)
}

func (c *compiler) returnStmt(s *syntax.Return) error {
	if c.scope.kind == classScope || c.scope.kind == moduleScope {
		return c.errorf(s.Pos, "'return' outside function")
	}
	if s.Value == nil {
		c.loadConst(None)
	} else if err := c.expr(s.Value); err != nil {
		return err
	}
	depth := c.depth
	if err := c.unwind(0, true); err != nil {
		return err
	}
	c.at = s.Pos
	c.emit(opReturn, 0)
	c.depth = depth - 1
	c.dead = true
	return nil
}

// unwind emits the code that leaves all constructs above keep; with value set
// the top of the stack is kept.
func (c *compiler) unwind(keep int, value bool) error {
	saved := c.fblocks
	defer func() { c.fblocks = saved }()
	for i := len(saved) - 1; i >= keep; i-- {
		b := saved[i]
		c.fblocks = saved[:i:i]
		switch b.kind {
		case whileLoop:
		case forLoop:
			if value {
				c.emit(opRot2, 0)
			}
			c.emit(opPop, 0)
		case tryBlock:
			c.emit(opPopBlock, 0)
		case finallyBlock:
			c.emit(opPopBlock, 0)
			if value {
				// A jump out of the finally body has to drop the kept value.
				c.fblocks = append(c.fblocks, fblock{kind: keptValue})
			}
			if err := c.stmts(b.finally); err != nil {
				return err
			}
		case keptValue:
			if value {
				c.emit(opRot2, 0)
			}
			c.emit(opPop, 0)
		case handlerBlock:
			c.emit(opPopBlock, 0)
			c.unbind(b.name)
			c.emit(opPopExcept, 0)
		case finallyHandler:
			c.emit(opPopExcept, 0)
		case withBlock:
			c.emit(opPopBlock, 0)
			if value {
				c.emit(opRot2, 0)
			}
			c.callExit()
		}
	}
	return nil
}

// unbind is the implicit "name = None; del name" after a named handler.
func (c *compiler) unbind(name string) {
	if name == "" {
		return
	}
	c.loadConst(None)
	c.access(name, syntax.Store)
	c.access(name, syntax.Del)
}

// callExit calls the __exit__ on the stack with three Nones.
func (c *compiler) callExit() {
	for range 3 {
		c.loadConst(None)
	}
	c.emitEffect(opCall, 3, -3)
	c.emit(opPop, 0)
}

func (c *compiler) breakStmt(s syntax.Stmt) error {
	_, isBreak := s.(*syntax.Break)
	for i := len(c.fblocks) - 1; i >= 0; i-- {
		b := c.fblocks[i]
		if b.kind != whileLoop && b.kind != forLoop {
			continue
		}
		depth := c.depth
		if err := c.unwind(i+1, false); err != nil {
			return err
		}
		if isBreak {
			if b.kind == forLoop {
				c.emit(opPop, 0)
			}
			c.jump(opJump, b.end, 0, 0)
		} else {
			c.jump(opLoop, b.start, 0, 0)
		}
		c.depth = depth
		return nil
	}
	if isBreak {
		return c.errorf(s.At(), "'break' outside loop")
	}
	return c.errorf(s.At(), "'continue' not properly in loop")
}

func (c *compiler) ifStmt(s *syntax.If) error {
	end := &label{}
	for {
		next := &label{}
		c.at = s.Pos
		if err := c.cond(s.Test, next, false); err != nil {
			return err
		}
		if err := c.stmts(s.Body); err != nil {
			return err
		}
		if len(s.Orelse) == 0 {
			c.place(next)
			break
		}
		c.jump(opJump, end, 0, 0)
		c.place(next)
		if len(s.Orelse) == 1 {
			if e, ok := s.Orelse[0].(*syntax.If); ok {
				s = e
				continue
			}
		}
		if err := c.stmts(s.Orelse); err != nil {
			return err
		}
		break
	}
	if len(end.fix) > 0 {
		c.place(end)
	}
	return nil
}

// cond jumps to target when the truth of x equals want; otherwise it falls through.
func (c *compiler) cond(x syntax.Expr, target *label, want bool) error {
	switch e := x.(type) {
	case *syntax.UnaryOp:
		if e.Op == syntax.Not {
			return c.cond(e.Operand, target, !want)
		}
	case *syntax.BoolOp:
		if e.Or == want {
			// The first decisive operand jumps to the target.
			for _, v := range e.Values {
				if err := c.cond(v, target, want); err != nil {
					return err
				}
			}
			return nil
		}
		skip := &label{}
		for _, v := range e.Values[:len(e.Values)-1] {
			if err := c.cond(v, skip, !want); err != nil {
				return err
			}
		}
		if err := c.cond(e.Values[len(e.Values)-1], target, want); err != nil {
			return err
		}
		if len(skip.fix) > 0 {
			c.place(skip)
		}
		return nil
	}
	if err := c.expr(x); err != nil {
		return err
	}
	op := opJumpIfFalse
	if want {
		op = opJumpIfTrue
	}
	c.jump(op, target, -1, -1)
	return nil
}

func (c *compiler) forStmt(s *syntax.For) error {
	if err := c.expr(s.Iter); err != nil {
		return err
	}
	c.at = s.Iter.At()
	c.emit(opIter, 0)
	start, done, end := &label{}, &label{}, &label{}
	c.place(start)
	start.depth = c.depth
	c.jump(opForIter, done, 1, -1)
	c.fblocks = append(c.fblocks, fblock{kind: forLoop, start: start, end: end})
	if err := c.store(s.Target); err != nil {
		return err
	}
	if err := c.stmts(s.Body); err != nil {
		return err
	}
	c.fblocks = c.fblocks[:len(c.fblocks)-1]
	c.at = s.Pos
	c.jump(opLoop, start, 0, 0)
	c.place(done)
	if err := c.stmts(s.Orelse); err != nil {
		return err
	}
	if len(end.fix) > 0 {
		c.place(end)
	}
	return nil
}

func (c *compiler) whileStmt(s *syntax.While) error {
	start, done, end := &label{}, &label{}, &label{}
	c.place(start)
	start.depth = c.depth
	if err := c.cond(s.Test, done, false); err != nil {
		return err
	}
	c.fblocks = append(c.fblocks, fblock{kind: whileLoop, start: start, end: end})
	if err := c.stmts(s.Body); err != nil {
		return err
	}
	c.fblocks = c.fblocks[:len(c.fblocks)-1]
	c.at = s.Pos
	c.jump(opLoop, start, 0, 0)
	if len(done.fix) > 0 {
		c.place(done)
	}
	if err := c.stmts(s.Orelse); err != nil {
		return err
	}
	if len(end.fix) > 0 {
		c.place(end)
	}
	return nil
}

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

func (c *compiler) tryStmt(s *syntax.Try) error {
	if len(s.Finalbody) == 0 {
		return c.tryExcept(s)
	}
	handler, end := &label{}, &label{}
	c.jump(opSetupTry, handler, 0, 0)
	c.fblocks = append(c.fblocks, fblock{kind: finallyBlock, finally: s.Finalbody})
	var err error
	if len(s.Handlers) > 0 {
		err = c.tryExcept(s)
	} else {
		err = c.stmts(s.Body)
	}
	if err != nil {
		return err
	}
	c.emit(opPopBlock, 0)
	c.fblocks = c.fblocks[:len(c.fblocks)-1]
	if err := c.stmts(s.Finalbody); err != nil {
		return err
	}
	c.jump(opJump, end, 0, 0)
	c.place(handler)
	c.fblocks = append(c.fblocks, fblock{kind: finallyHandler})
	if err := c.stmts(s.Finalbody); err != nil {
		return err
	}
	c.fblocks = c.fblocks[:len(c.fblocks)-1]
	c.emit(opReraise, 0)
	c.place(end)
	return nil
}

func (c *compiler) tryExcept(s *syntax.Try) error {
	handlers, end := &label{}, &label{}
	c.jump(opSetupTry, handlers, 0, 0)
	c.fblocks = append(c.fblocks, fblock{kind: tryBlock})
	if err := c.stmts(s.Body); err != nil {
		return err
	}
	c.emit(opPopBlock, 0)
	c.fblocks = c.fblocks[:len(c.fblocks)-1]
	if err := c.stmts(s.Orelse); err != nil {
		return err
	}
	c.jump(opJump, end, 0, 0)
	c.place(handlers)
	for _, h := range s.Handlers {
		if err := c.handler(h, end); err != nil {
			return err
		}
	}
	c.emit(opReraise, 0)
	c.place(end)
	return nil
}

func (c *compiler) handler(h *syntax.ExceptHandler, end *label) error {
	c.at = h.Pos
	next := &label{}
	if h.Type != nil {
		if err := c.expr(h.Type); err != nil {
			return err
		}
		c.emit(opExcMatch, 0)
		c.jump(opJumpIfFalse, next, -1, -1)
	}
	if h.Name != "" {
		c.emit(opLoadExc, 0)
		c.access(h.Name, syntax.Store)
	}
	cleanup := &label{}
	c.jump(opSetupTry, cleanup, 0, 0)
	c.fblocks = append(c.fblocks, fblock{kind: handlerBlock, name: h.Name})
	if err := c.stmts(h.Body); err != nil {
		return err
	}
	c.fblocks = c.fblocks[:len(c.fblocks)-1]
	c.emit(opPopBlock, 0)
	c.unbind(h.Name)
	c.emit(opPopExcept, 0)
	c.jump(opJump, end, 0, 0)
	c.place(cleanup)
	c.unbind(h.Name)
	c.emit(opReraise, 1)
	if h.Type != nil {
		c.place(next)
	}
	return nil
}

func (c *compiler) withStmt(s *syntax.With, i int) error {
	if i == len(s.Items) {
		return c.stmts(s.Body)
	}
	item := s.Items[i]
	if err := c.expr(item.Context); err != nil {
		return err
	}
	c.at = item.Context.At()
	c.emit(opBeforeWith, 0)
	handler, suppressed, end := &label{}, &label{}, &label{}
	c.jump(opSetupWith, handler, 0, -1)
	c.fblocks = append(c.fblocks, fblock{kind: withBlock})
	if item.Target != nil {
		if err := c.store(item.Target); err != nil {
			return err
		}
	} else {
		c.emit(opPop, 0)
	}
	if err := c.withStmt(s, i+1); err != nil {
		return err
	}
	c.fblocks = c.fblocks[:len(c.fblocks)-1]
	c.at = item.Context.At()
	c.emit(opPopBlock, 0)
	c.callExit()
	c.jump(opJump, end, 0, 0)
	c.place(handler)
	c.emit(opWithExcept, 0)
	c.jump(opJumpIfTrue, suppressed, -1, -1)
	c.emit(opReraise, 0)
	c.place(suppressed)
	c.emit(opPopExcept, 0)
	c.emit(opPop, 0)
	c.place(end)
	return nil
}
