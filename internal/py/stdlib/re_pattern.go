package stdlib

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/regex"
	"gauntlet/internal/py/text"
)

// rePattern is a re.Pattern.
type rePattern struct {
	re     *regex.Regexp
	source py.Value // *py.Str or *py.Bytes
}

// Type returns Pattern.
func (*rePattern) Type() *py.Type { return patternType }

// reSubject is a string prepared for matching.
type reSubject struct {
	value py.Value // as it was passed
	text  *regex.Subject
}

// subject checks and prepares the string argument of a method.
func (p *rePattern) subject(t *py.Thread, v py.Value) (*reSubject, error) {
	switch x := py.Unwrap(v).(type) {
	case *py.Str:
		if p.re.Bytes() {
			return nil, py.TypeErrorf("cannot use a bytes pattern on a string-like object")
		}
		s := x.String()
		if !x.ASCII() {
			if err := t.Alloc(4 * len(s)); err != nil {
				return nil, err
			}
		}
		return &reSubject{v, regex.NewSubject(s)}, t.Charge(len(s) >> 6)
	case *py.Bytes:
		if !p.re.Bytes() {
			return nil, py.TypeErrorf("cannot use a string pattern on a bytes-like object")
		}
		return &reSubject{v, regex.NewBytesSubject(x.B)}, nil
	}
	return nil, py.TypeErrorf("expected string or bytes-like object, got '%s'", longTypeName(v))
}

// piece makes a str or bytes of a part of the subject.
func (p *rePattern) piece(t *py.Thread, s string) (py.Value, error) {
	if err := t.Alloc(len(s) + 32); err != nil {
		return nil, err
	}
	if p.re.Bytes() {
		return &py.Bytes{B: s}, nil
	}
	return py.NewStr(s), nil
}

// sizeArgument converts a pos or endpos argument.
func sizeArgument(t *py.Thread, v py.Value, def int) (int, error) {
	if v == nil {
		return def, nil
	}
	n, fits, err := wholeNumber(t, v)
	if err == nil && !fits {
		err = py.OverflowErrorf("Python int too large to convert to C ssize_t")
	}
	return int(n), err
}

// span reads the arguments string, pos and endpos.
func (p *rePattern) span(t *py.Thread, a []py.Value) (s *reSubject, pos, endpos int, err error) {
	if pos, err = sizeArgument(t, a[1], 0); err != nil {
		return nil, 0, 0, err
	}
	if endpos, err = sizeArgument(t, a[2], regex.End); err != nil {
		return nil, 0, 0, err
	}
	s, err = p.subject(t, a[0])
	return s, pos, endpos, err
}

const spanSig = "string, pos=0, endpos=9223372036854775807"

// finishPattern attaches the methods of re.Pattern.
func finishPattern() {
	sealClass(patternType)
	patternType.New = func(*py.Thread, *py.Type, []py.Value, []py.Kw) (py.Value, error) {
		return nil, py.TypeErrorf("cannot create 're.Pattern' instances")
	}
	attr := func(name string, fn func(p *rePattern) py.Value) py.Member {
		return py.Get(name, func(_ *py.Thread, self py.Value) (py.Value, error) { return fn(self.(*rePattern)), nil })
	}
	patternType.Finish(
		attr("pattern", func(p *rePattern) py.Value { return p.source }),
		attr("flags", func(p *rePattern) py.Value { return py.Int(p.re.Flags()) }),
		attr("groups", func(p *rePattern) py.Value { return py.Int(p.re.NumGroups()) }),
		attr("groupindex", func(p *rePattern) py.Value {
			d := &py.Dict{}
			for _, g := range p.re.GroupNames() {
				d.SetStr(g.Name, py.Int(g.Index))
			}
			return &py.MappingProxy{D: d}
		}),
		matchMethod("match", regex.Prefix),
		matchMethod("fullmatch", regex.FullMatch),
		matchMethod("search", regex.Search),
		py.Def("findall", spanSig, findall),
		py.Def("finditer", spanSig, finditer),
		py.Def("split", "string, maxsplit=0", patternSplit),
		py.Def("sub", "repl, string, count=0", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			v, _, err := self.(*rePattern).substitute(t, a)
			return v, err
		}),
		py.Def("subn", "repl, string, count=0", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			v, n, err := self.(*rePattern).substitute(t, a)
			if err != nil {
				return nil, err
			}
			return py.NewTuple(v, py.Int(n)), nil
		}),
		py.Def("__repr__", "/", patternRepr),
		py.Def("__eq__", "other, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			q, ok := a[0].(*rePattern)
			if !ok {
				return py.NotImplemented, nil
			}
			p := self.(*rePattern)
			return py.Bool(p.re.Flags() == q.re.Flags() && p.re.Bytes() == q.re.Bytes() && p.re.Pattern() == q.re.Pattern()), nil
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			p := self.(*rePattern)
			h, err := t.HashInt(py.NewTuple(p.source, py.Int(p.re.Flags())))
			return py.Int(h), err
		}),
		genericMember(),
		selfMember("__copy__", "/"),
		selfMember("__deepcopy__", "memo, /"),
	)
}

// selfMember makes a copy method of an immutable class.
func selfMember(name, sig string) py.Member {
	return py.Def(name, sig, func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) { return self, nil })
}

// genericMember makes a class subscriptable for annotations.
func genericMember() py.Member {
	return classMethod("__class_getitem__", "item, /", func(_ *py.Thread, cls *py.Type, a []py.Value) (py.Value, error) {
		return py.NewGenericAlias(cls, a[0]), nil
	})
}

func matchMethod(name string, mode regex.Mode) py.Member {
	return py.Def(name, spanSig, func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		p := self.(*rePattern)
		s, pos, endpos, err := p.span(t, a)
		if err != nil {
			return nil, err
		}
		m, err := p.re.Match(s.text, pos, endpos, mode, t.Charge)
		if err != nil {
			return nil, regexError(err)
		}
		return p.match(t, s, m)
	})
}

// match makes the Match object of m, None for nil.
func (p *rePattern) match(t *py.Thread, s *reSubject, m *regex.Match) (py.Value, error) {
	if m == nil {
		return py.None, nil
	}
	return &reMatch{m, p, s}, t.Alloc(64 + 8*len(m.Spans))
}

// found is an element of findall: the match, its only group, or its groups.
func (p *rePattern) found(t *py.Thread, m *regex.Match) (py.Value, error) {
	n := p.re.NumGroups()
	if n < 2 {
		s, _ := m.Group(n)
		return p.piece(t, s)
	}
	items := make([]py.Value, n)
	for i := range items {
		s, _ := m.Group(i + 1)
		var err error
		if items[i], err = p.piece(t, s); err != nil {
			return nil, err
		}
	}
	return py.NewTuple(items...), nil
}

func findall(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	p := self.(*rePattern)
	s, pos, endpos, err := p.span(t, a)
	if err != nil {
		return nil, err
	}
	var out []py.Value
	for it := p.re.Iter(s.text, pos, endpos, t.Charge); ; {
		m, err := p.next(t, it)
		if err != nil {
			return nil, err
		}
		if m == nil {
			return t.NewList(out), nil
		}
		v, err := p.found(t, m)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
}

func patternSplit(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	p := self.(*rePattern)
	limit, err := sizeArgument(t, a[1], 0)
	if err != nil {
		return nil, err
	}
	s, err := p.subject(t, a[0])
	if err != nil {
		return nil, err
	}
	var out []py.Value
	last := 0
	add := func(text string, set bool) error {
		v := py.None
		if set {
			if v, err = p.piece(t, text); err != nil {
				return err
			}
		}
		out = append(out, v)
		return nil
	}
	it := p.re.Iter(s.text, 0, regex.End, t.Charge)
	for n := 0; limit == 0 || n < limit; n++ {
		m, err := p.next(t, it)
		if err != nil {
			return nil, err
		}
		if m == nil {
			break
		}
		start, end := m.Span(0)
		if err := add(s.text.Slice(last, start), true); err != nil {
			return nil, err
		}
		for g := 1; g <= p.re.NumGroups(); g++ {
			if err := add(m.Group(g)); err != nil {
				return nil, err
			}
		}
		last = end
	}
	if err := add(s.text.Slice(last, s.text.Len()), true); err != nil {
		return nil, err
	}
	return t.NewList(out), nil
}

// next returns the next match of an iteration, nil at the end, and pays for it.
func (p *rePattern) next(t *py.Thread, it *regex.Iter) (*regex.Match, error) {
	if err := t.Charge(8); err != nil {
		return nil, err
	}
	if err := t.Alloc(128 + 16*p.re.NumGroups()); err != nil {
		return nil, err
	}
	m, err := it.Next()
	if err != nil {
		return nil, regexError(err)
	}
	return m, nil
}

// replacer returns what stands for a match: text, or any value that a callable
// returned.
type replacer func(m *regex.Match) (py.Value, error)

// replacer prepares the argument repl of sub.
func (p *rePattern) replacer(t *py.Thread, repl py.Value, s func() *reSubject) (replacer, error) {
	if t.IsCallable(repl) {
		return func(m *regex.Match) (py.Value, error) {
			v, err := p.match(t, s(), m)
			if err != nil {
				return nil, err
			}
			return t.Call(repl, []py.Value{v}, nil)
		}, nil
	}
	var source string
	switch x := py.Unwrap(repl).(type) {
	case *py.Str:
		source = x.String()
	case *py.Bytes:
		source = x.B
	default:
		if _, err := t.Hash(repl); err != nil {
			return nil, err // compiled templates are cached
		}
		return nil, py.TypeErrorf("decoding to str: need a bytes-like object, %s found", longTypeName(repl))
	}
	if !hasBackslash(source) {
		repl = py.Unwrap(repl)
		return func(*regex.Match) (py.Value, error) { return repl, nil }, nil
	}
	if err := t.Alloc(32 * len(source)); err != nil {
		return nil, err
	}
	tmpl, err := regex.ParseTemplate(source, p.re)
	if err != nil {
		return nil, regexError(err)
	}
	groups := strings.Count(source, `\`)
	return func(m *regex.Match) (py.Value, error) {
		// No group is longer than the match.
		longest := m.Spans[1] - m.Spans[0]
		if err := t.Alloc(len(source) + groups*longest*2); err != nil {
			return nil, err
		}
		if err := t.Charge(len(source)); err != nil {
			return nil, err
		}
		return p.piece(t, tmpl.Expand(m))
	}, nil
}

// substitute is sub(repl, string, count=0); n is the number of replacements.
func (p *rePattern) substitute(t *py.Thread, a []py.Value) (v py.Value, n int, err error) {
	count, err := sizeArgument(t, a[2], 0)
	if err != nil {
		return nil, 0, err
	}
	var s *reSubject
	replace, err := p.replacer(t, a[0], func() *reSubject { return s })
	if err != nil {
		return nil, 0, err
	}
	if s, err = p.subject(t, a[1]); err != nil {
		return nil, 0, err
	}
	var out strings.Builder
	var items, last int
	var bad error // CPython joins the parts at the end: then it finds a wrong one
	for it := p.re.Iter(s.text, 0, regex.End, t.Charge); count == 0 || n < count; n++ {
		m, err := p.next(t, it)
		if err != nil {
			return nil, 0, err
		}
		if m == nil {
			break
		}
		start, end := m.Span(0)
		r, err := replace(m)
		if err != nil {
			return nil, 0, err
		}
		if last < start {
			items++
			out.WriteString(s.text.Slice(last, start))
		}
		last = end
		if r == py.None {
			continue
		}
		part, err := p.joinItem(r, items)
		if bad == nil {
			bad = err
		}
		items++
		if err := t.Alloc(len(part) + end - start); err != nil {
			return nil, 0, err
		}
		out.WriteString(part)
	}
	if bad != nil {
		return nil, 0, bad
	}
	out.WriteString(s.text.Slice(last, s.text.Len()))
	v, err = p.piece(t, out.String())
	return v, n, err
}

// joinItem returns the text of part i of a substitution.
func (p *rePattern) joinItem(v py.Value, i int) (string, error) {
	switch x := py.Unwrap(v).(type) {
	case *py.Str:
		if !p.re.Bytes() {
			return x.String(), nil
		}
	case *py.Bytes:
		if p.re.Bytes() {
			return x.B, nil
		}
	}
	want := "str instance"
	if p.re.Bytes() {
		want = "a bytes-like object"
	}
	return "", py.TypeErrorf("sequence item %d: expected %s, %s found", i, want, longTypeName(v))
}

// patternRepr shortens the pattern to 200 characters, as CPython does.
func patternRepr(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	p := self.(*rePattern)
	s, err := t.Repr(p.source)
	if err != nil {
		return nil, err
	}
	flags := int(p.re.Flags())
	if !p.re.Bytes() && flags&(256|32|4) == 32 {
		flags &^= 32 // a str pattern is Unicode unless it says otherwise
	}
	s = "re.compile(" + text.Range(s, 0, 200)
	if names := reOrderedFlags(flags); len(names) > 0 {
		s += ", " + strings.Join(names, "|")
	}
	return newString(t, s+")")
}
