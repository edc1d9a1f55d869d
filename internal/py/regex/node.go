package regex

import (
	"math/bits"
	"slices"
)

// nodeOp is the kind of a node.
type nodeOp uint8

const (
	nodeLiteral    nodeOp = iota // r
	nodeNotLiteral               // r
	nodeAny
	nodeSet    // set, negate
	nodeAt     // at
	nodeBranch // subs
	nodeGroup  // subs[0], group (0 when it captures nothing), add, del
	nodeAtomic // subs[0]
	nodeRepeat // subs[0], min, max, mode
	nodeAssert // subs[0], negate, behind
	nodeRef    // group
	nodeIf     // group, subs[0] yes, subs[1] no (may be absent)
)

// repeatMode tells how a quantifier gives back what it took.
type repeatMode uint8

const (
	greedy repeatMode = iota
	lazy
	possessive
)

// infinite is the maximum of a quantifier without an upper bound.
const infinite = -1

// node is one item of a pattern. Which fields count depends on op.
type node struct {
	op     nodeOp
	mode   repeatMode
	at     atCode
	negate bool
	behind bool
	r      rune
	group  int
	add    Flag
	del    Flag
	min    int
	max    int
	set    []setItem
	subs   []*seq
}

// same tells whether two nodes match the same characters for reasons that can
// be seen without looking into sub-patterns. It decides which common prefixes
// are moved out of an alternation.
func (n *node) same(o *node) bool {
	switch n.op {
	case nodeLiteral, nodeNotLiteral, nodeAny, nodeSet, nodeAt, nodeRef:
		return n.op == o.op && n.r == o.r && n.at == o.at && n.group == o.group &&
			n.negate == o.negate && slices.Equal(n.set, o.set)
	}
	return false
}

// seq is a sequence of nodes with the range of widths it can match.
type seq struct {
	items []*node
	width width
}

// width is the least and greatest number of characters a pattern can match,
// both capped at maxWidth.
type width struct{ lo, hi uint64 }

const maxWidth = 1 << 62

func addWidth(a, b uint64) uint64 { return min(a+b, maxWidth) }

func mulWidth(a, n uint64) uint64 {
	hi, lo := bits.Mul64(a, n)
	if hi != 0 {
		return maxWidth
	}
	return min(lo, maxWidth)
}

// measure sets the width of s from its items, whose own parts have been
// measured. groups holds the widths of the closed groups.
func (s *seq) measure(groups []*width) {
	s.width = width{}
	for _, n := range s.items {
		w := n.width(groups)
		s.width.lo = addWidth(s.width.lo, w.lo)
		s.width.hi = addWidth(s.width.hi, w.hi)
	}
}

func (n *node) width(groups []*width) width {
	switch n.op {
	case nodeLiteral, nodeNotLiteral, nodeAny, nodeSet:
		return width{1, 1}
	case nodeGroup, nodeAtomic:
		return n.subs[0].width
	case nodeBranch, nodeIf:
		w := n.subs[0].width
		for _, s := range n.subs[1:] {
			w.lo, w.hi = min(w.lo, s.width.lo), max(w.hi, s.width.hi)
		}
		if n.op == nodeIf && len(n.subs) == 1 {
			w.lo = 0
		}
		return w
	case nodeRepeat:
		w := n.subs[0].width
		lo := mulWidth(w.lo, uint64(n.min))
		if n.max == infinite {
			if w.hi > 0 {
				w.hi = maxWidth
			}
			return width{lo, w.hi}
		}
		return width{lo, mulWidth(w.hi, uint64(n.max))}
	case nodeRef:
		return *groups[n.group]
	}
	return width{}
}

// single returns the node of s when s is one node that matches exactly one
// character, with the flags in force there, or nil. Groups that do not capture
// are looked through.
func (s *seq) single(flags Flag) (*node, Flag) {
	for len(s.items) == 1 {
		n := s.items[0]
		switch n.op {
		case nodeLiteral, nodeNotLiteral, nodeAny, nodeSet:
			return n, flags
		}
		if n.op != nodeGroup || n.group != 0 {
			break
		}
		flags = n.apply(flags)
		s = n.subs[0]
	}
	return nil, flags
}

// apply returns the flags inside group n when flags hold around it.
func (n *node) apply(flags Flag) Flag {
	if n.add&typeFlags != 0 {
		flags &^= typeFlags
	}
	return (flags | n.add) &^ n.del
}
