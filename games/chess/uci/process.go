package uci

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/matchreferee/arena/internal/proc"
)

// Bounds of what a process may write.
const (
	MaxLine   = 16 << 10 // bytes of a line; a longer one is dropped
	MaxOutput = 8 << 20  // bytes after one command; more is a flood
	MaxStderr = 4 << 10  // bytes that are kept of its errors, the last ones
)

// pipeDelay is how long a process that has ended may leave its pipes to children that go on.
const pipeDelay = 2 * time.Second

// process is a running program and the three goroutines that serve its pipes. It is used by one goroutine at a time.
type process struct {
	cmd    *exec.Cmd
	input  chan string // lines to write
	lines  chan string // lines read, their end not included; closed after all else has ended
	out    splitter
	stderr proc.Tail
	killed chan struct{}
	kill   func() // kills the process group; may be called again and from anywhere
	err    error  // how it ended; to be read after lines is closed

	// What it told in the handshake.
	name, author string
	declared     []Option

	seat string // whose requests it has searched since the last ucinewgame
}

// launch starts a program.
func launch(o *Options) (*process, error) {
	p := &process{
		cmd: exec.Command(o.Path, o.Args...), input: make(chan string, 8), lines: make(chan string, 64), killed: make(chan struct{}),
	}
	p.out = splitter{lines: p.lines, stop: p.killed}
	p.out.left.Store(MaxOutput)
	p.cmd.Dir, p.cmd.Env = o.Dir, append([]string{}, o.Env...)
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = &p.out, &p.stderr, pipeDelay
	p.stderr.Max = MaxStderr
	proc.Group(p.cmd)
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.kill = sync.OnceFunc(func() { close(p.killed); _ = proc.Kill(p.cmd) })
	p.out.flooded = p.kill
	if err := p.cmd.Start(); err != nil {
		stdin.Close()
		return nil, err
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		p.write(stdin)
	}()
	go func() {
		err := p.cmd.Wait()
		p.kill() // those that it left behind
		<-written
		p.out.flush()
		p.err = err
		close(p.lines)
	}()
	return p, nil
}

// write writes lines until input is closed, the process is killed, or it cannot be written to.
func (p *process) write(stdin io.WriteCloser) {
	defer stdin.Close()
	for {
		select {
		case s, ok := <-p.input:
			if !ok {
				return
			}
			if _, err := io.WriteString(stdin, s+"\n"); err != nil {
				return
			}
		case <-p.killed:
			return
		}
	}
}

// send hands lines over to be written, without waiting for the engine to read them; it is false where that has fallen too far behind. Each
// call allows the engine MaxOutput bytes of answer.
func (p *process) send(lines ...string) bool {
	p.out.left.Store(MaxOutput)
	for _, s := range lines {
		select {
		case p.input <- s:
		default:
			return false
		}
	}
	return true
}

// end waits until nothing of the process is left, reading what it has to say.
func (p *process) end() {
	for range p.lines {
	}
}

// errFlood ends the copying of a flood.
var errFlood = errors.New("more output than allowed")

// splitter makes lines of what is written to it, and waits for somebody to take them, which makes the program wait too.
type splitter struct {
	lines   chan<- string
	stop    <-chan struct{}
	flooded func()
	left    atomic.Int64 // bytes that may still come
	part    []byte       // of a line that is not complete, at most MaxLine+1
}

// Write never fails but on a flood.
func (s *splitter) Write(b []byte) (int, error) {
	n := len(b)
	if s.left.Add(-int64(n)) < 0 {
		s.flooded()
		return 0, errFlood
	}
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		whole := end >= 0
		if !whole {
			end = len(b)
		}
		if room := MaxLine + 1 - len(s.part); room > 0 {
			s.part = append(s.part, b[:min(end, room)]...)
		}
		if !whole {
			break
		}
		s.flush()
		b = b[end+1:]
	}
	return n, nil
}

// flush hands the line on, if it is neither empty nor too long.
func (s *splitter) flush() {
	if n := len(s.part); n > 0 && n <= MaxLine {
		select {
		case s.lines <- string(s.part):
		case <-s.stop:
			// What is left may still find room, so that an engine's last words are heard.
			select {
			case s.lines <- string(s.part):
			default:
			}
		}
	}
	s.part = s.part[:0]
}
