package world

import (
	"fmt"
	"strings"

	"gauntlet/internal/trace"
)

// Validate checks an argument object against the tool's schema and returns it
// with whole floats turned to integers where an integer is declared. The
// problem names the argument; it is empty when all is well.
func (t *Tool) Validate(args trace.Value) (trace.Value, string) {
	if !args.Exists() || args.Kind() == trace.KindNull {
		args = trace.Object()
	}
	if args.Kind() != trace.KindObject {
		return args, fmt.Sprintf("arguments are %s, not an object", kindText(args.Kind()))
	}
	args = args.Distinct()
	known := make(map[string]*Param, len(t.Params))
	for i := range t.Params {
		p := &t.Params[i]
		known[p.Name] = p
		if p.Required && !args.Get(p.Name).Exists() {
			return args, fmt.Sprintf("missing argument %q", p.Name)
		}
	}
	for _, f := range args.Fields() {
		p, ok := known[f.Key]
		if !ok {
			if t.VarKw {
				continue
			}
			return args, fmt.Sprintf("unknown argument %q; %s takes %s", f.Key, t.Name, t.paramList())
		}
		v, problem := p.Type.check(f.Value, f.Key)
		if problem != "" {
			// A default of another type (x: str = None) makes null acceptable.
			if f.Value.Kind() == trace.KindNull && !p.Required {
				continue
			}
			return args, problem
		}
		args = args.With(f.Key, v)
	}
	return args, ""
}

// article is the kind of a value with its article: an object, null.
func article(kind string) string {
	switch kind {
	case "null", "absent":
		return kind
	case "array", "integer", "object":
		return "an " + kind
	}
	return "a " + kind
}

func kindText(k trace.Kind) string { return article(k.String()) }

func (t *Tool) paramList() string {
	if len(t.Params) == 0 {
		return "no arguments"
	}
	names := make([]string, len(t.Params))
	for i, p := range t.Params {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// check validates one value; path names it in problems.
func (s *Schema) check(v trace.Value, path string) (trace.Value, string) {
	if len(s.Kinds) > 0 {
		kind := kindOf(v)
		ok := false
		for _, k := range s.Kinds {
			if k == kind || k == "number" && kind == "integer" {
				ok = true
			}
		}
		if !ok && kind == "number" && s.allows("integer") {
			if f, is := v.Float64(); is && f == float64(int64(f)) && f > -1e15 && f < 1e15 {
				v, ok = trace.Int(int64(f)), true
			}
		}
		if !ok {
			return v, fmt.Sprintf("argument %q is %s, not %s", path, article(kind), strings.Join(s.Kinds, " or "))
		}
	}
	if s.Enum != nil {
		for _, e := range s.Enum {
			if trace.Equal(e, v) {
				return v, ""
			}
		}
		return v, fmt.Sprintf("argument %q is not one of %s", path, trace.Array(s.Enum...).String())
	}
	return s.checkParts(v, path)
}

func (s *Schema) checkParts(v trace.Value, path string) (trace.Value, string) {
	switch v.Kind() {
	case trace.KindArray:
		if s.Items == nil || len(s.Items.Kinds) == 0 && s.Items.Enum == nil {
			return v, ""
		}
		items := make([]trace.Value, v.Len())
		for i := range items {
			x, problem := s.Items.check(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			if problem != "" {
				return v, problem
			}
			items[i] = x
		}
		return trace.Array(items...), ""
	case trace.KindObject:
		// Published tools declare records and take parts of them, so missing and
		// additional fields are the tool's own business.
		for _, n := range s.Names {
			if x := v.Get(n); x.Exists() && x.Kind() != trace.KindNull {
				y, problem := s.Props[n].check(x, path+"."+n)
				if problem != "" {
					return v, problem
				}
				v = v.With(n, y)
			}
		}
	}
	return v, ""
}

func (s *Schema) allows(kind string) bool {
	for _, k := range s.Kinds {
		if k == kind {
			return true
		}
	}
	return false
}
