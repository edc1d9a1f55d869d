package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// maxMarks is how many combining marks may follow one character. Orthographies
// in use need up to three; a longer stack paints over the lines around it.
const maxMarks = 4

// Sanitize makes hostile text safe and honest on one line of a terminal: what
// the reader sees is what the text contains. It replaces
//
//   - control characters, line breaks and ESC, so no escape sequence survives;
//   - bidirectional controls, zero-width characters, variation selectors, tag
//     characters and fillers, which hide or reorder text;
//   - code points that are private or unassigned, whose look is not known;
//   - a combining mark without a character to sit on, or the fifth in a row;
//   - bytes that are not UTF-8
//
// by visible escapes in Go's notation: \n, \x1b, \u202e, \U000e0041. Emoji that
// are joined by zero-width joiners therefore show as their parts. A backslash is
// left alone, so the result is for reading, not for decoding; Sanitize of the
// result changes nothing.
//
// It does not stop right-to-left letters from being laid out right to left.
func Sanitize(s string) string {
	var b strings.Builder
	marks := maxMarks // so that a mark at the start is one too many
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			fmt.Fprintf(&b, `\x%02x`, s[i])
			marks = maxMarks
			continue
		}
		switch {
		case unicode.IsMark(r):
			marks++
		default:
			marks = 0
		}
		if hidden(r) || marks > maxMarks {
			b.WriteString(escape(r))
			marks = maxMarks
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// hidden reports whether a terminal would act on r, or show nothing for it.
func hidden(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// escape returns the visible form of r.
func escape(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// ASCII replaces every character of sanitized text that is not ASCII by its
// escape. In a terminal that is not UTF-8 this is not only unreadable but unsafe:
// it may take the second byte of an ordinary letter for a control character.
func ASCII(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
	}
	return b.String()
}

// width returns the number of terminal columns that sanitized text takes, after
// the grapheme clusters of UAX #29 and the East Asian widths of UAX #11.
func width(s string) int {
	return uniseg.StringWidth(s)
}

// truncate shortens sanitized text to limit columns, ending in ellipsis, which
// takes one column. A limit of 0 or less means none. It never splits a cluster.
func truncate(s string, limit int, ellipsis string) string {
	if limit <= 0 || width(s) <= limit {
		return s
	}
	kept, rest, state := 0, s, -1
	for rest != "" {
		_, tail, columns, next := uniseg.FirstGraphemeClusterInString(rest, state)
		if kept+columns > limit-1 {
			break
		}
		kept, rest, state = kept+columns, tail, next
	}
	return s[:len(s)-len(rest)] + ellipsis
}
