# What stands among the bases of a class
for b in ([], 5, None, "x", 2.5, b"", {}, (), {1}, object(), NotImplemented, ..., True, iter([]), (x for x in []), classmethod(1), len):
    try:
        class C(b): pass
        print(C)
    except Exception as e: print(type(b).__name__, type(e).__name__, e)
class Meta:
    def __init__(self, *a, **k): print(a[0], k)
class Q(Meta("first", (), {}), z=1): pass
print(type(Q).__name__)
try:
    class R(int, 5): pass
except TypeError as e: print(e)
# ---
# Method resolution, properties, slots of the class dictionary
class A: "doc"
class B(A): pass
print(A.__doc__, B.__doc__, B().__doc__, A().__doc__)
try:
    class X(A, B): pass
except TypeError as e: print(e)
class K:
    @property
    def x(self): return 1
    @x.setter
    def y(self, v): pass
    z = property()
K.late = property()
for n in ("x", "y", "z", "late"):
    for f in (lambda: getattr(K(), n), lambda: setattr(K(), n, 1), lambda: delattr(K(), n)):
        try: print(n, f())
        except AttributeError as e: print(e)
try: K().__dict__ = []
except TypeError as e: print(e)
def run():
    class Bad(other=1): pass
try: run()
except TypeError as e: print(e)
# ---
# __getattribute__ also for calls
class G:
    def __getattribute__(self, name): return lambda *a: (name, a)
    def m(self): return "not this"
print(G().m(1), G().anything())
class L(list):
    def __len__(self): return -1
for f in (lambda: list(L()), lambda: [*L()], lambda: print(*L()), lambda: sorted(L()), lambda: [].extend(L()), lambda: tuple(L())):
    try: print(f())
    except ValueError as e: print(e)
# ---
# A dict whose keys change it while they are compared
class Key:
    def __init__(self, n): self.n = n
    def __hash__(self): return 1
    def __eq__(self, o):
        if self.n == 3: d.clear()
        return isinstance(o, Key) and self.n == o.n
d = {Key(i): i for i in range(3)}
print(d.get(Key(3)), len(d))
for i in range(20): d[Key(i + 10)] = i
print(d.get(Key(3)), len(d))
