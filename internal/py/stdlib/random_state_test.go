package stdlib

import (
	"testing"

	"gauntlet/internal/py"
)

// TestRandomState checks that a transaction restores a Random, that a fork
// continues both generators independently, and that the unseeded module
// follows the thread's seed.
func TestRandomState(t *testing.T) {
	m := buildRandom()
	get := func(name string) py.Value { v, _ := m.Attrs.GetStr(name); return v }
	draw := func(th *py.Thread, r py.Value) py.Value {
		t.Helper()
		v, err := th.CallMethod(r, "random")
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	hidden := func(th *py.Thread) py.Value {
		t.Helper()
		v, err := th.Call(get("random"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}

	th := py.NewThread(7, nil, py.Limits{})
	r, err := th.Call(get("Random"), []py.Value{py.Int(1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	th.Begin()
	first := draw(th, r)
	if !th.Changed() {
		t.Error("drawing from a Random is no change")
	}
	th.Rollback()
	if again := draw(th, r); again != first {
		t.Errorf("after rollback %v, want %v", again, first)
	}

	hidden(th)
	c := py.NewCopier(1)
	fork, err := th.Fork(c)
	if err != nil {
		t.Fatal(err)
	}
	twin, err := c.Copy(r)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := draw(th, r), draw(fork, twin); a != b {
		t.Errorf("fork draws %v, want %v", b, a)
	}
	if a, b := hidden(th), hidden(fork); a != b {
		t.Errorf("fork's module draws %v, want %v", b, a)
	}
	draw(th, r)
	if a, b := draw(th, r), draw(fork, twin); a == b {
		t.Error("fork shares its generator")
	}

	same := hidden(py.NewThread(5, nil, py.Limits{})) == hidden(py.NewThread(5, nil, py.Limits{}))
	differ := hidden(py.NewThread(5, nil, py.Limits{})) != hidden(py.NewThread(6, nil, py.Limits{}))
	if !same || !differ {
		t.Errorf("unseeded module: same seed equal %v, other seed different %v", same, differ)
	}
}
