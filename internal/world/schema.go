package world

import (
	"math/big"
	"strconv"
	"strings"

	"gauntlet/internal/py/syntax"
	"gauntlet/internal/trace"
)

// Schema is the type of an argument: a small part of JSON Schema.
type Schema struct {
	Kinds []string           // allowed JSON types: string, integer, number, boolean, array, object, null; empty: any
	Enum  []trace.Value      // allowed values (Literal), nil: all
	Items *Schema            // of arrays
	Props map[string]*Schema // of objects with declared fields
	Names []string           // declared fields in order
	Req   []string           // required fields
}

// schemaEnv resolves names in annotations.
type schemaEnv struct {
	classes map[string]*syntax.ClassDef
	aliases map[string]syntax.Expr
}

// aliases collects X = <type expression> at the top level.
func aliases(m *syntax.Module) map[string]syntax.Expr {
	out := map[string]syntax.Expr{}
	for _, s := range m.Body {
		if a, ok := s.(*syntax.Assign); ok && len(a.Targets) == 1 {
			if n, ok := a.Targets[0].(*syntax.Name); ok {
				switch a.Value.(type) {
				case *syntax.Subscript, *syntax.Name, *syntax.BinOp:
					out[n.ID] = a.Value
				}
			}
		}
	}
	return out
}

// maxSchemaDepth bounds nested and recursive annotations.
const maxSchemaDepth = 12

var simpleKinds = map[string][]string{
	"str": {"string"}, "int": {"integer"}, "float": {"number"}, "bool": {"boolean"},
	"list": {"array"}, "List": {"array"}, "tuple": {"array"}, "Tuple": {"array"}, "set": {"array"}, "Set": {"array"},
	"frozenset": {"array"}, "Sequence": {"array"}, "Iterable": {"array"}, "Collection": {"array"},
	"dict": {"object"}, "Dict": {"object"}, "Mapping": {"object"}, "MutableMapping": {"object"},
	"None": {"null"}, "NoneType": {"null"}, "date": {"string"}, "datetime": {"string"}, "time": {"string"}, "UUID": {"string"},
}

// schema translates an annotation; what it does not know is any.
func (e schemaEnv) schema(x syntax.Expr, depth int) Schema {
	if x == nil || depth > maxSchemaDepth {
		return Schema{}
	}
	switch x := x.(type) {
	case *syntax.Name:
		return e.named(x.ID, depth)
	case *syntax.Attribute:
		return e.named(x.Attr, depth)
	case *syntax.Constant:
		switch v := x.Value.(type) {
		case syntax.ConstNone:
			return Schema{Kinds: []string{"null"}}
		case syntax.Str:
			return e.quoted(string(v), depth)
		}
	case *syntax.BinOp:
		if x.Op == syntax.BitOr {
			return union(e.schema(x.Left, depth+1), e.schema(x.Right, depth+1))
		}
	case *syntax.Subscript:
		return e.subscript(x, depth)
	}
	return Schema{}
}

// quoted is a forward reference: an annotation written as a string.
func (e schemaEnv) quoted(s string, depth int) Schema {
	m, err := syntax.ParseString("annotation", strings.TrimSpace(s))
	if err == nil && len(m.Body) == 1 {
		if st, ok := m.Body[0].(*syntax.ExprStmt); ok {
			return e.schema(st.Value, depth+1)
		}
	}
	return Schema{}
}

func (e schemaEnv) named(name string, depth int) Schema {
	if c, ok := e.classes[name]; ok {
		return e.classSchema(c, depth)
	}
	if a, ok := e.aliases[name]; ok {
		return e.schema(a, depth+1)
	}
	if k, ok := simpleKinds[name]; ok {
		return Schema{Kinds: k}
	}
	return Schema{}
}

func (e schemaEnv) classSchema(c *syntax.ClassDef, depth int) Schema {
	for _, b := range c.Bases {
		switch lastName(b) {
		case "str", "StrEnum":
			return Schema{Kinds: []string{"string"}, Enum: enumValues(c)}
		case "IntEnum":
			return Schema{Kinds: []string{"integer"}, Enum: enumValues(c)}
		}
	}
	if !isEntity(c, e.classes) {
		return Schema{}
	}
	s := Schema{Kinds: []string{"object"}, Props: map[string]*Schema{}}
	total := true
	for _, k := range c.Keywords {
		if v, ok := k.Value.(*syntax.Constant); ok && k.Name == "total" && v.Value == false {
			total = false
		}
	}
	for _, f := range entityFields(c, e.classes, 0) {
		n := f.Target.(*syntax.Name).ID
		p := e.schema(f.Annotation, depth+1)
		if _, dup := s.Props[n]; !dup {
			s.Names = append(s.Names, n)
		}
		s.Props[n] = &p
		if total && f.Value == nil && !strings.HasPrefix(lastName(f.Annotation), "NotRequired") {
			s.Req = append(s.Req, n)
		}
	}
	return s
}

func entityFields(c *syntax.ClassDef, classes map[string]*syntax.ClassDef, depth int) []*syntax.AnnAssign {
	var out []*syntax.AnnAssign
	if depth < maxSchemaDepth {
		for _, b := range c.Bases {
			if p, ok := classes[lastName(b)]; ok && p != c {
				out = append(out, entityFields(p, classes, depth+1)...)
			}
		}
	}
	for _, s := range c.Body {
		if a, ok := s.(*syntax.AnnAssign); ok {
			if _, ok := a.Target.(*syntax.Name); ok {
				out = append(out, a)
			}
		}
	}
	return out
}

func enumValues(c *syntax.ClassDef) []trace.Value {
	var out []trace.Value
	for _, s := range c.Body {
		if a, ok := s.(*syntax.Assign); ok {
			if v, ok := literal(a.Value); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

func (e schemaEnv) subscript(x *syntax.Subscript, depth int) Schema {
	args := []syntax.Expr{x.Slice}
	if t, ok := x.Slice.(*syntax.Tuple); ok {
		args = t.Elts
	}
	switch name := lastName(x.Value); name {
	case "Optional":
		return union(e.schema(x.Slice, depth+1), Schema{Kinds: []string{"null"}})
	case "Union":
		if len(args) == 0 {
			return Schema{}
		}
		u := e.schema(args[0], depth+1)
		for _, a := range args[1:] {
			u = union(u, e.schema(a, depth+1))
		}
		return u
	case "Literal":
		var s Schema
		for _, a := range args {
			if v, ok := literal(a); ok {
				s.Enum = append(s.Enum, v)
				s.addKind(kindOf(v))
			}
		}
		return s
	case "List", "list", "Sequence", "Iterable", "Set", "set", "frozenset", "FrozenSet", "Collection":
		item := e.schema(x.Slice, depth+1)
		return Schema{Kinds: []string{"array"}, Items: &item}
	case "Annotated", "Required", "NotRequired", "Final", "ClassVar":
		return e.schema(args[0], depth+1)
	default:
		if k, ok := simpleKinds[name]; ok {
			return Schema{Kinds: k}
		}
	}
	return Schema{}
}

// union joins two schemas; any absorbs everything.
func union(a, b Schema) Schema {
	if len(a.Kinds) == 0 || len(b.Kinds) == 0 {
		return Schema{}
	}
	u := a
	u.Kinds = append([]string(nil), a.Kinds...)
	for _, k := range b.Kinds {
		u.addKind(k)
	}
	onlyNull := len(b.Kinds) == 1 && b.Kinds[0] == "null"
	switch {
	case onlyNull && a.Enum != nil:
		u.Enum = append(append([]trace.Value(nil), a.Enum...), trace.Null())
	case a.Enum != nil && b.Enum != nil:
		u.Enum = append(append([]trace.Value(nil), a.Enum...), b.Enum...)
	case a.Enum != nil || b.Enum != nil:
		u.Enum = nil
	}
	if u.Items == nil {
		u.Items = b.Items
	}
	if u.Props == nil {
		u.Props, u.Names, u.Req = b.Props, b.Names, b.Req
	}
	return u
}

func (s *Schema) addKind(k string) {
	for _, x := range s.Kinds {
		if x == k {
			return
		}
	}
	s.Kinds = append(s.Kinds, k)
}

// literal converts a literal expression to a value.
func literal(x syntax.Expr) (trace.Value, bool) {
	if u, ok := x.(*syntax.UnaryOp); ok && u.Op == syntax.USub {
		if v, ok := literal(u.Operand); ok && v.Kind() == trace.KindNumber {
			n, err := trace.Number("-" + v.Literal())
			return n, err == nil
		}
	}
	c, ok := x.(*syntax.Constant)
	if !ok {
		return trace.Value{}, false
	}
	switch v := c.Value.(type) {
	case syntax.Str:
		return trace.String(string(v)), true
	case bool:
		return trace.Bool(v), true
	case *big.Int:
		n, err := trace.Number(v.String())
		return n, err == nil
	case float64:
		n, err := trace.Number(strconv.FormatFloat(v, 'g', -1, 64))
		return n, err == nil
	case syntax.ConstNone:
		return trace.Null(), true
	}
	return trace.Value{}, false
}

// kindOf is the JSON Schema type of a value.
func kindOf(v trace.Value) string {
	switch v.Kind() {
	case trace.KindString:
		return "string"
	case trace.KindBool:
		return "boolean"
	case trace.KindNumber:
		if v.IsInt() {
			return "integer"
		}
		return "number"
	case trace.KindArray:
		return "array"
	case trace.KindObject:
		return "object"
	}
	return "null"
}

// JSON returns the schema as a JSON Schema value.
func (s Schema) JSON() trace.Value {
	var f []trace.Field
	switch len(s.Kinds) {
	case 0:
	case 1:
		f = append(f, trace.Field{Key: "type", Value: trace.String(s.Kinds[0])})
	default:
		f = append(f, trace.Field{Key: "type", Value: trace.Strings(s.Kinds)})
	}
	if s.Enum != nil {
		f = append(f, trace.Field{Key: "enum", Value: trace.Array(s.Enum...)})
	}
	if s.Items != nil {
		f = append(f, trace.Field{Key: "items", Value: s.Items.JSON()})
	}
	if len(s.Names) > 0 {
		var props []trace.Field
		for _, n := range s.Names {
			props = append(props, trace.Field{Key: n, Value: s.Props[n].JSON()})
		}
		f = append(f, trace.Field{Key: "properties", Value: trace.Object(props...)})
		if len(s.Req) > 0 {
			f = append(f, trace.Field{Key: "required", Value: trace.Strings(s.Req)})
		}
	}
	return trace.Object(f...)
}

// Parameters is the JSON Schema of a tool's arguments.
func (t *Tool) Parameters() trace.Value {
	props := []trace.Field{}
	req := []string{}
	for _, p := range t.Params {
		v := p.Type.JSON()
		if p.Description != "" {
			v = v.With("description", trace.String(p.Description))
		}
		props = append(props, trace.Field{Key: p.Name, Value: v})
		if p.Required {
			req = append(req, p.Name)
		}
	}
	f := []trace.Field{
		{Key: "type", Value: trace.String("object")},
		{Key: "properties", Value: trace.Object(props...)},
		{Key: "required", Value: trace.Strings(req)},
	}
	if !t.VarKw {
		f = append(f, trace.Field{Key: "additionalProperties", Value: trace.Bool(false)})
	}
	return trace.Object(f...)
}
