package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// literal is a string token taken apart.
type literal struct {
	tok                token
	raw, bytes, format bool
	start, end         int // the text between the quotes
}

// literal takes the current string token apart and moves over it.
func (p *parser) literal() literal {
	lit := literal{tok: p.tok, start: p.tok.start, end: p.tok.end}
	for ; p.src[lit.start] != '"' && p.src[lit.start] != '\''; lit.start++ {
		switch p.src[lit.start] | 0x20 {
		case 'r':
			lit.raw = true
		case 'b':
			lit.bytes = true
		case 'f':
			lit.format = true
		}
	}
	quotes := 1
	if q := p.src[lit.start : lit.start+1]; lit.end-lit.start >= 6 && p.src[lit.start:lit.start+3] == q+q+q {
		quotes = 3
	}
	lit.start += quotes
	lit.end -= quotes
	p.next()
	return lit
}

// strings parses adjacent string literals, which make one value.
func (p *parser) strings() Expr {
	at, kind := p.tok.pos, ""
	if p.src[p.tok.start] == 'u' {
		kind = "u"
	}
	first := p.literal()
	if p.tok.kind != tString && !first.format {
		body := p.src[first.start:first.end]
		if !first.raw && strings.IndexByte(body, '\\') >= 0 {
			body = string(p.unescape(nil, first, body))
		}
		if first.bytes {
			p.checkASCII(first)
			return &Constant{Pos: at, Value: Bytes(body)}
		}
		return &Constant{at, Str(body), kind}
	}
	j := joiner{at: at, kind: kind}
	for lit, more := first, true; more; {
		if lit.bytes != first.bytes {
			p.fail(at, "cannot mix bytes and nonbytes literals")
		}
		switch {
		case lit.format:
			p.formatted(&j, lit)
		case lit.bytes:
			p.checkASCII(lit)
			fallthrough
		default:
			j.text = p.appendText(j.text, lit, p.src[lit.start:lit.end])
		}
		if more = p.tok.kind == tString; more {
			lit = p.literal()
		}
	}
	if first.bytes {
		return &Constant{Pos: at, Value: Bytes(j.text)}
	}
	return j.finish()
}

// joiner collects the parts of adjacent literals.
type joiner struct {
	at     Pos
	kind   string
	format bool   // one of the literals is an f-string
	values []Expr // finished parts of the f-string
	text   []byte // literal text since the last part
}

// flush turns the pending text into a part.
func (j *joiner) flush() {
	if len(j.text) > 0 {
		j.values = append(j.values, &Constant{j.at, Str(j.text), j.kind})
		j.text = j.text[:0]
	}
}

func (j *joiner) finish() Expr {
	if !j.format {
		return &Constant{j.at, Str(j.text), j.kind}
	}
	j.flush()
	return &JoinedStr{j.at, j.values}
}

func (p *parser) checkASCII(lit literal) {
	for i := lit.start; i < lit.end; i++ {
		if p.src[i] >= utf8.RuneSelf {
			p.fail(lit.tok.pos, "bytes can only contain ASCII literal characters")
		}
	}
}

// appendText appends the value of a piece of a literal.
func (p *parser) appendText(dst []byte, lit literal, piece string) []byte {
	if lit.raw {
		return append(dst, piece...)
	}
	return p.unescape(dst, lit, piece)
}

// unescape appends the value of a piece of a literal that is not raw. Escapes
// without a meaning stand for themselves.
func (p *parser) unescape(dst []byte, lit literal, piece string) []byte {
	for {
		i := strings.IndexByte(piece, '\\')
		if i < 0 || i == len(piece)-1 {
			return append(dst, piece...)
		}
		dst = append(dst, piece[:i]...)
		c := piece[i+1]
		piece = piece[i+2:]
		switch c {
		case '\n':
		case '\\', '\'', '"':
			dst = append(dst, c)
		case 'a':
			dst = append(dst, '\a')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'v':
			dst = append(dst, '\v')
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := 0
			for n < 2 && n < len(piece) && piece[n] >= '0' && piece[n] <= '7' {
				n++
			}
			v, _ := strconv.ParseUint(string(c)+piece[:n], 8, 32)
			dst, piece = appendChar(dst, lit, rune(v)), piece[n:]
		default:
			dst, piece = p.longEscape(dst, lit, c, piece)
		}
	}
}

// longEscape appends the value of an escape \xHH, \uHHHH, \UHHHHHHHH or \N{name}
// whose letter is c, and returns the rest of the piece.
func (p *parser) longEscape(dst []byte, lit literal, c byte, piece string) ([]byte, string) {
	digits := escapeDigits(c)
	switch {
	case lit.bytes && c == 'x':
		v, ok := parseHex(piece, 2)
		if !ok {
			p.fail(lit.tok.pos, "(value error) invalid \\x escape")
		}
		return append(dst, byte(v)), piece[2:]
	case lit.bytes || digits == 0 && c != 'N':
		return append(dst, '\\', c), piece
	case c == 'N':
		end := strings.IndexByte(piece, '}')
		if end < 2 || piece[0] != '{' {
			p.fail(lit.tok.pos, "(unicode error) malformed \\N character escape")
		}
		r, ok := charByName(piece[1:end])
		if !ok {
			p.fail(lit.tok.pos, "(unicode error) unknown Unicode character name")
		}
		return appendChar(dst, lit, r), piece[end+1:]
	}
	v, ok := parseHex(piece, digits)
	if !ok {
		p.fail(lit.tok.pos, "(unicode error) truncated \\%c escape", c)
	}
	if v > utf8.MaxRune {
		p.fail(lit.tok.pos, "(unicode error) illegal Unicode character")
	}
	return appendChar(dst, lit, rune(v)), piece[digits:]
}

// parseHex reads exactly n hexadecimal digits.
func parseHex(s string, n int) (v uint32, ok bool) {
	if len(s) < n {
		return 0, false
	}
	for i := range n {
		d := hexDigit(s[i])
		if d < 0 {
			return 0, false
		}
		v = v<<4 | uint32(d)
	}
	return v, true
}

// appendChar appends a character in WTF-8, or a byte to a bytes literal.
func appendChar(dst []byte, lit literal, r rune) []byte {
	switch {
	case lit.bytes:
		return append(dst, byte(r))
	case r >= 0xD800 && r <= 0xDFFF:
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// escapeDigits returns the number of hexadecimal digits after an escape letter.
func escapeDigits(c byte) int {
	switch c {
	case 'x':
		return 2
	case 'u':
		return 4
	case 'U':
		return 8
	}
	return 0
}
