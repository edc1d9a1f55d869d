package syntax

// targetList parses the targets of a for clause. They are primaries, possibly
// starred, so that the "in" after them is not taken for an operator.
func (p *parser) targetList() Expr {
	at := p.tok.pos
	first := p.starTarget()
	if p.tok.kind != tComma {
		return first
	}
	t := &Tuple{at, []Expr{first}, Store}
	for p.accept(tComma) && p.startsStarExpr() {
		t.Elts = append(t.Elts, p.starTarget())
	}
	return t
}

// starTarget parses one target of a for clause or with item.
func (p *parser) starTarget() Expr {
	at := p.tok.pos
	var e Expr
	if p.accept(tStar) {
		e = &Starred{at, p.primary(), Store}
	} else {
		e = p.primary()
	}
	p.setContext(e, Store)
	return e
}

// setContext turns an expression into a target of an assignment (Store) or of a
// del statement (Del), or fails if it cannot be one.
func (p *parser) setContext(e Expr, ctx Context) {
	switch e := e.(type) {
	case *Name:
		e.Ctx = ctx
		return
	case *Attribute:
		e.Ctx = ctx
		return
	case *Subscript:
		e.Ctx = ctx
		return
	case *List:
		e.Ctx = ctx
		p.setContexts(e.Elts, ctx)
		return
	case *Tuple:
		e.Ctx = ctx
		p.setContexts(e.Elts, ctx)
		return
	case *Starred:
		if ctx == Store {
			e.Ctx = ctx
			p.setContext(e.Value, ctx)
			return
		}
	}
	verb, hint := "assign to", ""
	if ctx == Del {
		verb = "delete"
	} else if p.tok.kind == tAssign {
		hint = " here. Maybe you meant '==' instead of '='?"
	}
	p.fail(e.At(), "cannot %s %s%s", verb, describe(e), hint)
}

func (p *parser) setContexts(list []Expr, ctx Context) {
	for _, e := range list {
		p.setContext(e, ctx)
	}
}

// describe names the kind of an expression in error messages.
func describe(e Expr) string {
	switch e := e.(type) {
	case *Constant:
		switch v := e.Value.(type) {
		case ConstNone:
			return "None"
		case ConstEllipsis:
			return "ellipsis"
		case bool:
			if v {
				return "True"
			}
			return "False"
		}
		return "literal"
	case *Name:
		return "name"
	case *Attribute:
		return "attribute"
	case *Subscript:
		return "subscript"
	case *Starred:
		return "starred"
	case *Tuple:
		return "tuple"
	case *List:
		return "list"
	case *Call:
		return "function call"
	case *Lambda:
		return "lambda"
	case *Compare:
		return "comparison"
	case *IfExp:
		return "conditional expression"
	case *Dict:
		return "dict literal"
	case *Set:
		return "set display"
	case *ListComp:
		return "list comprehension"
	case *SetComp:
		return "set comprehension"
	case *DictComp:
		return "dict comprehension"
	case *GeneratorExp:
		return "generator expression"
	case *Yield, *YieldFrom:
		return "yield expression"
	case *JoinedStr, *FormattedValue:
		return "f-string expression"
	case *NamedExpr:
		return "named expression"
	}
	return "expression"
}
