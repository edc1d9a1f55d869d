package page

import (
	"bytes"
	"os"
	"testing"
	"time"
	"gauntlet/internal/trace"
)

func TestReal(t *testing.T) {
	f, _ := os.Open("/tmp/lead/d1/traces.jsonl")
	d := sample(t)
	d.Cells = nil
	r := trace.NewReader(f, "x")
	for tr, err := range r.All() {
		if err != nil { t.Fatal(err) }
		d.Cells = append(d.Cells, Cell{ID: tr.ID, Case: tr.Case, World: tr.World, Agent: tr.Agent, Strategy: tr.Strategy, Benign: "pass", Trace: tr})
	}
	var b bytes.Buffer
	s := time.Now()
	if err := Write(&b, d); err != nil { t.Fatal(err) }
	t.Log(len(d.Cells), b.Len(), time.Since(s))
	os.WriteFile("/tmp/pagework/real.html", b.Bytes(), 0o644)
}
