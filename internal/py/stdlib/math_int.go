package stdlib

import (
	"math"
	"math/big"

	"gauntlet/internal/py"
)

// integerMembers are the functions of math on ints, exact at any size.
func integerMembers() []py.Member {
	return []py.Member{
		py.Func("comb", "n, k, /", mathComb),
		py.Func("perm", "n, k=None, /", mathPerm),
		py.Func("factorial", "n, /", mathFactorial),
		py.Func("gcd", "*integers", mathGCD),
		py.Func("lcm", "*integers", mathLCM),
		py.Func("isqrt", "n, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			n, err := bigIndex(t, a[0])
			if err != nil {
				return nil, err
			}
			if n.Sign() < 0 {
				return nil, py.ValueErrorf("isqrt() argument must be nonnegative")
			}
			if err := chargeBits(t, float64(n.BitLen())); err != nil {
				return nil, err
			}
			return py.MakeInt(new(big.Int).Sqrt(n)), nil
		}),
	}
}

// bigIndex is operator.index(v) as a big.Int that must not be changed.
func bigIndex(t *py.Thread, v py.Value) (*big.Int, error) {
	if n, ok := t.AsBigInt(v); ok {
		return n, nil
	}
	r, ok, err := t.CallSpecial(v, "__index__")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, py.TypeErrorf("'%s' object cannot be interpreted as an integer", py.TypeName(v))
	}
	n, isInt := t.AsBigInt(r)
	if !isInt {
		return nil, py.TypeErrorf("__index__ returned non-int (type %s)", py.TypeName(r))
	}
	return n, nil
}

// maxBits bounds the ints that a library function makes: 1 MiB of digits.
const maxBits = 8 << 20

// chargeBits pays for computing an int of about n bits.
func chargeBits(t *py.Thread, n float64) error {
	if n > maxBits {
		return &py.LimitError{Kind: py.LimitMemory, Msg: "integer of more than 8388608 bits"}
	}
	words := int(n / 64)
	if err := t.Charge(1 + words + words*words>>8); err != nil {
		return err
	}
	return t.Alloc(int(n/8) + 16)
}

// smallK converts a count of factors, refusing what cannot be multiplied out.
func smallK(k *big.Int, what string) (int64, error) {
	if !k.IsInt64() {
		return 0, py.OverflowErrorf("%s must not exceed %d", what, int64(math.MaxInt64))
	}
	return k.Int64(), nil
}

// falling is n(n-1)...(n-k+1), by halves so that the factors stay balanced.
func falling(n *big.Int, k int64) *big.Int {
	if k == 0 {
		return big.NewInt(1)
	}
	if k == 1 {
		return n
	}
	if n.IsInt64() {
		return new(big.Int).MulRange(n.Int64()-k+1, n.Int64())
	}
	h := k / 2
	rest := new(big.Int).Sub(n, big.NewInt(h))
	return new(big.Int).Mul(falling(n, h), falling(rest, k-h))
}

// countArgs converts and checks the arguments of comb and perm.
func countArgs(t *py.Thread, n, k py.Value) (*big.Int, *big.Int, error) {
	x, err := bigIndex(t, n)
	if err != nil {
		return nil, nil, err
	}
	y, err := bigIndex(t, k)
	if err != nil {
		return nil, nil, err
	}
	if x.Sign() < 0 {
		return nil, nil, py.ValueErrorf("n must be a non-negative integer")
	}
	if y.Sign() < 0 {
		return nil, nil, py.ValueErrorf("k must be a non-negative integer")
	}
	return x, y, nil
}

func mathComb(t *py.Thread, a []py.Value) (py.Value, error) {
	n, k, err := countArgs(t, a[0], a[1])
	if err != nil {
		return nil, err
	}
	if k.Cmp(n) > 0 {
		return py.Int(0), nil
	}
	if other := new(big.Int).Sub(n, k); other.Cmp(k) < 0 {
		k = other
	}
	m, err := smallK(k, "min(n - k, k)")
	if err != nil {
		return nil, err
	}
	if err := chargeBits(t, float64(m)*float64(n.BitLen())); err != nil {
		return nil, err
	}
	return py.MakeInt(new(big.Int).Quo(falling(n, m), new(big.Int).MulRange(1, m))), nil
}

func mathPerm(t *py.Thread, a []py.Value) (py.Value, error) {
	if !isSet(a[1]) {
		return mathFactorial(t, a[:1])
	}
	n, k, err := countArgs(t, a[0], a[1])
	if err != nil {
		return nil, err
	}
	if k.Cmp(n) > 0 {
		return py.Int(0), nil
	}
	m, err := smallK(k, "k")
	if err != nil {
		return nil, err
	}
	if err := chargeBits(t, float64(m)*float64(n.BitLen())); err != nil {
		return nil, err
	}
	return py.MakeInt(falling(n, m)), nil
}

func mathFactorial(t *py.Thread, a []py.Value) (py.Value, error) {
	n, err := bigIndex(t, a[0])
	if err != nil {
		return nil, err
	}
	if n.Sign() < 0 {
		return nil, py.ValueErrorf("factorial() not defined for negative values")
	}
	if !n.IsInt64() {
		return nil, py.OverflowErrorf("factorial() argument should not exceed %d", int64(math.MaxInt64))
	}
	if err := chargeBits(t, float64(n.Int64())*float64(n.BitLen())); err != nil {
		return nil, err
	}
	return py.MakeInt(new(big.Int).MulRange(1, n.Int64())), nil
}

func mathGCD(t *py.Thread, a []py.Value) (py.Value, error) {
	g := new(big.Int)
	for _, v := range a[0].(*py.Tuple).Items {
		n, err := bigIndex(t, v)
		if err != nil {
			return nil, err
		}
		if err := chargeBits(t, float64(max(n.BitLen(), g.BitLen()))); err != nil {
			return nil, err
		}
		g = new(big.Int).GCD(nil, nil, g, new(big.Int).Abs(n))
	}
	return py.MakeInt(g), nil
}

func mathLCM(t *py.Thread, a []py.Value) (py.Value, error) {
	m := big.NewInt(1)
	for _, v := range a[0].(*py.Tuple).Items {
		n, err := bigIndex(t, v)
		if err != nil {
			return nil, err
		}
		if n.Sign() == 0 || m.Sign() == 0 {
			m = new(big.Int)
			continue
		}
		if err := chargeBits(t, float64(n.BitLen()+m.BitLen())); err != nil {
			return nil, err
		}
		n = new(big.Int).Abs(n)
		g := new(big.Int).GCD(nil, nil, m, n)
		m = new(big.Int).Mul(m, n.Quo(n, g))
	}
	return py.MakeInt(m), nil
}
