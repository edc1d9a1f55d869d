package trace

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// parse returns the value of a JSON text that must be valid.
func parse(t testing.TB, text string) Value {
	t.Helper()
	v, _, err := ParseValue([]byte(text))
	if err != nil {
		t.Fatalf("parse %q: %v", text, err)
	}
	return v
}

func TestConstructors(t *testing.T) {
	for _, test := range []struct {
		v    Value
		kind Kind
		text string
	}{
		{Value{}, KindAbsent, `null`},
		{Null(), KindNull, `null`},
		{Bool(true), KindBool, `true`},
		{Bool(false), KindBool, `false`},
		{Int(-7), KindNumber, `-7`},
		{Float(1), KindNumber, `1.0`},
		{Float(0.1), KindNumber, `0.1`},
		{Float(1e-5), KindNumber, `1e-05`}, // these are the forms of Python's repr
		{Float(1e16), KindNumber, `1e+16`},
		{Float(123456789012345.6), KindNumber, `123456789012345.6`},
		{Float(math.Copysign(0, -1)), KindNumber, `-0.0`},
		{Float(math.NaN()), KindString, `"NaN"`},
		{Float(math.Inf(-1)), KindString, `"-Infinity"`},
		{Float(math.Inf(1)), KindString, `"Infinity"`},
		{String("a\"b"), KindString, `"a\"b"`},
		{String("\xff"), KindString, `"\udcff"`},
		{String("\xed\xa0\xbd\xed\xb8\x80"), KindString, `"😀"`}, // a pair of surrogates is one character
		{Array(), KindArray, `[]`},
		{Array(Int(1), Value{}), KindArray, `[1,null]`},
		{Strings([]string{"x", "y"}), KindArray, `["x","y"]`},
		{Object(), KindObject, `{}`},
		{Object(Field{"b", Int(1)}, Field{"a", Value{}}), KindObject, `{"b":1,"a":null}`},
	} {
		if test.v.Kind() != test.kind || test.v.String() != test.text {
			t.Errorf("got %v %s, want %v %s", test.v.Kind(), test.v, test.kind, test.text)
		}
	}
}

func TestNumberConstructor(t *testing.T) {
	for _, bad := range []string{"", "-", "01", "1.", ".5", "1e", "1e+", "+1", "NaN", "1 ", "0x1"} {
		if v, err := Number(bad); err == nil || v.Exists() {
			t.Errorf("Number(%q) = %s, want an error", bad, v)
		}
	}
	for _, good := range oddNumbers {
		if v, err := Number(good); err != nil || v.Literal() != good {
			t.Errorf("Number(%q) = %s, %v", good, v, err)
		}
	}
}

func TestAccessors(t *testing.T) {
	v := parse(t, `{"n":null,"i":12,"f":1.5,"big":1e400,"huge":9223372036854775808,"s":"x","l":[1,[2]],"o":{"k":"v"}}`)
	if got := v.Keys(); !slices.Equal(got, []string{"n", "i", "f", "big", "huge", "s", "l", "o"}) {
		t.Errorf("keys %v", got)
	}
	if n := v.Get("n"); !n.Exists() || n.Kind() != KindNull || n.IsZero() {
		t.Error("null must exist")
	}
	if v.Get("none").Exists() || v.Get("s").Get("x").Exists() || v.Get("l").Index(2).Exists() || v.Get("l").Index(-1).Exists() {
		t.Error("what is not there must be absent")
	}
	if i, ok := v.Get("i").Int64(); i != 12 || !ok {
		t.Errorf("Int64 = %d, %v", i, ok)
	}
	for _, key := range []string{"f", "huge", "s", "n"} {
		if _, ok := v.Get(key).Int64(); ok {
			t.Errorf("%s is no 64-bit integer", key)
		}
	}
	if f, ok := v.Get("f").Float64(); f != 1.5 || !ok {
		t.Errorf("Float64 = %v, %v", f, ok)
	}
	if _, ok := v.Get("big").Float64(); ok {
		t.Error("1e400 is outside of the range of float64")
	}
	if !v.Get("huge").IsInt() || v.Get("f").IsInt() || v.Get("big").IsInt() || v.Get("s").IsInt() {
		t.Error("IsInt must go by the spelling")
	}
	if v.Get("s").Text() != "x" || v.Get("i").Text() != "" || v.Get("i").Literal() != "12" || v.Get("s").Literal() != "" {
		t.Error("Text is of strings, Literal of numbers")
	}
	if v.Depth() != 3 || v.Get("l").Depth() != 2 || v.Get("s").Depth() != 0 {
		t.Errorf("depth %d", v.Depth())
	}
	if v.Get("l").Len() != 2 || len(v.Get("l").Items()) != 2 || v.Len() != 8 || v.Get("s").Len() != 0 || v.Items() != nil {
		t.Error("wrong length")
	}
	if !Bool(true).Bool() || Bool(false).Bool() || String("true").Bool() {
		t.Error("wrong bool")
	}
}

func TestDuplicateKeys(t *testing.T) {
	small := `{"a":1,"b":2,"a":3}`
	large := `{"a":1,"b":2,"a":3` // has an index
	for i := range indexFrom {
		large += fmt.Sprintf(`,"k%d":0`, i)
	}
	large += "}"
	for _, text := range []string{small, large} {
		v, problems, err := ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) != 1 || problems[0].Kind != ProblemDuplicateKey {
			t.Errorf("problems %v", problems)
		}
		if v.Get("a").String() != "3" {
			t.Errorf("the last value counts, got %s", v.Get("a"))
		}
		if v.String() != text {
			t.Errorf("%s became %s", text, v)
		}
		if keys := v.Keys(); !slices.Equal(keys[:2], []string{"a", "b"}) || len(keys) != v.Len()-1 {
			t.Errorf("keys %v", keys)
		}
		if got := v.Distinct(); got.Len() != v.Len()-1 || got.Get("a").String() != "3" || got.Fields()[0].Key != "a" {
			t.Errorf("distinct %s", got)
		}
		if !Equal(v, v.Distinct()) {
			t.Error("an object equals itself without its earlier duplicates")
		}
	}
}

func TestWith(t *testing.T) {
	v := parse(t, `{"a":1,"b":2,"a":3}`)
	for _, test := range []struct {
		got  Value
		want string
	}{
		{v.With("b", Int(9)), `{"a":3,"b":9}`},
		{v.With("c", Null()), `{"a":3,"b":2,"c":null}`},
		{Int(1).With("k", Bool(true)), `{"k":true}`},
		{v.Without("a"), `{"b":2}`},
		{v.Without("z"), `{"a":1,"b":2,"a":3}`},
		{Int(1).Without("z"), `1`},
		{v, `{"a":1,"b":2,"a":3}`}, // unchanged by all of the above
	} {
		if test.got.String() != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}

// TestDepthLimit checks that no value can be nested deeper than MaxDepth, which
// bounds the recursion of everything that walks over values.
func TestDepthLimit(t *testing.T) {
	v := Null()
	for range MaxDepth {
		v = Array(v)
	}
	if v.Depth() != MaxDepth {
		t.Fatalf("depth %d", v.Depth())
	}
	if Array(v).Exists() || Object(Field{"k", v}).Exists() {
		t.Error("a value beyond the limit must be absent")
	}
	text := v.AppendJSON(nil)
	back, _, err := ParseValue(text)
	if err != nil || !Equal(v, back) || len(Diff(v, back)) != 0 {
		t.Errorf("a value at the limit must survive: %v", err)
	}
	if _, _, err := ParseValue([]byte("[" + string(text) + "]")); err == nil || !strings.Contains(err.Error(), "nested deeper") {
		t.Errorf("want an error about nesting, got %v", err)
	}
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true},
		{`100`, `1e2`, true},
		{`0.1`, `1E-1`, true},
		{`0`, `-0.00e9`, true},
		{`-1`, `1`, false},
		{`1e400`, `10e399`, true}, // both are infinite as float64
		{`1e400`, `1e401`, false},
		{`9007199254740993`, `9007199254740992`, false}, // equal as float64
		{`0e99999999999999999999`, `0`, true},
		{`1e99999999999999999999`, `1e99999999999999999999`, true},
		{`1e99999999999999999999`, `10e99999999999999999998`, false}, // documented: compared as text
		{`1`, `true`, false},
		{`null`, `false`, false},
		{`"1"`, `1`, false},
		{`"\u00e9"`, `"e\u0301"`, false}, // composed and decomposed differ
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, true},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`[]`, `{}`, false},
	} {
		a, b := parse(t, test.a), parse(t, test.b)
		if Equal(a, b) != test.want || Equal(b, a) != test.want {
			t.Errorf("Equal(%s, %s) is not %v", test.a, test.b, test.want)
		}
	}
	if Equal(Value{}, Null()) || !Equal(Value{}, Value{}) {
		t.Error("absent equals only absent")
	}
}

func TestPointer(t *testing.T) {
	v := parse(t, `{"users":{"U1":{"name":"Ann"}},"rows":[{"k":1},2],"a/b":{"m~n":3},"":{"":4},"~1":5}`)
	for pointer, want := range map[string]string{
		"":                           `{"users":{"U1":{"name":"Ann"}},"rows":[{"k":1},2],"a/b":{"m~n":3},"":{"":4},"~1":5}`,
		"/users/U1/name":             `"Ann"`,
		"/rows/0/k":                  `1`,
		"/rows/1":                    `2`,
		"/a~1b/m~0n":                 `3`,
		"//":                         `4`,
		"/~01":                       `5`,
		"/rows/2":                    "",
		"/rows/01":                   "",
		"/rows/-":                    "",
		"/rows/-1":                   "",
		"/rows/99999999999999999999": "",
		"users":                      "",
		"/users/U2":                  "",
		"/users/U1/name/":            "",
	} {
		got := ""
		if p := v.Pointer(pointer); p.Exists() {
			got = p.String()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", pointer, got, want)
		}
	}
	if got := JoinPointer("users", "a/b", "m~n", ""); got != "/users/a~1b/m~0n/" {
		t.Errorf("JoinPointer: %s", got)
	}
	if tokens, ok := SplitPointer("/users/a~1b/m~0n/"); !ok || !slices.Equal(tokens, []string{"users", "a/b", "m~n", ""}) {
		t.Errorf("SplitPointer: %q", tokens)
	}
	if _, ok := SplitPointer("users"); ok {
		t.Error("a pointer must start with a slash")
	}
}

func TestCodePoints(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{
		{"", 0}, {"abc", 3}, {"中文", 2}, {"👩‍👩‍👧", 5}, {"e\u0301", 2}, {"a\xed\xa0\x80b", 3}, {"\xff\xfe", 2}, {"\xe4\xb8", 2},
	} {
		if got := CodePoints(test.text); got != test.want {
			t.Errorf("CodePoints(%q) = %d, want %d", test.text, got, test.want)
		}
		if offset, ok := ByteOffset(test.text, test.want); !ok || offset != len(test.text) {
			t.Errorf("ByteOffset(%q, %d) = %d, %v", test.text, test.want, offset, ok)
		}
		if _, ok := ByteOffset(test.text, test.want+1); ok {
			t.Errorf("ByteOffset(%q, %d) must fail", test.text, test.want+1)
		}
	}
}

func TestSpanCut(t *testing.T) {
	text := "订单备注：忽略😀指令 end"
	start, end, ok := FindSpan(text, "忽略😀指令")
	if !ok || start != 5 || end != 10 {
		t.Fatalf("FindSpan: %d %d %v", start, end, ok)
	}
	if got, ok := (Span{Start: start, End: end}).Cut(text); !ok || got != "忽略😀指令" {
		t.Errorf("Cut: %q %v", got, ok)
	}
	for _, s := range []Span{{Start: -1, End: 2}, {Start: 3, End: 2}, {Start: 0, End: 15}, {Start: 15, End: 15}} {
		if got, ok := s.Cut(text); ok {
			t.Errorf("Cut %d-%d: %q, want none", s.Start, s.End, got)
		}
	}
	if _, _, ok := FindSpan(text, "absent"); ok {
		t.Error("found what is not there")
	}
}

func TestAny(t *testing.T) {
	v := parse(t, `{"b":[null,true,1.0,"x"],"a":{"c":123456789012345678901}}`)
	back, err := FromAny(v.Any())
	if err != nil || back.String() != `{"a":{"c":123456789012345678901},"b":[null,true,1.0,"x"]}` {
		t.Errorf("got %s, %v", back, err)
	}
	mixed, err := FromAny([]any{1, int64(2), uint64(math.MaxUint64), 2.0, json.Number("3e1"), v.Get("b")})
	if err != nil || mixed.String() != `[1,2,18446744073709551615,2.0,3e1,[null,true,1.0,"x"]]` {
		t.Errorf("got %s, %v", mixed, err)
	}
	var deep any
	for range MaxDepth + 1 {
		deep = []any{deep}
	}
	for name, bad := range map[string]any{"channel": make(chan int), "nested": map[string]any{"k": []any{struct{}{}}}, "deep": deep, "number": json.Number("x")} {
		if got, err := FromAny(bad); err == nil {
			t.Errorf("%s: got %v, want an error", name, got.Kind())
		}
	}
}

func TestMarshal(t *testing.T) {
	in := struct {
		V Value `json:"v"`
		W Value `json:"w,omitzero"`
	}{V: parse(t, `{"b":1.0,"a":"中"}`)}
	data, err := json.Marshal(in)
	if err != nil || string(data) != `{"v":{"b":1.0,"a":"中"}}` {
		t.Fatalf("got %s, %v", data, err)
	}
	out := in
	out.V = Value{}
	if err := json.Unmarshal(data, &out); err != nil || out.V.String() != in.V.String() {
		t.Errorf("got %s, %v", out.V, err)
	}
}
