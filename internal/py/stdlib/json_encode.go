package stdlib

import (
	"math"
	"strconv"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// jsonEncoderType is json.JSONEncoder. Its objects are plain instances whose
// options are attributes, as in CPython, so subclasses may set them too.
var jsonEncoderType = py.NewType("json.encoder", "JSONEncoder")

func finishJSONEncoder() {
	c := jsonEncoderType
	c.Finish(
		py.Member{Name: "item_separator", Value: py.NewStr(", ")},
		py.Member{Name: "key_separator", Value: py.NewStr(": ")},
		pyMethod(c, "__init__", "*, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False, indent=None, separators=None, default=None", initJSONEncoder),
		pyMethod(c, "default", "o", func(_ *py.Thread, _ py.Value, a []py.Value) (py.Value, error) {
			return nil, py.TypeErrorf("Object of type %s is not JSON serializable", a[0].Type().Name)
		}),
		pyMethod(c, "encode", "o", encodeJSON),
		pyMethod(c, "iterencode", "o, _one_shot=False", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			s, err := encodeJSONText(t, self, a[0])
			if err != nil {
				return nil, err
			}
			it, err := t.Iter(py.NewTuple(py.NewStr(s)))
			return it, err
		}),
	)
}

func initJSONEncoder(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	names := []string{"skipkeys", "ensure_ascii", "check_circular", "allow_nan", "sort_keys", "indent"}
	defaults := []py.Value{py.False, py.True, py.True, py.True, py.False, py.None}
	for i, n := range names {
		if err := t.SetAttr(self, n, given(a[i], defaults[i])); err != nil {
			return nil, err
		}
	}
	switch {
	case isSet(a[6]):
		parts, err := t.Unpack(a[6], 2)
		if err != nil {
			return nil, err
		}
		if err := t.SetAttr(self, "item_separator", parts[0]); err != nil {
			return nil, err
		}
		if err := t.SetAttr(self, "key_separator", parts[1]); err != nil {
			return nil, err
		}
	case isSet(a[5]):
		if err := t.SetAttr(self, "item_separator", py.NewStr(",")); err != nil {
			return nil, err
		}
	}
	if isSet(a[7]) {
		return py.None, t.SetAttr(self, "default", a[7])
	}
	return py.None, nil
}

// encodeJSON is JSONEncoder.encode; a subclass's iterencode has its say.
func encodeJSON(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	own, _ := jsonEncoderType.Lookup("iterencode")
	f, _ := self.Type().Lookup("iterencode")
	_, isStr := py.AsStr(a[0])
	if f == own || isStr {
		s, err := encodeJSONText(t, self, a[0])
		return py.NewStr(s), err
	}
	it, err := t.GetAttr(self, "iterencode")
	if err != nil {
		return nil, err
	}
	chunks, err := t.Call(it, []py.Value{a[0]}, []py.Kw{{Name: "_one_shot", Value: py.True}})
	if err != nil {
		return nil, err
	}
	return t.CallMethod(py.NewStr(""), "join", chunks)
}

// jsonEncoder writes one document.
type jsonEncoder struct {
	t        *py.Thread
	b        strings.Builder
	charged  int // bytes of b that the thread's budget has paid for
	self     py.Value
	skipKeys bool
	ascii    bool
	circular bool // look for cycles
	nan      bool
	sort     bool
	pretty   bool
	indent   string
	itemSep  string
	keySep   string
	// Separators that are no text, with an indent.
	badItemSep, badKeySep py.Value
	level                 int        // containers around the present place, for the indent
	open                  []py.Value // what is being written, for cycles
}

func encodeJSONText(t *py.Thread, self, v py.Value) (string, error) {
	e := &jsonEncoder{t: t, self: self}
	flags := []struct {
		name string
		to   *bool
	}{{"skipkeys", &e.skipKeys}, {"ensure_ascii", &e.ascii}, {"check_circular", &e.circular}, {"allow_nan", &e.nan}, {"sort_keys", &e.sort}}
	for _, f := range flags {
		x, err := t.GetAttr(self, f.name)
		if err != nil {
			return "", err
		}
		if *f.to, err = t.Truth(x); err != nil {
			return "", err
		}
	}
	if err := e.layout(); err != nil {
		return "", err
	}
	if err := e.value(v); err != nil {
		return "", err
	}
	return e.b.String(), e.pay()
}

// layout reads the separators and the indent.
func (e *jsonEncoder) layout() error {
	indent, err := e.t.GetAttr(e.self, "indent")
	if err != nil {
		return err
	}
	e.pretty = indent != py.None
	for _, s := range []struct {
		name string
		arg  int
		to   *string
	}{{"key_separator", 5, &e.keySep}, {"item_separator", 6, &e.itemSep}} {
		v, err := e.t.GetAttr(e.self, s.name)
		if err != nil {
			return err
		}
		text, ok := py.AsStr(v)
		switch {
		case ok:
		case e.pretty: // only matters where it is used
			if s.arg == 6 {
				e.badItemSep = v
			} else {
				e.badKeySep = v
			}
			continue
		default:
			return py.TypeErrorf("make_encoder() argument %d must be str, not %s", s.arg, py.TypeName(v))
		}
		*s.to = text.String()
	}
	if !e.pretty {
		return nil
	}
	v := indent
	if s, ok := py.AsStr(v); ok {
		e.indent = s.String()
		return nil
	}
	n, ok := py.AsInt(v)
	if !ok {
		if _, big := py.Unwrap(v).(*py.Big); big {
			return py.OverflowErrorf("cannot fit 'int' into an index-sized integer")
		}
		return py.TypeErrorf("can't multiply sequence by non-int of type '%s'", py.TypeName(v))
	}
	if n > 0 {
		if err := e.t.Alloc(int(min(n, 1<<40))); err != nil {
			return err
		}
		e.indent = strings.Repeat(" ", int(n))
	}
	return nil
}

// pay charges for what was written since the last call.
func (e *jsonEncoder) pay() error {
	n := e.b.Len() - e.charged
	e.charged = e.b.Len()
	if err := e.t.Charge(1); err != nil {
		return err
	}
	return e.t.Alloc(2 * n)
}

func (e *jsonEncoder) value(v py.Value) error {
	if err := e.pay(); err != nil {
		return err
	}
	switch x := py.Unwrap(v).(type) {
	case *py.Str:
		return e.text(x)
	case py.NoneType, py.Bool, py.Int, *py.Big, py.Float:
		s, err := e.scalar(x)
		e.b.WriteString(s)
		return err
	case *py.List, *py.Tuple:
		if o, ok := v.(*py.Instance); ok {
			return e.nested(v, func() error { return e.iterated(o) })
		}
		if x, ok := py.AsTuple(v); ok {
			return e.nested(v, func() error { return e.array(x.Items) })
		}
		if x, ok := py.AsList(v); ok {
			return e.nested(v, func() error {
				items, err := e.t.Collect(x)
				if err != nil {
					return err
				}
				return e.array(items)
			})
		}
	case *py.Dict:
		return e.nested(v, func() error { return e.object(v, x) })
	}
	return e.nested(v, func() error {
		f, err := e.t.GetAttr(e.self, "default")
		if err != nil {
			return err
		}
		r, err := e.t.Call(f, []py.Value{v}, nil)
		if err != nil {
			return err
		}
		return e.value(r)
	})
}

// iterated is an instance of a subclass of list or tuple, which may have an
// __iter__ of its own.
func (e *jsonEncoder) iterated(o *py.Instance) error {
	it, err := e.t.Iter(o)
	if _, no := py.Catch(err, py.TypeErrorType); no && !e.pretty {
		return py.TypeErrorf("_iterencode_list needs a sequence")
	}
	if err != nil {
		return err
	}
	items, err := e.t.Collect(it)
	if err != nil {
		return err
	}
	return e.array(items)
}

// nested runs f one level deeper, inside v.
func (e *jsonEncoder) nested(v py.Value, f func() error) error {
	if e.circular {
		for _, o := range e.open {
			if py.Is(o, v) {
				return py.ValueErrorf("Circular reference detected")
			}
		}
	}
	if err := e.t.Enter(); err != nil {
		return py.RaiseType(py.RecursionErrorType, "maximum recursion depth exceeded while encoding a JSON object")
	}
	defer e.t.Leave()
	if err := e.t.Charge(len(e.open) / 8); err != nil {
		return err
	}
	e.open = append(e.open, v)
	err := f()
	e.open = e.open[:len(e.open)-1]
	return err
}

// scalar is the text of None, a bool, an int or a float.
func (e *jsonEncoder) scalar(v py.Value) (string, error) {
	switch x := v.(type) {
	case py.NoneType:
		return "null", nil
	case py.Bool:
		if x {
			return "true", nil
		}
		return "false", nil
	case py.Float:
		f := float64(x)
		switch {
		case !math.IsInf(f, 0) && f == f:
			return text.FormatFloat(f), nil
		case !e.nan:
			return "", py.ValueErrorf("Out of range float values are not JSON compliant")
		case f != f:
			return "NaN", nil
		case f > 0:
			return "Infinity", nil
		}
		return "-Infinity", nil
	}
	return e.t.Repr(v)
}

// newline goes to the next line when the layout has lines.
func (e *jsonEncoder) newline() {
	if e.pretty {
		e.b.WriteByte('\n')
		for range e.level {
			e.b.WriteString(e.indent)
		}
	}
}

// begin opens a container.
func (e *jsonEncoder) begin(bracket byte) {
	e.b.WriteByte(bracket)
	e.level++
	e.newline()
}

// between separates the items of a container.
func (e *jsonEncoder) between(i int) {
	if i > 0 {
		e.b.WriteString(e.itemSep)
		e.newline()
	}
}

// end closes a container.
func (e *jsonEncoder) end(bracket byte) {
	e.level--
	e.newline()
	e.b.WriteByte(bracket)
}

// checkSeparators fails for separators that are no text: the one between items
// is put before a line break, the one after a key among the other pieces.
func (e *jsonEncoder) checkSeparators(object bool) error {
	if e.badItemSep != nil {
		if _, err := add(e.t, e.badItemSep, py.NewStr("\n")); err != nil {
			return err
		}
	}
	if object && e.badKeySep != nil {
		return py.TypeErrorf("sequence item 3: expected str instance, %s found", py.TypeName(e.badKeySep))
	}
	return nil
}

func (e *jsonEncoder) array(items []py.Value) error {
	if len(items) == 0 {
		e.b.WriteString("[]")
		return nil
	}
	if err := e.checkSeparators(false); err != nil {
		return err
	}
	e.begin('[')
	for i, v := range items {
		e.between(i)
		if err := e.value(v); err != nil {
			return err
		}
	}
	e.end(']')
	return nil
}

func (e *jsonEncoder) object(v py.Value, d *py.Dict) error {
	if d.Len() == 0 {
		e.b.WriteString("{}")
		return nil
	}
	if err := e.checkSeparators(true); err != nil {
		return err
	}
	items, err := e.items(v, d)
	if err != nil {
		return err
	}
	e.begin('{')
	n := 0
	for _, it := range items {
		key, ok, err := e.key(it.Key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		e.between(n)
		n++
		if err := e.text(key); err != nil {
			return err
		}
		e.b.WriteString(e.keySep)
		if err := e.value(it.Value); err != nil {
			return err
		}
	}
	e.end('}')
	return nil
}

// items are the items of a dict, in key order if the options say so. A
// subclass of dict is asked for them.
func (e *jsonEncoder) items(v py.Value, d *py.Dict) ([]py.Item, error) {
	if v == py.Value(d) && !e.sort {
		return d.Items(e.t), nil
	}
	pairs, err := e.t.CallMethod(v, "items")
	if err != nil {
		return nil, err
	}
	list, err := e.t.Collect(pairs)
	if err != nil {
		return nil, err
	}
	if e.sort {
		l := e.t.NewList(list)
		if _, err := e.t.CallMethod(l, "sort"); err != nil {
			return nil, err
		}
		list = l.Items
	}
	out := make([]py.Item, 0, len(list))
	for _, p := range list {
		tup, ok := py.AsTuple(p)
		if !ok || len(tup.Items) != 2 {
			return nil, py.ValueErrorf("items must return 2-tuples")
		}
		out = append(out, py.Item{Key: tup.Items[0], Value: tup.Items[1]})
	}
	return out, nil
}

// key turns a dict key into the text of a name; false: leave the item out.
func (e *jsonEncoder) key(k py.Value) (*py.Str, bool, error) {
	switch x := py.Unwrap(k).(type) {
	case *py.Str:
		return x, true, nil
	case py.NoneType, py.Bool, py.Int, *py.Big, py.Float:
		s, err := e.scalar(x)
		return py.NewStr(s), true, err
	}
	if e.skipKeys {
		return nil, false, nil
	}
	return nil, false, py.TypeErrorf("keys must be str, int, float, bool or None, not %s", py.TypeName(k))
}

const hexDigits = "0123456789abcdef"
