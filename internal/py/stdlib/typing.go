package stdlib

import (
	"gauntlet/internal/py"
)

// This file is the module typing: its table and its functions.

var (
	anyStr = &typeVar{name: "AnyStr", bound: py.None, variance: "~", constraints: []py.Value{py.BytesType, py.StrType}}

	supportsTypes = func() []*py.Type {
		var out []*py.Type
		for name, method := range map[string]string{"SupportsInt": "__int__", "SupportsFloat": "__float__", "SupportsIndex": "__index__", "SupportsAbs": "__abs__", "SupportsRound": "__round__", "SupportsBytes": "__bytes__"} {
			c := abcClass(name, nil, []string{method}, []string{method})
			c.Mod = "typing"
			out = append(out, c)
		}
		return out
	}()
)

// buildTyping makes the module typing.
func buildTyping() *py.Module {
	setupForms()
	setupAliases()
	setupVars()
	setupTypingClasses()
	members := []py.Member{
		{Name: "Any", Value: anyType},
		{Name: "Generic", Value: genericType},
		{Name: "Protocol", Value: protocolType},
		{Name: "NamedTuple", Value: namedTupleFormType},
		{Name: "TypedDict", Value: typedDictType},
		{Name: "TypeVar", Value: typeVarType},
		{Name: "ParamSpec", Value: typeVarType},
		{Name: "ForwardRef", Value: forwardRefType},
		{Name: "NewType", Value: newTypeType},
		{Name: "AnyStr", Value: anyStr},
		{Name: "Text", Value: py.StrType},
		{Name: "TYPE_CHECKING", Value: py.False},
	}
	for _, f := range typingForms() {
		members = append(members, py.Member{Name: f.name, Value: f})
	}
	for _, c := range supportsTypes {
		members = append(members, py.Member{Name: c.Name, Value: c})
	}
	members = append(members, typingFuncs()...)
	return py.NewModule("typing", members...)
}

// typingFuncs are the functions of the module.
func typingFuncs() []py.Member {
	first := func(_ *py.Thread, a []py.Value) (py.Value, error) { return a[0], nil }
	overloaded := func(*py.Thread, []py.Value, []py.Kw) (py.Value, error) {
		return nil, py.RaiseType(py.NotImplementedErrType, "You should not call an overloaded function. A series of @overload-decorated functions outside a stub module should always be followed by an implementation that is not @overload-ed.")
	}
	return []py.Member{
		pyFunc("cast", "typ, val", func(_ *py.Thread, a []py.Value) (py.Value, error) { return a[1], nil }),
		pyFunc("assert_type", "val, typ, /", first),
		pyFunc("final", "f", first),
		pyFunc("no_type_check", "arg", first),
		pyFunc("override", "method, /", first),
		pyFunc("overload", "func", func(*py.Thread, []py.Value) (py.Value, error) { return py.NewRaw("_overload_dummy", overloaded), nil }),
		pyFunc("assert_never", "arg, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			s, err := t.Repr(a[0])
			if err != nil {
				return nil, err
			}
			return nil, py.RaiseArgs(py.AssertionErrorType, py.NewStr("Expected code to be unreachable, but got: "+s))
		}),
		pyFunc("runtime_checkable", "cls", func(t *py.Thread, a []py.Value) (py.Value, error) {
			c, ok := a[0].(*py.Type)
			if !ok || !isProtocol(c) || !c.Heap {
				s, err := t.Repr(a[0])
				if err != nil {
					return nil, err
				}
				return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr("@runtime_checkable can be only applied to protocol classes, got "+s))
			}
			return c, c.Attrs.Set(t, py.NewStr("_is_runtime_protocol"), py.True)
		}),
		pyFunc("is_typeddict", "tp", func(_ *py.Thread, a []py.Value) (py.Value, error) {
			c, ok := a[0].(*py.Type)
			return py.Bool(ok && c.Meta == typedDictMeta && c != typedDictType), nil
		}),
		pyFunc("get_type_hints", "obj, globalns=None, localns=None, include_extras=False", getTypeHints),
		pyFunc("get_origin", "tp", getOrigin),
		pyFunc("get_args", "tp", getArgs),
	}
}
