package syntax

// operator reads an operator or a bracket.
func (l *lexer) operator() token {
	c, next := l.src[l.off], l.peek(1)
	switch c {
	case '(':
		return l.open(tLparen)
	case '[':
		return l.open(tLbrack)
	case '{':
		return l.open(tLbrace)
	case ')':
		return l.close(tRparen, '(')
	case ']':
		return l.close(tRbrack, '[')
	case '}':
		return l.close(tRbrace, '{')
	case ',':
		return l.take(tComma, 1)
	case ';':
		return l.take(tSemi, 1)
	case '~':
		return l.take(tTilde, 1)
	case '.':
		if next == '.' && l.peek(2) == '.' {
			return l.take(tEllipsis, 3)
		}
		return l.take(tDot, 1)
	case '-':
		if next == '>' {
			return l.take(tArrow, 2)
		}
		return l.withEqual(1, tMinus, tMinusEq)
	case '!':
		if next == '=' {
			return l.take(tNotEq, 2)
		}
	case ':':
		return l.withEqual(1, tColon, tColonEq)
	case '=':
		return l.withEqual(1, tAssign, tEqEq)
	case '+':
		return l.withEqual(1, tPlus, tPlusEq)
	case '%':
		return l.withEqual(1, tPercent, tPercentEq)
	case '&':
		return l.withEqual(1, tAmp, tAmpEq)
	case '|':
		return l.withEqual(1, tPipe, tPipeEq)
	case '^':
		return l.withEqual(1, tCaret, tCaretEq)
	case '@':
		return l.withEqual(1, tAt, tAtEq)
	case '*':
		if next == c {
			return l.withEqual(2, tPower, tPowerEq)
		}
		return l.withEqual(1, tStar, tStarEq)
	case '/':
		if next == c {
			return l.withEqual(2, tFloor, tFloorEq)
		}
		return l.withEqual(1, tSlash, tSlashEq)
	case '<':
		if next == c {
			return l.withEqual(2, tLshift, tLshiftEq)
		}
		return l.withEqual(1, tLt, tLtE)
	case '>':
		if next == c {
			return l.withEqual(2, tRshift, tRshiftEq)
		}
		return l.withEqual(1, tGt, tGtE)
	}
	if c < ' ' || c == 0x7F {
		fail(l.file, l.pos(), "invalid non-printable character U+%04X", c)
	}
	fail(l.file, l.pos(), "invalid syntax: unexpected '%c'", c)
	return token{}
}

// withEqual takes an operator of n bytes, or its variant with "=" behind it.
func (l *lexer) withEqual(n int, plain, equal kind) token {
	if l.peek(n) == '=' {
		return l.take(equal, n+1)
	}
	return l.take(plain, n)
}

func (l *lexer) open(k kind) token {
	if len(l.brackets) >= maxBrackets {
		fail(l.file, l.pos(), "too many nested parentheses")
	}
	l.brackets = append(l.brackets, bracket{l.src[l.off], l.pos()})
	return l.take(k, 1)
}

func (l *lexer) close(k kind, opening byte) token {
	n := len(l.brackets) - 1
	if n < 0 {
		fail(l.file, l.pos(), "unmatched '%c'", l.src[l.off])
	}
	if got := l.brackets[n].char; got != opening {
		fail(l.file, l.pos(), "closing parenthesis '%c' does not match opening parenthesis '%c'", l.src[l.off], got)
	}
	l.brackets = l.brackets[:n]
	return l.take(k, 1)
}
