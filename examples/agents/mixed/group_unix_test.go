//go:build unix

package mixed_test

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process to be started, and those that it starts, into a group of their own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup ends all of them. It is called before the process is waited for, so that the number is still its own.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
