package stdlib

import (
	"errors"
	"maps"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/regex"
)

// The re module, on package regex. Compiled patterns and matches are immutable
// values; the cache of compiled patterns hangs on the thread.
var (
	patternType = py.NewType("re", "Pattern")
	matchType   = py.NewType("re", "Match")
	reErrorType = py.NewType("re", "error", py.ExceptionType)
)

// buildRe makes the module re.
func buildRe() *py.Module {
	finishReFlags()
	finishPattern()
	finishMatch()
	reErrorType.Finish(pyMethod(reErrorType, "__init__", "msg, pattern=None, pos=None", reErrorInit))
	members := []py.Member{
		{Name: "Pattern", Value: patternType},
		{Name: "Match", Value: matchType},
		{Name: "error", Value: reErrorType},
		pyFunc("compile", "pattern, flags=0", func(t *py.Thread, a []py.Value) (py.Value, error) {
			return patternResult(compileArgument(t, a[0], a[1]))
		}),
		onPattern("match", "pattern, string, flags=0"),
		onPattern("fullmatch", "pattern, string, flags=0"),
		onPattern("search", "pattern, string, flags=0"),
		onPattern("findall", "pattern, string, flags=0"),
		onPattern("finditer", "pattern, string, flags=0"),
		onPattern("split", "pattern, string, maxsplit=0, flags=0"),
		onPattern("sub", "pattern, repl, string, count=0, flags=0"),
		onPattern("subn", "pattern, repl, string, count=0, flags=0"),
		pyFunc("escape", "pattern", reEscape),
		pyFunc("purge", "", func(t *py.Thread, _ []py.Value) (py.Value, error) {
			*patternsOf(t) = patternCache{}
			return py.None, nil
		}),
	}
	return py.NewModule("re", append(members, reFlagMembers()...)...)
}

// onPattern makes a module function that compiles its first argument, with the
// flags in its last, and calls the method of that name with the others.
func onPattern(name, sig string) py.Member {
	return pyFunc(name, sig, func(t *py.Thread, a []py.Value) (py.Value, error) {
		last := len(a) - 1
		p, err := compileArgument(t, a[0], a[last])
		if err != nil {
			return nil, err
		}
		args := a[1:last]
		if args[len(args)-1] == nil {
			args = args[:len(args)-1]
		}
		f, _ := patternType.Lookup(name)
		return t.Call(f, append([]py.Value{p}, args...), nil)
	})
}

// patternKey identifies a compiled pattern.
type patternKey struct {
	text  string
	flags regex.Flag
	bytes bool
}

// patternCache holds a thread's compiled patterns: new ones in young, the
// others in old. The map old is never changed, only replaced, so that clones
// may share it; young is small enough to be copied.
type patternCache struct{ old, young map[patternKey]*rePattern }

// The cache holds about maxPatterns, none longer than maxCached bytes, since
// it outlives the call whose limits paid for it. A full one is dropped.
const (
	maxPatterns = 256
	maxYoung    = 16
	maxCached   = 512
)

// Clone copies the cache for a fork.
func (c *patternCache) Clone() py.Local { return &patternCache{c.old, maps.Clone(c.young)} }

func patternsOf(t *py.Thread) *patternCache {
	return t.Local("re", func() py.Local { return &patternCache{} }).(*patternCache)
}

func (c *patternCache) get(k patternKey) (*rePattern, bool) {
	if p, ok := c.young[k]; ok {
		return p, true
	}
	p, ok := c.old[k]
	return p, ok
}

func (c *patternCache) put(k patternKey, p *rePattern) {
	if len(k.text) > maxCached {
		return
	}
	if len(c.young) >= maxYoung {
		if len(c.old) < maxPatterns {
			maps.Copy(c.young, c.old)
		}
		c.old, c.young = c.young, nil
	}
	if c.young == nil {
		c.young = make(map[patternKey]*rePattern, maxYoung)
	}
	c.young[k] = p
}

// compileSteps is what compiling costs for each byte of the pattern.
const compileSteps = 32

// compilePattern returns the compiled form of a str or bytes pattern.
func compilePattern(t *py.Thread, source py.Value, flags regex.Flag) (*rePattern, error) {
	k := patternKey{flags: flags}
	if b, ok := py.Unwrap(source).(*py.Bytes); ok {
		k.text, k.bytes = b.B, true
	} else {
		s, _ := py.AsStr(source)
		k.text = s.String()
	}
	cache := patternsOf(t)
	if p, ok := cache.get(k); ok {
		return p, nil
	}
	if err := t.Charge(compileSteps * (len(k.text) + 1)); err != nil {
		return nil, err
	}
	if err := t.Alloc(128 * (len(k.text) + 1)); err != nil {
		return nil, err
	}
	compile := regex.Compile
	if k.bytes {
		compile = regex.CompileBytes
	}
	re, err := compile(k.text, flags)
	if err != nil {
		return nil, regexError(err)
	}
	p := &rePattern{re, py.Unwrap(source)}
	cache.put(k, p)
	return p, nil
}

// compileRegexp compiles a pattern of the library's own.
func compileRegexp(t *py.Thread, pattern string, flags regex.Flag) (*regex.Regexp, error) {
	p, err := compilePattern(t, py.NewStr(pattern), flags)
	if err != nil {
		return nil, err
	}
	return p.re, nil
}

// compileArgument is re.compile on a pattern or its source.
func compileArgument(t *py.Thread, v, flags py.Value) (*rePattern, error) {
	n := 0
	if flags != nil {
		var ok bool
		if n, ok = flagNumber(flags); !ok {
			return nil, py.TypeErrorf("unsupported operand type(s) for &: '%s' and 'RegexFlag'", longTypeName(flags))
		}
	}
	if p, ok := v.(*rePattern); ok {
		if n != 0 {
			return nil, py.ValueErrorf("cannot process flags argument with a compiled pattern")
		}
		return p, nil
	}
	switch py.Unwrap(v).(type) {
	case *py.Str, *py.Bytes:
		return compilePattern(t, v, regex.Flag(n))
	}
	if _, err := t.Hash(v); err != nil {
		return nil, err
	}
	return nil, py.TypeErrorf("first argument must be string or compiled pattern")
}

// patternResult keeps a nil pattern from becoming a Value that is not nil.
func patternResult(p *rePattern, err error) (py.Value, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// regexError turns an error of package regex into the exception it stands for.
func regexError(err error) error {
	var e *regex.Error
	var flag *regex.FlagError
	var group *regex.GroupError
	var over *regex.OverflowError
	switch {
	case errors.As(err, &e):
		x := py.NewException(reErrorType, py.NewStr(e.Error()))
		var pos, line, col py.Value = py.None, py.None, py.None
		if e.Pos >= 0 {
			pos, line, col = py.Int(e.Pos), py.Int(e.Line), py.Int(e.Col)
		}
		setReError(x, py.NewStr(e.Msg), py.NewStr(e.Pattern), pos, line, col)
		return &py.Raised{Exc: x}
	case errors.As(err, &flag):
		return py.ValueErrorf("%s", flag.Msg)
	case errors.As(err, &group):
		return py.IndexErrorf("%s", group.Msg)
	case errors.As(err, &over):
		return py.OverflowErrorf("%s", over.Msg)
	case errors.Is(err, regex.ErrSpan):
		return py.RaiseType(py.RuntimeErrorType, "%s", err.Error())
	case errors.Is(err, regex.ErrStack):
		return &py.LimitError{Kind: py.LimitMemory, Msg: err.Error()}
	}
	return err
}

func setReError(x *py.Instance, values ...py.Value) {
	for i, name := range []string{"msg", "pattern", "pos", "lineno", "colno"} {
		x.Attrs().SetStr(name, values[i])
	}
}

// reErrorInit is error(msg, pattern=None, pos=None).
func reErrorInit(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	x := self.(*py.Instance)
	msg, pattern, pos := a[0], orNone(a[1]), orNone(a[2])
	var line, col py.Value = py.None, py.None
	text, err := t.Str(msg)
	if err != nil {
		return nil, err
	}
	py.SetExcArgs(x, msg)
	source, isText := textOf(pattern)
	if n, ok := py.AsInt(pos); ok && isText {
		e := &regex.Error{Msg: text, Pattern: source, Pos: int(n)}
		e.Line, e.Col = lineAndColumn(source, int(n))
		line, col = py.Int(e.Line), py.Int(e.Col)
		py.SetExcArgs(x, py.NewStr(e.Error()))
	}
	setReError(x, msg, pattern, pos, line, col)
	return py.None, nil
}

// lineAndColumn locates code point pos of s; both count from 1.
func lineAndColumn(s string, pos int) (line, col int) {
	line, col = 1, pos+1
	at := 0
	for _, r := range s {
		if at >= pos {
			break
		}
		if r == '\n' {
			line, col = line+1, pos-at
		}
		at++
	}
	return line, col
}

// reEscape is re.escape(pattern).
func reEscape(t *py.Thread, a []py.Value) (py.Value, error) {
	switch x := py.Unwrap(a[0]).(type) {
	case *py.Str:
		if err := t.Alloc(2 * len(x.String())); err != nil {
			return nil, err
		}
		return py.NewStr(regex.Escape(x.String())), nil
	case *py.Bytes:
		if err := t.Alloc(2 * len(x.B)); err != nil {
			return nil, err
		}
		return &py.Bytes{B: regex.Escape(x.B)}, nil
	}
	return nil, py.TypeErrorf("decoding to str: need a bytes-like object, %s found", longTypeName(a[0]))
}

// hasBackslash tells a template from literal text.
func hasBackslash(s string) bool { return strings.IndexByte(s, '\\') >= 0 }
