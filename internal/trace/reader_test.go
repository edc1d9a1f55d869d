package trace

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func line(id string) string {
	return `{"version":"gauntlet.trace/1","id":"` + id + `","steps":[]}`
}

// ids reads all records and returns their ids and errors, one a line.
func ids(r *Reader[Trace]) string {
	var out []string
	for t, err := range r.All() {
		if err != nil {
			out = append(out, "! "+err.Error())
		} else {
			out = append(out, t.ID)
		}
	}
	return strings.Join(out, "\n")
}

func TestReader(t *testing.T) {
	for name, test := range map[string]struct{ file, want string }{
		"lines":          {line("a") + "\n" + line("b") + "\n", "a\nb"},
		"no last end":    {line("a") + "\n" + line("b"), "a\nb"},
		"empty":          {"", ""},
		"empty lines":    {"\n\n" + line("a") + "\r\n \t\n" + line("b") + "\n\n", "a\nb"},
		"byte order":     {"\ufeff" + line("a") + "\n", "a"},
		"bad line":       {line("a") + "\n{\"x\"\n" + line("b") + "\n", "a\n! f.jsonl:2: offset 4: unexpected end of text where ':' must follow\nb"},
		"cut off":        {line("a") + "\n\n" + line("b")[:20], "a\n! f.jsonl:3: the last line is cut off: offset 20: unexpected end of text in a string"},
		"wrong version":  {strings.Replace(line("a"), "/1", "/9", 1), `! f.jsonl:1: version "gauntlet.trace/9" is not supported; this program reads "gauntlet.trace/1"`},
		"field of a bad": {line("a") + "\n" + strings.Replace(line("b"), "[]", `[{"role":5}]`, 1) + "\n", "a\n! f.jsonl:2: /steps/0/role: must be a string, not number"},
	} {
		for reader, r := range map[string]io.Reader{
			"whole": strings.NewReader(test.file),
			"bytes": iotest.OneByteReader(strings.NewReader(test.file)),
		} {
			if got := ids(NewReader(r, "f.jsonl")); got != test.want {
				t.Errorf("%s, %s:\n got %s\nwant %s", name, reader, got, test.want)
			}
		}
	}
}

func TestReaderErrors(t *testing.T) {
	r := NewReader(strings.NewReader(line("a")+"\n"+line("b")[:9]), "")
	if _, err := r.Next(); err != nil || r.Line() != 1 {
		t.Fatal(err)
	}
	_, err := r.Next()
	var place *LineError
	if !errors.Is(err, ErrTruncated) || !errors.As(err, &place) || place.Line != 2 || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("got %v", err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("got %v, want the end", err)
	}

	broken := errors.New("broken pipe")
	r = NewReader(io.MultiReader(strings.NewReader(line("a")+"\n{"), iotest.ErrReader(broken)), "f")
	if got := ids(r); got != "a\n! f:2: read: broken pipe" {
		t.Errorf("got %s", got)
	}
	if _, err := r.Next(); !errors.Is(err, broken) {
		t.Errorf("got %v, want the same error again", err)
	}
}

func TestReaderLineLimit(t *testing.T) {
	const limit = 10_000 // more than the buffer of bufio
	file := func(n int) io.Reader {
		return strings.NewReader(line("a") + strings.Repeat(" ", n-len(line("a"))) + "\n" + line("b"))
	}
	r := NewReader(file(limit), "f")
	if r.maxLine != MaxLine {
		t.Errorf("the limit is %d", r.maxLine)
	}
	r.maxLine = limit + 1 // the end of the line counts
	if got := ids(r); got != "a\nb" {
		t.Errorf("at the limit: %s", got)
	}
	r = NewReader(file(limit+1), "f")
	r.maxLine = limit + 1
	if got := ids(r); got != "! f:1: the line is longer than 10001 bytes\nb" {
		t.Errorf("beyond the limit: %s", got)
	}
}

// TestLongObservation checks that a line of several megabytes is nothing
// special.
func TestLongObservation(t *testing.T) {
	text := strings.Repeat("观察😀\n\x00\"", 200_000) + "\xed\xa0\x80"
	in := &Trace{ID: "t", Steps: []Step{{Role: RoleAssistant, Calls: []Call{{Name: "read", Observation: &Observation{
		Text: text, Injected: []Span{{Start: 0, End: CodePoints(text)}},
	}}}}}}
	var buf bytes.Buffer
	for range 2 {
		if err := Encode(&buf, in); err != nil {
			t.Fatal(err)
		}
	}
	if buf.Len() < 4<<20 {
		t.Fatalf("the file has %d bytes only", buf.Len())
	}
	r := NewReader(&buf, "f")
	for range 2 {
		out, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if out.Steps[0].Calls[0].Observation.Text != text {
			t.Error("the text changed")
		}
		if p := r.Problems(); len(p) != 1 || p[0].Kind != ProblemLoneSurrogate {
			t.Errorf("problems %v", p)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("got %v, want the end", err)
	}
}

func TestSampleReader(t *testing.T) {
	in := &Sample{ID: "s", Trace: Trace{ID: "t"}, Call: Call{Name: "pay"}, Label: Label{Unsafe: true, Category: "prompt_injection"}, Twin: "s2"}
	var buf bytes.Buffer
	if err := EncodeSample(&buf, in); err != nil {
		t.Fatal(err)
	}
	want := `{"version":"gauntlet.sample/1","id":"s","trace":{"version":"gauntlet.trace/1","id":"t","steps":[]},"call":{"id":null,"name":"pay"},"label":{"unsafe":true,"category":"prompt_injection"},"twin":"s2"}` + "\n"
	if buf.String() != want {
		t.Fatalf("got %s", buf.String())
	}
	out, err := NewSampleReader(&buf, "s.jsonl").Next()
	if err != nil || out.Call.Name != "pay" || !out.Label.Unsafe || out.Twin != "s2" {
		t.Errorf("got %+v, %v", out, err)
	}
}
