package syntax

import "strings"

// simpleStmt parses a statement that fits on a line.
func (p *parser) simpleStmt() Stmt {
	at := p.tok.pos
	switch p.tok.kind {
	case kwPass:
		p.next()
		return &Pass{at}
	case kwBreak:
		p.next()
		return &Break{at}
	case kwContinue:
		p.next()
		return &Continue{at}
	case kwReturn:
		p.next()
		s := &Return{Pos: at}
		if p.startsStarExpr() {
			s.Value = p.starExprs()
		}
		return s
	case kwRaise:
		return p.raiseStmt()
	case kwGlobal:
		return &Global{at, p.nameList()}
	case kwNonlocal:
		return &Nonlocal{at, p.nameList()}
	case kwDel:
		return p.delStmt()
	case kwAssert:
		p.next()
		s := &Assert{Pos: at, Test: p.expr()}
		if p.accept(tComma) {
			s.Msg = p.expr()
		}
		return s
	case kwImport:
		return p.importStmt()
	case kwFrom:
		return p.importFrom()
	}
	return p.exprStmt()
}

func (p *parser) raiseStmt() Stmt {
	s := &Raise{Pos: p.tok.pos}
	p.next()
	if startsExpr(p.tok.kind) {
		s.Exc = p.expr()
		if p.accept(kwFrom) {
			s.Cause = p.expr()
		}
	}
	return s
}

// nameList parses the names of a global or nonlocal statement.
func (p *parser) nameList() []string {
	p.next()
	names := []string{p.name()}
	for p.accept(tComma) {
		names = append(names, p.name())
	}
	return names
}

func (p *parser) delStmt() Stmt {
	s := &Delete{Pos: p.tok.pos}
	p.next()
	for {
		target := p.primary()
		p.setContext(target, Del)
		s.Targets = append(s.Targets, target)
		if !p.accept(tComma) || !startsExpr(p.tok.kind) {
			break
		}
	}
	if k := p.tok.kind; k != tSemi && k != tNewline {
		p.syntaxError()
	}
	return s
}

func (p *parser) importStmt() Stmt {
	s := &Import{Pos: p.tok.pos}
	p.next()
	for {
		a := &Alias{Pos: p.tok.pos}
		a.Name = p.dottedName()
		if p.accept(kwAs) {
			a.AsName = p.name()
		}
		s.Names = append(s.Names, a)
		if !p.accept(tComma) {
			return s
		}
	}
}

func (p *parser) dottedName() string {
	name := p.name()
	if p.tok.kind != tDot {
		return name
	}
	var b strings.Builder
	b.WriteString(name)
	for p.accept(tDot) {
		b.WriteByte('.')
		b.WriteString(p.name())
	}
	return b.String()
}

func (p *parser) importFrom() Stmt {
	s := &ImportFrom{Pos: p.tok.pos}
	p.next()
	for {
		if p.accept(tDot) {
			s.Level++
		} else if p.accept(tEllipsis) {
			s.Level += 3
		} else {
			break
		}
	}
	if s.Level == 0 || p.tok.kind != kwImport {
		s.Module = p.dottedName()
	}
	p.expect(kwImport, "'import'")
	if p.tok.kind == tStar {
		refuse(p.file, p.tok.pos, "star imports are")
	}
	closing := tEOF
	if p.accept(tLparen) {
		closing = tRparen
	}
	for {
		a := &Alias{Pos: p.tok.pos}
		a.Name = p.name()
		if p.accept(kwAs) {
			a.AsName = p.name()
		}
		s.Names = append(s.Names, a)
		if !p.accept(tComma) {
			break
		}
		if p.tok.kind == closing {
			break
		}
		if p.tok.kind == tNewline {
			p.fail(p.tok.pos, "trailing comma not allowed without surrounding parentheses")
		}
	}
	if closing == tRparen {
		p.expect(tRparen, "')'")
	}
	return s
}

// exprStmt parses an expression statement or an assignment, which can be told
// apart only after the first expression.
func (p *parser) exprStmt() Stmt {
	first := p.tok
	e := p.yieldOrStarExprs()
	switch p.tok.kind {
	case tAssign:
		return p.assign(first.pos, e)
	case tColon:
		return p.annAssign(first, e)
	}
	op, ok := augmentedOp(p.tok.kind)
	if !ok {
		return &ExprStmt{first.pos, e}
	}
	switch e.(type) {
	case *Name, *Attribute, *Subscript:
		p.setContext(e, Store)
	default:
		p.fail(first.pos, "'%s' is an illegal expression for augmented assignment", describe(e))
	}
	p.next()
	return &AugAssign{first.pos, e, op, p.yieldOrStarExprs()}
}

func (p *parser) assign(at Pos, e Expr) Stmt {
	s := &Assign{Pos: at}
	for p.tok.kind == tAssign {
		p.setContext(e, Store)
		p.next()
		s.Targets = append(s.Targets, e)
		e = p.yieldOrStarExprs()
	}
	s.Value = e
	return s
}

func (p *parser) annAssign(first token, e Expr) Stmt {
	s := &AnnAssign{Pos: first.pos, Target: e}
	switch e.(type) {
	case *Name:
		s.Simple = first.kind == tName
	case *Attribute, *Subscript:
		if first.kind == tLparen && startsWithTarget(first.pos, e) {
			p.fail(first.pos, "illegal target for annotation")
		}
	case *Tuple, *List:
		p.fail(first.pos, "only single target (not %s) can be annotated", describe(e))
	default:
		p.fail(first.pos, "illegal target for annotation")
	}
	p.setContext(e, Store)
	p.next()
	s.Annotation = p.expr()
	if p.accept(tAssign) {
		s.Value = p.yieldOrStarExprs()
	}
	return s
}

// startsWithTarget reports whether e, which begins with a parenthesis at the given
// place, has a possible target in that parenthesis and goes on behind it. CPython's
// grammar reads the "(a)" of "(a).b: int" as the whole target and rejects the rest.
func startsWithTarget(paren Pos, e Expr) bool {
	behind := false
	for e.At() == paren {
		switch outer := e.(type) {
		case *Attribute:
			e = outer.Value
		case *Subscript:
			e = outer.Value
		case *Call:
			e = outer.Func
		default:
			return false
		}
		behind = true
	}
	switch e.(type) {
	case *Name, *Attribute, *Subscript:
		return behind
	}
	return false
}
