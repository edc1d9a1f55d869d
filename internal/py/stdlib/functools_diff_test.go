package stdlib

import "testing"

// TestFunctoolsDiff compares the module with CPython.
func TestFunctoolsDiff(t *testing.T) {
	diffSnippets(t, functoolsHeader, functoolsSnippets)
}

var functoolsHeader = `import functools, operator
from functools import WRAPPER_ASSIGNMENTS, WRAPPER_UPDATES, cache, cached_property, cmp_to_key, lru_cache, partial, partialmethod, reduce, singledispatch, singledispatchmethod, total_ordering, update_wrapper, wraps
from operator import abs, add, and_, attrgetter, call, concat, contains, countOf, delitem, eq, floordiv, ge, getitem, gt, iadd, index, indexOf, inv, invert, is_, is_not, isub, itemgetter, le, length_hint, lshift, lt, matmul, methodcaller, mod, mul, ne, neg, not_, or_, pos, pow, rshift, setitem, sub, truediv, truth, xor
def f(a, b=2, *c, **d):
    """doc"""
    return (a, b, c, d)
p = partial(f, 1, x=3)
@lru_cache(maxsize=2)
def sq(x):
    return x * x
@cache
def cc(x):
    return x
@wraps(f)
def w(*a):
    return f(*a)
@total_ordering
class T:

    def __init__(s, v):
        s.v = v

    def __eq__(s, o):
        return s.v == o.v

    def __lt__(s, o):
        return s.v < o.v if isinstance(o, T) else NotImplemented
class CP:
    n = 0

    @cached_property
    def v(self):
        self.n += 1
        return self.n
    pm = partialmethod(f, 9)
@singledispatch
def sd(x):
    return 'obj'
@sd.register
def _(x: int):
    return 'int'
@sd.register(list)
def _(x):
    return 'list'
c = CP()
class CS:
    __slots__ = ()

    @cached_property
    def v(self):
        return 1
class M:

    @lru_cache(maxsize=None)
    def m(self, x):
        return (self.__class__.__name__, x)
m = M()
class X2:

    @singledispatchmethod
    def a(self, x):
        return 'o'

    @a.register
    def _(self, x: int):
        return 'i'
@lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)`

var functoolsSnippets = []string{
	`reduce(add, [1, 2, 3])`,
	`reduce(add, [1], 5)`,
	`reduce(add, [])`,
	`reduce(add)`,
	`reduce(add, 3)`,
	`reduce(3, [1, 2])`,
	`reduce(lambda a, b: a + b, 'abc')`,
	`p(5)`,
	`p(5, x=1, y=2)`,
	`p.func is f`,
	`p.args`,
	`p.keywords`,
	`partial()`,
	`partial(3)`,
	`partial(print)`,
	`partial(int, base=2)('101')`,
	`sq(2)`,
	`sq(3)`,
	`sq(4)`,
	`sq.cache_info()`,
	`sq.cache_clear()`,
	`sq.cache_parameters()`,
	`sq.__name__`,
	`sq.__wrapped__ is not None`,
	`sq([1])`,
	`cc(1)`,
	`cc(1.0)`,
	`cc(True)`,
	`cc.cache_info()`,
	`w.__name__`,
	`w.__doc__`,
	`w.__wrapped__ is f`,
	`w(1)`,
	`lru_cache(maxsize='a')`,
	`cmp_to_key(lambda a, b: b - a)(3) < cmp_to_key(lambda a, b: b - a)(2)`,
	`sorted([1, 3, 2], key=cmp_to_key(lambda a, b: b - a))`,
	`cmp_to_key(lambda a, b: 0)(1).obj`,
	`T(1) <= T(1)`,
	`T(1) > T(0)`,
	`T(1) >= T(2)`,
	`T(1) < 3`,
	`T(1) <= 3`,
	`max(T(1), T(2)).v`,
	`c.v`,
	`c.__dict__`,
	`sd(1)`,
	`sd([])`,
	`sd('')`,
	`sd(True)`,
	`sd.registry.keys()`,
	`sd.dispatch(int) is not None`,
	`sd()`,
	`itemgetter(1)([1, 2])`,
	`itemgetter(0, 1)('ab')`,
	`itemgetter()`,
	`itemgetter('a')({'a': 1})`,
	`itemgetter(1)`,
	`itemgetter(1, 2)`,
	`itemgetter(5)([1])`,
	`attrgetter('v')(T(5))`,
	`attrgetter('v', 'v')(T(5))`,
	`attrgetter('v.real')(T(5))`,
	`attrgetter(1)`,
	`attrgetter('v')`,
	`attrgetter('zz')(3)`,
	`methodcaller('upper')('a')`,
	`methodcaller('split', 'b')('abc')`,
	`methodcaller('upper')`,
	`methodcaller('split', 'b', maxsplit=1)`,
	`methodcaller(3)`,
	`methodcaller()`,
	`add(1, 2)`,
	`sub(1, 2)`,
	`mul(2, 3)`,
	`truediv(1, 2)`,
	`floordiv(7, 2)`,
	`mod(7, 2)`,
	`pow(2, 3)`,
	`neg(1)`,
	`pos(1)`,
	`not_(0)`,
	`truth([])`,
	`is_(1, 1)`,
	`is_not(1, 2)`,
	`lt(1, 2)`,
	`le(1, 2)`,
	`eq(1, 1)`,
	`ne(1, 1)`,
	`ge(1, 1)`,
	`gt(1, 1)`,
	`and_(1, 3)`,
	`or_(1, 2)`,
	`xor(1, 3)`,
	`inv(1)`,
	`invert(1)`,
	`lshift(1, 2)`,
	`rshift(4, 1)`,
	`concat([1], [2])`,
	`concat(1, 2)`,
	`contains([1], 1)`,
	`countOf([1, 1], 1)`,
	`indexOf([1, 2], 2)`,
	`indexOf([1], 9)`,
	`getitem([1], 0)`,
	`setitem([1], 0, 2)`,
	`delitem([1], 0)`,
	`index(3)`,
	`index('a')`,
	`length_hint([1, 2])`,
	`iadd([1], [2])`,
	`isub(3, 1)`,
	`matmul(1, 2)`,
	`add('a', 1)`,
	`abs(-3)`,
	`operator.add`,
	`operator.add(1)`,
	`concat('a', 'b')`,
	`reduce(mul, range(1, 6))`,
	`partial(f)()`,
	`call(f, 1)`,
	`total_ordering(int)`,
	`operator.__add__(1, 2)`,
	`sorted([(1, 'b'), (0, 'a')], key=itemgetter(1))`,
	`list(map(methodcaller('strip'), [' a ']))`,
	`functools.partial(f, 1) == functools.partial(f, 1)`,
	`lru_cache()(f)(1)`,
	`update_wrapper(lambda: 1, f).__name__`,
	`WRAPPER_ASSIGNMENTS`,
	`WRAPPER_UPDATES`,
	`cached_property(f).attrname`,
	`CP.v.__class__`,
	`CP.v.func is not None`,
	`hash(p) == hash(p)`,
	`isinstance(p, partial)`,
	`type(p)`,
	`type(itemgetter(1))`,
	`type(sq)`,
	`operator.attrgetter`,
	`cmp_to_key()`,
	`hash(cmp_to_key(f)(1))`,
	`singledispatch(f).register(3)`,
	`lru_cache(maxsize=-1)(f).cache_info()`,
	`lru_cache(maxsize=None)(f).cache_info()`,
	`lru_cache(maxsize=0)(f).cache_info()`,
	`lru_cache(typed=True, maxsize=3)(f).cache_parameters()`,
	`def g():

    @total_ordering
    class X:
        pass
print(repr(g()))`,
	`CS().v`,
	`print(m.m(1), m.m(1), M.m.cache_info())`,
	`print(X2().a(1), X2().a(''))`,
	`print(fib(30), fib.cache_info())`,
}
