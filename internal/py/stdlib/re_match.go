package stdlib

import (
	"fmt"

	"gauntlet/internal/py"
	"gauntlet/internal/py/regex"
	"gauntlet/internal/py/text"
)

// reMatch is a re.Match.
type reMatch struct {
	m       *regex.Match
	pattern *rePattern
	subject *reSubject
}

// Type returns Match.
func (*reMatch) Type() *py.Type { return matchType }

// finishMatch attaches the methods of re.Match.
func finishMatch() {
	sealClass(matchType)
	matchType.New = func(*py.Thread, *py.Type, []py.Value, []py.Kw) (py.Value, error) {
		return nil, py.TypeErrorf("cannot create 're.Match' instances")
	}
	attr := func(name string, fn func(x *reMatch) py.Value) py.Member {
		return py.Get(name, func(_ *py.Thread, self py.Value) (py.Value, error) { return fn(self.(*reMatch)), nil })
	}
	matchType.Finish(
		attr("string", func(x *reMatch) py.Value { return x.subject.value }),
		attr("re", func(x *reMatch) py.Value { return x.pattern }),
		attr("pos", func(x *reMatch) py.Value { return py.Int(x.m.Pos) }),
		attr("endpos", func(x *reMatch) py.Value { return py.Int(x.m.EndPos) }),
		attr("lastindex", func(x *reMatch) py.Value {
			if x.m.LastIndex == 0 {
				return py.None
			}
			return py.Int(x.m.LastIndex)
		}),
		attr("lastgroup", func(x *reMatch) py.Value {
			if s := x.m.LastGroup(); s != "" {
				return py.NewStr(s)
			}
			return py.None
		}),
		attr("regs", func(x *reMatch) py.Value {
			items := make([]py.Value, x.pattern.re.NumGroups()+1)
			for i := range items {
				items[i] = x.span(i)
			}
			return py.NewTuple(items...)
		}),
		py.Def("group", "*args", matchGroup),
		py.Def("__getitem__", "key, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return self.(*reMatch).groupBy(t, a[0])
		}),
		py.Def("groups", "default=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			x := self.(*reMatch)
			items := make([]py.Value, x.pattern.re.NumGroups())
			for i := range items {
				var err error
				if items[i], err = x.group(t, i+1, orNone(a[0])); err != nil {
					return nil, err
				}
			}
			return py.NewTuple(items...), nil
		}),
		py.Def("groupdict", "default=None", matchGroupdict),
		spanMethod("start", func(x *reMatch, i int) py.Value { return py.Int(x.m.Spans[2*i]) }),
		spanMethod("end", func(x *reMatch, i int) py.Value { return py.Int(x.m.Spans[2*i+1]) }),
		spanMethod("span", (*reMatch).span),
		py.Def("expand", "template", matchExpand),
		py.Def("__repr__", "/", matchRepr),
		genericMember(),
		selfMember("__copy__", "/"),
		selfMember("__deepcopy__", "memo, /"),
	)
}

func (x *reMatch) span(i int) py.Value {
	return py.NewTuple(py.Int(x.m.Spans[2*i]), py.Int(x.m.Spans[2*i+1]))
}

// index finds the number of a group given by number or name.
func (x *reMatch) index(t *py.Thread, key py.Value) (int, error) {
	missing := py.IndexErrorf("no such group")
	if s, ok := py.AsStr(key); ok {
		if i, ok := x.pattern.re.GroupIndex(s.String()); ok {
			return i, nil
		}
		return 0, missing
	}
	n, fits, err := wholeNumber(t, key)
	if err != nil {
		if _, wrong := py.Catch(err, py.TypeErrorType); !wrong {
			return 0, err
		}
		if _, err := t.Hash(key); err != nil {
			return 0, err
		}
		return 0, missing
	}
	if !fits || n < 0 || n > int64(x.pattern.re.NumGroups()) {
		return 0, missing
	}
	return int(n), nil
}

// group is the text of group i, or def when it took no part.
func (x *reMatch) group(t *py.Thread, i int, def py.Value) (py.Value, error) {
	s, ok := x.m.Group(i)
	if !ok {
		return def, nil
	}
	return x.pattern.piece(t, s)
}

func (x *reMatch) groupBy(t *py.Thread, key py.Value) (py.Value, error) {
	i, err := x.index(t, key)
	if err != nil {
		return nil, err
	}
	return x.group(t, i, py.None)
}

func matchGroup(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	x := self.(*reMatch)
	keys := a[0].(*py.Tuple).Items
	switch len(keys) {
	case 0:
		return x.group(t, 0, py.None)
	case 1:
		return x.groupBy(t, keys[0])
	}
	items := make([]py.Value, len(keys))
	for i, k := range keys {
		var err error
		if items[i], err = x.groupBy(t, k); err != nil {
			return nil, err
		}
	}
	return py.NewTuple(items...), nil
}

func matchGroupdict(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	x := self.(*reMatch)
	d := t.NewDict()
	for _, g := range x.pattern.re.GroupNames() {
		v, err := x.group(t, g.Index, orNone(a[0]))
		if err != nil {
			return nil, err
		}
		if err := d.Set(t, py.NewStr(g.Name), v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// spanMethod makes start, end or span.
func spanMethod(name string, fn func(x *reMatch, i int) py.Value) py.Member {
	return py.Def(name, "group=0, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		x := self.(*reMatch)
		i := 0
		if a[0] != nil {
			var err error
			if i, err = x.index(t, a[0]); err != nil {
				return nil, err
			}
		}
		return fn(x, i), nil
	})
}

func matchExpand(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	x := self.(*reMatch)
	var source string
	switch v := py.Unwrap(a[0]).(type) {
	case *py.Str:
		source = v.String()
	case *py.Bytes:
		source = v.B
	default:
		if _, err := t.Hash(a[0]); err != nil {
			return nil, err
		}
		return nil, py.TypeErrorf("decoding to str: need a bytes-like object, %s found", longTypeName(v))
	}
	if err := t.Alloc(32 * len(source)); err != nil {
		return nil, err
	}
	tmpl, err := regex.ParseTemplate(source, x.pattern.re)
	if err != nil {
		return nil, regexError(err)
	}
	return x.pattern.piece(t, tmpl.Expand(x.m))
}

// matchRepr shortens the text of the match to 50 characters, as CPython does.
func matchRepr(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	x := self.(*reMatch)
	v, err := x.group(t, 0, py.None)
	if err != nil {
		return nil, err
	}
	s, err := t.Repr(v)
	if err != nil {
		return nil, err
	}
	start, end := x.m.Span(0)
	return newString(t, fmt.Sprintf("<re.Match object; span=(%d, %d), match=%s>", start, end, text.Range(s, 0, 50)))
}

var matchIterType = py.NewType("builtins", "callable_iterator")

// matchIter is what finditer returns. It belongs to the thread whose budget
// pays for it; a fork's copy starts anew and skips what was seen.
type matchIter struct {
	pattern     *rePattern
	subject     *reSubject
	pos, endpos int
	seen        int
	it          *regex.Iter
	owner       *py.Thread
}

// Type returns callable_iterator.
func (*matchIter) Type() *py.Type { return matchIterType }

// Next returns the next Match, nil at the end.
func (x *matchIter) Next(t *py.Thread) (py.Value, error) {
	if x.it == nil || x.owner != t {
		x.it, x.owner = x.pattern.re.Iter(x.subject.text, x.pos, x.endpos, t.Charge), t
		for range x.seen {
			if _, err := x.pattern.next(t, x.it); err != nil {
				return nil, err
			}
		}
	}
	m, err := x.pattern.next(t, x.it)
	if m == nil || err != nil {
		return nil, err
	}
	x.seen++
	return x.pattern.match(t, x.subject, m)
}

// CopyFor copies the iterator for a fork.
func (x *matchIter) CopyFor(*py.Copier) (py.Value, error) {
	return &matchIter{pattern: x.pattern, subject: x.subject, pos: x.pos, endpos: x.endpos, seen: x.seen}, nil
}

func finditer(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	p := self.(*rePattern)
	s, pos, endpos, err := p.span(t, a)
	if err != nil {
		return nil, err
	}
	return &matchIter{pattern: p, subject: s, pos: pos, endpos: endpos}, nil
}
