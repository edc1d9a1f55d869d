package regex

import "strings"

// startHint says where a match may start, so that a search can skip the
// positions where it cannot. It never rules out a position that matches.
type startHint struct {
	anchored bool   // only the position where the search starts
	width    int    // least number of characters of a match
	prefix   []rune // literal text every match starts with
	text     string // prefix as a string if it is ASCII
	first    *[4]uint64
}

// newStartHint derives the hint from the tree. first is a bitmap of the
// characters below 256 that can start a match; others always may.
func newStartHint(tree *seq, flags Flag, prog []inst) startHint {
	h := startHint{width: int(tree.width.lo)}
	if in := prog[0]; in.op == opAt {
		h.anchored = in.at == atBeginning || in.at == atBeginningString
	}
	if h.width == 0 {
		return h
	}
	h.prefix, _ = literalPrefix(nil, tree, flags)
	if p := encode(h.prefix); isASCII(p) {
		h.text = p
	}
	if len(h.prefix) == 0 {
		var first [4]uint64
		if addFirst(&first, tree, flags) {
			h.first = &first
		}
	}
	return h
}

// literalPrefix appends the literal characters s starts with to prefix. It
// returns false when the prefix ends before the end of s.
func literalPrefix(prefix []rune, s *seq, flags Flag) ([]rune, bool) {
	for _, n := range s.items {
		whole := false
		switch n.op {
		case nodeLiteral:
			if in := charTest(n, flags); in.test == testLiteral {
				prefix, whole = append(prefix, n.r), true
			}
		case nodeGroup:
			prefix, whole = literalPrefix(prefix, n.subs[0], n.apply(flags))
		}
		if !whole {
			return prefix, false
		}
	}
	return prefix, true
}

// addFirst adds the characters that can start s to first. It returns false
// when s may match nothing or when the characters cannot be told.
func addFirst(first *[4]uint64, s *seq, flags Flag) bool {
	for _, n := range s.items {
		done := false
		switch n.op {
		case nodeLiteral, nodeNotLiteral, nodeAny, nodeSet:
			in := charTest(n, flags)
			for c := rune(0); c < 256; c++ {
				if in.matches(c) {
					first[c>>6] |= 1 << (c & 63)
				}
			}
			done = true
		case nodeAt, nodeAssert:
			// These take no characters: what follows starts the match.
		case nodeGroup:
			done = addFirst(first, n.subs[0], n.apply(flags))
		case nodeAtomic:
			done = addFirst(first, n.subs[0], flags)
		case nodeRepeat:
			done = addFirst(first, n.subs[0], flags) && n.min > 0
		case nodeBranch:
			done = true
			for _, alt := range n.subs {
				done = addFirst(first, alt, flags) && done
			}
		default:
			// A reference or a condition: everything may follow.
			*first = [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
			done = true
		}
		if done {
			return true
		}
	}
	return false
}

// search looks for the first match that starts at or after start. It returns
// the start and end of the match, or fail.
func (m *machine) search(h *startHint, start int) (int, int, error) {
	last := m.end - h.width
	for at := start; at <= last; at++ {
		at = m.skip(h, at, last)
		if at > last {
			break
		}
		end, err := m.run(at)
		if err != nil || end != fail {
			return at, end, err
		}
		if h.anchored {
			break
		}
	}
	return fail, fail, nil
}

// skip returns the first position from at on where a match may start; beyond
// last if there is none.
func (m *machine) skip(h *startHint, at, last int) int {
	from := at
	switch {
	case h.anchored:
	case len(h.prefix) > 0:
		at = m.findPrefix(h, at)
	case h.first != nil && m.wide == nil:
		for at <= last && h.first[m.text[at]>>6]&(1<<(m.text[at]&63)) == 0 {
			at++
		}
	case h.first != nil:
		for at <= last && m.wide[at] < 256 && h.first[m.wide[at]>>6]&(1<<(m.wide[at]&63)) == 0 {
			at++
		}
	}
	m.steps += (at - from) >> 4
	return at
}

// findPrefix returns the next position of the literal prefix, or a position
// beyond the end.
func (m *machine) findPrefix(h *startHint, at int) int {
	if m.wide != nil {
		for ; at < m.end; at++ {
			if m.wide[at] == h.prefix[0] {
				return at
			}
		}
		return m.end + 1
	}
	if h.text != "" {
		if i := strings.Index(m.text[at:m.end], h.text); i >= 0 {
			return at + i
		}
		return m.end + 1
	}
	// Bytes, or a prefix that an ASCII subject cannot contain.
	for ; at < m.end; at++ {
		if rune(m.text[at]) == h.prefix[0] {
			return at
		}
	}
	return m.end + 1
}
