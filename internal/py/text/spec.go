package text

import (
	"math"
	"unicode/utf8"
)

// Spec is a parsed format specification of the mini-language of format():
//
//	[[fill]align][sign][z][#][0][width][grouping][.precision][type]
//
// (Python library reference, "Format Specification Mini-Language").
type Spec struct {
	Fill      rune   // padding, ' ' unless given; the 0 flag does not change it
	Align     byte   // '<', '>', '=', '^', or 0 for the default of the type
	Sign      byte   // '+', '-', ' ', or 0
	NoNegZero bool   // z: print a rounded -0.0 as 0.0
	Alt       bool   // #
	Zero      bool   // 0 before the width, without an explicit fill
	Width     int    // minimum width in code points, 0 for none
	Group     byte   // ',' or '_', or 0
	Precision int    // digits or characters, -1 for none
	Type      rune   // presentation type, 0 for none
	TypeName  string // class of the value, for error texts
}

// ParseSpec parses a format specification for a value of the named class
// ("int", "bool", "float", "str", ...); the class only appears in errors. What
// the class forbids is reported by the Format functions.
func ParseSpec(spec, typeName string) (Spec, error) {
	out := Spec{Fill: ' ', Precision: -1, TypeName: typeName}
	rest := out.parseFlags(spec)
	var err error
	if out.Width, rest, err = specNumber(rest); err != nil {
		return Spec{}, err
	}
	if hasByte(rest, ',') {
		out.Group, rest = ',', rest[1:]
	}
	if hasByte(rest, '_') {
		if out.Group != 0 {
			return Spec{}, errBothGroups()
		}
		out.Group, rest = '_', rest[1:]
		if hasByte(rest, ',') {
			return Spec{}, errBothGroups()
		}
	}
	if hasByte(rest, '.') {
		digits := rest[1:]
		if out.Precision, rest, err = specNumber(digits); err != nil {
			return Spec{}, err
		}
		if len(rest) == len(digits) {
			return Spec{}, errorf(ValueError, "Format specifier missing precision")
		}
	}
	r, n := DecodeRune(rest)
	if n < len(rest) {
		return Spec{}, errorf(ValueError, "Invalid format specifier '%s' for object of type '%s'", spec, typeName)
	}
	if n > 0 {
		out.Type = r
	}
	return out, nil
}

// parseFlags reads everything before the width and returns what is left.
func (f *Spec) parseFlags(s string) string {
	r, n := DecodeRune(s)
	switch {
	case n > 0 && n < len(s) && isAlign(s[n]):
		f.Fill, f.Align, s = r, s[n], s[n+1:]
	case n > 0 && isAlign(s[0]):
		f.Align, s, n = s[0], s[1:], 0
	default:
		n = 0
	}
	filled := n > 0
	if s != "" && (s[0] == '+' || s[0] == '-' || s[0] == ' ') {
		f.Sign, s = s[0], s[1:]
	}
	if hasByte(s, 'z') {
		f.NoNegZero, s = true, s[1:]
	}
	if hasByte(s, '#') {
		f.Alt, s = true, s[1:]
	}
	if !filled && hasByte(s, '0') {
		f.Zero, s = true, s[1:]
	}
	return s
}

func isAlign(c byte) bool { return c == '<' || c == '>' || c == '=' || c == '^' }

func hasByte(s string, c byte) bool { return s != "" && s[0] == c }

func errBothGroups() error { return errorf(ValueError, "Cannot specify both ',' and '_'.") }

// specNumber reads decimal digits of any script from the start of s.
func specNumber(s string) (n int, rest string, err error) {
	for {
		r, size := DecodeRune(s)
		v := DecimalValue(r)
		if size == 0 || v < 0 {
			return n, s, nil
		}
		if n > (math.MaxInt-v)/10 {
			return 0, s, errorf(ValueError, "Too many decimal digits in format string")
		}
		n, s = n*10+v, s[size:]
	}
}

// Cost returns an upper bound of the bytes that the width and the precision add
// to a formatted value, pinned to math.MaxInt.
func (f Spec) Cost() int {
	width := f.Width
	if width > math.MaxInt/8 {
		return math.MaxInt
	}
	cost := width * max(runeWidth(f.Fill), 1)
	if f.Type != 's' && f.Precision > 0 {
		// A group separator may follow every third digit.
		cost += min(f.Precision, math.MaxInt/2)
	}
	return cost
}

// checkGroup reports a separator that the type does not allow. kind is the type
// used when the specification has none.
func (f Spec) checkGroup(kind rune) error {
	if f.Type != 0 {
		kind = f.Type
	}
	if f.Group == 0 {
		return nil
	}
	switch kind {
	case 'd', 'e', 'f', 'g', 'E', 'G', 'F', '%', 0:
		return nil
	case 'b', 'o', 'x', 'X':
		if f.Group == '_' {
			return nil
		}
	}
	return errorf(ValueError, "Cannot specify '%c' with '%s'.", f.Group, showCode(kind))
}

func (f Spec) unknownCode() error {
	return errorf(ValueError, "Unknown format code '%s' for object of type '%s'", showCode(f.Type), f.TypeName)
}

// showCode shows a format code in an error: itself when ASCII, else \x and hex.
func showCode(r rune) string {
	if r > 32 && r < utf8.RuneSelf {
		return string(r)
	}
	return errorf("", `\x%x`, r).Text
}
