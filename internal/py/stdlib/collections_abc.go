package stdlib

import (
	"sync"

	"gauntlet/internal/py"
)

// This file is the module collections.abc: classes, what counts as an instance
// of them, and the methods that they give to subclasses (collections_mixin.go).

// abcClass makes an abstract class of collections.abc. hook lists the methods
// whose presence alone makes a class pass, abstract those that a subclass must
// define, types the built-in classes that are registered.
func abcClass(name string, bases []*py.Type, hook, abstract []string, types ...*py.Type) *py.Type {
	c := py.NewType("collections.abc", name, bases...)
	c.Meta = abcMetaType
	c.BuildClass = abcBuildClass
	members := []py.Member{{Name: "__subclasshook__", Value: &abcRule{methods: hook, types: types}}}
	names := map[string]bool{}
	for _, base := range bases {
		if v, ok := base.Attrs.GetStr("__abstractmethods__"); ok {
			for _, n := range v.(*py.Set).Items(noThread) {
				s, _ := textOf(n)
				names[s] = true
			}
		}
	}
	for _, m := range abstract {
		names[m] = true
		members = append(members, py.Member{Name: m, Value: &libMethod{name: m, abstract: true, fn: abstractBody}})
	}
	set, err := nameSet(noThread, names)
	if err == nil { // strings always hash
		members = append(members, py.Member{Name: "__abstractmethods__", Value: set})
	}
	members = append(members, py.Member{Name: "__class_getitem__", Value: py.NewClassMethod("__class_getitem__", "item, /", classGetItem)})
	return c.Finish(members...)
}

// noThread is for building constants: it has default limits and no state.
var noThread = py.NewThread(0, nil, py.Limits{})

// classGetItem is Class[item] of a library class: a generic alias.
func classGetItem(_ *py.Thread, cls py.Value, a []py.Value) (py.Value, error) {
	return py.NewGenericAlias(cls, a[0]), nil
}

// abstractBody is what an abstract method of the library does when it is
// reached through super().
func abstractBody(*py.Thread, py.Value, []py.Value, []py.Kw) (py.Value, error) { return py.None, nil }

var (
	dictKeysType   = viewType("keys")
	dictValuesType = viewType("values")
	dictItemsType  = viewType("items")
)

// viewType is the class of a view of a dict.
func viewType(method string) *py.Type {
	v, err := noThread.CallMethod(noThread.NewDict(), method)
	if err != nil {
		return py.NoneTypeType // the method exists
	}
	return v.Type()
}

// The classes, bases before subclasses. CPython registers dict with
// MutableMapping only; here every base lists it too, since rules do not look
// at subclasses.
var (
	abcContainer  = abcClass("Container", nil, []string{"__contains__"}, []string{"__contains__"}, py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.SetType, py.FrozenSetType, py.RangeType, dictKeysType, dictItemsType)
	abcHashable   = abcClass("Hashable", nil, []string{"__hash__"}, []string{"__hash__"})
	abcIterable   = withValueTest(abcClass("Iterable", nil, []string{"__iter__"}, []string{"__iter__"}, py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.SetType, py.FrozenSetType, py.RangeType, dictKeysType, dictValuesType, dictItemsType, py.GeneratorType), isGoIterable)
	abcIterator   = withValueTest(abcClass("Iterator", classList(abcIterable), []string{"__iter__", "__next__"}, []string{"__next__"}, py.GeneratorType), isGoIterator)
	abcGenerator  = abcClass("Generator", classList(abcIterator), []string{"__iter__", "__next__", "send", "throw", "close"}, []string{"send", "throw"}, py.GeneratorType)
	abcReversible = abcClass("Reversible", classList(abcIterable), []string{"__reversed__", "__iter__"}, []string{"__reversed__"}, py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.RangeType)
	abcSized      = abcClass("Sized", nil, []string{"__len__"}, []string{"__len__"}, py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.SetType, py.FrozenSetType, py.RangeType, dictKeysType, dictValuesType, dictItemsType)
	abcCollection = abcClass("Collection", classList(abcSized, abcIterable, abcContainer), []string{"__len__", "__iter__", "__contains__"}, nil,
		py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.SetType, py.FrozenSetType, py.RangeType, dictKeysType, dictItemsType)
	abcCallable = withValueTest(abcClass("Callable", nil, []string{"__call__"}, []string{"__call__"}, py.FunctionType, py.MethodType, py.NativeType, py.TypeType), (*py.Thread).IsCallable)

	abcSet        = abcClass("Set", classList(abcCollection), nil, nil, py.SetType, py.FrozenSetType, dictKeysType, dictItemsType)
	abcMutableSet = abcClass("MutableSet", classList(abcSet), nil, []string{"add", "discard"}, py.SetType)

	abcMapping        = abcClass("Mapping", classList(abcCollection), nil, []string{"__getitem__"}, py.DictType, py.MappingProxyType)
	abcMutableMapping = abcClass("MutableMapping", classList(abcMapping), nil, []string{"__setitem__", "__delitem__"}, py.DictType)
	abcMappingView    = abcClass("MappingView", classList(abcSized), nil, nil, dictKeysType, dictValuesType, dictItemsType)
	abcKeysView       = abcClass("KeysView", classList(abcMappingView), nil, nil, dictKeysType)
	abcItemsView      = abcClass("ItemsView", classList(abcMappingView), nil, nil, dictItemsType)
	abcValuesView     = abcClass("ValuesView", classList(abcMappingView), nil, nil, dictValuesType)

	abcSequence        = abcClass("Sequence", classList(abcReversible, abcCollection), nil, []string{"__getitem__"}, py.TupleType, py.StrType, py.RangeType, py.BytesType, py.ListType, dequeType)
	abcByteString      = abcClass("ByteString", classList(abcSequence), nil, nil, py.BytesType)
	abcMutableSequence = abcClass("MutableSequence", classList(abcSequence), nil, []string{"__setitem__", "__delitem__", "insert"}, py.ListType, dequeType)

	abcAwaitable     = abcClass("Awaitable", nil, []string{"__await__"}, []string{"__await__"})
	abcCoroutine     = abcClass("Coroutine", classList(abcAwaitable), []string{"__await__", "send", "throw", "close"}, []string{"send", "throw"})
	abcAsyncIterable = abcClass("AsyncIterable", nil, []string{"__aiter__"}, []string{"__aiter__"})
	abcAsyncIterator = abcClass("AsyncIterator", classList(abcAsyncIterable), []string{"__anext__", "__aiter__"}, []string{"__anext__"})
)

// classList is a list of base classes.
func classList(c ...*py.Type) []*py.Type { return c }

// withValueTest adds a test on the object itself, for what the interpreter
// does without a method that could be looked up.
func withValueTest(c *py.Type, fn func(t *py.Thread, v py.Value) bool) *py.Type {
	if r, ok := abcRuleOf(c); ok {
		r.value = fn
	}
	return c
}

func isGoIterator(_ *py.Thread, v py.Value) bool { _, ok := v.(py.Iterator); return ok }

func isGoIterable(t *py.Thread, v py.Value) bool {
	_, ok := v.(py.Iterable)
	return ok || isGoIterator(t, v)
}

// collectionsAbc is the module collections.abc, which is also an attribute of
// collections.
var collectionsAbc = sync.OnceValue(newCollectionsAbc)

// buildCollectionsAbc returns the module collections.abc.
func buildCollectionsAbc() *py.Module { return collectionsAbc() }

func newCollectionsAbc() *py.Module {
	var members []py.Member
	for _, c := range []*py.Type{
		abcContainer, abcHashable, abcIterable, abcIterator, abcGenerator, abcReversible, abcSized, abcCollection, abcCallable,
		abcSet, abcMutableSet, abcMapping, abcMutableMapping, abcMappingView, abcKeysView, abcItemsView, abcValuesView,
		abcSequence, abcByteString, abcMutableSequence, abcAwaitable, abcCoroutine, abcAsyncIterable, abcAsyncIterator,
	} {
		members = append(members, py.Member{Name: c.Name, Value: c})
	}
	return py.NewModule("collections.abc", members...)
}
