package py

import (
	"math/big"
	"strings"

	"gauntlet/internal/py/text"
)

// Format is format(v, spec).
func (t *Thread) Format(v Value, spec string) (string, error) {
	if f, ok := v.Type().Lookup("__format__"); ok {
		if n, native := f.(*Native); !native || n.Owner != nil && !n.Owner.solid && n.Owner != ObjectType {
			r, err := t.callBound(f, v, NewStr(spec))
			if err != nil {
				return "", err
			}
			s, ok := AsStr(r)
			if !ok {
				return "", TypeErrorf("__format__ must return a str, not %s", TypeName(r))
			}
			return s.s, nil
		}
	}
	return t.formatBuiltin(v, spec)
}

// formatBuiltin is the __format__ of the built-in classes.
func (t *Thread) formatBuiltin(v Value, spec string) (string, error) {
	if spec == "" {
		return t.Str(v)
	}
	switch x := Unwrap(v).(type) {
	case *Str, Int, *Big, Float, Bool:
		f, err := text.ParseSpec(spec, TypeName(v))
		if err != nil {
			return "", raiseText(err)
		}
		s, err := t.formatScalar(x, f)
		return s, raiseText(err)
	}
	return "", TypeErrorf("unsupported format string passed to %s.__format__", TypeName(v))
}

// formatScalar formats by a parsed specification, after paying for its width.
func (t *Thread) formatScalar(v Value, f text.Spec) (string, error) {
	if err := t.allocText(f.Cost()); err != nil {
		return "", err
	}
	switch x := v.(type) {
	case *Str:
		if err := t.allocText(len(x.s)); err != nil {
			return "", err
		}
		return text.FormatStr(x.s, f)
	case Int:
		return text.FormatInt(int64(x), f)
	case Bool:
		return text.FormatBigInt(bigOf(x), f)
	case *Big:
		if err := t.chargeDigits(x.V); err != nil {
			return "", err
		}
		return text.FormatBigInt(x.V, f)
	case Float:
		return text.FormatFloatSpec(float64(x), f)
	}
	return "", TypeErrorf("unsupported format string passed to %s.__format__", TypeName(v))
}

// chargeDigits pays for writing out an int.
func (t *Thread) chargeDigits(n *big.Int) error { return t.allocText(n.BitLen()) }

// strFormat is str.format(*args, **kwargs).
func strFormat(t *Thread, args []Value, kw []Kw) (Value, error) {
	self, args, err := receiver(StrType, "format", args)
	if err != nil {
		return nil, err
	}
	f := &formatter{t: t, args: args, named: func(name string) (Value, error) {
		for _, k := range kw {
			if k.Name == name {
				return k.Value, nil
			}
		}
		return nil, KeyErrorFor(NewStr(name))
	}}
	return f.run(self.(*Str).s)
}

// strFormatMap is str.format_map(mapping).
func strFormatMap(t *Thread, self Value, a []Value) (Value, error) {
	mapping := a[0]
	f := &formatter{t: t, mapOnly: true, named: func(name string) (Value, error) {
		return t.GetItem(mapping, NewStr(name))
	}}
	return f.run(self.(*Str).s)
}

// formatter evaluates a template of str.format.
type formatter struct {
	t       *Thread
	args    []Value
	named   func(name string) (Value, error)
	mapOnly bool // format_map: no positional arguments
}

func (f *formatter) run(template string) (Value, error) {
	if err := f.t.Charge(len(template) >> 4); err != nil {
		return nil, err
	}
	if err := f.t.Alloc(256 * strings.Count(template, "{")); err != nil { // the parsed fields
		return nil, err
	}
	parts, perr := text.ParseFormat(template)
	s, err := f.render(parts)
	if err == nil {
		err = raiseText(perr)
	}
	if err != nil {
		return nil, err
	}
	return NewStr(s), nil
}

// render evaluates parts in order.
func (f *formatter) render(parts []text.FormatPart) (string, error) {
	var b strings.Builder
	for _, p := range parts {
		s := p.Literal
		if p.Field != nil {
			var err error
			if s, err = f.field(p.Field); err != nil {
				return "", err
			}
		}
		if err := f.t.allocText(len(s)); err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// field evaluates one replacement field, in CPython's order.
func (f *formatter) field(x *text.FormatField) (string, error) {
	v, err := f.argument(x)
	if err != nil {
		return "", err
	}
	for _, step := range x.Path {
		switch {
		case step.Attr && step.Index >= 0:
			return "", AttributeErrorf("'%s' object has no attribute '%d'", TypeName(v), step.Index)
		case step.Attr:
			v, err = f.t.GetAttr(v, step.Name)
		case step.Index >= 0:
			v, err = f.t.GetItem(v, Int(step.Index))
		default:
			v, err = f.t.GetItem(v, NewStr(step.Name))
		}
		if err != nil {
			return "", err
		}
	}
	if x.PathErr != nil {
		return "", raiseText(x.PathErr)
	}
	if err := x.CheckConversion(); err != nil {
		return "", raiseText(err)
	}
	if x.Conversion != 0 {
		s, err := f.t.convert(v, x.Conversion)
		if err != nil {
			return "", err
		}
		v = NewStr(s)
	}
	spec, err := f.render(x.Spec)
	if err == nil {
		err = raiseText(x.SpecErr)
	}
	if err != nil {
		return "", err
	}
	return f.t.Format(v, spec)
}

func (f *formatter) argument(x *text.FormatField) (Value, error) {
	if x.Index < 0 {
		return f.named(x.Name)
	}
	if f.mapOnly {
		return nil, ValueErrorf("%s", text.ErrPositional)
	}
	if x.Index >= len(f.args) {
		return nil, IndexErrorf("Replacement index %d out of range for positional args tuple", x.Index)
	}
	return f.args[x.Index], nil
}

// convert is the !r, !s or !a of a replacement field.
func (t *Thread) convert(v Value, conversion rune) (string, error) {
	switch conversion {
	case 'r':
		return t.Repr(v)
	case 'a':
		s, err := t.Repr(v)
		return asciiOf(s), err
	}
	return t.Str(v)
}

// asciiOf escapes the code points of a repr that are not ASCII, as ascii() does.
func asciiOf(s string) string {
	if text.IsASCII(s) {
		return s
	}
	var b []byte
	for len(s) > 0 {
		r, n := text.DecodeRune(s)
		if r < 128 {
			b = append(b, byte(r))
		} else {
			quoted := text.ASCII(s[:n])
			b = append(b, quoted[1:len(quoted)-1]...)
		}
		s = s[n:]
	}
	return string(b)
}
