package world

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// This file prints values as PyYAML 6.0.3 does (YAML 1.1, block style). The
// layout rules of PyYAML depend on a little state that its emitter keeps while
// it writes a line; yamlWriter keeps the same state, so that the odd corners
// (sets, tuples, keys that are collections, folded lines) come out alike.

// yamlWidth is the column after which long quoted and plain text is folded.
const yamlWidth = 8192

// dumpYAML prints a value built from None, bool, int, float, str, bytes, list,
// tuple, dict and set, without white space around it. A plain scalar at the top
// is followed by the document end mark "...". Shared lists and dicts are
// printed in full, without anchors: a value that was read from text shares none.
func dumpYAML(t *py.Thread, v py.Value) (string, error) {
	w := &yamlWriter{t: t, indent: -2, spaced: true, fresh: true}
	w.node(v, inRoot)
	if w.err != nil {
		return "", w.err
	}
	return text.StripSpace(string(w.out), text.Both), nil
}

// yamlWriter writes one document. The first error sticks.
type yamlWriter struct {
	t      *py.Thread
	out    []byte
	err    error
	column int // in code points
	indent int // of the collection being written; -2 above the top
	// spaced: what is before the cursor separates like a space.
	spaced bool
	// fresh: the line holds nothing but indentation and "-", "?" or ":".
	fresh bool
}

// position says where a node stands; it decides how a list is indented.
type position uint8

const (
	inRoot position = iota
	inSequence
	inMapping // a key or a value
)

// put appends text that does not end a line. Memory is charged as it grows.
func (w *yamlWriter) put(s string) {
	if w.err == nil {
		w.err = w.t.Alloc(len(s))
	}
	if w.err == nil {
		w.out = append(w.out, s...)
		w.column += text.Len(s)
	}
}

// mark puts an indicator, after a space if it needs one and has none.
func (w *yamlWriter) mark(s string, needSpace bool) {
	if needSpace && !w.spaced {
		w.put(" ")
	}
	w.put(s)
	w.spaced, w.fresh = false, false
}

// markItem puts "-", "?" or ":" in front of a node on the same line.
func (w *yamlWriter) markItem(s string) {
	fresh := w.fresh
	w.mark(s, true)
	w.fresh = fresh
}

// newline ends the line with a line break character.
func (w *yamlWriter) newline(lineBreak string) {
	w.put(lineBreak)
	w.spaced, w.fresh, w.column = true, true, 0
}

// startLine moves to the indentation, on a new line unless this one is unused.
func (w *yamlWriter) startLine() {
	indent := max(w.indent, 0)
	if !w.fresh || w.column > indent || w.column == indent && !w.spaced {
		w.newline("\n")
	}
	if w.column < indent {
		w.spaced = true
		w.put(strings.Repeat(" ", indent-w.column))
	}
}

// node writes a value at the cursor.
func (w *yamlWriter) node(v py.Value, at position) {
	switch x := v.(type) {
	case *py.List:
		w.sequence("", x.Items, at)
	case *py.Tuple:
		w.sequence("!!python/tuple", x.Items, at)
	case *py.Set:
		w.mapping("!!set", setItems(w.t, x))
	case *py.Dict:
		w.mapping("", x.Items(w.t))
	default:
		s, err := w.scalarOf(v)
		if err != nil {
			w.fail(err)
			return
		}
		w.scalar(s)
		if at == inRoot && s.style == plainStyle {
			w.put("\n...")
		}
	}
}

func (w *yamlWriter) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// setItems shows a set as the mapping of its elements to null.
func setItems(t *py.Thread, s *py.Set) []py.Item {
	items := make([]py.Item, 0, s.Len())
	for _, x := range s.Items(t) {
		items = append(items, py.Item{Key: x, Value: py.None})
	}
	return items
}

// nested runs f with the indentation of the next level, within the limits on
// depth and steps.
func (w *yamlWriter) nested(deeper bool, f func()) {
	if w.err != nil {
		return
	}
	if err := w.t.Enter(); err != nil {
		w.fail(err)
		return
	}
	defer w.t.Leave()
	old := w.indent
	if deeper {
		w.indent += 2
	}
	f()
	w.indent = old
}

func (w *yamlWriter) sequence(tag string, items []py.Value, at position) {
	if tag != "" {
		w.mark(tag, true)
	}
	if len(items) == 0 {
		w.mark("[]", true)
		return
	}
	// A list that is the value of a key stands as far left as the key.
	deeper := at != inMapping || w.fresh
	w.nested(deeper, func() {
		for _, x := range items {
			if w.err != nil {
				return
			}
			w.startLine()
			w.markItem("-")
			w.node(x, inSequence)
		}
	})
}

func (w *yamlWriter) mapping(tag string, items []py.Item) {
	if tag != "" {
		w.mark(tag, true)
	}
	if len(items) == 0 {
		w.mark("{}", true)
		return
	}
	w.nested(true, func() {
		for _, it := range items {
			if w.err != nil {
				return
			}
			w.startLine()
			w.key(it.Key)
			w.node(it.Value, inMapping)
		}
	})
}

// key writes a mapping key and its colon: on one line when it is short and
// simple, else after "?" with the colon on a line of its own.
func (w *yamlWriter) key(k py.Value) {
	if tuple, ok := k.(*py.Tuple); ok {
		w.keyNode(len(tuple.Items) == 0, func() { w.node(k, inMapping) })
		return
	}
	s, err := w.scalarOf(k)
	if err != nil {
		w.fail(err)
		return
	}
	w.keyNode(s.isSimpleKey(), func() { w.scalar(s) })
}

func (w *yamlWriter) keyNode(simple bool, write func()) {
	if simple {
		write()
		w.mark(":", false)
		return
	}
	w.markItem("?")
	write()
	w.startLine()
	w.markItem(":")
}
