//go:build !unix

package program

import "os/exec"

// ownGroup does nothing: there are no process groups to be had here.
func ownGroup(*exec.Cmd) {}

// killGroup kills the process; its children end as they find their pipes closed.
func killGroup(cmd *exec.Cmd) {
	// The error is that it has ended.
	_ = cmd.Process.Kill()
}
