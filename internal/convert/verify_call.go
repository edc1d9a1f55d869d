package convert

import (
	"hash/fnv"
	"sort"
	"strconv"
	"strings"

	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// trial is one call that is made in both interpreters.
type trial struct {
	Tool      string
	Arguments trace.Value
	Fresh     bool // starts from the case's state; otherwise from what the last call left
}

// rounds is how often each tool is called: twice with values from the state,
// once with an argument that does not fit.
const rounds = 3

// trials draws a fixed series of calls for a case: the reading tools on one
// instance, each writing tool on an instance of its own, and last all writing
// tools in a row, so that the checks have a changed state to look at. A tool
// whose effect is not published counts as writing.
func trials(c string, bp *world.Blueprint, effect map[string]trace.Effect, state trace.Value) []trial {
	d := newDrawer(c, state)
	var reads, writes, row []trial
	for i := range bp.Tools {
		t := &bp.Tools[i]
		for round := range rounds {
			call := trial{Tool: t.Name, Arguments: d.arguments(t, round)}
			if effect[t.Name] == trace.EffectRead {
				reads = append(reads, call)
				continue
			}
			if round == 0 {
				row = append(row, call)
			}
			call.Fresh = round == 0
			writes = append(writes, call)
		}
	}
	out := append(fresh(reads), writes...)
	return append(out, fresh(row)...)
}

// fresh makes the first of a series of calls start from the case's state.
func fresh(list []trial) []trial {
	if len(list) > 0 {
		list[0].Fresh = true
	}
	return list
}

// drawer picks arguments from a state. What it picks depends on its seed and the
// state alone.
type drawer struct {
	seed    string
	fields  map[string][]trace.Value // field name to the scalars that stand in it
	names   []string                 // sorted names of fields
	records []trace.Value            // objects that hold scalars
	keys    []trace.Value            // keys of the containers
}

func newDrawer(seed string, state trace.Value) *drawer {
	d := &drawer{seed: seed, fields: map[string][]trace.Value{}}
	walk(state.Without(nestedConfig), "", func(path string, v trace.Value) {
		scalars := false
		for _, f := range v.Distinct().Fields() {
			switch f.Value.Kind() {
			case trace.KindArray:
			case trace.KindObject:
				if len(d.keys) < 200 {
					d.keys = append(d.keys, trace.String(f.Key))
				}
			default:
				scalars = true
				d.fields[f.Key] = append(d.fields[f.Key], f.Value)
			}
		}
		if scalars {
			d.records = append(d.records, v)
		}
	})
	for name := range d.fields {
		d.names = append(d.names, name)
	}
	sort.Strings(d.names)
	return d
}

// pick is a number in [0, n) that depends on the seed and the labels.
func (d *drawer) pick(n int, labels ...string) int {
	if n <= 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(d.seed + "\x00" + strings.Join(labels, "\x00")))
	sum := h.Sum64()
	return int((sum ^ sum>>32) % uint64(n))
}

// misfits are values that few tools expect.
var misfits = []trace.Value{
	trace.Null(), trace.String(""), trace.String("no-such-thing"), trace.Int(0), trace.Int(-1), trace.Array(),
	trace.Object(), trace.Array(trace.String("x")), trace.Object(trace.Field{Key: "a", Value: trace.Int(1)}),
	trace.Bool(true), trace.Float(3.5), trace.String("ÄÖ \U0001F600 é"), trace.String("2026-02-30"),
}

// arguments draws an argument object. Rounds 0 and 1 take values from the state;
// the last one spoils one argument, adds one or leaves one out.
func (d *drawer) arguments(t *world.Tool, round int) trace.Value {
	label := t.Name + "/" + strconv.Itoa(round)
	record := d.record(t, label)
	var out []trace.Field
	for _, p := range t.Params {
		if !p.Required && d.pick(3, label, p.Name, "omit") == 0 {
			continue
		}
		out = append(out, trace.Field{Key: p.Name, Value: d.value(p, record, label)})
	}
	if round < rounds-1 {
		return trace.Object(out...)
	}
	i := d.pick(len(out)+1, label, "spoil")
	switch {
	case i == len(out):
		out = append(out, trace.Field{Key: "no_such_argument", Value: trace.Int(1)})
	case d.pick(8, label, "leave out") == 0:
		out = append(out[:i], out[i+1:]...)
	default:
		out[i].Value = misfits[d.pick(len(misfits), label, "misfit")]
	}
	return trace.Object(out...)
}

// record picks one of the records that have the most of a tool's arguments as
// fields, so that the arguments belong together.
func (d *drawer) record(t *world.Tool, label string) trace.Value {
	most := 1
	var best []trace.Value
	for _, r := range d.records {
		n := 0
		for _, p := range t.Params {
			if r.Get(p.Name).Exists() {
				n++
			}
		}
		if n > most {
			best, most = nil, n
		}
		if n == most {
			best = append(best, r)
		}
	}
	if len(best) == 0 {
		return trace.Object()
	}
	return best[d.pick(len(best), label, "record")]
}

// value draws one argument.
func (d *drawer) value(p world.Param, record trace.Value, label string) trace.Value {
	if len(p.Type.Enum) > 0 {
		return p.Type.Enum[d.pick(len(p.Type.Enum), label, p.Name)]
	}
	if v := record.Get(p.Name); v.Exists() && fits(p.Type, v) {
		return v
	}
	if list := d.candidates(p); len(list) > 0 {
		return list[d.pick(len(list), label, p.Name)]
	}
	switch {
	case fits(p.Type, trace.String("")) && strings.HasSuffix(p.Name, "id") && len(d.keys) > 0:
		return d.keys[d.pick(len(d.keys), label, p.Name)]
	case fits(p.Type, trace.String("")):
		return trace.String([]string{"2026-03-01", "active", "A note.", "2026-03-01T10:00:00"}[d.pick(4, label, p.Name)])
	case fits(p.Type, trace.Int(1)):
		return trace.Int(int64(d.pick(40, label, p.Name)))
	case fits(p.Type, trace.Bool(true)):
		return trace.Bool(d.pick(2, label, p.Name) == 1)
	case fits(p.Type, trace.Array()):
		return d.list(p, label)
	}
	return d.part(label + p.Name)
}

// candidates are the values of fields that are called like the parameter: by
// the same name, else by a name that ends like it.
func (d *drawer) candidates(p world.Param) []trace.Value {
	if list := fitting(p.Type, d.fields[p.Name]); len(list) > 0 {
		return list
	}
	var out []trace.Value
	for _, n := range d.names {
		if strings.HasSuffix(n, "_"+p.Name) || strings.HasSuffix(p.Name, "_"+n) {
			out = append(out, fitting(p.Type, d.fields[n])...)
		}
	}
	return out
}

// list draws a list argument: values of the field in the singular, or keys.
func (d *drawer) list(p world.Param, label string) trace.Value {
	from := d.fields[strings.TrimSuffix(strings.TrimSuffix(p.Name, "_list"), "s")]
	if len(from) == 0 {
		from = d.keys
	}
	var out []trace.Value
	for i := range 2 {
		if len(from) > 0 {
			out = append(out, from[d.pick(len(from), label, p.Name, strconv.Itoa(i))])
		}
	}
	return trace.Array(out...)
}

// part draws an object argument: some fields of some record.
func (d *drawer) part(label string) trace.Value {
	if len(d.records) == 0 {
		return trace.Object()
	}
	var out []trace.Field
	for _, f := range d.records[d.pick(len(d.records), label, "part")].Distinct().Fields() {
		if d.pick(2, label, f.Key) == 0 {
			out = append(out, f)
		}
	}
	return trace.Object(out...)
}

func fitting(s world.Schema, list []trace.Value) []trace.Value {
	var out []trace.Value
	for _, v := range list {
		if fits(s, v) {
			out = append(out, v)
		}
	}
	return out
}

// fits reports whether a type allows the JSON type of a value.
func fits(s world.Schema, v trace.Value) bool {
	if len(s.Kinds) == 0 {
		return true
	}
	for _, k := range s.Kinds {
		switch k {
		case "boolean":
			if v.Kind() == trace.KindBool {
				return true
			}
		case "integer":
			if v.IsInt() {
				return true
			}
		default:
			if v.Kind().String() == k {
				return true
			}
		}
	}
	return false
}
