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
