package py

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLanguage runs the programs of testdata/lang and compares them with
// CPython. Each file holds several programs separated by lines of dashes.
func TestLanguage(t *testing.T) {
	files, err := filepath.Glob("testdata/lang/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in testdata/lang: %v", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range strings.Split(string(src), "\n# ---\n") {
				same(t, p)
			}
		})
	}
}
