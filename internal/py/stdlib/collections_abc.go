package stdlib

import (
	"gauntlet/internal/py"
)

// This file is the module collections.abc: classes, what counts as an instance
// of them, and the methods that they give to subclasses (collections_mixin.go).

// abcClass makes an abstract class of collections.abc. hook lists the methods
// whose presence alone makes a class pass, abstract those that a subclass must
// define, types the built-in classes that are registered.
func abcClass(name string, base *py.Type, hook, abstract []string, types ...*py.Type) *py.Type {
	bases := []*py.Type{}
	if base != nil {
		bases = append(bases, base)
	}
	c := py.NewType("collections.abc", name, bases...)
	c.Meta = abcMetaType
	c.BuildClass = abcBuildClass
	members := []py.Member{{Name: "__subclasshook__", Value: &abcRule{methods: hook, types: types}}}
	names := map[string]bool{}
	if base != nil {
		if v, ok := base.Lookup("__abstractmethods__"); ok {
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
	abcIterable   = abcClass("Iterable", nil, []string{"__iter__"}, []string{"__iter__"}, py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.SetType, py.FrozenSetType, py.RangeType, dictKeysType, dictValuesType, dictItemsType, py.GeneratorType)
	abcIterator   = abcClass("Iterator", abcIterable, []string{"__iter__", "__next__"}, []string{"__next__"}, py.GeneratorType)
	abcGenerator  = abcClass("Generator", abcIterator, []string{"__iter__", "__next__", "send", "throw", "close"}, []string{"send", "throw"}, py.GeneratorType)
	abcReversible = abcClass("Reversible", abcIterable, []string{"__reversed__", "__iter__"}, []string{"__reversed__"}, py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.RangeType)
	abcSized      = abcClass("Sized", nil, []string{"__len__"}, []string{"__len__"}, py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.SetType, py.FrozenSetType, py.RangeType, dictKeysType, dictValuesType, dictItemsType)
	abcCollection = abcCollectionClass()
	abcCallable   = abcClass("Callable", nil, []string{"__call__"}, []string{"__call__"}, py.FunctionType, py.MethodType, py.NativeType, py.TypeType)

	abcSet        = abcClass("Set", abcCollection, nil, nil, py.SetType, py.FrozenSetType, dictKeysType, dictItemsType)
	abcMutableSet = abcClass("MutableSet", abcSet, nil, []string{"add", "discard"}, py.SetType)

	abcMapping        = abcClass("Mapping", abcCollection, nil, []string{"__getitem__"}, py.DictType, py.MappingProxyType)
	abcMutableMapping = abcClass("MutableMapping", abcMapping, nil, []string{"__setitem__", "__delitem__"}, py.DictType)
	abcMappingView    = abcClass("MappingView", abcSized, nil, nil, dictKeysType, dictValuesType, dictItemsType)
	abcKeysView       = abcClass("KeysView", abcMappingView, nil, nil, dictKeysType)
	abcItemsView      = abcClass("ItemsView", abcMappingView, nil, nil, dictItemsType)
	abcValuesView     = abcClass("ValuesView", abcMappingView, nil, nil, dictValuesType)

	abcSequence        = abcSequenceClass()
	abcByteString      = abcClass("ByteString", abcSequence, nil, nil, py.BytesType)
	abcMutableSequence = abcClass("MutableSequence", abcSequence, nil, []string{"__setitem__", "__delitem__", "insert"}, py.ListType, dequeType)

	abcAwaitable     = abcClass("Awaitable", nil, []string{"__await__"}, []string{"__await__"})
	abcCoroutine     = abcClass("Coroutine", abcAwaitable, []string{"__await__", "send", "throw", "close"}, []string{"send", "throw"})
	abcAsyncIterable = abcClass("AsyncIterable", nil, []string{"__aiter__"}, []string{"__aiter__"})
	abcAsyncIterator = abcClass("AsyncIterator", abcAsyncIterable, []string{"__anext__", "__aiter__"}, []string{"__anext__"})
)

// abcCollectionClass has three bases: Sized, Iterable and Container.
func abcCollectionClass() *py.Type {
	c := abcClass("Collection", abcIterable, []string{"__len__", "__iter__", "__contains__"}, []string{"__len__", "__contains__"},
		py.StrType, py.BytesType, py.TupleType, py.ListType, py.DictType, py.SetType, py.FrozenSetType, py.RangeType, dictKeysType, dictItemsType)
	c.Bases = []*py.Type{abcSized, abcIterable, abcContainer}
	c.MRO = []*py.Type{c, abcSized, abcIterable, abcContainer, py.ObjectType}
	return c
}

// abcSequenceClass has two bases: Reversible and Collection.
func abcSequenceClass() *py.Type {
	c := abcClass("Sequence", abcCollection, nil, []string{"__getitem__"}, py.TupleType, py.StrType, py.RangeType, py.BytesType, py.ListType, dequeType)
	c.Bases = []*py.Type{abcReversible, abcCollection}
	c.MRO = []*py.Type{c, abcReversible, abcCollection, abcSized, abcIterable, abcContainer, py.ObjectType}
	return c
}

// buildCollectionsAbc makes the module collections.abc.
func buildCollectionsAbc() *py.Module {
	value := func(c *py.Type, fn func(t *py.Thread, v py.Value) bool) {
		r, _ := abcRuleOf(c)
		r.value = fn
	}
	value(abcCallable, func(t *py.Thread, v py.Value) bool { return t.IsCallable(v) })
	value(abcIterator, func(_ *py.Thread, v py.Value) bool { _, ok := v.(py.Iterator); return ok })
	value(abcIterable, func(_ *py.Thread, v py.Value) bool {
		_, container := v.(py.Iterable)
		_, iterator := v.(py.Iterator)
		return container || iterator
	})
	addMixins()
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
