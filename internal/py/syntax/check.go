package syntax

// checker applies the rules that CPython checks after parsing, in its symbol
// table and compiler. It visits the tree in the order of CPython's symbol table,
// because "global x" is an error only after a use of x.
type checker struct {
	file      string
	depth     int
	scope     *scope
	nonlocals []pendingNonlocal
	deferred  bool // annotations are not evaluated ("from __future__ import annotations")
}

// maxBlocks is CPython's limit of nested blocks in a function (CO_MAXBLOCKS).
const maxBlocks = 20

// check fails if the tree is no valid program.
func check(m *Module) {
	c := &checker{file: m.File}
	c.push(moduleScope)
	c.futures(m.Body)
	c.stmts(m.Body)
	for _, n := range c.nonlocals {
		c.resolve(n)
	}
}

func (c *checker) fail(at Pos, format string, args ...any) {
	fail(c.file, at, format, args...)
}

func (c *checker) enter(at Pos) {
	c.depth++
	if c.depth > MaxDepth {
		c.fail(at, "too many levels of nesting in source code (limit %d)", MaxDepth)
	}
}

func (c *checker) stmts(list []Stmt) {
	for _, s := range list {
		c.enter(s.At())
		c.stmt(s)
		c.depth--
	}
}

func (c *checker) stmt(s Stmt) {
	switch s := s.(type) {
	case *FunctionDef:
		c.function(s)
	case *ClassDef:
		c.classDef(s)
	case *Return:
		if c.scope.kind != functionScope {
			c.fail(s.Pos, "'return' outside function")
		}
		c.maybe(s.Value)
	case *For:
		c.target(s.Target)
		c.expr(s.Iter)
		c.loop(s.Body)
		c.stmts(s.Orelse)
	case *While:
		c.expr(s.Test)
		c.loop(s.Body)
		c.stmts(s.Orelse)
	case *If:
		c.expr(s.Test)
		c.stmts(s.Body)
		c.stmts(s.Orelse)
	case *With:
		for _, item := range s.Items {
			c.expr(item.Context)
			if item.Target != nil {
				c.target(item.Target)
			}
		}
		c.block(s.Body, len(s.Items), s.Pos)
	case *Try:
		c.try(s)
	case *Break:
		if c.scope.loops == 0 {
			c.fail(s.Pos, "'break' outside loop")
		}
	case *Continue:
		if c.scope.loops == 0 {
			c.fail(s.Pos, "'continue' not properly in loop")
		}
	default:
		c.simpleStmt(s)
	}
}

func (c *checker) simpleStmt(s Stmt) {
	switch s := s.(type) {
	case *Delete:
		c.exprs(s.Targets)
	case *Assign:
		for _, t := range s.Targets {
			c.target(t)
		}
		c.expr(s.Value)
	case *AugAssign:
		c.expr(s.Target)
		c.expr(s.Value)
	case *AnnAssign:
		c.annAssign(s)
	case *Raise:
		c.maybe(s.Exc)
		c.maybe(s.Cause)
	case *Assert:
		c.expr(s.Test)
		c.maybe(s.Msg)
	case *Import:
		for _, a := range s.Names {
			c.alias(a)
		}
	case *ImportFrom:
		for _, a := range s.Names {
			c.alias(a)
		}
	case *Global:
		for _, name := range s.Names {
			c.declare(s.Pos, name, symGlobal)
		}
	case *Nonlocal:
		for _, name := range s.Names {
			c.declare(s.Pos, name, symNonlocal)
		}
	case *ExprStmt:
		c.expr(s.Value)
	}
}

// loop checks the body of a loop.
func (c *checker) loop(body []Stmt) {
	c.scope.loops++
	c.block(body, 1, body[0].At())
	c.scope.loops--
}

// block checks statements inside of n more blocks.
func (c *checker) block(body []Stmt, n int, at Pos) {
	c.scope.blocks += n
	if c.scope.blocks > maxBlocks {
		c.fail(at, "too many statically nested blocks")
	}
	c.stmts(body)
	c.scope.blocks -= n
}

// try checks a try statement. The compiler counts its blocks like this: one for
// a try with except clauses, one more for a finally, and one within a handler.
func (c *checker) try(s *Try) {
	n := 0
	if s.Finalbody != nil {
		n++
	}
	guard := n
	if s.Handlers != nil {
		guard++
	}
	c.block(s.Body, guard, s.Pos)
	for i, h := range s.Handlers {
		if h.Type == nil && i < len(s.Handlers)-1 {
			c.fail(h.Pos, "default 'except:' must be last")
		}
		c.maybe(h.Type)
		if h.Name != "" {
			c.add(h.Pos, h.Name, symLocal)
		}
		c.block(h.Body, n+2, h.Pos)
	}
	c.block(s.Orelse, n, s.Pos)
	c.block(s.Finalbody, n, s.Pos)
}

func (c *checker) alias(a *Alias) {
	name := a.AsName
	if name == "" {
		name = a.Name
		for i := range len(name) {
			if name[i] == '.' {
				name = name[:i]
				break
			}
		}
	}
	c.add(a.Pos, name, symImported)
}

func (c *checker) annAssign(s *AnnAssign) {
	if name, ok := s.Target.(*Name); ok {
		old := c.scope.symbols[c.scope.mangle(name.ID)]
		if s.Simple && c.scope.kind != moduleScope {
			if old&symGlobal != 0 {
				c.fail(s.Pos, "annotated name '%s' can't be global", name.ID)
			}
			if old&symNonlocal != 0 {
				c.fail(s.Pos, "annotated name '%s' can't be nonlocal", name.ID)
			}
		}
		if s.Simple {
			c.add(s.Pos, name.ID, symAnnotated|symLocal)
		} else if s.Value != nil {
			c.add(s.Pos, name.ID, symLocal)
		}
		c.forbidden(s.Pos, name.ID)
	} else {
		c.expr(s.Target)
	}
	if sub, ok := s.Target.(*Subscript); ok && s.Value == nil {
		c.noStarIndex(sub.Slice)
	}
	c.annotation(s.Annotation)
	c.maybe(s.Value)
}

// noStarIndex checks the index of an annotation without value. CPython evaluates
// its elements one by one, without the tuple around them.
func (c *checker) noStarIndex(e Expr) {
	switch e := e.(type) {
	case *Starred:
		c.fail(e.Pos, "can't use starred expression here")
	case *Tuple:
		for _, elt := range e.Elts {
			c.noStarIndex(elt)
		}
	}
}

func (c *checker) annotation(e Expr) {
	if e == nil {
		return
	}
	c.scope.deferred = c.deferred
	c.expr(e)
	c.scope.deferred = false
}

func (c *checker) function(s *FunctionDef) {
	c.add(s.Pos, s.Name, symLocal)
	c.defaults(s.Args)
	for _, list := range [...][]*Arg{s.Args.PosOnly, s.Args.Args, {s.Args.Vararg, s.Args.Kwarg}, s.Args.KwOnly} {
		for _, a := range list {
			if a == nil {
				continue
			}
			if star, ok := a.Annotation.(*Starred); ok {
				c.annotation(star.Value)
			} else {
				c.annotation(a.Annotation)
			}
		}
	}
	c.annotation(s.Returns)
	c.exprs(s.Decorators)
	c.push(functionScope)
	c.params(s.Args)
	c.stmts(s.Body)
	c.pop()
}

func (c *checker) defaults(a *Arguments) {
	c.exprs(a.Defaults)
	for _, e := range a.KwDefaults {
		c.maybe(e)
	}
}

// params binds parameters in a new function scope.
func (c *checker) params(a *Arguments) {
	for _, list := range [...][]*Arg{a.PosOnly, a.Args, a.KwOnly, {a.Vararg, a.Kwarg}} {
		for _, arg := range list {
			if arg != nil {
				c.add(arg.Pos, arg.Name, symParam)
			}
		}
	}
}

func (c *checker) classDef(s *ClassDef) {
	c.add(s.Pos, s.Name, symLocal)
	c.args(s.Bases, s.Keywords)
	c.exprs(s.Decorators)
	c.push(classScope).class = s.Name
	c.stmts(s.Body)
	c.pop()
}
