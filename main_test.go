package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gauntlet/internal/trace"
)

// TestMain puts the command gauntlet on the PATH of the tests: this test binary
// under another name, which runs main.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gauntlet": main})
}

// TestScript runs testdata/script/*.txtar. The first word of a file's name is
// the subcommand under test. Beside the usual commands, a script can say what
// is in scriptCommands.
func TestScript(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("there are no scripts in testdata/script")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		Cmds:                scriptCommands,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("BUNDLED", filepath.Join(root, "worlds"))
			return nil
		},
	})
}

// scriptCommands are the commands of our own. A file can be stdout or stderr.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"code":    scriptCode,
	"json":    scriptJSON,
	"jsonl":   scriptJSONL,
	"csv":     scriptCSV,
	"traces":  scriptTraces,
	"repeat":  scriptRepeat,
	"rewrite": scriptRewrite,
	"plain":   scriptPlain,
	"model":   scriptModel,
}

// scriptCode is "code N program args...": the program must exit with status N.
func scriptCode(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) >= 2, "code N program [args...]")
	want := number(ts, args[0])
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("cannot run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// scriptJSON is "json file [pointer value]...": the file is one JSON value, and
// holds the JSON values given at the JSON pointers given. The value ! stands for
// nothing there.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args)%2 == 1, "json file [pointer value]...")
	text := ts.ReadFile(args[0])
	if !json.Valid([]byte(text)) {
		ts.Fatalf("%s is not one JSON value", args[0])
	}
	pointed(ts, text, args[1:])
}

// scriptJSONL is "jsonl file N [line pointer value]...": the file has N lines,
// each a JSON value and ended by a line feed, and holds the values given at the
// lines (from 1) and JSON pointers given.
func scriptJSONL(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) >= 2 && len(args)%3 == 2, "jsonl file N [line pointer value]...")
	lines := jsonLines(ts, args[0], number(ts, args[1]))
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			ts.Fatalf("%s: not JSON: %.200s", args[0], line)
		}
	}
	for a := args[2:]; len(a) > 0; a = a[3:] {
		n := number(ts, a[0])
		if n < 1 || n > len(lines) {
			ts.Fatalf("there is no line %d", n)
		}
		pointed(ts, lines[n-1], a[1:3])
	}
}

func jsonLines(ts *testscript.TestScript, file string, want int) []string {
	text := ts.ReadFile(file)
	if text == "" && want == 0 {
		return nil
	}
	if !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s does not end with a line feed", file)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != want {
		ts.Fatalf("%s has %d lines, want %d", file, len(lines), want)
	}
	return lines
}

// pointed compares the values at JSON pointers with those wanted.
func pointed(ts *testscript.TestScript, text string, pairs []string) {
	v, _, err := trace.ParseValue([]byte(text))
	ts.Check(err)
	for ; len(pairs) > 0; pairs = pairs[2:] {
		got := v.Pointer(pairs[0])
		if pairs[1] == "!" {
			if got.Exists() {
				ts.Fatalf("%s is %.500s, want nothing there", pairs[0], got)
			}
			continue
		}
		want, _, err := trace.ParseValue([]byte(pairs[1]))
		if err != nil {
			ts.Fatalf("bad value %s: %v", pairs[1], err)
		}
		if !trace.Equal(got, want) {
			ts.Fatalf("%s is %.500s, want %s", pairs[0], got, want)
		}
	}
}

// scriptCSV is "csv file rows": a header and rows records of as many fields.
func scriptCSV(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) == 2, "csv file rows")
	records, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	if want := number(ts, args[1]) + 1; len(records) != want {
		ts.Fatalf("%d records, want %d", len(records), want)
	}
}

// scriptTraces is "traces file N": N traces in the canonical form, without
// anything odd in them: reading and writing them again changes no byte.
func scriptTraces(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) == 2, "traces file N")
	text := ts.ReadFile(args[0])
	r := trace.NewReader(strings.NewReader(text), args[0])
	var again bytes.Buffer
	n := 0
	for t, err := range r.All() {
		ts.Check(err)
		if p := r.Problems(); len(p) > 0 {
			ts.Fatalf("trace %s: %v", t.ID, p)
		}
		ts.Check(trace.Encode(&again, t))
		n++
	}
	if want := number(ts, args[1]); n != want {
		ts.Fatalf("%d traces, want %d", n, want)
	}
	if again.String() != text {
		ts.Fatalf("%s is not in the canonical form", args[0])
	}
}

// scriptRepeat is "repeat N format file": N lines, in which {n} stands for the
// line's number, from 1.
func scriptRepeat(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) == 3, "repeat N format file")
	var b strings.Builder
	for i := range number(ts, args[0]) {
		fmt.Fprintln(&b, strings.ReplaceAll(args[1], "{n}", strconv.Itoa(i+1)))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(b.String()), 0o666))
}

// scriptRewrite is "rewrite how file": line ends to CRLF (crlf), a byte order
// mark in front (bom), four spaces of indentation to a tab (tabs), \xNN and
// \uNNNN to what they stand for (raw), or the last line feed off (cut).
func scriptRewrite(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) == 2, "rewrite how file")
	text := ts.ReadFile(args[1])
	switch args[0] {
	case "crlf":
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case "bom":
		text = "\ufeff" + text
	case "tabs":
		text = strings.ReplaceAll(text, "    ", "\t")
	case "cut":
		text = strings.TrimSuffix(text, "\n")
	case "raw":
		raw, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(text, `"`, `\"`), "\n", `\n`) + `"`)
		ts.Check(err)
		text = raw
	default:
		ts.Fatalf("rewrite does not know %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}

// scriptPlain is "plain file...": nothing in the files moves a terminal. Line
// feeds and tabs aside there are no control characters, of ASCII or of C1, and
// no marks that turn the direction of text.
func scriptPlain(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) > 0, "plain file...")
	for _, file := range args {
		for i, r := range ts.ReadFile(file) {
			control := r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f
			turns := r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
			if control || turns {
				ts.Fatalf("%s holds %U at byte %d", file, r, i)
			}
		}
	}
}

func arguments(ts *testscript.TestScript, neg, ok bool, usage string) {
	if neg {
		ts.Fatalf("! is not supported: %s", usage)
	}
	if !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}
