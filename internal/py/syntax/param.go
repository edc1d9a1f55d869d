package syntax

// params parses the parameters of a function up to the closing token: ")" for a
// def, ":" for a lambda, which has no annotations.
func (p *parser) params(closing kind) *Arguments {
	a := &Arguments{}
	slash, star := false, false
	for p.tok.kind != closing {
		switch {
		case a.Kwarg != nil:
			p.fail(p.tok.pos, "arguments cannot follow var-keyword argument")
		case p.tok.kind == tSlash:
			if slash || star || len(a.Args) == 0 {
				p.syntaxError()
			}
			slash = true
			p.next()
			a.PosOnly, a.Args = a.Args, nil
		case p.tok.kind == tStar:
			if star {
				p.fail(p.tok.pos, "* argument may appear only once")
			}
			star = true
			p.next()
			if p.tok.kind == tName {
				a.Vararg = p.param(closing, true)
				p.noDefault("var-positional")
			}
		case p.accept(tPower):
			a.Kwarg = p.param(closing, false)
			p.noDefault("var-keyword")
		default:
			p.plainParam(a, closing, star)
		}
		if p.tok.kind != closing {
			p.expect(tComma, "',' or the end of the parameters")
		}
		if star && a.Vararg == nil && a.KwOnly == nil && p.tok.kind != tName {
			p.fail(p.tok.pos, "named arguments must follow bare *")
		}
	}
	return a
}

// plainParam parses a parameter with an optional default.
func (p *parser) plainParam(a *Arguments, closing kind, kwOnly bool) {
	arg := p.param(closing, false)
	var value Expr
	if p.accept(tAssign) {
		value = p.expr()
	}
	switch {
	case kwOnly:
		a.KwOnly = append(a.KwOnly, arg)
		a.KwDefaults = append(a.KwDefaults, value)
		return
	case value != nil:
		a.Defaults = append(a.Defaults, value)
	case len(a.Defaults) > 0:
		p.fail(arg.Pos, "non-default argument follows default argument")
	}
	a.Args = append(a.Args, arg)
}

// param parses a name and its annotation, which may be starred after "*name".
func (p *parser) param(closing kind, starred bool) *Arg {
	arg := &Arg{Pos: p.tok.pos}
	arg.Name = p.name()
	if closing == tRparen && p.accept(tColon) {
		if at := p.tok.pos; starred && p.accept(tStar) {
			arg.Annotation = &Starred{at, p.bitwiseOr(), Load}
		} else {
			arg.Annotation = p.expr()
		}
	}
	return arg
}

func (p *parser) noDefault(which string) {
	if p.tok.kind == tAssign {
		p.fail(p.tok.pos, "%s argument cannot have default value", which)
	}
}
