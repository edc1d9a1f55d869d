package stdlib

import "testing"

// TestDataclassesDiff compares the module with CPython.
func TestDataclassesDiff(t *testing.T) {
	diffSnippets(t, dataclassHeader, dataclassSnippets)
}

var dataclassHeader = `from dataclasses import FrozenInstanceError, InitVar, KW_ONLY, MISSING, asdict, astuple, dataclass, field, fields, is_dataclass, make_dataclass, replace
import dataclasses, typing
from typing import ClassVar, Dict, Generic, List, TypeVar
@dataclass
class P:
    x: int
    y: int = 0
@dataclass(frozen=True, order=True)
class F:
    a: int
    b: list = field(default_factory=list, compare=False, repr=False)
@dataclass
class Q(P):
    z: str = 'a'

    def __post_init__(self):
        self.w = self.x + self.y
@dataclass
class I:
    a: InitVar[int]
    b: int = field(init=False)
    c: ClassVar[int] = 5
    d: ClassVar = 6
    e: InitVar[int] = 7
    f: typing.ClassVar[list] = []

    def __post_init__(self, a, e):
        self.b = a + e
@dataclass
class K:
    a: int
    _: KW_ONLY
    b: int = 1
    c: int = field(kw_only=True)
@dataclass(kw_only=True)
class K2:
    a: int
    b: int = 2
@dataclass(slots=True)
class S:
    a: int
    b: int = 3
@dataclass
class R:
    me: 'R' = None
    k: Dict[str, int] = field(default_factory=dict)
r = R()
r.me = r
@dataclass
class N:
    l: List[P]
    m: dict
    tt: tuple
C = make_dataclass('C', ['x', ('y', int), ('z', int, field(default=5))])
C = make_dataclass('C', [('x', int)], bases=(P,), namespace={'m': lambda s: 3}, frozen=False)
@dataclass(eq=False)
class E:
    x: int
@dataclass
class H:
    x: int

    def __repr__(self):
        return 'custom'

    def __eq__(self, o):
        return True
@dataclass
class WithInit:
    x: int

    def __init__(self):
        self.x = 9
@dataclass(unsafe_hash=True)
class UH:
    x: int
    y: int = field(hash=False, default=3)
@dataclass
class Pr:
    x: int

    @property
    def dbl(self):
        return self.x * 2
@dataclass
class Gen(Generic[TypeVar('T')]):
    v: int
@dataclass
class Ex(Exception):
    code: int
class Out:

    @dataclass
    class Inn:
        x: int`

var dataclassSnippets = []string{
	`P(1)`,
	`P()`,
	`P(1, 2, 3)`,
	`P(1, z=1)`,
	`P(1, x=2)`,
	`P(1) == P(1)`,
	`P(1) == 1`,
	`P(1) < P(2)`,
	`hash(P(1))`,
	`P.__doc__`,
	`P.__match_args__`,
	`[f.name for f in fields(P(1))]`,
	`asdict(P(1))`,
	`astuple(P(1))`,
	`replace(P(1), y=5)`,
	`replace(P(1), q=5)`,
	`is_dataclass(P)`,
	`is_dataclass(P(1))`,
	`is_dataclass(3)`,
	`fields(3)`,
	`asdict(P)`,
	`astuple(3)`,
	`replace(P, x=1)`,
	`P.y`,
	`P.__dataclass_params__`,
	`P.__annotations__`,
	`P.__init__.__name__`,
	`P.__init__.__qualname__`,
	`P.__repr__(P(1))`,
	`P.__eq__(P(1), 3)`,
	`P.__hash__`,
	`def f():
    F(1).a = 3
print(repr(f()))`,
	`def f():
    F(1).zz = 3
print(repr(f()))`,
	`def f():
    del F(1).a
print(repr(f()))`,
	`F(1)`,
	`F(1) < F(2)`,
	`F(1) >= F(2)`,
	`F(1) < 3`,
	`hash(F(1)) == hash((1,))`,
	`F(1) == F(1, [3])`,
	`F.b`,
	`sorted([F(2), F(1)])`,
	`F.__doc__`,
	`F(1) <= F(1)`,
	`def f():

    @dataclass
    class B:
        x: list = []
print(repr(f()))`,
	`def f():

    @dataclass
    class B:
        x: int = 1
        y: int
print(repr(f()))`,
	`def f():

    @dataclass(order=True, eq=False)
    class B:
        x: int
print(repr(f()))`,
	`def f():

    @dataclass
    class B(F):
        x: int = 0
print(repr(f()))`,
	`def f():

    @dataclass(frozen=True)
    class B(P):
        z: int = 0
print(repr(f()))`,
	`def f():

    @dataclass(order=True)
    class B:
        x: int

        def __lt__(s, o):
            pass
print(repr(f()))`,
	`def f():

    @dataclass(frozen=True)
    class B:
        x: int

        def __setattr__(s, o, v):
            pass
print(repr(f()))`,
	`def f():

    @dataclass(unsafe_hash=True)
    class B:
        x: int

        def __hash__(s):
            return 1
print(repr(f()))`,
	`field(default=1, default_factory=list)`,
	`Q(1, 2)`,
	`Q(1, 2).w`,
	`Q(1) == P(1)`,
	`asdict(Q(1))`,
	`I(1)`,
	`I(1).b`,
	`I.c`,
	`[f.name for f in fields(I)]`,
	`replace(I(1))`,
	`replace(I(1), a=3)`,
	`replace(I(1), a=3, b=1)`,
	`I(1, e=2)`,
	`I.a`,
	`I(1).e`,
	`InitVar[int]`,
	`InitVar`,
	`K(1, c=2)`,
	`K(1)`,
	`K(1, 2)`,
	`K.__match_args__`,
	`K(1, 2, c=1)`,
	`K.__doc__`,
	`K2(a=1)`,
	`K2(1)`,
	`K2()`,
	`S(1)`,
	`def f():
    S(1).zz = 4
print(repr(f()))`,
	`S.__slots__`,
	`S(1).b`,
	`r`,
	`R(R(), {'a': 1})`,
	`asdict(R(R(), {'a': 1}))`,
	`astuple(R(R(), {'a': 1}))`,
	`asdict(N([P(1)], {'k': P(2)}, (P(3),)))`,
	`astuple(N([P(1)], {'k': P(2)}, (P(3),)))`,
	`asdict(P(1), dict_factory=lambda x: x)`,
	`astuple(P(1), tuple_factory=list)`,
	`C(1, 2)`,
	`C.__annotations__`,
	`C(1).m()`,
	`make_dataclass('C', ['1x'])`,
	`make_dataclass('C', ['x', 'x'])`,
	`make_dataclass('C', ['class'])`,
	`make_dataclass('C', [3])`,
	`field(metadata={'a': 1}).metadata`,
	`dataclass(3)`,
	`dataclass(repr=False)(type('Z', (), {'__annotations__': {}}))().__class__.__name__`,
	`E(1) == E(1)`,
	`hash(E(1)) is not None`,
	`H(1)`,
	`H(1) == H(2)`,
	`WithInit()`,
	`hash(UH(1)) == hash((1,))`,
	`Pr(3).dbl`,
	`Gen[int](3)`,
	`Ex(3)`,
	`str(Ex(3))`,
	`Ex(3).args`,
	`def f():

    @dataclass
    class B:
        x: int = field(default_factory=list, init=False)
    return B()
print(repr(f()))`,
	`asdict(f())`,
	`FrozenInstanceError.__mro__`,
	`P.__dataclass_fields__.keys()`,
	`repr(P(1))`,
	`f'{P(1)}'`,
	`{P(1): 1}`,
	`P(x='a')`,
	`P(y=1)`,
	`K2(c=1, a=2)`,
	`Out.Inn(1)`,
	`Out.Inn()`,
}
