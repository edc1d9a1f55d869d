package stdlib

import (
	"gauntlet/internal/py"
)

var (
	itGroupBy = iterType("itertools", "groupby")
	itGrouper = iterType("itertools", "_grouper")
	itTee     = iterType("itertools", "_tee")
)

// groupMembers are groupby and tee, whose iterators share state.
func groupMembers() []py.Member {
	return []py.Member{
		iterClass(itGroupBy, "iterable, key=None", func(t *py.Thread, a []py.Value) (iterSource, error) {
			it, err := t.Iter(a[0])
			s := &groupState{it: it}
			if isSet(a[1]) {
				s.key = a[1]
			}
			return &groupBySource{s}, err
		}),
		py.Func("tee", "iterable, n=2, /", newTee),
	}
}

// groupState is what a groupby object and its groups share. It is a Value so
// that a fork copies it once.
type groupState struct {
	it        py.Iterator
	key       py.Value // nil: the item itself
	item      py.Value // look-ahead; nil before the first and after the last
	itemKey   py.Value // key of item
	targetKey py.Value // key of the current group
	group     int      // number of the current group, from 1
	ended     bool
}

// Type returns object: the state is never seen by Python code.
func (*groupState) Type() *py.Type { return py.ObjectType }

// CopyFor copies the shared state for a fork.
func (s *groupState) CopyFor(c *py.Copier) (py.Value, error) {
	n := *s
	var err error
	if n.it, err = forkIter(c, s.it); err != nil {
		return nil, err
	}
	v, err := forkSlice(c, []py.Value{s.key, s.item, s.itemKey, s.targetKey})
	if err != nil {
		return nil, err
	}
	n.key, n.item, n.itemKey, n.targetKey = v[0], v[1], v[2], v[3]
	return &n, nil
}

// read moves the look-ahead one item on.
func (s *groupState) read(t *py.Thread) error {
	if err := t.Charge(1); err != nil {
		return err
	}
	v, err := s.it.Next(t)
	if err != nil {
		return err
	}
	s.item, s.itemKey = v, v
	if v == nil {
		s.ended = true
		return nil
	}
	if s.key != nil {
		s.itemKey, err = t.Call(s.key, []py.Value{v}, nil)
	}
	return err
}

type groupBySource struct{ s *groupState }

func (g *groupBySource) next(t *py.Thread) (py.Value, error) {
	s := g.s
	s.group++
	for {
		if s.ended {
			return nil, nil
		}
		if s.item == nil {
			if err := s.read(t); err != nil {
				return nil, err
			}
			continue
		}
		if s.targetKey == nil {
			break
		}
		same, err := sameValue(t, s.targetKey, s.itemKey)
		if err != nil {
			return nil, err
		}
		if !same {
			break
		}
		if err := s.read(t); err != nil {
			return nil, err
		}
	}
	s.targetKey = s.itemKey
	return py.NewTuple(s.itemKey, &libIter{itGrouper, &grouperSource{s, s.group}}), nil
}

func (g *groupBySource) fork(c *py.Copier) (iterSource, error) {
	v, err := c.Copy(g.s)
	if err != nil {
		return nil, err
	}
	return &groupBySource{v.(*groupState)}, nil
}

// grouperSource yields one group until its groupby moves on.
type grouperSource struct {
	s     *groupState
	group int
}

func (g *grouperSource) next(t *py.Thread) (py.Value, error) {
	s := g.s
	if g.group != s.group || s.ended {
		return nil, nil
	}
	if s.item == nil {
		if err := s.read(t); err != nil || s.item == nil {
			return nil, err
		}
	}
	same, err := sameValue(t, s.targetKey, s.itemKey)
	if !same || err != nil {
		return nil, err
	}
	v := s.item
	s.item = nil
	return v, nil
}

func (g *grouperSource) fork(c *py.Copier) (iterSource, error) {
	v, err := c.Copy(g.s)
	if err != nil {
		return nil, err
	}
	return &grouperSource{v.(*groupState), g.group}, nil
}

// teeBuffer is what the iterators of one tee share: the source and the items
// taken from it so far.
type teeBuffer struct {
	it    py.Iterator
	items []py.Value
}

// Type returns object: the buffer is never seen by Python code.
func (*teeBuffer) Type() *py.Type { return py.ObjectType }

// CopyFor copies the buffer for a fork.
func (b *teeBuffer) CopyFor(c *py.Copier) (py.Value, error) {
	it, err := forkIter(c, b.it)
	if err != nil {
		return nil, err
	}
	items, err := forkSlice(c, b.items)
	return &teeBuffer{it, items}, err
}

// teeSource is one reader of a teeBuffer.
type teeSource struct {
	buf *teeBuffer
	at  int
}

func (s *teeSource) next(t *py.Thread) (py.Value, error) {
	if s.at == len(s.buf.items) {
		v, err := s.buf.it.Next(t)
		if v == nil || err != nil {
			return nil, err
		}
		if err := t.Alloc(32); err != nil {
			return nil, err
		}
		s.buf.items = append(s.buf.items, v)
	}
	s.at++
	return s.buf.items[s.at-1], nil
}

func (s *teeSource) fork(c *py.Copier) (iterSource, error) {
	v, err := c.Copy(s.buf)
	if err != nil {
		return nil, err
	}
	return &teeSource{v.(*teeBuffer), s.at}, nil
}

func newTee(t *py.Thread, a []py.Value) (py.Value, error) {
	n := int64(2)
	if a[1] != nil {
		var err error
		if n, err = t.AsIndex(a[1]); err != nil {
			return nil, err
		}
	}
	if n < 0 {
		return nil, py.ValueErrorf("n must be >= 0")
	}
	if n > 1<<30 {
		return nil, py.RaiseType(py.MemoryErrorType, "")
	}
	if err := t.Alloc(48 * int(n)); err != nil {
		return nil, err
	}
	it, err := t.Iter(a[0])
	if err != nil {
		return nil, err
	}
	first := &teeSource{buf: &teeBuffer{it: it}}
	if old, ok := it.(*libIter); ok && old.typ == itTee {
		first = old.src.(*teeSource)
	}
	out := make([]py.Value, n)
	for i := range out {
		s := *first
		out[i] = &libIter{itTee, &s}
	}
	return py.NewTuple(out...), nil
}
