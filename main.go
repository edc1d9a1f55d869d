// Command gauntlet is a laboratory for the safety of LLM agents that call tools.
//
//	gauntlet run                  play the bundled suite with the reference agents
//	gauntlet world check FILE     look at a world
//	gauntlet help                 everything else
package main

import (
	"os"

	"gauntlet/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
