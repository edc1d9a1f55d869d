//go:build !unix

package agent

import "os/exec"

// group does nothing: there are no process groups, and the end of its context
// kills the program alone.
func group(*exec.Cmd) {}

// sweep does nothing.
func sweep(*exec.Cmd) {}
