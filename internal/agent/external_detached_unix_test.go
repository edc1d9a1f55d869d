//go:build unix

package agent_test

import "syscall"

// detached starts a program in a session of its own.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
