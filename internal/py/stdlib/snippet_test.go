package stdlib

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"gauntlet/internal/py"
)

// pythonSnippets runs each program of a JSON list and prints a JSON list of
// what they printed, with the exception that ended them as the last line.
const pythonSnippets = `
import contextlib, io, json, sys, warnings
warnings.simplefilter('ignore')
out = []
for src in json.load(sys.stdin):
    buf = io.StringIO()
    try:
        with contextlib.redirect_stdout(buf):
            exec(compile(src, '<string>', 'exec'), {'__name__': '__main__'})
    except BaseException as e:
        buf.write('! ' + type(e).__name__ + ': ' + str(e) + '\n')
    out.append(buf.getvalue())
json.dump(out, sys.stdout)
`

// diffSnippets runs snippets here and in CPython and compares the output.
// A snippet is an expression, whose repr is printed, or a program (it holds a
// newline or a call of print). header is put before each.
func diffSnippets(t *testing.T, header string, snippets []string) {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	programs := make([]string, len(snippets))
	for i, s := range snippets {
		if !strings.Contains(s, "\n") && !strings.Contains(s, "print(") {
			s = "print(repr((" + s + ")))"
		}
		programs[i] = header + "\n" + s + "\n"
	}
	in, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", pythonSnippets)
	cmd.Stdin = strings.NewReader(string(in))
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v", err)
	}
	var want []string
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		if got := snippetOutput(p); got != want[i] {
			t.Errorf("%s\n got %q\nwant %q", snippets[i], got, want[i])
		}
	}
	t.Logf("%d snippets compared", len(programs))
}

// snippetOutput runs one program and words its end as the Python side does.
func snippetOutput(program string) string {
	out, err := RunSource(program)
	if err == nil {
		return out
	}
	var r *py.Raised
	if errors.As(err, &r) {
		return out + "! " + py.TypeName(r.Exc) + ": " + py.ExcMessage(r.Exc) + "\n"
	}
	return out + "! " + err.Error() + "\n"
}
