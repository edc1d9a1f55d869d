package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

const head = `{"version":"gauntlet.trace/1","id":"t"`

// TestDecodeEncode checks lines that must come back as they are, or in the form
// given as want.
func TestDecodeEncode(t *testing.T) {
	for name, test := range map[string]struct{ line, want string }{
		"smallest": {line: head + `,"steps":[]}`},
		"null and repeated ids": {line: head + `,"steps":[{"role":"assistant","calls":[` +
			`{"id":null,"name":"a"},{"id":"c","name":"a"},{"id":"c","name":"b"},{"id":"","name":"c"}]}]}`},
		"malformed arguments": {line: head + `,"steps":[{"role":"assistant","calls":[` +
			`{"id":null,"name":"a","raw_arguments":"{\"x\": tru"},` +
			`{"id":null,"name":"a","raw_arguments":""},` +
			`{"id":null,"name":"a","arguments":{"x":true},"raw_arguments":"{\"x\": tru"}]}]}`},
		"numbers": {line: head + `,"steps":[{"role":"assistant","calls":[` +
			`{"id":null,"name":"a","arguments":{"a":1.0,"b":1e400,"c":123456789012345678901234567890,"d":-0}}]}]}`},
		"lone surrogates": {line: head + `,"steps":[{"role":"user","text":"x\ud800y\udfff😀"}],"\udc00":1}`},
		"empty lists are not absent": {line: head + `,"defences":[],"steps":[{"role":"assistant","calls":[` +
			`{"id":null,"name":"a","verdicts":[],"reads":[],"writes":[],"diff":[]}]}]}`},
		"null values are not absent": {line: head + `,"steps":[{"role":"assistant","calls":[` +
			`{"id":null,"name":"a","arguments":null,"observation":{"text":"","value":null},` +
			`"diff":[{"op":"changed","path":"/a","old":1,"new":null},{"op":"added","path":"/b","new":null}]}]}],"final":{"value":null}}`},
		"score of zero": {line: head + `,"seed":0,"steps":[{"role":"assistant","calls":[` +
			`{"id":null,"name":"a","verdicts":[{"guard":"g","decision":"error","score":0.0,"raw":""}]}]}]}`},
		"the largest seed": {line: head + `,"seed":18446744073709551615,"steps":[]}`},
		"unknown fields everywhere": {line: head + `,"tools":[{"name":"a","x":1}],"initial":{"x":1},"steps":[{"role":"assistant","injected":[{"start":0,"end":0,"x":1}],` +
			`"calls":[{"id":null,"name":"a","verdicts":[{"guard":"g","decision":"allow","usage":{"x":1},"x":1}],` +
			`"observation":{"text":"","error":{"type":"E","message":"m","x":1},"injected":[{"start":0,"end":0,"x":[{"y":1.0}]}],"x":1},` +
			`"diff":[{"op":"added","path":"/a","new":1,"x":1}],"x":1}],"usage":{"x":1},"x":null}],` +
			`"termination":{"cause":"final_answer","x":1},"usage":{"x":1e400},"x":{"k":1,"k":2}}`},
		"order, spaces and escapes become canonical": {
			line: ` { "steps" : [ { "text" : "\u4e2d\/" , "x":1, "role" : "user" } ] , "id" : "t" , "seed" : 1e2, "version" : "gauntlet.trace/1" } `,
			want: head + `,"seed":100,"steps":[{"role":"user","text":"中/","x":1}]}`,
		},
		"zero fields are left out": {
			line: head + `,"model":"","steps":[{"role":"user","text":"","latency_ns":0}]}`,
			want: head + `,"steps":[{"role":"user"}]}`,
		},
		"the last of duplicate fields counts": {
			line: `{"id":5,` + head[1:] + `,"steps":[{"role":"nobody","role":"user"}]}`,
			want: head + `,"steps":[{"role":"user"}]}`,
		},
	} {
		want := test.want
		if want == "" {
			want = test.line
		}
		r, _, err := Decode([]byte(test.line))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := Append(nil, r)
		if err != nil || string(got) != want {
			t.Errorf("%s:\n got %s, %v\nwant %s", name, got, err, want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	step := func(s string) string { return head + `,"steps":[{"role":"user"},` + s + `]}` }
	call := func(s string) string { return step(`{"role":"assistant","calls":[{"id":null,"name":"a",` + s + `}]}`) }
	for _, test := range []struct{ line, want string }{
		{``, "offset 0: unexpected end of text"},
		{`[]`, "must be an object, not array"},
		{`{}`, "the record has no version, so it is not a gauntlet.trace/1"},
		{`{"version":1}`, "has no version"},
		{`{"version":"gauntlet.trace/2","steps":7}`, `version "gauntlet.trace/2" is not supported; this program reads "gauntlet.trace/1"`},
		{`{"version":"gauntlet.sample/1"}`, `version "gauntlet.sample/1" is not supported`},
		{`{"version":"gauntlet.trace/1","steps":[]}`, "/id: is missing"},
		{head + `}`, "/steps: is missing"},
		{head + `,"steps":null}`, "/steps: must be an array, not null"},
		{head + `,"steps":[],"seed":-1}`, "/seed: -1 is outside of the range of an unsigned 64-bit integer"},
		{head + `,"steps":[],"seed":1e99999999999999999999}`, "/seed: 1e99999999999999999999 is outside"},
		{head + `,"steps":[],"seed":1.5}`, "/seed: must be an integer, not 1.5"},
		{head + `,"steps":[],"format":"xml"}`, `/format: "xml" is not a format`},
		{head + `,"steps":[],"termination":{}}`, "/termination/cause: is missing"},
		{head + `,"steps":[],"termination":{"cause":"error:weather"}}`, `/termination/cause: "error:weather" is not a cause`},
		{head + `,"steps":[],"usage":{"cost_usd":1e400}}`, "/usage/cost_usd: 1e400 is outside of the range of a 64-bit float"},
		{step(`{"text":"x"}`), "/steps/1/role: is missing"},
		{step(`{"role":"narrator"}`), `/steps/1/role: "narrator" is not a role`},
		{step(`{"role":"user","text":5}`), "/steps/1/text: must be a string, not number"},
		{step(`{"role":"user","text":null}`), "/steps/1/text: must be a string, not null"},
		{step(`7`), "/steps/1: must be an object, not number"},
		{call(`"verdicts":[{"guard":"g","decision":"maybe"}]`), `/steps/1/calls/0/verdicts/0/decision: "maybe" is not a decision`},
		{call(`"observation":{}`), "/steps/1/calls/0/observation/text: is missing"},
		{call(`"reads":["/a",1]`), "/steps/1/calls/0/reads/1: must be a string, not number"},
		{call(`"arguments":` + strings.Repeat("[", MaxDepth-50) + strings.Repeat("]", MaxDepth-50)), "/steps/1/calls/0/arguments: nested deeper"},
		{call(`"x":` + strings.Repeat("[", MaxDepth-50) + strings.Repeat("]", MaxDepth-50)), "/steps/1/calls/0/x: nested deeper"},
	} {
		r, _, err := Decode([]byte(test.line))
		if r != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.200s:\n got %v\nwant %s", test.line, err, test.want)
		}
	}
	sample := `{"version":"gauntlet.sample/1","id":"s","trace":{"version":"gauntlet.trace/9","id":"t","steps":[]},"call":{"id":null,"name":"a"},"label":{"unsafe":true}}`
	if _, _, err := DecodeSample([]byte(sample)); err == nil || !strings.Contains(err.Error(), "gauntlet.trace/9") {
		t.Errorf("got %v, want an error about the version of the prefix", err)
	}
}

func TestEncodeErrors(t *testing.T) {
	nan := math.NaN()
	deep := Null()
	for range MaxDepth {
		deep = Array(deep)
	}
	call := func(c Call) *Trace { return &Trace{Steps: []Step{{Role: RoleAssistant, Calls: []Call{c}}}} }
	for _, test := range []struct {
		trace *Trace
		want  string
	}{
		{&Trace{Version: "gauntlet.trace/2"}, "is not supported"},
		{&Trace{Steps: []Step{{}}}, `/steps/0/role: "" is not a role`},
		{&Trace{Termination: Termination{Detail: "x"}}, `/termination/cause: "" is not a cause`},
		{call(Call{Verdicts: []Verdict{{Decision: Allow, Score: &nan}}}), "/steps/0/calls/0/verdicts/0/score: NaN is not a number"},
		{call(Call{Arguments: deep}), "/steps/0/calls/0/arguments: nested deeper"},
		{call(Call{Extra: []Field{{"x", deep}}}), "/steps/0/calls/0/x: nested deeper"},
		{call(Call{Extra: []Field{{"name", Null()}}}), "/steps/0/calls/0/name: an unknown field"},
	} {
		var buf bytes.Buffer
		if err := Encode(&buf, test.trace); err == nil || !strings.Contains(err.Error(), test.want) || buf.Len() > 0 {
			t.Errorf("got %v and %d bytes, want %s", err, buf.Len(), test.want)
		}
	}
	if err := EncodeSample(io.Discard, &Sample{Trace: Trace{Version: "x"}}); err == nil {
		t.Error("a sample with a prefix of another version must fail")
	}
}

// TestEncodeFillsVersion also checks that the record itself stays as it is.
func TestEncodeFillsVersion(t *testing.T) {
	var buf bytes.Buffer
	r := &Trace{ID: "t"}
	if err := Encode(&buf, r); err != nil || buf.String() != head+`,"steps":[]}`+"\n" || r.Version != "" {
		t.Errorf("got %q, %v, version %q", buf.String(), err, r.Version)
	}
}

func TestProblems(t *testing.T) {
	line := head + `,"steps":[{"role":"user","text":"中\ud800","injected":[{"start":0,"end":2},{"start":1,"end":3},{"start":2,"end":1,"point":"x"}]},` +
		`{"role":"assistant","calls":[{"id":"c","name":"a","reads":["/ok","bad"],"diff":[{"op":"added","path":"p","new":1}]},` +
		`{"id":"c","id":"c","name":"a","observation":{"text":"","injected":[{"start":-1,"end":0}]}},{"id":null,"name":"b"},{"id":null,"name":"b"}]}]}`
	_, problems, err := Decode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%s %s", p.Kind, p.Path))
	}
	want := []string{
		"lone_surrogate /steps/0/text",
		"duplicate_key /steps/1/calls/1",
		"span /steps/0/injected/1",
		"span /steps/0/injected/2",
		"pointer /steps/0/injected/2/point",
		"pointer /steps/1/calls/0/reads/1",
		"pointer /steps/1/calls/0/diff/0/path",
		"repeated_id /steps/1/calls/1",
		"span /steps/1/calls/1/observation/injected/0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s := problems[0].String(); s != `/steps/0/text: the string holds the lone surrogate \ud800` {
		t.Error(s)
	}
	s := Sample{Trace: Trace{Steps: []Step{{Calls: []Call{{ID: new("c")}}}}}, Call: Call{ID: new("c"), Writes: []string{"x"}}}
	if p := s.Check(); len(p) != 2 || p[0].Path != "/call" || p[1].Path != "/call/writes/0" {
		t.Errorf("sample: %v", p)
	}
}

func TestSetArguments(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"a": 1.0, "a": 2}`, `{"id":null,"name":"","arguments":{"a":1.0,"a":2}}`},
		{``, `{"id":null,"name":"","raw_arguments":""}`},
		{`{"a":`, `{"id":null,"name":"","raw_arguments":"{\"a\":"}`},
		{`"{\"a\":1}"`, `{"id":null,"name":"","raw_arguments":"\"{\\\"a\\\":1}\""}`}, // encoded twice
		{`[1]`, `{"id":null,"name":"","raw_arguments":"[1]"}`},
	} {
		c := Call{}
		problems := c.SetArguments(test.text)
		line, err := Append(nil, &Trace{ID: "t", Steps: []Step{{Role: RoleAssistant, Calls: []Call{c}}}})
		if err != nil || !strings.Contains(string(line), test.want) {
			t.Errorf("%s: got %s, %v", test.text, line, err)
		}
		if duplicate := strings.Count(test.text, `"a"`) == 2; duplicate != (len(problems) == 1) {
			t.Errorf("%s: problems %v", test.text, problems)
		}
	}
}

func TestPrefix(t *testing.T) {
	r := &Trace{
		ID: "t", Final: &State{}, Usage: &Usage{}, Termination: Termination{Cause: CauseFinalAnswer},
		Steps: []Step{{Text: "task"}, {Text: "go", Calls: []Call{{Name: "a"}, {Name: "b"}}}, {Text: "end", Calls: []Call{{Name: "c"}}}},
	}
	p, ok := r.Prefix(1, 1)
	if !ok || len(p.Steps) != 2 || len(p.Calls()) != 1 || p.Calls()[0].Name != "a" {
		t.Fatalf("prefix %+v", p)
	}
	if p.Final != nil || p.Usage != nil || p.Termination.Cause != "" {
		t.Error("a prefix must not hold what was known later")
	}
	p.Steps[1].Calls = append(p.Steps[1].Calls, Call{Name: "x"})
	if len(r.Calls()) != 3 || r.Calls()[1].Name != "b" {
		t.Error("changing the prefix changed the trace")
	}
	for _, at := range [][2]int{{-1, 0}, {3, 0}, {0, 0}, {1, 2}, {1, -1}} {
		if _, ok := r.Prefix(at[0], at[1]); ok {
			t.Errorf("there is no call %v", at)
		}
	}
}

func TestTool(t *testing.T) {
	r := &Trace{Tools: []Tool{{Name: "a"}, {Name: "b", Description: "first"}, {Name: "b"}}}
	if got := r.Tool("b"); got == nil || got.Description != "first" || r.Tool("c") != nil {
		t.Errorf("got %v", got)
	}
}

func TestCauses(t *testing.T) {
	for _, c := range Causes() {
		if !c.Valid() || c.IsError() != strings.HasPrefix(string(c), "error:") {
			t.Errorf("cause %s", c)
		}
	}
	if c := ErrorTimeout.Cause(); c != "error:timeout" || !c.Valid() || !c.IsError() {
		t.Errorf("cause %s", c)
	}
	for _, c := range []Cause{"", "error:", "error:x", "success"} {
		if c.Valid() {
			t.Errorf("%q is no cause", c)
		}
	}
}

type failingWriter struct{}

var errWrite = errors.New("disk full")

func (failingWriter) Write([]byte) (int, error) { return 0, errWrite }

func TestEncodeWriteError(t *testing.T) {
	if err := Encode(failingWriter{}, &Trace{}); !errors.Is(err, errWrite) {
		t.Errorf("got %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(head + `,"steps":[{"role":"user","text":"中\ud800"},{"role":"assistant","calls":[{"id":null,"name":"a","arguments":{"a":1e400},"x":1}]}]}`))
	f.Add([]byte(head + `,"seed":1e2,"steps":[],"steps":[],"usage":{"cost_usd":0.10},"termination":{"cause":"error:timeout"}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, _, err := Decode(line)
		if err != nil {
			return
		}
		first, err := Append(nil, r)
		if err != nil {
			t.Fatalf("%q: decoded, but %v", line, err)
		}
		back, _, err := Decode(first)
		if err != nil {
			t.Fatalf("%q: encoded as %q, but %v", line, first, err)
		}
		second, err := Append(nil, back)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%q: encoded as %q, then as %q, %v", line, first, second, err)
		}
	})
}
