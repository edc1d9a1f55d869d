package regex

import "strings"

// token is one unit of a pattern: a character, or a backslash with the
// character after it.
type token int32

const (
	eof      token = -1
	escapeOf token = 1 << 24 // set when the character was escaped
)

func (t token) escaped() bool { return t >= 0 && t&escapeOf != 0 }

// char returns the character, without the backslash.
func (t token) char() rune { return rune(t &^ escapeOf) }

// size returns the number of code points of pattern the token covers.
func (t token) size() int {
	switch {
	case t == eof:
		return 0
	case t.escaped():
		return 2
	}
	return 1
}

// text returns the token as it is written.
func (t token) text() string {
	if t == eof {
		return ""
	}
	if t.escaped() {
		return `\` + encode([]rune{t.char()})
	}
	return encode([]rune{t.char()})
}

// tokenizer splits a pattern into tokens with one token of lookahead. Python
// reads ahead as well, so that a trailing backslash is reported as soon as it
// is the next token; err keeps that first report and next then stays at eof.
type tokenizer struct {
	text  string
	chars []rune
	bytes bool
	index int // index of the code point after next
	next  token
	err   *Error
}

func newTokenizer(text string, bytes bool) *tokenizer {
	t := &tokenizer{text: text, chars: decodeAll(text, bytes), bytes: bytes}
	t.advance()
	return t
}

func (t *tokenizer) advance() {
	if t.err != nil || t.index >= len(t.chars) {
		t.next = eof
		return
	}
	c := token(t.chars[t.index])
	t.index++
	if c == '\\' {
		if t.index >= len(t.chars) {
			t.err = newError("bad escape (end of pattern)", t.text, t.chars, len(t.chars)-1)
			t.next = eof
			return
		}
		c = escapeOf | token(t.chars[t.index])
		t.index++
	}
	t.next = c
}

func (t *tokenizer) get() token {
	this := t.next
	t.advance()
	return this
}

// match consumes the next token if it is c.
func (t *tokenizer) match(c token) bool {
	if t.next != c {
		return false
	}
	t.advance()
	return true
}

// while consumes up to n tokens accepted by ok and returns their characters.
func (t *tokenizer) while(n int, ok func(token) bool) string {
	var b strings.Builder
	for ; n > 0 && ok(t.next); n-- {
		b.WriteByte(byte(t.get().char()))
	}
	return b.String()
}

// until reads a name up to the terminator, which it consumes. what names the
// thing in messages.
func (t *tokenizer) until(terminator token, what string) ([]rune, error) {
	var name []rune
	for {
		c := t.get()
		switch {
		case c == eof && len(name) == 0:
			return nil, t.fail("missing "+what, 0)
		case c == eof:
			return nil, t.fail("missing "+terminator.text()+", unterminated name", len(name))
		case c == terminator && len(name) == 0:
			return nil, t.fail("missing "+what, 1)
		case c == terminator:
			return name, nil
		case c.escaped():
			name = append(name, '\\')
		}
		name = append(name, c.char())
	}
}

// pos returns the code point index of the next token.
func (t *tokenizer) pos() int { return t.index - t.next.size() }

func (t *tokenizer) seek(pos int) {
	t.index = pos
	t.advance()
}

// fail makes an Error that points offset code points before the next token.
func (t *tokenizer) fail(msg string, offset int) *Error {
	if t.bytes {
		msg = backslashReplace(msg)
	}
	return newError(msg, t.text, t.chars, t.pos()-offset)
}

func isDigit(t token) bool { return t >= '0' && t <= '9' }
func isOctal(t token) bool { return t >= '0' && t <= '7' }
func isHex(t token) bool {
	return isDigit(t) || t >= 'a' && t <= 'f' || t >= 'A' && t <= 'F'
}

func isASCIILetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
