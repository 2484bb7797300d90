//go:build !unix

package proc

import "os/exec"

// Group does nothing: there are no process groups to be had here.
func Group(*exec.Cmd) {}

// Kill kills the process; its children end as they find their pipes closed. The error is that it has ended.
func Kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
