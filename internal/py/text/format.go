package text

import (
	"math/big"
	"strconv"
	"strings"
)

// FormatStr is format(s, spec) for a str: width, alignment and a precision that
// cuts the text.
func FormatStr(s string, f Spec) (string, error) {
	if err := f.checkGroup('s'); err != nil {
		return "", err
	}
	switch {
	case f.Type != 0 && f.Type != 's':
		return "", f.unknownCode()
	case f.Sign == ' ':
		return "", errorf(ValueError, "Space not allowed in string format specifier")
	case f.Sign != 0:
		return "", errorf(ValueError, "Sign not allowed in string format specifier")
	case f.NoNegZero:
		return "", errorf(ValueError, "Negative zero coercion (z) not allowed in string format specifier")
	case f.Alt:
		return "", errorf(ValueError, "Alternate form (#) not allowed in string format specifier")
	case f.Align == '=':
		return "", errorf(ValueError, "'=' alignment not allowed in string format specifier")
	}
	if f.Precision >= 0 {
		s = Range(s, 0, f.Precision)
	}
	fill := f.fill()
	pad := f.Width - Len(s)
	switch f.Align {
	case '>':
		return padded(s, pad, 0, fill)
	case '^':
		return padded(s, pad/2, pad-pad/2, fill)
	}
	return padded(s, 0, pad, fill)
}

// fill returns the padding code point, taking the 0 flag into account.
func (f Spec) fill() rune {
	if f.Zero {
		return '0'
	}
	return f.Fill
}

// padded puts left and right copies of fill around s; numbers below 1 add none.
func padded(s string, left, right int, fill rune) (string, error) {
	left, right = max(left, 0), max(right, 0)
	if left == 0 && right == 0 {
		return s, nil
	}
	if left > MaxSize || right > MaxSize || (left+right)*runeWidth(fill)+len(s) > MaxSize {
		return "", errTooLarge()
	}
	unit := RuneText(fill)
	return strings.Repeat(unit, left) + s + strings.Repeat(unit, right), nil
}

// FormatInt is format(n, spec) for an int that fits 64 bits.
func FormatInt(n int64, f Spec) (string, error) {
	if f.Type == 0 || f.Type == 'd' || f.Type == 'n' {
		if err := f.checkInt(); err != nil {
			return "", err
		}
		digits := strconv.FormatInt(n, 10)
		return f.layout(number{negative: n < 0, digits: strings.TrimPrefix(digits, "-")})
	}
	return FormatBigInt(big.NewInt(n), f)
}

// FormatBigInt is format(n, spec) for an int of any size. The float types
// convert n to float first.
func FormatBigInt(n *big.Int, f Spec) (string, error) {
	switch f.Type {
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		if err := f.checkGroup('d'); err != nil {
			return "", err
		}
		v, err := IntToFloat(n)
		if err != nil {
			return "", err
		}
		return FormatFloatSpec(v, f)
	}
	if err := f.checkInt(); err != nil {
		return "", err
	}
	num := number{negative: n.Sign() < 0}
	base := 10
	switch f.Type {
	case 'c':
		return f.char(n)
	case 'b':
		base = 2
	case 'o':
		base = 8
	case 'x', 'X':
		base = 16
	}
	if base == 10 {
		digits, err := IntText(n)
		if err != nil {
			return "", err
		}
		num.digits = digits
	} else {
		num.digits = n.Text(base)
		if f.Alt {
			num.prefix = basePrefix(base)
		}
	}
	num.digits = strings.TrimPrefix(num.digits, "-")
	if f.Type == 'X' {
		num.prefix, num.digits = strings.ToUpper(num.prefix), strings.ToUpper(num.digits)
	}
	return f.layout(num)
}

// checkInt reports what a specification for an int must not hold.
func (f Spec) checkInt() error {
	if err := f.checkGroup('d'); err != nil {
		return err
	}
	switch f.Type {
	case 0, 'b', 'c', 'd', 'o', 'x', 'X', 'n':
	default:
		return f.unknownCode()
	}
	switch {
	case f.Precision >= 0:
		return errorf(ValueError, "Precision not allowed in integer format specifier")
	case f.NoNegZero:
		return errorf(ValueError, "Negative zero coercion (z) not allowed in integer format specifier")
	case f.Type == 'c' && f.Sign != 0:
		return errorf(ValueError, "Sign not allowed with integer format specifier 'c'")
	case f.Type == 'c' && f.Alt:
		return errorf(ValueError, "Alternate form (#) not allowed with integer format specifier 'c'")
	}
	return nil
}

// char formats the code point n, padded like a number.
func (f Spec) char(n *big.Int) (string, error) {
	if !n.IsInt64() {
		return "", errorf(OverflowError, "Python int too large to convert to C long")
	}
	v := n.Int64()
	if v < 0 || v > 0x10FFFF {
		return "", errorf(OverflowError, "%%c arg not in range(0x110000)")
	}
	return f.layout(number{tail: RuneText(rune(v))})
}

// number is a number on its way to text: digits is the whole part, which may be
// grouped, and tail what follows it (point, fraction, exponent, percent sign).
type number struct {
	negative bool
	prefix   string
	digits   string
	tail     string
}

// layout adds sign, separators and padding.
func (f Spec) layout(n number) (string, error) {
	sign := ""
	switch {
	case n.negative:
		sign = "-"
	case f.Sign == '+' || f.Sign == ' ':
		sign = string(f.Sign)
	}
	fill, align := f.fill(), f.Align
	if align == 0 {
		align = '>'
		if f.Zero {
			align = '='
		}
	}
	if f.Width > MaxSize {
		return "", errTooLarge()
	}
	if f.Group != 0 && n.digits != "" {
		room := 0
		if fill == '0' && align == '=' {
			room = f.Width - len(sign) - len(n.prefix) - Len(n.tail)
		}
		n.digits = grouped(n.digits, f.Group, f.groupSize(), room)
	}
	head, body := sign+n.prefix, n.digits+n.tail
	pad := f.Width - len(head) - Len(body)
	switch align {
	case '<':
		return padded(head+body, 0, pad, fill)
	case '^':
		return padded(head+body, pad/2, pad-pad/2, fill)
	case '=':
		text, err := padded(body, pad, 0, fill)
		if err != nil {
			return "", err
		}
		return head + text, nil
	}
	return padded(head+body, pad, 0, fill)
}

func (f Spec) groupSize() int {
	switch f.Type {
	case 'b', 'o', 'x', 'X':
		return 4
	}
	return 3
}

// grouped puts sep between groups of size digits, counted from the right, after
// adding as many zeros as make the text at least room long. It never starts
// with a separator, so it can be one longer than room.
func grouped(digits string, sep byte, size, room int) string {
	// n digits take n + (n-1)/size places; find the first n that fills the room.
	n := room - room/(size+1)
	if room%(size+1) == 0 {
		n++ // the separator would come first
	}
	n = max(n, len(digits))
	b := make([]byte, 0, n+n/size)
	for i := n; i > 0; i-- {
		if i <= len(digits) {
			b = append(b, digits[len(digits)-i])
		} else {
			b = append(b, '0')
		}
		if i > 1 && (i-1)%size == 0 {
			b = append(b, sep)
		}
	}
	return string(b)
}
