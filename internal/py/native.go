package py

import "strings"

// Kw is one keyword argument of a call.
type Kw struct {
	Name  string
	Value Value
}

// NativeFunc is a library function in Go. a holds the arguments bound to the
// signature, nil where an optional one is absent; a *args parameter arrives as
// *Tuple and **kwargs as *Dict. a must not be kept after the call returns.
type NativeFunc func(t *Thread, a []Value) (Value, error)

// MethodFunc is a library method in Go; self is the receiver, unwrapped to its
// built-in part for methods of built-in classes.
type MethodFunc func(t *Thread, self Value, a []Value) (Value, error)

// Native is a function or method implemented in Go.
type Native struct {
	Name  string
	Owner *Type // class of a method, nil for a function
	Mod   string
	sig   *signature
	fn    NativeFunc
	meth  MethodFunc
	raw   func(t *Thread, args []Value, kw []Kw) (Value, error)
	class bool  // class method: the receiver is the class
	home  *Type // class of a static method, for its name in messages
}

// Type returns builtin_function_or_method or method_descriptor.
func (n *Native) Type() *Type {
	if n.Owner != nil {
		return MethodDescriptorType
	}
	return NativeType
}

// NewFunc makes a library function. sig is a Python parameter list without
// annotations, for example "iterable, /, *, key=None, reverse=False" or
// "*args, **kwargs". Defaults other than None are documentation: an absent
// argument is nil. Positional-only parameters end with "/"; errors for wrong
// counts follow CPython's wording for such functions.
func NewFunc(name, sig string, fn NativeFunc) *Native {
	return &Native{Name: name, sig: parseSignature(sig), fn: fn}
}

// NewMethod makes a library method; sig leaves out self.
func NewMethod(name, sig string, fn MethodFunc) *Native {
	return &Native{Name: name, sig: parseSignature(sig), meth: fn}
}

// NewClassMethod makes a method whose receiver is the class (a *Type).
func NewClassMethod(name, sig string, fn MethodFunc) *Native {
	return &Native{Name: name, sig: parseSignature(sig), meth: fn, class: true}
}

// NewRaw makes a function that receives its arguments unbound.
func NewRaw(name string, fn func(t *Thread, args []Value, kw []Kw) (Value, error)) *Native {
	return &Native{Name: name, raw: fn}
}

// NewRawMethod makes a method that receives its arguments unbound, the receiver first.
func NewRawMethod(name string, fn func(t *Thread, args []Value, kw []Kw) (Value, error)) *Native {
	return &Native{Name: name, raw: fn}
}

type param struct {
	name     string
	optional bool
}

// signature is a parsed parameter list of a native.
type signature struct {
	params  []param // positional ones first, then keyword-only
	posOnly int     // leading positional-only parameters
	pos     int     // positional parameters
	min     int     // required positional parameters
	star    bool    // *args
	dstar   bool    // **kwargs
	size    int     // length of the bound slice
}

func parseSignature(s string) *signature {
	sig := &signature{pos: -1}
	for _, f := range strings.Split(s, ",") {
		f = strings.TrimSpace(f)
		switch {
		case f == "":
		case f == "/":
			sig.posOnly = len(sig.params)
		case f == "*":
			sig.pos = len(sig.params)
		case strings.HasPrefix(f, "**"):
			sig.dstar = true
		case strings.HasPrefix(f, "*"):
			sig.star = true
			sig.pos = len(sig.params)
		default:
			name, _, opt := strings.Cut(f, "=")
			sig.params = append(sig.params, param{strings.TrimSpace(name), opt})
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
	sig.size = len(sig.params)
	if sig.star {
		sig.size++
	}
	if sig.dstar {
		sig.size++
	}
	return sig
}

// call runs the native. For methods args[0] is the receiver.
func (n *Native) call(t *Thread, args []Value, kw []Kw) (Value, error) {
	if n.raw != nil {
		return n.raw(t, args, kw)
	}
	var self Value
	if n.meth != nil {
		if len(args) == 0 {
			return nil, TypeErrorf("unbound method %s.%s() needs an argument", n.Owner.Name, n.Name)
		}
		self = args[0]
		args = args[1:]
		if n.Owner != nil && !n.class {
			if !n.Owner.IsInstance(self) {
				return nil, TypeErrorf("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", n.Name, n.Owner.longName(), TypeName(self))
			}
			if n.Owner.solid {
				self = Unwrap(self)
			}
		}
	}
	sig := n.sig
	if len(kw) == 0 && len(args) == sig.size && !sig.star && !sig.dstar && sig.pos == sig.size {
		if n.meth != nil {
			return n.meth(t, self, args)
		}
		return n.fn(t, args)
	}
	mark := len(t.argStack)
	bound, err := n.bind(t, args, kw)
	if err != nil {
		t.argStack = t.argStack[:mark]
		return nil, err
	}
	var v Value
	if n.meth != nil {
		v, err = n.meth(t, self, bound)
	} else {
		v, err = n.fn(t, bound)
	}
	t.argStack = t.argStack[:mark]
	return v, err
}

// bind lays out arguments by the signature on the thread's argument stack.
func (n *Native) bind(t *Thread, args []Value, kw []Kw) ([]Value, error) {
	sig := n.sig
	if len(kw) > 0 && !sig.dstar && sig.posOnly >= len(sig.params) {
		return nil, TypeErrorf("%s() takes no keyword arguments", n.qualname())
	}
	if total := len(args) + len(kw); !sig.star && !sig.dstar && sig.posOnly < len(sig.params) && total > len(sig.params) {
		how, what := "at most", ""
		if sig.required() == len(sig.params) {
			how = "exactly"
		}
		if len(args) == 0 {
			what = "keyword "
		}
		return nil, TypeErrorf("%s() takes %s %d %sargument%s (%d given)", n.Name, how, len(sig.params), what, plural(len(sig.params)), total)
	}
	if len(args) > sig.pos && !sig.star {
		return nil, n.countError(len(args), len(kw))
	}
	base := len(t.argStack)
	for range sig.size {
		t.argStack = append(t.argStack, nil)
	}
	out := t.argStack[base : base+sig.size : base+sig.size]
	k := min(len(args), sig.pos)
	copy(out, args[:k])
	at := len(sig.params)
	if sig.star {
		out[at] = NewTuple(append([]Value(nil), args[k:]...)...)
		at++
	}
	var extra *Dict
	if sig.dstar {
		extra = &Dict{}
		out[at] = extra
	}
	unknown := ""
	for _, a := range kw {
		i := sig.index(a.Name)
		if i < 0 {
			if extra == nil {
				unknown = a.Name // reported after missing arguments
				continue
			}
			extra.SetStr(a.Name, a.Value)
			continue
		}
		if out[i] != nil {
			return nil, TypeErrorf("argument for %s() given by name ('%s') and position (%d)", n.Name, a.Name, i+1)
		}
		out[i] = a.Value
	}
	for i, p := range sig.params {
		if out[i] != nil || p.optional {
			continue
		}
		if i < sig.posOnly || len(kw) == 0 && sig.posOnly > 0 && i < sig.pos {
			return nil, n.countError(len(args), len(kw))
		}
		if i >= sig.pos {
			return nil, TypeErrorf("%s() missing required keyword-only argument: '%s'", n.Name, p.name)
		}
		return nil, TypeErrorf("%s() missing required argument '%s' (pos %d)", n.Name, p.name, i+1)
	}
	if unknown != "" {
		return nil, TypeErrorf("'%s' is an invalid keyword argument for %s()", unknown, n.Name)
	}
	return out, nil
}

// required is the number of parameters that must be given.
func (s *signature) required() int {
	n := 0
	for _, p := range s.params {
		if !p.optional {
			n++
		}
	}
	return n
}

func (s *signature) index(name string) int {
	for i := s.posOnly; i < len(s.params); i++ {
		if s.params[i].name == name {
			return i
		}
	}
	return -1
}

// countError words a wrong number of arguments as CPython's argument parsers do.
func (n *Native) countError(got, kws int) error {
	sig := n.sig
	if sig.posOnly < len(sig.params) {
		// Functions with keyword parameters.
		if sig.pos == 0 {
			return TypeErrorf("%s() takes no positional arguments", n.Name)
		}
		if got < sig.min && n.Name != "sorted" {
			how := "at least"
			if sig.min == sig.pos {
				how = "exactly"
			}
			return TypeErrorf("%s() takes %s %d positional argument%s (%d given)", n.Name, how, sig.min, plural(sig.min), got)
		}
		if got < sig.min { // sorted hands its arguments on to list.sort
			return TypeErrorf("%s expected %d argument%s, got %d", n.Name, sig.min, plural(sig.min), got)
		}
		how, noun := "at most", "argument"
		if sig.min == sig.pos {
			how = "exactly"
		}
		if len(sig.params) > sig.pos {
			noun = "positional argument"
		}
		return TypeErrorf("%s() takes %s %d %s%s (%d given)", n.Name, how, sig.pos, noun, plural(sig.pos), got+kws)
	}
	switch {
	case sig.pos == 0:
		return TypeErrorf("%s() takes no arguments (%d given)", n.qualname(), got)
	case sig.pos == 1 && sig.min == 1:
		return TypeErrorf("%s() takes exactly one argument (%d given)", n.qualname(), got)
	case sig.min == sig.pos:
		return TypeErrorf("%s expected %d argument%s, got %d", n.Name, sig.min, plural(sig.min), got)
	case got < sig.min:
		return TypeErrorf("%s expected at least %d argument%s, got %d", n.Name, sig.min, plural(sig.min), got)
	}
	return TypeErrorf("%s expected at most %d argument%s, got %d", n.Name, sig.pos, plural(sig.pos), got)
}

func (n *Native) qualname() string {
	switch {
	case n.Owner != nil:
		return n.Owner.Name + "." + n.Name
	case n.home != nil:
		return n.home.Name + "." + n.Name
	case n.Mod != "" && n.Mod != "builtins":
		return n.Mod + "." + n.Name
	}
	return n.Name
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
