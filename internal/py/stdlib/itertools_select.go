package stdlib

import (
	"gauntlet/internal/py"
)

// keepKind says what a predicateSource does with its function.
type keepKind uint8

const (
	keepDrop  keepKind = iota // skip while true, then everything
	keepTake                  // while true
	keepFalse                 // items for which it is false
	keepStar                  // results of fn(*item)
)

// predicateSource is dropwhile, takewhile, filterfalse or starmap.
type predicateSource struct {
	kind keepKind
	fn   py.Value
	it   py.Iterator
	done bool // dropwhile has stopped dropping, takewhile has ended
}

func newPredicate(kind keepKind) func(t *py.Thread, a []py.Value) (iterSource, error) {
	return func(t *py.Thread, a []py.Value) (iterSource, error) {
		it, err := t.Iter(a[1])
		return &predicateSource{kind: kind, fn: a[0], it: it}, err
	}
}

func (s *predicateSource) test(t *py.Thread, v py.Value) (bool, error) {
	if s.kind == keepFalse && s.fn == py.None {
		return t.Truth(v)
	}
	r, err := t.Call(s.fn, []py.Value{v}, nil)
	return truthOf(t, r, err)
}

func (s *predicateSource) next(t *py.Thread) (py.Value, error) {
	for {
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		if s.done && s.kind == keepTake {
			return nil, nil
		}
		v, err := s.it.Next(t)
		if v == nil || err != nil {
			return nil, err
		}
		if s.kind == keepStar {
			args, err := t.Collect(v)
			if err != nil {
				return nil, err
			}
			return t.Call(s.fn, args, nil)
		}
		if s.done {
			return v, nil
		}
		ok, err := s.test(t, v)
		if err != nil {
			return nil, err
		}
		switch {
		case s.kind == keepDrop && !ok:
			s.done = true
			return v, nil
		case s.kind == keepTake && ok, s.kind == keepFalse && !ok:
			return v, nil
		case s.kind == keepTake:
			s.done = true
		}
	}
}

func (s *predicateSource) fork(c *py.Copier) (iterSource, error) {
	it, err := forkIter(c, s.it)
	if err != nil {
		return nil, err
	}
	fn, err := c.Copy(s.fn)
	return &predicateSource{s.kind, fn, it, s.done}, err
}

// sliceSource is islice: items number at, at+step, … below stop.
type sliceSource struct {
	it             py.Iterator // nil when finished
	at, stop, step int64       // next wanted item; stop < 0: no end
	seen           int64       // items taken from it
}

// sliceBound reads an argument of islice: None, or an int from 0.
func sliceBound(t *py.Thread, v py.Value, def int64, message string) (int64, error) {
	if v == nil || v == py.None {
		return def, nil
	}
	n, err := t.AsIndex(v)
	if err != nil || n < 0 {
		return 0, py.ValueErrorf("%s", message)
	}
	return n, nil
}

func newIslice(t *py.Thread, a []py.Value) (iterSource, error) {
	args := a[0].(*py.Tuple).Items
	switch {
	case len(args) < 2:
		return nil, py.TypeErrorf("islice expected at least 2 arguments, got %d", len(args))
	case len(args) > 4:
		return nil, py.TypeErrorf("islice expected at most 4 arguments, got %d", len(args))
	}
	const indexText = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
	const stopText = "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
	s := &sliceSource{step: 1}
	var err error
	if len(args) == 2 {
		if n, ok := py.AsInt(args[1]); ok && n < -1 {
			return nil, py.ValueErrorf(indexText)
		}
		s.stop, err = sliceBound(t, args[1], -1, stopText)
	} else {
		if s.stop, err = sliceBound(t, args[2], -1, stopText); err != nil {
			return nil, err
		}
		s.at, err = sliceBound(t, args[1], 0, indexText)
	}
	if err != nil {
		return nil, err
	}
	if len(args) == 4 {
		const stepText = "Step for islice() must be a positive integer or None."
		if s.step, err = sliceBound(t, args[3], 1, stepText); err != nil {
			return nil, err
		}
		if s.step == 0 {
			return nil, py.ValueErrorf("%s", stepText)
		}
	}
	s.it, err = t.Iter(args[0])
	return s, err
}

func (s *sliceSource) next(t *py.Thread) (py.Value, error) {
	if s.it == nil {
		return nil, nil
	}
	want := s.at
	if s.stop >= 0 && want >= s.stop {
		want = s.stop - 1 // consume up to stop and end
	}
	for s.seen <= want {
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		v, err := s.it.Next(t)
		if v == nil || err != nil {
			s.it = nil
			return nil, err
		}
		s.seen++
		if s.seen-1 == s.at {
			if s.at += s.step; s.at < 0 { // beyond any end
				s.at = 1<<63 - 1
			}
			return v, nil
		}
	}
	s.it = nil
	return nil, nil
}

func (s *sliceSource) fork(c *py.Copier) (iterSource, error) {
	n := *s
	var err error
	n.it, err = forkIter(c, s.it)
	return &n, err
}

// longestSource is zip_longest; an exhausted iterator becomes nil.
type longestSource struct {
	its  []py.Iterator
	left int
	fill py.Value
}

func newZipLongest(t *py.Thread, a []py.Value) (iterSource, error) {
	if a[2].(*py.Dict).Len() > 0 {
		return nil, py.TypeErrorf("zip_longest() got an unexpected keyword argument")
	}
	s := &longestSource{fill: given(a[0], py.None)}
	for _, v := range a[1].(*py.Tuple).Items {
		it, err := t.Iter(v)
		if err != nil {
			return nil, err
		}
		s.its = append(s.its, it)
		s.left++
	}
	return s, nil
}

func (s *longestSource) next(t *py.Thread) (py.Value, error) {
	if s.left == 0 {
		return nil, nil
	}
	if err := t.Alloc(16 * (len(s.its) + 2)); err != nil {
		return nil, err
	}
	row := make([]py.Value, len(s.its))
	for i, it := range s.its {
		if it == nil {
			row[i] = s.fill
			continue
		}
		v, err := it.Next(t)
		if err != nil {
			s.left = 0
			return nil, err
		}
		if v == nil {
			s.its[i] = nil
			if s.left--; s.left == 0 {
				return nil, nil
			}
			v = s.fill
		}
		row[i] = v
	}
	return py.NewTuple(row...), nil
}

func (s *longestSource) fork(c *py.Copier) (iterSource, error) {
	n := &longestSource{left: s.left, its: make([]py.Iterator, len(s.its))}
	for i, it := range s.its {
		var err error
		if n.its[i], err = forkIter(c, it); err != nil {
			return nil, err
		}
	}
	var err error
	n.fill, err = c.Copy(s.fill)
	return n, err
}
