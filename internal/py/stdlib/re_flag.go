package stdlib

import (
	"cmp"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// reFlagType is re.RegexFlag. It is no full enumeration and, unlike CPython's, no
// subclass of int: its members are shared by all threads, so they must be
// immutable, which instances are not. World code combines flags and passes
// them on; that works.
var reFlagType = py.NewType("re", "RegexFlag")

// reFlag is a set of flags whose repr names them.
type reFlag int

// Type returns RegexFlag.
func (reFlag) Type() *py.Type { return reFlagType }

// flagNumber returns the bits of a flag or an int.
func flagNumber(v py.Value) (int, bool) {
	if f, ok := v.(reFlag); ok {
		return int(f), true
	}
	n, ok := py.AsInt(v)
	return int(n), ok
}

// reFlagNames lists the flags in the order of reprs; short names follow.
var reFlagNames = []struct {
	name, short string
	bit         int
}{
	{"ASCII", "A", 256}, {"IGNORECASE", "I", 2}, {"LOCALE", "L", 4}, {"UNICODE", "U", 32}, {"MULTILINE", "M", 8},
	{"DOTALL", "S", 16}, {"VERBOSE", "X", 64}, {"TEMPLATE", "T", 1}, {"DEBUG", "", 128},
}

const reAllFlags = 511

// reFlagMembers are the names under which re offers the flags.
func reFlagMembers() []py.Member {
	out := []py.Member{{Name: "NOFLAG", Value: reFlag(0)}}
	for _, f := range reFlagNames {
		v := reFlag(f.bit)
		out = append(out, py.Member{Name: f.name, Value: v})
		if f.short != "" {
			out = append(out, py.Member{Name: f.short, Value: v})
		}
	}
	return append(out, py.Member{Name: "RegexFlag", Value: reFlagType})
}

// finishReFlags attaches the operators and names of RegexFlag.
func finishReFlags() {
	sealClass(reFlagType)
	reFlagType.New = func(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		if len(args) != 1 || len(kw) > 0 {
			return nil, py.TypeErrorf("EnumType.__call__() missing 1 required positional argument: 'value'")
		}
		n, ok := flagNumber(args[0])
		if !ok {
			s, err := t.Repr(args[0])
			if err != nil {
				return nil, err
			}
			return nil, py.ValueErrorf("%s is not a valid RegexFlag", s)
		}
		return reFlag(n), nil
	}
	reFlagType.Finish(reFlagMembers()...)
	reFlagType.Finish(reFlagOperators()...)
	reFlagType.Finish(comparisons(func(_ *py.Thread, _ syntax.CmpOp, self, other py.Value) (int, py.Value, error) {
		n, ok := flagNumber(other)
		if !ok {
			return 0, py.NotImplemented, nil
		}
		return cmp.Compare(int(self.(reFlag)), n), nil, nil
	})...)
	one := func(name, sig string, fn func(f reFlag) py.Value) py.Member {
		return py.Def(name, sig, func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return fn(self.(reFlag)), nil })
	}
	number := func(f reFlag) py.Value { return py.Int(f) }
	text := func(f reFlag) py.Value { return py.NewStr(reFlagText(int(f))) }
	reFlagType.Finish(
		one("__int__", "/", number), one("__index__", "/", number), one("__hash__", "/", number),
		one("__neg__", "/", func(f reFlag) py.Value { return py.Int(-f) }),
		one("__bool__", "/", func(f reFlag) py.Value { return py.Bool(f != 0) }),
		one("__repr__", "/", text), one("__str__", "/", text),
		one("__invert__", "/", func(f reFlag) py.Value {
			n := ^int(f)
			if n < 0 { // stay in the range of the known bits, or of the value's
				n += max(reAllFlags+1, 1<<bits.Len(uint(-n)))
			}
			return reFlag(n)
		}),
		py.Get("value", func(_ *py.Thread, self py.Value) (py.Value, error) { return number(self.(reFlag)), nil }),
		py.Get("name", func(_ *py.Thread, self py.Value) (py.Value, error) {
			f := int(self.(reFlag))
			if names, _ := reNamedFlags(f); len(names) == 0 && f != 0 {
				return py.None, nil
			}
			return py.NewStr(strings.ReplaceAll(reFlagText(f), "re.", "")), nil
		}),
		py.Def("__format__", "spec, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			spec, _ := textOf(a[0])
			s, err := t.Format(text(self.(reFlag)), spec)
			return py.NewStr(s), err
		}),
	)
}

// reFlagOperators are the binary operators with flags and ints.
func reFlagOperators() []py.Member {
	var out []py.Member
	for _, op := range []struct {
		name string
		fn   func(a, b int) py.Value
	}{
		{"or", func(a, b int) py.Value { return reFlag(a | b) }},
		{"and", func(a, b int) py.Value { return reFlag(a & b) }},
		{"xor", func(a, b int) py.Value { return reFlag(a ^ b) }},
		{"add", func(a, b int) py.Value { return py.Int(a + b) }},
		{"sub", func(a, b int) py.Value { return py.Int(a - b) }},
	} {
		for _, swapped := range []bool{false, true} {
			name := "__" + op.name + "__"
			if swapped {
				name = "__r" + op.name + "__"
			}
			out = append(out, py.Def(name, "other, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
				x := int(self.(reFlag))
				y, ok := flagNumber(a[0])
				switch {
				case !ok:
					return py.NotImplemented, nil
				case swapped:
					x, y = y, x
				}
				return op.fn(x, y), nil
			}))
		}
	}
	return out
}

// reFlagText joins the names of the flags in n; what is left is in hexadecimal.
func reFlagText(n int) string {
	names, rest := reNamedFlags(n)
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

// reNamedFlags splits n into the names of known flags and the other bits.
func reNamedFlags(n int) (names []string, rest int) {
	for _, f := range reFlagNames {
		if n&f.bit != 0 {
			names = append(names, "re."+f.name)
			n &^= f.bit
		}
	}
	return names, n
}

// reOrderedFlags names the flags in n in the order of their bits, as the repr of
// a pattern does.
func reOrderedFlags(n int) []string {
	var out []string
	for bit := 1; bit <= reAllFlags; bit <<= 1 {
		names, _ := reNamedFlags(n & bit)
		out = append(out, names...)
	}
	if rest := n &^ reAllFlags; rest != 0 {
		out = append(out, fmt.Sprintf("0x%x", rest))
	}
	return out
}
