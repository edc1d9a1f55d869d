package stdlib

import (
	"fmt"
	"testing"
)

func TestRandomDiff(t *testing.T) {
	diffSnippets(t, "import random", append(randomSnippets, randomGrid()...))
}

// randomGrid calls each method with several seeds, through a Random and
// through the module.
func randomGrid() []string {
	var out []string
	for _, call := range []string{
		"random()", "getrandbits(1)", "getrandbits(32)", "getrandbits(33)", "getrandbits(64)", "getrandbits(65)", "getrandbits(1000)", "getrandbits(0)",
		"randrange(10)", "randrange(5, 500)", "randrange(0, 100, 7)", "randrange(100, 0, -3)", "randrange(10**30)", "randrange(-10**20, 10**20, 17)", "randint(1, 6)", "randint(-5, 5)", "randint(2**63, 2**64)",
		"choice('abcdef')", "choice([1, 2, 3])", "choice(range(1000))", "choices('abc', k=5)", "choices([1, 2, 3], [10, 1, 1], k=8)", "choices('ab', cum_weights=[0.3, 1.0], k=4)",
		"sample(range(100), 5)", "sample('abcdefghij', 10)", "sample(range(10**6), 50)", "sample([1, 2, 3], 2, counts=[5, 5, 5])", "sample(range(30), 6)", "sample(range(3000), 100)",
		"uniform(1, 10)", "uniform(-2.5, 0.1)", "triangular()", "triangular(1, 5)", "triangular(1, 5, 4.5)", "triangular(5, 5, 5)",
		"gauss(0, 1)", "gauss()", "gauss(10, 2.5)", "normalvariate(5, 2)", "normalvariate()", "lognormvariate(0, 0.5)", "expovariate(0.2)", "betavariate(2, 3)", "betavariate(0.5, 0.5)",
		"gammavariate(2, 1.5)", "gammavariate(1, 2)", "gammavariate(0.3, 2)", "vonmisesvariate(1, 4)", "vonmisesvariate(0, 0)", "paretovariate(3)", "weibullvariate(1, 1.5)", "randbytes(10)", "randbytes(0)",
	} {
		out = append(out,
			fmt.Sprintf("r = random.Random(42)\nprint([r.%s for _ in range(20)])", call),
			fmt.Sprintf("random.seed('s')\nprint([random.%s for _ in range(5)], random.random())", call))
	}
	for _, seed := range []string{"0", "1", "-1", "2**32", "2**64+1", "-10**40", "'abc'", "''", "'é😀'", "b'abc'", "1.5", "-0.0", "float('inf')", "True", "'x' * 1000", "0.1", "1e300"} {
		out = append(out, fmt.Sprintf("r = random.Random(%[1]s)\nrandom.seed(%[1]s)\nprint([r.random() for _ in range(4)], random.random(), r.getrandbits(40))", seed))
	}
	return out
}

var randomSnippets = []string{
	"random.seed('abc', 1)\nprint(random.random())", "random.seed('', 1)\nprint(random.random())", "random.seed(b'ab\\xff', version=1)\nprint(random.random())", "random.seed(5, 1)\nprint(random.random())",
	`random.seed([1])`, `random.seed((1, 2))`, `random.seed({})`, `random.Random([1])`, `random.seed(1, 2, 3)`, `random.Random(1, 2)`, `random.seed(5)`,
	"r = random.Random(7)\ns = r.getstate()\na = [r.random() for _ in range(3)]\nr.setstate(s)\nprint(a == [r.random() for _ in range(3)], s[0], len(s[1]), s[1][:3], s[1][624], s[2])",
	"r = random.Random(7)\nr.gauss()\ns = r.getstate()\nprint(s[2])\na = r.gauss()\nr.setstate(s)\nprint(a == r.gauss())",
	"random.seed(3)\ns = random.getstate()\nx = random.random()\nr = random.Random()\nr.setstate(s)\nprint(r.random() == x)",
	"r = random.Random()\nr.setstate((4, (), None))", "r = random.Random()\nr.setstate((3, (1, 2), None))", "r = random.Random()\nr.setstate((3, [1], None))", "r = random.Random()\nr.setstate(5)", "r = random.Random()\nr.setstate((3, (0,) * 624 + (700,), None))", "r = random.Random()\nr.setstate((3,))",
	`random.randrange(0)`, `random.randrange(-5)`, `random.randrange(5, 5)`, `random.randrange(5, 1)`, `random.randrange(1, 10, 0)`, `random.randrange(1, 10, -1)`, `random.randrange(1.5)`, `random.randrange(1, 2.5)`, `random.randrange(1, 5, 1.5)`, `random.randrange('a')`, `random.randrange(5, step=2)`, `random.randrange()`, `random.randrange(None)`,
	`random.randint(5, 1)`, `random.randint(1)`, `random.randint(1.5, 2)`, `random.randint(1, 2, 3)`, `random.randint('a', 'b')`, "random.seed(1)\nprint(random.randrange(10.0), random.randint(1.0, 6))",
	`random.choice([])`, `random.choice('')`, `random.choice(5)`, `random.choice({})`, "random.choice({1, 2})", `random.choice()`, "random.seed(1)\nprint(random.choice({0: 'a', 1: 'b'}))",
	`random.choices([], k=2)`, `random.choices([1, 2], [1])`, `random.choices([1, 2], [0, 0])`, `random.choices([1, 2], [1, 2], cum_weights=[1, 2])`, `random.choices([1, 2], 3)`, `random.choices([1, 2], [float('inf'), 1])`, `random.choices([1], k=-1)`, `random.choices([1], k=0)`, `random.choices([1, 2], ['a', 'b'])`, `random.choices([1, 2], 'a')`, `random.choices()`,
	`random.sample([1, 2], 3)`, `random.sample([1, 2], -1)`, `random.sample({1, 2}, 1)`, `random.sample({1: 2}, 1)`, `random.sample([1, 2], 1.5)`, `random.sample([1, 2], k=0)`, `random.sample(5, 1)`, `random.sample(iter([1]), 1)`, `random.sample([1, 2], 2, counts=[1])`, `random.sample([1, 2], 2, counts=[0, 0])`, `random.sample([1, 2], 2, counts=[1.5, 1.5])`, `random.sample([1, 2], 9, counts=[1, 2])`, `random.sample([1])`,
	"random.seed(9)\nx = list(range(10))\nrandom.shuffle(x)\nprint(x)", "random.seed(9)\nx = []\nrandom.shuffle(x)\nprint(x)", `random.shuffle((1, 2))`, `random.shuffle('ab')`, `random.shuffle(5)`, "random.shuffle([1], 2)",
	"class L(list): pass\nrandom.seed(9)\nx = L(range(10))\nrandom.shuffle(x)\nprint(x)",
	"class D:\n    def __init__(s): s.d = [1, 2, 3, 4]\n    def __len__(s): return 4\n    def __getitem__(s, i): return s.d[i]\n    def __setitem__(s, i, v): s.d[i] = v\nrandom.seed(9)\nx = D()\nrandom.shuffle(x)\nprint(x.d, random.choice(x))",
	`random.getrandbits(-1)`, `random.getrandbits(1.5)`, `random.getrandbits()`, `random.randbytes(-1)`,
	`random.expovariate(0)`, `random.gammavariate(0, 1)`, `random.gammavariate(1, -1)`, `random.betavariate(0, 1)`, `random.paretovariate(0)`, `random.weibullvariate(1, 0)`, `random.expovariate()`, `random.uniform('a', 1)`, `random.lognormvariate(1e6, 1)`,
	"class R(random.Random):\n    def die(self):\n        return self.randint(1, 6)\nr = R(5)\nprint([r.die() for _ in range(10)], isinstance(r, random.Random))",
	"class R(random.Random):\n    def __init__(self, a, b):\n        super().__init__(a + b)\n        self.tag = b\nr = R(2, 3)\nprint(r.random(), r.tag, random.Random(5).random())",
	"import random as q\nq.seed(1)\nf = q.random\nprint(f(), f())", "random.seed(1)\na = random.random()\nrandom.seed(1)\nprint(a == random.random())",
	`random.random(1)`, `random.Random().random(x=1)`, `random.Random.VERSION`, `random.seed(a=5, version=2)`,
	"r = random.Random(1)\nprint([r.choice([1, 2, 3]) for _ in range(5)], r.sample(['a', 'b', 'c'], 2), r.shuffle([1]), round(r.uniform(1, 2), 3))",
	"random.seed(10)\nprint(random.sample(['r', 'b'], counts=[4, 2], k=5))", "random.seed(10)\nprint(random.choices(population=['r', 'b'], weights=[4, 2], k=5), random.choices('xyz'))",
}
