package stdlib

import (
	"math"
	"slices"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// The heapq module: a list in which item i is not greater than items 2i+1 and
// 2i+2. Source: J. W. J. Williams, "Algorithm 232: Heapsort" (1964). The steps
// are CPython's, so that the order of equal items and the list itself agree.

func buildHeapq() *py.Module {
	return py.NewModule("heapq",
		py.Func("heappush", "heap, item, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			l, err := heapArg("heappush", len(a), a[0])
			if err != nil {
				return nil, err
			}
			if err := l.Append(t, a[1]); err != nil {
				return nil, err
			}
			return py.None, towardRoot(t, l, 0, len(l.Items)-1)
		}),
		py.Func("heappop", "heap, /", heapPop),
		py.Func("heapreplace", "heap, item, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			l, err := heapArg("heapreplace", len(a), a[0])
			if err != nil {
				return nil, err
			}
			if len(l.Items) == 0 {
				return nil, py.IndexErrorf("index out of range")
			}
			return swapRoot(t, l, a[1])
		}),
		py.Func("heappushpop", "heap, item, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			l, err := heapArg("heappushpop", len(a), a[0])
			if err != nil || len(l.Items) == 0 {
				return a[1], err
			}
			less, err := t.Less(l.At(t, 0), a[1])
			if err != nil || !less {
				return a[1], err
			}
			if len(l.Items) == 0 {
				return nil, py.IndexErrorf("index out of range")
			}
			return swapRoot(t, l, a[1])
		}),
		py.Func("heapify", "heap, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			l, err := heapArg("heapify", len(a), a[0])
			if err != nil {
				return nil, err
			}
			for i := len(l.Items)/2 - 1; i >= 0; i-- {
				if err := towardLeaves(t, l, i); err != nil {
					return nil, err
				}
			}
			return py.None, nil
		}),
		pyFunc("nlargest", "n, iterable, key=None", heapSelect(true)),
		pyFunc("nsmallest", "n, iterable, key=None", heapSelect(false)),
		pyFunc("merge", "*iterables, key=None, reverse=False", heapMerge),
	)
}

// heapArg checks the first of n arguments of the function called name.
func heapArg(name string, n int, v py.Value) (*py.List, error) {
	if l, ok := py.AsList(v); ok {
		return l, nil
	}
	which := ""
	if n > 1 {
		which = " 1"
	}
	got := py.TypeName(v)
	if v == py.None {
		got = "None"
	}
	return nil, py.TypeErrorf("%s() argument%s must be list, not %s", name, which, got)
}

func errHeapChanged() error {
	return py.RaiseType(py.RuntimeErrorType, "list changed size during iteration")
}

// towardRoot moves the item at pos up to its place below start.
func towardRoot(t *py.Thread, l *py.List, start, pos int) error {
	n := len(l.Items)
	item := l.At(t, pos)
	for pos > start {
		if err := t.Charge(2); err != nil {
			return err
		}
		up := (pos - 1) / 2
		parent := l.At(t, up)
		less, err := t.Less(item, parent)
		if err != nil {
			return err
		}
		if len(l.Items) != n {
			return errHeapChanged()
		}
		if !less {
			break
		}
		if err := t.SetItem(l, py.Int(pos), parent); err != nil {
			return err
		}
		if err := t.SetItem(l, py.Int(up), item); err != nil {
			return err
		}
		pos = up
	}
	return nil
}

// towardLeaves moves the smaller child up until it reaches a leaf, and then
// the displaced item back to its place.
func towardLeaves(t *py.Thread, l *py.List, pos int) error {
	n, start := len(l.Items), pos
	item := l.At(t, pos)
	for child := 2*pos + 1; child < n; child = 2*pos + 1 {
		if err := t.Charge(2); err != nil {
			return err
		}
		if child+1 < n {
			less, err := t.Less(l.At(t, child), l.At(t, child+1))
			if err != nil {
				return err
			}
			if len(l.Items) != n {
				return errHeapChanged()
			}
			if !less {
				child++
			}
		}
		if err := t.SetItem(l, py.Int(pos), l.At(t, child)); err != nil {
			return err
		}
		if err := t.SetItem(l, py.Int(child), item); err != nil {
			return err
		}
		pos = child
	}
	return towardRoot(t, l, start, pos)
}

func heapPop(t *py.Thread, a []py.Value) (py.Value, error) {
	l, err := heapArg("heappop", len(a), a[0])
	if err != nil {
		return nil, err
	}
	if len(l.Items) == 0 {
		return nil, py.IndexErrorf("index out of range")
	}
	last, err := t.CallMethod(l, "pop")
	if err != nil || len(l.Items) == 0 {
		return last, err
	}
	return swapRoot(t, l, last)
}

// swapRoot replaces the smallest item and returns it.
func swapRoot(t *py.Thread, l *py.List, item py.Value) (py.Value, error) {
	least := l.At(t, 0)
	if err := t.SetItem(l, py.Int(0), item); err != nil {
		return nil, err
	}
	return least, towardLeaves(t, l, 0)
}

// heapSelect makes nlargest or nsmallest: the head of the sorted items.
func heapSelect(largest bool) py.NativeFunc {
	return func(t *py.Thread, a []py.Value) (py.Value, error) {
		n, err := selectCount(t, a[0], a[1])
		if err != nil {
			return nil, err
		}
		items, err := t.Collect(a[1])
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return t.NewList(nil), nil
		}
		if one, ok := py.AsInt(a[0]); ok && one == 1 {
			best, err := extremeOf(t, items, given(a[2], py.None), largest)
			return t.NewList(best), err
		}
		l := t.NewList(items)
		sort, err := t.GetAttr(l, "sort")
		if err != nil {
			return nil, err
		}
		if _, err := t.Call(sort, nil, []py.Kw{{Name: "key", Value: given(a[2], py.None)}, {Name: "reverse", Value: py.Bool(largest)}}); err != nil {
			return nil, err
		}
		return t.NewList(slices.Clone(l.Items[:min(n, len(l.Items))])), nil
	}
}

// extremeOf is the first largest or smallest item, as max and min find it.
func extremeOf(t *py.Thread, items []py.Value, key py.Value, largest bool) ([]py.Value, error) {
	if len(items) == 0 {
		return nil, nil
	}
	name := "min"
	if largest {
		name = "max"
	}
	f, err := t.GetAttr(py.Builtins, name)
	if err != nil {
		return nil, err
	}
	v, err := t.Call(f, []py.Value{py.NewTuple(items...)}, []py.Kw{{Name: "key", Value: key}})
	return []py.Value{v}, err
}

// selectCount is how many of the items of v nlargest(n, v) keeps at most. When
// the length is known and n reaches it, the items are cut with [:n]; else n is
// a count. That is visible when n is no int.
func selectCount(t *py.Thread, n, v py.Value) (int, error) {
	size, err := t.Len(v)
	if err == nil {
		r, err := t.Compare(syntax.GtE, n, py.Int(size))
		all, err := truthOf(t, r, err)
		if err != nil {
			return 0, err
		}
		if all {
			_, err := t.GetItem(py.NewTuple(), &py.Slice{Start: py.None, Stop: n, Step: py.None})
			return size, err
		}
	} else if _, unsized := py.Catch(err, py.TypeErrorType, py.AttributeErrorType); !unsized {
		return 0, err
	}
	m, err := t.UnaryOp(syntax.USub, n)
	if err != nil {
		return 0, err
	}
	if b, whole := t.AsBigInt(m); whole {
		if b.Sign() >= 0 {
			return 0, nil
		}
		if !b.IsInt64() || b.Int64() < -math.MaxInt32 {
			return math.MaxInt32, nil
		}
		return int(-b.Int64()), nil
	}
	count, err := t.AsIndex(m)
	return int(max(0, -max(count, -math.MaxInt32))), err
}

// mergeType is the class of what heapq.merge returns.
var mergeType = py.NewType("builtins", "generator")

// mergeSource is one input of a merge with its next item.
type mergeSource struct {
	it        py.Iterator
	item, key py.Value
}

func (s *mergeSource) advance(t *py.Thread, key py.Value) (err error) {
	if s.item, err = s.it.Next(t); err != nil || s.item == nil {
		return err
	}
	s.key = s.item
	if key != nil {
		s.key, err = t.Call(key, []py.Value{s.item}, nil)
	}
	return err
}

// heapMerge merges sorted inputs lazily. Among equal items the earlier input
// goes first.
func heapMerge(t *py.Thread, a []py.Value) (py.Value, error) {
	reverse := false
	var key py.Value
	if isSet(a[0]) {
		key = a[0]
	}
	if a[1] != nil {
		var err error
		if reverse, err = t.Truth(a[1]); err != nil {
			return nil, err
		}
	}
	var sources []*mergeSource
	var current *mergeSource // its item was handed out last
	inputs := a[2].(*py.Tuple).Items
	next := func(t *py.Thread) (py.Value, error) {
		if inputs != nil {
			for _, v := range inputs {
				it, err := t.Iter(v)
				if err != nil {
					return nil, err
				}
				s := &mergeSource{it: it}
				if err := s.advance(t, key); err != nil {
					return nil, err
				}
				sources = append(sources, s)
			}
			inputs = nil
		} else if current != nil {
			if err := current.advance(t, key); err != nil {
				return nil, err
			}
		}
		var err error
		if current, err = firstSource(t, sources, reverse); err != nil || current == nil {
			return nil, err
		}
		return current.item, nil
	}
	return t.NewGoIter(mergeType, next, nil), nil
}

// firstSource picks the source whose item comes next; nil at the end.
func firstSource(t *py.Thread, sources []*mergeSource, reverse bool) (*mergeSource, error) {
	var best *mergeSource
	for _, s := range sources {
		if s.item == nil {
			continue
		}
		if best != nil {
			x, y := s.key, best.key
			if reverse {
				x, y = y, x
			}
			less, err := t.Less(x, y)
			if err != nil {
				return nil, err
			}
			if !less {
				continue
			}
		}
		best = s
	}
	return best, t.Charge(1 + len(sources))
}
