package stdlib

import "testing"

// TestCollectionsDiff compares the module with CPython.
func TestCollectionsDiff(t *testing.T) {
	diffSnippets(t, collectionsHeader, collectionsSnippets)
}

var collectionsHeader = `from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple
import collections
C = Counter
c = C('abracadabra')
d = deque([1, 2, 3], maxlen=5)
dd = defaultdict(list)
dd['a'].append(1)
od = OrderedDict([('a', 1), ('b', 2)])`

var collectionsSnippets = []string{
	`c`,
	`C()`,
	`C(a=1, b=0)`,
	`C({'a': 1})`,
	`C([1, 1, 2])`,
	`C(3)`,
	`C(1, 2)`,
	`c.most_common(2)`,
	`c.most_common()`,
	`c.most_common(0)`,
	`c.most_common(-1)`,
	`c['z']`,
	`c.total()`,
	`C.fromkeys('a')`,
	`c.copy()`,
	`C(a=1) + C(a=2, b=-1)`,
	`C(a=3, b=1) - C(a=1, b=1)`,
	`C(a=3, b=1) & C(a=1)`,
	`C(a=3) | C(a=1, b=2)`,
	`+C(a=-1, b=1)`,
	`-C(a=-1, b=1)`,
	`C(a=1) == C(a=1, b=0)`,
	`C(a=1) != C(a=1, b=0)`,
	`C(a=1) <= C(a=1)`,
	`C(a=1) < C(a=2)`,
	`C(a=1) >= C(a=1)`,
	`C(a=1) > C(a=0)`,
	`C(a=1) == {'a': 1}`,
	`C(a=1) <= 3`,
	`C(a=1) + 3`,
	`C(a=1) + {'a': 1}`,
	`C(a='x', b=1)`,
	`C({'a': 1.5})`,
	`c.get('z')`,
	`'z' in c`,
	`len(c)`,
	`c.items()`,
	`C(a=1).update('ab')`,
	`C(a=1).subtract('ab')`,
	`C([[]])`,
	`dict(c)`,
	`sorted(c)`,
	`c.most_common(1)[0]`,
	`C(None)`,
	`isinstance(c, dict)`,
	`C(a=1) | {'a': 2}`,
	`C(a=[1])`,
	`{**C(a=1)}`,
	`C('ab').pop('a')`,
	`C.__mro__`,
	`type(c)`,
	`bool(C())`,
	`C(a=1).most_common('a')`,
	`dd`,
	`dd['q']`,
	`defaultdict()`,
	`defaultdict(int, a=1)`,
	`defaultdict(3)`,
	`defaultdict(None)['x']`,
	`defaultdict(None)`,
	`dd.default_factory`,
	`dd.copy()`,
	`dd | {'z': 1}`,
	`{'z': 1} | dd`,
	`dd.get('nope')`,
	`'nope' in dd`,
	`dd.pop('nope', 4)`,
	`defaultdict(lambda: 5)['x']`,
	`defaultdict(int, {'a': 1}) == {'a': 1}`,
	`defaultdict(int, [(1, 2)])`,
	`defaultdict(1, 2, 3)`,
	`defaultdict(default_factory=int)`,
	`dd.__missing__('k')`,
	`len(dd)`,
	`od`,
	`od.move_to_end('a')`,
	`od.move_to_end('a', last=False)`,
	`od.move_to_end('zz')`,
	`od.popitem(last=False)`,
	`OrderedDict(a=1) == OrderedDict(a=1)`,
	`OrderedDict([(1, 1), (2, 2)]) == OrderedDict([(2, 2), (1, 1)])`,
	`OrderedDict([(1, 1), (2, 2)]) == {2: 2, 1: 1}`,
	`{2: 2, 1: 1} == OrderedDict([(1, 1), (2, 2)])`,
	`OrderedDict()`,
	`OrderedDict().popitem()`,
	`od.copy()`,
	`list(reversed(OrderedDict(a=1, b=2)))`,
	`OrderedDict.fromkeys('ab', 0)`,
	`OrderedDict(a=1) | {'b': 2}`,
	`{'b': 2} | OrderedDict(a=1)`,
	`OrderedDict(a=1) != OrderedDict(a=1)`,
	`OrderedDict(3)`,
	`OrderedDict(1, 2)`,
	`OrderedDict(a=1).pop('z')`,
	`OrderedDict(a=1).pop('z', 5)`,
	`OrderedDict(a=1).setdefault('b', 3)`,
	`d`,
	`deque()`,
	`deque('abc')`,
	`deque([1], 0)`,
	`deque([1, 2, 3], 2)`,
	`deque(maxlen=3)`,
	`deque([1], maxlen=-1)`,
	`deque([1], 'a')`,
	`deque(3)`,
	`deque(1, 2, 3)`,
	`deque(foo=1)`,
	`d.append(4)`,
	`d.append(5)`,
	`d.append(6)`,
	`d.appendleft(0)`,
	`d.pop()`,
	`d.popleft()`,
	`d.rotate()`,
	`d.rotate(-1)`,
	`d.rotate('a')`,
	`d[0]`,
	`d[-1]`,
	`d[10]`,
	`d[1:2]`,
	`d['a']`,
	`len(d)`,
	`2 in d`,
	`d.index(3)`,
	`d.index(99)`,
	`d.count(3)`,
	`d.maxlen`,
	`d.reverse()`,
	`d.extend([7, 8, 9])`,
	`d.extendleft([1, 2])`,
	`d.copy()`,
	`d.insert(1, 5)`,
	`deque([1, 2]).insert(1, 9)`,
	`deque([1, 2], 2).insert(1, 9)`,
	`d.remove(99)`,
	`d.clear()`,
	`deque([1]) + deque([2])`,
	`deque([1]) + [2]`,
	`deque([1]) * 2`,
	`2 * deque([1])`,
	`deque([1], 1) * 2`,
	`deque([1, 2]) == deque([1, 2])`,
	`deque([1, 2]) == [1, 2]`,
	`deque([1]) < deque([2])`,
	`deque([1]) <= deque([1])`,
	`deque([1]) < 3`,
	`list(reversed(deque([1, 2])))`,
	`hash(deque())`,
	`bool(deque())`,
	`deque([deque()])`,
	`deque([1, 2, 3]).index(2, 0, 1)`,
	`deque([1, 2, 3]).index(2, 1)`,
	`isinstance(deque(), collections.abc.MutableSequence)`,
	`isinstance(deque(), collections.abc.Sequence)`,
	`str(deque([1], 2))`,
	`ChainMap({'a': 1}, {'b': 2})`,
	`ChainMap({'a': 1}, {'a': 2, 'b': 3})['a']`,
	`dict(ChainMap({'a': 1}, {'a': 2, 'b': 3}))`,
	`list(ChainMap({'a': 1}, {'a': 2, 'b': 3}))`,
	`ChainMap()['x']`,
	`ChainMap({'a': 1}).new_child({'b': 2})`,
	`ChainMap({'a': 1}, {'b': 2}).parents`,
	`len(ChainMap({'a': 1}, {'a': 2}))`,
	`ChainMap({'a': 1}).pop('b')`,
	`ChainMap().popitem()`,
	`ChainMap({'a': 1}).get('b', 3)`,
	`ChainMap({}, {'a': 1}).maps`,
	`'a' in ChainMap({}, {'a': 1})`,
	`ChainMap({'a': 1}) == dict(a=1)`,
	`ChainMap({'a': 1}).items()`,
	`ChainMap({'a': 1}).keys()`,
	`bool(ChainMap())`,
	`ChainMap({'a': 1}) | {'b': 2}`,
	`ChainMap({'a': 1}).copy()`,
	`UserDict(a=1)`,
	`UserDict({'a': 1})['a']`,
	`UserDict()['x']`,
	`UserList([1, 2])`,
	`UserList([1]) + [2]`,
	`UserList([1]).__class__`,
	`UserDict(a=1).items()`,
	`len(UserDict(a=1))`,
	`UserDict(a=1) | {'b': 2}`,
	`UserList([1, 2])[0:1]`,
	`UserList('ab') == ['a', 'b']`,
	`Counter([1, 2, 2]).most_common(1)`,
	`deque([1, 2, 3], maxlen=2).appendleft(9)`,
	`collections.abc.Mapping`,
	`isinstance({}, collections.abc.Mapping)`,
	`isinstance([], collections.abc.Hashable)`,
	`isinstance(d, collections.abc.Iterable)`,
	`issubclass(Counter, collections.abc.MutableMapping)`,
	`collections.abc.Mapping[str, int]`,
	`collections.abc.Mapping()`,
	`isinstance(iter([]), collections.abc.Iterator)`,
	`isinstance({}.keys(), collections.abc.KeysView)`,
	`isinstance({}.keys(), collections.abc.Set)`,
	`isinstance(3, collections.abc.Hashable)`,
	`isinstance('', collections.abc.Sequence)`,
	`isinstance(range(3), collections.abc.Sequence)`,
	`isinstance((), collections.abc.MutableSequence)`,
	`isinstance(len, collections.abc.Callable)`,
	`isinstance((x for x in []), collections.abc.Generator)`,
	`Counter[str]`,
	`deque[int]`,
	`defaultdict[str, int]`,
	`OrderedDict[str, int]`,
	`issubclass(list, collections.abc.Sequence)`,
	`def f():
    q = deque([1, 2])
    for x in q:
        q.append(3)
print(repr(f()))`,
	`def f():
    q = deque([1])
    q.append(q)
    print(q)
    q = deque([1, 2, 3])
    q[1] = 5
    del q[0]
    print(q)
    q += [4]
    print(q)
    q *= 2
    print(q)
    try:
        q[10] = 1
    except IndexError as e:
        print(e)
    try:
        del q[10]
    except IndexError as e:
        print(e)
print(repr(f()))`,
	`def f():
    c = Counter(a=1)
    c.update({'b': 2}, a=3)
    print(c)
    c.subtract(a=1)
    print(c)
    del c['zz']
    c += Counter(z=1)
    print(c)
    c -= Counter(z=1)
    print(c)
    c &= Counter(a=9)
    c |= Counter(q=1)
    print(c)
print(repr(f()))`,
	`def f():

    class MC(Counter):
        pass
    print(MC('aab'), MC('a') + MC('b'), MC('ab').copy().__class__)

    class MD(defaultdict):

        def __missing__(self, k):
            return 7
    print(MD(int)['a'], MD(int))

    class MO(OrderedDict):
        pass
    print(MO(a=1))

    class MQ(deque):

        def push(self, x):
            self.append(x)
    m = MQ([1])
    m.push(2)
    print(m, len(m), m[0], list(m))
print(repr(f()))`,
	`def f():

    class L(collections.abc.Sequence):

        def __getitem__(self, i):
            return [1, 2, 3][i]

        def __len__(self):
            return 3
    l = L()
    print(list(l), 2 in l, l.index(2), l.count(1), list(reversed(l)))
print(repr(f()))`,
	`def f():

    class Mp(collections.abc.MutableMapping):

        def __init__(self):
            self.d = {}

        def __getitem__(self, k):
            return self.d[k]

        def __setitem__(self, k, v):
            self.d[k] = v

        def __delitem__(self, k):
            del self.d[k]

        def __iter__(self):
            return iter(self.d)

        def __len__(self):
            return len(self.d)
    m = Mp()
    m.update(a=1)
    m['b'] = 2
    print(dict(m), m.get('z'), m.pop('a'), list(m.items()), m.setdefault('q', 5), 'q' in m, m == {'b': 2, 'q': 5}, m.keys().__class__, m.popitem())
    m.clear()
    print(len(m))
print(repr(f()))`,
	`def f():

    class Bad(collections.abc.Mapping):

        def __len__(self):
            return 0
    return Bad()
print(repr(f()))`,
}
