package agent

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// strayRounds is how often sweepStrays looks for more: a process may start another
// one while it is being looked for.
const strayRounds = 10

// sweepStrays kills the processes of an agent that have left its group, as daemons
// and shells of their own session do. They are known by a variable of their
// environment whose value is no other episode's. A night of episodes would
// otherwise end on a machine full of them.
func sweepStrays(variable string) {
	mark := []byte(variable)
	for range strayRounds {
		found := false
		environs, err := filepath.Glob("/proc/[1-9]*/environ")
		if err != nil {
			return // the pattern is right
		}
		for _, path := range environs {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil || pid == os.Getpid() {
				continue
			}
			b, err := os.ReadFile(path)
			if err != nil || !marked(b, mark) {
				continue // it has ended, or is somebody else's
			}
			found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
		}
		if !found {
			return
		}
	}
}

// marked reports whether an environment has a variable.
func marked(environ, variable []byte) bool {
	for v := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(v, variable) {
			return true
		}
	}
	return false
}
