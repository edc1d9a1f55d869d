package py

import "math/big"

// newReversed is reversed(seq): what __reversed__ returns, or an iterator by
// length and index.
func newReversed(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
	if err := checkCall("reversed", args, kw, 1, 1, false); err != nil {
		return nil, err
	}
	v := args[0]
	f, ok := v.Type().Lookup("__reversed__")
	if ok && f != None {
		if n, native := f.(*Native); !native || n.Owner == nil || !n.Owner.solid {
			return t.callBound(f, v)
		}
		v = Unwrap(v)
	}
	if r := t.reverseIter(v); r != nil {
		return r, nil
	}
	if _, has := v.Type().Lookup("__getitem__"); !has || f == None || ok && f == nil {
		return nil, TypeErrorf("'%s' object is not reversible", TypeName(v))
	}
	if _, isClass := v.(*Type); isClass {
		return nil, TypeErrorf("'%s' object is not reversible", TypeName(v))
	}
	n, err := t.Len(v)
	if err != nil {
		return nil, err
	}
	return &seqReverse{v, n - 1}, nil
}

// reverseIter is the reverse iterator of a built-in container, or nil.
func (t *Thread) reverseIter(v Value) Iterator {
	switch x := v.(type) {
	case *List:
		t.sawKeys(&x.obj)
		return &listReverseIter{x, len(x.Items) - 1}
	case *Dict:
		return newViewIter(t, x, viewKeys, true)
	case *Range:
		if x.wide != nil {
			return &wideIter{x.wide.reversed(), new(big.Int)}
		}
		if x.N == 0 {
			return &rangeIter{}
		}
		return &rangeIter{next: x.Start + (x.N-1)*x.Step, step: -x.Step, n: x.N}
	case *Str:
		return &seqReverse{x, x.n - 1}
	case *Tuple:
		return &seqReverse{x, len(x.Items) - 1}
	case *Bytes:
		return &seqReverse{x, len(x.B) - 1}
	}
	return nil
}

// listReverseIter is reversed(list).
type listReverseIter struct {
	list *List // nil when exhausted
	i    int
}

func (*listReverseIter) Type() *Type { return listReverseType }

func (it *listReverseIter) Next(t *Thread) (Value, error) {
	if it.list == nil {
		return nil, nil
	}
	if it.i < 0 || it.i >= len(it.list.Items) {
		it.list = nil
		return nil, nil
	}
	v := it.list.At(t, it.i)
	it.i--
	return v, nil
}

// CopyFor copies the iterator for a fork.
func (it *listReverseIter) CopyFor(c *Copier) (Value, error) {
	n := &listReverseIter{nil, it.i}
	if it.list == nil {
		return n, nil
	}
	v, err := c.Copy(it.list)
	if err != nil {
		return nil, err
	}
	n.list, _ = v.(*List)
	return n, nil
}

// seqReverse is reversed(seq) for other sequences: items by falling index.
type seqReverse struct {
	seq Value
	i   int
}

func (*seqReverse) Type() *Type { return reversedType }

func (it *seqReverse) Next(t *Thread) (Value, error) {
	if it.i < 0 {
		return nil, nil
	}
	v, err := t.GetItem(it.seq, Int(it.i))
	it.i--
	if err != nil {
		it.i = -1
		if _, stop := Catch(err, IndexErrorType, StopIterationType); stop {
			return nil, nil
		}
	}
	return v, err
}

// CopyFor copies the iterator for a fork.
func (it *seqReverse) CopyFor(c *Copier) (Value, error) {
	v, err := c.Copy(it.seq)
	return &seqReverse{v, it.i}, err
}

// callIter is iter(fn, sentinel).
type callIter struct {
	fn       Value // nil when exhausted
	sentinel Value
}

func (*callIter) Type() *Type { return callableIterType }

func (it *callIter) Next(t *Thread) (Value, error) {
	if it.fn == nil {
		return nil, nil
	}
	v, err := t.Call(it.fn, nil, nil)
	if err != nil {
		if _, stop := Catch(err, StopIterationType); stop {
			it.fn = nil
			return nil, nil
		}
		return nil, err
	}
	end, err := t.same(it.sentinel, v)
	if err != nil {
		return nil, err
	}
	if end {
		it.fn = nil
		return nil, nil
	}
	return v, nil
}

// CopyFor copies the iterator for a fork.
func (it *callIter) CopyFor(c *Copier) (Value, error) {
	fn, err := c.Copy(it.fn)
	if err != nil {
		return nil, err
	}
	s, err := c.Copy(it.sentinel)
	return &callIter{fn, s}, err
}
