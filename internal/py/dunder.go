package py

import (
	"math"

	"gauntlet/internal/py/syntax"
)

// This file gives the built-in classes their special methods as attributes, so
// that super().__setitem__(k, v), dict.__getitem__(d, k) and hasattr(x,
// "__len__") work. They act on the built-in part of the receiver: a subclass's
// own special methods are not called again. The operators themselves do not go
// through here (op_arith.go, op_compare.go, item.go know the built-in classes).

// setupDunders attaches the special methods.
func setupDunders() {
	setupIterators()
	setupUnicodeErrors()
	PropertyType.Finish(propertyMembers()...)
	StaticMethodType.Finish(wrapperMembers(StaticMethodType, func(v Value) Value { return v.(*StaticMethod).Fn })...)
	ClassMethodType.Finish(wrapperMembers(ClassMethodType, func(v Value) Value { return v.(*ClassMethod).Fn })...)
	for kind, c := range viewTypes {
		c.Finish(viewMembers(viewKind(kind))...)
	}
	for _, c := range []*Type{IntType, BoolType, FloatType, StrType, BytesType, ListType, TupleType, DictType, SetType, FrozenSetType, RangeType, SliceType} {
		c.Finish(newSlot(c))
		if c != BoolType {
			c.Finish(compareSlots(c)...)
			c.Finish(hashSlot(c))
			if c != SliceType {
				c.Finish(reprSlot(c))
			}
		}
	}
	for _, c := range []*Type{StrType, BytesType, ListType, TupleType, DictType, SetType, FrozenSetType, RangeType} {
		c.Finish(containerSlots(c)...)
	}
	for _, c := range []*Type{StrType, BytesType, ListType, TupleType} {
		c.Finish(sequenceSlots(c)...)
	}
	for _, c := range []*Type{StrType, IntType, FloatType} {
		c.Finish(formatSlot(c))
	}
	for _, c := range []*Type{ListType, DictType, RangeType} {
		c.Finish(Def("__reversed__", "", func(t *Thread, self Value, _ []Value) (Value, error) {
			return t.reverseIter(self), nil
		}))
	}
	for _, c := range []*Type{ListType, DictType} {
		c.Finish(storeSlots(c)...)
	}
	IntType.Finish(numberSlots(IntType)...)
	FloatType.Finish(numberSlots(FloatType)...)
	setupSetDunders()
	setupCallDunders()
	NoneTypeType.Finish(slot(NoneTypeType, "__bool__", 0, func(*Thread, Value, []Value) (Value, error) { return False, nil }))
	StrType.Finish(slotWhole(StrType, "__str__", 0, 0, "", func(_ *Thread, self Value, _ []Value) (Value, error) { return Unwrap(self), nil }),
		slot(StrType, "__mod__", 1, func(t *Thread, self Value, a []Value) (Value, error) { return t.Percent(self.(*Str), a[0]) }))
	BytesType.Finish(slot(BytesType, "__mod__", 1, func(t *Thread, self Value, a []Value) (Value, error) {
		return t.percentBytes(self.(*Bytes), a[0])
	}))
	DictType.Finish(
		slot(DictType, "__or__", 1, arithSlot(syntax.BitOr, nil, false)),
		slot(DictType, "__ror__", 1, arithSlot(syntax.BitOr, nil, true)),
		inplaceSlot(DictType, syntax.BitOr))
}

// newSlot is __new__ of a built-in class.
func newSlot(c *Type) Member {
	return Member{"__new__", NewRaw("__new__", func(t *Thread, args []Value, kw []Kw) (Value, error) {
		if len(args) == 0 {
			return nil, TypeErrorf("%s.__new__(): not enough arguments", c.Name)
		}
		cls, ok := args[0].(*Type)
		if !ok {
			return nil, TypeErrorf("%s.__new__(X): X is not a type object (%s)", c.Name, TypeName(args[0]))
		}
		if !cls.IsSubclass(c) {
			return nil, TypeErrorf("%s.__new__(%s): %s is not a subtype of %s", c.Name, cls.Name, cls.Name, c.Name)
		}
		return t.allocateNative(cls, args[1:], kw)
	})}
}

// decline turns "not implemented" (nil) into NotImplemented.
func decline(v Value, err error) (Value, error) {
	if v == nil && err == nil {
		return NotImplemented, nil
	}
	return v, err
}

// compareSlots are the six comparisons. An int does not know floats; the
// float's method compares the two.
func compareSlots(c *Type) []Member {
	var members []Member
	for op := syntax.Eq; op <= syntax.GtE; op++ {
		members = append(members, slot(c, cmpMethods[op].name, 1, func(t *Thread, self Value, a []Value) (Value, error) {
			other := Unwrap(a[0])
			if c == IntType && !isInt(other) {
				return NotImplemented, nil
			}
			return decline(t.compare(op, self, other))
		}))
	}
	return members
}

func hashSlot(c *Type) Member {
	switch c {
	case ListType, DictType, SetType, SliceType:
		return Member{"__hash__", None}
	}
	return slot(c, "__hash__", 0, func(t *Thread, self Value, _ []Value) (Value, error) {
		h, err := t.HashInt(self)
		return Int(h), err
	})
}

// reprSlot is __repr__; a set shows the name of its class.
func reprSlot(c *Type) Member {
	return slotWhole(c, "__repr__", 0, 0, "", func(t *Thread, self Value, _ []Value) (Value, error) {
		part := unwrapFor(c, self)
		s, err := t.Repr(part)
		if set, ok := part.(*Set); ok && part != self && err == nil {
			switch {
			case set.Len() == 0:
				s = TypeName(self) + "()"
			case set.Frozen:
				s = TypeName(self) + s[len("frozenset"):]
			default:
				s = TypeName(self) + "(" + s + ")"
			}
		}
		return textValue(s, err)
	})
}

func formatSlot(c *Type) Member {
	return coexist(c, "__format__", func(t *Thread, self, arg Value) (Value, error) {
		spec, ok := AsStr(arg)
		if !ok {
			return nil, TypeErrorf("__format__() argument must be str, not %s", typeNameNone(arg))
		}
		return textValue(t.formatBuiltin(self, spec.s))
	})
}

// containerSlots are __len__, __iter__, __contains__ and, but for sets,
// __getitem__.
func containerSlots(c *Type) []Member {
	contains := func(t *Thread, self, v Value) (Value, error) {
		ok, err := t.Contains(unwrapFor(c, self), v)
		return Bool(ok), err
	}
	item := func(t *Thread, self, key Value) (Value, error) {
		v, err := t.GetItem(unwrapFor(c, self), key)
		if err != nil && c == DictType && self != unwrapFor(c, self) {
			if _, missing := Catch(err, KeyErrorType); missing {
				if r, found, merr := t.CallSpecial(self, "__missing__", key); found {
					return r, merr
				}
			}
		}
		return v, err
	}
	oneArg := func(name string, fn func(t *Thread, self, arg Value) (Value, error)) Member {
		return slotWhole(c, name, 1, 1, "", func(t *Thread, self Value, a []Value) (Value, error) { return fn(t, self, a[0]) })
	}
	members := []Member{
		slot(c, "__len__", 0, func(t *Thread, self Value, _ []Value) (Value, error) {
			n, err := t.Len(self)
			return Int(n), err
		}),
		slot(c, "__iter__", 0, func(t *Thread, self Value, _ []Value) (Value, error) { return t.Iter(self) }),
	}
	switch c {
	case SetType, FrozenSetType:
		return append(members, coexist(c, "__contains__", contains))
	case DictType:
		return append(members, coexist(c, "__contains__", contains), coexist(c, "__getitem__", item))
	case ListType:
		return append(members, oneArg("__contains__", contains), coexist(c, "__getitem__", item))
	}
	return append(members, oneArg("__contains__", contains), oneArg("__getitem__", item))
}

// sequenceSlots are concatenation and repetition.
func sequenceSlots(c *Type) []Member {
	repeat := func(t *Thread, self Value, a []Value) (Value, error) {
		n, err := t.index(a[0])
		if err != nil {
			return nil, err
		}
		return t.arith(syntax.Mult, unwrapFor(c, self), n)
	}
	members := []Member{
		slotWhole(c, "__add__", 1, 1, "", func(t *Thread, self Value, a []Value) (Value, error) {
			v, err := t.arith(syntax.Add, Unwrap(self), Unwrap(a[0]))
			if v == nil && err == nil {
				err = concatError(self, a[0])
			}
			return v, err
		}),
		slotWhole(c, "__mul__", 1, 1, spaced, repeat),
		slotWhole(c, "__rmul__", 1, 1, spaced, repeat),
	}
	if c == ListType {
		members = append(members, inplaceSlot(c, syntax.Add), inplaceSlot(c, syntax.Mult))
	}
	return members
}

// inplaceSlot is an augmented assignment; it returns the receiver.
func inplaceSlot(c *Type, op syntax.Operator) Member {
	prefix := ""
	if op == syntax.Mult {
		prefix = spaced
	}
	return slotWhole(c, "__i"+opNames[op].method+"__", 1, 1, prefix, func(t *Thread, self Value, a []Value) (Value, error) {
		part := unwrapFor(c, self)
		if s, ok := part.(*Set); ok {
			if _, isSet := AsSet(a[0]); !isSet || s.Frozen {
				return NotImplemented, nil
			}
		}
		arg := a[0]
		if op == syntax.Mult {
			n, err := t.index(arg)
			if err != nil {
				return nil, err
			}
			arg = n
		}
		if l, ok := part.(*List); ok {
			return self, t.inplaceList(op, l, arg)
		}
		_, err := t.InplaceOp(op, part, arg)
		return self, err
	})
}

func storeSlots(c *Type) []Member {
	return []Member{
		slotWhole(c, "__setitem__", 2, 2, spaced, func(t *Thread, self Value, a []Value) (Value, error) {
			return None, t.SetItem(Unwrap(self), a[0], a[1])
		}),
		slot(c, "__delitem__", 1, func(t *Thread, self Value, a []Value) (Value, error) {
			return None, t.DelItem(self, a[0])
		}),
	}
}

// arithSlot is one side of a binary operator; accept (nil: anything) says
// which operands the class itself handles.
func arithSlot(op syntax.Operator, accept func(Value) bool, reflected bool) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		other := Unwrap(a[0])
		if accept != nil && !accept(other) {
			return NotImplemented, nil
		}
		if reflected {
			return decline(t.arith(op, other, self))
		}
		return decline(t.arith(op, self, other))
	}
}

func setupSetDunders() {
	isSet := func(v Value) bool { _, ok := v.(*Set); return ok }
	for _, op := range []syntax.Operator{syntax.BitOr, syntax.BitAnd, syntax.Sub, syntax.BitXor} {
		name := opNames[op].method
		for _, c := range []*Type{SetType, FrozenSetType} {
			c.Finish(slot(c, "__"+name+"__", 1, arithSlot(op, isSet, false)),
				slot(c, "__r"+name+"__", 1, arithSlot(op, isSet, true)))
		}
		SetType.Finish(inplaceSlot(SetType, op))
	}
}

// numberSlots are the arithmetic of int and float.
func numberSlots(c *Type) []Member {
	ops := []syntax.Operator{syntax.Add, syntax.Sub, syntax.Mult, syntax.Div, syntax.FloorDiv, syntax.Mod}
	accept := isReal
	if c == IntType {
		ops = append(ops, syntax.LShift, syntax.RShift, syntax.BitAnd, syntax.BitOr, syntax.BitXor)
		accept = isInt
	}
	members := []Member{
		slotWhole(c, "__pow__", 1, 2, spaced, powSlot(accept, false)),
		slotWhole(c, "__rpow__", 1, 2, spaced, powSlot(accept, true)),
		slot(c, "__divmod__", 1, func(t *Thread, self Value, a []Value) (Value, error) {
			if !accept(Unwrap(a[0])) {
				return NotImplemented, nil
			}
			return decline(t.divmodReal(self, Unwrap(a[0])))
		}),
		slot(c, "__rdivmod__", 1, func(t *Thread, self Value, a []Value) (Value, error) {
			if !accept(Unwrap(a[0])) {
				return NotImplemented, nil
			}
			return decline(t.divmodReal(Unwrap(a[0]), self))
		}),
		slot(c, "__abs__", 0, func(t *Thread, self Value, _ []Value) (Value, error) { return t.abs(self) }),
		slot(c, "__neg__", 0, func(t *Thread, self Value, _ []Value) (Value, error) { return t.UnaryOp(syntax.USub, self) }),
		slot(c, "__pos__", 0, func(t *Thread, self Value, _ []Value) (Value, error) { return t.UnaryOp(syntax.UAdd, self) }),
		slot(c, "__bool__", 0, func(t *Thread, self Value, _ []Value) (Value, error) {
			b, err := t.Truth(self)
			return Bool(b), err
		}),
		slot(c, "__int__", 0, func(t *Thread, self Value, _ []Value) (Value, error) { return t.toInt(self) }),
		slot(c, "__float__", 0, func(t *Thread, self Value, _ []Value) (Value, error) {
			f, err := t.AsFloat(self)
			return Float(f), err
		}),
		Def("__trunc__", "", func(t *Thread, self Value, _ []Value) (Value, error) { return t.toInt(self) }),
		Def("__floor__", "", integral(math.Floor)),
		Def("__ceil__", "", integral(math.Ceil)),
		Def("__round__", "ndigits=None, /", func(t *Thread, self Value, a []Value) (Value, error) {
			return t.round(self, notNone(a[0]))
		}),
	}
	if c == IntType {
		members = append(members,
			slot(c, "__index__", 0, func(_ *Thread, self Value, _ []Value) (Value, error) { return asInt(self), nil }),
			slot(c, "__invert__", 0, func(t *Thread, self Value, _ []Value) (Value, error) { return t.UnaryOp(syntax.Invert, self) }))
	}
	for _, op := range ops {
		name := opNames[op].method
		members = append(members, slot(c, "__"+name+"__", 1, arithSlot(op, accept, false)),
			slot(c, "__r"+name+"__", 1, arithSlot(op, accept, true)))
	}
	return members
}

// powSlot is __pow__ with its optional modulus.
func powSlot(accept func(Value) bool, reflected bool) MethodFunc {
	return func(t *Thread, self Value, a []Value) (Value, error) {
		x, y := Unwrap(self), Unwrap(a[0])
		if _, isFloat := x.(Float); isFloat && len(a) > 1 && a[1] != None {
			return nil, TypeErrorf("pow() 3rd argument not allowed unless all arguments are integers")
		}
		if !accept(y) {
			return NotImplemented, nil
		}
		if reflected {
			x, y = y, x
		}
		if len(a) > 1 && a[1] != None {
			if !accept(Unwrap(a[1])) {
				return NotImplemented, nil
			}
			return t.pow(x, y, a[1])
		}
		return decline(t.arith(syntax.Pow, x, y))
	}
}

// integral is __floor__ and __ceil__.
func integral(round func(float64) float64) MethodFunc {
	return func(_ *Thread, self Value, _ []Value) (Value, error) {
		if f, ok := self.(Float); ok {
			return floatToInt(round(float64(f)))
		}
		return asInt(self), nil
	}
}

// setupCallDunders gives callables __call__ and descriptors __get__.
func setupCallDunders() {
	call := func(t *Thread, args []Value, kw []Kw) (Value, error) {
		if len(args) == 0 {
			return nil, TypeErrorf("descriptor '__call__' needs an argument")
		}
		return t.Call(args[0], args[1:], kw)
	}
	for _, c := range []*Type{FunctionType, MethodType, NativeType, MethodDescriptorType} {
		c.Finish(Member{"__call__", NewRawMethod("__call__", call)})
	}
	for _, c := range []*Type{FunctionType, StaticMethodType, ClassMethodType} {
		c.Finish(Member{"__get__", NewRawMethod("__get__", func(t *Thread, args []Value, kw []Kw) (Value, error) {
			self, args, err := receiver(c, "__get__", args)
			if err != nil {
				return nil, err
			}
			return descriptorGet(t, self, args)
		})})
	}
}
