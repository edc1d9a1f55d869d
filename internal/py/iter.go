package py

import "math/big"

// Iterator is an object that yields values. Next returns nil, nil at the end.
type Iterator interface {
	Value
	Next(t *Thread) (Value, error)
}

// Iterable is implemented by library containers that can be iterated over.
type Iterable interface {
	Iter(t *Thread) (Iterator, error)
}

// Iter is iter(v).
func (t *Thread) Iter(v Value) (Iterator, error) {
	switch x := v.(type) {
	case *List:
		t.sawKeys(&x.obj)
		return &listIter{list: x}, nil
	case *Tuple:
		return &tupleIter{items: x.Items}, nil
	case *Dict:
		t.sawKeys(&x.obj)
		return &dictIter{d: x, n: x.live}, nil
	case *Set:
		t.sawKeys(&x.obj)
		return &setIter{s: x, n: x.tab.live}, nil
	case *Str:
		return &strIter{s: x.s, ascii: x.ASCII()}, nil
	case *Range:
		if x.wide != nil {
			return &wideIter{x.wide, new(big.Int)}, nil
		}
		return &rangeIter{next: x.Start, step: x.Step, n: x.N}, nil
	case *Bytes:
		return &bytesIter{b: x.B}, nil
	case *MappingProxy:
		return t.Iter(x.D)
	case Iterable:
		return x.Iter(t)
	case Iterator:
		return x, nil
	}
	return t.iterSlow(v)
}

func (t *Thread) iterSlow(v Value) (Iterator, error) {
	f, ok := v.Type().Lookup("__iter__")
	if ok && f != None {
		if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
			it, err := t.Iter(Unwrap(v))
			if s, ok := it.(*strIter); ok {
				s.ascii = false // CPython looks at how the text is stored
			}
			return it, err
		}
		r, err := t.callBound(f, v)
		if err != nil {
			return nil, err
		}
		if it, ok := r.(Iterator); ok {
			return it, nil
		}
		if _, ok := r.Type().Lookup("__next__"); ok {
			return &instIter{r}, nil
		}
		return nil, TypeErrorf("iter() returned non-iterator of type '%s'", TypeName(r))
	}
	if !ok {
		if _, ok := v.Type().Lookup("__getitem__"); ok {
			if _, isClass := v.(*Type); !isClass {
				return &seqIter{seq: v}, nil
			}
		}
	}
	return nil, TypeErrorf("'%s' object is not iterable", TypeName(v))
}

// ForEach calls f with each item of v.
func (t *Thread) ForEach(v Value, f func(Value) error) error {
	it, err := t.Iter(v)
	if err != nil {
		return err
	}
	for {
		if err := t.Charge(1); err != nil {
			return err
		}
		x, err := it.Next(t)
		if err != nil || x == nil {
			return err
		}
		if err := f(x); err != nil {
			return err
		}
	}
}

// Collect returns the items of v as a new slice.
func (t *Thread) Collect(v Value) ([]Value, error) {
	switch x := v.(type) {
	case *Tuple:
		if err := t.Alloc(16 * len(x.Items)); err != nil {
			return nil, err
		}
		return append([]Value(nil), x.Items...), nil
	}
	var out []Value
	err := t.ForEach(v, func(x Value) error {
		if len(out) == cap(out) {
			if err := t.Alloc(32 * (len(out) + 4)); err != nil {
				return err
			}
		}
		out = append(out, x)
		return nil
	})
	return out, err
}

// collectList is Collect for what becomes a list or tuple: CPython asks an
// object written in Python for its length first, to allocate at once.
func (t *Thread) collectList(v Value) ([]Value, error) {
	if _, ok := v.(*Instance); !ok {
		return t.Collect(v)
	}
	it, err := t.Iter(v)
	if err != nil {
		return nil, err
	}
	if err := t.lengthHint(v); err != nil {
		return nil, err
	}
	return t.Collect(it)
}

// lengthHint runs the __len__ of an object, whose errors but TypeError count.
func (t *Thread) lengthHint(v Value) error {
	f, ok := v.Type().Lookup("__len__")
	if _, own := f.(*Function); !ok || !own {
		return nil
	}
	_, err := t.Len(v)
	if _, unsized := Catch(err, TypeErrorType); unsized {
		return nil
	}
	return err
}

// iterator classes
var (
	listIterType  = sealed("list_iterator")
	tupleIterType = sealed("tuple_iterator")
	dictIterType  = sealed("dict_keyiterator")
	setIterType   = sealed("set_iterator")
	strIterType   = sealed("str_iterator")
	asciiIterType = sealed("str_ascii_iterator")
	rangeIterType = sealed("range_iterator")
	bytesIterType = sealed("bytes_iterator")
	seqIterType   = sealed("iterator")
)

type listIter struct {
	list *List // nil when exhausted
	i    int
}

func (*listIter) Type() *Type { return listIterType }

func (it *listIter) Next(t *Thread) (Value, error) {
	if it.list == nil {
		return nil, nil
	}
	if it.i >= len(it.list.Items) {
		it.list = nil
		return nil, nil
	}
	v := it.list.At(t, it.i)
	it.i++
	return v, nil
}

// CopyFor copies the iterator for a fork.
func (it *listIter) CopyFor(c *Copier) (Value, error) {
	n := &listIter{i: it.i}
	if it.list != nil {
		l, err := c.Copy(it.list)
		if err != nil {
			return nil, err
		}
		n.list = l.(*List)
	}
	return n, nil
}

type tupleIter struct {
	items []Value
	i     int
}

func (*tupleIter) Type() *Type { return tupleIterType }

func (it *tupleIter) Next(t *Thread) (Value, error) {
	if it.i >= len(it.items) {
		return nil, nil
	}
	v := it.items[it.i]
	it.i++
	return v, nil
}

// CopyFor copies the iterator for a fork.
func (it *tupleIter) CopyFor(c *Copier) (Value, error) {
	n, err := c.Copy(&Tuple{it.items})
	if err != nil {
		return nil, err
	}
	return &tupleIter{n.(*Tuple).Items, it.i}, nil
}

type dictIter struct {
	d *Dict
	i int
	n int // size at the start
}

func (*dictIter) Type() *Type { return dictIterType }

func (it *dictIter) Next(t *Thread) (Value, error) {
	from := it.i
	e, err := it.nextEntry()
	if e == nil {
		return nil, err
	}
	return e.key, t.chargeGap(it.i - from)
}

// chargeGap pays for a walk over n table slots, most of them deleted.
func (t *Thread) chargeGap(n int) error {
	if n < 16 {
		return nil
	}
	return t.Charge(n >> 4)
}

// nextEntry moves to the next live entry; nil at the end.
func (it *dictIter) nextEntry() (*entry, error) {
	if it.d == nil {
		return nil, nil
	}
	if it.d.live != it.n {
		it.n = -1 // keeps failing
		return nil, RaiseType(RuntimeErrorType, "dictionary changed size during iteration")
	}
	for it.i = max(it.i, it.d.head); it.i < len(it.d.entries); {
		e := &it.d.entries[it.i]
		it.i++
		if e.key != nil {
			return e, nil
		}
	}
	it.d = nil
	return nil, nil
}

// CopyFor copies the iterator for a fork.
func (it *dictIter) CopyFor(c *Copier) (Value, error) {
	n := &dictIter{i: it.i, n: it.n}
	if it.d != nil {
		d, err := c.Copy(it.d)
		if err != nil {
			return nil, err
		}
		n.d = d.(*Dict)
	}
	return n, nil
}

type setIter struct {
	s *Set
	i int
	n int
}

func (*setIter) Type() *Type { return setIterType }

func (it *setIter) Next(t *Thread) (Value, error) {
	if it.s == nil {
		return nil, nil
	}
	if it.s.tab.live != it.n {
		it.n = -1
		return nil, RaiseType(RuntimeErrorType, "Set changed size during iteration")
	}
	it.i = max(it.i, it.s.tab.head)
	for from := it.i; it.i < len(it.s.tab.entries); {
		e := &it.s.tab.entries[it.i]
		it.i++
		if e.key != nil {
			return e.key, t.chargeGap(it.i - from)
		}
	}
	it.s = nil
	return nil, nil
}

// CopyFor copies the iterator for a fork.
func (it *setIter) CopyFor(c *Copier) (Value, error) {
	n := &setIter{i: it.i, n: it.n}
	if it.s != nil {
		s, err := c.Copy(it.s)
		if err != nil {
			return nil, err
		}
		n.s = s.(*Set)
	}
	return n, nil
}

type strIter struct {
	s     string
	i     int
	ascii bool
}

// Type depends on the text, as in CPython.
func (it *strIter) Type() *Type {
	if it.ascii {
		return asciiIterType
	}
	return strIterType
}

func (it *strIter) Next(t *Thread) (Value, error) {
	if it.i >= len(it.s) {
		return nil, nil
	}
	n := runeLen(it.s[it.i])
	v := it.s[it.i:min(it.i+n, len(it.s))]
	it.i += n
	if n == 1 {
		return NewStr(v), nil
	}
	return &Str{v, 1}, nil
}

// CopyFor copies the iterator for a fork.
func (it *strIter) CopyFor(*Copier) (Value, error) { n := *it; return &n, nil }

// runeLen is the length of the WTF-8 sequence that starts with b.
func runeLen(b byte) int {
	switch {
	case b < 0xC0:
		return 1
	case b < 0xE0:
		return 2
	case b < 0xF0:
		return 3
	}
	return 4
}

type bytesIter struct {
	b string
	i int
}

func (*bytesIter) Type() *Type { return bytesIterType }

func (it *bytesIter) Next(t *Thread) (Value, error) {
	if it.i >= len(it.b) {
		return nil, nil
	}
	it.i++
	return Int(it.b[it.i-1]), nil
}

// CopyFor copies the iterator for a fork.
func (it *bytesIter) CopyFor(*Copier) (Value, error) { n := *it; return &n, nil }

type rangeIter struct{ next, step, n int64 }

func (*rangeIter) Type() *Type { return rangeIterType }

func (it *rangeIter) Next(t *Thread) (Value, error) {
	if it.n <= 0 {
		return nil, nil
	}
	v := it.next
	it.next += it.step
	it.n--
	return Int(v), nil
}

// CopyFor copies the iterator for a fork.
func (it *rangeIter) CopyFor(*Copier) (Value, error) { n := *it; return &n, nil }

// instIter adapts an object with __next__.
type instIter struct{ obj Value }

func (it *instIter) Type() *Type { return it.obj.Type() }

func (it *instIter) Next(t *Thread) (Value, error) {
	f, ok := it.obj.Type().Lookup("__next__")
	if !ok {
		return nil, TypeErrorf("'%s' object is not an iterator", TypeName(it.obj))
	}
	v, err := t.callBound(f, it.obj)
	if err != nil {
		if _, stop := Catch(err, StopIterationType); stop {
			return nil, nil
		}
	}
	return v, err
}

// CopyFor copies the adapter for a fork.
func (it *instIter) CopyFor(c *Copier) (Value, error) {
	v, err := c.Copy(it.obj)
	return &instIter{v}, err
}

// seqIter iterates by __getitem__(0), (1), … until IndexError.
type seqIter struct {
	seq  Value
	i    int
	done bool
}

func (*seqIter) Type() *Type { return seqIterType }

func (it *seqIter) Next(t *Thread) (Value, error) {
	if it.done {
		return nil, nil
	}
	v, err := t.GetItem(it.seq, Int(it.i))
	if err != nil {
		if _, stop := Catch(err, IndexErrorType, StopIterationType); stop {
			it.done = true
			return nil, nil
		}
	}
	it.i++
	return v, err
}

// CopyFor copies the iterator for a fork.
func (it *seqIter) CopyFor(c *Copier) (Value, error) {
	v, err := c.Copy(it.seq)
	return &seqIter{v, it.i, it.done}, err
}

// goIter is an iterator written as a Go closure.
type goIter struct {
	typ  *Type
	next func(t *Thread) (Value, error)
	copy func(c *Copier) (Value, error)
}

func (it *goIter) Type() *Type                   { return it.typ }
func (it *goIter) Next(t *Thread) (Value, error) { return it.next(t) }

// CopyFor copies the iterator for a fork if its maker said how.
func (it *goIter) CopyFor(c *Copier) (Value, error) {
	if it.copy == nil {
		return nil, c.refuse(it)
	}
	return it.copy(c)
}

// NewGoIter makes an iterator object of class typ from a closure. copyFor makes
// a copy for a fork; nil means that the object cannot be forked.
func (t *Thread) NewGoIter(typ *Type, next func(t *Thread) (Value, error), copyFor func(c *Copier) (Value, error)) Iterator {
	return &goIter{typ, next, copyFor}
}

// IterObject returns the object behind an Iterator, for identity: iter(x) is x.
func IterObject(it Iterator) Value {
	if i, ok := it.(*instIter); ok {
		return i.obj
	}
	return it
}
