package regex

import (
	"strconv"
	"strings"
)

// maxDepth bounds the nesting of groups, and with it the recursion of the
// parser and the compiler. Python fails with RecursionError at a similar depth.
const maxDepth = 400

// maxRepeat is the first count Python refuses in {m,n}.
const maxRepeat = 4294967295

// parser turns a pattern into a tree of nodes. It follows the order in which
// Python reads a pattern, because that order decides which of several errors
// is reported.
type parser struct {
	*tokenizer
	flags       Flag
	names       []GroupName
	index       map[string]int
	groupWidths []*width // by group number; nil while the group is open

	// behindGroups is the number of groups at the start of the outermost
	// lookbehind being read, or 0 outside one. A lookbehind may not refer to
	// groups opened in itself.
	behindGroups int

	// conditions lists the numbers used in (?(n)...) and where, to be checked
	// when all groups are known.
	conditions []condition
}

type condition struct{ group, pos int }

func newParser(pattern string, flags Flag, bytes bool) *parser {
	return &parser{
		tokenizer:   newTokenizer(pattern, bytes),
		flags:       flags,
		index:       map[string]int{},
		groupWidths: []*width{nil}, // group 0 is never closed
	}
}

func (p *parser) parse() (*seq, error) {
	tree, err := p.parseAll()
	if p.err != nil {
		// A bad last escape is seen one token ahead, so before any other error
		// that the parser may have met since.
		return nil, p.err
	}
	return tree, err
}

func (p *parser) parseAll() (*seq, error) {
	tree, err := p.alternation(p.flags&Verbose != 0, 0)
	if err != nil || p.err != nil {
		return nil, err
	}
	if err := p.fixFlags(); err != nil {
		return nil, err
	}
	if p.next != eof {
		return nil, p.fail("unbalanced parenthesis", 0)
	}
	for _, c := range p.conditions {
		if c.group >= len(p.groupWidths) {
			msg := "invalid group reference " + strconv.Itoa(c.group)
			return nil, newError(msg, p.text, p.chars, c.pos)
		}
	}
	return tree, nil
}

// fixFlags completes the flags as the type of the pattern demands.
func (p *parser) fixFlags() error {
	f := p.flags
	switch {
	case p.bytes && f&Unicode != 0:
		return &FlagError{"cannot use UNICODE flag with a bytes pattern"}
	case p.bytes && f&Locale != 0:
		return newLocaleError()
	case p.bytes:
	case f&Locale != 0:
		return &FlagError{"cannot use LOCALE flag with a str pattern"}
	case f&ASCII == 0:
		p.flags |= Unicode
	case f&Unicode != 0:
		return &FlagError{"ASCII and UNICODE flags are incompatible"}
	}
	return nil
}

// newLocaleError refuses what Python allows for bytes: matching would depend
// on the locale of the machine.
func newLocaleError() *FlagError { return &FlagError{"LOCALE flag is not supported"} }

// alternation reads a|b|c up to a closing parenthesis or the end.
func (p *parser) alternation(verbose bool, depth int) (*seq, error) {
	if depth > maxDepth {
		return nil, p.fail("pattern nesting too deep", 0)
	}
	var alts []*seq
	for {
		s, err := p.sequence(verbose, depth+1, depth == 0 && len(alts) == 0)
		if err != nil {
			return nil, err
		}
		alts = append(alts, s)
		if !p.match('|') {
			break
		}
		if depth == 0 {
			verbose = p.flags&Verbose != 0
		}
	}
	if len(alts) == 1 {
		return alts[0], nil
	}
	out := &seq{items: factorPrefix(alts)}
	if set := unionSet(alts); set != nil {
		out.items = append(out.items, &node{op: nodeSet, set: set})
	} else {
		for _, s := range alts {
			s.measure(p.groupWidths)
		}
		out.items = append(out.items, &node{op: nodeBranch, subs: alts})
	}
	out.measure(p.groupWidths)
	return out, nil
}

// factorPrefix removes the nodes with which all alternatives begin and returns
// them.
func factorPrefix(alts []*seq) []*node {
	var prefix []*node
	for {
		for _, s := range alts {
			if len(s.items) == 0 || !alts[0].items[0].same(s.items[0]) {
				return prefix
			}
		}
		prefix = append(prefix, alts[0].items[0])
		for _, s := range alts {
			s.items = s.items[1:]
		}
	}
}

// unionSet merges alternatives that are single characters or plain sets into
// one set; it returns nil when some alternative is anything else.
func unionSet(alts []*seq) []setItem {
	var set []setItem
	for _, s := range alts {
		if len(s.items) != 1 {
			return nil
		}
		n := s.items[0]
		switch {
		case n.op == nodeLiteral:
			set = append(set, setItem{kind: setLiteral, lo: n.r})
		case n.op == nodeSet && !n.negate:
			set = append(set, n.set...)
		default:
			return nil
		}
	}
	return uniq(set)
}

// sequence reads the items of one alternative. first is set for the very first
// alternative of the pattern, where (?flags) may stand.
func (p *parser) sequence(verbose bool, depth int, first bool) (*seq, error) {
	s := &seq{}
	for p.next != eof && p.next != '|' && p.next != ')' {
		this := p.get()
		if verbose {
			if strings.ContainsRune(" \t\n\r\v\f", rune(this)) {
				continue
			}
			if this == '#' {
				for c := p.get(); c != eof && c != '\n'; c = p.get() {
				}
				continue
			}
		}
		var err error
		switch {
		case this == '(':
			verbose, err = p.group(s, verbose, depth, first)
		case this == '*' || this == '+' || this == '?' || this == '{':
			err = p.quantifier(s, this)
		default:
			var n *node
			n, err = p.atom(this)
			s.items = append(s.items, n)
		}
		if err != nil {
			return nil, err
		}
	}
	s.unwrap()
	s.measure(p.groupWidths)
	return s, nil
}

// unwrap replaces groups that have no effect by their contents.
func (s *seq) unwrap() {
	var items []*node
	for _, n := range s.items {
		if n.op == nodeGroup && n.group == 0 && n.add == 0 && n.del == 0 {
			items = append(items, n.subs[0].items...)
		} else {
			items = append(items, n)
		}
	}
	s.items = items
}

// atom reads an item that is neither a group nor a quantifier.
func (p *parser) atom(this token) (*node, error) {
	switch {
	case this.escaped():
		return p.escape(this)
	case this == '[':
		return p.class()
	case this == '.':
		return &node{op: nodeAny}, nil
	case this == '^':
		return &node{op: nodeAt, at: atBeginning}, nil
	case this == '$':
		return &node{op: nodeAt, at: atEnd}, nil
	}
	return &node{op: nodeLiteral, r: this.char()}, nil
}

// quantifier reads the rest of a quantifier that starts with this and applies
// it to the last item of s.
func (p *parser) quantifier(s *seq, this token) error {
	here := p.pos()
	lo, hi := 0, infinite
	switch this {
	case '?':
		hi = 1
	case '+':
		lo = 1
	case '{':
		var ok bool
		var err error
		lo, hi, ok, err = p.counts(here)
		if err != nil {
			return err
		}
		if !ok {
			s.items = append(s.items, &node{op: nodeLiteral, r: '{'})
			return nil
		}
	}
	if len(s.items) == 0 || s.items[len(s.items)-1].op == nodeAt {
		return p.fail("nothing to repeat", p.pos()-here+1)
	}
	item := s.items[len(s.items)-1]
	if item.op == nodeRepeat {
		return p.fail("multiple repeat", p.pos()-here+1)
	}
	sub := &seq{items: []*node{item}}
	if item.op == nodeGroup && item.group == 0 && item.add == 0 && item.del == 0 {
		sub = item.subs[0]
	}
	sub.measure(p.groupWidths)
	n := &node{op: nodeRepeat, min: lo, max: hi, subs: []*seq{sub}}
	if p.match('?') {
		n.mode = lazy
	} else if p.match('+') {
		n.mode = possessive
	}
	s.items[len(s.items)-1] = n
	return nil
}

// counts reads m,n} after a brace. When the text is no quantifier it returns
// false and reads nothing.
func (p *parser) counts(here int) (lo, hi int, ok bool, err error) {
	if p.next == '}' {
		return 0, 0, false, nil
	}
	low := p.while(len(p.chars), isDigit)
	high := low
	if p.match(',') {
		high = p.while(len(p.chars), isDigit)
	}
	if !p.match('}') {
		p.seek(here)
		return 0, 0, false, nil
	}
	hi = infinite
	if low != "" {
		if lo = atoiCapped(low, maxRepeat); lo >= maxRepeat {
			return 0, 0, false, &OverflowError{"the repetition number is too large"}
		}
	}
	if high != "" {
		if hi = atoiCapped(high, maxRepeat); hi >= maxRepeat {
			return 0, 0, false, &OverflowError{"the repetition number is too large"}
		}
		if hi < lo {
			return 0, 0, false, p.fail("min repeat greater than max repeat", p.pos()-here)
		}
	}
	return lo, hi, true, nil
}

// atoiCapped reads decimal digits; a value above limit becomes limit.
func atoiCapped(digits string, limit int) int {
	n := 0
	for i := 0; i < len(digits); i++ {
		if n = n*10 + int(digits[i]-'0'); n > limit {
			return limit
		}
	}
	return n
}

// checkGroup tells whether group n exists and is closed.
func (p *parser) checkGroup(n int) bool {
	return n < len(p.groupWidths) && p.groupWidths[n] != nil
}

// checkBehind refuses a reference from a lookbehind to a group that is open or
// was opened in that lookbehind.
func (p *parser) checkBehind(n int) error {
	switch {
	case p.behindGroups == 0:
		return nil
	case !p.checkGroup(n):
		return p.fail("cannot refer to an open group", 0)
	case n >= p.behindGroups:
		return p.fail("cannot refer to group defined in the same lookbehind subpattern", 0)
	}
	return nil
}
