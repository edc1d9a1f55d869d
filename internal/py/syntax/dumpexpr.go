package syntax

import "strconv"

// The names of the operators in ast.dump, by value.
var (
	contextNames  = [...]string{"Load()", "Store()", "Del()"}
	operatorNames = [...]string{"Add()", "Sub()", "Mult()", "MatMult()", "Div()", "Mod()", "Pow()", "LShift()",
		"RShift()", "BitOr()", "BitXor()", "BitAnd()", "FloorDiv()"}
	unaryNames   = [...]string{"Invert()", "Not()", "UAdd()", "USub()"}
	compareNames = [...]string{"Eq()", "NotEq()", "Lt()", "LtE()", "Gt()", "GtE()", "Is()", "IsNot()", "In()", "NotIn()"}
)

// expr writes an expression after a prefix.
func (d *dumper) expr(prefix string, e Expr) {
	d.str(prefix)
	switch e := e.(type) {
	case *BoolOp:
		op := "And()"
		if e.Or {
			op = "Or()"
		}
		d.str("BoolOp(op=" + op)
		d.exprs(", values=", e.Values)
	case *NamedExpr:
		d.expr("NamedExpr(target=", e.Target)
		d.expr(", value=", e.Value)
	case *BinOp:
		d.expr("BinOp(left=", e.Left)
		d.str(", op=" + operatorNames[e.Op])
		d.expr(", right=", e.Right)
	case *UnaryOp:
		d.str("UnaryOp(op=" + unaryNames[e.Op])
		d.expr(", operand=", e.Operand)
	case *Lambda:
		d.arguments("Lambda(args=", e.Args)
		d.expr(", body=", e.Body)
	case *IfExp:
		d.expr("IfExp(test=", e.Test)
		d.expr(", body=", e.Body)
		d.expr(", orelse=", e.Orelse)
	case *Dict:
		d.exprs("Dict(keys=", e.Keys)
		d.exprs(", values=", e.Values)
	case *Set:
		d.exprs("Set(elts=", e.Elts)
	case *ListComp:
		d.expr("ListComp(elt=", e.Elt)
		d.generators(e.Generators)
	case *SetComp:
		d.expr("SetComp(elt=", e.Elt)
		d.generators(e.Generators)
	case *DictComp:
		d.expr("DictComp(key=", e.Key)
		d.expr(", value=", e.Value)
		d.generators(e.Generators)
	case *GeneratorExp:
		d.expr("GeneratorExp(elt=", e.Elt)
		d.generators(e.Generators)
	case *Yield:
		d.str("Yield(")
		d.maybe("value=", e.Value)
	case *YieldFrom:
		d.expr("YieldFrom(value=", e.Value)
	default:
		d.simpleExpr(e)
	}
	d.str(")")
}

// simpleExpr writes the expressions without operators or clauses, without their
// last parenthesis.
func (d *dumper) simpleExpr(e Expr) {
	switch e := e.(type) {
	case *Compare:
		d.compare(e)
	case *Call:
		d.expr("Call(func=", e.Func)
		d.exprs(", args=", e.Args)
		d.keywords(", keywords=", e.Keywords)
	case *FormattedValue:
		d.expr("FormattedValue(value=", e.Value)
		d.str(", conversion=" + strconv.Itoa(e.Conversion))
		d.maybe(", format_spec=", e.FormatSpec)
	case *JoinedStr:
		d.exprs("JoinedStr(values=", e.Values)
	case *Constant:
		d.str("Constant(value=")
		d.constant(e.Value)
		if e.Kind != "" {
			d.quoted(", kind=", e.Kind)
		}
	case *Attribute:
		d.expr("Attribute(value=", e.Value)
		d.quoted(", attr=", e.Attr)
		d.context(e.Ctx)
	case *Subscript:
		d.expr("Subscript(value=", e.Value)
		d.expr(", slice=", e.Slice)
		d.context(e.Ctx)
	case *Starred:
		d.expr("Starred(value=", e.Value)
		d.context(e.Ctx)
	case *Name:
		d.quoted("Name(id=", e.ID)
		d.context(e.Ctx)
	case *List:
		d.exprs("List(elts=", e.Elts)
		d.context(e.Ctx)
	case *Tuple:
		d.exprs("Tuple(elts=", e.Elts)
		d.context(e.Ctx)
	case *Slice:
		d.slice(e)
	}
}

func (d *dumper) context(c Context) { d.str(", ctx=" + contextNames[c]) }

func (d *dumper) compare(e *Compare) {
	d.expr("Compare(left=", e.Left)
	d.str(", ops=[")
	for i, op := range e.Ops {
		d.comma(i)
		d.str(compareNames[op])
	}
	d.exprs("], comparators=", e.Comparators)
}

func (d *dumper) slice(e *Slice) {
	d.str("Slice(")
	prefix := ""
	for _, part := range []struct {
		name  string
		value Expr
	}{{"lower=", e.Lower}, {"upper=", e.Upper}, {"step=", e.Step}} {
		if part.value != nil {
			d.expr(prefix+part.name, part.value)
			prefix = ", "
		}
	}
}

func (d *dumper) generators(list []*Comprehension) {
	d.str(", generators=[")
	for i, c := range list {
		d.comma(i)
		d.expr("comprehension(target=", c.Target)
		d.expr(", iter=", c.Iter)
		d.exprs(", ifs=", c.Ifs)
		d.str(", is_async=0)")
	}
	d.str("]")
}
