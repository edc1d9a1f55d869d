package text

import (
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// MaxIntDigits is the longest decimal text of an int that Python 3.11 converts
// in either direction (sys.get_int_max_str_digits).
const MaxIntDigits = 4300

const limitText = "Exceeds the limit (4300 digits) for integer string conversion"

// ParseInt is int(s, base) for base 0 or 2..36. The value is small when big is
// nil, which is always so when it fits an int64. Errors are ValueErrors with
// Python's text; s must not hold the value of a bytes object.
func ParseInt(s string, base int) (small int64, large *big.Int, err error) {
	if base != 0 && (base < 2 || base > 36) {
		return 0, nil, errorf(ValueError, "int() base must be >= 2 and <= 36, or 0")
	}
	if base == 10 && len(s) <= 18 {
		if n, ok := parseShort(s); ok {
			return n, nil, nil
		}
	}
	lit, ok := scanInt(normalizeNumber(s), base)
	if lit.count > MaxIntDigits && lit.base&(lit.base-1) != 0 {
		return 0, nil, errorf(ValueError, "%s: value has %d digits; use sys.set_int_max_str_digits() to increase the limit",
			limitText, lit.count)
	}
	if !ok {
		return 0, nil, errorf(ValueError, "invalid literal for int() with base %d: %s", base, Range(Repr(s), 0, 200))
	}
	n := lit.value()
	if n.IsInt64() {
		return n.Int64(), nil, nil
	}
	return 0, n, nil
}

// parseShort parses the common case: an optional minus and at most 18 digits.
func parseShort(s string) (int64, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" {
		return 0, false
	}
	var n int64
	for i := 0; i < len(digits); i++ {
		c := digits[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(s) {
		n = -n
	}
	return n, true
}

// intLiteral is a scanned int: its sign, base and digits, which may hold
// underscores. count is the number of digits, 0 when the scan failed early.
type intLiteral struct {
	negative bool
	base     int
	digits   string
	count    int
}

// scanInt splits s, which is normalized, and reports whether it is well formed.
func scanInt(s string, base int) (lit intLiteral, ok bool) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		lit.negative = s[0] == '-'
		s = s[1:]
	}
	onlyZero := false // base 0 allows a leading zero only in zero itself
	lit.base = base
	if prefix := prefixBase(s); base == 0 && prefix != 0 || base != 0 && prefix == base {
		lit.base = prefix
		s = strings.TrimPrefix(s[2:], "_")
	} else if base == 0 {
		lit.base = 10
		onlyZero = strings.HasPrefix(s, "0")
	}
	end, count := scanDigits(s, lit.base)
	if count == 0 {
		return lit, false
	}
	lit.digits, lit.count = s[:end], count
	if onlyZero && strings.Trim(lit.digits, "0_") != "" {
		return lit, false
	}
	return lit, end == len(s)
}

// prefixBase returns the base named by 0x, 0o or 0b at the start of s, or 0.
func prefixBase(s string) int {
	if len(s) < 2 || s[0] != '0' {
		return 0
	}
	switch s[1] | 0x20 {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
}

// scanDigits returns the length of the run of digits and single inner
// underscores at the start of s and the number of digits in it; the count is 0
// when the run breaks the rule for underscores.
func scanDigits(s string, base int) (end, count int) {
	for ; end < len(s); end++ {
		if s[end] == '_' {
			if end == 0 || s[end-1] == '_' {
				return end, 0
			}
			continue
		}
		if digitValue(s[end]) >= base {
			break
		}
		count++
	}
	if end == 0 || s[end-1] == '_' {
		return end, 0
	}
	return end, count
}

// digitValue returns the value of an ASCII digit or letter, 99 for other bytes.
func digitValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return int(c|0x20-'a') + 10
	}
	return 99
}

func (lit intLiteral) value() *big.Int {
	n := new(big.Int)
	digits := strings.ReplaceAll(lit.digits, "_", "")
	if lit.base&(lit.base-1) == 0 {
		n.SetBits(packDigits(digits, bits.TrailingZeros(uint(lit.base))))
	} else {
		n.SetString(digits, lit.base)
	}
	if lit.negative {
		n.Neg(n)
	}
	return n
}

// packDigits builds the words of a number written in base 2**width. It takes
// linear time, where big.Int.SetString takes quadratic time for these bases,
// which have no limit on the number of digits.
func packDigits(digits string, width int) []big.Word {
	words := make([]big.Word, 0, len(digits)*width/bits.UintSize+1)
	var word big.Word
	filled := 0
	for i := len(digits) - 1; i >= 0; i-- {
		d := big.Word(digitValue(digits[i]))
		word |= d << filled
		if filled += width; filled >= bits.UintSize {
			words = append(words, word)
			filled -= bits.UintSize
			word = d >> (width - filled)
		}
	}
	return append(words, word)
}

// normalizeNumber does what int() and float() do first: in a string that is not
// ASCII, decimal digits and spaces become ASCII and the first other code point
// becomes a "?" that ends the text; then ASCII white space is stripped.
func normalizeNumber(s string) string {
	if !IsASCII(s) {
		b := make([]byte, 0, len(s))
		for rest := s; rest != ""; {
			r, n := DecodeRune(rest)
			rest = rest[n:]
			if r < 0x7F {
				b = append(b, byte(r))
			} else if IsSpaceRune(r) {
				b = append(b, ' ')
			} else if v := DecimalValue(r); v >= 0 {
				b = append(b, byte('0'+v))
			} else {
				b, rest = append(b, '?'), ""
			}
		}
		s = string(b)
	}
	return strings.Trim(s, " \t\n\v\f\r")
}

// IntText is str(n). It fails with a ValueError above MaxIntDigits digits.
func IntText(n *big.Int) (string, error) {
	// 2**(10/3) > 10, so more bits than this always make too many digits.
	if n.IsInt64() {
		return strconv.FormatInt(n.Int64(), 10), nil
	}
	if n.BitLen() <= MaxIntDigits*10/3 {
		text := n.String()
		if len(strings.TrimPrefix(text, "-")) <= MaxIntDigits {
			return text, nil
		}
	}
	return "", errorf(ValueError, "%s; use sys.set_int_max_str_digits() to increase the limit", limitText)
}

// IntBase returns n in base 2, 8 or 16 with the prefix 0b, 0o or 0x after the
// sign: bin, oct and hex of Python.
func IntBase(n *big.Int, base int) string {
	digits := n.Text(base)
	sign := ""
	if n.Sign() < 0 {
		sign, digits = "-", digits[1:]
	}
	return sign + basePrefix(base) + digits
}

func basePrefix(base int) string {
	switch base {
	case 2:
		return "0b"
	case 8:
		return "0o"
	case 16:
		return "0x"
	}
	return ""
}
