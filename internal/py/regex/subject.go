package regex

import "strings"

// blockShift sets the spacing of Subject.offsets: one entry per 64 code points
// keeps the table small and a lookup short.
const blockShift = 6

// badByte is what a byte that is no WTF-8 decodes to. Python strings never
// contain such bytes; the engine only has to stay in step with them.
const badByte = 0xFFFD

// Subject is a string prepared for matching. It is immutable and may be shared
// by any number of matches.
type Subject struct {
	text    string
	wide    []rune // code points; nil when one byte is one code point
	offsets []int  // byte offset of every 64th code point of wide
	bytes   bool
}

// NewSubject prepares a str given as WTF-8. Pure ASCII is used as it is; any
// other string is decoded once, at four bytes a code point.
func NewSubject(s string) *Subject {
	if isASCII(s) {
		return &Subject{text: s}
	}
	sub := &Subject{text: s, wide: make([]rune, 0, len(s))}
	for i := 0; i < len(s); {
		if len(sub.wide)&(1<<blockShift-1) == 0 {
			sub.offsets = append(sub.offsets, i)
		}
		c, n := decode(s[i:])
		sub.wide = append(sub.wide, c)
		i += n
	}
	return sub
}

// NewBytesSubject prepares a bytes object: every byte is one character.
func NewBytesSubject(s string) *Subject { return &Subject{text: s, bytes: true} }

// Len returns the length in code points (bytes for a bytes subject).
func (s *Subject) Len() int {
	if s.wide != nil {
		return len(s.wide)
	}
	return len(s.text)
}

// Text returns the string the subject was made from.
func (s *Subject) Text() string { return s.text }

// Slice returns the part from code point i up to, not including, j. It shares
// the memory of the subject. Bounds outside the subject are clipped.
func (s *Subject) Slice(i, j int) string {
	i = min(max(i, 0), s.Len())
	j = min(max(j, i), s.Len())
	return s.text[s.offset(i):s.offset(j)]
}

// offset converts a code point index to a byte offset.
func (s *Subject) offset(i int) int {
	if s.wide == nil {
		return i
	}
	if i == len(s.wide) {
		return len(s.text)
	}
	off := s.offsets[i>>blockShift]
	for k := i &^ (1<<blockShift - 1); k < i; k++ {
		_, n := decode(s.text[off:])
		off += n
	}
	return off
}

func isASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// decode reads the first code point of s, which must not be empty, and its
// length in bytes. Unlike unicode/utf8 it accepts surrogates; a byte that
// starts no valid sequence decodes to badByte alone.
func decode(s string) (rune, int) {
	b := s[0]
	switch {
	case b < 0x80:
		return rune(b), 1
	case b >= 0xC2 && b < 0xE0 && tail(s, 1):
		return rune(b&0x1F)<<6 | rune(s[1]&0x3F), 2
	case b >= 0xE0 && b < 0xF0 && tail(s, 2):
		c := rune(b&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F)
		if c >= 0x800 {
			return c, 3
		}
	case b >= 0xF0 && b < 0xF5 && tail(s, 3):
		c := rune(b&0x07)<<18 | rune(s[1]&0x3F)<<12 | rune(s[2]&0x3F)<<6 | rune(s[3]&0x3F)
		if c >= 0x10000 && c <= 0x10FFFF {
			return c, 4
		}
	}
	return badByte, 1
}

// tail tells whether s has n continuation bytes after its first byte.
func tail(s string, n int) bool {
	if len(s) <= n {
		return false
	}
	for i := 1; i <= n; i++ {
		if s[i]&0xC0 != 0x80 {
			return false
		}
	}
	return true
}

// decodeAll returns the code points of s; with bytes set, its bytes.
func decodeAll(s string, bytes bool) []rune {
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		c, n := rune(s[i]), 1
		if !bytes {
			c, n = decode(s[i:])
		}
		out = append(out, c)
		i += n
	}
	return out
}

// writeRune appends c as WTF-8, or as one byte with bytes set.
func writeRune(b *strings.Builder, c rune, bytes bool) {
	if bytes {
		b.WriteByte(byte(c))
		return
	}
	if c >= 0xD800 && c <= 0xDFFF {
		b.WriteByte(0xE0 | byte(c>>12))
		b.WriteByte(0x80 | byte(c>>6)&0x3F)
		b.WriteByte(0x80 | byte(c)&0x3F)
		return
	}
	b.WriteRune(c)
}

// encode returns the WTF-8 form of chars.
func encode(chars []rune) string {
	var b strings.Builder
	for _, c := range chars {
		writeRune(&b, c, false)
	}
	return b.String()
}
