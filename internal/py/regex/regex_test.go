package regex

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRegexp(t *testing.T) {
	re := mustCompile(t, `(?i)(?P<b>x)(y)(?P<a>z)`, Multiline)
	if got, want := re.Flags(), IgnoreCase|Multiline|Unicode; got != want {
		t.Errorf("flags %d, want %d", got, want)
	}
	if got := fmt.Sprint(re.GroupNames()); got != "[{b 1} {a 3}]" || re.NumGroups() != 3 {
		t.Errorf("groups %s of %d", got, re.NumGroups())
	}
	if i, ok := re.GroupIndex("a"); i != 3 || !ok {
		t.Errorf("index of a: %d %v", i, ok)
	}
	if _, ok := re.GroupIndex("c"); ok {
		t.Error("there is no group c")
	}
	m, err := re.Match(NewSubject("aXYZ"), 0, End, Search, nil)
	if err != nil || m == nil {
		t.Fatal(m, err)
	}
	if text, ok := m.Group(2); text != "Y" || !ok || m.LastGroup() != "a" || m.LastIndex != 3 {
		t.Errorf("group 2 %q, last group %q %d", text, m.LastGroup(), m.LastIndex)
	}
}

func TestFlagErrors(t *testing.T) {
	for _, row := range []struct {
		pattern string
		flags   Flag
		bytes   bool
		want    string
	}{
		{"a", Locale, false, "cannot use LOCALE flag with a str pattern"},
		{"a", ASCII | Unicode, false, "ASCII and UNICODE flags are incompatible"},
		{"(?u)a", ASCII, false, "ASCII and UNICODE flags are incompatible"},
		{"a", Unicode, true, "cannot use UNICODE flag with a bytes pattern"},
		{"a", Locale, true, "LOCALE flag is not supported"},
		{"(?L:a)", 0, true, "LOCALE flag is not supported"},
	} {
		_, err := compilePattern(row.pattern, row.flags, row.bytes)
		var flagErr *FlagError
		if !errors.As(err, &flagErr) || err.Error() != row.want {
			t.Errorf("%q %d: got %v, want %s", row.pattern, row.flags, err, row.want)
		}
	}
}

func TestErrorFields(t *testing.T) {
	_, err := Compile("ab\nc\n  (d", 0)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e.Pos != 7 || e.Line != 3 || e.Col != 3 || e.Msg != "missing ), unterminated subpattern" || e.Pattern != "ab\nc\n  (d" {
		t.Errorf("%+v", *e)
	}
}

func TestIter(t *testing.T) {
	for _, row := range []struct{ pattern, subject, want string }{
		{`x*`, "abxd", "0-0 1-1 2-3 3-3 4-4"},
		{`\b|\w+`, "ab cd", "0-0 0-2 2-2 3-3 3-5 5-5"},
		{`a|`, "aa", "0-1 1-2 2-2"},
		{`|a`, "aa", "0-0 0-1 1-1 1-2 2-2"},
		{``, "", "0-0"},
		{`(?=b)|b`, "ab", "1-1 1-2"},
		{`$`, "a\n", "1-1 2-2"},
		{`é?`, "éaé", "0-1 1-1 2-3 3-3"},
	} {
		all, err := mustCompile(t, row.pattern, 0).FindAll(NewSubject(row.subject), 0, End, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range all {
			got = append(got, describe(m))
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%q on %q: got %s, want %s", row.pattern, row.subject, got, row.want)
		}
	}
}

func TestSplitReplace(t *testing.T) {
	re := mustCompile(t, `(-)|(,)`, 0)
	s := NewSubject("ä-b,c")
	pieces, err := re.Split(s, 0, nil)
	if got := fmt.Sprint(pieces); err != nil || got != "[{ä true} {- true} { false} {b true} { false} {, true} {c true}]" {
		t.Errorf("split %s %v", got, err)
	}
	if pieces, err = re.Split(s, 1, nil); err != nil || len(pieces) != 4 || pieces[3].Text != "b,c" {
		t.Errorf("split once %v %v", pieces, err)
	}
	tmpl, err := ParseTemplate(`<\1\g<2>>`, re)
	if err != nil {
		t.Fatal(err)
	}
	got, n, err := re.Replace(s, 0, nil, func(m *Match) (string, error) { return tmpl.Expand(m), nil })
	if got != "ä<->b<,>c" || n != 2 || err != nil {
		t.Errorf("replace %q %d %v", got, n, err)
	}
	if _, ok := tmpl.Literal(); ok {
		t.Error("a template with groups is not literal")
	}
	stop := errors.New("stop")
	if _, _, err := re.Replace(s, 0, nil, func(*Match) (string, error) { return "", stop }); err != stop {
		t.Errorf("replace returned %v", err)
	}
}

func TestTemplateLiteral(t *testing.T) {
	re := mustCompile(t, `(a)`, 0)
	for template, want := range map[string]string{``: "", `x`: "x", `\n\t\\`: "\n\t\\", `\0\07\101\1010`: "\x00\x07AA0", `\.`: `\.`} {
		tmpl, err := ParseTemplate(template, re)
		if err != nil {
			t.Errorf("%q: %v", template, err)
		} else if got, ok := tmpl.Literal(); !ok || got != want {
			t.Errorf("%q: got %q %v, want %q", template, got, ok, want)
		}
	}
}

func TestEscape(t *testing.T) {
	all := "az_09 ()[]{}?*+-|^$\\.&~#\t\n\r\v\f\"'`/<>=!@%,:;é\xed\xa0\x80"
	re := mustCompile(t, Escape(all), Verbose)
	if m, err := re.Match(NewSubject(all), 0, End, FullMatch, nil); m == nil || err != nil {
		t.Errorf("%q does not match itself: %v", Escape(all), err)
	}
	if got, want := Escape("a.b c\n-é"), "a\\.b\\ c\\\n\\-é"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBytes(t *testing.T) {
	re, err := CompileBytes("\xe9\\w|[\x80-\xff]{2}", 0)
	if err != nil {
		t.Fatal(err)
	}
	all, err := re.FindAll(NewBytesSubject("\xe9\xe9\xe9a\xc3\xa9"), 0, End, nil)
	if err != nil || len(all) != 3 || describe(all[1]) != "2-4" || !re.Bytes() {
		t.Errorf("%v %v", all, err)
	}
	if _, err := CompileBytes("[\xe9-a]", 0); err == nil || err.Error() != `bad character range \xe9-a at position 1` {
		t.Error(err)
	}
}

func TestSubject(t *testing.T) {
	text := strings.Repeat("aé€😀\xed\xa0\x80", 40)
	s := NewSubject(text)
	if s.Len() != 200 || s.Text() != text {
		t.Fatalf("length %d", s.Len())
	}
	runes := decodeAll(text, false)
	for i := 0; i <= 200; i += 7 {
		for j := i; j <= 200; j += 13 {
			if got, want := s.Slice(i, j), encode(runes[i:j]); got != want {
				t.Fatalf("slice %d %d: %q, want %q", i, j, got, want)
			}
		}
	}
	if s.Slice(-5, 2) != "aé" || s.Slice(199, 999) != "\xed\xa0\x80" || s.Slice(5, 3) != "" {
		t.Error("slices are not clipped")
	}
	// Bytes that are no WTF-8 count as one character each and survive.
	bad := "a\xff\xc0\x80\xe2\x82é\xf5\xf4\x90\x80\x80"
	if s := NewSubject(bad); s.Len() != 12 || s.Slice(0, s.Len()) != bad || s.Slice(6, 7) != "é" {
		t.Errorf("length %d, slice %q", s.Len(), s.Slice(6, 7))
	}
}

// TestErrSpan has a pattern for which CPython 3.11 raises SystemError.
func TestErrSpan(t *testing.T) {
	re := mustCompile(t, `((?P<n1>a)[ab]|){2}+`, 0)
	if m, err := re.Match(NewSubject("abca"), 0, End, Search, nil); !errors.Is(err, ErrSpan) {
		t.Errorf("got %v %v", m, err)
	}
}

var errSpent = errors.New("spent")

// limit returns a budget of n steps and a log of its calls.
func limit(n int) (Budget, *[]int) {
	calls := &[]int{}
	return func(k int) error {
		*calls = append(*calls, k)
		if n -= k; n < 0 {
			return errSpent
		}
		return nil
	}, calls
}

// TestBudget runs patterns that would take for ever.
func TestBudget(t *testing.T) {
	as := strings.Repeat("a", 60)
	for _, row := range []struct{ pattern, subject string }{
		{`(a+)+$`, as + "b"},
		{`(a|a)*$`, as + "b"},
		{`(a|aa)+$`, as + "b"},
		{`(?:a*)*?b`, as},
		{`(a?){50}a{50}b`, as},
		{`(.*)(.*)(.*)(.*)(.*)(.*)(.*)\1x`, as},
		{`^(?:(?:a+)+|b)+c`, as},
		{`(?=(a+)+c)a`, as},
		{`(?>(a+)+c)a`, as},
		{`(?:(?:a+)+c)++a`, as},
		{`(?i)(é|É)*?(É|é)*x`, strings.Repeat("é", 3000)},
		{`(?:){4000000000}+`, ""},
		{`(?:|b){4000000000}+`, ""},
	} {
		re := mustCompile(t, row.pattern, 0)
		start := time.Now()
		budget, calls := limit(300000)
		_, err := re.Match(NewSubject(row.subject), 0, End, Search, budget)
		if !errors.Is(err, errSpent) {
			t.Errorf("%q: got %v", row.pattern, err)
		}
		// Some milliseconds; the bound leaves room for a busy machine.
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%q took %v", row.pattern, d)
		}
		again, calls2 := limit(300000)
		if _, err := re.Match(NewSubject(row.subject), 0, End, Search, again); !errors.Is(err, errSpent) || !slices.Equal(*calls, *calls2) {
			t.Errorf("%q: the second run was charged differently", row.pattern)
		}
	}
}

// TestBudgetTotal checks that also short matches are paid for.
func TestBudgetTotal(t *testing.T) {
	budget, calls := limit(1 << 30)
	re := mustCompile(t, `(\w+)=(\d+)`, 0)
	if _, err := re.Match(NewSubject("id=4711"), 0, End, Search, budget); err != nil {
		t.Fatal(err)
	}
	if len(*calls) != 1 || (*calls)[0] < 5 || (*calls)[0] > 50 {
		t.Errorf("charged %v", *calls)
	}
}

// TestLong matches subjects that would overflow a recursive engine, and stops
// at the limit of the stack.
func TestLong(t *testing.T) {
	for _, row := range []struct {
		pattern string
		n       int
		want    error
	}{
		{`(?:ab|ba)*c`, 100000, nil},
		{`(ab|ba)*?c`, 100000, nil},
		{`(?:ab|ba)*+c`, 2000000, nil},
		{`(?:a|b)*c`, 2000000, nil},
		{`.*?c`, 2000000, nil},
		{`(?:ab|ba)*c`, 2000000, ErrStack},
		{`(?:ab|ba)*?c`, 2000000, ErrStack},
	} {
		re := mustCompile(t, row.pattern, 0)
		m, err := re.Match(NewSubject(strings.Repeat("ab", row.n/2)+"c"), 0, End, Search, nil)
		if err != row.want || err == nil && (m == nil || m.Spans[1] != row.n+1) {
			t.Errorf("%q on %d: %v %v", row.pattern, row.n, m, err)
		}
	}
}

// TestDeep refuses patterns that nest too deep and takes those that do not.
func TestDeep(t *testing.T) {
	for _, part := range [][2]string{{"(", ")"}, {"(?:", ")*"}, {"(?=", ")"}, {"(?i:", ")"}, {"(?>a|", ")"}, {"(a)(?(1)", ")"}} {
		for _, n := range []int{50, 100000} {
			_, err := Compile(strings.Repeat(part[0], n)+"a"+strings.Repeat(part[1], n), 0)
			if (err != nil) != (n > 1000) {
				t.Errorf("%q %d times: %v", part[0], n, err)
			}
		}
	}
}

// FuzzCompile looks for panics, for matches out of bounds, and for work that
// goes on after the budget is spent.
func FuzzCompile(f *testing.F) {
	for _, row := range matchTable {
		f.Add(row.pattern, row.subject, `\1`, int(parseFlags(row.flags)), false)
	}
	for _, row := range errorTable {
		f.Add(row.pattern, "ab", `\g<1>`, 0, true)
	}
	for _, row := range templateErrorTable {
		f.Add("(a)", "ba", row.template, 0, false)
	}
	f.Fuzz(func(t *testing.T, pattern, text, template string, flags int, bytes bool) {
		if len(pattern) > 1000 {
			return
		}
		re, err := compilePattern(pattern, Flag(flags), bytes)
		if err != nil {
			if err.Error() == "" {
				t.Error("empty message")
			}
			return
		}
		s := NewSubject(text)
		if bytes {
			s = NewBytesSubject(text)
		}
		budget, calls := limit(100000)
		tmpl, err := ParseTemplate(template, re)
		if err != nil {
			tmpl = &Template{}
		}
		_, _, err = re.Replace(s, 0, budget, func(m *Match) (string, error) {
			for g := 0; g <= re.NumGroups(); g++ {
				if start, end := m.Span(g); start > end || end > s.Len() {
					t.Errorf("group %d is %d-%d of %d", g, start, end, s.Len())
				}
			}
			return tmpl.Expand(m), nil
		})
		if err != nil && !errors.Is(err, errSpent) && !errors.Is(err, ErrSpan) && !errors.Is(err, ErrStack) {
			t.Error(err)
		}
		for _, n := range *calls {
			if n < 0 || n > 1<<20 {
				t.Errorf("one charge of %d steps", n)
			}
		}
	})
}
