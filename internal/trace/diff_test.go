package trace

import (
	"fmt"
	"strings"
	"testing"
)

// show writes changes in one line each, for comparison.
func show(changes []Change) string {
	var lines []string
	for _, c := range changes {
		line := fmt.Sprintf("%s %s", c.Op, c.Path)
		if c.Old.Exists() {
			line += " " + c.Old.String()
		}
		if c.New.Exists() {
			line += " -> " + c.New.String()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func TestDiff(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1}`, ``},
		{`{"users":{"U1":{"name":"Ann","age":3}}}`, `{"users":{"U1":{"name":"Bob","age":3}}}`, `changed /users/U1/name "Ann" -> "Bob"`},
		{`{"a":1,"b":2}`, `{"c":3,"b":2}`, `removed /a 1; added /c -> 3`},
		{`{"a":null}`, `{}`, `removed /a null`},
		{`{"a":{}}`, `{"a":[]}`, `changed /a {} -> []`},
		{`{"a/b":{"~":1}}`, `{"a/b":{"~":2}}`, `changed /a~1b/~0 1 -> 2`},
		{`[1,2,3,4]`, `[1,9,2,3,4]`, `added /1 -> 9`},
		{`[1,2,3,4]`, `[1,4]`, `removed /2 3; removed /1 2`},
		{`[1,2,3]`, `[1,5,6,7,3]`, `changed /1 2 -> 5; added /2 -> 6; added /3 -> 7`},
		{`[]`, `[1,2]`, `added /0 -> 1; added /1 -> 2`},
		{`[{"k":1},0]`, `[{"k":2},0]`, `changed /0/k 1 -> 2`},
		{`[1,1]`, `[1,1,1]`, `added /2 -> 1`},
		{`1`, `"1"`, `changed  1 -> "1"`},
		{`{"k":1,"k":2}`, `{"k":2}`, ``}, // the last of duplicate keys counts
		{`{"k":1,"k":2}`, `{"k":1}`, `changed /k 2 -> 1`},
	} {
		a, b := parse(t, test.a), parse(t, test.b)
		changes := Diff(a, b)
		if got := show(changes); got != test.want {
			t.Errorf("from %s to %s: %s; want %s", a, b, got, test.want)
		}
		if got, err := Apply(a, changes); err != nil || !Equal(got, b) {
			t.Errorf("from %s to %s: applied gives %s, %v", a, b, got, err)
		}
	}
}

func TestDiffAbsent(t *testing.T) {
	if got := show(Diff(Value{}, Int(1))); got != "added  -> 1" {
		t.Error(got)
	}
	if got := show(Diff(Int(1), Value{})); got != "removed  1" {
		t.Error(got)
	}
	if got := Diff(Value{}, Value{}); len(got) > 0 {
		t.Error(show(got))
	}
}

func TestApplyErrors(t *testing.T) {
	v := parse(t, `{"a":1,"l":[1,2],"o":{}}`)
	one, two := Int(1), Int(2)
	for _, test := range []struct {
		c    Change
		want string
	}{
		{Change{Op: Added, Path: "/a", New: two}, "already"},
		{Change{Op: Added, Path: "", New: two}, "already"},
		{Change{Op: Removed, Path: "/z", Old: one}, "no value"},
		{Change{Op: Removed, Path: "/a", Old: two}, "old value"},
		{Change{Op: Removed, Path: "/a", Old: one, New: one}, "absent"},
		{Change{Op: Changed, Path: "/a", Old: two, New: one}, "old value"},
		{Change{Op: Changed, Path: "/a", Old: one}, "absent"},
		{Change{Op: Changed, Path: "/z", Old: one, New: two}, "no value"},
		{Change{Op: Added, Path: "/l/3", New: one}, "outside"},
		{Change{Op: Added, Path: "/l/-", New: one}, "outside"},
		{Change{Op: Removed, Path: "/l/2", Old: one}, "no value"},
		{Change{Op: Added, Path: "/x/y", New: one}, `no "x"`},
		{Change{Op: Added, Path: "/a/y", New: one}, `number has no "y"`},
		{Change{Op: Added, Path: "a", New: one}, "JSON pointer"},
		{Change{Op: "moved", Path: "/a", New: one}, "unknown operation"},
	} {
		got, err := Apply(v, []Change{test.c})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: got %s, %v; want an error with %q", test.c.Op, test.c.Path, got, err, test.want)
		}
	}
	deep := Null()
	for range MaxDepth - 1 {
		deep = Array(deep)
	}
	if _, err := Apply(v, []Change{{Op: Added, Path: "/o/k", New: deep}}); err == nil || !strings.Contains(err.Error(), "nested deeper") {
		t.Errorf("got %v, want an error about nesting", err)
	}
	if v.String() != `{"a":1,"l":[1,2],"o":{}}` {
		t.Errorf("the value was modified: %s", v)
	}
}

// TestDiffTime compares values that are nested deeply and differ at the bottom,
// which would take hours if each level were compared anew on the level above.
func TestDiffTime(t *testing.T) {
	nest := func(bottom Value) Value {
		wide := Strings(strings.Split(strings.Repeat("x", 1000), ""))
		v := Array(wide, bottom)
		for range MaxDepth - 10 {
			v = Array(wide, v, Int(1))
		}
		return v
	}
	a, b := nest(parse(t, `{"k":[1,2.0,1e99999999999999999999]}`)), nest(parse(t, `{"k":[1,2,3,1e99999999999999999999]}`))
	changes := Diff(a, b)
	if len(changes) != 1 || changes[0].Op != Added || changes[0].New.Literal() != "3" {
		t.Errorf("got %s", show(changes))
	}
}
