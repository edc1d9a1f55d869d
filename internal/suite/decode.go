package suite

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"gauntlet/internal/trace"
)

// decodeCase reads one line of cases.jsonl. Errors begin with the column. It walks the parsed value instead
// of going through encoding/json, which would scan the states twice.
func decodeCase(line []byte) (*Case, error) {
	v, _, err := trace.ParseValue(line)
	var syn *trace.SyntaxError
	if errors.As(err, &syn) {
		return nil, fmt.Errorf("%d: %s", utf8.RuneCount(line[:min(syn.Offset, len(line))])+1, syn.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("1: %w", err)
	}
	if v.Kind() != trace.KindObject {
		return nil, fmt.Errorf("1: a case is a JSON object, not %v", v.Kind())
	}
	c, d := &Case{}, decoder{}
	d.object(v, map[string]func(trace.Value){
		"id": d.text(&c.ID), "scenario": d.text(&c.Scenario), "world": d.text(&c.World), "user": d.text(&c.User), "time": d.text(&c.Time),
		"task": d.text(&c.Task), "source": d.text(&c.Source),
		"state":    func(x trace.Value) { c.State = x },
		"clean":    func(x trace.Value) { c.Clean = x },
		"checks":   func(x trace.Value) { c.Checks = d.checks(x) },
		"solution": func(x trace.Value) { c.Solution = d.calls(x) },
		"attack":   func(x trace.Value) { c.Attack = d.attack(x) },
	})
	if d.err != nil {
		return nil, fmt.Errorf("1: %w", d.err)
	}
	return c, nil
}

// decoder keeps the first error.
type decoder struct{ err error }

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

func (d *decoder) object(v trace.Value, fields map[string]func(trace.Value)) {
	if v.Kind() != trace.KindObject {
		d.fail("expected an object, got %v", v.Kind())
		return
	}
	for _, f := range v.Fields() {
		set, ok := fields[f.Key]
		if !ok {
			d.fail("unknown field %q", f.Key)
			return
		}
		set(f.Value)
	}
}

func (d *decoder) text(dst *string) func(trace.Value) {
	return func(v trace.Value) {
		if v.Kind() != trace.KindString {
			d.fail("expected text, got %v", v.Kind())
		}
		*dst = v.Text()
	}
}

func (d *decoder) flag(dst *bool) func(trace.Value) {
	return func(v trace.Value) {
		if v.Kind() != trace.KindBool {
			d.fail("expected true or false, got %v", v.Kind())
		}
		*dst = v.Bool()
	}
}

func (d *decoder) list(v trace.Value) []trace.Value {
	if v.Kind() != trace.KindArray {
		d.fail("expected a list, got %v", v.Kind())
	}
	return v.Items()
}

func (d *decoder) checks(v trace.Value) []Check {
	items := d.list(v)
	out := make([]Check, len(items))
	for i, x := range items {
		d.object(x, map[string]func(trace.Value){"item": d.text(&out[i].Item), "code": d.text(&out[i].Code), "invariant": d.flag(&out[i].Invariant)})
	}
	return out
}

func (d *decoder) calls(v trace.Value) []Call {
	items := d.list(v)
	out := make([]Call, len(items))
	for i, x := range items {
		d.object(x, map[string]func(trace.Value){"tool": d.text(&out[i].Tool), "arguments": func(a trace.Value) { out[i].Arguments = a }})
	}
	return out
}

func (d *decoder) attack(v trace.Value) *Attack {
	a := &Attack{}
	d.object(v, map[string]func(trace.Value){
		"id": d.text(&a.ID), "strategy": d.text(&a.Strategy), "goal": d.text(&a.Goal), "payload": d.text(&a.Payload),
		"point": d.text(&a.Point), "plant": d.text(&a.Plant),
		"fulfils": func(x trace.Value) { a.Fulfils = d.calls(x) },
		"checks":  func(x trace.Value) { a.Checks = d.checks(x) },
	})
	return a
}
