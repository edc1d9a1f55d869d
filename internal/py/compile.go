package py

import (
	"fmt"
	"math/big"

	"gauntlet/internal/py/syntax"
)

// Compile translates a parsed file. What the interpreter does not support is
// reported as a *syntax.Error with Refused set.
func Compile(m *syntax.Module, imp Importer) (*Program, error) {
	root := newScope(moduleScope, m, nil)
	binder{}.stmts(root, m.Body)
	resolve(root)
	future := hasFutureAnnotations(m)
	c := &compiler{file: m.File, scope: root, future: future, pool: map[any]Value{}, code: &Code{Name: "<module>", Qualname: "<module>", File: m.File}}
	if err := checkSupport(m, imp); err != nil {
		return nil, err
	}
	code, err := c.module(m)
	if err != nil {
		return nil, err
	}
	return &Program{File: m.File, Tree: m, code: code}, nil
}

// CompileSource parses and compiles.
func CompileSource(file, src string, imp Importer) (*Program, error) {
	m, err := syntax.ParseString(file, src)
	if err != nil {
		return nil, err
	}
	return Compile(m, imp)
}

func hasFutureAnnotations(m *syntax.Module) bool {
	for _, s := range m.Body {
		if f, ok := s.(*syntax.ImportFrom); ok && f.Module == "__future__" {
			for _, a := range f.Names {
				if a.Name == "annotations" {
					return true
				}
			}
		}
	}
	return false
}

// compiler compiles one code object.
type compiler struct {
	file     string
	parent   *compiler
	scope    *scope
	code     *Code
	future   bool
	depth    int // operand stack depth at this point
	dead     bool
	at       syntax.Pos
	constIdx map[any]int32
	pool     map[any]Value // constants of the whole program
	nameIdx  map[string]int32
	fblocks  []fblock
	varIdx   map[string]int32
	cellIdx  map[string]int32
	nesting  int
}

// fblock is an enclosing construct that return, break and continue must unwind.
type fblock struct {
	kind    fblockKind
	start   *label        // loops: continue target
	end     *label        // loops: break target
	finally []syntax.Stmt // finally bodies
	name    string        // named handlers: the variable
}

type fblockKind uint8

const (
	whileLoop      fblockKind = iota
	forLoop                   // the iterator is on the stack
	tryBlock                  // a block to pop
	finallyBlock              // a block to pop and a body to run
	handlerBlock              // an exception being handled under a cleanup block
	finallyHandler            // a finally body that runs because of an exception
	withBlock                 // a block to pop and __exit__ to call
	keptValue                 // the value of a return on its way through a finally body
)

// label is a jump target.
type label struct {
	addr  int32
	depth int
	known bool
	fix   []int // instructions to patch
}

func (c *compiler) errorf(at syntax.Pos, format string, args ...any) error {
	return &syntax.Error{File: c.file, Pos: at, Msg: fmt.Sprintf(format, args...)}
}

// effects is the change of stack depth of operations with a fixed effect.
var effects = [256]int8{
	opConst: 1, opLoadFast: 1, opStoreFast: -1, opLoadName: 1, opStoreName: -1, opLoadGlobal: 1, opStoreGlobal: -1,
	opLoadDeref: 1, opStoreDeref: -1, opLoadClassDeref: 1, opLoadClosure: 1, opPop: -1, opDup: 1, opDup2: 2,
	opBinary: -1, opInplace: -1, opCompare: -1, opSubscr: -1, opStoreSubscr: -3, opDelSubscr: -2, opStoreAttr: -2, opDelAttr: -1,
	opLoadMethod: 1, opListAppend: -1, opSetAdd: -1, opMapAdd: -2, opListExtend: -1, opSetUpdate: -1, opDictUpdate: -1, opDictMerge: -1,
	opLoadExc: 1, opRaise: 0, opBeforeWith: 1, opWithExcept: 1, opReturn: -1, opImport: 1, opImportFrom: 1,
	opAssertionError: 1, opAnnotation: -1,
}

func (c *compiler) emit(op opcode, arg int) int {
	return c.emitEffect(op, arg, int(effects[op]))
}

// emitEffect appends an instruction whose stack effect depends on its argument.
func (c *compiler) emitEffect(op opcode, arg, effect int) int {
	c.code.instrs = append(c.code.instrs, instr{op, int32(arg)})
	c.code.pos = append(c.code.pos, c.at)
	c.depth += effect
	c.code.maxStack = max(c.code.maxStack, c.depth+2)
	return len(c.code.instrs) - 1
}

// jump emits a jump; effect is the change of depth on the jump path, after the
// operation's own pop.
func (c *compiler) jump(op opcode, l *label, fall, taken int) {
	at := c.emitEffect(op, int(l.addr), 0)
	if !l.known {
		l.fix = append(l.fix, at)
	}
	l.depth = c.depth + taken
	c.depth += fall
	c.code.maxStack = max(c.code.maxStack, l.depth+2)
	if op == opJump || op == opLoop {
		c.dead = true
	}
}

func (c *compiler) place(l *label) {
	l.addr, l.known = int32(len(c.code.instrs)), true
	for _, i := range l.fix {
		c.code.instrs[i].arg = l.addr
	}
	if len(l.fix) > 0 {
		c.depth = l.depth
	}
	c.dead = false
}

func (c *compiler) constant(v Value) int {
	var key any = v
	switch x := v.(type) {
	case *Str:
		key = "s" + x.s
	case *Bytes:
		key = "b" + x.B
	case *Big:
		key = "i" + x.V.Text(16)
	case Float:
		key = [2]any{"f", fmt.Sprintf("%x", float64(x))}
	}
	return c.constantKey(v, key)
}

// constantKey is constant for a value that key identifies.
func (c *compiler) constantKey(v Value, key any) int {
	if c.constIdx == nil {
		c.constIdx = map[any]int32{}
	}
	if i, ok := c.constIdx[key]; ok {
		return int(i)
	}
	// Equal constants of a program are one object, as in CPython.
	if shared, ok := c.pool[key]; ok {
		v = shared
	} else {
		c.pool[key] = v
	}
	c.code.consts = append(c.code.consts, v)
	c.constIdx[key] = int32(len(c.code.consts) - 1)
	return len(c.code.consts) - 1
}

func (c *compiler) loadConst(v Value) { c.emit(opConst, c.constant(v)) }

func (c *compiler) name(n string) int {
	if c.nameIdx == nil {
		c.nameIdx = map[string]int32{}
	}
	if i, ok := c.nameIdx[n]; ok {
		return int(i)
	}
	c.code.names = append(c.code.names, n)
	c.nameIdx[n] = int32(len(c.code.names) - 1)
	return len(c.code.names) - 1
}

// setupVars lays out local, cell and free variables from the scope.
func (c *compiler) setupVars() {
	s := c.scope
	c.varIdx, c.cellIdx = map[string]int32{}, map[string]int32{}
	if s.kind == funcScope {
		for _, p := range s.params {
			c.varIdx[p] = int32(len(c.code.varNames))
			c.code.varNames = append(c.code.varNames, p)
		}
	}
	for _, n := range s.order {
		y := s.syms[n]
		if y.cell && !y.free && (s.kind == funcScope || n == "__class__" && s.kind == classScope) {
			c.cellIdx[n] = int32(len(c.code.cellNames))
			c.code.cellNames = append(c.code.cellNames, n)
			param := -1
			if i, ok := c.varIdx[n]; ok && s.kind == funcScope {
				param = int(i)
			}
			c.code.cellParam = append(c.code.cellParam, param)
		}
	}
	for _, n := range s.order {
		if s.syms[n].free {
			c.cellIdx[n] = int32(len(c.code.cellNames) + len(c.code.freeNames))
			c.code.freeNames = append(c.code.freeNames, n)
		}
	}
	if s.kind == funcScope {
		for _, n := range s.order {
			y := s.syms[n]
			if _, isParam := c.varIdx[n]; isParam || y.cell || y.free || !y.bound || y.global || y.nonlocal {
				continue
			}
			c.varIdx[n] = int32(len(c.code.varNames))
			c.code.varNames = append(c.code.varNames, n)
		}
	}
}

func (c *compiler) module(m *syntax.Module) (*Code, error) {
	c.setupVars()
	c.code.doc = None
	c.docstring(m.Body)
	if hasAnnotations(m.Body) {
		c.emit(opSetupAnnotations, 0)
	}
	if err := c.stmts(m.Body); err != nil {
		return nil, err
	}
	c.loadConst(None)
	c.emit(opReturn, 0)
	return c.code, nil
}

// docstring stores __doc__ of a module or class body.
func (c *compiler) docstring(body []syntax.Stmt) {
	if d := docOf(body); d != nil {
		c.loadConst(d)
		c.emit(opStoreName, c.name("__doc__"))
	}
}

func docOf(body []syntax.Stmt) Value {
	if len(body) == 0 {
		return nil
	}
	if e, ok := body[0].(*syntax.ExprStmt); ok {
		if k, ok := e.Value.(*syntax.Constant); ok {
			if s, ok := k.Value.(syntax.Str); ok {
				return NewStr(string(s))
			}
		}
	}
	return nil
}

func hasAnnotations(body []syntax.Stmt) bool {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.AnnAssign:
			return true
		case *syntax.If:
			if hasAnnotations(s.Body) || hasAnnotations(s.Orelse) {
				return true
			}
		case *syntax.For:
			if hasAnnotations(s.Body) || hasAnnotations(s.Orelse) {
				return true
			}
		case *syntax.While:
			if hasAnnotations(s.Body) || hasAnnotations(s.Orelse) {
				return true
			}
		case *syntax.With:
			if hasAnnotations(s.Body) {
				return true
			}
		case *syntax.Try:
			if hasAnnotations(s.Body) || hasAnnotations(s.Orelse) || hasAnnotations(s.Finalbody) {
				return true
			}
			for _, h := range s.Handlers {
				if hasAnnotations(h.Body) {
					return true
				}
			}
		}
	}
	return false
}

// constValue converts a literal.
func constValue(k syntax.Const) Value {
	switch v := k.(type) {
	case bool:
		return Bool(v)
	case *big.Int:
		return MakeInt(v)
	case float64:
		return Float(v)
	case syntax.Str:
		return NewStr(string(v))
	case syntax.Bytes:
		return &Bytes{string(v)}
	case syntax.ConstEllipsis:
		return Ellipsis
	}
	return None
}

// access chooses the operation for a variable.
func (c *compiler) access(name string, ctx syntax.Context) {
	name = c.scope.mangle(name)
	y := c.scope.sym(name)
	type ops struct{ load, store, del opcode }
	var o ops
	arg := 0
	_, isCell := c.cellIdx[name]
	switch {
	case y.global && c.scope.kind != moduleScope:
		o, arg = ops{opLoadGlobal, opStoreGlobal, opDelGlobal}, c.name(name)
	case isCell && c.scope.kind == classScope && !y.nonlocal && name != "__class__":
		if ctx == syntax.Load && !y.bound {
			c.emit(opConst, c.constant(NewStr(name)))
			c.emitEffect(opLoadClassDeref, int(c.cellIdx[name]), 0)
			return
		}
		o, arg = ops{opLoadName, opStoreName, opDelName}, c.name(name)
	case isCell && !(c.scope.kind == classScope && name == "__class__" && y.bound):
		o, arg = ops{opLoadDeref, opStoreDeref, opDelDeref}, int(c.cellIdx[name])
	case c.scope.kind != funcScope:
		o, arg = ops{opLoadName, opStoreName, opDelName}, c.name(name)
	default:
		if i, ok := c.varIdx[name]; ok {
			o, arg = ops{opLoadFast, opStoreFast, opDelFast}, int(i)
		} else {
			o, arg = ops{opLoadGlobal, opStoreGlobal, opDelGlobal}, c.name(name)
		}
	}
	switch ctx {
	case syntax.Load:
		c.emit(o.load, arg)
	case syntax.Store:
		c.emit(o.store, arg)
	default:
		c.emit(o.del, arg)
	}
}

// child compiles a nested body.
func (c *compiler) child(node any, name string) *compiler {
	s := c.scope.children[node]
	qual := name
	switch {
	case c.scope.kind == classScope:
		qual = c.code.Qualname + "." + name
	case c.scope.comp:
		qual = c.code.Qualname + "." + name
	case c.scope.kind == funcScope:
		qual = c.code.Qualname + ".<locals>." + name
	}
	if y, ok := c.scope.syms[name]; ok && y.global {
		qual = name
	}
	n := &compiler{file: c.file, parent: c, scope: s, pool: c.pool, future: c.future, at: c.at, nesting: c.nesting,
		code: &Code{Name: name, Qualname: qual, File: c.file, generator: s.generator}}
	n.setupVars()
	return n
}

// closure pushes the tuple of cells for a nested body; it reports whether
// there are any.
func (c *compiler) closure(code *Code) bool {
	for _, n := range code.freeNames {
		c.emit(opLoadClosure, int(c.cellIdx[n]))
	}
	if len(code.freeNames) > 0 {
		c.emitEffect(opTuple, len(code.freeNames), 1-len(code.freeNames))
	}
	return len(code.freeNames) > 0
}

// Flags of opFunction: which extras are on the stack, in this order.
const (
	fnDefaults = 1 << iota
	fnKwDefaults
	fnAnnotations
	fnClosure
)

// makeFunction emits the creation of a function from code and pushed extras.
func (c *compiler) makeFunction(code *Code, flags int) {
	pops := 0
	if c.closure(code) {
		flags |= fnClosure
	}
	for f := fnDefaults; f <= fnClosure; f <<= 1 {
		if flags&f != 0 {
			pops++
		}
	}
	c.code.codes = append(c.code.codes, code)
	c.emitEffect(opFunction, flags<<16|(len(c.code.codes)-1), 1-pops)
}
