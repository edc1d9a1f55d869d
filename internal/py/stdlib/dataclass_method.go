package stdlib

import (
	"errors"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// dataFunc is the body of a generated method.
type dataFunc func(t *py.Thread, m *dataMethod, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error)

// dataMethod is a method generated for a dataclass. It knows the class and its
// fields, and a fork copies it with them.
type dataMethod struct {
	name   string
	cls    *py.Type
	fn     dataFunc
	fields []*dataField
	sig    *pySig       // of __init__
	params []*dataField // of __init__, in the order of sig
	argOf  []int        // for each field, its number in params or -1
	post   bool         // __init__ calls __post_init__
	slots  bool         // the class has __slots__
}

// Type returns the class function.
func (*dataMethod) Type() *py.Type { return dataMethodType }

var dataMethodType = py.NewType("builtins", "function").Finish(
	py.Get("__name__", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(self.(*dataMethod).name), nil }),
	py.Get("__qualname__", func(_ *py.Thread, self py.Value) (py.Value, error) {
		m := self.(*dataMethod)
		return py.NewStr(m.cls.Qualname + "." + m.name), nil
	}),
	py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		m := self.(*dataMethod)
		return py.NewStr("<function " + m.cls.Qualname + "." + m.name + " at 0x7f0000000000>"), nil
	}),
)

// CallObject calls the method; args[0] is the receiver.
func (m *dataMethod) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if len(args) == 0 {
		return nil, py.TypeErrorf("%s.%s() missing 1 required positional argument: 'self'", m.cls.Qualname, m.name)
	}
	return m.fn(t, m, args[0], args[1:], kw)
}

// Bind makes a bound method of an instance.
func (m *dataMethod) Bind(_ *py.Thread, self py.Value, _ *py.Type) (py.Value, error) {
	if self == nil {
		return m, nil
	}
	return &py.Method{Fn: m, Self: self}, nil
}

// CopyFor copies the method for a fork.
func (m *dataMethod) CopyFor(c *py.Copier) (py.Value, error) {
	n := *m
	cls, err := c.Copy(m.cls)
	if err != nil {
		return nil, err
	}
	n.cls = cls.(*py.Type)
	for _, list := range []*[]*dataField{&n.fields, &n.params} {
		out := make([]*dataField, len(*list))
		for i, f := range *list {
			v, err := c.Copy(f)
			if err != nil {
				return nil, err
			}
			out[i] = v.(*dataField)
		}
		*list = out
	}
	return &n, nil
}

// initMethod makes __init__: positional fields, then keyword-only ones.
func (b *dataBuilder) initMethod(hasPost bool) (*dataMethod, error) {
	m := &dataMethod{name: "__init__", cls: b.cls, fn: dataInit, fields: b.fields, post: hasPost}
	m.sig = &pySig{name: b.cls.Qualname + ".__init__", params: []pyParam{{"self", false}}}
	seenDefault := false
	for _, pass := range []bool{false, true} {
		for _, f := range b.fields {
			if !f.init || (f.kwOnly == py.True) != pass {
				continue
			}
			if !pass {
				if f.required() && seenDefault {
					return nil, py.TypeErrorf("non-default argument %s follows default argument", reprText(f.name))
				}
				seenDefault = seenDefault || !f.required()
			}
			m.params = append(m.params, f)
			m.sig.params = append(m.sig.params, pyParam{f.name, !f.required()})
		}
		if !pass {
			m.sig.pos = len(m.sig.params)
		}
	}
	for _, p := range m.sig.params[:m.sig.pos] {
		if !p.optional {
			m.sig.min++
		}
	}
	for _, f := range b.fields {
		at := -1
		for i, p := range m.params {
			if p == f {
				at = i
			}
		}
		m.argOf = append(m.argOf, at)
	}
	return m, nil
}

// bindInit binds the arguments of __init__; it adds to pySig the message for
// keyword-only arguments given beside too many positional ones.
func (m *dataMethod) bindInit(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) ([]py.Value, error) {
	if err := t.Alloc(16 * (len(m.sig.params) + 2)); err != nil {
		return nil, err
	}
	if len(kw) == 0 && len(args) == len(m.params) && m.sig.pos == len(m.sig.params) {
		return append([]py.Value(nil), args...), nil
	}
	all := append(append(make([]py.Value, 0, len(args)+1), self), args...)
	a, err := m.sig.bind(t, all, kw)
	if err != nil {
		if given := m.keywordOnly(kw); given > 0 && len(all) > m.sig.pos {
			if _, ok := py.Catch(err, py.TypeErrorType); ok && strings.Contains(err.Error(), " positional argument") {
				return nil, m.tooMany(len(all), given)
			}
		}
		return nil, err
	}
	return a[1:], nil
}

func (m *dataMethod) keywordOnly(kw []py.Kw) int {
	n := 0
	for _, k := range kw {
		for _, p := range m.sig.params[m.sig.pos:] {
			if p.name == k.Name {
				n++
			}
		}
	}
	return n
}

func (m *dataMethod) tooMany(given, keywords int) error {
	var r *py.Raised
	base := m.sig.tooMany(given)
	if !errors.As(base, &r) {
		return base
	}
	text, _ := textOf(py.ExcArgs(r.Exc)[0])
	head, _, _ := strings.Cut(text, " but ")
	s := func(n int) string {
		if n == 1 {
			return ""
		}
		return "s"
	}
	return py.TypeErrorf("%s but %d positional argument%s (and %d keyword-only argument%s) were given", head, given, s(given), keywords, s(keywords))
}

// dataInit is __init__.
func dataInit(t *py.Thread, m *dataMethod, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
	a, err := m.bindInit(t, self, args, kw)
	if err != nil {
		return nil, err
	}
	frozen := false
	if p, ok := m.cls.Lookup("__dataclass_params__"); ok {
		frozen = p.(*dataParams).frozen
	}
	var post []py.Value
	for i, f := range m.fields {
		var arg py.Value
		if m.argOf[i] >= 0 {
			arg = a[m.argOf[i]]
		}
		v, err := fieldValue(t, m, f, arg)
		if err != nil {
			return nil, err
		}
		if f.kind == fieldInitVar {
			post = append(post, given(v, py.None))
			continue
		}
		if v == nil {
			continue
		}
		if o, ok := self.(*py.Instance); ok && frozen {
			err = t.SetAttrDirect(o, f.name, v)
		} else {
			err = t.SetAttr(self, f.name, v)
		}
		if err != nil {
			return nil, err
		}
	}
	if m.post {
		if _, err := t.CallMethod(self, "__post_init__", post...); err != nil {
			return nil, err
		}
	}
	return py.None, nil
}

// fieldValue is what __init__ stores in a field; nil for a field that stays
// with the class attribute.
func fieldValue(t *py.Thread, m *dataMethod, f *dataField, arg py.Value) (py.Value, error) {
	switch {
	case arg != nil:
		return arg, nil
	case f.factory != nil:
		return t.Call(f.factory, nil, nil)
	case f.init || m.slots || f.kind == fieldInitVar:
		return f.def, nil
	}
	return nil, nil
}

// dataRepr is __repr__.
func dataRepr(t *py.Thread, m *dataMethod, self py.Value, _ []py.Value, _ []py.Kw) (py.Value, error) {
	s, err := guardRepr(t, self, "...", func() (string, error) {
		var b strings.Builder
		b.WriteString(self.Type().Qualname + "(")
		sep := ""
		for _, f := range m.fields {
			if !f.repr {
				continue
			}
			v, err := t.GetAttr(self, f.name)
			if err != nil {
				return "", err
			}
			s, err := t.Repr(v)
			if err == nil {
				err = t.Alloc(len(s) + len(f.name) + 3)
			}
			if err != nil {
				return "", err
			}
			b.WriteString(sep + f.name + "=" + s)
			sep = ", "
		}
		b.WriteString(")")
		return b.String(), nil
	})
	return py.NewStr(s), err
}

// fieldTuple is the values of the fields that keep selects.
func fieldTuple(t *py.Thread, fields []*dataField, self py.Value, keep func(f *dataField) bool) (*py.Tuple, error) {
	if err := t.Alloc(16 * len(fields)); err != nil {
		return nil, err
	}
	out := make([]py.Value, 0, len(fields))
	for _, f := range fields {
		if !keep(f) {
			continue
		}
		v, err := t.GetAttr(self, f.name)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return py.NewTuple(out...), nil
}

var dataCompareOps = map[string]syntax.CmpOp{"__eq__": syntax.Eq, "__lt__": syntax.Lt, "__le__": syntax.LtE, "__gt__": syntax.Gt, "__ge__": syntax.GtE}

// dataCompare is a comparison between objects of one class, field by field.
func dataCompare(name string) dataFunc {
	op := dataCompareOps[name]
	return func(t *py.Thread, m *dataMethod, self py.Value, args []py.Value, _ []py.Kw) (py.Value, error) {
		if len(args) != 1 {
			return nil, py.TypeErrorf("%s.%s() missing 1 required positional argument: 'other'", m.cls.Qualname, name)
		}
		if args[0].Type() != self.Type() {
			return py.NotImplemented, nil
		}
		if err := t.Enter(); err != nil {
			return nil, err
		}
		defer t.Leave()
		compared := func(f *dataField) bool { return f.comp }
		x, err := fieldTuple(t, m.fields, self, compared)
		if err != nil {
			return nil, err
		}
		y, err := fieldTuple(t, m.fields, args[0], compared)
		if err != nil {
			return nil, err
		}
		return t.Compare(op, x, y)
	}
}

// dataHash is __hash__.
func dataHash(t *py.Thread, m *dataMethod, self py.Value, _ []py.Value, _ []py.Kw) (py.Value, error) {
	x, err := fieldTuple(t, m.fields, self, (*dataField).hashed)
	if err != nil {
		return nil, err
	}
	h, err := t.HashInt(x)
	return py.Int(h), err
}

// dataFrozen is __setattr__ and __delattr__ of a frozen class. Objects of a
// subclass may have further attributes.
func dataFrozen(verb string) dataFunc {
	return func(t *py.Thread, m *dataMethod, self py.Value, args []py.Value, _ []py.Kw) (py.Value, error) {
		name := ""
		if len(args) > 0 {
			name, _ = textOf(args[0])
		}
		refuse := self.Type() == m.cls
		for _, f := range m.fields {
			refuse = refuse || f.name == name
		}
		if refuse {
			return nil, py.RaiseArgs(frozenErrorType, py.NewStr("cannot "+verb+" field "+reprText(name)))
		}
		// The next class's __setattr__ has the say.
		past := false
		for _, c := range self.Type().MRO {
			if past {
				if f, ok := c.Attrs.GetStr(m.name); ok {
					return t.Call(f, append([]py.Value{self}, args...), nil)
				}
			}
			past = past || c == m.cls
		}
		return py.None, nil
	}
}
