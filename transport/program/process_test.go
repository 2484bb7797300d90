package program

import (
	"context"
	"io"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// TestEarly has a line begin before anybody asks, and end afterwards.
func TestEarly(t *testing.T) {
	p := &process{t: newTransport(Options{MaxLine: 10})}
	if strays, f := p.feed([]byte("one\ntw")); len(strays) != 1 || f != nil {
		t.Fatalf("%q, %+v", strays, f)
	}
	w := make(chan reply, 1)
	if f := p.await(w); f != nil {
		t.Fatal(f)
	}
	strays, f := p.feed([]byte("o\n"))
	if len(strays) != 1 || string(strays[0]) != "two" || f != nil || len(w) > 0 {
		t.Errorf("%q, %+v, %d answers", strays, f, len(w))
	}
	if p.waiting == nil {
		t.Error("nobody waits any more")
	}
}

// TestBounds feeds too much, in pieces of each size.
func TestBounds(t *testing.T) {
	for size := 1; size < 20; size++ {
		p := &process{t: newTransport(Options{MaxLine: 10})}
		var got *failure
		for range 20 {
			if _, f := p.feed([]byte(strings.Repeat("x", size))); f != nil {
				got = f
				break
			}
			if len(p.part) > 10 {
				t.Fatalf("%d bytes are kept", len(p.part))
			}
		}
		if got == nil || got.fault != referee.Oversized {
			t.Errorf("size %d: %+v", size, got)
		}
		p = &process{t: newTransport(Options{MaxLine: 10})}
		if _, f := p.feed([]byte(strings.Repeat("0123456789\n", MaxStray))); f != nil {
			t.Errorf("lines of just the length: %+v", f)
		}
		if _, f := p.feed([]byte("\n")); f == nil || f.code != "flood" {
			t.Errorf("one more: %+v", f)
		}
	}
}

// TestFailed says why to whoever asks when it is too late.
func TestFailed(t *testing.T) {
	p := &process{t: newTransport(Options{}), stdin: open{new(strings.Builder)}}
	p.life, p.die = context.WithCancel(context.Background())
	w := make(chan reply, 1)
	if f := p.await(w); f != nil {
		t.Fatal(f)
	}
	why := &failure{referee.Disconnected, "closed", "closed"}
	p.fail(why)
	if r := <-w; r.f != why {
		t.Errorf("%+v", r)
	}
	if _, f := p.exchange(context.Background(), []byte("x\n")); f != why {
		t.Errorf("%+v", f)
	}
	if p.life.Err() == nil || p.code != "closed" {
		t.Errorf("it lives on, %q", p.code)
	}
}

// TestExited has the end of a process be known a second after that of its output, as on a machine that is busy.
func TestExited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &process{cmd: new(exec.Cmd), exited: make(chan struct{})}
		time.AfterFunc(time.Second, func() { close(p.exited) })
		if f := p.gone(); f.code != "exited" {
			t.Errorf("%+v", f)
		}
	})
}

// TestDeaf asks a program that reads nothing: the end of the request is the end of
// the wait.
func TestDeaf(t *testing.T) {
	_, in := io.Pipe()
	defer in.Close()
	p := &process{t: newTransport(Options{}), stdin: in}
	p.life, p.die = context.WithCancel(context.Background())
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel) // before that or after, it is not answered
	if _, f := p.exchange(ctx, []byte("x\n")); f == nil || f.code != "unanswered" {
		t.Errorf("%+v", f)
	}
	<-p.life.Done()
}
