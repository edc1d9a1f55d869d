package pyfuzz

import (
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	for _, tc := range []struct {
		name string
		a, b Result
		want string // part of the difference; "" when equal
	}{
		{"equal", Result{Stdout: "1\n"}, Result{Stdout: "1\n"}, ""},
		{"addresses do not count", Result{Stdout: "<f at 0x7f00>\n"}, Result{Stdout: "<f at 0x1>\n"}, ""},
		{"first differing line", Result{Stdout: "1\n2\n"}, Result{Stdout: "1\n3\n4\n"}, "line 2: 2\n   not: 3"},
		{"a missing newline", Result{Stdout: "1"}, Result{Stdout: "1\n"}, "line 2"},
		{"exception type", Result{ErrorType: "KeyError", ErrorMessage: "1"}, Result{ErrorType: "IndexError", ErrorMessage: "1"}, "exception: KeyError: 1"},
		{"exception message", Result{ErrorType: "E", ErrorMessage: "a"}, Result{ErrorType: "E", ErrorMessage: "b"}, "E: b"},
		{"exception and none", Result{ErrorType: "E"}, Result{}, "exception: E"},
		{"output cut by an exception", Result{Stdout: "1\n2\n"}, Result{Stdout: "1\n", ErrorType: "E", ErrorMessage: "m"}, "not: E: m"},
	} {
		got := Compare(tc.a, tc.b)
		if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestSignature checks which differences count as one kind.
func TestSignature(t *testing.T) {
	sig := func(a, b string) string { return Signature(Result{Stdout: a}, Result{Stdout: b}) }
	for _, tc := range []struct {
		name string
		x, y [2]string
		same bool
	}{
		{"other numbers", [2]string{"[1, 2]", "[1]"}, [2]string{"[7, 8, 9]", "[44]"}, true},
		{"other strings", [2]string{"KeyError 'a'", "KeyError a"}, [2]string{"KeyError 'b\\'c'", "KeyError b"}, false},
		{"other generated names", [2]string{"C12() takes no arguments", "x"}, [2]string{"K3() takes no arguments", "x"}, true},
		{"other ways to print an exception", [2]string{"3", "AttributeError 'str' object has no attribute 'x'"}, [2]string{"[4, 5]", "B AttributeError(\"'str' object has no attribute 'x'\")"}, true},
		{"other attributes", [2]string{"3", "AttributeError 'str' object has no attribute 'x'"}, [2]string{"3", "AttributeError 'str' object has no attribute 'y'"}, false},
		{"nested values", [2]string{"[1, (2, 'x')]", "1"}, [2]string{"[{3: 4}, 5]", "7"}, true},
		{"other messages", [2]string{"TypeError bad", "1"}, [2]string{"TypeError worse", "1"}, false},
	} {
		if same := sig(tc.x[0], tc.x[1]) == sig(tc.y[0], tc.y[1]); same != tc.same {
			t.Errorf("%s: same signature %v, want %v: %q and %q", tc.name, same, tc.same, sig(tc.x[0], tc.x[1]), sig(tc.y[0], tc.y[1]))
		}
	}
}

func TestAllowance(t *testing.T) {
	list := []Allowance{
		{ID: "never", Match: func(string, Result, Result) bool { return false }},
		{ID: "set", Match: func(src string, _, _ Result) bool { return strings.Contains(src, "set") }},
	}
	if a := allowance(list, "set()", Result{}, Result{}); a == nil || a.ID != "set" {
		t.Errorf("got %v, want set", a)
	}
	if a := allowance(list, "list()", Result{}, Result{}); a != nil {
		t.Errorf("got %v, want none", a)
	}
	for _, a := range Allowed() {
		if a.ID == "" || a.Why == "" || a.Match == nil {
			t.Errorf("incomplete allowance %+v", a)
		}
	}
}

func TestMinimise(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		keep      []string // what a program must have to fail
		want      string
	}{
		{"a statement", "a = 1\nb = 2\nprint(b)\n", []string{"b = 2"}, "b = 2\n"},
		{"unwraps try", "try:\n    x = 1\n    bad()\nexcept E:\n    y = 2\nfinally:\n    z = 3\n", []string{"bad()"}, "bad()\n"},
		{"keeps the tag", "try:  # list/sort\n    bad()\nexcept E:\n    pass\n", []string{"bad()"}, "bad()  # list/sort\n"},
		{"moves the tag", "a = 1\nimport b  # list/sort\nbad()\ngood()  # str/find\n", []string{"bad()"}, "bad()  # list/sort\n"},
		{"clauses", "if a:\n    p\n    p\nelif b:\n    q\nelse:\n    r\n", []string{"\nif a:\n    ", "\nelif b:\n    "}, "if a:\n    pass\nelif b:\n    pass\n"},
		{"items", "x = [1, f('a,b', 2), {3: 4}]  # list/make\n", []string{"f(", "4"}, "x = [ f(), {3: 4}]  # list/make\n"},
		{"a decorated definition", "@d\n@e\ndef f():\n    pass\nbad()\n", []string{"bad()"}, "bad()\n"},
	} {
		got := Minimise(tc.src, func(src string) bool {
			for _, k := range tc.keep {
				if !strings.Contains("\n"+src, k) {
					return false
				}
			}
			return true
		})
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestMinimiseStops checks the bound on calls with a test that always fails
// to shrink, and that a result always fails.
func TestMinimiseStops(t *testing.T) {
	src := strings.Repeat("if a:\n    b\n", 500)
	calls := 0
	got := Minimise(src, func(s string) bool { calls++; return s == src })
	if got != src || calls > maxTries {
		t.Errorf("%d calls, changed %v", calls, got != src)
	}
}
