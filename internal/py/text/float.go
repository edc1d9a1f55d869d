package text

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// FormatFloat is repr(f): the shortest digits that read back as f, with an
// exponent below 1e-4 and from 1e16 on, and ".0" when nothing else marks it as
// a float.
func FormatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	var buf [32]byte
	if f == math.Trunc(f) && math.Abs(f) < 1e15 && (f != 0 || !math.Signbit(f)) {
		return string(append(strconv.AppendInt(buf[:0], int64(f), 10), ".0"...))
	}
	d := shortest(math.Abs(f))
	b := buf[:0]
	if math.Signbit(f) {
		b = append(b, '-')
	}
	if d.point <= -4 || d.point > 16 {
		return string(d.appendExponent(b, 0, 'e', false))
	}
	return string(d.appendFixed(b, 0, false, true))
}

// ParseFloat is float(s): white space around and underscores inside are
// allowed, digits of all scripts count, and inf, infinity and nan are accepted
// in any case with a sign. Too large values become infinite as in Python.
func ParseFloat(s string) (float64, error) {
	t := normalizeNumber(s)
	if f, ok := parseSpecial(t); ok {
		return f, nil
	}
	if digits, exp, ok := scanFloat(t); ok {
		return decimalFloat(digits, exp), nil
	}
	return 0, errorf(ValueError, "could not convert string to float: %s", Repr(s))
}

// parseSpecial parses the names of the values that are not finite.
func parseSpecial(s string) (float64, bool) {
	name := s
	sign := 1
	if s != "" && (s[0] == '+' || s[0] == '-') {
		name = s[1:]
		if s[0] == '-' {
			sign = -1
		}
	}
	switch {
	case strings.EqualFold(name, "inf"), strings.EqualFold(name, "infinity"):
		return math.Inf(sign), true
	case strings.EqualFold(name, "nan"):
		return math.Copysign(math.NaN(), float64(sign)), true
	}
	return 0, false
}

// scanFloat checks s against Python's grammar for a decimal float. It returns
// the text before the exponent without underscores, and the exponent, which is
// pinned far outside what matters.
func scanFloat(s string) (mantissa string, exp int, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	end, whole, ok := scanPart(s, i)
	if !ok {
		return "", 0, false
	}
	frac := 0
	if end < len(s) && s[end] == '.' {
		if end, frac, ok = scanPart(s, end+1); !ok {
			return "", 0, false
		}
	}
	if whole+frac == 0 {
		return "", 0, false
	}
	mantissa = strings.ReplaceAll(s[:end], "_", "")
	if end == len(s) {
		return mantissa, 0, true
	}
	if s[end]|0x20 != 'e' {
		return "", 0, false
	}
	end++
	sign := 1
	if end < len(s) && (s[end] == '+' || s[end] == '-') {
		if s[end] == '-' {
			sign = -1
		}
		end++
	}
	last, count, ok := scanPart(s, end)
	if !ok || count == 0 || last != len(s) {
		return "", 0, false
	}
	return mantissa, sign * pinnedInt(s[end:]), true
}

// scanPart returns the end of a possibly empty run of digits from i and their
// number; it reports false when an underscore is not between two digits.
func scanPart(s string, i int) (end, count int, ok bool) {
	if i >= len(s) || s[i] != '_' && (s[i] < '0' || s[i] > '9') {
		return i, 0, true
	}
	n, count := scanDigits(s[i:], 10)
	return i + n, count, count > 0
}

// pinnedInt reads digits and underscores, stopping at about a billion.
func pinnedInt(s string) int {
	n := 0
	for i := 0; i < len(s) && n < 1e9; i++ {
		if s[i] != '_' {
			n = n*10 + int(s[i]-'0')
		}
	}
	return n
}

// decimalFloat returns the float nearest to mantissa * 10**exp. strconv pins
// exponents of five digits even when a long mantissa makes up for them, so a
// large exponent is first folded into the position of the point.
func decimalFloat(mantissa string, exp int) float64 {
	if exp > 9000 || exp < -9000 {
		sign := ""
		if mantissa[0] == '+' || mantissa[0] == '-' {
			sign, mantissa = mantissa[:1], mantissa[1:]
		}
		whole, frac, _ := strings.Cut(mantissa, ".")
		digits := strings.TrimLeft(whole+frac, "0")
		// The value is 0.digits * 10**exp.
		exp += len(digits) - len(frac)
		mantissa = sign + "0." + digits
		exp = max(-9000, min(exp, 9000))
	}
	// The grammar was checked: the only error left is overflow, for which
	// strconv returns the infinity that Python wants.
	f, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(exp), 64)
	return f
}

// IsInteger is float.is_integer.
func IsInteger(f float64) bool { return f == math.Trunc(f) && !math.IsInf(f, 0) }

// IntegerRatio is float.as_integer_ratio: the reduced fraction equal to f, with
// a positive denominator.
func IntegerRatio(f float64) (num, den *big.Int, err error) {
	if math.IsNaN(f) {
		return nil, nil, errorf(ValueError, "cannot convert NaN to integer ratio")
	}
	if math.IsInf(f, 0) {
		return nil, nil, errorf(OverflowError, "cannot convert Infinity to integer ratio")
	}
	r := new(big.Rat)
	r.SetFloat64(f)
	return r.Num(), r.Denom(), nil
}

// FloatToInt is int(f): f rounded toward zero.
func FloatToInt(f float64) (*big.Int, error) {
	if math.IsNaN(f) {
		return nil, errorf(ValueError, "cannot convert float NaN to integer")
	}
	if math.IsInf(f, 0) {
		return nil, errorf(OverflowError, "cannot convert float infinity to integer")
	}
	n, _ := new(big.Float).SetFloat64(f).Int(nil)
	return n, nil
}

// IntToFloat is float(n), rounded to nearest, ties to even. It fails with an
// OverflowError when the rounded value is too large.
func IntToFloat(n *big.Int) (float64, error) {
	if n.BitLen() <= 1024 {
		if f, _ := new(big.Float).SetInt(n).Float64(); !math.IsInf(f, 0) {
			return f, nil
		}
	}
	return 0, errorf(OverflowError, "int too large to convert to float")
}
