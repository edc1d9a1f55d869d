# Names: closures, class scopes, global and nonlocal, comprehensions, walrus.
x = "module"
class C:
    x = "class"
    def f(self): return x
    y = [x for _ in range(1)]
    z = [(lambda: x)() for _ in range(1)]
print(C().f(), C.y, C.z)
def outer():
    x = "outer"
    class D:
        seen = x
        def g(self): return x
    x = "later"
    return D
print(outer().seen, outer()().g())
def w():
    if (n := 10) > 5: pass
    r = [m := i for i in range(3)]
    return n, m, r
print(w())
def gl():
    global made
    made = 5
gl(); print(made)
def dele():
    a = 1
    del a
    try: print(a)
    except UnboundLocalError as e: print(e)
    def inner(): return b
    try: inner()
    except NameError as e: print(type(e).__name__, e)
    b = 2
    return inner()
print(dele())
class P:
    __secret = 1
    def get(self): return self.__secret
print(P().get(), [n for n in dir(P) if "secret" in n])
try: undefined_name
except NameError as e: print(e)
fs = [lambda i=i: i for i in range(3)]; gs = [lambda: i for i in range(3)]
print([f() for f in fs], [g() for g in gs])
def f(a, /, b, *, c): return a, b, c
for call in ["f(1,2,c=3)", "f(1,b=2,c=3)"]: pass
print(f(1, 2, c=3), f(1, b=2, c=3))
for bad in (lambda: f(), lambda: f(1), lambda: f(1,2), lambda: f(1,2,3), lambda: f(a=1,b=2,c=3), lambda: f(1,2,c=3,d=4), lambda: f(1,2,b=3,c=1), lambda: f(*[1,2,3,4], c=1)):
    try: bad()
    except TypeError as e: print(e)
class Meta:
    def __init_subclass__(cls, **kw): print("sub", cls.__name__, kw)
class Sub(Meta, tag=1): pass
