package stdlib

import (
	"gauntlet/internal/py"
)

// This file is typing.TypedDict: classes whose calls make plain dicts.

func setupTypedDict() {
	typedDictType.Meta = typedDictMeta
	typedDictType.BuildClass = buildTypedDict
	refuse := func(*py.Thread, py.Value, []py.Value) (py.Value, error) {
		return nil, py.TypeErrorf("TypedDict does not support instance and class checks")
	}
	functional := parsePySig("TypedDict", "typename, fields=None, *, total=True, **kwargs")
	typedDictMeta.Finish(
		py.Member{Name: "__call__", Value: py.NewRawMethod("__call__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			if args[0] != py.Value(typedDictType) {
				return t.Call(py.DictType, args[1:], kw)
			}
			a, err := functional.bind(t, args[1:], kw)
			if err != nil {
				return nil, err
			}
			return typedDictCall(t, a)
		})},
		py.Def("__instancecheck__", "instance, /", refuse),
		py.Def("__subclasscheck__", "subclass, /", refuse),
		py.Def("__setattr__", "name, value, /", metaSetAttr),
	)
}

// buildTypedDict is class X(TypedDict, total=...).
func buildTypedDict(t *py.Thread, _ *py.Type, name string, bases []py.Value, ns *py.Dict, kw []py.Kw) (py.Value, error) {
	total := true
	for _, k := range kw {
		if k.Name != "total" {
			return nil, py.TypeErrorf("_TypedDictMeta.__new__() got an unexpected keyword argument '%s'", k.Name)
		}
		var err error
		if total, err = t.Truth(k.Value); err != nil {
			return nil, err
		}
	}
	var parents []*py.Type
	layout := []py.Value{py.DictType}
	for _, b := range bases {
		c, _ := b.(*py.Type)
		switch {
		case c == genericType:
			layout = append(layout, c)
		case c != nil && c.Meta == typedDictMeta:
			if c != typedDictType {
				parents = append(parents, c)
			}
		default:
			return nil, py.TypeErrorf("cannot inherit from both a TypedDict type and a non-TypedDict base class")
		}
	}
	keys, err := typedDictKeys(t, parents, ns, total)
	if err != nil {
		return nil, err
	}
	c, err := t.NewClass(name, name, layout, ns)
	if err != nil {
		return nil, err
	}
	c.Meta, c.BuildClass = typedDictMeta, buildTypedDict
	ns.SetStr("__annotations__", keys.notes)
	if _, own := ns.GetStr("__total__"); !own {
		ns.SetStr("__total__", py.Bool(total))
	}
	for field, set := range map[string]*py.Set{"__required_keys__": keys.required, "__optional_keys__": keys.optional} {
		set.Frozen = true
		ns.SetStr(field, set)
	}
	return c, nil
}

// typedKeys are the items that a TypedDict describes.
type typedKeys struct {
	notes              *py.Dict
	required, optional *py.Set
}

// typedDictKeys joins the items of the parents and of the class body.
func typedDictKeys(t *py.Thread, parents []*py.Type, ns *py.Dict, total bool) (*typedKeys, error) {
	k := &typedKeys{notes: t.NewDict()}
	var err error
	if k.required, err = t.NewSet(); err != nil {
		return nil, err
	}
	if k.optional, err = t.NewSet(); err != nil {
		return nil, err
	}
	for _, p := range parents {
		if v, ok := p.Attrs.GetStr("__annotations__"); ok {
			if err := k.notes.Update(t, v.(*py.Dict)); err != nil {
				return nil, err
			}
		}
		for name, set := range map[string]*py.Set{"__required_keys__": k.required, "__optional_keys__": k.optional} {
			v, _ := p.Attrs.GetStr(name)
			from, ok := v.(*py.Set)
			if !ok {
				continue
			}
			for _, x := range from.Items(t) {
				if err := set.Add(t, x); err != nil {
					return nil, err
				}
			}
		}
	}
	v, ok := ns.GetStr("__annotations__")
	own, isDict := v.(*py.Dict)
	if !ok || !isDict {
		return k, nil
	}
	for _, it := range own.Items(t) {
		note := toType(it.Value)
		if r, ok := note.(*forwardRef); ok {
			if m, ok := ns.GetStr("__module__"); ok {
				r.module, _ = textOf(m)
			}
		}
		if err := k.notes.Set(t, it.Key, note); err != nil {
			return nil, err
		}
		set := k.optional
		if requiredKey(note, total) {
			set = k.required
		}
		if err := set.Add(t, it.Key); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// requiredKey looks through Annotated for Required and NotRequired.
func requiredKey(note py.Value, total bool) bool {
	for range 8 { // deeper nesting has no meaning
		a, ok := note.(*typingAlias)
		if !ok {
			return total
		}
		switch a.form {
		case requiredForm:
			return true
		case notRequiredForm:
			return false
		case annotatedForm:
			note = a.args[0]
			continue
		}
		return total
	}
	return total
}

// typedDictCall is TypedDict("X", {"a": int}, total=True).
func typedDictCall(t *py.Thread, a []py.Value) (py.Value, error) {
	name, ok := textOf(a[0])
	if !ok {
		return nil, py.TypeErrorf("type name must be a string, not %s", py.TypeName(a[0]))
	}
	fields := a[1]
	if !isSet(fields) {
		fields = a[3]
	}
	notes := t.NewDict()
	if err := fillDict(t, notes, []py.Value{fields}, nil); err != nil {
		return nil, err
	}
	ns := t.NewDict()
	ns.SetStr("__annotations__", notes)
	ns.SetStr("__module__", py.NewStr("__main__"))
	var kw []py.Kw
	if a[2] != nil {
		kw = []py.Kw{{Name: "total", Value: a[2]}}
	}
	return buildTypedDict(t, nil, name, []py.Value{typedDictType}, ns, kw)
}
