package syntax

// The methods of this file follow the levels of precedence, weakest first. Each
// takes the position of its node from the first token rather than from the first
// operand, because an operand does not include its parentheses.

// startsStarExpr reports whether an expression, perhaps starred, follows.
func (p *parser) startsStarExpr() bool {
	return p.tok.kind == tStar || startsExpr(p.tok.kind)
}

// yieldOrStarExprs parses the right side of an assignment.
func (p *parser) yieldOrStarExprs() Expr {
	if p.tok.kind == kwYield {
		return p.yield()
	}
	return p.starExprs()
}

// yield parses a yield expression.
func (p *parser) yield() Expr {
	at := p.tok.pos
	p.next()
	if p.accept(kwFrom) {
		return &YieldFrom{at, p.expr()}
	}
	y := &Yield{Pos: at}
	if p.startsStarExpr() {
		y.Value = p.starExprs()
	}
	return y
}

// starExprs parses expressions separated by commas; with a comma they are a tuple.
func (p *parser) starExprs() Expr {
	at := p.tok.pos
	first := p.starExpr()
	if p.tok.kind != tComma {
		return first
	}
	t := &Tuple{Pos: at, Elts: []Expr{first}}
	for p.accept(tComma) && p.startsStarExpr() {
		t.Elts = append(t.Elts, p.starExpr())
	}
	return t
}

func (p *parser) starExpr() Expr {
	if p.tok.kind == tStar {
		return p.starred()
	}
	return p.expr()
}

// starred parses "*" and an operand.
func (p *parser) starred() Expr {
	at := p.tok.pos
	p.next()
	return &Starred{at, p.bitwiseOr(), Load}
}

// namedExpr parses an expression that may be an assignment expression.
func (p *parser) namedExpr() Expr {
	first := p.tok
	e := p.expr()
	if p.tok.kind != tColonEq {
		return e
	}
	name, ok := e.(*Name)
	if !ok || first.kind != tName {
		p.fail(first.pos, "cannot use assignment expressions with %s", describe(e))
	}
	p.next()
	name.Ctx = Store
	return &NamedExpr{first.pos, name, p.expr()}
}

// isBareNamed reports whether e, whose first token is given, is an assignment
// expression without parentheses.
func isBareNamed(first token, e Expr) bool {
	_, named := e.(*NamedExpr)
	return named && first.kind == tName
}

// expr parses a conditional expression or a lambda.
func (p *parser) expr() Expr {
	p.enter()
	defer p.leave()
	at := p.tok.pos
	if p.tok.kind == kwLambda {
		p.next()
		l := &Lambda{Pos: at, Args: p.params(tColon)}
		p.expect(tColon, "':'")
		l.Body = p.expr()
		return l
	}
	e := p.or()
	if !p.accept(kwIf) {
		return e
	}
	c := &IfExp{Pos: at, Body: e, Test: p.or()}
	p.expect(kwElse, "'else' after 'if' expression")
	c.Orelse = p.expr()
	return c
}

func (p *parser) or() Expr {
	at := p.tok.pos
	e := p.and()
	if p.tok.kind != kwOr {
		return e
	}
	b := &BoolOp{Pos: at, Or: true, Values: []Expr{e}}
	for p.accept(kwOr) {
		b.Values = append(b.Values, p.and())
	}
	return b
}

func (p *parser) and() Expr {
	at := p.tok.pos
	e := p.not()
	if p.tok.kind != kwAnd {
		return e
	}
	b := &BoolOp{Pos: at, Values: []Expr{e}}
	for p.accept(kwAnd) {
		b.Values = append(b.Values, p.not())
	}
	return b
}

func (p *parser) not() Expr {
	if p.tok.kind != kwNot {
		return p.comparison()
	}
	p.enter()
	defer p.leave()
	at := p.tok.pos
	p.next()
	return &UnaryOp{at, Not, p.not()}
}

func (p *parser) comparison() Expr {
	at := p.tok.pos
	e := p.bitwiseOr()
	op, ok := p.comparisonOp()
	if !ok {
		return e
	}
	c := &Compare{Pos: at, Left: e}
	for ok {
		c.Ops = append(c.Ops, op)
		c.Comparators = append(c.Comparators, p.bitwiseOr())
		op, ok = p.comparisonOp()
	}
	return c
}

// comparisonOp moves over a comparison operator, if there is one.
func (p *parser) comparisonOp() (op CmpOp, ok bool) {
	switch p.tok.kind {
	case tEqEq:
		op = Eq
	case tNotEq:
		op = NotEq
	case tLt:
		op = Lt
	case tLtE:
		op = LtE
	case tGt:
		op = Gt
	case tGtE:
		op = GtE
	case kwIn:
		op = In
	case kwIs:
		p.next()
		if p.accept(kwNot) {
			return IsNot, true
		}
		return Is, true
	case kwNot:
		p.next()
		p.expect(kwIn, "'in'")
		return NotIn, true
	default:
		return 0, false
	}
	p.next()
	return op, true
}

// bitwiseOr parses binary operators of any strength.
func (p *parser) bitwiseOr() Expr { return p.binary(1) }

// binary parses operators that bind at least as strong as min, by precedence
// climbing.
func (p *parser) binary(min int) Expr {
	at := p.tok.pos
	left := p.unary()
	for {
		op, strength := binaryOp(p.tok.kind)
		if strength < min || strength == 0 {
			return left
		}
		p.next()
		left = &BinOp{at, left, op, p.binary(strength + 1)}
	}
}

// unary parses a sign or "~", or a power.
func (p *parser) unary() Expr {
	at := p.tok.pos
	var op UnaryOperator
	switch p.tok.kind {
	case tPlus:
		op = UAdd
	case tMinus:
		op = USub
	case tTilde:
		op = Invert
	case kwAwait:
		p.refuseAsync()
	default:
		base := p.primary()
		if p.tok.kind != tPower {
			return base
		}
		p.enter()
		defer p.leave()
		p.next()
		return &BinOp{at, base, Pow, p.unary()}
	}
	p.enter()
	defer p.leave()
	p.next()
	return &UnaryOp{at, op, p.unary()}
}

// primary parses an atom and the attributes, calls and subscripts behind it.
func (p *parser) primary() Expr {
	at := p.tok.pos
	e := p.atom()
	for {
		switch p.tok.kind {
		case tDot:
			p.next()
			e = &Attribute{at, e, p.name(), Load}
		case tLparen:
			c := &Call{Pos: at, Func: e}
			c.Args, c.Keywords = p.callArgs(true)
			e = c
		case tLbrack:
			p.next()
			e = &Subscript{at, e, p.subscripts(), Load}
			p.expect(tRbrack, "']'")
		default:
			return e
		}
	}
}
