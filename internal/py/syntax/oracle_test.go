package syntax

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// oracleScript answers one JSON line per JSON line: what CPython makes of a
// source text. Positions are those of all nodes outside of f-strings.
const oracleScript = `
import ast, base64, json, sys, warnings
warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)

def places(node, lines, out):
    if hasattr(node, "lineno"):
        head = lines[node.lineno - 1][:node.col_offset].decode()
        out.append("%d:%d %s" % (node.lineno, len(head) + 1, type(node).__name__))
    if not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            places(child, lines, out)
    return out

for line in sys.stdin:
    ask = json.loads(line)
    src = base64.b64decode(ask["src"])
    reply = {}
    try:
        tree = compile(src, "w.py", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        sys.set_int_max_str_digits(0)
        reply["dump"] = ast.dump(tree)
        sys.set_int_max_str_digits(4300)
        if ask["places"]:
            text = src.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            reply["places"] = places(tree, text.split(b"\n"), [])
        compile(src, "w.py", "exec", dont_inherit=True)
        reply["ok"] = True
    except (MemoryError, RecursionError) as e:
        reply["deep"] = True
        reply["error"] = type(e).__name__
    except Exception as e:
        reply["error"] = type(e).__name__ + ": " + str(e)
    print(json.dumps(reply), flush=True)
`

// answer is what CPython makes of a source text.
type answer struct {
	Dump   string   // ast.dump, also of a program that does not compile
	Places []string // "line:column type"
	OK     bool     // the text compiles
	Deep   bool     // CPython ran out of stack
	Error  string
}

// oracle is a python3 process that parses one text after the other.
type oracle struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func startOracle(t *testing.T) *oracle {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	cmd := exec.Command(path, "-c", oracleScript)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	version, err := exec.Command(path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").Output()
	if err != nil || strings.TrimSpace(string(version)) != "3.11" {
		t.Skipf("python3 is not 3.11: %s %v", version, err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &oracle{t, in, bufio.NewReaderSize(out, 1<<20)}
}

// ask returns CPython's answer for a source text.
func (o *oracle) ask(src []byte, places bool) answer {
	o.t.Helper()
	q, err := json.Marshal(map[string]any{"src": src, "places": places})
	if err != nil {
		o.t.Fatal(err)
	}
	if _, err := o.in.Write(append(q, '\n')); err != nil {
		o.t.Fatal("write to python3: ", err)
	}
	line, err := o.out.ReadBytes('\n')
	if err != nil {
		o.t.Fatal("read from python3: ", err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		o.t.Fatal(err)
	}
	return a
}

// verdict compares our parser with CPython and describes the difference; refused
// reports whether the text holds something that the project does not support.
func (o *oracle) verdict(src []byte) (diff string, refused bool) {
	o.t.Helper()
	m, err := Parse("w.py", src)
	if e, ok := err.(*Error); ok && e.Refused {
		return "", true
	}
	a := o.ask(src, false)
	switch {
	case a.Deep:
		return "", false
	case err != nil && a.OK:
		return fmt.Sprintf("CPython accepts, we say: %v", err), false
	case err == nil && !a.OK:
		return fmt.Sprintf("we accept, CPython says: %s", a.Error), false
	case err != nil:
		return "", false
	}
	return firstDifference(Dump(m), a.Dump), false
}

// firstDifference shows where two texts begin to differ, or is empty.
func firstDifference(got, want string) string {
	if got == want {
		return ""
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("at byte %d:\n got …%s\nwant …%s", i, got[from:min(len(got), i+80)], want[from:min(len(want), i+80)])
}

// places lists the positions of the nodes outside of f-strings as the oracle does.
func places(m *Module) []string {
	var out []string
	Walk(m, func(n Node) bool {
		name := strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax.")
		switch name {
		case "Module", "Comprehension":
			return true
		case "ExprStmt":
			name = "Expr"
		case "Arg", "Alias", "Keyword":
			name = strings.ToLower(name)
		}
		out = append(out, fmt.Sprintf("%d:%d %s", n.At().Line, n.At().Col, name))
		return name != "JoinedStr"
	})
	return out
}
