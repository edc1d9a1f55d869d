package trace

import (
	"math"
	"strconv"
	"strings"
)

// scanNumber matches a JSON number (RFC 8259, section 6) at the start of s. It
// returns the length of the match, or the offset of the error and a message.
func scanNumber(s string) (int, string) {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	switch {
	case i < len(s) && s[i] == '0':
		i++
	case i < len(s) && isDigit(s[i]):
		i = skipDigits(s, i)
	default:
		return i, "a digit must follow here"
	}
	if i < len(s) && s[i] == '.' {
		start := i + 1
		if i = skipDigits(s, start); i == start {
			return i, "a digit must follow the decimal point"
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		start := i
		if i = skipDigits(s, start); i == start {
			return i, "a digit must follow the exponent"
		}
	}
	return i, ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skipDigits returns the position after the digits that start at i.
func skipDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// formatFloat writes a finite float as Python's repr does: the shortest digits
// that read back, with an exponent below 1e-4 and from 1e16 on, and with ".0"
// where nothing else shows that it is a float.
func formatFloat(f float64) string {
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// maxExponentDigits bounds the exponents that decimal can compute with.
const maxExponentDigits = 17

// decimal is a number as sign, significant digits and power of ten:
// 0.<digits> * 10^exponent. Zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// parseDecimal normalises a JSON number literal in linear time. It fails if the
// exponent is too long to compute with.
func parseDecimal(literal string) (decimal, bool) {
	d := decimal{negative: strings.HasPrefix(literal, "-")}
	mantissa := strings.TrimPrefix(literal, "-")
	power := "0"
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, power = mantissa[:i], mantissa[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	significant := strings.TrimLeft(digits, "0")
	leading := len(digits) - len(significant)
	d.digits = strings.TrimRight(significant, "0")
	if d.digits == "" {
		return decimal{}, true // also makes -0 equal 0
	}
	sign := int64(1)
	if strings.HasPrefix(power, "-") {
		sign = -1
	}
	power = strings.TrimLeft(strings.TrimLeft(power, "+-"), "0")
	if len(power) > maxExponentDigits {
		return decimal{}, false
	}
	var n int64
	for i := 0; i < len(power); i++ {
		n = n*10 + int64(power[i]-'0')
	}
	d.exponent = sign*n + int64(len(whole)-leading)
	return d, true
}

// equalNumbers reports whether two JSON literals stand for the same number.
// Literals whose exponent has more than 17 digits are compared as text.
func equalNumbers(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := parseDecimal(a)
	y, okY := parseDecimal(b)
	return okX && okY && x == y
}
