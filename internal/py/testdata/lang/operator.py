# Which operand's method computes: numbers before sequences, subclasses first.
def add(a, b): return a + b
def mul(a, b): return a * b
def power(a, b): return a ** b
def mod(a, b): return a % b
def iadd(a, b):
    a += b
    return a
def imul(a, b):
    a *= b
    return a
class X:
    def __radd__(self, o): return "radd"
    def __rmul__(self, o): return "rmul"
class I(int):
    def __rmul__(self, o): return "irmul"
    def __radd__(self, o): return "iradd"
class F(float):
    def __rpow__(self, o): return "frpow"
class Index:
    def __index__(self): return 2
def show(op, a, b):
    try: r = op(a, b)
    except Exception as e: r = type(e).__name__, str(e)
    print(type(a).__name__, type(b).__name__, op.__name__, type(r).__name__, r)
for base, v in ((list, [1]), (tuple, (1,)), (str, "a"), (bytes, b"a")):
    class P(base): pass
    class R(P):
        def __rmul__(self, o): return "Rrmul"
        def __radd__(self, o): return "Rradd"
    class N(base):
        def __add__(self, o): return NotImplemented
        def __mul__(self, o): return NotImplemented
    class In(base):
        def __iadd__(self, o): return NotImplemented
        def __imul__(self, o): return NotImplemented
    for T in (base, P, R, N, In):
        for o in (X(), I(2), F(2), Index(), 1, P(v), base(v), R(v), N(v), 2.5, True, None, ValueError(1)):
            for op in (add, mul, iadd, imul, power, mod):
                if op is mod and base is bytes and T is base: continue
                show(op, T(v), o)
                show(op, o, T(v))
# ---
# Half of a pair of methods
class OnlySet:
    def __setitem__(self, k, v): pass
class OnlyDel:
    def __delitem__(self, k): pass
class S:
    def __set__(self, o, v): print("set", v)
class D:
    def __delete__(self, o): print("delete")
class H: s = S(); d = D()
def dele(o, k): del o[k]
def put(o, k, v): o[k] = v
def dela(o, k): delattr(o, k)
for f in (lambda: dele(OnlySet(), 1), lambda: put(OnlyDel(), 1, 2), lambda: dele((), 1), lambda: dele((), "a"), lambda: dele(5, 1),
          lambda: dele("", 2**70), lambda: [].__setitem__(2**70, 1), lambda: [][2**70], lambda: setattr(H(), "s", 1), lambda: dela(H(), "s"), lambda: setattr(H(), "d", 1), lambda: dela(H(), "d")):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
# ---
# Bytes as text, and their % operator
b = b" Ab\tc-9\xe9 x "
print([getattr(b, n)() for n in "capitalize title swapcase upper lower strip lstrip rstrip split rsplit splitlines expandtabs isalnum isalpha isdigit isspace islower isupper istitle isascii hex".split()])
print(b.center(20, b"*"), b.ljust(15), b.rjust(15, b"-"), b"-7".zfill(5), b"a,b,c".rpartition(b","), b"abc".partition(b"x"), b"a b  c ".rsplit(None, 1), b"a,b,c".rsplit(b",", 1))
print(b"l1\r\nl2\nl3".splitlines(True), b"abc".translate(bytes.maketrans(b"ab", b"xy"), b"c"), b"prefix".removeprefix(b"pre"), b"x".removesuffix(b"y"))
print(b"%d|%5.2f|%-4s|%c|%c|%a|%x|%(k)s" .replace(b"%(k)s", b"") % (3, 2.5, b"ab", 65, b"z", "\xe9", 255), b"%(a)s %%" % {b"a": b"v"})
for f in (lambda: b"%s" % "x", lambda: b"%d" % "x", lambda: b"%c" % 300, lambda: b"%c" % "x", lambda: b"%f" % "x", lambda: b"x" % 1, lambda: b"%d %d" % 1, lambda: b"a".center(3, "x"), lambda: b"a".translate(b"x"), lambda: b"a".partition(b"")):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
# ---
# Ranges beyond 64 bits
B = 2**63
for r in (range(B), range(B - 2, B + 2), range(-B - 3, B, B), range(2**64, 0, -2**61), range(B, B)):
    for f in (lambda: r, lambda: len(r), lambda: r[0], lambda: r[-1], lambda: r[1:3], lambda: r[::-1], lambda: r[2**65:], lambda: B in r, lambda: r.index(B), lambda: (r.start, r.stop, r.step), lambda: next(iter(r)), lambda: next(reversed(r)), lambda: bool(r)):
        try: print(f())
        except Exception as e: print(type(e).__name__, e)
print(list(range(B - 1, B + 2)), range(B, B) == range(0), {range(2, 2): 1}[range(0)])
