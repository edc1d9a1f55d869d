package text

import (
	"math"
	"strconv"
	"strings"
)

// maxDigits is more than the significant digits of any float64 in decimal (767)
// and than the places after its point (1074): beyond it there are only zeros,
// which are appended instead of computed.
const maxDigits = 1100

// FormatFloatSpec is format(x, spec) for a float.
func FormatFloatSpec(x float64, f Spec) (string, error) {
	if err := f.checkGroup(0); err != nil {
		return "", err
	}
	switch f.Type {
	case 0, 'e', 'E', 'f', 'F', 'g', 'G', 'n', '%':
	default:
		return "", f.unknownCode()
	}
	if f.Precision > math.MaxInt32 {
		return "", errorf(ValueError, "precision too big")
	}
	if f.Precision > MaxSize {
		return "", errTooLarge()
	}
	kind, prec, tail := f.Type, f.Precision, ""
	switch {
	case kind == '%':
		x *= 100
		kind, tail = 'f', "%"
	case kind == 'n':
		kind = 'g'
	}
	if prec < 0 && kind != 0 {
		prec = 6
	}
	body := floatBody(x, kind, prec, f.Alt)
	n := number{negative: math.Signbit(x) && !math.IsNaN(x), tail: tail}
	if f.NoNegZero && n.negative && isZeroText(body) {
		n.negative = false
	}
	whole := 0
	for whole < len(body) && '0' <= body[whole] && body[whole] <= '9' {
		whole++
	}
	n.digits, n.tail = body[:whole], body[whole:]+tail
	return f.layout(n)
}

// isZeroText reports whether a formatted number rounds to zero.
func isZeroText(s string) bool {
	s, _, _ = cutAny(s, "eE")
	return strings.Trim(s, "0.") == ""
}

// floatBody formats |x|. Kind 0 is the format without a type: repr when prec is
// negative, else like g but always with a point or an exponent.
func floatBody(x float64, kind rune, prec int, alt bool) string {
	x = math.Abs(x)
	upper := kind == 'E' || kind == 'F' || kind == 'G'
	switch {
	case math.IsInf(x, 0) && upper:
		return "INF"
	case math.IsInf(x, 0):
		return "inf"
	case math.IsNaN(x) && upper:
		return "NAN"
	case math.IsNaN(x):
		return "nan"
	}
	e := byte('e')
	if upper {
		e = 'E'
	}
	switch kind {
	case 'f', 'F':
		return fixed(x, prec, alt)
	case 'e', 'E':
		return string(rounded(x, prec+1).appendExponent(nil, prec+1, e, alt))
	}
	d, limit, digits, dot0 := shortest(x), 16, 0, false
	if kind == 0 {
		dot0 = true
	}
	if prec >= 0 {
		prec = max(prec, 1)
		d, limit = rounded(x, prec), prec
		if dot0 {
			limit--
		}
		if alt {
			digits = prec
		}
	}
	if d.point <= -4 || d.point > limit {
		return string(d.appendExponent(nil, digits, e, alt))
	}
	return string(d.appendFixed(nil, digits, alt, dot0))
}

// fixed formats x >= 0 with prec digits after the point.
func fixed(x float64, prec int, alt bool) string {
	b := strconv.AppendFloat(nil, x, 'f', min(prec, maxDigits), 64)
	if prec == 0 && alt {
		b = append(b, '.')
	}
	return string(appendZeros(b, prec-maxDigits))
}

func appendZeros(b []byte, n int) []byte {
	if n <= 0 {
		return b
	}
	return append(b, strings.Repeat("0", n)...)
}

// decimal is the number 0.digits * 10**point. digits has no trailing zeros, but
// zero itself is "0" with point 1.
type decimal struct {
	digits string
	point  int
}

// shortest returns the shortest decimal that reads back as x >= 0.
func shortest(x float64) decimal { return newDecimal(x, -1) }

// rounded returns x >= 0 rounded to n >= 1 significant digits.
func rounded(x float64, n int) decimal { return newDecimal(x, min(n, maxDigits)-1) }

func newDecimal(x float64, prec int) decimal {
	var buf [32]byte
	text := string(strconv.AppendFloat(buf[:0], x, 'e', prec, 64))
	digits, expText, _ := strings.Cut(text, "e")
	exp, _ := strconv.Atoi(expText)
	if len(digits) > 1 {
		digits = strings.TrimRight(digits[:1]+digits[2:], "0")
	}
	if digits == "" {
		digits = "0"
	}
	return decimal{digits, exp + 1}
}

// appendExponent writes d.ddde±xx with at least n digits. alt keeps a point
// that has no digits after it.
func (d decimal) appendExponent(b []byte, n int, e byte, alt bool) []byte {
	b = append(b, d.digits[0])
	if len(d.digits) > 1 || n > 1 || alt {
		b = append(b, '.')
	}
	b = append(b, d.digits[1:]...)
	b = appendZeros(b, n-len(d.digits))
	exp := d.point - 1
	b = append(b, e, '+')
	if exp < 0 {
		b[len(b)-1] = '-'
		exp = -exp
	}
	if exp < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(exp), 10)
}

// appendFixed writes the number without exponent and with at least n
// significant digits. dot0 adds ".0" to a whole number, alt a bare point.
func (d decimal) appendFixed(b []byte, n int, alt, dot0 bool) []byte {
	zeros := max(n-len(d.digits), 0) // still owed after the digits
	frac := d.digits
	if d.point <= 0 {
		b = append(b, '0')
	} else {
		whole := min(d.point, len(d.digits))
		b = append(b, d.digits[:whole]...)
		b = appendZeros(b, d.point-whole)
		zeros -= d.point - whole
		frac = d.digits[whole:]
	}
	if frac == "" && zeros <= 0 {
		switch {
		case dot0:
			return append(b, ".0"...)
		case alt:
			return append(b, '.')
		}
		return b
	}
	b = append(b, '.')
	b = appendZeros(b, -d.point)
	b = append(b, frac...)
	return appendZeros(b, zeros)
}
