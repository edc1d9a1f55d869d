package py

import (
	"fmt"
	"strconv"
	"strings"

	"gauntlet/internal/py/text"
)

func indexText(s, sub string) int { return strings.Index(s, sub) }

// Repr is repr(v) as WTF-8 text.
func (t *Thread) Repr(v Value) (string, error) {
	switch x := v.(type) {
	case *Str:
		if err := t.Alloc(len(x.s) + 16); err != nil {
			return "", err
		}
		return text.Repr(x.s), nil
	case Int:
		return strconv.FormatInt(int64(x), 10), nil
	case Bool:
		if x {
			return "True", nil
		}
		return "False", nil
	case NoneType:
		return "None", nil
	case Float:
		return text.FormatFloat(float64(x)), nil
	case *Big:
		return t.bigText(x)
	case *Bytes:
		if err := t.Alloc(4 * len(x.B)); err != nil {
			return "", err
		}
		return text.BytesRepr([]byte(x.B)), nil
	case EllipsisType:
		return "Ellipsis", nil
	case NotImplementedType:
		return "NotImplemented", nil
	case *List, *Dict, *Tuple, *Set:
		return t.reprContainer(v)
	case *Range:
		start, stop, step, _ := x.parts()
		if step.IsInt64() && step.Int64() == 1 {
			return fmt.Sprintf("range(%d, %d)", start, stop), nil
		}
		return fmt.Sprintf("range(%d, %d, %d)", start, stop, step), nil
	}
	return t.reprObject(v)
}

// bigText is the decimal text; CPython refuses more than 4300 digits.
func (t *Thread) bigText(x *Big) (string, error) {
	if x.V.BitLen() > 14284 {
		if s := x.V.Text(10); len(strings.TrimLeft(s, "-")) > 4300 {
			return "", ValueErrorf("Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit")
		}
	}
	return x.V.Text(10), nil
}

// reprContainer guards against recursion and cycles.
func (t *Thread) reprContainer(v Value) (string, error) {
	open, end, dots := "[", "]", "[...]"
	switch x := v.(type) {
	case *Dict:
		open, end, dots = "{", "}", "{...}"
	case *Tuple:
		if len(x.Items) == 0 {
			return "()", nil
		}
		open, end, dots = "(", ")", "(...)"
	case *Set:
		open, end, dots = "{", "}", "set(...)"
		if x.Frozen {
			open, end, dots = "frozenset({", "})", "frozenset(...)"
		}
		if x.Len() == 0 {
			return TypeName(x) + "()", nil
		}
	}
	for _, o := range t.reprSet {
		if o == v {
			return dots, nil
		}
	}
	if err := t.Enter(); err != nil {
		return "", RaiseType(RecursionErrorType, "maximum recursion depth exceeded while getting the repr of an object")
	}
	defer t.Leave()
	t.SawDeep(v)
	t.reprSet = append(t.reprSet, v)
	defer func() { t.reprSet = t.reprSet[:len(t.reprSet)-1] }()
	var b strings.Builder
	b.WriteString(open)
	if err := t.reprItems(&b, v); err != nil {
		return "", err
	}
	b.WriteString(end)
	return b.String(), nil
}

func (t *Thread) reprItems(b *strings.Builder, v Value) error {
	first := true
	add := func(x Value) error {
		s, err := t.Repr(x)
		if err == nil {
			err = t.Alloc(len(s) + 2)
		}
		if err == nil {
			err = t.Charge(1)
		}
		b.WriteString(s)
		return err
	}
	sep := func() {
		if !first {
			b.WriteString(", ")
		}
		first = false
	}
	switch x := v.(type) {
	case *Dict:
		for i := 0; i < len(x.entries); i++ {
			e := x.entries[i]
			if e.key == nil {
				continue
			}
			sep()
			if err := add(e.key); err != nil {
				return err
			}
			b.WriteString(": ")
			if err := add(e.val); err != nil {
				return err
			}
		}
	case *Set:
		for _, k := range x.tab.keys() {
			sep()
			if err := add(k); err != nil {
				return err
			}
		}
	case *List:
		for i := 0; i < len(x.Items); i++ {
			sep()
			if err := add(x.Items[i]); err != nil {
				return err
			}
		}
	case *Tuple:
		for _, k := range x.Items {
			sep()
			if err := add(k); err != nil {
				return err
			}
		}
		if len(x.Items) == 1 {
			b.WriteString(",")
		}
	}
	return nil
}

// address is the fixed text where CPython prints a memory address.
const address = "0x7f0000000000"

func (t *Thread) reprObject(v Value) (string, error) {
	if f, ok := v.Type().Lookup("__repr__"); ok {
		n, native := f.(*Native)
		if native && n.Owner != nil && n.Owner.solid && n.Owner != BaseExceptionType {
			if Unwrap(v) != v {
				r, err := n.call(t, []Value{v}, nil)
				if err != nil {
					return "", err
				}
				return r.(*Str).s, nil
			}
		} else if !native || n.Owner != ObjectType {
			if err := t.Enter(); err != nil {
				return "", RaiseType(RecursionErrorType, "maximum recursion depth exceeded while getting the repr of an object")
			}
			defer t.Leave()
			r, err := t.callBound(f, v)
			if err != nil {
				return "", err
			}
			s, ok := AsStr(r)
			if !ok {
				return "", TypeErrorf("__repr__ returned non-string (type %s)", TypeName(r))
			}
			return s.s, nil
		}
	}
	return t.DefaultRepr(v)
}

// DefaultRepr is object.__repr__ with a fixed address, and the reprs of
// functions, classes and modules.
func (t *Thread) DefaultRepr(v Value) (string, error) {
	switch x := v.(type) {
	case *Type:
		if x.Mod == "builtins" {
			return "<class '" + x.Qualname + "'>", nil
		}
		return "<class '" + x.Mod + "." + x.Qualname + "'>", nil
	case *Function:
		return "<function " + x.Qualname + " at " + address + ">", nil
	case *Native:
		if x.Owner != nil {
			return "<method '" + x.Name + "' of '" + x.Owner.Name + "' objects>", nil
		}
		return "<built-in function " + x.Name + ">", nil
	case *Method:
		if n, ok := x.Fn.(*Native); ok {
			return "<built-in method " + n.Name + " of " + TypeName(x.Self) + " object at " + address + ">", nil
		}
		name := "?"
		if f, ok := x.Fn.(*Function); ok {
			name = f.Qualname
		}
		s, err := t.Repr(x.Self)
		return "<bound method " + name + " of " + s + ">", err
	case *Module:
		return "<module '" + x.Name + "' (built-in)>", nil
	case *Slice:
		s, err := t.Repr(NewTuple(x.Start, x.Stop, x.Step))
		return "slice" + s, err
	case *MappingProxy:
		s, err := t.Repr(x.D)
		return "mappingproxy(" + s + ")", err
	case *Generator:
		return "<generator object " + x.name + " at " + address + ">", nil
	}
	c := v.Type()
	if c.Mod == "builtins" {
		return "<" + c.Qualname + " object at " + address + ">", nil
	}
	return "<" + c.Mod + "." + c.Qualname + " object at " + address + ">", nil
}

// Str is str(v) as WTF-8 text.
func (t *Thread) Str(v Value) (string, error) {
	switch x := v.(type) {
	case *Str:
		return x.s, nil
	case Int, Float, Bool, NoneType, *Big, *Dict, *List, *Tuple, *Set, *Bytes:
		return t.Repr(x)
	case *MappingProxy:
		return t.Repr(x.D)
	}
	if f, ok := v.Type().Lookup("__str__"); ok {
		n, native := f.(*Native)
		switch {
		case native && n.Owner == ObjectType:
		case native && n.Owner == StrType:
			return Unwrap(v).(*Str).s, nil
		case native && n.Owner != nil && n.Owner.solid && n.Owner != BaseExceptionType:
		default:
			if err := t.Enter(); err != nil {
				return "", RaiseType(RecursionErrorType, "maximum recursion depth exceeded while getting the str of an object")
			}
			r, err := t.callBound(f, v)
			t.Leave()
			if err != nil {
				return "", err
			}
			s, ok := AsStr(r)
			if !ok {
				return "", TypeErrorf("__str__ returned non-string (type %s)", TypeName(r))
			}
			return s.s, nil
		}
	}
	return t.strByRepr(v)
}

// strByRepr is object.__str__; a bad __repr__ is blamed on __str__.
func (t *Thread) strByRepr(v Value) (string, error) {
	if f, ok := v.Type().Lookup("__repr__"); ok {
		if fn, ok := f.(*Function); ok {
			if err := t.Enter(); err != nil {
				return "", RaiseType(RecursionErrorType, "maximum recursion depth exceeded while getting the str of an object")
			}
			r, err := t.callBound(fn, v)
			t.Leave()
			if err != nil {
				return "", err
			}
			s, ok := AsStr(r)
			if !ok {
				return "", TypeErrorf("__str__ returned non-string (type %s)", TypeName(r))
			}
			return s.s, nil
		}
	}
	return t.Repr(v)
}
