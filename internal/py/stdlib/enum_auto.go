package stdlib

import (
	"math/big"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// autoValue is auto(), or an expression over such values: in CPython the class
// body sees the number at once, here it is computed when the class is made.
type autoValue struct {
	resolved    py.Value // nil until the class is made
	op          syntax.Operator
	left, right py.Value // operands; nil for auto() itself
}

// Type returns enum.auto.
func (*autoValue) Type() *py.Type { return autoType }

// wrappedMember is member(x) or nonmember(x).
type wrappedMember struct {
	class *py.Type
	value py.Value
}

// Type returns enum.member or enum.nonmember.
func (w *wrappedMember) Type() *py.Type { return w.class }

func setupAuto() {
	autoType.New = func(_ *py.Thread, _ *py.Type, args []py.Value, _ []py.Kw) (py.Value, error) {
		v := &autoValue{}
		if len(args) == 1 {
			v.resolved = args[0]
		}
		return v, nil
	}
	for _, o := range []struct {
		name string
		op   syntax.Operator
	}{
		{"or", syntax.BitOr}, {"and", syntax.BitAnd}, {"xor", syntax.BitXor}, {"add", syntax.Add}, {"sub", syntax.Sub}, {"mul", syntax.Mult},
		{"lshift", syntax.LShift}, {"rshift", syntax.RShift},
	} {
		autoType.Finish(
			py.Def("__"+o.name+"__", "other, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
				return &autoValue{op: o.op, left: self, right: a[0]}, nil
			}),
			py.Def("__r"+o.name+"__", "other, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
				return &autoValue{op: o.op, left: a[0], right: self}, nil
			}),
		)
	}
	autoType.Finish(
		py.Def("__repr__", "/", func(*py.Thread, py.Value, []py.Value) (py.Value, error) { return py.NewStr("auto(_auto_null)"), nil }),
		py.Get("value", func(_ *py.Thread, self py.Value) (py.Value, error) {
			return given(self.(*autoValue).resolved, py.None), nil
		}),
	)
	for _, c := range []*py.Type{memberType, nonMemberTyp} {
		c.New = func(_ *py.Thread, _ *py.Type, args []py.Value, _ []py.Kw) (py.Value, error) {
			if len(args) != 1 {
				return nil, py.TypeErrorf("%s.__init__() missing 1 required positional argument: 'value'", c.Name)
			}
			return &wrappedMember{c, args[0]}, nil
		}
	}
}

// enumNextValue is Enum._generate_next_value_: one more than the largest, or
// than the last value that can be added to.
func enumNextValue(t *py.Thread, a []py.Value) (py.Value, error) {
	last, err := t.Collect(a[3])
	if err != nil {
		return nil, err
	}
	if len(last) == 0 {
		return a[1], nil
	}
	sorted := t.NewList(append([]py.Value(nil), last...))
	if _, err := t.CallMethod(sorted, "sort"); err == nil {
		last = sorted.Items
	} else if _, mixed := py.Catch(err, py.TypeErrorType); !mixed {
		return nil, err
	}
	for i := len(last) - 1; i >= 0; i-- {
		v, err := add(t, last[i], py.Int(1))
		if err == nil {
			return v, nil
		}
		if _, bad := py.Catch(err, py.TypeErrorType); !bad {
			return nil, err
		}
	}
	return a[1], nil
}

// resolveAuto computes an auto() or an expression over them.
func (b *enumBuilder) resolveAuto(v *autoValue, name string) (py.Value, error) {
	if v.resolved != nil {
		return v.resolved, nil
	}
	if err := b.t.Enter(); err != nil {
		return nil, err
	}
	defer b.t.Leave()
	var err error
	if v.left == nil {
		v.resolved, err = b.t.Call(b.next, []py.Value{py.NewStr(name), py.Int(1), py.Int(b.count), b.t.NewList(append([]py.Value(nil), b.last...))}, nil)
		return v.resolved, err
	}
	operands := []py.Value{v.left, v.right}
	for i, x := range operands {
		if a, ok := x.(*autoValue); ok {
			if operands[i], err = b.resolveAuto(a, name); err != nil {
				return nil, err
			}
		}
	}
	v.resolved, err = b.t.BinaryOp(v.op, operands[0], operands[1])
	return v.resolved, err
}

// memberRaw is the value that the class body gives a member, with auto()
// resolved also inside a tuple.
func (b *enumBuilder) memberRaw(name string, v py.Value) (py.Value, error) {
	switch x := v.(type) {
	case *autoValue:
		return b.resolveAuto(x, name)
	case *wrappedMember:
		return b.memberRaw(name, x.value)
	case *py.Tuple:
		items := append([]py.Value(nil), x.Items...)
		changed := false
		for i, item := range items {
			if a, ok := item.(*autoValue); ok {
				r, err := b.resolveAuto(a, name)
				if err != nil {
					return nil, err
				}
				items[i], changed = r, true
			}
		}
		if changed {
			return py.NewTuple(items...), nil
		}
	}
	return v, nil
}

// isSunder reports whether name has the form _x_.
func isSunder(name string) bool {
	n := len(name)
	return n > 2 && name[0] == '_' && name[n-1] == '_' && name[1] != '_' && name[n-2] != '_'
}

// isDunder reports whether name has the form __x__.
func isDunder(name string) bool {
	n := len(name)
	return n > 4 && name[:2] == "__" && name[n-2:] == "__" && name[2] != '_' && name[n-3] != '_'
}

// isPrivateName reports whether name is a mangled __x of the class.
func isPrivateName(class, name string) bool {
	prefix := "_" + strings.TrimLeft(class, "_") + "__"
	return strings.HasPrefix(name, prefix) && len(name) > len(prefix) && !strings.HasSuffix(name, "__")
}

// isDescriptor reports whether v has __get__, __set__ or __delete__, and so
// does not become a member.
func isDescriptor(v py.Value) bool {
	switch v.(type) {
	case *py.Function, *py.StaticMethod, *py.ClassMethod, *py.Property, *py.Getter, py.Descriptor:
		return true
	}
	for _, n := range []string{"__get__", "__set__", "__delete__"} {
		if _, ok := v.Type().Lookup(n); ok {
			return true
		}
	}
	return false
}

// bigOf is an int value as big.Int; zero for others.
func bigValue(t *py.Thread, v py.Value) *big.Int {
	if b, ok := t.AsBigInt(v); ok {
		return b
	}
	return new(big.Int)
}
