package regex

import (
	"strconv"
	"unicode"
)

// group reads what follows an opening parenthesis and appends it to s. It
// returns the verbose flag, which (?x) at the start of a pattern changes.
func (p *parser) group(s *seq, verbose bool, depth int, first bool) (bool, error) {
	start := p.pos() - 1
	if !p.match('?') {
		return verbose, p.capture(s, nil, start, verbose, depth)
	}
	c := p.get()
	var err error
	switch {
	case c == eof:
		err = p.fail("unexpected end of pattern", 0)
	case c == 'P':
		err = p.namedGroup(s, start, verbose, depth)
	case c == ':':
		err = p.plain(s, node{op: nodeGroup}, start, verbose, depth)
	case c == '>':
		err = p.plain(s, node{op: nodeAtomic}, start, verbose, depth)
	case c == '#':
		err = p.comment(start)
	case c == '=' || c == '!' || c == '<':
		err = p.assertion(s, c, start, verbose, depth)
	case c == '(':
		err = p.conditional(s, start, verbose, depth)
	case flagOf(c) != 0 || c == '-':
		return p.flagGroup(s, c, start, verbose, depth, first)
	default:
		err = p.fail("unknown extension ?"+c.text(), c.size()+1)
	}
	return verbose, err
}

// body reads a sub-pattern and its closing parenthesis.
func (p *parser) body(start int, verbose bool, depth int) (*seq, error) {
	sub, err := p.alternation(verbose, depth+1)
	if err != nil {
		return nil, err
	}
	return sub, p.closing(start)
}

func (p *parser) closing(start int) error {
	if !p.match(')') {
		return p.fail("missing ), unterminated subpattern", p.pos()-start)
	}
	return nil
}

// capture reads a capturing group; name is nil for an anonymous one.
func (p *parser) capture(s *seq, name []rune, start int, verbose bool, depth int) error {
	g := len(p.groupWidths)
	p.groupWidths = append(p.groupWidths, nil)
	if name != nil {
		key := encode(name)
		if old, ok := p.index[key]; ok {
			msg := "redefinition of group name " + quote(name) + " as group " + strconv.Itoa(g) +
				"; was group " + strconv.Itoa(old)
			return p.fail(msg, len(name)+1)
		}
		p.index[key] = g
		p.names = append(p.names, GroupName{key, g})
	}
	sub, err := p.body(start, verbose, depth)
	if err != nil {
		return err
	}
	p.groupWidths[g] = &sub.width
	s.items = append(s.items, &node{op: nodeGroup, group: g, subs: []*seq{sub}})
	return nil
}

// plain reads a group that captures nothing; n carries its kind and flags.
func (p *parser) plain(s *seq, n node, start int, verbose bool, depth int) error {
	sub, err := p.body(start, verbose, depth)
	if err != nil {
		return err
	}
	n.subs = []*seq{sub}
	s.items = append(s.items, &n)
	return nil
}

// namedGroup reads (?P<name>...) and (?P=name).
func (p *parser) namedGroup(s *seq, start int, verbose bool, depth int) error {
	if p.match('<') {
		name, err := p.until('>', "group name")
		if err != nil {
			return err
		}
		if !isIdentifier(name) {
			return p.fail("bad character in group name "+quote(name), len(name)+1)
		}
		return p.capture(s, name, start, verbose, depth)
	}
	if !p.match('=') {
		c := p.get()
		if c == eof {
			return p.fail("unexpected end of pattern", 0)
		}
		return p.fail("unknown extension ?P"+c.text(), c.size()+2)
	}
	name, err := p.until(')', "group name")
	if err != nil {
		return err
	}
	if !isIdentifier(name) {
		return p.fail("bad character in group name "+quote(name), len(name)+1)
	}
	g, ok := p.index[encode(name)]
	if !ok {
		return p.fail("unknown group name "+quote(name), len(name)+1)
	}
	if !p.checkGroup(g) {
		return p.fail("cannot refer to an open group", len(name)+1)
	}
	if err := p.checkBehind(g); err != nil {
		return err
	}
	s.items = append(s.items, &node{op: nodeRef, group: g})
	return nil
}

func (p *parser) comment(start int) error {
	for {
		if p.next == eof {
			return p.fail("missing ), unterminated comment", p.pos()-start)
		}
		if p.get() == ')' {
			return nil
		}
	}
}

// assertion reads a lookahead or, after '<', a lookbehind.
func (p *parser) assertion(s *seq, c token, start int, verbose bool, depth int) error {
	n := node{op: nodeAssert, behind: c == '<'}
	if n.behind {
		c = p.get()
		if c == eof {
			return p.fail("unexpected end of pattern", 0)
		}
		if c != '=' && c != '!' {
			return p.fail("unknown extension ?<"+c.text(), c.size()+2)
		}
		if p.behindGroups == 0 {
			p.behindGroups = len(p.groupWidths)
			defer func() { p.behindGroups = 0 }()
		}
	}
	n.negate = c == '!'
	return p.plain(s, n, start, verbose, depth)
}

// conditional reads (?(group)yes|no).
func (p *parser) conditional(s *seq, start int, verbose bool, depth int) error {
	name, err := p.until(')', "group name")
	if err != nil {
		return err
	}
	g, err := p.condition(name)
	if err != nil {
		return err
	}
	if err := p.checkBehind(g); err != nil {
		return err
	}
	n := &node{op: nodeIf, group: g}
	if depth+1 > maxDepth {
		return p.fail("pattern nesting too deep", 0)
	}
	yes, err := p.sequence(verbose, depth+1, false)
	if err != nil {
		return err
	}
	n.subs = []*seq{yes}
	if p.match('|') {
		no, err := p.sequence(verbose, depth+1, false)
		if err != nil {
			return err
		}
		n.subs = append(n.subs, no)
		if p.next == '|' {
			return p.fail("conditional backref with more than two branches", 0)
		}
	}
	if err := p.closing(start); err != nil {
		return err
	}
	s.items = append(s.items, n)
	return nil
}

// condition resolves the name or number of a conditional.
func (p *parser) condition(name []rune) (int, error) {
	if isIdentifier(name) {
		g, ok := p.index[encode(name)]
		if !ok {
			return 0, p.fail("unknown group name "+quote(name), len(name)+1)
		}
		return g, nil
	}
	digits, ok := parseInt(name)
	if !ok {
		return 0, p.fail("bad character in group name "+quote(name), len(name)+1)
	}
	g := atoiCapped(digits, maxGroups)
	if g == 0 {
		return 0, p.fail("bad group number", len(name)+1)
	}
	if g >= maxGroups {
		return 0, p.fail("invalid group reference "+digits, len(name)+1)
	}
	for _, c := range p.conditions {
		if c.group == g {
			return g, nil
		}
	}
	p.conditions = append(p.conditions, condition{g, p.pos() - len(name) - 1})
	return g, nil
}

func flagOf(c token) Flag {
	switch c {
	case 'i':
		return IgnoreCase
	case 'L':
		return Locale
	case 'm':
		return Multiline
	case 's':
		return DotAll
	case 'x':
		return Verbose
	case 'a':
		return ASCII
	case 't':
		return TemplateFlag
	case 'u':
		return Unicode
	}
	return 0
}

// flagGroup reads (?flags) and (?flags-flags:...) after its first character c.
func (p *parser) flagGroup(s *seq, c token, start int, verbose bool, depth int, first bool) (bool, error) {
	n := node{op: nodeGroup}
	if c != '-' {
		var err error
		if c, err = p.addFlags(c, &n.add); err != nil {
			return verbose, err
		}
		if c == ')' {
			p.flags |= n.add
			if !first || len(s.items) > 0 {
				msg := "global flags not at the start of the expression"
				return verbose, p.fail(msg, p.pos()-start)
			}
			return p.flags&Verbose != 0, nil
		}
	}
	if n.add&globalFlags != 0 {
		return verbose, p.fail("bad inline flags: cannot turn on global flag", 1)
	}
	if c == '-' {
		if err := p.delFlags(&n.del); err != nil {
			return verbose, err
		}
	}
	if n.del&globalFlags != 0 {
		return verbose, p.fail("bad inline flags: cannot turn off global flag", 1)
	}
	if n.add&n.del != 0 {
		return verbose, p.fail("bad inline flags: flag turned on and off", 1)
	}
	if n.add&Locale != 0 {
		return verbose, newLocaleError()
	}
	inner := (verbose || n.add&Verbose != 0) && n.del&Verbose == 0
	return verbose, p.plain(s, n, start, inner, depth)
}

// addFlags reads flag letters from c on up to one of ")-:", which it returns.
func (p *parser) addFlags(c token, flags *Flag) (token, error) {
	for {
		f := flagOf(c)
		if c == 'L' && !p.bytes {
			return 0, p.fail("bad inline flags: cannot use 'L' flag with a str pattern", 0)
		}
		if c == 'u' && p.bytes {
			return 0, p.fail("bad inline flags: cannot use 'u' flag with a bytes pattern", 0)
		}
		*flags |= f
		if f&typeFlags != 0 && *flags&typeFlags != f {
			return 0, p.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", 0)
		}
		c = p.get()
		if c == ')' || c == '-' || c == ':' {
			return c, nil
		}
		if err := p.needFlag(c, "missing -, : or )"); err != nil {
			return 0, err
		}
	}
}

// delFlags reads flag letters after a minus up to the colon.
func (p *parser) delFlags(flags *Flag) error {
	c := p.get()
	if err := p.needFlag(c, "missing flag"); err != nil {
		return err
	}
	for {
		f := flagOf(c)
		if f&typeFlags != 0 {
			return p.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", 0)
		}
		*flags |= f
		c = p.get()
		if c == ':' {
			return nil
		}
		if err := p.needFlag(c, "missing :"); err != nil {
			return err
		}
	}
}

// needFlag reports c when it is no flag letter.
func (p *parser) needFlag(c token, missing string) error {
	switch {
	case c == eof:
		return p.fail(missing, 0)
	case flagOf(c) != 0:
		return nil
	case !c.escaped() && unicode.IsLetter(c.char()):
		return p.fail("unknown flag", c.size())
	}
	return p.fail(missing, c.size())
}
