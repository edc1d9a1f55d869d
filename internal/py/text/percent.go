package text

import (
	"math"
	"math/big"
	"strings"
	"unicode/utf8"
)

// PercentPart is a piece of a printf-style format: literal text, or a
// conversion when Literal is empty.
//
// CPython fetches and converts arguments while it parses, so the order of
// errors is visible. A caller that wants the same order treats a conversion so:
//
//  1. HasKey: fail with [ErrNeedsMapping] unless the right operand is a
//     mapping; then, unless Err is [ErrIncompleteKey], the value at Key becomes
//     the only argument.
//  2. WidthArg, then PrecArg: take the next argument, an int
//     ([ErrStarNeedsInt]), and call SetWidth or SetPrecision.
//  3. Err: fail with it.
//  4. Take the next argument and call a Format method.
//
// When no argument is left, the text is [ErrNotEnoughArgs]; when some are left
// at the end (and the operand is no mapping) it is [ErrNotAllConverted].
type PercentPart struct {
	Literal   string
	Key       string
	HasKey    bool
	Left      bool // '-'
	Plus      bool // '+'
	Space     bool // ' '
	Alt       bool // '#'
	Zero      bool // '0'
	Width     int  // 0 for none
	WidthArg  bool // '*'
	Precision int  // -1 for none
	PrecArg   bool // '.*'
	Type      rune // s r a d i u o x X e E f F g G c, or anything for Unsupported
	Index     int  // position of Type in the format
	Err       error
}

// ErrIncompleteKey is the ValueError for a key without its closing parenthesis.
var ErrIncompleteKey error = &Error{ValueError, "incomplete format key"}

// TypeErrors about the arguments of the % operator.
var (
	ErrNotEnoughArgs   error = &Error{TypeError, "not enough arguments for format string"}
	ErrNotAllConverted error = &Error{TypeError, "not all arguments converted during string formatting"}
	ErrNeedsMapping    error = &Error{TypeError, "format requires a mapping"}
	ErrStarNeedsInt    error = &Error{TypeError, "* wants int"}
	ErrCharArg         error = &Error{TypeError, "%c requires int or char"}
)

// ParsePercent splits a printf-style format into literals and conversions, with
// "%%" already resolved. When the format is broken, the last part holds the
// error, which is returned as well.
func ParsePercent(format string) ([]PercentPart, error) {
	var parts []PercentPart
	var literal []byte
	for i := 0; i < len(format); {
		j := strings.IndexByte(format[i:], '%')
		if j < 0 {
			literal = append(literal, format[i:]...)
			break
		}
		literal = append(literal, format[i:i+j]...)
		i += j + 1
		if i < len(format) && format[i] == '%' {
			literal = append(literal, '%')
			i++
			continue
		}
		if len(literal) > 0 {
			parts = append(parts, PercentPart{Literal: string(literal), Precision: -1})
			literal = nil
		}
		p := percentScanner{format: format, at: i}
		p.part.Precision = -1
		p.part.Err = p.scan()
		parts = append(parts, p.part)
		if p.part.Err != nil {
			return parts, p.part.Err
		}
		i = p.at
	}
	if len(literal) > 0 {
		parts = append(parts, PercentPart{Literal: string(literal), Precision: -1})
	}
	return parts, nil
}

// percentScanner reads one conversion from the byte after its percent sign.
type percentScanner struct {
	format string
	at     int
	part   PercentPart
}

// peek returns the next byte, or 0 at the end.
func (p *percentScanner) peek() byte {
	if p.at < len(p.format) {
		return p.format[p.at]
	}
	return 0
}

func (p *percentScanner) scan() error {
	if p.peek() == '(' {
		if err := p.scanKey(); err != nil {
			return err
		}
	}
	p.scanFlags()
	var err error
	if p.part.WidthArg, p.part.Width, err = p.scanNumber(math.MaxInt, "width"); err != nil {
		return err
	}
	if p.peek() == '.' {
		p.at++
		if p.part.PrecArg, p.part.Precision, err = p.scanNumber(math.MaxInt32, "precision"); err != nil {
			return err
		}
	}
	if c := p.peek(); c == 'h' || c == 'l' || c == 'L' {
		p.at++ // a C length, ignored
	}
	r, n := DecodeRune(p.format[p.at:])
	if n == 0 {
		return errorf(ValueError, "incomplete format")
	}
	p.part.Type = r
	p.part.Index = Len(p.format[:p.at])
	p.at += n
	return nil
}

// scanKey reads "(key)"; parentheses nest.
func (p *percentScanner) scanKey() error {
	p.part.HasKey = true
	p.at++
	start, depth := p.at, 1
	for ; p.at < len(p.format); p.at++ {
		switch p.format[p.at] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			p.part.Key = p.format[start:p.at]
			p.at++
			return nil
		}
	}
	return ErrIncompleteKey
}

func (p *percentScanner) scanFlags() {
	for {
		switch p.peek() {
		case '-':
			p.part.Left = true
		case '+':
			p.part.Plus = true
		case ' ':
			p.part.Space = true
		case '#':
			p.part.Alt = true
		case '0':
			p.part.Zero = true
		default:
			return
		}
		p.at++
	}
}

// scanNumber reads a star or ASCII digits up to limit.
func (p *percentScanner) scanNumber(limit int, what string) (star bool, n int, err error) {
	if p.peek() == '*' {
		p.at++
		return true, 0, nil
	}
	for ; '0' <= p.peek() && p.peek() <= '9'; p.at++ {
		v := int(p.peek() - '0')
		if n > (limit-v)/10 {
			return false, 0, errorf(ValueError, "%s too big", what)
		}
		n = n*10 + v
	}
	return false, n, nil
}

// SetWidth takes the value of a "*" width; a negative one means left alignment.
func (p *PercentPart) SetWidth(n *big.Int) error {
	if !n.IsInt64() {
		return errorf(OverflowError, "Python int too large to convert to C ssize_t")
	}
	p.Width = int(n.Int64())
	if p.Width < 0 {
		p.Left = true
		p.Width = -max(p.Width, -math.MaxInt)
	}
	return nil
}

// SetPrecision takes the value of a ".*" precision; a negative one means 0.
func (p *PercentPart) SetPrecision(n *big.Int) error {
	if !n.IsInt64() || n.Int64() > math.MaxInt32 || n.Int64() < math.MinInt32 {
		return errorf(OverflowError, "Python int too large to convert to C int")
	}
	p.Precision = max(int(n.Int64()), 0)
	return nil
}

// Unsupported returns the ValueError for a Type that is no conversion.
func (p PercentPart) Unsupported() error {
	shown := p.Type
	if shown < 32 || shown >= utf8.RuneSelf-1 {
		shown = '?'
	}
	return errorf(ValueError, "unsupported format character '%c' (0x%x) at index %d", shown, p.Type, p.Index)
}

// WrongType returns the TypeError for an argument of the named class that the
// conversion cannot take.
func (p PercentPart) WrongType(typeName string) error {
	switch p.Type {
	case 'd', 'i', 'u':
		return errorf(TypeError, "%%%c format: a real number is required, not %s", p.Type, typeName)
	case 'o', 'x', 'X':
		return errorf(TypeError, "%%%c format: an integer is required, not %s", p.Type, typeName)
	case 'c':
		return ErrCharArg
	}
	return errorf(TypeError, "must be real number, not %s", typeName)
}

// FormatText formats the text of %s, %r or %a: str, repr or ascii of the value.
func (p PercentPart) FormatText(s string) (string, error) {
	if p.Precision >= 0 {
		s = Range(s, 0, p.Precision)
	}
	return p.pad("", s, ' ')
}

// FormatChar formats %c of a one-character str.
func (p PercentPart) FormatChar(s string) (string, error) {
	if Len(s) != 1 {
		return "", ErrCharArg
	}
	return p.pad("", s, ' ')
}

// FormatCode formats %c of an int.
func (p PercentPart) FormatCode(n *big.Int) (string, error) {
	if !n.IsInt64() || n.Sign() < 0 || n.Int64() > 0x10FFFF {
		return "", errorf(OverflowError, "%%c arg not in range(0x110000)")
	}
	return p.pad("", RuneText(rune(n.Int64())), ' ')
}

// FormatInt formats %d %i %u %o %x %X of an int; for a float argument of %d the
// caller converts with [FloatToInt] first.
func (p PercentPart) FormatInt(n *big.Int) (string, error) {
	digits, prefix := "", ""
	switch p.Type {
	case 'd', 'i', 'u':
		text, err := IntText(n)
		if err != nil {
			return "", err
		}
		digits = text
	case 'o':
		digits, prefix = n.Text(8), "0o"
	case 'x':
		digits, prefix = n.Text(16), "0x"
	case 'X':
		digits, prefix = strings.ToUpper(n.Text(16)), "0X"
	default:
		return "", p.Unsupported()
	}
	if p.Precision > math.MaxInt32-3 {
		return "", errorf(OverflowError, "precision too large")
	}
	digits, err := padded(strings.TrimPrefix(digits, "-"), p.Precision-len(strings.TrimPrefix(digits, "-")), 0, '0')
	if err != nil {
		return "", err
	}
	if !p.Alt {
		prefix = ""
	}
	return p.pad(p.sign(n.Sign() < 0)+prefix, digits, p.zeroFill())
}

// FormatFloat formats %e %E %f %F %g %G of a float.
func (p PercentPart) FormatFloat(x float64) (string, error) {
	switch p.Type {
	case 'e', 'E', 'f', 'F', 'g', 'G':
	default:
		return "", p.Unsupported()
	}
	prec := p.Precision
	if prec < 0 {
		prec = 6
	}
	if prec > MaxSize {
		return "", errTooLarge()
	}
	body := floatBody(x, p.Type, prec, p.Alt)
	return p.pad(p.sign(math.Signbit(x) && !math.IsNaN(x)), body, p.zeroFill())
}

func (p PercentPart) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case p.Plus:
		return "+"
	case p.Space:
		return " "
	}
	return ""
}

func (p PercentPart) zeroFill() rune {
	if p.Zero {
		return '0'
	}
	return ' '
}

// pad aligns head+body; zeros go between the two.
func (p PercentPart) pad(head, body string, fill rune) (string, error) {
	if p.Width > MaxSize {
		return "", errTooLarge()
	}
	n := p.Width - len(head) - Len(body)
	switch {
	case p.Left:
		return padded(head+body, 0, n, ' ')
	case fill == '0':
		body, err := padded(body, n, 0, fill)
		return head + body, err
	}
	return padded(head+body, n, 0, fill)
}
