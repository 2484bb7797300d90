package python_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/internal/proc"
	"github.com/matchreferee/arena/transport/callback"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tethered runs a program that ends when its standard input does, and so with this process, however that ends.
const tethered = `
import os, runpy, sys, threading
threading.Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
`

const patience = time.Minute // far longer than anything here takes

// python gives the interpreter.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err == nil {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		err = exec.CommandContext(ctx, path, "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run()
	}
	if err != nil {
		need.Missing(t, fmt.Sprint("python3 of 3.10 or newer: ", err))
	}
	return path
}

// process is the agent at work.
type process struct {
	cmd        *exec.Cmd
	stdin      io.Closer
	complaints bytes.Buffer
	url        string
}

// start runs the agent at a port, "0" for any, until stop.
func start(t *testing.T, port string, secrets ...callback.Secret) *process {
	t.Helper()
	p := &process{cmd: exec.CommandContext(t.Context(), python(t), "-I", "-c", tethered, "agent.py", "--port", port)}
	var words []string
	for _, s := range secrets {
		words = append(words, s.Reveal())
	}
	p.cmd.Env = append(os.Environ(), "LUDUX_SECRET="+strings.Join(words, " "))
	p.cmd.Stderr = &p.complaints
	p.cmd.WaitDelay = 5 * time.Second
	proc.Group(p.cmd)
	p.cmd.Cancel = func() error { return proc.Kill(p.cmd) }
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdin = stdin
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make(chan string, 1)
	go func() {
		first, _ := bufio.NewReader(io.LimitReader(stdout, 1<<10)).ReadString('\n')
		line <- first
	}()
	select {
	case first := <-line:
		at, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
		if !ok || !strings.HasPrefix(at, "http://127.0.0.1:") {
			p.kill()
			t.Fatalf("the agent began with %q\n%s", first, p.complaints.Bytes())
		}
		p.url = at
	case <-time.After(patience):
		p.kill()
		t.Fatal("the agent does not listen")
	}
	return p
}

// port is where it listens.
func (p *process) port() string {
	u, err := url.Parse(p.url)
	if err != nil {
		return ""
	}
	return u.Port()
}

// kill ends it at once, as a crash would, and gives what it said on its standard error.
func (p *process) kill() string {
	p.stdin.Close()
	_ = proc.Kill(p.cmd)
	_ = p.cmd.Wait() // it was killed: an error, whatever it did before
	return p.complaints.String()
}

// agent runs one until the test is over, which fails if it complains.
func agent(t *testing.T, secrets ...callback.Secret) *process {
	t.Helper()
	p := start(t, "0", secrets...)
	t.Cleanup(func() {
		if words := p.kill(); words != "" {
			t.Errorf("the agent complained:\n%s", words)
		}
	})
	return p
}
