package pyfuzz

import (
	"flag"
	"fmt"
	"testing"
)

var showSeed = flag.Uint64("show", 0, "")

func TestShow(t *testing.T) { fmt.Print(Generate(*showSeed)) }
