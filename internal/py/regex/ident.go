package regex

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxGroups is Python's limit for group numbers.
const maxGroups = 1073741823

// isIdentifier is str.isidentifier: a XID_Start character or underscore, then
// XID_Continue characters (Unicode Standard Annex 31).
func isIdentifier(name []rune) bool {
	for i, c := range name {
		if !(isXIDStart(c) || i > 0 && isXIDContinue(c)) {
			return false
		}
	}
	return len(name) > 0
}

func isXIDStart(c rune) bool {
	switch c {
	case '_':
		return true
	case 0xE33, 0xEB3, 0xFF9E, 0xFF9F:
		return false
	}
	return unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start) && !notXID(c) && !isNewer(c)
}

func isXIDContinue(c rune) bool {
	return unicode.In(c, unicode.L, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc,
		unicode.Other_ID_Start, unicode.Other_ID_Continue) && !notXID(c) && !isNewer(c)
}

// notXID lists what the XID properties leave out of the ID ones, because
// normalization (NFKC) would turn it into something that is no identifier.
func notXID(c rune) bool {
	switch {
	case c == 0x37A, c == 0x2E2F, c == 0x309B, c == 0x309C, c == 0xFDFA, c == 0xFDFB:
		return true
	case c >= 0xFC5E && c <= 0xFC63:
		return true
	case c >= 0xFE70 && c <= 0xFE7E:
		return c%2 == 0
	}
	return false
}

// parseInt reads what Python's int() accepts as a number that is not negative
// and returns its decimal digits without leading zeros.
func parseInt(text []rune) (string, bool) {
	s := []rune(strings.TrimFunc(encode(text), isSpace))
	negative := false
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		negative = s[0] == '-'
		s = s[1:]
	}
	var b strings.Builder
	wasDigit := false
	for _, c := range s {
		d, ok := digitValue(c)
		switch {
		case ok:
			b.WriteByte(byte('0' + d))
		case c != '_' || !wasDigit:
			return "", false
		}
		wasDigit = ok
	}
	// 4300 digits is the limit of int() for the length of a number.
	if !wasDigit || b.Len() > 4300 {
		return "", false
	}
	digits := strings.TrimLeft(b.String(), "0")
	if digits == "" {
		return "0", true
	}
	return digits, !negative
}

// digitValue returns the value of a decimal digit of any script. Unicode
// encodes each set of decimal digits as ten code points in ascending order.
func digitValue(c rune) (int, bool) {
	if c >= '0' && c <= '9' {
		return int(c - '0'), true
	}
	if !isDecimal(c) {
		return 0, false
	}
	for _, r := range unicode.Nd.R16 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return int(c-rune(r.Lo)) % 10, true
		}
	}
	for _, r := range unicode.Nd.R32 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return int(c-rune(r.Lo)) % 10, true
		}
	}
	return 0, false
}

// quote is Python's repr of a str.
func quote(s []rune) string {
	q := '\''
	if slices.Contains(s, '\'') && !slices.Contains(s, '"') {
		q = '"'
	}
	var b strings.Builder
	b.WriteRune(q)
	for _, c := range s {
		switch {
		case c == q || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c >= ' ' && c < 0x7F || c >= 0x80 && unicode.IsPrint(c) && !isNewer(c):
			b.WriteRune(c)
		default:
			writeEscape(&b, c)
		}
	}
	b.WriteRune(q)
	return b.String()
}

func writeEscape(b *strings.Builder, c rune) {
	prefix, digits := `\x`, 2
	if c > 0xFFFF {
		prefix, digits = `\U`, 8
	} else if c > 0xFF {
		prefix, digits = `\u`, 4
	}
	hex := strconv.FormatInt(int64(c), 16)
	b.WriteString(prefix)
	b.WriteString(strings.Repeat("0", digits-len(hex)))
	b.WriteString(hex)
}

// backslashReplace is str.encode('ascii', 'backslashreplace').
func backslashReplace(s string) string {
	var b strings.Builder
	for _, c := range decodeAll(s, false) {
		if c < 0x80 {
			b.WriteByte(byte(c))
		} else {
			writeEscape(&b, c)
		}
	}
	return b.String()
}
