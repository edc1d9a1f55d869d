package py

import (
	"math/bits"

	"gauntlet/internal/py/syntax"
)

// opNames gives the special method and the symbol of each binary operator.
var opNames = [...]struct{ method, symbol string }{
	syntax.Add: {"add", "+"}, syntax.Sub: {"sub", "-"}, syntax.Mult: {"mul", "*"},
	syntax.MatMult: {"matmul", "@"}, syntax.Div: {"truediv", "/"}, syntax.Mod: {"mod", "%"},
	syntax.Pow: {"pow", "** or pow()"}, syntax.LShift: {"lshift", "<<"}, syntax.RShift: {"rshift", ">>"},
	syntax.BitOr: {"or", "|"}, syntax.BitXor: {"xor", "^"}, syntax.BitAnd: {"and", "&"},
	syntax.FloorDiv: {"floordiv", "//"},
}

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
	if x, ok := a.(Int); ok {
		if y, ok := b.(Int); ok {
			if v := smallArith(op, int64(x), int64(y)); v != nil {
				return v, nil
			}
		}
	}
	v, err := t.binary(op, a, b)
	if v == nil && err == nil && op == syntax.Mult {
		v, err = t.repeatByIndex(a, b)
	}
	if v != nil || err != nil {
		return v, err
	}
	return nil, t.operandError(op, a, b, false)
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

// binary tries the operator on both sides; nil means not implemented.
func (t *Thread) binary(op syntax.Operator, a, b Value) (Value, error) {
	if plain(a) && plain(b) {
		return t.arith(op, a, b)
	}
	name := opNames[op].method
	ta, tb := a.Type(), b.Type()
	if ta != tb && tb.IsSubclass(ta) {
		if v, err := t.half(op, "__r"+name+"__", b, a, true); v != nil || err != nil {
			return v, err
		}
		return t.half(op, "__"+name+"__", a, b, false)
	}
	if v, err := t.half(op, "__"+name+"__", a, b, false); v != nil || err != nil {
		return v, err
	}
	if ta == tb {
		return nil, nil
	}
	return t.half(op, "__r"+name+"__", b, a, true)
}

// half runs one side of a binary operator; nil means not implemented.
func (t *Thread) half(op syntax.Operator, method string, self, other Value, reflected bool) (Value, error) {
	f, ok := self.Type().Lookup(method)
	if n, isNative := f.(*Native); !ok && plain(self) || isNative && n.Owner != nil && n.Owner.solid {
		if reflected {
			return t.arith(op, Unwrap(other), Unwrap(self))
		}
		if op == syntax.Mod {
			switch format := Unwrap(self).(type) {
			case *Str:
				return t.Percent(format, other)
			case *Bytes:
				return t.percentBytes(format, other)
			}
		}
		return t.arith(op, Unwrap(self), Unwrap(other))
	}
	if !ok || f == None {
		return nil, nil
	}
	v, err := t.callBound(f, self, other)
	if err != nil || v == NotImplemented {
		return nil, err
	}
	return v, nil
}

// repeatByIndex is sequence * object with __index__, on either side.
func (t *Thread) repeatByIndex(a, b Value) (Value, error) {
	seq, count := Unwrap(a), b
	if !isSequence(seq) {
		seq, count = Unwrap(b), a
	}
	if !isSequence(seq) {
		return nil, nil
	}
	if _, ok := count.Type().Lookup("__index__"); !ok || plain(count) {
		return nil, nil
	}
	n, err := t.index(count)
	if err != nil {
		return nil, err
	}
	return t.repeat(seq, n)
}

// operandError is the TypeError for unsupported operands.
func (t *Thread) operandError(op syntax.Operator, a, b Value, inplace bool) error {
	ua := Unwrap(a)
	if op == syntax.Add {
		switch ua.(type) {
		case *Str:
			return TypeErrorf("can only concatenate str (not \"%s\") to str", TypeName(b))
		case *List:
			return TypeErrorf("can only concatenate list (not \"%s\") to list", TypeName(b))
		case *Tuple:
			return TypeErrorf("can only concatenate tuple (not \"%s\") to tuple", TypeName(b))
		case *Bytes:
			return TypeErrorf("can't concat %s to bytes", TypeName(b))
		}
	}
	if op == syntax.Mult {
		if isSequence(ua) {
			return TypeErrorf("can't multiply sequence by non-int of type '%s'", TypeName(b))
		}
		if isSequence(Unwrap(b)) {
			return TypeErrorf("can't multiply sequence by non-int of type '%s'", TypeName(a))
		}
	}
	sym := opNames[op].symbol
	if inplace {
		if op == syntax.Pow {
			sym = "**"
		}
		sym += "="
	}
	return TypeErrorf("unsupported operand type(s) for %s: '%s' and '%s'", sym, TypeName(a), TypeName(b))
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
	switch x := a.(type) {
	case Int:
		return t.binaryOr(op, a, b)
	case *List:
		switch op {
		case syntax.Add:
			return x, t.listExtend(x, b)
		case syntax.Mult:
			if n, ok := AsInt(b); ok {
				v, err := t.repeatItems(x.Items, n)
				if err != nil {
					return nil, err
				}
				x.Replace(t, v)
				return x, nil
			}
		}
	case *Set:
		if y, ok := AsSet(b); ok && !x.Frozen {
			return t.inplaceSet(op, x, y)
		}
	case *Dict:
		if op == syntax.BitOr {
			return x, t.dictUpdate(x, b)
		}
	case *Str, Float:
	default:
		if f, ok := a.Type().Lookup("__i" + opNames[op].method + "__"); ok {
			if n, ok := f.(*Native); ok && n.Owner != nil && n.Owner.solid {
				v, err := t.InplaceOp(op, Unwrap(a), b)
				if err != nil {
					return nil, err
				}
				if header(v) != nil {
					return a, nil
				}
				return v, nil
			}
			v, err := t.callBound(f, a, b)
			if err != nil || v != NotImplemented {
				return v, err
			}
		}
	}
	return t.binaryOr(op, a, b)
}

func (t *Thread) binaryOr(op syntax.Operator, a, b Value) (Value, error) {
	if x, ok := a.(Int); ok {
		if y, ok := b.(Int); ok {
			if v := smallArith(op, int64(x), int64(y)); v != nil {
				return v, nil
			}
		}
	}
	v, err := t.binary(op, a, b)
	if v == nil && err == nil {
		err = t.operandError(op, a, b, true)
	}
	return v, err
}

// arith is the operators of built-in values; nil means not implemented.
func (t *Thread) arith(op syntax.Operator, a, b Value) (Value, error) {
	switch x := a.(type) {
	case Int, Bool, *Big:
		switch b.(type) {
		case Int, Bool, *Big:
			if p, ok := a.(Bool); ok {
				if q, ok := b.(Bool); ok {
					switch op {
					case syntax.BitAnd:
						return p && q, nil
					case syntax.BitOr:
						return p || q, nil
					case syntax.BitXor:
						return Bool(p != q), nil
					}
				}
			}
			return t.intArith(op, a, b)
		case Float:
			f, err := intToFloat(a)
			if err != nil {
				return nil, err
			}
			return floatArith(op, f, float64(b.(Float)))
		case *Str, *List, *Tuple, *Bytes:
			if op == syntax.Mult {
				return t.repeat(b, a)
			}
		}
	case Float:
		switch y := b.(type) {
		case Float:
			return floatArith(op, float64(x), float64(y))
		case Int, Bool, *Big:
			f, err := intToFloat(b)
			if err != nil {
				return nil, err
			}
			return floatArith(op, float64(x), f)
		}
	default:
		return t.containerArith(op, a, b)
	}
	return nil, nil
}

// containerArith is the operators whose left side is text or a container.
func (t *Thread) containerArith(op syntax.Operator, a, b Value) (Value, error) {
	switch x := a.(type) {
	case *Str:
		switch op {
		case syntax.Add:
			if y, ok := b.(*Str); ok {
				return t.concat(x, y)
			}
		case syntax.Mod:
			return t.Percent(x, b)
		}
	case *Bytes:
		if op == syntax.Mod {
			return t.percentBytes(x, b)
		}
		if y, ok := b.(*Bytes); ok && op == syntax.Add {
			if err := t.Alloc(len(x.B) + len(y.B)); err != nil {
				return nil, err
			}
			return &Bytes{x.B + y.B}, nil
		}
	case *List:
		if y, ok := b.(*List); ok && op == syntax.Add {
			items, err := t.concatItems(x.Items, y.Items)
			if err != nil {
				return nil, err
			}
			t.SawDeep(x)
			t.SawDeep(y)
			return t.NewList(items), nil
		}
	case *Tuple:
		if y, ok := b.(*Tuple); ok && op == syntax.Add {
			items, err := t.concatItems(x.Items, y.Items)
			return NewTuple(items...), err
		}
	case *Set:
		if y, ok := b.(*Set); ok {
			return t.setArith(op, x, y)
		}
	case *Dict:
		if y, ok := b.(*Dict); ok && op == syntax.BitOr {
			d, err := x.Copy(t)
			if err != nil {
				return nil, err
			}
			return d, d.Update(t, y)
		}
	}
	if op == syntax.Mult && isSequence(a) {
		switch b.(type) {
		case Int, Bool, *Big:
			return t.repeat(a, b)
		}
	}
	return nil, nil
}

// UnaryOp computes op a.
func (t *Thread) UnaryOp(op syntax.UnaryOperator, a Value) (Value, error) {
	if op == syntax.Not {
		b, err := t.Truth(a)
		return Bool(!b), err
	}
	u := a
	if !plain(a) {
		name := [...]string{syntax.Invert: "__invert__", syntax.UAdd: "__pos__", syntax.USub: "__neg__"}[op]
		f, ok := a.Type().Lookup(name)
		if n, native := f.(*Native); ok && !(native && n.Owner != nil && n.Owner.solid) {
			return t.callBound(f, a)
		}
		u = Unwrap(a)
	}
	switch x := u.(type) {
	case Int, Bool, *Big:
		return intUnary(op, x)
	case Float:
		switch op {
		case syntax.USub:
			return -x, nil
		case syntax.UAdd:
			return x, nil
		}
	}
	sym := [...]string{syntax.Invert: "~", syntax.UAdd: "+", syntax.USub: "-"}[op]
	return nil, TypeErrorf("bad operand type for unary %s: '%s'", sym, TypeName(a))
}
