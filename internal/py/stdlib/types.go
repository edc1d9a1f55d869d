package stdlib

import (
	"strings"

	"gauntlet/internal/py"
)

// This file holds the modules types and __future__.

var simpleNamespaceType = cType("types", "SimpleNamespace")

// buildTypes makes the module types.
func buildTypes() *py.Module {
	setupSimpleNamespace()
	return py.NewModule("types",
		py.Member{Name: "SimpleNamespace", Value: simpleNamespaceType},
		py.Member{Name: "FunctionType", Value: py.FunctionType},
		py.Member{Name: "LambdaType", Value: py.FunctionType},
		py.Member{Name: "MethodType", Value: py.MethodType},
		py.Member{Name: "BuiltinFunctionType", Value: py.NativeType},
		py.Member{Name: "BuiltinMethodType", Value: py.NativeType},
		py.Member{Name: "MethodDescriptorType", Value: py.MethodDescriptorType},
		py.Member{Name: "GetSetDescriptorType", Value: py.GetterType},
		py.Member{Name: "GeneratorType", Value: py.GeneratorType},
		py.Member{Name: "ModuleType", Value: py.ModuleType},
		py.Member{Name: "MappingProxyType", Value: py.MappingProxyType},
		py.Member{Name: "NoneType", Value: py.NoneTypeType},
		py.Member{Name: "EllipsisType", Value: py.EllipsisTypeType},
		py.Member{Name: "NotImplementedType", Value: py.NotImplementedTypeType},
		py.Member{Name: "GenericAlias", Value: py.GenericAliasType},
		py.Member{Name: "UnionType", Value: py.UnionType},
		py.Member{Name: "CellType", Value: py.CellType},
		py.Member{Name: "DynamicClassAttribute", Value: py.PropertyType},
		pyFunc("new_class", "name, bases=(), kwds=None, exec_body=None", newClass),
	)
}

// newClass is types.new_class.
func newClass(t *py.Thread, a []py.Value) (py.Value, error) {
	name, ok := textOf(a[0])
	if !ok {
		return nil, py.TypeErrorf("type.__new__() argument 1 must be str, not %s", py.TypeName(a[0]))
	}
	var bases []py.Value
	var err error
	if a[1] != nil {
		if bases, err = t.Collect(a[1]); err != nil {
			return nil, err
		}
	}
	var kw []py.Kw
	if d, ok := py.AsDict(given(a[2], py.None)); ok {
		for _, it := range d.Items(t) {
			k, _ := textOf(it.Key)
			kw = append(kw, py.Kw{Name: k, Value: it.Value})
		}
	}
	ns := t.NewDict()
	if isSet(a[3]) {
		if _, err := t.Call(a[3], []py.Value{ns}, nil); err != nil {
			return nil, err
		}
	}
	return t.MakeClass(name, name, bases, ns, kw)
}

func setupSimpleNamespace() {
	fill := func(t *py.Thread, o *py.Instance, args []py.Value, kw []py.Kw) error {
		if len(args) > 0 {
			return py.TypeErrorf("no positional arguments expected")
		}
		for _, k := range kw {
			if err := setAttr(t, o, k.Name, k.Value); err != nil {
				return err
			}
		}
		return nil
	}
	wrapperInit(simpleNamespaceType, fill)
	simpleNamespaceType.Finish(
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			o := self.(*py.Instance)
			name := "namespace"
			if o.Type() != simpleNamespaceType {
				name = o.Type().Name
			}
			s, err := guardRepr(t, self, name+"(...)", func() (string, error) {
				var parts []string
				n := 0
				for _, it := range o.Attrs().Items(t) {
					v, err := t.Repr(it.Value)
					if err != nil {
						return "", err
					}
					k, _ := textOf(it.Key)
					parts = append(parts, k+"="+v)
					n += len(k) + len(v) + 3
				}
				return name + "(" + strings.Join(parts, ", ") + ")", t.Alloc(n)
			})
			return py.NewStr(s), err
		}),
		py.Def("__eq__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			o, ok := a[0].(*py.Instance)
			if !ok || !simpleNamespaceType.IsInstance(o) {
				return py.NotImplemented, nil
			}
			eq, err := t.Eq(self.(*py.Instance).Attrs(), o.Attrs())
			return py.Bool(eq), err
		}),
		py.Member{Name: "__hash__", Value: py.None},
	)
}

// featureType is the class of the names of module __future__.
var featureType = py.NewType("__future__", "_Feature")

// feature is one name of module __future__; all have been part of the language
// by 3.11 except annotations, which the compiler knows.
type feature struct{ name string }

// Type returns __future__._Feature.
func (*feature) Type() *py.Type { return featureType }

// buildFuture makes the module __future__.
func buildFuture() *py.Module {
	var members []py.Member
	for _, n := range []string{"nested_scopes", "generators", "division", "absolute_import", "with_statement", "print_function", "unicode_literals", "barry_as_FLUFL", "generator_stop", "annotations"} {
		members = append(members, py.Member{Name: n, Value: &feature{n}})
	}
	return py.NewModule("__future__", members...)
}

// The initialisation makes mappingproxy callable before the first use of the
// package; the interpreter itself only makes them for class dictionaries.
var _ = func() bool { py.MappingProxyType.New = newMappingProxy; return true }()

// newMappingProxy is MappingProxyType(mapping).
func newMappingProxy(_ *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) != 1 || len(kw) > 0 {
		return nil, py.TypeErrorf("mappingproxy() missing required argument 'mapping' (pos 1)")
	}
	d, ok := py.AsDict(args[0])
	if !ok {
		return nil, py.TypeErrorf("mappingproxy() argument must be a mapping, not %s", py.TypeName(args[0]))
	}
	return &py.MappingProxy{D: d}, nil
}
