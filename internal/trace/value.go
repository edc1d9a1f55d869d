package trace

import (
	"math"
	"slices"
	"strconv"
)

// MaxDepth is the greatest nesting of arrays and objects in a [Value]. It equals
// the limit of encoding/json, so both accept the same texts.
const MaxDepth = 10000

// indexFrom is the number of fields from which an object keeps a hash index.
// Below it a linear scan over the keys is faster and needs no memory.
const indexFrom = 16

// Kind says which of the JSON types a [Value] has.
type Kind uint8

// The kinds of a Value. The zero Kind is KindAbsent: there is no value at all,
// which differs from the JSON value null.
const (
	KindAbsent Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String returns the JSON name of the kind: "absent", "null", "bool", "number",
// "string", "array" or "object".
func (k Kind) String() string {
	names := [...]string{"absent", "null", "bool", "number", "string", "array", "object"}
	if int(k) < len(names) {
		return names[k]
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// Value is one immutable JSON value. The zero Value is absent: the answer of
// [Value.Get] for a key that is not there. Copying a Value copies four words
// and shares the contents.
//
// Strings are WTF-8: UTF-8 in which a lone surrogate is the three bytes that
// UTF-8 would give its code point (https://simonsapin.github.io/wtf-8/).
type Value struct {
	kind Kind
	text string // String: the contents; Number: the literal; Bool: "true" or "false"
	node *node  // Array and Object
}

// node holds the contents of an array or object.
type node struct {
	items     []Value        // Array
	fields    []Field        // Object, in order, duplicates included
	index     map[string]int // key to position of its last field; nil for small objects
	depth     int            // 1 for an array or object without nested ones
	duplicate bool           // some key occurs more than once
}

// Field is one key and value of an object.
type Field struct {
	Key   string
	Value Value
}

// Null returns the JSON value null.
func Null() Value { return Value{kind: KindNull} }

// Bool returns true or false.
func Bool(b bool) Value {
	if b {
		return Value{kind: KindBool, text: "true"}
	}
	return Value{kind: KindBool, text: "false"}
}

// String returns a string. Bytes of s that are neither UTF-8 nor a surrogate in
// WTF-8 become the surrogates U+DC80 to U+DCFF, as in PEP 383, so that every
// string can be written as valid JSON and read back unchanged.
func String(s string) Value { return Value{kind: KindString, text: wellFormed(s)} }

// Int returns the number i.
func Int(i int64) Value { return Value{kind: KindNumber, text: strconv.FormatInt(i, 10)} }

// Float returns the number f in its shortest form that reads back as f, written
// as Python writes it: always with a point or an exponent, so that a reader can
// tell 1.0 from 1. JSON has no other floats, so NaN and the infinities become
// the strings "NaN", "Infinity" and "-Infinity" (as in the JSON mapping of
// Protocol Buffers).
func Float(f float64) Value {
	switch {
	case math.IsNaN(f):
		return String("NaN")
	case math.IsInf(f, 1):
		return String("Infinity")
	case math.IsInf(f, -1):
		return String("-Infinity")
	}
	return Value{kind: KindNumber, text: formatFloat(f)}
}

// Number returns the number with the given JSON literal, which is kept as it is
// written. It fails if the literal does not match the JSON grammar.
func Number(literal string) (Value, error) {
	n, msg := scanNumber(literal)
	if msg == "" && n < len(literal) {
		msg = "unexpected character after number"
	}
	if msg != "" {
		return Value{}, &SyntaxError{Offset: n, Message: msg}
	}
	return Value{kind: KindNumber, text: literal}, nil
}

// Strings returns an array of strings.
func Strings(list []string) Value {
	items := make([]Value, len(list))
	for i, s := range list {
		items[i] = String(s)
	}
	return Array(items...)
}

// Array returns an array. It takes ownership of items. Absent items become null.
// The result is absent if it would be nested deeper than [MaxDepth]; code that
// builds values from hostile data must look at [Value.Exists].
func Array(items ...Value) Value {
	depth := 0
	for i := range items {
		if items[i].kind == KindAbsent {
			items[i] = Null()
		}
		depth = max(depth, items[i].Depth())
	}
	if depth >= MaxDepth {
		return Value{}
	}
	return Value{kind: KindArray, node: &node{items: items, depth: depth + 1}}
}

// Object returns an object with the given fields in the given order. It takes
// ownership of fields. Duplicate keys are kept; the last one counts. Absent
// values become null. The result is absent if it would be nested deeper than
// [MaxDepth].
func Object(fields ...Field) Value {
	depth := 0
	for i := range fields {
		f := &fields[i]
		f.Key = wellFormed(f.Key)
		if f.Value.kind == KindAbsent {
			f.Value = Null()
		}
		depth = max(depth, f.Value.Depth())
	}
	return newObject(fields, depth)
}

// newObject wraps fields whose keys are well formed and whose values exist.
func newObject(fields []Field, depth int) Value {
	if depth >= MaxDepth {
		return Value{}
	}
	n := &node{fields: fields, depth: depth + 1}
	if len(fields) < indexFrom {
		for i := range fields {
			n.duplicate = n.duplicate || firstIndex(fields[:i], fields[i].Key) >= 0
		}
	} else {
		n.index = make(map[string]int, len(fields))
		for i, f := range fields {
			n.index[f.Key] = i
		}
		n.duplicate = len(n.index) < len(fields)
	}
	return Value{kind: KindObject, node: n}
}

// firstIndex returns the position of the first field with the key, or -1.
func firstIndex(fields []Field, key string) int {
	for i := range fields {
		if fields[i].Key == key {
			return i
		}
	}
	return -1
}

// find returns the position of the last field with the key, or -1.
func (n *node) find(key string) int {
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return i
		}
		return -1
	}
	for i := len(n.fields) - 1; i >= 0; i-- {
		if n.fields[i].Key == key {
			return i
		}
	}
	return -1
}

// Kind returns the JSON type of v.
func (v Value) Kind() Kind { return v.kind }

// Exists reports whether v is a JSON value at all; null exists.
func (v Value) Exists() bool { return v.kind != KindAbsent }

// IsZero reports whether v is absent. It makes the omitzero option of struct
// tags work.
func (v Value) IsZero() bool { return v.kind == KindAbsent }

// Bool returns the value of a bool, and false for every other kind.
func (v Value) Bool() bool { return v.kind == KindBool && v.text == "true" }

// Text returns the contents of a string in WTF-8, and "" for every other kind.
func (v Value) Text() string {
	if v.kind == KindString {
		return v.text
	}
	return ""
}

// Literal returns the text of a number as it was written, and "" for every other
// kind.
func (v Value) Literal() string {
	if v.kind == KindNumber {
		return v.text
	}
	return ""
}

// IsInt reports whether v is a number written without point and exponent, which
// is how Python tells an int from a float.
func (v Value) IsInt() bool {
	if v.kind != KindNumber {
		return false
	}
	for i := 0; i < len(v.text); i++ {
		if c := v.text[i]; c == '.' || c == 'e' || c == 'E' {
			return false
		}
	}
	return true
}

// Int64 returns a number that is written as an integer and fits in 64 bits.
func (v Value) Int64() (int64, bool) {
	if v.kind != KindNumber {
		return 0, false
	}
	i, err := strconv.ParseInt(v.text, 10, 64)
	return i, err == nil
}

// Float64 returns the nearest float64 of a number. It fails for other kinds and
// for numbers outside the range of float64, such as 1e400.
func (v Value) Float64() (float64, bool) {
	if v.kind != KindNumber {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil
}

// Len returns the number of items of an array or of fields of an object
// (duplicates included), and 0 for every other kind.
func (v Value) Len() int {
	switch v.kind {
	case KindArray:
		return len(v.node.items)
	case KindObject:
		return len(v.node.fields)
	}
	return 0
}

// Depth returns the nesting of arrays and objects in v: 0 for a scalar, 1 for an
// array of scalars, at most [MaxDepth].
func (v Value) Depth() int {
	if v.node == nil {
		return 0
	}
	return v.node.depth
}

// Index returns item i of an array, or an absent Value if v is no array or i is
// out of range.
func (v Value) Index(i int) Value {
	if v.kind != KindArray || i < 0 || i >= len(v.node.items) {
		return Value{}
	}
	return v.node.items[i]
}

// Get returns the value of a key of an object (the last one if the key occurs
// twice), or an absent Value if v is no object or has no such key.
func (v Value) Get(key string) Value {
	if v.kind != KindObject {
		return Value{}
	}
	if i := v.node.find(key); i >= 0 {
		return v.node.fields[i].Value
	}
	return Value{}
}

// Items returns the items of an array, which the caller must not modify, and nil
// for every other kind.
func (v Value) Items() []Value {
	if v.kind != KindArray {
		return nil
	}
	return v.node.items
}

// Fields returns the fields of an object in order, duplicates included, and nil
// for every other kind. The caller must not modify them.
func (v Value) Fields() []Field {
	if v.kind != KindObject {
		return nil
	}
	return v.node.fields
}

// Keys returns the distinct keys of an object in the order of their first
// appearance, and nil for every other kind.
func (v Value) Keys() []string {
	fields := v.Distinct().Fields()
	if fields == nil {
		return nil
	}
	keys := make([]string, len(fields))
	for i := range fields {
		keys[i] = fields[i].Key
	}
	return keys
}

// Distinct returns an object with each key once: in the place of its first
// appearance, with the value of its last, which is what a Python dict would
// hold. Nested objects are left alone, and other kinds are returned unchanged.
func (v Value) Distinct() Value {
	if v.kind != KindObject || !v.node.duplicate {
		return v
	}
	fields := make([]Field, 0, len(v.node.fields))
	seen := make(map[string]bool, len(v.node.fields))
	for _, f := range v.node.fields {
		if !seen[f.Key] {
			seen[f.Key] = true
			fields = append(fields, Field{f.Key, v.Get(f.Key)})
		}
	}
	return newObject(fields, v.node.depth-1)
}

// With returns a copy of an object in which the key has the given value: in its
// old place if the key is there, at the end if not. For other kinds it returns an
// object with this one field. It takes time linear in the number of fields.
func (v Value) With(key string, value Value) Value {
	old := v.Distinct().Fields()
	fields := append(make([]Field, 0, len(old)+1), old...)
	key = wellFormed(key)
	if i := firstIndex(fields, key); i >= 0 {
		fields[i].Value = value
	} else {
		fields = append(fields, Field{key, value})
	}
	return Object(fields...)
}

// Without returns a copy of an object without the key. Other kinds are returned
// unchanged.
func (v Value) Without(key string) Value {
	if v.kind != KindObject || v.node.find(key) < 0 {
		return v
	}
	fields := slices.DeleteFunc(slices.Clone(v.node.fields), func(f Field) bool { return f.Key == key })
	return Object(fields...)
}
