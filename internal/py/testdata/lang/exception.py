# try in all its forms.
def order():
    out = []
    def f(n):
        try:
            out.append("try")
            if n == 1: raise ValueError("v")
            if n == 2: return "ret"
            if n == 3: raise KeyError("k")
        except ValueError as e:
            out.append(f"except {e}")
            return "handled"
        else:
            out.append("else")
        finally:
            out.append("finally")
            if n == 4: return "override"
        return "end"
    for n in range(5):
        try: out.append(f(n))
        except KeyError as e: out.append(repr(e))
    return out
print(order())
def nested():
    try:
        try:
            raise ValueError("a")
        except ValueError:
            raise TypeError("b")
    except TypeError as e:
        print(repr(e), repr(e.__context__), e.__cause__, e.__suppress_context__)
nested()
def loop():
    for i in range(5):
        try:
            if i == 1: continue
            if i == 3: break
            print("body", i)
        finally:
            print("fin", i)
    else:
        print("no")
    while True:
        try:
            return "out"
        finally:
            break
    return "after"
print(loop())
class E1(Exception):
    def __init__(self, code, msg="m"):
        super().__init__(msg)
        self.code = code
    def __str__(self): return f"E1[{self.code}] {self.args}"
try: raise E1(5)
except E1 as e: print(e, repr(e), e.args, e.code)
try: raise E1
except TypeError as e: print(e)
try:
    raise Exception("x", 1)
except (KeyError, Exception) as e: print(e, e.args)
try: print(e)
except NameError as n: print(n)
class CM:
    def __init__(self, n, sup=False): self.n, self.sup = n, sup
    def __enter__(self): print("in", self.n); return self
    def __exit__(self, t, v, tb): print("out", self.n, t and t.__name__, v); return self.sup
with CM(1) as a, CM(2, True) as b:
    raise ValueError("w")
def ret_in_with():
    with CM(3):
        return "r"
print(ret_in_with())
for i in range(3):
    with CM(i):
        if i == 1: break
try:
    with CM(9): raise KeyError("z")
except KeyError: print("through")
def g():
    try:
        yield 1
        yield 2
    except ValueError as e:
        print("g caught", e); yield 3
    finally:
        print("g fin")
it = g(); print(next(it), it.throw(ValueError("t")), list(it))
it = g(); next(it); it.close()
def sub():
    r = yield 1
    print("sub got", r)
    try: yield 2
    except RuntimeError as e: print("sub caught", e)
    return "subret"
def deleg():
    v = yield from sub()
    print("v", v)
    yield from [7, 8]
d = deleg(); print(next(d), d.send("s"), d.throw(RuntimeError("x")), next(d))
try: next(d)
except StopIteration as e: print("stop", e.value)
try: assert 1 == 2, "msg"
except AssertionError as e: print(repr(e))
try: assert False
except AssertionError as e: print(repr(e))
try: raise ValueError from None
except ValueError as e: print(repr(e), e.__suppress_context__)
try: raise 5
except TypeError as e: print(e)
try:
    try: 1/0
    except ZeroDivisionError: raise
except ZeroDivisionError as e: print("re", e)
try: raise
except RuntimeError as e: print(e)
def rec(n):
    try: return rec(n + 1)
    except RecursionError: return "deep"
print(rec(0))
raise E1(7)
