//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the process the leader of a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the process and all of its descendants that stayed in its group.
func killGroup(cmd *exec.Cmd) {
	// The error is that nobody is left.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
