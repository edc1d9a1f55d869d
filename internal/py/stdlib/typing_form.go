package stdlib

import (
	"strings"

	"gauntlet/internal/py"
)

// This file holds the objects that typing's names stand for: special forms
// (Union, Literal) and generic names (List, Mapping). What they make when
// subscripted is in typing_alias.go.

// formKind says what subscripting a form does.
type formKind uint8

const (
	formPlain     formKind = iota // NoReturn: no subscript
	formGeneric                   // List[int]: a fixed number of types
	formTuple                     // Tuple[int, ...]
	formCallable                  // Callable[[int], str]
	formUnion                     // Union[int, str]
	formOptional                  // Optional[int]
	formLiteral                   // Literal["a", 1]
	formOne                       // ClassVar[int], Final[int]
	formAnnotated                 // Annotated[int, "x"]
	formMany                      // Concatenate[int, P]
)

// typingForm is a name of module typing.
type typingForm struct {
	name   string
	kind   formKind
	origin *py.Type // the class behind a generic name
	params int      // types that a generic name takes
}

var (
	specialFormType  = py.NewType("typing", "_SpecialForm")
	literalFormType  = py.NewType("typing", "_LiteralSpecialForm", specialFormType)
	genericNameType  = py.NewType("typing", "_SpecialGenericAlias")
	tupleNameType    = py.NewType("typing", "_TupleType", genericNameType)
	callableNameType = py.NewType("typing", "_CallableType", genericNameType)
	genericAliasType = py.NewType("typing", "_GenericAlias")
	unionAliasType   = py.NewType("typing", "_UnionGenericAlias", genericAliasType)
	literalAliasType = py.NewType("typing", "_LiteralGenericAlias", genericAliasType)
	typeVarType      = py.NewType("typing", "TypeVar")
	forwardRefType   = py.NewType("typing", "ForwardRef")
	newTypeType      = py.NewType("typing", "NewType")
)

// Type returns typing._SpecialForm or typing._SpecialGenericAlias.
func (f *typingForm) Type() *py.Type {
	switch {
	case f.kind == formLiteral:
		return literalFormType
	case f.origin == nil:
		return specialFormType
	case f.kind == formTuple:
		return tupleNameType
	case f.kind == formCallable:
		return callableNameType
	}
	return genericNameType
}

// The forms that Go code refers to.
var (
	unionForm       = &typingForm{name: "Union", kind: formUnion}
	literalForm     = &typingForm{name: "Literal", kind: formLiteral}
	classVarForm    = &typingForm{name: "ClassVar", kind: formOne}
	requiredForm    = &typingForm{name: "Required", kind: formOne}
	notRequiredForm = &typingForm{name: "NotRequired", kind: formOne}
	annotatedForm   = &typingForm{name: "Annotated", kind: formAnnotated}
)

// typingForms are the special forms and generic names of the module.
func typingForms() []*typingForm {
	forms := []*typingForm{unionForm, literalForm, classVarForm, requiredForm, notRequiredForm, annotatedForm,
		{name: "Optional", kind: formOptional}, {name: "Final", kind: formOne}, {name: "TypeGuard", kind: formOne},
		{name: "Concatenate", kind: formMany}, {name: "Unpack", kind: formOne},
		{name: "Tuple", kind: formTuple, origin: py.TupleType}, {name: "Callable", kind: formCallable, origin: abcCallable},
	}
	for _, n := range []string{"NoReturn", "Never", "Self", "LiteralString", "TypeAlias"} {
		forms = append(forms, &typingForm{name: n, kind: formPlain})
	}
	for _, g := range []struct {
		name   string
		origin *py.Type
		params int
	}{
		{"List", py.ListType, 1}, {"Dict", py.DictType, 2}, {"Set", py.SetType, 1}, {"FrozenSet", py.FrozenSetType, 1}, {"Type", py.TypeType, 1},
		{"DefaultDict", defaultDictType, 2}, {"OrderedDict", orderedDictType, 2}, {"Counter", counterType, 1}, {"Deque", dequeType, 1}, {"ChainMap", chainMapType, 2},
		{"Iterable", abcIterable, 1}, {"Iterator", abcIterator, 1}, {"Generator", abcGenerator, 3}, {"Reversible", abcReversible, 1},
		{"Container", abcContainer, 1}, {"Collection", abcCollection, 1}, {"Sequence", abcSequence, 1}, {"MutableSequence", abcMutableSequence, 1},
		{"Mapping", abcMapping, 2}, {"MutableMapping", abcMutableMapping, 2}, {"AbstractSet", abcSet, 1}, {"MutableSet", abcMutableSet, 1},
		{"MappingView", abcMappingView, 1}, {"KeysView", abcKeysView, 1}, {"ItemsView", abcItemsView, 2}, {"ValuesView", abcValuesView, 1},
		{"Hashable", abcHashable, 0}, {"Sized", abcSized, 0}, {"ByteString", abcByteString, 0},
		{"Awaitable", abcAwaitable, 1}, {"Coroutine", abcCoroutine, 3}, {"AsyncIterable", abcAsyncIterable, 1}, {"AsyncIterator", abcAsyncIterator, 1},
		{"ContextManager", abstractContextType, 1}, {"Pattern", patternType, 1}, {"Match", matchType, 1},
	} {
		forms = append(forms, &typingForm{name: g.name, kind: formGeneric, origin: g.origin, params: g.params})
	}
	return forms
}

// item is form[key].
func (f *typingForm) item(t *py.Thread, key py.Value) (py.Value, error) {
	args := []py.Value{key}
	if tup, ok := key.(*py.Tuple); ok {
		args = append([]py.Value(nil), tup.Items...)
	}
	if err := t.Alloc(64 + 16*len(args)); err != nil {
		return nil, err
	}
	switch f.kind {
	case formGeneric:
		if f.params == 0 {
			return nil, py.TypeErrorf("typing.%s is not a generic class", f.name)
		}
		if err := countParams(t, f, len(args), f.params); err != nil {
			return nil, err
		}
		return f.alias(toTypes(args)), nil
	case formTuple:
		return f.alias(toTypes(args)), nil
	case formCallable:
		return f.callable(t, args)
	case formUnion:
		if len(args) == 0 {
			return nil, py.TypeErrorf("Cannot take a Union of no types.")
		}
		return makeUnion(t, toTypes(args))
	case formOptional:
		if len(args) != 1 {
			return nil, f.singleError(t, key)
		}
		return makeUnion(t, append(toTypes(args), py.NoneTypeType))
	case formLiteral:
		return makeLiteral(t, args)
	case formOne:
		if len(args) != 1 {
			return nil, f.singleError(t, key)
		}
		return f.alias(toTypes(args)), nil
	case formAnnotated:
		return f.annotated(args)
	case formMany:
		return f.alias(toTypes(args)), nil
	}
	return nil, py.TypeErrorf("typing.%s is not subscriptable", f.name)
}

func (f *typingForm) alias(args []py.Value) *typingAlias { return &typingAlias{form: f, args: args} }

func (f *typingForm) singleError(t *py.Thread, key py.Value) error {
	s, err := t.Repr(key)
	if err != nil {
		return err
	}
	if f.kind == formOptional {
		return py.RaiseArgs(py.TypeErrorType, py.NewStr("typing.Optional requires a single type. Got "+s+"."))
	}
	return py.RaiseArgs(py.TypeErrorType, py.NewStr("typing."+f.name+" accepts only single type. Got "+s+"."))
}

// countParams checks the number of types of a subscript.
func countParams(t *py.Thread, what py.Value, got, want int) error {
	if got == want {
		return nil
	}
	s, err := t.Repr(what)
	if err != nil {
		return err
	}
	how := "many"
	if got < want {
		how = "few"
	}
	return py.TypeErrorf("Too %s arguments for %s; actual %d, expected %d", how, s, got, want)
}

func (f *typingForm) callable(t *py.Thread, args []py.Value) (py.Value, error) {
	if len(args) != 2 {
		return nil, py.TypeErrorf("Callable must be used as Callable[[arg, ...], result].")
	}
	var params []py.Value
	switch p := args[0].(type) {
	case *py.List:
		items, err := t.Collect(p)
		if err != nil {
			return nil, err
		}
		params = items
	case *py.Tuple:
		params = append(params, p.Items...)
	default:
		params = []py.Value{p}
	}
	return f.alias(append(toTypes(params), toType(args[1]))), nil
}

func (f *typingForm) annotated(args []py.Value) (py.Value, error) {
	if len(args) < 2 {
		return nil, py.TypeErrorf("Annotated[...] should be used with at least two arguments (a type and an annotation).")
	}
	args[0] = toType(args[0])
	if inner, ok := args[0].(*typingAlias); ok && inner.form == annotatedForm {
		args = append(append([]py.Value(nil), inner.args...), args[1:]...)
	}
	return f.alias(args), nil
}

// toType converts what may stand for a type: None is NoneType, and a str is a
// forward reference.
func toType(v py.Value) py.Value {
	switch x := v.(type) {
	case py.NoneType:
		return py.NoneTypeType
	case *py.Str:
		return &forwardRef{text: x.String()}
	}
	return v
}

func toTypes(args []py.Value) []py.Value {
	out := make([]py.Value, len(args))
	for i, v := range args {
		out[i] = toType(v)
	}
	return out
}

// makeUnion is Union[args]: flat, without duplicates, the type itself when
// only one is left.
func makeUnion(t *py.Thread, args []py.Value) (py.Value, error) {
	var flat []py.Value
	add := func(v py.Value) error {
		if err := t.Charge(1 + len(flat)); err != nil {
			return err
		}
		for _, x := range flat {
			same, err := sameValue(t, x, v)
			if same || err != nil {
				return err
			}
		}
		flat = append(flat, v)
		return nil
	}
	for _, v := range args {
		parts := []py.Value{v}
		switch u := v.(type) {
		case *py.Union:
			parts = toTypes(u.Args)
		case *typingAlias:
			if u.form == unionForm {
				parts = u.args
			}
		}
		for _, p := range parts {
			if err := add(p); err != nil {
				return nil, err
			}
		}
	}
	if len(flat) == 1 {
		return flat[0], nil
	}
	return unionForm.alias(flat), nil
}

// makeLiteral flattens nested literals and drops equal values of equal type.
func makeLiteral(t *py.Thread, args []py.Value) (py.Value, error) {
	var flat []py.Value
	for _, v := range args {
		parts := []py.Value{v}
		if a, ok := v.(*typingAlias); ok && a.form == literalForm {
			parts = a.args
		}
	next:
		for _, p := range parts {
			if err := t.Charge(1 + len(flat)); err != nil {
				return nil, err
			}
			for _, x := range flat {
				if x.Type() != p.Type() {
					continue
				}
				same, err := sameValue(t, x, p)
				if err != nil {
					return nil, err
				}
				if same {
					continue next
				}
			}
			flat = append(flat, p)
		}
	}
	return literalForm.alias(flat), nil
}

// typeText is how a type prints inside typing's objects.
func typeText(t *py.Thread, v py.Value) (string, error) {
	switch x := v.(type) {
	case *py.Type:
		if x.Mod == "builtins" {
			return x.Qualname, nil
		}
		return x.Mod + "." + x.Qualname, nil
	case py.EllipsisType:
		return "...", nil
	case *py.Function:
		return x.Name, nil
	}
	return t.Repr(v)
}

// typeList joins the texts of types.
func typeList(t *py.Thread, args []py.Value) (string, error) {
	parts := make([]string, len(args))
	n := 0
	for i, v := range args {
		s, err := typeText(t, v)
		if err != nil {
			return "", err
		}
		parts[i] = s
		n += len(s) + 2
	}
	return strings.Join(parts, ", "), t.Alloc(n)
}

// unionOperators are X | Y for the objects of typing.
func unionOperators() []py.Member {
	return []py.Member{
		py.Def("__or__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return makeUnion(t, toTypes([]py.Value{self, a[0]}))
		}),
		py.Def("__ror__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return makeUnion(t, toTypes([]py.Value{a[0], self}))
		}),
	}
}

// setupForms attaches the methods of forms and generic names.
func setupForms() {
	form := func(v py.Value) *typingForm { return v.(*typingForm) }
	for _, c := range []*py.Type{specialFormType, genericNameType} {
		c.Finish(unionOperators()...)
		c.Finish(
			py.Def("__getitem__", "parameters, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return form(self).item(t, a[0]) }),
			py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
				return py.NewStr("typing." + form(self).name), nil
			}),
			py.Get("_name", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(form(self).name), nil }),
			py.Get("__name__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(form(self).name), nil }),
			py.Member{Name: "__mro_entries__", Value: py.NewMethod("__mro_entries__", "bases, /", formBases)},
			py.Member{Name: "__call__", Value: py.NewRawMethod("__call__", func(t *py.Thread, args []py.Value, _ []py.Kw) (py.Value, error) {
				return nil, cannotMake(t, args[0])
			})},
		)
	}
	check := func(name string) py.Member {
		return py.Def(name, "cls, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			f := form(self)
			if f.origin == nil {
				what := "isinstance"
				if name == "__subclasscheck__" {
					what = "issubclass"
				}
				return nil, py.TypeErrorf("typing.%s cannot be used with %s()", f.name, what)
			}
			sub, isClass := a[0].(*py.Type)
			if name == "__instancecheck__" {
				ok, err := classTest(t, a[0], f.origin)
				return py.Bool(ok), err
			}
			if !isClass {
				return nil, py.TypeErrorf("issubclass() arg 1 must be a class")
			}
			ok, err := subclassTest(t, sub, f.origin)
			return py.Bool(ok), err
		})
	}
	for _, c := range []*py.Type{specialFormType, genericNameType} {
		c.Finish(check("__instancecheck__"), check("__subclasscheck__"))
	}
	genericNameType.Finish(py.Get("__origin__", func(_ *py.Thread, self py.Value) (py.Value, error) { return form(self).origin, nil }))
}

// cannotMake is the error of calling a typing object.
func cannotMake(t *py.Thread, v py.Value) error {
	f, _ := v.(*typingForm)
	if a, ok := v.(*typingAlias); ok {
		f = a.form
	}
	if f != nil && f.origin != nil {
		return py.TypeErrorf("Type %s cannot be instantiated; use %s() instead", f.name, f.origin.Name)
	}
	s, err := t.Repr(v)
	if err != nil {
		return err
	}
	return py.RaiseArgs(py.TypeErrorType, py.NewStr("Cannot instantiate "+s))
}

func formBases(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	f := self.(*typingForm)
	if f.origin == nil {
		s, err := t.Repr(self)
		if err != nil {
			return nil, err
		}
		return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr("Cannot subclass "+s))
	}
	return genericBases(self, f.origin, a[0]), nil
}

// genericBases are the classes that a typing name or alias stands for among
// the bases of a class: its origin, and Generic unless a later base brings it.
func genericBases(self py.Value, origin *py.Type, bases py.Value) py.Value {
	list, _ := bases.(*py.Tuple)
	var out []py.Value
	if !hasValue(list.Items, origin) {
		out = append(out, origin)
	}
	after := false
	for _, b := range list.Items {
		if b == self {
			after = true
			continue
		}
		if !after {
			continue
		}
		c, isClass := b.(*py.Type)
		_, alias := b.(*typingAlias)
		_, name := b.(*typingForm)
		if alias || name || isClass && c.IsSubclass(genericType) {
			return py.NewTuple(out...)
		}
	}
	return py.NewTuple(append(out, genericType)...)
}

func hasValue(items []py.Value, v py.Value) bool {
	for _, x := range items {
		if x == v {
			return true
		}
	}
	return false
}
