package py

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Dict is Python's dict: insertion-ordered. The zero value is an empty dict.
type Dict struct {
	obj
	table
}

// Type returns dict.
func (*Dict) Type() *Type { return DictType }

// entry is one slot of a table; a deleted slot has a nil key.
type entry struct {
	hash uint64
	key  Value
	val  Value
}

// table is the ordered hash table under Dict and Set: entries in insertion
// order, and above smallTable entries an open-addressing index over them.
type table struct {
	entries []entry
	index   []int32 // entry number + 1; 0 is free; -1 is deleted
	live    int
	used    int // index slots that are not free
	head    int // entries before this one are deleted
}

const smallTable = 8

// hashStr hashes text the same way in every process, so that nothing
// that depends on hashes differs between runs.
func hashStr(s string) uint64 {
	const k0, k1 = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
	h := uint64(len(s))*k0 ^ k1
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) >= 8 {
		hi, lo := bits.Mul64(h^binary.LittleEndian.Uint64(b), k0)
		h = hi ^ lo
		b = b[8:]
	}
	var tail uint64
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	hi, lo := bits.Mul64(h^tail, k1)
	return hi ^ lo
}

// Len is the number of items.
func (d *table) Len() int { return d.live }

func (d *table) snapshot() Dict {
	return Dict{table: table{append([]entry(nil), d.entries...), append([]int32(nil), d.index...), d.live, d.used, d.head}}
}

// findStr returns the entry number of a str key, or -1.
func (d *table) findStr(key string, h uint64) int {
	if d.index == nil {
		for i := range d.entries {
			e := &d.entries[i]
			if e.hash == h && e.key != nil {
				if k, ok := e.key.(*Str); ok && k.s == key {
					return i
				}
			}
		}
		return -1
	}
	mask := uint64(len(d.index) - 1)
	for p := start(h) & mask; ; p = (p + 1) & mask {
		n := d.index[p]
		if n == 0 {
			return -1
		}
		if n > 0 {
			e := &d.entries[n-1]
			if e.hash == h {
				if k, ok := e.key.(*Str); ok && k.s == key {
					return int(n - 1)
				}
			}
		}
	}
}

// start is the first index slot of a hash: its bits are spread, because the
// hashes of numbers may differ in the high bits only.
func start(h uint64) uint64 { return h * 0x9E3779B97F4A7C15 >> 32 }

// find returns the entry number of key with hash h, or -1. A comparison may
// run code that changes the table; then the search begins again.
func (d *table) find(t *Thread, key Value, h uint64) (int, error) {
	if s, ok := key.(*Str); ok {
		if i := d.findStr(s.s, h); i >= 0 || d.allStr() {
			return i, nil
		}
	}
	if d.index == nil {
		for i := 0; i < len(d.entries); i++ {
			e := d.entries[i]
			if e.key == nil || e.hash != h {
				continue
			}
			if ok, err := t.same(e.key, key); ok || err != nil {
				if err == nil && !d.holds(i, e.key) {
					return d.findAgain(t, key, h)
				}
				return i, err
			}
			if !d.holds(i, e.key) || d.index != nil {
				return d.findAgain(t, key, h)
			}
		}
		return -1, nil
	}
	index := d.index
	mask := uint64(len(index) - 1)
	for p := start(h) & mask; ; p = (p + 1) & mask {
		if err := t.Charge(1); err != nil {
			return -1, err
		}
		n := int(index[p]) - 1
		if n == -1 {
			return -1, nil
		}
		if n < 0 || d.entries[n].hash != h {
			continue
		}
		k := d.entries[n].key
		ok, err := t.same(k, key)
		if err != nil {
			return n, err
		}
		if !d.holds(n, k) || len(d.index) != len(index) || &d.index[0] != &index[0] {
			return d.findAgain(t, key, h)
		}
		if ok {
			return n, nil
		}
	}
}

// holds reports whether entry i still has the key after it was compared.
func (d *table) holds(i int, key Value) bool {
	switch key.(type) {
	case Int, *Str, Float, Bool, *Big, NoneType, *Bytes:
		return i < len(d.entries) && d.entries[i].key != nil
	}
	return i < len(d.entries) && d.entries[i].key != nil && Is(d.entries[i].key, key)
}

// findAgain is find after the table changed under it.
func (d *table) findAgain(t *Thread, key Value, h uint64) (int, error) {
	if err := t.Enter(); err != nil {
		return -1, err
	}
	defer t.Leave()
	return d.find(t, key, h)
}

// allStr reports cheaply that no key needs a general comparison (small tables only).
func (d *table) allStr() bool {
	if len(d.entries) > smallTable {
		return false
	}
	for i := range d.entries {
		if k := d.entries[i].key; k != nil {
			if _, ok := k.(*Str); !ok {
				return false
			}
		}
	}
	return true
}

// same is the key comparison of dict and set: identity, then equality.
func (t *Thread) same(a, b Value) (bool, error) {
	if x, ok := a.(*Str); ok {
		if y, ok := b.(*Str); ok {
			return x.s == y.s, nil
		}
	}
	if Is(a, b) {
		return true, nil
	}
	return t.Eq(a, b)
}

// put sets key to val; it reports whether the key is new.
func (d *table) put(i int, h uint64, key, val Value) bool {
	if i >= 0 {
		d.entries[i].val = val
		return false
	}
	if len(d.entries) == cap(d.entries) && len(d.entries) > 2*d.live+smallTable {
		d.compact()
	}
	d.entries = append(d.entries, entry{h, key, val})
	d.live++
	switch {
	case d.index != nil && d.used*3 < len(d.index)*2:
		d.link(h, int32(len(d.entries)))
	case len(d.entries) > smallTable:
		d.reindex()
	}
	return true
}

func (d *table) link(h uint64, n int32) {
	mask := uint64(len(d.index) - 1)
	p := start(h) & mask
	for d.index[p] > 0 {
		p = (p + 1) & mask
	}
	if d.index[p] == 0 {
		d.used++
	}
	d.index[p] = n
}

func (d *table) reindex() {
	size := 16
	for size < len(d.entries)*2 {
		size *= 2
	}
	d.index, d.used = make([]int32, size), 0
	for i := range d.entries {
		if d.entries[i].key != nil {
			d.link(d.entries[i].hash, int32(i+1))
		}
	}
}

// compact drops deleted slots.
func (d *table) compact() {
	kept := d.entries[:0]
	for _, e := range d.entries {
		if e.key != nil {
			kept = append(kept, e)
		}
	}
	clear(d.entries[len(kept):])
	d.entries, d.head = kept, 0
	d.index = nil
	if len(kept) > smallTable {
		d.reindex()
	}
}

// remove deletes entry i.
func (d *table) remove(i int) {
	if d.index != nil {
		mask := uint64(len(d.index) - 1)
		for p := start(d.entries[i].hash) & mask; ; p = (p + 1) & mask {
			if d.index[p] == int32(i+1) {
				d.index[p] = -1
				break
			}
		}
	}
	d.entries[i] = entry{}
	d.live--
	if d.live == 0 {
		d.entries, d.index, d.used, d.head = d.entries[:0], nil, 0, 0
		return
	}
	for d.entries[d.head].key == nil {
		d.head++
	}
	if i == len(d.entries)-1 {
		for i >= 0 && d.entries[i].key == nil {
			i--
		}
		d.entries = d.entries[:i+1]
	}
}

// GetStr looks up a str key without logging.
func (d *Dict) GetStr(key string) (Value, bool) {
	if d == nil || d.live == 0 {
		return nil, false
	}
	if i := d.findStr(key, hashStr(key)); i >= 0 {
		return d.entries[i].val, true
	}
	return nil, false
}

// SetStr sets a str key without journal, limits or log; for new dicts only.
func (d *Dict) SetStr(key string, v Value) { d.setKey(NewStr(key), v) }

func (d *Dict) setKey(key *Str, v Value) {
	h := hashStr(key.s)
	d.put(d.findStr(key.s, h), h, key, v)
}

// Get returns the value of key, or nil when absent; an unhashable key is a TypeError.
func (d *Dict) Get(t *Thread, key Value) (Value, error) {
	h, err := t.Hash(key)
	if err != nil {
		return nil, err
	}
	i, err := d.find(t, key, h)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		if t.log.on {
			t.sawItem(&d.obj, key, nil)
		}
		return nil, nil
	}
	v := d.entries[i].val
	if t.log.on {
		t.sawItem(&d.obj, d.entries[i].key, v)
	}
	return v, nil
}

// Set sets key to v.
func (d *Dict) Set(t *Thread, key, v Value) error {
	h, err := t.Hash(key)
	if err != nil {
		return err
	}
	i, err := d.find(t, key, h)
	if err != nil {
		return err
	}
	if i < 0 {
		if err := t.Alloc(64); err != nil {
			return err
		}
	}
	t.touchDict(d)
	d.put(i, h, key, v)
	if t.log.on {
		t.wroteItem(&d.obj, key, v)
	}
	return nil
}

// Pop removes key and returns its value, or nil when absent.
func (d *Dict) Pop(t *Thread, key Value) (Value, error) {
	h, err := t.Hash(key)
	if err != nil {
		return nil, err
	}
	i, err := d.find(t, key, h)
	if err != nil || i < 0 {
		return nil, err
	}
	v := d.entries[i].val
	if t.log.on {
		t.sawItem(&d.obj, key, v)
		t.wroteItem(&d.obj, key, nil)
	}
	t.touchDict(d)
	d.remove(i)
	return v, nil
}

// KeyLike returns the key of the dict that equals key, or nil.
func (d *Dict) KeyLike(t *Thread, key Value) (Value, error) {
	h, err := t.Hash(key)
	if err != nil {
		return nil, err
	}
	i, err := d.find(t, key, h)
	if err != nil || i < 0 {
		return nil, err
	}
	return d.entries[i].key, nil
}

// Clear removes all items.
func (d *Dict) Clear(t *Thread) {
	t.touchDict(d)
	t.wroteAll(&d.obj)
	d.table = table{}
}

// Item is a key with its value.
type Item struct{ Key, Value Value }

// Items returns the items in order; it logs a deep read of scalars and tags
// containers, as iteration does.
func (d *Dict) Items(t *Thread) []Item {
	t.sawKeys(&d.obj)
	out := make([]Item, 0, d.live)
	for i := range d.entries {
		if e := &d.entries[i]; e.key != nil {
			if t.log.on {
				t.sawItem(&d.obj, e.key, e.val)
			}
			out = append(out, Item{e.key, e.val})
		}
	}
	return out
}

// Keys returns the keys in order.
func (d *Dict) Keys(t *Thread) []Value {
	t.sawKeys(&d.obj)
	return d.keys()
}

func (d *table) keys() []Value {
	out := make([]Value, 0, d.live)
	for i := range d.entries {
		if d.entries[i].key != nil {
			out = append(out, d.entries[i].key)
		}
	}
	return out
}

// Copy makes a shallow copy.
func (d *Dict) Copy(t *Thread) (*Dict, error) {
	if err := t.Alloc(64 * d.live); err != nil {
		return nil, err
	}
	n := &Dict{}
	n.txn = t.txn
	for _, it := range d.Items(t) {
		h, err := t.Hash(it.Key)
		if err != nil {
			return nil, err
		}
		n.put(-1, h, it.Key, it.Value)
	}
	return n, nil
}

// NewDict makes an empty dict that the current transaction owns.
func (t *Thread) NewDict() *Dict {
	d := &Dict{}
	d.txn = t.txn
	return d
}

// Update copies all items of o into d.
func (d *Dict) Update(t *Thread, o *Dict) error {
	for _, it := range o.Items(t) {
		if err := d.Set(t, it.Key, it.Value); err != nil {
			return err
		}
	}
	return nil
}
