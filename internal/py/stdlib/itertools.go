package stdlib

import (
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// This file is the module itertools with its linear iterators; the
// combinatoric ones are in itertools_combine.go, grouping and tee in
// itertools_group.go.

// iterSource computes the items of a library iterator.
type iterSource interface {
	// next returns the next item; nil, nil at the end.
	next(t *py.Thread) (py.Value, error)
	// fork copies the state for a forked thread.
	fork(c *py.Copier) (iterSource, error)
}

// libIter is an iterator object of the library.
type libIter struct {
	typ *py.Type
	src iterSource
}

// Type is the class of the iterator.
func (it *libIter) Type() *py.Type { return it.typ }

// Next returns the next item; nil, nil at the end. Iterators may be nested, so
// it counts as native recursion.
func (it *libIter) Next(t *py.Thread) (py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	v, err := it.src.next(t)
	t.Leave()
	return v, err
}

// CopyFor copies the iterator for a fork.
func (it *libIter) CopyFor(c *py.Copier) (py.Value, error) {
	s, err := it.src.fork(c)
	return &libIter{it.typ, s}, err
}

// forkIter copies an iterator for a fork.
func forkIter(c *py.Copier, it py.Iterator) (py.Iterator, error) {
	if it == nil {
		return nil, nil
	}
	v, err := c.Copy(it)
	if err != nil {
		return nil, err
	}
	n, ok := v.(py.Iterator)
	if !ok {
		return nil, py.TypeErrorf("cannot copy a live '%s' object for a fork", py.TypeName(it))
	}
	return n, nil
}

// forkSlice copies values for a fork.
func forkSlice(c *py.Copier, items []py.Value) ([]py.Value, error) {
	out := make([]py.Value, len(items))
	for i, v := range items {
		n, err := c.Copy(v)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// iterType makes an iterator class.
func iterType(module, name string) *py.Type {
	return cType(module, name).Finish(
		py.Def("__iter__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return self, nil }),
		py.Def("__next__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			v, err := py.Unwrap(self).(py.Iterator).Next(t)
			if v == nil && err == nil {
				err = py.RaiseArgs(py.StopIterationType)
			}
			return v, err
		}),
	)
}

var (
	itAccumulate  = iterType("itertools", "accumulate")
	itChain       = iterType("itertools", "chain")
	itCompress    = iterType("itertools", "compress")
	itCount       = iterType("itertools", "count")
	itCycle       = iterType("itertools", "cycle")
	itDropWhile   = iterType("itertools", "dropwhile")
	itFilterFalse = iterType("itertools", "filterfalse")
	itIslice      = iterType("itertools", "islice")
	itPairwise    = iterType("itertools", "pairwise")
	itRepeat      = iterType("itertools", "repeat")
	itStarMap     = iterType("itertools", "starmap")
	itTakeWhile   = iterType("itertools", "takewhile")
	itZipLongest  = iterType("itertools", "zip_longest")
	itMap         = iterType("builtins", "map")
	itGenerator   = iterType("builtins", "generator")
)

// iterClass gives an iterator class its constructor: sig as for py.NewFunc.
func iterClass(c *py.Type, sig string, make func(t *py.Thread, a []py.Value) (iterSource, error)) py.Member {
	binder := py.NewFunc(c.Name, sig, wholeArgs)
	c.New = func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		if sig == "iterable, /" && len(kw) == 0 && len(args) != 1 {
			return nil, py.TypeErrorf("%s expected 1 argument, got %d", c.Name, len(args))
		}
		a, err := bindNative(t, binder, args, kw)
		if err == nil {
			err = t.Alloc(128)
		}
		if err != nil {
			return nil, err
		}
		s, err := make(t, a)
		if err != nil {
			return nil, err
		}
		it := &libIter{c, s}
		if cls != c {
			return py.NewInstance(cls, it), nil
		}
		return it, nil
	}
	return py.Member{Name: c.Name, Value: c}
}

// buildItertools makes the module itertools.
func buildItertools() *py.Module {
	itChain.Finish(py.Member{Name: "from_iterable", Value: py.NewClassMethod("from_iterable", "iterable, /", func(t *py.Thread, _ py.Value, a []py.Value) (py.Value, error) {
		it, err := t.Iter(a[0])
		return &libIter{itChain, &chainSource{outer: it}}, err
	})})
	itCount.Finish(py.Def("__repr__", "/", countRepr))
	itRepeat.Finish(py.Def("__repr__", "/", repeatRepr), py.Def("__length_hint__", "/", repeatLength))
	members := []py.Member{
		iterClass(itAccumulate, "iterable, func=None, *, initial=None", newAccumulate),
		iterClass(itChain, "*iterables", newChain),
		iterClass(itCompress, "data, selectors", newCompress),
		iterClass(itCount, "start=0, step=1", newCount),
		iterClass(itCycle, "iterable, /", func(t *py.Thread, a []py.Value) (iterSource, error) {
			it, err := t.Iter(a[0])
			return &cycleSource{it: it}, err
		}),
		iterClass(itDropWhile, "predicate, iterable, /", newPredicate(keepDrop)),
		iterClass(itTakeWhile, "predicate, iterable, /", newPredicate(keepTake)),
		iterClass(itFilterFalse, "function, iterable, /", newPredicate(keepFalse)),
		iterClass(itStarMap, "function, iterable, /", newPredicate(keepStar)),
		iterClass(itIslice, "*args", newIslice),
		iterClass(itPairwise, "iterable, /", func(t *py.Thread, a []py.Value) (iterSource, error) {
			it, err := t.Iter(a[0])
			return &pairSource{it: it}, err
		}),
		iterClass(itRepeat, "object, times=None", newRepeat),
		iterClass(itZipLongest, "*iterables, fillvalue=None, **unknown", newZipLongest),
	}
	return py.NewModule("itertools", append(append(members, combineMembers()...), groupMembers()...)...)
}

// add is a + b.
func add(t *py.Thread, a, b py.Value) (py.Value, error) { return t.BinaryOp(syntax.Add, a, b) }

type accumulateSource struct {
	it      py.Iterator
	fn      py.Value // nil: addition
	total   py.Value // nil before the first item
	initial bool     // total is still to be yielded
}

func newAccumulate(t *py.Thread, a []py.Value) (iterSource, error) {
	it, err := t.Iter(a[0])
	s := &accumulateSource{it: it}
	if isSet(a[1]) {
		s.fn = a[1]
	}
	if isSet(a[2]) {
		s.total, s.initial = a[2], true
	}
	return s, err
}

func (s *accumulateSource) next(t *py.Thread) (py.Value, error) {
	if s.initial {
		s.initial = false
		return s.total, nil
	}
	v, err := s.it.Next(t)
	if v == nil || err != nil {
		return nil, err
	}
	switch {
	case s.total == nil:
	case s.fn == nil:
		v, err = add(t, s.total, v)
	default:
		v, err = t.Call(s.fn, []py.Value{s.total, v}, nil)
	}
	if err == nil { // else the old total stays
		s.total = v
	}
	return v, err
}

func (s *accumulateSource) fork(c *py.Copier) (iterSource, error) {
	it, err := forkIter(c, s.it)
	if err != nil {
		return nil, err
	}
	vals, err := forkSlice(c, []py.Value{s.fn, s.total})
	if err != nil {
		return nil, err
	}
	return &accumulateSource{it, vals[0], vals[1], s.initial}, nil
}

type chainSource struct {
	outer py.Iterator // of iterables
	inner py.Iterator
}

func newChain(t *py.Thread, a []py.Value) (iterSource, error) {
	it, err := t.Iter(a[0])
	return &chainSource{outer: it}, err
}

func (s *chainSource) next(t *py.Thread) (py.Value, error) {
	for s.outer != nil {
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		if s.inner == nil {
			v, err := s.outer.Next(t)
			if v == nil || err != nil {
				s.outer = nil
				return nil, err
			}
			if s.inner, err = t.Iter(v); err != nil {
				s.outer, s.inner = nil, nil
				return nil, err
			}
		}
		v, err := s.inner.Next(t)
		if v != nil || err != nil {
			return v, err
		}
		s.inner = nil
	}
	return nil, nil
}

func (s *chainSource) fork(c *py.Copier) (iterSource, error) {
	outer, err := forkIter(c, s.outer)
	if err != nil {
		return nil, err
	}
	inner, err := forkIter(c, s.inner)
	return &chainSource{outer, inner}, err
}

type compressSource struct{ data, selectors py.Iterator }

func newCompress(t *py.Thread, a []py.Value) (iterSource, error) {
	data, err := t.Iter(a[0])
	if err != nil {
		return nil, err
	}
	sel, err := t.Iter(a[1])
	return &compressSource{data, sel}, err
}

func (s *compressSource) next(t *py.Thread) (py.Value, error) {
	for {
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		v, err := s.data.Next(t)
		if v == nil || err != nil {
			return nil, err
		}
		sel, err := s.selectors.Next(t)
		if sel == nil || err != nil {
			return nil, err
		}
		if ok, err := t.Truth(sel); ok || err != nil {
			return v, err
		}
	}
}

func (s *compressSource) fork(c *py.Copier) (iterSource, error) {
	d, err := forkIter(c, s.data)
	if err != nil {
		return nil, err
	}
	sel, err := forkIter(c, s.selectors)
	return &compressSource{d, sel}, err
}

type countSource struct{ n, step py.Value }

func newCount(t *py.Thread, a []py.Value) (iterSource, error) {
	s := &countSource{given(a[0], py.Int(0)), given(a[1], py.Int(1))}
	for _, v := range []py.Value{s.n, s.step} {
		if _, err := t.AsFloat(v); err != nil {
			if _, whole := t.AsBigInt(v); !whole {
				return nil, py.TypeErrorf("a number is required")
			}
		}
	}
	if step, whole := t.AsBigInt(s.step); whole && step.IsInt64() && step.Int64() == 1 {
		// Counting by one is done on plain ints.
		s.step = py.Int(1)
		if n, whole := t.AsBigInt(s.n); whole {
			s.n = py.MakeInt(n)
		}
	}
	return s, nil
}

func (s *countSource) next(t *py.Thread) (py.Value, error) {
	v := s.n
	var err error
	s.n, err = add(t, v, s.step)
	return v, err
}

func (s *countSource) fork(*py.Copier) (iterSource, error) { n := *s; return &n, nil }

func countRepr(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	s := py.Unwrap(self).(*libIter).src.(*countSource)
	n, err := t.Repr(s.n)
	if err != nil {
		return nil, err
	}
	if i, ok := s.step.(py.Int); ok && i == 1 {
		return py.NewStr("count(" + n + ")"), nil
	}
	step, err := t.Repr(s.step)
	return py.NewStr("count(" + n + ", " + step + ")"), err
}

type cycleSource struct {
	it    py.Iterator // nil after the first round
	saved []py.Value
	at    int
}

func (s *cycleSource) next(t *py.Thread) (py.Value, error) {
	if s.it != nil {
		v, err := s.it.Next(t)
		if v != nil || err != nil {
			if err == nil {
				err = t.Alloc(32)
			}
			s.saved = append(s.saved, v)
			return v, err
		}
		s.it = nil
	}
	if len(s.saved) == 0 {
		return nil, nil
	}
	v := s.saved[s.at]
	s.at = (s.at + 1) % len(s.saved)
	return v, t.Charge(1)
}

func (s *cycleSource) fork(c *py.Copier) (iterSource, error) {
	it, err := forkIter(c, s.it)
	if err != nil {
		return nil, err
	}
	saved, err := forkSlice(c, s.saved)
	return &cycleSource{it, saved, s.at}, err
}

type pairSource struct {
	it  py.Iterator
	old py.Value // nil before the first item
}

func (s *pairSource) next(t *py.Thread) (py.Value, error) {
	if s.old == nil {
		v, err := s.it.Next(t)
		if v == nil || err != nil {
			return nil, err
		}
		s.old = v
	}
	v, err := s.it.Next(t)
	if v == nil || err != nil {
		return nil, err
	}
	pair := py.NewTuple(s.old, v)
	s.old = v
	return pair, t.Alloc(64)
}

func (s *pairSource) fork(c *py.Copier) (iterSource, error) {
	it, err := forkIter(c, s.it)
	if err != nil {
		return nil, err
	}
	old, err := c.Copy(s.old)
	return &pairSource{it, old}, err
}

type repeatSource struct {
	v    py.Value
	left int64 // negative: no limit
}

func newRepeat(t *py.Thread, a []py.Value) (iterSource, error) {
	if a[1] == nil {
		return &repeatSource{a[0], -1}, nil
	}
	n, err := t.AsIndex(a[1])
	return &repeatSource{a[0], max(n, 0)}, err
}

func (s *repeatSource) next(*py.Thread) (py.Value, error) {
	if s.left == 0 {
		return nil, nil
	}
	if s.left > 0 {
		s.left--
	}
	return s.v, nil
}

func (s *repeatSource) fork(c *py.Copier) (iterSource, error) {
	v, err := c.Copy(s.v)
	return &repeatSource{v, s.left}, err
}

func repeatRepr(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	s := py.Unwrap(self).(*libIter).src.(*repeatSource)
	v, err := t.Repr(s.v)
	if s.left >= 0 {
		v += ", " + big.NewInt(s.left).String()
	}
	return py.NewStr("repeat(" + v + ")"), err
}

func repeatLength(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	s := py.Unwrap(self).(*libIter).src.(*repeatSource)
	if s.left < 0 {
		return nil, py.TypeErrorf("len() of unsized object")
	}
	return py.Int(s.left), nil
}
