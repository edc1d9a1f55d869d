package py

import (
	"math/bits"

	"gauntlet/internal/py/syntax"
)

// This file decides which operand's method computes a binary operator. CPython
// has two layers, and the order between them is visible to programs: first the
// number protocol of both operands (every class written in Python that defines
// __op__ or __rop__ takes part), then concatenation and repetition of built-in
// sequences.

// opNames gives the special method and the symbol of each binary operator.
var opNames = [...]struct{ method, symbol string }{
	syntax.Add: {"add", "+"}, syntax.Sub: {"sub", "-"}, syntax.Mult: {"mul", "*"},
	syntax.MatMult: {"matmul", "@"}, syntax.Div: {"truediv", "/"}, syntax.Mod: {"mod", "%"},
	syntax.Pow: {"pow", "** or pow()"}, syntax.LShift: {"lshift", "<<"}, syntax.RShift: {"rshift", ">>"},
	syntax.BitOr: {"or", "|"}, syntax.BitXor: {"xor", "^"}, syntax.BitAnd: {"and", "&"},
	syntax.FloorDiv: {"floordiv", "//"},
}

// methodNames are the special methods of the operators, made once.
var methodNames = func() (names [len(opNames)]struct{ plain, reflected, inplace string }) {
	for op, n := range opNames {
		names[op].plain, names[op].reflected, names[op].inplace = "__"+n.method+"__", "__r"+n.method+"__", "__i"+n.method+"__"
	}
	return
}()

// plain reports whether v is a built-in value whose operators are all in Go.
func plain(v Value) bool {
	switch v.(type) {
	case Int, *Str, Float, Bool, NoneType, *Big, *Dict, *List, *Tuple, *Set, *Bytes, *Range, *Slice:
		return true
	}
	return false
}

// BinaryOp computes a op b.
func (t *Thread) BinaryOp(op syntax.Operator, a, b Value) (Value, error) {
	v, err := t.binary(op, a, b)
	if v != nil || err != nil {
		return v, err
	}
	if op == syntax.Add || op == syntax.Mult {
		if v, err := t.sequenceOp(op, a, b, false); v != nil || err != nil {
			return v, err
		}
	}
	return nil, operandError(opNames[op].symbol, a, b)
}

// smallArith handles the common operators on ints that cannot fail or overflow.
func smallArith(op syntax.Operator, a, b int64) Value {
	switch op {
	case syntax.Add:
		if c := a + b; (c > a) == (b > 0) {
			return Int(c)
		}
	case syntax.Sub:
		if c := a - b; (c < a) == (b > 0) {
			return Int(c)
		}
	case syntax.Mult:
		if hi, lo := bits.Mul64(absU(a), absU(b)); hi == 0 && lo < 1<<63 {
			return Int(a * b)
		}
	}
	return nil
}

func absU(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

// side is one operand's part in the number protocol.
type side struct {
	takesPart bool
	built     *Type // the built-in class whose Go code computes, or nil: methods are called
}

// sideOf looks at the methods of class c for op.
func sideOf(c *Type, op syntax.Operator) side {
	names := &methodNames[op]
	plain, ok := c.Lookup(names.plain)
	reflected, rok := c.Lookup(names.reflected)
	if !ok && !rok {
		return side{}
	}
	x, built := plain, builtOwner(plain)
	if !ok {
		x, built = reflected, builtOwner(reflected)
	}
	if x == nil || built == nil || rok && builtOwner(reflected) == nil {
		return side{takesPart: true}
	}
	if (op == syntax.Add || op == syntax.Mult) && isSequenceType(built) {
		return side{}
	}
	return side{true, built}
}

// builtOwner is the built-in class that a method comes from, or nil.
func builtOwner(f Value) *Type {
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return n.Owner
	}
	return nil
}

func isSequenceType(c *Type) bool {
	return c == ListType || c == TupleType || c == StrType || c == BytesType
}

// binary is the number protocol; nil means that both sides declined.
func (t *Thread) binary(op syntax.Operator, a, b Value) (Value, error) {
	if x, ok := a.(Int); ok {
		if y, ok := b.(Int); ok {
			if v := smallArith(op, int64(x), int64(y)); v != nil {
				return v, nil
			}
		}
	}
	if plain(a) && plain(b) {
		if (op == syntax.Add || op == syntax.Mult) && isSequence(a) {
			return nil, nil
		}
		return t.arith(op, a, b)
	}
	ta, tb := a.Type(), b.Type()
	x, y := sideOf(ta, op), sideOf(tb, op)
	if ta == tb || x.takesPart && x == y {
		y = side{} // one function computes for both
		if x.takesPart && x.built == nil {
			return t.callSides(op, a, b, true, ta != tb)
		}
	}
	run := func(s side) (Value, error) {
		if s.built != nil {
			return t.builtArith(s.built, op, a, b)
		}
		return t.callSides(op, a, b, x.takesPart && x.built == nil, y.takesPart && y.built == nil)
	}
	if x.takesPart && y.takesPart && tb.IsSubclass(ta) {
		if v, err := run(y); v != nil || err != nil {
			return v, err
		}
		y = side{}
	}
	if x.takesPart {
		if v, err := run(x); v != nil || err != nil {
			return v, err
		}
	}
	if y.takesPart {
		return run(y)
	}
	return nil, nil
}

// callSides calls the methods of the operands whose classes define them: a's
// __op__, then b's __rop__, in the other order when b's class refines a's.
func (t *Thread) callSides(op syntax.Operator, a, b Value, left, right bool) (Value, error) {
	names := &methodNames[op]
	ta, tb := a.Type(), b.Type()
	right = right && ta != tb
	if left {
		if right && tb.IsSubclass(ta) && overrides(tb, ta, names.reflected) {
			if v, err := t.callSide(names.reflected, b, a); v != nil || err != nil {
				return v, err
			}
			right = false
		}
		if v, err := t.callSide(names.plain, a, b); v != nil || err != nil {
			return v, err
		}
	}
	if right {
		return t.callSide(names.reflected, b, a)
	}
	return nil, nil
}

// overrides reports whether class c has another method of the name than base.
func overrides(c, base *Type, name string) bool {
	f, ok := c.Lookup(name)
	g, has := base.Lookup(name)
	return ok && (!has || f != g)
}

// callSide calls one method; nil when it is absent or declines.
func (t *Thread) callSide(name string, self, other Value) (Value, error) {
	f, ok := self.Type().Lookup(name)
	if !ok {
		return nil, nil
	}
	v, err := t.callBound(f, self, other)
	if err != nil || v == NotImplemented {
		return nil, err
	}
	return v, nil
}

// builtArith is the operator of one built-in class, which knows only operands
// of its own kind.
func (t *Thread) builtArith(c *Type, op syntax.Operator, a, b Value) (Value, error) {
	x, y := Unwrap(a), Unwrap(b)
	switch c {
	case IntType, BoolType:
		if !isInt(x) || !isInt(y) {
			return nil, nil
		}
	case FloatType:
		if !isReal(x) || !isReal(y) {
			return nil, nil
		}
	case StrType:
		if s, ok := x.(*Str); ok {
			return t.Percent(s, b)
		}
		return nil, nil
	case BytesType:
		if s, ok := x.(*Bytes); ok {
			return t.percentBytes(s, b)
		}
		return nil, nil
	}
	return t.arith(op, x, y)
}

// sequenceOp is concatenation and repetition; nil when neither operand has it.
func (t *Thread) sequenceOp(op syntax.Operator, a, b Value, inplace bool) (Value, error) {
	if op == syntax.Add {
		if x := Unwrap(a); isSequence(x) && builtOwnerOf(a, "__add__") {
			v, err := t.containerArith(op, x, Unwrap(b))
			if v == nil && err == nil {
				err = concatError(a, b)
			}
			return v, err
		}
		return nil, nil
	}
	if repeats(a) {
		return t.sequenceRepeat(a, b)
	}
	// *= looks at the right side only when the left one is no container at all.
	if repeats(b) && !(inplace && t.sequenceProtocol(a)) {
		return t.sequenceRepeat(b, a)
	}
	return nil, nil
}

func builtOwnerOf(v Value, method string) bool {
	f, ok := v.Type().Lookup(method)
	return ok && builtOwner(f) != nil
}

// repeats reports whether v is a sequence whose class keeps the built-in
// repetition.
func repeats(v Value) bool {
	return isSequence(Unwrap(v)) && (plain(v) || builtOwnerOf(v, "__mul__") && builtOwnerOf(v, "__rmul__"))
}

func (t *Thread) sequenceRepeat(seq, count Value) (Value, error) {
	if !hasIndex(count) {
		return nil, TypeErrorf("can't multiply sequence by non-int of type '%s'", TypeName(count))
	}
	n, err := t.index(count)
	if err != nil {
		return nil, err
	}
	return t.repeat(Unwrap(seq), n)
}

// concatError is the TypeError for seq + v.
func concatError(seq, v Value) error {
	name := ""
	switch Unwrap(seq).(type) {
	case *Bytes:
		return TypeErrorf("can't concat %s to %s", TypeName(v), TypeName(seq))
	case *Str:
		name = "str"
	case *List:
		name = "list"
	default:
		name = "tuple"
	}
	return TypeErrorf("can only concatenate %s (not \"%s\") to %s", name, TypeName(v), name)
}

// operandError is the TypeError for unsupported operands.
func operandError(symbol string, a, b Value) error {
	return TypeErrorf("unsupported operand type(s) for %s: '%s' and '%s'", symbol, TypeName(a), TypeName(b))
}

func isSequence(v Value) bool {
	switch v.(type) {
	case *Str, *List, *Tuple, *Bytes:
		return true
	}
	return false
}

// InplaceOp computes a op= b.
func (t *Thread) InplaceOp(op syntax.Operator, a, b Value) (Value, error) {
	switch a.(type) {
	case Int, *Str, Float, *List, *Tuple:
		// Their classes have no in-place slot in the number protocol.
	default:
		if v, err := t.inplaceNumber(op, a, b); v != nil || err != nil {
			return v, err
		}
	}
	if v, err := t.binary(op, a, b); v != nil || err != nil {
		return v, err
	}
	if op == syntax.Add || op == syntax.Mult {
		if l, ok := Unwrap(a).(*List); ok && (l == a || builtOwnerOf(a, methodNames[op].inplace)) {
			return a, t.inplaceList(op, l, b)
		}
		if v, err := t.sequenceOp(op, a, b, true); v != nil || err != nil {
			return v, err
		}
	}
	symbol := opNames[op].symbol
	if op == syntax.Pow {
		symbol = "**"
	}
	return nil, operandError(symbol+"=", a, b)
}

// inplaceNumber is the in-place slot of sets, dicts and classes with __iop__;
// nil when there is none or it declines.
func (t *Thread) inplaceNumber(op syntax.Operator, a, b Value) (Value, error) {
	f, ok := a.Type().Lookup(methodNames[op].inplace)
	if !ok {
		return nil, nil
	}
	switch owner := builtOwner(f); {
	case owner == nil:
		return t.callSide(methodNames[op].inplace, a, b)
	case isSequenceType(owner) && op != syntax.Add:
		return nil, nil
	}
	switch x := Unwrap(a).(type) {
	case *List: // a subclass takes its concatenation into the number protocol
		return a, t.inplaceList(op, x, b)
	case *Set:
		if y, ok := AsSet(b); ok && !x.Frozen {
			return a, t.inplaceSet(op, x, y)
		}
	case *Dict:
		if op == syntax.BitOr {
			return a, t.dictUpdate(x, b)
		}
	}
	return nil, nil
}

// inplaceList is l += v and l *= v.
func (t *Thread) inplaceList(op syntax.Operator, l *List, v Value) error {
	if op == syntax.Add {
		return t.listExtend(l, v)
	}
	if !hasIndex(v) {
		return TypeErrorf("can't multiply sequence by non-int of type '%s'", TypeName(v))
	}
	i, err := t.index(v)
	if err != nil {
		return err
	}
	n, ok := AsInt(i)
	if !ok {
		return OverflowErrorf("cannot fit 'int' into an index-sized integer")
	}
	items, err := t.repeatItems(l.Items, n)
	if err == nil {
		l.Replace(t, items)
	}
	return err
}
