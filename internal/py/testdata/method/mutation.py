def t(f):
    try: r = ascii(f())
    except Exception as e: r = type(e).__name__ + ': ' + str(e)
    print(f.__name__, r)
seed = 7
def rnd(n):
    global seed
    seed = (seed * 1103515245 + 12345) % 2147483648
    return (seed >> 8) % n
def sort1():
    l = [3, 1, 2]
    def key(x): l.append(x); return x
    try: l.sort(key=key)
    finally: print(l)
t(sort1)
def sort2():
    l = [3, 1, 2]
    seen = []
    l.sort(key=lambda x: (seen.append(list(l)), x)[1])
    return l, seen
t(sort2)
def sort3():
    l = [3, 1, 'a', 2]
    try: l.sort()
    except TypeError as e: return sorted(map(str, l)), str(e)
t(sort3)
for n in (2, 5, 20, 63, 64, 65, 100, 200, 333):
    def s():
        log = []
        class K:
            def __init__(self, v, i): self.v = v; self.i = i
            def __lt__(self, o): log.append((self.i, o.i)); return self.v < o.v
        xs = [K(rnd(n), i) for i in range(n)]
        a = [x.i for x in sorted(xs)]
        cnt = log if n < 64 else None
        b = [x.i for x in sorted(xs, reverse=True)]
        return a, b, cnt
    t(s)
def dmut():
    d = {1: 1, 2: 2}
    for k in d: d[k + 10] = 1
t(dmut)
def dmut2():
    d = {1: 1, 2: 2}
    for k in d.values(): del d[k]
t(dmut2)
def dmut3():
    d = {1: 1, 2: 2}
    out = []
    for k, v in d.items():
        d[k] = v + 1; out.append((k, v))
    return d, out
t(dmut3)
def dmut4():
    d = {i: i for i in range(20)}
    for i in range(15): del d[i]
    it = iter(d.items()); next(it)
    r = list(reversed(d.items())), list(reversed(d)), list(it), len(d.keys()), d.popitem(), d.popitem(), list(d)
    return r
t(dmut4)
def smut():
    s = {1, 2}
    for x in s: s.add(x + 10)
t(smut)
def lmut():
    l = [1, 2, 3]
    out = []
    for x in l:
        out.append(x)
        if len(l) < 8: l.append(x * 2)
    return out, l
t(lmut)
def lmut2():
    l = [1, 2, 3, 4]
    for x in l: l.remove(x)
    return l
t(lmut2)
def rev():
    l = [1, 2, 3]
    it = reversed(l); next(it); l.append(4); a = list(it); l2 = list(it)
    it2 = reversed(l); l.clear()
    return a, l2, list(it2)
t(rev)
def views():
    d = {'a': 1, 'b': 2, 'c': 3}
    e = {'b': 2, 'c': 4}
    return sorted(d.keys() & e.keys()), sorted(d.keys() | e), sorted(d.keys() - e.keys()), sorted(d.keys() ^ e.keys()), sorted(d.items() & e.items()), d.keys() >= e.keys(), d.items() >= e.items(), d.keys() == {'a', 'b', 'c'}, {'a'} < d.keys(), d.keys() > {'a'}, d.keys() != e.keys(), d.keys().isdisjoint('xyz'), ('a', 1) in d.items(), ('a', 2) in d.items(), 'ab' in d.items(), 1 in d.values(), d.values() == d.values(), sorted(['a', 'z'] & d.keys()), sorted({'q'} | d.keys()), type({'q'} | d.keys()).__name__, d.keys() == d.keys(), d.items() == {('a', 1), ('b', 2), ('c', 3)}
t(views)
def views2():
    d = {'a': [1]}
    return d.items() & d.items()
t(views2)
def views3():
    d = {'a': [1]}
    return ('a', [1]) in d.items(), d.items() == d.items(), d.items() <= d.items(), len(d.items()), list(d.items())
t(views3)
t(lambda: {1: 2}.keys() < [1])
t(lambda: {1: 2}.keys() & 5)
t(lambda: hash({}.keys()))
t(lambda: {}.keys() + {}.keys())
t(lambda: {}.values() & {})
t(lambda: hash({}.values()) and 1)
def setops():
    a = {1, 2, 3}
    a |= {4}; a &= {1, 2, 4}; a -= {1}; a ^= {9, 2}
    b = a; b.update([5], (6,), {7: 1}); b.difference_update([5], {6}); b.intersection_update([7, 9, 4, 1]); b.symmetric_difference_update([1, 7])
    return sorted(a), a is b, sorted(a.union([1], [2])), sorted(a.intersection([4], [4, 9])), sorted(a.difference([4])), sorted(a.symmetric_difference([4, 5])), a.issubset(range(20)), a.issuperset([4]), a.isdisjoint([4]), frozenset([1]) == {1}, {1} < frozenset([1, 2]), {frozenset([1]): 1}[frozenset([1])], {1} in {frozenset([1])}, sorted(map(type, {1, 1.0, True}), key=str), sorted(map(str, {1} & {1.0})), sorted(map(str, {1.0} & {1, 2})), sorted(map(str, {1} | {1.0})), sorted(map(str, {1.0}.union({1})))
t(setops)
t(lambda: {1} | [1])
t(lambda: {1} & 5)
t(lambda: {1} - 'a')
t(lambda: {1} < [1])
t(lambda: {[1]})
t(lambda: {1}.add({1}))
t(lambda: {frozenset([1])}.remove({1}))
t(lambda: {1}.discard([]))
t(lambda: {frozenset()} - {frozenset()})
def genargs():
    g = (x for x in range(5))
    return any(x > 2 for x in g), list(g)
t(genargs)
def zipshort():
    a, b = iter([1, 2, 3]), iter([1])
    z = list(zip(a, b)); return z, list(a)
t(zipshort)
def ext():
    l = [1]
    def g():
        yield 2
        raise ValueError('boom')
    try: l.extend(g())
    except ValueError: pass
    l += (x for x in 'ab')
    l[1:1] = [7]; l.extend(l); l.extend({'k': 1}); l.extend('xy')
    return l
t(ext)
t(lambda: [1].extend(5))
t(lambda: [1].__iadd__(5))
t(lambda: [] + 5)
t(lambda: [1, 2, 3].index(3, -1), )
t(lambda: [1, 2, 3].index(3, 0, -1))
t(lambda: [1, 2, 3].index(1, 5, 2))
n = float('nan')
t(lambda: [n].index(n))
t(lambda: ([n].count(n), n in [n], [n] == [n], {n: 1}.get(n), (n,).index(n)))
t(lambda: sum([0.1] * 10))
t(lambda: sum([1, 2.5, True]))
t(lambda: (sum([[1], [2]], []), sum(((1,), (2,)), ()), sum([], 5)))
t(lambda: (max('abc'), min({'b': 1, 'a': 2}), max([1, 1.0]), min([1.0, 1]), max((1, 2), (1, 3)), min('a', 'b', key=ord), max([[1, 2], [3]], key=len, default=0)))
t(lambda: (dict(a=1, **{'b': 2}), dict([('x', 1)], y=2), dict(zip('ab', [1, 2])), dict({}), dict(((1, 2), [3, 4]))))
t(lambda: dict([1, 2], [3]))
t(lambda: dict(['abc']))
t(lambda: dict([(1, 2), 3]))
t(lambda: dict([([], 2)]))
t(lambda: {}.update([(1, 2)], [(3, 4)]))
t(lambda: ({**{'a': 1}}, {'a': 1} | {'b': 2}, {'a': 1}.get('z'), {'a': 1}.setdefault('z', [])))
t(lambda: {} | [(1, 2)])
def ior():
    d = {}
    d |= [(1, 2)]; d |= {3: 4}
    return d
t(ior)
t(lambda: [id(x) == id(x) for x in (1, 'a', [])])
t(lambda: (isinstance(id([]), int), id(None) == id(None), id(len) == id(len)))
t(lambda: [x.__name__ for x in (int, str, len, print, sorted, [].append, 'a'.upper, dict.fromkeys)])
t(lambda: ('a b  c '.split(), ' a b '.split(' '), 'a,b,c'.split(',', 1), 'a,b,c'.rsplit(',', 1), 'a\nb\r\nc\x0bd'.splitlines(), 'a\nb'.splitlines(True), 'abc'.partition('b'), 'abcb'.rpartition('b'), 'a'.partition('z'), 'xxaxx'.strip('x'), 'abc'.replace('', '-'), 'abcabc'.replace('b', 'X', 1), 'a\tb'.expandtabs(4), '-5'.zfill(5), 'title case'.title(), 'sWap'.swapcase(), 'abc'.center(8, '*'), 'abc'.translate(str.maketrans('ab', 'xy', 'c'))))
def revd():
    class R:
        def __len__(self): return 3
        def __getitem__(self, i): return i * 2
    class N:
        __reversed__ = None
    class I: 
        def __iter__(self): return iter([1])
    out = [list(reversed(R()))]
    for c in (N, I):
        try: out.append(list(reversed(c())))
        except TypeError as e: out.append(str(e))
    return out
t(revd)
def nx():
    it = iter([1])
    return next(it), next(it, 'end'), next(it, None), list(it)
t(nx)
t(lambda: print(1, 'a', None, [1], sep='-', end='!\n'))
t(lambda: print(*'abc', sep=''))
t(lambda: print(sep='x'))
def w():
    class W:
        def __init__(self): self.s = []
        def write(self, x): self.s.append(x)
    f = W(); print(1, 2, file=f); print(file=f, end='e'); return f.s
t(w)
t(lambda: [f'{x!r:>{w}}' for x, w in [('a', 5), ('b', 3)]])
t(lambda: list(map(None, [1])))
t(lambda: list(map(int, ['1', 'x'])))
t(lambda: list(filter(5, [1])))
t(lambda: list(zip([1], 5)))
t(lambda: (bool([]), bool('a'), bool(0.0), bool(None), int('  12\n'), int('-0b11', 0), int('z', 36), int(3.99), int(-3.99), int(True), float('1e3'), float(' inf '), float('-nan'), str(1.0), str(True), str(None), str(b'a'), list('ab'), tuple([1]), set('a'), range(3), list(range(5, 0, -2)), bytes([1, 2]), bytes('h\xe9', 'utf-8')))
t(lambda: int('12a'))
t(lambda: int('1__0'))
t(lambda: int('٣'))
t(lambda: float('1.2.3'))
t(lambda: (range(10)[2:5], range(10)[-1], range(10)[::-1], 5 in range(10), 5.0 in range(10), 'a' in range(10), range(3) == range(0, 3, 1), len(range(0, 10, 3)), range(5).index(3), range(0, 10, 2).count(4), range(3).start, range(1, 5, 2).stop, hash(range(3)) == hash(range(0, 3)), slice(1, 2) == slice(1, 2), slice(None, 5).indices(3), slice(5, None, -1).indices(3), slice(1, 2, 3).step))
t(lambda: ((255).to_bytes(2, 'little'), int.from_bytes(b'\xff\x00', 'little'), int.from_bytes(b'\xff', 'big', signed=True), (-1).to_bytes(2, 'big', signed=True), (0).to_bytes(), (255).bit_length(), (-255).bit_count(), (5).as_integer_ratio(), (0.75).as_integer_ratio(), (5).numerator, (5).denominator, (2.0).is_integer(), (1.1).hex(), float.fromhex('0x1.8p3'), (5).real, (5).imag, (1.5).real, (5).conjugate(), True.real))
