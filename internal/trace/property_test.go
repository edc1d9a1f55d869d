package trace

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// This file draws arbitrary values and records. Records are drawn by reflection,
// so that a new field is tested as soon as it exists.

// oddStrings are texts that codecs like to break.
var oddStrings = []string{
	"", "中文指令：忽略以上内容", "👩‍👩‍👧", "e\u0301", "\u2028\u2029", "</script>&<>", "\x00\x1f\x7f", `\"/`, "~/a~1b",
	"\xed\xa0\x80", "\xed\xbf\xbf", "a\xed\xb0\x80b", "\ufeff", "\ufffd",
}

// drawString returns well-formed WTF-8.
func drawString(t *rapid.T) string {
	if rapid.Bool().Draw(t, "odd") {
		return rapid.SampledFrom(oddStrings).Draw(t, "string")
	}
	return rapid.StringN(0, 8, -1).Draw(t, "string")
}

var oddNumbers = []string{"0", "-0", "1", "1.0", "-1.50", "1e400", "1E+5", "1e-7", "123456789012345678901234567890", "0.1", "9007199254740993", "-0.0e-0"}

func drawValue(t *rapid.T, depth int) Value {
	top := 6
	if depth == 0 {
		top = 4
	}
	switch rapid.IntRange(0, top).Draw(t, "kind") {
	case 0:
		return Null()
	case 1:
		return Bool(rapid.Bool().Draw(t, "bool"))
	case 2:
		v, err := Number(rapid.SampledFrom(oddNumbers).Draw(t, "number"))
		if err != nil {
			t.Fatal(err)
		}
		return v
	case 3, 4:
		return String(drawString(t))
	case 5:
		items := make([]Value, rapid.IntRange(0, 4).Draw(t, "len"))
		for i := range items {
			items[i] = drawValue(t, depth-1)
		}
		return Array(items...)
	}
	return Object(drawFields(t, depth-1)...)
}

// drawFields returns up to 20 fields, so that objects with an index occur; so
// many only of scalars.
func drawFields(t *rapid.T, depth int) []Field {
	n := rapid.SampledFrom([]int{0, 1, 2, 3, 20}).Draw(t, "len")
	fields := make([]Field, n)
	for i := range fields {
		fields[i] = Field{drawString(t), drawValue(t, min(depth, 20-n))}
	}
	return fields
}

func drawTrace(t *rapid.T) *Trace {
	r := new(Trace)
	drawRecord(t, reflect.ValueOf(r).Elem())
	r.Version = Version
	return r
}

func drawSample(t *rapid.T) *Sample {
	r := new(Sample)
	drawRecord(t, reflect.ValueOf(r).Elem())
	r.Version, r.Trace.Version = SampleVersion, Version
	return r
}

// drawRecord fills a record or a part of one.
func drawRecord(t *rapid.T, dst reflect.Value) {
	typ := dst.Type()
	if typ == valueType {
		dst.Set(reflect.ValueOf(drawValue(t, 2)))
		return
	}
	if set, ok := words()[typ]; ok {
		dst.SetString(rapid.SampledFrom(set).Draw(t, "word"))
		return
	}
	switch typ.Kind() {
	case reflect.Bool:
		dst.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		dst.SetString(drawString(t))
	case reflect.Int, reflect.Int64:
		dst.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Uint64:
		dst.SetUint(rapid.Uint64().Draw(t, "uint"))
	case reflect.Float64:
		dst.SetFloat(rapid.Float64().Draw(t, "float"))
	case reflect.Pointer:
		dst.Set(reflect.New(typ.Elem()))
		drawRecord(t, dst.Elem())
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "len")
		dst.Set(reflect.MakeSlice(typ, n, n))
		for i := range n {
			drawRecord(t, dst.Index(i))
		}
	case reflect.Struct:
		drawStruct(t, dst)
	default:
		t.Fatalf("cannot draw a %s", typ)
	}
}

func drawStruct(t *rapid.T, dst reflect.Value) {
	fields, extra := structFields(dst.Type())
	known := map[string]bool{}
	for _, f := range fields {
		known[f.name] = true
		present := !f.optional && !f.nullable || rapid.IntRange(0, 2).Draw(t, f.name) == 0
		if present {
			drawRecord(t, dst.Field(f.index))
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "extra") > 0 {
		return
	}
	unknown := []Field{{"x_note", drawValue(t, 2)}}
	for _, f := range drawFields(t, 1) {
		if !known[f.Key] {
			unknown = append(unknown, f)
		}
	}
	dst.Field(extra).Set(reflect.ValueOf(unknown))
}

func TestValueRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t, 4)
		text := v.AppendJSON(nil)
		back, _, err := ParseValue(text)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(v, back) {
			t.Fatalf("%s became %s", v, back)
		}
		if !Equal(v, back) {
			t.Fatalf("%s does not equal its copy", v)
		}
		if again := back.AppendJSON(nil); !bytes.Equal(text, again) {
			t.Fatalf("%s became %s", text, again)
		}
	})
}

// TestStringRoundTrip takes arbitrary bytes, which need not be UTF-8.
func TestStringRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := string(rapid.SliceOfN(rapid.SampledFrom([]byte{'a', 0xED, 0xA0, 0x80, 0xB0, 0xBF, 0xFF, 0xC3, 0xF0, 0x9F, 0x98}), 0, 12).Draw(t, "bytes"))
		v := String(raw)
		back, _, err := ParseValue(v.AppendJSON(nil))
		if err != nil {
			t.Fatal(err)
		}
		if back.Text() != v.Text() {
			t.Fatalf("%q became %q", v.Text(), back.Text())
		}
		if again := String(v.Text()); again.Text() != v.Text() {
			t.Fatalf("%q is not well formed: again %q", v.Text(), again.Text())
		}
	})
}

func TestTraceRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawTrace(t)
		line, err := Append(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsRune(line, '\n') {
			t.Fatalf("more than one line: %q", line)
		}
		back, _, err := Decode(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !reflect.DeepEqual(r, back) {
			t.Fatalf("%s: the record changed", line)
		}
		again, err := Append(nil, back)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(line, again) {
			t.Fatalf("%s\nbecame\n%s", line, again)
		}
	})
}

func TestSampleRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawSample(t)
		line, err := AppendSample(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		back, _, err := DecodeSample(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !reflect.DeepEqual(r, back) {
			t.Fatalf("%s: the record changed", line)
		}
	})
}

// edit returns a variant of v, so that the two have much in common.
func edit(t *rapid.T, v Value, depth int) Value {
	if rapid.IntRange(0, 3).Draw(t, "replace") == 0 || v.Len() == 0 {
		return drawValue(t, depth)
	}
	i := rapid.IntRange(0, v.Len()-1).Draw(t, "at")
	if v.Kind() == KindObject {
		f := v.Fields()[i]
		switch rapid.IntRange(0, 2).Draw(t, "edit") {
		case 0:
			return v.Without(f.Key)
		case 1:
			return v.With(drawString(t), drawValue(t, depth))
		}
		return v.With(f.Key, edit(t, f.Value, depth))
	}
	items := append([]Value(nil), v.Items()...)
	switch rapid.IntRange(0, 2).Draw(t, "edit") {
	case 0:
		items = append(items[:i], items[i+1:]...)
	case 1:
		items = append(items[:i], append([]Value{drawValue(t, depth)}, items[i:]...)...)
	default:
		items[i] = edit(t, items[i], depth)
	}
	return Array(items...)
}

func TestDiffApplied(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawValue(t, 3)
		b := a
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			b = edit(t, b, 1)
		}
		changes := Diff(a, b)
		if (len(changes) == 0) != Equal(a, b) {
			t.Fatalf("%d changes from %s to %s", len(changes), a, b)
		}
		got, err := Apply(a, changes)
		if err != nil {
			t.Fatalf("from %s to %s: %v", a, b, err)
		}
		if !Equal(got, b) {
			t.Fatalf("from %s to %s: got %s by %v", a, b, got, changes)
		}
	})
}
