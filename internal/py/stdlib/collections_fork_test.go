package stdlib

import (
	"errors"
	"testing"
	"time"

	"gauntlet/internal/py"
)

// libraryState is a program whose function step changes and reports objects of
// every kind that this group of modules makes.
const libraryState = `
from __future__ import annotations
import collections, contextlib, copy, dataclasses, enum, functools, itertools, operator, types
from typing import List, NamedTuple, Optional, TypedDict

class Color(enum.Enum):
    RED = 1
    GREEN = 2

class Perm(enum.IntFlag):
    R = 1
    W = 2

@dataclasses.dataclass
class Item:
    name: str
    tags: List[str] = dataclasses.field(default_factory=lambda: [str(len(log))])
    color: Color = Color.RED

class Point(NamedTuple):
    x: int
    y: list

class Row(TypedDict):
    a: int

log = []
queue = collections.deque([1, 2], maxlen=4)
counts = collections.Counter('aab')
groups = collections.defaultdict(list)
order = collections.OrderedDict(a=1, b=2)
chain = collections.ChainMap({'a': 1}, {'b': 2})
item = Item('one')
point = Point(1, [2])
color = Color.GREEN
numbers = itertools.count(3)
pairs = itertools.chain([1, 2], [3, 4], 'xyz')
left, right = itertools.tee(range(10))
next(left)
grouped = itertools.groupby([1, 1, 2, 2, 3, 4, 5])
next(grouped)
combos = itertools.permutations('abc', 2)
space = types.SimpleNamespace(n=0)
add_log = functools.partial(log.append)

@functools.lru_cache(maxsize=2)
def square(x):
    log.append(('square', x))
    return x * x

@functools.singledispatch
def kind(x):
    return 'object'

@kind.register
def _(x: int):
    return 'int %d' % len(log)

class Cached:
    @functools.cached_property
    def value(self):
        log.append('cached')
        return len(log)

cached = Cached()

@contextlib.contextmanager
def noted(x):
    log.append(('in', x))
    yield x
    log.append(('out', x))

def step():
    queue.append(len(queue))
    queue.rotate(1)
    counts.update('bc')
    groups['k'].append(len(log))
    order.move_to_end('a')
    chain['a'] = len(log)
    item.tags.append('t')
    item.color = Color.GREEN if item.color is Color.RED else Color.RED
    point.y.append(3)
    space.n += 1
    add_log('step')
    with noted(1):
        square(len(log) % 3)
    fresh = Item('new')
    back = copy.deepcopy(item)
    return repr((list(queue), counts, groups, order, chain, item, point, color is Color.GREEN, next(numbers), next(pairs), next(left), next(right),
        next(grouped)[0], next(combos), space, square.cache_info(), kind(1), cached.value, fresh, back == item, back.color is item.color,
        Perm.R | Perm.W, (Perm.R | Perm.W) is (Perm.W | Perm.R), Row(a=1), log, sorted([Item('b'), Item('a')], key=operator.attrgetter('name'))[0].name,
        isinstance(color, Color), Color(2) is color, dataclasses.asdict(item)['name']))
`

// startState runs libraryState on a fresh thread.
func startState(t *testing.T) (*py.Thread, *py.Module) {
	t.Helper()
	p, err := py.CompileSource("state.py", libraryState, Library)
	if err != nil {
		t.Fatal(err)
	}
	th := py.NewThread(1, Library, py.Limits{})
	m, err := th.Exec(p, "__main__")
	if err != nil {
		t.Fatal(err)
	}
	return th, m
}

func callStep(t *testing.T, th *py.Thread, m *py.Module) string {
	t.Helper()
	f, ok := m.Attrs.GetStr("step")
	if !ok {
		t.Fatal("no function step")
	}
	th.Refill()
	v, err := th.Call(f, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := textOf(v)
	return s
}

// TestLibraryFork checks that a fork continues from the same state and that
// neither side sees the other's changes.
func TestLibraryFork(t *testing.T) {
	th, m := startState(t)
	callStep(t, th, m)
	c := py.NewCopier(64)
	fork, err := th.Fork(c)
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Copy(m)
	if err != nil {
		t.Fatal(err)
	}
	copied := v.(*py.Module)
	one := callStep(t, fork, copied)
	two := callStep(t, fork, copied)
	if got := callStep(t, th, m); got != one {
		t.Errorf("the original went on differently after its fork ran\n got %s\nwant %s", got, one)
	}
	if got := callStep(t, th, m); got != two {
		t.Errorf("the second step differs\n got %s\nwant %s", got, two)
	}
}

// TestLibraryRollback checks that a transaction restores library containers.
// Iterators are not part of a transaction, so only what is not one is compared.
func TestLibraryRollback(t *testing.T) {
	const program = `
import collections, functools, contextlib
queue = collections.deque([1, 2, 3], maxlen=4)
counts = collections.Counter('aab')
groups = collections.defaultdict(list, {'k': [1]})
order = collections.OrderedDict(a=1, b=2)
@functools.lru_cache(maxsize=1)
def square(x): return x * x
square(1)
stack = contextlib.ExitStack()
stack.callback(print, 'x')
def step():
    queue.append(4); queue.append(5); queue.appendleft(0); queue[1] = 9; queue.rotate(2)
    counts.subtract('ab'); counts['z'] += 1
    groups['k'].append(2); groups['new'].append(1)
    order.move_to_end('a', last=False); order['c'] = 3; order.popitem(last=False)
    square(2); square(1); square.cache_clear(); square(3)
    stack.callback(print, 'y')
def show():
    return repr((queue, counts, groups, order, square.cache_info()))
`
	p, err := py.CompileSource("state.py", program, Library)
	if err != nil {
		t.Fatal(err)
	}
	th := py.NewThread(1, Library, py.Limits{})
	m, err := th.Exec(p, "__main__")
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string) string {
		f, _ := m.Attrs.GetStr(name)
		v, err := th.Call(f, nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s, _ := textOf(v)
		return s
	}
	before := call("show")
	th.Begin()
	call("step")
	if after := call("show"); after == before {
		t.Fatalf("step changed nothing: %s", after)
	}
	th.Rollback()
	if got := call("show"); got != before {
		t.Errorf("after rollback\n got %s\nwant %s", got, before)
	}
}

// TestLibraryLimits runs programs that ask for too much: each must end in a
// limit or a Python exception, soon.
func TestLibraryLimits(t *testing.T) {
	for _, src := range []string{
		"import collections; collections.deque(iter(int, 1))",
		"import collections; collections.deque([1]) * 10**12",
		"import collections; collections.deque([1], 5) * 10**12",
		"import collections; collections.Counter(iter(int, 1)).update({i: 1 for i in range(10**8)})",
		"import collections; list(collections.Counter(a=10**12).elements())",
		"import collections; collections.namedtuple('N', ['f%d' % i for i in range(10**6)])",
		"import collections\nd = collections.deque()\nfor i in range(10**5):\n    d = collections.deque([d])\nrepr(d)",
		"import collections\nc = collections.ChainMap()\nwhile True: c = c.new_child()",
		"import itertools; list(itertools.product(range(100), repeat=10**6))",
		"import itertools; list(itertools.product([], repeat=10**9))",
		"import itertools; list(itertools.permutations(range(2000)))",
		"import itertools; list(itertools.combinations_with_replacement('ab', 10**12))",
		"import itertools; list(itertools.cycle([1]))",
		"import itertools; next(itertools.islice(itertools.count(), 10**15, None))",
		"import itertools; list(itertools.chain.from_iterable(itertools.repeat([])))",
		"import itertools; list(itertools.filterfalse(None, itertools.repeat(1)))",
		"import itertools; itertools.tee([1], 10**9)",
		"import itertools\na, b = itertools.tee(itertools.count())\nfor x in a: pass",
		"import itertools\nx = iter([1])\nfor i in range(10**5): x = itertools.chain(x)\nlist(x)",
		"import copy\nx = []\nfor i in range(10**5): x = [x]\ncopy.deepcopy(x)",
		"import copy\nx = [0]\nfor i in range(40): x = [x, x]\ncopy.deepcopy(x) == x",
		"import functools; functools.reduce(lambda a, b: a + a, range(100), 'x')",
		"import functools\n@functools.cache\ndef f(n): return f(n + 1)\nf(0)",
		"import functools\nf = print\nfor i in range(10**5): f = functools.partial(f, *range(i))",
		"from typing import List, Literal, TypeVar, Union, get_type_hints\nx = int\nfor i in range(10**5): x = List[x]\nrepr(x)",
		"from typing import List, Literal, TypeVar, Union, get_type_hints\nx = int\nfor i in range(10**5): x = List[x]\nhash(x)",
		"from typing import List, Literal, TypeVar, Union, get_type_hints\nT = TypeVar('T')\nx = T\nfor i in range(10**5): x = List[x]\nx[int]",
		"from typing import List, Literal, TypeVar, Union, get_type_hints\ndef f(a: 'List[' * 10**5): pass\nget_type_hints(f)",
		"from typing import List, Literal, TypeVar, Union, get_type_hints\nUnion[tuple(Literal[i] for i in range(10**5))]",
		"import enum\nE = enum.Enum('E', ['a%d' % i for i in range(10**6)])",
		"import enum\nclass F(enum.IntFlag): A = 1\nfor i in range(10**8): F(i)",
		"import enum\nclass F(enum.Flag): A = 1 << 10**7\n~F.A",
		"from dataclasses import asdict, dataclass, make_dataclass\n@dataclass\nclass N:\n    n: object = None\nx = None\nfor i in range(10**5): x = N(x)\nprint(x)",
		"from dataclasses import asdict, dataclass, make_dataclass\n@dataclass\nclass N:\n    n: object = None\nx = y = None\nfor i in range(10**5): x, y = N(x), N(y)\nx == y",
		"from dataclasses import asdict, dataclass, make_dataclass\n@dataclass\nclass N:\n    n: object = None\nx = None\nfor i in range(10**5): x = N(x)\nasdict(x)",
		"from dataclasses import asdict, dataclass, make_dataclass\nmake_dataclass('C', ['f%d' % i for i in range(10**6)])",
		"import contextlib\ns = contextlib.ExitStack()\nwhile True: s.callback(print)",
	} {
		start := time.Now()
		p, err := py.CompileSource("limit.py", src, Library)
		if err != nil {
			t.Fatalf("%s\n%v", src, err)
		}
		th := py.NewThread(1, Library, py.Limits{Steps: 2_000_000, Alloc: 32 << 20})
		_, err = th.Exec(p, "__main__")
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%s\ntook %v", src, d)
		}
		var limit *py.LimitError
		var raised *py.Raised
		if err == nil || !errors.As(err, &limit) && !errors.As(err, &raised) {
			t.Errorf("%s\nended with %v, want a limit or an exception", src, err)
		}
	}
}
