package stdlib

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"gauntlet/internal/py"
)

// flagType is re.RegexFlag: an int whose repr names the flags. It is not a
// full enumeration; world code only combines flags and passes them on.
var flagType = py.NewType("re", "RegexFlag", py.IntType)

// flagNames lists the flags in the order of reprs; short names follow.
var flagNames = []struct {
	name, short string
	bit         int
}{
	{"ASCII", "A", 256}, {"IGNORECASE", "I", 2}, {"LOCALE", "L", 4}, {"UNICODE", "U", 32}, {"MULTILINE", "M", 8},
	{"DOTALL", "S", 16}, {"VERBOSE", "X", 64}, {"TEMPLATE", "T", 1}, {"DEBUG", "", 128},
}

const allFlags = 511

func newFlag(n int) py.Value { return py.NewInstance(flagType, py.Int(n)) }

// flagMembers are the names under which re offers the flags.
func flagMembers() []py.Member {
	out := []py.Member{{Name: "NOFLAG", Value: newFlag(0)}}
	for _, f := range flagNames {
		v := newFlag(f.bit)
		out = append(out, py.Member{Name: f.name, Value: v})
		if f.short != "" {
			out = append(out, py.Member{Name: f.short, Value: v})
		}
	}
	return append(out, py.Member{Name: "RegexFlag", Value: flagType})
}

// finishFlags attaches the operators and names of RegexFlag.
func finishFlags() {
	flagType.New = func(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		if len(args) != 1 || len(kw) > 0 {
			return nil, py.TypeErrorf("EnumType.__call__() missing 1 required positional argument: 'value'")
		}
		n, ok := py.AsInt(args[0])
		if !ok {
			s, err := t.Repr(args[0])
			if err != nil {
				return nil, err
			}
			return nil, py.ValueErrorf("%s is not a valid RegexFlag", s)
		}
		return newFlag(int(n)), nil
	}
	binary := func(name string, fn func(a, b int) int) py.Member {
		return py.Def(name, "other, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			x, _ := py.AsInt(self)
			y, ok := py.AsInt(a[0])
			if !ok {
				return py.NotImplemented, nil
			}
			return newFlag(fn(int(x), int(y))), nil
		})
	}
	or := func(a, b int) int { return a | b }
	and := func(a, b int) int { return a & b }
	xor := func(a, b int) int { return a ^ b }
	flagType.Finish(flagMembers()...)
	flagType.Finish(
		binary("__or__", or), binary("__ror__", or),
		binary("__and__", and), binary("__rand__", and),
		binary("__xor__", xor), binary("__rxor__", xor),
		py.Def("__invert__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := py.AsInt(self)
			n := ^int(x)
			if n < 0 { // stay in the range of the known bits, or of the value's
				n += max(allFlags+1, 1<<bits.Len(uint(-n)))
			}
			return newFlag(n), nil
		}),
		py.Get("value", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.Unwrap(self), nil }),
		py.Get("name", func(_ *py.Thread, self py.Value) (py.Value, error) {
			x, _ := py.AsInt(self)
			if names, _ := namedFlags(int(x)); len(names) == 0 && x != 0 {
				return py.None, nil
			}
			return py.NewStr(strings.ReplaceAll(flagText(int(x)), "re.", "")), nil
		}),
		py.Def("__repr__", "/", flagRepr),
		py.Def("__str__", "/", flagRepr),
		py.Def("__format__", "spec, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			x, _ := py.AsInt(self)
			spec, _ := textOf(a[0])
			s, err := t.Format(py.NewStr(flagText(int(x))), spec)
			return py.NewStr(s), err
		}),
	)
}

func flagRepr(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	x, _ := py.AsInt(self)
	return py.NewStr(flagText(int(x))), nil
}

// flagText joins the names of the flags in n; what is left is in hexadecimal.
func flagText(n int) string {
	names, rest := namedFlags(n)
	switch {
	case n == 0:
		return "re.NOFLAG"
	case len(names) == 0:
		return "re.RegexFlag(" + strconv.Itoa(n) + ")"
	case rest != 0:
		names = append(names, "0x"+strconv.FormatInt(int64(rest), 16))
	}
	return strings.Join(names, "|")
}

// namedFlags splits n into the names of known flags and the other bits.
func namedFlags(n int) (names []string, rest int) {
	for _, f := range flagNames {
		if n&f.bit != 0 {
			names = append(names, "re."+f.name)
			n &^= f.bit
		}
	}
	return names, n
}

// orderedFlags names the flags in n in the order of their bits, as the repr of
// a pattern does.
func orderedFlags(n int) []string {
	var out []string
	for bit := 1; bit <= allFlags; bit <<= 1 {
		names, _ := namedFlags(n & bit)
		out = append(out, names...)
	}
	if rest := n &^ allFlags; rest != 0 {
		out = append(out, fmt.Sprintf("0x%x", rest))
	}
	return out
}
