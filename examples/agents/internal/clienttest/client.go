package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is far longer than anything here takes.
const patience = 4 * time.Minute

// Exit statuses of every client.
const (
	Played  = 0  // to the end
	Broken  = 1  // choose() failed, or the client did
	Usage   = 2  // options, environment, state file
	Refused = 3  // the key
	NoGame  = 4  // the match expired or failed
	Strange = 5  // the server refused, or answered what makes no sense
	Later   = 75 // the same command again, after a while
)

// Run is one run of a client.
type Run struct {
	Client   []string // program and arguments
	Opponent string   // "": casual
	Base     string
	State    string
	Key      string   // "": Key
	More     []string // further arguments
	Env      []string // further variables, each as NAME=value

	server *Server // whose settings are done when the client starts
}

// Outcome is how a run ended.
type Outcome struct {
	Status         int // -1: it was killed
	Stdout, Stderr string
}

// start starts a client; wait waits for it, kill ends it at once.
func (r Run) start(t *testing.T) (wait func() Outcome, kill func()) {
	t.Helper()
	if r.server != nil {
		r.server.requests() // takes the lock, so that the handler sees what was set before
	}
	key := r.Key
	if key == "" {
		key = Key
	}
	opponent := r.Opponent
	if opponent == "" {
		opponent = "casual"
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	args := append(append([]string{}, r.Client[1:]...), "--state", r.State, "--opponent", opponent)
	cmd := exec.CommandContext(ctx, r.Client[0], append(args, r.More...)...)
	cmd.Env = append(append(os.Environ(), "LINESCLASH_BASE="+r.Base, "LINESCLASH_KEY="+key), r.Env...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &complaints, 5*time.Second
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	return func() Outcome {
		err := cmd.Wait()
		cancel()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Error(err)
		}
		o := Outcome{cmd.ProcessState.ExitCode(), out.String(), complaints.String()}
		if strings.Contains(o.Stdout+o.Stderr, key) {
			t.Errorf("the key is in the output:\n%s\n%s", o.Stdout, o.Stderr)
		}
		if b, err := os.ReadFile(r.State); err == nil && bytes.Contains(b, []byte(key)) {
			t.Errorf("the key is in the state:\n%s", b)
		}
		return o
	}, func() { _ = cmd.Process.Kill() }
}

// do runs a client to its end.
func (r Run) do(t *testing.T) Outcome {
	t.Helper()
	wait, _ := r.start(t)
	return wait()
}

// want fails unless the outcome has a status, and words on its standard output or error.
func (o Outcome) want(t *testing.T, status int, words ...string) {
	t.Helper()
	ok := o.Status == status
	for _, w := range words {
		ok = ok && strings.Contains(o.Stdout+o.Stderr, w)
	}
	if strings.ContainsAny(o.Stdout+o.Stderr, "\x1b\x07") {
		t.Error("control characters in the output")
	}
	if !ok {
		t.Errorf("status %d, not %d with %q\nstdout:\n%s\nstderr:\n%s", o.Status, status, words, o.Stdout, o.Stderr)
	}
}

// state is what all clients keep in their file.
type state struct {
	Format string `json:"format"`
	Base   string `json:"base"`
	Create struct {
		Opponent  string `json:"opponent"`
		Name      string `json:"name"`
		AgentSeat int    `json:"agentSeat"`
		Control   string `json:"control"`
		Game      string `json:"game,omitempty"`
		RequestID string `json:"requestId"`
	} `json:"create"`
	MatchID   string           `json:"matchId"`
	Move      *json.RawMessage `json:"move"`
	NotBefore int64            `json:"notBefore"`
	Over      *struct {
		Status string          `json:"status"`
		Reason *string         `json:"reason"`
		Seat   int             `json:"seat"`
		Scores json.RawMessage `json:"scores"`
	} `json:"over"`
}

// readState reads a state file, which is to hold what every client's holds.
func readState(t *testing.T, name string) state {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var s state
	if err := strict(b, &s); err != nil || s.Format != "grid-client/1" {
		t.Fatalf("%v: %s", err, b)
	}
	if left, err := filepath.Glob(name + "?*"); err != nil || len(left) > 0 {
		t.Errorf("left beside the state: %q, %v", left, err)
	}
	return s
}
