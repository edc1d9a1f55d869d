package syntax

// kind is the kind of a token.
type kind uint8

// Token kinds. Keywords and operators have a kind each.
const (
	tEOF kind = iota
	tNewline
	tIndent
	tDedent
	tName
	tNumber
	tString

	tLparen
	tRparen
	tLbrack
	tRbrack
	tLbrace
	tRbrace
	tComma
	tColon
	tColonEq
	tSemi
	tDot
	tEllipsis
	tArrow
	tAt
	tTilde
	tPlus
	tMinus
	tStar
	tPower
	tSlash
	tFloor
	tPercent
	tAmp
	tPipe
	tCaret
	tLshift
	tRshift
	tEqEq
	tNotEq
	tLt
	tLtE
	tGt
	tGtE

	tAssign
	tPlusEq
	tMinusEq
	tStarEq
	tAtEq
	tSlashEq
	tPercentEq
	tPowerEq
	tLshiftEq
	tRshiftEq
	tPipeEq
	tCaretEq
	tAmpEq
	tFloorEq

	kwFalse
	kwNone
	kwTrue
	kwAnd
	kwAs
	kwAssert
	kwAsync
	kwAwait
	kwBreak
	kwClass
	kwContinue
	kwDef
	kwDel
	kwElif
	kwElse
	kwExcept
	kwFinally
	kwFor
	kwFrom
	kwGlobal
	kwIf
	kwImport
	kwIn
	kwIs
	kwLambda
	kwNonlocal
	kwNot
	kwOr
	kwPass
	kwRaise
	kwReturn
	kwTry
	kwWhile
	kwWith
	kwYield
)

// token is a piece of the source text.
type token struct {
	kind       kind
	start, end int // byte offsets into the text
	pos        Pos
}

// keywords maps the reserved words to their kinds.
var keywords = map[string]kind{
	"False":    kwFalse,
	"None":     kwNone,
	"True":     kwTrue,
	"and":      kwAnd,
	"as":       kwAs,
	"assert":   kwAssert,
	"async":    kwAsync,
	"await":    kwAwait,
	"break":    kwBreak,
	"class":    kwClass,
	"continue": kwContinue,
	"def":      kwDef,
	"del":      kwDel,
	"elif":     kwElif,
	"else":     kwElse,
	"except":   kwExcept,
	"finally":  kwFinally,
	"for":      kwFor,
	"from":     kwFrom,
	"global":   kwGlobal,
	"if":       kwIf,
	"import":   kwImport,
	"in":       kwIn,
	"is":       kwIs,
	"lambda":   kwLambda,
	"nonlocal": kwNonlocal,
	"not":      kwNot,
	"or":       kwOr,
	"pass":     kwPass,
	"raise":    kwRaise,
	"return":   kwReturn,
	"try":      kwTry,
	"while":    kwWhile,
	"with":     kwWith,
	"yield":    kwYield,
}

// keyword returns the kind of an ASCII word: a keyword's own, else tName.
func keyword(word string) kind {
	if len(word) > len("continue") {
		return tName
	}
	if k, ok := keywords[word]; ok {
		return k
	}
	return tName
}

// binaryOp returns the operator and the binding strength (1 is the weakest) of
// a token between two operands, or strength 0 when it is no binary operator.
func binaryOp(k kind) (op Operator, strength int) {
	switch k {
	case tPipe:
		return BitOr, 1
	case tCaret:
		return BitXor, 2
	case tAmp:
		return BitAnd, 3
	case tLshift:
		return LShift, 4
	case tRshift:
		return RShift, 4
	case tPlus:
		return Add, 5
	case tMinus:
		return Sub, 5
	case tStar:
		return Mult, 6
	case tSlash:
		return Div, 6
	case tFloor:
		return FloorDiv, 6
	case tPercent:
		return Mod, 6
	case tAt:
		return MatMult, 6
	}
	return 0, 0
}

// augmentedOp returns the operator of an augmented assignment token.
func augmentedOp(k kind) (op Operator, ok bool) {
	if k < tPlusEq || k > tFloorEq {
		return 0, false
	}
	return [...]Operator{Add, Sub, Mult, MatMult, Div, Mod, Pow, LShift, RShift,
		BitOr, BitXor, BitAnd, FloorDiv}[k-tPlusEq], true
}

// startsExpr reports whether a token can begin an expression.
func startsExpr(k kind) bool {
	switch k {
	case tName, tNumber, tString, tLparen, tLbrack, tLbrace, tEllipsis, tTilde, tPlus, tMinus,
		kwFalse, kwNone, kwTrue, kwAwait, kwLambda, kwNot:
		return true
	}
	return false
}
