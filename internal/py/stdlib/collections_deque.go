package stdlib

import (
	"strconv"

	"gauntlet/internal/py"
)

var (
	dequeType        = cType("collections", "deque")
	dequeIterType    = iterType("_collections", "_deque_iterator")
	dequeReverseType = iterType("_collections", "_deque_reverse_iterator")
)

// deque is a double-ended queue. The items are buf[head:], so that both ends
// move in amortised constant time.
type deque struct {
	libHeader
	buf    []py.Value
	head   int
	maxLen int // negative: no limit
	edits  int // changes of length, to notice them during iteration
}

// Type returns collections.deque.
func (*deque) Type() *py.Type { return dequeType }

// Save returns a function that restores the present content.
func (d *deque) Save() func() {
	items := append([]py.Value(nil), d.items()...)
	maxLen := d.maxLen
	return func() { d.buf, d.head, d.maxLen = items, 0, maxLen; d.edits++ }
}

// CopyFor copies the deque for a fork.
func (d *deque) CopyFor(c *py.Copier) (py.Value, error) {
	items, err := forkSlice(c, d.items())
	return &deque{buf: items, maxLen: d.maxLen}, err
}

// Iter iterates over the items and notices changes.
func (d *deque) Iter(t *py.Thread) (py.Iterator, error) {
	t.SawDeep(d)
	return &libIter{dequeIterType, &dequeIter{d: d, step: 1, edits: d.edits}}, nil
}

func (d *deque) items() []py.Value { return d.buf[d.head:] }

// set replaces the content.
func (d *deque) set(t *py.Thread, items []py.Value) {
	t.Touch(d)
	d.buf, d.head = items, 0
	d.edits++
}

// push adds v at the right end, or the left one.
func (d *deque) push(t *py.Thread, v py.Value, left bool) error {
	if d.maxLen == 0 {
		return nil
	}
	if err := t.Alloc(32); err != nil {
		return err
	}
	full := d.maxLen > 0 && len(d.items()) == d.maxLen
	t.Touch(d)
	d.edits++
	if !left {
		if full {
			d.drop(true)
		}
		d.buf = append(d.buf, v)
		return nil
	}
	if full {
		d.drop(false)
	}
	if d.head == 0 {
		room := len(d.buf) + 8
		if err := t.Alloc(32 * room); err != nil {
			return err
		}
		buf := make([]py.Value, room, room+len(d.buf)+8)
		d.buf = append(buf, d.buf...)
		d.head = room
	}
	d.head--
	d.buf[d.head] = v
	return nil
}

// drop removes and returns the item at an end of a deque that is not empty.
func (d *deque) drop(left bool) py.Value {
	if left {
		v := d.buf[d.head]
		d.buf[d.head] = nil
		d.head++
		if d.head > 32 && d.head > len(d.buf)/2 {
			d.buf = append([]py.Value(nil), d.buf[d.head:]...)
			d.head = 0
		}
		return v
	}
	v := d.buf[len(d.buf)-1]
	d.buf[len(d.buf)-1] = nil
	d.buf = d.buf[:len(d.buf)-1]
	return v
}

// extend pushes the items of v at an end.
func (d *deque) extend(t *py.Thread, v py.Value, left bool) error {
	if py.Unwrap(v) == py.Value(d) {
		v = py.NewTuple(append([]py.Value(nil), d.items()...)...)
	}
	return t.ForEach(v, func(x py.Value) error { return d.push(t, x, left) })
}

// rotate moves every item n places to the right.
func (d *deque) rotate(t *py.Thread, n int64) error {
	items := d.items()
	if len(items) < 2 {
		return nil
	}
	k := int(n % int64(len(items)))
	if k < 0 {
		k += len(items)
	}
	if err := t.Alloc(16 * len(items)); err != nil {
		return err
	}
	cut := len(items) - k
	d.set(t, append(append(make([]py.Value, 0, len(items)), items[cut:]...), items[:cut]...))
	return nil
}

// position resolves an index.
func (d *deque) position(t *py.Thread, key py.Value) (int, error) {
	i, err := t.AsSlot(key)
	if err != nil {
		return 0, err
	}
	if i < 0 {
		i += int64(len(d.items()))
	}
	if i < 0 || i >= int64(len(d.items())) {
		return 0, py.IndexErrorf("deque index out of range")
	}
	return d.head + int(i), nil
}

// find is the first position of v in [start, stop), or -1.
func (d *deque) find(t *py.Thread, v py.Value, start, stop int) (int, error) {
	edits := d.edits
	for i := start; i < min(stop, len(d.items())); i++ {
		if err := t.Charge(1); err != nil {
			return -1, err
		}
		same, err := sameValue(t, d.items()[i], v)
		if err != nil {
			return -1, err
		}
		if d.edits != edits {
			return -1, py.RaiseType(py.RuntimeErrorType, "deque mutated during iteration")
		}
		if same {
			return i, nil
		}
	}
	return -1, nil
}

// delete removes the item at position i of items().
func (d *deque) delete(t *py.Thread, i int) error {
	items := d.items()
	if err := t.Alloc(16 * len(items)); err != nil {
		return err
	}
	d.set(t, append(append(make([]py.Value, 0, len(items)), items[:i]...), items[i+1:]...))
	return nil
}

// dequeIter iterates in either direction.
type dequeIter struct {
	d     *deque
	i     int // items yielded
	step  int
	edits int
}

func (s *dequeIter) next(*py.Thread) (py.Value, error) {
	if s.edits != s.d.edits {
		s.edits = -1
		return nil, py.RaiseType(py.RuntimeErrorType, "deque mutated during iteration")
	}
	items := s.d.items()
	if s.i >= len(items) {
		return nil, nil
	}
	i := s.i
	if s.step < 0 {
		i = len(items) - 1 - s.i
	}
	s.i++
	return items[i], nil
}

func (s *dequeIter) fork(c *py.Copier) (iterSource, error) {
	v, err := c.Copy(s.d)
	if err != nil {
		return nil, err
	}
	d := v.(*deque)
	n := &dequeIter{d, s.i, s.step, d.edits}
	if s.edits != s.d.edits {
		n.edits = -1
	}
	return n, nil
}

var dequeSig = py.NewFunc("deque", "iterable=None, maxlen=None", wholeArgs)

// newDeque is deque(iterable=(), maxlen=None).
func newDeque(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	d := &deque{maxLen: -1}
	if cls.Heap {
		return py.NewInstance(cls, d), nil // __init__ follows
	}
	return d, fillDeque(t, d, args, kw)
}

func fillDeque(t *py.Thread, d *deque, args []py.Value, kw []py.Kw) error {
	if n := len(args) + len(kw); n > 2 {
		kind := ""
		if len(args) == 0 {
			kind = "keyword "
		}
		return py.TypeErrorf("deque() takes at most 2 %sarguments (%d given)", kind, n)
	}
	a, err := bindNative(t, dequeSig, args, kw)
	if err != nil {
		return err
	}
	if isSet(a[1]) {
		if _, whole := t.AsBigInt(a[1]); !whole {
			return py.TypeErrorf("an integer is required")
		}
		n, err := t.AsIndex(a[1])
		if err != nil {
			return err
		}
		if n < 0 {
			return py.ValueErrorf("maxlen must be non-negative")
		}
		d.maxLen = int(n)
	}
	if len(d.items()) > 0 {
		d.set(t, nil)
	}
	if a[0] == nil {
		return nil
	}
	return d.extend(t, a[0], false)
}

// dequeRepr is repr(d).
func dequeRepr(t *py.Thread, self py.Value) (string, error) {
	d := dequeOf(self)
	t.SawDeep(d)
	return guardRepr(t, d, "[...]", func() (string, error) {
		s, err := t.Repr(t.NewList(append([]py.Value(nil), d.items()...)))
		if d.maxLen >= 0 {
			s += ", maxlen=" + strconv.Itoa(d.maxLen)
		}
		return self.Type().Name + "(" + s + ")", err
	})
}

// dequeOf is the deque of an instance of deque or a subclass.
func dequeOf(v py.Value) *deque { d, _ := py.Unwrap(v).(*deque); return d }
