package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gauntlet/internal/cli"
)

var updateReadme = flag.Bool("update-readme", false, "rewrite the sample output in README.md")

var sample = regexp.MustCompile("(?s)(<!-- output of: gauntlet ([^\n]*) -->\n```\n)(.*?)(```\n)")

// TestReadmeSample runs the command whose output README.md shows and compares.
func TestReadmeSample(t *testing.T) {
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := sample.FindSubmatch(b)
	if m == nil {
		t.Fatal("README.md has no sample output")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // the run is journaled where it is started
	var out, stderr bytes.Buffer
	if code := cli.Main(strings.Fields(string(m[2])), strings.NewReader(""), &out, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	if *updateReadme {
		b = bytes.Replace(b, m[3], out.Bytes(), 1)
		if err := os.WriteFile(filepath.Join(root, "README.md"), b, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if out.String() != string(m[3]) {
		t.Errorf("README.md shows an old table; run go test -run TestReadmeSample -update-readme .\ngot:\n%s", out.String())
	}
}
