package stdlib

import (
	"fmt"
	"testing"
)

func TestMathDiff(t *testing.T) {
	diffSnippets(t, "import math", append(mathSnippets, mathGrid()...))
}

// mathGrid calls the functions of one float with special and ordinary values.
func mathGrid() []string {
	var out []string
	for _, f := range []string{"sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
		"sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "gamma", "lgamma", "erf", "fabs", "floor", "ceil", "trunc",
		"frexp", "modf", "ulp", "degrees", "radians", "isnan", "isinf", "isfinite"} {
		for _, x := range []string{"0.0", "-0.0", "1", "-1", "0.5", "2", "-2.5", "100", "1000", "-1000", "1e-300", "1e300", "float('inf')", "-float('inf')", "float('nan')", "10**400", "True", "'x'", "None"} {
			out = append(out, fmt.Sprintf("math.%s(%s)", f, x))
		}
	}
	return out
}

var mathSnippets = []string{
	`math.pi, math.e, math.tau, math.inf, math.nan`,
	`math.factorial(0), math.factorial(20), math.factorial(50)`, `math.factorial(-1)`, `math.factorial(2.0)`, `math.factorial(True)`, `math.factorial('x')`, `math.factorial(10**30)`,
	`math.comb(5, 2), math.comb(50, 25), math.comb(5, 7), math.comb(0, 0), math.comb(10**20, 3)`, `math.comb(-1, 2)`, `math.comb(1, -2)`, `math.comb(2.0, 1)`, `math.comb(5)`,
	`math.perm(5, 2), math.perm(5), math.perm(5, None), math.perm(3, 5), math.perm(10**20, 2)`, `math.perm(-1)`, `math.perm(-1, 2)`, `math.perm(1, -2)`,
	`math.gcd(), math.gcd(12), math.gcd(12, -18), math.gcd(0, 0), math.gcd(2**100, 6**50, 10**30)`, `math.gcd(1.5)`,
	`math.lcm(), math.lcm(12), math.lcm(4, -6), math.lcm(0, 5), math.lcm(2**70, 3, 9)`, `math.lcm('a')`,
	`math.isqrt(0), math.isqrt(15), math.isqrt(16), math.isqrt(10**50)`, `math.isqrt(-1)`, `math.isqrt(2.0)`,
	`math.pow(2, 0.5), math.pow(-8, 3), math.pow(0, 0), math.pow(1, math.nan), math.pow(math.inf, -1), math.pow(-math.inf, 3), math.pow(2, -math.inf)`,
	`math.pow(0, -1)`, `math.pow(-1, 0.5)`, `math.pow(10, 400)`, `math.pow(-0.0, -3)`, `math.pow(-math.inf, 0.5)`, `math.pow('a', 1)`, `math.pow(-1, math.inf)`, `math.pow(math.nan, 0)`,
	`[math.pow(1.05, n) for n in range(20)]`, `[math.pow(3, n) for n in range(34)]`, `[math.pow(0.5, n) for n in (1, 1074, 1075, 1080)]`, `[math.pow(1.5, n/2) for n in range(20)]`,
	`math.fmod(7, 3), math.fmod(-7, 3), math.fmod(7, -3), math.fmod(5.5, math.inf), math.fmod(1e300, 1e-5)`, `math.fmod(1, 0)`, `math.fmod(math.inf, 1)`, `math.fmod(math.nan, 0)`,
	`math.remainder(7, 4), math.remainder(-7, 4), math.remainder(5, 2), math.remainder(1, math.inf)`, `math.remainder(1, 0)`, `math.remainder(math.inf, 1)`,
	`math.copysign(3, -0.0), math.copysign(-3, 1), math.copysign(math.nan, -1)`, `math.copysign(1)`,
	`math.nextafter(1, 2), math.nextafter(1, 0), math.nextafter(0, 1), math.nextafter(0.0, -0.0), math.nextafter(math.inf, 0), math.nextafter(1, math.nan)`,
	`math.ulp(0), math.ulp(1), math.ulp(1.7976931348623157e308), math.ulp(-math.inf)`,
	`math.ldexp(1, 10), math.ldexp(0, 10**30), math.ldexp(1, -2000), math.ldexp(math.inf, 5), math.ldexp(3, -1075)`, `math.ldexp(1, 2000)`, `math.ldexp(1, 10**30)`, `math.ldexp(1, -10**30)`, `math.ldexp(1, 2.0)`,
	`math.log(8, 2), math.log(100, 10), math.log(10**400, 10), math.log(2, 0.5)`, `math.log(0, 2)`, `math.log(2, 1)`, `math.log(2, 0)`, `math.log(2, -1)`, `math.log('a')`, `math.log(-5)`, `math.log2(-1)`, `math.log10(0)`,
	`math.log2(2**500), math.log2(2**2000), math.log10(10**500), math.log(3**1000), math.log2(8), math.log10(1000)`,
	`[math.log10(10**n) for n in range(30)]`, `[math.log2(2**n) for n in range(30)]`, `[math.exp(n) for n in range(-20, 20)]`, `[math.log(n) for n in range(1, 60)]`,
	`[math.sin(n) for n in range(40)]`, `[math.cos(n) for n in range(40)]`, `[math.tan(n) for n in range(40)]`, `[math.sin(10**n) for n in range(0, 300, 7)]`, `[math.cos(-(10**n)) for n in range(0, 300, 7)]`,
	`[math.atan(n / 7) for n in range(-20, 20)]`, `[math.asin(n / 20) for n in range(-20, 21)]`, `[math.acos(n / 20) for n in range(-20, 21)]`,
	`math.sin(math.pi), math.cos(math.pi/2), math.tan(math.pi/4), math.sin(1e-10), math.sin(5e-324), math.tan(1e-200)`,
	`math.atan2(1, 1), math.atan2(-1, -1), math.atan2(0, -1), math.atan2(-0.0, -1), math.atan2(math.inf, -math.inf), math.atan2(1e-300, 1e300), math.atan2(1e300, 1e-300), math.atan2(3, -4), math.atan2(1e-310, 2)`, `math.atan2(1)`,
	`[math.gamma(n / 2) for n in range(1, 60)]`, `[math.gamma(-n - 0.5) for n in range(20)]`, `[math.lgamma(n / 3) for n in range(1, 60)]`, `math.gamma(171), math.gamma(171.6)`, `math.gamma(172)`, `math.gamma(-3)`, `math.lgamma(-3)`, `math.lgamma(-3.5), math.lgamma(1e10), math.lgamma(-1e300)`,
	`math.hypot(), math.hypot(3), math.hypot(3, 4), math.hypot(1, 2, 3), math.hypot(1e200, 1e200), math.hypot(math.inf, math.nan), math.hypot(math.nan, 1), math.hypot(5e-324, 5e-324), math.hypot(-3)`, `math.hypot('a')`,
	`math.dist([1, 2], [4, 6]), math.dist((1, 2, 3), [4, 5, 6]), math.dist([], [])`, `math.dist([1], [1, 2])`, `math.dist(1, 2)`, `math.dist(['a'], [1])`,
	`math.fsum([0.1] * 10), math.fsum([]), math.fsum([1e16, 1, -1e16]), math.fsum([1e-320] * 3), math.fsum([math.inf, 1]), math.fsum([-0.0]), math.fsum([1, 2, True])`,
	`math.fsum([math.inf, -math.inf])`, `math.fsum([math.nan, math.inf])`, `math.fsum([1e308, 1e308])`, `math.fsum([1e308, 1e308, -1e308])`, `math.fsum(['a'])`, `math.fsum(1)`, `math.fsum([10**400])`,
	`math.fsum(1 / n for n in range(1, 200))`, `math.fsum([1e100, 1.0, -1e100, 1e-30])`,
	`math.prod([1, 2, 3]), math.prod([]), math.prod([1.5, 2]), math.prod([2], start=5), math.prod([10**20] * 3), math.prod(['a', 2])`, `math.prod(5)`, `math.prod([1], 2)`,
	`math.isclose(1, 1 + 1e-10), math.isclose(1, 1.1), math.isclose(0, 1e-10), math.isclose(0, 1e-10, abs_tol=1e-9), math.isclose(math.inf, math.inf), math.isclose(math.nan, math.nan), math.isclose(1, 1.05, rel_tol=0.1)`, `math.isclose(1, 2, rel_tol=-1)`, `math.isclose(1)`, `math.isclose(1, 2, 3)`,
	`math.floor(2.7), math.floor(-2.7), math.ceil(2.1), math.ceil(-2.1), math.trunc(-2.7), math.floor(1e20), math.ceil(5), math.floor(True), math.ceil(10**30)`,
	`math.degrees(math.pi), math.radians(180), math.degrees(1), math.radians(1)`, `[math.degrees(n / 10) for n in range(50)]`, `[math.radians(n) for n in range(50)]`,
	"class A:\n    def __floor__(self): return 'f'\n    def __ceil__(self): return 'c'\n    def __trunc__(self): return 't'\nprint(math.floor(A()), math.ceil(A()), math.trunc(A()))",
	"class A:\n    def __float__(self): return 2.5\nprint(math.floor(A()), math.sqrt(A()))\nmath.trunc(A())",
	"class A:\n    def __index__(self): return 6\nprint(math.factorial(A()), math.gcd(A(), 4), math.isqrt(A()), math.sqrt(A()))",
	"class A:\n    def __float__(self): return 'x'\nmath.sqrt(A())",
	"class A:\n    pass\nmath.floor(A())", "class F(float): pass\nprint(math.sqrt(F(4)), math.floor(F(2.5)), math.trunc(F(2.5)))",
	`math.atan2(1, 2, 3)`, `math.log()`, `math.log(1, 2, 3)`, `math.copysign('a', 1)`, `math.fabs([])`,
}
