// Package connect4agent_test runs the agent of this folder as the process that it is, and plays against it.
package connect4agent_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/internal/proc"
)

// tether makes a node process end when its standard input does, and so with this one, however this one ends.
const tether = `data:text/javascript,process.stdin.on("end",()=>process.exit()).resume()`

const patience = time.Minute // far longer than anything here takes

// start runs the agent until the test is over, and gives its URL.
func start(t *testing.T) string {
	t.Helper()
	node := need.Program(t, "node")
	cmd := exec.CommandContext(t.Context(), node, "--import", tether, "agent.mjs", "0")
	cmd.Env = append(os.Environ(), "HOST=") // an empty one is none, and not all addresses
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	cmd.WaitDelay = 5 * time.Second
	proc.Group(cmd)
	cmd.Cancel = func() error { return proc.Kill(cmd) }
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		_ = proc.Kill(cmd)
		_ = cmd.Wait() // it was killed: an error, whatever it did before
		if complaints.Len() > 0 {
			t.Errorf("the agent complained:\n%s", complaints.Bytes())
		}
	})
	line := make(chan string, 1)
	go func() {
		first, _ := bufio.NewReader(io.LimitReader(stdout, 1<<10)).ReadString('\n')
		line <- first
	}()
	select {
	case first := <-line:
		url, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
		if !ok || !strings.HasPrefix(url, "http://127.0.0.1:") {
			t.Fatalf("the agent began with %q", first)
		}
		return url + "/play"
	case <-time.After(patience):
		t.Fatal("the agent does not listen")
	}
	return ""
}
