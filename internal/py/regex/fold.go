package regex

import "unicode"

// foldMode tells how characters are lowered before they are compared.
type foldMode uint8

const (
	foldNone foldMode = iota
	foldASCII
	foldUnicode
)

func foldOf(flags Flag) foldMode {
	switch {
	case flags&IgnoreCase == 0:
		return foldNone
	case flags&Unicode != 0:
		return foldUnicode
	}
	return foldASCII
}

func (f foldMode) lower(c rune) rune {
	switch {
	case f == foldNone:
		return c
	case c < 0x80:
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	case f == foldUnicode:
		return unicode.ToLower(c)
	}
	return c
}

// equivalents returns the lower-case characters other than c that have the
// same upper case as c. Python treats them as equal under IGNORECASE although
// their lower cases differ.
func equivalents(c rune) []rune {
	for _, class := range equivalenceClasses {
		for i, m := range class {
			if m == c {
				out := append([]rune(nil), class[:i]...)
				return append(out, class[i+1:]...)
			}
		}
	}
	return nil
}

// equivalenceClasses follows from Unicode's full case mappings: lower-case
// characters grouped by their upper case, groups of one left out. (Go's unicode
// package has only the simple mappings, so it cannot be computed from there.)
var equivalenceClasses = [...][]rune{
	{'i', 'ı'}, {'s', 'ſ'}, {'µ', 'μ'}, {0x345, 'ι', 0x1FBE}, {0x390, 0x1FD3}, {0x3B0, 0x1FE3},
	{'β', 'ϐ'}, {'ε', 'ϵ'}, {'θ', 'ϑ'}, {'κ', 'ϰ'}, {'π', 'ϖ'}, {'ρ', 'ϱ'}, {'ς', 'σ'}, {'φ', 'ϕ'},
	{'в', 0x1C80}, {'д', 0x1C81}, {'о', 0x1C82}, {'с', 0x1C83}, {'т', 0x1C84, 0x1C85},
	{'ъ', 0x1C86}, {'ѣ', 0x1C87}, {0x1C88, 0xA64B}, {0x1E61, 0x1E9B}, {0xFB05, 0xFB06},
}

// upper is the upper case of a lower-case character. Where Unicode maps one to
// several characters Python takes the first. That differs from Go's answer for
// some; they are listed as far as charset.member can tell the difference, that
// is, if either of the two is above c.
func upper(c rune) rune {
	switch {
	case c == 0x149:
		return 0x2BC
	case c == 0x390:
		return 0x399
	case c == 0x1FB2, c == 0x1FC2, c == 0x1FF2:
		return c + 8
	case c >= 0x1F80 && c <= 0x1FAF, c == 0x1FB3, c == 0x1FC3, c == 0x1FF3:
		return c
	}
	return unicode.ToUpper(c)
}
