package stdlib

import (
	"fmt"
	"strings"

	"gauntlet/internal/py"
)

// Many library functions are written in Python in CPython. A wrong call to one
// is worded differently from a wrong call to a function in C, so they need a
// binder of their own: pyFunc and pyMethod instead of py.Func and py.Def.

// pyParam is one parameter of a pySig.
type pyParam struct {
	name     string
	optional bool
}

// pySig is a parsed Python parameter list.
type pySig struct {
	name   string    // as messages show it: "dumps", "JSONEncoder.encode"
	params []pyParam // positional ones first, then keyword-only
	pos    int       // positional parameters
	only   int       // leading positional-only parameters
	min    int       // required positional parameters
	star   bool
	dstar  bool
}

// parsePySig reads a parameter list such as "data, n=None, *, method='x'".
// Defaults are documentation; an absent argument arrives as nil.
func parsePySig(name, s string) *pySig {
	sig := &pySig{name: name, pos: -1}
	for _, f := range strings.Split(s, ",") {
		f = strings.TrimSpace(f)
		switch {
		case f == "":
		case f == "/":
			sig.only = len(sig.params)
		case f == "*":
			sig.pos = len(sig.params)
		case strings.HasPrefix(f, "**"):
			sig.dstar = true
		case strings.HasPrefix(f, "*"):
			sig.star, sig.pos = true, len(sig.params)
		default:
			n, _, optional := strings.Cut(f, "=")
			sig.params = append(sig.params, pyParam{n, optional})
		}
	}
	if sig.pos < 0 {
		sig.pos = len(sig.params)
	}
	for _, p := range sig.params[:sig.pos] {
		if !p.optional {
			sig.min++
		}
	}
	return sig
}

// pyFunc makes a module function with CPython's wording for functions written
// in Python. Arguments reach fn as py.NewFunc describes.
func pyFunc(name, sig string, fn py.NativeFunc) py.Member {
	s := parsePySig(name, sig)
	return py.Member{Name: name, Value: py.NewRaw(name, func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
		a, err := s.bind(t, args, kw)
		if err != nil {
			return nil, err
		}
		return fn(t, a)
	})}
}

// pyMethod makes a method of class owner like pyFunc; sig leaves out self.
func pyMethod(owner *py.Type, name, sig string, fn py.MethodFunc) py.Member {
	s := parsePySig(owner.Name+"."+name, "self, "+sig)
	return py.Member{Name: name, Value: py.NewRawMethod(name, func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
		a, err := s.bind(t, args, kw)
		if err != nil {
			return nil, err
		}
		if !owner.IsInstance(a[0]) {
			return nil, py.TypeErrorf("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", name, owner.Name, py.TypeName(a[0]))
		}
		return fn(t, a[0], a[1:])
	})}
}

// bind lays out arguments as parameters, then *args, then **kwargs.
func (s *pySig) bind(t *py.Thread, args []py.Value, kw []py.Kw) ([]py.Value, error) {
	out := make([]py.Value, len(s.params), len(s.params)+2)
	n := min(len(args), s.pos)
	copy(out, args[:n])
	extra := t.NewDict()
	if err := s.checkKeywords(kw); err != nil {
		return nil, err
	}
	for _, k := range kw {
		i := s.index(k.Name)
		switch {
		case i < 0 && !s.dstar:
			return nil, py.TypeErrorf("%s() got an unexpected keyword argument '%s'", s.name, k.Name)
		case i < 0:
			extra.SetStr(k.Name, k.Value)
		case out[i] != nil:
			return nil, py.TypeErrorf("%s() got multiple values for argument '%s'", s.name, k.Name)
		default:
			out[i] = k.Value
		}
	}
	if len(args) > s.pos && !s.star {
		return nil, s.tooMany(len(args))
	}
	if err := s.missing(out[:s.pos], s.params[:s.pos], "positional"); err != nil {
		return nil, err
	}
	if err := s.missing(out[s.pos:], s.params[s.pos:], "keyword-only"); err != nil {
		return nil, err
	}
	if s.star {
		out = append(out, py.NewTuple(append([]py.Value(nil), args[n:]...)...))
	}
	if s.dstar {
		out = append(out, extra)
	}
	return out, nil
}

// checkKeywords refuses positional-only parameters given by name.
func (s *pySig) checkKeywords(kw []py.Kw) error {
	var names []string
	for _, p := range s.params[:s.only] {
		for _, k := range kw {
			if k.Name == p.name && !s.dstar {
				names = append(names, p.name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return py.TypeErrorf("%s() got some positional-only arguments passed as keyword arguments: '%s'", s.name, strings.Join(names, ", "))
}

func (s *pySig) index(name string) int {
	for i := s.only; i < len(s.params); i++ {
		if s.params[i].name == name {
			return i
		}
	}
	return -1
}

func (s *pySig) tooMany(given int) error {
	takes, were := fmt.Sprint(s.pos), "were"
	plural := "s"
	if s.min < s.pos {
		takes = fmt.Sprintf("from %d to %d", s.min, s.pos)
	} else if s.pos == 1 {
		plural = ""
	}
	if given == 1 {
		were = "was"
	}
	return py.TypeErrorf("%s() takes %s positional argument%s but %d %s given", s.name, takes, plural, given, were)
}

// missing reports required parameters without a value: 'a', 'b', and 'c'.
func (s *pySig) missing(got []py.Value, params []pyParam, kind string) error {
	var names []string
	for i, p := range params {
		if got[i] == nil && !p.optional {
			names = append(names, "'"+p.name+"'")
		}
	}
	n := len(names)
	list := ""
	switch n {
	case 0:
		return nil
	case 1:
		list = names[0]
	case 2:
		list = names[0] + " and " + names[1]
	default:
		list = strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
	}
	plural := "s"
	if n == 1 {
		plural = ""
	}
	return py.TypeErrorf("%s() missing %d required %s argument%s: %s", s.name, n, kind, plural, list)
}

// given returns v, or def when the argument is absent.
func given(v, def py.Value) py.Value {
	if v == nil {
		return def
	}
	return v
}

// isSet reports whether an argument is present and not None.
func isSet(v py.Value) bool { return v != nil && v != py.None }
