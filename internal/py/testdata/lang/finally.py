# return in try, left by a jump in finally
def f():
    for i in range(4):
        try:
            return i
        finally:
            if i < 2:
                continue
    return "end"
print(f())
def g():
    for i in range(3):
        try:
            return "a", i
        finally:
            break
    return "b", i
print(g())
def h():
    while True:
        try:
            try:
                return 1
            finally:
                return 2
        finally:
            return 3
print(h())
# ---
# a kept value under nested loops, finally and with
class CM:
    def __init__(self, name, swallow=False): self.name, self.swallow = name, swallow
    def __enter__(self): print("enter", self.name); return self
    def __exit__(self, kind, value, tb): print("exit", self.name, kind and kind.__name__); return self.swallow
def f(n):
    for a in range(3):
        with CM("outer"):
            for b in range(3):
                try:
                    with CM("inner", swallow=True):
                        if b == n: return a, b
                        if b == n + 1: raise ValueError(b)
                        if a == n: continue
                        if a + b == 3: break
                finally:
                    print("finally", a, b)
                    if a == 0: continue
            else:
                print("no break")
    return "done"
for n in range(4): print(f(n))
# ---
# break and continue through finally keep the loop's iterator
def f():
    out = []
    for i in [1, 2, 3]:
        for j in "ab":
            try:
                if i == 2: break
                out.append((i, j))
                continue
            finally:
                out.append("f")
        else:
            out.append("else")
    return out
print(f())
def g(n):
    k = 0
    while k < 5:
        k += 1
        try:
            try:
                if k == n: raise KeyError(k)
                if k == n + 1: continue
            except KeyError:
                continue
            finally:
                if k == 4: break
        finally:
            print(k, end=" ")
    return k
print([g(n) for n in range(5)])
# ---
# generators: finally on close, throw and return
def g(log):
    for i in range(3):
        try:
            try:
                x = yield i
                log.append(("got", x))
            finally:
                log.append(("inner", i))
                if i == 1:
                    yield "in finally"
        except ValueError as e:
            log.append(repr(e))
            continue
        finally:
            log.append(("outer", i))
    return "ret"
for mode in range(5):
    log, it = [], None
    it = g(log)
    try:
        log.append(next(it))
        if mode == 0: log.append([*it])
        if mode == 1: log.append(it.throw(ValueError("x")))
        if mode == 2: log.append(it.send("s")); log.append(it.send("t"))
        if mode == 3: log.append(it.close())
        if mode == 4: log.append(it.throw(KeyError, KeyError("k")))
        log.append(next(it))
    except (StopIteration, KeyError) as e:
        log.append((type(e).__name__, e.args))
    print(log)
# ---
# yield inside finally while a value is kept
def g():
    for i in range(2):
        try:
            return "kept"
        finally:
            y = yield i
            if y: continue
def run(*sent):
    it, out = g(), []
    try:
        out.append(next(it))
        for s in sent: out.append(it.send(s))
    except StopIteration as e:
        out.append(("stop", e.value))
    return out
print(run(0), run(1), run(1, 0), run(1, 1))
# ---
# a finished generator gives its value once
def g():
    yield 1
    return "value"
it = g()
print([*it])
for f in (lambda: next(it), lambda: it.send(None)):
    try: f()
    except StopIteration as e: print(e.value)
def outer(): return (yield from g()), (yield from g())
try:
    it = outer()
    print(next(it), next(it))
    next(it)
except StopIteration as e: print(e.value)
# ---
# an except clause that fails leaves nothing behind
def bad():
    try:
        try:
            raise ValueError("x")
        except (KeyError, "no class"):
            pass
    except TypeError as e:
        print(repr(e), repr(e.__context__))
bad()
try:
    1 % 0
except ZeroDivisionError as e:
    print(repr(e.__context__))
for i in range(3):
    try:
        raise KeyError(i)
    except KeyError if i else ValueError:
        print("caught", i)
        continue
    except KeyError:
        print("second", i)
# ---
# contexts and causes
def chain(e):
    out = []
    while e is not None and len(out) < 9:
        out.append((repr(e), repr(e.__cause__), e.__suppress_context__))
        e = e.__context__
    return out
a, b = ValueError("a"), ValueError("b")
try:
    try:
        raise a
    except ValueError:
        try:
            raise b
        except ValueError:
            raise a
except ValueError as e:
    print(chain(e))
try:
    try: raise a
    except ValueError as e: raise KeyError("k") from e
except KeyError as e: print(chain(e))
def gen():
    try: yield 1
    except ValueError: yield 2
it = gen()
next(it)
try:
    try: raise KeyError("outer")
    except KeyError: print(it.throw(ValueError("thrown")))
    it.throw(TypeError("again"))
except TypeError as e: print(chain(e))
# ---
# with: exit runs once, also when it raises or enter fails
class CM:
    def __init__(self, name, enter=None, exit=None): self.name, self.a, self.b = name, enter, exit
    def __enter__(self):
        print("enter", self.name)
        if self.a: raise self.a
    def __exit__(self, *info):
        print("exit", self.name, repr(info[1]))
        if self.b: raise self.b
def run(*cms):
    try:
        with cms[0], cms[1], cms[2]: print("body"); return "r"
    except Exception as e:
        return repr(e), repr(e.__context__)
    finally:
        print("out")
print(run(CM(1), CM(2), CM(3)))
print(run(CM(1), CM(2, enter=ValueError(2)), CM(3)))
print(run(CM(1), CM(2, exit=KeyError(2)), CM(3, exit=ValueError(3))))
# ---
# the name of a handler is unbound on every way out
def f(n):
    e = "before"
    for i in range(2):
        try:
            raise ValueError
        except ValueError as e:
            if n == 0: continue
            if n == 1: break
            if n == 2: return "left"
        finally:
            print("e" in locals(), end=" ")
    return "e" in locals()
print([f(n) for n in range(4)])
