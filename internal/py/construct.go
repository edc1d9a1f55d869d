package py

import (
	"math/big"
	"math/bits"
)

// setupConstructors attaches what calling a built-in class does. Mutable
// containers are made empty for a subclass and filled by __init__.
func setupConstructors() {
	IntType.New = newInt
	BoolType.New = newBool
	FloatType.New = newFloat
	StrType.New = newStr
	BytesType.New = newBytes
	ListType.New = newList
	TupleType.New = newTuple
	DictType.New = newDict
	SetType.New = newSet
	FrozenSetType.New = newFrozenSet
	RangeType.New = newRange
	SliceType.New = newSlice
	PropertyType.New = newProperty
	for name, single := range map[string]Value{"NoneType": None, "EllipsisType": Ellipsis, "NotImplementedType": NotImplemented} {
		single.Type().New = func(_ *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
			if len(args)+len(kw) > 0 {
				return nil, TypeErrorf("%s takes no arguments", name)
			}
			return single, nil
		}
	}
	MethodType.New = func(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
		if err := checkCall("method", args, kw, 2, 2, false); err != nil {
			return nil, err
		}
		if !t.IsCallable(args[0]) {
			return nil, TypeErrorf("first argument must be callable")
		}
		if args[1] == None {
			return nil, TypeErrorf("self must not be None")
		}
		return &Method{args[0], args[1]}, t.Alloc(48)
	}
	StaticMethodType.New = func(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
		if err := checkCall("staticmethod", args, kw, 1, 1, false); err != nil {
			return nil, err
		}
		return &StaticMethod{args[0]}, nil
	}
	ClassMethodType.New = func(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
		if err := checkCall("classmethod", args, kw, 1, 1, false); err != nil {
			return nil, err
		}
		return &ClassMethod{args[0]}, nil
	}
}

// newStr is str(object, encoding, errors), all optional.
func newStr(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if n := len(args) + len(kw); n > 3 {
		return nil, tooManyGiven("str", 3, args, kw)
	}
	var a [3]Value
	copy(a[:], args)
	for _, k := range kw {
		i := -1
		for j, name := range []string{"object", "encoding", "errors"} {
			if name == k.Name {
				i = j
			}
		}
		if i < 0 {
			return nil, TypeErrorf("'%s' is an invalid keyword argument for str()", k.Name)
		}
		if a[i] != nil {
			return nil, TypeErrorf("argument for str() given by name ('%s') and position (%d)", k.Name, i+1)
		}
		a[i] = k.Value
	}
	enc, errs, err := codecArgs("str", a[1], a[2])
	if err != nil {
		return nil, err
	}
	var v Value = emptyStr
	switch {
	case a[0] == nil:
	case a[1] != nil || a[2] != nil:
		switch x := Unwrap(a[0]).(type) {
		case *Bytes:
			v, err = t.decodeText(x.B, enc, errs)
		case *Str:
			err = TypeErrorf("decoding str is not supported")
		default:
			err = TypeErrorf("decoding to str: need a bytes-like object, %s found", TypeName(a[0]))
		}
	default:
		if s, ok := a[0].(*Str); ok {
			v = s
			break
		}
		var s string
		s, err = t.Str(a[0])
		v = NewStr(s)
	}
	if err != nil {
		return nil, err
	}
	return wrapFor(cls, StrType, v), nil
}

// newList is list(iterable=(), /).
func newList(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if cls != ListType {
		return NewInstance(cls, t.NewList(nil)), nil
	}
	if err := checkCall("list", args, kw, 0, 1, false); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return t.NewList(nil), nil
	}
	items, err := t.collectList(args[0])
	if err != nil {
		return nil, err
	}
	return t.NewList(items), nil
}

// newTuple is tuple(iterable=(), /).
func newTuple(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if len(kw) > 0 && cls != TupleType {
		kw = nil // a subclass may take keywords in __init__
	}
	if err := checkCall("tuple", args, kw, 0, 1, false); err != nil {
		return nil, err
	}
	tuple := emptyTuple
	if len(args) > 0 {
		if x, ok := args[0].(*Tuple); ok {
			tuple = x
		} else {
			items, err := t.collectList(args[0])
			if err != nil {
				return nil, err
			}
			tuple = NewTuple(items...)
		}
	}
	return wrapFor(cls, TupleType, tuple), nil
}

// newDict is dict(mapping_or_iterable=(), /, **kwargs).
func newDict(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if cls != DictType {
		return NewInstance(cls, t.NewDict()), nil
	}
	if err := checkCall("dict", args, kw, 0, 1, true); err != nil {
		return nil, err
	}
	d := t.NewDict()
	return d, t.dictFill(d, args, kw)
}

// newSet is set(iterable=(), /).
func newSet(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if cls != SetType {
		s, err := t.NewSet()
		return NewInstance(cls, s), err
	}
	if err := checkCall("set", args, kw, 0, 1, false); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return orNil(t.NewSet())
	}
	return orNil(t.setOf(args[0]))
}

// newFrozenSet is frozenset(iterable=(), /).
func newFrozenSet(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if len(kw) > 0 && cls != FrozenSetType {
		kw = nil
	}
	if err := checkCall("frozenset", args, kw, 0, 1, false); err != nil {
		return nil, err
	}
	s := &Set{}
	if len(args) > 0 {
		if x, ok := args[0].(*Set); ok && x.Frozen {
			return wrapFor(cls, FrozenSetType, x), nil
		}
		var err error
		if s, err = t.setOf(args[0]); err != nil {
			return nil, err
		}
	}
	s.Frozen = true
	return wrapFor(cls, FrozenSetType, s), nil
}

// newRange is range(stop) and range(start, stop, step=1).
func newRange(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
	if err := checkCall("range", args, kw, 1, 3, false); err != nil {
		return nil, err
	}
	bounds := [3]Value{Int(0), Int(0), Int(1)}
	for i, v := range args {
		x, err := t.index(v)
		if err != nil {
			return nil, err
		}
		bounds[i] = x
	}
	if len(args) == 1 {
		bounds[0], bounds[1] = Int(0), bounds[0]
	}
	if bounds[2] == Int(0) {
		return nil, ValueErrorf("range() arg 3 must not be zero")
	}
	var n [3]int64
	for i, v := range bounds {
		var ok bool
		if n[i], ok = AsInt(v); !ok {
			return rangeOf(bigOf(bounds[0]), bigOf(bounds[1]), bigOf(bounds[2])), nil
		}
	}
	return makeRange(n[0], n[1], n[2]), nil
}

// makeRange counts the elements; step is not zero.
func makeRange(start, stop, step int64) *Range {
	r := &Range{Start: start, Stop: stop, Step: step}
	var span, size uint64
	switch {
	case step > 0 && start < stop:
		span, size = uint64(stop)-uint64(start), uint64(step)
	case step < 0 && start > stop:
		span, size = uint64(start)-uint64(stop), -uint64(step)
	default:
		return r
	}
	q, _ := bits.Div64(0, span-1, size)
	if q > 1<<63-2 {
		return rangeOf(big.NewInt(start), big.NewInt(stop), big.NewInt(step))
	}
	r.N = int64(q) + 1
	return r
}

// newSlice is slice(stop) and slice(start, stop, step=None).
func newSlice(t *Thread, _ *Type, args []Value, kw []Kw) (Value, error) {
	if err := checkCall("slice", args, kw, 1, 3, false); err != nil {
		return nil, err
	}
	s := &Slice{None, None, None}
	switch len(args) {
	case 1:
		s.Stop = args[0]
	case 3:
		s.Step = args[2]
		fallthrough
	case 2:
		s.Start, s.Stop = args[0], args[1]
	}
	return s, nil
}

// newBytes is bytes(source, encoding, errors), all optional.
func newBytes(t *Thread, cls *Type, args []Value, kw []Kw) (Value, error) {
	if n := len(args) + len(kw); n > 3 {
		return nil, tooManyGiven("bytes", 3, args, kw)
	}
	var a [3]Value
	copy(a[:], args)
	for _, k := range kw {
		i := -1
		for j, name := range []string{"source", "encoding", "errors"} {
			if name == k.Name {
				i = j
			}
		}
		if i < 0 {
			return nil, TypeErrorf("'%s' is an invalid keyword argument for bytes()", k.Name)
		}
		if a[i] != nil {
			return nil, TypeErrorf("argument for bytes() given by name ('%s') and position (%d)", k.Name, i+1)
		}
		a[i] = k.Value
	}
	enc, errs, err := codecArgs("bytes", a[1], a[2])
	if err != nil {
		return nil, err
	}
	s, isStr := AsStr(orNone(a[0]))
	var b string
	if len(args)+len(kw) == 1 && a[0] != nil && !plain(a[0]) {
		r, found, err := t.CallSpecial(a[0], "__bytes__")
		if err != nil {
			return nil, err
		}
		if found {
			own, ok := asBytes(r)
			if !ok {
				return nil, TypeErrorf("__bytes__ returned non-bytes (type %s)", TypeName(r))
			}
			return wrapFor(cls, BytesType, own), nil
		}
	}
	switch {
	case a[1] != nil && !isStr:
		err = TypeErrorf("encoding without a string argument")
	case a[2] != nil && !isStr:
		err = TypeErrorf("errors without a string argument")
	case a[0] == nil:
	case isStr && a[1] == nil:
		err = TypeErrorf("string argument without an encoding")
	case isStr:
		b, err = t.encodeText(s.s, enc, errs)
	default:
		b, err = t.toBytes(a[0])
	}
	if err != nil {
		return nil, err
	}
	return wrapFor(cls, BytesType, &Bytes{b}), nil
}

// toBytes is bytes(v) for anything but a str.
func (t *Thread) toBytes(v Value) (string, error) {
	if b, ok := asBytes(v); ok {
		return b.B, nil
	}
	if hasIndex(v) {
		n, err := t.toBytesSize(v)
		if _, wrong := Catch(err, TypeErrorType); wrong {
			return t.byteItems(v)
		}
		if err != nil {
			return "", err
		}
		if n < 0 {
			return "", ValueErrorf("negative count")
		}
		if err := t.allocText(n); err != nil {
			return "", err
		}
		return string(make([]byte, n)), nil
	}
	return t.byteItems(v)
}

func (t *Thread) toBytesSize(v Value) (int, error) {
	i, err := t.index(v)
	if err != nil {
		return 0, err
	}
	if n, ok := AsInt(i); ok {
		return int(n), nil
	}
	return 0, OverflowErrorf("cannot fit '%s' into an index-sized integer", TypeName(v))
}

// byteItems collects an iterable of ints from 0 to 255.
func (t *Thread) byteItems(v Value) (string, error) {
	it, err := t.Iter(v)
	_, isStr := AsStr(v)
	if _, is := Catch(err, TypeErrorType); is || isStr {
		return "", TypeErrorf("cannot convert '%s' object to bytes", TypeName(v))
	}
	if err != nil {
		return "", err
	}
	var out []byte
	err = t.ForEach(it, func(x Value) error {
		i, err := t.index(x)
		if err != nil {
			return err
		}
		n, ok := AsInt(i)
		if !ok || n < 0 || n > 255 {
			return ValueErrorf("bytes must be in range(0, 256)")
		}
		out = append(out, byte(n))
		return t.Alloc(1)
	})
	return string(out), err
}
