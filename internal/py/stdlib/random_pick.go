package stdlib

import (
	"math"
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// rangeArg converts an argument of randrange: an int, or a float that is whole.
func rangeArg(t *py.Thread, v py.Value, what string) (*big.Int, error) {
	n, err := bigIndex(t, v)
	if _, isType := py.Catch(err, py.TypeErrorType); !isType {
		return n, err
	}
	i, err := t.Call(py.IntType, []py.Value{v}, nil)
	if err != nil {
		return nil, err
	}
	same, err := t.Eq(i, v)
	if err != nil {
		return nil, err
	}
	if !same {
		return nil, py.ValueErrorf("non-integer %s for randrange()", what)
	}
	return bigIndex(t, i)
}

func randomRange(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	start, err := rangeArg(t, a[0], "arg 1")
	if err != nil {
		return nil, err
	}
	if !isSet(a[1]) {
		if a[2] != nil && a[2] != py.Value(py.Int(1)) {
			return nil, py.TypeErrorf("Missing a non-None stop argument")
		}
		if start.Sign() > 0 {
			return belowValue(t, r, start)
		}
		return nil, py.ValueErrorf("empty range for randrange()")
	}
	stop, err := rangeArg(t, a[1], "stop")
	if err != nil {
		return nil, err
	}
	width := new(big.Int).Sub(stop, start)
	one := big.NewInt(1)
	step, err := rangeArg(t, given(a[2], py.Int(1)), "step")
	if err != nil {
		return nil, err
	}
	n := width
	switch {
	case step.Cmp(one) == 0:
		if width.Sign() <= 0 {
			return nil, py.ValueErrorf("empty range for randrange() (%s, %s, %s)", start, stop, width)
		}
	case step.Sign() == 0:
		return nil, py.ValueErrorf("zero step for randrange()")
	default:
		n = new(big.Int).Add(width, step)
		n.Sub(n, big.NewInt(int64(step.Sign())))
		n = floorQuo(n, step)
		if n.Sign() <= 0 {
			return nil, py.ValueErrorf("empty range for randrange()")
		}
	}
	v, err := belowValue(t, r, n)
	if err != nil {
		return nil, err
	}
	i, _ := t.AsBigInt(v)
	return py.MakeInt(new(big.Int).Add(start, new(big.Int).Mul(i, step))), nil
}

// floorQuo is n // d.
func floorQuo(n, d *big.Int) *big.Int {
	q, m := new(big.Int).QuoRem(n, d, new(big.Int))
	if m.Sign() != 0 && m.Sign() != d.Sign() {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

// belowValue draws from 0 to n-1 for a positive n.
func belowValue(t *py.Thread, r *randomObject, n *big.Int) (py.Value, error) {
	if n.IsInt64() {
		return py.Int(r.below(uint64(n.Int64()))), nil
	}
	if err := chargeBits(t, 2*float64(n.BitLen())); err != nil {
		return nil, err
	}
	return py.MakeInt(r.bigBelow(n)), nil
}

func randomInt(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	stop, err := t.BinaryOp(syntax.Add, a[1], py.Int(1))
	if err != nil {
		return nil, err
	}
	return randomRange(t, r, []py.Value{a[0], stop, nil})
}

func randomChoice(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	n, err := t.Len(a[0])
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, py.IndexErrorf("Cannot choose from an empty sequence")
	}
	return t.GetItem(a[0], py.Int(r.below(uint64(n))))
}

func randomShuffle(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	n, err := t.Len(a[0])
	if err != nil {
		return nil, err
	}
	if l, ok := a[0].(*py.List); ok {
		items, err := t.Collect(l)
		if err != nil {
			return nil, err
		}
		for i := n - 1; i > 0; i-- {
			j := r.below(uint64(i + 1))
			items[i], items[j] = items[j], items[i]
		}
		l.Replace(t, items)
		return py.None, nil
	}
	for i := n - 1; i > 0; i-- {
		if err := swapItems(t, a[0], i, int(r.below(uint64(i+1)))); err != nil {
			return nil, err
		}
	}
	return py.None, nil
}

// swapItems is x[i], x[j] = x[j], x[i].
func swapItems(t *py.Thread, x py.Value, i, j int) error {
	if err := t.Charge(4); err != nil {
		return err
	}
	a, err := t.GetItem(x, py.Int(j))
	if err != nil {
		return err
	}
	b, err := t.GetItem(x, py.Int(i))
	if err != nil {
		return err
	}
	if err := t.SetItem(x, py.Int(i), a); err != nil {
		return err
	}
	return t.SetItem(x, py.Int(j), b)
}

// accumulate returns the running totals of v.
func accumulate(t *py.Thread, v py.Value) ([]py.Value, error) {
	items, err := t.Collect(v)
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(items); i++ {
		if items[i], err = t.BinaryOp(syntax.Add, items[i-1], items[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// bisectRight is the first place in a[lo:hi] whose item is greater than x.
func bisectRight(t *py.Thread, a []py.Value, x py.Value, lo, hi int) (int, error) {
	for lo < hi {
		mid := (lo + hi) / 2
		less, err := t.Less(x, a[mid])
		if err != nil {
			return 0, err
		}
		if less {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo, nil
}

// drawMany makes a list of k items of population at the positions that pick returns.
func drawMany(t *py.Thread, population py.Value, k int64, pick func() (int, error)) (py.Value, error) {
	k = max(0, k)
	if err := t.Alloc(int(min(k, 1<<40)) * 16); err != nil {
		return nil, err
	}
	out := make([]py.Value, k)
	for i := range out {
		if err := t.Charge(2); err != nil {
			return nil, err
		}
		j, err := pick()
		if err != nil {
			return nil, err
		}
		if out[i], err = t.GetItem(population, py.Int(j)); err != nil {
			return nil, err
		}
	}
	return t.NewList(out), nil
}

func randomChoices(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	population := a[0]
	n, err := t.Len(population)
	if err != nil {
		return nil, err
	}
	k := int64(1)
	if a[3] != nil {
		if k, err = t.AsIndex(a[3]); err != nil {
			return nil, err
		}
	}
	var totals []py.Value
	switch {
	case isSet(a[2]) && isSet(a[1]):
		return nil, py.TypeErrorf("Cannot specify both weights and cumulative weights")
	case isSet(a[2]):
		totals, err = t.Collect(a[2])
	case isSet(a[1]):
		totals, err = accumulate(t, a[1])
		if _, bad := py.Catch(err, py.TypeErrorType); bad {
			if _, isInt := t.AsBigInt(a[1]); isInt {
				s, err := t.Repr(a[1])
				if err != nil {
					return nil, err
				}
				return nil, py.TypeErrorf("The number of choices must be a keyword argument: k=%s", s)
			}
		}
	default:
		return drawMany(t, population, k, func() (int, error) { return int(r.float64() * float64(n)), nil })
	}
	if err != nil {
		return nil, err
	}
	if len(totals) != n {
		return nil, py.ValueErrorf("The number of weights does not match the population")
	}
	if n == 0 {
		return nil, py.IndexErrorf("list index out of range")
	}
	sum, err := t.BinaryOp(syntax.Add, totals[n-1], py.Float(0))
	if err != nil {
		return nil, err
	}
	total, err := t.AsFloat(sum)
	switch {
	case err != nil:
		return nil, err
	case total <= 0:
		return nil, py.ValueErrorf("Total of weights must be greater than zero")
	case math.IsInf(total, 0) || total != total:
		return nil, py.ValueErrorf("Total of weights must be finite")
	}
	return drawMany(t, population, k, func() (int, error) {
		return bisectRight(t, totals, py.Float(r.float64()*total), 0, n-1)
	})
}

// isSequence reports whether v counts as a collections.abc.Sequence.
func isSequence(v py.Value) bool {
	switch py.Unwrap(v).(type) {
	case *py.List, *py.Tuple, *py.Str, *py.Bytes, *py.Range:
		return true
	case *py.Instance, *py.Dict, *py.Set, *py.Type:
		return false
	}
	_, item := v.Type().Lookup("__getitem__")
	_, reversed := v.Type().Lookup("__reversed__")
	_, keys := v.Type().Lookup("keys")
	return item && reversed && !keys
}

func randomSample(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	population := a[0]
	if !isSequence(population) {
		return nil, py.TypeErrorf("Population must be a sequence.  For dicts or sets, use sorted(d).")
	}
	n, err := t.Len(population)
	if err != nil {
		return nil, err
	}
	if isSet(a[2]) {
		return sampleCounted(t, r, population, n, a)
	}
	k, err := sampleSize(t, a[1], n)
	if err != nil {
		return nil, err
	}
	picks, err := samplePositions(t, r, n, k)
	if err != nil {
		return nil, err
	}
	i := -1
	return drawMany(t, population, int64(k), func() (int, error) { i++; return picks[i], nil })
}

func sampleSize(t *py.Thread, v py.Value, n int) (int, error) {
	for _, pair := range [][2]py.Value{{v, py.Int(0)}, {py.Int(n), v}} {
		less, err := t.Less(pair[0], pair[1])
		if err != nil {
			return 0, err
		}
		if less {
			return 0, py.ValueErrorf("Sample larger than population or is negative")
		}
	}
	k, ok := t.AsBigInt(v)
	if !ok {
		return 0, py.TypeErrorf("can't multiply sequence by non-int of type '%s'", py.TypeName(v))
	}
	return int(k.Int64()), nil
}

// samplePositions draws k distinct numbers below n: from a pool when n is
// small, else by rejecting repeats. The limit between the two decides which
// random numbers are used, so it is CPython's.
func samplePositions(t *py.Thread, r *randomObject, n, k int) ([]int, error) {
	limit := 21
	if k > 5 {
		p := 1
		for p < 3*k {
			p *= 4
		}
		limit += p
	}
	size := k
	if n <= limit {
		size = n
	}
	if err := t.Alloc(8*k + 32*size); err != nil {
		return nil, err
	}
	out := make([]int, k)
	if n > limit {
		seen := make(map[int]bool, k)
		for i := range out {
			j := int(r.below(uint64(n)))
			for seen[j] {
				j = int(r.below(uint64(n)))
			}
			seen[j], out[i] = true, j
		}
		return out, nil
	}
	pool := make([]int, n)
	for i := range pool {
		pool[i] = i
	}
	for i := range out {
		j := r.below(uint64(n - i))
		out[i] = pool[j]
		pool[j] = pool[n-i-1]
	}
	return out, nil
}

// sampleCounted samples a population whose items are repeated.
func sampleCounted(t *py.Thread, r *randomObject, population py.Value, n int, a []py.Value) (py.Value, error) {
	totals, err := accumulate(t, a[2])
	if err != nil {
		return nil, err
	}
	if len(totals) != n {
		return nil, py.ValueErrorf("The number of counts does not match the population")
	}
	if n == 0 {
		return nil, py.IndexErrorf("pop from empty list")
	}
	total, ok := t.AsBigInt(totals[n-1])
	switch {
	case !ok:
		return nil, py.TypeErrorf("Counts must be integers")
	case total.Sign() <= 0:
		return nil, py.ValueErrorf("Total of counts must be greater than zero")
	case !total.IsInt64():
		return nil, py.OverflowErrorf("Python int too large to convert to C ssize_t")
	}
	k, err := sampleSize(t, a[1], int(total.Int64()))
	if err != nil {
		return nil, err
	}
	picks, err := samplePositions(t, r, int(total.Int64()), k)
	if err != nil {
		return nil, err
	}
	i := -1
	return drawMany(t, population, int64(k), func() (int, error) {
		i++
		return bisectRight(t, totals[:n-1], py.Int(picks[i]), 0, n-1)
	})
}
