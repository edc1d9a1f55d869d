package stdlib

import (
	"gauntlet/internal/py"
)

// This file is the module enum: its table, the metaclass (what can be done
// with an enumeration class) and the methods of members. Making a class is in
// enum_class.go, flags are in enum_flag.go.
//
// An enumeration keeps its bookkeeping in class attributes of CPython's names:
// _member_names_ (list), _member_map_ (name -> member), _value2member_map_
// (hashable value -> member), _member_type_ and, for flags, _flag_mask_,
// _singles_mask_ and _boundary_.

var (
	enumMeta     = py.NewType("enum", "EnumType", py.TypeType)
	enumType     = enumClass("Enum")
	reprEnumType = enumClass("ReprEnum", enumType)
	intEnumType  = enumClass("IntEnum", py.IntType, reprEnumType)
	strEnumType  = enumClass("StrEnum", py.StrType, reprEnumType)
	enumFlagType = enumClass("Flag", enumType)
	intFlagType  = enumClass("IntFlag", py.IntType, reprEnumType, enumFlagType)
	autoType     = py.NewType("enum", "auto")
	memberType   = py.NewType("enum", "member")
	nonMemberTyp = py.NewType("enum", "nonmember")
	boundaryType = py.NewType("enum", "FlagBoundary")
	enumPropType = py.NewType("enum", "property")
)

func enumClass(name string, bases ...*py.Type) *py.Type {
	c := py.NewType("enum", name, bases...)
	c.Meta = enumMeta
	return c
}

// buildEnumModule makes the module enum.
func buildEnumModule() *py.Module {
	enumType.BuildClass, enumType.OpenBody = buildEnumClass, openEnumBody
	setupEnumMeta()
	setupMembers()
	setupFlags()
	setupAuto()
	members := []py.Member{
		{Name: "Enum", Value: enumType}, {Name: "IntEnum", Value: intEnumType}, {Name: "StrEnum", Value: strEnumType},
		{Name: "ReprEnum", Value: reprEnumType}, {Name: "Flag", Value: enumFlagType}, {Name: "IntFlag", Value: intFlagType},
		{Name: "EnumMeta", Value: enumMeta}, {Name: "EnumType", Value: enumMeta},
		{Name: "auto", Value: autoType}, {Name: "member", Value: memberType}, {Name: "nonmember", Value: nonMemberTyp},
		{Name: "property", Value: py.PropertyType}, {Name: "FlagBoundary", Value: boundaryType},
		pyFunc("unique", "enumeration", enumUnique),
	}
	for _, b := range boundaries {
		members = append(members, py.Member{Name: b.name, Value: b})
	}
	return py.NewModule("enum", members...)
}

// memberMap is the names and members of an enumeration, aliases too.
func memberMap(c *py.Type) *py.Dict {
	v, ok := c.Attrs.GetStr("_member_map_")
	if !ok {
		return &py.Dict{}
	}
	d, _ := v.(*py.Dict)
	return d
}

// memberNames are the names of the members proper, in order of definition.
func memberNames(c *py.Type) []py.Value {
	v, ok := c.Attrs.GetStr("_member_names_")
	if !ok {
		return nil
	}
	l, _ := v.(*py.List)
	return l.Items
}

// membersOf are the members proper, in order of definition.
func membersOf(c *py.Type) []py.Value {
	d := memberMap(c)
	var out []py.Value
	for _, n := range memberNames(c) {
		s, _ := textOf(n)
		if m, ok := d.GetStr(s); ok {
			out = append(out, m)
		}
	}
	return out
}

// hiddenAttr is an attribute such as _value_ of a member, or None.
func hiddenAttr(v py.Value, name string) py.Value {
	if o, ok := v.(*py.Instance); ok {
		if x, ok := o.Attrs().GetStr(name); ok {
			return x
		}
	}
	return py.None
}

func memberValue(v py.Value) py.Value { return hiddenAttr(v, "_value_") }

func enumRepr(c *py.Type) string {
	kind := "enum"
	if c.IsSubclass(enumFlagType) {
		kind = "flag"
	}
	return "<" + kind + " " + reprText(c.Name) + ">"
}

// sliceIter iterates over values fixed at the start.
type sliceIter struct {
	items []py.Value
	i     int
}

func (s *sliceIter) next(*py.Thread) (py.Value, error) {
	if s.i >= len(s.items) {
		return nil, nil
	}
	s.i++
	return s.items[s.i-1], nil
}

func (s *sliceIter) fork(c *py.Copier) (iterSource, error) {
	items, err := forkSlice(c, s.items)
	return &sliceIter{items, s.i}, err
}

func reversedValues(items []py.Value) []py.Value {
	out := make([]py.Value, len(items))
	for i, v := range items {
		out[len(items)-1-i] = v
	}
	return out
}

func setupEnumMeta() {
	cls := func(v py.Value) *py.Type { return v.(*py.Type) }
	enumMeta.Finish(
		py.Member{Name: "__call__", Value: py.NewRawMethod("__call__", enumCall)},
		py.Def("__iter__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			m := membersOf(cls(self))
			return &libIter{itGenerator, &sliceIter{items: m}}, t.Alloc(16 * len(m))
		}),
		py.Def("__reversed__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			m := membersOf(cls(self))
			return &libIter{itGenerator, &sliceIter{items: reversedValues(m)}}, t.Alloc(32 * len(m))
		}),
		py.Def("__len__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.Int(len(memberNames(cls(self)))), nil
		}),
		py.Def("__bool__", "/", func(*py.Thread, py.Value, []py.Value) (py.Value, error) { return py.True, nil }),
		py.Def("__contains__", "member, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			if !enumType.IsInstance(a[0]) {
				return nil, py.TypeErrorf("unsupported operand type(s) for 'in': '%s' and 'EnumType'", a[0].Type().Qualname)
			}
			if !cls(self).IsInstance(a[0]) {
				return py.False, nil
			}
			name, _ := textOf(hiddenAttr(a[0], "_name_"))
			_, ok := memberMap(cls(self)).GetStr(name)
			return py.Bool(ok), nil
		}),
		py.Def("__getitem__", "name, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			m, err := memberMap(cls(self)).Get(t, a[0])
			if m == nil && err == nil {
				err = py.KeyErrorFor(a[0])
			}
			return m, err
		}),
		py.Def("__getattr__", "name, /", func(_ *py.Thread, _ py.Value, a []py.Value) (py.Value, error) {
			return nil, py.RaiseArgs(py.AttributeErrorType, a[0])
		}),
		py.Def("__setattr__", "name, value, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			name, _ := textOf(a[0])
			if _, ok := memberMap(cls(self)).GetStr(name); ok {
				return nil, py.AttributeErrorf("cannot reassign member %s", reprText(name))
			}
			return metaSetAttr(t, self, a)
		}),
		py.Def("__delattr__", "name, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			name, _ := textOf(a[0])
			if _, ok := memberMap(cls(self)).GetStr(name); ok {
				return nil, py.AttributeErrorf("%s cannot delete member %s.", reprText(cls(self).Name), reprText(name))
			}
			v, err := cls(self).Attrs.Pop(t, a[0])
			if v == nil && err == nil {
				err = py.AttributeErrorf("type object '%s' has no attribute '%s'", cls(self).Name, name)
			}
			return py.None, err
		}),
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.NewStr(enumRepr(cls(self))), nil
		}),
		py.Get("__members__", func(_ *py.Thread, self py.Value) (py.Value, error) {
			return &py.MappingProxy{D: memberMap(cls(self))}, nil
		}),
	)
}

var enumCallSig = parsePySig("EnumType.__call__", "cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None")

// enumCall is Color(value), or the functional API Enum("Color", "RED GREEN").
func enumCall(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	a, err := enumCallSig.bind(t, args, kw)
	if err != nil {
		return nil, err
	}
	cls := a[0].(*py.Type)
	if isSet(a[2]) {
		return enumFunctional(t, cls, a)
	}
	return enumFind(t, cls, a[1])
}

// enumFind is the member of a value; _missing_ has the last word.
func enumFind(t *py.Thread, cls *py.Type, value py.Value) (py.Value, error) {
	if value.Type() == cls {
		return value, nil
	}
	if m, err := enumByValue(t, cls, value); m != nil || err != nil {
		return m, err
	}
	if memberMap(cls).Len() == 0 {
		return nil, py.TypeErrorf("%s has no members defined", enumRepr(cls))
	}
	result, err := t.CallMethod(cls, "_missing_", value)
	if err != nil {
		return nil, err
	}
	if cls.IsInstance(result) {
		return result, nil
	}
	if _, whole := t.AsBigInt(result); whole && cls.IsSubclass(enumFlagType) && boundaryOf(cls) == ejectBoundary {
		return result, nil
	}
	if result != py.None {
		s, err := t.Repr(result)
		if err != nil {
			return nil, err
		}
		return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr("error in "+cls.Name+"._missing_: returned "+s+" instead of None or a valid member"))
	}
	return nil, notValid(t, cls, value)
}

func notValid(t *py.Thread, cls *py.Type, value py.Value) error {
	s, err := t.Repr(value)
	if err != nil {
		return err
	}
	return py.RaiseArgs(py.ValueErrorType, py.NewStr(s+" is not a valid "+cls.Qualname))
}

// enumByValue looks a value up; nil when no member has it.
func enumByValue(t *py.Thread, cls *py.Type, value py.Value) (py.Value, error) {
	v, _ := cls.Attrs.GetStr("_value2member_map_")
	d, ok := v.(*py.Dict)
	if !ok {
		return nil, nil
	}
	m, err := d.Get(t, value)
	if err == nil {
		return m, nil
	}
	if _, unhashable := py.Catch(err, py.TypeErrorType); !unhashable {
		return nil, err
	}
	for _, it := range memberMap(cls).Items(t) {
		eq, err := t.Eq(memberValue(it.Value), value)
		if err != nil {
			return nil, err
		}
		if eq {
			return it.Value, nil
		}
	}
	return nil, nil
}

// enumProperty is the attribute name or value of members. On the class it
// gives way to a member of that name.
type enumProperty struct{ name, from string }

// Type returns enum.property.
func (*enumProperty) Type() *py.Type { return enumPropType }

// Bind reads the attribute.
func (p *enumProperty) Bind(_ *py.Thread, self py.Value, cls *py.Type) (py.Value, error) {
	if self == nil {
		if m, ok := memberMap(cls).GetStr(p.name); ok {
			return m, nil
		}
		return nil, py.AttributeErrorf("%s", p.name)
	}
	return hiddenAttr(self, p.from), nil
}

func setupMembers() {
	enumType.Finish(
		py.Member{Name: "name", Value: &enumProperty{"name", "_name_"}},
		py.Member{Name: "value", Value: &enumProperty{"value", "_value_"}},
		py.Member{Name: "_missing_", Value: py.NewClassMethod("_missing_", "value, /", func(*py.Thread, py.Value, []py.Value) (py.Value, error) { return py.None, nil })},
		py.Member{Name: "_generate_next_value_", Value: &py.StaticMethod{Fn: py.NewFunc("_generate_next_value_", "name, start, count, last_values", enumNextValue)}},
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			v, err := t.Repr(memberValue(self))
			if err != nil {
				return nil, err
			}
			if name, ok := textOf(hiddenAttr(self, "_name_")); ok {
				return py.NewStr("<" + self.Type().Name + "." + name + ": " + v + ">"), nil
			}
			return py.NewStr("<" + self.Type().Name + ": " + v + ">"), nil
		}),
		py.Def("__str__", "/", enumStr),
		py.Def("__format__", "format_spec, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			s, err := t.Str(self)
			if err != nil {
				return nil, err
			}
			spec, _ := textOf(a[0])
			s, err = t.Format(py.NewStr(s), spec)
			return py.NewStr(s), err
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			h, err := t.HashInt(hiddenAttr(self, "_name_"))
			return py.Int(h), err
		}),
		py.Def("__setattr__", "name, value, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			name, _ := textOf(a[0])
			o, ok := self.(*py.Instance)
			if name == "name" || name == "value" || !ok {
				return nil, py.AttributeErrorf("<enum 'Enum'> cannot set attribute %s", reprText(name))
			}
			return py.None, t.SetAttrDirect(o, name, a[1])
		}),
	)
	for _, c := range []*py.Type{intEnumType, strEnumType, intFlagType} {
		c.Finish(valueText()...)
		if repr, ok := enumType.Attrs.GetStr("__repr__"); ok {
			c.Finish(py.Member{Name: "__repr__", Value: repr})
		}
	}
	strEnumType.Finish(py.Member{Name: "_generate_next_value_", Value: &py.StaticMethod{Fn: py.NewFunc("_generate_next_value_", "name, start, count, last_values", func(t *py.Thread, a []py.Value) (py.Value, error) {
		return t.CallMethod(a[0], "lower")
	})}})
}

// valueText is __str__ and __format__ of enumerations that print as their values.
func valueText() []py.Member {
	return []py.Member{
		py.Def("__str__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s, err := t.Str(py.Unwrap(self))
			return py.NewStr(s), err
		}),
		py.Def("__format__", "format_spec, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			spec, _ := textOf(a[0])
			s, err := t.Format(py.Unwrap(self), spec)
			return py.NewStr(s), err
		}),
	}
}

func enumStr(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	if name, ok := textOf(hiddenAttr(self, "_name_")); ok {
		return py.NewStr(self.Type().Name + "." + name), nil
	}
	v, err := t.Repr(memberValue(self))
	return py.NewStr(self.Type().Name + "(" + v + ")"), err
}

// enumUnique is the decorator that refuses aliases.
func enumUnique(_ *py.Thread, a []py.Value) (py.Value, error) {
	c, ok := a[0].(*py.Type)
	if !ok || c.Meta != enumMeta {
		return nil, py.AttributeErrorf("'%s' object has no attribute '__members__'", py.TypeName(a[0]))
	}
	text := ""
	for _, it := range memberMap(c).Items(noThread) {
		alias, _ := textOf(it.Key)
		name, _ := textOf(hiddenAttr(it.Value, "_name_"))
		if alias != name {
			if text != "" {
				text += ", "
			}
			text += alias + " -> " + name
		}
	}
	if text != "" {
		return nil, py.ValueErrorf("duplicate values found in %s: %s", enumRepr(c), text)
	}
	return c, nil
}
