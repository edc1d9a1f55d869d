package syntax

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits is CPython's default limit for converting decimal text to int
// (sys.int_info.default_max_str_digits).
const maxDigits = 4300

// number reads a numeric literal.
func (l *lexer) number() token {
	start, at := l.off, l.pos()
	if l.src[start] == '0' {
		switch l.peek(1) | 0x20 {
		case 'x':
			return l.radix("hexadecimal", 16)
		case 'o':
			return l.radix("octal", 8)
		case 'b':
			return l.radix("binary", 2)
		}
	}
	if l.src[start] != '.' {
		l.digits()
	}
	integer := true
	if l.peek(0) == '.' {
		integer = false
		l.off++
		if isDigit(l.peek(0)) {
			l.digits()
		}
	}
	if l.peek(0)|0x20 == 'e' {
		sign := 0
		if c := l.peek(1); c == '+' || c == '-' {
			sign = 1
		}
		if isDigit(l.peek(1 + sign)) {
			integer = false
			l.off += 1 + sign
			l.digits()
		}
	}
	if l.peek(0)|0x20 == 'j' {
		refuse(l.file, at, "complex literals are")
	}
	if text := l.src[start:l.off]; integer && text[0] == '0' && strings.Trim(text, "0_") != "" {
		fail(l.file, at, "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
	}
	l.endNumber("decimal")
	return token{kind: tNumber, start: start, end: l.off, pos: at}
}

// digits moves over decimal digits with single underscores between them.
func (l *lexer) digits() {
	for {
		for isDigit(l.peek(0)) {
			l.off++
		}
		if l.peek(0) != '_' {
			return
		}
		if !isDigit(l.peek(1)) {
			fail(l.file, l.pos(), "invalid decimal literal")
		}
		l.off++
	}
}

// radix reads an integer literal with a prefix.
func (l *lexer) radix(name string, base byte) token {
	start, at := l.off, l.pos()
	for l.off += 2; ; {
		if l.peek(0) == '_' {
			l.off++
		}
		if !isDigitOf(l.peek(0), base) {
			break
		}
		for isDigitOf(l.peek(0), base) {
			l.off++
		}
		if l.peek(0) != '_' {
			if isDigit(l.peek(0)) {
				break
			}
			l.endNumber(name)
			return token{kind: tNumber, start: start, end: l.off, pos: at}
		}
	}
	if isDigit(l.peek(0)) {
		fail(l.file, l.pos(), "invalid digit '%c' in %s literal", l.peek(0), name)
	}
	fail(l.file, l.pos(), "invalid %s literal", name)
	return token{}
}

func isDigitOf(c, base byte) bool {
	if base == 16 {
		return hexDigit(c) >= 0
	}
	return c >= '0' && c < '0'+base
}

// hexDigit returns the value of a hexadecimal digit, -1 for other bytes.
func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// endNumber fails if a letter follows the number, except the first letter of a
// keyword that may follow: CPython 3.11 still reads "1if x else y".
func (l *lexer) endNumber(name string) {
	if !isWordByte(l.peek(0)) {
		return
	}
	rest := l.src[l.off:]
	for _, word := range [...]string{"and", "else", "for", "if", "in", "is", "or", "not"} {
		if strings.HasPrefix(rest, word) {
			return
		}
	}
	fail(l.file, l.pos(), "invalid %s literal", name)
}

// digitBits returns how many bits a digit holds in the base that the letter after
// a leading zero announces, or 0.
func digitBits(letter byte) uint {
	switch letter | 0x20 {
	case 'x':
		return 4
	case 'o':
		return 3
	case 'b':
		return 1
	}
	return 0
}

// packDigits returns the number with the given digits. Unlike big.Int.SetString
// it takes linear time.
func packDigits(digits string, bits uint) *big.Int {
	packed := make([]byte, len(digits)*int(bits)/8+1)
	at := len(packed) - 1
	window, filled := uint(0), uint(0)
	for i := len(digits) - 1; i >= 0; i-- {
		window |= uint(hexDigit(digits[i])) << filled
		filled += bits
		if filled >= 8 {
			packed[at] = byte(window)
			at--
			window >>= 8
			filled -= 8
		}
	}
	if filled > 0 {
		packed[at] = byte(window)
	}
	return new(big.Int).SetBytes(packed)
}

// numberValue returns the value of a number token: a float64 or a *big.Int.
func numberValue(text string) (Const, error) {
	if strings.IndexByte(text, '_') >= 0 {
		text = strings.ReplaceAll(text, "_", "")
	}
	if len(text) > 2 && text[0] == '0' {
		if bits := digitBits(text[1]); bits != 0 {
			return packDigits(text[2:], bits), nil
		}
	}
	if strings.ContainsAny(text, ".eE") {
		// Out of range is not an error in Python: the value is inf.
		f, _ := strconv.ParseFloat(text, 64)
		return f, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return big.NewInt(n), nil
	}
	if len(text) > maxDigits {
		return nil, fmt.Errorf("Exceeds the limit (%d digits) for integer string conversion: value has %d digits; "+
			"consider hexadecimal for huge integer literals to avoid decimal conversion limits", maxDigits, len(text))
	}
	n, _ := new(big.Int).SetString(text, 10)
	return n, nil
}
