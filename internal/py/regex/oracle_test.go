package regex

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"reflect"
	"testing"
)

// oracleScript answers one JSON case a line with what Python's re makes of it.
// Strings travel as lists of code points, so that surrogates survive.
const oracleScript = `
import json, re, sys, warnings
warnings.simplefilter("ignore")
dec = lambda l: "".join(map(chr, l))
enc = lambda s: None if s is None else list(s if isinstance(s, bytes) else map(ord, s))
def failure(e):
    out = ["E", type(e).__name__, enc(str(e))]
    if isinstance(e, re.error):
        out += [-1 if e.pos is None else e.pos, e.lineno or 0, e.colno or 0]
    return out
def match(m):
    if m is None:
        return None
    spans = [x for r in m.regs for x in r]
    return [spans, m.lastindex or 0, enc(m.lastgroup or ""), m.pos, m.endpos]
def attempt(f):
    try:
        return f()
    except (re.error, IndexError, SystemError) as e:
        return failure(e)
def subject(r, s, c):
    a, b = c["pos"], c["end"]
    return [attempt(f) for f in (
        lambda: match(r.search(s)), lambda: match(r.match(s)), lambda: match(r.fullmatch(s)),
        lambda: match(r.search(s, a, b)), lambda: match(r.match(s, a, b)), lambda: match(r.fullmatch(s, a, b)),
        lambda: [match(m) for m in r.finditer(s, a, b)],
        lambda: [[enc(x) for x in (m if isinstance(m, tuple) else (m,))] for m in r.findall(s)],
        lambda: [enc(x) for x in r.split(s, c["max"])],
        lambda: (lambda t: [enc(t[0]), t[1]])(r.subn(c["repl"], s, c["max"])),
    )]
def case(c):
    conv = bytes if c["bytes"] else dec
    c["repl"] = conv(c["repl"])
    try:
        r = re.compile(conv(c["pattern"]), c["flags"])
    except (re.error, ValueError, OverflowError) as e:
        return failure(e)
    return ["R", r.flags, r.groups, [[enc(k), v] for k, v in r.groupindex.items()],
        [subject(r, conv(s), c) for s in c["subjects"]]]
for line in sys.stdin:
    print(json.dumps(case(json.loads(line)), separators=(",", ":")), flush=True)
`

// diffCase is one question to the oracle.
type diffCase struct {
	Pattern  []rune   `json:"pattern"`
	Flags    int      `json:"flags"`
	Bytes    bool     `json:"bytes"`
	Subjects [][]rune `json:"subjects"`
	Repl     []rune   `json:"repl"`
	Pos      int      `json:"pos"`
	End      int      `json:"end"`
	Max      int      `json:"max"`
}

// oracle is a running python3.
type oracle struct {
	in  io.Writer
	out *bufio.Reader
}

func startPython(t *testing.T, script string) *oracle {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	version, err := exec.Command(path, "-c", "import sys; print(sys.version_info[:2])").Output()
	if err != nil || !bytes.Contains(version, []byte("(3, 11)")) {
		t.Skipf("python3 is not version 3.11: %s %v", version, err)
	}
	cmd := exec.Command(path, "-c", script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Log("python3: ", err)
		}
	})
	return &oracle{in, bufio.NewReaderSize(out, 1<<20)}
}

// ask sends a value and returns the line that comes back.
func (o *oracle) ask(t *testing.T, question any) string {
	t.Helper()
	line, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.in.Write(append(line, '\n')); err != nil {
		t.Fatal("python3 has stopped: ", err)
	}
	answer, err := o.out.ReadString('\n')
	if err != nil {
		t.Fatal("python3 has stopped: ", err)
	}
	return answer[:len(answer)-1]
}

// answer is what this package makes of a case, in the form of oracleScript.
func answer(t *testing.T, c *diffCase) string {
	t.Helper()
	out, err := json.Marshal(caseResult(c))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func caseResult(c *diffCase) any {
	compile, subject, text := Compile, NewSubject, encode
	if c.Bytes {
		compile, subject = CompileBytes, NewBytesSubject
		text = func(chars []rune) string {
			b := make([]byte, len(chars))
			for i, ch := range chars {
				b[i] = byte(ch)
			}
			return string(b)
		}
	}
	re, err := compile(text(c.Pattern), Flag(c.Flags))
	if err != nil {
		return failure(err)
	}
	names := []any{}
	for _, g := range re.GroupNames() {
		names = append(names, []any{chars(g.Name, false), g.Index})
	}
	results := []any{}
	for _, s := range c.Subjects {
		results = append(results, subjectResult(re, subject(text(s)), c, text(c.Repl)))
	}
	return []any{"R", re.Flags(), re.NumGroups(), names, results}
}

// chars is decodeAll without a nil result.
func chars(s string, bytes bool) []rune { return append([]rune{}, decodeAll(s, bytes)...) }

func failure(err error) any {
	kind := "ValueError"
	var e *Error
	var group *GroupError
	var overflow *OverflowError
	switch {
	case errors.As(err, &e):
		return []any{"E", "error", chars(err.Error(), false), e.Pos, e.Line, e.Col}
	case errors.As(err, &group):
		kind = "IndexError"
	case errors.As(err, &overflow):
		kind = "OverflowError"
	case errors.Is(err, ErrSpan):
		kind = "SystemError"
	}
	return []any{"E", kind, chars(err.Error(), false)}
}

func subjectResult(re *Regexp, s *Subject, c *diffCase, repl string) any {
	one := func(pos, end int, mode Mode) any {
		m, err := re.Match(s, pos, end, mode, nil)
		return orFailure(matchResult(m), err)
	}
	return []any{
		one(0, End, Search), one(0, End, Prefix), one(0, End, FullMatch),
		one(c.Pos, c.End, Search), one(c.Pos, c.End, Prefix), one(c.Pos, c.End, FullMatch),
		iterResult(re, s, c), findResult(re, s), splitResult(re, s, c), subResult(re, s, c, repl),
	}
}

func orFailure(result any, err error) any {
	if err != nil {
		return failure(err)
	}
	return result
}

func iterResult(re *Regexp, s *Subject, c *diffCase) any {
	all, err := re.FindAll(s, c.Pos, c.End, nil)
	rows := []any{}
	for _, m := range all {
		rows = append(rows, matchResult(m))
	}
	return orFailure(rows, err)
}

func findResult(re *Regexp, s *Subject) any {
	all, err := re.FindAll(s, 0, End, nil)
	rows := []any{}
	for _, m := range all {
		row := []any{}
		for g := min(1, re.NumGroups()); g <= re.NumGroups(); g++ {
			text, _ := m.Group(g)
			row = append(row, chars(text, re.Bytes()))
		}
		rows = append(rows, row)
	}
	return orFailure(rows, err)
}

func splitResult(re *Regexp, s *Subject, c *diffCase) any {
	pieces, err := re.Split(s, c.Max, nil)
	parts := []any{}
	for _, p := range pieces {
		if p.Set {
			parts = append(parts, chars(p.Text, re.Bytes()))
		} else {
			parts = append(parts, nil)
		}
	}
	return orFailure(parts, err)
}

func matchResult(m *Match) any {
	if m == nil {
		return nil
	}
	return []any{m.Spans, m.LastIndex, chars(m.LastGroup(), false), m.Pos, m.EndPos}
}

func subResult(re *Regexp, s *Subject, c *diffCase, repl string) any {
	tmpl, err := ParseTemplate(repl, re)
	if err != nil {
		return failure(err)
	}
	text, n, err := re.Replace(s, c.Max, nil, func(m *Match) (string, error) { return tmpl.Expand(m), nil })
	return orFailure([]any{chars(text, re.Bytes()), n}, err)
}

// localeRefused is the answer to a bytes pattern with the flag L.
var localeRefused = func() string {
	out, _ := json.Marshal(failure(newLocaleError()))
	return string(out)
}()

// check compares one case with the oracle and returns the answer.
func (o *oracle) check(t *testing.T, c *diffCase) string {
	t.Helper()
	want, got := o.ask(t, c), answer(t, c)
	if c.Bytes && got == localeRefused {
		return got // the one thing we refuse and Python allows
	}
	if got != want && !tolerated(got, want) {
		t.Errorf("pattern %s flags %d bytes %v subjects %q repl %q pos %d end %d max %d\ngot  %s\nwant %s",
			quote(c.Pattern), c.Flags, c.Bytes, c.Subjects, string(c.Repl), c.Pos, c.End, c.Max, readable(got), readable(want))
	}
	return got
}

// tolerated accepts ErrSpan from a substitution where Python raises nothing:
// for a replacement that refers to no group it never looks at the spans.
func tolerated(got, want string) bool {
	span, err := json.Marshal(failure(ErrSpan))
	if err != nil {
		return false
	}
	var a, b []any
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || len(a) != 5 || len(b) != 5 {
		return false
	}
	gotSubjects, wantSubjects := a[4].([]any), b[4].([]any)
	for i := range gotSubjects {
		g, w := gotSubjects[i].([]any), wantSubjects[i].([]any)
		last := len(g) - 1
		if sub, err := json.Marshal(g[last]); err == nil && string(sub) == string(span) {
			g[last], w[last] = nil, nil
		}
	}
	return reflect.DeepEqual(a, b)
}

// readable turns the message of an error answer into text.
func readable(answer string) string {
	var parts []any
	if err := json.Unmarshal([]byte(answer), &parts); err != nil || len(parts) < 3 || parts[0] != "E" {
		return answer
	}
	list, ok := parts[2].([]any)
	if !ok {
		return answer
	}
	var text []rune
	for _, x := range list {
		if f, ok := x.(float64); ok {
			text = append(text, rune(math.Round(f)))
		}
	}
	return quote(text) + " " + answer
}
