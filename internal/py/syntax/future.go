package syntax

// futures checks the "from __future__ import" statements of a module: they come
// before everything but a docstring and name known features.
func (c *checker) futures(body []Stmt) {
	if len(body) > 0 && isDocstring(body[0]) {
		body = body[1:]
	}
	for len(body) > 0 && isFuture(body[0]) {
		for _, a := range body[0].(*ImportFrom).Names {
			c.feature(a)
		}
		body = body[1:]
	}
	m := &Module{Body: body}
	Walk(m, func(n Node) bool {
		switch n := n.(type) {
		case *ImportFrom:
			if isFuture(n) {
				c.fail(n.Pos, "from __future__ imports must occur at the beginning of the file")
			}
		case Expr:
			return false
		}
		return true
	})
}

func isDocstring(s Stmt) bool {
	if e, ok := s.(*ExprStmt); ok {
		if k, ok := e.Value.(*Constant); ok {
			_, ok := k.Value.(Str)
			return ok
		}
	}
	return false
}

func isFuture(s Stmt) bool {
	from, ok := s.(*ImportFrom)
	return ok && from.Module == "__future__"
}

// feature accepts a name of the __future__ module.
func (c *checker) feature(a *Alias) {
	switch a.Name {
	case "annotations":
		c.deferred = true
	case "nested_scopes", "generators", "division", "absolute_import", "with_statement",
		"print_function", "unicode_literals", "generator_stop":
	case "barry_as_FLUFL":
		refuse(c.file, a.Pos, "the barry_as_FLUFL future is")
	case "braces":
		c.fail(a.Pos, "not a chance")
	default:
		c.fail(a.Pos, "future feature %s is not defined", a.Name)
	}
}
