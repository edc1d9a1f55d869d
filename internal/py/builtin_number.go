package py

import (
	"math"
	"math/big"
	"strconv"

	"gauntlet/internal/py/syntax"
)

// abs is abs(v).
func (t *Thread) abs(v Value) (Value, error) {
	if f, ok := v.Type().Lookup("__abs__"); ok {
		if n, native := f.(*Native); !native || n.Owner == nil || !n.Owner.solid {
			return t.callBound(f, v)
		}
	}
	switch x := Unwrap(v).(type) {
	case Int, Bool, *Big:
		if n := bigOf(x); n.Sign() < 0 {
			return MakeInt(new(big.Int).Neg(n)), nil
		}
		return asInt(x), nil
	case Float:
		return Float(math.Abs(float64(x))), nil
	}
	return nil, TypeErrorf("bad operand type for abs(): '%s'", TypeName(v))
}

// isReal reports whether v is an int, bool or float value.
func isReal(v Value) bool {
	switch v.(type) {
	case Int, Bool, *Big, Float:
		return true
	}
	return false
}

// divmod is divmod(a, b).
func (t *Thread) divmod(a, b Value) (Value, error) {
	if v, err := t.divmodHalf("__divmod__", a, b, false); v != nil || err != nil {
		return v, err
	}
	if v, err := t.divmodHalf("__rdivmod__", b, a, true); v != nil || err != nil {
		return v, err
	}
	return nil, TypeErrorf("unsupported operand type(s) for divmod(): '%s' and '%s'", TypeName(a), TypeName(b))
}

// divmodHalf runs one side; nil means not implemented.
func (t *Thread) divmodHalf(method string, self, other Value, reflected bool) (Value, error) {
	f, ok := self.Type().Lookup(method)
	if n, native := f.(*Native); !ok || native && n.Owner != nil && n.Owner.solid {
		x, y := Unwrap(self), Unwrap(other)
		if reflected {
			x, y = y, x
		}
		return t.divmodReal(x, y)
	}
	r, err := t.callBound(f, self, other)
	if r == NotImplemented || err != nil {
		return nil, err
	}
	return r, nil
}

// divmodReal is divmod of built-in numbers; nil for anything else.
func (t *Thread) divmodReal(x, y Value) (Value, error) {
	if !isReal(x) || !isReal(y) {
		return nil, nil
	}
	_, fx := x.(Float)
	_, fy := y.(Float)
	if fx || fy {
		a, err := t.AsFloat(x)
		if err != nil {
			return nil, err
		}
		b, err := t.AsFloat(y)
		if err != nil {
			return nil, err
		}
		if b == 0 {
			return nil, RaiseType(ZeroDivisionErrorType, "float divmod()")
		}
		q, m := floatDivMod(a, b)
		return NewTuple(Float(q), Float(m)), nil
	}
	q, err := t.intArith(syntax.FloorDiv, x, y)
	if err != nil {
		return nil, err
	}
	m, err := t.intArith(syntax.Mod, x, y)
	return NewTuple(q, m), err
}

// pow is pow(base, exp, mod); mod is nil for the form with two arguments.
func (t *Thread) pow(base, exp, mod Value) (Value, error) {
	if mod == nil {
		return t.BinaryOp(syntax.Pow, base, exp)
	}
	b, e, m := bigOf(Unwrap(base)), bigOf(Unwrap(exp)), bigOf(Unwrap(mod))
	if b == nil || e == nil || m == nil {
		return t.powOther(base, exp, mod)
	}
	if m.Sign() == 0 {
		return nil, ValueErrorf("pow() 3rd argument cannot be 0")
	}
	// Square and multiply: one product of the size of m per bit of e.
	words := int64(m.BitLen()/64 + 1)
	if int64(e.BitLen())*words*words > 1<<36 {
		return nil, &LimitError{LimitSteps, "modular power of huge numbers"}
	}
	if err := t.Charge(int(int64(e.BitLen())*words*words/16) + 1); err != nil {
		return nil, err
	}
	abs := new(big.Int).Abs(m)
	r := new(big.Int)
	if e.Sign() < 0 {
		inv := new(big.Int).ModInverse(new(big.Int).Mod(b, abs), abs)
		if inv == nil && abs.Cmp(big.NewInt(1)) != 0 {
			return nil, ValueErrorf("base is not invertible for the given modulus")
		}
		if inv == nil {
			inv = new(big.Int)
		}
		b, e = inv, new(big.Int).Neg(e)
	}
	r.Exp(b, e, abs)
	if abs.Cmp(big.NewInt(1)) == 0 {
		r.SetInt64(0)
	}
	if m.Sign() < 0 && r.Sign() != 0 { // the result takes the sign of the modulus
		r.Add(r, m)
	}
	return MakeInt(r), nil
}

// powOther is three-argument pow when an operand is no int.
func (t *Thread) powOther(base, exp, mod Value) (Value, error) {
	if f, ok := base.Type().Lookup("__pow__"); ok {
		if _, native := f.(*Native); !native {
			r, err := t.callBound(f, base, exp, mod)
			if r != NotImplemented || err != nil {
				return r, err
			}
		}
	}
	for _, v := range []Value{base, exp, mod} {
		if _, ok := Unwrap(v).(Float); ok {
			return nil, TypeErrorf("pow() 3rd argument not allowed unless all arguments are integers")
		}
	}
	return nil, TypeErrorf("unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'", TypeName(base), TypeName(exp), TypeName(mod))
}

// round is round(v, digits); digits is nil when absent.
func (t *Thread) round(v, digits Value) (Value, error) {
	f, ok := v.Type().Lookup("__round__")
	if n, native := f.(*Native); ok && (!native || n.Owner == nil || !n.Owner.solid) {
		if digits == nil {
			return t.callBound(f, v)
		}
		return t.callBound(f, v, digits)
	}
	switch x := Unwrap(v).(type) {
	case Int, Bool, *Big:
		return t.roundInt(x, digits)
	case Float:
		return t.roundFloat(float64(x), digits)
	}
	return nil, TypeErrorf("type %s doesn't define __round__ method", TypeName(v))
}

func (t *Thread) roundInt(x, digits Value) (Value, error) {
	if digits == nil {
		return asInt(x), nil
	}
	i, err := t.index(digits)
	if err != nil {
		return nil, err
	}
	places := clampSize(i)
	if places >= 0 {
		return asInt(x), nil
	}
	n := bigOf(x)
	if places < -n.BitLen() { // 10**-places is far above twice the number
		return Int(0), nil
	}
	if err := t.chargeBits(int64(-places) * 4); err != nil {
		return nil, err
	}
	unit := bigPow10(-places)
	return MakeInt(unit.Mul(roundHalfEven(n, unit), unit)), nil
}

// roundFloat rounds the exact binary value, ties to even, as CPython does.
func (t *Thread) roundFloat(x float64, digits Value) (Value, error) {
	if digits == nil {
		return floatToInt(math.RoundToEven(x))
	}
	i, err := t.index(digits)
	if err != nil {
		return nil, err
	}
	places := clampSize(i)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || x == 0 || places > 323:
		return Float(x), nil
	case places < -308:
		return Float(math.Copysign(0, x)), nil
	case places >= 0:
		r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', places, 64), 64)
		return Float(r), nil
	}
	exact := new(big.Rat).SetFloat64(math.Abs(x))
	unit := bigPow10(-places)
	n := roundHalfEven(exact.Num(), new(big.Int).Mul(exact.Denom(), unit))
	r, _ := new(big.Float).SetInt(n.Mul(n, unit)).Float64()
	if math.IsInf(r, 0) {
		return nil, OverflowErrorf("rounded value too large to represent")
	}
	return Float(math.Copysign(r, x)), nil
}

// sumFunc is sum(iterable, /, start=0).
func sumFunc(t *Thread, args []Value, kw []Kw) (Value, error) {
	if len(args)+len(kw) > 2 {
		return nil, tooManyGiven("sum", 2, args, kw)
	}
	if len(args) == 0 {
		return nil, TypeErrorf("sum() takes at least 1 positional argument (0 given)")
	}
	var acc Value = Int(0)
	if len(args) > 1 {
		acc = args[1]
	}
	for _, k := range kw {
		if k.Name != "start" {
			return nil, TypeErrorf("'%s' is an invalid keyword argument for sum()", k.Name)
		}
		acc = k.Value
	}
	it, err := t.Iter(args[0])
	if err != nil {
		return nil, err
	}
	switch Unwrap(acc).(type) {
	case *Str:
		return nil, TypeErrorf("sum() can't sum strings [use ''.join(seq) instead]")
	case *Bytes:
		return nil, TypeErrorf("sum() can't sum bytes [use b''.join(seq) instead]")
	}
	for {
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		v, err := it.Next(t)
		if err != nil {
			return nil, err
		}
		if v == nil {
			return acc, nil
		}
		if acc, err = t.BinaryOp(syntax.Add, acc, v); err != nil {
			return nil, err
		}
	}
}

// extreme is max and min: of the arguments, or of one iterable.
func extreme(name string, greatest bool) func(t *Thread, args []Value, kw []Kw) (Value, error) {
	op := syntax.Lt
	if greatest {
		op = syntax.Gt
	}
	return func(t *Thread, args []Value, kw []Kw) (Value, error) {
		if len(args) == 0 {
			return nil, TypeErrorf("%s expected at least 1 argument, got 0", name)
		}
		var key, def Value
		for _, k := range kw {
			switch k.Name {
			case "key":
				key = notNone(k.Value)
			case "default":
				def = k.Value
			default:
				return nil, TypeErrorf("'%s' is an invalid keyword argument for %s()", k.Name, name)
			}
		}
		var items Value = args[0]
		if len(args) > 1 {
			if def != nil {
				return nil, TypeErrorf("Cannot specify a default for %s() with multiple positional arguments", name)
			}
			items = NewTuple(append([]Value(nil), args...)...)
		}
		best, err := t.best(items, key, op)
		if best == nil && err == nil {
			best = def
			if def == nil {
				err = ValueErrorf("%s() arg is an empty sequence", name)
			}
		}
		return best, err
	}
}

// best returns the item whose key wins against all earlier ones, or nil when
// there are none.
func (t *Thread) best(items, key Value, op syntax.CmpOp) (Value, error) {
	var best, bestKey Value
	err := t.ForEach(items, func(v Value) error {
		k := v
		if key != nil {
			var err error
			if k, err = t.Call(key, []Value{v}, nil); err != nil {
				return err
			}
		}
		if best != nil {
			r, err := t.Compare(op, k, bestKey)
			if err != nil {
				return err
			}
			if wins, err := t.Truth(r); !wins || err != nil {
				return err
			}
		}
		best, bestKey = v, k
		return nil
	})
	return best, err
}
