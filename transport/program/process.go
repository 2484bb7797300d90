package program

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/matchreferee/arena/internal/proc"
	"github.com/matchreferee/arena/referee"
)

// pipeDelay is how long a process that has ended may leave its pipes to children
// that go on, and how long one that has closed its output may take to end.
const pipeDelay = 2 * time.Second

// process is a running program, and the goroutines that read from it and wait for
// it; or a program at the other end of two streams.
type process struct {
	t      *Transport
	seat   *referee.Seat
	cmd    *exec.Cmd // nil: streams
	stdin  io.WriteCloser
	stdout *os.File // nil: streams
	stderr proc.Tail
	life   context.Context
	die    context.CancelFunc
	exited chan struct{} // closes when the process has ended, with ended set
	ended  error
	done   chan struct{} // closes when nothing is left of it

	mu      sync.Mutex
	waiting chan<- reply // who asked; nil: nobody. It takes one without waiting
	part    []byte       // of a line that is not complete
	early   bool         // part began before anybody asked
	strays  int
	failed  *failure // it will not answer any more
	killed  bool     // or left to end by itself: code stays as it is
	code    string   // why it was killed
}

// launch starts a program for a seat.
func (t *Transport) launch(pr *Program, s *referee.Seat) (*process, *failure) {
	select {
	case t.slots <- struct{}{}:
	default:
		return nil, &failure{referee.Internal, "processes", "too many processes"}
	}
	p, err := t.start(pr, s)
	if err != nil {
		<-t.slots
		if t.o.Exited != nil && !errors.Is(err, ErrClosed) {
			t.o.Exited(Exit{Match: s.Match(), Seat: s.Num(), Code: "start", Err: err})
		}
		return nil, &failure{referee.Unreachable, "start", "start"}
	}
	return p, nil
}

func (t *Transport) start(pr *Program, s *referee.Seat) (*process, error) {
	p := &process{t: t, seat: s, cmd: exec.Command(pr.Path, pr.Args...), exited: make(chan struct{}), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = pr.Dir, append([]string{}, pr.Env...)
	p.cmd.Stderr, p.cmd.WaitDelay = &p.stderr, pipeDelay
	p.stderr.Max = MaxStderr
	proc.Group(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	p.stdin, p.stdout, p.cmd.Stdout = in, out, theirs
	p.life, p.die = context.WithCancel(context.Background())
	// Under the lock of Close, so that it waits for whatever was started.
	t.mu.Lock()
	defer t.mu.Unlock()
	if err = ErrClosed; !t.closed {
		err = p.cmd.Start()
	}
	theirs.Close()
	if err != nil {
		p.die()
		in.Close()
		out.Close()
		return nil, err
	}
	t.work.Go(p.wait)
	return p, nil
}

// wait waits until nothing is left of the process.
func (p *process) wait() {
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.read(p.stdout)
	}()
	p.ended = p.cmd.Wait()
	close(p.exited)
	if p.stdout.SetReadDeadline(time.Now().Add(pipeDelay)) != nil {
		p.stdout.Close()
	}
	<-read
	p.kill("") // those that it left behind
	p.stdout.Close()
	<-p.t.slots
	if p.t.o.Exited != nil {
		p.mu.Lock()
		code := p.code
		p.mu.Unlock()
		p.t.o.Exited(Exit{Match: p.seat.Match(), Seat: p.seat.Num(), Code: code, Err: p.ended, Stderr: p.stderr.String()})
	}
	close(p.done)
}

// kill kills the process with its group. The first code counts.
func (p *process) kill(code string) {
	p.mu.Lock()
	if !p.killed {
		p.killed, p.code = true, code
	}
	p.mu.Unlock()
	p.die()
	if p.cmd != nil {
		_ = proc.Kill(p.cmd)
	}
	p.stdin.Close()
}

// leave tells the program that its match is over, and waits until it is gone.
func (p *process) leave(last []byte, grace time.Duration) {
	p.mu.Lock()
	asked := p.waiting != nil
	if !asked {
		p.killed = true // whatever comes now is no failure
	}
	p.mu.Unlock()
	if asked {
		p.kill("unanswered") // it thinks, and would not hear
	}
	timer := time.AfterFunc(grace, func() { p.kill("") })
	defer timer.Stop()
	_, _ = p.stdin.Write(last) // it may have gone already
	p.stdin.Close()
	<-p.done
}

// exchange writes a request and waits for the answer. The end of ctx kills the process.
func (p *process) exchange(ctx context.Context, line []byte) (reply, *failure) {
	w := make(chan reply, 1)
	if f := p.await(w); f != nil {
		return reply{}, f
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = p.stdin.Write(line) // where it fails the process has ended, which is told of below
	}()
	var r reply
	select {
	case r = <-w:
	case <-ctx.Done():
		return reply{}, p.unanswered()
	}
	if r.f == nil {
		select {
		case <-written: // it may have answered before it had read everything
		case <-ctx.Done():
			return reply{}, p.unanswered()
		}
	}
	return r, r.f
}

// unanswered kills a process that has had its time.
func (p *process) unanswered() *failure {
	p.kill("unanswered")
	return &failure{referee.Disconnected, "unanswered", "unanswered"}
}

// await has the next line go to w. One that has begun already is nobody's answer.
func (p *process) await(w chan<- reply) *failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil {
		return p.failed
	}
	p.waiting, p.early = w, len(p.part) > 0
	return nil
}

// read reads lines until the end of the output.
func (p *process) read(from io.Reader) {
	b := make([]byte, 16<<10)
	for {
		n, err := from.Read(b)
		strays, f := p.feed(b[:n])
		for _, line := range strays {
			stale(p.life, p.seat, line)
		}
		if f == nil && err != nil {
			f = p.gone()
		}
		if f != nil {
			p.fail(f)
			return
		}
	}
}

// feed takes what the program wrote: a line goes to who has asked, every other one
// is given back.
func (p *process) feed(b []byte) (strays [][]byte, f *failure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		if len(p.part)+len(line) > p.t.o.MaxLine {
			return strays, &failure{referee.Oversized, "oversized", "a line of too many bytes"}
		}
		p.part = append(p.part, line...)
		if !whole {
			return strays, nil
		}
		line, b = bytes.Clone(p.part), rest
		p.part = p.part[:0]
		if p.waiting != nil && !p.early {
			p.waiting <- reply{line: line, at: p.seat.Now()}
			p.waiting = nil
			continue
		}
		p.early = false
		strays = append(strays, line)
		if p.strays++; p.strays > MaxStray {
			return strays, &failure{referee.BadProtocol, "flood", "more lines than requests"}
		}
	}
}

// gone gives the failure of a process whose output has ended.
func (p *process) gone() *failure {
	closed := &failure{referee.Disconnected, "closed", "closed"}
	if p.cmd == nil {
		return closed
	}
	timer := time.NewTimer(pipeDelay)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
		return closed
	}
	return &failure{referee.Disconnected, "exited", "exited: " + p.cmd.ProcessState.String()}
}

// fail ends the process for a failure, which goes to who has asked or asks next.
func (p *process) fail(f *failure) {
	p.mu.Lock()
	p.failed = f
	if p.waiting != nil {
		p.waiting <- reply{f: f}
		p.waiting = nil
	}
	p.mu.Unlock()
	p.kill(f.code)
}
