package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// This file holds the methods that the classes of collections.abc give to
// classes which define the abstract ones.

// The initialisation attaches them before the first use of the package.
var _ = addMixins()

func addMixins() bool {
	addMappingMixins()
	addSequenceMixins()
	addSetMixins()
	for _, c := range []*py.Type{abcKeysView, abcItemsView, abcValuesView} {
		c.New = newMappingView
	}
	abcMappingView.Finish(
		py.Def("__len__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			v, err := viewOf(self)
			if err != nil {
				return nil, err
			}
			n, err := t.Len(v.mapping)
			return py.Int(n), err
		}),
		py.Def("__iter__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			v, err := viewOf(self)
			if err != nil {
				return nil, err
			}
			return v.Iter(t)
		}),
		py.Def("__contains__", "item, /", mappingViewContains),
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			v, err := viewOf(self)
			if err != nil {
				return nil, err
			}
			s, err := t.Repr(v.mapping)
			return py.NewStr(v.class.Name + "(" + s + ")"), err
		}),
	)
	for _, c := range []*py.Type{abcCollection, abcMapping, abcMutableMapping, abcSequence, abcMutableSequence, abcByteString, abcSet, abcMutableSet} {
		dropConcrete(c)
	}
	return true
}

// dropConcrete takes the methods that mixins define off the list of abstract ones.
func dropConcrete(c *py.Type) {
	v, _ := c.Attrs.GetStr("__abstractmethods__")
	old, ok := v.(*py.Set)
	if !ok {
		return
	}
	names := map[string]bool{}
	for _, n := range old.Items(noThread) {
		s, _ := textOf(n)
		if m, ok := c.Lookup(s); ok && isAbstract(m) {
			names[s] = true
		}
	}
	if set, err := nameSet(noThread, names); err == nil { // strings always hash
		c.Attrs.SetStr("__abstractmethods__", set)
	}
}

// mappingView is what keys(), values() and items() of a Mapping return.
type mappingView struct {
	class   *py.Type
	mapping py.Value
}

// Type returns KeysView, ItemsView or ValuesView.
func (v *mappingView) Type() *py.Type { return v.class }

func newMappingView(_ *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) != 1 || len(kw) > 0 {
		return nil, py.TypeErrorf("MappingView.__init__() missing 1 required positional argument: 'mapping'")
	}
	return &mappingView{cls, args[0]}, nil
}

func viewOf(v py.Value) (*mappingView, error) {
	m, ok := py.Unwrap(v).(*mappingView)
	if !ok {
		return nil, py.TypeErrorf("'%s' object is not a mapping view", py.TypeName(v))
	}
	return m, nil
}

// CopyFor copies the view for a fork.
func (v *mappingView) CopyFor(c *py.Copier) (py.Value, error) {
	m, err := c.Copy(v.mapping)
	return &mappingView{v.class, m}, err
}

// Iter iterates over the keys, values or items.
func (v *mappingView) Iter(t *py.Thread) (py.Iterator, error) {
	it, err := t.Iter(v.mapping)
	if err != nil || v.class.IsSubclass(abcKeysView) {
		return it, err
	}
	return &libIter{itMap, &mappingViewIter{it, v.mapping, v.class.IsSubclass(abcItemsView)}}, nil
}

type mappingViewIter struct {
	keys    py.Iterator
	mapping py.Value
	items   bool
}

func (s *mappingViewIter) next(t *py.Thread) (py.Value, error) {
	k, err := s.keys.Next(t)
	if k == nil || err != nil {
		return nil, err
	}
	v, err := t.GetItem(s.mapping, k)
	if err != nil || !s.items {
		return v, err
	}
	return py.NewTuple(k, v), nil
}

func (s *mappingViewIter) fork(c *py.Copier) (iterSource, error) {
	it, err := forkIter(c, s.keys)
	if err != nil {
		return nil, err
	}
	m, err := c.Copy(s.mapping)
	return &mappingViewIter{it, m, s.items}, err
}

func mappingViewContains(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	v, err := viewOf(self)
	if err != nil {
		return nil, err
	}
	if v.class.IsSubclass(abcKeysView) {
		ok, err := t.Contains(v.mapping, a[0])
		return py.Bool(ok), err
	}
	found := false
	it, err := v.Iter(t)
	if err != nil {
		return nil, err
	}
	err = t.ForEach(it, func(x py.Value) error {
		ok, err := sameValue(t, x, a[0])
		found = found || ok
		return err
	})
	return py.Bool(found), err
}

// sameValue is identity or equality.
func sameValue(t *py.Thread, a, b py.Value) (bool, error) {
	if py.Is(a, b) {
		return true, nil
	}
	return t.Eq(a, b)
}

func addMappingMixins() {
	view := func(name string, cls *py.Type) py.Member {
		return py.Def(name, "", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return &mappingView{cls, self}, nil })
	}
	abcMapping.Finish(
		py.Def("get", "key, default=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			v, err := t.GetItem(self, a[0])
			if _, missing := py.Catch(err, py.KeyErrorType); missing {
				return given(a[1], py.None), nil
			}
			return v, err
		}),
		py.Def("__contains__", "key, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			_, err := t.GetItem(self, a[0])
			if _, missing := py.Catch(err, py.KeyErrorType); missing {
				return py.False, nil
			}
			return py.True, err
		}),
		view("keys", abcKeysView), view("items", abcItemsView), view("values", abcValuesView),
		py.Def("__eq__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			other, err := abcInstance(t, abcMapping, a[0])
			if err != nil || !other {
				return py.NotImplemented, err
			}
			x, err := t.Call(py.DictType, []py.Value{self}, nil)
			if err != nil {
				return nil, err
			}
			y, err := t.Call(py.DictType, []py.Value{a[0]}, nil)
			if err != nil {
				return nil, err
			}
			return t.Compare(syntax.Eq, x, y)
		}),
		py.Member{Name: "__hash__", Value: py.None},
		py.Member{Name: "__reversed__", Value: py.None},
	)
	addMutableMappingMixins()
}

func addMutableMappingMixins() {
	abcMutableMapping.Finish(
		py.Def("pop", "key, default=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			v, err := t.GetItem(self, a[0])
			if err != nil {
				if _, missing := py.Catch(err, py.KeyErrorType); missing && a[1] != nil {
					return a[1], nil
				}
				return nil, err
			}
			return v, t.DelItem(self, a[0])
		}),
		py.Def("popitem", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			it, err := t.Iter(self)
			if err != nil {
				return nil, err
			}
			k, err := it.Next(t)
			if err != nil {
				return nil, err
			}
			if k == nil {
				return nil, py.RaiseArgs(py.KeyErrorType)
			}
			v, err := t.GetItem(self, k)
			if err != nil {
				return nil, err
			}
			return py.NewTuple(k, v), t.DelItem(self, k)
		}),
		py.Def("clear", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			for {
				if err := t.Charge(1); err != nil {
					return nil, err
				}
				_, err := t.CallMethod(self, "popitem")
				if _, empty := py.Catch(err, py.KeyErrorType); empty {
					return py.None, nil
				}
				if err != nil {
					return nil, err
				}
			}
		}),
		py.Member{Name: "update", Value: py.NewRawMethod("update", mixinUpdate)},
		py.Def("setdefault", "key, default=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			v, err := t.GetItem(self, a[0])
			if _, missing := py.Catch(err, py.KeyErrorType); missing {
				v = given(a[1], py.None)
				return v, t.SetItem(self, a[0], v)
			}
			return v, err
		}),
	)
}

// mixinUpdate is MutableMapping.update(other=(), /, **kwds).
func mixinUpdate(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, py.TypeErrorf("MutableMapping.update() takes from 1 to 2 positional arguments but %d were given", len(args))
	}
	if len(args) == 2 {
		if err := updateItems(t, args[0], args[1]); err != nil {
			return nil, err
		}
	}
	for _, k := range kw {
		if err := t.SetItem(args[0], py.NewStr(k.Name), k.Value); err != nil {
			return nil, err
		}
	}
	return py.None, nil
}

// updateItems sets the items of a mapping or an iterable of pairs in self.
func updateItems(t *py.Thread, self, other py.Value) error {
	keys, err := t.LookupAttr(other, "keys")
	if err != nil {
		return err
	}
	if keys == nil {
		return t.ForEach(other, func(item py.Value) error {
			pair, err := t.Collect(item)
			if err != nil {
				return err
			}
			if len(pair) < 2 {
				return py.ValueErrorf("not enough values to unpack (expected 2, got %d)", len(pair))
			}
			if len(pair) > 2 {
				return py.ValueErrorf("too many values to unpack (expected 2)")
			}
			return t.SetItem(self, pair[0], pair[1])
		})
	}
	list, err := t.Call(keys, nil, nil)
	if err != nil {
		return err
	}
	return t.ForEach(list, func(k py.Value) error {
		v, err := t.GetItem(other, k)
		if err != nil {
			return err
		}
		return t.SetItem(self, k, v)
	})
}
