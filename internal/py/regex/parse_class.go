package regex

// class reads a character set after its opening bracket.
func (p *parser) class() (*node, error) {
	here := p.pos() - 1
	n := &node{op: nodeSet}
	n.negate = p.match('^')
	for {
		this := p.get()
		if this == eof {
			return nil, p.fail("unterminated character set", p.pos()-here)
		}
		if this == ']' && len(n.set) > 0 {
			break
		}
		item, err := p.classItem(this)
		if err != nil {
			return nil, err
		}
		if !p.match('-') {
			n.set = append(n.set, item)
			continue
		}
		that := p.get()
		if that == eof {
			return nil, p.fail("unterminated character set", p.pos()-here)
		}
		if that == ']' {
			n.set = append(n.set, item, setItem{kind: setLiteral, lo: '-'})
			break
		}
		high, err := p.classItem(that)
		if err != nil {
			return nil, err
		}
		if item.kind != setLiteral || high.kind != setLiteral || high.lo < item.lo {
			msg := "bad character range " + this.text() + "-" + that.text()
			return nil, p.fail(msg, this.size()+1+that.size())
		}
		n.set = append(n.set, setItem{kind: setRange, lo: item.lo, hi: high.lo})
	}
	n.set = uniq(n.set)
	if len(n.set) == 1 && n.set[0].kind == setLiteral {
		op := nodeLiteral
		if n.negate {
			op = nodeNotLiteral
		}
		return &node{op: op, r: n.set[0].lo}, nil
	}
	return n, nil
}

// classItem reads one end of a range, a character or a class escape.
func (p *parser) classItem(this token) (setItem, error) {
	if !this.escaped() {
		return setItem{kind: setLiteral, lo: this.char()}, nil
	}
	if cat, ok := categoryOf(this.char()); ok {
		return setItem{kind: setCategory, cat: cat}, nil
	}
	c := this.char()
	if r, ok := simpleEscape(c); ok {
		return setItem{kind: setLiteral, lo: r}, nil
	}
	var r rune
	var err error
	switch {
	case isOctal(token(c)):
		r, err = p.octal(c, 2)
	case isDigit(token(c)) || isASCIILetter(c):
		r, err = p.codeEscape(c)
	default:
		r = c
	}
	return setItem{kind: setLiteral, lo: r}, err
}

// uniq removes repeated items and keeps the order of first occurrence.
func uniq(set []setItem) []setItem {
	seen := make(map[setItem]bool, len(set))
	out := set[:0:0]
	for _, it := range set {
		if !seen[it] {
			seen[it] = true
			out = append(out, it)
		}
	}
	return out
}
