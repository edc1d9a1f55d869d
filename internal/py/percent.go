package py

import (
	"math/big"
	"strings"

	"gauntlet/internal/py/text"
)

// Percent is the % operator of str: printf-style formatting. args is a tuple of
// arguments, a mapping, or a single argument.
func (t *Thread) Percent(format *Str, args Value) (Value, error) {
	s, err := t.percent(format.s, args, false)
	return textValue(s, err)
}

// percentBytes is the % operator of bytes. The format is handled as the text
// of the same code points, so that both operators share one implementation.
func (t *Thread) percentBytes(format *Bytes, args Value) (Value, error) {
	s, err := t.percent(latin1(format.B), args, true)
	if err != nil {
		return nil, err
	}
	return &Bytes{latin1Bytes(s)}, nil
}

func (t *Thread) percent(format string, args Value, bytes bool) (string, error) {
	if err := t.Charge(len(format) >> 4); err != nil {
		return "", err
	}
	parts, _ := text.ParsePercent(format) // the error is in the last part
	p := &percenter{t: t, whole: args, bytes: bytes}
	if tuple, ok := AsTuple(args); ok {
		p.args = tuple.Items
	} else {
		p.args = []Value{args}
		p.mapping = p.isMapping(args)
	}
	var b strings.Builder
	for i := range parts {
		s, err := p.part(&parts[i])
		if err != nil {
			return "", err
		}
		if err := t.allocText(len(s)); err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	if p.next < len(p.args) && !p.mapping {
		if bytes {
			return "", TypeErrorf("not all arguments converted during bytes formatting")
		}
		return "", TypeErrorf("%s", text.ErrNotAllConverted)
	}
	return b.String(), nil
}

// percenter hands out the arguments of one % operation.
type percenter struct {
	t       *Thread
	whole   Value
	args    []Value
	next    int
	mapping bool // the right operand is one: it need not be used up
	bytes   bool // the format is bytes
}

// isMapping is CPython's test: subscriptable, and neither tuple nor text.
func (p *percenter) isMapping(v Value) bool {
	switch Unwrap(v).(type) {
	case *Dict, *List, *Range:
		return true
	case *Bytes:
		return !p.bytes
	case *Str, *Tuple:
		return false
	}
	if _, isClass := v.(*Type); isClass {
		return false
	}
	_, ok := v.Type().Lookup("__getitem__")
	return ok
}

func (p *percenter) take() (Value, error) {
	if p.next >= len(p.args) {
		return nil, TypeErrorf("%s", text.ErrNotEnoughArgs)
	}
	p.next++
	return p.args[p.next-1], nil
}

// part formats a literal or a conversion, failing in CPython's order.
func (p *percenter) part(x *text.PercentPart) (string, error) {
	if x.Literal != "" {
		return x.Literal, nil
	}
	if x.HasKey {
		if !p.mapping {
			return "", TypeErrorf("%s", text.ErrNeedsMapping)
		}
		if x.Err == nil {
			v, err := p.t.GetItem(p.whole, p.key(x.Key))
			if err != nil {
				return "", err
			}
			p.args, p.next = []Value{v}, 0
		}
	}
	if x.WidthArg {
		n, err := p.star()
		if err == nil {
			err = raiseText(x.SetWidth(n))
		}
		if err != nil {
			return "", err
		}
	}
	if x.PrecArg {
		n, err := p.star()
		if err == nil {
			err = raiseText(x.SetPrecision(n))
		}
		if err != nil {
			return "", err
		}
	}
	if x.Err != nil {
		return "", raiseText(x.Err)
	}
	v, err := p.take()
	if err != nil {
		return "", err
	}
	if x.Width > 1<<30 || x.Precision > 1<<30 && x.Type != 's' && x.Type != 'r' && x.Type != 'a' {
		return "", p.t.Alloc(-1)
	}
	cost := x.Width
	if x.Type != 's' && x.Type != 'r' && x.Type != 'a' {
		cost += max(x.Precision, 0)
	}
	if err := p.t.allocText(cost); err != nil {
		return "", err
	}
	var s string
	if p.bytes {
		s, err = p.formatBytes(x, v)
	} else {
		s, err = p.format(x, v)
	}
	return s, raiseText(err)
}

// key is the key of a %(key) conversion.
func (p *percenter) key(name string) Value {
	if p.bytes {
		return &Bytes{latin1Bytes(name)}
	}
	return NewStr(name)
}

// star is the argument of a * width or precision.
func (p *percenter) star() (*big.Int, error) {
	v, err := p.take()
	if err != nil {
		return nil, err
	}
	n, ok := p.t.AsBigInt(v)
	if !ok {
		return nil, TypeErrorf("%s", text.ErrStarNeedsInt)
	}
	return n, nil
}

func (p *percenter) format(x *text.PercentPart, v Value) (string, error) {
	switch x.Type {
	case 's', 'r', 'a':
		s, err := p.t.convert(v, x.Type)
		if err != nil {
			return "", err
		}
		return x.FormatText(s)
	case 'd', 'i', 'u', 'o', 'x', 'X':
		n, err := p.integer(x, v)
		if err != nil {
			return "", err
		}
		if err := p.t.chargeDigits(n); err != nil {
			return "", err
		}
		return x.FormatInt(n)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		f, err := p.t.AsFloat(v)
		if err != nil {
			return "", err
		}
		return x.FormatFloat(f)
	case 'c':
		if s, ok := AsStr(v); ok {
			return x.FormatChar(s.s)
		}
		i, err := p.t.index(v)
		if err != nil {
			return "", p.wrongType(x, v, err)
		}
		return x.FormatCode(bigOf(Unwrap(i)))
	}
	return "", x.Unsupported()
}

// formatBytes differs from format for text, characters and wrong floats.
func (p *percenter) formatBytes(x *text.PercentPart, v Value) (string, error) {
	switch x.Type {
	case 'r', 'a':
		s, err := p.t.convert(v, 'a')
		if err != nil {
			return "", err
		}
		return x.FormatText(s)
	case 's', 'b':
		b, err := p.bytesOf(v)
		if err != nil {
			return "", err
		}
		return x.FormatText(latin1(b))
	case 'c':
		c, err := p.byteOf(v)
		if err != nil {
			return "", err
		}
		return x.FormatText(latin1(c))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		f, err := p.t.AsFloat(v)
		if _, wrong := Catch(err, TypeErrorType); wrong {
			return "", TypeErrorf("float argument required, not %s", TypeName(v))
		}
		if err != nil {
			return "", err
		}
		return x.FormatFloat(f)
	}
	return p.format(x, v)
}

// bytesOf is the argument of %b.
func (p *percenter) bytesOf(v Value) (string, error) {
	if b, ok := asBytes(v); ok {
		return b.B, nil
	}
	r, found, err := p.t.CallSpecial(v, "__bytes__")
	if err != nil {
		return "", err
	}
	if !found {
		return "", TypeErrorf("%%b requires a bytes-like object, or an object that implements __bytes__, not '%s'", TypeName(v))
	}
	b, ok := asBytes(r)
	if !ok {
		return "", TypeErrorf("__bytes__ returned non-bytes (type %s)", TypeName(r))
	}
	return b.B, nil
}

// byteOf is the argument of %c: a byte, or its number.
func (p *percenter) byteOf(v Value) (string, error) {
	if b, ok := asBytes(v); ok && len(b.B) == 1 {
		return b.B, nil
	}
	if !isInt(Unwrap(v)) {
		return "", TypeErrorf("%s", "%c requires an integer in range(256) or a single byte")
	}
	n, ok := AsInt(v)
	if !ok || n < 0 || n > 255 {
		return "", OverflowErrorf("%s", "%c arg not in range(256)")
	}
	return string([]byte{byte(n)}), nil
}

// integer converts the argument of an integer conversion: %d truncates real
// numbers, the others take __index__ only.
func (p *percenter) integer(x *text.PercentPart, v Value) (*big.Int, error) {
	if n, ok := p.t.AsBigInt(v); ok {
		return n, nil
	}
	var i Value
	var err error
	if x.Type == 'd' || x.Type == 'i' || x.Type == 'u' {
		if !p.t.isNumber(v) {
			return nil, x.WrongType(TypeName(v))
		}
		i, err = p.t.toInt(v)
	} else {
		i, err = p.t.index(v)
	}
	if err != nil {
		return nil, p.wrongType(x, v, err)
	}
	return bigOf(Unwrap(i)), nil
}

// wrongType replaces a TypeError of the conversion by the operator's own.
func (p *percenter) wrongType(x *text.PercentPart, v Value, err error) error {
	if _, ok := Catch(err, TypeErrorType); ok {
		return x.WrongType(TypeName(v))
	}
	return err
}

// isNumber is PyNumber_Check: an int, a float, or an object that converts.
func (t *Thread) isNumber(v Value) bool {
	switch Unwrap(v).(type) {
	case Int, Bool, *Big, Float:
		return true
	}
	for _, name := range []string{"__int__", "__index__", "__float__"} {
		if _, ok := v.Type().Lookup(name); ok {
			return true
		}
	}
	return false
}
