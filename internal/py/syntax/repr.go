package syntax

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// appendReprFloat appends CPython's repr of a float: the shortest decimal text
// that reads back as f, with an exponent below 1e-4 and from 1e16 on.
func appendReprFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsInf(f, 0):
		if f < 0 {
			dst = append(dst, '-')
		}
		return append(dst, "inf"...)
	case math.IsNaN(f):
		return append(dst, "nan"...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if bytes.IndexByte(dst[start:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

// quoteFor returns the quote that CPython's repr chooses for a text.
func quoteFor(s string) byte {
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		return '"'
	}
	return '\''
}

// appendReprStr appends CPython's repr of a string in WTF-8.
func appendReprStr(dst []byte, s string) []byte {
	quote := quoteFor(s)
	dst = append(dst, quote)
	for i := 0; i < len(s); {
		r, n := decodeWTF8(s[i:])
		i += n
		switch {
		case r < utf8.RuneSelf:
			dst = appendReprByte(dst, byte(r), quote)
		case isPrintable(r):
			dst = utf8.AppendRune(dst, r)
		case r <= 0xFF:
			dst = fmt.Appendf(dst, `\x%02x`, r)
		case r <= 0xFFFF:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = fmt.Appendf(dst, `\U%08x`, r)
		}
	}
	return append(dst, quote)
}

// decodeWTF8 is utf8.DecodeRuneInString that knows surrogates.
func decodeWTF8(s string) (r rune, n int) {
	r, n = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// appendReprBytes appends CPython's repr of a bytes object.
func appendReprBytes(dst []byte, s string) []byte {
	quote := quoteFor(s)
	dst = append(dst, 'b', quote)
	for i := range len(s) {
		dst = appendReprByte(dst, s[i], quote)
	}
	return append(dst, quote)
}

// appendReprByte appends an ASCII character, or a byte of a bytes object, as it
// stands between quotes.
func appendReprByte(dst []byte, c, quote byte) []byte {
	switch {
	case c == quote || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, `\n`...)
	case c == '\r':
		return append(dst, `\r`...)
	case c == '\t':
		return append(dst, `\t`...)
	case c < ' ' || c >= 0x7F:
		return fmt.Appendf(dst, `\x%02x`, c)
	}
	return append(dst, c)
}
