package text

import (
	"math"
	"strconv"
	"strings"
)

// FloatHex is float.hex: sign, 0x1.<13 hex digits>p<exponent>; subnormals start
// with 0x0.
func FloatHex(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return FormatFloat(f)
	}
	bits := math.Float64bits(f)
	frac := bits & (1<<52 - 1)
	exp := int(bits>>52)&0x7FF - 1023
	lead := byte('1')
	if exp == -1023 {
		lead, exp = '0', -1022
	}
	var b []byte
	if math.Signbit(f) {
		b = append(b, '-')
	}
	b = append(b, '0', 'x', lead, '.')
	if f == 0 {
		return string(append(b, "0p+0"...))
	}
	for shift := 48; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[frac>>shift&15])
	}
	b = append(b, 'p')
	if exp >= 0 {
		b = append(b, '+')
	}
	return string(strconv.AppendInt(b, int64(exp), 10))
}

// FloatFromHex is float.fromhex: an optional 0x, hex digits with an optional
// point and an optional binary exponent, or inf or nan, in ASCII white space.
func FloatFromHex(s string) (float64, error) {
	t := strings.Trim(s, " \t\n\v\f\r")
	if f, ok := parseSpecial(t); ok {
		return f, nil
	}
	bad := errorf(ValueError, "invalid hexadecimal floating-point string")
	sign := ""
	if t != "" && (t[0] == '+' || t[0] == '-') {
		sign, t = t[:1], t[1:]
	}
	if prefixBase(t) == 16 {
		t = t[2:]
	}
	mantissa, expText, hasExp := cutAny(t, "pP")
	exp := 0
	if hasExp {
		expSign := 1
		if expText != "" && (expText[0] == '+' || expText[0] == '-') {
			if expText[0] == '-' {
				expSign = -1
			}
			expText = expText[1:]
		}
		if expText == "" || strings.Trim(expText, "0123456789") != "" {
			return 0, bad
		}
		exp = expSign * pinnedInt(expText)
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	digits := whole + frac
	if digits == "" || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		return 0, bad
	}
	return binaryFloat(sign, digits, exp-4*len(frac))
}

// binaryFloat returns the float nearest to 0xdigits * 2**exp.
func binaryFloat(sign, digits string, exp int) (float64, error) {
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		f, err := strconv.ParseFloat(sign+"0", 64)
		return f, err
	}
	// Write it as 0x.digits: then a pinned exponent cannot change the value.
	exp = max(-9000, min(exp+4*len(digits), 9000))
	f, err := strconv.ParseFloat(sign+"0x."+digits+"p"+strconv.Itoa(exp), 64)
	if err != nil {
		return 0, errorf(OverflowError, "hexadecimal value too large to represent as a float")
	}
	return f, nil
}

// cutAny splits s at the first byte that is in chars.
func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
