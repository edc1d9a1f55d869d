package stdlib

import (
	"sort"

	"gauntlet/internal/py"
)

// This file is the module abc, and the checks behind every abstract class of
// the library (collections.abc, typing.Protocol).

// abcMetaType is the class of abstract classes.
var abcMetaType = py.NewType("abc", "ABCMeta", py.TypeType).Finish(
	py.Def("__instancecheck__", "instance, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		ok, err := abcInstance(t, self.(*py.Type), a[0])
		return py.Bool(ok), err
	}),
	py.Def("__subclasscheck__", "subclass, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		sub, ok := a[0].(*py.Type)
		if !ok {
			return nil, py.TypeErrorf("issubclass() arg 1 must be a class")
		}
		r, err := abcSubclass(t, self.(*py.Type), sub)
		return py.Bool(r), err
	}),
	py.Def("register", "subclass", abcRegister),
	py.Def("__setattr__", "name, value, /", metaSetAttr),
)

// abcType is abc.ABC.
var abcType = func() *py.Type {
	c := py.NewType("abc", "ABC")
	c.Meta = abcMetaType
	c.BuildClass = abcBuildClass
	return c
}()

// The initialisation lets metaclass=ABCMeta build classes as deriving from ABC does,
// and makes ABCMeta(name, bases, dict) work.
var _ = func() bool {
	abcMetaType.BuildClass = abcBuildClass
	abcMetaType.New = newABCClass
	return true
}()

// newABCClass is ABCMeta(name, bases, dict).
func newABCClass(t *py.Thread, meta *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) != 3 {
		return nil, py.TypeErrorf("ABCMeta.__new__() takes 4 positional arguments but %d were given", 1+len(args))
	}
	name, ok := textOf(args[0])
	bases, isTuple := py.AsTuple(args[1])
	ns, isDict := py.AsDict(args[2])
	if !ok || !isTuple || !isDict {
		return nil, py.TypeErrorf("ABCMeta.__new__() needs a name, a tuple of bases and a dict")
	}
	d, err := ns.Copy(t)
	if err != nil {
		return nil, err
	}
	for _, b := range bases.Items {
		if c, ok := b.(*py.Type); !ok || c.Meta != nil {
			return t.MakeClass(name, name, bases.Items, d, kw)
		}
	}
	return abcBuildClass(t, meta, name, bases.Items, d, kw)
}

// buildAbc makes the module abc.
func buildAbc() *py.Module {
	mark := func(wrap func(f py.Value) py.Value) py.NativeFunc {
		return func(t *py.Thread, a []py.Value) (py.Value, error) {
			if f, ok := a[0].(*py.Function); ok {
				return wrap(f), t.SetAttr(f, "__isabstractmethod__", py.True)
			}
			return wrap(a[0]), nil
		}
	}
	return py.NewModule("abc",
		py.Member{Name: "ABC", Value: abcType},
		py.Member{Name: "ABCMeta", Value: abcMetaType},
		pyFunc("abstractmethod", "funcobj", mark(func(f py.Value) py.Value { return f })),
		pyFunc("abstractproperty", "fget", mark(func(f py.Value) py.Value { return &py.Property{Get: f} })),
		pyFunc("abstractclassmethod", "callable", mark(func(f py.Value) py.Value { return &py.ClassMethod{Fn: f} })),
		pyFunc("abstractstaticmethod", "callable", mark(func(f py.Value) py.Value { return &py.StaticMethod{Fn: f} })),
	)
}

// metaSetAttr sets a class attribute for classes whose metaclass does not care.
func metaSetAttr(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	return py.None, self.(*py.Type).Attrs.Set(t, a[0], a[1])
}

// abcBuildClass makes a class that derives from an abstract one and notes
// which methods are still abstract.
func abcBuildClass(t *py.Thread, meta *py.Type, name string, bases []py.Value, ns *py.Dict, kw []py.Kw) (py.Value, error) {
	c, err := t.NewClass(name, name, bases, ns)
	if err != nil {
		return nil, err
	}
	if c.Meta == nil {
		c.Meta = meta
	}
	if err := setAbstract(t, c); err != nil {
		return nil, err
	}
	return c, t.FinishClass(c, kw)
}

// setAbstract computes __abstractmethods__.
func setAbstract(t *py.Thread, c *py.Type) error {
	abstract := map[string]bool{}
	for _, it := range c.Attrs.Items(t) {
		if s, ok := it.Key.(*py.Str); ok && isAbstract(it.Value) {
			abstract[s.String()] = true
		}
	}
	for _, b := range c.Bases {
		names, ok := b.Lookup("__abstractmethods__")
		if !ok {
			continue
		}
		set, ok := names.(*py.Set)
		if !ok {
			continue
		}
		for _, n := range set.Items(t) {
			name, _ := textOf(n)
			if v, ok := c.Lookup(name); ok && isAbstract(v) {
				abstract[name] = true
			}
		}
	}
	set, err := nameSet(t, abstract)
	if err != nil {
		return err
	}
	c.Attrs.SetStr("__abstractmethods__", set)
	return nil
}

// nameSet is a frozenset of names in alphabetical order.
func nameSet(t *py.Thread, names map[string]bool) (*py.Set, error) {
	sorted := make([]string, 0, len(names))
	for n := range names {
		sorted = append(sorted, n)
	}
	sort.Strings(sorted)
	items := make([]py.Value, len(sorted))
	for i, n := range sorted {
		items[i] = py.NewStr(n)
	}
	set, err := t.NewSet(items...)
	if err != nil {
		return nil, err
	}
	set.Frozen = true
	return set, nil
}

// isAbstract reports whether a class attribute was marked by abstractmethod.
func isAbstract(v py.Value) bool {
	switch f := v.(type) {
	case *py.Function:
		m, ok := f.Attrs.GetStr("__isabstractmethod__")
		return ok && m == py.True
	case *py.Property:
		return isAbstract(f.Get) || isAbstract(f.Set) || isAbstract(f.Del)
	case *py.StaticMethod:
		return isAbstract(f.Fn)
	case *py.ClassMethod:
		return isAbstract(f.Fn)
	case *libMethod:
		return f.abstract
	case *cachedProperty:
		return isAbstract(f.fn)
	case *partialMethod:
		return isAbstract(f.fn)
	}
	return false
}

// abcRegister is cls.register(subclass). The note is kept on the registered
// class when that belongs to the world, since library classes are shared.
func abcRegister(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	sub, ok := a[0].(*py.Type)
	if !ok {
		return nil, py.TypeErrorf("Can only register classes")
	}
	holder, name, member := sub, "_abc_registered", self
	if !sub.Heap {
		holder, name, member = self.(*py.Type), "_abc_registry", sub
	}
	if !holder.Heap {
		return nil, py.TypeErrorf("cannot register '%s' in this interpreter: both classes belong to the library", sub.Name)
	}
	list, ok := holder.Attrs.GetStr(name)
	if !ok {
		list = t.NewList(nil)
		if err := holder.Attrs.Set(t, py.NewStr(name), list); err != nil {
			return nil, err
		}
	}
	return sub, list.(*py.List).Append(t, member)
}

// abcRule is the structural test of a library ABC: a class passes when it has
// all methods (and there are any), or derives from one of the types.
type abcRule struct {
	methods []string
	types   []*py.Type
	value   func(t *py.Thread, v py.Value) bool // for Go objects; may be nil
}

// Type returns object: a rule is never seen by Python code.
func (*abcRule) Type() *py.Type { return py.ObjectType }

func abcInstance(t *py.Thread, cls *py.Type, v py.Value) (bool, error) {
	if r, ok := abcRuleOf(cls); ok && r.value != nil && r.value(t, v) {
		return true, nil
	}
	if names, err := protocolNames(t, cls, "isinstance"); err != nil || names != nil && !cls.IsInstance(v) {
		if err != nil {
			return false, err
		}
		return hasAll(t, v, names)
	}
	return abcSubclass(t, cls, v.Type())
}

func abcRuleOf(cls *py.Type) (*abcRule, bool) {
	v, ok := cls.Attrs.GetStr("__subclasshook__")
	if !ok {
		return nil, false
	}
	r, ok := v.(*abcRule)
	return r, ok
}

// abcSubclass is issubclass for an abstract class.
func abcSubclass(t *py.Thread, cls, sub *py.Type) (bool, error) {
	if err := t.Charge(len(sub.MRO)); err != nil {
		return false, err
	}
	if hook, ok := cls.Attrs.GetStr("__subclasshook__"); ok {
		if r, ok := hook.(*abcRule); ok {
			if sub.IsSubclass(cls) || r.matches(sub) {
				return true, nil
			}
		} else if f, err := t.GetAttr(cls, "__subclasshook__"); err != nil {
			return false, err
		} else if v, err := t.Call(f, []py.Value{sub}, nil); err != nil || v != py.NotImplemented {
			return truthOf(t, v, err)
		}
	}
	if sub.IsSubclass(cls) {
		return true, nil
	}
	if names, err := protocolNames(t, cls, "issubclass"); err != nil || names != nil {
		if err != nil {
			return false, err
		}
		return (&abcRule{methods: names}).matches(sub), nil
	}
	if list, ok := cls.Attrs.GetStr("_abc_registry"); ok {
		for _, r := range list.(*py.List).Items {
			if sub.IsSubclass(r.(*py.Type)) {
				return true, nil
			}
		}
	}
	for _, m := range sub.MRO {
		if list, ok := m.Attrs.GetStr("_abc_registered"); ok {
			for _, r := range list.(*py.List).Items {
				if r.(*py.Type).IsSubclass(cls) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

func (r *abcRule) matches(sub *py.Type) bool {
	for _, c := range r.types {
		if sub.IsSubclass(c) {
			return true
		}
	}
	for _, m := range r.methods {
		f, ok := sub.Lookup(m)
		if !ok || f == py.None {
			return false
		}
	}
	return len(r.methods) > 0
}

// hasAll reports whether v has all attributes.
func hasAll(t *py.Thread, v py.Value, names []string) (bool, error) {
	for _, n := range names {
		x, err := t.LookupAttr(v, n)
		if x == nil || err != nil {
			return false, err
		}
	}
	return true, nil
}
