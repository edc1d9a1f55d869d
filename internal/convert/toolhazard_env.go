package convert

import (
	"fmt"
	"strings"

	"gauntlet/internal/trace"
)

// environment is one item of an environment file.
type environment struct {
	id     string
	file   string
	class  string
	code   string
	title  string
	intro  string
	rules  []string
	effect map[string]trace.Effect // of the tools whose operation type is published
	points []AttackPoint
	refuse string // why it cannot be used; empty if it can
}

// AttackPoint is a published attack point: an attribute of an entity in which an
// attacker may put text.
type AttackPoint struct {
	Attribute string   `json:"attribute"` // Entity.attribute, as published
	Write     []string `json:"write"`     // tools that can set it
	Read      []string `json:"read"`      // tools that return it
}

// environments reads environment files: an object from env_id to item, or a
// list of items. Two items of one id are an error, as is an item whose own id
// disagrees with its key.
func (im *importer) environments(files []string) error {
	for _, file := range files {
		root, err := im.open(file, "environments")
		if err != nil {
			return err
		}
		n := 0
		err = eachItem(file, root, "env_id", func(where, key string, v trace.Value) error {
			n++
			e, err := readEnvironment(where, key, v)
			if err != nil {
				return err
			}
			e.file = file
			if old, dup := im.envs[e.id]; dup {
				return fmt.Errorf("%s: env_id %q is already used in %s", where, e.id, old.file)
			}
			im.envs[e.id] = e
			im.envOrder = append(im.envOrder, e.id)
			return nil
		})
		if err != nil {
			return err
		}
		im.report.Sources[len(im.report.Sources)-1].Items = n
	}
	return nil
}

// eachItem walks a list of items, an object from id to item, or a single item,
// which is told by its having the id field itself. key is empty in a list.
func eachItem(file string, root trace.Value, id string, f func(where, key string, v trace.Value) error) error {
	switch {
	case root.Kind() == trace.KindArray:
		for i, v := range root.Items() {
			if err := f(fmt.Sprintf("%s: item %d", file, i), "", v); err != nil {
				return err
			}
		}
		return nil
	case root.Get(id).Kind() == trace.KindString:
		return f(file, "", root)
	case root.Kind() == trace.KindObject:
		for _, field := range root.Fields() {
			if err := f(fmt.Sprintf("%s: item %q", file, field.Key), field.Key, field.Value); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%s:1:1: expected a list or an object of items, not %s", file, root.Kind())
}

// readEnvironment reads one item. Its id must be readable; what else is wrong
// makes it an environment that is refused.
func readEnvironment(where, key string, v trace.Value) (*environment, error) {
	v = unfold(v)
	if v.Kind() != trace.KindObject {
		return nil, fmt.Errorf("%s: expected an object, not %s", where, v.Kind())
	}
	id := v.Get("env_id").Text()
	switch {
	case id == "" && key == "":
		return nil, fmt.Errorf("%s: field \"env_id\" is missing", where)
	case id == "":
		id = key
	case key != "" && key != id:
		return nil, fmt.Errorf("%s: env_id is %q, its key is %q", where, id, key)
	}
	r := &item{v: v}
	e := &environment{
		id: id, class: r.text("env_class_name"), code: r.text("env_class_code"),
		title: r.optional("environment_summary"), intro: r.optional("environment_introduction"),
		effect: map[string]trace.Effect{},
	}
	for _, rule := range r.maybeList("constraints_rules") {
		e.rules = append(e.rules, rule.Text())
	}
	for _, op := range r.maybeList("operation_list") {
		switch kind := op.Get("operation_type").Text(); strings.TrimSpace(kind) {
		case "query":
			e.effect[op.Get("operation_name").Text()] = trace.EffectRead
		case "state_change":
			e.effect[op.Get("operation_name").Text()] = trace.EffectWrite
		}
	}
	for _, p := range r.maybeList("attack_point") {
		e.points = append(e.points, AttackPoint{p.Get("attribute").Text(), texts(p.Get("write")), texts(p.Get("read"))})
	}
	e.refuse = r.problem
	return e, nil
}

// texts are the strings of a list; never nil.
func texts(v trace.Value) []string {
	out := make([]string, 0, v.Len())
	for _, x := range v.Items() {
		out = append(out, x.Text())
	}
	return out
}
