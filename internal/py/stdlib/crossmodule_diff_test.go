package stdlib

import "testing"

// TestCrossModuleDiff uses modules together, as worlds do.
func TestCrossModuleDiff(t *testing.T) {
	diffSnippets(t, crossHeader, []string{
		`json.dumps(OrderedDict([('b', 1), ('a', 2)]))`, `json.dumps(defaultdict(list, a=[1]), sort_keys=True)`, `json.dumps(Counter('abca'))`, `json.dumps(deque([1]))`, `json.dumps(deque([1]), default=list)`,
		"P = namedtuple('P', 'x y')\nprint(json.dumps(P(1, [2])), json.dumps({'p': P(1, 2)}))", "class C(enum.Enum):\n    A = 1\nprint(json.dumps([C.A.value]))\njson.dumps(C.A)", "class C(str, enum.Enum):\n    A = 'x'\nprint(json.dumps([C.A]), json.dumps({C.A: C.A}))", "class C(enum.IntEnum):\n    A = 3\nprint(json.dumps([C.A]), json.dumps({C.A: 1}), json.dumps({'k': C.A}, indent=1))",
		`json.dumps(datetime(2024, 1, 2))`, `json.dumps({'d': datetime(2024, 1, 2), 'e': date(2024, 1, 2)}, default=str)`, `json.dumps({date(2024, 1, 2): 1})`, `json.dumps({1: 2}.keys())`, `json.dumps(x for x in [1])`, `json.dumps(Fraction(1, 2))`,
		"@dataclass\nclass D:\n    a: int\n    b: list\nprint(json.dumps(asdict(D(1, [2]))))\nprint(json.dumps([D(1, [])], default=lambda o: o.__dict__))\njson.dumps(D(1, []))",
		"class J(json.JSONEncoder):\n    def default(self, o):\n        if isinstance(o, (datetime, date)): return o.isoformat()\n        if isinstance(o, set): return sorted(o)\n        return json.JSONEncoder.default(self, o)\nprint(json.dumps({'t': datetime(2024, 1, 2, 3), 's': {3, 1}}, cls=J, indent=2))\njson.dumps(object, cls=J)",
		`json.loads('{"b": 1, "a": {"c": 2}}', object_pairs_hook=OrderedDict)`, `json.loads('[{"a": 1}, {"a": 2}]', object_hook=lambda d: namedtuple('X', d)(**d))`, `json.loads('[1.10]', parse_float=Fraction)`, `json.loads(json.dumps({'a': [1, 2.5, None]}))['a'][1]`,
		"r = random.Random(3)\nd = deque(range(10))\nr.shuffle(d)\nprint(d, r.choice(d), r.sample(d, 3))", "r = random.Random(3)\nprint(r.choice(list('abc')), r.sample(sorted({'x', 'y', 'z'}), 2), r.choices(list({'a': 1, 'b': 2}), weights=[1, 2], k=3))", "r = random.Random(1)\nprint([datetime(2024, 1, 1) + timedelta(days=r.randint(0, 30)) for _ in range(3)])", "r = random.Random(5)\nprint(''.join(r.choices(string.ascii_uppercase + string.digits, k=8)), ''.join(r.choice(string.hexdigits) for _ in range(6)))", "r = random.Random(2)\nq = copy.deepcopy(r)\nprint(q.random() == r.random())",
		`statistics.mean(Counter('aab').values())`, `statistics.median(deque([3, 1, 2]))`, `statistics.mean([timedelta(1)])`, `statistics.mode(['a', 'b', 'b'])`, `statistics.stdev({1: 'a', 5: 'b'})`, "class C(enum.IntEnum):\n    A = 3\n    B = 5\nprint(statistics.mean([C.A, C.B]))",
		`math.floor(Fraction(7, 2)), math.ceil(Fraction(7, 2)), math.sqrt(Fraction(1, 4)), math.prod([Fraction(1, 2)] * 3)`, `math.fsum([Fraction(1, 3), 1])`, `sum([Fraction(1, 3)] * 3) == 1`, `sorted([Fraction(1, 2), 0.25, 1])`, `round(statistics.stdev([1.5, 2.5, 4.5]), 4)`, `math.isclose(sum([0.1] * 10), 1.0), sum([0.1] * 10) == 1.0`, `100 * 1.05 ** 10, 2 ** 0.5, 1.1 ** 10, 10 ** -3, 1000 * (1 + 0.07 / 12) ** 360`, `f"{statistics.mean([1, 2, 4]):.3f}", round(math.pi, 4), f"{math.e:10.3f}"`,
		"try:\n    json.loads('{bad')\nexcept json.JSONDecodeError as e:\n    print(f'Invalid JSON: {e}', e.pos)\nexcept ValueError:\n    print('no')", "try:\n    json.loads('')\nexcept Exception as e:\n    print(type(e).__name__, e)", "def f(x):\n    try:\n        return json.dumps(x)\n    except TypeError as e:\n        return str(e)\nprint(f(object()), f({1: 2}), f({(1,): 2}), f(lambda: 0), f(f), f(json), f(int), f(1 .__class__))",
		`json.dumps({'é': 'ü', 'k': [True, None, 1e-7, 12345678901234567890]}, ensure_ascii=False, separators=(',', ':'), sort_keys=True)`, `json.dumps('</script>')`, `json.dumps({"n": {}}, indent=4), json.dumps({"n": []}, indent=4)`, `print(json.dumps({"a": {"b": [1, {"c": None}]}}, indent=2))`, `repr(json.loads('{"a": 1e3, "b": 10000000000000000000000, "c": -0}'))`,
		`string.Template('$d').substitute(d=date(2024, 1, 2))`, `Fraction('0.1') + Fraction(1, 10), float(Fraction(1, 3))`,
	})
}

const crossHeader = `import json, random, math, statistics, string, enum, copy
from collections import OrderedDict, defaultdict, Counter, deque, namedtuple
from datetime import datetime, date, timedelta
from dataclasses import dataclass, asdict
from fractions import Fraction`
