package convert

import (
	"fmt"
	"path/filepath"
	"strings"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// ipi separates the base task from the strategy in the id of an injected task.
const ipi = "_IPI"

// nestedConfig is the attribute in which the published classes keep their
// constructor's argument. A dumped state holds it, often stale.
const nestedConfig = "init_config"

// task is one item of a task file, as a case and with what only the importer
// needs.
type task struct {
	suite.Case
	file     string
	class    string
	location location
	refuse   string
}

// location is where an injection was planned.
type location struct {
	Entity    string
	Instance  string
	Attribute string // without the name of the entity
}

// tasks reads task files. Two items of one id, even equal ones, are an error,
// since a suite that silently drops one has rates over another number of cases.
func (im *importer) tasks(files []string) error {
	seen := map[string]string{}
	for _, file := range files {
		root, err := im.open(file, "tasks")
		if err != nil {
			return err
		}
		n := 0
		err = eachItem(file, root, "task_id", func(where, key string, v trace.Value) error {
			n++
			t, err := readTask(where, v)
			if err != nil {
				return err
			}
			if old, dup := seen[t.ID]; dup {
				return fmt.Errorf("%s: task_id %q is already used in %s: give each task once", where, t.ID, old)
			}
			seen[t.ID] = where
			t.file = file
			t.Source = "toolhazard:" + filepath.Base(file)
			im.todo = append(im.todo, t)
			return nil
		})
		if err != nil {
			return err
		}
		im.report.Sources[len(im.report.Sources)-1].Items = n
	}
	return nil
}

// readTask reads one item, benign or injected. Its id must be readable; what
// else is wrong makes it a task that is refused.
func readTask(where string, v trace.Value) (*task, error) {
	v = unfold(v)
	if v.Kind() != trace.KindObject {
		return nil, fmt.Errorf("%s: expected an object, not %s", where, v.Kind())
	}
	id := v.Get("task_id").Text()
	if id == "" {
		return nil, fmt.Errorf("%s: field \"task_id\" must be a string that is not empty", where)
	}
	r := &item{v: v}
	t := &task{class: r.optional("env_class_name")}
	t.ID, t.World, t.Task = id, r.text("env_id"), r.text("task")
	t.State = r.object("init_config")
	t.Checks = r.checks("checklist_with_func")
	base, strategy, injected := strings.Cut(id, ipi)
	t.Scenario = base
	if !injected && !v.Get("injected_task").Exists() && !v.Get("injected_checklist_with_func").Exists() {
		t.Clean = t.State
		t.refuse = r.problem
		return t, nil
	}
	if clean := v.Get("before_injected_config"); clean.Exists() && clean.Kind() != trace.KindNull {
		t.Clean = r.object("before_injected_config")
	}
	t.Attack = r.attack(strings.TrimPrefix(strategy, "_"))
	t.location = planned(unfold(v.Get("injection_plan")))
	t.refuse = r.problem
	return t, nil
}

// attack reads the injected part. The strategy is the published field; items of
// the first form, which lack it, have it in their id or not at all.
func (r *item) attack(fromID string) *suite.Attack {
	a := &suite.Attack{
		Strategy: r.optional("injection_strategy"),
		Goal:     r.optional("injected_task_raw"),
		Payload:  r.text("injected_task"),
		Checks:   r.checks("injected_checklist_with_func"),
	}
	if a.Strategy == "" {
		a.Strategy = fromID
	}
	if a.Strategy == "" {
		a.Strategy = "unnamed"
	}
	if a.ID = fromID; a.ID == "" {
		a.ID = a.Strategy
	}
	if a.Goal == "" {
		a.Goal = a.Payload
	}
	return a
}

// checks reads a list of {check_item, check_func}. Every entry must be whole:
// a case that lost a check would have another benign reward.
func (r *item) checks(key string) []suite.Check {
	list := r.list(key)
	out := make([]suite.Check, 0, len(list))
	for i, v := range list {
		code := v.Get("check_func")
		if code.Kind() != trace.KindString || strings.TrimSpace(code.Text()) == "" {
			r.fail("%s[%d] has no check_func", key, i)
			continue
		}
		out = append(out, suite.Check{Item: v.Get("check_item").Text(), Code: code.Text()})
	}
	return out
}

// planned reads the planned location; published plans have exactly one.
func planned(plan trace.Value) location {
	l := plan.Get("injection_locations").Index(0)
	return location{
		Entity:    strings.TrimSpace(l.Get("entity").Text()),
		Instance:  strings.TrimSpace(l.Get("instance_id").Text()),
		Attribute: bare(strings.TrimSpace(l.Get("attribute").Text())),
	}
}

// bare cuts the name of the entity off Entity.attribute.
func bare(attribute string) string {
	return attribute[strings.LastIndexByte(attribute, '.')+1:]
}
