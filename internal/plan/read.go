package plan

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Read reads a plan file. Errors name file, line and column.
func Read(file string) (*Plan, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return Parse(file, b)
}

// Parse reads the text of a plan; file names it in errors. The plan is complete.
func Parse(file string, text []byte) (*Plan, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, placed(file, err)
	}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("%s:1:1: the plan is empty", file)
	}
	root := doc.Content[0]
	if err := strict(root, reflect.TypeFor[Plan](), 0); err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	var p Plan
	if err := root.Decode(&p); err != nil {
		return nil, placed(file, err)
	}
	if p.Format == "" {
		return nil, fmt.Errorf("%s:%d:%d: format is missing; the first line of a plan is: format: %s", file, root.Line, root.Column, Format)
	}
	if err := p.Complete(); err != nil {
		line, column := place(root, err.Error())
		return nil, fmt.Errorf("%s:%d:%d: %w", file, line, column, err)
	}
	return &p, nil
}

// yamlLine is how package yaml begins a message.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\s+)?(?:yaml: )?line (\d+): `)

// placed turns an error of package yaml, which knows lines only.
func placed(file string, err error) error {
	msg := err.Error()
	m := yamlLine.FindStringSubmatch(msg)
	if m == nil {
		return fmt.Errorf("%s:1:1: %s", file, strings.TrimPrefix(msg, "yaml: "))
	}
	return fmt.Errorf("%s:%s:1: %s", file, m[1], msg[len(m[0]):])
}

// place finds the key with which a message begins.
func place(root *yaml.Node, msg string) (line, column int) {
	key, _, _ := strings.Cut(msg, ":")
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == key {
			return root.Content[i].Line, root.Content[i].Column
		}
	}
	return root.Line, root.Column
}

// maxNesting bounds what strict follows; no field of a plan is deeper.
const maxNesting = 16

// strict compares the shape of a node with a type: unknown keys, repeated keys
// and values of another kind are errors, which begin with line and column.
func strict(n *yaml.Node, t reflect.Type, depth int) error {
	if n.Kind == yaml.AliasNode {
		return at(n, "aliases are not read here; write the value out")
	}
	if depth > maxNesting {
		return at(n, "nested too deeply")
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Duration]():
		if _, err := time.ParseDuration(n.Value); n.Kind != yaml.ScalarNode || err != nil {
			return at(n, fmt.Sprintf("%q is no duration; write one such as 90s or 10m", n.Value))
		}
	case t.Kind() == reflect.Struct:
		return strictStruct(n, t, depth)
	case t.Kind() == reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			return at(n, "a list is wanted here")
		}
		for _, item := range n.Content {
			if err := strict(item, t.Elem(), depth+1); err != nil {
				return err
			}
		}
	default:
		if n.Kind != yaml.ScalarNode {
			return at(n, fmt.Sprintf("a %s is wanted here", t.Kind()))
		}
		if err := n.Decode(reflect.New(t).Interface()); err != nil {
			return at(n, fmt.Sprintf("%q is no %s", n.Value, t.Kind()))
		}
	}
	return nil
}

func strictStruct(n *yaml.Node, t reflect.Type, depth int) error {
	if n.Kind != yaml.MappingNode {
		return at(n, "keys with values are wanted here")
	}
	fields := map[string]reflect.Type{}
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		fields[name] = t.Field(i).Type
		names = append(names, name)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		field, ok := fields[key.Value]
		if !ok {
			return at(key, fmt.Sprintf("unknown key %q; keys are %s", key.Value, strings.Join(names, ", ")))
		}
		if seen[key.Value] {
			return at(key, fmt.Sprintf("key %q is there twice", key.Value))
		}
		seen[key.Value] = true
		if err := strict(n.Content[i+1], field, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func at(n *yaml.Node, msg string) error {
	return errors.New(strconv.Itoa(n.Line) + ":" + strconv.Itoa(n.Column) + ": " + msg)
}
