package stdlib

import (
	"gauntlet/internal/py"
)

// dataConvert turns nested dataclass objects into plain values for asdict and
// astuple; combine makes the result for one object.
type dataConvert struct {
	t       *py.Thread
	combine func(fields []*dataField, values []py.Value) (py.Value, error)
	copier  *deepCopier
}

func dataAsDict(t *py.Thread, a []py.Value) (py.Value, error) {
	if _, ok := instanceFields(a[0]); !ok {
		return nil, py.TypeErrorf("asdict() should be called on dataclass instances")
	}
	c := &dataConvert{t: t, copier: newDeepCopier(t)}
	c.combine = func(fields []*dataField, values []py.Value) (py.Value, error) {
		if a[1] == nil || a[1] == py.Value(py.DictType) {
			d := t.NewDict()
			for i, f := range fields {
				if err := d.Set(t, py.NewStr(f.name), values[i]); err != nil {
					return nil, err
				}
			}
			return d, nil
		}
		pairs := make([]py.Value, len(fields))
		for i, f := range fields {
			pairs[i] = py.NewTuple(py.NewStr(f.name), values[i])
		}
		return t.Call(a[1], []py.Value{t.NewList(pairs)}, nil)
	}
	return c.value(a[0])
}

func dataAsTuple(t *py.Thread, a []py.Value) (py.Value, error) {
	if _, ok := instanceFields(a[0]); !ok {
		return nil, py.TypeErrorf("astuple() should be called on dataclass instances")
	}
	c := &dataConvert{t: t, copier: newDeepCopier(t)}
	c.combine = func(_ []*dataField, values []py.Value) (py.Value, error) {
		if a[1] == nil || a[1] == py.Value(py.TupleType) {
			return py.NewTuple(values...), nil
		}
		return t.Call(a[1], []py.Value{t.NewList(values)}, nil)
	}
	return c.value(a[0])
}

func (c *dataConvert) value(v py.Value) (py.Value, error) {
	t := c.t
	if err := t.Enter(); err != nil {
		return nil, py.RaiseType(py.RecursionErrorType, "maximum recursion depth exceeded")
	}
	defer t.Leave()
	if err := t.Charge(1); err != nil {
		return nil, err
	}
	if fields, ok := instanceFields(v); ok {
		values := make([]py.Value, len(fields))
		if err := t.Alloc(32 * len(fields)); err != nil {
			return nil, err
		}
		for i, f := range fields {
			x, err := t.GetAttr(v, f.name)
			if err != nil {
				return nil, err
			}
			if values[i], err = c.value(x); err != nil {
				return nil, err
			}
		}
		return c.combine(fields, values)
	}
	if tup, ok := py.AsTuple(v); ok {
		items, err := c.items(tup)
		if err != nil {
			return nil, err
		}
		if _, plain := v.(*py.Tuple); plain {
			return py.NewTuple(items...), nil
		}
		if _, named := v.Type().Lookup("_fields"); named {
			return t.Call(v.Type(), items, nil)
		}
		return t.Call(v.Type(), []py.Value{t.NewList(items)}, nil)
	}
	if list, ok := py.AsList(v); ok {
		items, err := c.items(list)
		if err != nil {
			return nil, err
		}
		if _, plain := v.(*py.List); plain {
			return t.NewList(items), nil
		}
		return t.Call(v.Type(), []py.Value{t.NewList(items)}, nil)
	}
	if d, ok := py.AsDict(v); ok {
		return c.dict(v, d)
	}
	return c.copier.copy(v)
}

func (c *dataConvert) items(v py.Value) ([]py.Value, error) {
	items, err := c.t.Collect(v)
	for i := range items {
		if err != nil {
			break
		}
		items[i], err = c.value(items[i])
	}
	return items, err
}

func (c *dataConvert) dict(v py.Value, d *py.Dict) (py.Value, error) {
	out := c.t.NewDict()
	for _, it := range d.Items(c.t) {
		k, err := c.value(it.Key)
		if err != nil {
			return nil, err
		}
		x, err := c.value(it.Value)
		if err != nil {
			return nil, err
		}
		if err := out.Set(c.t, k, x); err != nil {
			return nil, err
		}
	}
	if _, plain := v.(*py.Dict); plain {
		return out, nil
	}
	if defaultDictType.IsInstance(v) {
		return c.t.Call(v.Type(), []py.Value{factoryOf(v), out}, nil)
	}
	return c.t.Call(v.Type(), []py.Value{out}, nil)
}

// makeDataclass is make_dataclass(cls_name, fields, *, bases=(), namespace=None, …).
func makeDataclass(t *py.Thread, a []py.Value) (py.Value, error) {
	name, err := t.Str(a[0])
	if err != nil {
		return nil, err
	}
	ns := t.NewDict()
	if d, ok := py.AsDict(given(a[3], py.None)); ok {
		if err := ns.Update(t, d); err != nil {
			return nil, err
		}
	}
	notes := t.NewDict()
	err = t.ForEach(a[1], func(item py.Value) error { return makeField(t, item, notes, ns) })
	if err != nil {
		return nil, err
	}
	ns.SetStr("__annotations__", notes)
	ns.SetStr("__module__", py.NewStr("types"))
	var bases []py.Value
	if a[2] != nil {
		if bases, err = t.Collect(a[2]); err != nil {
			return nil, err
		}
	}
	c, err := t.MakeClass(name, name, bases, ns, nil)
	if err != nil {
		return nil, err
	}
	o, err := optionsFrom(t, a[4:])
	if err != nil {
		return nil, err
	}
	return processDataclass(t, c, o)
}

// makeField adds one field of make_dataclass: a name, (name, type) or (name, type, default).
func makeField(t *py.Thread, item py.Value, notes, ns *py.Dict) error {
	parts := []py.Value{item, py.NewStr("typing.Any")}
	if _, isName := textOf(item); !isName {
		n, err := t.Len(item)
		if err != nil {
			return err
		}
		if n != 2 && n != 3 {
			s, err := t.Repr(item)
			if err != nil {
				return err
			}
			return py.RaiseArgs(py.TypeErrorType, py.NewStr("Invalid field: "+s))
		}
		if parts, err = t.Collect(item); err != nil {
			return err
		}
	}
	name, ok := textOf(parts[0])
	switch {
	case !ok || !isIdentifier(name):
		s, err := t.Repr(parts[0])
		if err != nil {
			return err
		}
		return py.RaiseArgs(py.TypeErrorType, py.NewStr("Field names must be valid identifiers: "+s))
	case isKeyword(name):
		return py.TypeErrorf("Field names must not be keywords: %s", reprText(name))
	}
	if _, twice := notes.GetStr(name); twice {
		return py.TypeErrorf("Field name duplicated: %s", reprText(name))
	}
	if len(parts) == 3 {
		if err := ns.Set(t, parts[0], parts[2]); err != nil {
			return err
		}
	}
	return notes.Set(t, parts[0], parts[1])
}
