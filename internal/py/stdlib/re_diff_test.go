package stdlib

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gauntlet/internal/py"
)

func TestReTable(t *testing.T) {
	diffExpressions(t, "import re\np = re.compile('a(b)?(?P<n>c)?')\nm = p.match('ab')", expressions(t, "re.txt"))
}

// reHeader defines show(m), which reads everything a match knows.
const reHeader = `
import re
def show(m):
    if m is None:
        return None
    return (m.span(), m.group(), m.groups(), m.groupdict(), m.lastindex, m.lastgroup, m.pos, m.endpos, m.regs, repr(m))
def r(f, *args, **kw):
    try:
        return repr(f(*args, **kw))
    except Exception as e:
        return type(e).__name__ + ': ' + str(e)
`

func TestReRandom(t *testing.T) {
	patterns := []string{`a`, `a*`, `(a)|b`, `(?P<x>a+)(?P<y>b)?`, `\b\w+\b`, `\s+`, `(\d+)-(\d+)`, `^.`, `.$`, ``, `(?i)B`, `x*`, `(?=a)`, `[^a-z]`,
		`(?P<k>\w+)=(?P<v>[^;]*)`, `(a)(b)?(c)?`, `é|日`, `(?s).+`, `(?m)^\w`, `a{2,3}?`, `(`, `[`, `*a`, `(?P<1>a)`}
	subjects := []string{"", "a", "aab", "abcabc", "hello world", "12-34 5-6", "k=v;x=;y=2", "a\nb\n", "éa日b", "B b", "xxaxx", "aaaa"}
	templates := []string{"-", "", `\1`, `<\g<0>>`, `\g<x>`, `\n`, `\\`, `\2\1`, `\q`, `\g<`, `é`}
	rng := rand.New(rand.NewPCG(9, 10))
	var calls []string
	for range 2500 {
		p, s := patterns[rng.IntN(len(patterns))], subjects[rng.IntN(len(subjects))]
		flags := pick(rng, "0", "0", "re.I", "re.M|re.S", "re.X", "re.A")
		switch rng.IntN(7) {
		case 0:
			calls = append(calls, fmt.Sprintf("r(lambda: show(re.%s(%q, %q, %s)))", pick(rng, "match", "search", "fullmatch"), p, s, flags))
		case 1:
			calls = append(calls, fmt.Sprintf("r(re.findall, %q, %q, %s)", p, s, flags))
		case 2:
			calls = append(calls, fmt.Sprintf("r(re.split, %q, %q, %d, %s)", p, s, rng.IntN(4)-1, flags))
		case 3:
			calls = append(calls, fmt.Sprintf("r(re.%s, %q, %q, %q, %d, %s)", pick(rng, "sub", "subn"), p, templates[rng.IntN(len(templates))], s, rng.IntN(4)-1, flags))
		case 4:
			calls = append(calls, fmt.Sprintf("r(re.sub, %q, lambda m: str(m.span()), %q)", p, s))
		case 5:
			calls = append(calls, fmt.Sprintf("r(lambda: [show(m) for m in re.compile(%q, %s).finditer(%q, %d, %d)])", p, flags, s, rng.IntN(5)-1, rng.IntN(9)-1))
		default:
			calls = append(calls, fmt.Sprintf("r(lambda: (re.compile(%q, %s), re.compile(%q).groups, re.search(%q, %q).expand(%q)))", p, flags, p, p, s, templates[rng.IntN(len(templates))]))
		}
	}
	diffExpressions(t, reHeader, batches(calls))
}

// TestReHostile checks that a pattern in exponential time meets the limits.
func TestReHostile(t *testing.T) {
	for _, src := range []string{
		"re.match('(a|a)*b', 'a' * 64)",
		"re.sub('a', 'x' * 10000, 'a' * 10000)",
		"re.findall('', 'a' * 10000000)",
		"re.compile('(' * 2000000)",
		"re.split('', 'é' * 10000000)",
	} {
		_, err := RunSource("import re\n" + src + "\n")
		var limit *py.LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: %v, want a limit error", src, err)
		}
	}
}

// TestReCache checks that compiled patterns are shared within a thread.
func TestReCache(t *testing.T) {
	out, err := RunSource("import re\nprint(re.compile('a') is re.compile('a'), re.compile('a') is re.compile('a', re.I))\n" +
		"for i in range(200):\n    re.compile('b%d' % i)\nre.purge()\nprint(re.compile('a') == re.compile('a'))\n")
	if err != nil || out != "True False\nTrue\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

// TestReIterFork checks that a copied finditer continues on its own.
func TestReIterFork(t *testing.T) {
	th := py.NewThread(1, Library, py.Limits{})
	p, err := compilePattern(th, py.NewStr("a"), 0)
	if err != nil {
		t.Fatal(err)
	}
	v, err := finditer(th, p, []py.Value{py.NewStr("aXaXa"), nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	it := v.(*matchIter)
	next := func(th *py.Thread, it *matchIter) string {
		m, err := it.Next(th)
		if err != nil || m == nil {
			return fmt.Sprint(m, err)
		}
		s, _ := th.Repr(m)
		return s
	}
	first := next(th, it)
	c, _ := it.CopyFor(nil)
	other := py.NewThread(2, Library, py.Limits{})
	a, b := next(th, it)+next(th, it)+next(th, it), ""
	for range 3 {
		b += next(other, c.(*matchIter))
	}
	if a != b || !strings.Contains(first, "span=(0, 1)") || !strings.Contains(a, "span=(4, 5)") {
		t.Errorf("original %q, then %q, copy %q", first, a, b)
	}
}
