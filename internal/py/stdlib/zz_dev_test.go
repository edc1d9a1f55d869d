package stdlib

import (
	"fmt"
	"os"
	"testing"
)

func TestZZDev(t *testing.T) {
	for n, b := range map[string]bool{"enum": true, "operator": true, "types": true, "__future__": true} {
		_ = b
		if _, ok := builders[n]; ok {
			continue
		}
		switch n {
		case "enum":
			builders[n] = buildEnumModule
		case "operator":
			builders[n] = buildOperator
		case "types":
			builders[n] = buildTypes
		case "__future__":
			builders[n] = buildFuture
		}
	}
	src, err := os.ReadFile(os.Getenv("DEVPY"))
	if err != nil {
		t.Skip(err)
	}
	out, err := RunSource(string(src))
	fmt.Print(out)
	if err != nil {
		fmt.Println("ERR", err)
	}
}
