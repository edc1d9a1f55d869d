package py

import (
	"math/big"
)

// Value is any Python object.
type Value interface {
	// Type is the object's class.
	Type() *Type
}

// NoneType is the type of None.
type NoneType struct{}

// None is Python's None.
var None Value = NoneType{}

// Type returns NoneType.
func (NoneType) Type() *Type { return NoneTypeType }

// EllipsisType is the type of Ellipsis.
type EllipsisType struct{}

// Ellipsis is Python's Ellipsis.
var Ellipsis Value = EllipsisType{}

// Type returns the class ellipsis.
func (EllipsisType) Type() *Type { return EllipsisTypeType }

// NotImplementedType is the type of NotImplemented.
type NotImplementedType struct{}

// NotImplemented is what a binary special method returns to decline.
var NotImplemented Value = NotImplementedType{}

// Type returns the class NotImplementedType.
func (NotImplementedType) Type() *Type { return NotImplementedTypeType }

// Bool is Python's bool; it counts as the int 0 or 1 in arithmetic.
type Bool bool

// True and False are the two bools.
const (
	True  Bool = true
	False Bool = false
)

// Type returns bool.
func (Bool) Type() *Type { return BoolType }

// Int is an int that fits 64 bits; larger ones are *Big. MakeInt keeps the
// two apart, so that a value has one representation only.
type Int int64

// Type returns int.
func (Int) Type() *Type { return IntType }

// Big is an int outside the range of Int. Its value must not be changed.
type Big struct{ V *big.Int }

// Type returns int.
func (*Big) Type() *Type { return IntType }

// MakeInt returns v as an Int when it fits and as a *Big otherwise. It keeps v.
func MakeInt(v *big.Int) Value {
	if v.IsInt64() {
		return Int(v.Int64())
	}
	return &Big{v}
}

// Float is Python's float.
type Float float64

// Type returns float.
func (Float) Type() *Type { return FloatType }

// Str is Python's str: code points in WTF-8 (UTF-8 in which a lone surrogate
// takes its three-byte form).
type Str struct {
	s string
	n int // code points
}

// Type returns str.
func (*Str) Type() *Type { return StrType }

// NewStr makes a str from WTF-8 text.
func NewStr(s string) *Str {
	if len(s) < 2 {
		if len(s) == 0 {
			return emptyStr
		}
		if s[0] < 128 {
			return asciiStr[s[0]]
		}
	}
	return &Str{s, countRunes(s)}
}

// String returns the WTF-8 text.
func (s *Str) String() string { return s.s }

// Len is the number of code points.
func (s *Str) Len() int { return s.n }

// ASCII reports whether every code point is below 128.
func (s *Str) ASCII() bool { return s.n == len(s.s) }

var (
	emptyStr = &Str{"", 0}
	asciiStr = func() (t [128]*Str) {
		for i := range t {
			t[i] = &Str{string(rune(i)), 1}
		}
		return
	}()
)

// countRunes counts code points of WTF-8 text: the bytes that start one.
func countRunes(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// Bytes is Python's bytes.
type Bytes struct{ B string }

// Type returns bytes.
func (*Bytes) Type() *Type { return BytesType }

// Tuple is Python's tuple. Items must not be changed.
type Tuple struct{ Items []Value }

// Type returns tuple.
func (*Tuple) Type() *Type { return TupleType }

var emptyTuple = &Tuple{}

// NewTuple makes a tuple that owns items.
func NewTuple(items ...Value) *Tuple {
	if len(items) == 0 {
		return emptyTuple
	}
	return &Tuple{items}
}

// Range is Python's range.
type Range struct {
	Start, Stop, Step int64
	N                 int64      // number of elements
	wide              *wideRange // in place of the numbers above, when they do not fit
}

// Type returns range.
func (*Range) Type() *Type { return RangeType }

// Slice is Python's slice object.
type Slice struct{ Start, Stop, Step Value }

// Type returns slice.
func (*Slice) Type() *Type { return SliceType }

// Cell holds a variable that a nested function shares.
type Cell struct{ V Value } // nil when unbound

// Type returns cell.
func (*Cell) Type() *Type { return CellType }

// Function is a function written in Python.
type Function struct {
	Code       *Code
	Globals    *Module
	Defaults   []Value // for the last parameters
	KwDefaults []Value // one per keyword-only parameter, nil where required
	Closure    []*Cell
	Name       string
	Qualname   string
	Doc        Value
	Attrs      *Dict // nil until an attribute is set
	Notes      *Dict // __annotations__, nil when there are none
	shared     bool  // belongs to a template: see share.go
}

// Type returns function.
func (*Function) Type() *Type { return FunctionType }

// Method is a callable bound to its receiver.
type Method struct {
	Fn   Value
	Self Value
}

// Type returns method, or builtin_function_or_method for a native one.
func (m *Method) Type() *Type {
	if _, ok := m.Fn.(*Native); ok {
		return NativeType
	}
	return MethodType
}

// Module is a namespace: the world's own, or a library module.
type Module struct {
	Name  string
	Attrs *Dict
	Fixed bool // library modules are shared and cannot be assigned to
}

// Type returns module.
func (*Module) Type() *Type { return ModuleType }

// Instance is an object of a class written in Python, or of a library class
// that needs attributes.
type Instance struct {
	class   *Type
	attrs   *Dict // never nil unless the class has fixed slots and none is set
	payload Value // built-in part of a subclass of a built-in, else nil
	exc     *excState
}

// excState is what makes an instance an exception.
type excState struct {
	args           *Tuple
	cause, context *Instance
	suppress       bool
	linked         bool // is the context of another exception
}

// state returns the exception state, made on first use.
func (i *Instance) state() *excState {
	if i.exc == nil {
		i.exc = &excState{args: emptyTuple}
	}
	return i.exc
}

// Type returns the class.
func (i *Instance) Type() *Type { return i.class }

// NewInstance makes an object of cls without running __init__; payload is the
// built-in part or nil.
func NewInstance(cls *Type, payload Value) *Instance {
	return &Instance{class: cls, attrs: &Dict{}, payload: payload}
}

// Payload returns the built-in part of an instance, or nil.
func (i *Instance) Payload() Value { return i.payload }

// SetPayload replaces the built-in part; for constructors of library classes.
func (i *Instance) SetPayload(v Value) { i.payload = v }

// Attrs is the instance dictionary.
func (i *Instance) Attrs() *Dict { return i.attrs }

// Unwrap returns the built-in part of an instance of a subclass of a built-in
// and v itself otherwise.
func Unwrap(v Value) Value {
	if i, ok := v.(*Instance); ok && i.payload != nil {
		return i.payload
	}
	return v
}

// StaticMethod wraps a function looked up without binding.
type StaticMethod struct{ Fn Value }

// Type returns staticmethod.
func (*StaticMethod) Type() *Type { return StaticMethodType }

// ClassMethod wraps a function bound to the class.
type ClassMethod struct{ Fn Value }

// Type returns classmethod.
func (*ClassMethod) Type() *Type { return ClassMethodType }

// Property is a computed attribute; absent parts are nil.
type Property struct {
	Get, Set, Del Value
	Doc           Value
	name          string // of the class attribute it was made as, for messages
}

// Type returns property.
func (*Property) Type() *Type { return PropertyType }

// Getter is a read-only attribute of a library class, computed in Go.
type Getter struct {
	Name string
	Fn   func(t *Thread, self Value) (Value, error)
	Set  func(t *Thread, self, v Value) error // nil: read-only
}

// Type returns getset_descriptor.
func (*Getter) Type() *Type { return GetterType }

// Super is the object that super() returns.
type Super struct {
	start *Type // search begins after this class
	self  Value
	class *Type // the class whose MRO is searched
}

// Type returns super.
func (*Super) Type() *Type { return SuperType }
