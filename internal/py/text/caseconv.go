package text

import (
	"strings"
	"unicode"
)

const (
	capitalSigma = 0x3A3
	smallSigma   = 0x3C3
	finalSigma   = 0x3C2
)

// Upper is str.upper with the full mappings (ß becomes SS).
func Upper(s string) string {
	if IsASCII(s) {
		return strings.ToUpper(s)
	}
	return mapRunes(s, appendUpper)
}

// Lower is str.lower with the full mappings and the final sigma rule.
func Lower(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	b := make([]byte, 0, len(s))
	for at := 0; at < len(s); {
		r, n := DecodeRune(s[at:])
		b = appendLowerAt(b, r, s, at, n)
		at += n
	}
	return string(b)
}

// Casefold is str.casefold (full case folding).
func Casefold(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	return mapRunes(s, appendFold)
}

// Capitalize is str.capitalize: first code point to title case, others to lower.
func Capitalize(s string) string {
	b := make([]byte, 0, len(s))
	for at := 0; at < len(s); {
		r, n := DecodeRune(s[at:])
		if at == 0 {
			b = appendTitle(b, r)
		} else {
			b = appendLowerAt(b, r, s, at, n)
		}
		at += n
	}
	return string(b)
}

// Title is str.title: title case after an uncased code point, else lower case.
func Title(s string) string {
	b := make([]byte, 0, len(s))
	inWord := false
	for at := 0; at < len(s); {
		r, n := DecodeRune(s[at:])
		if inWord {
			b = appendLowerAt(b, r, s, at, n)
		} else {
			b = appendTitle(b, r)
		}
		inWord = isCased(r)
		at += n
	}
	return string(b)
}

// Swapcase is str.swapcase.
func Swapcase(s string) string {
	b := make([]byte, 0, len(s))
	for at := 0; at < len(s); {
		r, n := DecodeRune(s[at:])
		switch {
		case IsUpperRune(r):
			b = appendLowerAt(b, r, s, at, n)
		case IsLowerRune(r):
			b = appendUpper(b, r)
		default:
			b = AppendRune(b, r)
		}
		at += n
	}
	return string(b)
}

func mapRunes(s string, f func([]byte, rune) []byte) string {
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		r, n := DecodeRune(s)
		b = f(b, r)
		s = s[n:]
	}
	return string(b)
}

func appendUpper(b []byte, r rune) []byte {
	if full, ok := fullUpper[r]; ok && r >= 0x80 {
		return append(b, full...)
	}
	return AppendRune(b, unicode.ToUpper(r))
}

func appendTitle(b []byte, r rune) []byte {
	if full, ok := fullTitle[r]; ok && r >= 0x80 {
		return append(b, full...)
	}
	return AppendRune(b, unicode.ToTitle(r))
}

func appendLower(b []byte, r rune) []byte {
	if r == 0x130 { // İ, the only lowercase mapping of two code points
		return append(b, "i\u0307"...)
	}
	return AppendRune(b, unicode.ToLower(r))
}

// appendFold folds r. Folding is the lower case of the upper case, which joins
// ς with σ and ß with ss, except for four cases of CaseFolding.txt: dotless i
// stays, capital sharp s is ss, and Cherokee folds to its older capitals.
func appendFold(b []byte, r rune) []byte {
	switch {
	case r == 0x131:
		return AppendRune(b, r)
	case r == 0x1E9E:
		return append(b, "ss"...)
	case 0x13A0 <= r && r <= 0x13FD, 0xAB70 <= r && r <= 0xABBF:
		return AppendRune(b, unicode.ToUpper(r))
	}
	if full, ok := fullUpper[r]; ok {
		for _, u := range full {
			b = appendLower(b, u)
		}
		return b
	}
	return appendLower(b, unicode.ToUpper(r))
}

// appendLowerAt lowers r, found in s at byte offset at with width n. A capital
// sigma becomes the final form when a cased code point comes before it and none
// after it, case-ignorable ones being skipped (Unicode, section 3.13).
func appendLowerAt(b []byte, r rune, s string, at, n int) []byte {
	if r != capitalSigma {
		return appendLower(b, r)
	}
	if casedBefore(s[:at]) && !casedAfter(s[at+n:]) {
		return AppendRune(b, finalSigma)
	}
	return AppendRune(b, smallSigma)
}

func casedBefore(s string) bool {
	for len(s) > 0 {
		r, n := DecodeLastRune(s)
		if !isCaseIgnorable(r) {
			return isCased(r)
		}
		s = s[:len(s)-n]
	}
	return false
}

func casedAfter(s string) bool {
	for len(s) > 0 {
		r, n := DecodeRune(s)
		if !isCaseIgnorable(r) {
			return isCased(r)
		}
		s = s[n:]
	}
	return false
}
