//go:build unix

package agent

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// group starts a program as the leader of a process group, and has the end of its
// context ask the whole group to end.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return signal(cmd, syscall.SIGTERM) }
}

// sweep kills what is left of the group.
func sweep(cmd *exec.Cmd) {
	// Usually nothing is, and nothing can be done about what may not be killed.
	_ = signal(cmd, syscall.SIGKILL)
}

func signal(cmd *exec.Cmd, s syscall.Signal) error {
	err := syscall.Kill(-cmd.Process.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
