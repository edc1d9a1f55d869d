package stdlib

import (
	"gauntlet/internal/py"
)

// This file is the module dataclasses: its table, fields and small functions.
// The decorator is in dataclass_class.go, the generated methods are in
// dataclass_method.go.

var (
	fieldType       = py.NewType("dataclasses", "Field")
	missingType     = py.NewType("dataclasses", "_MISSING_TYPE")
	kwOnlyType      = py.NewType("dataclasses", "_KW_ONLY_TYPE")
	initVarType     = py.NewType("dataclasses", "InitVar")
	dataParamsType  = py.NewType("dataclasses", "_DataclassParams")
	frozenErrorType = py.NewType("dataclasses", "FrozenInstanceError", py.AttributeErrorType)
)

// dataMark is one of the constants MISSING and KW_ONLY.
type dataMark struct{ class *py.Type }

// Type returns the constant's own class.
func (m *dataMark) Type() *py.Type { return m.class }

var (
	missingMark = &dataMark{missingType}
	kwOnlyMark  = &dataMark{kwOnlyType}
)

// fieldKind says whether an annotation is a field of the objects.
type fieldKind uint8

const (
	fieldPlain fieldKind = iota
	fieldClassVar
	fieldInitVar
)

// dataField is dataclasses.Field. Absent values are nil.
type dataField struct {
	name             string
	note             py.Value // the annotation
	def, factory     py.Value
	init, repr, comp bool
	hash             py.Value // None, True or False
	kwOnly           py.Value // nil until the class decides
	metadata         py.Value // a mapping, or nil
	kind             fieldKind
	placed           bool // belongs to a class
}

// Type returns dataclasses.Field.
func (*dataField) Type() *py.Type { return fieldType }

// CopyFor copies the field for a fork.
func (f *dataField) CopyFor(c *py.Copier) (py.Value, error) {
	n := *f
	for _, v := range []*py.Value{&n.note, &n.def, &n.factory, &n.metadata} {
		x, err := c.Copy(*v)
		if err != nil {
			return nil, err
		}
		*v = x
	}
	return &n, nil
}

// required reports whether __init__ needs an argument for the field.
func (f *dataField) required() bool { return f.def == nil && f.factory == nil }

// hashed reports whether the field takes part in __hash__.
func (f *dataField) hashed() bool {
	if f.hash == py.None {
		return f.comp
	}
	return f.hash == py.True
}

// initVar is InitVar[T].
type initVar struct{ note py.Value }

// Type returns dataclasses.InitVar.
func (*initVar) Type() *py.Type { return initVarType }

// CopyFor copies the object for a fork.
func (v *initVar) CopyFor(c *py.Copier) (py.Value, error) {
	n, err := c.Copy(v.note)
	return &initVar{n}, err
}

// buildDataclasses makes the module dataclasses.
func buildDataclasses() *py.Module {
	setupFields()
	return py.NewModule("dataclasses",
		pyFunc("dataclass", "cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False", dataclassDecorator),
		pyFunc("field", "*, default=None, default_factory=None, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=None", newField),
		pyFunc("fields", "class_or_instance", dataFieldsOf),
		pyFunc("asdict", "obj, *, dict_factory=dict", dataAsDict),
		pyFunc("astuple", "obj, *, tuple_factory=tuple", dataAsTuple),
		py.Member{Name: "replace", Value: py.NewRaw("replace", dataReplace)},
		pyFunc("is_dataclass", "obj", func(_ *py.Thread, a []py.Value) (py.Value, error) { return py.Bool(dataFields(a[0]) != nil), nil }),
		pyFunc("make_dataclass", "cls_name, fields, *, bases=(), namespace=None, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False", makeDataclass),
		py.Member{Name: "Field", Value: fieldType},
		py.Member{Name: "InitVar", Value: initVarType},
		py.Member{Name: "FrozenInstanceError", Value: frozenErrorType},
		py.Member{Name: "MISSING", Value: missingMark},
		py.Member{Name: "KW_ONLY", Value: kwOnlyMark},
	)
}

// notMissing maps the constant MISSING to nil.
func notMissing(v py.Value) py.Value {
	if v == py.Value(missingMark) {
		return nil
	}
	return v
}

func orMissing(v py.Value) py.Value {
	if v == nil {
		return missingMark
	}
	return v
}

func newField(t *py.Thread, a []py.Value) (py.Value, error) {
	f := &dataField{def: notMissing(a[0]), factory: notMissing(a[1]), hash: given(a[4], py.None), kwOnly: notMissing(a[7])}
	if f.def != nil && f.factory != nil {
		return nil, py.ValueErrorf("cannot specify both default and default_factory")
	}
	for i, flag := range map[int]*bool{2: &f.init, 3: &f.repr, 5: &f.comp} {
		*flag = true
		if a[i] != nil {
			v, err := t.Truth(a[i])
			if err != nil {
				return nil, err
			}
			*flag = v
		}
	}
	if isSet(a[6]) {
		f.metadata = a[6]
	}
	return f, nil
}

func setupFields() {
	of := func(v py.Value) *dataField { return v.(*dataField) }
	get := func(name string, fn func(f *dataField) py.Value) py.Member {
		return py.Get(name, func(_ *py.Thread, self py.Value) (py.Value, error) { return fn(of(self)), nil })
	}
	name := func(f *dataField) py.Value {
		if !f.placed {
			return py.None
		}
		return py.NewStr(f.name)
	}
	metadata := func(f *dataField) py.Value {
		d, _ := py.AsDict(given(f.metadata, py.None))
		if d == nil {
			d = &py.Dict{}
		}
		return &py.MappingProxy{D: d}
	}
	kind := func(f *dataField) py.Value {
		if !f.placed {
			return py.NewStr("None")
		}
		return py.NewStr([...]string{"_FIELD", "_FIELD_CLASSVAR", "_FIELD_INITVAR"}[f.kind])
	}
	type column struct {
		name string
		fn   func(f *dataField) py.Value
	}
	columns := []column{
		{"name", name},
		{"type", func(f *dataField) py.Value { return given(f.note, py.None) }},
		{"default", func(f *dataField) py.Value { return orMissing(f.def) }},
		{"default_factory", func(f *dataField) py.Value { return orMissing(f.factory) }},
		{"init", func(f *dataField) py.Value { return py.Bool(f.init) }},
		{"repr", func(f *dataField) py.Value { return py.Bool(f.repr) }},
		{"hash", func(f *dataField) py.Value { return f.hash }},
		{"compare", func(f *dataField) py.Value { return py.Bool(f.comp) }},
		{"metadata", metadata},
		{"kw_only", func(f *dataField) py.Value { return orMissing(f.kwOnly) }},
	}
	for _, c := range columns {
		fieldType.Finish(get(c.name, c.fn))
	}
	fieldType.Finish(py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		text := "Field("
		for _, c := range columns {
			s, err := t.Repr(c.fn(of(self)))
			if err != nil {
				return nil, err
			}
			text += c.name + "=" + s + ","
		}
		k, _ := textOf(kind(of(self)))
		return py.NewStr(text + "_field_type=" + k + ")"), t.Alloc(len(text))
	}))
	initVarType.New = func(_ *py.Thread, _ *py.Type, args []py.Value, _ []py.Kw) (py.Value, error) {
		if len(args) != 1 {
			return nil, py.TypeErrorf("InitVar.__init__() missing 1 required positional argument: 'type'")
		}
		return &initVar{args[0]}, nil
	}
	initVarType.Finish(
		py.Member{Name: "__class_getitem__", Value: py.NewClassMethod("__class_getitem__", "type, /", func(_ *py.Thread, _ py.Value, a []py.Value) (py.Value, error) {
			return &initVar{a[0]}, nil
		})},
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s, err := typeText(t, self.(*initVar).note)
			return py.NewStr("dataclasses.InitVar[" + s + "]"), err
		}),
		py.Get("type", func(_ *py.Thread, self py.Value) (py.Value, error) { return self.(*initVar).note, nil }),
	)
	setupDataParams()
}

// fieldTable is the dict __dataclass_fields__ of a class, or nil.
func fieldTable(c *py.Type) *py.Dict {
	v, ok := c.Lookup("__dataclass_fields__")
	if !ok {
		return nil
	}
	d, _ := v.(*py.Dict)
	return d
}

// dataFields is the field table of a dataclass or of an object of one, or nil.
func dataFields(v py.Value) *py.Dict {
	if c, ok := v.(*py.Type); ok {
		return fieldTable(c)
	}
	return fieldTable(v.Type())
}

// plainFields are the fields proper, without ClassVar and InitVar.
func plainFields(table *py.Dict) []*dataField {
	var out []*dataField
	for _, it := range table.Items(noThread) {
		if f, ok := it.Value.(*dataField); ok && f.kind == fieldPlain {
			out = append(out, f)
		}
	}
	return out
}

// instanceFields are the fields of an object of a dataclass; nil for others.
func instanceFields(v py.Value) ([]*dataField, bool) {
	if _, isClass := v.(*py.Type); isClass {
		return nil, false
	}
	table := fieldTable(v.Type())
	if table == nil {
		return nil, false
	}
	return plainFields(table), true
}

func dataFieldsOf(t *py.Thread, a []py.Value) (py.Value, error) {
	table := dataFields(a[0])
	if table == nil {
		return nil, py.TypeErrorf("must be called with a dataclass type or instance")
	}
	list := plainFields(table)
	out := make([]py.Value, len(list))
	for i, f := range list {
		out[i] = f
	}
	return py.NewTuple(out...), t.Alloc(16 * len(out))
}

// dataReplace is replace(obj, /, **changes).
func dataReplace(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) != 1 {
		if len(args) == 0 {
			return nil, py.TypeErrorf("replace() missing 1 required positional argument: 'obj'")
		}
		return nil, py.TypeErrorf("replace() takes 1 positional argument but %d were given", len(args))
	}
	obj := args[0]
	if _, ok := instanceFields(obj); !ok {
		return nil, py.TypeErrorf("replace() should be called on dataclass instances")
	}
	changed := map[string]bool{}
	for _, k := range kw {
		changed[k.Name] = true
	}
	all := append([]py.Kw(nil), kw...)
	for _, it := range fieldTable(obj.Type()).Items(noThread) {
		f, ok := it.Value.(*dataField)
		if !ok || f.kind == fieldClassVar {
			continue
		}
		switch {
		case !f.init && changed[f.name]:
			return nil, py.ValueErrorf("field %s is declared with init=False, it cannot be specified with replace()", f.name)
		case !f.init || changed[f.name]:
			continue
		case f.kind == fieldInitVar && f.def == nil:
			return nil, py.ValueErrorf("InitVar %s must be specified with replace()", reprText(f.name))
		}
		v, err := t.GetAttr(obj, f.name)
		if err != nil {
			return nil, err
		}
		all = append(all, py.Kw{Name: f.name, Value: v})
	}
	return t.Call(obj.Type(), nil, all)
}
