package trace

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite generated files")

var schemaFile = filepath.Join("..", "..", "docs", "trace.schema.json")

// words returns the words of each closed set.
func words() map[reflect.Type][]string {
	return map[reflect.Type][]string{
		reflect.TypeFor[Role]():     texts(Roles()),
		reflect.TypeFor[Effect]():   texts(Effects()),
		reflect.TypeFor[Format]():   texts(Formats()),
		reflect.TypeFor[Decision](): texts(Decisions()),
		reflect.TypeFor[Op]():       texts(Ops()),
		reflect.TypeFor[Cause]():    texts(Causes()),
	}
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// generateSchema makes the JSON schema of traces; the one of samples is among
// its definitions.
func generateSchema(t *testing.T) []byte {
	t.Helper()
	sets := words()
	r := jsonschema.Reflector{
		Anonymous:                 true,
		AllowAdditionalProperties: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if t == valueType {
				return &jsonschema.Schema{} // any JSON value
			}
			if set, ok := sets[t]; ok {
				s := &jsonschema.Schema{Type: "string"}
				for _, w := range set {
					s.Enum = append(s.Enum, w)
				}
				return s
			}
			return nil
		},
	}
	if err := r.AddGoComments("gauntlet/internal/trace", ".", jsonschema.WithFullComment()); err != nil {
		t.Fatal(err)
	}
	for name, comment := range r.CommentMap {
		comment = strings.NewReplacer("[", "", "]", "").Replace(comment)
		r.CommentMap[name] = strings.Join(strings.Fields(comment), " ")
	}
	s := r.ReflectFromType(reflect.TypeFor[Trace]())
	s.Definitions["Sample"] = r.ReflectFromType(reflect.TypeFor[Sample]()).Definitions["Sample"]
	s.Definitions["Label"] = r.ReflectFromType(reflect.TypeFor[Label]()).Definitions["Label"]
	restrictVersion(t, s.Definitions["Trace"], Version)
	restrictVersion(t, s.Definitions["Sample"], SampleVersion)
	s.Title = "Gauntlet trace"
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func restrictVersion(t *testing.T, s *jsonschema.Schema, version string) {
	t.Helper()
	p, ok := s.Properties.Get("version")
	if !ok {
		t.Fatal("the schema has no version")
	}
	p.Const = version
}

func TestSchemaFile(t *testing.T) {
	want := generateSchema(t)
	if *update {
		if err := os.MkdirAll(filepath.Dir(schemaFile), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale; run go generate ./internal/trace", schemaFile)
	}
}

// compileSchema returns the committed schema, or one of its definitions.
func compileSchema(t *testing.T, definition string) *validator.Schema {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("trace.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("trace.schema.json" + definition)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(s *validator.Schema, line []byte) error {
	doc, err := validator.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

func TestSchemaAcceptsRecords(t *testing.T) {
	traces, samples := compileSchema(t, ""), compileSchema(t, "#/$defs/Sample")
	rapid.Check(t, func(t *rapid.T) {
		line, err := Append(nil, drawTrace(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(traces, line); err != nil {
			t.Fatalf("trace %s: %v", line, err)
		}
		if line, err = AppendSample(nil, drawSample(t)); err != nil {
			t.Fatal(err)
		}
		if err := validate(samples, line); err != nil {
			t.Fatalf("sample %s: %v", line, err)
		}
	})
}

// TestSchemaAgreesWithDecode damages one place of a record and demands that the
// schema and the decoder give the same answer, so that the schema tells authors
// of other programs the truth.
func TestSchemaAgreesWithDecode(t *testing.T) {
	schema := compileSchema(t, "")
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		line, err := Append(nil, drawTrace(t))
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := ParseValue(line)
		if err != nil {
			t.Fatal(err)
		}
		damaged := damage(t, v).AppendJSON(nil)
		_, _, decodeErr := Decode(damaged)
		schemaErr := validate(schema, damaged)
		if (decodeErr == nil) != (schemaErr == nil) {
			t.Fatalf("%s\ndecoder: %v\nschema: %v", damaged, decodeErr, schemaErr)
		}
		if decodeErr != nil {
			refused++
		}
	})
	if refused == 0 {
		t.Error("no damaged record was refused: the test tests nothing")
	}
}

// damage replaces or removes one value somewhere in v.
func damage(t *rapid.T, v Value) Value {
	if v.Len() > 0 && rapid.IntRange(0, 5).Draw(t, "descend") > 0 {
		i := rapid.IntRange(0, v.Len()-1).Draw(t, "child")
		if v.Kind() == KindArray {
			items := append([]Value(nil), v.Items()...)
			items[i] = damage(t, items[i])
			return Array(items...)
		}
		f := v.Fields()[i]
		if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
			return v.Without(f.Key)
		}
		return v.With(f.Key, damage(t, f.Value))
	}
	return rapid.SampledFrom([]Value{
		Null(), Bool(true), Int(7), Float(1.5), Float(2), String(""), String("user"), Array(), Object(), Array(Object()),
	}).Draw(t, "other")
}
