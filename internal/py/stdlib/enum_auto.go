package stdlib

import (
	"math/big"
	"strings"

	"gauntlet/internal/py"
)

// autoValue is auto(): an assignment in the class body puts a value in its place.
type autoValue struct {
	resolved py.Value // nil until then
}

// Type returns enum.auto.
func (*autoValue) Type() *py.Type { return autoType }

// autoNull is the value of an auto() that is not in use yet.
var autoNull = &nullValue{}

type nullValue struct{}

// Type returns object: the value is only printed.
func (*nullValue) Type() *py.Type { return nullType }

var nullType = py.NewType("enum", "object")

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
	nullType.Finish(py.Def("__repr__", "/", func(*py.Thread, py.Value, []py.Value) (py.Value, error) { return py.NewStr("_auto_null"), nil }))
	autoType.Finish(
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			v := self.(*autoValue)
			if v.resolved == nil {
				return py.NewStr("auto(_auto_null)"), nil
			}
			s, err := t.Repr(v.resolved)
			return py.NewStr("auto(" + s + ")"), err
		}),
		py.Get("value", func(_ *py.Thread, self py.Value) (py.Value, error) {
			return given(self.(*autoValue).resolved, autoNull), nil
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

// enumBody watches the body of an enumeration: it gives auto() its values and
// refuses names that are used twice.
type enumBody struct {
	name    string // of the class
	next    py.Value
	members []string
	ignored []string
	outside map[string]bool // nonmember(x)
	last    []py.Value
	auto    bool // auto() was used
}

// openEnumBody starts a class body.
func openEnumBody(_ *py.Thread, name string, bases []py.Value) (py.ClassBody, error) {
	b := &enumBody{name: name, outside: map[string]bool{}}
	for _, v := range bases {
		if c, ok := v.(*py.Type); ok && c.IsSubclass(enumType) {
			b.next, _ = c.Lookup("_generate_next_value_")
		}
	}
	b.next = staticPart(b.next)
	return b, nil
}

// staticPart is the function of a static method and v itself otherwise.
func staticPart(v py.Value) py.Value {
	if s, ok := v.(*py.StaticMethod); ok {
		return s.Fn
	}
	return v
}

// Store decides what an assigned name is: a member, or an attribute.
func (b *enumBody) Store(t *py.Thread, ns *py.Dict, name string, v py.Value) (py.Value, error) {
	w, wrapped := v.(*wrappedMember)
	switch {
	case isPrivateName(b.name, name):
	case isSunder(name):
		return b.storeSunder(t, name, v)
	case isDunder(name):
	case contains(b.members, name):
		return nil, b.defined(t, ns, name)
	case contains(b.ignored, name):
	case wrapped && w.class == nonMemberTyp:
		b.outside[name] = true
		return w.value, nil
	case !wrapped && isDescriptor(v):
	default:
		if _, known := ns.GetStr(name); known {
			return nil, b.defined(t, ns, name)
		}
		if wrapped {
			v = w.value
		}
		autos := len(b.last)
		v, err := b.value(t, name, v)
		if err != nil {
			return nil, err
		}
		if len(b.last) == autos {
			b.last = append(b.last, v)
		}
		b.members = append(b.members, name)
		return v, t.Charge(len(b.members) >> 4)
	}
	return v, nil
}

func (b *enumBody) defined(t *py.Thread, ns *py.Dict, name string) error {
	v, _ := ns.GetStr(name)
	s, err := t.Repr(given(v, py.None))
	if err != nil {
		return err
	}
	return py.RaiseArgs(py.TypeErrorType, py.NewStr(reprText(name)+" already defined as "+s))
}

// storeSunder is the assignment of a name of the form _x_.
func (b *enumBody) storeSunder(t *py.Thread, name string, v py.Value) (py.Value, error) {
	switch {
	case !contains(reservedSunders, name):
		return nil, py.ValueErrorf("_sunder_ names, such as %s, are reserved for future Enum use", reprText(name))
	case name == "_generate_next_value_":
		if b.auto {
			return nil, py.TypeErrorf("_generate_next_value_ must be defined before members")
		}
		b.next = staticPart(v)
	case name == "_ignore_":
		var err error
		if b.ignored, err = fieldNames(t, v); err != nil {
			return nil, err
		}
		var twice []string
		for _, n := range b.ignored {
			if contains(b.members, n) {
				twice = append(twice, reprText(n))
			}
		}
		if len(twice) > 0 {
			return nil, py.ValueErrorf("_ignore_ cannot specify already set names: {%s}", strings.Join(twice, ", "))
		}
	}
	return v, nil
}

// value resolves auto(), alone or as an item of a tuple.
func (b *enumBody) value(t *py.Thread, name string, v py.Value) (py.Value, error) {
	switch x := v.(type) {
	case *autoValue:
		if x.resolved == nil {
			r, err := t.Call(b.next, []py.Value{py.NewStr(name), py.Int(1), py.Int(len(b.members)), t.NewList(append([]py.Value(nil), b.last...))}, nil)
			if err != nil {
				return nil, err
			}
			x.resolved, b.auto = r, true
		}
		b.last = append(b.last, x.resolved)
		return x.resolved, nil
	case *py.Tuple:
		items := append([]py.Value(nil), x.Items...)
		changed := false
		for i, item := range items {
			if a, ok := item.(*autoValue); ok {
				r, err := b.value(t, name, a)
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

// Close marks what the values alone do not tell.
func (b *enumBody) Close(_ *py.Thread, ns *py.Dict) error {
	for _, name := range b.members {
		v, ok := ns.GetStr(name)
		if !ok {
			return py.KeyErrorFor(py.NewStr(name)) // deleted in the body
		}
		ns.SetStr(name, &wrappedMember{memberType, v})
	}
	for name := range b.outside {
		if v, ok := ns.GetStr(name); ok {
			ns.SetStr(name, &wrappedMember{nonMemberTyp, v})
		}
	}
	return nil
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
