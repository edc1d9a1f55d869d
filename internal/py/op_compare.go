package py

import (
	"cmp"
	"math"
	"math/big"

	"gauntlet/internal/py/syntax"
)

// Is reports identity. Equal small ints, equal bools and equal strings of one
// object are identical; other scalars compare by representation.
func Is(a, b Value) bool {
	switch x := a.(type) {
	case Int:
		y, ok := b.(Int)
		return ok && x == y
	case Float:
		y, ok := b.(Float)
		return ok && math.Float64bits(float64(x)) == math.Float64bits(float64(y))
	case *Str:
		y, ok := b.(*Str)
		return ok && (x == y || x.n <= 1 && x.s == y.s)
	case *Bytes:
		y, ok := b.(*Bytes)
		return ok && (x == y || len(x.B) <= 1 && x.B == y.B)
	case *Tuple:
		y, ok := b.(*Tuple)
		return ok && (x == y || len(x.Items)+len(y.Items) == 0)
	}
	return a == b
}

var cmpMethods = [...]struct{ name, swapped, symbol string }{
	syntax.Eq: {"__eq__", "__eq__", "=="}, syntax.NotEq: {"__ne__", "__ne__", "!="},
	syntax.Lt: {"__lt__", "__gt__", "<"}, syntax.LtE: {"__le__", "__ge__", "<="},
	syntax.Gt: {"__gt__", "__lt__", ">"}, syntax.GtE: {"__ge__", "__le__", ">="},
}

// Eq is a == b as a bool.
func (t *Thread) Eq(a, b Value) (bool, error) {
	if x, ok := a.(*Str); ok {
		if y, ok := b.(*Str); ok {
			return t.equalText(x, y)
		}
	}
	v, err := t.Compare(syntax.Eq, a, b)
	if err != nil {
		return false, err
	}
	return t.Truth(v)
}

// equalText compares two strings; long ones of the same length are paid for.
func (t *Thread) equalText(x, y *Str) (bool, error) {
	if len(x.s) > 1024 && len(x.s) == len(y.s) && x != y {
		if err := t.Charge(len(x.s) >> 5); err != nil {
			return false, err
		}
	}
	return x.s == y.s, nil
}

// Less is the truth of a < b.
func (t *Thread) Less(a, b Value) (bool, error) {
	v, err := t.Compare(syntax.Lt, a, b)
	if err != nil {
		return false, err
	}
	return t.Truth(v)
}

// Compare computes a op b for every comparison operator.
func (t *Thread) Compare(op syntax.CmpOp, a, b Value) (Value, error) {
	switch op {
	case syntax.Is:
		return Bool(Is(a, b)), nil
	case syntax.IsNot:
		return Bool(!Is(a, b)), nil
	case syntax.In, syntax.NotIn:
		in, err := t.Contains(b, a)
		return Bool(in == (op == syntax.In)), err
	}
	v, err := t.richCompare(op, a, b)
	if v != nil || err != nil {
		return v, err
	}
	switch op {
	case syntax.Eq:
		return Bool(Is(a, b)), nil
	case syntax.NotEq:
		return Bool(!Is(a, b)), nil
	}
	return nil, TypeErrorf("'%s' not supported between instances of '%s' and '%s'", cmpMethods[op].symbol, TypeName(a), TypeName(b))
}

// richCompare tries both sides; nil means not implemented.
func (t *Thread) richCompare(op syntax.CmpOp, a, b Value) (Value, error) {
	if plain(a) && plain(b) {
		return t.compare(op, a, b)
	}
	m := cmpMethods[op]
	swapped := [...]syntax.CmpOp{syntax.Eq: syntax.Eq, syntax.NotEq: syntax.NotEq, syntax.Lt: syntax.Gt, syntax.LtE: syntax.GtE, syntax.Gt: syntax.Lt, syntax.GtE: syntax.LtE}[op]
	ta, tb := a.Type(), b.Type()
	if ta != tb && tb.IsSubclass(ta) {
		if v, err := t.halfCompare(swapped, m.swapped, b, a); v != nil || err != nil {
			return v, err
		}
		return t.halfCompare(op, m.name, a, b)
	}
	if v, err := t.halfCompare(op, m.name, a, b); v != nil || err != nil {
		return v, err
	}
	return t.halfCompare(swapped, m.swapped, b, a)
}

func (t *Thread) halfCompare(op syntax.CmpOp, method string, self, other Value) (Value, error) {
	f, ok := self.Type().Lookup(method)
	if isInt(Unwrap(self)) && !isInt(Unwrap(other)) && (!ok || builtOwner(f) != nil) {
		return nil, nil // int knows no other class; those know int
	}
	if n, isNative := f.(*Native); isNative && n.Owner == ObjectType || !ok {
		if plain(self) {
			return t.compare(op, self, Unwrap(other))
		}
		if op != syntax.NotEq {
			return nil, nil
		}
		// object.__ne__ inverts __eq__.
		v, err := t.halfCompare(syntax.Eq, "__eq__", self, other)
		if v == nil || err != nil {
			return nil, err
		}
		b, err := t.Truth(v)
		return Bool(!b), err
	} else if isNative && n.Owner != nil && n.Owner.solid {
		return t.compare(op, Unwrap(self), Unwrap(other))
	}
	v, err := t.callBound(f, self, other)
	if err != nil || v == NotImplemented {
		return nil, err
	}
	return v, nil
}

// compare is the comparison of built-in values; nil means not implemented.
func (t *Thread) compare(op syntax.CmpOp, a, b Value) (Value, error) {
	switch x := a.(type) {
	case *Str:
		if y, ok := b.(*Str); ok {
			if n := min(len(x.s), len(y.s)); n > 1024 {
				if err := t.Charge(n >> 5); err != nil {
					return nil, err
				}
			}
			return ordered(op, compareText(x.s, y.s)), nil
		}
	case Int, Bool, *Big, Float:
		if c, ok := compareNumbers(a, b); ok {
			if c == unordered {
				return Bool(op == syntax.NotEq), nil
			}
			return ordered(op, c), nil
		}
	case NoneType:
		if _, ok := b.(NoneType); ok && op <= syntax.NotEq {
			return Bool(op == syntax.Eq), nil
		}
	case *Bytes:
		if y, ok := b.(*Bytes); ok {
			return ordered(op, cmp.Compare(x.B, y.B)), nil
		}
	case *List:
		if y, ok := b.(*List); ok {
			t.SawDeep(x)
			t.SawDeep(y)
			return t.compareItems(op, func() []Value { return x.Items }, func() []Value { return y.Items })
		}
	case *Tuple:
		if y, ok := b.(*Tuple); ok {
			return t.compareItems(op, func() []Value { return x.Items }, func() []Value { return y.Items })
		}
	case *Dict:
		if y, ok := b.(*Dict); ok && op <= syntax.NotEq {
			t.SawDeep(x)
			t.SawDeep(y)
			eq, err := t.dictEq(x, y)
			return Bool(eq == (op == syntax.Eq)), err
		}
	case *Set:
		if y, ok := b.(*Set); ok {
			return t.compareSets(op, x, y)
		}
	case *Range:
		if y, ok := b.(*Range); ok && op <= syntax.NotEq {
			return Bool(x.equal(y) == (op == syntax.Eq)), nil
		}
	case *Slice:
		if y, ok := b.(*Slice); ok {
			return t.compare(op, NewTuple(x.Start, x.Stop, x.Step), NewTuple(y.Start, y.Stop, y.Step))
		}
	}
	return nil, nil
}

func ordered(op syntax.CmpOp, c int) Value {
	switch op {
	case syntax.Eq:
		return Bool(c == 0)
	case syntax.NotEq:
		return Bool(c != 0)
	case syntax.Lt:
		return Bool(c < 0)
	case syntax.LtE:
		return Bool(c <= 0)
	case syntax.Gt:
		return Bool(c > 0)
	}
	return Bool(c >= 0)
}

// compareText orders WTF-8 by code point: byte order does it.
func compareText(a, b string) int { return cmp.Compare(a, b) }

const unordered = 2

// compareNumbers orders two numbers exactly; unordered when one is a NaN.
func compareNumbers(a, b Value) (int, bool) {
	fa, isFa := a.(Float)
	fb, isFb := b.(Float)
	switch {
	case isFa && isFb:
		return compareFloats(float64(fa), float64(fb)), true
	case isFa:
		if !isInt(b) {
			return 0, false
		}
		c := compareIntFloat(b, float64(fa))
		if c != unordered {
			c = -c
		}
		return c, true
	case isFb:
		if !isInt(a) {
			return 0, false
		}
		return compareIntFloat(a, float64(fb)), true
	}
	if !isInt(a) || !isInt(b) {
		return 0, false
	}
	x, okx := AsInt(a)
	y, oky := AsInt(b)
	if okx && oky {
		return cmp.Compare(x, y), true
	}
	return bigOf(a).Cmp(bigOf(b)), true
}

func isInt(v Value) bool {
	switch v.(type) {
	case Int, Bool, *Big:
		return true
	}
	return false
}

func compareFloats(x, y float64) int {
	if x != x || y != y {
		return unordered
	}
	return cmp.Compare(x, y)
}

func compareIntFloat(a Value, f float64) int {
	if f != f {
		return unordered
	}
	if math.IsInf(f, 0) {
		if f > 0 {
			return -1
		}
		return 1
	}
	if x, ok := AsInt(a); ok && absU(x) < 1<<53 {
		return cmp.Compare(float64(x), f)
	}
	return new(big.Rat).SetInt(bigOf(a)).Cmp(new(big.Rat).SetFloat64(f))
}

// compareItems is the lexicographic comparison of sequences. The items are
// fetched anew at each step, since a comparison may change the list.
func (t *Thread) compareItems(op syntax.CmpOp, xs, ys func() []Value) (Value, error) {
	if err := t.Enter(); err != nil {
		return nil, RaiseType(RecursionErrorType, "maximum recursion depth exceeded in comparison")
	}
	defer t.Leave()
	if op <= syntax.NotEq && len(xs()) != len(ys()) {
		return Bool(op == syntax.NotEq), nil
	}
	for i := 0; ; i++ {
		x, y := xs(), ys()
		if i >= len(x) || i >= len(y) {
			return ordered(op, cmp.Compare(len(x), len(y))), nil
		}
		if err := t.Charge(1); err != nil {
			return nil, err
		}
		eq, err := t.same(x[i], y[i])
		if err != nil {
			return nil, err
		}
		if !eq {
			if op <= syntax.NotEq {
				return Bool(op == syntax.NotEq), nil
			}
			return t.Compare(op, x[i], y[i])
		}
	}
}

func (t *Thread) dictEq(x, y *Dict) (bool, error) {
	if x.live != y.live {
		return false, nil
	}
	if err := t.Enter(); err != nil {
		return false, RaiseType(RecursionErrorType, "maximum recursion depth exceeded in comparison")
	}
	defer t.Leave()
	for i := 0; i < len(x.entries); i++ {
		e := x.entries[i]
		if e.key == nil {
			continue
		}
		if err := t.Charge(1); err != nil {
			return false, err
		}
		j, err := y.find(t, e.key, e.hash)
		if err != nil || j < 0 {
			return false, err
		}
		if ok, err := t.same(e.val, y.entries[j].val); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (t *Thread) compareSets(op syntax.CmpOp, x, y *Set) (Value, error) {
	t.sawKeys(&x.obj)
	t.sawKeys(&y.obj)
	var ok bool
	var err error
	switch op {
	case syntax.Eq, syntax.NotEq:
		if x.Len() == y.Len() {
			ok, err = setSubset(t, x, y)
		}
		return Bool(ok == (op == syntax.Eq)), err
	case syntax.LtE:
		ok, err = setSubset(t, x, y)
	case syntax.Lt:
		if x.Len() < y.Len() {
			ok, err = setSubset(t, x, y)
		}
	case syntax.GtE:
		ok, err = setSubset(t, y, x)
	case syntax.Gt:
		if x.Len() > y.Len() {
			ok, err = setSubset(t, y, x)
		}
	}
	return Bool(ok), err
}

// Truth is bool(v).
func (t *Thread) Truth(v Value) (bool, error) {
	switch x := v.(type) {
	case Bool:
		return bool(x), nil
	case NoneType:
		return false, nil
	case Int:
		return x != 0, nil
	case *Str:
		return x.n > 0, nil
	case *Dict:
		t.sawKeys(&x.obj)
		return x.live > 0, nil
	case *List:
		t.sawKeys(&x.obj)
		return len(x.Items) > 0, nil
	case Float:
		return x != 0, nil
	case *Tuple:
		return len(x.Items) > 0, nil
	case *Set:
		t.sawKeys(&x.obj)
		return x.Len() > 0, nil
	case *Bytes:
		return len(x.B) > 0, nil
	case *Range:
		return !x.empty(), nil
	case *Big:
		return true, nil
	case *Function, *Type, *Native, *Method, *Module:
		if c, ok := v.(*Type); !ok || c.Meta == nil {
			return true, nil
		}
	}
	return t.truthSlow(v)
}

func (t *Thread) truthSlow(v Value) (bool, error) {
	if f, ok := v.Type().Lookup("__bool__"); ok {
		if n, isNative := f.(*Native); isNative && n.Owner != nil && n.Owner.solid {
			return t.Truth(Unwrap(v))
		}
		r, err := t.callBound(f, v)
		if err != nil {
			return false, err
		}
		b, ok := r.(Bool)
		if !ok {
			return false, TypeErrorf("__bool__ should return bool, returned %s", TypeName(r))
		}
		return bool(b), nil
	}
	if _, ok := v.Type().Lookup("__len__"); ok {
		n, err := t.Len(v)
		return n > 0, err
	}
	return true, nil
}
