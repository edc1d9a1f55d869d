package stdlib

import (
	"gauntlet/internal/py"
)

// enumFunctional is Enum("Color", names, start=1, type=None).
func enumFunctional(t *py.Thread, cls *py.Type, a []py.Value) (py.Value, error) {
	name, isText := textOf(a[1])
	if !isText {
		s, err := t.Repr(a[1])
		if err != nil {
			return nil, err
		}
		for _, m := range cls.MRO {
			if m.IsSubclass(enumType) && memberMap(m).Len() > 0 {
				return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr("<enum "+s+"> cannot extend "+enumRepr(m)))
			}
		}
		return nil, py.TypeErrorf("type.__new__() argument 1 must be str, not %s", py.TypeName(a[1]))
	}
	ns := t.NewDict()
	ns.SetStr("__module__", given(a[3], py.NewStr("__main__")))
	if isSet(a[4]) {
		ns.SetStr("__qualname__", a[4])
	}
	bases := []py.Value{cls}
	if isSet(a[5]) {
		bases = []py.Value{a[5], cls}
	}
	body, err := openEnumBody(t, name, []py.Value{cls})
	if err == nil {
		err = functionalMembers(t, cls, a[2], given(a[6], py.Int(1)), ns, body)
	}
	if err == nil {
		err = body.Close(t, ns)
	}
	if err != nil {
		return nil, err
	}
	var kw []py.Kw
	if isSet(a[7]) {
		kw = append(kw, py.Kw{Name: "boundary", Value: a[7]})
	}
	return buildEnumClass(t, enumMeta, name, bases, ns, kw)
}

// functionalMembers reads the names argument: text, names, pairs or a mapping.
func functionalMembers(t *py.Thread, cls *py.Type, names, start py.Value, ns *py.Dict, body py.ClassBody) error {
	var items []py.Value
	if _, ok := textOf(names); ok {
		list, err := fieldNames(t, names)
		if err != nil {
			return err
		}
		for _, n := range list {
			items = append(items, py.NewStr(n))
		}
	} else if d, ok := py.AsDict(names); ok {
		for _, it := range d.Items(t) {
			items = append(items, py.NewTuple(it.Key, it.Value))
		}
	} else {
		list, err := t.Collect(names)
		if err != nil {
			return err
		}
		items = list
	}
	next, _ := cls.Lookup("_generate_next_value_")
	if s, ok := next.(*py.StaticMethod); ok {
		next = s.Fn
	}
	var last []py.Value
	for i, item := range items {
		key, value := item, py.Value(nil)
		if _, isName := textOf(item); !isName {
			pair, err := t.Collect(item)
			if err != nil {
				return err
			}
			if len(pair) != 2 {
				return py.ValueErrorf("not enough values to unpack (expected 2, got %d)", len(pair))
			}
			key, value = pair[0], pair[1]
		} else {
			v, err := t.Call(next, []py.Value{item, start, py.Int(i), t.NewList(append([]py.Value(nil), last...))}, nil)
			if err != nil {
				return err
			}
			value = v
		}
		last = append(last, value)
		s, isName := textOf(key)
		if !isName {
			return py.TypeErrorf("'%s' object is not subscriptable", py.TypeName(key))
		}
		value, err := body.Store(t, ns, s, value)
		if err != nil {
			return err
		}
		if err := ns.Set(t, key, value); err != nil {
			return err
		}
	}
	return nil
}
