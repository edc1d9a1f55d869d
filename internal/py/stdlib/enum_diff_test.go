package stdlib

import "testing"

// TestEnumDiff compares the module with CPython.
func TestEnumDiff(t *testing.T) {
	diffSnippets(t, enumHeader, enumSnippets)
}

var enumHeader = `from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, property, unique
class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    def d(self):
        return self.name.lower()
def s(a, v):

    def f():
        setattr(a, v, 5)
    return f
class P(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W
class I(IntFlag):
    A = 1
    B = 2
class N(IntEnum):
    A = 1
    B = auto()
    C = 10
    D = auto()
class S(StrEnum):
    Ab = auto()
    B = 'x'
class M(str, Enum):
    A = 'a'
    B = 'b'
class MI(int, Enum):
    A = 1
class Pl(Enum):
    E = (1, 2)
    F = (3, 4)

    def __init__(self, a, b):
        self.a = a
        self.b = b

    @property
    def s(self):
        return self.a + self.b

    @classmethod
    def _missing_(cls, v):
        return cls.E if v == 'e' else None
class Nw(Enum):
    A = ('x', 5)
    B = ('y', 6)

    def __new__(cls, v, n):
        o = object.__new__(cls)
        o._value_ = v
        o.n = n
        return o
class Ms(Enum):
    A = 1

    @classmethod
    def _missing_(cls, v):
        return 5
class Mr(Enum):
    A = 1

    @classmethod
    def _missing_(cls, v):
        raise KeyError('q')
A = Enum('A', 'X Y')
A = Enum('A', ['X', 'Y'], start=5)
A = Enum('A', {'X': 3})
A = Enum('A', [('X', 3)])
A = IntEnum('A', 'P,Q')
class Q(Enum):
    A = 'a'
    B = auto()
class Q(Enum):
    A = 3
    B = 1
    C = auto()
class Q(Enum):
    A = 3
    B = 1
    C = auto()
    D = 's'
    E = auto()
class Lo(Enum):

    def _generate_next_value_(name, start, count, last):
        return name + str(count)
    A = auto()
    B = auto()
class Un(Enum):
    A = [1]
    B = [2]
    C = [1]
class Em(Enum):

    def foo(self):
        return self.value
class Em2(Em):
    A = 1`

var enumSnippets = []string{
	`Color.RED.name.__class__`,
	`s(Color.RED, 'name')()`,
	`s(Color.RED, 'value')()`,
	`s(Color, 'RED')()`,
	`s(Color.RED, 'foo')()`,
	`def f():
    pass
print(repr(f()))`,
	`Color.RED.GREEN`,
	`Color(5)`,
	`Color('x')`,
	`Color['X']`,
	`Color.X`,
	`def f():

    class S(Color):
        pass
print(repr(f()))`,
	`def f():

    class S(Color):
        X = 1
print(repr(f()))`,
	`Color`,
	`Color()`,
	`Color(1, 2)`,
	`Color.name`,
	`1 in Color`,
	`'RED' in Color`,
	`Color.RED in Color`,
	`Color.RED < Color.GREEN`,
	`Color.__members__`,
	`list(reversed(Color))`,
	`P.R | P.W`,
	`P(0)`,
	`str(P(0))`,
	`P(8)`,
	`~P.R`,
	`list(P.RW)`,
	`list(P)`,
	`len(P)`,
	`P.R in P.RW`,
	`1 in P.R`,
	`P.R | 1`,
	`P(-1)`,
	`P('a')`,
	`P.R | P.X`,
	`str(P.R | P.X)`,
	`(P.R | P.X).name`,
	`(P.R | P.X).value`,
	`len(P.R | P.X)`,
	`bool(P(0))`,
	`P(0).name`,
	`P.RW.name`,
	`P`,
	`f'{P.R}'`,
	`hash(P.R) == hash(1)`,
	`I.A | I.B`,
	`I(7)`,
	`str(I.A)`,
	`I.A | 8`,
	`~I.A`,
	`I(-1)`,
	`I.A + 1`,
	`f'{I.A}'`,
	`I(8)`,
	`str(I(3))`,
	`list(I(7))`,
	`I(0)`,
	`~I(0)`,
	`I(7).name`,
	`~I(8)`,
	`1 | I.A`,
	`8 | I.A`,
	`I.A & 1`,
	`I.A ^ 3`,
	`N.A`,
	`str(N.A)`,
	`f'{N.A:>4}'`,
	`N.A + 1`,
	`N.A == 1`,
	`N.A < N.B`,
	`list(N)`,
	`'%d %s' % (N.A, N.A)`,
	`N('1')`,
	`sorted([N.B, N.A])`,
	`{N.A: 1}[1]`,
	`[1, 2][N.A]`,
	`S.Ab`,
	`str(S.Ab)`,
	`f'{S.B:>4}'`,
	`S.B + 'y'`,
	`S.B == 'x'`,
	`repr(S.B)`,
	`S('x')`,
	`S.B.upper()`,
	`M.A`,
	`str(M.A)`,
	`f'{M.A}'`,
	`f'{M.A:>10}|'`,
	`M.A == 'a'`,
	`M.A.value`,
	`'x' + M.A`,
	`'%s' % M.A`,
	`'{}'.format(M.A)`,
	`{'a': 1}[M.A]`,
	`M('zz')`,
	`','.join([M.A, M.B])`,
	`M.A < M.B`,
	`hash(M.A) == hash('a')`,
	`M.A.__class__`,
	`isinstance(M.A, str)`,
	`str(MI.A)`,
	`f'{MI.A}'`,
	`f'{MI.A:3}|'`,
	`MI.A + 1`,
	`repr(MI.A)`,
	`format(MI.A, 'd')`,
	`def f():

    class S2(StrEnum):
        A = 1
print(repr(f()))`,
	`def f():

    class S2(StrEnum):
        A = ('a', 'b', 'c', 'd')
print(repr(f()))`,
	`def f():

    class S2(IntEnum):
        A = 'a'
print(repr(f()))`,
	`def f():

    @unique
    class U(Enum):
        A = 1
        B = 1
        C = 2
        D = 2
print(repr(f()))`,
	`def f():

    class U(Enum):
        _foo_ = 1
print(repr(f()))`,
	`def f():

    class U(Enum):
        mro = 1
print(repr(f()))`,
	`Pl.E`,
	`Pl.E.s`,
	`Pl('e')`,
	`Pl((3, 4))`,
	`Pl('z')`,
	`Pl.E.a`,
	`Nw.A`,
	`Nw('y').n`,
	`Ms(3)`,
	`Mr(3)`,
	`list(A)`,
	`A.__module__`,
	`A.X`,
	`type(Color)`,
	`type(Color.RED)`,
	`Color.__name__`,
	`Color.RED.__objclass__`,
	`auto()`,
	`Enum`,
	`IntEnum`,
	`Flag`,
	`Enum('x')`,
	`Color.RED.d()`,
	`Color.RED.d`,
	`bool(Color)`,
	`Color.__dict__['RED']`,
	`list(Q)`,
	`list(Lo)`,
	`list(Un)`,
	`Un([2])`,
	`Un.C is Un.A`,
	`Em2.A.foo()`,
	`Em(1)`,
	`list(Em)`,
	`Color.RED == 1`,
	`Color.RED is Color.CRIMSON`,
	`Color.CRIMSON`,
	`hash(Color.RED) == hash('RED')`,
	`Color.__len__()`,
	`isinstance(Color.RED, Color)`,
	`issubclass(Color, Enum)`,
	`Color._member_names_`,
	`Color._value2member_map_`,
	`Color._member_map_`,
	`Color.RED._value_`,
	`Color.RED._name_`,
	`Color.RED.__dict__`,
	`Color.__doc__`,
	`Color[1]`,
	`Color.RED.__module__`,
	`Color.__qualname__`,
}
