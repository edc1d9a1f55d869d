package py

import "gauntlet/internal/py/syntax"

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
