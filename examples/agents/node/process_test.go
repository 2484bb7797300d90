// Package node_test runs the agent of this folder as the process that it is.
package node_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/internal/proc"
	"go.uber.org/goleak"
)

// tether makes a node process end when its standard input does, and so with this one, however this one ends.
const tether = `data:text/javascript,process.stdin.on("end",()=>process.exit()).resume().unref()`

const patience = 5 * time.Minute // far longer than anything here takes

// sources are what the agent consists of.
var sources = []string{"agent.mjs", "choose.mjs", "client.mjs", "package.json", "package-lock.json"}

// installed is a copy of the agent with its package, made when the first test needs it.
var installed = struct {
	sync.Mutex
	dir  string
	fail error
}{}

func TestMain(m *testing.M) {
	status := m.Run()
	if installed.dir != "" {
		os.RemoveAll(installed.dir)
	}
	if status == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// install gives the folder of the copy, and skips where there is none to be had.
func install(t *testing.T) string {
	t.Helper()
	installed.Lock()
	defer installed.Unlock()
	if installed.dir == "" && installed.fail == nil {
		installed.dir, installed.fail = installCopy()
	}
	if installed.fail != nil {
		need.Missing(t, installed.fail)
	}
	return installed.dir
}

func installCopy() (string, error) {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return "", err
		}
	}
	dir, err := os.MkdirTemp("", "ludux-agent-")
	if err != nil {
		return "", err
	}
	for _, name := range sources {
		if err == nil {
			err = copyFile(filepath.Join(dir, name), name)
		}
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
		cmd.Dir, cmd.WaitDelay = dir, 5*time.Second
		proc.Group(cmd)
		cmd.Cancel = func() error { return proc.Kill(cmd) }
		var out []byte
		if out, err = cmd.CombinedOutput(); err != nil {
			err = fmt.Errorf("npm ci: %w\n%s", err, out)
		}
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}

// withChoose gives another copy, whose choose is the given code.
func withChoose(t *testing.T, code string) string {
	t.Helper()
	from, dir := install(t), t.TempDir()
	for _, name := range []string{"agent.mjs", "client.mjs", "package.json"} {
		if err := copyFile(filepath.Join(dir, name), name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "choose.mjs"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(from, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// process is the agent at work.
type process struct {
	t        *testing.T
	cmd      *exec.Cmd
	key      string
	out, err lockedBuffer
	over     chan struct{}
}

// start runs the agent of a folder with a key until the test is over.
func start(t *testing.T, dir, key string, args ...string) *process {
	t.Helper()
	p := &process{t: t, key: key, over: make(chan struct{})}
	p.cmd = exec.CommandContext(t.Context(), "node", append([]string{"--import", tether, filepath.Join(dir, "agent.mjs")}, args...)...)
	p.cmd.Env = append(os.Environ(), "LUDUX_KEY="+key)
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = &p.out, &p.err, 5*time.Second
	proc.Group(p.cmd)
	p.cmd.Cancel = func() error { return proc.Kill(p.cmd) }
	if _, err := p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.over)
		var exit *exec.ExitError
		if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
			t.Error(err)
		}
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends it at once, if it runs still.
func (p *process) kill() {
	select {
	case <-p.over:
	default:
		_ = proc.Kill(p.cmd)
		<-p.over
	}
	if key := p.key; key != "" && strings.Contains(p.out.String()+p.err.String(), key) {
		p.t.Errorf("the key is in the output:\n%s%s", p.out.String(), p.err.String())
	}
}

// ends waits for the end and wants a status, and words on standard error.
func (p *process) ends(status int, words ...string) {
	p.t.Helper()
	select {
	case <-p.over:
	case <-time.After(patience):
		p.kill()
		p.t.Fatalf("the agent does not end\n%s", p.err.String())
	}
	ok := p.cmd.ProcessState.ExitCode() == status
	for _, w := range words {
		ok = ok && strings.Contains(p.err.String(), w)
	}
	if !ok {
		p.t.Errorf("status %d, not %d with %q\nstdout:\n%s\nstderr:\n%s", p.cmd.ProcessState.ExitCode(), status, words, p.out.String(), p.err.String())
	}
}

// lockedBuffer can be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
