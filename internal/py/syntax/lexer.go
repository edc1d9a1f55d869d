package syntax

import (
	"strings"
	"unicode/utf8"
)

const (
	maxIndents  = 99  // open blocks
	maxBrackets = 200 // open brackets
)

// indent is an open level of indentation, measured twice: with tabs to the next
// multiple of eight and with tabs as one column. If the two measures disagree on
// the order of two lines, the text depends on the tab width and is rejected.
type indent struct{ col, alt int }

// bracket is an open bracket.
type bracket struct {
	char byte
	pos  Pos
}

// lexer splits a text into tokens. The text is valid UTF-8 without NUL bytes,
// with "\n" line ends, and ends with one (see decode).
type lexer struct {
	file string
	src  string
	off  int // next byte to read

	line      int32
	lineStart int // offset of the first byte of the line
	wide      int // bytes of this line before off beyond one per character

	fragment bool // the text is an expression of an f-string: one open bracket
	bol      bool // at the beginning of a logical line
	pending  int  // tIndent (positive) or tDedent (negative) tokens to deliver
	indents  []indent
	brackets []bracket
}

// newLexer returns a lexer for a whole file.
func newLexer(file, text string) lexer {
	return lexer{file: file, src: text, line: 1, bol: true}
}

// fork returns a copy that can read ahead without disturbing l.
func (l *lexer) fork() lexer {
	c := *l
	c.indents = append([]indent(nil), l.indents...)
	c.brackets = append([]bracket(nil), l.brackets...)
	return c
}

// peek returns the byte n places after the current one, 0 beyond the end.
func (l *lexer) peek(n int) byte {
	if l.off+n < len(l.src) {
		return l.src[l.off+n]
	}
	return 0
}

// pos returns the position of the current byte.
func (l *lexer) pos() Pos {
	return Pos{l.line, int32(l.off - l.lineStart - l.wide + 1)}
}

// take returns a token of n bytes and moves behind it.
func (l *lexer) take(k kind, n int) token {
	t := token{kind: k, start: l.off, end: l.off + n, pos: l.pos()}
	l.off += n
	return t
}

// newLine moves over a "\n".
func (l *lexer) newLine() {
	l.off++
	l.line++
	l.lineStart = l.off
	l.wide = 0
}

// scan returns the next token.
func (l *lexer) scan() token {
	if l.bol {
		l.bol = false
		l.startLine()
	}
	if l.pending > 0 {
		l.pending--
		return l.take(tIndent, 0)
	}
	if l.pending < 0 {
		l.pending++
		return l.take(tDedent, 0)
	}
	l.skipBlank()
	if l.off >= len(l.src) {
		if n := len(l.brackets); n > 0 {
			fail(l.file, l.brackets[n-1].pos, "'%c' was never closed", l.brackets[n-1].char)
		}
		return l.take(tEOF, 0)
	}
	switch c := l.src[l.off]; {
	case c == '\n':
		t := l.take(tNewline, 1)
		l.off--
		l.newLine()
		l.bol = true
		return t
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		return l.number()
	case isWordByte(c):
		return l.word()
	case c == '"' || c == '\'':
		return l.str(l.off)
	}
	return l.operator()
}

// skipBlank moves to the next token of the logical line.
func (l *lexer) skipBlank() {
	for l.off < len(l.src) {
		switch l.src[l.off] {
		case ' ', '\t', '\f':
			l.off++
		case '#':
			l.skipComment()
		case '\\':
			l.joinLine()
		case '\n':
			if len(l.brackets) == 0 && !l.fragment {
				return
			}
			l.newLine()
		default:
			return
		}
	}
}

// skipComment moves to the end of the line.
func (l *lexer) skipComment() {
	if n := strings.IndexByte(l.src[l.off:], '\n'); n >= 0 {
		l.wide += n - utf8.RuneCountInString(l.src[l.off:l.off+n])
		l.off += n
		return
	}
	l.off = len(l.src)
}

// joinLine moves over a backslash and the line end after it.
func (l *lexer) joinLine() {
	if l.peek(1) != '\n' {
		fail(l.file, l.pos(), "unexpected character after line continuation character")
	}
	l.off++
	l.newLine()
	if l.off >= len(l.src) {
		fail(l.file, l.pos(), "unexpected EOF while parsing")
	}
}

// startLine skips lines without code and measures the indentation of the next.
func (l *lexer) startLine() {
	for {
		in := l.indentation()
		if l.peek(0) == '#' {
			l.skipComment()
		}
		if l.peek(0) != '\n' {
			l.indentTo(in)
			return
		}
		l.newLine()
	}
}

// indentation moves over the white space at the beginning of a line. A backslash
// joins lines here too; then the first line counts.
func (l *lexer) indentation() indent {
	var in, joined indent
	for {
		switch l.peek(0) {
		case ' ':
			in.col++
			in.alt++
			l.off++
		case '\t':
			in.col = (in.col/8 + 1) * 8
			in.alt++
			l.off++
		case '\f':
			in = indent{}
			l.off++
		case '\\':
			if joined.col == 0 {
				joined = indent{in.col, in.col}
			}
			l.joinLine()
		default:
			if joined.col != 0 {
				return joined
			}
			return in
		}
	}
}

// indentTo opens or closes blocks so that a line with the given indentation fits.
func (l *lexer) indentTo(in indent) {
	top := l.indentTop()
	switch {
	case in.col > top.col:
		if len(l.indents) >= maxIndents {
			fail(l.file, l.pos(), "too many levels of indentation")
		}
		if in.alt <= top.alt {
			l.failTabs()
		}
		l.indents = append(l.indents, in)
		l.pending = 1
		return
	case in.col < top.col:
		for len(l.indents) > 0 && in.col < l.indentTop().col {
			l.indents = l.indents[:len(l.indents)-1]
			l.pending--
		}
		if in.col != l.indentTop().col {
			fail(l.file, l.pos(), "unindent does not match any outer indentation level")
		}
	}
	if in.alt != l.indentTop().alt {
		l.failTabs()
	}
}

func (l *lexer) indentTop() indent {
	if n := len(l.indents); n > 0 {
		return l.indents[n-1]
	}
	return indent{}
}

func (l *lexer) failTabs() {
	fail(l.file, l.pos(), "inconsistent use of tabs and spaces in indentation")
}

// word reads a name, a keyword or a string with a prefix.
func (l *lexer) word() token {
	start := l.off
	ascii := true
	end := start
	for end < len(l.src) && isWordByte(l.src[end]) {
		if l.src[end] >= utf8.RuneSelf {
			ascii = false
		}
		end++
	}
	word := l.src[start:end]
	if end < len(l.src) && (l.src[end] == '"' || l.src[end] == '\'') && isStringPrefix(word) {
		return l.str(end)
	}
	k := tName
	if ascii {
		k = keyword(word)
	}
	t := l.take(k, len(word))
	if !ascii {
		l.checkIdent(t)
		l.wide += len(word) - utf8.RuneCountInString(word)
	}
	return t
}

// isStringPrefix reports whether a word may stand directly before a quote.
func isStringPrefix(word string) bool {
	if len(word) > 2 {
		return false
	}
	switch strings.ToLower(word) {
	case "r", "u", "b", "f", "br", "rb", "fr", "rf":
		return true
	}
	return false
}

// str reads a string literal whose opening quote is at quote; the prefix, if
// any, begins at the current byte.
func (l *lexer) str(quote int) token {
	t := token{kind: tString, start: l.off, pos: l.pos()}
	mark := l.src[quote : quote+1]
	if end := quote + 3; end <= len(l.src) && l.src[quote+1] == mark[0] && l.src[quote+2] == mark[0] {
		mark = l.src[quote:end]
	}
	l.off = quote + len(mark)
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == mark[0] && strings.HasPrefix(l.src[l.off:], mark):
			l.off += len(mark)
			t.end = l.off
			return t
		case c == '\n' && len(mark) == 1:
			fail(l.file, t.pos, "unterminated string literal (detected at line %d)", l.line)
		case c == '\n':
			l.newLine()
		case c == '\\' && l.peek(1) == '\n':
			l.off++
			l.newLine()
		case c == '\\' && l.peek(1) != 0 && l.peek(1) < utf8.RuneSelf:
			l.off += 2
		default:
			if c&0xC0 == 0x80 {
				l.wide++
			}
			l.off++
		}
	}
	what := "string"
	if len(mark) == 3 {
		what = "triple-quoted string"
	}
	fail(l.file, t.pos, "unterminated %s literal (detected at line %d)", what, l.line)
	return t
}
