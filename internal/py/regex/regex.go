// Package regex is an engine for the regular expressions of Python 3.11's re
// module: the same syntax, the same error messages and the same matches,
// including the spans of every group.
//
// Go's regexp package cannot stand in for it: it has no backreferences, no
// lookaround, no possessive quantifiers and other rules for alternation. An
// engine that does backtrack can be driven into exponential time by a hostile
// pattern, so each match is charged against a [Budget] that the caller owns,
// and the backtrack stack is an explicit, bounded slice instead of the Go
// stack.
//
// The work flows through three stages, one group of files each:
//
//	pattern text --parse--> node tree --compile--> program --machine--> Match
//
// A short use:
//
//	re, err := regex.Compile(`(?P<key>\w+)=(\d+)`, 0)
//	m, err := re.Match(regex.NewSubject("a=1"), 0, regex.End, regex.Search, nil)
//	if m != nil {
//		key, _ := m.Group(1)
//	}
//
// Strings are WTF-8: UTF-8 in which a lone surrogate has its own three-byte
// form, so that every Python str has exactly one representation. All positions
// are code point indexes, as in Python.
//
// The package does not know Python's locale flag (L is refused) and emits none
// of re's FutureWarning or DeprecationWarning notices.
package regex

// Flag is a set of pattern flags. The bits are those of Python's re.RegexFlag.
type Flag int

// The flags of the re module. TemplateFlag is re's undocumented T: a pattern that
// has it may not repeat anything. Debug is accepted and has no effect.
const (
	TemplateFlag Flag = 1
	IgnoreCase   Flag = 2
	Locale       Flag = 4
	Multiline    Flag = 8
	DotAll       Flag = 16
	Unicode      Flag = 32
	Verbose      Flag = 64
	Debug        Flag = 128
	ASCII        Flag = 256
)

// typeFlags select the character tables; at most one of them is in force.
const typeFlags = ASCII | Locale | Unicode

// globalFlags apply to a whole pattern and never to a group.
const globalFlags = Debug | TemplateFlag

// GroupName pairs the name of a group with its number.
type GroupName struct {
	Name  string
	Index int
}

// Regexp is a compiled pattern. It is immutable and safe for concurrent use.
type Regexp struct {
	pattern string
	flags   Flag
	bytes   bool
	groups  int // number of capturing groups, without group 0
	names   []GroupName
	index   map[string]int
	prog    []inst
	start   startHint
}

// Compile parses and compiles a str pattern (WTF-8).
//
// The error is an [*Error] (Python's re.error), a [*FlagError] (Python's
// ValueError for flags that contradict each other), or an [*OverflowError].
//
// Compile is not charged to a budget. It takes time and memory in proportion to
// the length of the pattern: a microsecond a character as a rule, ten times as
// much if it consists of nothing but ranges under IgnoreCase. Callers that
// compile hostile patterns should limit their length.
func Compile(pattern string, flags Flag) (*Regexp, error) {
	return compilePattern(pattern, flags, false)
}

// CompileBytes compiles a bytes pattern: each byte of pattern is one
// character, classes and case folding are ASCII, and \u, \U and \N are not
// escapes. Match it with subjects from [NewBytesSubject]. Errors are those of
// [Compile].
func CompileBytes(pattern string, flags Flag) (*Regexp, error) {
	return compilePattern(pattern, flags, true)
}

func compilePattern(pattern string, flags Flag, bytes bool) (*Regexp, error) {
	p := newParser(pattern, flags, bytes)
	tree, err := p.parse()
	if err != nil {
		return nil, err
	}
	re := &Regexp{
		pattern: pattern,
		flags:   p.flags,
		bytes:   bytes,
		groups:  len(p.groupWidths) - 1,
		names:   p.names,
		index:   p.index,
	}
	c := compiler{}
	if err := c.seq(tree, re.flags); err != nil {
		return nil, err
	}
	c.emit(inst{op: opMatch})
	re.prog = c.prog
	re.start = newStartHint(tree, re.flags, re.prog)
	return re, nil
}

// Pattern returns the source text the expression was compiled from.
func (re *Regexp) Pattern() string { return re.pattern }

// Flags returns the flags in force, as Python's Pattern.flags does: those
// given, those written as (?...) at the start of the pattern, and Unicode for
// a str pattern without ASCII.
func (re *Regexp) Flags() Flag { return re.flags }

// Bytes tells whether the expression was made by [CompileBytes].
func (re *Regexp) Bytes() bool { return re.bytes }

// NumGroups returns the number of capturing groups, not counting group 0.
func (re *Regexp) NumGroups() int { return re.groups }

// GroupNames returns the named groups in the order in which they are opened.
// The caller must not change the slice.
func (re *Regexp) GroupNames() []GroupName { return re.names }

// GroupIndex returns the number of a named group, and false for an unknown
// name.
func (re *Regexp) GroupIndex(name string) (int, bool) {
	i, ok := re.index[name]
	return i, ok
}
