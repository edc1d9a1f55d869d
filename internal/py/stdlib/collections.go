package stdlib

import (
	"gauntlet/internal/py"
)

// This file is the module collections with defaultdict and OrderedDict. Both
// are instances whose built-in part is a dict, so that the dict's methods,
// journal and access log serve them too.

var (
	defaultDictType = cType("collections", "defaultdict", py.DictType)
	orderedDictType = cType("collections", "OrderedDict", py.DictType)
)

// buildCollections makes the module collections.
func buildCollections() *py.Module {
	setupDefaultDict()
	setupOrderedDict()
	setupCounter()
	setupDeque()
	setupChainMap()
	setupUserTypes()
	setupTupleGetter()
	return py.NewModule("collections",
		py.Member{Name: "defaultdict", Value: defaultDictType},
		py.Member{Name: "OrderedDict", Value: orderedDictType},
		py.Member{Name: "Counter", Value: counterType},
		py.Member{Name: "deque", Value: dequeType},
		py.Member{Name: "ChainMap", Value: chainMapType},
		py.Member{Name: "UserDict", Value: userDictType},
		py.Member{Name: "UserList", Value: userListType},
		py.Member{Name: "abc", Value: collectionsAbc()},
		pyFunc("namedtuple", "typename, field_names, *, rename=False, defaults=None, module=None", namedTuple),
	)
}

// dictOf is the dict inside an instance of a subclass of dict.
func dictOf(v py.Value) *py.Dict { d, _ := py.AsDict(v); return d }

// dictLike sets up the construction of a subclass of dict: an empty instance
// that fill, the body of __init__, fills.
func dictLike(c *py.Type, fill func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) error) {
	c.New = func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		o := py.NewInstance(cls, t.NewDict())
		if cls.Heap {
			return o, nil // __init__ follows
		}
		return o, fill(t, o, args, kw)
	}
	c.Finish(
		py.Member{Name: "__init__", Value: py.NewRawMethod("__init__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			if len(args) == 0 || dictOf(args[0]) == nil {
				return nil, py.TypeErrorf("descriptor '__init__' of '%s' object needs an argument", c.Name)
			}
			return py.None, fill(t, args[0], args[1:], kw)
		})},
		py.Member{Name: "__class_getitem__", Value: py.NewClassMethod("__class_getitem__", "item, /", classGetItem)},
	)
}

// fillDict is dict.update(*args, **kw).
func fillDict(t *py.Thread, d *py.Dict, args []py.Value, kw []py.Kw) error {
	f, err := t.GetAttr(d, "update")
	if err != nil {
		return err
	}
	_, err = t.Call(f, args, kw)
	return err
}

// mergeDict makes an object like self with the items of x, then of y.
func mergeDict(t *py.Thread, like func() (py.Value, error), x, y py.Value) (py.Value, error) {
	dx, okx := py.AsDict(x)
	dy, oky := py.AsDict(y)
	if !okx || !oky {
		return py.NotImplemented, nil
	}
	o, err := like()
	if err != nil {
		return nil, err
	}
	if err := dictOf(o).Update(t, dx); err != nil {
		return nil, err
	}
	return o, dictOf(o).Update(t, dy)
}

// mergeMembers are |, reflected | and |= of a dict subclass; like makes an
// empty object of the kind of self.
func mergeMembers(like func(t *py.Thread, self py.Value) (py.Value, error)) []py.Member {
	return append(copyMembers(like),
		py.Def("__or__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return mergeDict(t, func() (py.Value, error) { return like(t, self) }, self, a[0])
		}),
		py.Def("__ror__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return mergeDict(t, func() (py.Value, error) { return like(t, self) }, a[0], self)
		}),
		py.Def("__ior__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return self, fillDict(t, dictOf(self), []py.Value{a[0]}, nil)
		}),
	)
}

// copyMembers are copy and __copy__ of a dict subclass.
func copyMembers(like func(t *py.Thread, self py.Value) (py.Value, error)) []py.Member {
	return []py.Member{
		py.Def("copy", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return copyDictLike(t, like, self) }),
		py.Def("__copy__", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return copyDictLike(t, like, self) }),
	}
}

func copyDictLike(t *py.Thread, like func(t *py.Thread, self py.Value) (py.Value, error), self py.Value) (py.Value, error) {
	o, err := like(t, self)
	if err != nil {
		return nil, err
	}
	return o, dictOf(o).Update(t, dictOf(self))
}

func setupDefaultDict() {
	dictLike(defaultDictType, func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) error {
		var factory py.Value = py.None
		if len(args) > 0 {
			factory, args = args[0], args[1:]
		}
		if factory != py.None && !t.IsCallable(factory) {
			return py.TypeErrorf("first argument must be callable or None")
		}
		if len(args) > 1 {
			return py.TypeErrorf("dict expected at most 1 argument, got %d", len(args))
		}
		if err := setFactory(t, self, factory); err != nil {
			return err
		}
		return fillDict(t, dictOf(self), args, kw)
	})
	like := func(t *py.Thread, self py.Value) (py.Value, error) {
		return t.Call(self.Type(), []py.Value{factoryOf(self)}, nil)
	}
	defaultDictType.Finish(
		py.Def("__missing__", "key, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			f := factoryOf(self)
			if f == py.None {
				return nil, py.KeyErrorFor(a[0])
			}
			v, err := t.Call(f, nil, nil)
			if err != nil {
				return nil, err
			}
			return v, t.SetItem(self, a[0], v)
		}),
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s, err := guardRepr(t, self, self.Type().Name+"(...)", func() (string, error) {
				f, err := t.Repr(factoryOf(self))
				if err != nil {
					return "", err
				}
				d, err := t.Repr(dictOf(self))
				return self.Type().Name + "(" + f + ", " + d + ")", err
			})
			return py.NewStr(s), err
		}),
	)
	defaultDictType.Finish(mergeMembers(like)...)
}

// factoryOf is default_factory, which lives in the instance dictionary.
func factoryOf(self py.Value) py.Value {
	if o, ok := self.(*py.Instance); ok {
		if f, ok := o.Attrs().GetStr("default_factory"); ok {
			return f
		}
	}
	return py.None
}

func setFactory(t *py.Thread, self, f py.Value) error {
	o, ok := self.(*py.Instance)
	if !ok {
		return py.TypeErrorf("descriptor '__init__' requires a 'collections.defaultdict' object but received a '%s'", py.TypeName(self))
	}
	return o.Attrs().Set(t, py.NewStr("default_factory"), f)
}

func setupOrderedDict() {
	dictLike(orderedDictType, func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) error {
		if len(args) > 1 {
			return py.TypeErrorf("expected at most 1 arguments, got %d", len(args))
		}
		return fillOrdered(t, dictOf(self), args, kw)
	})
	equal := func(t *py.Thread, self, other py.Value) (py.Value, error) {
		d, ok := py.AsDict(other)
		if !ok {
			return py.NotImplemented, nil
		}
		eq, err := t.Eq(dictOf(self), d)
		if err != nil || !eq || !orderedDictType.IsInstance(other) {
			return py.Bool(eq), err
		}
		eq, err = t.Eq(py.NewTuple(dictOf(self).Keys(t)...), py.NewTuple(d.Keys(t)...))
		return py.Bool(eq), err
	}
	orderedDictType.Finish(
		py.Def("__eq__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return equal(t, self, a[0]) }),
		py.Def("__ne__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			v, err := equal(t, self, a[0])
			if b, ok := v.(py.Bool); ok {
				return !b, err
			}
			return v, err
		}),
		py.Member{Name: "__hash__", Value: py.None},
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s, err := guardRepr(t, self, "...", func() (string, error) { return orderedDictRepr(t, self) })
			return py.NewStr(s), err
		}),
		py.Member{Name: "update", Value: py.NewRawMethod("update", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			if len(args) == 0 || dictOf(args[0]) == nil {
				return nil, py.TypeErrorf("descriptor 'update' of 'collections.OrderedDict' object needs an argument")
			}
			if len(args) > 2 {
				return nil, py.TypeErrorf("update() takes at most 1 positional argument (%d given)", len(args)-1)
			}
			return py.None, fillOrdered(t, dictOf(args[0]), args[1:], kw)
		})},
		py.Def("move_to_end", "key, last=True", orderedDictMove),
		py.Def("popitem", "last=True", orderedDictPopItem),
	)
	orderedDictType.Finish(mergeMembers(func(t *py.Thread, self py.Value) (py.Value, error) { return t.Call(self.Type(), nil, nil) })...)
}

// fillOrdered is fillDict with the errors of OrderedDict for what is no mapping.
func fillOrdered(t *py.Thread, d *py.Dict, args []py.Value, kw []py.Kw) error {
	if len(args) > 0 {
		keys, err := t.LookupAttr(args[0], "keys")
		if err != nil {
			return err
		}
		if keys == nil {
			if err := t.ForEach(args[0], func(pair py.Value) error { return addPair(t, d, pair) }); err != nil {
				return err
			}
			args = nil
		}
	}
	return fillDict(t, d, args, kw)
}

// addPair is key, value = pair; d[key] = value.
func addPair(t *py.Thread, d *py.Dict, pair py.Value) error {
	it, err := t.Iter(pair)
	if err != nil {
		return err
	}
	var items []py.Value
	for len(items) < 3 {
		v, err := it.Next(t)
		if err != nil {
			return err
		}
		if v == nil {
			break
		}
		items = append(items, v)
	}
	switch len(items) {
	case 0:
		return py.ValueErrorf("need more than 0 values to unpack")
	case 1:
		return py.ValueErrorf("need more than 1 value to unpack")
	case 3:
		return py.ValueErrorf("too many values to unpack (expected 2)")
	}
	return d.Set(t, items[0], items[1])
}

func orderedDictRepr(t *py.Thread, self py.Value) (string, error) {
	name := self.Type().Name
	d := dictOf(self)
	if d.Len() == 0 {
		return name + "()", nil
	}
	if err := t.Alloc(64 * d.Len()); err != nil {
		return "", err
	}
	var pairs []py.Value
	for _, it := range d.Items(t) {
		pairs = append(pairs, py.NewTuple(it.Key, it.Value))
	}
	s, err := t.Repr(t.NewList(pairs))
	return name + "(" + s + ")", err
}

// orderedDictMove is move_to_end. Moving to the front rebuilds the dict.
func orderedDictMove(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	d := dictOf(self)
	last := true
	if a[1] != nil {
		var err error
		if last, err = t.Truth(a[1]); err != nil {
			return nil, err
		}
	}
	key, err := d.KeyLike(t, a[0])
	if err != nil {
		return nil, err
	}
	if key == nil {
		// The key is the value of the exception: None makes no argument, a tuple several.
		switch k := a[0].(type) {
		case py.NoneType:
			return nil, py.RaiseArgs(py.KeyErrorType)
		case *py.Tuple:
			return nil, py.RaiseArgs(py.KeyErrorType, k.Items...)
		}
		return nil, py.KeyErrorFor(a[0])
	}
	v, err := d.Pop(t, key)
	if err != nil || v == nil {
		return nil, err
	}
	if last {
		return py.None, d.Set(t, key, v)
	}
	if err := t.Charge(d.Len()); err != nil {
		return nil, err
	}
	items := d.Items(t)
	d.Clear(t)
	if err := d.Set(t, key, v); err != nil {
		return nil, err
	}
	for _, it := range items {
		if err := d.Set(t, it.Key, it.Value); err != nil {
			return nil, err
		}
	}
	return py.None, nil
}

func orderedDictPopItem(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	d := dictOf(self)
	if d.Len() == 0 {
		return nil, py.RaiseType(py.KeyErrorType, "dictionary is empty")
	}
	last := true
	if a[0] != nil {
		var err error
		if last, err = t.Truth(a[0]); err != nil {
			return nil, err
		}
	}
	if last {
		return t.CallMethod(d, "popitem")
	}
	it, err := t.Iter(d)
	if err != nil {
		return nil, err
	}
	k, err := it.Next(t)
	if err != nil {
		return nil, err
	}
	v, err := d.Pop(t, k)
	return py.NewTuple(k, v), err
}
