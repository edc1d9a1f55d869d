package trace

import (
	"strings"
	"unicode/utf8"
)

// Surrogate code units of UTF-16: a high one followed by a low one stands for a
// character outside the basic plane; alone they are no character.
const (
	highSurrogate = 0xD800
	lowSurrogate  = 0xDC00
	lastSurrogate = 0xDFFF
)

// decodeRune returns the first code point of a WTF-8 string and its width in
// bytes. A surrogate has width 3. A byte that fits nowhere gives ok false with
// width 1.
func decodeRune(s string) (r rune, width int, ok bool) {
	r, width = utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || width > 1 {
		return r, width, true
	}
	if len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3, true
	}
	return rune(s[0]), width, false
}

func isSurrogate(r rune) bool { return highSurrogate <= r && r <= lastSurrogate }

// appendRune appends a code point in WTF-8. A low surrogate joins a high one
// that is already there, so that a character has one spelling only.
func appendRune(dst []byte, r rune) []byte {
	if !isSurrogate(r) {
		return utf8.AppendRune(dst, r)
	}
	if r >= lowSurrogate && len(dst) >= 3 {
		last, _, ok := decodeRune(string(dst[len(dst)-3:]))
		if ok && highSurrogate <= last && last < lowSurrogate {
			joined := (last-highSurrogate)<<10 + (r - lowSurrogate) + 0x10000
			return utf8.AppendRune(dst[:len(dst)-3], joined)
		}
	}
	return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

// wellFormed returns s as well-formed WTF-8: pairs of surrogates are joined, and
// a byte b that fits nowhere becomes the surrogate U+DC00+b (PEP 383). Valid
// UTF-8, which is nearly every string, is returned as it is.
func wellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	dst := make([]byte, 0, len(s)+16)
	for len(s) > 0 {
		r, width, ok := decodeRune(s)
		if !ok {
			r = lowSurrogate + r
		}
		dst = appendRune(dst, r)
		s = s[width:]
	}
	return string(dst)
}

// CodePoints returns the number of code points of s, the unit of [Span]. A lone
// surrogate and a byte that is not UTF-8 count as one each.
func CodePoints(s string) int {
	if utf8.ValidString(s) {
		return utf8.RuneCountInString(s)
	}
	s = wellFormed(s)
	n := 0
	for len(s) > 0 {
		_, width, _ := decodeRune(s)
		s = s[width:]
		n++
	}
	return n
}

// ByteOffset returns the byte position of code point n of s, the inverse of
// CodePoints(s[:offset]). It fails if s has fewer than n code points.
func ByteOffset(s string, n int) (int, bool) {
	offset := 0
	for ; n > 0 && offset < len(s); n-- {
		_, width, _ := decodeRune(s[offset:])
		offset += width
	}
	return offset, n == 0
}

// FindSpan returns the code point offsets of the first appearance of part in s.
func FindSpan(s, part string) (start, end int, ok bool) {
	i := strings.Index(s, part)
	if i < 0 {
		return 0, 0, false
	}
	start = CodePoints(s[:i])
	return start, start + CodePoints(part), true
}
