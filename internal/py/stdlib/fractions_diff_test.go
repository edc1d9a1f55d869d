package stdlib

import (
	"fmt"
	"testing"
)

func TestFractionsDiff(t *testing.T) {
	diffSnippets(t, "from fractions import Fraction\nfrom fractions import Fraction as F\nimport math", append(fractionsSnippets, fractionsGrid()...))
}

// fractionsGrid combines operands under each operator.
func fractionsGrid() []string {
	var out []string
	left := []string{"F(3, 4)", "F(-7, 2)", "F(0)", "F(5)"}
	right := []string{"F(1, 3)", "F(-2)", "2", "0", "-3", "0.5", "float('nan')", "float('inf')", "True", "'x'", "None", "F(0)", "F(1, 2)"}
	for _, op := range []string{"+", "-", "*", "/", "//", "%", "==", "!=", "<", "<=", ">", ">="} {
		for _, a := range left {
			for _, b := range right {
				out = append(out, fmt.Sprintf("%s %s %s", a, op, b), fmt.Sprintf("%s %s %s", b, op, a))
			}
		}
	}
	return out
}

var fractionsSnippets = []string{
	`F(), F(3), F(6, 4), F(-6, 4), F(6, -4), F(F(1, 2), F(3, 4)), F(True)`, `F(1, 0)`, `F(-3, 0)`, `F(0, 0)`, `F(1.5)`, `F(0.1)`, `F(float('nan'))`, `F(float('inf'))`, `F(1.5, 2)`, `F('a')`, `F(None)`, `F([1])`, `F(1, 'a')`, `F(1, 2, 3)`, `F(denominator=3)`, `F(numerator=3, denominator=6)`, `F(foo=1)`,
	`F('3/4'), F(' -3/4 '), F('+5'), F('1.5'), F('-.5'), F('1e3'), F('1.5E-2'), F('1_000/3'), F('0.1_2'), F('10/4')`, `F('1/0')`, `F('')`, `F('.')`, `F('1/')`, `F('/2')`, `F('1.5/2')`, `F('1 / 2')`, `F('1e')`, `F('--1')`, `F('1__0')`, `F('0x10')`, `F('nan')`, `F('3.')`, `F('1/-2')`, `F('\n1\t')`,
	`str(F(3, 4)), str(F(3)), repr(F(-1, 2)), f"{F(1, 2)}"`, `f"{F(1, 2):.2f}"`, `F(3, 4).numerator, F(3, 4).denominator, F(3, 4).as_integer_ratio()`, `F(1, 2).numerator + 1`,
	`F(3.141592653589793).limit_denominator(1000), F('3.1415926535897932').limit_denominator(), F(4321, 8765).limit_denominator(100), F(-1, 3).limit_denominator(2), F(1, 2).limit_denominator(1), F(3, 2).limit_denominator(1)`, `F(1, 3).limit_denominator(0)`,
	`F.from_float(0.25), F.from_float(3)`, `F.from_float('a')`, `F.from_float(float('inf'))`,
	`F(2, 3) ** 2, F(2, 3) ** -2, F(2, 3) ** 0, F(-2, 3) ** -3, F(4) ** F(1, 2), 2 ** F(3), 2 ** F(1, 2), F(1, 4) ** 0.5, 2.0 ** F(1, 2), F(2) ** F(-2)`, `F(0) ** -1`, `0 ** F(-1)`, `F(1, 2) ** 'a'`, `F(2, 3) ** True`,
	`divmod(F(7, 2), F(1, 3)), divmod(F(-7, 2), 2), divmod(7, F(2, 3)), divmod(F(7, 2), 0.5)`, `divmod(F(1), 0)`, `F(7, 2) // 0`, `F(7, 2) % 0`,
	`-F(1, 2), +F(1, 2), abs(F(-1, 2)), bool(F(0)), bool(F(1, 9))`, `int(F(7, 2)), int(F(-7, 2)), math.floor(F(-7, 2)), math.ceil(F(-7, 2)), math.trunc(F(-7, 2)), float(F(1, 3)), round(F(5, 2)), round(F(7, 2)), round(F(-5, 2)), round(F(22, 7), 3), round(F(1234), -2), round(F(1, 3), 0)`,
	`hash(F(1, 2)) == hash(0.5), hash(F(3)) == hash(3), hash(F(1, 3)), hash(F(-1, 3)), hash(F(10**30, 7)), hash(F(1, 2**61 - 1)), hash(F(-1, 2**61 - 1))`, `{F(1, 2): 'a'}[0.5], {3: 'b'}[F(3)]`, `F(1, 2) in {0.5}, F(1, 2) in [0.5, 1]`, `sorted([F(1, 2), 0.3, F(1, 3), 1])`, `sum([F(1, 3)] * 3), sum([F(1, 3), 0.5])`, `max(F(1, 2), F(2, 3)), min(0.1, F(1, 20))`,
	`F(10**400) + 0.5`, `float(F(10**400))`, `float(F(10**400, 10**399))`, `F(1, 3) + F(1, 6) == F(1, 2)`, `isinstance(F(1), F), type(F(1) + 1).__name__, type(F(1) + 1.0).__name__, F.__module__`, `math.sqrt(F(1, 4))`, `F(1, 2) & 1`, `F(1, 2) < 'a'`, `F(7, 3) == F(7, 3), F(7, 3) != 2.0`,
	"class G(F): pass\ng = G(1, 2)\nprint(repr(g), g + 1, type(g + g).__name__, g == F(1, 2), isinstance(g, F), G.from_float(0.5))", "x = F(1, 2)\nx += 1\nprint(x)", `F(3, 4) + 1 - F(1, 4) * 2 / 3`,
	`F(1, 2).foo`, `F('1' * 20 + '/3')`, `F(3)`,
}
