package syntax

// callArgs parses the arguments of a call, or the bases of a class, with the
// parentheses around them. Only a call may have a bare generator expression.
func (p *parser) callArgs(call bool) (args []Expr, keywords []*Keyword) {
	open := p.tok.pos
	p.next()
	unpacked := false // a ** argument was seen
	for p.tok.kind != tRparen {
		first := p.tok
		switch first.kind {
		case tStar:
			if unpacked {
				p.fail(first.pos, "iterable argument unpacking follows keyword argument unpacking")
			}
			p.next()
			args = append(args, &Starred{first.pos, p.expr(), Load})
		case tPower:
			unpacked = true
			p.next()
			keywords = append(keywords, &Keyword{Pos: first.pos, Value: p.expr()})
		default:
			e := p.namedExpr()
			switch {
			case p.tok.kind == tAssign:
				keywords = append(keywords, p.keyword(first, e))
			case p.startsFor() && call && args == nil && keywords == nil:
				args = []Expr{&GeneratorExp{open, e, p.compFor()}}
				p.expect(tRparen, "')': a generator expression must be parenthesized unless it is the only argument")
				return args, nil
			case unpacked:
				p.fail(first.pos, "positional argument follows keyword argument unpacking")
			case keywords != nil:
				p.fail(first.pos, "positional argument follows keyword argument")
			default:
				args = append(args, e)
			}
		}
		if p.startsFor() {
			p.fail(first.pos, "Generator expression must be parenthesized")
		}
		if !p.accept(tComma) {
			break
		}
	}
	if p.tok.kind != tRparen {
		p.unexpected("invalid syntax. Perhaps you forgot a comma?")
	}
	p.next()
	return args, keywords
}

// keyword parses the rest of name=value.
func (p *parser) keyword(first token, e Expr) *Keyword {
	name, ok := e.(*Name)
	if !ok || first.kind != tName {
		p.fail(first.pos, `expression cannot contain assignment, perhaps you meant "=="?`)
	}
	p.next()
	return &Keyword{first.pos, name.ID, p.expr()}
}

// subscripts parses what stands between the brackets of a subscript.
func (p *parser) subscripts() Expr {
	at := p.tok.pos
	first := p.subscript()
	if _, starred := first.(*Starred); p.tok.kind != tComma && !starred {
		return first
	}
	t := &Tuple{Pos: at, Elts: []Expr{first}}
	for p.accept(tComma) && p.tok.kind != tRbrack {
		t.Elts = append(t.Elts, p.subscript())
	}
	return t
}

// subscript parses an index, a slice or a starred expression.
func (p *parser) subscript() Expr {
	first := p.tok
	if p.accept(tStar) {
		return &Starred{first.pos, p.expr(), Load}
	}
	s := &Slice{Pos: first.pos}
	if first.kind != tColon {
		e := p.namedExpr()
		if p.tok.kind != tColon || isBareNamed(first, e) {
			return e
		}
		s.Lower = e
	}
	p.next()
	if startsExpr(p.tok.kind) {
		s.Upper = p.expr()
	}
	if p.accept(tColon) && startsExpr(p.tok.kind) {
		s.Step = p.expr()
	}
	return s
}
