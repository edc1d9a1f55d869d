package stdlib

import (
	"math/big"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// flagBoundary says what a flag class does with bits that no member has.
type flagBoundary struct{ name string }

// Type returns enum.FlagBoundary.
func (*flagBoundary) Type() *py.Type { return boundaryType }

var (
	strictBoundary  = &flagBoundary{"STRICT"}
	conformBoundary = &flagBoundary{"CONFORM"}
	ejectBoundary   = &flagBoundary{"EJECT"}
	keepBoundary    = &flagBoundary{"KEEP"}
	boundaries      = []*flagBoundary{strictBoundary, conformBoundary, ejectBoundary, keepBoundary}
)

func boundaryOf(c *py.Type) *flagBoundary {
	if v, ok := c.Lookup("_boundary_"); ok {
		if b, ok := v.(*flagBoundary); ok {
			return b
		}
	}
	return strictBoundary
}

// enumMasks collects the bits of a flag class.
type enumMasks struct{ all, singles big.Int }

func (m *enumMasks) add(v *big.Int, single bool) {
	if v == nil {
		return
	}
	m.all.Or(&m.all, v)
	if single {
		m.singles.Or(&m.singles, v)
	}
}

func (m *enumMasks) store(attrs *py.Dict) {
	attrs.SetStr("_flag_mask_", py.MakeInt(new(big.Int).Set(&m.all)))
	attrs.SetStr("_singles_mask_", py.MakeInt(new(big.Int).Set(&m.singles)))
	attrs.SetStr("_all_bits_", py.MakeInt(allBits(&m.all)))
}

// allBits is the smallest 2^n-1 that covers v.
func allBits(v *big.Int) *big.Int {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, uint(v.BitLen())), one)
}

func maskOf(t *py.Thread, c *py.Type, name string) *big.Int {
	v, ok := c.Lookup(name)
	if !ok {
		return new(big.Int)
	}
	return bigValue(t, v)
}

// enumFlagOperators are the operators that a flag with a data type takes from Flag.
var enumFlagOperators = []string{"__or__", "__and__", "__xor__", "__ror__", "__rand__", "__rxor__", "__invert__"}

func setupFlags() {
	boundaryType.Finish(py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		b := self.(*flagBoundary)
		return py.NewStr("<FlagBoundary." + b.name + ": '" + strings.ToLower(b.name) + "'>"), nil
	}))
	op := func(name string, op syntax.Operator) py.Member {
		return py.Def(name, "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) { return flagOp(t, op, self, a[0]) })
	}
	enumFlagType.Finish(
		py.Member{Name: "_boundary_", Value: strictBoundary},
		py.Member{Name: "_missing_", Value: py.NewClassMethod("_missing_", "value, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return flagMissing(t, self.(*py.Type), a[0])
		})},
		py.Member{Name: "_generate_next_value_", Value: &py.StaticMethod{Fn: py.NewFunc("_generate_next_value_", "name, start, count, last_values", flagNextValue)}},
		op("__or__", syntax.BitOr), op("__ror__", syntax.BitOr), op("__and__", syntax.BitAnd), op("__rand__", syntax.BitAnd),
		op("__xor__", syntax.BitXor), op("__rxor__", syntax.BitXor),
		py.Def("__invert__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			c := self.Type()
			v := new(big.Int).Not(bigValue(t, memberValue(self)))
			// Flags of many members are wide numbers, and their names are looked up.
			if err := t.Charge(8 + 2*v.BitLen()); err != nil {
				return nil, err
			}
			if b := boundaryOf(c); b != keepBoundary && b != ejectBoundary {
				v.And(v, maskOf(t, c, "_singles_mask_"))
			}
			return enumFind(t, c, py.MakeInt(v))
		}),
		py.Def("__contains__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			if !self.Type().IsInstance(a[0]) {
				return nil, py.TypeErrorf("unsupported operand type(s) for 'in': %s and %s", reprText(a[0].Type().Qualname), reprText(self.Type().Qualname))
			}
			x := bigValue(t, memberValue(a[0]))
			both := new(big.Int).And(x, bigValue(t, memberValue(self)))
			return py.Bool(both.Cmp(x) == 0), nil
		}),
		py.Def("__iter__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			m := flagParts(t, self.Type(), bigValue(t, memberValue(self)))
			return &libIter{itGenerator, &sliceIter{items: m}}, t.Alloc(16 * len(m))
		}),
		py.Def("__len__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			n := 0
			for _, w := range bigValue(t, memberValue(self)).Text(2) {
				if w == '1' {
					n++
				}
			}
			return py.Int(n), nil
		}),
		py.Def("__bool__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.Bool(bigValue(t, memberValue(self)).Sign() != 0), nil
		}),
	)
	intFlagType.Finish(py.Member{Name: "_boundary_", Value: keepBoundary})
	for _, name := range append([]string{"__contains__", "__iter__", "__len__", "__bool__"}, enumFlagOperators...) {
		if m, ok := enumFlagType.Attrs.GetStr(name); ok {
			intFlagType.Attrs.SetStr(name, m)
		}
	}
}

// flagNextValue is the next power of two.
func flagNextValue(t *py.Thread, a []py.Value) (py.Value, error) {
	last, err := t.Collect(a[3])
	if err != nil {
		return nil, err
	}
	if len(last) == 0 {
		if a[1] != nil && a[1] != py.None {
			return a[1], nil
		}
		return py.Int(1), nil
	}
	largest := last[0]
	for _, v := range last[1:] {
		r, err := t.Compare(syntax.Gt, v, largest)
		more, err := truthOf(t, r, err)
		if err != nil {
			return nil, err
		}
		if more {
			largest = v
		}
	}
	top, ok := t.AsBigInt(largest)
	if !ok {
		s, err := t.Percent(py.NewStr("invalid flag value %r"), largest)
		if err != nil {
			return nil, err
		}
		return nil, py.RaiseArgs(py.TypeErrorType, s)
	}
	return py.MakeInt(new(big.Int).Lsh(big.NewInt(1), uint(top.BitLen()))), nil
}

// flagOp combines two flags of one class, or a flag with a data type and an int.
func flagOp(t *py.Thread, op syntax.Operator, self, other py.Value) (py.Value, error) {
	c := self.Type()
	var y *big.Int
	dataType, _ := c.Lookup("_member_type_")
	if c.IsInstance(other) {
		y = bigValue(t, memberValue(other))
	} else if x, ok := t.AsBigInt(other); ok && dataType != py.Value(py.ObjectType) {
		y = x
	} else {
		return py.NotImplemented, nil
	}
	x := bigValue(t, memberValue(self))
	v := new(big.Int)
	switch op {
	case syntax.BitOr:
		v.Or(x, y)
	case syntax.BitAnd:
		v.And(x, y)
	default:
		v.Xor(x, y)
	}
	return enumFind(t, c, py.MakeInt(v))
}

// flagParts are the one-bit members in v, in order of definition.
func flagParts(t *py.Thread, c *py.Type, v *big.Int) []py.Value {
	var out []py.Value
	for _, m := range membersOf(c) {
		if new(big.Int).And(v, bigValue(t, memberValue(m))).Sign() != 0 {
			out = append(out, m)
		}
	}
	return out
}

// binText is a number in binary as enum's messages show it: a sign bit, a
// blank and the digits.
func binText(v *big.Int, digits int) string {
	sign := "0"
	x := v
	if v.Sign() < 0 {
		sign = "1"
		x = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(digits)))
	}
	s := x.Text(2)
	if len(s) < digits {
		s = strings.Repeat(sign, digits-len(s)) + s
	}
	return "0b" + sign + " " + s
}

// flagMissing makes the pseudo-member for a combination of flags.
func flagMissing(t *py.Thread, c *py.Type, value py.Value) (py.Value, error) {
	given, ok := t.AsBigInt(value)
	if !ok {
		return nil, notValid(t, c, value)
	}
	if err := t.Alloc(512 + given.BitLen()/4); err != nil {
		return nil, err
	}
	v := new(big.Int).Set(given)
	mask, singles := maskOf(t, c, "_flag_mask_"), maskOf(t, c, "_singles_mask_")
	all := allBits(mask)
	boundary := boundaryOf(c)
	stray := new(big.Int).And(v, new(big.Int).Xor(all, mask)).Sign() != 0
	if v.Cmp(new(big.Int).Not(all)) < 0 || v.Cmp(all) > 0 || stray {
		switch boundary {
		case strictBoundary:
			n := max(v.BitLen(), mask.BitLen())
			return nil, py.ValueErrorf("%s invalid value %s\n    given %s\n  allowed %s", enumRepr(c), v, binText(v, n), binText(mask, n))
		case conformBoundary:
			v.And(v, mask)
		case ejectBoundary:
			return py.MakeInt(v), nil
		case keepBoundary:
			if v.Sign() < 0 {
				top := new(big.Int).Lsh(big.NewInt(1), uint(max(all.BitLen(), v.BitLen())))
				v.Add(v, top)
			}
		}
	}
	negative := v.Sign() < 0
	if negative {
		if boundary == keepBoundary || boundary == ejectBoundary {
			v.Add(v, new(big.Int).Add(all, big.NewInt(1)))
		} else {
			v.And(v, singles)
		}
	}
	member, err := enumByValue(t, c, py.MakeInt(v))
	if err != nil {
		return nil, err
	}
	if member == nil {
		if member, err = newFlag(t, c, v, singles, boundary); err != nil {
			return nil, err
		}
	}
	if !c.Heap {
		return member, nil
	}
	cache, _ := c.Attrs.GetStr("_value2member_map_")
	d, ok := cache.(*py.Dict)
	if !ok {
		return member, nil
	}
	if err := d.Set(t, py.MakeInt(v), member); err != nil {
		return nil, err
	}
	if negative {
		return member, d.Set(t, value, member)
	}
	return member, nil
}

// newFlag makes the object for the bits v and names it after its parts.
func newFlag(t *py.Thread, c *py.Type, v, singles *big.Int, boundary *flagBoundary) (py.Value, error) {
	var payload py.Value
	if c.IsSubclass(py.IntType) {
		payload = py.MakeInt(v)
	}
	o := py.NewInstance(c, payload)
	o.Attrs().SetStr("_value_", py.MakeInt(v))
	o.Attrs().SetStr("__objclass__", c)
	parts := flagParts(t, c, new(big.Int).And(v, singles))
	combined := new(big.Int)
	for _, m := range parts {
		combined.Or(combined, bigValue(t, memberValue(m)))
	}
	if new(big.Int).AndNot(v, singles).Sign() != 0 {
		for _, it := range memberMap(c).Items(t) {
			x := bigValue(t, memberValue(it.Value))
			if !hasValue(parts, it.Value) && x.Sign() != 0 && new(big.Int).And(x, v).Cmp(x) == 0 {
				parts = append(parts, it.Value)
				combined.Or(combined, x)
			}
		}
	}
	var name py.Value = py.None
	if unknown := new(big.Int).Xor(v, combined); combined.Sign() != 0 {
		names := make([]string, len(parts))
		for i, m := range parts {
			names[i], _ = textOf(hiddenAttr(m, "_name_"))
		}
		text := strings.Join(names, "|")
		if unknown.Sign() != 0 {
			if boundary == strictBoundary {
				return nil, py.ValueErrorf("%s: no members with value %s", enumRepr(c), unknown)
			}
			text += "|" + unknown.String()
		}
		name = py.NewStr(text)
	}
	o.Attrs().SetStr("_name_", name)
	return o, nil
}
