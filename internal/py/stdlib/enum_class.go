package stdlib

import (
	"math/big"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// enumBuilder makes one enumeration class.
type enumBuilder struct {
	t          *py.Thread
	name       string
	cls        *py.Type
	first      *py.Type // the enumeration among the bases
	memberType *py.Type // data type mixed in; object without one
	newMember  py.Value // __new__ of members written in Python, or nil
	nativeNew  func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error)
	names      *py.List
	byName     *py.Dict
	byValue    *py.Dict
	flags      enumMasks
}

// reservedSunders are the names of the form _x_ that a class may define.
var reservedSunders = strings.Fields("_order_ _generate_next_value_ _numeric_repr_ _missing_ _ignore_ _iter_member_ _iter_member_by_value_ _iter_member_by_def_")

// buildEnumClass is class X(Enum).
func buildEnumClass(t *py.Thread, _ *py.Type, name string, bases []py.Value, ns *py.Dict, kw []py.Kw) (py.Value, error) {
	b := &enumBuilder{t: t, name: name, names: t.NewList(nil), byName: t.NewDict(), byValue: t.NewDict()}
	if err := b.mixins(bases); err != nil {
		return nil, err
	}
	var boundary py.Value
	var rest []py.Kw
	for _, k := range kw {
		if k.Name == "boundary" {
			boundary = k.Value
			continue
		}
		rest = append(rest, k)
	}
	attrs, members, err := b.split(ns)
	if err != nil {
		return nil, err
	}
	b.findNew(attrs)
	if b.cls, err = t.NewClass(name, name, bases, attrs); err != nil {
		return nil, err
	}
	b.cls.Meta = enumMeta
	attrs.SetStr("_member_names_", b.names)
	attrs.SetStr("_member_map_", b.byName)
	attrs.SetStr("_value2member_map_", b.byValue)
	attrs.SetStr("_member_type_", b.memberType)
	if boundary != nil && boundary != py.None {
		attrs.SetStr("_boundary_", boundary)
	}
	for _, m := range members {
		if err := b.addMember(m); err != nil {
			return nil, err
		}
	}
	b.textMethods(bases)
	if b.cls.IsSubclass(enumFlagType) {
		b.flags.store(attrs)
	}
	return b.cls, t.FinishClass(b.cls, rest)
}

// mixins checks the bases and finds the enumeration and the data type.
func (b *enumBuilder) mixins(bases []py.Value) error {
	b.first, b.memberType = enumType, py.ObjectType
	for i, v := range bases {
		c := v.(*py.Type)
		for _, m := range c.MRO {
			if m.IsSubclass(enumType) && memberMap(m).Len() > 0 {
				return py.TypeErrorf("<enum %s> cannot extend %s", reprText(b.name), enumRepr(m))
			}
		}
		if i == len(bases)-1 {
			if !c.IsSubclass(enumType) {
				return py.TypeErrorf("new enumerations should be created as `EnumName([mixin_type, ...] [data_type,] enum_type)`")
			}
			b.first = c
		}
	}
	var found []*py.Type
	for _, v := range bases {
		if d := dataTypeOf(v.(*py.Type)); d != nil && (len(found) == 0 || found[0] != d) {
			found = append(found, d)
		}
	}
	if len(found) > 1 {
		return py.TypeErrorf("too many data types for %s: {%s, %s}", reprText(b.name), "<class '"+found[0].Name+"'>", "<class '"+found[1].Name+"'>")
	}
	if len(found) == 1 {
		b.memberType = found[0]
	}
	return nil
}

// dataTypeOf is the data type that a base brings: the first class that makes
// its objects itself, or the subclass of it that comes before.
func dataTypeOf(base *py.Type) *py.Type {
	var candidate *py.Type
	for _, m := range base.MRO {
		if m == py.ObjectType {
			continue
		}
		if m.IsSubclass(enumType) {
			if v, ok := m.Lookup("_member_type_"); ok && v != py.Value(py.ObjectType) {
				d, _ := v.(*py.Type)
				return d
			}
			if m.IsSubclass(enumType) && len(m.Bases) > 0 && m.Bases[0] != py.ObjectType && !m.Bases[0].IsSubclass(enumType) {
				continue // IntEnum: int follows in the MRO
			}
			continue
		}
		_, data := m.Attrs.GetStr("__dataclass_fields__")
		_, makes := m.Attrs.GetStr("__new__")
		if data || makes || m.New != nil {
			if candidate != nil {
				return candidate
			}
			return m
		}
		if candidate == nil {
			candidate = m
		}
	}
	return nil
}

// enumMember is a name and the value that the class body gives it.
type enumMember struct {
	name string
	raw  py.Value
}

// split separates the members of a class body from its other attributes.
func (b *enumBuilder) split(ns *py.Dict) (*py.Dict, []enumMember, error) {
	attrs := b.t.NewDict()
	var members []enumMember
	ignore := map[string]bool{}
	if v, ok := ns.GetStr("_ignore_"); ok {
		names, err := fieldNames(b.t, v)
		if err != nil {
			return nil, nil, err
		}
		for _, n := range names {
			ignore[n] = true
		}
	}
	if err := b.t.Charge(ns.Len()); err != nil {
		return nil, nil, err
	}
	for _, it := range ns.Items(b.t) {
		name, _ := textOf(it.Key)
		v := it.Value
		w, wrapped := v.(*wrappedMember)
		switch {
		case ignore[name] || name == "_ignore_" || name == "_order_":
			continue
		case isSunder(name) && !contains(reservedSunders, name):
			return nil, nil, py.ValueErrorf("_sunder_ names, such as %s, are reserved for future Enum use", reprText(name))
		case wrapped && w.class == nonMemberTyp:
			attrs.SetStr(name, w.value)
		case !wrapped && (isSunder(name) || isDunder(name) || isPrivateName(b.name, name) || isDescriptor(v)):
			if _, fn := v.(*py.Function); fn && name == "_generate_next_value_" {
				v = &py.StaticMethod{Fn: v}
			}
			attrs.SetStr(name, v)
		case name == "mro" || name == "":
			return nil, nil, py.ValueErrorf("invalid enum member name(s) %s", reprText(name))
		default:
			if wrapped {
				v = w.value
			}
			members = append(members, enumMember{name, v})
		}
	}
	return attrs, members, nil
}

// findNew decides how members are made: by a __new__ in Python, of this class,
// of the enumeration or of the data type; by the data type's constructor; or
// plainly.
func (b *enumBuilder) findNew(attrs *py.Dict) {
	if v, ok := attrs.GetStr("__new__"); ok {
		b.newMember = staticPart(v)
		attrs.SetStr("__new_member__", &py.StaticMethod{Fn: b.newMember})
		_, _ = attrs.Pop(b.t, py.NewStr("__new__")) // a str key cannot fail
		return
	}
	if v, ok := b.first.Lookup("__new_member__"); ok {
		b.newMember = staticPart(v)
		return
	}
	for _, m := range b.memberType.MRO {
		if v, ok := m.Attrs.GetStr("__new__"); ok && m.Heap {
			b.newMember = staticPart(v)
			return
		}
		if m.New != nil && m != py.ObjectType {
			b.nativeNew = m.New
			return
		}
	}
}

// addMember makes the member for one name, or an alias.
func (b *enumBuilder) addMember(m enumMember) error {
	value := m.raw
	args := []py.Value{value}
	if tup, ok := value.(*py.Tuple); ok && b.memberType != py.TupleType {
		args = append([]py.Value(nil), tup.Items...)
	}
	o, err := b.construct(args)
	if err != nil {
		return err
	}
	set := func(name string, v py.Value) { o.Attrs().SetStr(name, v) }
	if v, ok := o.Attrs().GetStr("_value_"); ok {
		value = v
	} else if b.memberType != py.ObjectType {
		if value, err = b.dataValue(o, args); err != nil {
			return err
		}
	}
	set("_value_", value)
	set("_name_", py.NewStr(m.name))
	set("__objclass__", b.cls)
	if err := b.initMember(o, args); err != nil {
		return err
	}
	set("_sort_order_", py.Int(len(b.names.Items)))
	return b.record(m.name, o, memberValue(o))
}

// construct makes the object of a member.
func (b *enumBuilder) construct(args []py.Value) (*py.Instance, error) {
	var v py.Value
	var err error
	switch {
	case b.newMember != nil:
		v, err = b.t.Call(b.newMember, append([]py.Value{b.cls}, args...), nil)
	case b.nativeNew != nil:
		if b.cls.IsSubclass(strEnumType) {
			if err := checkStrEnum(b.t, args); err != nil {
				return nil, err
			}
		}
		v, err = b.nativeNew(b.t, b.cls, args, nil)
	default:
		v = py.NewInstance(b.cls, nil)
	}
	if err != nil {
		return nil, err
	}
	o, ok := v.(*py.Instance)
	if !ok {
		return nil, py.AttributeErrorf("'%s' object has no attribute '_value_'", py.TypeName(v))
	}
	return o, nil
}

// checkStrEnum is what StrEnum demands of its values.
func checkStrEnum(t *py.Thread, args []py.Value) error {
	fail := func(format string, v py.Value) error {
		s, err := t.Repr(v)
		if err != nil {
			return err
		}
		return py.RaiseArgs(py.TypeErrorType, py.NewStr(strings.Replace(format, "%r", s, 1)))
	}
	if len(args) > 3 {
		return fail("too many arguments for str(): %r", py.NewTuple(args...))
	}
	formats := []string{"%r is not a string", "encoding must be a string, not %r", "errors must be a string, not %r"}
	for i, v := range args {
		if i == 0 && len(args) > 1 {
			continue
		}
		if _, ok := textOf(v); !ok {
			return fail(formats[i], v)
		}
	}
	return nil
}

// dataValue is the value of a member of an enumeration with a data type.
func (b *enumBuilder) dataValue(o *py.Instance, args []py.Value) (py.Value, error) {
	if p := o.Payload(); p != nil && !b.memberType.Heap {
		return p, nil
	}
	v, err := b.t.Call(b.memberType, args, nil)
	if _, failed := py.Catch(err, py.ExceptionType); failed {
		return nil, py.TypeErrorf("_value_ not set in __new__, unable to create it")
	}
	return v, err
}

// initMember runs an __init__ other than object's.
func (b *enumBuilder) initMember(o *py.Instance, args []py.Value) error {
	f, ok := b.cls.Lookup("__init__")
	if !ok {
		return nil
	}
	if n, native := f.(*py.Native); native && (n.Owner == py.ObjectType || b.nativeNew == nil) {
		return nil
	}
	bound, err := b.t.GetAttr(o, "__init__")
	if err != nil {
		return err
	}
	_, err = b.t.Call(bound, args, nil)
	return err
}

// record enters a member in the tables, as an alias when its value is known.
func (b *enumBuilder) record(name string, o *py.Instance, value py.Value) error {
	t := b.t
	var member py.Value
	member, err := enumByValue(t, b.cls, value)
	if err != nil {
		return err
	}
	if member == nil {
		member = o
		v, whole := t.AsBigInt(value)
		single := whole && v.Sign() > 0 && new(big.Int).And(v, new(big.Int).Sub(v, big.NewInt(1))).Sign() == 0
		if b.cls.IsSubclass(enumFlagType) {
			if !whole {
				_, err := t.InplaceOp(syntax.BitOr, py.Int(0), value)
				return err
			}
			b.flags.add(v, single)
		}
		if !b.cls.IsSubclass(enumFlagType) || single {
			if err := b.names.Append(t, py.NewStr(name)); err != nil {
				return err
			}
		}
	}
	if err := b.byName.Set(t, py.NewStr(name), member); err != nil {
		return err
	}
	if name == "name" || name == "value" {
		// The member shares the name with the attribute of members.
		b.cls.Attrs.SetStr(name, &enumProperty{name, "_" + name + "_"})
	} else {
		b.cls.Attrs.SetStr(name, member)
	}
	known, err := b.byValue.Get(t, value)
	if err == nil && known == nil {
		err = b.byValue.Set(t, value, member)
	}
	if _, unhashable := py.Catch(err, py.TypeErrorType); unhashable {
		return nil
	}
	return err
}

// textMethods keeps the enumeration's repr, str and format where the data
// type's would come first; ReprEnum prints as the value.
func (b *enumBuilder) textMethods(bases []py.Value) {
	if hasValue(bases, reprEnumType) {
		for _, m := range valueText() {
			if _, own := b.cls.Attrs.GetStr(m.Name); !own {
				if n, ok := m.Value.(*py.Native); ok {
					n.Owner = reprEnumType
				}
				b.cls.Attrs.SetStr(m.Name, m.Value)
			}
		}
	}
	for _, name := range []string{"__repr__", "__str__", "__format__"} {
		if _, own := b.cls.Attrs.GetStr(name); own {
			continue
		}
		found, _ := b.cls.Lookup(name)
		data, _ := b.memberType.Lookup(name)
		plain, _ := py.ObjectType.Lookup(name)
		if found == data || found == plain {
			if m, ok := b.first.Lookup(name); ok {
				b.cls.Attrs.SetStr(name, m)
			}
		}
	}
	if b.cls.IsSubclass(enumFlagType) && b.memberType != py.ObjectType {
		for _, name := range enumFlagOperators {
			if _, own := b.cls.Attrs.GetStr(name); !own {
				if m, ok := enumFlagType.Attrs.GetStr(name); ok {
					b.cls.Attrs.SetStr(name, m)
				}
			}
		}
	}
}
