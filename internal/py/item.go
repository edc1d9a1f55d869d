package py

import (
	"math/big"

	"gauntlet/internal/py/syntax"
)

// Len is len(v).
func (t *Thread) Len(v Value) (int, error) {
	switch x := v.(type) {
	case *Str:
		return x.n, nil
	case *List:
		t.sawKeys(&x.obj)
		return len(x.Items), nil
	case *Tuple:
		return len(x.Items), nil
	case *Dict:
		t.sawKeys(&x.obj)
		return x.live, nil
	case *Set:
		t.sawKeys(&x.obj)
		return x.Len(), nil
	case *Bytes:
		return len(x.B), nil
	case *Range:
		return int(x.N), nil
	case *MappingProxy:
		return x.D.live, nil
	}
	f, ok := v.Type().Lookup("__len__")
	if !ok || f == None {
		return 0, TypeErrorf("object of type '%s' has no len()", TypeName(v))
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return t.Len(Unwrap(v))
	}
	r, err := t.callBound(f, v)
	if err != nil {
		return 0, err
	}
	n, err := t.AsIndex(r)
	if err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, ValueErrorf("__len__() should return >= 0")
	}
	return int(n), nil
}

// AsIndex converts an object usable as an index to int64.
func (t *Thread) AsIndex(v Value) (int64, error) {
	b, err := t.index(v)
	if err != nil {
		return 0, err
	}
	if n, ok := AsInt(b); ok {
		return n, nil
	}
	return 0, RaiseType(IndexErrorType, "cannot fit 'int' into an index-sized integer")
}

// index is operator.index(v): an int value.
func (t *Thread) index(v Value) (Value, error) {
	switch x := Unwrap(v).(type) {
	case Int, *Big:
		return x, nil
	case Bool:
		n, _ := AsInt(x)
		return Int(n), nil
	}
	r, ok, err := t.CallSpecial(v, "__index__")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, TypeErrorf("'%s' object cannot be interpreted as an integer", TypeName(v))
	}
	switch x := Unwrap(r).(type) {
	case Int, *Big, Bool:
		return x, nil
	}
	return nil, TypeErrorf("__index__ returned non-int (type %s)", TypeName(r))
}

// AsBigInt returns an int, bool or instance of a subclass as big.Int, which
// must not be changed.
func (t *Thread) AsBigInt(v Value) (*big.Int, bool) {
	b := bigOf(Unwrap(v))
	return b, b != nil
}

// AsFloat converts a real number as float arguments of library functions do.
func (t *Thread) AsFloat(v Value) (float64, error) {
	switch x := Unwrap(v).(type) {
	case Float:
		return float64(x), nil
	case Int, Bool, *Big:
		return intToFloat(x)
	}
	if r, ok, err := t.CallSpecial(v, "__float__"); err != nil {
		return 0, err
	} else if ok {
		f, ok := Unwrap(r).(Float)
		if !ok {
			return 0, TypeErrorf("%s.__float__ returned non-float (type %s)", TypeName(v), TypeName(r))
		}
		return float64(f), nil
	}
	if _, ok := v.Type().Lookup("__index__"); ok {
		r, err := t.index(v)
		if err != nil {
			return 0, err
		}
		return intToFloat(r)
	}
	return 0, TypeErrorf("must be real number, not %s", TypeName(v))
}

// sliceBounds resolves a slice against a length, as slice.indices does.
func (t *Thread) sliceBounds(s *Slice, n int) (start, stop, step, count int, err error) {
	get := func(v Value, def int) (int, error) {
		if v == None {
			return def, nil
		}
		b, err := t.sliceIndex(v)
		return b, err
	}
	if step, err = get(s.Step, 1); err != nil {
		return
	}
	if step == 0 {
		err = ValueErrorf("slice step cannot be zero")
		return
	}
	step = max(step, -(1<<62 - 1))
	lo, hi, defStart, defStop := 0, n, 0, n
	if step < 0 {
		lo, hi, defStart, defStop = -1, n-1, n-1, -1
	}
	clamp := func(v Value, def int) (int, error) {
		if v == None {
			return def, nil
		}
		i, err := t.sliceIndex(v)
		if err != nil {
			return 0, err
		}
		if i < 0 {
			i += n
		}
		return min(max(i, lo), hi), nil
	}
	if start, err = clamp(s.Start, defStart); err != nil {
		return
	}
	if stop, err = clamp(s.Stop, defStop); err != nil {
		return
	}
	if step > 0 && stop > start {
		count = (stop - start + step - 1) / step
	} else if step < 0 && start > stop {
		count = (start - stop + -step - 1) / -step
	}
	return
}

// sliceIndex clamps huge indexes instead of failing.
func (t *Thread) sliceIndex(v Value) (int, error) {
	r, err := t.index(v)
	if err != nil {
		if _, ok := Catch(err, TypeErrorType); ok {
			if _, has := v.Type().Lookup("__index__"); !has {
				return 0, TypeErrorf("slice indices must be integers or None or have an __index__ method")
			}
		}
		return 0, err
	}
	if n, ok := AsInt(r); ok {
		return int(min(max(n, -(1<<62)), 1<<62)), nil
	}
	if r.(*Big).V.Sign() < 0 {
		return -(1 << 62), nil
	}
	return 1 << 62, nil
}

func pick[T any](xs []T, start, step, count int) []T {
	out := make([]T, count)
	for i := range out {
		out[i] = xs[start+i*step]
	}
	return out
}

// GetItem is v[key].
func (t *Thread) GetItem(v, key Value) (Value, error) {
	switch x := v.(type) {
	case *Dict:
		r, err := x.Get(t, key)
		if r == nil && err == nil {
			err = KeyErrorFor(key)
		}
		return r, err
	case *List:
		return t.listItem(x, key)
	case *Tuple:
		if s, ok := key.(*Slice); ok {
			items, err := t.sliceItems(x.Items, s)
			return NewTuple(items...), err
		}
		i, err := t.position(key, len(x.Items), "tuple")
		if err != nil {
			return nil, err
		}
		return x.Items[i], nil
	case *Str:
		return t.strItem(x, key)
	case *Bytes:
		if s, ok := key.(*Slice); ok {
			start, _, step, n, err := t.sliceBounds(s, len(x.B))
			if err != nil {
				return nil, err
			}
			return &Bytes{string(pick([]byte(x.B), start, step, n))}, t.Alloc(n)
		}
		i, err := t.position(key, len(x.B), "byte")
		if err != nil {
			if _, ok := Catch(err, IndexErrorType); ok {
				return nil, IndexErrorf("index out of range")
			}
			return nil, err
		}
		return Int(x.B[i]), nil
	case *Range:
		return t.rangeItem(x, key)
	case *MappingProxy:
		return t.GetItem(x.D, key)
	case *Type:
		return t.typeItem(x, key)
	}
	f, ok := v.Type().Lookup("__getitem__")
	if !ok {
		return nil, TypeErrorf("'%s' object is not subscriptable", TypeName(v))
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		if d, isDict := Unwrap(v).(*Dict); isDict {
			if m, has := v.Type().Lookup("__missing__"); has {
				r, err := d.Get(t, key)
				if r != nil || err != nil {
					return r, err
				}
				return t.callBound(m, v, key)
			}
		}
		return t.GetItem(Unwrap(v), key)
	}
	return t.callBound(f, v, key)
}

// typeItem is Class[key]: a metaclass's items, __class_getitem__, or a generic alias.
func (t *Thread) typeItem(c *Type, key Value) (Value, error) {
	if c.Meta != nil {
		if f, ok := c.Meta.Lookup("__getitem__"); ok {
			return t.callBound(f, c, key)
		}
	}
	if f, ok := c.Lookup("__class_getitem__"); ok {
		b, err := t.bind(f, nil, c)
		if err != nil {
			return nil, err
		}
		if _, static := b.(*Function); static {
			b = &Method{b, c}
		}
		return t.Call(b, []Value{key}, nil)
	}
	switch c {
	case ListType, DictType, SetType, FrozenSetType, TupleType, TypeType:
		return NewGenericAlias(c, key), nil
	}
	return nil, TypeErrorf("type '%s' is not subscriptable", c.Name)
}

// position resolves an index into [0, n).
func (t *Thread) position(key Value, n int, what string) (int, error) {
	i, ok := AsInt(key)
	if !ok {
		if _, has := key.Type().Lookup("__index__"); !has && !isInt(Unwrap(key)) {
			w := what + " indices must be integers or slices, not %s"
			if what == "string" {
				w = "string indices must be integers, not '%s'"
			}
			return 0, TypeErrorf(w, TypeName(key))
		}
		var err error
		if i, err = t.AsIndex(key); err != nil {
			return 0, err
		}
	}
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		return 0, IndexErrorf("%s index out of range", what)
	}
	return int(i), nil
}

func (t *Thread) listItem(x *List, key Value) (Value, error) {
	if s, ok := key.(*Slice); ok {
		items, err := t.sliceItems(x.Items, s)
		if err != nil {
			return nil, err
		}
		t.sawKeys(&x.obj)
		return t.NewList(items), nil
	}
	i, err := t.position(key, len(x.Items), "list")
	if err != nil {
		return nil, err
	}
	return x.At(t, i), nil
}

func (t *Thread) sliceItems(items []Value, s *Slice) ([]Value, error) {
	start, _, step, n, err := t.sliceBounds(s, len(items))
	if err != nil {
		return nil, err
	}
	if err := t.Alloc(16 * n); err != nil {
		return nil, err
	}
	return pick(items, start, step, n), nil
}

func (t *Thread) strItem(x *Str, key Value) (Value, error) {
	if s, ok := key.(*Slice); ok {
		start, _, step, n, err := t.sliceBounds(s, x.n)
		if err != nil {
			return nil, err
		}
		if err := t.Alloc(4 * n); err != nil {
			return nil, err
		}
		return x.slice(start, step, n), nil
	}
	i, err := t.position(key, x.n, "string")
	if err != nil {
		return nil, err
	}
	if x.ASCII() {
		return asciiStr[x.s[i]], nil
	}
	if err := t.Charge(i >> 3); err != nil {
		return nil, err
	}
	at := x.offset(i)
	return NewStr(x.s[at : at+runeLen(x.s[at])]), nil
}

// offset is the byte offset of code point i.
func (s *Str) offset(i int) int {
	if s.ASCII() {
		return i
	}
	at := 0
	for ; i > 0; i-- {
		at += runeLen(s.s[at])
	}
	return min(at, len(s.s))
}

// slice takes count code points from start, step apart.
func (s *Str) slice(start, step, count int) *Str {
	if count == 0 {
		return emptyStr
	}
	if s.ASCII() {
		if step == 1 {
			return NewStr(s.s[start : start+count])
		}
		return NewStr(string(pick([]byte(s.s), start, step, count)))
	}
	if step == 1 {
		a := s.offset(start)
		rest := Str{s.s[a:], s.n - start}
		return &Str{rest.s[:rest.offset(count)], count}
	}
	chars := make([]string, 0, s.n)
	for at := 0; at < len(s.s); {
		n := runeLen(s.s[at])
		chars = append(chars, s.s[at:at+n])
		at += n
	}
	var out []byte
	for _, c := range pick(chars, start, step, count) {
		out = append(out, c...)
	}
	return NewStr(string(out))
}

func (t *Thread) rangeItem(x *Range, key Value) (Value, error) {
	if s, ok := key.(*Slice); ok {
		start, stop, step, _, err := t.sliceBounds(s, int(x.N))
		if err != nil {
			return nil, err
		}
		return NewRange(x.Start+int64(start)*x.Step, x.Start+int64(stop)*x.Step, x.Step*int64(step)), nil
	}
	i, err := t.position(key, int(x.N), "range")
	if err != nil {
		if _, ok := Catch(err, IndexErrorType); ok {
			err = IndexErrorf("range object index out of range")
		}
		return nil, err
	}
	return Int(x.Start + int64(i)*x.Step), nil
}

// NewRange makes a range; step is not zero.
func NewRange(start, stop, step int64) *Range {
	r := &Range{Start: start, Stop: stop, Step: step}
	switch {
	case step > 0 && stop > start:
		r.N = int64((uint64(stop-start)-1)/uint64(step)) + 1
	case step < 0 && start > stop:
		r.N = int64((uint64(start-stop)-1)/absU(step)) + 1
	}
	return r
}

// SetItem is v[key] = x.
func (t *Thread) SetItem(v, key, x Value) error {
	switch o := v.(type) {
	case *Dict:
		return o.Set(t, key, x)
	case *List:
		if s, ok := key.(*Slice); ok {
			return t.setSlice(o, s, x)
		}
		i, err := t.position(key, len(o.Items), "list")
		if err != nil {
			if _, ok := Catch(err, IndexErrorType); ok {
				err = IndexErrorf("list assignment index out of range")
			}
			return err
		}
		t.touchList(o)
		o.Items[i] = x
		if t.log.on {
			t.wroteItem(&o.obj, Int(i), x)
		}
		return nil
	}
	f, ok := v.Type().Lookup("__setitem__")
	if !ok {
		return TypeErrorf("'%s' object does not support item assignment", TypeName(v))
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return t.SetItem(Unwrap(v), key, x)
	}
	_, err := t.callBound(f, v, key, x)
	return err
}

func (t *Thread) setSlice(l *List, s *Slice, x Value) error {
	start, stop, step, n, err := t.sliceBounds(s, len(l.Items))
	if err != nil {
		return err
	}
	if _, iterable := x.Type().Lookup("__iter__"); !iterable {
		if _, err := t.Iter(x); err != nil {
			if step != 1 {
				return TypeErrorf("must assign iterable to extended slice")
			}
			return TypeErrorf("can only assign an iterable")
		}
	}
	items, err := t.Collect(x)
	if err != nil {
		return err
	}
	if step != 1 {
		if len(items) != n {
			return ValueErrorf("attempt to assign sequence of size %d to extended slice of size %d", len(items), n)
		}
		out := append([]Value(nil), l.Items...)
		for i, v := range items {
			out[start+i*step] = v
		}
		l.Replace(t, out)
		return nil
	}
	start = min(start, len(l.Items))
	stop = min(max(stop, start), len(l.Items))
	if err := t.Alloc(16 * (len(l.Items) + len(items))); err != nil {
		return err
	}
	out := make([]Value, 0, len(l.Items)+len(items))
	out = append(append(append(out, l.Items[:start]...), items...), l.Items[stop:]...)
	l.Replace(t, out)
	return nil
}

// DelItem is del v[key].
func (t *Thread) DelItem(v, key Value) error {
	switch o := v.(type) {
	case *Dict:
		r, err := o.Pop(t, key)
		if r == nil && err == nil {
			err = KeyErrorFor(key)
		}
		return err
	case *List:
		if s, ok := key.(*Slice); ok {
			return t.delSlice(o, s)
		}
		i, err := t.position(key, len(o.Items), "list")
		if err != nil {
			if _, ok := Catch(err, IndexErrorType); ok {
				err = IndexErrorf("list assignment index out of range")
			}
			return err
		}
		out := make([]Value, 0, len(o.Items)-1)
		o.Replace(t, append(append(out, o.Items[:i]...), o.Items[i+1:]...))
		return t.Charge(len(o.Items) >> 4)
	}
	f, ok := v.Type().Lookup("__delitem__")
	if !ok {
		return TypeErrorf("'%s' object doesn't support item deletion", TypeName(v))
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return t.DelItem(Unwrap(v), key)
	}
	_, err := t.callBound(f, v, key)
	return err
}

func (t *Thread) delSlice(l *List, s *Slice) error {
	start, _, step, n, err := t.sliceBounds(s, len(l.Items))
	if err != nil || n == 0 {
		return err
	}
	gone := make([]bool, len(l.Items))
	for i := range n {
		gone[start+i*step] = true
	}
	out := make([]Value, 0, len(l.Items)-n)
	for i, v := range l.Items {
		if !gone[i] {
			out = append(out, v)
		}
	}
	l.Replace(t, out)
	return nil
}

// Contains is v in c.
func (t *Thread) Contains(c, v Value) (bool, error) {
	switch x := c.(type) {
	case *Dict:
		r, err := x.Get(t, v)
		return r != nil, err
	case *Set:
		return t.setHas(x, v)
	case *Str:
		s, ok := AsStr(v)
		if !ok {
			return false, TypeErrorf("'in <string>' requires string as left operand, not %s", TypeName(v))
		}
		return containsText(t, x.s, s.s)
	case *List, *Tuple, *Range:
		if r, ok := x.(*Range); ok && isInt(v) {
			n, fits := AsInt(v)
			return fits && rangeHas(r, n), nil
		}
		return t.containsItem(c, v)
	case *Bytes:
		switch y := v.(type) {
		case *Bytes:
			return containsText(t, x.B, y.B)
		default:
			if _, ok := v.Type().Lookup("__index__"); ok {
				y, err := t.AsIndex(v)
				if err != nil {
					return false, err
				}
				if y < 0 || y > 255 {
					return false, ValueErrorf("byte must be in range(0, 256)")
				}
				return containsText(t, x.B, string([]byte{byte(y)}))
			}
		}
		return false, TypeErrorf("a bytes-like object is required, not '%s'", TypeName(v))
	case *MappingProxy:
		return t.Contains(x.D, v)
	}
	f, ok := c.Type().Lookup("__contains__")
	if f == None {
		return false, TypeErrorf("'%s' object is not a container", TypeName(c))
	}
	if !ok {
		if _, err := t.Iter(c); err != nil {
			if _, is := Catch(err, TypeErrorType); is {
				if _, has := c.Type().Lookup("__iter__"); !has {
					return false, TypeErrorf("argument of type '%s' is not iterable", TypeName(c))
				}
			}
			return false, err
		}
		return t.containsItem(c, v)
	}
	if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
		return t.Contains(Unwrap(c), v)
	}
	r, err := t.callBound(f, c, v)
	if err != nil {
		return false, err
	}
	return t.Truth(r)
}

func rangeHas(r *Range, n int64) bool {
	if r.N == 0 {
		return false
	}
	last := r.Start + (r.N-1)*r.Step
	lo, hi := min(r.Start, last), max(r.Start, last)
	return n >= lo && n <= hi && (n-r.Start)%r.Step == 0
}

func containsText(t *Thread, s, sub string) (bool, error) {
	if err := t.Charge(len(s) >> 5); err != nil {
		return false, err
	}
	return indexText(s, sub) >= 0, nil
}

func (t *Thread) containsItem(c, v Value) (bool, error) {
	it, err := t.Iter(c)
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
		if ok, err := t.same(x, v); ok || err != nil {
			return ok, err
		}
	}
}

var _ = syntax.Add
