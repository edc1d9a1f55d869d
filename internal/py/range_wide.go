package py

import "math/big"

// wideRange is the part of a range whose bounds or length do not fit 64 bits.
// Its numbers must not be changed.
type wideRange struct{ start, stop, step, n *big.Int }

// rangeOf makes range(start, stop, step) from ints of any size; step is not zero.
func rangeOf(start, stop, step *big.Int) *Range {
	span, size := new(big.Int), new(big.Int).Abs(step)
	if step.Sign() > 0 {
		span.Sub(stop, start)
	} else {
		span.Sub(start, stop)
	}
	n := new(big.Int)
	if span.Sign() > 0 { // rounded up
		n.Add(span, size).Sub(n, big.NewInt(1)).Quo(n, size)
	}
	if start.IsInt64() && stop.IsInt64() && step.IsInt64() && n.IsInt64() {
		return &Range{Start: start.Int64(), Stop: stop.Int64(), Step: step.Int64(), N: n.Int64()}
	}
	return &Range{wide: &wideRange{start, stop, step, n}}
}

// parts returns the bounds, the step and the length of any range.
func (r *Range) parts() (start, stop, step, n *big.Int) {
	if r.wide != nil {
		return r.wide.start, r.wide.stop, r.wide.step, r.wide.n
	}
	return big.NewInt(r.Start), big.NewInt(r.Stop), big.NewInt(r.Step), big.NewInt(r.N)
}

// length is len(r).
func (r *Range) length() (int, error) {
	if r.wide == nil {
		return int(r.N), nil
	}
	if !r.wide.n.IsInt64() {
		return 0, OverflowErrorf("Python int too large to convert to C ssize_t")
	}
	return int(r.wide.n.Int64()), nil
}

// empty reports whether the range has no element.
func (r *Range) empty() bool { return r.N == 0 && (r.wide == nil || r.wide.n.Sign() == 0) }

// equal reports whether two ranges have the same elements.
func (r *Range) equal(o *Range) bool {
	start, _, step, n := r.parts()
	start2, _, step2, n2 := o.parts()
	return n.Cmp(n2) == 0 && (n.Sign() == 0 || start.Cmp(start2) == 0 && (n.Cmp(big.NewInt(1)) == 0 || step.Cmp(step2) == 0))
}

// at is the element i, which is in the range.
func (w *wideRange) at(i *big.Int) Value {
	return MakeInt(new(big.Int).Add(w.start, new(big.Int).Mul(i, w.step)))
}

// item is r[i].
func (w *wideRange) item(i *big.Int) (Value, bool) {
	if i.Sign() < 0 {
		i = new(big.Int).Add(i, w.n)
	}
	if i.Sign() < 0 || i.Cmp(w.n) >= 0 {
		return nil, false
	}
	return w.at(i), true
}

// find is the index of an int in the range.
func (r *Range) find(v *big.Int) (*big.Int, bool) {
	start, _, step, n := r.parts()
	i, rest := new(big.Int).QuoRem(new(big.Int).Sub(v, start), step, new(big.Int))
	return i, rest.Sign() == 0 && i.Sign() >= 0 && i.Cmp(n) < 0
}

// slice is r[s], for ints of any size in r or s.
func (r *Range) slice(t *Thread, s *Slice) (Value, error) {
	start, _, step, n := r.parts()
	by := big.NewInt(1)
	if s.Step != None {
		i, err := t.sliceInt(s.Step)
		if err != nil {
			return nil, err
		}
		if by = i; by.Sign() == 0 {
			return nil, ValueErrorf("slice step cannot be zero")
		}
	}
	low, high := new(big.Int), n
	first, last := low, high
	if by.Sign() < 0 {
		low, high = big.NewInt(-1), new(big.Int).Sub(n, big.NewInt(1))
		first, last = high, low
	}
	bound := func(v Value, absent *big.Int) (*big.Int, error) {
		if v == None {
			return absent, nil
		}
		i, err := t.sliceInt(v)
		if err != nil {
			return nil, err
		}
		if i.Sign() < 0 {
			i = new(big.Int).Add(i, n)
		}
		if i.Cmp(low) < 0 {
			return low, nil
		}
		if i.Cmp(high) > 0 {
			return high, nil
		}
		return i, nil
	}
	from, err := bound(s.Start, first)
	if err != nil {
		return nil, err
	}
	to, err := bound(s.Stop, last)
	if err != nil {
		return nil, err
	}
	place := func(i *big.Int) *big.Int { return new(big.Int).Add(start, new(big.Int).Mul(i, step)) }
	return rangeOf(place(from), place(to), new(big.Int).Mul(step, by)), nil
}

// sliceInt is a part of a slice as an int of any size.
func (t *Thread) sliceInt(v Value) (*big.Int, error) {
	if !hasIndex(v) {
		return nil, TypeErrorf("slice indices must be integers or None or have an __index__ method")
	}
	i, err := t.index(v)
	if err != nil {
		return nil, err
	}
	return bigOf(i), nil
}

var wideIterType = sealed("longrange_iterator")

// wideIter iterates over a wide range.
type wideIter struct {
	w    *wideRange
	next *big.Int // index
}

// Type returns longrange_iterator.
func (*wideIter) Type() *Type { return wideIterType }

// Next returns the next element.
func (it *wideIter) Next(t *Thread) (Value, error) {
	if it.next.Cmp(it.w.n) >= 0 {
		return nil, nil
	}
	if err := t.chargeBits(int64(it.w.start.BitLen() + it.w.step.BitLen() + 64)); err != nil {
		return nil, err
	}
	v := it.w.at(it.next)
	it.next = new(big.Int).Add(it.next, big.NewInt(1))
	return v, nil
}

// CopyFor copies the iterator for a fork.
func (it *wideIter) CopyFor(*Copier) (Value, error) { n := *it; return &n, nil }

// reversed is the range backwards.
func (w *wideRange) reversed() *wideRange {
	last := new(big.Int).Sub(w.n, big.NewInt(1))
	back := new(big.Int).Neg(w.step)
	start := new(big.Int).Add(w.start, last.Mul(last, w.step))
	return &wideRange{start: start, stop: new(big.Int).Sub(w.start, w.step), step: back, n: w.n}
}

// hashRange hashes what makes ranges equal: the length, then the first element
// and the step where they matter.
func (t *Thread) hashRange(r *Range) (int64, error) {
	start, _, step, n := r.parts()
	key := []Value{MakeInt(n), None, None}
	if n.Sign() > 0 {
		key[1] = MakeInt(start)
	}
	if n.Cmp(big.NewInt(1)) > 0 {
		key[2] = MakeInt(step)
	}
	return t.hashTuple(key)
}
