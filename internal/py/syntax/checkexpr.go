package syntax

func (c *checker) exprs(list []Expr) {
	for _, e := range list {
		c.expr(e)
	}
}

func (c *checker) maybe(e Expr) {
	if e != nil {
		c.expr(e)
	}
}

// target checks a whole target of an assignment, for clause or with item.
func (c *checker) target(e Expr) {
	if _, ok := e.(*Starred); ok {
		c.fail(e.At(), "starred assignment target must be in a list or tuple")
	}
	c.expr(e)
}

// elts checks the elements of a display or arguments, which may be starred.
func (c *checker) elts(list []Expr) {
	for _, e := range list {
		if star, ok := e.(*Starred); ok {
			e = star.Value
		}
		c.expr(e)
	}
}

// targets checks the elements of a tuple or list.
func (c *checker) targets(list []Expr, ctx Context) {
	if ctx == Store {
		star := -1
		for i, e := range list {
			if _, ok := e.(*Starred); !ok {
				continue
			}
			if star >= 0 {
				c.fail(e.At(), "multiple starred expressions in assignment")
			}
			if star = i; i > 255 {
				c.fail(e.At(), "too many expressions in star-unpacking assignment")
			}
		}
	}
	c.elts(list)
}

func (c *checker) expr(e Expr) {
	c.enter(e.At())
	switch e := e.(type) {
	case *Name:
		c.name(e)
	case *Constant:
	case *Attribute:
		if e.Ctx == Store {
			c.forbidden(e.Pos, e.Attr)
		}
		c.expr(e.Value)
	case *Call:
		c.expr(e.Func)
		c.args(e.Args, e.Keywords)
	case *Subscript:
		c.expr(e.Value)
		c.expr(e.Slice)
	case *BinOp:
		c.expr(e.Left)
		c.expr(e.Right)
	case *Compare:
		c.expr(e.Left)
		c.exprs(e.Comparators)
	case *BoolOp:
		c.exprs(e.Values)
	case *UnaryOp:
		c.expr(e.Operand)
	case *IfExp:
		c.expr(e.Test)
		c.expr(e.Body)
		c.expr(e.Orelse)
	case *Tuple:
		c.targets(e.Elts, e.Ctx)
	case *List:
		c.targets(e.Elts, e.Ctx)
	case *Set:
		c.elts(e.Elts)
	case *Dict:
		for i, key := range e.Keys {
			c.maybe(key)
			c.expr(e.Values[i])
		}
	default:
		c.scopedExpr(e)
	}
	c.depth--
}

// scopedExpr checks the less common expressions, among them those with a scope.
func (c *checker) scopedExpr(e Expr) {
	switch e := e.(type) {
	case *Starred:
		c.fail(e.Pos, "can't use starred expression here")
	case *Slice:
		c.maybe(e.Lower)
		c.maybe(e.Upper)
		c.maybe(e.Step)
	case *JoinedStr:
		c.exprs(e.Values)
	case *FormattedValue:
		c.expr(e.Value)
		c.maybe(e.FormatSpec)
	case *NamedExpr:
		if c.scope.deferred {
			c.fail(e.Pos, "named expression cannot be used within an annotation")
		}
		c.bindNamed(e)
		c.expr(e.Value)
		c.expr(e.Target)
	case *Yield:
		c.yield(e.Pos)
		c.maybe(e.Value)
	case *YieldFrom:
		c.yield(e.Pos)
		c.expr(e.Value)
	case *Lambda:
		c.defaults(e.Args)
		c.push(functionScope)
		c.params(e.Args)
		c.expr(e.Body)
		c.pop()
	case *ListComp:
		c.comprehension("list comprehension", e.Generators, e.Elt)
	case *SetComp:
		c.comprehension("set comprehension", e.Generators, e.Elt)
	case *DictComp:
		c.comprehension("dict comprehension", e.Generators, e.Key, e.Value)
	case *GeneratorExp:
		c.comprehension("generator expression", e.Generators, e.Elt)
	}
}

func (c *checker) name(e *Name) {
	switch e.Ctx {
	case Load:
		c.add(e.Pos, e.ID, symUsed)
	default:
		c.add(e.Pos, e.ID, symLocal)
	}
}

// forbidden fails for the one name that is no keyword but cannot be bound.
func (c *checker) forbidden(at Pos, name string) {
	if name == "__debug__" {
		c.fail(at, "cannot assign to __debug__")
	}
}

// args checks the arguments of a call or the bases of a class.
func (c *checker) args(args []Expr, keywords []*Keyword) {
	c.elts(args)
	var seen map[string]bool
	for i, k := range keywords {
		c.forbidden(k.Pos, k.Name)
		if k.Name != "" && c.repeated(keywords[:i], k.Name, &seen) {
			c.fail(k.Pos, "keyword argument repeated: %s", k.Name)
		}
		c.expr(k.Value)
	}
}

// repeated reports whether a name is among earlier keywords. It keeps a set for
// long lists only.
func (c *checker) repeated(earlier []*Keyword, name string, seen *map[string]bool) bool {
	const long = 16
	if len(earlier) < long {
		for _, k := range earlier {
			if k.Name == name {
				return true
			}
		}
		return false
	}
	if *seen == nil {
		*seen = map[string]bool{}
		for _, k := range earlier {
			(*seen)[k.Name] = true
		}
	}
	old := (*seen)[name]
	(*seen)[name] = true
	return old
}

func (c *checker) yield(at Pos) {
	switch {
	case c.scope.deferred:
		c.fail(at, "yield expression cannot be used within an annotation")
	case c.scope.kind == comprehensionScope:
		c.fail(at, "'yield' inside %s", c.scope.what)
	case c.scope.kind != functionScope:
		c.fail(at, "'yield' outside function")
	}
}

// comprehension checks a comprehension. Its first iterable belongs to the scope
// around it.
func (c *checker) comprehension(what string, clauses []*Comprehension, results ...Expr) {
	c.scope.inIter++
	c.expr(clauses[0].Iter)
	c.scope.inIter--
	s := c.push(comprehensionScope)
	s.what = what
	for i, clause := range clauses {
		s.inTarget = true
		c.target(clause.Target)
		s.inTarget = false
		if i > 0 {
			s.inIter++
			c.expr(clause.Iter)
			s.inIter--
		}
		c.exprs(clause.Ifs)
	}
	for i := len(results) - 1; i >= 0; i-- {
		c.expr(results[i])
	}
	c.pop()
}
