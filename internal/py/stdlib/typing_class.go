package stdlib

import (
	"strings"

	"gauntlet/internal/py"
)

// This file holds the classes of typing that change how classes are made:
// Generic, Protocol, NamedTuple and TypedDict.

var (
	genericType        = py.NewType("typing", "Generic")
	protocolType       = py.NewType("typing", "Protocol", genericType)
	namedTupleFormType = py.NewType("typing", "NamedTuple")
	typedDictMeta      = py.NewType("typing", "_TypedDictMeta", py.TypeType)
	typedDictType      = py.NewType("typing", "TypedDict")
	anyMeta            = py.NewType("typing", "_AnyMeta", py.TypeType)
	anyType            = py.NewType("typing", "Any")
	protocolMetaType   = py.NewType("typing", "_ProtocolMeta", abcMetaType)
)

func setupTypingClasses() {
	genericType.Finish(py.Member{Name: "__class_getitem__", Value: py.NewClassMethod("__class_getitem__", "params, /", genericItem)})
	setupProtocol()
	namedTupleFormType.BuildClass = buildNamedTupleClass
	bindTuple := parsePySig("NamedTuple", "typename, fields=None, **kwargs")
	namedTupleFormType.New = func(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		a, err := bindTuple.bind(t, args, kw)
		if err != nil {
			return nil, err
		}
		return namedTupleCall(t, a)
	}
	setupTypedDict()
	anyMeta.Finish(
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			if self == py.Value(anyType) {
				return py.NewStr("typing.Any"), nil
			}
			s, err := t.DefaultRepr(self)
			return py.NewStr(s), err
		}),
		py.Def("__instancecheck__", "instance, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			if self == py.Value(anyType) {
				return nil, py.TypeErrorf("typing.Any cannot be used with isinstance()")
			}
			return py.Bool(self.(*py.Type).IsInstance(a[0])), nil
		}),
		py.Def("__setattr__", "name, value, /", metaSetAttr),
	)
	anyType.Meta = anyMeta
	anyType.New = func(_ *py.Thread, cls *py.Type, _ []py.Value, _ []py.Kw) (py.Value, error) {
		if cls == anyType {
			return nil, py.TypeErrorf("Any cannot be instantiated")
		}
		return py.NewInstance(cls, nil), nil
	}
}

// genericItem is Class[params] of a generic class.
func genericItem(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	cls := self.(*py.Type)
	params := []py.Value{a[0]}
	if tup, ok := a[0].(*py.Tuple); ok {
		params = tup.Items
	}
	params = toTypes(params)
	if cls == genericType || cls == protocolType {
		for _, p := range params {
			if _, ok := p.(*typeVar); !ok {
				return nil, py.TypeErrorf("Parameters to %s[...] must all be type variables or parameter specification variables.", cls.Name)
			}
		}
		return &typingAlias{origin: cls, args: params}, nil
	}
	if vars, known, err := classParams(t, cls); err != nil {
		return nil, err
	} else if known {
		if len(vars) == 0 {
			s, err := t.Repr(cls)
			if err != nil {
				return nil, err
			}
			return nil, py.TypeErrorf("%s is not a generic class", s)
		}
		if err := countParams(t, cls, len(params), len(vars)); err != nil {
			return nil, err
		}
	}
	return &typingAlias{origin: cls, args: params}, nil
}

// classParams are the type variables of a generic class, if its class
// statement's bases are known.
func classParams(t *py.Thread, cls *py.Type) ([]py.Value, bool, error) {
	v, ok := cls.Attrs.GetStr("__orig_bases__")
	if !ok {
		return nil, false, nil
	}
	bases, ok := v.(*py.Tuple)
	if !ok {
		return nil, false, nil
	}
	vars, err := typeVars(t, bases.Items)
	return vars, true, err
}

func setupProtocol() {
	protocolType.Meta = protocolMetaType
	protocolType.BuildClass = buildProtocolClass
	protocolMetaType.Finish(
		py.Member{Name: "__call__", Value: py.NewRawMethod("__call__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			c, ok := args[0].(*py.Type)
			if ok && isProtocol(c) {
				return nil, py.TypeErrorf("Protocols cannot be instantiated")
			}
			construct, _ := py.TypeType.Lookup("__call__")
			return t.Call(construct, args, kw)
		})},
		py.Def("__instancecheck__", "instance, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			ok, err := abcInstance(t, self.(*py.Type), a[0])
			return py.Bool(ok), err
		}),
	)
}

// isProtocol reports whether c itself is a protocol, not an implementation.
func isProtocol(c *py.Type) bool {
	v, ok := c.Attrs.GetStr("_is_protocol")
	return c == protocolType || ok && v == py.True
}

// buildProtocolClass makes a class with Protocol among its bases, or one that
// implements a protocol.
func buildProtocolClass(t *py.Thread, meta *py.Type, name string, bases []py.Value, ns *py.Dict, kw []py.Kw) (py.Value, error) {
	ns.SetStr("_is_protocol", py.Bool(hasValue(bases, protocolType)))
	if meta == nil {
		meta = protocolMetaType
	}
	return abcBuildClass(t, meta, name, bases, ns, kw)
}

// notMembers are attributes of a protocol class that are no requirement.
var notMembers = strings.Fields(`__abstractmethods__ __annotations__ __dict__ __doc__ __init__ __module__ __new__ __slots__ __subclasshook__
	__weakref__ __class_getitem__ __parameters__ __orig_bases__ __orig_class__ _is_protocol _is_runtime_protocol __match_args__ __qualname__ __hash__`)

// protocolNames are the attributes that a runtime protocol asks for; nil when
// cls is no protocol. what is the function that needs them.
func protocolNames(t *py.Thread, cls *py.Type, what string) ([]string, error) {
	if !isProtocol(cls) || cls == protocolType {
		return nil, nil
	}
	if v, ok := cls.Lookup("_is_runtime_protocol"); !ok || v != py.True {
		return nil, py.TypeErrorf("Instance and class checks can only be used with @runtime_checkable protocols")
	}
	names := []string{}
	data := false
	for _, c := range cls.MRO {
		if !isProtocol(c) || c == protocolType {
			continue
		}
		for _, it := range c.Attrs.Items(t) {
			if s, ok := textOf(it.Key); ok && !contains(notMembers, s) && !strings.HasPrefix(s, "_abc_") {
				names = append(names, s)
			}
		}
		if v, ok := c.Attrs.GetStr("__annotations__"); ok {
			if d, ok := v.(*py.Dict); ok {
				for _, k := range d.Keys(t) {
					s, _ := textOf(k)
					names = append(names, s)
					data = true
				}
			}
		}
	}
	if data && what == "issubclass" {
		return nil, py.TypeErrorf("Protocols with non-method members don't support issubclass()")
	}
	return names, nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// tupleReserved are the names that a NamedTuple class may not define.
var tupleReserved = strings.Fields("__new__ __init__ __slots__ __getnewargs__ _fields _field_defaults _field_types _make _replace _asdict _source")

// buildNamedTupleClass is class X(NamedTuple).
func buildNamedTupleClass(t *py.Thread, _ *py.Type, name string, bases []py.Value, ns *py.Dict, _ []py.Kw) (py.Value, error) {
	for _, b := range bases {
		if b != py.Value(namedTupleFormType) && b != py.Value(genericType) {
			return nil, py.TypeErrorf("can only inherit from a NamedTuple type and Generic")
		}
	}
	types := t.NewDict()
	if v, ok := ns.GetStr("__annotations__"); ok {
		if d, ok := v.(*py.Dict); ok {
			for _, it := range d.Items(t) {
				if err := types.Set(t, it.Key, toType(it.Value)); err != nil {
					return nil, err
				}
			}
		}
	}
	var fields, withDefault []string
	var defaults []py.Value
	for _, k := range types.Keys(t) {
		f, _ := textOf(k)
		fields = append(fields, f)
		if v, ok := ns.GetStr(f); ok {
			withDefault = append(withDefault, f)
			defaults = append(defaults, v)
		} else if len(defaults) > 0 {
			s := ""
			if len(withDefault) > 1 {
				s = "s"
			}
			return nil, py.TypeErrorf("Non-default namedtuple field %s cannot follow default field%s %s", f, s, strings.Join(withDefault, ", "))
		}
	}
	c, err := typedTuple(t, name, fields, defaults, types, ns)
	if err != nil {
		return nil, err
	}
	if hasValue(bases, genericType) {
		c.Attrs.SetStr("__class_getitem__", py.NewClassMethod("__class_getitem__", "params, /", genericItem))
	}
	for _, it := range ns.Items(t) {
		key, _ := textOf(it.Key)
		switch {
		case contains(tupleReserved, key):
			return nil, py.AttributeErrorf("Cannot overwrite NamedTuple attribute %s", key)
		case contains(fields, key), key == "__module__", key == "__qualname__", key == "__name__", key == "__annotations__":
			continue
		}
		if err := c.Attrs.Set(t, it.Key, it.Value); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// typedTuple makes a namedtuple class with annotations.
func typedTuple(t *py.Thread, name string, fields []string, defaults []py.Value, types, from *py.Dict) (*py.Type, error) {
	if err := checkFields(name, fields, false); err != nil {
		return nil, err
	}
	ns := t.NewDict()
	for _, k := range []string{"__module__", "__qualname__"} {
		if v, ok := from.GetStr(k); ok {
			ns.SetStr(k, v)
		}
	}
	c, err := makeNamedTuple(t, name, fields, defaults, ns)
	if err != nil {
		return nil, err
	}
	c.Attrs.SetStr("__annotations__", types)
	return c, nil
}

// namedTupleCall is NamedTuple("X", [("a", int)]).
func namedTupleCall(t *py.Thread, a []py.Value) (py.Value, error) {
	name, ok := textOf(a[0])
	if !ok {
		return nil, py.TypeErrorf("NamedTuple() type name must be a string")
	}
	types := t.NewDict()
	var fields []string
	put := func(k, v py.Value) error {
		f, _ := textOf(k)
		fields = append(fields, f)
		return types.Set(t, k, toType(v))
	}
	if isSet(a[1]) {
		err := t.ForEach(a[1], func(pair py.Value) error {
			kv, err := t.Collect(pair)
			if err != nil {
				return err
			}
			if len(kv) != 2 {
				return py.ValueErrorf("not enough values to unpack (expected 2, got %d)", len(kv))
			}
			return put(kv[0], kv[1])
		})
		if err != nil {
			return nil, err
		}
	} else {
		for _, it := range a[2].(*py.Dict).Items(t) {
			if err := put(it.Key, it.Value); err != nil {
				return nil, err
			}
		}
	}
	c, err := typedTuple(t, name, fields, nil, types, t.NewDict())
	if err != nil {
		return nil, err
	}
	return c, nil
}
