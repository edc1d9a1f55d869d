package regex

import "unicode"

// opcode selects what the machine does with an inst.
type opcode uint8

const (
	opChar      opcode = iota // match one character by test
	opMark                    // set mark arg
	opAt                      // check position at
	opBranch                  // try the programs at alts in turn
	opJump                    // go to arg
	opRepeatOne               // greedy repeat of test, then go on
	opLazyOne                 // lazy repeat of test
	opTakeOne                 // possessive repeat of test
	opRepeat                  // enter a repeat whose until is at arg
	opMaxUntil                // end of a greedy body; its opRepeat is at arg
	opMinUntil                // end of a lazy body
	opTake                    // possessive repeat of the body; goes on at arg
	opAtomic                  // match the body once without backtracking into it
	opAssert                  // match the body back characters before, then go on at arg
	opAssertNot               // fail if the body matches
	opRef                     // match the text of group arg
	opIf                      // go to alts[0] unless group arg is set
	opDone                    // end of the body of a sub-match
	opMatch                   // end of the pattern
)

// atCode is a position check.
type atCode uint8

const (
	atBeginning atCode = iota
	atBeginningLine
	atBeginningString
	atEnd
	atEndLine
	atEndString
	atBoundary
	atNonBoundary
)

// testKind tells how a single character is tested.
type testKind uint8

const (
	testLiteral testKind = iota
	testNotLiteral
	testFolded    // lower case equals r
	testNotFolded // lower case differs from r
	testAny       // anything but a newline
	testAnyAll
	testSet
)

// inst is one instruction. Which fields count depends on op.
type inst struct {
	op       opcode
	test     testKind
	at       atCode
	fold     foldMode
	unicode  bool // word boundaries by Unicode
	r        rune
	arg      int
	min, max int
	set      *charset
	alts     []int
}

// matches applies the test of a single-character instruction.
func (in *inst) matches(c rune) bool {
	switch in.test {
	case testLiteral:
		return c == in.r
	case testNotLiteral:
		return c != in.r
	case testFolded:
		return in.fold.lower(c) == in.r
	case testNotFolded:
		return in.fold.lower(c) != in.r
	case testAny:
		return c != '\n'
	case testSet:
		return in.set.has(c)
	}
	return true
}

// maxBehind is the widest lookbehind Python accepts.
const maxBehind = 1<<32 - 1

// compiler appends the program for a tree of nodes. Its recursion is as deep
// as the tree, which the parser limits.
type compiler struct {
	prog []inst
}

// emit appends in and returns its index.
func (c *compiler) emit(in inst) int {
	c.prog = append(c.prog, in)
	return len(c.prog) - 1
}

// here patches the argument of instruction i to the next index.
func (c *compiler) here(i int) { c.prog[i].arg = len(c.prog) }

func (c *compiler) seq(s *seq, flags Flag) error {
	for _, n := range s.items {
		if err := c.node(n, flags); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) node(n *node, flags Flag) error {
	switch n.op {
	case nodeLiteral, nodeNotLiteral, nodeAny, nodeSet:
		c.emit(charTest(n, flags))
	case nodeAt:
		c.emit(inst{op: opAt, at: atFor(n.at, flags), unicode: flags&Unicode != 0})
	case nodeRef:
		c.emit(inst{op: opRef, arg: n.group, fold: foldOf(flags)})
	case nodeGroup:
		return c.group(n, flags)
	case nodeBranch:
		return c.branch(n, flags)
	case nodeRepeat:
		return c.repeat(n, flags)
	case nodeIf:
		return c.conditional(n, flags)
	case nodeAtomic:
		return c.body(inst{op: opAtomic}, n.subs[0], flags)
	case nodeAssert:
		return c.assertion(n, flags)
	}
	return nil
}

func (c *compiler) group(n *node, flags Flag) error {
	if n.group > 0 {
		c.emit(inst{op: opMark, arg: 2 * (n.group - 1)})
	}
	if err := c.seq(n.subs[0], n.apply(flags)); err != nil {
		return err
	}
	if n.group > 0 {
		c.emit(inst{op: opMark, arg: 2*(n.group-1) + 1})
	}
	return nil
}

func (c *compiler) branch(n *node, flags Flag) error {
	b := c.emit(inst{op: opBranch})
	var jumps []int
	for _, s := range n.subs {
		c.prog[b].alts = append(c.prog[b].alts, len(c.prog))
		if err := c.seq(s, flags); err != nil {
			return err
		}
		jumps = append(jumps, c.emit(inst{op: opJump}))
	}
	for _, j := range jumps {
		c.here(j)
	}
	return nil
}

func (c *compiler) conditional(n *node, flags Flag) error {
	i := c.emit(inst{op: opIf, arg: n.group})
	if err := c.seq(n.subs[0], flags); err != nil {
		return err
	}
	if len(n.subs) == 1 {
		c.prog[i].alts = []int{len(c.prog)}
		return nil
	}
	j := c.emit(inst{op: opJump})
	c.prog[i].alts = []int{len(c.prog)}
	if err := c.seq(n.subs[1], flags); err != nil {
		return err
	}
	c.here(j)
	return nil
}

// body emits in, then s as a sub-match that ends in opDone.
func (c *compiler) body(in inst, s *seq, flags Flag) error {
	i := c.emit(in)
	if err := c.seq(s, flags); err != nil {
		return err
	}
	c.emit(inst{op: opDone})
	c.here(i)
	return nil
}

func (c *compiler) assertion(n *node, flags Flag) error {
	in := inst{op: opAssert}
	if n.negate {
		in.op = opAssertNot
	}
	if n.behind {
		w := n.subs[0].width
		if w.lo > maxBehind {
			return &Error{Msg: "looks too much behind", Pos: -1}
		}
		if w.lo != w.hi {
			return &Error{Msg: "look-behind requires fixed-width pattern", Pos: -1}
		}
		in.min = int(w.lo)
	}
	return c.body(in, n.subs[0], flags)
}

func (c *compiler) repeat(n *node, flags Flag) error {
	if flags&TemplateFlag != 0 {
		name := [...]string{greedy: "MAX", lazy: "MIN", possessive: "POSSESSIVE"}[n.mode]
		return &Error{Msg: "internal: unsupported template operator " + name + "_REPEAT", Pos: -1}
	}
	s := n.subs[0]
	if one, oneFlags := s.single(flags); one != nil {
		in := charTest(one, oneFlags)
		in.op = [...]opcode{greedy: opRepeatOne, lazy: opLazyOne, possessive: opTakeOne}[n.mode]
		in.min, in.max = n.min, n.max
		c.emit(in)
		return nil
	}
	if n.mode == possessive {
		return c.body(inst{op: opTake, min: n.min, max: n.max}, s, flags)
	}
	i := c.emit(inst{op: opRepeat, min: n.min, max: n.max})
	if err := c.seq(s, flags); err != nil {
		return err
	}
	c.here(i)
	until := opMaxUntil
	if n.mode == lazy {
		until = opMinUntil
	}
	c.emit(inst{op: until, arg: i})
	return nil
}

func atFor(at atCode, flags Flag) atCode {
	if flags&Multiline != 0 {
		switch at {
		case atBeginning:
			return atBeginningLine
		case atEnd:
			return atEndLine
		}
	}
	return at
}

// charTest makes the instruction that matches the one-character node n.
func charTest(n *node, flags Flag) inst {
	in := inst{op: opChar}
	switch n.op {
	case nodeAny:
		in.test = testAny
		if flags&DotAll != 0 {
			in.test = testAnyAll
		}
		return in
	case nodeSet:
		in.test, in.set = testSet, newCharset(n.set, n.negate, flags)
		return in
	}
	not := n.op == nodeNotLiteral
	in.r, in.test = n.r, testLiteral
	if not {
		in.test = testNotLiteral
	}
	fold := foldOf(flags)
	lower := fold.lower(n.r)
	if fold == foldASCII && !isASCIILetter(n.r) {
		fold = foldNone
	}
	if fold == foldUnicode {
		if eq := equivalents(lower); eq != nil {
			set := []setItem{{lo: lower}}
			for _, e := range eq {
				set = append(set, setItem{lo: e})
			}
			in.test, in.set = testSet, newCharset(set, not, flags)
			return in
		}
		if unicode.SimpleFold(n.r) == n.r && lower == n.r {
			fold = foldNone
		}
	}
	if fold != foldNone {
		in.test, in.r, in.fold = testFolded, lower, fold
		if not {
			in.test = testNotFolded
		}
	}
	return in
}
