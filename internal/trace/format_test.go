package trace

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// readFormat returns the text of docs/format.md.
func readFormat(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "format.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// examples returns the JSON examples of docs/format.md, each on one line in
// canonical form.
func examples(t *testing.T) [][]byte {
	t.Helper()
	var lines [][]byte
	for _, m := range regexp.MustCompile("(?s)\n```json\n(.*?)\n```\n").FindAllStringSubmatch(readFormat(t), -1) {
		lines = append(lines, parse(t, m[1]).AppendJSON(nil))
	}
	if len(lines) != 2 {
		t.Fatalf("docs/format.md has %d examples", len(lines))
	}
	return lines
}

func TestFormatExamples(t *testing.T) {
	lines := examples(t)
	example, problems, err := Decode(lines[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) != 2 || problems[0].Kind != ProblemLoneSurrogate || problems[1].Kind != ProblemRepeatedID {
		t.Errorf("the text promises two problems, got %v", problems)
	}
	if got, err := Append(nil, example); err != nil || string(got) != string(lines[0]) {
		t.Errorf("got  %s, %v\nwant %s", got, err, lines[0])
	}
	if err := validate(compileSchema(t, ""), lines[0]); err != nil {
		t.Error(err)
	}
	for _, c := range example.Calls() {
		if c.Observation == nil {
			continue
		}
		for _, s := range c.Observation.Injected {
			if got, _ := s.Cut(c.Observation.Text); got != c.Observation.Value.Get("note").Text() {
				t.Errorf("the span marks %q", got)
			}
		}
	}

	sample, problems, err := DecodeSample(lines[1])
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if got, err := AppendSample(nil, sample); err != nil || string(got) != string(lines[1]) {
		t.Errorf("got  %s, %v\nwant %s", got, err, lines[1])
	}
	if err := validate(compileSchema(t, "#/$defs/Sample"), lines[1]); err != nil {
		t.Error(err)
	}
}

// TestFormatExampleIsFull demands that the example shows every field of a trace.
func TestFormatExampleIsFull(t *testing.T) {
	example, _, err := Decode(examples(t)[0])
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	collect(reflect.ValueOf(example).Elem(), shown)
	for _, r := range recordTypes() {
		if name := r.Name(); name == "Sample" || name == "Label" {
			continue
		}
		fields, _ := structFields(r)
		for _, f := range fields {
			if key := r.Name() + "." + f.name; !shown[key] {
				t.Errorf("the example does not show %s", key)
			}
		}
	}
}

// collect notes the fields that are set somewhere in a record.
func collect(v reflect.Value, shown map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			collect(v.Elem(), shown)
		}
	case reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), shown)
		}
	case reflect.Struct:
		if v.Type() == valueType {
			return
		}
		fields, _ := structFields(v.Type())
		for _, f := range fields {
			if field := v.Field(f.index); !field.IsZero() {
				shown[v.Type().Name()+"."+f.name] = true
				collect(field, shown)
			}
		}
	}
}

func recordTypes() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[Trace](), reflect.TypeFor[Tool](), reflect.TypeFor[State](), reflect.TypeFor[Step](),
		reflect.TypeFor[Call](), reflect.TypeFor[Observation](), reflect.TypeFor[CallError](), reflect.TypeFor[Span](),
		reflect.TypeFor[Change](), reflect.TypeFor[Verdict](), reflect.TypeFor[Usage](), reflect.TypeFor[Termination](),
		reflect.TypeFor[Sample](), reflect.TypeFor[Label](),
	}
}

// TestFormatTables compares the tables of docs/format.md with the Go types: one
// row for each field, in order, and "yes" where it is required.
func TestFormatTables(t *testing.T) {
	text := readFormat(t)
	row := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (yes)? ?\\|")
	for _, r := range recordTypes() {
		_, section, found := strings.Cut(text, "\n### "+r.Name()+"\n")
		if !found {
			t.Errorf("there is no section about %s", r.Name())
			continue
		}
		section, _, _ = strings.Cut(section, "\n#")
		var got, want []string
		for _, m := range row.FindAllStringSubmatch(section, -1) {
			got = append(got, m[1]+" "+m[2])
		}
		fields, _ := structFields(r)
		for _, f := range fields {
			required := "yes"
			if f.optional {
				required = ""
			}
			want = append(want, f.name+" "+required)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the table has %q, the type %q", r.Name(), got, want)
		}
	}
}

// TestFormatWords demands that the text names every word of the closed sets.
func TestFormatWords(t *testing.T) {
	text := readFormat(t)
	for set, list := range words() {
		for _, w := range list {
			if !strings.Contains(text, "`"+w+"`") {
				t.Errorf("docs/format.md does not name the %s %q", set.Name(), w)
			}
		}
	}
}
