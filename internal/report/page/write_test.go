package page

import (
	"bytes"
	"os"
	"testing"
)

func TestSampleFile(t *testing.T) {
	d := sample(t)
	generated(t, d, 500)
	var b bytes.Buffer
	if err := Write(&b, d); err != nil {
		t.Fatal(err)
	}
	if f := os.Getenv("PAGE_OUT"); f != "" {
		os.WriteFile(f, b.Bytes(), 0o644)
	}
	t.Log(b.Len())
}
