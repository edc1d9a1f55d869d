package syntax

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// CPython 3.11 uses Unicode 14, the Go tables are newer: unicode15 lists the
// characters that were assigned since, which 3.11 must treat as unassigned.
var unicode15 = &unicode.RangeTable{
	R16: []unicode.Range16{{0x0CF3, 0x0CF3, 1}, {0x0ECE, 0x0ECE, 1}},
	R32: []unicode.Range32{
		{0x10EFD, 0x10EFF, 1}, {0x1123F, 0x11241, 1}, {0x11B00, 0x11B09, 1}, {0x11F00, 0x11F10, 1},
		{0x11F12, 0x11F3A, 1}, {0x11F3E, 0x11F59, 1}, {0x1342F, 0x1342F, 1}, {0x13439, 0x13455, 1},
		{0x1B132, 0x1B132, 1}, {0x1B155, 0x1B155, 1}, {0x1D2C0, 0x1D2D3, 1}, {0x1DF25, 0x1DF2A, 1},
		{0x1E030, 0x1E06D, 1}, {0x1E08F, 0x1E08F, 1}, {0x1E4D0, 0x1E4F9, 1}, {0x1F6DC, 0x1F6DC, 1},
		{0x1F774, 0x1F776, 1}, {0x1F77B, 0x1F77F, 1}, {0x1F7D9, 0x1F7D9, 1}, {0x1FA75, 0x1FA77, 1},
		{0x1FA87, 0x1FA88, 1}, {0x1FAAD, 0x1FAAF, 1}, {0x1FABB, 0x1FABD, 1}, {0x1FABF, 0x1FABF, 1},
		{0x1FACE, 0x1FACF, 1}, {0x1FADA, 0x1FADB, 1}, {0x1FAE8, 0x1FAE8, 1}, {0x1FAF7, 0x1FAF8, 1},
		{0x2B739, 0x2B739, 1}, {0x31350, 0x323AF, 1},
	},
}

// notXID lists the characters of ID_Start and ID_Continue that are in neither
// XID_Start nor XID_Continue, because NFKC turns them into something else
// (Unicode Standard Annex 31, section 5.1).
var notXID = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x037A, 0x037A, 1}, {0x2E2F, 0x2E2F, 1}, {0x309B, 0x309C, 1}, {0xFC5E, 0xFC63, 1},
		{0xFDFA, 0xFDFB, 1}, {0xFE70, 0xFE70, 1}, {0xFE72, 0xFE72, 1}, {0xFE74, 0xFE74, 1},
		{0xFE76, 0xFE76, 1}, {0xFE78, 0xFE78, 1}, {0xFE7A, 0xFE7A, 1}, {0xFE7C, 0xFE7C, 1},
		{0xFE7E, 0xFE7E, 1},
	},
}

// onlyXIDContinue lists the characters of ID_Start that are in XID_Continue but
// not in XID_Start.
var onlyXIDContinue = &unicode.RangeTable{
	R16: []unicode.Range16{{0x0E33, 0x0E33, 1}, {0x0EB3, 0x0EB3, 1}, {0xFF9E, 0xFF9F, 1}},
}

// isXIDStart reports whether r may begin an identifier.
func isXIDStart(r rune) bool {
	return (r == '_' || unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start)) &&
		!unicode.In(r, notXID, onlyXIDContinue, unicode15)
}

// isXIDContinue reports whether r may stand inside an identifier.
func isXIDContinue(r rune) bool {
	return isXIDStart(r) ||
		unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue, onlyXIDContinue) &&
			!unicode.In(r, notXID, unicode15)
}

// isPrintable reports whether CPython's repr shows r as itself.
func isPrintable(r rune) bool {
	return unicode.IsPrint(r) && !unicode.Is(unicode15, r)
}

// isWordByte reports whether a byte can belong to an identifier; the bytes of
// non-ASCII characters are judged later by checkIdent.
func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// checkIdent fails on characters that cannot be part of an identifier.
func (l *lexer) checkIdent(t token) {
	word := l.src[t.start:t.end]
	col := t.pos.Col
	for i, r := range word {
		if i == 0 && isXIDStart(r) || i > 0 && isXIDContinue(r) {
			col++
			continue
		}
		at := Pos{t.pos.Line, col}
		if isPrintable(r) {
			fail(l.file, at, "invalid character '%c' (U+%04X)", r, r)
		}
		fail(l.file, at, "invalid non-printable character U+%04X", r)
	}
}

// ident returns the name that a tName token stands for.
func (l *lexer) ident(t token) string {
	word := l.src[t.start:t.end]
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return norm.NFKC.String(word)
		}
	}
	return word
}
