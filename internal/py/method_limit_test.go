package py

import (
	"errors"
	"testing"
	"time"
)

// TestMethodLimits checks that calls which would need huge memory or time stop
// at a limit, soon, and do not crash.
func TestMethodLimits(t *testing.T) {
	for _, expr := range []string{
		"'a'.center(10**12)", "'a'.ljust(2**62)", "'a'.rjust(10**10, '\\U0001f600')", "'a'.zfill(10**11)",
		"'%*d' % (10**11, 1)", "'%.*f' % (2**30, 1.0)", "'%99999999999s' % 1", "format(1, '>99999999999')", "format(1.5, '.999999999f')", "f'{1:099999999999}'",
		"'{:{}}'.format(1, 10**11)", "'{:>99999999999}'.format('a')", "format('x', '\\U0001f600>9999999999')",
		"('x' * 10**6).replace('', 'y' * 10**6)", "('\\t' * 10**6).expandtabs(10**9)", "(b'x' * 10**6).replace(b'', b'y' * 10**6)",
		"bytes(10**12)", "list(range(10**12))", "tuple(range(10**12))", "set(range(10**12))", "sum(range(10**12))", "max(range(10**12))", "sorted(range(10**12))",
		"any(x < 0 for x in range(10**12))", "10**12 + 1 in iter(range(10**12))", "dict.fromkeys(range(10**12))", "[].extend(iter(int, 1))", "''.join(iter(str, 1))",
		"(5).to_bytes(10**12, 'big')", "1 << 10**12", "pow(10**3000, 2**20000, 10**3000 + 1)", "round(10**4000, -10**9) + 10**10**9",
		"list(map(lambda x: [0] * 10**5, range(10**6)))", "list(zip(iter(int, 1)))", "list(enumerate(iter(int, 1)))", "list(filter(None, iter(int, 1)))", "next(filter(None, iter(int, 1)))",
		"''.join(['ab' * 10**6] * 10**6)", "b''.join([b'ab' * 10**6] * 10**6)", "('a ' * 10**6).split() * 1000", "{}.update(zip(range(10**12), range(10**12)))",
		"set().union(range(10**12))", "{1}.intersection(range(10**12))", "{1}.isdisjoint(range(2, 10**12))", "range(10**12).index(0.5)", "range(10**12).count('a')",
		"str.translate('a' * 10**6, {97: 'b' * 10**6})", "str(list(range(10**9)))", "'{0}{0}{0}{0}'.format('x' * 10**8)", "print('x' * 10**8)", "int('1' * 10**9)", "sum([[0] * 10**4] * 10**5, [])",
	} {
		start := time.Now()
		_, err := runWithin("x = "+expr, Limits{Steps: 2_000_000, Alloc: 32 << 20, Wall: -1})
		var limit *LimitError
		if _, tooBig := Catch(err, MemoryErrorType); !tooBig && !errors.As(err, &limit) {
			t.Errorf("%s: error %v, want a limit or MemoryError", expr, err)
		}
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%s: took %v", expr, d)
		}
	}
}

func runWithin(src string, lim Limits) (string, error) {
	p, err := CompileSource("test.py", src, nil)
	if err != nil {
		return "", err
	}
	t := NewThread(1, nil, lim)
	_, err = t.Exec(p, "__main__")
	return t.Output(), err
}

// TestMethodFinal checks results that must not hit a limit although a size in
// them is huge.
func TestMethodFinal(t *testing.T) {
	for expr, want := range map[string]string{
		"range(10**12).index(10**11)":      "100000000000",
		"'abc'.find('c', -10**30, 10**30)": "2",
		"pow(3, 10**5, 1000007)":           "",
		"round(1234, -10**30)":             "0",
		"round(1.5, 10**30)":               "1.5",
		"'%.1000000000s' % 'abc'":          "abc",
		"[1, 2].index(2, -10**30)":         "1",
		"10**9 in range(0, 10**18, 10)":    "True",
		"'abc'.replace('b', 'x', 10**18)":  "axc",
		"'a b'.split(None, 10**18)":        "['a', 'b']",
	} {
		out, err := runWithin("print("+expr+")", Limits{})
		if err != nil {
			t.Errorf("%s: %v", expr, err)
		}
		if want != "" && out != want+"\n" {
			t.Errorf("%s = %q, want %q", expr, out, want)
		}
	}
}
