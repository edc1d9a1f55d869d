package py

import (
	"math"
	"math/big"
	"math/bits"

	"gauntlet/internal/py/libm"
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
		if s, isStr := Unwrap(self).(*Str); isStr && op == syntax.Mod {
			return t.Percent(s, other)
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

func (t *Thread) inplaceSet(op syntax.Operator, x, y *Set) (Value, error) {
	if op != syntax.BitOr && op != syntax.BitAnd && op != syntax.Sub && op != syntax.BitXor {
		return t.binaryOr(op, x, y)
	}
	v, err := t.arith(op, x, y)
	if err != nil || v == nil {
		return nil, err
	}
	t.touchSet(x)
	t.wroteAll(&x.obj)
	x.tab = v.(*Set).tab
	return x, nil
}

// extend appends all items of v (list.extend, list += v).
func (t *Thread) extend(l *List, v Value) error {
	var items []Value
	var err error
	if src, ok := v.(*List); ok {
		items = src.Items
		t.sawKeys(&src.obj)
		if err := t.Alloc(16 * len(items)); err != nil {
			return err
		}
	} else if items, err = t.Collect(v); err != nil {
		return err
	}
	if len(items) == 0 {
		return nil
	}
	t.touchList(l)
	base := len(l.Items)
	l.Items = append(l.Items, items...)
	if t.log.on {
		for i, x := range items {
			t.wroteItem(&l.obj, Int(base+i), x)
		}
	}
	return nil
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

func (t *Thread) setArith(op syntax.Operator, x, y *Set) (Value, error) {
	var s *Set
	var err error
	switch op {
	case syntax.BitOr:
		s, err = setUnion(t, x, y)
	case syntax.BitAnd:
		s, err = setIntersection(t, x, y)
	case syntax.Sub:
		s, err = setDifference(t, x, y)
	case syntax.BitXor:
		s, err = setSymmetric(t, x, y)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (t *Thread) concat(x, y *Str) (Value, error) {
	if x.n == 0 {
		return y, nil
	}
	if y.n == 0 {
		return x, nil
	}
	if err := t.Alloc(len(x.s) + len(y.s) + 24); err != nil {
		return nil, err
	}
	return &Str{x.s + y.s, x.n + y.n}, nil
}

func (t *Thread) concatItems(x, y []Value) ([]Value, error) {
	if err := t.Alloc(16 * (len(x) + len(y))); err != nil {
		return nil, err
	}
	out := make([]Value, 0, len(x)+len(y))
	return append(append(out, x...), y...), nil
}

func (t *Thread) repeatItems(x []Value, n int64) ([]Value, error) {
	if n <= 0 || len(x) == 0 {
		return nil, nil
	}
	if n > 1<<40/int64(len(x)) {
		return nil, t.Alloc(-1)
	}
	if err := t.Alloc(16 * len(x) * int(n)); err != nil {
		return nil, err
	}
	out := make([]Value, 0, len(x)*int(n))
	for range n {
		out = append(out, x...)
	}
	return out, nil
}

// repeat is sequence * int.
func (t *Thread) repeat(seq, count Value) (Value, error) {
	n, ok := AsInt(count)
	if !ok {
		if count.(*Big).V.Sign() > 0 {
			return nil, OverflowErrorf("cannot fit 'int' into an index-sized integer")
		}
		n = 0
	}
	n = max(n, 0)
	switch s := seq.(type) {
	case *Str:
		text, err := t.repeatText(s.s, n)
		return NewStr(text), err
	case *Bytes:
		text, err := t.repeatText(s.B, n)
		return &Bytes{text}, err
	case *List:
		items, err := t.repeatItems(s.Items, n)
		return t.NewList(items), err
	case *Tuple:
		items, err := t.repeatItems(s.Items, n)
		return NewTuple(items...), err
	}
	return nil, nil
}

func (t *Thread) repeatText(s string, n int64) (string, error) {
	if len(s) == 0 || n == 0 {
		return "", nil
	}
	if n > 1<<40/int64(len(s)) {
		return "", t.Alloc(-1)
	}
	if err := t.Alloc(len(s) * int(n)); err != nil {
		return "", err
	}
	b := make([]byte, 0, len(s)*int(n))
	for range n {
		b = append(b, s...)
	}
	return string(b), nil
}

// bigOf returns an int as big.Int; the result must not be changed.
func bigOf(v Value) *big.Int {
	switch v := v.(type) {
	case Int:
		return big.NewInt(int64(v))
	case Bool:
		if v {
			return big.NewInt(1)
		}
		return new(big.Int)
	case *Big:
		return v.V
	}
	return nil
}

func intToFloat(v Value) (float64, error) {
	switch v := v.(type) {
	case Int:
		return float64(v), nil
	case Bool:
		if v {
			return 1, nil
		}
		return 0, nil
	}
	f, _ := new(big.Float).SetInt(v.(*Big).V).Float64()
	if math.IsInf(f, 0) {
		return 0, OverflowErrorf("int too large to convert to float")
	}
	return f, nil
}

var errZeroDivision = "integer division or modulo by zero"

// intArith computes on two ints of any size.
func (t *Thread) intArith(op syntax.Operator, a, b Value) (Value, error) {
	x, okx := AsInt(a)
	y, oky := AsInt(b)
	if okx && oky {
		if v, err := smallInt(op, x, y); v != nil || err != nil {
			return v, err
		}
	}
	return t.bigArith(op, bigOf(a), bigOf(b))
}

// smallInt handles 64-bit operands; nil means: use big.Int.
func smallInt(op syntax.Operator, x, y int64) (Value, error) {
	switch op {
	case syntax.Add, syntax.Sub, syntax.Mult:
		return smallArith(op, x, y), nil
	case syntax.FloorDiv, syntax.Mod:
		if y == 0 {
			if op == syntax.Mod {
				return nil, RaiseType(ZeroDivisionErrorType, "integer modulo by zero")
			}
			return nil, RaiseType(ZeroDivisionErrorType, "%s", errZeroDivision)
		}
		if x == math.MinInt64 && y == -1 {
			return nil, nil
		}
		q, r := x/y, x%y
		if r != 0 && (r < 0) != (y < 0) {
			q--
			r += y
		}
		if op == syntax.Mod {
			return Int(r), nil
		}
		return Int(q), nil
	case syntax.BitAnd:
		return Int(x & y), nil
	case syntax.BitOr:
		return Int(x | y), nil
	case syntax.BitXor:
		return Int(x ^ y), nil
	case syntax.RShift:
		if y < 0 {
			return nil, ValueErrorf("negative shift count")
		}
		return Int(x >> min(uint64(y), 63)), nil
	case syntax.LShift:
		if y < 0 {
			return nil, ValueErrorf("negative shift count")
		}
		if x == 0 {
			return Int(0), nil
		}
		if y < 63 && x<<y>>y == x {
			return Int(x << y), nil
		}
	case syntax.Div:
		if y == 0 {
			return nil, RaiseType(ZeroDivisionErrorType, "division by zero")
		}
		if absU(x) < 1<<53 && absU(y) < 1<<53 {
			return Float(float64(x) / float64(y)), nil
		}
	}
	return nil, nil
}

// maxIntBits bounds the size of an int: 1 MiB of digits.
const maxIntBits = 8 << 20

// chargeBits pays for making an int of n bits from operands of that size.
func (t *Thread) chargeBits(n int64) error {
	if n > maxIntBits {
		return &LimitError{LimitMemory, "integer of more than 8388608 bits"}
	}
	words := n / 64
	if err := t.Charge(int(words + words*words>>10)); err != nil {
		return err
	}
	return t.Alloc(int(n/8) + 16)
}

func (t *Thread) bigArith(op syntax.Operator, x, y *big.Int) (Value, error) {
	z := new(big.Int)
	lx, ly := int64(x.BitLen()), int64(y.BitLen())
	if err := t.chargeBits(max(lx, ly)); err != nil {
		return nil, err
	}
	switch op {
	case syntax.Add:
		z.Add(x, y)
	case syntax.Sub:
		z.Sub(x, y)
	case syntax.Mult:
		if err := t.chargeBits(lx + ly); err != nil {
			return nil, err
		}
		z.Mul(x, y)
	case syntax.FloorDiv, syntax.Mod:
		if y.Sign() == 0 {
			return smallInt(op, 1, 0)
		}
		m := new(big.Int)
		z, m = floorDivMod(x, y)
		if op == syntax.Mod {
			z = m
		}
	case syntax.BitAnd:
		z.And(x, y)
	case syntax.BitOr:
		z.Or(x, y)
	case syntax.BitXor:
		z.Xor(x, y)
	case syntax.LShift, syntax.RShift:
		return t.bigShift(op, x, y)
	case syntax.Div:
		return bigDiv(x, y)
	case syntax.Pow:
		return t.intPow(x, y)
	default:
		return nil, nil
	}
	return MakeInt(z), nil
}

// floorDivMod rounds towards minus infinity.
func floorDivMod(x, y *big.Int) (q, m *big.Int) {
	q, m = new(big.Int).QuoRem(x, y, new(big.Int))
	if m.Sign() != 0 && m.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
		m.Add(m, y)
	}
	return q, m
}

func (t *Thread) bigShift(op syntax.Operator, x, y *big.Int) (Value, error) {
	if y.Sign() < 0 {
		return nil, ValueErrorf("negative shift count")
	}
	if op == syntax.RShift {
		if !y.IsInt64() || y.Int64() > int64(x.BitLen()) {
			if x.Sign() < 0 {
				return Int(-1), nil
			}
			return Int(0), nil
		}
		return MakeInt(new(big.Int).Rsh(x, uint(y.Int64()))), nil
	}
	if x.Sign() == 0 {
		return Int(0), nil
	}
	if !y.IsInt64() || y.Int64() > 1<<40 {
		return nil, t.chargeBits(1 << 40)
	}
	if err := t.chargeBits(int64(x.BitLen()) + y.Int64()); err != nil {
		return nil, err
	}
	return MakeInt(new(big.Int).Lsh(x, uint(y.Int64()))), nil
}

// bigDiv is true division, correctly rounded.
func bigDiv(x, y *big.Int) (Value, error) {
	if y.Sign() == 0 {
		return nil, RaiseType(ZeroDivisionErrorType, "division by zero")
	}
	f, _ := new(big.Rat).SetFrac(x, y).Float64()
	if math.IsInf(f, 0) {
		return nil, OverflowErrorf("integer division result too large for a float")
	}
	if f == 0 && y.Sign() < 0 != (x.Sign() < 0) {
		f = math.Copysign(0, -1)
	}
	return Float(f), nil
}

func (t *Thread) intPow(x, y *big.Int) (Value, error) {
	if y.Sign() < 0 {
		fx, err := intToFloat(MakeInt(x))
		if err != nil {
			return nil, err
		}
		fy, err := intToFloat(MakeInt(y))
		if err != nil {
			return nil, err
		}
		return floatPow(fx, fy)
	}
	if x.BitLen() > 1 {
		if !y.IsInt64() || y.Int64() > 1<<40 {
			return nil, t.chargeBits(1 << 40)
		}
		if err := t.chargeBits(int64(x.BitLen()) * y.Int64()); err != nil {
			return nil, err
		}
	} else if !y.IsInt64() {
		// The base is 0, 1 or -1: only the parity of the exponent matters.
		y = big.NewInt(2 + int64(y.Bit(0)))
	} else if x.Sign() < 0 {
		y = big.NewInt(2 + int64(y.Bit(0)))
		if y.Int64() == 2 {
			return Int(1), nil
		}
		return Int(-1), nil
	}
	if x.IsInt64() && (x.Int64() == 0 || x.Int64() == 1) {
		if x.Int64() == 0 && y.Sign() == 0 {
			return Int(1), nil
		}
		return Int(x.Int64()), nil
	}
	return MakeInt(new(big.Int).Exp(x, y, nil)), nil
}

func floatArith(op syntax.Operator, x, y float64) (Value, error) {
	switch op {
	case syntax.Add:
		return Float(x + y), nil
	case syntax.Sub:
		return Float(x - y), nil
	case syntax.Mult:
		return Float(x * y), nil
	case syntax.Div:
		if y == 0 {
			return nil, RaiseType(ZeroDivisionErrorType, "float division by zero")
		}
		return Float(x / y), nil
	case syntax.FloorDiv:
		if y == 0 {
			return nil, RaiseType(ZeroDivisionErrorType, "float floor division by zero")
		}
		q, _ := floatDivMod(x, y)
		return Float(q), nil
	case syntax.Mod:
		if y == 0 {
			return nil, RaiseType(ZeroDivisionErrorType, "float modulo")
		}
		_, m := floatDivMod(x, y)
		return Float(m), nil
	case syntax.Pow:
		return floatPow(x, y)
	}
	return nil, nil
}

// floatDivMod is CPython's float floor division: the modulus takes the sign of
// the divisor and a zero quotient keeps the sign of the true quotient.
func floatDivMod(x, y float64) (q, m float64) {
	m = math.Mod(x, y)
	div := (x - m) / y
	if m != 0 {
		if (y < 0) != (m < 0) {
			m += y
			div--
		}
	} else {
		m = math.Copysign(0, y)
	}
	if div == 0 {
		return math.Copysign(0, x/y), m
	}
	q = math.Floor(div)
	if div-q > 0.5 {
		q++
	}
	return q, m
}

func floatPow(x, y float64) (Value, error) {
	if x == 0 && y < 0 && !math.IsInf(y, -1) {
		return nil, RaiseType(ZeroDivisionErrorType, "0.0 cannot be raised to a negative power")
	}
	if x < 0 && !math.IsInf(x, 0) && y != math.Floor(y) && !math.IsNaN(y) {
		return nil, ValueErrorf("complex results are not supported here")
	}
	z := libm.Pow(x, y)
	if math.IsInf(z, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return nil, RaiseArgs(OverflowErrorType, Int(34), NewStr("Numerical result out of range"))
	}
	return Float(z), nil
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

func intUnary(op syntax.UnaryOperator, v Value) (Value, error) {
	if n, ok := AsInt(v); ok {
		switch {
		case op == syntax.UAdd:
			return Int(n), nil
		case op == syntax.Invert:
			return Int(^n), nil
		case n != math.MinInt64:
			return Int(-n), nil
		}
	}
	x := bigOf(v)
	switch op {
	case syntax.UAdd:
		return v, nil
	case syntax.Invert:
		return MakeInt(new(big.Int).Not(x)), nil
	}
	return MakeInt(new(big.Int).Neg(x)), nil
}
