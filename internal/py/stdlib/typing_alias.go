package stdlib

import (
	"gauntlet/internal/py"
)

// typingAlias is a subscripted form or generic class: List[int], Box[str].
type typingAlias struct {
	form   *typingForm
	origin *py.Type // generic class of the world when form is nil
	args   []py.Value
}

// Type returns typing._GenericAlias or typing._UnionGenericAlias.
func (a *typingAlias) Type() *py.Type {
	switch a.form {
	case unionForm:
		return unionAliasType
	case literalForm:
		return literalAliasType
	}
	return genericAliasType
}

// CopyFor copies the alias for a fork.
func (a *typingAlias) CopyFor(c *py.Copier) (py.Value, error) {
	args, err := forkSlice(c, a.args)
	if err != nil || a.origin == nil {
		return &typingAlias{form: a.form, args: args}, err
	}
	o, err := c.Copy(a.origin)
	if err != nil {
		return nil, err
	}
	return &typingAlias{nil, o.(*py.Type), args}, nil
}

// CallObject makes an object of a generic class.
func (a *typingAlias) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if a.form == nil {
		return t.Call(a.origin, args, kw)
	}
	if a.form == annotatedForm {
		return t.Call(a.args[0], args, kw)
	}
	return nil, cannotMake(t, a)
}

// originValue is get_origin(alias).
func (a *typingAlias) originValue() py.Value {
	switch {
	case a.form == nil:
		return a.origin
	case a.form.origin != nil:
		return a.form.origin
	}
	return a.form
}

// repr is how CPython prints the alias.
func (a *typingAlias) repr(t *py.Thread) (string, error) {
	if err := t.Enter(); err != nil {
		return "", err
	}
	defer t.Leave()
	if a.form == nil {
		name, err := typeText(t, a.origin)
		if err != nil {
			return "", err
		}
		s, err := typeList(t, a.args)
		return name + "[" + s + "]", err
	}
	switch a.form.kind {
	case formUnion:
		if len(a.args) == 2 {
			for i, v := range a.args {
				if v == py.Value(py.NoneTypeType) {
					s, err := typeText(t, a.args[1-i])
					return "typing.Optional[" + s + "]", err
				}
			}
		}
	case formTuple:
		if len(a.args) == 0 {
			return "typing.Tuple[()]", nil
		}
	case formCallable:
		n := len(a.args) - 1
		result, err := typeText(t, a.args[n])
		if err != nil {
			return "", err
		}
		if n == 1 && a.args[0] == py.Ellipsis {
			return "typing.Callable[..., " + result + "]", nil
		}
		s, err := typeList(t, a.args[:n])
		return "typing.Callable[[" + s + "], " + result + "]", err
	case formLiteral:
		s, err := t.Repr(py.NewTuple(a.args...))
		if len(a.args) == 1 {
			s, err = t.Repr(a.args[0])
			s = "(" + s + ")"
		}
		if len(a.args) == 0 {
			return "typing.Literal[()]", nil
		}
		return "typing.Literal[" + s[1:len(s)-1] + "]", err
	case formAnnotated:
		s, err := typeText(t, a.args[0])
		if err != nil {
			return "", err
		}
		for _, m := range a.args[1:] {
			r, err := t.Repr(m)
			if err != nil {
				return "", err
			}
			s += ", " + r
		}
		return "typing.Annotated[" + s + "]", t.Alloc(len(s))
	}
	s, err := typeList(t, a.args)
	return "typing." + a.form.name + "[" + s + "]", err
}

// equal compares unions and literals as sets, others in order.
func (a *typingAlias) equal(t *py.Thread, b *typingAlias) (bool, error) {
	if err := t.Enter(); err != nil {
		return false, err
	}
	defer t.Leave()
	if a.form != b.form || a.origin != b.origin || len(a.args) != len(b.args) {
		return false, nil
	}
	if a.form != unionForm && a.form != literalForm {
		return t.Eq(py.NewTuple(a.args...), py.NewTuple(b.args...))
	}
	for _, x := range a.args {
		found := false
		for _, y := range b.args {
			if a.form == literalForm && x.Type() != y.Type() {
				continue
			}
			same, err := sameValue(t, x, y)
			if err != nil {
				return false, err
			}
			found = found || same
		}
		if !found {
			return false, nil
		}
	}
	return true, nil
}

// hash agrees with equal: it does not depend on the order of the arguments.
func (a *typingAlias) hash(t *py.Thread) (py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	h := int64(len(a.args))
	for _, v := range a.args {
		x, err := t.HashInt(v)
		if err != nil {
			return nil, err
		}
		h += x
	}
	return py.Int(h), nil
}

// typeVars collects the type variables in args, in order of first use.
func typeVars(t *py.Thread, args []py.Value) ([]py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	var out []py.Value
	for _, v := range args {
		var found []py.Value
		var err error
		switch x := v.(type) {
		case *typeVar:
			found = []py.Value{x}
		case *typingAlias:
			found, err = typeVars(t, x.args)
		case *py.GenericAlias:
			found, err = typeVars(t, x.Args)
		}
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if !hasValue(out, f) {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// item is alias[key]: the type variables replaced in order.
func (a *typingAlias) item(t *py.Thread, key py.Value) (py.Value, error) {
	vars, err := typeVars(t, a.args)
	if err != nil {
		return nil, err
	}
	if len(vars) == 0 {
		s, err := t.Repr(a)
		if err != nil {
			return nil, err
		}
		return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr(s+" is not a generic class"))
	}
	types := []py.Value{key}
	if tup, ok := key.(*py.Tuple); ok {
		types = tup.Items
	}
	if err := countParams(t, a, len(types), len(vars)); err != nil {
		return nil, err
	}
	return a.substitute(t, vars, toTypes(types))
}

func (a *typingAlias) substitute(t *py.Thread, vars, types []py.Value) (py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	if err := t.Alloc(64 + 16*len(a.args)); err != nil {
		return nil, err
	}
	args := make([]py.Value, len(a.args))
	for i, v := range a.args {
		args[i] = v
		switch x := v.(type) {
		case *typeVar:
			for j, tv := range vars {
				if tv == v {
					args[i] = types[j]
				}
			}
		case *typingAlias:
			n, err := x.substitute(t, vars, types)
			if err != nil {
				return nil, err
			}
			args[i] = n
		}
	}
	if a.form == unionForm {
		return makeUnion(t, args)
	}
	return &typingAlias{a.form, a.origin, args}, nil
}

// bases is __mro_entries__ of an alias.
func (a *typingAlias) bases(t *py.Thread, bases py.Value) (py.Value, error) {
	if a.form == nil {
		list, _ := bases.(*py.Tuple)
		if a.origin == genericType {
			after := false
			for _, b := range list.Items {
				if b == py.Value(protocolType) {
					return py.NewTuple(), nil
				}
				if _, alias := b.(*typingAlias); alias && after {
					return py.NewTuple(), nil
				}
				after = after || b == py.Value(a)
			}
		}
		return py.NewTuple(a.origin), nil
	}
	if a.form.origin == nil {
		s, err := a.repr(t)
		if err != nil {
			return nil, err
		}
		return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr("Cannot subclass "+s))
	}
	return genericBases(a, a.form.origin, bases), nil
}

// aliasCheck is isinstance or issubclass, which only unions allow.
func aliasCheck(name string) py.Member {
	return py.Def(name, "cls, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		alias := self.(*typingAlias)
		if alias.form != unionForm {
			return nil, py.TypeErrorf("Subscripted generics cannot be used with class and instance checks")
		}
		for _, c := range alias.args {
			var ok bool
			var err error
			if sub, isClass := a[0].(*py.Type); name == "__subclasscheck__" && isClass {
				ok, err = subclassTest(t, sub, c)
			} else {
				ok, err = classTest(t, a[0], c)
			}
			if ok || err != nil {
				return py.Bool(ok), err
			}
		}
		return py.False, nil
	})
}

// setupAliases attaches the methods of aliases.
func setupAliases() {
	alias := func(v py.Value) *typingAlias { return v.(*typingAlias) }
	genericAliasType.Finish(unionOperators()...)
	genericAliasType.Finish(
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s, err := alias(self).repr(t)
			return py.NewStr(s), err
		}),
		py.Def("__eq__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			b, ok := a[0].(*typingAlias)
			if !ok {
				return py.NotImplemented, nil
			}
			eq, err := alias(self).equal(t, b)
			return py.Bool(eq), err
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return alias(self).hash(t) }),
		py.Def("__getitem__", "key, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return alias(self).item(t, a[0]) }),
		py.Def("__mro_entries__", "bases, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return alias(self).bases(t, a[0]) }),
		aliasCheck("__instancecheck__"), aliasCheck("__subclasscheck__"),
		py.Get("__origin__", func(_ *py.Thread, self py.Value) (py.Value, error) { return alias(self).publicOrigin(), nil }),
		py.Get("__args__", func(_ *py.Thread, self py.Value) (py.Value, error) {
			a := alias(self)
			if a.form == annotatedForm {
				return py.NewTuple(a.args[0]), nil
			}
			return py.NewTuple(a.args...), nil
		}),
		py.Get("__metadata__", func(_ *py.Thread, self py.Value) (py.Value, error) {
			a := alias(self)
			if a.form != annotatedForm {
				return nil, py.AttributeErrorf("__metadata__")
			}
			return py.NewTuple(a.args[1:]...), nil
		}),
		py.Get("__parameters__", func(t *py.Thread, self py.Value) (py.Value, error) {
			v, err := typeVars(t, alias(self).args)
			return py.NewTuple(v...), err
		}),
		py.Def("__getattr__", "name, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			name, _ := textOf(a[0])
			if o := alias(self).originValue(); len(name) < 2 || name[:2] != "__" {
				return t.GetAttr(o, name)
			}
			return nil, py.AttributeErrorf("%s", name)
		}),
	)
}

// publicOrigin is __origin__; for Annotated it is the annotated type.
func (a *typingAlias) publicOrigin() py.Value {
	if a.form == annotatedForm {
		return a.args[0]
	}
	return a.originValue()
}
