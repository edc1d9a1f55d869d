package py

import "gauntlet/internal/py/syntax"

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
