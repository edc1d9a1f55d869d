// Command gauntlet is a laboratory for the safety of LLM agents that call tools.
package main

import (
	"os"

	"gauntlet/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
