package stdlib

import (
	"strings"

	"gauntlet/internal/py"
)

// newRecordType makes a tuple class with named, read-only fields, like
// sys.version_info or a named tuple that a library function returns. It prints
// as name(field=value, ...).
func newRecordType(module, name string, fields ...string) *py.Type {
	c := py.NewType(module, name, py.TupleType)
	return c.Finish(recordMembers(c, fields)...)
}

func recordMembers(c *py.Type, fields []string) []py.Member {
	items := func(v py.Value) []py.Value { return py.Unwrap(v).(*py.Tuple).Items }
	members := []py.Member{py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		var b strings.Builder
		b.WriteString(c.Qualname + "(")
		for i, v := range items(self) {
			s, err := t.Repr(v)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(fields[i] + "=" + s)
		}
		return py.NewStr(b.String() + ")"), nil
	})}
	for i, f := range fields {
		members = append(members, py.Get(f, func(_ *py.Thread, self py.Value) (py.Value, error) { return items(self)[i], nil }))
	}
	return members
}

// newRecord makes an object of a record class.
func newRecord(c *py.Type, values ...py.Value) py.Value {
	return py.NewInstance(c, py.NewTuple(values...))
}
