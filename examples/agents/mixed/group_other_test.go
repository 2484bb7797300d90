//go:build !unix

package mixed_test

import "os/exec"

// ownGroup does nothing: there are no groups here.
func ownGroup(*exec.Cmd) {}

// killGroup ends the process.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
