package world

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gauntlet/internal/py"
	"gauntlet/internal/py/stdlib"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/trace"
)

// Blueprint is a loaded world: compiled code and what it declares. It is
// immutable and safe for concurrent use.
type Blueprint struct {
	ID       string // file name without extension, or the suite's name for it
	File     string // path for error messages
	Source   string
	Title    string
	Intro    string
	Rules    []string
	Class    string // name of the world's class
	Entities []Entity
	Tools    []Tool

	program   *py.Program
	once      sync.Once
	described sync.Once
	schemas   []trace.Tool
	template  *template // the executed module, when every episode starts from the same
	class     *syntax.ClassDef
	tools     map[string]*Tool
}

// Entity is a TypedDict that declares a kind of record.
type Entity struct {
	Name   string
	Fields []Param
}

// Tool is one public method of the world's class.
type Tool struct {
	Name        string
	Description string // the docstring without the Effect line, dedented
	Effect      trace.Effect
	Params      []Param
	VarKw       bool // takes arbitrary keyword arguments
	Pos         syntax.Pos
}

// Param is one argument of a tool or one field of an entity.
type Param struct {
	Name        string
	Type        Schema
	Required    bool
	Description string
}

// Options are the choices of one episode.
type Options struct {
	Seed   uint64
	Start  string       // RFC 3339 start of the virtual clock; empty: DefaultStart
	Limits py.Limits    // of each call
	Format trace.Format // how observations are rendered; empty: json
	Compat bool         // behave as the published reference does
	// Host is the host's monotonic clock, for the wall limit only; nil: no wall limit.
	Host func() time.Duration
}

// Load reads and compiles a world file. Problems in it are *syntax.Error with
// file, line and column.
func Load(path string) (*Blueprint, error) {
	src, err := ReadSource(path)
	if err != nil {
		return nil, err
	}
	id := strings.TrimSuffix(filepath.Base(path), ".py")
	return Parse(id, path, src)
}

// maxSource is the largest world file, in bytes.
const maxSource = 8 << 20

// ReadSource reads a world file: a regular file of at most 8 MiB.
func ReadSource(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read world: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil, fmt.Errorf("read world: %s is no regular file of at most %d MiB", path, maxSource>>20)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read world: %w", err)
	}
	return src, nil
}

// Parse compiles a world from source; file names it in errors.
func Parse(id, file string, src []byte) (*Blueprint, error) {
	return ParseClass(id, file, src, "")
}

// ParseClass is Parse for a module in which the world's class is known by name.
func ParseClass(id, file string, src []byte, class string) (*Blueprint, error) {
	m, err := syntax.Parse(file, src)
	if err != nil {
		return nil, err
	}
	p, err := py.Compile(m, stdlib.Library)
	if err != nil {
		return nil, err
	}
	b := &Blueprint{ID: id, File: file, Source: string(src), program: p, tools: map[string]*Tool{}}
	b.describe(m)
	if b.class, err = findClass(m, class); err != nil {
		return nil, err
	}
	b.Class = b.class.Name
	classes := topClasses(m)
	env := schemaEnv{classes: classes, aliases: aliases(m)}
	for _, c := range m.Body {
		if d, ok := c.(*syntax.ClassDef); ok && isEntity(d, classes) {
			b.Entities = append(b.Entities, entity(d, env))
		}
	}
	b.Tools = toolsOf(b.class, classes, env)
	for i := range b.Tools {
		b.tools[b.Tools[i].Name] = &b.Tools[i]
	}
	if len(b.Tools) == 0 {
		return nil, &syntax.Error{File: file, Pos: b.class.Pos, Msg: "class " + b.Class + " has no public method: a world's tools are its public methods"}
	}
	return b, nil
}

// describe reads title, introduction and rules from the module docstring.
func (b *Blueprint) describe(m *syntax.Module) {
	doc := strings.TrimSpace(docstring(m.Body))
	if doc == "" {
		return
	}
	title, rest, _ := strings.Cut(doc, "\n")
	b.Title = strings.TrimSpace(title)
	var intro []string
	for _, line := range strings.Split(rest, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "- "):
			b.Rules = append(b.Rules, strings.TrimSpace(line[2:]))
		case strings.EqualFold(line, "rules:"):
		case len(b.Rules) > 0 && line != "":
			b.Rules[len(b.Rules)-1] += " " + line
		case line != "":
			intro = append(intro, line)
		}
	}
	b.Intro = strings.Join(intro, " ")
}

func docstring(body []syntax.Stmt) string {
	if len(body) > 0 {
		if e, ok := body[0].(*syntax.ExprStmt); ok {
			if k, ok := e.Value.(*syntax.Constant); ok {
				if s, ok := k.Value.(syntax.Str); ok {
					return string(s)
				}
			}
		}
	}
	return ""
}

// topClasses indexes the classes at the top level of the module.
func topClasses(m *syntax.Module) map[string]*syntax.ClassDef {
	out := map[string]*syntax.ClassDef{}
	for _, s := range m.Body {
		if c, ok := s.(*syntax.ClassDef); ok {
			out[c.Name] = c
		}
	}
	return out
}

// nonWorldBases are bases that mark a class as data rather than as a world.
var nonWorldBases = map[string]bool{
	"TypedDict": true, "NamedTuple": true, "Enum": true, "IntEnum": true, "StrEnum": true, "Flag": true, "IntFlag": true,
	"Exception": true, "ValueError": true, "RuntimeError": true, "Protocol": true, "dict": true, "str": true,
}

// findClass picks the world's class: the named one, or the class with the most
// public methods that is no data class.
func findClass(m *syntax.Module, name string) (*syntax.ClassDef, error) {
	var best *syntax.ClassDef
	most := 0
	for _, s := range m.Body {
		c, ok := s.(*syntax.ClassDef)
		if !ok {
			continue
		}
		if name != "" {
			if c.Name == name {
				return c, nil
			}
			continue
		}
		data := false
		for _, b := range c.Bases {
			data = data || nonWorldBases[lastName(b)]
		}
		if n := len(publicMethods(c)); !data && n >= most && n > 0 {
			best, most = c, n
		}
	}
	if best == nil {
		msg := "no class with public methods: a world is one class whose public methods are the tools"
		if name != "" {
			msg = "no class " + name + " in the module"
		}
		return nil, &syntax.Error{File: m.File, Pos: syntax.Pos{Line: 1, Col: 1}, Msg: msg}
	}
	return best, nil
}

// lastName is the identifier of a name or the attribute of a.b.
func lastName(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Name:
		return x.ID
	case *syntax.Attribute:
		return x.Attr
	case *syntax.Subscript:
		return lastName(x.Value)
	case *syntax.Call:
		return lastName(x.Func)
	}
	return ""
}

func publicMethods(c *syntax.ClassDef) []*syntax.FunctionDef {
	var out []*syntax.FunctionDef
	for _, s := range c.Body {
		f, ok := s.(*syntax.FunctionDef)
		if !ok || strings.HasPrefix(f.Name, "_") || isProperty(f) {
			continue
		}
		out = append(out, f)
	}
	return out
}

func isProperty(f *syntax.FunctionDef) bool {
	for _, d := range f.Decorators {
		switch lastName(d) {
		case "property", "cached_property", "setter", "getter", "deleter":
			return true
		}
	}
	return false
}

// isEntity reports whether a class declares records: a TypedDict, directly or
// through another class of the file, or a dataclass.
func isEntity(c *syntax.ClassDef, classes map[string]*syntax.ClassDef) bool {
	for depth := 0; c != nil && depth < 20; depth++ {
		for _, d := range c.Decorators {
			if lastName(d) == "dataclass" {
				return true
			}
		}
		var next *syntax.ClassDef
		for _, b := range c.Bases {
			if n := lastName(b); n == "TypedDict" || n == "NamedTuple" {
				return true
			}
			next = classes[lastName(b)]
		}
		c = next
	}
	return false
}

func entity(c *syntax.ClassDef, env schemaEnv) Entity {
	e := Entity{Name: c.Name}
	for _, s := range c.Body {
		if a, ok := s.(*syntax.AnnAssign); ok {
			if n, ok := a.Target.(*syntax.Name); ok {
				e.Fields = append(e.Fields, Param{Name: n.ID, Type: env.schema(a.Annotation, 0), Required: a.Value == nil})
			}
		}
	}
	return e
}

// toolsOf lists the public methods in definition order, those of base classes
// in the same file first.
func toolsOf(c *syntax.ClassDef, classes map[string]*syntax.ClassDef, env schemaEnv) []Tool {
	var out []Tool
	index := map[string]int{}
	var visit func(c *syntax.ClassDef, depth int)
	visit = func(c *syntax.ClassDef, depth int) {
		if depth > 20 {
			return
		}
		for _, b := range c.Bases {
			if base, ok := classes[lastName(b)]; ok && base != c {
				visit(base, depth+1)
			}
		}
		for _, f := range publicMethods(c) {
			t := toolOf(f, env)
			if i, ok := index[t.Name]; ok {
				out[i] = t
				continue
			}
			index[t.Name] = len(out)
			out = append(out, t)
		}
	}
	visit(c, 0)
	return out
}

func toolOf(f *syntax.FunctionDef, env schemaEnv) Tool {
	t := Tool{Name: f.Name, Pos: f.Pos}
	doc := parseDoc(docstring(f.Body))
	t.Description, t.Effect = doc.text, doc.effect
	all := append(append([]*syntax.Arg(nil), f.Args.PosOnly...), f.Args.Args...)
	skip := 1
	for _, d := range f.Decorators {
		if lastName(d) == "staticmethod" {
			skip = 0
		}
	}
	firstDefault := len(all) - len(f.Args.Defaults)
	for i, a := range all {
		if i < skip {
			continue
		}
		t.Params = append(t.Params, Param{Name: a.Name, Type: env.schema(a.Annotation, 0), Required: i < firstDefault, Description: doc.args[a.Name]})
	}
	for i, a := range f.Args.KwOnly {
		t.Params = append(t.Params, Param{Name: a.Name, Type: env.schema(a.Annotation, 0), Required: f.Args.KwDefaults[i] == nil, Description: doc.args[a.Name]})
	}
	t.VarKw = f.Args.Kwarg != nil
	return t
}

// Tool finds a declared tool by name.
func (b *Blueprint) Tool(name string) (*Tool, bool) {
	t, ok := b.tools[name]
	return t, ok
}

// Schemas returns the tools as the record's tool list, with JSON schemas. The
// list is shared and must not be changed.
func (b *Blueprint) Schemas() []trace.Tool {
	b.described.Do(func() { b.schemas = b.describeTools() })
	return b.schemas
}

func (b *Blueprint) describeTools() []trace.Tool {
	out := make([]trace.Tool, len(b.Tools))
	for i, t := range b.Tools {
		out[i] = trace.Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters(), Effect: t.Effect}
	}
	return out
}
