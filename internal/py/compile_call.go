package py

import "gauntlet/internal/py/syntax"

// call emits a call, as a method call where the callee is an attribute.
func (c *compiler) call(x *syntax.Call) error {
	plainArgs := !hasStar(x.Args) && len(x.Args)+len(x.Keywords) < 255
	for _, k := range x.Keywords {
		plainArgs = plainArgs && k.Name != ""
	}
	if a, ok := x.Func.(*syntax.Attribute); ok && plainArgs && len(x.Keywords) == 0 {
		if err := c.expr(a.Value); err != nil {
			return err
		}
		c.at = a.Pos
		c.emit(opLoadMethod, c.name(c.scope.mangle(a.Attr)))
		if err := c.exprList(x.Args); err != nil {
			return err
		}
		c.at = x.Pos
		c.emitEffect(opCallMethod, len(x.Args), -len(x.Args)-1)
		return nil
	}
	if err := c.expr(x.Func); err != nil {
		return err
	}
	if !plainArgs {
		// A lone *iterable is unpacked by the call itself, after the keywords.
		lone := 0
		if len(x.Args) == 1 && hasStar(x.Args) {
			lone = 1
			if err := c.expr(x.Args[0].(*syntax.Starred).Value); err != nil {
				return err
			}
		} else if err := c.argList(x.Args); err != nil {
			return err
		}
		if err := c.keywordDict(x.Keywords); err != nil {
			return err
		}
		c.at = x.Pos
		c.emitEffect(opCallEx, lone, -2)
		return nil
	}
	if err := c.exprList(x.Args); err != nil {
		return err
	}
	if len(x.Keywords) == 0 {
		c.at = x.Pos
		c.emitEffect(opCall, len(x.Args), -len(x.Args))
		return nil
	}
	names := make([]Value, len(x.Keywords))
	for i, k := range x.Keywords {
		names[i] = NewStr(c.scope.mangle(k.Name))
		if err := c.expr(k.Value); err != nil {
			return err
		}
	}
	c.at = x.Pos
	c.code.consts = append(c.code.consts, NewTuple(names...))
	n := len(x.Args) + len(x.Keywords)
	c.emitEffect(opCallKw, n|(len(c.code.consts)-1)<<10, -n)
	return nil
}

// argList pushes positional arguments as a list.
func (c *compiler) argList(args []syntax.Expr) error {
	if !hasStar(args) {
		return c.display(args, opList, opListAppend, opListExtend)
	}
	c.emitEffect(opList, 0, 1)
	for _, e := range args {
		s, star := e.(*syntax.Starred)
		if !star {
			if err := c.expr(e); err != nil {
				return err
			}
			c.emit(opListAppend, 1)
			continue
		}
		if err := c.expr(s.Value); err != nil {
			return err
		}
		c.emit(opListExtend, 1)
	}
	return nil
}

// keywordDict pushes keyword arguments as a dict.
func (c *compiler) keywordDict(kws []*syntax.Keyword) error {
	c.emitEffect(opMap, 0, 1)
	for _, k := range kws {
		if k.Name == "" {
			if err := c.expr(k.Value); err != nil {
				return err
			}
			c.emit(opDictMerge, 1)
			continue
		}
		c.loadConst(NewStr(c.scope.mangle(k.Name)))
		if err := c.expr(k.Value); err != nil {
			return err
		}
		c.emitEffect(opKeyword, 0, -2)
	}
	return nil
}

// comprehension compiles the body as a function of the outermost iterator.
func (c *compiler) comprehension(node any, name string, gens []*syntax.Comprehension, elt, value syntax.Expr, build, add opcode) error {
	n := c.child(node, name)
	n.code.argCount, n.code.simple = 1, true
	if build != opNop {
		n.emitEffect(build, 0, 1)
	}
	if err := n.compFor(gens, 0, elt, value, add); err != nil {
		return err
	}
	if build == opNop {
		n.loadConst(None)
	}
	n.emit(opReturn, 0)
	c.makeFunction(n.code, 0)
	if err := c.expr(gens[0].Iter); err != nil {
		return err
	}
	c.at = gens[0].Iter.At()
	c.emit(opIter, 0)
	c.emitEffect(opCall, 1, -1)
	return nil
}

func (c *compiler) compFor(gens []*syntax.Comprehension, i int, elt, value syntax.Expr, add opcode) error {
	g := gens[i]
	if i == 0 {
		c.access(".0", syntax.Load)
	} else {
		if err := c.expr(g.Iter); err != nil {
			return err
		}
		c.emit(opIter, 0)
	}
	start, done := &label{}, &label{}
	c.place(start)
	start.depth = c.depth
	c.jump(opForIter, done, 1, -1)
	if err := c.store(g.Target); err != nil {
		return err
	}
	for _, cond := range g.Ifs {
		// A false condition goes on with the next item.
		if err := c.cond(cond, start, false); err != nil {
			return err
		}
	}
	if i+1 < len(gens) {
		if err := c.compFor(gens, i+1, elt, value, add); err != nil {
			return err
		}
	} else if err := c.compElement(elt, value, add, i); err != nil {
		return err
	}
	c.jump(opLoop, start, 0, 0)
	c.place(done)
	return nil
}

func (c *compiler) compElement(elt, value syntax.Expr, add opcode, i int) error {
	if err := c.expr(elt); err != nil {
		return err
	}
	if value != nil {
		if err := c.expr(value); err != nil {
			return err
		}
	}
	if add == opYield {
		c.emit(opYield, 0)
		c.emit(opPop, 0)
		return nil
	}
	c.emit(add, i+2) // the container lies below the iterators
	return nil
}
