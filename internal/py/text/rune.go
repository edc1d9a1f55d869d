package text

import "unicode/utf8"

// DecodeRune returns the first code point of s and its width in bytes. A lone
// surrogate is returned as such (U+D800..U+DFFF, width 3). For an empty string
// it returns (U+FFFD, 0), for a byte that starts no code point (U+FFFD, 1).
func DecodeRune(s string) (r rune, size int) {
	if len(s) > 0 && s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	r, size = utf8.DecodeRuneInString(s)
	if size == 1 && isSurrogateForm(s) {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
}

// DecodeLastRune returns the last code point of s and its width in bytes, with
// the conventions of [DecodeRune].
func DecodeLastRune(s string) (r rune, size int) {
	r, size = utf8.DecodeLastRuneInString(s)
	if size == 1 && r == utf8.RuneError && len(s) >= 3 && isSurrogateForm(s[len(s)-3:]) {
		return DecodeRune(s[len(s)-3:])
	}
	return r, size
}

// isSurrogateForm reports whether s starts with the three bytes of a surrogate.
func isSurrogateForm(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && isTail(s[2])
}

// isTail reports whether b can only continue a code point.
func isTail(b byte) bool { return b&0xC0 == 0x80 }

// IsSurrogate reports whether r is a surrogate half.
func IsSurrogate(r rune) bool { return r >= 0xD800 && r <= 0xDFFF }

// AppendRune appends the encoding of r: UTF-8, or the three-byte form for a
// surrogate. A value outside 0..0x10FFFF is written as U+FFFD.
func AppendRune(b []byte, r rune) []byte {
	if IsSurrogate(r) {
		return append(b, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(b, r)
}

// RuneText returns the string of the one code point r, like chr(r).
func RuneText(r rune) string {
	if IsSurrogate(r) {
		return string(AppendRune(nil, r))
	}
	return string(r)
}

// runeWidth returns the number of bytes AppendRune writes for r.
func runeWidth(r rune) int {
	if n := utf8.RuneLen(r); n > 0 {
		return n
	}
	return 3 // a surrogate, or U+FFFD for a bad value
}

// Valid reports whether s is well formed: UTF-8 with surrogates allowed.
func Valid(s string) bool {
	if utf8.ValidString(s) {
		return true
	}
	for len(s) > 0 {
		r, n := DecodeRune(s)
		if r == utf8.RuneError && n == 1 {
			return false
		}
		s = s[n:]
	}
	return true
}

// IsASCII reports whether all code points of s are below 128 (str.isascii).
func IsASCII(s string) bool {
	for len(s) >= 8 {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
		s = s[8:]
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Len returns the number of code points, len(s) in Python.
func Len(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if !isTail(s[i]) {
			n++
		}
	}
	return n
}

// Offset returns the byte offset of code point i, for 0 <= i. Positions at or
// after the end give len(s).
func Offset(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	if i <= 0 {
		return 0
	}
	if IsASCII(s[:i]) {
		return skipTail(s, i)
	}
	at := 0
	for ; i > 0 && at < len(s); i-- {
		at = skipTail(s, at+1)
	}
	return at
}

// skipTail moves at forward to a code point boundary.
func skipTail(s string, at int) int {
	for at < len(s) && isTail(s[at]) {
		at++
	}
	return at
}

// Index returns the code point of s at position i as a string; a negative i
// counts from the end. It reports false when i is out of range.
func Index(s string, i int) (string, bool) {
	if i < 0 {
		i += Len(s)
	}
	if i < 0 || i >= len(s) {
		return "", false
	}
	at := Offset(s, i)
	if at >= len(s) {
		return "", false
	}
	return s[at:skipTail(s, at+1)], true
}

// Slice returns s[start:stop:step] for a forward or backward step. The bounds
// must be those of Python's slice.indices: for step > 0 they lie in 0..len,
// for step < 0 in -1..len-1. Other values are clamped; step 0 gives "".
func Slice(s string, start, stop, step int) string {
	switch {
	case step == 1:
		return Range(s, start, stop)
	case step == 0:
		return ""
	case IsASCII(s):
		return sliceASCII(s, start, stop, step)
	}
	if step > 0 {
		return sliceForward(s, max(start, 0), stop, step)
	}
	return sliceBackward(s, start, max(stop, -1), step)
}

func sliceForward(s string, start, stop, step int) string {
	var b []byte
	next := start
	for i := 0; i < stop && len(s) > 0; i++ {
		n := skipTail(s, 1)
		if i == next {
			b = append(b, s[:n]...)
			next = addStep(next, step)
		}
		s = s[n:]
	}
	return string(b)
}

func sliceBackward(s string, start, stop, step int) string {
	var b []byte
	start = min(start, len(s)) // so that start+1 cannot overflow
	s = s[:Offset(s, start+1)]
	i := min(start, Len(s)-1)
	for next := i; i > stop; i-- {
		at := len(s) - 1
		for at > 0 && isTail(s[at]) {
			at--
		}
		if i == next {
			b = append(b, s[at:]...)
			next = addStep(next, step)
		}
		s = s[:at]
	}
	return string(b)
}

func sliceASCII(s string, start, stop, step int) string {
	var b []byte
	if step > 0 {
		for i := max(start, 0); i < min(stop, len(s)); i = addStep(i, step) {
			b = append(b, s[i])
		}
		return string(b)
	}
	for i := min(start, len(s)-1); i > max(stop, -1); i = addStep(i, step) {
		b = append(b, s[i])
	}
	return string(b)
}

// addStep returns i+step, pinned instead of wrapped when it overflows.
func addStep(i, step int) int {
	const maxInt = int(^uint(0) >> 1)
	switch {
	case step > 0 && i > maxInt-step:
		return maxInt
	case step < 0 && i < -maxInt-step:
		return -maxInt
	}
	return i + step
}

// Range returns the code points start <= i < stop, clamped to the string.
func Range(s string, start, stop int) string {
	if start < 0 {
		start = 0
	}
	if stop <= start {
		return ""
	}
	from := Offset(s, start)
	return s[from : from+Offset(s[from:], stop-start)]
}
