package text

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// Repr returns repr(s): single quotes unless s has one and no double quote,
// escapes for backslash, tab, newline and carriage return, and \x, \u or \U
// escapes for each code point that str.isprintable rejects (surrogates too).
func Repr(s string) string { return quote(s, false) }

// ASCII returns ascii(s): like Repr with every non-ASCII code point escaped.
func ASCII(s string) string { return quote(s, true) }

func quote(s string, ascii bool) string {
	if isPlain(s) {
		return "'" + s + "'"
	}
	q := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		q = '"'
	}
	b := make([]byte, 0, len(s)+2)
	b = append(b, q)
	for len(s) > 0 {
		r, n := DecodeRune(s)
		switch {
		case r == rune(q) || r == '\\':
			b = append(b, '\\', byte(r))
		case r < utf8.RuneSelf:
			b = appendASCII(b, byte(r))
		case ascii || !IsPrintableRune(r):
			b = appendEscape(b, r)
		default:
			b = AppendRune(b, r)
		}
		s = s[n:]
	}
	return string(append(b, q))
}

// isPlain reports whether repr(s) is s between single quotes.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || c == '\'' || c == '\\' {
			return false
		}
	}
	return true
}

// appendASCII appends the repr form of a byte below 128 that is no quote.
func appendASCII(b []byte, c byte) []byte {
	switch {
	case c == '\t':
		return append(b, '\\', 't')
	case c == '\n':
		return append(b, '\\', 'n')
	case c == '\r':
		return append(b, '\\', 'r')
	case c < ' ' || c == 0x7F:
		return append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
	}
	return append(b, c)
}

// appendEscape appends the shortest of \xNN, \uNNNN and \UNNNNNNNN for r.
func appendEscape(b []byte, r rune) []byte {
	digits := 8
	switch {
	case r <= 0xFF:
		digits, b = 2, append(b, '\\', 'x')
	case r <= 0xFFFF:
		digits, b = 4, append(b, '\\', 'u')
	default:
		b = append(b, '\\', 'U')
	}
	for d := digits - 1; d >= 0; d-- {
		b = append(b, hexDigits[r>>(4*d)&15])
	}
	return b
}

// BytesRepr returns repr(b) of a bytes object.
func BytesRepr(p []byte) string {
	q := byte('\'')
	if s := string(p); strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		q = '"'
	}
	b := append(make([]byte, 0, len(p)+3), 'b', q)
	for _, c := range p {
		switch {
		case c == q || c == '\\':
			b = append(b, '\\', c)
		case c >= utf8.RuneSelf:
			b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = appendASCII(b, c)
		}
	}
	return string(append(b, q))
}
