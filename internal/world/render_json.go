package world

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
	"gauntlet/internal/trace"
)

// nodeCost is charged for each value that a conversion makes, besides its text.
const nodeCost = 64

// ToValue converts a Python value to JSON. Dict keys that are not strings
// become text as in json.dumps. What JSON lacks is converted:
//
//	tuple, set, range, deque, dict view    array
//	bytes                                  string, bytes that are not UTF-8 as in PEP 383
//	NaN and the infinities                 string, see [trace.Float]
//	date, time, datetime                   string in ISO 8601
//	enum member                            its value
//	instance of a world's class            object of its attributes
//	anything else                          string, str(v)
//
// Every visit of a shared value is charged to t, so that aliasing cannot make a
// result larger than the memory limit. A cyclic value is a RecursionError.
func ToValue(t *py.Thread, v py.Value) (trace.Value, error) {
	if err := t.Alloc(nodeCost); err != nil {
		return trace.Value{}, err
	}
	switch x := v.(type) {
	case py.NoneType:
		return trace.Null(), nil
	case py.Bool:
		return trace.Bool(bool(x)), nil
	case py.Int:
		return trace.Int(int64(x)), nil
	case py.Float:
		return trace.Float(float64(x)), nil
	case *py.Str:
		return stringValue(t, x.String())
	case *py.Bytes:
		return bytesValue(t, x.B)
	case *py.Big:
		s, err := t.Str(x)
		if err != nil {
			return trace.Value{}, err
		}
		return trace.Number(s)
	}
	if err := t.Enter(); err != nil {
		return trace.Value{}, err
	}
	defer t.Leave()
	t.SawDeep(v)
	switch x := v.(type) {
	case *py.List:
		return arrayValue(t, x.Items)
	case *py.Tuple:
		return arrayValue(t, x.Items)
	case *py.Set:
		return arrayValue(t, x.Items(t))
	case *py.Dict:
		return objectValue(t, x)
	case *py.MappingProxy:
		return objectValue(t, x.D)
	}
	return objectToValue(t, v)
}

func stringValue(t *py.Thread, s string) (trace.Value, error) {
	if err := t.Alloc(len(s)); err != nil {
		return trace.Value{}, err
	}
	return trace.String(s), nil
}

func bytesValue(t *py.Thread, b string) (trace.Value, error) {
	if err := t.Alloc(4 * len(b)); err != nil {
		return trace.Value{}, err
	}
	s, err := text.Decode([]byte(b), text.UTF8, "surrogateescape")
	return trace.String(s), err
}

func arrayValue(t *py.Thread, list []py.Value) (trace.Value, error) {
	if err := t.Alloc(nodeCost * len(list)); err != nil {
		return trace.Value{}, err
	}
	items := make([]trace.Value, len(list))
	for i, x := range list {
		var err error
		if items[i], err = ToValue(t, x); err != nil {
			return trace.Value{}, err
		}
	}
	return trace.Array(items...), nil
}

func objectValue(t *py.Thread, d *py.Dict) (trace.Value, error) {
	if err := t.Alloc(2 * nodeCost * d.Len()); err != nil {
		return trace.Value{}, err
	}
	fields := make([]trace.Field, 0, d.Len())
	for _, it := range d.Items(t) {
		key, err := keyText(t, it.Key)
		if err != nil {
			return trace.Value{}, err
		}
		v, err := ToValue(t, it.Value)
		if err != nil {
			return trace.Value{}, err
		}
		fields = append(fields, trace.Field{Key: key, Value: v})
	}
	return trace.Object(fields...), nil
}

// keyText returns the text of a dict key: a string as it is, a scalar as its
// JSON text. json.dumps refuses other keys, here they become str(key).
func keyText(t *py.Thread, key py.Value) (string, error) {
	v, err := ToValue(t, key)
	if err != nil {
		return "", err
	}
	switch v.Kind() {
	case trace.KindString:
		return v.Text(), nil
	case trace.KindArray, trace.KindObject:
		return t.Str(key)
	}
	return v.String(), nil
}

// objectToValue converts an object that is none of the plain built-ins.
func objectToValue(t *py.Thread, v py.Value) (trace.Value, error) {
	switch {
	case derives(v, "enum", "Enum"):
		x, err := t.GetAttr(v, "value")
		if err != nil {
			return trace.Value{}, err
		}
		return ToValue(t, x)
	case derives(v, "datetime", "date"), derives(v, "datetime", "time"):
		x, err := t.CallMethod(v, "isoformat")
		if err != nil {
			return trace.Value{}, err
		}
		return ToValue(t, x)
	}
	if i, ok := v.(*py.Instance); ok && !py.BaseExceptionType.IsInstance(v) {
		if i.Payload() != nil {
			return ToValue(t, i.Payload())
		}
		if i.Attrs() != nil && i.Attrs().Len() > 0 {
			return objectValue(t, i.Attrs())
		}
	}
	if isCollection(v) {
		items, err := t.Collect(v)
		if err != nil {
			return trace.Value{}, err
		}
		return arrayValue(t, items)
	}
	s, err := t.Str(v)
	if err != nil {
		return trace.Value{}, err
	}
	return stringValue(t, s)
}

// derives reports whether the class of v is mod.name of the library, or derives
// from it.
func derives(v py.Value, mod, name string) bool {
	for _, c := range v.Type().MRO {
		if c.Mod == mod && c.Name == name && !c.Heap {
			return true
		}
	}
	return false
}

// isCollection reports whether v is a built-in container that iteration does
// not use up.
func isCollection(v py.Value) bool {
	switch v.(type) {
	case *py.Range:
		return true
	case *py.Type, py.Iterator:
		return false
	case py.Iterable:
		return true
	}
	return false
}

// FromValue converts JSON to Python, as json.loads does: numbers written
// without point and exponent become ints of any size (up to 4300 digits), others
// floats (1e400 is inf), and of equal keys the last one counts. An absent value
// is None. Nesting beyond the interpreter's limit is a RecursionError.
func FromValue(t *py.Thread, v trace.Value) (py.Value, error) {
	if err := t.Alloc(nodeCost); err != nil {
		return nil, err
	}
	switch v.Kind() {
	case trace.KindBool:
		return py.Bool(v.Bool()), nil
	case trace.KindNumber:
		return fromNumber(t, v)
	case trace.KindString:
		return py.NewStr(v.Text()), nil
	case trace.KindArray, trace.KindObject:
		if err := t.Enter(); err != nil {
			return nil, err
		}
		defer t.Leave()
		if v.Kind() == trace.KindArray {
			return fromArray(t, v)
		}
		return fromObject(t, v)
	}
	return py.None, nil
}

func fromNumber(t *py.Thread, v trace.Value) (py.Value, error) {
	if i, ok := v.Int64(); ok {
		return py.Int(i), nil
	}
	if err := t.Alloc(len(v.Literal())); err != nil {
		return nil, err
	}
	if !v.IsInt() {
		f, err := text.ParseFloat(v.Literal())
		if err != nil {
			return nil, py.ValueErrorf("%s", err)
		}
		return py.Float(f), nil
	}
	i, large, err := text.ParseInt(v.Literal(), 10)
	switch {
	case err != nil:
		return nil, py.ValueErrorf("%s", err)
	case large != nil:
		return py.MakeInt(large), nil
	}
	return py.Int(i), nil
}

func fromArray(t *py.Thread, v trace.Value) (py.Value, error) {
	items := make([]py.Value, v.Len())
	for i, x := range v.Items() {
		var err error
		if items[i], err = FromValue(t, x); err != nil {
			return nil, err
		}
	}
	return t.NewList(items), nil
}

func fromObject(t *py.Thread, v trace.Value) (py.Value, error) {
	d := t.NewDict()
	for _, f := range v.Fields() {
		x, err := FromValue(t, f.Value)
		if err != nil {
			return nil, err
		}
		if err := d.Set(t, py.NewStr(f.Key), x); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// renderJSON returns the text that json.dumps(v, ensure_ascii=False) gives for
// the JSON value of v, except that lone surrogates are escaped, so that the
// text is valid UTF-8.
func renderJSON(t *py.Thread, v py.Value) (string, error) {
	j, err := ToValue(t, v)
	if err != nil {
		return "", err
	}
	out, err := appendSpaced(t, nil, j)
	return string(out), err
}

// appendSpaced appends the JSON text of v with a space after each comma and
// colon. Its depth is that of a Value, which is bounded.
func appendSpaced(t *py.Thread, dst []byte, v trace.Value) ([]byte, error) {
	var err error
	switch v.Kind() {
	case trace.KindArray:
		dst = append(dst, '[')
		for i, x := range v.Items() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if dst, err = appendSpaced(t, dst, x); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case trace.KindObject:
		dst = append(dst, '{')
		for i, f := range v.Fields() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if dst, err = appendSpaced(t, dst, trace.String(f.Key)); err != nil {
				return nil, err
			}
			dst = append(dst, ": "...)
			if dst, err = appendSpaced(t, dst, f.Value); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	}
	before := len(dst)
	dst = v.AppendJSON(dst)
	return dst, t.Alloc(len(dst) - before)
}
