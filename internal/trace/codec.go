package trace

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// This file turns records into values and back, led by the struct tags of the
// record types, so that a field is described in one place only. It is our own
// code because encoding/json loses what a record must keep: unknown fields, lone
// surrogates and the spelling of numbers.
//
// The rules: a field tagged omitzero is left out if and only if it is zero (a
// list that is empty but not nil is written); every other field is always
// written and must be there; nil pointers of such fields are null; a field named
// Extra takes the unknown fields.

// coder encodes and decodes one Go type.
type coder struct {
	encode func(dst []byte, src reflect.Value) ([]byte, error)
	decode func(dst reflect.Value, v Value) error
}

// closed is implemented by string types that allow certain words only.
type closed interface{ Valid() bool }

var (
	valueType  = reflect.TypeFor[Value]()
	closedType = reflect.TypeFor[closed]()
)

// fieldError is an error with the JSON pointer of the place where it is.
type fieldError struct {
	path string
	err  error
}

func (e *fieldError) Error() string { return e.path + ": " + e.err.Error() }
func (e *fieldError) Unwrap() error { return e.err }

// within adds the name of an enclosing field or item to the place of an error.
func within(token string, err error) error {
	path := JoinPointer(token)
	var inner *fieldError
	if errors.As(err, &inner) {
		return &fieldError{path + inner.path, inner.err}
	}
	return &fieldError{path, err}
}

// wrongKind says that v is not of the kind that a field needs.
func wrongKind(want string, v Value) error {
	return fmt.Errorf("must be %s, not %s", want, v.Kind())
}

// coderOf returns the coder of a type. It panics for types that records do not
// use, which any test that touches the package would show.
func coderOf(t reflect.Type) coder {
	if t == valueType {
		return valueCoder
	}
	switch t.Kind() {
	case reflect.Bool:
		return boolCoder
	case reflect.String:
		if t.Implements(closedType) {
			return wordCoder
		}
		return stringCoder
	case reflect.Int, reflect.Int64:
		return intCoder
	case reflect.Uint64:
		return uintCoder
	case reflect.Float64:
		return floatCoder
	case reflect.Pointer:
		return pointerCoder(t)
	case reflect.Slice:
		return sliceCoder(t)
	case reflect.Struct:
		return structCoder(t)
	}
	panic("trace: no coder for " + t.String())
}

// maxValueDepth is the greatest nesting of a value in a record. It leaves room
// for the record around it within MaxDepth, so that what can be written can be
// read.
const maxValueDepth = MaxDepth - 100

func checkDepth(v Value) error {
	if v.Depth() > maxValueDepth {
		return fmt.Errorf("nested deeper than %d levels", maxValueDepth)
	}
	return nil
}

var valueCoder = coder{
	encode: func(dst []byte, src reflect.Value) ([]byte, error) {
		v := src.Addr().Interface().(*Value)
		return v.AppendJSON(dst), checkDepth(*v)
	},
	decode: func(dst reflect.Value, v Value) error {
		*dst.Addr().Interface().(*Value) = v
		return checkDepth(v)
	},
}

var boolCoder = coder{
	encode: func(dst []byte, src reflect.Value) ([]byte, error) {
		return strconv.AppendBool(dst, src.Bool()), nil
	},
	decode: func(dst reflect.Value, v Value) error {
		if v.Kind() != KindBool {
			return wrongKind("a bool", v)
		}
		dst.SetBool(v.Bool())
		return nil
	},
}

var stringCoder = coder{
	encode: func(dst []byte, src reflect.Value) ([]byte, error) {
		return appendString(dst, wellFormed(src.String())), nil
	},
	decode: func(dst reflect.Value, v Value) error {
		if v.Kind() != KindString {
			return wrongKind("a string", v)
		}
		dst.SetString(v.Text())
		return nil
	},
}

// wordCoder is for words of closed sets.
var wordCoder = coder{
	encode: func(dst []byte, src reflect.Value) ([]byte, error) {
		if err := checkWord(src); err != nil {
			return nil, err
		}
		return stringCoder.encode(dst, src)
	},
	decode: func(dst reflect.Value, v Value) error {
		if err := stringCoder.decode(dst, v); err != nil {
			return err
		}
		return checkWord(dst)
	},
}

func checkWord(v reflect.Value) error {
	if word := v.Interface().(closed); !word.Valid() {
		return fmt.Errorf("%s is not a %s", quote(v.String()), strings.ToLower(v.Type().Name()))
	}
	return nil
}

var intCoder = coder{
	encode: func(dst []byte, src reflect.Value) ([]byte, error) {
		return strconv.AppendInt(dst, src.Int(), 10), nil
	},
	decode: func(dst reflect.Value, v Value) error {
		text, err := integerText(v)
		if err != nil {
			return err
		}
		i, err := strconv.ParseInt(text, 10, dst.Type().Bits())
		if err != nil {
			return fmt.Errorf("%s is outside of the range of a signed 64-bit integer", text)
		}
		dst.SetInt(i)
		return nil
	},
}

var uintCoder = coder{
	encode: func(dst []byte, src reflect.Value) ([]byte, error) {
		return strconv.AppendUint(dst, src.Uint(), 10), nil
	},
	decode: func(dst reflect.Value, v Value) error {
		text, err := integerText(v)
		if err != nil {
			return err
		}
		i, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%s is outside of the range of an unsigned 64-bit integer", text)
		}
		dst.SetUint(i)
		return nil
	},
}

// integerText returns the digits of a number whose value is an integer, however
// it is spelled, as JSON Schema defines integers.
func integerText(v Value) (string, error) {
	if v.Kind() != KindNumber {
		return "", wrongKind("an integer", v)
	}
	d, ok := parseDecimal(v.Literal())
	switch {
	case !ok || d.exponent > 20:
		return "", fmt.Errorf("%s is outside of the range of a 64-bit integer", v.Literal())
	case d.digits == "":
		return "0", nil
	case int64(len(d.digits)) > d.exponent:
		return "", fmt.Errorf("must be an integer, not %s", v.Literal())
	}
	text := d.digits + strings.Repeat("0", int(d.exponent)-len(d.digits))
	if d.negative {
		text = "-" + text
	}
	return text, nil
}

var floatCoder = coder{
	encode: func(dst []byte, src reflect.Value) ([]byte, error) {
		v := Float(src.Float())
		if v.Kind() != KindNumber {
			return nil, fmt.Errorf("%s is not a number in JSON", v.Text())
		}
		return v.AppendJSON(dst), nil
	},
	decode: func(dst reflect.Value, v Value) error {
		if v.Kind() != KindNumber {
			return wrongKind("a number", v)
		}
		f, ok := v.Float64()
		if !ok {
			return fmt.Errorf("%s is outside of the range of a 64-bit float", v.Literal())
		}
		dst.SetFloat(f)
		return nil
	},
}

// pointerCoder is for fields that may be absent. Only fields that are always
// written can be null.
func pointerCoder(t reflect.Type) coder {
	element := coderOf(t.Elem())
	return coder{
		encode: func(dst []byte, src reflect.Value) ([]byte, error) {
			if src.IsNil() {
				return append(dst, "null"...), nil
			}
			return element.encode(dst, src.Elem())
		},
		decode: func(dst reflect.Value, v Value) error {
			dst.Set(reflect.New(t.Elem()))
			return element.decode(dst.Elem(), v)
		},
	}
}

func sliceCoder(t reflect.Type) coder {
	element := coderOf(t.Elem())
	return coder{
		encode: func(dst []byte, src reflect.Value) ([]byte, error) {
			dst = append(dst, '[')
			for i := range src.Len() {
				if i > 0 {
					dst = append(dst, ',')
				}
				var err error
				if dst, err = element.encode(dst, src.Index(i)); err != nil {
					return nil, within(strconv.Itoa(i), err)
				}
			}
			return append(dst, ']'), nil
		},
		decode: func(dst reflect.Value, v Value) error {
			if v.Kind() != KindArray {
				return wrongKind("an array", v)
			}
			list := reflect.MakeSlice(t, v.Len(), v.Len())
			for i, item := range v.Items() {
				if err := element.decode(list.Index(i), item); err != nil {
					return within(strconv.Itoa(i), err)
				}
			}
			dst.Set(list)
			return nil
		},
	}
}

// fieldCoder is one field of a structCoder.
type fieldCoder struct {
	coder
	name     string
	index    int
	optional bool // left out if zero
	nullable bool // null if nil
}

// structFields returns the fields of a record type in order, and the index of
// its field Extra.
func structFields(t reflect.Type) (fields []fieldCoder, extra int) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "Extra" {
			extra = i
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		optional := options == "omitzero"
		fields = append(fields, fieldCoder{
			coder:    coderOf(f.Type),
			name:     name,
			index:    i,
			optional: optional,
			nullable: !optional && f.Type.Kind() == reflect.Pointer,
		})
	}
	return fields, extra
}

func structCoder(t reflect.Type) coder {
	fields, extra := structFields(t)
	position := make(map[string]int, len(fields))
	for i, f := range fields {
		position[f.name] = i
	}
	return coder{
		encode: func(dst []byte, src reflect.Value) ([]byte, error) {
			dst, err := encodeFields(append(dst, '{'), src, fields)
			if err != nil {
				return nil, err
			}
			for _, f := range src.Field(extra).Interface().([]Field) {
				if _, known := position[f.Key]; known {
					return nil, within(f.Key, fmt.Errorf("an unknown field must not have the name of a known one"))
				}
				if err := checkDepth(f.Value); err != nil {
					return nil, within(f.Key, err)
				}
				dst = appendString(appendComma(dst), wellFormed(f.Key))
				dst = f.Value.AppendJSON(append(dst, ':'))
			}
			return append(dst, '}'), nil
		},
		decode: func(dst reflect.Value, v Value) error {
			if v.Kind() != KindObject {
				return wrongKind("an object", v)
			}
			unknown, err := decodeFields(dst, v, fields, position)
			if unknown != nil {
				dst.Field(extra).Set(reflect.ValueOf(unknown))
			}
			return err
		},
	}
}

// appendComma separates a field from the one before it.
func appendComma(dst []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return dst
}

func encodeFields(dst []byte, src reflect.Value, fields []fieldCoder) ([]byte, error) {
	for _, f := range fields {
		field := src.Field(f.index)
		if f.optional && field.IsZero() {
			continue
		}
		dst = appendString(appendComma(dst), f.name)
		var err error
		if dst, err = f.encode(append(dst, ':'), field); err != nil {
			return nil, within(f.name, err)
		}
	}
	return dst, nil
}

// decodeFields sets the known fields of dst and returns the unknown ones, with
// their duplicates. Of a known field that occurs twice the last one counts.
func decodeFields(dst reflect.Value, v Value, fields []fieldCoder, position map[string]int) ([]Field, error) {
	var unknown []Field
	seen := make([]bool, len(fields))
	for i, field := range v.Fields() {
		p, known := position[field.Key]
		if !known {
			if err := checkDepth(field.Value); err != nil {
				return nil, within(field.Key, err)
			}
			unknown = append(unknown, field)
			continue
		}
		seen[p] = true
		f := fields[p]
		if v.node.find(field.Key) != i || f.nullable && field.Value.Kind() == KindNull {
			continue
		}
		if err := f.decode(dst.Field(f.index), field.Value); err != nil {
			return nil, within(f.name, err)
		}
	}
	if i := slices.IndexFunc(fields, func(f fieldCoder) bool { return !f.optional && !seen[position[f.name]] }); i >= 0 {
		return nil, within(fields[i].name, fmt.Errorf("is missing"))
	}
	return unknown, nil
}
