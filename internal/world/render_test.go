package world

import (
	"bufio"
	"compress/gzip"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gauntlet/internal/py"
	"gauntlet/internal/trace"
)

var renderCases = flag.Int("render-cases", 2000, "values in the comparison of Render with PyYAML and json.dumps")

func newThread() *py.Thread { return py.NewThread(1, nil, py.Limits{}) }

// literalValue reads a Python literal that a test gives.
func literalValue(t testing.TB, th *py.Thread, src string) py.Value {
	t.Helper()
	v, err := parseLiteral(th, src)
	if err != nil {
		t.Fatalf("parse literal %s: %v", src, err)
	}
	return v
}

// sharedFile opens a file of the shared data or skips the test.
func sharedFile(t *testing.T, path ...string) *os.File {
	t.Helper()
	root := os.Getenv("GAUNTLET_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		t.Skip("shared data is absent: ", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestGoldenObservations compares the text and YAML forms of recorded tool
// results with what CPython and PyYAML printed.
func TestGoldenObservations(t *testing.T) {
	z, err := gzip.NewReader(sharedFile(t, "toolhazard", "golden", "tool_calls.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	th := newThread()
	rows, compared := 0, 0
	for ; lines.Scan(); rows++ {
		row, _, err := trace.ParseValue(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		observation, yaml := row.Get("observation"), row.Get("yaml")
		if observation.Kind() != trace.KindString {
			continue // the tool raised
		}
		th.Refill()
		v := literalValue(t, th, observation.Text())
		checkRender(t, th, v, trace.FormatText, observation.Text())
		if yaml.Kind() == trace.KindString {
			compared++
			checkRender(t, th, v, trace.FormatYAML, yaml.Text())
			checkRender(t, th, py.NewStr(observation.Text()), trace.FormatYAML, yaml.Text())
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows, %d with YAML", rows, compared)
	if rows != 4129 || compared != 4076 {
		t.Errorf("%d rows, %d with YAML; want 4129 and 4076", rows, compared)
	}
}

func checkRender(t *testing.T, th *py.Thread, v py.Value, f trace.Format, want string) {
	t.Helper()
	got, err := Render(th, v, f)
	if err != nil {
		t.Errorf("render as %s: %v, want %q", f, err, clip(want))
	} else if got != want {
		t.Errorf("render as %s:\n got %q\nwant %q", f, clip(got), clip(want))
	}
}

func clip(s string) string {
	if len(s) > 600 {
		return s[:600] + "..."
	}
	return s
}

// TestRenderTable pins the corners of the pipeline. The YAML column is what the
// reference prints for the text of the value.
func TestRenderTable(t *testing.T) {
	tests := []struct{ src, yaml, json string }{
		{`None`, "null\n...", `null`},
		{`True`, "true\n...", `true`},
		{`''`, "''", `""`},
		{`'  '`, "''", `"  "`},
		{`'done'`, "done\n...", `"done"`},
		{`'12'`, "12\n...", `"12"`},                              // a text that reads as a number
		{`'007'`, `'007'`, `"007"`},                              // neither JSON nor a literal
		{`'1,2'`, "!!python/tuple\n- 1\n- 2", `"1,2"`},           // a tuple without parentheses
		{`'1;'`, "1;\n...", `"1;"`},                              // a statement, but no expression
		{`"'a;b'"`, "a;b\n...", `"'a;b'"`},                       // a literal that holds a semicolon
		{`'[1, null]'`, "- 1\n- null", `"[1, null]"`},            // JSON, no Python literal
		{`'{"a": 1, "a": 2}'`, "a: 2", `"{\"a\": 1, \"a\": 2}"`}, // the last key counts
		{`'[...]'`, `'[...]'`, `"[...]"`},                        // repr of a cyclic list
		{`'set()'`, "!!set {}", `"set()"`},
		{`'{[]: 1}'`, `'{[]: 1}'`, `"{[]: 1}"`}, // unhashable key
		{`'frozenset({1})'`, "frozenset({1})\n...", `"frozenset({1})"`},
		{`' padded text '`, `' padded text '`, `" padded text "`},
		{`'- -1'`, `'- -1'`, `"- -1"`},
		{`'--1'`, "--1\n...", `"--1"`}, // two signs are no literal
		{`'\ufeff1'`, `"\uFEFF1"`, "\"\ufeff1\""},
		{`{'a': [], 'b': {}, 'c': ()}`, "a: []\nb: {}\nc: !!python/tuple []", `{"a": [], "b": {}, "c": []}`},
		{`{'a': [1, [2, {'b': 3, 'c': [4]}]]}`, "a:\n- 1\n- - 2\n  - b: 3\n    c:\n    - 4", `{"a": [1, [2, {"b": 3, "c": [4]}]]}`},
		{`{(1, 2): 3, '': 4}`, "? !!python/tuple\n- 1\n- 2\n: 3\n? ''\n: 4", `{"(1, 2)": 3, "": 4}`},
		{`{1: 'a', True: 'b', None: 'c', 1.5: 'd'}`, "1: b\nnull: c\n1.5: d", `{"1": "b", "null": "c", "1.5": "d"}`},
		{`[1e16, 1e-07, -0.0, 1.5e300]`, "- 1.0e+16\n- 1.0e-07\n- -0.0\n- 1.5e+300", `[1e+16, 1e-07, -0.0, 1.5e+300]`},
		{`{'on': 'yes', 'n': '~', 'd': '2024-01-02', 't': '12:30', 'x': 'null '}`,
			"'on': 'yes'\nn: '~'\nd: '2024-01-02'\nt: '12:30'\nx: 'null '",
			`{"on": "yes", "n": "~", "d": "2024-01-02", "t": "12:30", "x": "null "}`},
		{`['a\nb', 'a\n b', 'tab\there', 'it\'s', 'k: v', 'x #y', '\ud800']`,
			"- 'a\n\n  b'\n- \"a\\n b\"\n- \"tab\\there\"\n- it's\n- 'k: v'\n- 'x #y'\n- \"\\uD800\"",
			`["a\nb", "a\n b", "tab\there", "it's", "k: v", "x #y", "\ud800"]`},
		{`[b'hi', b'', b'\xff']`, "- !!binary |\n  aGk=\n- !!binary \"\"\n- !!binary |\n  /w==", `["hi", "", "\udcff"]`},
		{`{'s': {1, 2}}`, "s: !!set\n  1: null\n  2: null", `{"s": [1, 2]}`},
		{`{'n': 123456789012345678901234567890}`, "n: 123456789012345678901234567890", `{"n": 123456789012345678901234567890}`},
	}
	th := newThread()
	for _, test := range tests {
		v := literalValue(t, th, test.src)
		checkRender(t, th, v, trace.FormatYAML, test.yaml)
		checkRender(t, th, v, trace.FormatJSON, test.json)
	}
	if _, err := Render(th, py.None, "xml"); err == nil {
		t.Error("an unknown format is no error")
	}
}

// TestRenderWithoutLiteral covers values whose repr cannot be read back: the
// whole repr is shown as one text.
func TestRenderWithoutLiteral(t *testing.T) {
	th := newThread()
	inf := literalValue(t, th, "1e999")
	frozen, err := th.NewSet(py.Int(1))
	if err != nil {
		t.Fatal(err)
	}
	frozen.Frozen = true
	cyclic := th.NewList(nil)
	if err := cyclic.Append(th, cyclic); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		v    py.Value
		yaml string
	}{
		{th.NewList([]py.Value{inf}), "'[inf]'"},
		{inf, "inf\n..."},
		{th.NewList([]py.Value{frozen}), "'[frozenset({1})]'"},
		{cyclic, "'[[...]]'"},
		{py.IntType, "<class 'int'>\n..."},
		{py.Ellipsis, "Ellipsis\n..."},
		{py.NewStr("..."), "'...'"},
		{py.NewStr("1e999"), ".inf\n..."},
		{py.NewStr("-1e999"), "-.inf\n..."},
		{py.NewStr("0x" + strings.Repeat("f", 5000)), "'0x" + strings.Repeat("f", 5000) + "'"},
	}
	for _, test := range tests {
		checkRender(t, th, test.v, trace.FormatYAML, test.yaml)
	}
}

// TestRenderHostile checks that cycles, sharing, depth and size end in errors.
func TestRenderHostile(t *testing.T) {
	th := py.NewThread(1, nil, py.Limits{Alloc: 16 << 20})
	cyclic := th.NewList(nil)
	if err := cyclic.Append(th, cyclic); err != nil {
		t.Fatal(err)
	}
	deep, shared := py.Value(py.Int(1)), py.Value(py.Int(1))
	for range 5000 {
		deep = th.NewList([]py.Value{deep})
	}
	for range 50 {
		shared = th.NewList([]py.Value{shared, shared, shared})
	}
	wide := py.Value(py.NewStr(strings.Repeat("\x01", 1<<16)))
	for range 4 {
		items := make([]py.Value, 100)
		for i := range items {
			items[i] = wide
		}
		wide = th.NewList(items)
	}
	indented := py.Value(py.NewStr(strings.Repeat("a\n", 1<<18) + "b"))
	for range maxPlainDepth - 2 {
		indented = th.NewList([]py.Value{indented})
	}
	tests := []struct {
		name  string
		v     py.Value
		limit bool // *py.LimitError, else an exception
		forms []trace.Format
	}{
		{"cyclic", cyclic, false, []trace.Format{trace.FormatJSON}},
		{"deep", deep, false, trace.Formats()},
		{"shared", shared, true, trace.Formats()},
		{"wide", wide, true, trace.Formats()},
		{"indented", indented, true, []trace.Format{trace.FormatYAML}},
	}
	for _, test := range tests {
		for _, f := range test.forms {
			th.Refill()
			_, err := Render(th, test.v, f)
			var limit *py.LimitError
			if err == nil || errors.As(err, &limit) != test.limit || isRaised(err) == test.limit {
				t.Errorf("%s as %s: error %v", test.name, f, err)
			}
			th.Refill()
			if s, err := Render(th, py.Int(7), f); err != nil || !strings.HasPrefix(s, "7") {
				t.Errorf("%s as %s: afterwards the thread renders 7 as %q, %v", test.name, f, s, err)
			}
		}
	}
}

func BenchmarkRender(b *testing.B) {
	th := newThread()
	user := `{'_id': 'USR001', 'name': 'Alice Chan', 'status': 'active', 'created': '2024-05-21', 'score': 1.5, 'tags': ['a', 'b']}`
	v := literalValue(b, th, "{'success': True, 'data': ["+strings.Repeat(user+", ", 10)+"]}")
	for _, f := range trace.Formats() {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				th.Refill()
				if _, err := Render(th, v, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// FuzzReread feeds texts through the pipeline of the YAML format: no panic, and
// what was read renders alike when it is given as a value.
func FuzzReread(f *testing.F) {
	for _, s := range []string{"", "1", "-1.5", "(1,)", "{'a': [1, None]}", `{"a": [1, null]}`, "set()", "b'x'", "'a' 'b'", "{1, 2}", "[", "1;", "0x_1", "---", "a\n\n b", "'\\ud800'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		th := newThread()
		fromText, err := Render(th, py.NewStr(s), trace.FormatYAML)
		if err != nil {
			var limit *py.LimitError
			if !errors.As(err, &limit) {
				t.Fatalf("render %q: %v", s, err)
			}
			return
		}
		v, err := reread(th, s)
		if err != nil {
			t.Fatalf("reread %q: %v", s, err)
		}
		if _, ok := v.(*py.Str); ok || !isPlain(th, v, maxPlainDepth) {
			return
		}
		fromValue, err := Render(th, v, trace.FormatYAML)
		if err != nil || fromValue != fromText {
			t.Fatalf("%q: as text %q, as value %q, %v", s, fromText, fromValue, err)
		}
		repr, err := th.Str(v)
		if err != nil {
			t.Fatal(err)
		}
		checkRender(t, th, py.NewStr(repr), trace.FormatYAML, fromText)
	})
}
