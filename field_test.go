package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFieldReports checks that the tests which docs/field-reports.md names exist.
func TestFieldReports(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("docs", "field-reports.md"))
	if err != nil {
		t.Fatal(err)
	}
	defined := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			defined[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllSubmatch(doc, -1)
	if len(named) < 30 {
		t.Errorf("docs/field-reports.md names %d tests", len(named))
	}
	for _, m := range named {
		if !defined[string(m[1])] {
			t.Errorf("docs/field-reports.md names %s, which does not exist", m[1])
		}
	}
}
