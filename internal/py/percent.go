package py

import (
	"math/big"
	"strings"

	"gauntlet/internal/py/text"
)

// Percent is the % operator of str: printf-style formatting. args is a tuple of
// arguments, a mapping, or a single argument.
func (t *Thread) Percent(format *Str, args Value) (Value, error) {
	if err := t.Charge(len(format.s) >> 4); err != nil {
		return nil, err
	}
	parts, _ := text.ParsePercent(format.s) // the error is in the last part
	p := &percenter{t: t, whole: args}
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
			return nil, err
		}
		if err := t.allocText(len(s)); err != nil {
			return nil, err
		}
		b.WriteString(s)
	}
	if p.next < len(p.args) && !p.mapping {
		return nil, TypeErrorf("%s", text.ErrNotAllConverted)
	}
	return NewStr(b.String()), nil
}

// percenter hands out the arguments of one % operation.
type percenter struct {
	t       *Thread
	whole   Value
	args    []Value
	next    int
	mapping bool // the right operand is one: it need not be used up
}

// isMapping is CPython's test: subscriptable, and neither tuple nor str.
func (p *percenter) isMapping(v Value) bool {
	switch Unwrap(v).(type) {
	case *Dict, *List, *Bytes, *Range:
		return true
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
			v, err := p.t.GetItem(p.whole, NewStr(x.Key))
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
	s, err := p.format(x, v)
	return s, raiseText(err)
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
