package stdlib

import (
	"errors"
	"testing"
	"time"

	"gauntlet/internal/py"
)

// TestHostileArguments runs calls that ask for too much. Each must end soon,
// with a limit, a Python exception or a result.
func TestHostileArguments(t *testing.T) {
	for _, src := range []string{
		"import math; math.factorial(10**9)", "import math; math.factorial(10**18)", "import math; math.comb(10**9, 5*10**8)", "import math; math.comb(10**18, 10**17)", "import math; math.perm(10**9, 10**8)", "import math; math.isqrt(1 << 8000000)",
		"import math\nx = 3 ** 500000\nmath.gcd(x, x + 1)", "import math\nx = 1\nwhile True: x = math.lcm(x, x + 1)", "import math; math.prod([10**100000] * 10**5)", "import math; math.fsum(iter(int, 1))",
		"import random; random.getrandbits(10**12)", "import random; random.randbytes(10**12)", "import random; random.choices('ab', k=10**12)", "import random; random.sample(range(10**18), 10**12)", "import random; random.sample([1], 10**9, counts=[10**12])", "import random; random.randrange(1 << 8000000)", "import random; random.choices([1], k=2**70)", "import random; random.seed('x' * 10**7)",
		"import json; json.dumps([1], indent=10**12)", "import json; json.dumps([1] * 10**6, indent=10**4)", "import json; json.loads('[' * 10**6)", "import json; json.loads('1' * 10**6)", "import json; json.loads('\"' + 'a' * 10**7 + '\"')", "import json\nx = []\nfor i in range(800): x = [x]\njson.dumps([x] * 10**5)", "import json\nclass E(json.JSONEncoder):\n    def default(self, o): return [object()]\njson.dumps(object(), cls=E)", "import json\nclass E(json.JSONEncoder):\n    def default(self, o): return object()\nE(check_circular=False).encode(object())",
		"import json; json.dumps({'a': 'x' * 1000}, indent='y' * 10**6)",
		"from fractions import Fraction as F; F('1e1000000000')", "from fractions import Fraction as F; F('1e-99999999999999999999')", "from fractions import Fraction as F\nx = F(3, 7)\nwhile True: x = x * x + 1", "from fractions import Fraction as F; F(2) ** 10**10", "from fractions import Fraction as F; round(F(1, 3), 10**10)", "from fractions import Fraction as F; F('1' * 10**6)",
		"import statistics; statistics.quantiles([1, 2], n=10**12)", "import statistics; statistics.NormalDist().samples(10**12)", "import statistics; statistics.NormalDist().quantiles(10**12)", "import statistics; statistics.mean(iter(int, 1))", "import statistics\nfrom fractions import Fraction as F\nstatistics.mean(F(1, n) for n in range(1, 10**6))", "import statistics; statistics.variance([1e308, 1e-308] * 10**5)",
		"import string; string.Template('$a' * 10**5).substitute(a='x' * 10**5)", "import string; string.Template('${' * 10**6).safe_substitute()",
		"import textwrap; textwrap.wrap('a b ' * 10**6, 10**12)", "import textwrap; textwrap.fill('a ' * 10**5, 10**6, initial_indent='x' * 10**5, subsequent_indent='y' * 10**5)", "import textwrap; textwrap.wrap('\\t' * 10**5, tabsize=10**6)", "import textwrap; textwrap.wrap('x' * 10**6, 1)", "import textwrap; textwrap.indent('a\\n' * 10**5, 'x' * 10**5)", "import textwrap; textwrap.wrap('-' * 10**6, 5)", "import textwrap; textwrap.wrap('a--' * 10**5, 5)",
		"import unicodedata; unicodedata.normalize('NFKD', '\\ufdfa' * 10**7)", "import unicodedata; unicodedata.normalize('NFC', 'a' + '\\u0301' * 10**6)", "import ast; ast.literal_eval('[' * 10**6)", "import ast; ast.literal_eval('1,' * 10**6)", "import ast; ast.literal_eval('-' * 10**6 + '1')",
		"import base64; base64.b64encode(b'x' * 10**8)", "import hashlib\nh = hashlib.md5()\nwhile True: h.update(b'x' * 10**6)", "import hashlib\nh = hashlib.md5(b'x' * 10**7)\nwhile True: h.digest()", "import heapq; list(heapq.merge(iter(int, 1)))", "import heapq; heapq.nlargest(5, iter(int, 1))", "import bisect\nclass S:\n    def __len__(s): return 2**62\n    def __getitem__(s, i): return s\n    def __lt__(s, o): return True\nbisect.bisect(S(), S())",
		"import sys\nwhile True: sys.stdout.write('x' * 10**5)",
	} {
		start := time.Now()
		_, err := RunSource(src)
		var limit *py.LimitError
		var raised *py.Raised
		if err != nil && !errors.As(err, &limit) && !errors.As(err, &raised) {
			t.Errorf("%s: %v", src, err)
		}
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s took %v", src, d)
		} else if d > 2*time.Second {
			t.Logf("%s took %v: %v", src, d, err)
		}
	}
}

// FuzzJSONLoads checks that loads ends on any text, and that what it accepts
// survives a round trip.
func FuzzJSONLoads(f *testing.F) {
	for _, s := range []string{`{"a": [1, 2.5e3, null, true, "\u00e9\ud83d\ude00"]}`, `[`, `{"a"`, `"\ud800"`, `-Infinity`, "\"\xff\"", `1e999`, `[[[[]]]]`, `"\`} {
		f.Add(s)
	}
	m := buildJSON()
	loads, _ := m.Attrs.GetStr("loads")
	dumps, _ := m.Attrs.GetStr("dumps")
	f.Fuzz(func(t *testing.T, s string) {
		th := py.NewThread(1, nil, py.Limits{})
		v, err := th.Call(loads, []py.Value{py.NewStr(s)}, nil)
		var raised *py.Raised
		var limit *py.LimitError
		if err != nil {
			if !errors.As(err, &raised) && !errors.As(err, &limit) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		text, err := th.Call(dumps, []py.Value{v}, nil)
		if err != nil {
			t.Fatalf("dumps of %q: %v", s, err)
		}
		again, err := th.Call(loads, []py.Value{text}, nil)
		if err != nil {
			t.Fatalf("loads of %q: %v", text, err)
		}
		one, _ := th.Repr(v)
		two, _ := th.Repr(again)
		if one != two {
			t.Fatalf("%q: %s became %s", s, one, two)
		}
	})
}

// FuzzTextParsers feeds one text to the other parsers of the library.
func FuzzTextParsers(f *testing.F) {
	for _, s := range []string{"3/4", "1_0.5e-3", "[1, {'a': (2,)}]", "$a ${b} $$ $", "aGVsbG8=", "a-b c--d \xed\xa0\x80", "LATIN SMALL LETTER A"} {
		f.Add(s)
	}
	th := func() *py.Thread { return py.NewThread(1, nil, py.Limits{Steps: 1 << 20}) }
	var calls []py.Value
	for _, c := range []struct {
		m    *py.Module
		name string
	}{
		{buildFractions(), "Fraction"}, {buildAST(), "literal_eval"}, {buildBase64(), "b64decode"}, {buildBase64(), "b32decode"},
		{buildTextwrap(), "wrap"}, {buildTextwrap(), "dedent"}, {buildUnicodedata(), "lookup"}, {buildString(), "capwords"},
	} {
		v, _ := c.m.Attrs.GetStr(c.name)
		calls = append(calls, v)
	}
	m := buildString()
	template, _ := m.Attrs.GetStr("Template")
	f.Fuzz(func(t *testing.T, s string) {
		for _, fn := range calls {
			_, err := th().Call(fn, []py.Value{py.NewStr(s)}, nil)
			checkHostile(t, s, err)
		}
		x, err := th().Call(template, []py.Value{py.NewStr(s)}, nil)
		checkHostile(t, s, err)
		_, err = th().CallMethod(x, "safe_substitute")
		checkHostile(t, s, err)
	})
}

func checkHostile(t *testing.T, s string, err error) {
	t.Helper()
	var raised *py.Raised
	var limit *py.LimitError
	if err != nil && !errors.As(err, &raised) && !errors.As(err, &limit) {
		t.Fatalf("%q: %v", s, err)
	}
}
