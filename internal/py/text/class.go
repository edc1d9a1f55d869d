package text

import "unicode"

// assigned reports whether r was a code point of Unicode 14, given that Go's
// newer tables know it.
func assigned(r rune) bool { return r < 0xCF3 || !unicode.Is(added15, r) }

// IsPrintableRune reports whether repr shows r as it is: letters, marks,
// numbers, punctuation, symbols and the ASCII space.
func IsPrintableRune(r rune) bool {
	if r < 0x7F {
		return r >= ' '
	}
	return unicode.IsPrint(r) && assigned(r)
}

// IsSpaceRune reports whether str.isspace accepts r and str.split splits at it.
func IsSpaceRune(r rune) bool {
	switch {
	case r < 0x80:
		return r == ' ' || '\t' <= r && r <= '\r' || 0x1C <= r && r <= 0x1F
	case r < 0x1680:
		return r == 0x85 || r == 0xA0
	case 0x2000 <= r && r <= 0x200A:
		return true
	}
	switch r {
	case 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return false
}

// IsAlphaRune reports whether r is a letter (category L).
func IsAlphaRune(r rune) bool {
	if r < 0x80 {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) && assigned(r)
}

// IsDecimalRune reports whether r is a decimal digit (category Nd).
func IsDecimalRune(r rune) bool { return DecimalValue(r) >= 0 }

// DecimalValue returns the value 0..9 of a decimal digit, -1 for any other r.
// Digits of one script are consecutive, so the place in their run is the value.
func DecimalValue(r rune) int {
	if r < 0x80 {
		if '0' <= r && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	if !unicode.IsDigit(r) || !assigned(r) {
		return -1
	}
	for _, x := range unicode.Nd.R16 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return int(r-rune(x.Lo)) % 10
		}
	}
	for _, x := range unicode.Nd.R32 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return int(r-rune(x.Lo)) % 10
		}
	}
	return -1
}

// IsDigitRune reports whether str.isdigit accepts r: decimal digits and forms
// such as superscripts.
func IsDigitRune(r rune) bool {
	return IsDecimalRune(r) || r >= 0x80 && unicode.Is(digitNotDecimal, r)
}

// IsNumericRune reports whether r has a numeric value: category N and the
// ideographs for numbers.
func IsNumericRune(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9'
	}
	return (unicode.IsNumber(r) || unicode.Is(ideographNumber, r)) && assigned(r)
}

// IsAlnumRune reports whether r is alphabetic, decimal, digit or numeric.
func IsAlnumRune(r rune) bool { return IsAlphaRune(r) || IsNumericRune(r) }

// IsUpperRune reports whether r has the Uppercase property.
func IsUpperRune(r rune) bool {
	if r < 0x80 {
		return 'A' <= r && r <= 'Z'
	}
	return unicode.In(r, unicode.Lu, unicode.Other_Uppercase) && assigned(r)
}

// IsLowerRune reports whether r has the Lowercase property.
func IsLowerRune(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z'
	}
	return unicode.In(r, unicode.Ll, unicode.Other_Lowercase) && assigned(r) && !unicode.Is(lateLower, r)
}

// IsTitleRune reports whether r is a titlecase letter (category Lt) like ǅ.
func IsTitleRune(r rune) bool { return r >= 0x80 && unicode.Is(unicode.Lt, r) }

// isCased reports the Cased property.
func isCased(r rune) bool { return IsUpperRune(r) || IsLowerRune(r) || IsTitleRune(r) }

// isCaseIgnorable reports the Case_Ignorable property.
func isCaseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk, wordBreakIgnorable) && assigned(r)
}

// IsIdentifierStart reports whether an identifier may start with r.
func IsIdentifierStart(r rune) bool {
	if r < 0x80 {
		return r == '_' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return idStart(r) && assigned(r) && !unicode.Is(notXIDStart, r)
}

// IsIdentifierPart reports whether an identifier may go on with r.
func IsIdentifierPart(r rune) bool {
	if r < 0x80 {
		return r == '_' || 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	if !assigned(r) || unicode.Is(notXIDContinue, r) {
		return false
	}
	return idStart(r) || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) &&
		!unicode.In(r, unicode.Pattern_Syntax, unicode.Pattern_White_Space)
}

// idStart reports the ID_Start property.
func idStart(r rune) bool {
	return (unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_ID_Start)) &&
		!unicode.In(r, unicode.Pattern_Syntax, unicode.Pattern_White_Space)
}

// every reports whether s is not empty and all its code points satisfy f.
func every(s string, f func(rune) bool) bool {
	if s == "" {
		return false
	}
	for len(s) > 0 {
		r, n := DecodeRune(s)
		if !f(r) {
			return false
		}
		s = s[n:]
	}
	return true
}

// IsAlpha is str.isalpha.
func IsAlpha(s string) bool { return every(s, IsAlphaRune) }

// IsDigit is str.isdigit.
func IsDigit(s string) bool { return every(s, IsDigitRune) }

// IsDecimal is str.isdecimal.
func IsDecimal(s string) bool { return every(s, IsDecimalRune) }

// IsNumeric is str.isnumeric.
func IsNumeric(s string) bool { return every(s, IsNumericRune) }

// IsAlnum is str.isalnum.
func IsAlnum(s string) bool { return every(s, IsAlnumRune) }

// IsSpace is str.isspace.
func IsSpace(s string) bool { return every(s, IsSpaceRune) }

// IsPrintable is str.isprintable; the empty string is printable.
func IsPrintable(s string) bool { return s == "" || every(s, IsPrintableRune) }

// IsIdentifier is str.isidentifier; keywords count as identifiers.
func IsIdentifier(s string) bool {
	r, n := DecodeRune(s)
	return n > 0 && IsIdentifierStart(r) && (n == len(s) || every(s[n:], IsIdentifierPart))
}

// IsUpper is str.isupper: a cased code point and none in lower or title case.
func IsUpper(s string) bool {
	return hasCase(s, IsUpperRune, func(r rune) bool { return IsLowerRune(r) || IsTitleRune(r) })
}

// IsLower is str.islower: a cased code point and none in upper or title case.
func IsLower(s string) bool {
	return hasCase(s, IsLowerRune, func(r rune) bool { return IsUpperRune(r) || IsTitleRune(r) })
}

// hasCase reports whether some code point satisfies want and none avoid.
func hasCase(s string, want, avoid func(rune) bool) bool {
	seen := false
	for len(s) > 0 {
		r, n := DecodeRune(s)
		if avoid(r) {
			return false
		}
		seen = seen || want(r)
		s = s[n:]
	}
	return seen
}

// IsTitle is str.istitle: upper or title case follows only uncased code points,
// lower case only cased ones, and at least one code point is cased.
func IsTitle(s string) bool {
	seen, inWord := false, false
	for len(s) > 0 {
		r, n := DecodeRune(s)
		switch {
		case IsUpperRune(r) || IsTitleRune(r):
			if inWord {
				return false
			}
			seen, inWord = true, true
		case IsLowerRune(r):
			if !inWord {
				return false
			}
			seen = true
		default:
			inWord = false
		}
		s = s[n:]
	}
	return seen
}
