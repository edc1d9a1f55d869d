package stdlib

import (
	"strings"

	"gauntlet/internal/py"
)

// dataOptions are the parameters of the decorator.
type dataOptions struct {
	init, repr, eq, order, unsafeHash, frozen, matchArgs, kwOnly, slots bool
}

// optionsFrom reads the options in the order of dataclass's signature.
func optionsFrom(t *py.Thread, a []py.Value) (dataOptions, error) {
	o := dataOptions{init: true, repr: true, eq: true, matchArgs: true}
	for i, flag := range []*bool{&o.init, &o.repr, &o.eq, &o.order, &o.unsafeHash, &o.frozen, &o.matchArgs, &o.kwOnly, &o.slots} {
		if a[i] != nil {
			v, err := t.Truth(a[i])
			if err != nil {
				return o, err
			}
			*flag = v
		}
	}
	return o, nil
}

// dataParams is __dataclass_params__.
type dataParams struct{ dataOptions }

// Type returns dataclasses._DataclassParams.
func (*dataParams) Type() *py.Type { return dataParamsType }

func setupDataParams() {
	flags := func(v py.Value) map[string]bool {
		p := v.(*dataParams)
		return map[string]bool{"init": p.init, "repr": p.repr, "eq": p.eq, "order": p.order, "unsafe_hash": p.unsafeHash, "frozen": p.frozen}
	}
	order := []string{"init", "repr", "eq", "order", "unsafe_hash", "frozen"}
	for _, name := range order {
		dataParamsType.Finish(py.Get(name, func(_ *py.Thread, self py.Value) (py.Value, error) { return py.Bool(flags(self)[name]), nil }))
	}
	dataParamsType.Finish(py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		parts := make([]string, len(order))
		for i, name := range order {
			s, err := t.Repr(py.Bool(flags(self)[name]))
			if err != nil {
				return nil, err
			}
			parts[i] = name + "=" + s
		}
		return py.NewStr("_DataclassParams(" + strings.Join(parts, ",") + ")"), nil
	}))
}

// dataclassDecorator is dataclass, with and without parentheses.
func dataclassDecorator(t *py.Thread, a []py.Value) (py.Value, error) {
	o, err := optionsFrom(t, a[1:])
	if err != nil {
		return nil, err
	}
	if isSet(a[0]) {
		return processDataclass(t, a[0], o)
	}
	return py.NewFunc("wrap", "cls, /", func(t *py.Thread, a []py.Value) (py.Value, error) { return processDataclass(t, a[0], o) }), nil
}

// dataBuilder is a class on its way to becoming a dataclass.
type dataBuilder struct {
	t      *py.Thread
	cls    *py.Type
	opt    dataOptions
	table  *py.Dict // name -> field, those of the bases first
	fields []*dataField
}

func processDataclass(t *py.Thread, v py.Value, o dataOptions) (py.Value, error) {
	cls, ok := v.(*py.Type)
	if !ok {
		return nil, py.AttributeErrorf("'%s' object has no attribute '__module__'", py.TypeName(v))
	}
	if !cls.Heap {
		return nil, py.TypeErrorf("cannot set '__dataclass_params__' attribute of immutable type '%s'", cls.Name)
	}
	b := &dataBuilder{t: t, cls: cls, opt: o, table: t.NewDict()}
	if err := b.inherit(); err != nil {
		return nil, err
	}
	if err := b.ownFields(); err != nil {
		return nil, err
	}
	b.fields = allFields(b.table)
	if o.order && !o.eq {
		return nil, py.ValueErrorf("eq must be true if order is true")
	}
	b.set("__dataclass_params__", &dataParams{o})
	b.set("__dataclass_fields__", b.table)
	if err := b.methods(); err != nil {
		return nil, err
	}
	if !o.slots {
		return cls, nil
	}
	return b.withSlots()
}

// allFields are the fields and InitVars, without ClassVars.
func allFields(table *py.Dict) []*dataField {
	var out []*dataField
	for _, it := range table.Items(noThread) {
		if f, ok := it.Value.(*dataField); ok && f.kind != fieldClassVar {
			out = append(out, f)
		}
	}
	return out
}

func (b *dataBuilder) set(name string, v py.Value) { b.cls.Attrs.SetStr(name, v) }

func (b *dataBuilder) own(name string) (py.Value, bool) { return b.cls.Attrs.GetStr(name) }

// inherit takes over the fields of base dataclasses and checks frozen.
func (b *dataBuilder) inherit() error {
	anyBase, frozenBase := false, false
	for i := len(b.cls.MRO) - 1; i > 0; i-- {
		base := b.cls.MRO[i]
		v, ok := base.Attrs.GetStr("__dataclass_fields__")
		if !ok {
			continue
		}
		anyBase = true
		if err := b.table.Update(b.t, v.(*py.Dict)); err != nil {
			return err
		}
		if p, ok := base.Attrs.GetStr("__dataclass_params__"); ok {
			frozenBase = frozenBase || p.(*dataParams).frozen
		}
	}
	switch {
	case anyBase && frozenBase && !b.opt.frozen:
		return py.TypeErrorf("cannot inherit non-frozen dataclass from a frozen one")
	case anyBase && !frozenBase && b.opt.frozen:
		return py.TypeErrorf("cannot inherit frozen dataclass from a non-frozen one")
	}
	return nil
}

// ownFields turns the annotations of the class body into fields.
func (b *dataBuilder) ownFields() error {
	notes := b.t.NewDict()
	if v, ok := b.own("__annotations__"); ok {
		if d, ok := v.(*py.Dict); ok {
			notes = d
		}
	}
	kwOnly := b.opt.kwOnly
	seenMark := false
	for _, it := range notes.Items(b.t) {
		name, _ := textOf(it.Key)
		if isKwOnlyMark(it.Value) {
			if seenMark {
				return py.TypeErrorf("%s is KW_ONLY, but KW_ONLY has already been specified", reprText(name))
			}
			kwOnly, seenMark = true, true
			continue
		}
		f, err := b.field(name, it.Value, kwOnly)
		if err != nil {
			return err
		}
		if err := b.table.Set(b.t, it.Key, f); err != nil {
			return err
		}
		if v, own := b.own(name); own {
			if _, isField := v.(*dataField); isField {
				if f.def == nil {
					if _, err := b.cls.Attrs.Pop(b.t, it.Key); err != nil {
						return err
					}
				} else {
					b.set(name, f.def)
				}
			}
		}
	}
	for _, it := range b.cls.Attrs.Items(b.t) {
		if _, isField := it.Value.(*dataField); isField {
			name, _ := textOf(it.Key)
			if _, noted := notes.GetStr(name); !noted {
				return py.TypeErrorf("%s is a field but has no type annotation", reprText(name))
			}
		}
	}
	return nil
}

func isKwOnlyMark(note py.Value) bool {
	if note == py.Value(kwOnlyMark) {
		return true
	}
	s, ok := textOf(note)
	return ok && (s == "KW_ONLY" || strings.HasSuffix(s, ".KW_ONLY"))
}

// noteKind recognises ClassVar and InitVar, also in annotations given as text.
func noteKind(note py.Value) fieldKind {
	switch x := note.(type) {
	case *typingForm:
		if x == classVarForm {
			return fieldClassVar
		}
	case *typingAlias:
		if x.form == classVarForm {
			return fieldClassVar
		}
	case *initVar:
		return fieldInitVar
	case *py.Type:
		if x == initVarType {
			return fieldInitVar
		}
	case *py.Str:
		s := strings.TrimSpace(x.String())
		if i := strings.IndexAny(s, "[ "); i >= 0 {
			s = s[:i]
		}
		switch s[strings.LastIndex(s, ".")+1:] {
		case "ClassVar":
			return fieldClassVar
		case "InitVar":
			return fieldInitVar
		}
	}
	return fieldPlain
}

func (b *dataBuilder) field(name string, note py.Value, kwOnly bool) (*dataField, error) {
	def, err := b.t.LookupAttr(b.cls, name)
	if err != nil {
		return nil, err
	}
	f, isField := def.(*dataField)
	if !isField {
		f = &dataField{def: def, init: true, repr: true, comp: true, hash: py.None}
		if _, slot := def.(*py.Getter); slot {
			f.def = nil
		}
	}
	f.name, f.note, f.kind, f.placed = name, note, noteKind(note), true
	if f.kind != fieldPlain && f.factory != nil {
		return nil, py.TypeErrorf("field %s cannot have a default factory", name)
	}
	if f.kind == fieldClassVar {
		if f.kwOnly != nil {
			return nil, py.TypeErrorf("field %s is a ClassVar but specifies kw_only", name)
		}
	} else if f.kwOnly == nil {
		f.kwOnly = py.Bool(kwOnly)
	}
	if f.kind == fieldPlain && f.def != nil {
		if h, ok := f.def.Type().Lookup("__hash__"); ok && h == py.None || isBuiltinMutable(f.def) {
			s, err := b.t.Repr(f.def.Type())
			if err != nil {
				return nil, err
			}
			return nil, py.RaiseArgs(py.ValueErrorType, py.NewStr("mutable default "+s+" for field "+name+" is not allowed: use default_factory"))
		}
	}
	return f, nil
}

func isBuiltinMutable(v py.Value) bool {
	switch x := v.(type) {
	case *py.List, *py.Dict:
		return true
	case *py.Set:
		return !x.Frozen
	}
	return false
}

// methods adds the generated methods.
func (b *dataBuilder) methods() error {
	_, hasPost := b.cls.Lookup("__post_init__")
	if b.opt.init {
		m, err := b.initMethod(hasPost)
		if err != nil {
			return err
		}
		if _, own := b.own("__init__"); !own {
			b.set("__init__", m)
		}
	}
	if b.opt.repr {
		b.setNew("__repr__", dataRepr)
	}
	if b.opt.eq {
		b.setNew("__eq__", dataCompare("__eq__"))
	}
	if b.opt.order {
		for _, name := range []string{"__lt__", "__le__", "__gt__", "__ge__"} {
			if !b.setNew(name, dataCompare(name)) {
				return py.TypeErrorf("Cannot overwrite attribute %s in class %s. Consider using functools.total_ordering", name, b.cls.Name)
			}
		}
	}
	if b.opt.frozen {
		for name, verb := range map[string]string{"__setattr__": "assign to", "__delattr__": "delete"} {
			if !b.setNew(name, dataFrozen(verb)) {
				return py.TypeErrorf("Cannot overwrite attribute %s in class %s", name, b.cls.Name)
			}
		}
	}
	if err := b.hashMethod(); err != nil {
		return err
	}
	if b.opt.matchArgs {
		if _, own := b.own("__match_args__"); !own {
			var names []py.Value
			for _, f := range b.fields {
				if f.init && f.kwOnly != py.True {
					names = append(names, py.NewStr(f.name))
				}
			}
			b.set("__match_args__", py.NewTuple(names...))
		}
	}
	return b.document()
}

// setNew sets a generated method unless the class body defines it.
func (b *dataBuilder) setNew(name string, fn dataFunc) bool {
	if _, own := b.own(name); own {
		return false
	}
	b.set(name, &dataMethod{name: name, cls: b.cls, fn: fn, fields: plainOf(b.fields)})
	return true
}

func plainOf(fields []*dataField) []*dataField {
	var out []*dataField
	for _, f := range fields {
		if f.kind == fieldPlain {
			out = append(out, f)
		}
	}
	return out
}

// hashMethod follows the table in the documentation of dataclass: unsafe_hash
// sets __hash__, eq without frozen forbids it, eq with frozen adds it.
func (b *dataBuilder) hashMethod() error {
	v, own := b.own("__hash__")
	if own && v == py.None {
		// Set to None by the class statement because __eq__ is there.
		if _, eq := b.own("__eq__"); eq {
			own = false
		}
	}
	switch {
	case b.opt.unsafeHash && own:
		return py.TypeErrorf("Cannot overwrite attribute __hash__ in class %s", b.cls.Name)
	case b.opt.unsafeHash, b.opt.eq && b.opt.frozen && !own:
		b.set("__hash__", &dataMethod{name: "__hash__", cls: b.cls, fn: dataHash, fields: plainOf(b.fields)})
	case b.opt.eq && !b.opt.frozen && !own:
		b.set("__hash__", py.None)
	}
	return nil
}

// document sets __doc__ to the signature when the class has no text.
func (b *dataBuilder) document() error {
	if v, ok := b.own("__doc__"); ok && v != py.None {
		return nil
	}
	var parts []string
	star := false
	for _, pass := range []py.Value{py.False, py.True} {
		for _, f := range b.fields {
			if !f.init || given(f.kwOnly, py.False) != pass {
				continue
			}
			if pass == py.True && !star {
				star = true
				parts = append(parts, "*")
			}
			s, err := noteText(b.t, f.note)
			if err != nil {
				return err
			}
			s = f.name + ": " + s
			switch {
			case f.factory != nil:
				s += " = <factory>"
			case f.def != nil:
				d, err := b.t.Repr(f.def)
				if err != nil {
					return err
				}
				s += " = " + d
			}
			parts = append(parts, s)
		}
	}
	b.set("__doc__", py.NewStr(b.cls.Name+"("+strings.Join(parts, ", ")+")"))
	return nil
}

// noteText is how inspect prints an annotation.
func noteText(t *py.Thread, note py.Value) (string, error) {
	switch x := note.(type) {
	case *py.Type:
		if x.Mod == "builtins" {
			return x.Qualname, nil
		}
		return x.Mod + "." + x.Qualname, nil
	case *typingAlias, *typingForm:
		s, err := t.Repr(note)
		return strings.ReplaceAll(s, "typing.", ""), err
	}
	return t.Repr(note)
}

// withSlots makes the class anew with __slots__.
func (b *dataBuilder) withSlots() (py.Value, error) {
	if _, own := b.own("__slots__"); own {
		return nil, py.TypeErrorf("%s already specifies __slots__", b.cls.Name)
	}
	inherited := map[string]bool{}
	for _, m := range b.cls.MRO[1:] {
		if v, ok := m.Attrs.GetStr("__slots__"); ok {
			names, err := b.t.Collect(v)
			if err != nil {
				return nil, err
			}
			for _, n := range names {
				s, _ := textOf(n)
				inherited[s] = true
			}
		}
	}
	ns, err := b.cls.Attrs.Copy(b.t)
	if err != nil {
		return nil, err
	}
	var names []py.Value
	for _, f := range plainOf(b.fields) {
		if _, own := ns.GetStr(f.name); own {
			if _, err := ns.Pop(b.t, py.NewStr(f.name)); err != nil {
				return nil, err
			}
		}
		if !inherited[f.name] {
			names = append(names, py.NewStr(f.name))
		}
	}
	ns.SetStr("__slots__", py.NewTuple(names...))
	ns.SetStr("__qualname__", py.NewStr(b.cls.Qualname))
	bases := make([]py.Value, len(b.cls.Bases))
	for i, c := range b.cls.Bases {
		bases[i] = c
	}
	c, err := b.t.NewClass(b.cls.Name, b.cls.Qualname, bases, ns)
	if err != nil {
		return nil, err
	}
	c.Meta, c.BuildClass = b.cls.Meta, b.cls.BuildClass
	for _, it := range ns.Items(b.t) {
		if m, ok := it.Value.(*dataMethod); ok {
			m.cls, m.slots = c, true
		}
	}
	return c, nil
}
