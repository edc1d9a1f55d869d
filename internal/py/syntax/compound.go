package syntax

// ifStmt parses an if statement. The elif clauses nest in the tree, but are
// parsed in a loop.
func (p *parser) ifStmt() Stmt {
	top := &If{Pos: p.tok.pos}
	s, header := top, "'if' statement"
	for {
		p.next()
		s.Test = p.namedExpr()
		s.Body = p.block(header, s.Pos)
		if p.tok.kind != kwElif {
			break
		}
		elif := &If{Pos: p.tok.pos}
		s.Orelse = []Stmt{elif}
		s, header = elif, "'elif' statement"
	}
	s.Orelse = p.elseBlock()
	return top
}

// elseBlock parses an optional else clause.
func (p *parser) elseBlock() []Stmt {
	if p.tok.kind != kwElse {
		return nil
	}
	at := p.tok.pos
	p.next()
	return p.block("'else' statement", at)
}

func (p *parser) whileStmt() Stmt {
	s := &While{Pos: p.tok.pos}
	p.next()
	s.Test = p.namedExpr()
	s.Body = p.block("'while' statement", s.Pos)
	s.Orelse = p.elseBlock()
	return s
}

func (p *parser) forStmt() Stmt {
	s := &For{Pos: p.tok.pos}
	p.next()
	s.Target = p.targetList()
	p.expect(kwIn, "'in'")
	s.Iter = p.starExprs()
	s.Body = p.block("'for' statement", s.Pos)
	s.Orelse = p.elseBlock()
	return s
}

func (p *parser) tryStmt() Stmt {
	s := &Try{Pos: p.tok.pos}
	p.next()
	s.Body = p.block("'try' statement", s.Pos)
	for p.tok.kind == kwExcept {
		s.Handlers = append(s.Handlers, p.handler())
	}
	if s.Handlers != nil {
		s.Orelse = p.elseBlock()
	}
	if p.tok.kind == kwFinally {
		at := p.tok.pos
		p.next()
		s.Finalbody = p.block("'finally' statement", at)
	} else if s.Handlers == nil {
		p.unexpected("expected 'except' or 'finally' block")
	}
	return s
}

func (p *parser) handler() *ExceptHandler {
	h := &ExceptHandler{Pos: p.tok.pos}
	p.next()
	if p.tok.kind == tStar {
		refuse(p.file, p.tok.pos, "except* clauses are")
	}
	if p.tok.kind != tColon {
		h.Type = p.expr()
		if p.tok.kind == tComma {
			p.fail(h.Pos, "multiple exception types must be parenthesized")
		}
		if p.accept(kwAs) {
			h.Name = p.name()
		}
	}
	h.Body = p.block("'except' statement", h.Pos)
	return h
}

func (p *parser) withStmt() Stmt {
	s := &With{Pos: p.tok.pos}
	p.next()
	if p.tok.kind == tLparen && p.isItemList() {
		p.next()
		for p.tok.kind != tRparen {
			s.Items = append(s.Items, p.withItem())
			if !p.accept(tComma) {
				break
			}
		}
		p.expect(tRparen, "')'")
	} else {
		s.Items = append(s.Items, p.withItem())
		for p.accept(tComma) {
			s.Items = append(s.Items, p.withItem())
		}
	}
	s.Body = p.block("'with' statement", s.Pos)
	return s
}

func (p *parser) withItem() *WithItem {
	item := &WithItem{Context: p.expr()}
	if p.accept(kwAs) {
		item.Target = p.starTarget()
	}
	return item
}

// isItemList reports whether the parenthesis at the current token encloses the
// items of a with statement. It does if a colon follows it and it holds only
// plain expressions and "as" clauses: a comprehension, a starred expression, a
// yield or an assignment expression makes it an ordinary expression.
func (p *parser) isItemList() (items bool) {
	ahead := p.fork()
	// An error in the text ahead is reported when the parser gets there.
	var ignored error
	defer recoverError(&ignored)
	lambdas, prev, t := 0, tLparen, ahead.scan()
	if t.kind == tRparen {
		return false
	}
	for ; len(ahead.brackets) >= len(p.brackets); t = ahead.scan() {
		if t.kind == tEOF {
			return false
		}
		if len(ahead.brackets) == len(p.brackets) {
			switch t.kind {
			case kwLambda:
				lambdas++
			case tColon:
				lambdas--
			case tStar:
				if lambdas == 0 && (prev == tLparen || prev == tComma) {
					return false
				}
			case tColonEq, kwYield, kwFor, kwAsync:
				return false
			}
		}
		prev = t.kind
	}
	return ahead.scan().kind == tColon
}

// decorated parses decorators and the definition after them.
func (p *parser) decorated() Stmt {
	var list []Expr
	for p.accept(tAt) {
		list = append(list, p.namedExpr())
		if p.tok.kind != tNewline {
			p.syntaxError()
		}
		p.next()
	}
	switch p.tok.kind {
	case kwDef:
		return p.funcDef(list)
	case kwClass:
		return p.classDef(list)
	case kwAsync:
		p.refuseAsync()
	}
	p.syntaxError()
	return nil
}

func (p *parser) funcDef(decorators []Expr) Stmt {
	s := &FunctionDef{Pos: p.tok.pos, Decorators: decorators}
	p.next()
	s.Name = p.name()
	p.expect(tLparen, "'('")
	s.Args = p.params(tRparen)
	p.expect(tRparen, "')'")
	if p.accept(tArrow) {
		s.Returns = p.expr()
	}
	s.Body = p.block("function definition", s.Pos)
	return s
}

func (p *parser) classDef(decorators []Expr) Stmt {
	s := &ClassDef{Pos: p.tok.pos, Decorators: decorators}
	p.next()
	s.Name = p.name()
	if p.tok.kind == tLparen {
		s.Bases, s.Keywords = p.callArgs(false)
	}
	s.Body = p.block("class definition", s.Pos)
	return s
}
