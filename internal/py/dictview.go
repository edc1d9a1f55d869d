package py

import "gauntlet/internal/py/syntax"

// viewKind says which part of the items a view or dict iterator shows.
type viewKind uint8

const (
	viewKeys viewKind = iota
	viewValues
	viewItems
)

// DictView is what keys(), values() and items() of a dict return.
type DictView struct {
	d    *Dict
	kind viewKind
}

// The view classes and their iterators, by viewKind.
var (
	viewTypes        = [...]*Type{sealed("dict_keys"), sealed("dict_values"), sealed("dict_items")}
	dictIterTypes    = [...]*Type{dictIterType, sealed("dict_valueiterator"), sealed("dict_itemiterator")}
	dictReverseTypes = [...]*Type{sealed("dict_reversekeyiterator"), sealed("dict_reversevalueiterator"), sealed("dict_reverseitemiterator")}
)

// Type returns dict_keys, dict_values or dict_items.
func (v *DictView) Type() *Type { return viewTypes[v.kind] }

// CopyFor copies the view for a fork.
func (v *DictView) CopyFor(c *Copier) (Value, error) {
	d, err := copyDict(c, v.d)
	return &DictView{d, v.kind}, err
}

func copyDict(c *Copier, d *Dict) (*Dict, error) {
	v, err := c.Copy(d)
	if err != nil {
		return nil, err
	}
	n, _ := v.(*Dict)
	return n, nil
}

func dictViewMethod(kind viewKind) MethodFunc {
	return func(_ *Thread, self Value, _ []Value) (Value, error) {
		return &DictView{self.(*Dict), kind}, nil
	}
}

// Iter iterates over the keys, values or items.
func (v *DictView) Iter(t *Thread) (Iterator, error) {
	if v.kind == viewKeys {
		return t.Iter(v.d)
	}
	return newViewIter(t, v.d, v.kind, false), nil
}

// viewIter iterates over the values or items of a dict, or backwards.
type viewIter struct {
	d    *Dict
	kind viewKind
	back bool
	pos  int // next entry
	size int // number of items at the start; -1 after an error
}

func newViewIter(t *Thread, d *Dict, kind viewKind, back bool) *viewIter {
	t.sawKeys(&d.obj)
	it := &viewIter{d: d, kind: kind, back: back, size: d.live}
	if back {
		it.pos = len(d.entries) - 1
	}
	return it
}

// Type returns the iterator class of the kind.
func (it *viewIter) Type() *Type {
	if it.back {
		return dictReverseTypes[it.kind]
	}
	return dictIterTypes[it.kind]
}

// Next returns the next key, value or item.
func (it *viewIter) Next(t *Thread) (Value, error) {
	d := it.d
	if d == nil {
		return nil, nil
	}
	if d.live != it.size {
		it.size = -1
		return nil, RaiseType(RuntimeErrorType, "dictionary changed size during iteration")
	}
	gap := 0
	if !it.back {
		it.pos = max(it.pos, d.head)
	}
	for it.pos >= 0 && it.pos < len(d.entries) {
		gap++
		e := &d.entries[it.pos]
		if it.back {
			it.pos--
		} else {
			it.pos++
		}
		if e.key == nil {
			continue
		}
		if err := t.chargeGap(gap); err != nil {
			return nil, err
		}
		if it.kind == viewKeys {
			return e.key, nil
		}
		if t.log.on {
			t.sawItem(&d.obj, e.key, e.val)
		}
		if it.kind == viewValues {
			return e.val, nil
		}
		return NewTuple(e.key, e.val), t.Alloc(56)
	}
	it.d = nil
	return nil, nil
}

// CopyFor copies the iterator for a fork.
func (it *viewIter) CopyFor(c *Copier) (Value, error) {
	n := *it
	if it.d == nil {
		return &n, nil
	}
	d, err := copyDict(c, it.d)
	n.d = d
	return &n, err
}

// collect returns what the view shows as a slice.
func (v *DictView) collect(t *Thread) ([]Value, error) {
	if err := t.Alloc(24 * v.d.Len()); err != nil {
		return nil, err
	}
	if err := t.Charge(v.d.Len()); err != nil {
		return nil, err
	}
	if v.kind == viewKeys {
		return v.d.Keys(t), nil
	}
	items := v.d.Items(t)
	out := make([]Value, len(items))
	for i, it := range items {
		if v.kind == viewValues {
			out[i] = it.Value
		} else {
			out[i] = NewTuple(it.Key, it.Value)
		}
	}
	return out, nil
}

// has is x in view, for keys and items.
func (v *DictView) has(t *Thread, x Value) (bool, error) {
	if v.kind == viewKeys {
		r, err := v.d.Get(t, x)
		return r != nil, err
	}
	pair, ok := AsTuple(x)
	if !ok || len(pair.Items) != 2 {
		return false, nil
	}
	r, err := v.d.Get(t, pair.Items[0])
	if r == nil || err != nil {
		return false, err
	}
	return t.same(r, pair.Items[1])
}

// viewMembers are the methods of the view class of one kind.
func viewMembers(kind viewKind) []Member {
	owner := viewTypes[kind]
	members := []Member{
		slot(owner, "__len__", 0, func(t *Thread, self Value, a []Value) (Value, error) {
			d := self.(*DictView).d
			t.sawKeys(&d.obj)
			return Int(d.Len()), nil
		}),
		slot(owner, "__iter__", 0, func(t *Thread, self Value, a []Value) (Value, error) {
			return self.(*DictView).Iter(t)
		}),
		Def("__reversed__", "", func(t *Thread, self Value, a []Value) (Value, error) {
			v := self.(*DictView)
			return newViewIter(t, v.d, v.kind, true), nil
		}),
		slot(owner, "__repr__", 0, func(t *Thread, self Value, a []Value) (Value, error) {
			items, err := self.(*DictView).collect(t)
			if err != nil {
				return nil, err
			}
			s, err := t.Repr(t.NewList(items))
			return NewStr(owner.Name + "(" + s + ")"), err
		}),
	}
	if kind == viewValues {
		return members
	}
	members = append(members,
		slot(owner, "__contains__", 1, func(t *Thread, self Value, a []Value) (Value, error) {
			ok, err := self.(*DictView).has(t, a[0])
			return Bool(ok), err
		}),
		Def("isdisjoint", "other, /", func(t *Thread, self Value, a []Value) (Value, error) {
			return viewDisjoint(t, self.(*DictView), a[0])
		}),
		Member{"__hash__", None})
	for op := syntax.Eq; op <= syntax.GtE; op++ {
		members = append(members, slot(owner, cmpMethods[op].name, 1, func(t *Thread, self Value, a []Value) (Value, error) {
			return viewCompare(t, op, self.(*DictView), a[0])
		}))
	}
	for _, op := range []syntax.Operator{syntax.BitOr, syntax.BitAnd, syntax.Sub, syntax.BitXor} {
		name := opNames[op].method
		members = append(members, slot(owner, "__"+name+"__", 1, func(t *Thread, self Value, a []Value) (Value, error) {
			return viewArith(t, op, self, a[0])
		}), slot(owner, "__r"+name+"__", 1, func(t *Thread, self Value, a []Value) (Value, error) {
			return viewArith(t, op, a[0], self)
		}))
	}
	return members
}

// viewArith is a set operator with a view on either side; the other side may
// be any iterable.
func viewArith(t *Thread, op syntax.Operator, a, b Value) (Value, error) {
	if v, ok := a.(*DictView); ok && op == syntax.BitAnd {
		return viewAnd(t, v, b)
	}
	if v, ok := a.(*DictView); ok && op == syntax.BitXor && v.kind == viewItems {
		if w, ok := b.(*DictView); ok && w.kind == viewItems {
			return itemsXor(t, v, w)
		}
	}
	x, err := t.setOf(a)
	if err != nil {
		return nil, err
	}
	y, err := t.setOf(b)
	if err != nil {
		return nil, err
	}
	return t.setArith(op, x, y)
}

// itemsXor is the items that one of two dicts has alone; common items need no hash.
func itemsXor(t *Thread, v, w *DictView) (Value, error) {
	out, err := t.NewSet()
	if err != nil {
		return nil, err
	}
	for _, pair := range [][2]*DictView{{w, v}, {v, w}} {
		items, err := pair[0].collect(t)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			in, err := pair[1].has(t, it)
			if err == nil && !in {
				err = out.Add(t, it)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// viewAnd is the items of other that the view has; items that are not looked
// for need no hash.
func viewAnd(t *Thread, v *DictView, other Value) (Value, error) {
	if o, ok := other.(*DictView); ok && o.kind != viewValues && o.d.Len() > v.d.Len() {
		v, other = o, v
	}
	if s, ok := other.(*Set); ok && s.Len() >= v.d.Len() {
		x, err := t.setOf(v)
		if err != nil {
			return nil, err
		}
		return t.setArith(syntax.BitAnd, s, x)
	}
	out, err := t.NewSet()
	if err != nil {
		return nil, err
	}
	return out, t.ForEach(other, func(x Value) error {
		in, err := v.has(t, x)
		if err != nil || !in {
			return err
		}
		return out.Add(t, x)
	})
}

func viewDisjoint(t *Thread, v *DictView, other Value) (Value, error) {
	met, err := t.until(other, func(x Value) (bool, error) { return v.has(t, x) })
	return Bool(!met), err
}

// sizedHas is the length and the membership test of a set or set-like view.
func sizedHas(t *Thread, v Value) (n int, items func() ([]Value, error), has func(Value) (bool, error), ok bool) {
	if s, is := AsSet(v); is {
		return s.Len(), func() ([]Value, error) { return s.Items(t), nil }, func(x Value) (bool, error) { return t.setHas(s, x) }, true
	}
	if d, is := v.(*DictView); is && d.kind != viewValues {
		return d.d.Len(), func() ([]Value, error) { return d.collect(t) }, func(x Value) (bool, error) { return d.has(t, x) }, true
	}
	return 0, nil, nil, false
}

// viewCompare orders a view and a set or view by inclusion.
func viewCompare(t *Thread, op syntax.CmpOp, v *DictView, other Value) (Value, error) {
	n, items, has, ok := sizedHas(t, other)
	if !ok {
		return NotImplemented, nil
	}
	size := v.d.Len()
	inner, test := func() ([]Value, error) { return v.collect(t) }, has
	fits := size == n
	switch op {
	case syntax.Lt:
		fits = size < n
	case syntax.LtE:
		fits = size <= n
	case syntax.Gt:
		fits = size > n
	case syntax.GtE:
		fits = size >= n
	}
	if op == syntax.Gt || op == syntax.GtE {
		inner, test = items, func(x Value) (bool, error) { return v.has(t, x) }
	}
	if fits {
		list, err := inner()
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			if err := t.Charge(1); err != nil {
				return nil, err
			}
			in, err := test(x)
			if err != nil {
				return nil, err
			}
			if !in {
				fits = false
				break
			}
		}
	}
	return Bool(fits == (op != syntax.NotEq)), nil
}
