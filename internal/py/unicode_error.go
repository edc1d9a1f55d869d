package py

import "gauntlet/internal/py/text"

// setupUnicodeErrors gives UnicodeEncodeError and UnicodeDecodeError their five
// arguments (encoding, object, start, end, reason), attributes and text.
func setupUnicodeErrors() {
	for _, c := range []*Type{UnicodeEncodeErrType, UnicodeDecodeErrType} {
		encode := c == UnicodeEncodeErrType
		c.New = func(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
			if len(kw) > 0 {
				return nil, TypeErrorf("%s() takes no keyword arguments", c.Name)
			}
			if _, err := unicodeParts(args, encode); err != nil {
				return nil, err
			}
			return NewException(cls, append([]Value(nil), args...)...), nil
		}
		for i, name := range []string{"encoding", "object", "start", "end", "reason"} {
			c.Finish(Get(name, func(_ *Thread, self Value) (Value, error) {
				if e, ok := self.(*Instance); ok && i < len(ExcArgs(e)) {
					return ExcArgs(e)[i], nil
				}
				return None, nil
			}))
		}
		c.Finish(Member{"__str__", NewRawMethod("__str__", func(t *Thread, args []Value, kw []Kw) (Value, error) {
			if _, _, err := receiver(c, "__str__", args); err != nil {
				return nil, err
			}
			e, ok := args[0].(*Instance)
			if !ok {
				return nil, TypeErrorf("descriptor '__str__' requires a '%s' object but received a '%s'", c.Name, TypeName(args[0]))
			}
			u, err := unicodeParts(ExcArgs(e), encode)
			if err != nil { // args was assigned to
				return exceptionStr(t, args, kw)
			}
			return NewStr(u.Error()), nil
		})})
	}
}

// unicodeParts checks the constructor arguments.
func unicodeParts(args []Value, encode bool) (*text.UnicodeError, error) {
	if len(args) != 5 {
		return nil, TypeErrorf("function takes exactly 5 arguments (%d given)", len(args))
	}
	u := &text.UnicodeError{Encode: encode}
	for _, i := range []int{0, 1, 4} {
		if i == 1 && !encode {
			b, ok := asBytes(args[1])
			if !ok {
				return nil, TypeErrorf("a bytes-like object is required, not '%s'", TypeName(args[1]))
			}
			u.Bytes = []byte(b.B)
			continue
		}
		s, ok := AsStr(args[i])
		if !ok {
			return nil, TypeErrorf("argument %d must be str, not %s", i+1, typeNameNone(args[i]))
		}
		*[]*string{0: &u.Encoding, 1: &u.Object, 4: &u.Reason}[i] = s.s
	}
	for k, i := range []int{2, 3} {
		n, ok := AsInt(args[i])
		if !ok {
			return nil, TypeErrorf("'%s' object cannot be interpreted as an integer", TypeName(args[i]))
		}
		*[]*int{&u.Start, &u.End}[k] = int(n)
	}
	return u, nil
}
