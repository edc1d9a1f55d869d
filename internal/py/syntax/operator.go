package syntax

// operators gives, by first byte, the kinds of an operator alone, with "=" behind
// it, doubled, and doubled with "=". Absent ones are zero.
var operators = [128]struct{ plain, equal, double, doubleEqual kind }{
	',': {plain: tComma},
	';': {plain: tSemi},
	'~': {plain: tTilde},
	'.': {plain: tDot},
	'!': {equal: tNotEq},
	':': {plain: tColon, equal: tColonEq},
	'=': {plain: tAssign, equal: tEqEq},
	'+': {plain: tPlus, equal: tPlusEq},
	'-': {plain: tMinus, equal: tMinusEq},
	'%': {plain: tPercent, equal: tPercentEq},
	'&': {plain: tAmp, equal: tAmpEq},
	'|': {plain: tPipe, equal: tPipeEq},
	'^': {plain: tCaret, equal: tCaretEq},
	'@': {plain: tAt, equal: tAtEq},
	'*': {tStar, tStarEq, tPower, tPowerEq},
	'/': {tSlash, tSlashEq, tFloor, tFloorEq},
	'<': {tLt, tLtE, tLshift, tLshiftEq},
	'>': {tGt, tGtE, tRshift, tRshiftEq},
}

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
	case '.':
		if next == '.' && l.peek(2) == '.' {
			return l.take(tEllipsis, 3)
		}
	case '-':
		if next == '>' {
			return l.take(tArrow, 2)
		}
	}
	k, n := operators[c], 1
	if k.double != 0 && next == c {
		k.plain, k.equal, n = k.double, k.doubleEqual, 2
	}
	switch {
	case k.equal != 0 && l.peek(n) == '=':
		return l.take(k.equal, n+1)
	case k.plain != 0:
		return l.take(k.plain, n)
	case c < ' ' || c == 0x7F:
		fail(l.file, l.pos(), "invalid non-printable character U+%04X", c)
	}
	fail(l.file, l.pos(), "invalid syntax: unexpected '%c'", c)
	return token{}
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
