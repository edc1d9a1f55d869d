package trace

import (
	"encoding/json"
	"fmt"
	"testing"
)

// benchState returns a state of 1,000 records, as worlds have them.
func benchState() Value {
	var users []Field
	for i := range 1000 {
		users = append(users, Field{fmt.Sprintf("U%03d", i), Object(
			Field{"name", String("用户 " + fmt.Sprint(i))},
			Field{"balance", Float(float64(i) / 4)},
			Field{"tags", Strings([]string{"a", "b\n"})},
			Field{"active", Bool(true)},
		)})
	}
	return Object(Field{"users", Object(users...)})
}

func benchTrace() *Trace {
	state := benchState()
	t := &Trace{ID: "t", Final: &State{Value: state}}
	for i := range 20 {
		t.Steps = append(t.Steps, Step{Role: RoleAssistant, Thought: "I look it up.", Calls: []Call{{
			ID: new(fmt.Sprint(i)), Name: "get_user", Arguments: Object(Field{"id", String("U001")}),
			Observation: &Observation{Text: state.Pointer("/users/U001").String(), Value: state.Pointer("/users/U001")},
			Reads:       []string{"/users/U001"}, Writes: []string{}, Diff: []Change{},
		}}})
	}
	return t
}

func BenchmarkParseValue(b *testing.B) {
	text := benchState().AppendJSON(nil)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := ParseValue(text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseStandard is the same with encoding/json, for comparison.
func BenchmarkParseStandard(b *testing.B) {
	text := benchState().AppendJSON(nil)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	v := benchState()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = v.AppendJSON(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDiff(b *testing.B) {
	a := benchState()
	text := a.AppendJSON(nil)
	other, _, err := ParseValue(text)
	if err != nil {
		b.Fatal(err)
	}
	other, err = Apply(other, []Change{{Op: Changed, Path: "/users/U500/active", Old: Bool(true), New: Bool(false)}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Diff(a, other)) != 1 {
			b.Fatal("want one change")
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	t := benchTrace()
	var buf []byte
	var err error
	b.ReportAllocs()
	for b.Loop() {
		if buf, err = Append(buf[:0], t); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecode(b *testing.B) {
	line, err := Append(nil, benchTrace())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Decode(line); err != nil {
			b.Fatal(err)
		}
	}
}
