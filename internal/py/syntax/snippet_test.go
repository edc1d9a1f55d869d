package syntax

import (
	"encoding/json"
	"os"
	"testing"
)

func TestTmpAll(t *testing.T) {
	data, _ := os.ReadFile("/tmp/w/all.json")
	var list []string
	json.Unmarshal(data, &list)
	c := newComparer(t)
	for _, s := range list {
		c.compare("snippet", s)
	}
	t.Logf("%d total, %d refused, %d rejected", c.total, c.refused, c.rejected)
}
