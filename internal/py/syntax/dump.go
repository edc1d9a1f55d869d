package syntax

import (
	"math/big"
	"strconv"
)

// Dump returns the tree in the notation of CPython 3.11's ast.dump without
// options: constructor calls, without positions and without fields that are None.
func Dump(m *Module) string {
	d := dumper{}
	d.list("Module(body=", m.Body)
	d.str(", type_ignores=[])")
	return string(d.out)
}

// dumper writes a tree. Its methods take the text before a value with the value,
// so that a node reads like the line it prints.
type dumper struct{ out []byte }

func (d *dumper) str(s string) { d.out = append(d.out, s...) }

func (d *dumper) list(prefix string, list []Stmt) {
	d.str(prefix)
	d.str("[")
	for i, s := range list {
		d.comma(i)
		d.stmt(s)
	}
	d.str("]")
}

func (d *dumper) exprs(prefix string, list []Expr) {
	d.str(prefix)
	d.str("[")
	for i, e := range list {
		d.comma(i)
		if e == nil {
			d.str("None")
		} else {
			d.expr("", e)
		}
	}
	d.str("]")
}

func (d *dumper) comma(i int) {
	if i > 0 {
		d.str(", ")
	}
}

// maybe writes an optional field.
func (d *dumper) maybe(prefix string, e Expr) {
	if e != nil {
		d.expr(prefix, e)
	}
}

func (d *dumper) quoted(prefix, s string) {
	d.str(prefix)
	d.out = appendReprStr(d.out, s)
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *FunctionDef:
		d.quoted("FunctionDef(name=", s.Name)
		d.arguments(", args=", s.Args)
		d.list(", body=", s.Body)
		d.exprs(", decorator_list=", s.Decorators)
		d.maybe(", returns=", s.Returns)
	case *ClassDef:
		d.quoted("ClassDef(name=", s.Name)
		d.exprs(", bases=", s.Bases)
		d.keywords(", keywords=", s.Keywords)
		d.list(", body=", s.Body)
		d.exprs(", decorator_list=", s.Decorators)
	case *For:
		d.expr("For(target=", s.Target)
		d.expr(", iter=", s.Iter)
		d.list(", body=", s.Body)
		d.list(", orelse=", s.Orelse)
	case *While:
		d.expr("While(test=", s.Test)
		d.list(", body=", s.Body)
		d.list(", orelse=", s.Orelse)
	case *If:
		d.expr("If(test=", s.Test)
		d.list(", body=", s.Body)
		d.list(", orelse=", s.Orelse)
	case *With:
		d.withItems("With(items=", s.Items)
		d.list(", body=", s.Body)
	case *Try:
		d.list("Try(body=", s.Body)
		d.handlers(", handlers=", s.Handlers)
		d.list(", orelse=", s.Orelse)
		d.list(", finalbody=", s.Finalbody)
	default:
		d.simpleStmt(s)
	}
	d.str(")")
}

// simpleStmt writes a statement that has no block, without its last parenthesis.
func (d *dumper) simpleStmt(s Stmt) {
	switch s := s.(type) {
	case *Return:
		d.str("Return(")
		d.maybe("value=", s.Value)
	case *Delete:
		d.exprs("Delete(targets=", s.Targets)
	case *Assign:
		d.exprs("Assign(targets=", s.Targets)
		d.expr(", value=", s.Value)
	case *AugAssign:
		d.expr("AugAssign(target=", s.Target)
		d.str(", op=" + operatorNames[s.Op])
		d.expr(", value=", s.Value)
	case *AnnAssign:
		d.expr("AnnAssign(target=", s.Target)
		d.expr(", annotation=", s.Annotation)
		d.maybe(", value=", s.Value)
		if s.Simple {
			d.str(", simple=1")
		} else {
			d.str(", simple=0")
		}
	case *Raise:
		d.str("Raise(")
		d.maybe("exc=", s.Exc)
		d.maybe(", cause=", s.Cause)
	case *Assert:
		d.expr("Assert(test=", s.Test)
		d.maybe(", msg=", s.Msg)
	case *Import:
		d.aliases("Import(names=", s.Names)
	case *ImportFrom:
		d.str("ImportFrom(")
		if s.Module != "" {
			d.quoted("module=", s.Module)
			d.str(", ")
		}
		d.aliases("names=", s.Names)
		d.str(", level=" + strconv.Itoa(s.Level))
	case *Global:
		d.names("Global(names=", s.Names)
	case *Nonlocal:
		d.names("Nonlocal(names=", s.Names)
	case *ExprStmt:
		d.expr("Expr(value=", s.Value)
	case *Pass:
		d.str("Pass(")
	case *Break:
		d.str("Break(")
	case *Continue:
		d.str("Continue(")
	}
}

func (d *dumper) names(prefix string, names []string) {
	d.str(prefix)
	d.str("[")
	for i, name := range names {
		d.comma(i)
		d.quoted("", name)
	}
	d.str("]")
}

func (d *dumper) aliases(prefix string, list []*Alias) {
	d.str(prefix)
	d.str("[")
	for i, a := range list {
		d.comma(i)
		d.quoted("alias(name=", a.Name)
		if a.AsName != "" {
			d.quoted(", asname=", a.AsName)
		}
		d.str(")")
	}
	d.str("]")
}

func (d *dumper) withItems(prefix string, list []*WithItem) {
	d.str(prefix)
	d.str("[")
	for i, item := range list {
		d.comma(i)
		d.expr("withitem(context_expr=", item.Context)
		d.maybe(", optional_vars=", item.Target)
		d.str(")")
	}
	d.str("]")
}

func (d *dumper) handlers(prefix string, list []*ExceptHandler) {
	d.str(prefix)
	d.str("[")
	for i, h := range list {
		d.comma(i)
		d.str("ExceptHandler(")
		if h.Type != nil {
			d.expr("type=", h.Type)
			d.str(", ")
		}
		if h.Name != "" {
			d.quoted("name=", h.Name)
			d.str(", ")
		}
		d.list("body=", h.Body)
		d.str(")")
	}
	d.str("]")
}

func (d *dumper) keywords(prefix string, list []*Keyword) {
	d.str(prefix)
	d.str("[")
	for i, k := range list {
		d.comma(i)
		d.str("keyword(")
		if k.Name != "" {
			d.quoted("arg=", k.Name)
			d.str(", ")
		}
		d.expr("value=", k.Value)
		d.str(")")
	}
	d.str("]")
}

func (d *dumper) arguments(prefix string, a *Arguments) {
	d.str(prefix)
	d.argList("arguments(posonlyargs=", a.PosOnly)
	d.argList(", args=", a.Args)
	if a.Vararg != nil {
		d.str(", vararg=")
		d.arg(a.Vararg)
	}
	d.argList(", kwonlyargs=", a.KwOnly)
	d.exprs(", kw_defaults=", a.KwDefaults)
	if a.Kwarg != nil {
		d.str(", kwarg=")
		d.arg(a.Kwarg)
	}
	d.exprs(", defaults=", a.Defaults)
	d.str(")")
}

func (d *dumper) argList(prefix string, list []*Arg) {
	d.str(prefix)
	d.str("[")
	for i, a := range list {
		d.comma(i)
		d.arg(a)
	}
	d.str("]")
}

func (d *dumper) arg(a *Arg) {
	d.quoted("arg(arg=", a.Name)
	d.maybe(", annotation=", a.Annotation)
	d.str(")")
}

// constant writes the repr of the value of a literal.
func (d *dumper) constant(v Const) {
	switch v := v.(type) {
	case ConstNone:
		d.str("None")
	case ConstEllipsis:
		d.str("Ellipsis")
	case bool:
		if v {
			d.str("True")
		} else {
			d.str("False")
		}
	case *big.Int:
		d.out = v.Append(d.out, 10)
	case float64:
		d.out = appendReprFloat(d.out, v)
	case Str:
		d.out = appendReprStr(d.out, string(v))
	case Bytes:
		d.out = appendReprBytes(d.out, string(v))
	}
}
