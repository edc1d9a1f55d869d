package py

import "strings"

// obj is the header of a mutable container: where it hangs in the tracked
// state, and which transaction saved it.
type obj struct {
	node  *pathNode
	epoch uint32 // call for which node holds
	txn   uint32 // transaction that journaled the content
}

// pathNode is the place of a container below the tracked root.
type pathNode struct {
	parent *pathNode
	key    Value  // nil at the root
	text   string // the pointer, once it was asked for
}

// AccessKind says how much of a path an access touched.
type AccessKind uint8

// The kinds of access.
const (
	ReadItem  AccessKind = iota // one item or attribute was looked up
	ReadKeys                    // the keys, the length or the order was read
	ReadDeep                    // everything below was read
	WriteItem                   // one item or attribute was set or deleted
	WriteKeys                   // the content was changed as a whole (sort, clear, append)
)

type accessEvent struct {
	node *pathNode
	key  Value // nil for ReadKeys, ReadDeep and WriteKeys
	kind AccessKind
}

// accessLog collects the accesses of one call.
type accessLog struct {
	on     bool
	epoch  uint32
	events []accessEvent
}

// TrackRoot starts logging for one call: root's attributes are the top level
// of the state. It forgets the earlier log.
func (t *Thread) TrackRoot(root *Instance) {
	t.log.on = true
	t.log.epoch++
	t.log.events = t.log.events[:0]
	root.attrs.obj.node = &pathNode{}
	root.attrs.obj.epoch = t.log.epoch
}

// StopTracking ends logging and returns what was read and written, as JSON
// pointers (RFC 6901) in order of first access and without repeats. The path of
// a container that was read whole stands for everything below it; a path that
// ends in "/*" stands for the keys, the length or the order of a container.
func (t *Thread) StopTracking() (reads, writes []string) {
	t.log.on = false
	deep := map[*pathNode]bool{}
	for i := range t.log.events {
		if e := &t.log.events[i]; e.kind == ReadDeep {
			deep[e.node] = true
		}
	}
	w := pathWriter{t: t, deep: deep, seen: map[accessEvent]bool{}, texts: map[string]bool{}}
	reads, writes = []string{}, []string{}
	for _, e := range t.log.events {
		if w.seen[e] {
			continue
		}
		w.seen[e] = true
		if e.kind == WriteItem || e.kind == WriteKeys {
			writes = w.add(writes, "w", e)
		} else if !w.covered(e) {
			reads = w.add(reads, "r", e)
		}
	}
	return reads, writes
}

// pathWriter turns events into path texts.
type pathWriter struct {
	t     *Thread
	deep  map[*pathNode]bool
	seen  map[accessEvent]bool
	texts map[string]bool
}

// covered reports whether a container around the event's place was read whole.
func (w *pathWriter) covered(e accessEvent) bool {
	n := e.node
	if e.kind == ReadDeep {
		n = n.parent
	}
	for ; n != nil; n = n.parent {
		if w.deep[n] {
			return true
		}
	}
	return false
}

func (w *pathWriter) add(list []string, kind string, e accessEvent) []string {
	text := w.path(e.node)
	switch e.kind {
	case ReadKeys, WriteKeys:
		text += "/*"
	case ReadItem, WriteItem:
		text += "/" + w.token(e.key)
	}
	if w.texts[kind+text] {
		return list
	}
	w.texts[kind+text] = true
	return append(list, text)
}

// path is the pointer of a node, kept with the node.
func (w *pathWriter) path(n *pathNode) string {
	if n.key != nil && n.text == "" {
		n.text = w.path(n.parent) + "/" + w.token(n.key)
	}
	return n.text
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func (w *pathWriter) token(key Value) string {
	s, ok := key.(*Str)
	text := ""
	if ok {
		text = s.s
	} else {
		var err error
		if text, err = w.t.Str(key); err != nil {
			text = "?"
		}
	}
	if strings.IndexByte(text, '/') < 0 && strings.IndexByte(text, '~') < 0 {
		return text
	}
	return pointerEscapes.Replace(text)
}

// header returns the container header of v, or nil.
func header(v Value) *obj {
	switch v := v.(type) {
	case *Dict:
		return &v.obj
	case *List:
		return &v.obj
	case *Set:
		return &v.obj
	case *Instance:
		if m, ok := v.payload.(Mutable); ok {
			return m.Header()
		}
		if v.attrs != nil {
			return &v.attrs.obj
		}
	case *Tuple:
		return nil
	case Mutable:
		return v.Header()
	}
	return nil
}

// sawItem logs that item key of the container with header h was read and was
// v; a container found there learns its path.
func (t *Thread) sawItem(h *obj, key, v Value) {
	if !t.log.on || h.epoch != t.log.epoch {
		return
	}
	t.logEvent(accessEvent{h.node, key, ReadItem})
	t.tag(h, key, v)
}

// logEvent keeps an access. It pays from the memory budget; the next charge
// reports when that is used up.
func (t *Thread) logEvent(e accessEvent) {
	if t.alloc -= 64; t.alloc >= 0 {
		t.log.events = append(t.log.events, e)
	}
}

// tag gives a container the path (h, key) unless it has one in this call.
func (t *Thread) tag(h *obj, key, v Value) {
	switch v := v.(type) {
	case *Str, Int, Float, Bool, NoneType, nil:
	case *Tuple:
		for i, x := range v.Items {
			if c := header(x); c != nil && c.epoch != t.log.epoch {
				c.node = &pathNode{parent: &pathNode{parent: h.node, key: key}, key: Int(i)}
				c.epoch = t.log.epoch
			}
		}
	default:
		if c := header(v); c != nil && c.epoch != t.log.epoch {
			c.node = &pathNode{parent: h.node, key: key}
			c.epoch = t.log.epoch
		}
	}
}

// sawKeys logs a read of a container's keys, length or order.
func (t *Thread) sawKeys(h *obj) {
	if t.log.on && h.epoch == t.log.epoch {
		t.logEvent(accessEvent{h.node, nil, ReadKeys})
	}
}

// SawDeep logs that everything in v was read (repr, comparison, copy, return).
func (t *Thread) SawDeep(v Value) {
	if !t.log.on {
		return
	}
	if h := header(v); h != nil && h.epoch == t.log.epoch {
		t.logEvent(accessEvent{h.node, nil, ReadDeep})
	}
}

// wroteItem logs that item key was set to v (nil: deleted); a container put
// there takes this path.
func (t *Thread) wroteItem(h *obj, key, v Value) {
	if !t.log.on || h.epoch != t.log.epoch {
		return
	}
	t.logEvent(accessEvent{h.node, key, WriteItem})
	if v != nil {
		if c := header(v); c != nil {
			c.node = &pathNode{parent: h.node, key: key}
			c.epoch = t.log.epoch
		}
	}
}

// wroteAll logs a change of a container's whole content.
func (t *Thread) wroteAll(h *obj) {
	if t.log.on && h.epoch == t.log.epoch {
		t.logEvent(accessEvent{h.node, nil, WriteKeys})
	}
}

// Mutable is a library container (deque, random.Random) that takes part in
// transactions and forks. Its methods call Thread.Touch before they change it.
type Mutable interface {
	Value
	// Header is the container's header; embed Header to get it.
	Header() *obj
	// Save returns a function that restores the present content.
	Save() func()
	// CopyFor makes a copy for a fork; nested values go through c.
	CopyFor(c *Copier) (Value, error)
}

// Header is embedded by library containers to make them Mutable.
type Header struct{ h obj }

// Header returns the container header.
func (h *Header) Header() *obj { return &h.h }

// undo restores one container.
type undo struct {
	c       Value // *Dict, *List, *Set, or nil with restore
	dict    Dict
	list    []Value
	restore func()
}

// Begin starts a transaction; an earlier one is committed.
func (t *Thread) Begin() {
	t.txn++
	t.journal = t.journal[:0]
}

// Commit ends the transaction and keeps its changes.
func (t *Thread) Commit() { t.journal = t.journal[:0]; t.txn++ }

// Changed reports whether a container that existed before Begin was changed.
func (t *Thread) Changed() bool { return len(t.journal) > 0 }

// Rollback ends the transaction and restores every container it changed.
func (t *Thread) Rollback() {
	for i := len(t.journal) - 1; i >= 0; i-- {
		u := &t.journal[i]
		switch c := u.c.(type) {
		case *Dict:
			c.table = u.dict.table
		case *Set:
			c.tab = u.dict.table
		case *List:
			c.Items = u.list
		default:
			u.restore()
		}
		u.c, u.dict, u.list, u.restore = nil, Dict{}, nil, nil
	}
	t.journal = t.journal[:0]
	t.txn++
}

// Touch saves a library container before its first change in a transaction.
func (t *Thread) Touch(m Mutable) {
	h := m.Header()
	if h.txn != t.txn {
		h.txn = t.txn
		t.journal = append(t.journal, undo{restore: m.Save()})
	}
	t.wroteAll(h)
}

func (t *Thread) touchDict(d *Dict) {
	if d.txn != t.txn {
		d.txn = t.txn
		t.journal = append(t.journal, undo{c: d, dict: d.snapshot()})
	}
}

func (t *Thread) touchSet(s *Set) {
	if s.txn != t.txn {
		s.txn = t.txn
		t.journal = append(t.journal, undo{c: s, dict: s.tab.snapshot()})
	}
}

func (t *Thread) touchList(l *List) {
	if l.txn != t.txn {
		l.txn = t.txn
		t.journal = append(t.journal, undo{c: l, list: append([]Value(nil), l.Items...)})
	}
}
