package py

import (
	"math"
	"math/big"

	"gauntlet/internal/py/libm"
	"gauntlet/internal/py/syntax"
)

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
		var m *big.Int
		if z, m = floorDivMod(x, y); op == syntax.Mod {
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
	// Beyond any memory CPython gives up before it tries. Programs can catch
	// that, so it is not a matter of our limits. Its digits have 30 bits, and
	// their number is bounded by an eighth of the address space.
	if digits := new(big.Int).Quo(y, big.NewInt(30)); digits.BitLen() > 61 {
		return nil, OverflowErrorf("too many digits in integer")
	} else if digits.BitLen() > 40 {
		return nil, noMemory()
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
	z := 1 / x // for y -1, rounded correctly also where x is near a tie
	if y != -1 {
		z = libm.Pow(x, y)
	}
	if math.IsInf(z, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return nil, RaiseArgs(OverflowErrorType, Int(34), NewStr("Numerical result out of range"))
	}
	return Float(z), nil
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
