x = 1
def f(a, b=2, *c, d=4, **e):
    return [a, b, c, d, e]
print(f(1), f(1,2,3,d=5,z=6))
class A:
    k = 3
    def __init__(self, v):
        self.v = v
    def get(self):
        return self.v + self.k
    @property
    def dbl(self): return self.v * 2
    def __repr__(self): return f"A({self.v!r})"
class B(A):
    def __init__(self, v):
        super().__init__(v + 1)
    def get(self):
        return super().get() * 10
print(A(1).get(), B(2).get(), A(5).dbl, [A(1), {"x": B(3)}])
def gen(n):
    i = 0
    while i < n:
        got = yield i
        if got: print("got", got)
        i += 1
    return "done"
def outer():
    r = yield from gen(3)
    print("r", r)
    yield 99
print([v for v in outer()])
try:
    try:
        1/0
    except ZeroDivisionError as e:
        print("zde", e)
        raise ValueError("boom") from e
    finally:
        print("fin")
except ValueError as e:
    print(repr(e), repr(e.__cause__))
def fin():
    for i in [1,2,3]:
        try:
            if i == 2: continue
            if i == 3: return "ret"
        finally:
            print("f", i)
print(fin())
def counter():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    return inc
c = counter(); c(); print(c())
print({k: v for k, v in {"a": 1, "b": 2}.items() if v > 1}, [y*x for x in [1,2] for y in [3,4] if y != 3])
a, *b, (c2, d) = [1, 2, 3, (4, 5)]
print(a, b, c2, d, 1 < 2 < 3, 1 < 2 > 5, not 1, x if x else 2)
class CM:
    def __enter__(self): print("enter"); return 5
    def __exit__(self, t, v, tb): print("exit", t is not None); return True
with CM() as z:
    print(z); raise KeyError("x")
print(f"{3.14159} {x!r} {'a'}" , "é中"[1], "abc"[::-1], 2**100, -7//2, -7%3, 7.5//2)
print({**{"a":1}, "b":2}, [*[1,2], 3], (*[1],), {*[1,2]})
def h(a): return h(a+1)
try: h(1)
except RecursionError as e: print(e)
lst = [3,1]; lst += [4]; lst[0] += 10; print(lst, 10**20, 1 == 1.0, "a" in "abc", None is None)
