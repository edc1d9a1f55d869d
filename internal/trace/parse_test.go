package trace

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestParseCanonical(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{" { \"a\" : [ 1 , 2 ] ,\r\n\t\"b\" : { } } ", `{"a":[1,2],"b":{}}`},
		{`"\u0041\/\b\f\n\r\t\"\\"`, `"A/\b\f\n\r\t\"\\"`},
		{`"\u4e2d\u6587"`, `"中文"`},
		{`"\ud83d\ude00"`, `"😀"`},
		{`"\uD83D\uDE00"`, `"😀"`},
		{`"\u0000\u001f\u007f"`, "\"\\u0000\\u001f\x7f\""},
		{`"<script>&\u003c"`, `"<script>&<"`},
		{"\"\u2028\u2029\ufeff\"", "\"\u2028\u2029\ufeff\""},
		{`[1.0,1e400,-0,0.10,1E+2,12345678901234567890123]`, `[1.0,1e400,-0,0.10,1E+2,12345678901234567890123]`},
		{`{"":{"":""}}`, `{"":{"":""}}`},
	} {
		v, problems, err := ParseValue([]byte(test.text))
		if err != nil || len(problems) > 0 || v.String() != test.want {
			t.Errorf("%q: got %s, %v, %v; want %s", test.text, v, problems, err, test.want)
		}
	}
}

func TestParseProblems(t *testing.T) {
	for _, test := range []struct {
		text, want, path string
		kind             ProblemKind
	}{
		{`{"a":["\ud800"]}`, `{"a":["\ud800"]}`, "/a/0", ProblemLoneSurrogate},
		{`"\udc00\ud800"`, `"\udc00\ud800"`, "", ProblemLoneSurrogate}, // the wrong order is no pair
		{`"\ud800\ud83d\ude00"`, `"\ud800😀"`, "", ProblemLoneSurrogate},
		{`{"x\ud800":1}`, `{"x\ud800":1}`, "/", ProblemLoneSurrogate},
		{"[0,\"\xed\xa0\x80\"]", `[0,"\ud800"]`, "/1", ProblemLoneSurrogate},
		{`{"o":{"k":1,"k":2}}`, `{"o":{"k":1,"k":2}}`, "/o", ProblemDuplicateKey},
		{`{"a/b~":{"k":1,"\u006b":2}}`, `{"a/b~":{"k":1,"k":2}}`, "/a~1b~0", ProblemDuplicateKey},
	} {
		v, problems, err := ParseValue([]byte(test.text))
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if len(problems) != 1 || problems[0].Kind != test.kind || problems[0].Path != test.path {
			t.Errorf("%q: problems %v", test.text, problems)
		}
		if v.String() != test.want {
			t.Errorf("%q: got %s, want %s", test.text, v, test.want)
		}
	}
	v, problems, err := ParseValue([]byte("{\"k\":\"a\xffb\"}"))
	if err != nil || v.String() != `{"k":"a\udcffb"}` || len(problems) != 2 || problems[0].Kind != ProblemInvalidUTF8 {
		t.Errorf("got %s, %v, %v", v, problems, err)
	}
}

func TestParseProblemLimit(t *testing.T) {
	text := "[" + strings.Repeat(`"\ud800",`, 1000) + "0]"
	_, problems, err := ParseValue([]byte(text))
	if err != nil || len(problems) != maxProblems+1 || problems[maxProblems].Kind != ProblemOmitted {
		t.Errorf("%d problems, %v", len(problems), err)
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		text, message string
		offset        int
	}{
		{"", "unexpected end of text", 0},
		{"  ", "unexpected end of text", 2},
		{"nul", "unexpected 'n'", 0},
		{"[1,]", "unexpected ']'", 3},
		{"[1", "unexpected end of text where ',' or ']'", 2},
		{"[1 2]", "unexpected '2'", 3},
		{`{"a" 1}`, "where ':' must follow", 5},
		{`{"a":1,}`, "where a key must start", 7},
		{`{a:1}`, "where a key must start", 1},
		{`{"a":1`, "where ',' or '}'", 6},
		{`1 1`, "after the end", 2},
		{`01`, "after the end", 1},
		{`-x`, "a digit must follow", 1},
		{`1.x`, "decimal point", 2},
		{`1e+`, "exponent", 3},
		{`"abc`, "in a string", 4},
		{`"ab\`, "in a string", 4},
		{`"ab\"`, "in a string", 5},
		{"\"a\nb\"", "control character", 2},
		{"\"\\t\nb\"", "control character", 3},
		{`"\x"`, "after '\\'", 2},
		{`"\u12g4"`, "hexadecimal", 5},
		{`"\u12`, "in a string", 5},
		{"\ufeff1", `unexpected '\ufeff'`, 0},
		{"\xff", "unexpected byte 0xff", 0},
		{"NaN", "unexpected 'N'", 0},
		{"[" + strings.Repeat("[", MaxDepth), "nested deeper", MaxDepth},
	} {
		_, _, err := ParseValue([]byte(test.text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Message, test.message) || syntax.Offset != test.offset {
			t.Errorf("%.20q: got %v, want offset %d: ...%s", test.text, err, test.offset, test.message)
		}
		if json.Valid([]byte(test.text)) {
			t.Errorf("%.20q: encoding/json accepts it", test.text)
		}
	}
}

// TestParseTime feeds texts that would take hours if any part of the parser took
// quadratic time.
func TestParseTime(t *testing.T) {
	const n = 300_000
	for name, text := range map[string]string{
		"duplicates":  "{" + strings.Repeat(`"a":1,`, n) + `"b":1}`,
		"surrogates":  "[" + strings.Repeat(`"\ud800",`, n) + "0]",
		"escapes":     `"` + strings.Repeat(`\n\ud800`, n) + `"`,
		"open string": strings.Repeat(`"\\\"`, n),
		"digits":      strings.Repeat("9", n),
		"arrays":      "[" + strings.Repeat("[],", n) + "0]",
	} {
		valid := json.Valid([]byte(text))
		if _, _, err := ParseValue([]byte(text)); (err == nil) != valid {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := strings.Repeat("9", n)
	if !equalNumbers(long+".0", long) || equalNumbers(long, long+"1") {
		t.Error("long numbers compare wrongly")
	}
}

func FuzzParseValue(f *testing.F) {
	for _, s := range oddStrings {
		f.Add(quote(s))
		f.Add(`"` + s + `"`)
	}
	for _, s := range append(oddNumbers, `{"a":[1,{"b":null}],"a":true}`, `[[[`, `{"a"`, `"\ud83d\ude00\ud800"`, "\"\xff\xed\xa0\x80\"") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, _, err := ParseValue([]byte(text))
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			t.Fatalf("%q: valid %v, but error %v", text, valid, err)
		}
		if err != nil {
			return
		}
		canonical := v.AppendJSON(nil)
		if !json.Valid(canonical) {
			t.Fatalf("%q became %q, which is no JSON", text, canonical)
		}
		back, _, err := ParseValue(canonical)
		if err != nil || back.String() != string(canonical) || !Equal(v, back) {
			t.Fatalf("%q became %q, then %s, %v", text, canonical, back, err)
		}
		if changes := Diff(v, back); len(changes) > 0 {
			t.Fatalf("%q differs from its copy: %v", text, changes)
		}
	})
}
