package regex

import "strconv"

// simpleEscape returns the character of a one-letter escape.
func simpleEscape(c rune) (rune, bool) {
	switch c {
	case 'a':
		return '\a', true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'v':
		return '\v', true
	case '\\':
		return '\\', true
	}
	return 0, false
}

func categoryOf(c rune) (category, bool) {
	switch c {
	case 'd':
		return catDigit, true
	case 'D':
		return catNotDigit, true
	case 's':
		return catSpace, true
	case 'S':
		return catNotSpace, true
	case 'w':
		return catWord, true
	case 'W':
		return catNotWord, true
	}
	return 0, false
}

// escape reads the rest of an escape outside a character set.
func (p *parser) escape(this token) (*node, error) {
	c := this.char()
	switch c {
	case 'A':
		return &node{op: nodeAt, at: atBeginningString}, nil
	case 'Z':
		return &node{op: nodeAt, at: atEndString}, nil
	case 'b':
		return &node{op: nodeAt, at: atBoundary}, nil
	case 'B':
		return &node{op: nodeAt, at: atNonBoundary}, nil
	}
	if cat, ok := categoryOf(c); ok {
		return &node{op: nodeSet, set: []setItem{{kind: setCategory, cat: cat}}}, nil
	}
	if r, ok := simpleEscape(c); ok {
		return &node{op: nodeLiteral, r: r}, nil
	}
	if c >= '1' && c <= '9' {
		return p.reference(c)
	}
	var err error
	switch {
	case c == '0':
		c, err = p.octal(c, 2)
	case isASCIILetter(c):
		c, err = p.codeEscape(c)
	}
	return &node{op: nodeLiteral, r: c}, err
}

// reference reads \1 to \99, or three octal digits, after the digit c.
func (p *parser) reference(c rune) (*node, error) {
	text := string(c)
	if isDigit(p.next) {
		text += string(p.get().char())
		if isOctal(token(text[0])) && isOctal(token(text[1])) && isOctal(p.next) {
			text += string(p.get().char())
			r, err := p.octalValue(text)
			return &node{op: nodeLiteral, r: r}, err
		}
	}
	n := atoiCapped(text, 99)
	if n >= len(p.groupWidths) {
		return nil, p.fail("invalid group reference "+strconv.Itoa(n), len(text))
	}
	if !p.checkGroup(n) {
		return nil, p.fail("cannot refer to an open group", len(text)+1)
	}
	if err := p.checkBehind(n); err != nil {
		return nil, err
	}
	return &node{op: nodeRef, group: n}, nil
}

// octal reads up to more further octal digits after c.
func (p *parser) octal(c rune, more int) (rune, error) {
	return p.octalValue(string(c) + p.while(more, isOctal))
}

func (p *parser) octalValue(digits string) (rune, error) {
	n, err := strconv.ParseUint(digits, 8, 16)
	// \0 takes at most two more digits, so it cannot be out of range.
	if err != nil || n > 0o377 {
		msg := `octal escape value \` + digits + ` outside of range 0-0o377`
		return 0, p.fail(msg, len(digits)+1)
	}
	return rune(n), nil
}

// codeEscape reads an escape that names a code point: \x, \u, \U and \N. Any
// other letter or digit is an error.
func (p *parser) codeEscape(c rune) (rune, error) {
	switch {
	case c == 'x':
		return p.hex(c, 2)
	case c == 'u' && !p.bytes:
		return p.hex(c, 4)
	case c == 'U' && !p.bytes:
		return p.hex(c, 8)
	case c == 'N' && !p.bytes:
		return p.named()
	}
	return 0, p.fail(`bad escape \`+string(c), 2)
}

func (p *parser) hex(c rune, digits int) (rune, error) {
	text := p.while(digits, isHex)
	size := 2 + len(text)
	written := `\` + string(c) + text
	if len(text) != digits {
		return 0, p.fail("incomplete escape "+written, size)
	}
	n, err := strconv.ParseUint(text, 16, 32)
	if n > 0x7FFFFFFF {
		return 0, &OverflowError{"Python int too large to convert to C int"}
	}
	if err != nil || n > 0x10FFFF {
		return 0, p.fail("bad escape "+written, size)
	}
	return rune(n), nil
}

func (p *parser) named() (rune, error) {
	if !p.match('{') {
		return 0, p.fail("missing {", 0)
	}
	name, err := p.until('}', "character name")
	if err != nil {
		return 0, err
	}
	r, ok := lookupName(encode(name))
	if !ok {
		return 0, p.fail("undefined character name "+quote(name), len(name)+4)
	}
	return r, nil
}
