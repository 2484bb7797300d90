//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

// Group makes a process, which is still to be started, the leader of a process group of its own.
func Group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Kill kills a process that Group prepared, and all of its descendants that stayed in its group. It comes before the process is waited
// for, so that the number is still its own. The error is that nobody is left.
func Kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
