package py

import (
	"math/big"
	"math/bits"
	"slices"

	"gauntlet/internal/py/text"
)

// intMembers are the methods of int; bool inherits them.
func intMembers() []Member {
	same := func(_ *Thread, self Value, _ []Value) (Value, error) { return asInt(self), nil }
	return []Member{
		Def("as_integer_ratio", "", func(_ *Thread, self Value, _ []Value) (Value, error) {
			return NewTuple(asInt(self), Int(1)), nil
		}),
		Def("bit_count", "", func(_ *Thread, self Value, _ []Value) (Value, error) {
			n := 0
			for _, w := range bigOf(self).Bits() {
				n += bits.OnesCount(uint(w))
			}
			return Int(n), nil
		}),
		Def("bit_length", "", func(_ *Thread, self Value, _ []Value) (Value, error) {
			return Int(bigOf(self).BitLen()), nil
		}),
		Def("conjugate", "", same),
		{"from_bytes", NewClassMethod("from_bytes", "bytes, byteorder='big', *, signed=False", intFromBytes)},
		Def("to_bytes", "length=1, byteorder='big', *, signed=False", intToBytes),
		Get("real", func(_ *Thread, self Value) (Value, error) { return asInt(Unwrap(self)), nil }),
		Get("imag", func(*Thread, Value) (Value, error) { return Int(0), nil }),
		Get("numerator", func(_ *Thread, self Value) (Value, error) { return asInt(Unwrap(self)), nil }),
		Get("denominator", func(*Thread, Value) (Value, error) { return Int(1), nil }),
	}
}

// asInt turns a bool into the int it counts as.
func asInt(v Value) Value {
	if i, ok := plainInt(v); ok {
		return i
	}
	return v
}

// byteOrder reads the byteorder argument; true means little-endian.
func byteOrder(name string, v Value) (little bool, err error) {
	if v == nil {
		return false, nil
	}
	s, ok := AsStr(v)
	if !ok {
		return false, TypeErrorf("%s() argument 'byteorder' must be str, not %s", name, typeNameNone(v))
	}
	switch s.s {
	case "little":
		return true, nil
	case "big":
		return false, nil
	}
	return false, ValueErrorf("byteorder must be either 'little' or 'big'")
}

// optTruth is the truth of an optional argument.
func (t *Thread) optTruth(v Value) (bool, error) {
	if v == nil {
		return false, nil
	}
	return t.Truth(v)
}

func intToBytes(t *Thread, self Value, a []Value) (Value, error) {
	length := 1
	if a[0] != nil {
		n, err := t.toSize(a[0])
		if err != nil {
			return nil, err
		}
		length = n
	}
	little, err := byteOrder("to_bytes", a[1])
	if err != nil {
		return nil, err
	}
	signed, err := t.optTruth(a[2])
	if err != nil {
		return nil, err
	}
	if length < 0 {
		return nil, ValueErrorf("length argument must be non-negative")
	}
	if err := t.allocText(length); err != nil {
		return nil, err
	}
	n := bigOf(self)
	if n.Sign() < 0 && !signed {
		return nil, OverflowErrorf("can't convert negative int to unsigned")
	}
	size := n.BitLen()
	if signed {
		if n.Sign() < 0 { // -128 fits 8 bits
			size = new(big.Int).Not(n).BitLen()
		}
		if n.Sign() != 0 {
			size++
		}
	}
	if size > 8*length {
		return nil, OverflowErrorf("int too big to convert")
	}
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*length)))
	}
	b := n.FillBytes(make([]byte, length))
	if little {
		slices.Reverse(b)
	}
	return &Bytes{string(b)}, nil
}

func intFromBytes(t *Thread, self Value, a []Value) (Value, error) {
	little, err := byteOrder("from_bytes", a[1])
	if err != nil {
		return nil, err
	}
	signed, err := t.optTruth(a[2])
	if err != nil {
		return nil, err
	}
	var raw string
	if b, ok := asBytes(a[0]); ok {
		raw = b.B
	} else if raw, err = t.byteItems(a[0]); err != nil {
		return nil, err
	}
	if err := t.allocText(len(raw)); err != nil {
		return nil, err
	}
	b := []byte(raw)
	if little {
		slices.Reverse(b)
	}
	n := new(big.Int).SetBytes(b)
	if signed && len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	if cls, ok := self.(*Type); ok && cls != IntType {
		return t.Call(cls, []Value{MakeInt(n)}, nil)
	}
	return MakeInt(n), nil
}

// floatMembers are the methods of float.
func floatMembers() []Member {
	return []Member{
		Def("as_integer_ratio", "", func(_ *Thread, self Value, _ []Value) (Value, error) {
			n, d, err := text.IntegerRatio(float64(self.(Float)))
			if err != nil {
				return nil, raiseText(err)
			}
			return NewTuple(MakeInt(n), MakeInt(d)), nil
		}),
		Def("conjugate", "", func(_ *Thread, self Value, _ []Value) (Value, error) { return self, nil }),
		{"fromhex", NewClassMethod("fromhex", "string, /", func(t *Thread, self Value, a []Value) (Value, error) {
			s, ok := AsStr(a[0])
			if !ok {
				return nil, TypeErrorf("bad argument type for built-in operation")
			}
			if err := t.allocText(len(s.s)); err != nil {
				return nil, err
			}
			f, err := text.FloatFromHex(s.s)
			if err != nil {
				return nil, raiseText(err)
			}
			if cls, ok := self.(*Type); ok && cls != FloatType {
				return t.Call(cls, []Value{Float(f)}, nil)
			}
			return Float(f), nil
		})},
		Def("hex", "", func(_ *Thread, self Value, _ []Value) (Value, error) {
			return NewStr(text.FloatHex(float64(self.(Float)))), nil
		}),
		Def("is_integer", "", func(_ *Thread, self Value, _ []Value) (Value, error) {
			return Bool(text.IsInteger(float64(self.(Float)))), nil
		}),
		Get("real", func(_ *Thread, self Value) (Value, error) { return Unwrap(self), nil }),
		Get("imag", func(*Thread, Value) (Value, error) { return Float(0), nil }),
	}
}
