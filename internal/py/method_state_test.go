package py

import "testing"

// TestMethodRollback checks that every method that changes a container is
// undone by Rollback.
func TestMethodRollback(t *testing.T) {
	const initial = "L = [3, 1, 2]\nD = {'a': 1, 'b': [2]}\nS = {1, 2, 3}\nB = {'x': [1, [2]]}\n"
	for _, change := range []string{
		"L.append(4)", "L.clear()", "L.extend([1, 2])", "L.insert(1, 9)", "L.insert(99, 9)", "L.pop()", "L.pop(0)", "L.remove(1)", "L.reverse()", "L.sort()", "L.sort(reverse=True, key=str)",
		"L.__iadd__([1])", "L.__imul__(2)", "L.__delitem__(0)", "L.__setitem__(0, 5)", "L.__init__([7])", "L += [5]",
		"D.clear()", "D.pop('a')", "D.popitem()", "D.setdefault('z', 1)", "D.update(q=1)", "D.update({'a': 5})", "D.__init__(a=9)", "D.__setitem__('a', 2)", "D.__delitem__('a')", "D.__ior__({'k': 1})", "D['b'].append(3)", "D['b'].sort(key=lambda x: D.pop('a'))",
		"S.add(9)", "S.clear()", "S.discard(1)", "S.pop()", "S.remove(2)", "S.update([7])", "S.difference_update([1])", "S.intersection_update([1])", "S.symmetric_difference_update([1, 9])", "S.__init__([8])", "S.__ior__({9})", "S -= {1}",
		"B['x'][1].append(5)", "B.get('x').pop()", "B.setdefault('x', 0).extend('ab')", "[v.clear() for v in B.values()]", "[v.append(k) for k, v in B.items()]",
	} {
		thread := NewThread(1, nil, Limits{})
		m := execIn(t, thread, nil, initial+"show = lambda: repr((L, D, S, B))")
		before := callShow(t, thread, m)
		thread.Begin()
		execIn(t, thread, m, change)
		if after := callShow(t, thread, m); after == before {
			t.Errorf("%s changed nothing", change)
		}
		if !thread.Changed() {
			t.Errorf("%s: no change is journaled", change)
		}
		thread.Rollback()
		if got := callShow(t, thread, m); got != before {
			t.Errorf("%s, rolled back:\n got %s\nwant %s", change, got, before)
		}
	}
}

func execIn(t *testing.T, thread *Thread, m *Module, src string) *Module {
	t.Helper()
	p, err := CompileSource("test.py", src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m == nil {
		if m, err = thread.Exec(p, "__main__"); err != nil {
			t.Fatal(err)
		}
		return m
	}
	if err := thread.ExecIn(p, m); err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return m
}

func callShow(t *testing.T, thread *Thread, m *Module) string {
	t.Helper()
	f, _ := m.Attrs.GetStr("show")
	v, err := thread.Call(f, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v.(*Str).String()
}

// TestIteratorCopy checks that a copied iterator goes on where the original
// stood, and that the two are independent.
func TestIteratorCopy(t *testing.T) {
	for _, expr := range []string{
		"iter([1, 2, 3])", "iter((1, 2, 3))", "iter('abc')", "iter(b'abc')", "iter(range(3))", "iter({1: 2, 3: 4, 5: 6})", "iter({1, 2, 3})",
		"enumerate('abc')", "enumerate([5, 6, 7], 2**70)", "map(str, [1, 2, 3])", "map(lambda a, b: a + b, [1, 2, 3], iter([4, 5, 6]))", "filter(None, [1, 0, 2, 3])", "zip('abc', iter([1, 2, 3]))", "zip([1, 2], [3, 4], strict=True)",
		"reversed([1, 2, 3])", "reversed('abc')", "reversed({1: 2, 3: 4})", "reversed({1: 2, 3: 4}.items())", "reversed(range(5))", "iter({1: 2, 3: 4}.values())", "iter({1: 2, 3: 4}.items())", "iter({1: 2, 3: 4}.keys())", "iter([3, 2, 1].pop, 1)",
		"map(str, map(int, zip([1, 2, 3])) if False else reversed([1, 2, 3]))", "iter([])", "zip()",
	} {
		thread := NewThread(1, nil, Limits{})
		m := execIn(t, thread, nil, "it = "+expr+"\nfirst = next(it, None)")
		it, _ := m.Attrs.GetStr("it")
		c := NewCopier(8)
		other, err := c.Copy(it)
		if err != nil {
			t.Errorf("%s: copy: %v", expr, err)
			continue
		}
		if other == it {
			t.Errorf("%s: the copy is the original", expr)
		}
		want := collectText(t, thread, it)
		if got := collectText(t, thread, other); got != want {
			t.Errorf("%s: the copy yields %s, want %s", expr, got, want)
		}
	}
	thread := NewThread(1, nil, Limits{})
	m := execIn(t, thread, nil, "d = {1: 2}\nv = d.items()\nroot = [d, v]")
	root, _ := m.Attrs.GetStr("root")
	c, err := NewCopier(8).Copy(root)
	if err != nil {
		t.Fatal(err)
	}
	items := c.(*List).Items
	if items[0].(*Dict) != items[1].(*DictView).d {
		t.Error("a copied view is not of the copied dict")
	}
}

func collectText(t *testing.T, thread *Thread, v Value) string {
	t.Helper()
	items, err := thread.Collect(v)
	if err != nil {
		t.Fatal(err)
	}
	s, err := thread.Repr(NewTuple(items...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
