package py

import "gauntlet/internal/py/syntax"

// expr emits code that pushes the value of x.
func (c *compiler) expr(x syntax.Expr) error {
	c.nesting++
	defer func() { c.nesting-- }()
	if c.nesting > maxNesting {
		return c.errorf(x.At(), "too many nested expressions")
	}
	at := c.at
	c.at = x.At()
	defer func() { c.at = at }()
	switch x := x.(type) {
	case *syntax.Name:
		c.access(x.ID, syntax.Load)
	case *syntax.Constant:
		c.loadConst(constValue(x.Value))
	case *syntax.Attribute:
		if err := c.expr(x.Value); err != nil {
			return err
		}
		c.emit(opLoadAttr, c.name(c.scope.mangle(x.Attr)))
	case *syntax.Subscript:
		if err := c.expr(x.Value); err != nil {
			return err
		}
		if err := c.expr(x.Slice); err != nil {
			return err
		}
		c.emit(opSubscr, 0)
	case *syntax.Call:
		return c.call(x)
	case *syntax.Compare:
		return c.compare(x)
	case *syntax.BoolOp:
		return c.boolOp(x)
	case *syntax.BinOp:
		return c.binOp(x)
	case *syntax.UnaryOp:
		return c.unaryOp(x)
	case *syntax.IfExp:
		return c.ifExp(x)
	case *syntax.Dict:
		return c.dict(x)
	case *syntax.List:
		return c.display(x.Elts, opList, opListAppend, opListExtend)
	case *syntax.Tuple:
		return c.tuple(x)
	case *syntax.Set:
		return c.display(x.Elts, opSet, opSetAdd, opSetUpdate)
	case *syntax.JoinedStr:
		return c.joined(x)
	case *syntax.FormattedValue:
		return c.formatted(x)
	default:
		return c.rareExpr(x)
	}
	return nil
}

func (c *compiler) rareExpr(x syntax.Expr) error {
	switch x := x.(type) {
	case *syntax.ListComp:
		return c.comprehension(x, "<listcomp>", x.Generators, x.Elt, nil, opList, opListAppend)
	case *syntax.SetComp:
		return c.comprehension(x, "<setcomp>", x.Generators, x.Elt, nil, opSet, opSetAdd)
	case *syntax.DictComp:
		return c.comprehension(x, "<dictcomp>", x.Generators, x.Key, x.Value, opMap, opMapAdd)
	case *syntax.GeneratorExp:
		return c.comprehension(x, "<genexpr>", x.Generators, x.Elt, nil, opNop, opYield)
	case *syntax.Lambda:
		flags, err := c.functionExtras(x.Args, nil)
		if err != nil {
			return err
		}
		n := c.child(x, "<lambda>")
		n.params(x.Args)
		if err := n.expr(x.Body); err != nil {
			return err
		}
		n.emit(opReturn, 0)
		c.makeFunction(n.code, flags)
	case *syntax.NamedExpr:
		if err := c.expr(x.Value); err != nil {
			return err
		}
		c.emit(opDup, 0)
		return c.store(x.Target)
	case *syntax.Yield:
		if x.Value == nil {
			c.loadConst(None)
		} else if err := c.expr(x.Value); err != nil {
			return err
		}
		c.emit(opYield, 0)
	case *syntax.YieldFrom:
		if err := c.expr(x.Value); err != nil {
			return err
		}
		c.emit(opYieldFromIter, 0)
		c.loadConst(None)
		c.emitEffect(opYieldFrom, 0, -1)
	case *syntax.Slice:
		for _, e := range []syntax.Expr{x.Lower, x.Upper, x.Step} {
			if e == nil {
				c.loadConst(None)
			} else if err := c.expr(e); err != nil {
				return err
			}
		}
		c.emitEffect(opSlice, 0, -2)
	case *syntax.Starred:
		return c.errorf(x.Pos, "can't use starred expression here")
	default:
		return c.errorf(x.At(), "unsupported expression")
	}
	return nil
}

func (c *compiler) exprList(xs []syntax.Expr) error {
	for _, x := range xs {
		if err := c.expr(x); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) binOp(x *syntax.BinOp) error {
	// Long chains a + b + c … nest to the left; walk them without recursion.
	chain := []*syntax.BinOp{x}
	for {
		l, ok := chain[len(chain)-1].Left.(*syntax.BinOp)
		if !ok {
			break
		}
		chain = append(chain, l)
	}
	if err := c.expr(chain[len(chain)-1].Left); err != nil {
		return err
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if err := c.expr(chain[i].Right); err != nil {
			return err
		}
		c.at = chain[i].Pos
		c.emit(opBinary, int(chain[i].Op))
	}
	return nil
}

func (c *compiler) unaryOp(x *syntax.UnaryOp) error {
	if k, ok := x.Operand.(*syntax.Constant); ok && x.Op == syntax.USub {
		switch v := constValue(k.Value).(type) {
		case Float:
			c.loadConst(-v)
			return nil
		case Int:
			c.loadConst(-v)
			return nil
		}
	}
	if err := c.expr(x.Operand); err != nil {
		return err
	}
	c.emit(opUnary, int(x.Op))
	return nil
}

func (c *compiler) boolOp(x *syntax.BoolOp) error {
	end := &label{}
	op := opJumpIfFalseOrPop
	if x.Or {
		op = opJumpIfTrueOrPop
	}
	for i, v := range x.Values {
		if err := c.expr(v); err != nil {
			return err
		}
		if i < len(x.Values)-1 {
			c.jump(op, end, -1, 0)
		}
	}
	c.place(end)
	return nil
}

func (c *compiler) ifExp(x *syntax.IfExp) error {
	other, end := &label{}, &label{}
	if err := c.cond(x.Test, other, false); err != nil {
		return err
	}
	if err := c.expr(x.Body); err != nil {
		return err
	}
	c.jump(opJump, end, 0, 0)
	c.place(other)
	if err := c.expr(x.Orelse); err != nil {
		return err
	}
	c.place(end)
	return nil
}

func (c *compiler) compare(x *syntax.Compare) error {
	if err := c.expr(x.Left); err != nil {
		return err
	}
	last := len(x.Ops) - 1
	end := &label{}
	for i, op := range x.Ops {
		if err := c.expr(x.Comparators[i]); err != nil {
			return err
		}
		if i == last {
			c.emit(opCompare, int(op))
			break
		}
		c.emit(opDup, 0)
		c.emit(opRot3, 0)
		c.emit(opCompare, int(op))
		c.jump(opJumpIfFalseOrPop, end, -1, 0)
	}
	if last > 0 {
		done := &label{}
		c.jump(opJump, done, 0, 0)
		c.place(end)
		// A false link leaves the right operand below the result.
		c.emit(opRot2, 0)
		c.emit(opPop, 0)
		c.place(done)
	}
	return nil
}

// hasStar reports whether a display or argument list unpacks an iterable.
func hasStar(xs []syntax.Expr) bool {
	for _, x := range xs {
		if _, ok := x.(*syntax.Starred); ok {
			return true
		}
	}
	return false
}

// display emits a list or set display.
func (c *compiler) display(elts []syntax.Expr, build, add, extend opcode) error {
	if !hasStar(elts) && len(elts) < 4096 {
		if err := c.exprList(elts); err != nil {
			return err
		}
		c.emitEffect(build, len(elts), 1-len(elts))
		return nil
	}
	c.emitEffect(build, 0, 1)
	for _, e := range elts {
		op := add
		if s, ok := e.(*syntax.Starred); ok {
			e, op = s.Value, extend
		}
		if err := c.expr(e); err != nil {
			return err
		}
		c.emit(op, 1)
	}
	return nil
}

func (c *compiler) tuple(x *syntax.Tuple) error {
	if v, key, ok := constTuple(x); ok {
		c.emit(opConst, c.constantKey(v, key))
		return nil
	}
	if !hasStar(x.Elts) && len(x.Elts) < 4096 {
		if err := c.exprList(x.Elts); err != nil {
			return err
		}
		c.emitEffect(opTuple, len(x.Elts), 1-len(x.Elts))
		return nil
	}
	if err := c.display(x.Elts, opList, opListAppend, opListExtend); err != nil {
		return err
	}
	c.emit(opListToTuple, 0)
	return nil
}

// constTuple folds a tuple of constants; key tells equal ones of different
// types apart.
func constTuple(x *syntax.Tuple) (v *Tuple, key string, ok bool) {
	items := make([]Value, len(x.Elts))
	key = "("
	for i, e := range x.Elts {
		switch e := e.(type) {
		case *syntax.Constant:
			items[i] = constValue(e.Value)
			key += TypeName(items[i]) + ":" + unparse(e) + ","
			switch items[i].(type) {
			case *Bytes, *Big: // have no text in unparse
				return nil, "", false
			}
		case *syntax.Tuple:
			sub, k, ok := constTuple(e)
			if !ok {
				return nil, "", false
			}
			items[i] = sub
			key += k
		default:
			return nil, "", false
		}
	}
	return NewTuple(items...), key + ")", true
}

func (c *compiler) dict(x *syntax.Dict) error {
	plainKeys := len(x.Keys) < 2048
	for _, k := range x.Keys {
		plainKeys = plainKeys && k != nil
	}
	if plainKeys {
		for i, k := range x.Keys {
			if err := c.expr(k); err != nil {
				return err
			}
			if err := c.expr(x.Values[i]); err != nil {
				return err
			}
		}
		c.emitEffect(opMap, len(x.Keys), 1-2*len(x.Keys))
		return nil
	}
	c.emitEffect(opMap, 0, 1)
	for i, k := range x.Keys {
		if k == nil {
			if err := c.expr(x.Values[i]); err != nil {
				return err
			}
			c.emit(opDictUpdate, 1)
			continue
		}
		if err := c.expr(k); err != nil {
			return err
		}
		if err := c.expr(x.Values[i]); err != nil {
			return err
		}
		c.emit(opMapAdd, 1)
	}
	return nil
}

func (c *compiler) joined(x *syntax.JoinedStr) error {
	if len(x.Values) == 0 {
		c.loadConst(emptyStr)
		return nil
	}
	for _, v := range x.Values {
		if err := c.expr(v); err != nil {
			return err
		}
	}
	c.emitEffect(opString, len(x.Values), 1-len(x.Values))
	return nil
}

func (c *compiler) formatted(x *syntax.FormattedValue) error {
	if err := c.expr(x.Value); err != nil {
		return err
	}
	arg := 0
	if x.Conversion > 0 {
		arg = x.Conversion
	}
	if x.FormatSpec != nil {
		if err := c.expr(x.FormatSpec); err != nil {
			return err
		}
		c.emitEffect(opFormat, arg|1<<16, -1)
		return nil
	}
	c.emitEffect(opFormat, arg, 0)
	return nil
}
