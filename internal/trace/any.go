package trace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Any returns v as the types that encoding/json uses with UseNumber: nil, bool,
// json.Number, string, []any and map[string]any. It is for libraries that want
// those; the order of keys and earlier duplicates are lost. Absent becomes nil.
func (v Value) Any() any {
	switch v.kind {
	case KindBool:
		return v.Bool()
	case KindNumber:
		return json.Number(v.text)
	case KindString:
		return v.text
	case KindArray:
		list := make([]any, len(v.node.items))
		for i, item := range v.node.items {
			list[i] = item.Any()
		}
		return list
	case KindObject:
		m := make(map[string]any, len(v.node.fields))
		for _, f := range v.node.fields {
			m[f.Key] = f.Value.Any()
		}
		return m
	}
	return nil
}

// FromAny returns x as a Value. It takes the types that decoders of JSON and YAML
// produce: nil, bool, the integers and floats of Go, json.Number, string, []any,
// map[string]any (its keys are sorted), and Value itself. It fails for all
// others and for nesting deeper than [MaxDepth].
func FromAny(x any) (Value, error) { return fromAny(x, 0) }

func fromAny(x any, depth int) (Value, error) {
	switch x := x.(type) {
	case nil:
		return Null(), nil
	case Value:
		return x, nil
	case bool:
		return Bool(x), nil
	case int:
		return Int(int64(x)), nil
	case int64:
		return Int(x), nil
	case uint64:
		return Number(strconv.FormatUint(x, 10))
	case float64:
		return Float(x), nil
	case json.Number:
		return Number(string(x))
	case string:
		return String(x), nil
	case []any, map[string]any:
		return fromContainer(x, depth)
	}
	return Value{}, fmt.Errorf("a %T is no JSON value", x)
}

func fromContainer(x any, depth int) (Value, error) {
	if depth == MaxDepth {
		return Value{}, fmt.Errorf("nested deeper than %d levels", MaxDepth)
	}
	var result Value
	switch x := x.(type) {
	case []any:
		items := make([]Value, len(x))
		for i := range x {
			var err error
			if items[i], err = fromAny(x[i], depth+1); err != nil {
				return Value{}, fmt.Errorf("item %d: %w", i, err)
			}
		}
		result = Array(items...)
	case map[string]any:
		fields := make([]Field, 0, len(x))
		for _, key := range slices.Sorted(maps.Keys(x)) {
			v, err := fromAny(x[key], depth+1)
			if err != nil {
				return Value{}, fmt.Errorf("field %s: %w", quote(key), err)
			}
			fields = append(fields, Field{key, v})
		}
		result = Object(fields...)
	}
	if !result.Exists() {
		return Value{}, fmt.Errorf("nested deeper than %d levels", MaxDepth)
	}
	return result, nil
}
