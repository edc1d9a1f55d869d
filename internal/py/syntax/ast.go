package syntax

import "math/big"

// Pos is a place in a source file: 1-based line, 1-based column counted in
// code points (editors count so; CPython's col_offset counts UTF-8 bytes from 0).
type Pos struct {
	Line, Col int32
}

// At returns the position itself; every node embeds Pos and so satisfies Node.
func (p Pos) At() Pos { return p }

// Node is any syntax tree node with a position.
type Node interface{ At() Pos }

// Stmt is a statement node.
type Stmt interface {
	Node
	stmt()
}

// Expr is an expression node.
type Expr interface {
	Node
	expr()
}

// Module is a parsed file. The node types below carry the names and the field
// order of CPython 3.11's ast module, so that Dump can be compared with ast.dump.
type Module struct {
	File string // name used in error messages
	Body []Stmt
}

// Statements.
type (
	// FunctionDef is a def statement.
	FunctionDef struct {
		Pos
		Name       string
		Args       *Arguments
		Body       []Stmt
		Decorators []Expr
		Returns    Expr // nil when absent
	}
	// ClassDef is a class statement.
	ClassDef struct {
		Pos
		Name       string
		Bases      []Expr
		Keywords   []*Keyword
		Body       []Stmt
		Decorators []Expr
	}
	// Return is a return statement; Value is nil for a bare return.
	Return struct {
		Pos
		Value Expr
	}
	// Delete is a del statement.
	Delete struct {
		Pos
		Targets []Expr
	}
	// Assign is target = target = value.
	Assign struct {
		Pos
		Targets []Expr
		Value   Expr
	}
	// AugAssign is target op= value.
	AugAssign struct {
		Pos
		Target Expr
		Op     Operator
		Value  Expr
	}
	// AnnAssign is target: annotation [= value].
	AnnAssign struct {
		Pos
		Target     Expr
		Annotation Expr
		Value      Expr // nil when absent
		Simple     bool // the target is a bare name without parentheses
	}
	// For is a for statement.
	For struct {
		Pos
		Target Expr
		Iter   Expr
		Body   []Stmt
		Orelse []Stmt
	}
	// While is a while statement.
	While struct {
		Pos
		Test   Expr
		Body   []Stmt
		Orelse []Stmt
	}
	// If is an if statement; elif is an If inside Orelse.
	If struct {
		Pos
		Test   Expr
		Body   []Stmt
		Orelse []Stmt
	}
	// With is a with statement.
	With struct {
		Pos
		Items []*WithItem
		Body  []Stmt
	}
	// Raise is a raise statement.
	Raise struct {
		Pos
		Exc   Expr
		Cause Expr
	}
	// Try is a try statement (except* is refused).
	Try struct {
		Pos
		Body      []Stmt
		Handlers  []*ExceptHandler
		Orelse    []Stmt
		Finalbody []Stmt
	}
	// Assert is an assert statement.
	Assert struct {
		Pos
		Test Expr
		Msg  Expr
	}
	// Import is import a.b as c, ...
	Import struct {
		Pos
		Names []*Alias
	}
	// ImportFrom is from m import a as b, ...
	ImportFrom struct {
		Pos
		Module string
		Names  []*Alias
		Level  int
	}
	// Global is a global statement.
	Global struct {
		Pos
		Names []string
	}
	// Nonlocal is a nonlocal statement.
	Nonlocal struct {
		Pos
		Names []string
	}
	// ExprStmt is an expression used as a statement (ast.Expr).
	ExprStmt struct {
		Pos
		Value Expr
	}
	// Pass is a pass statement.
	Pass struct{ Pos }
	// Break is a break statement.
	Break struct{ Pos }
	// Continue is a continue statement.
	Continue struct{ Pos }
)

// Expressions.
type (
	// BoolOp is a chain of and / or.
	BoolOp struct {
		Pos
		Or     bool // false: and
		Values []Expr
	}
	// NamedExpr is target := value.
	NamedExpr struct {
		Pos
		Target Expr
		Value  Expr
	}
	// BinOp is left op right.
	BinOp struct {
		Pos
		Left  Expr
		Op    Operator
		Right Expr
	}
	// UnaryOp is op operand.
	UnaryOp struct {
		Pos
		Op      UnaryOperator
		Operand Expr
	}
	// Lambda is a lambda expression.
	Lambda struct {
		Pos
		Args *Arguments
		Body Expr
	}
	// IfExp is body if test else orelse.
	IfExp struct {
		Pos
		Test, Body, Orelse Expr
	}
	// Dict is a dict display; a nil key marks ** unpacking.
	Dict struct {
		Pos
		Keys   []Expr
		Values []Expr
	}
	// Set is a set display.
	Set struct {
		Pos
		Elts []Expr
	}
	// ListComp is a list comprehension.
	ListComp struct {
		Pos
		Elt        Expr
		Generators []*Comprehension
	}
	// SetComp is a set comprehension.
	SetComp struct {
		Pos
		Elt        Expr
		Generators []*Comprehension
	}
	// DictComp is a dict comprehension.
	DictComp struct {
		Pos
		Key, Value Expr
		Generators []*Comprehension
	}
	// GeneratorExp is a generator expression.
	GeneratorExp struct {
		Pos
		Elt        Expr
		Generators []*Comprehension
	}
	// Yield is a yield expression; Value is nil for a bare yield.
	Yield struct {
		Pos
		Value Expr
	}
	// YieldFrom is a yield from expression.
	YieldFrom struct {
		Pos
		Value Expr
	}
	// Compare is a chained comparison.
	Compare struct {
		Pos
		Left        Expr
		Ops         []CmpOp
		Comparators []Expr
	}
	// Call is func(args, keywords).
	Call struct {
		Pos
		Func     Expr
		Args     []Expr
		Keywords []*Keyword
	}
	// FormattedValue is one {…} part of an f-string.
	FormattedValue struct {
		Pos
		Value      Expr
		Conversion int  // -1, 's', 'r' or 'a'
		FormatSpec Expr // *JoinedStr or nil
	}
	// JoinedStr is an f-string; Values are *Constant (str) and *FormattedValue.
	JoinedStr struct {
		Pos
		Values []Expr
	}
	// Constant is a literal.
	Constant struct {
		Pos
		Value Const
		Kind  string // "u" for u"" strings, else empty
	}
	// Attribute is value.attr.
	Attribute struct {
		Pos
		Value Expr
		Attr  string
		Ctx   Context
	}
	// Subscript is value[slice].
	Subscript struct {
		Pos
		Value Expr
		Slice Expr
		Ctx   Context
	}
	// Starred is *value.
	Starred struct {
		Pos
		Value Expr
		Ctx   Context
	}
	// Name is an identifier (NFKC-normalised, as in CPython).
	Name struct {
		Pos
		ID  string
		Ctx Context
	}
	// List is a list display or target.
	List struct {
		Pos
		Elts []Expr
		Ctx  Context
	}
	// Tuple is a tuple display or target.
	Tuple struct {
		Pos
		Elts []Expr
		Ctx  Context
	}
	// Slice is lower:upper:step inside a subscript.
	Slice struct {
		Pos
		Lower, Upper, Step Expr
	}
)

// Auxiliary nodes.
type (
	// Comprehension is one for clause of a comprehension.
	Comprehension struct {
		Pos
		Target Expr
		Iter   Expr
		Ifs    []Expr
	}
	// ExceptHandler is one except clause; Type is nil for a bare except.
	ExceptHandler struct {
		Pos
		Type Expr
		Name string
		Body []Stmt
	}
	// Arguments is a parameter list.
	Arguments struct {
		PosOnly    []*Arg
		Args       []*Arg
		Vararg     *Arg
		KwOnly     []*Arg
		KwDefaults []Expr // one per KwOnly, nil where required
		Kwarg      *Arg
		Defaults   []Expr // for the last len(Defaults) of PosOnly+Args
	}
	// Arg is one parameter.
	Arg struct {
		Pos
		Name       string
		Annotation Expr
	}
	// Keyword is name=value in a call; an empty Name marks ** unpacking.
	Keyword struct {
		Pos
		Name  string
		Value Expr
	}
	// Alias is name as asname in an import.
	Alias struct {
		Pos
		Name, AsName string
	}
	// WithItem is expr as target in a with statement.
	WithItem struct {
		Context Expr
		Target  Expr
	}
)

// Const is the value of a literal: one of ConstNone, ConstEllipsis, bool,
// *big.Int, float64, Str (code points in WTF-8) or Bytes.
type Const interface{}

type (
	// ConstNone is the literal None.
	ConstNone struct{}
	// ConstEllipsis is the literal "...".
	ConstEllipsis struct{}
	// Str is a string literal. It is WTF-8: UTF-8, except that a lone surrogate
	// (written as a \u escape) takes its three-byte form ED A0..BF xx.
	Str string
	// Bytes is a bytes literal.
	Bytes string
)

var _ Const = (*big.Int)(nil)

// Context says how a target-capable expression is used.
type Context uint8

// The contexts of ast.expr_context.
const (
	Load Context = iota
	Store
	Del
)

// Operator is a binary operator.
type Operator uint8

// The operators of ast.operator.
const (
	Add Operator = iota
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv
)

// UnaryOperator is a unary operator.
type UnaryOperator uint8

// The operators of ast.unaryop.
const (
	Invert UnaryOperator = iota
	Not
	UAdd
	USub
)

// CmpOp is a comparison operator.
type CmpOp uint8

// The operators of ast.cmpop.
const (
	Eq CmpOp = iota
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
)

func (*FunctionDef) stmt() {}
func (*ClassDef) stmt()    {}
func (*Return) stmt()      {}
func (*Delete) stmt()      {}
func (*Assign) stmt()      {}
func (*AugAssign) stmt()   {}
func (*AnnAssign) stmt()   {}
func (*For) stmt()         {}
func (*While) stmt()       {}
func (*If) stmt()          {}
func (*With) stmt()        {}
func (*Raise) stmt()       {}
func (*Try) stmt()         {}
func (*Assert) stmt()      {}
func (*Import) stmt()      {}
func (*ImportFrom) stmt()  {}
func (*Global) stmt()      {}
func (*Nonlocal) stmt()    {}
func (*ExprStmt) stmt()    {}
func (*Pass) stmt()        {}
func (*Break) stmt()       {}
func (*Continue) stmt()    {}

func (*BoolOp) expr()         {}
func (*NamedExpr) expr()      {}
func (*BinOp) expr()          {}
func (*UnaryOp) expr()        {}
func (*Lambda) expr()         {}
func (*IfExp) expr()          {}
func (*Dict) expr()           {}
func (*Set) expr()            {}
func (*ListComp) expr()       {}
func (*SetComp) expr()        {}
func (*DictComp) expr()       {}
func (*GeneratorExp) expr()   {}
func (*Yield) expr()          {}
func (*YieldFrom) expr()      {}
func (*Compare) expr()        {}
func (*Call) expr()           {}
func (*FormattedValue) expr() {}
func (*JoinedStr) expr()      {}
func (*Constant) expr()       {}
func (*Attribute) expr()      {}
func (*Subscript) expr()      {}
func (*Starred) expr()        {}
func (*Name) expr()           {}
func (*List) expr()           {}
func (*Tuple) expr()          {}
func (*Slice) expr()          {}
