package stdlib

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// The json module. Encoding is in json_encode.go, decoding in json_decode.go;
// dump and load are refused, since there are no files.

// jsonErrorType is json.JSONDecodeError.
var jsonErrorType = py.NewType("json.decoder", "JSONDecodeError", py.ValueErrorType)

func buildJSON() *py.Module {
	jsonErrorType.Finish(pyMethod(jsonErrorType, "__init__", "msg, doc, pos", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		return py.None, initJSONError(t, self, a[0], a[1], a[2])
	}))
	finishJSONEncoder()
	finishJSONDecoder()
	return py.NewModule("json",
		py.Member{Name: "JSONDecodeError", Value: jsonErrorType},
		py.Member{Name: "JSONEncoder", Value: jsonEncoderType},
		py.Member{Name: "JSONDecoder", Value: jsonDecoderType},
		pyFunc("dumps", "obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None, separators=None, default=None, sort_keys=False, **kw", jsonDumps),
		pyFunc("loads", "s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, **kw", jsonLoads),
	)
}

// initJSONError sets the attributes and the message of a JSONDecodeError.
func initJSONError(t *py.Thread, self, msg, doc, pos py.Value) error {
	e, ok := self.(*py.Instance)
	if !ok {
		return py.TypeErrorf("JSONDecodeError needs an exception, not '%s'", py.TypeName(self))
	}
	d, ok := py.AsStr(doc)
	if !ok {
		return py.AttributeErrorf("'%s' object has no attribute 'count'", py.TypeName(doc))
	}
	at, err := t.AsIndex(pos)
	if err != nil {
		return err
	}
	m, err := t.Str(msg)
	if err != nil {
		return err
	}
	head := text.Slice(d.String(), 0, int(max(0, at)), 1)
	line := int64(strings.Count(head, "\n") + 1)
	column := at - int64(text.Len(head[:strings.LastIndexByte(head, '\n')+1])) + 1
	message := py.NewStr(m + ": line " + itoa(line) + " column " + itoa(column) + " (char " + itoa(at) + ")")
	if err := t.SetAttr(e, "args", py.NewTuple(message)); err != nil {
		return err
	}
	attrs := e.Attrs()
	attrs.SetStr("msg", msg)
	attrs.SetStr("doc", doc)
	attrs.SetStr("pos", pos)
	attrs.SetStr("lineno", py.Int(line))
	attrs.SetStr("colno", py.Int(column))
	return nil
}

// jsonError makes a JSONDecodeError at code point at of doc.
func jsonError(t *py.Thread, msg string, doc *py.Str, at int) error {
	e := py.NewException(jsonErrorType)
	if err := initJSONError(t, e, py.NewStr(msg), doc, py.Int(at)); err != nil {
		return err
	}
	return &py.Raised{Exc: e}
}

// jsonDumps is json.dumps. Without a cls the options go straight to the
// encoder; with one they become its constructor arguments.
func jsonDumps(t *py.Thread, a []py.Value) (py.Value, error) {
	names := []string{"skipkeys", "ensure_ascii", "check_circular", "allow_nan", "", "indent", "separators", "default", "sort_keys"}
	defaults := []py.Value{py.False, py.True, py.True, py.True, nil, py.None, py.None, py.None, py.False}
	opts := make([]py.Kw, 0, 12)
	for i, name := range names {
		if name != "" {
			opts = append(opts, py.Kw{Name: name, Value: given(a[i+1], defaults[i])})
		}
	}
	for _, it := range a[10].(*py.Dict).Items(t) {
		k, _ := py.AsStr(it.Key)
		opts = append(opts, py.Kw{Name: k.String(), Value: it.Value})
	}
	var cls py.Value = jsonEncoderType
	if isSet(a[5]) {
		cls = a[5]
	}
	enc, err := t.Call(cls, nil, opts)
	if err != nil {
		return nil, err
	}
	return t.CallMethod(enc, "encode", a[0])
}

// jsonLoads is json.loads.
func jsonLoads(t *py.Thread, a []py.Value) (py.Value, error) {
	var doc *py.Str
	switch s := py.Unwrap(a[0]).(type) {
	case *py.Str:
		if strings.HasPrefix(s.String(), "\ufeff") {
			return nil, jsonError(t, "Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0)
		}
		doc = s
	case *py.Bytes:
		v, err := decodeJSONBytes(t, s)
		if err != nil {
			return nil, err
		}
		doc = v
	default:
		return nil, py.TypeErrorf("the JSON object must be str, bytes or bytearray, not %s", py.TypeName(a[0]))
	}
	opts := make([]py.Kw, 0, 8)
	for i, name := range []string{"object_hook", "parse_float", "parse_int", "parse_constant", "object_pairs_hook"} {
		if isSet(a[i+2]) {
			opts = append(opts, py.Kw{Name: name, Value: a[i+2]})
		}
	}
	for _, it := range a[7].(*py.Dict).Items(t) {
		k, _ := py.AsStr(it.Key)
		opts = append(opts, py.Kw{Name: k.String(), Value: it.Value})
	}
	if !isSet(a[1]) && len(opts) == 0 {
		d := jsonDecoder{doc: doc, src: doc.String(), strict: true}
		return d.document(t)
	}
	var cls py.Value = jsonDecoderType
	if isSet(a[1]) {
		cls = a[1]
	}
	dec, err := t.Call(cls, nil, opts)
	if err != nil {
		return nil, err
	}
	return t.CallMethod(dec, "decode", doc)
}

// decodeJSONBytes turns bytes into text; the encoding is told from the zero
// bytes of the first characters. Source: RFC 4627, section 3.
func decodeJSONBytes(t *py.Thread, b *py.Bytes) (*py.Str, error) {
	enc := "utf-8"
	zero := func(i int) bool { return i < len(b.B) && b.B[i] == 0 }
	switch p := b.B; {
	case strings.HasPrefix(p, "\x00\x00\xfe\xff") || strings.HasPrefix(p, "\xff\xfe\x00\x00"):
		enc = "utf-32"
	case strings.HasPrefix(p, "\xfe\xff") || strings.HasPrefix(p, "\xff\xfe"):
		enc = "utf-16"
	case strings.HasPrefix(p, "\xef\xbb\xbf"):
		enc = "utf-8-sig"
	case len(p) >= 4 && zero(0) && !zero(1), len(p) == 2 && zero(0):
		enc = "utf-16-be"
	case len(p) >= 4 && zero(0):
		enc = "utf-32-be"
	case len(p) >= 4 && zero(1) && (!zero(2) || !zero(3)), len(p) == 2 && zero(1):
		enc = "utf-16-le"
	case len(p) >= 4 && zero(1):
		enc = "utf-32-le"
	}
	if enc == "utf-8-sig" {
		b, enc = &py.Bytes{B: b.B[3:]}, "utf-8"
	}
	v, err := t.CallMethod(b, "decode", py.NewStr(enc), py.NewStr("surrogatepass"))
	if err != nil {
		return nil, err
	}
	s, _ := py.AsStr(v)
	return s, nil
}
