package syntax

// atom parses a name, a literal or a bracketed expression.
func (p *parser) atom() Expr {
	at := p.tok.pos
	switch p.tok.kind {
	case tName:
		return &Name{at, p.name(), Load}
	case tNumber:
		v, err := numberValue(p.text())
		if err != nil {
			p.fail(at, "%v", err)
		}
		p.next()
		return &Constant{Pos: at, Value: v}
	case tString:
		return p.strings()
	case kwNone:
		p.next()
		return &Constant{Pos: at, Value: ConstNone{}}
	case kwTrue:
		p.next()
		return &Constant{Pos: at, Value: true}
	case kwFalse:
		p.next()
		return &Constant{Pos: at, Value: false}
	case tEllipsis:
		p.next()
		return &Constant{Pos: at, Value: ConstEllipsis{}}
	case tLparen:
		p.next()
		e := p.group(at, tRparen)
		p.expect(tRparen, "')'")
		return e
	case tLbrack:
		return p.list()
	case tLbrace:
		return p.dictOrSet()
	}
	p.syntaxError()
	return nil
}

// group parses the inside of parentheses, up to but without the closing token: a
// single expression, a tuple or a generator expression.
func (p *parser) group(open Pos, closing kind) Expr {
	switch p.tok.kind {
	case closing:
		return &Tuple{Pos: open}
	case kwYield:
		return p.yield()
	}
	at := p.tok.pos
	first := p.starNamed()
	_, starred := first.(*Starred)
	switch {
	case p.startsFor():
		p.noStar(first)
		return &GeneratorExp{open, first, p.compFor()}
	case p.tok.kind != tComma && starred:
		p.fail(at, "cannot use starred expression here")
	case p.tok.kind != tComma:
		return first
	}
	t := &Tuple{Pos: open, Elts: []Expr{first}}
	t.Elts = p.moreElts(t.Elts, closing)
	return t
}

// starNamed parses an element of a display.
func (p *parser) starNamed() Expr {
	if p.tok.kind == tStar {
		return p.starred()
	}
	return p.namedExpr()
}

// moreElts parses the elements after the first one of a display.
func (p *parser) moreElts(elts []Expr, closing kind) []Expr {
	for p.accept(tComma) && p.tok.kind != closing {
		elts = append(elts, p.starNamed())
	}
	return elts
}

func (p *parser) noStar(e Expr) {
	if _, starred := e.(*Starred); starred {
		p.fail(e.At(), "iterable unpacking cannot be used in comprehension")
	}
}

// list parses a list display or comprehension.
func (p *parser) list() Expr {
	at := p.tok.pos
	p.next()
	if p.accept(tRbrack) {
		return &List{Pos: at}
	}
	first := p.starNamed()
	var e Expr
	if p.startsFor() {
		p.noStar(first)
		e = &ListComp{at, first, p.compFor()}
	} else {
		e = &List{Pos: at, Elts: p.moreElts([]Expr{first}, tRbrack)}
	}
	p.closeDisplay(tRbrack)
	return e
}

func (p *parser) closeDisplay(closing kind) {
	if p.tok.kind != closing {
		p.unexpected("invalid syntax. Perhaps you forgot a comma?")
	}
	p.next()
}

// dictOrSet parses a display or comprehension in braces.
func (p *parser) dictOrSet() Expr {
	at := p.tok.pos
	p.next()
	if p.accept(tRbrace) {
		return &Dict{Pos: at}
	}
	if p.tok.kind == tPower {
		return p.dict(&Dict{Pos: at})
	}
	start := p.tok
	first := p.starNamed()
	if p.tok.kind == tColon && start.kind != tStar && !isBareNamed(start, first) {
		p.next()
		value := p.expr()
		if p.startsFor() {
			e := &DictComp{at, first, value, p.compFor()}
			p.closeDisplay(tRbrace)
			return e
		}
		d := &Dict{Pos: at, Keys: []Expr{first}, Values: []Expr{value}}
		if !p.accept(tComma) {
			p.closeDisplay(tRbrace)
			return d
		}
		return p.dict(d)
	}
	var e Expr
	if p.startsFor() {
		p.noStar(first)
		e = &SetComp{at, first, p.compFor()}
	} else {
		e = &Set{Pos: at, Elts: p.moreElts([]Expr{first}, tRbrace)}
	}
	p.closeDisplay(tRbrace)
	return e
}

// dict parses the remaining items of a dict display.
func (p *parser) dict(d *Dict) Expr {
	for p.tok.kind != tRbrace {
		var key, value Expr
		if p.accept(tPower) {
			value = p.bitwiseOr()
			if p.startsFor() {
				p.fail(value.At(), "dict unpacking cannot be used in dict comprehension")
			}
		} else {
			key = p.expr()
			p.expect(tColon, "':' after dictionary key")
			value = p.expr()
		}
		d.Keys = append(d.Keys, key)
		d.Values = append(d.Values, value)
		if !p.accept(tComma) {
			break
		}
	}
	p.closeDisplay(tRbrace)
	return d
}

// startsFor reports whether the clauses of a comprehension follow.
func (p *parser) startsFor() bool { return p.tok.kind == kwFor || p.tok.kind == kwAsync }

// compFor parses the for and if clauses of a comprehension.
func (p *parser) compFor() []*Comprehension {
	var list []*Comprehension
	for {
		if p.tok.kind == kwAsync {
			p.refuseAsync()
		}
		c := &Comprehension{Pos: p.tok.pos}
		if !p.accept(kwFor) {
			return list
		}
		c.Target = p.targetList()
		p.expect(kwIn, "'in'")
		c.Iter = p.or()
		for p.accept(kwIf) {
			c.Ifs = append(c.Ifs, p.or())
		}
		list = append(list, c)
	}
}
