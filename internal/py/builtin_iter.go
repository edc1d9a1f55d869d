package py

import "math/big"

// until calls f with each item of v until f returns true, and reports whether
// it did.
func (t *Thread) until(v Value, f func(Value) (bool, error)) (bool, error) {
	it, err := t.Iter(v)
	if err != nil {
		return false, err
	}
	for {
		if err := t.Charge(1); err != nil {
			return false, err
		}
		x, err := it.Next(t)
		if x == nil || err != nil {
			return false, err
		}
		if stop, err := f(x); stop || err != nil {
			return stop, err
		}
	}
}

// The classes of the built-in iterators that Python code can make by name.
var (
	enumerateType    = builtinType("enumerate", false)
	filterType       = builtinType("filter", false)
	mapType          = builtinType("map", false)
	zipType          = builtinType("zip", false)
	reversedType     = builtinType("reversed", false)
	listReverseType  = sealed("list_reverseiterator")
	callableIterType = sealed("callable_iterator")
)

// setupIterators attaches the constructors.
func setupIterators() {
	enumerateType.New = newEnumerate
	filterType.New = newFilter
	mapType.New = newMap
	zipType.New = newZip
	reversedType.New = newReversed
	for _, c := range []*Type{
		enumerateType, filterType, mapType, zipType, reversedType, listReverseType, callableIterType,
		listIterType, tupleIterType, dictIterType, setIterType, strIterType, asciiIterType, rangeIterType, wideIterType, bytesIterType, seqIterType,
		dictIterTypes[viewValues], dictIterTypes[viewItems],
		dictReverseTypes[viewKeys], dictReverseTypes[viewValues], dictReverseTypes[viewItems],
	} {
		c.Finish(
			slot(c, "__iter__", 0, func(t *Thread, self Value, _ []Value) (Value, error) { return self, nil }),
			slot(c, "__next__", 0, func(t *Thread, self Value, _ []Value) (Value, error) { return t.next(self) }),
		)
	}
}

// next is next(v): it raises StopIteration at the end.
func (t *Thread) next(v Value) (Value, error) {
	it, ok := v.(Iterator)
	if !ok {
		if _, has := v.Type().Lookup("__next__"); !has {
			return nil, TypeErrorf("'%s' object is not an iterator", TypeName(v))
		}
		r, _, err := t.CallSpecial(v, "__next__")
		return r, err
	}
	r, err := it.Next(t)
	if r != nil || err != nil {
		return r, err
	}
	if g, ok := v.(*Generator); ok {
		ret := g.ret
		g.ret = nil
		return nil, stopIteration(ret)
	}
	return nil, stopIteration(nil)
}

// pull is it.Next for an iterator inside another one: a tower of them must not
// exhaust the Go stack.
func (t *Thread) pull(it Iterator) (Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	v, err := it.Next(t)
	t.Leave()
	return v, err
}

// endOnStop turns a StopIteration that a called function raised into the end.
func endOnStop(v Value, err error) (Value, error) {
	if err != nil {
		if _, stop := Catch(err, StopIterationType); stop {
			return nil, nil
		}
	}
	return v, err
}

// copyIter copies an iterator for a fork.
func copyIter(c *Copier, it Iterator) (Iterator, error) {
	v, err := c.Copy(it)
	if err != nil {
		return nil, err
	}
	n, ok := v.(Iterator)
	if !ok {
		return nil, c.refuse(it)
	}
	return n, nil
}

func copyIters(c *Copier, its []Iterator) ([]Iterator, error) {
	out := make([]Iterator, len(its))
	for i, it := range its {
		n, err := copyIter(c, it)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// enumerate is the object enumerate(it, start).
type enumerate struct {
	it Iterator
	n  Value // Int or *Big
}

func (*enumerate) Type() *Type { return enumerateType }

func (e *enumerate) Next(t *Thread) (Value, error) {
	v, err := t.pull(e.it)
	if v == nil || err != nil {
		return nil, err
	}
	if err := t.Alloc(56); err != nil {
		return nil, err
	}
	n := e.n
	if i, ok := n.(Int); ok && i < 1<<62 {
		e.n = i + 1
	} else {
		e.n = MakeInt(new(big.Int).Add(bigOf(n), big.NewInt(1)))
	}
	return NewTuple(n, v), nil
}

// CopyFor copies the iterator for a fork.
func (e *enumerate) CopyFor(c *Copier) (Value, error) {
	it, err := copyIter(c, e.it)
	return &enumerate{it, e.n}, err
}

func newEnumerate(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
	if n := len(args) + len(kw); n > 2 {
		if len(args) == 0 {
			return nil, TypeErrorf("enumerate() missing required argument 'iterable'")
		}
		return nil, TypeErrorf("enumerate() takes at most 2 arguments (%d given)", n)
	}
	var a [2]Value
	copy(a[:], args)
	for _, k := range kw {
		switch {
		case k.Name == "iterable" && a[0] == nil:
			a[0] = k.Value
		case k.Name == "start" && a[1] == nil && (a[0] != nil || len(kw) == 2):
			a[1] = k.Value
		default:
			return nil, TypeErrorf("'%s' is an invalid keyword argument for enumerate()", k.Name)
		}
	}
	if a[0] == nil {
		return nil, TypeErrorf("enumerate() missing required argument 'iterable'")
	}
	n := Value(Int(0))
	if a[1] != nil {
		i, err := t.index(a[1])
		if err != nil {
			return nil, err
		}
		n = asInt(i)
	}
	it, err := t.Iter(a[0])
	if err != nil {
		return nil, err
	}
	return &enumerate{it, n}, nil
}

// filter is the object filter(fn, it).
type filter struct {
	fn Value // nil: keep what is true
	it Iterator
}

func (*filter) Type() *Type { return filterType }

func (f *filter) Next(t *Thread) (Value, error) {
	for {
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		v, err := t.pull(f.it)
		if v == nil || err != nil {
			return nil, err
		}
		r := v
		if f.fn != nil {
			if r, err = t.Call(f.fn, []Value{v}, nil); err != nil {
				return endOnStop(nil, err)
			}
		}
		keep, err := t.Truth(r)
		if err != nil {
			return nil, err
		}
		if keep {
			return v, nil
		}
	}
}

// CopyFor copies the iterator for a fork.
func (f *filter) CopyFor(c *Copier) (Value, error) {
	it, err := copyIter(c, f.it)
	if err != nil {
		return nil, err
	}
	fn, err := c.Copy(f.fn)
	return &filter{fn, it}, err
}

func newFilter(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
	if err := checkCall("filter", args, kw, 2, 2, false); err != nil {
		return nil, err
	}
	it, err := t.Iter(args[1])
	if err != nil {
		return nil, err
	}
	f := &filter{notNone(args[0]), it}
	if f.fn == BoolType {
		f.fn = nil
	}
	return f, nil
}

// mapper is the object map(fn, *its).
type mapper struct {
	fn  Value
	its []Iterator
}

func (*mapper) Type() *Type { return mapType }

func (m *mapper) Next(t *Thread) (Value, error) {
	if err := t.Alloc(16 * len(m.its)); err != nil {
		return nil, err
	}
	args := make([]Value, len(m.its))
	for i, it := range m.its {
		v, err := t.pull(it)
		if v == nil || err != nil {
			return nil, err
		}
		args[i] = v
	}
	return endOnStop(t.Call(m.fn, args, nil))
}

// CopyFor copies the iterator for a fork.
func (m *mapper) CopyFor(c *Copier) (Value, error) {
	its, err := copyIters(c, m.its)
	if err != nil {
		return nil, err
	}
	fn, err := c.Copy(m.fn)
	return &mapper{fn, its}, err
}

func newMap(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
	if len(kw) > 0 {
		return nil, TypeErrorf("map() takes no keyword arguments")
	}
	if len(args) < 2 {
		return nil, TypeErrorf("map() must have at least two arguments.")
	}
	its, err := t.iters(args[1:])
	if err != nil {
		return nil, err
	}
	return &mapper{args[0], its}, nil
}

func (t *Thread) iters(args []Value) ([]Iterator, error) {
	its := make([]Iterator, len(args))
	for i, v := range args {
		it, err := t.Iter(v)
		if err != nil {
			return nil, err
		}
		its[i] = it
	}
	return its, nil
}

// zipper is the object zip(*its, strict=False).
type zipper struct {
	its    []Iterator
	strict bool
}

func (*zipper) Type() *Type { return zipType }

func (z *zipper) Next(t *Thread) (Value, error) {
	if len(z.its) == 0 {
		return nil, nil
	}
	if err := t.Alloc(24 + 16*len(z.its)); err != nil {
		return nil, err
	}
	items := make([]Value, len(z.its))
	for i, it := range z.its {
		v, err := t.pull(it)
		if err != nil {
			return nil, err
		}
		if v == nil {
			if !z.strict {
				return nil, nil
			}
			return nil, z.mismatch(t, i)
		}
		items[i] = v
	}
	return NewTuple(items...), nil
}

// mismatch is the end of a strict zip when iterator i has no more items.
func (z *zipper) mismatch(t *Thread, i int) error {
	others := func(n int) string {
		if n == 1 {
			return " "
		}
		return "s 1-"
	}
	if i > 0 {
		return ValueErrorf("zip() argument %d is shorter than argument%s%d", i+1, others(i), i)
	}
	for k, it := range z.its[1:] {
		v, err := t.pull(it)
		if err != nil {
			return err
		}
		if v != nil {
			return ValueErrorf("zip() argument %d is longer than argument%s%d", k+2, others(k+1), k+1)
		}
	}
	return nil
}

// CopyFor copies the iterator for a fork.
func (z *zipper) CopyFor(c *Copier) (Value, error) {
	its, err := copyIters(c, z.its)
	return &zipper{its, z.strict}, err
}

func newZip(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
	z := &zipper{}
	if len(kw) > 1 {
		return nil, TypeErrorf("zip() takes at most 1 keyword argument (%d given)", len(kw))
	}
	for _, k := range kw {
		if k.Name != "strict" {
			return nil, TypeErrorf("'%s' is an invalid keyword argument for zip()", k.Name)
		}
		strict, err := t.Truth(k.Value)
		if err != nil {
			return nil, err
		}
		z.strict = strict
	}
	var err error
	z.its, err = t.iters(args)
	if err != nil {
		return nil, err
	}
	return z, nil
}
