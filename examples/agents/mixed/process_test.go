package mixed_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/internal/proc"
)

// process is an agent at work, which ends with its standard input, and so with this process.
type process struct {
	start func() *exec.Cmd
	ready string // what its first line begins with; "": it is not read

	cmd        *exec.Cmd
	stdin      io.Closer
	complaints bytes.Buffer
	said       string // the rest of its first line
}

// run starts it, and waits until it is ready.
func (p *process) run() error {
	p.cmd = p.start()
	p.complaints.Reset()
	p.cmd.Stderr = &p.complaints
	p.cmd.WaitDelay = 5 * time.Second
	proc.Group(p.cmd)
	p.cmd.Cancel = func() error { return proc.Kill(p.cmd) }
	var stdout io.Reader
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	if p.ready != "" {
		if stdout, err = p.cmd.StdoutPipe(); err != nil {
			return err
		}
	}
	if err := p.cmd.Start(); err != nil || p.ready == "" {
		return err
	}
	line := make(chan string, 1)
	go func() {
		first, _ := bufio.NewReader(io.LimitReader(stdout, 1<<10)).ReadString('\n')
		line <- first
	}()
	select {
	case first := <-line:
		said, ok := strings.CutPrefix(strings.TrimSpace(first), p.ready)
		if !ok {
			return fmt.Errorf("the agent began with %q", first)
		}
		p.said = said
		return nil
	case <-time.After(patience):
		return errors.New("the agent is not ready")
	}
}

// kill ends it at once, as a crash would.
func (p *process) kill() {
	if p.cmd.Process == nil {
		return
	}
	p.stdin.Close()
	_ = proc.Kill(p.cmd)
	_ = p.cmd.Wait() // it was killed: an error, whatever it did before
}

// attend starts the process, ends it with the test, and shows what it said if that failed.
func (p *process) attend(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() && p.complaints.Len() > 0 {
			t.Logf("on standard error:\n%s", p.complaints.Bytes())
		}
	})
	if err := p.run(); err != nil {
		t.Fatal(err)
	}
}

// pythonTether runs a program that ends when its standard input does.
const pythonTether = `
import os, runpy, sys, threading
threading.Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
`

// python starts the agent that answers signed requests. Killed and run again, it has the port that it had.
func python(t *testing.T, h *hall) *process {
	t.Helper()
	path, port := need.Program(t, "python3"), "0"
	p := &process{ready: "listening on "}
	p.start = func() *exec.Cmd {
		if u, err := url.Parse(p.said); err == nil && u.Port() != "" {
			port = u.Port()
		}
		cmd := exec.CommandContext(t.Context(), path, "-I", "-c", pythonTether, filepath.Join("..", "python", "agent.py"), "--port", port)
		cmd.Env = append(os.Environ(), "LUDUX_SECRET="+h.secret.Reveal())
		return cmd
	}
	p.attend(t)
	return p
}

// nodeTether does for node what pythonTether does for Python.
const nodeTether = `data:text/javascript,process.stdin.on("end",()=>process.exit()).resume()`

// node starts the agent that opens a WebSocket, which is installed in dir, and waits until it is connected.
func node(t *testing.T, h *hall, dir, slug string) *process {
	t.Helper()
	path := need.Program(t, "node")
	p := &process{start: func() *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), path, "--import", nodeTether, filepath.Join(dir, "agent.mjs"), "--url", h.url)
		cmd.Env = append(os.Environ(), "LUDUX_KEY="+keyOf(slug))
		return cmd
	}}
	connected := h.expect(slug)
	p.attend(t)
	select {
	case <-connected:
	case <-time.After(patience):
		t.Fatal("the agent in JavaScript does not connect")
	}
	return p
}

// installed gives a folder with the agent in JavaScript and what it needs.
func installed(t *testing.T) string {
	t.Helper()
	npm, dir := need.Program(t, "npm"), t.TempDir()
	from := filepath.Join("..", "node")
	files, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		b, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, f.Name()), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	cmd.Dir, cmd.WaitDelay = dir, 5*time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		need.Missing(t, err.Error()+"\n"+string(out))
	}
	return dir
}
