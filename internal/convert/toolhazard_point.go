package convert

import (
	"strconv"
	"strings"
	"unicode"

	"gauntlet/internal/trace"
)

// leaf is a scalar of a state with its JSON pointer.
type leaf struct {
	path  string
	value trace.Value
}

// leaves lists the scalars of a state in order. Empty lists and objects have
// none. The recursion is bounded by trace.MaxDepth.
func leaves(state trace.Value) []leaf {
	var out []leaf
	walk(state, "", func(path string, v trace.Value) {
		if v.Kind() != trace.KindObject && v.Kind() != trace.KindArray {
			out = append(out, leaf{path, v})
		}
	})
	return out
}

// walk visits v and everything in it, parents first.
func walk(v trace.Value, path string, f func(path string, v trace.Value)) {
	f(path, v)
	for _, field := range v.Distinct().Fields() {
		walk(field.Value, path+trace.JoinPointer(field.Key), f)
	}
	for i, x := range v.Items() {
		walk(x, path+"/"+strconv.Itoa(i), f)
	}
}

// changedLeaves are the pointers of the scalars that differ between two states,
// first the changed and new ones in the order of b, then those that are gone.
// List items are compared by position.
func changedLeaves(a, b []leaf) []string {
	before := make(map[string]trace.Value, len(a))
	for _, l := range a {
		before[l.path] = l.value
	}
	var out []string
	for _, l := range b {
		if old, ok := before[l.path]; !ok || !trace.Equal(old, l.value) {
			out = append(out, l.path)
		}
		delete(before, l.path)
	}
	for _, l := range a {
		if _, gone := before[l.path]; gone {
			out = append(out, l.path)
		}
	}
	return out
}

// injection is where an injected text stands in the poisoned state.
type injection struct {
	field    string   // pointer of the planned field; empty if there is none or more than one
	point    string   // pointer of the text that carries the injection; empty if unresolved
	carriers []string // all texts that carry the strongest form of it found anywhere
	form     form
}

// form says how much of the injection was found in the state.
type form int

const (
	nothing     form = iota
	looseGoal        // the goal, white space aside
	loosePay         // the payload, white space aside
	wholeGoal        // the goal word for word
	wholePay         // the payload word for word
	onlyChanged      // neither, but exactly one text changed
)

// locate finds the text that carries the injection: the one text within the
// planned field that holds the payload or the goal, else the one such text
// anywhere, else the one text that the poisoning changed. Weaker forms of the
// payload are looked for only where no stronger one is found.
func locate(loc location, payload, goal string, poisoned trace.Value, after []leaf, changed []string) injection {
	in := injection{}
	in.carriers, in.form = carriers(after, payload, goal)
	fields := plannedFields(poisoned, loc)
	if len(fields) > 1 { // several records of one id: the one that carries it
		fields = filter(fields, func(f string) bool { return anyUnder(f, in.carriers) })
	}
	if len(fields) == 1 {
		in.field = fields[0]
	}
	if in.field != "" {
		within := filter(in.carriers, func(p string) bool { return under(p, in.field) })
		if len(within) == 1 {
			in.point = within[0]
			return in
		}
	}
	if len(in.carriers) == 1 {
		in.point = in.carriers[0]
	}
	if len(in.carriers) > 0 {
		return in
	}
	texts := filter(changed, func(p string) bool { return poisoned.Pointer(p).Kind() == trace.KindString })
	if len(texts) == 1 {
		in.point, in.form = texts[0], onlyChanged
	}
	return in
}

// carriers are the texts that hold the payload or the goal, in the strongest
// form that any text holds.
func carriers(after []leaf, payload, goal string) ([]string, form) {
	forms := []struct {
		form  form
		part  string
		loose bool
	}{
		{wholePay, payload, false}, {wholeGoal, goal, false},
		{loosePay, squeeze(payload), true}, {looseGoal, squeeze(goal), true},
	}
	for _, f := range forms {
		if f.part == "" {
			continue
		}
		var out []string
		for _, l := range after {
			text := l.value.Text()
			if f.loose {
				text = squeeze(text)
			}
			if strings.Contains(text, f.part) {
				out = append(out, l.path)
			}
		}
		if len(out) > 0 {
			return out, f.form
		}
	}
	return nil, nothing
}

// squeeze drops all white space.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// plannedFields are the pointers that a planned location can mean: the attribute
// of every record with the id. A record's id is its key or the value of one of
// its own fields. Where no record has the attribute itself, it may lie deeper.
func plannedFields(state trace.Value, loc location) []string {
	if loc.Instance == "" || loc.Attribute == "" {
		return nil
	}
	var direct, deep []string
	walk(state, "", func(path string, v trace.Value) {
		if v.Kind() != trace.KindObject || !isRecord(path, v, loc.Instance) {
			return
		}
		if v.Get(loc.Attribute).Exists() {
			direct = append(direct, path+trace.JoinPointer(loc.Attribute))
			return
		}
		walk(v, path, func(p string, x trace.Value) {
			if x.Get(loc.Attribute).Exists() {
				deep = append(deep, p+trace.JoinPointer(loc.Attribute))
			}
		})
	})
	if len(direct) > 0 {
		return direct
	}
	return deep
}

// isRecord reports whether the object at path is a record with the id: under
// the id as key or, as the item of a list, with the id in a field.
func isRecord(path string, v trace.Value, id string) bool {
	cut := strings.LastIndexByte(path, '/')
	if cut < 0 {
		return false
	}
	if path[cut:] == trace.JoinPointer(id) {
		return true
	}
	if _, err := strconv.Atoi(path[cut+1:]); err != nil {
		return false
	}
	for _, f := range v.Fields() {
		if f.Value.Kind() == trace.KindString && f.Value.Text() == id {
			return true
		}
	}
	return false
}

// under reports whether the pointer p is field or lies within it.
func under(p, field string) bool {
	return p == field || strings.HasPrefix(p, field) && p[len(field)] == '/'
}

func anyUnder(field string, list []string) bool {
	for _, p := range list {
		if under(p, field) {
			return true
		}
	}
	return false
}

func filter(list []string, keep func(string) bool) []string {
	var out []string
	for _, s := range list {
		if keep(s) {
			out = append(out, s)
		}
	}
	return out
}
