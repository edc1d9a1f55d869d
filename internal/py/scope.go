package py

import (
	"gauntlet/internal/py/syntax"
)

// This file resolves names: which scope binds each name, and which variables
// nested functions share through cells.

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	classScope
	funcScope
)

type symbol struct {
	bound    bool // assigned, imported, defined or a parameter here
	used     bool
	global   bool // declared global
	nonlocal bool // declared nonlocal
	cell     bool // bound here and used by a nested function
	free     bool // belongs to an enclosing function
}

type scope struct {
	kind      scopeKind
	node      any
	parent    *scope
	children  map[any]*scope
	syms      map[string]*symbol
	order     []string // names in order of first appearance
	params    []string
	comp      bool // comprehension
	generator bool
	className string // for private name mangling: innermost class
	needClass bool   // class scope: a method uses super() or __class__
}

func newScope(kind scopeKind, node any, parent *scope) *scope {
	s := &scope{kind: kind, node: node, parent: parent, children: map[any]*scope{}, syms: map[string]*symbol{}}
	if parent != nil {
		parent.children[node] = s
		s.className = parent.className
	}
	return s
}

func (s *scope) sym(name string) *symbol {
	if y, ok := s.syms[name]; ok {
		return y
	}
	y := &symbol{}
	s.syms[name] = y
	s.order = append(s.order, name)
	return y
}

// mangle applies the private name rule of classes.
func (s *scope) mangle(name string) string {
	if s.className == "" || len(name) < 3 || name[:2] != "__" || name[len(name)-2:] == "__" {
		return name
	}
	c := s.className
	for len(c) > 0 && c[0] == '_' {
		c = c[1:]
	}
	if c == "" {
		return name
	}
	return "_" + c + name
}

func (s *scope) bind(name string) { s.sym(s.mangle(name)).bound = true }

func (s *scope) use(name string) {
	s.sym(s.mangle(name)).used = true
	if s.kind == funcScope && (name == "super" || name == "__class__") {
		for p := s.parent; p != nil; p = p.parent {
			if p.kind == classScope {
				p.needClass = true
				p.sym("__class__").cell = true
				s.sym("__class__").used = true
				break
			}
		}
	}
}

// binder fills scopes by walking the tree.
type binder struct{}

func (b binder) stmts(s *scope, body []syntax.Stmt) {
	for _, x := range body {
		b.stmt(s, x)
	}
}

func (b binder) stmt(s *scope, x syntax.Stmt) {
	switch x := x.(type) {
	case *syntax.FunctionDef:
		b.exprs(s, x.Decorators)
		b.function(s, x, x.Args, x.Returns)
		s.bind(x.Name)
		f := s.children[x]
		b.stmts(f, x.Body)
	case *syntax.ClassDef:
		b.exprs(s, x.Decorators)
		b.exprs(s, x.Bases)
		for _, k := range x.Keywords {
			b.expr(s, k.Value)
		}
		s.bind(x.Name)
		c := newScope(classScope, x, s)
		c.className = x.Name
		b.stmts(c, x.Body)
	case *syntax.Return:
		b.expr(s, x.Value)
	case *syntax.Delete:
		b.exprs(s, x.Targets)
	case *syntax.Assign:
		b.expr(s, x.Value)
		b.exprs(s, x.Targets)
	case *syntax.AugAssign:
		b.expr(s, x.Value)
		b.expr(s, x.Target)
		if n, ok := x.Target.(*syntax.Name); ok {
			s.use(n.ID)
		}
	case *syntax.AnnAssign:
		b.annAssign(s, x)
	case *syntax.For:
		b.expr(s, x.Iter)
		b.expr(s, x.Target)
		b.stmts(s, x.Body)
		b.stmts(s, x.Orelse)
	case *syntax.While:
		b.expr(s, x.Test)
		b.stmts(s, x.Body)
		b.stmts(s, x.Orelse)
	case *syntax.If:
		for {
			b.expr(s, x.Test)
			b.stmts(s, x.Body)
			if len(x.Orelse) == 1 {
				if next, ok := x.Orelse[0].(*syntax.If); ok {
					x = next
					continue
				}
			}
			b.stmts(s, x.Orelse)
			return
		}
	case *syntax.With:
		for _, it := range x.Items {
			b.expr(s, it.Context)
			b.expr(s, it.Target)
		}
		b.stmts(s, x.Body)
	case *syntax.Raise:
		b.expr(s, x.Exc)
		b.expr(s, x.Cause)
	case *syntax.Try:
		b.try(s, x)
	case *syntax.Assert:
		b.expr(s, x.Test)
		b.expr(s, x.Msg)
	default:
		b.simple(s, x)
	}
}

func (b binder) try(s *scope, x *syntax.Try) {
	b.stmts(s, x.Body)
	for _, h := range x.Handlers {
		b.expr(s, h.Type)
		if h.Name != "" {
			s.bind(h.Name)
		}
		b.stmts(s, h.Body)
	}
	b.stmts(s, x.Orelse)
	b.stmts(s, x.Finalbody)
}

// simple handles statements without nested statements or unusual scoping.
func (b binder) simple(s *scope, x syntax.Stmt) {
	switch x := x.(type) {
	case *syntax.Import:
		for _, a := range x.Names {
			s.bind(importedName(a))
		}
	case *syntax.ImportFrom:
		for _, a := range x.Names {
			if a.AsName != "" {
				s.bind(a.AsName)
			} else {
				s.bind(a.Name)
			}
		}
	case *syntax.Global:
		for _, n := range x.Names {
			s.sym(s.mangle(n)).global = true
		}
	case *syntax.Nonlocal:
		for _, n := range x.Names {
			s.sym(s.mangle(n)).nonlocal = true
		}
	case *syntax.ExprStmt:
		b.expr(s, x.Value)
	}
}

func (b binder) annAssign(s *scope, x *syntax.AnnAssign) {
	if s.kind != funcScope {
		b.expr(s, x.Annotation)
	}
	b.expr(s, x.Value)
	if n, ok := x.Target.(*syntax.Name); ok {
		if x.Simple || x.Value != nil {
			s.bind(n.ID)
		}
		return
	}
	b.expr(s, x.Target)
}

func importedName(a *syntax.Alias) string {
	if a.AsName != "" {
		return a.AsName
	}
	for i := 0; i < len(a.Name); i++ {
		if a.Name[i] == '.' {
			return a.Name[:i]
		}
	}
	return a.Name
}

func (b binder) exprs(s *scope, xs []syntax.Expr) {
	for _, x := range xs {
		b.expr(s, x)
	}
}

// function opens the scope of a def or lambda; defaults and annotations belong
// to the enclosing scope.
func (b binder) function(s *scope, node any, a *syntax.Arguments, returns syntax.Expr) {
	b.exprs(s, a.Defaults)
	b.exprs(s, a.KwDefaults)
	f := newScope(funcScope, node, s)
	add := func(p *syntax.Arg) {
		if p == nil {
			return
		}
		b.expr(s, p.Annotation)
		f.bind(p.Name)
		f.params = append(f.params, f.mangle(p.Name))
	}
	for _, p := range a.PosOnly {
		add(p)
	}
	for _, p := range a.Args {
		add(p)
	}
	for _, p := range a.KwOnly {
		add(p)
	}
	add(a.Vararg)
	add(a.Kwarg)
	b.expr(s, returns)
}

func (b binder) expr(s *scope, x syntax.Expr) {
	switch x := x.(type) {
	case nil:
	case *syntax.Name:
		if x.Ctx == syntax.Load {
			s.use(x.ID)
		} else {
			s.bind(x.ID)
		}
	case *syntax.NamedExpr:
		b.expr(s, x.Value)
		t := s
		for t.comp {
			t = t.parent
		}
		n := x.Target.(*syntax.Name)
		t.bind(n.ID)
		if t != s {
			for c := s; c != t; c = c.parent {
				y := c.sym(c.mangle(n.ID))
				if t.kind == funcScope && !t.sym(t.mangle(n.ID)).global {
					y.nonlocal = true
				} else {
					y.global = true
				}
			}
		}
	case *syntax.Lambda:
		b.function(s, x, x.Args, nil)
		b.expr(s.children[x], x.Body)
	case *syntax.ListComp:
		b.comprehension(s, x, x.Generators, x.Elt, nil)
	case *syntax.SetComp:
		b.comprehension(s, x, x.Generators, x.Elt, nil)
	case *syntax.GeneratorExp:
		b.comprehension(s, x, x.Generators, x.Elt, nil)
		s.children[x].generator = true
	case *syntax.DictComp:
		b.comprehension(s, x, x.Generators, x.Key, x.Value)
	case *syntax.Yield:
		s.generator = true
		b.expr(s, x.Value)
	case *syntax.YieldFrom:
		s.generator = true
		b.expr(s, x.Value)
	default:
		b.compound(s, x)
	}
}

func (b binder) comprehension(s *scope, node any, gens []*syntax.Comprehension, elt, value syntax.Expr) {
	b.expr(s, gens[0].Iter)
	c := newScope(funcScope, node, s)
	c.comp = true
	c.bind(".0")
	c.params = []string{".0"}
	for i, g := range gens {
		if i > 0 {
			b.expr(c, g.Iter)
		}
		b.expr(c, g.Target)
		b.exprs(c, g.Ifs)
	}
	b.expr(c, elt)
	b.expr(c, value)
}

// compound walks expressions that open no scope.
func (b binder) compound(s *scope, x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.BoolOp:
		b.exprs(s, x.Values)
	case *syntax.BinOp:
		var rights []syntax.Expr
		var left syntax.Expr = x
		for {
			l, ok := left.(*syntax.BinOp)
			if !ok {
				break
			}
			rights = append(rights, l.Right)
			left = l.Left
		}
		b.expr(s, left)
		for i := len(rights) - 1; i >= 0; i-- {
			b.expr(s, rights[i])
		}
	case *syntax.UnaryOp:
		b.expr(s, x.Operand)
	case *syntax.IfExp:
		b.expr(s, x.Test)
		b.expr(s, x.Body)
		b.expr(s, x.Orelse)
	case *syntax.Dict:
		for i, k := range x.Keys {
			b.expr(s, k)
			b.expr(s, x.Values[i])
		}
	case *syntax.Set:
		b.exprs(s, x.Elts)
	case *syntax.Compare:
		b.expr(s, x.Left)
		b.exprs(s, x.Comparators)
	case *syntax.Call:
		b.expr(s, x.Func)
		b.exprs(s, x.Args)
		for _, k := range x.Keywords {
			b.expr(s, k.Value)
		}
	case *syntax.FormattedValue:
		b.expr(s, x.Value)
		if x.FormatSpec != nil {
			b.expr(s, x.FormatSpec)
		}
	case *syntax.JoinedStr:
		b.exprs(s, x.Values)
	case *syntax.Attribute:
		b.expr(s, x.Value)
	case *syntax.Subscript:
		b.expr(s, x.Value)
		b.expr(s, x.Slice)
	case *syntax.Starred:
		b.expr(s, x.Value)
	case *syntax.List:
		b.exprs(s, x.Elts)
	case *syntax.Tuple:
		b.exprs(s, x.Elts)
	case *syntax.Slice:
		b.expr(s, x.Lower)
		b.expr(s, x.Upper)
		b.expr(s, x.Step)
	}
}

// resolve decides for every name of s and its children where it lives.
func resolve(s *scope) {
	for _, name := range s.order {
		y := s.syms[name]
		if y.global || y.bound && !y.nonlocal {
			continue
		}
		if s.kind == moduleScope || name == ".0" || s.kind == classScope && name == "__class__" && s.needClass {
			continue
		}
		if owner := enclosing(s, name); owner != nil {
			y.free = true
			owner.syms[name].cell = true
			for p := s.parent; p != owner; p = p.parent {
				p.sym(name).free = true
			}
		}
	}
	for _, c := range s.children {
		resolve(c)
	}
}

// enclosing finds the function scope around s that binds name, or the class
// scope when the name is the implicit __class__.
func enclosing(s *scope, name string) *scope {
	for p := s.parent; p != nil; p = p.parent {
		if p.kind == classScope && name == "__class__" && p.needClass {
			return p
		}
		if p.kind != funcScope {
			continue
		}
		if y, ok := p.syms[name]; ok {
			if y.global {
				return nil
			}
			if y.bound && !y.nonlocal {
				return p
			}
		}
	}
	return nil
}
