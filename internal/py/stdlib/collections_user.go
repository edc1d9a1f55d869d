package stdlib

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// This file holds the classes of collections that wrap other containers:
// ChainMap, UserDict and UserList. What they wrap is an ordinary attribute.

var (
	chainMapType = wrapperType("ChainMap", abcMutableMapping)
	userDictType = wrapperType("UserDict", abcMutableMapping)
	userListType = wrapperType("UserList", abcMutableSequence)
)

// wrapperType makes a concrete class below an abstract one.
func wrapperType(name string, base *py.Type) *py.Type {
	c := py.NewType("collections", name, base)
	c.Meta, c.BuildClass = abcMetaType, abcBuildClass
	if none, err := nameSet(noThread, nil); err == nil { // an empty set cannot fail
		c.Finish(py.Member{Name: "__abstractmethods__", Value: none})
	}
	return c
}

// wrapperInit gives a class its construction: a plain object filled by init.
func wrapperInit(c *py.Type, init func(t *py.Thread, o *py.Instance, args []py.Value, kw []py.Kw) error) {
	c.New = func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		o := py.NewInstance(cls, nil)
		if cls.Heap {
			return o, nil
		}
		return o, init(t, o, args, kw)
	}
	c.Finish(py.Member{Name: "__init__", Value: py.NewRawMethod("__init__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
		o, ok := (*py.Instance)(nil), len(args) > 0
		if ok {
			o, ok = args[0].(*py.Instance)
		}
		if !ok {
			return nil, py.TypeErrorf("%s.__init__() missing 1 required positional argument: 'self'", c.Name)
		}
		return py.None, init(t, o, args[1:], kw)
	})})
}

// via makes a method that applies fn to the wrapped attribute.
func via(attr string, fn func(t *py.Thread, inner py.Value, a []py.Value) (py.Value, error)) py.MethodFunc {
	return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		inner, err := t.GetAttr(self, attr)
		if err != nil {
			return nil, err
		}
		return fn(t, inner, a)
	}
}

func setAttr(t *py.Thread, o *py.Instance, name string, v py.Value) error {
	return o.Attrs().Set(t, py.NewStr(name), v)
}

// wrappedMembers are the methods that UserDict and UserList pass on to data.
func wrappedMembers() []py.Member {
	return []py.Member{
		py.Def("__len__", "/", via("data", func(t *py.Thread, d py.Value, _ []py.Value) (py.Value, error) {
			n, err := t.Len(d)
			return py.Int(n), err
		})),
		py.Def("__contains__", "key, /", via("data", func(t *py.Thread, d py.Value, a []py.Value) (py.Value, error) {
			ok, err := t.Contains(d, a[0])
			return py.Bool(ok), err
		})),
		py.Def("__iter__", "/", via("data", func(t *py.Thread, d py.Value, _ []py.Value) (py.Value, error) { return t.Iter(d) })),
		py.Def("__repr__", "/", via("data", func(t *py.Thread, d py.Value, _ []py.Value) (py.Value, error) {
			s, err := t.Repr(d)
			return py.NewStr(s), err
		})),
		py.Def("__setitem__", "key, item, /", via("data", func(t *py.Thread, d py.Value, a []py.Value) (py.Value, error) {
			return py.None, t.SetItem(d, a[0], a[1])
		})),
		py.Def("__delitem__", "key, /", via("data", func(t *py.Thread, d py.Value, a []py.Value) (py.Value, error) {
			return py.None, t.DelItem(d, a[0])
		})),
	}
}

// unwrapData is other.data for an object of the class, else other.
func unwrapData(t *py.Thread, cls *py.Type, other py.Value) (py.Value, error) {
	if cls.IsInstance(other) {
		return t.GetAttr(other, "data")
	}
	return other, nil
}

func setupUserTypes() {
	userDictType.Finish(wrappedMembers()...)
	userListType.Finish(wrappedMembers()...)
	wrapperInit(userDictType, func(t *py.Thread, o *py.Instance, args []py.Value, kw []py.Kw) error {
		if len(args) > 1 {
			return py.TypeErrorf("UserDict.__init__() takes from 1 to 2 positional arguments but %d were given", 1+len(args))
		}
		if err := setAttr(t, o, "data", t.NewDict()); err != nil {
			return err
		}
		if len(args) == 1 && args[0] != py.None {
			if err := updateItems(t, o, args[0]); err != nil {
				return err
			}
		}
		for _, k := range kw {
			if err := t.SetItem(o, py.NewStr(k.Name), k.Value); err != nil {
				return err
			}
		}
		return nil
	})
	merge := func(swap, inplace bool) py.MethodFunc {
		return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return userDictMerge(t, self, a[0], swap, inplace)
		}
	}
	userDictType.Finish(
		py.Def("__getitem__", "key, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			data, err := t.GetAttr(self, "data")
			if err != nil {
				return nil, err
			}
			v, err := t.GetItem(data, a[0])
			if _, missing := py.Catch(err, py.KeyErrorType); missing {
				if r, found, err := t.CallSpecial(self, "__missing__", a[0]); found || err != nil {
					return r, err
				}
			}
			return v, err
		}),
		py.Def("__or__", "other, /", merge(false, false)), py.Def("__ror__", "other, /", merge(true, false)), py.Def("__ior__", "other, /", merge(false, true)),
		py.Def("copy", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return t.Call(self.Type(), []py.Value{self}, nil)
		}),
	)
	setupUserList()
}

func userDictMerge(t *py.Thread, self, other py.Value, swap, inplace bool) (py.Value, error) {
	y, err := unwrapData(t, userDictType, other)
	if err != nil {
		return nil, err
	}
	if _, ok := py.AsDict(y); !ok {
		return py.NotImplemented, nil
	}
	x, err := t.GetAttr(self, "data")
	if err != nil {
		return nil, err
	}
	if inplace {
		return self, updateItems(t, x, y)
	}
	if swap {
		x, y = y, x
	}
	merged, err := t.BinaryOp(syntax.BitOr, x, y)
	if err != nil {
		return nil, err
	}
	return t.Call(self.Type(), []py.Value{merged}, nil)
}

func setupUserList() {
	wrapperInit(userListType, func(t *py.Thread, o *py.Instance, args []py.Value, kw []py.Kw) error {
		list := t.NewList(nil)
		if len(args) > 0 && args[0] != py.None {
			items, err := t.Collect(args[0])
			if err != nil {
				return err
			}
			list = t.NewList(items)
		}
		return setAttr(t, o, "data", list)
	})
	arith := func(op syntax.Operator, swap bool) py.MethodFunc {
		return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			x, err := t.GetAttr(self, "data")
			if err != nil {
				return nil, err
			}
			y, err := unwrapData(t, userListType, a[0])
			if err != nil {
				return nil, err
			}
			if swap {
				x, y = y, x
			}
			v, err := t.BinaryOp(op, x, y)
			if err != nil {
				return nil, err
			}
			return t.Call(self.Type(), []py.Value{v}, nil)
		}
	}
	compare := func(op syntax.CmpOp) py.MethodFunc {
		return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			x, err := t.GetAttr(self, "data")
			if err != nil {
				return nil, err
			}
			y, err := unwrapData(t, userListType, a[0])
			if err != nil {
				return nil, err
			}
			return t.Compare(op, x, y)
		}
	}
	pass := func(name string) py.Member {
		return py.Member{Name: name, Value: &libMethod{name: name, fn: func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
			data, err := t.GetAttr(self, "data")
			if err != nil {
				return nil, err
			}
			f, err := t.GetAttr(data, name)
			if err != nil {
				return nil, err
			}
			return t.Call(f, args, kw)
		}}}
	}
	userListType.Finish(
		py.Def("__getitem__", "i, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			data, err := t.GetAttr(self, "data")
			if err != nil {
				return nil, err
			}
			v, err := t.GetItem(data, a[0])
			if _, slice := a[0].(*py.Slice); slice && err == nil {
				return t.Call(self.Type(), []py.Value{v}, nil)
			}
			return v, err
		}),
		py.Def("__add__", "other, /", arith(syntax.Add, false)), py.Def("__radd__", "other, /", arith(syntax.Add, true)),
		py.Def("__mul__", "n, /", arith(syntax.Mult, false)), py.Def("__rmul__", "n, /", arith(syntax.Mult, false)),
		py.Def("__eq__", "other, /", compare(syntax.Eq)), py.Def("__lt__", "other, /", compare(syntax.Lt)), py.Def("__le__", "other, /", compare(syntax.LtE)),
		py.Def("__gt__", "other, /", compare(syntax.Gt)), py.Def("__ge__", "other, /", compare(syntax.GtE)), py.Member{Name: "__hash__", Value: py.None},
		pass("append"), pass("insert"), pass("pop"), pass("remove"), pass("clear"), pass("count"), pass("index"), pass("reverse"), pass("sort"), pass("extend"),
		py.Def("copy", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return t.Call(self.Type(), []py.Value{self}, nil)
		}),
	)
}

// chainMaps is the list of mappings of a ChainMap.
func chainMaps(t *py.Thread, self py.Value) ([]py.Value, error) {
	v, err := t.GetAttr(self, "maps")
	if err != nil {
		return nil, err
	}
	return t.Collect(v)
}

func setupChainMap() {
	wrapperInit(chainMapType, func(t *py.Thread, o *py.Instance, args []py.Value, _ []py.Kw) error {
		list := append([]py.Value(nil), args...)
		if len(list) == 0 {
			list = []py.Value{t.NewDict()}
		}
		return setAttr(t, o, "maps", t.NewList(list))
	})
	chainMapType.Finish(
		py.Def("__getitem__", "key, /", chainMapItem),
		py.Def("get", "key, default=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			in, err := t.Contains(self, a[0])
			if err != nil || !in {
				return given(a[1], py.None), err
			}
			return t.GetItem(self, a[0])
		}),
		py.Def("__contains__", "key, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			list, err := chainMaps(t, self)
			for _, m := range list {
				if in, err := t.Contains(m, a[0]); in || err != nil {
					return py.True, err
				}
			}
			return py.False, err
		}),
		py.Def("__len__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, err := chainMapKeys(t, self)
			if err != nil {
				return nil, err
			}
			return py.Int(d.Len()), nil
		}),
		py.Def("__iter__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, err := chainMapKeys(t, self)
			if err != nil {
				return nil, err
			}
			return t.Iter(d)
		}),
		py.Def("__bool__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			list, err := chainMaps(t, self)
			for _, m := range list {
				if ok, err := t.Truth(m); ok || err != nil {
					return py.True, err
				}
			}
			return py.False, err
		}),
		py.Def("__repr__", "/", chainMapRepr),
	)
	chainMapType.Finish(chainMapWrites()...)
	chainMapType.Finish(chainMapDerived()...)
}

// chainMapWrites are the methods that change the first mapping.
func chainMapWrites() []py.Member {
	first := func(fn func(t *py.Thread, m py.Value, a []py.Value) (py.Value, error)) py.MethodFunc {
		return via("maps", func(t *py.Thread, list py.Value, a []py.Value) (py.Value, error) {
			m, err := t.GetItem(list, py.Int(0))
			if err != nil {
				return nil, err
			}
			return fn(t, m, a)
		})
	}
	notFound := func(t *py.Thread, key py.Value, err error) error {
		if _, missing := py.Catch(err, py.KeyErrorType); !missing {
			return err
		}
		s, err := t.Repr(key)
		if err != nil {
			return err
		}
		return py.RaiseArgs(py.KeyErrorType, py.NewStr("Key not found in the first mapping: "+s))
	}
	return []py.Member{
		py.Def("__setitem__", "key, value, /", first(func(t *py.Thread, m py.Value, a []py.Value) (py.Value, error) {
			return py.None, t.SetItem(m, a[0], a[1])
		})),
		py.Def("__delitem__", "key, /", first(func(t *py.Thread, m py.Value, a []py.Value) (py.Value, error) {
			return py.None, notFound(t, a[0], t.DelItem(m, a[0]))
		})),
		py.Def("pop", "key, default=None", first(func(t *py.Thread, m py.Value, a []py.Value) (py.Value, error) {
			args := []py.Value{a[0]}
			if a[1] != nil {
				args = append(args, a[1])
			}
			v, err := t.CallMethod(m, "pop", args...)
			return v, notFound(t, a[0], err)
		})),
		py.Def("popitem", "", first(func(t *py.Thread, m py.Value, _ []py.Value) (py.Value, error) {
			v, err := t.CallMethod(m, "popitem")
			if _, empty := py.Catch(err, py.KeyErrorType); empty {
				err = py.RaiseType(py.KeyErrorType, "No keys found in the first mapping.")
			}
			return v, err
		})),
		py.Def("clear", "", first(func(t *py.Thread, m py.Value, _ []py.Value) (py.Value, error) { return t.CallMethod(m, "clear") })),
	}
}

// chainMapDerived are the methods that make new chains.
func chainMapDerived() []py.Member {
	return []py.Member{
		py.Def("new_child", "m=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			list, err := chainMaps(t, self)
			if err != nil {
				return nil, err
			}
			child := a[0]
			if !isSet(child) {
				child = t.NewDict()
			}
			return t.Call(self.Type(), append([]py.Value{child}, list...), nil)
		}),
		py.Get("parents", func(t *py.Thread, self py.Value) (py.Value, error) {
			list, err := chainMaps(t, self)
			if err != nil {
				return nil, err
			}
			return t.Call(self.Type(), list[min(1, len(list)):], nil)
		}),
		py.Def("copy", "", chainMapCopy), py.Def("__copy__", "", chainMapCopy),
		py.Def("__or__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			if ok, err := abcInstance(t, abcMapping, a[0]); err != nil || !ok {
				return py.NotImplemented, err
			}
			c, err := chainMapCopy(t, self, nil)
			if err != nil {
				return nil, err
			}
			return c, updateItems(t, c, a[0])
		}),
		py.Def("__ior__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return self, updateItems(t, self, a[0])
		}),
	}
}

func chainMapItem(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	list, err := chainMaps(t, self)
	if err != nil {
		return nil, err
	}
	for _, m := range list {
		v, err := t.GetItem(m, a[0])
		if err == nil {
			return v, nil
		}
		if _, missing := py.Catch(err, py.KeyErrorType); !missing {
			return nil, err
		}
	}
	if r, found, err := t.CallSpecial(self, "__missing__", a[0]); found || err != nil {
		return r, err
	}
	return nil, py.KeyErrorFor(a[0])
}

// chainMapKeys is a dict of all keys, those of the last mapping first.
func chainMapKeys(t *py.Thread, self py.Value) (*py.Dict, error) {
	list, err := chainMaps(t, self)
	if err != nil {
		return nil, err
	}
	d := t.NewDict()
	for i := len(list) - 1; i >= 0; i-- {
		if err := t.ForEach(list[i], func(k py.Value) error { return d.Set(t, k, py.None) }); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func chainMapCopy(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	list, err := chainMaps(t, self)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if list[0], err = t.CallMethod(list[0], "copy"); err != nil {
		return nil, err
	}
	return t.Call(self.Type(), list, nil)
}

func chainMapRepr(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	s, err := guardRepr(t, self, "...", func() (string, error) {
		list, err := chainMaps(t, self)
		if err != nil {
			return "", err
		}
		parts := make([]string, len(list))
		for i, m := range list {
			if parts[i], err = t.Repr(m); err != nil {
				return "", err
			}
		}
		return self.Type().Name + "(" + strings.Join(parts, ", ") + ")", nil
	})
	return py.NewStr(s), err
}
