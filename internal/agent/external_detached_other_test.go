//go:build !unix

package agent_test

import "syscall"

// detached starts a program like any other: there are no sessions.
func detached() *syscall.SysProcAttr { return nil }
