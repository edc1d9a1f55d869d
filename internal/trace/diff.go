package trace

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
)

// Op says what a [Change] does. The set is closed.
type Op string

// The operations of a change.
const (
	Added   Op = "added"   // there was nothing at the path
	Removed Op = "removed" // there is nothing at the path any more
	Changed Op = "changed" // the value at the path is another one
)

// Change is one difference between two states.
//
// Path is a JSON pointer (RFC 6901). As in JSON Patch (RFC 6902), changes of a
// list are meant one after the other: an addition to an array moves the items
// from there on up, a removal moves them down.
type Change struct {
	// Op says what happened at the path.
	Op Op `json:"op"`
	// Path is the JSON pointer of the value in the state.
	Path string `json:"path"`
	// Old is the value before; absent if there was none.
	Old Value `json:"old,omitzero"`
	// New is the value after; absent if there is none.
	New Value `json:"new,omitzero"`
	// Extra holds the unknown fields of this object.
	Extra []Field `json:"-"`
}

// Diff returns the changes that lead from a to b, such that
// Apply(a, Diff(a, b)) equals b in the sense of [Equal]. Objects are compared
// key by key and recursively: first the keys of a in order, then the new keys of
// b. Arrays are compared after their equal beginnings and ends are set aside, so
// that one item inserted or removed anywhere is one change. The result is empty
// if and only if a and b are equal.
func Diff(a, b Value) []Change {
	d := differ{}
	switch {
	case !a.Exists() && !b.Exists():
	case !a.Exists():
		d.emit(Added, a, b)
	case !b.Exists():
		d.emit(Removed, a, b)
	default:
		d.compare(a, b)
	}
	return d.changes
}

type differ struct {
	path    []byte
	changes []Change
	hashes  map[*node]uint64
}

func (d *differ) emit(op Op, a, b Value) {
	d.changes = append(d.changes, Change{Op: op, Path: string(d.path), Old: a, New: b})
}

// at runs f with one token added to the path.
func (d *differ) at(token string, f func()) {
	n := len(d.path)
	d.path = appendPointer(d.path, token)
	f()
	d.path = d.path[:n]
}

func (d *differ) compare(a, b Value) {
	switch {
	case a.node != nil && a.node == b.node:
	case a.kind == KindObject && b.kind == KindObject:
		d.compareObjects(a.Distinct(), b.Distinct())
	case a.kind == KindArray && b.kind == KindArray:
		d.compareArrays(a.Items(), b.Items())
	case !Equal(a, b):
		d.emit(Changed, a, b)
	}
}

func (d *differ) compareObjects(a, b Value) {
	for _, f := range a.Fields() {
		d.at(f.Key, func() {
			if other := b.Get(f.Key); other.Exists() {
				d.compare(f.Value, other)
			} else {
				d.emit(Removed, f.Value, Value{})
			}
		})
	}
	for _, f := range b.Fields() {
		if !a.Get(f.Key).Exists() {
			d.at(f.Key, func() { d.emit(Added, Value{}, f.Value) })
		}
	}
}

func (d *differ) compareArrays(a, b []Value) {
	start := 0
	for start < len(a) && start < len(b) && d.equal(a[start], b[start]) {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && d.equal(a[endA-1], b[endB-1]) {
		endA--
		endB--
	}
	i := start
	for ; i < endA && i < endB; i++ {
		d.at(strconv.Itoa(i), func() { d.compare(a[i], b[i]) })
	}
	for j := endA - 1; j >= i; j-- { // backwards, so that each index is one of a
		d.at(strconv.Itoa(j), func() { d.emit(Removed, a[j], Value{}) })
	}
	for ; i < endB; i++ {
		d.at(strconv.Itoa(i), func() { d.emit(Added, Value{}, b[i]) })
	}
}

// equal is Equal behind a comparison of hashes. Items that differ are found out
// without walking through them, and items that are equal are not walked through
// again, so that Diff takes linear time for deep nesting too.
func (d *differ) equal(a, b Value) bool { return d.hash(a) == d.hash(b) && Equal(a, b) }

// hashSeed makes the hashes of one process; they never reach a result.
var hashSeed = maphash.MakeSeed()

// hash returns the same number for values that are equal.
func (d *differ) hash(v Value) uint64 {
	switch v.kind {
	case KindNumber:
		if n, ok := parseDecimal(v.text); ok {
			return maphash.Comparable(hashSeed, n)
		}
	case KindArray, KindObject:
		h, ok := d.hashes[v.node]
		if !ok {
			h = d.hashNode(v)
			if d.hashes == nil {
				d.hashes = map[*node]uint64{}
			}
			d.hashes[v.node] = h
		}
		return h
	}
	return maphash.String(hashSeed, v.text)
}

func (d *differ) hashNode(v Value) uint64 {
	h := uint64(v.kind)
	for _, item := range v.Items() {
		h = maphash.Comparable(hashSeed, [2]uint64{h, d.hash(item)})
	}
	for _, f := range v.Distinct().Fields() { // a sum, for the order must not count
		h += maphash.Comparable(hashSeed, [2]uint64{maphash.String(hashSeed, f.Key), d.hash(f.Value)})
	}
	return h
}

// Apply makes the changes to v one after the other and returns the result. It
// fails if a path does not exist, if something to be added is already there, or
// if the old value of a change is not the one in v, so a diff can only be
// applied to the state that it was made for.
func Apply(v Value, changes []Change) (Value, error) {
	for i, c := range changes {
		tokens, ok := SplitPointer(c.Path)
		if !ok {
			return Value{}, fmt.Errorf("apply change %d: path %q is not a JSON pointer", i, c.Path)
		}
		changed, err := applyAt(v, tokens, c)
		if err != nil {
			return Value{}, fmt.Errorf("apply change %d (%s %q): %w", i, c.Op, c.Path, err)
		}
		v = changed
	}
	return v, nil
}

// applyAt makes one change at the place in v that the tokens name. It recurses
// no deeper than v is nested.
func applyAt(v Value, tokens []string, c Change) (Value, error) {
	if len(tokens) == 0 {
		return replace(v, c)
	}
	old := v.child(tokens[0])
	insert := len(tokens) == 1 && c.Op == Added && v.kind == KindArray
	if insert {
		old = Value{} // an item that is here moves up
	}
	if len(tokens) > 1 && !old.Exists() {
		return Value{}, fmt.Errorf("there is no %q", tokens[0])
	}
	changed, err := applyAt(old, tokens[1:], c)
	if err != nil {
		return Value{}, err
	}
	var result Value
	switch v.kind {
	case KindObject:
		result = setField(v, tokens[0], changed)
	case KindArray:
		result, err = setItem(v, tokens[0], changed, insert)
	default:
		err = fmt.Errorf("%s has no %q", v.kind, tokens[0])
	}
	if err == nil && !result.Exists() {
		err = fmt.Errorf("the result is nested deeper than %d levels", MaxDepth)
	}
	return result, err
}

// replace returns the value that the change leaves where old was.
func replace(old Value, c Change) (Value, error) {
	switch c.Op {
	case Added, Changed, Removed:
	default:
		return Value{}, fmt.Errorf("unknown operation %q", c.Op)
	}
	if c.New.Exists() == (c.Op == Removed) {
		return Value{}, fmt.Errorf("the new value must be absent if and only if the operation is %q", Removed)
	}
	switch {
	case c.Op == Added && old.Exists():
		return Value{}, fmt.Errorf("there is already a value")
	case c.Op != Added && !old.Exists():
		return Value{}, fmt.Errorf("there is no value")
	case c.Op != Added && !Equal(old, c.Old):
		return Value{}, fmt.Errorf("the old value is not the one in the change")
	}
	return c.New, nil
}

func setField(v Value, key string, value Value) Value {
	if !value.Exists() {
		return v.Without(key)
	}
	return v.With(key, value)
}

// setItem replaces, inserts or (if value is absent) removes an array item.
func setItem(v Value, token string, value Value, insert bool) (Value, error) {
	i, ok := parseIndex(token)
	if !ok || i > v.Len() || i == v.Len() && !insert {
		return Value{}, fmt.Errorf("index %q is outside of the array of %d", token, v.Len())
	}
	items := slices.Clone(v.Items())
	switch {
	case insert:
		items = slices.Insert(items, i, value)
	case !value.Exists():
		items = slices.Delete(items, i, i+1)
	default:
		items[i] = value
	}
	return Array(items...), nil
}
