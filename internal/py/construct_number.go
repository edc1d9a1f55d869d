package py

import (
	"math/big"
	"strings"

	"gauntlet/internal/py/text"
)

// wrapFor returns v for the built-in class itself and an instance with v as
// its built-in part for a subclass.
func wrapFor(cls, base *Type, v Value) Value {
	if cls == base {
		return v
	}
	return NewInstance(cls, v)
}

// newInt is int(x=0, /, base=10).
func newInt(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	var base Value
	if len(args)+len(kw) > 2 {
		return nil, tooManyGiven("int", 2, args, kw)
	}
	if len(args) > 1 {
		base = args[1]
	}
	for _, k := range kw {
		if k.Name != "base" {
			return nil, TypeErrorf("'%s' is an invalid keyword argument for int()", k.Name)
		}
		if base != nil {
			return nil, TypeErrorf("argument for int() given by name ('base') and position (2)")
		}
		base = k.Value
	}
	var v Value = Int(0)
	var err error
	switch {
	case len(args) == 0 && base != nil:
		return nil, TypeErrorf("int() missing string argument")
	case len(args) == 0:
	case base != nil:
		v, err = t.intInBase(args[0], base)
	default:
		v, err = t.toInt(args[0])
	}
	if err != nil {
		return nil, err
	}
	return wrapFor(cls, IntType, v), nil
}

// intInBase is int(text, base).
func (t *Thread) intInBase(v, base Value) (Value, error) {
	i, err := t.index(base)
	if err != nil {
		return nil, err
	}
	n, ok := AsInt(i)
	if !ok || n != 0 && (n < 2 || n > 36) {
		return nil, ValueErrorf("int() base must be >= 2 and <= 36, or 0")
	}
	switch s := Unwrap(v).(type) {
	case *Str:
		return t.parseIntOf(v, s, int(n))
	case *Bytes:
		return t.parseIntBytes(s, int(n))
	}
	return nil, TypeErrorf("int() can't convert non-string with explicit base")
}

// parseIntOf is parseInt for the text of v; an instance of a subclass shows
// itself in the error.
func (t *Thread) parseIntOf(v Value, text *Str, base int) (Value, error) {
	n, err := t.parseInt(text.s, base)
	e, bad := Catch(err, ValueErrorType)
	if _, sub := v.(*Instance); !sub || !bad || !strings.HasPrefix(ExcMessage(e), "invalid literal") {
		return n, err
	}
	s, err := t.Repr(v)
	if err != nil {
		return nil, err
	}
	return nil, ValueErrorf("invalid literal for int() with base %d: %s", base, s)
}

func (t *Thread) parseInt(s string, base int) (Value, error) {
	if err := t.allocText(len(s)); err != nil {
		return nil, err
	}
	n, large, err := text.ParseInt(s, base)
	if err != nil {
		return nil, raiseText(err)
	}
	if large != nil {
		return MakeInt(large), nil
	}
	return Int(n), nil
}

// parseIntBytes reads an int from bytes, whose repr differs in the message.
func (t *Thread) parseIntBytes(b *Bytes, base int) (Value, error) {
	if text.IsASCII(b.B) {
		v, err := t.parseInt(b.B, base)
		if err == nil || len(b.B) > text.MaxIntDigits {
			return v, err
		}
	}
	return nil, ValueErrorf("invalid literal for int() with base %d: %s", base, text.Range(text.BytesRepr([]byte(b.B)), 0, 200))
}

// toInt is int(v).
func (t *Thread) toInt(v Value) (Value, error) {
	switch x := v.(type) {
	case Int, *Big:
		return x, nil
	case Bool:
		i, _ := plainInt(x)
		return i, nil
	case Float:
		return floatToInt(float64(x))
	case *Str:
		return t.parseInt(x.s, 10)
	case *Bytes:
		return t.parseIntBytes(x, 10)
	}
	for _, name := range []string{"__int__", "__index__", "__trunc__"} {
		f, ok := v.Type().Lookup(name)
		if !ok {
			continue
		}
		if n, native := f.(*Native); native && n.Owner != nil && n.Owner.solid {
			return t.toInt(Unwrap(v))
		}
		r, err := t.callBound(f, v)
		if err != nil {
			return nil, err
		}
		if i, ok := plainInt(r); ok {
			return i, nil
		}
		if name == "__trunc__" {
			if hasIndex(r) {
				return t.index(r)
			}
			return nil, TypeErrorf("__trunc__ returned non-Integral (type %s)", TypeName(r))
		}
		return nil, TypeErrorf("%s returned non-int (type %s)", name, TypeName(r))
	}
	switch x := Unwrap(v).(type) {
	case *Str:
		return t.parseIntOf(v, x, 10)
	case *Bytes:
		return t.parseIntBytes(x, 10)
	}
	return nil, TypeErrorf("int() argument must be a string, a bytes-like object or a real number, not '%s'", TypeName(v))
}

func floatToInt(f float64) (Value, error) {
	n, err := text.FloatToInt(f)
	if err != nil {
		return nil, raiseText(err)
	}
	return MakeInt(n), nil
}

// newFloat is float(x=0.0, /).
func newFloat(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if err := checkCall("float", args, kw, 0, 1, false); err != nil {
		return nil, err
	}
	f := 0.0
	if len(args) > 0 {
		var err error
		if f, err = t.toFloat(args[0]); err != nil {
			return nil, err
		}
	}
	return wrapFor(cls, FloatType, Float(f)), nil
}

// textWithNumber reports whether v is an instance of a subclass of str or bytes
// that converts to a number by one of the methods or by __index__, which comes
// before parsing the text.
func textWithNumber(v Value, methods ...string) bool {
	o, ok := v.(*Instance)
	if !ok {
		return false
	}
	switch o.payload.(type) {
	case *Str, *Bytes:
		for _, name := range append(methods, "__index__") {
			if _, ok := o.class.Lookup(name); ok {
				return true
			}
		}
	}
	return false
}

// toFloat is float(v).
func (t *Thread) toFloat(v Value) (float64, error) {
	if textWithNumber(v, "__float__") {
		return t.AsFloat(v)
	}
	switch x := Unwrap(v).(type) {
	case *Str:
		if err := t.allocText(len(x.s)); err != nil {
			return 0, err
		}
		f, err := text.ParseFloat(x.s)
		if _, sub := v.(*Instance); sub && err != nil {
			s, err := t.Repr(v) // a subclass shows itself
			if err != nil {
				return 0, err
			}
			return 0, ValueErrorf("could not convert string to float: %s", s)
		}
		return f, raiseText(err)
	case *Bytes:
		if text.IsASCII(x.B) {
			if f, err := text.ParseFloat(x.B); err == nil {
				return f, nil
			}
		}
		return 0, ValueErrorf("could not convert string to float: %s", text.BytesRepr([]byte(x.B)))
	}
	if f, ok := v.Type().Lookup("__float__"); ok {
		if n, native := f.(*Native); !native || n.Owner == nil || !n.Owner.solid {
			r, err := t.callBound(f, v)
			if err != nil {
				return 0, err
			}
			x, ok := Unwrap(r).(Float)
			if !ok {
				return 0, TypeErrorf("%s.__float__ returned non-float (type %s)", TypeName(v), TypeName(r))
			}
			return float64(x), nil
		}
		return t.AsFloat(Unwrap(v))
	}
	if !hasIndex(v) {
		return 0, TypeErrorf("float() argument must be a string or a real number, not '%s'", TypeName(v))
	}
	return t.AsFloat(v)
}

// newBool is bool(x=False, /).
func newBool(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if err := checkCall("bool", args, kw, 0, 1, false); err != nil || len(args) == 0 {
		return False, err
	}
	b, err := t.Truth(args[0])
	return Bool(b), err
}

// roundHalfEven divides n by the positive d and rounds, ties to even.
func roundHalfEven(n, d *big.Int) *big.Int {
	q, m := floorDivMod(n, d)
	switch new(big.Int).Lsh(m, 1).Cmp(d) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		if q.Bit(0) == 1 {
			q.Add(q, big.NewInt(1))
		}
	}
	return q
}
