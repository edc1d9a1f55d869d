package py

import "gauntlet/internal/py/syntax"

// opcode is one bytecode operation.
type opcode uint8

const (
	opNop opcode = iota
	opConst
	opLoadFast
	opStoreFast
	opDelFast
	opLoadName
	opStoreName
	opDelName
	opLoadGlobal
	opStoreGlobal
	opDelGlobal
	opLoadDeref
	opStoreDeref
	opDelDeref
	opLoadClassDeref
	opLoadClosure
	opPop
	opDup
	opDup2
	opRot2
	opRot3
	opRot4
	opUnary
	opBinary
	opInplace
	opCompare
	opSubscr
	opStoreSubscr
	opDelSubscr
	opSlice
	opLoadAttr
	opStoreAttr
	opDelAttr
	opLoadMethod
	opCallMethod
	opCall
	opCallKw
	opCallEx
	opList
	opTuple
	opSet
	opMap
	opString
	opListAppend
	opSetAdd
	opMapAdd
	opListExtend
	opSetUpdate
	opDictUpdate
	opDictMerge
	opKeyword
	opListToTuple
	opFormat
	opJump
	opLoop
	opJumpIfFalse
	opJumpIfTrue
	opJumpIfFalseOrPop
	opJumpIfTrueOrPop
	opIter
	opForIter
	opUnpack
	opUnpackEx
	opSetupTry
	opSetupWith
	opPopBlock
	opLoadExc
	opExcMatch
	opPopExcept
	opReraise
	opRaise
	opBeforeWith
	opWithExcept
	opReturn
	opYield
	opYieldFrom
	opYieldFromIter
	opFunction
	opClass
	opImport
	opImportFrom
	opAssertionError
	opAnnotation
	opSetupAnnotations
)

// instr is one instruction.
type instr struct {
	op  opcode
	arg int32
}

// Code is a compiled body: a module, class, function or comprehension. It is
// immutable and shared between threads.
type Code struct {
	Name     string
	Qualname string
	File     string

	instrs []instr
	pos    []syntax.Pos
	consts []Value
	names  []string

	varNames  []string // parameters, then other locals
	cellNames []string // variables shared with nested functions
	freeNames []string // variables of enclosing functions
	cellParam []int    // for each cell, the parameter that fills it, or -1

	argCount  int // positional parameters, including positional-only ones
	posOnly   int
	kwOnly    int
	varargs   bool
	varkw     bool
	simple    bool // only positional parameters
	generator bool
	maxStack  int
	classBody bool
	doc       Value
	codes     []*Code
}

// Type lets a code object stand in constants; Python code never sees one.
func (*Code) Type() *Type { return codeType }

var codeType = sealed("code")

// paramIndex finds the slot of a parameter that may be passed by name.
func (c *Code) paramIndex(name string) int {
	for i := c.posOnly; i < c.argCount+c.kwOnly; i++ {
		if c.varNames[i] == name {
			return i
		}
	}
	return -1
}

// Program is a compiled module.
type Program struct {
	File string
	Tree *syntax.Module
	code *Code
}
