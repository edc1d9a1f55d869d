package py

import (
	"math/big"

	"gauntlet/internal/py/text"
)

// builtinMembers are the built-in functions, and the iterator classes that
// Python code can name. Containers and numbers are added by makeBuiltins.
func builtinMembers() []Member {
	members := append(valueFunctions(), attributeFunctions()...)
	members = append(members,
		Func("all", "iterable, /", func(t *Thread, a []Value) (Value, error) {
			failed, err := t.until(a[0], func(v Value) (bool, error) {
				ok, err := t.Truth(v)
				return !ok, err
			})
			return Bool(!failed), err
		}),
		Func("any", "iterable, /", func(t *Thread, a []Value) (Value, error) {
			found, err := t.until(a[0], t.Truth)
			return Bool(found), err
		}),
		Func("iter", "object, sentinel=None, /", iterFunc),
		Func("len", "obj, /", func(t *Thread, a []Value) (Value, error) {
			n, err := t.Len(a[0])
			return Int(n), err
		}),
		Member{"max", NewRaw("max", extreme("max", true))},
		Member{"min", NewRaw("min", extreme("min", false))},
		Func("next", "iterator, default=None, /", nextFunc),
		Member{"print", NewRaw("print", printFunc)},
		Member{"sorted", NewRaw("sorted", sortedFunc)},
		Member{"sum", NewRaw("sum", sumFunc)},
	)
	for _, c := range []*Type{enumerateType, filterType, mapType, zipType, reversedType} {
		members = append(members, Member{c.Name, c})
	}
	return members
}

// valueFunctions compute with one or a few values.
func valueFunctions() []Member {
	return []Member{
		Func("abs", "x, /", func(t *Thread, a []Value) (Value, error) { return t.abs(a[0]) }),
		Func("ascii", "obj, /", func(t *Thread, a []Value) (Value, error) { return textValue(t.ASCII(a[0])) }),
		Func("bin", "number, /", baseText(2)),
		Func("chr", "i, /", chr),
		Func("divmod", "x, y, /", func(t *Thread, a []Value) (Value, error) { return t.divmod(a[0], a[1]) }),
		Func("format", "value, format_spec='', /", formatFunc),
		Func("hash", "obj, /", func(t *Thread, a []Value) (Value, error) {
			h, err := t.HashInt(a[0])
			return Int(h), err
		}),
		Func("hex", "number, /", baseText(16)),
		Func("oct", "number, /", baseText(8)),
		Func("ord", "c, /", ord),
		Func("pow", "base, exp, mod=None", func(t *Thread, a []Value) (Value, error) { return t.pow(a[0], a[1], notNone(a[2])) }),
		Func("repr", "obj, /", func(t *Thread, a []Value) (Value, error) { return textValue(t.Repr(a[0])) }),
		Func("round", "number, ndigits=None", func(t *Thread, a []Value) (Value, error) { return t.round(a[0], notNone(a[1])) }),
	}
}

// attributeFunctions look at the attributes, class or identity of an object.
func attributeFunctions() []Member {
	return []Member{
		Func("callable", "obj, /", func(t *Thread, a []Value) (Value, error) { return Bool(t.IsCallable(a[0])), nil }),
		Func("delattr", "obj, name, /", func(t *Thread, a []Value) (Value, error) {
			name, err := attrName(a[1])
			if err != nil {
				return nil, err
			}
			return None, t.DelAttr(a[0], name)
		}),
		Func("dir", "object=None, /", dirOf),
		Func("getattr", "object, name, default=None, /", getattrFunc),
		Func("hasattr", "obj, name, /", func(t *Thread, a []Value) (Value, error) {
			name, err := attrName(a[1])
			if err != nil {
				return nil, err
			}
			v, err := t.LookupAttr(a[0], name)
			return Bool(v != nil), err
		}),
		Func("id", "obj, /", func(t *Thread, a []Value) (Value, error) { return t.idOf(a[0]) }),
		Func("isinstance", "obj, class_or_tuple, /", func(t *Thread, a []Value) (Value, error) {
			ok, err := t.isInstance(a[0], a[1])
			return Bool(ok), err
		}),
		Func("issubclass", "cls, class_or_tuple, /", func(t *Thread, a []Value) (Value, error) {
			ok, err := t.isSubclass(a[0], a[1])
			return Bool(ok), err
		}),
		Func("setattr", "obj, name, value, /", func(t *Thread, a []Value) (Value, error) {
			name, err := attrName(a[1])
			if err != nil {
				return nil, err
			}
			return None, t.SetAttr(a[0], name, a[2])
		}),
		Func("vars", "object=None, /", varsFunc),
	}
}

// textValue turns text and an error into a str result.
func textValue(s string, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return NewStr(s), nil
}

// ASCII is ascii(v): repr with every code point above 127 escaped.
func (t *Thread) ASCII(v Value) (string, error) {
	s, err := t.Repr(v)
	if err != nil {
		return "", err
	}
	return asciiOf(s), t.allocText(len(s))
}

func attrName(v Value) (string, error) {
	if s, ok := AsStr(v); ok {
		return s.s, nil
	}
	return "", TypeErrorf("attribute name must be string, not '%s'", TypeName(v))
}

// baseText is bin, oct and hex.
func baseText(base int) NativeFunc {
	return func(t *Thread, a []Value) (Value, error) {
		i, err := t.index(a[0])
		if err != nil {
			return nil, err
		}
		n := bigOf(Unwrap(i))
		if err := t.allocText(n.BitLen()); err != nil {
			return nil, err
		}
		return NewStr(text.IntBase(n, base)), nil
	}
}

func chr(t *Thread, a []Value) (Value, error) {
	n, err := t.toCInt(a[0])
	if err != nil {
		return nil, err
	}
	if n < 0 || n > 0x10FFFF {
		return nil, ValueErrorf("chr() arg not in range(0x110000)")
	}
	return NewStr(text.RuneText(rune(n))), nil
}

func ord(_ *Thread, a []Value) (Value, error) {
	n, code := 0, 0
	switch c := Unwrap(a[0]).(type) {
	case *Str:
		r, _ := text.DecodeRune(c.s)
		n, code = c.n, int(r)
	case *Bytes:
		if n = len(c.B); n == 1 {
			code = int(c.B[0])
		}
	default:
		return nil, TypeErrorf("ord() expected string of length 1, but %s found", TypeName(a[0]))
	}
	if n != 1 {
		return nil, TypeErrorf("ord() expected a character, but string of length %d found", n)
	}
	return Int(code), nil
}

func dirOf(t *Thread, a []Value) (Value, error) {
	if a[0] != nil {
		r, found, err := t.CallSpecial(a[0], "__dir__")
		if err != nil {
			return nil, err
		}
		if _, isClass := a[0].(*Type); found && !isClass {
			return t.sortedList(r)
		}
		return t.NewList(strList(t.dirNames(a[0]))), nil
	}
	d, err := t.localsDict()
	if err != nil {
		return nil, err
	}
	return t.sortedList(d)
}

// sortedList is sorted(v).
func (t *Thread) sortedList(v Value) (Value, error) {
	items, err := t.collectList(v)
	if err != nil {
		return nil, err
	}
	if items, err = t.sortValues(items, nil, false); err != nil {
		return nil, err
	}
	return t.NewList(items), nil
}

func varsFunc(t *Thread, a []Value) (Value, error) {
	if a[0] == nil {
		return t.localsDict()
	}
	d, err := t.LookupAttr(a[0], "__dict__")
	if d == nil && err == nil {
		err = TypeErrorf("vars() argument must have __dict__ attribute")
	}
	return d, err
}

func formatFunc(t *Thread, a []Value) (Value, error) {
	spec := ""
	if a[1] != nil {
		s, ok := AsStr(a[1])
		if !ok {
			return nil, TypeErrorf("format() argument 2 must be str, not %s", typeNameNone(a[1]))
		}
		spec = s.s
	}
	return textValue(t.Format(a[0], spec))
}

func getattrFunc(t *Thread, a []Value) (Value, error) {
	name, err := attrName(a[1])
	if err != nil {
		return nil, err
	}
	if a[2] == nil {
		return t.GetAttr(a[0], name)
	}
	v, err := t.LookupAttr(a[0], name)
	if v == nil && err == nil {
		v = a[2]
	}
	return v, err
}

func iterFunc(t *Thread, a []Value) (Value, error) {
	if a[1] == nil {
		it, err := t.Iter(a[0])
		if err != nil {
			return nil, err
		}
		return IterObject(it), nil
	}
	if !t.IsCallable(a[0]) {
		return nil, TypeErrorf("iter(v, w): v must be callable")
	}
	return &callIter{a[0], a[1]}, nil
}

func nextFunc(t *Thread, a []Value) (Value, error) {
	v, err := t.next(a[0])
	if err != nil && a[1] != nil {
		if _, stop := Catch(err, StopIterationType); stop {
			return a[1], nil
		}
	}
	return v, err
}

func sortedFunc(t *Thread, args []Value, kw []Kw) (Value, error) {
	if err := checkCall("sorted", args, nil, 1, 1, true); err != nil {
		return nil, err
	}
	items, err := t.collectList(args[0])
	if err != nil {
		return nil, err
	}
	key, reverse, err := sortKeywords(nil, kw)
	if err != nil {
		return nil, err
	}
	key, down, err := t.sortOptions(key, reverse)
	if err != nil {
		return nil, err
	}
	if items, err = t.sortValues(items, key, down); err != nil {
		return nil, err
	}
	return t.NewList(items), nil
}

// printFunc is print(*args, sep=' ', end='\n', file=None, flush=False). file
// may be an object with a write method; flush is ignored.
func printFunc(t *Thread, args []Value, kw []Kw) (Value, error) {
	sep, end := " ", "\n"
	var file Value
	for _, k := range kw {
		switch k.Name {
		case "sep", "end":
			if k.Value == None {
				continue
			}
			s, ok := AsStr(k.Value)
			if !ok {
				return nil, TypeErrorf("%s must be None or a string, not %s", k.Name, TypeName(k.Value))
			}
			if k.Name == "sep" {
				sep = s.s
			} else {
				end = s.s
			}
		case "file":
			file = notNone(k.Value)
		case "flush":
		default:
			return nil, TypeErrorf("'%s' is an invalid keyword argument for print()", k.Name)
		}
	}
	write := t.Print
	if file != nil {
		write = func(s string) error {
			_, err := t.CallMethod(file, "write", NewStr(s))
			return err
		}
	}
	for i, v := range args {
		if i > 0 {
			if err := write(sep); err != nil {
				return nil, err
			}
		}
		s, err := t.Str(v)
		if err != nil {
			return nil, err
		}
		if err := write(s); err != nil {
			return nil, err
		}
	}
	return None, write(end)
}

// bigPow10 is 10**n.
func bigPow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
