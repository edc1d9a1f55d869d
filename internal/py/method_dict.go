package py

// dictMembers are the methods of dict.
func dictMembers() []Member {
	return []Member{
		Def("clear", "", func(t *Thread, self Value, a []Value) (Value, error) {
			self.(*Dict).Clear(t)
			return None, nil
		}),
		Def("copy", "", func(t *Thread, self Value, a []Value) (Value, error) {
			d := self.(*Dict)
			if err := t.Charge(d.Len()); err != nil {
				return nil, err
			}
			return orNil(d.Copy(t))
		}),
		{"fromkeys", NewClassMethod("fromkeys", "iterable, value=None, /", dictFromKeys)},
		Def("get", "key, default=None, /", dictGet),
		Def("items", "", dictViewMethod(viewItems)),
		Def("keys", "", dictViewMethod(viewKeys)),
		Def("pop", "key, default=None, /", dictPop),
		Def("popitem", "", dictPopItem),
		Def("setdefault", "key, default=None, /", func(t *Thread, self Value, a []Value) (Value, error) {
			d := self.(*Dict)
			v, err := d.Get(t, a[0])
			if v != nil || err != nil {
				return v, err
			}
			v = orNone(a[1])
			return v, d.Set(t, a[0], v)
		}),
		{"update", NewRawMethod("update", func(t *Thread, args []Value, kw []Kw) (Value, error) {
			self, args, err := receiver(DictType, "update", args)
			if err != nil {
				return nil, err
			}
			if err := checkCall("update", args, nil, 0, 1, true); err != nil {
				return nil, err
			}
			return None, t.dictFill(self.(*Dict), args, kw)
		})},
		Def("values", "", dictViewMethod(viewValues)),
		initSlot(DictType, 1, true, func(t *Thread, self Value, args []Value, kw []Kw) error {
			return t.dictFill(self.(*Dict), args, kw)
		}),
	}
}

func dictGet(t *Thread, self Value, a []Value) (Value, error) {
	v, err := self.(*Dict).Get(t, a[0])
	if v != nil || err != nil {
		return v, err
	}
	return orNone(a[1]), nil
}

func dictPop(t *Thread, self Value, a []Value) (Value, error) {
	d := self.(*Dict)
	if d.Len() > 0 { // an empty dict does not hash the key, as in CPython
		v, err := d.Pop(t, a[0])
		if v != nil || err != nil {
			return v, err
		}
	}
	if a[1] == nil {
		return nil, KeyErrorFor(a[0])
	}
	return a[1], nil
}

// orNone is v, or None for an absent argument.
func orNone(v Value) Value {
	if v == nil {
		return None
	}
	return v
}

// orNil turns a typed result into a Value without making a non-nil interface
// of a nil pointer.
func orNil[T Value](v T, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// dictFromKeys is dict.fromkeys; a subclass is made by calling it and filled
// item by item.
func dictFromKeys(t *Thread, self Value, a []Value) (Value, error) {
	cls, ok := self.(*Type)
	if !ok {
		cls = self.Type()
	}
	value := orNone(a[1])
	if cls == DictType {
		d := t.NewDict()
		return d, t.ForEach(a[0], func(k Value) error { return d.Set(t, k, value) })
	}
	d, err := t.Call(cls, nil, nil)
	if err != nil {
		return nil, err
	}
	return d, t.ForEach(a[0], func(k Value) error { return t.SetItem(d, k, value) })
}

func dictPopItem(t *Thread, self Value, _ []Value) (Value, error) {
	d := self.(*Dict)
	if d.Len() == 0 {
		return nil, RaiseType(KeyErrorType, "popitem(): dictionary is empty")
	}
	i := len(d.entries) - 1
	for d.entries[i].key == nil {
		i--
	}
	e := d.entries[i]
	if t.log.on {
		t.sawKeys(&d.obj)
		t.sawItem(&d.obj, e.key, e.val)
		t.wroteItem(&d.obj, e.key, nil)
	}
	t.touchDict(d)
	d.remove(i)
	return NewTuple(e.key, e.val), nil
}

// dictFill is dict.update(*args, **kw).
func (t *Thread) dictFill(d *Dict, args []Value, kw []Kw) error {
	if len(args) > 0 {
		if err := t.dictUpdate(d, args[0]); err != nil {
			return err
		}
	}
	for _, k := range kw {
		if err := d.Set(t, NewStr(k.Name), k.Value); err != nil {
			return err
		}
	}
	return nil
}

// dictUpdate is d.update(v): v is a mapping when it has keys(), otherwise an
// iterable of pairs.
func (t *Thread) dictUpdate(d *Dict, v Value) error {
	if o, ok := AsDict(v); ok && !t.overrides(v, DictType, "__iter__") {
		if err := t.Charge(o.Len()); err != nil {
			return err
		}
		return d.Update(t, o)
	}
	keys, err := t.LookupAttr(v, "keys")
	if err != nil {
		return err
	}
	if keys == nil {
		return t.dictPairs(d, v)
	}
	list, err := t.Call(keys, nil, nil)
	if err != nil {
		return err
	}
	return t.ForEach(list, func(k Value) error {
		x, err := t.GetItem(v, k)
		if err != nil {
			return err
		}
		return d.Set(t, k, x)
	})
}

// overrides reports whether a subclass of a built-in class redefines a method.
func (t *Thread) overrides(v Value, base *Type, name string) bool {
	if v.Type() == base {
		return false
	}
	own, ok := v.Type().Lookup(name)
	if !ok {
		return false
	}
	basic, _ := base.Lookup(name)
	return own != basic
}

// dictPairs adds the pairs of an iterable.
func (t *Thread) dictPairs(d *Dict, v Value) error {
	i := 0
	return t.ForEach(v, func(item Value) error {
		pair, err := t.Collect(item)
		if err != nil {
			if _, ok := Catch(err, TypeErrorType); ok {
				return TypeErrorf("cannot convert dictionary update sequence element #%d to a sequence", i)
			}
			return err
		}
		if len(pair) != 2 {
			return ValueErrorf("dictionary update sequence element #%d has length %d; 2 is required", i, len(pair))
		}
		i++
		return d.Set(t, pair[0], pair[1])
	})
}
