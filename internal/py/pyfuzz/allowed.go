package pyfuzz

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Allowance is a difference from CPython that is accepted on purpose.
type Allowance struct {
	ID    string
	Why   string
	Match func(src string, cpython, ours Result) bool
}

// Allowed returns the accepted differences: every other one is a bug. The
// matchers look at the first difference only, and at the source where the
// difference alone says too little.
func Allowed() []Allowance {
	return []Allowance{
		{
			ID:    "nan-identity",
			Why:   "floats are values here, so two NaNs are one object; containers that compare by identity first see that",
			Match: nanIdentity,
		},
		{
			ID:  "complex",
			Why: "there are no complex numbers: a literal, or a power that makes one, is an error that says so",
			Match: onOurs(func(ours string) bool {
				return strings.Contains(ours, "complex results are not supported here") ||
					strings.Contains(ours, "complex literals are not supported by the world interpreter")
			}),
		},
		{
			ID:  "limit",
			Why: "a program that asks for more memory or output than a world may have is ended, where CPython takes it or raises MemoryError",
			Match: func(_ string, _, ours Result) bool {
				return ours.ErrorType == Timeout &&
					(strings.HasPrefix(ours.ErrorMessage, "limit exceeded (memory)") || strings.HasPrefix(ours.ErrorMessage, "limit exceeded (output)"))
			},
		},
		{
			ID:  "recursion-text",
			Why: "CPython adds to a RecursionError what its C code was doing at that depth",
			Match: func(_ string, cpython, ours Result) bool {
				d, ok := firstDifference(cpython, ours)
				const text = "maximum recursion depth exceeded"
				return ok && strings.Contains(d.a, text+" ") && strings.Contains(d.b, text)
			},
		},
		{
			ID:  "keyword-order",
			Why: "a call checks first that all keywords are strings; some constructors of CPython name an unknown keyword before",
			Match: func(_ string, cpython, ours Result) bool {
				d, ok := firstDifference(cpython, ours)
				return ok && strings.Contains(d.b, "keywords must be strings") && otherKeywordError.MatchString(d.a+" "+cpython.Stdout)
			},
		},
		{
			ID:  "uuid-int",
			Why: "UUID(int=x) with a float in range is refused at once, by CPython only when the UUID is printed",
			Match: onOurs(func(ours string) bool {
				return strings.Contains(ours, "%x format: an integer is required, not float")
			}),
		},
		{
			ID:    "set-order",
			Why:   "which two elements of a mixed set are compared first depends on the order of the set, which is fixed here and random in CPython",
			Match: setOrder,
		},
		{
			ID:    "syntax-detail",
			Why:   "literal_eval of text that is no expression is a SyntaxError, but its wording and position are our parser's",
			Match: syntaxDetail,
		},
		{
			ID:    "cbrt-digit",
			Why:   "math.cbrt is rounded correctly here; glibc's is off in the last digit for some numbers",
			Match: cbrtDigit,
		},
		{
			ID:  "codec",
			Why: "the encodings are utf-8, ascii and latin-1; json.loads of bytes that look like UTF-16 or UTF-32 says so",
			Match: onOurs(func(ours string) bool {
				return strings.Contains(ours, "unknown encoding: utf-16") || strings.Contains(ours, "unknown encoding: utf-32")
			}),
		},
		{
			ID:    "clock",
			Why:   "time.gmtime(None) and the like read the clock, which stands at the epoch here",
			Match: clockRead,
		},
	}
}

// allowance returns the entry that accepts a difference, or nil.
func allowance(list []Allowance, src string, cpython, ours Result) *Allowance {
	for i := range list {
		if list[i].Match(src, cpython, ours) {
			return &list[i]
		}
	}
	return nil
}

// onOurs makes a matcher that looks at our side of the first difference.
func onOurs(match func(ours string) bool) func(string, Result, Result) bool {
	return func(_ string, cpython, ours Result) bool {
		d, ok := firstDifference(cpython, ours)
		return ok && match(d.b)
	}
}

var (
	nanCompared = regexp.MustCompile(`(?m)nan.*(==|!=|\bin\b|\bis\b|count|index|remove|set\(|setdefault|\{|\]\s*=)|(==|!=|\bin\b|\bis\b|count|index|remove|set\(|\{).*nan`)
	truthOrSize = regexp.MustCompile(` *\b(?:True|False|yes|no|\d+)\b *`)
)

var otherKeywordError = regexp.MustCompile(`is an invalid keyword argument for|takes no keyword arguments|takes at most \d+ keyword arguments?|expected at least`)

func nanIdentity(src string, cpython, ours Result) bool {
	d, ok := firstDifference(cpython, ours)
	return ok && nanCompared.MatchString(src) && (truthOrSize.ReplaceAllString(d.a, "X") == truthOrSize.ReplaceAllString(d.b, "X") ||
		strings.Count(d.a, "nan") > strings.Count(d.b, "nan")) // one key where CPython has two
}

func syntaxDetail(src string, cpython, ours Result) bool {
	d, ok := firstDifference(cpython, ours)
	return ok && strings.Contains(src, "literal_eval") && strings.Contains(d.b, "SyntaxError") &&
		(strings.Contains(d.a, "SyntaxError") || strings.Contains(d.a, "<ast.Yield"))
}

var notSupported = regexp.MustCompile(`(not supported between instances of )('\w+') and ('\w+')`)

func setOrder(src string, cpython, ours Result) bool {
	d, ok := firstDifference(cpython, ours)
	return ok && setMaking.MatchString(src) && d.a != d.b && notSupported.ReplaceAllString(d.a, "$1$3 and $2") == d.b
}

var setMaking = regexp.MustCompile(`set\(|\.keys\(\)|\.items\(\)|\{[^:}]+\}`)

var number = regexp.MustCompile(` *-?\d+\.\d+(?:e[-+]?\d+)?`)

func cbrtDigit(src string, cpython, ours Result) bool {
	d, ok := firstDifference(cpython, ours)
	if !ok || !strings.Contains(src, "cbrt") || number.ReplaceAllString(d.a, "#") != number.ReplaceAllString(d.b, "#") {
		return false
	}
	theirs, mine := number.FindAllString(d.a, -1), number.FindAllString(d.b, -1)
	for i := range theirs {
		x, _ := strconv.ParseFloat(strings.TrimSpace(theirs[i]), 64)
		y, _ := strconv.ParseFloat(strings.TrimSpace(mine[i]), 64)
		if x != y && math.Nextafter(x, y) != y {
			return false
		}
	}
	return true
}

var clockCall = regexp.MustCompile(`\b(?:gmtime|localtime|ctime|asctime|strftime)\(`)

func clockRead(src string, cpython, ours Result) bool {
	d, ok := firstDifference(cpython, ours)
	return ok && clockCall.MatchString(src) && strings.Contains(d.b, "1970") && !strings.Contains(d.a, "1970")
}
