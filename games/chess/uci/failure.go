package uci

import (
	"errors"
	"fmt"
	"os/exec"

	"github.com/matchreferee/arena/referee"
)

// Failure says why a process of an engine was given up. Where it costs a seat a fault, Code is the fault's detail.
type Failure struct {
	Fault  referee.Fault
	Code   string // "start", "handshake", "exited", "mute", "unready", "deaf", "flood"
	Stderr string // what the process wrote to its standard error last, up to MaxStderr bytes: any bytes at all
	Err    error  // what is known beyond the code; may be nil
}

// Error gives the code and what is known beyond it, without what the process wrote.
func (f *Failure) Error() string {
	if f.Err == nil {
		return "uci: " + f.Code
	}
	return fmt.Sprintf("uci: %s: %v", f.Code, f.Err)
}

// Unwrap gives Err.
func (f *Failure) Unwrap() error { return f.Err }

// detail gives what the record says: the code, and how a process ended, but nothing that could name a path of the host.
func (f *Failure) detail() string {
	var exit *exec.ExitError
	if errors.As(f.Err, &exit) {
		return f.Code + ": " + exit.ProcessState.String()
	}
	return f.Code
}

func failed(code string, err error) *Failure {
	f := &Failure{Code: code, Err: err, Fault: referee.BadProtocol}
	switch code {
	case "start", "handshake":
		f.Fault = referee.Unreachable
	case "exited":
		f.Fault = referee.Disconnected
	}
	return f
}
