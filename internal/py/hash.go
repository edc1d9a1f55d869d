package py

import (
	"math"
	"math/big"
	"math/bits"
	"unsafe"
)

// hashModulus is CPython's prime for numeric hashes on 64-bit machines.
// Source: the Python library reference, "Hashing of numeric types".
const hashModulus = 1<<61 - 1

// Hash is the hash for dict and set tables. Equal values hash equally.
func (t *Thread) Hash(v Value) (uint64, error) {
	switch x := v.(type) {
	case *Str:
		return hashStr(x.s), nil
	case Int:
		return uint64(hashInt64(int64(x))), nil
	}
	if h, ok := addressHash(v); ok {
		return h, nil
	}
	h, err := t.HashInt(v)
	return uint64(h), err
}

// addressHash is the table hash of classes and functions: their address, which
// no program sees.
func addressHash(v Value) (uint64, bool) {
	switch x := v.(type) {
	case *Type:
		if x.Meta != nil {
			return 0, false
		}
	case *Function, *Native:
	default:
		return 0, false
	}
	return hashPointer(v), true
}

func hashInt64(x int64) int64 {
	if x >= 0 {
		return x % hashModulus
	}
	h := -int64(absU(x) % hashModulus)
	if h == -1 {
		h = -2
	}
	return h
}

// HashInt is what hash(v) returns: CPython's value for numbers, a fixed value
// for text (CPython's changes from process to process).
func (t *Thread) HashInt(v Value) (int64, error) {
	switch x := v.(type) {
	case Int:
		return hashInt64(int64(x)), nil
	case Bool:
		if x {
			return 1, nil
		}
		return 0, nil
	case *Str:
		return int64(hashStr(x.s)), nil
	case Float:
		return hashFloat(float64(x)), nil
	case *Big:
		return hashBig(x.V), nil
	case NoneType:
		return 0xFCA86420, nil
	case *Bytes:
		return int64(hashStr(x.B)), nil
	case *Tuple:
		return t.hashTuple(x.Items)
	case *Set:
		if x.Frozen {
			return t.hashSet(x)
		}
	case *List, *Dict:
	case *Slice:
	case *Range:
		return t.hashRange(x)
	case EllipsisType, NotImplementedType:
		return 7, nil
	default:
		return t.hashObject(v)
	}
	return 0, TypeErrorf("unhashable type: '%s'", TypeName(v))
}

func (t *Thread) hashObject(v Value) (int64, error) {
	f, ok := v.Type().Lookup("__hash__")
	if f == None {
		return 0, TypeErrorf("unhashable type: '%s'", TypeName(v))
	}
	n, native := f.(*Native)
	switch {
	case !ok || native && n.Owner == ObjectType:
		return t.identityHash(v)
	case native && n.Owner != nil && n.Owner.solid:
		if _, wrapped := v.(*Instance); wrapped && Unwrap(v) != v && n.Owner != BaseExceptionType {
			return t.HashInt(Unwrap(v))
		}
		return t.identityHash(v)
	}
	r, err := t.callBound(f, v)
	if err != nil {
		return 0, err
	}
	switch r := Unwrap(r).(type) {
	case Int:
		if r == -1 {
			return -2, nil
		}
		return int64(r), nil
	case Bool, *Big:
		return t.HashInt(r)
	}
	return 0, TypeErrorf("__hash__ method should return an integer")
}

// identityHash is the hash of an object without a hash of its own: its id, a
// number that is the same in every run.
func (t *Thread) identityHash(v Value) (int64, error) {
	id, err := t.idOf(v)
	if err != nil {
		return 0, err
	}
	n, _ := AsInt(id)
	return n, nil
}

// hashPointer hashes by identity. The value never reaches output order.
func hashPointer(v Value) uint64 { return uint64(pointerOf(v)) >> 4 }

// pointerOf is the address of an object. Objects do not move.
func pointerOf(v Value) uintptr {
	type iface struct{ typ, data unsafe.Pointer }
	return uintptr((*iface)(unsafe.Pointer(&v)).data)
}

// hashBig reduces an integer modulo 2^61-1 with the sign kept; -1 becomes -2.
func hashBig(x *big.Int) int64 {
	m := new(big.Int).Rem(x, big.NewInt(hashModulus)).Int64()
	if m == -1 {
		m = -2
	}
	return m
}

// hashFloat agrees with the hash of an equal int or fraction.
func hashFloat(f float64) int64 {
	switch {
	case math.IsInf(f, 1):
		return 314159
	case math.IsInf(f, -1):
		return -314159
	case f != f:
		return 0
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<62 {
		return hashInt64(int64(f))
	}
	m, e := math.Frexp(f)
	sign := int64(1)
	if m < 0 {
		sign, m = -1, -m
	}
	var x uint64
	for m != 0 {
		x = (x<<28)&hashModulus | x>>33
		m *= 1 << 28
		e -= 28
		y := uint64(m)
		m -= float64(y)
		x += y
		if x >= hashModulus {
			x -= hashModulus
		}
	}
	if e >= 0 {
		e %= 61
	} else {
		e = 61 - 1 - ((-1 - e) % 61)
	}
	x = (x<<uint(e))&hashModulus | x>>uint(61-e)
	h := int64(x) * sign
	if h == -1 {
		h = -2
	}
	return h
}

// hashTuple is CPython's tuple hash, derived from xxHash.
// Source: https://github.com/Cyan4973/xxHash/blob/master/doc/xxhash_spec.md
func (t *Thread) hashTuple(items []Value) (int64, error) {
	const p1, p2, p5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
	if err := t.Enter(); err != nil {
		return 0, err
	}
	defer t.Leave()
	if err := t.Charge(len(items) + 1); err != nil {
		return 0, err
	}
	acc := uint64(p5)
	for _, v := range items {
		h, err := t.HashInt(v)
		if err != nil {
			return 0, err
		}
		acc += uint64(h) * p2
		acc = bits.RotateLeft64(acc, 31) * p1
	}
	acc += uint64(len(items)) ^ (p5 ^ 3527539)
	if acc == math.MaxUint64 {
		return 1546275796, nil
	}
	return int64(acc), nil
}

// hashSet is independent of the order of the elements.
func (t *Thread) hashSet(s *Set) (int64, error) {
	if err := t.Enter(); err != nil {
		return 0, err
	}
	defer t.Leave()
	if err := t.Charge(len(s.tab.entries) + 1); err != nil {
		return 0, err
	}
	acc := uint64(s.Len()+1) * 1927868237
	for _, e := range s.tab.entries {
		if e.key != nil {
			h, err := t.HashInt(e.key)
			if err != nil {
				return 0, err
			}
			acc ^= (uint64(h) ^ uint64(h)<<16 ^ 89869747) * 3644798167
		}
	}
	return int64(acc), nil
}
