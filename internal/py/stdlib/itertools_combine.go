package stdlib

import (
	"gauntlet/internal/py"
)

var (
	itCombinations = iterType("itertools", "combinations")
	itCombReplace  = iterType("itertools", "combinations_with_replacement")
	itPermutations = iterType("itertools", "permutations")
	itProduct      = iterType("itertools", "product")
)

// combineMembers are the combinatoric iterators, all of which yield tuples of
// pool items chosen by an index vector in lexicographic order.
func combineMembers() []py.Member {
	return []py.Member{
		iterClass(itCombinations, "iterable, r", newCombine(false)),
		iterClass(itCombReplace, "iterable, r", newCombine(true)),
		iterClass(itPermutations, "iterable, r=None", newPermute),
		iterClass(itProduct, "*iterables, repeat=1", newProduct),
	}
}

// combineSource yields pools[i][index[i]] for each position i; advance moves
// the index vector and reports whether there is another.
type combineSource struct {
	pools   [][]py.Value // one for all positions, or one per position
	index   []int
	started bool
	done    bool
	kind    combineKind
}

type combineKind uint8

const (
	combineOnly combineKind = iota
	combineReplace
	combinePermute
	combineProduct
)

func (s *combineSource) pool(i int) []py.Value {
	if s.kind == combineProduct {
		return s.pools[i]
	}
	return s.pools[0]
}

func (s *combineSource) next(t *py.Thread) (py.Value, error) {
	if s.done {
		return nil, nil
	}
	if s.started && !s.advance() {
		s.done = true
		return nil, nil
	}
	s.started = true
	if err := t.Alloc(16 * (len(s.index) + 2)); err != nil {
		return nil, err
	}
	if err := t.Charge(1 + len(s.index)>>3); err != nil {
		return nil, err
	}
	row := make([]py.Value, len(s.index))
	for i, k := range s.index {
		row[i] = s.pool(i)[k]
	}
	return py.NewTuple(row...), nil
}

func (s *combineSource) advance() bool {
	r := len(s.index)
	switch s.kind {
	case combineOnly:
		n := len(s.pools[0])
		for i := r - 1; i >= 0; i-- {
			if s.index[i] == i+n-r {
				continue
			}
			s.index[i]++
			for j := i + 1; j < r; j++ {
				s.index[j] = s.index[j-1] + 1
			}
			return true
		}
	case combineReplace:
		n := len(s.pools[0])
		for i := r - 1; i >= 0; i-- {
			if s.index[i] == n-1 {
				continue
			}
			k := s.index[i] + 1
			for j := i; j < r; j++ {
				s.index[j] = k
			}
			return true
		}
	case combineProduct:
		for i := r - 1; i >= 0; i-- {
			if s.index[i]++; s.index[i] < len(s.pools[i]) {
				return true
			}
			s.index[i] = 0
		}
	case combinePermute:
		return s.permute()
	}
	return false
}

// permute moves to the lexicographically next choice: the rightmost position
// that can take a larger unused item does, the rest start over.
func (s *combineSource) permute() bool {
	n, r := len(s.pools[0]), len(s.index)
	used := make([]bool, n)
	for _, k := range s.index {
		used[k] = true
	}
	for i := r - 1; i >= 0; i-- {
		used[s.index[i]] = false
		for k := s.index[i] + 1; k < n; k++ {
			if used[k] {
				continue
			}
			s.index[i] = k
			used[k] = true
			free := 0
			for j := i + 1; j < r; j++ {
				for used[free] {
					free++
				}
				s.index[j] = free
				used[free] = true
			}
			return true
		}
	}
	return false
}

func (s *combineSource) fork(c *py.Copier) (iterSource, error) {
	n := *s
	n.index = append([]int(nil), s.index...)
	n.pools = make([][]py.Value, len(s.pools))
	for i, p := range s.pools {
		var err error
		if n.pools[i], err = forkSlice(c, p); err != nil {
			return nil, err
		}
	}
	return &n, nil
}

// newIndex makes an index vector of r positions, after paying for it.
func newIndex(t *py.Thread, r int64) ([]int, error) {
	if r > 1<<40 {
		return nil, py.RaiseType(py.MemoryErrorType, "")
	}
	if err := t.Alloc(8 * int(r)); err != nil {
		return nil, err
	}
	return make([]int, r), nil
}

func newCombine(replace bool) func(t *py.Thread, a []py.Value) (iterSource, error) {
	return func(t *py.Thread, a []py.Value) (iterSource, error) {
		r, err := t.AsIndex(a[1])
		if err != nil {
			return nil, err
		}
		pool, err := t.Collect(a[0])
		if err != nil {
			return nil, err
		}
		if r < 0 {
			return nil, py.ValueErrorf("r must be non-negative")
		}
		s := &combineSource{pools: [][]py.Value{pool}, kind: combineOnly, done: r > int64(len(pool))}
		if replace {
			s.kind, s.done = combineReplace, len(pool) == 0 && r > 0
		}
		if s.done {
			return s, nil
		}
		if s.index, err = newIndex(t, r); err != nil {
			return nil, err
		}
		if !replace {
			for i := range s.index {
				s.index[i] = i
			}
		}
		return s, nil
	}
}

func newPermute(t *py.Thread, a []py.Value) (iterSource, error) {
	pool, err := t.Collect(a[0])
	if err != nil {
		return nil, err
	}
	r := int64(len(pool))
	if isSet(a[1]) {
		if _, whole := t.AsBigInt(a[1]); !whole {
			return nil, py.TypeErrorf("Expected int as r")
		}
		if r, err = t.AsIndex(a[1]); err != nil {
			return nil, err
		}
		if r < 0 {
			return nil, py.ValueErrorf("r must be non-negative")
		}
	}
	s := &combineSource{pools: [][]py.Value{pool}, kind: combinePermute, done: r > int64(len(pool))}
	if s.done {
		return s, nil
	}
	s.index, err = newIndex(t, r)
	for i := range s.index {
		s.index[i] = i
	}
	return s, err
}

func newProduct(t *py.Thread, a []py.Value) (iterSource, error) {
	repeat := int64(1)
	if a[0] != nil {
		var err error
		if repeat, err = t.AsIndex(a[0]); err != nil {
			return nil, err
		}
		if repeat < 0 {
			return nil, py.ValueErrorf("repeat argument cannot be negative")
		}
	}
	s := &combineSource{kind: combineProduct}
	var base [][]py.Value
	for _, v := range a[1].(*py.Tuple).Items {
		pool, err := t.Collect(v)
		if err != nil {
			return nil, err
		}
		base = append(base, pool)
		s.done = s.done || len(pool) == 0 && repeat > 0
	}
	if len(base) == 0 {
		return s, nil
	}
	if repeat > 1<<30 {
		return nil, py.OverflowErrorf("repeat argument too large")
	}
	var err error
	if s.index, err = newIndex(t, repeat*int64(len(base))); err != nil {
		return nil, err
	}
	if err := t.Alloc(24 * len(s.index)); err != nil {
		return nil, err
	}
	for range repeat {
		s.pools = append(s.pools, base...)
	}
	return s, nil
}
