package syntax

// At returns the beginning of the file, so that a module can be walked.
func (*Module) At() Pos { return Pos{1, 1} }

// Walk calls f for n and, as long as f returns true, for the nodes below it in
// the order of the fields of ast.go. Dictionary items are visited pairwise.
// Arguments and WithItem have no position and are passed over to what they hold.
func Walk(n Node, f func(Node) bool) {
	if !f(n) {
		return
	}
	switch n := n.(type) {
	case *Module:
		walkAll(n.Body, f)
	case Stmt:
		walkStmt(n, f)
	case Expr:
		walkExpr(n, f)
	case *Comprehension:
		Walk(n.Target, f)
		Walk(n.Iter, f)
		walkAll(n.Ifs, f)
	case *ExceptHandler:
		walkMaybe(n.Type, f)
		walkAll(n.Body, f)
	case *Arg:
		walkMaybe(n.Annotation, f)
	case *Keyword:
		Walk(n.Value, f)
	}
}

func walkAll[T Node](list []T, f func(Node) bool) {
	for _, n := range list {
		Walk(n, f)
	}
}

func walkMaybe(e Expr, f func(Node) bool) {
	if e != nil {
		Walk(e, f)
	}
}

func walkStmt(s Stmt, f func(Node) bool) {
	switch s := s.(type) {
	case *FunctionDef:
		walkArgs(s.Args, f)
		walkAll(s.Body, f)
		walkAll(s.Decorators, f)
		walkMaybe(s.Returns, f)
	case *ClassDef:
		walkAll(s.Bases, f)
		walkAll(s.Keywords, f)
		walkAll(s.Body, f)
		walkAll(s.Decorators, f)
	case *For:
		Walk(s.Target, f)
		Walk(s.Iter, f)
		walkAll(s.Body, f)
		walkAll(s.Orelse, f)
	case *While:
		Walk(s.Test, f)
		walkAll(s.Body, f)
		walkAll(s.Orelse, f)
	case *If:
		Walk(s.Test, f)
		walkAll(s.Body, f)
		walkAll(s.Orelse, f)
	case *With:
		for _, item := range s.Items {
			Walk(item.Context, f)
			walkMaybe(item.Target, f)
		}
		walkAll(s.Body, f)
	case *Try:
		walkAll(s.Body, f)
		walkAll(s.Handlers, f)
		walkAll(s.Orelse, f)
		walkAll(s.Finalbody, f)
	default:
		walkSimpleStmt(s, f)
	}
}

// walkSimpleStmt visits what is below the statements without a block.
func walkSimpleStmt(s Stmt, f func(Node) bool) {
	switch s := s.(type) {
	case *Return:
		walkMaybe(s.Value, f)
	case *Delete:
		walkAll(s.Targets, f)
	case *Assign:
		walkAll(s.Targets, f)
		Walk(s.Value, f)
	case *AugAssign:
		Walk(s.Target, f)
		Walk(s.Value, f)
	case *AnnAssign:
		Walk(s.Target, f)
		Walk(s.Annotation, f)
		walkMaybe(s.Value, f)
	case *Raise:
		walkMaybe(s.Exc, f)
		walkMaybe(s.Cause, f)
	case *Assert:
		Walk(s.Test, f)
		walkMaybe(s.Msg, f)
	case *Import:
		walkAll(s.Names, f)
	case *ImportFrom:
		walkAll(s.Names, f)
	case *ExprStmt:
		Walk(s.Value, f)
	}
}

func walkArgs(a *Arguments, f func(Node) bool) {
	walkAll(a.PosOnly, f)
	walkAll(a.Args, f)
	if a.Vararg != nil {
		Walk(a.Vararg, f)
	}
	walkAll(a.KwOnly, f)
	for _, e := range a.KwDefaults {
		walkMaybe(e, f)
	}
	if a.Kwarg != nil {
		Walk(a.Kwarg, f)
	}
	walkAll(a.Defaults, f)
}

func walkExpr(e Expr, f func(Node) bool) {
	switch e := e.(type) {
	case *BoolOp:
		walkAll(e.Values, f)
	case *NamedExpr:
		Walk(e.Target, f)
		Walk(e.Value, f)
	case *BinOp:
		Walk(e.Left, f)
		Walk(e.Right, f)
	case *UnaryOp:
		Walk(e.Operand, f)
	case *Lambda:
		walkArgs(e.Args, f)
		Walk(e.Body, f)
	case *IfExp:
		Walk(e.Test, f)
		Walk(e.Body, f)
		Walk(e.Orelse, f)
	case *Dict:
		for i, key := range e.Keys {
			walkMaybe(key, f)
			Walk(e.Values[i], f)
		}
	case *Set:
		walkAll(e.Elts, f)
	case *ListComp:
		Walk(e.Elt, f)
		walkAll(e.Generators, f)
	case *SetComp:
		Walk(e.Elt, f)
		walkAll(e.Generators, f)
	case *DictComp:
		Walk(e.Key, f)
		Walk(e.Value, f)
		walkAll(e.Generators, f)
	case *GeneratorExp:
		Walk(e.Elt, f)
		walkAll(e.Generators, f)
	default:
		walkSimpleExpr(e, f)
	}
}

// walkSimpleExpr visits what is below the expressions without clauses.
func walkSimpleExpr(e Expr, f func(Node) bool) {
	switch e := e.(type) {
	case *Yield:
		walkMaybe(e.Value, f)
	case *YieldFrom:
		Walk(e.Value, f)
	case *Compare:
		Walk(e.Left, f)
		walkAll(e.Comparators, f)
	case *Call:
		Walk(e.Func, f)
		walkAll(e.Args, f)
		walkAll(e.Keywords, f)
	case *FormattedValue:
		Walk(e.Value, f)
		walkMaybe(e.FormatSpec, f)
	case *JoinedStr:
		walkAll(e.Values, f)
	case *Attribute:
		Walk(e.Value, f)
	case *Subscript:
		Walk(e.Value, f)
		Walk(e.Slice, f)
	case *Starred:
		Walk(e.Value, f)
	case *List:
		walkAll(e.Elts, f)
	case *Tuple:
		walkAll(e.Elts, f)
	case *Slice:
		walkMaybe(e.Lower, f)
		walkMaybe(e.Upper, f)
		walkMaybe(e.Step, f)
	}
}
