package py

import (
	"gauntlet/internal/py/syntax"
)

// inplaceSet is x op= y for the four set operators.
func (t *Thread) inplaceSet(op syntax.Operator, x, y *Set) error {
	v, err := t.setArith(op, x, y)
	if err != nil {
		return err
	}
	t.touchSet(x)
	t.wroteAll(&x.obj)
	x.tab = v.(*Set).tab
	return nil
}

// extend appends all items of v (list.extend, list += v).
func (t *Thread) extend(l *List, v Value) error {
	var items []Value
	var err error
	if src, ok := v.(*List); ok {
		items = src.Items
		t.sawKeys(&src.obj)
		if err := t.Alloc(16 * len(items)); err != nil {
			return err
		}
	} else if items, err = t.Collect(v); err != nil {
		return err
	}
	if len(items) == 0 {
		return nil
	}
	if t.log.on {
		if err := t.Alloc(64 * len(items)); err != nil {
			return err
		}
	}
	t.touchList(l)
	base := len(l.Items)
	l.Items = append(l.Items, items...)
	if t.log.on {
		for i, x := range items {
			t.wroteItem(&l.obj, Int(base+i), x)
		}
	}
	return nil
}

func (t *Thread) setArith(op syntax.Operator, x, y *Set) (Value, error) {
	var s *Set
	var err error
	switch op {
	case syntax.BitOr:
		s, err = setUnion(t, x, y)
	case syntax.BitAnd:
		s, err = setIntersection(t, x, y)
	case syntax.Sub:
		s, err = setDifference(t, x, y)
	case syntax.BitXor:
		s, err = setSymmetric(t, x, y)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (t *Thread) concat(x, y *Str) (Value, error) {
	if x.n == 0 {
		return y, nil
	}
	if y.n == 0 {
		return x, nil
	}
	if err := t.Alloc(len(x.s) + len(y.s) + 24); err != nil {
		return nil, err
	}
	return &Str{x.s + y.s, x.n + y.n}, nil
}

func (t *Thread) concatItems(x, y []Value) ([]Value, error) {
	if err := t.Alloc(16 * (len(x) + len(y))); err != nil {
		return nil, err
	}
	out := make([]Value, 0, len(x)+len(y))
	return append(append(out, x...), y...), nil
}

func (t *Thread) repeatItems(x []Value, n int64) ([]Value, error) {
	if n <= 0 || len(x) == 0 {
		return nil, nil
	}
	if n > 1<<40/int64(len(x)) {
		return nil, noMemory()
	}
	if err := t.Alloc(16 * len(x) * int(n)); err != nil {
		return nil, err
	}
	out := make([]Value, 0, len(x)*int(n))
	for range n {
		out = append(out, x...)
	}
	return out, nil
}

// noMemory is the error for a size that no machine has, in CPython as here.
// Programs can catch it; what only our limits forbid is a LimitError.
func noMemory() error { return RaiseArgs(MemoryErrorType) }

// repeat is sequence * int.
func (t *Thread) repeat(seq, count Value) (Value, error) {
	n, ok := AsInt(count)
	if !ok {
		return nil, OverflowErrorf("cannot fit 'int' into an index-sized integer")
	}
	n = max(n, 0)
	switch s := seq.(type) {
	case *Str:
		text, err := t.repeatText(s.s, n)
		return NewStr(text), err
	case *Bytes:
		text, err := t.repeatText(s.B, n)
		return &Bytes{text}, err
	case *List:
		items, err := t.repeatItems(s.Items, n)
		return t.NewList(items), err
	case *Tuple:
		items, err := t.repeatItems(s.Items, n)
		return NewTuple(items...), err
	}
	return nil, nil
}

func (t *Thread) repeatText(s string, n int64) (string, error) {
	if len(s) == 0 || n == 0 {
		return "", nil
	}
	if n > 1<<40/int64(len(s)) {
		return "", noMemory()
	}
	if err := t.Alloc(len(s) * int(n)); err != nil {
		return "", err
	}
	b := make([]byte, 0, len(s)*int(n))
	for range n {
		b = append(b, s...)
	}
	return string(b), nil
}
