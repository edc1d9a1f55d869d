package py

// The built-in classes. Their methods are attached by setup, since method code
// refers back to the classes.
var (
	ObjectType = rootType()

	TypeType               = builtinType("type", false)
	NoneTypeType           = sealed("NoneType")
	EllipsisTypeType       = sealed("ellipsis")
	NotImplementedTypeType = sealed("NotImplementedType")
	IntType                = builtinType("int", true)
	BoolType               = func() *Type { c := NewType("builtins", "bool", IntType); c.final = true; return c }()
	FloatType              = builtinType("float", true)
	StrType                = builtinType("str", true)
	BytesType              = builtinType("bytes", true)
	TupleType              = builtinType("tuple", true)
	ListType               = builtinType("list", true)
	DictType               = builtinType("dict", true)
	SetType                = builtinType("set", true)
	FrozenSetType          = builtinType("frozenset", true)
	RangeType              = sealed("range")
	SliceType              = sealed("slice")
	CellType               = sealed("cell")
	FunctionType           = sealed("function")
	MethodType             = sealed("method")
	NativeType             = sealed("builtin_function_or_method")
	MethodDescriptorType   = sealed("method_descriptor")
	ModuleType             = sealed("module")
	StaticMethodType       = builtinType("staticmethod", false)
	ClassMethodType        = builtinType("classmethod", false)
	PropertyType           = builtinType("property", false)
	GetterType             = sealed("getset_descriptor")
	SuperType              = sealed("super")
	GeneratorType          = sealed("generator")
	MappingProxyType       = sealed("mappingproxy")
)

func builtinType(name string, solid bool) *Type {
	c := NewType("builtins", name, ObjectType)
	c.solid = solid
	return c
}

func sealed(name string) *Type {
	c := builtinType(name, false)
	c.final = true
	c.Attrs.SetStr("__doc__", None)
	return c
}

// builtins is the namespace behind every module's globals, filled by setup.
var builtins = &Dict{}

// ready attaches all methods before the first use of the package.
var ready = setup()

func setup() bool {
	setupConstructors()
	setupObject()
	setupExceptions()
	StrType.Finish(strMembers()...)
	BytesType.Finish(bytesMembers()...)
	ListType.Finish(listMembers()...)
	TupleType.Finish(tupleMembers()...)
	DictType.Finish(dictMembers()...)
	SetType.Finish(setMembers()...)
	FrozenSetType.Finish(frozenSetMembers()...)
	IntType.Finish(intMembers()...)
	FloatType.Finish(floatMembers()...)
	RangeType.Finish(rangeMembers()...)
	SliceType.Finish(sliceMembers()...)
	setupDunders()
	setupGenerator()
	setupGenerics()
	fillBuiltins(builtins)
	return true
}

func fillBuiltins(d *Dict) {
	for _, c := range []*Type{ObjectType, TypeType, IntType, BoolType, FloatType, StrType, BytesType, TupleType, ListType, DictType, SetType, FrozenSetType, RangeType, SliceType, StaticMethodType, ClassMethodType, PropertyType, SuperType} {
		d.SetStr(c.Name, c)
		if _, own := c.Attrs.GetStr("__doc__"); !own { // property computes its own
			c.Attrs.SetStr("__doc__", NewStr("The built-in class "+c.Name+"."))
		}
	}
	for name, c := range excByName {
		d.SetStr(name, c)
		c.Attrs.SetStr("__doc__", NewStr("The built-in exception "+c.Name+"."))
	}
	for _, m := range builtinMembers() {
		d.SetStr(m.Name, m.Value)
	}
	for _, m := range coreMembers() {
		d.SetStr(m.Name, m.Value)
	}
	d.SetStr("NotImplemented", NotImplemented)
	d.SetStr("Ellipsis", Ellipsis)
	d.SetStr("__debug__", True)
}

// NewModule makes a library module.
func NewModule(name string, members ...Member) *Module {
	m := &Module{Name: name, Attrs: &Dict{}, Fixed: true}
	m.Attrs.SetStr("__name__", NewStr(name))
	for _, x := range members {
		switch v := x.Value.(type) {
		case *Native:
			if v.Mod == "" {
				v.Mod = name
			}
		}
		m.Attrs.SetStr(x.Name, x.Value)
	}
	return m
}

// Members lists a module's attributes in order.
func (m *Module) Members() []Member {
	var out []Member
	for _, e := range m.Attrs.entries {
		if s, ok := e.key.(*Str); ok {
			out = append(out, Member{s.s, e.val})
		}
	}
	return out
}

// TypeName is the name of v's class.
func TypeName(v Value) string {
	return v.Type().longName()
}

// longName is the name of a class in error messages.
func (c *Type) longName() string {
	if c.Long {
		return c.Mod + "." + c.Name
	}
	return c.Name
}

// AsInt returns an int or bool that fits 64 bits.
func AsInt(v Value) (int64, bool) {
	switch x := v.(type) {
	case Int:
		return int64(x), true
	case Bool:
		if x {
			return 1, true
		}
		return 0, true
	case *Instance:
		if x.payload != nil {
			return AsInt(x.payload)
		}
	}
	return 0, false
}

// AsStr returns a str or the str part of a subclass instance.
func AsStr(v Value) (*Str, bool) { s, ok := Unwrap(v).(*Str); return s, ok }

// AsDict returns a dict or the dict part of a subclass instance.
func AsDict(v Value) (*Dict, bool) { d, ok := Unwrap(v).(*Dict); return d, ok }

// AsList returns a list or the list part of a subclass instance.
func AsList(v Value) (*List, bool) { l, ok := Unwrap(v).(*List); return l, ok }

// AsTuple returns a tuple or the tuple part of a subclass instance (not of an exception).
func AsTuple(v Value) (*Tuple, bool) {
	if i, ok := v.(*Instance); ok && i.class.IsSubclass(BaseExceptionType) {
		return nil, false
	}
	x, ok := Unwrap(v).(*Tuple)
	return x, ok
}

// AsSet returns a set or frozenset, or that part of a subclass instance.
func AsSet(v Value) (*Set, bool) { s, ok := Unwrap(v).(*Set); return s, ok }
