package stdlib

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// pyKeywords are the reserved words of Python 3.11.
var pyKeywords = strings.Fields("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield")

// isIdentifier reports whether s is a Python identifier. It follows the
// letters and digits of Unicode, which is what XID_Start and XID_Continue
// amount to for the names that programs use.
func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) && (i == 0 || !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Mc, r) && !unicode.Is(unicode.Pc, r)) {
			return false
		}
	}
	return s != ""
}

// namedTuple is collections.namedtuple.
func namedTuple(t *py.Thread, a []py.Value) (py.Value, error) {
	name, err := t.Str(a[0])
	if err != nil {
		return nil, err
	}
	fields, err := fieldNames(t, a[1])
	if err != nil {
		return nil, err
	}
	rename := false
	if a[2] != nil {
		if rename, err = t.Truth(a[2]); err != nil {
			return nil, err
		}
		if rename {
			renameFields(fields)
		}
	}
	if err := checkFields(name, fields, rename); err != nil {
		return nil, err
	}
	var defaults []py.Value
	if isSet(a[3]) {
		if defaults, err = t.Collect(a[3]); err != nil {
			return nil, err
		}
	}
	if len(defaults) > len(fields) {
		return nil, py.TypeErrorf("Got more default values than field names")
	}
	ns := t.NewDict()
	if isSet(a[4]) {
		ns.SetStr("__module__", a[4])
	}
	return makeNamedTuple(t, name, fields, defaults, ns)
}

// fieldNames reads the field_names argument: an iterable, or one str with
// names separated by blanks or commas.
func fieldNames(t *py.Thread, v py.Value) ([]string, error) {
	if s, ok := textOf(v); ok {
		return strings.Fields(strings.ReplaceAll(s, ",", " ")), t.Alloc(2 * len(s))
	}
	var out []string
	err := t.ForEach(v, func(x py.Value) error {
		s, err := t.Str(x)
		out = append(out, s)
		return err
	})
	return out, err
}

func isKeyword(s string) bool {
	for _, k := range pyKeywords {
		if k == s {
			return true
		}
	}
	return false
}

func renameFields(fields []string) {
	seen := map[string]bool{}
	for i, f := range fields {
		if !isIdentifier(f) || isKeyword(f) || strings.HasPrefix(f, "_") || seen[f] {
			fields[i] = fmt.Sprintf("_%d", i)
		}
		seen[f] = true
	}
}

func checkFields(name string, fields []string, renamed bool) error {
	for _, n := range append([]string{name}, fields...) {
		if !isIdentifier(n) {
			return py.ValueErrorf("Type names and field names must be valid identifiers: %s", reprText(n))
		}
		if isKeyword(n) {
			return py.ValueErrorf("Type names and field names cannot be a keyword: %s", reprText(n))
		}
	}
	seen := map[string]bool{}
	for _, f := range fields {
		if strings.HasPrefix(f, "_") && !renamed {
			return py.ValueErrorf("Field names cannot start with an underscore: %s", reprText(f))
		}
		if seen[f] {
			return py.ValueErrorf("Encountered duplicate field name: %s", reprText(f))
		}
		seen[f] = true
	}
	return nil
}

// reprText is repr of a str.
func reprText(s string) string { return text.Repr(s) }

// makeNamedTuple makes the class; ns holds what else it should have. The
// methods read the fields from the class, so that forks may copy it.
func makeNamedTuple(t *py.Thread, name string, fields []string, defaults []py.Value, ns *py.Dict) (*py.Type, error) {
	if err := t.Alloc(256 * (len(fields) + 4)); err != nil {
		return nil, err
	}
	names := make([]py.Value, len(fields))
	byName := t.NewDict()
	for i, f := range fields {
		names[i] = py.NewStr(f)
		if k := i - (len(fields) - len(defaults)); k >= 0 {
			byName.SetStr(f, defaults[k])
		}
	}
	ns.SetStr("__slots__", py.NewTuple())
	ns.SetStr("_fields", py.NewTuple(names...))
	ns.SetStr("_field_defaults", byName)
	ns.SetStr("__match_args__", py.NewTuple(names...))
	if _, has := ns.GetStr("__doc__"); !has {
		ns.SetStr("__doc__", py.NewStr(name+"("+strings.Join(fields, ", ")+")"))
	}
	sig := &pySig{name: name + ".__new__", params: []pyParam{{"_cls", false}}}
	for i, f := range fields {
		sig.params = append(sig.params, pyParam{f, i >= len(fields)-len(defaults)})
	}
	sig.pos = len(sig.params)
	sig.min = sig.pos - len(defaults)
	ns.SetStr("__new__", namedTupleNew(sig))
	ns.SetStr("_make", py.NewClassMethod("_make", "iterable", namedTupleMake(len(fields))))
	ns.SetStr("_replace", namedTupleReplace(fields))
	ns.SetStr("_asdict", libDef("_asdict", name+"._asdict", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		items, _ := py.AsTuple(self)
		d := t.NewDict()
		for i, f := range fields {
			d.SetStr(f, items.Items[i])
		}
		return d, t.Alloc(64 * len(fields))
	}))
	ns.SetStr("__repr__", namedTupleRepr(fields))
	ns.SetStr("__getnewargs__", libDef("__getnewargs__", name+".__getnewargs__", "", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		items, _ := py.AsTuple(self)
		return items, nil
	}))
	for i, f := range fields {
		ns.SetStr(f, &tupleGetter{i, py.NewStr("Alias for field number " + strconv.Itoa(i))})
	}
	c, err := t.NewClass(name, name, []py.Value{py.TupleType}, ns)
	if err != nil {
		return nil, err
	}
	return c, t.FinishClass(c, nil)
}

// tupleGetter is the attribute that reads item i.
type tupleGetter struct {
	i   int
	doc py.Value
}

var tupleGetterType = py.NewType("collections", "_tuplegetter")

// Type returns collections._tuplegetter.
func (*tupleGetter) Type() *py.Type { return tupleGetterType }

// Bind reads the item.
func (g *tupleGetter) Bind(_ *py.Thread, self py.Value, _ *py.Type) (py.Value, error) {
	if self == nil {
		return g, nil
	}
	items, ok := py.AsTuple(self)
	if !ok || g.i >= len(items.Items) {
		return nil, py.IndexErrorf("tuple index out of range")
	}
	return items.Items[g.i], nil
}

// BindSet refuses assignment.
func (g *tupleGetter) BindSet(*py.Thread, py.Value, py.Value) error {
	return py.AttributeErrorf("can't set attribute")
}

func setupTupleGetter() {
	get := func(v py.Value) *tupleGetter { return v.(*tupleGetter) }
	tupleGetterType.Finish(
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			s, err := t.Repr(get(self).doc)
			return py.NewStr(fmt.Sprintf("_tuplegetter(%d, %s)", get(self).i, s)), err
		}),
		py.Def("__get__", "instance, owner=None, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			if a[0] == py.None {
				return self, nil
			}
			return get(self).Bind(t, a[0], nil)
		}),
		py.Get("__doc__", func(_ *py.Thread, self py.Value) (py.Value, error) { return get(self).doc, nil }),
	)
}

func namedTupleNew(sig *pySig) *py.Native {
	return py.NewRaw("__new__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
		if err := t.Alloc(64 + 16*len(sig.params)); err != nil {
			return nil, err
		}
		a, err := sig.bind(t, args, kw)
		if err != nil {
			return nil, err
		}
		cls, ok := a[0].(*py.Type)
		if !ok {
			return nil, py.TypeErrorf("tuple.__new__(X): X is not a type object (%s)", py.TypeName(a[0]))
		}
		defaults, _ := cls.Lookup("_field_defaults")
		for i, v := range a[1:] {
			if v == nil {
				d, _ := defaults.(*py.Dict)
				a[i+1], _ = d.GetStr(sig.params[i+1].name)
			}
		}
		return py.NewInstance(cls, py.NewTuple(a[1:]...)), nil
	})
}

func namedTupleMake(size int) py.MethodFunc {
	return func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		items, err := t.Collect(a[0])
		if err != nil {
			return nil, err
		}
		if len(items) != size {
			return nil, py.TypeErrorf("Expected %d arguments, got %d", size, len(items))
		}
		return py.NewInstance(self.(*py.Type), py.NewTuple(items...)), nil
	}
}

func namedTupleReplace(fields []string) *libMethod {
	return &libMethod{name: "_replace", fn: func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
		old, ok := py.AsTuple(self)
		if !ok || len(args) > 0 {
			return nil, py.TypeErrorf("%s._replace() takes 1 positional argument but %d were given", self.Type().Name, 1+len(args))
		}
		items := append([]py.Value(nil), old.Items...)
		var unknown []py.Value
	next:
		for _, k := range kw {
			for i, f := range fields {
				if f == k.Name {
					items[i] = k.Value
					continue next
				}
			}
			unknown = append(unknown, py.NewStr(k.Name))
		}
		if len(unknown) > 0 {
			s, err := t.Repr(t.NewList(unknown))
			if err != nil {
				return nil, err
			}
			return nil, py.RaiseArgs(py.ValueErrorType, py.NewStr("Got unexpected field names: "+s))
		}
		return py.NewInstance(self.Type(), py.NewTuple(items...)), t.Alloc(64 + 16*len(items))
	}}
}

func namedTupleRepr(fields []string) *libMethod {
	return &libMethod{name: "__repr__", fn: func(t *py.Thread, self py.Value, _ []py.Value, _ []py.Kw) (py.Value, error) {
		items, _ := py.AsTuple(self)
		var b strings.Builder
		b.WriteString(self.Type().Name + "(")
		if err := t.Enter(); err != nil {
			return nil, err
		}
		defer t.Leave()
		for i, f := range fields {
			if i > 0 {
				b.WriteString(", ")
			}
			s, err := t.Repr(items.Items[i])
			if err == nil {
				err = t.Alloc(len(s))
			}
			if err != nil {
				return nil, err
			}
			b.WriteString(f + "=" + s)
		}
		b.WriteString(")")
		return py.NewStr(b.String()), nil
	}}
}
