package stdlib

import "testing"

// TestCopyDiff compares the module with CPython.
func TestCopyDiff(t *testing.T) {
	diffSnippets(t, copyHeader, copySnippets)
}

var copyHeader = `import copy, collections, enum, dataclasses, types, abc, contextlib
from contextlib import contextmanager, suppress, nullcontext, closing, ExitStack
class A:

    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return 'A(%r)' % (self.x,)
class D(A):

    def __deepcopy__(self, memo):
        return D(copy.deepcopy(self.x, memo))

    def __copy__(self):
        return D('c')
class L(list):
    pass
class DD(dict):
    pass
class G:

    def __init__(self):
        self.a = 1

    def __getstate__(self):
        return {'q': [1]}

    def __setstate__(self, s):
        self.s = s
l = [1, [2], {'a': [3]}]
c = copy.deepcopy(l)
cy = [1]
cy.append(cy)
cc = copy.deepcopy(cy)
s = [0]
al = [s, s]
ac = copy.deepcopy(al)
tp = (1, 'a')
tq = (1, [2])
a = A([1])
b = copy.deepcopy(a)
x = L([1, [2]])
x.z = [3]
y = copy.deepcopy(x)
y1 = copy.copy(x)
x2 = DD(a=[1])
y2 = copy.deepcopy(x2)
y3 = copy.copy(x2)
N = collections.namedtuple('N', 'a b')
n = N(1, [2])
m = copy.deepcopy(n)
class E(enum.Enum):
    X = [1]
@dataclasses.dataclass
class P:
    a: list
    b: int = 0
p = P([1])
q = copy.deepcopy(p)
@dataclasses.dataclass(frozen=True)
class F:
    a: list
@dataclasses.dataclass(slots=True)
class S:
    a: list
e = ValueError('a', [1])
class Sl:
    __slots__ = ('a', 'b')

    def __init__(self):
        self.a = [1]
ns = types.SimpleNamespace(a=1, b='x')
ns.c = 3
class B(abc.ABC):

    @abc.abstractmethod
    def f(self):
        ...

    @property
    @abc.abstractmethod
    def g(self):
        ...

    def h(self):
        return 1
class C1(B):

    def f(self):
        return 2
class C2(C1):
    g = 3
class V:
    pass
B.register(V)
B.register(int)
class SH(abc.ABC):

    @classmethod
    def __subclasshook__(cls, c):
        return hasattr(c, 'zork') or NotImplemented
class Z:
    zork = 1
class AS(abc.ABC):

    @staticmethod
    @abc.abstractmethod
    def s():
        ...

    @classmethod
    @abc.abstractmethod
    def c(cls):
        ...
log = []
@contextmanager
def cm(x):
    log.append('in')
    try:
        yield x
    except ValueError as e:
        log.append(('caught', str(e)))
    finally:
        log.append('out')
@contextmanager
def noyield():
    if 0:
        yield
@contextmanager
def twice():
    yield 1
    yield 2
@contextmanager
def conv():
    try:
        yield
    except ValueError as e:
        raise TypeError('conv') from e
class Cl:

    def close(self):
        log.append('closed')
@cm(9)
def deco(a):
    return a * 2
class Cm:

    @contextmanager
    def m(self, x):
        yield (x + 1)`

var copySnippets = []string{
	`c == l`,
	`c[1] is l[1]`,
	`c[2]['a'] is l[2]['a']`,
	`copy.copy(l)[1] is l[1]`,
	`copy.copy(l) is l`,
	`cc[1] is cc`,
	`cc`,
	`ac[0] is ac[1]`,
	`ac[0] is s`,
	`copy.deepcopy(tp) is tp`,
	`copy.deepcopy(tq) is tq`,
	`copy.deepcopy(tq)`,
	`copy.copy(tq) is tq`,
	`b`,
	`b.x is a.x`,
	`copy.copy(a).x is a.x`,
	`type(b)`,
	`copy.deepcopy(D([1]))`,
	`copy.copy(D([1]))`,
	`(y, type(y).__name__, y.z, y.z is x.z, y[1] is x[1])`,
	`(y1, type(y1).__name__, y1.z is x.z, y1[1] is x[1], y1 is x)`,
	`(y2, type(y2).__name__, y2['a'] is x2['a'])`,
	`(y3, type(y3).__name__, y3['a'] is x2['a'], y3 is x2)`,
	`copy.deepcopy(G()).s`,
	`copy.copy(G()).__dict__`,
	`copy.deepcopy({1, 2})`,
	`copy.deepcopy(frozenset([1]))`,
	`copy.copy({1})`,
	`copy.deepcopy(A)`,
	`copy.deepcopy(len) is len`,
	`copy.deepcopy(None)`,
	`copy.deepcopy(range(3))`,
	`copy.deepcopy(copy)`,
	`copy.deepcopy((x for x in []))`,
	`copy.deepcopy({}.keys())`,
	`copy.copy((x for x in []))`,
	`copy.deepcopy(collections.deque([1, [2]], 3))`,
	`copy.copy(collections.deque([1], 3))`,
	`copy.deepcopy(collections.Counter('aab'))`,
	`copy.deepcopy(collections.defaultdict(list, {'a': [1]}))`,
	`copy.deepcopy(collections.OrderedDict(a=[1]))`,
	`copy.copy(collections.defaultdict(list, a=1))`,
	`copy.copy(collections.Counter('a'))`,
	`copy.deepcopy(collections.ChainMap({'a': [1]}))`,
	`(m, m.b is n.b, type(m).__name__)`,
	`copy.copy(n)`,
	`copy.deepcopy(E.X) is E.X`,
	`copy.deepcopy([E.X])[0] is E.X`,
	`copy.copy(E.X) is E.X`,
	`(q, q.a is p.a)`,
	`copy.copy(p).a is p.a`,
	`copy.deepcopy(F([1]))`,
	`copy.deepcopy(S([1]))`,
	`copy.deepcopy(e)`,
	`copy.deepcopy(e).args[1] is e.args[1]`,
	`copy.deepcopy(Sl()).a`,
	`copy.Error`,
	`copy.deepcopy(a.__repr__).__self__ is a`,
	`copy.deepcopy(lambda: 1).__name__`,
	`copy.deepcopy([float('nan')])[0]`,
	`copy.deepcopy(1, {})`,
	`copy.deepcopy()`,
	`ns`,
	`ns.a`,
	`ns == types.SimpleNamespace(a=1, b='x')`,
	`types.SimpleNamespace(1)`,
	`vars(ns)`,
	`copy.deepcopy(ns)`,
	`ns.zz`,
	`isinstance(lambda: 1, types.FunctionType)`,
	`isinstance(len, types.BuiltinFunctionType)`,
	`types.MappingProxyType({'a': 1})`,
	`types.MappingProxyType({'a': 1})['a']`,
	`isinstance((x for x in []), types.GeneratorType)`,
	`types.NoneType`,
	`isinstance(a.__repr__, types.MethodType)`,
	`B()`,
	`C1()`,
	`C2().f()`,
	`C2().h()`,
	`isinstance(C2(), B)`,
	`B.__abstractmethods__ == frozenset({'f', 'g'})`,
	`type(B)`,
	`isinstance(V(), B)`,
	`issubclass(V, B)`,
	`isinstance(3, B)`,
	`isinstance(C2(), (int, B))`,
	`isinstance(Z(), SH)`,
	`isinstance(3, SH)`,
	`AS()`,
	`def f():
    with cm(5) as v:
        log.append(v)
    with cm(6):
        raise ValueError('q')
    with cm(7):
        raise KeyError('k')
print(repr(f()))`,
	`log`,
	`def f():
    with noyield():
        pass
print(repr(f()))`,
	`def f():
    with twice():
        pass
print(repr(f()))`,
	`def f():
    with twice():
        raise ValueError(1)
print(repr(f()))`,
	`def f():
    with conv():
        raise ValueError(1)
print(repr(f()))`,
	`def f():
    with suppress(ValueError, KeyError):
        raise KeyError(1)
    with suppress():
        pass
    return 'ok'
print(repr(f()))`,
	`def f():
    with suppress(ValueError):
        raise KeyError(1)
print(repr(f()))`,
	`def f():
    with nullcontext(5) as x:
        return x
print(repr(f()))`,
	`def f():
    with closing(Cl()) as c:
        pass
    return log[-1]
print(repr(f()))`,
	`deco(4)`,
	`deco(5)`,
	`log[-4:]`,
	`def f():
    out = []
    with ExitStack() as st:
        st.enter_context(cm(1))
        st.callback(out.append, 3)
        st.callback(out.append, 4)
    return out
print(repr(f()))`,
	`def f():
    with ExitStack() as st:
        st.push(lambda a, b, c: True)
        raise ValueError
    return 'swallowed'
print(repr(f()))`,
	`def f():
    with Cm().m(3) as y:
        return y
print(repr(f()))`,
	`def f():
    with cm(1):
        return 'ret'
print(repr(f()))`,
	`def f():
    with cm(1):
        raise StopIteration('x')
print(repr(f()))`,
	`cm.__name__`,
	`cm(1).__class__.__name__`,
	`isinstance(nullcontext(), contextlib.AbstractContextManager)`,
}
