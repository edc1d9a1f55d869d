package syntax

import "strings"

// symbol says how a scope uses a name, as far as the checks need to know.
type symbol uint8

const (
	symUsed symbol = 1 << iota
	symLocal
	symParam
	symImported
	symAnnotated
	symGlobal
	symNonlocal
	symIterVar // in a target of a comprehension's for clause

	symBound = symLocal | symParam | symImported
)

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	functionScope
	classScope
	comprehensionScope
)

// scope is a namespace while the checker is inside of it, and later when the
// nonlocal declarations are resolved.
type scope struct {
	kind    scopeKind
	parent  *scope
	class   string // innermost class, for the mangling of private names
	what    string // name of the kind of comprehension
	symbols map[string]symbol

	inIter   int  // >0 inside the iterable of a comprehension
	inTarget bool // inside a target of a comprehension
	deferred bool // inside a deferred annotation
	loops    int  // loops around the current statement
	blocks   int  // blocks around the current statement
}

// pendingNonlocal is a nonlocal declaration, which refers to a binding that may
// follow it in the text.
type pendingNonlocal struct {
	scope *scope
	name  string
	pos   Pos
}

// push enters a new scope.
func (c *checker) push(kind scopeKind) *scope {
	s := &scope{kind: kind, parent: c.scope, symbols: map[string]symbol{}}
	if c.scope != nil {
		s.class = c.scope.class
		s.inIter = c.scope.inIter
	}
	c.scope = s
	return s
}

// pop leaves the current scope.
func (c *checker) pop() { c.scope = c.scope.parent }

// mangle returns the name that an identifier stands for: inside a class, __x
// means _Class__x.
func (s *scope) mangle(name string) string {
	if s.class == "" || !strings.HasPrefix(name, "__") || strings.HasSuffix(name, "__") || strings.Contains(name, ".") {
		return name
	}
	class := strings.TrimLeft(s.class, "_")
	if class == "" {
		return name
	}
	return "_" + class + name
}

// add records a use or a binding of a name in the current scope.
func (c *checker) add(at Pos, name string, sym symbol) {
	s := c.scope
	if s.deferred {
		return // annotations that are not evaluated have a scope of their own
	}
	if strings.HasPrefix(name, "__") {
		if sym&symBound != 0 {
			c.forbidden(at, name)
		}
		name = s.mangle(name)
	}
	old := s.symbols[name]
	if sym&old&symParam != 0 {
		c.fail(at, "duplicate argument '%s' in function definition", name)
	}
	if s.inTarget {
		if old&(symGlobal|symNonlocal) != 0 {
			c.fail(at, "comprehension inner loop cannot rebind assignment expression target '%s'", name)
		}
		sym |= symIterVar
	}
	if old|sym != old {
		s.symbols[name] = old | sym
	}
}

// declare handles a name of a global or nonlocal statement.
func (c *checker) declare(at Pos, name string, sym symbol) {
	word := "global"
	if sym == symNonlocal {
		word = "nonlocal"
		if c.scope.kind == moduleScope {
			c.fail(at, "nonlocal declaration not allowed at module level")
		}
	}
	name = c.scope.mangle(name)
	switch old := c.scope.symbols[name]; {
	case old&symParam != 0:
		c.fail(at, "name '%s' is parameter and %s", name, word)
	case old&symAnnotated != 0:
		c.fail(at, "annotated name '%s' can't be %s", name, word)
	case old&symLocal != 0:
		c.fail(at, "name '%s' is assigned to before %s declaration", name, word)
	case old&symUsed != 0:
		c.fail(at, "name '%s' is used prior to %s declaration", name, word)
	case (old|sym)&(symGlobal|symNonlocal) == symGlobal|symNonlocal:
		c.fail(at, "name '%s' is nonlocal and global", name)
	default:
		c.scope.symbols[name] = old | sym
	}
	if sym == symNonlocal {
		c.nonlocals = append(c.nonlocals, pendingNonlocal{c.scope, name, at})
	}
}

// resolve fails if a nonlocal declaration has no binding in a function around it.
func (c *checker) resolve(n pendingNonlocal) {
	if !hasBinding(n.scope.parent, n.name) {
		c.fail(n.pos, "no binding for nonlocal '%s' found", n.name)
	}
}

// hasBinding reports whether a nonlocal name finds a binding in s or the scopes
// around it. Classes are passed over, except that they bind __class__.
func hasBinding(s *scope, name string) bool {
	for ; s != nil; s = s.parent {
		switch sym := s.symbols[name]; {
		case s.kind == classScope && name == "__class__":
			return true
		case s.kind != functionScope:
		case sym&symGlobal != 0:
			return false
		case sym&symBound != 0 && sym&symNonlocal == 0:
			return true
		}
	}
	return false
}

// bindNamed handles the target of an assignment expression. Inside of
// comprehensions it belongs to the scope around them.
func (c *checker) bindNamed(e *NamedExpr) {
	name := e.Target.(*Name)
	if c.scope.inIter > 0 {
		c.fail(e.Pos, "assignment expression cannot be used in a comprehension iterable expression")
	}
	if c.scope.kind != comprehensionScope {
		return
	}
	id := c.scope.mangle(name.ID)
	s := c.scope
	for ; s.kind == comprehensionScope; s = s.parent {
		if s.symbols[id]&symIterVar != 0 {
			c.fail(e.Pos, "assignment expression cannot rebind comprehension iteration variable '%s'", id)
		}
	}
	outer := symNonlocal
	switch {
	case s.kind == classScope:
		c.fail(e.Pos, "assignment expression within a comprehension cannot be used in a class body")
	case s.kind == moduleScope || s.symbols[id]&symGlobal != 0:
		outer = symGlobal
	}
	c.scope.symbols[id] |= outer
	if s.kind == moduleScope {
		s.symbols[id] |= symGlobal
	} else {
		s.symbols[id] |= symLocal
	}
}
