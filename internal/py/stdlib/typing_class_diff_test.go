package stdlib

import "testing"

// TestTypingClassesDiff compares the module with CPython.
func TestTypingClassesDiff(t *testing.T) {
	diffSnippets(t, typingClassHeader, typingClassSnippets)
}

var typingClassHeader = `from typing import List, NamedTuple, Optional, Protocol, Required, TypedDict, assert_never, assert_type, final, get_type_hints, is_typeddict, no_type_check, overload, runtime_checkable
class P(NamedTuple):
    x: int
    y: str = 'a'

    def m(self):
        return self.x
Q = NamedTuple('Q', [('a', int), ('b', str)])
class R(P):

    def z(self):
        return 3
from collections import namedtuple
N = namedtuple('N', 'a b, c', defaults=[1])
class D(TypedDict):
    a: int
    b: Optional[str]
class E(D, total=False):
    c: int
    d: Required[int]
class F(TypedDict, total=False):
    c: int
    d: Required['int']
    e: 'str'
G = TypedDict('G', {'x': int, 'y': str})
G = TypedDict('G', {'x': int}, total=False)
def fn(a: int, b: 'str'=None, *, c: Optional[int]=3) -> List['int']:
    pass
class Pr(Protocol):
    x: int

    def m(self) -> int:
        ...
@runtime_checkable
class Pq(Protocol):

    def m(self) -> int:
        ...
class I1:

    def m(self):
        return 1
class I2(Pq):
    pass
class I3(Pr):
    pass
@overload
def o(a: int):
    ...
def o(a):
    return a`

var typingClassSnippets = []string{
	`P(1)`,
	`P()`,
	`P(1, 2, 3)`,
	`P(1, z=3)`,
	`P.__annotations__`,
	`P._fields`,
	`P._field_defaults`,
	`P(1).m()`,
	`P(1)._replace(x=5)`,
	`P(1)._replace(q=5)`,
	`P(1)._asdict()`,
	`P.__mro__`,
	`P.__bases__`,
	`P._make([1, 2])`,
	`P._make([1])`,
	`P.__doc__`,
	`P(1) == (1, 'a')`,
	`hash(P(1)) == hash((1, 'a'))`,
	`def f():
    p = P(1)
    p.x = 3
print(repr(f()))`,
	`def f():

    class Q(NamedTuple):
        a: int = 1
        b: int
print(repr(f()))`,
	`def f():

    class Q(NamedTuple):
        _a: int
print(repr(f()))`,
	`def f():

    class Q(NamedTuple):

        def __new__(cls):
            pass
print(repr(f()))`,
	`def f():

    class Q(P, NamedTuple):
        z: int
print(repr(f()))`,
	`Q(1, 2)`,
	`Q.__annotations__`,
	`Q`,
	`R(1)`,
	`R(1).z()`,
	`P(1) + (2,)`,
	`P(1) < P(2)`,
	`P(1)[0]`,
	`len(P(1))`,
	`P(x=1, y=2)`,
	`1 in P(1)`,
	`P(1)[:1]`,
	`P(1).index('a')`,
	`P(1).__class__`,
	`P(1).__getnewargs__()`,
	`P(1)._fields`,
	`N(1, 2)`,
	`N(1)`,
	`N._field_defaults`,
	`N.__doc__`,
	`N`,
	`N(1, 2, 3, 4)`,
	`N(1, 2, a=3)`,
	`namedtuple('N', 'a def a _b 1', rename=True)._fields`,
	`namedtuple('N', 'a', defaults=[1, 2])`,
	`namedtuple('N', 'a b', module='zz')`,
	`namedtuple('N', [])()`,
	`namedtuple('N', 'x')('y')`,
	`namedtuple('N', ('x', 'y'))._make(5)`,
	`N.__slots__`,
	`N.__match_args__`,
	`N(1, 2).__repr__()`,
	`namedtuple()`,
	`N.__module__`,
	`D(a=1, b=2)`,
	`type(D(a=1))`,
	`D({'a': 1}, b=3)`,
	`D.__annotations__`,
	`E.__annotations__`,
	`E.__total__`,
	`E.__optional_keys__`,
	`D.__bases__`,
	`E.__mro__`,
	`isinstance({}, D)`,
	`D`,
	`F.__annotations__`,
	`get_type_hints(F)`,
	`get_type_hints(F, include_extras=True)`,
	`D.__name__`,
	`type(D)`,
	`D.a`,
	`D(1)`,
	`List[D]`,
	`E.__optional_keys__ == frozenset({'c'})`,
	`E.__orig_bases__`,
	`G(x=1)`,
	`G.__annotations__`,
	`G.__total__`,
	`TypedDict('G', x=int).__annotations__`,
	`def f():

    class H(TypedDict):
        x: int = 3

        def m(self):
            pass
print(repr(f()))`,
	`def f():

    class H(D, dict):
        pass
print(repr(f()))`,
	`def f():

    class H(TypedDict):
        x: 3
print(repr(f()))`,
	`get_type_hints(fn)`,
	`get_type_hints(3)`,
	`Pr()`,
	`isinstance(3, Pr)`,
	`isinstance(I1(), Pq)`,
	`isinstance(3, Pq)`,
	`I2().m()`,
	`issubclass(I1, Pq)`,
	`isinstance(I2(), Pq)`,
	`Pq`,
	`o(1)`,
	`namedtuple('N', 'a a')`,
	`namedtuple('N', 'def')`,
	`namedtuple('N', '_a')`,
	`namedtuple('N', '1a')`,
	`namedtuple('1N', 'a')`,
	`namedtuple('class', 'a')`,
	`namedtuple('N', ['a', 3])`,
	`namedtuple('N', 5)`,
}
