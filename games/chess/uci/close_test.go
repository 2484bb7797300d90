package uci

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestGroup: children of an engine go with it, whichever way it goes.
func TestGroup(t *testing.T) {
	for _, kind := range []string{"forks", "forks and dies"} {
		t.Run(kind, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			o := options(t, kind)
			o.Env = append(o.Env, lifeVariable+"="+l.Addr().String())
			e, err := Open(t.Context(), o)
			if (err == nil) != (kind == "forks") {
				t.Fatal(err)
			}
			if e != nil {
				e.Close()
			}
			var said []string
			for range 2 {
				c, err := l.Accept()
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				c.SetReadDeadline(time.Now().Add(time.Minute))
				b, err := io.ReadAll(c) // until the process has ended
				if errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("%q still lives", b)
				}
				said = append(said, strings.TrimSpace(string(b)))
			}
			slices.Sort(said)
			if diff := cmp.Diff([]string{"child", kind}, said); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestClose: Close is quick with an engine that goes, and bounded with one that does not.
func TestClose(t *testing.T) {
	t.Run("ignores quit", func(t *testing.T) {
		t.Parallel()
		o := options(t, "ignores quit")
		o.QuitGrace = 20 * time.Millisecond
		e := open(t, o)
		p := e.idle[0]
		e.Close()
		if !p.ended() || p.cmd.ProcessState.Exited() {
			t.Error(p.cmd.ProcessState)
		}
	})
	t.Run("goes", func(t *testing.T) {
		t.Parallel()
		e := open(t, options(t, "good"))
		p := e.idle[0]
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				e.Close()
				if !p.ended() || !p.cmd.ProcessState.Success() {
					t.Error(p.cmd.ProcessState)
				}
			})
		}
		wg.Wait()
		if x, f := e.search(t.Context(), from("m 0")); x.move != "" || f != nil {
			t.Error(x, f)
		}
	})
	t.Run("in thought", func(t *testing.T) {
		t.Parallel()
		for _, kind := range []string{"thinks on", "mute"} {
			o := options(t, kind)
			if kind == "mute" {
				o.StopGrace = 50 * time.Millisecond
			}
			e := open(t, o)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := e.answer(ctx, nil, from("m 0"))
				done <- err
			}()
			for len(e.slots) == 0 {
				select {
				case <-done:
					t.Fatal("it answered")
				case <-time.After(time.Millisecond):
				}
			}
			cancel() // so that the answer of the one that has one is not looked at
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			e.Close()
		}
	})
}

// TestContextEnds: the end of a request's context is answered at once, whatever the engine does about it.
func TestContextEnds(t *testing.T) {
	var told failures
	answered := make(chan struct{})
	o := options(t, "mute")
	o.StopGrace, o.Failed = 50*time.Millisecond, func(f *Failure) {
		select {
		case <-answered:
		case <-time.After(time.Minute):
			t.Error("the answer waits for the engine")
		}
		told.add(f)
	}
	e := open(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	s := from("m 0")
	s.left = func() (time.Duration, bool) { cancel(); return time.Hour, true } // as the search begins
	if _, err := e.answer(ctx, nil, s); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(answered)
	// The one process is the muted one until it has been given up; then there is a new one.
	ctx, cancel = context.WithCancel(t.Context())
	before := ""
	s = from("m 0")
	s.left = func() (time.Duration, bool) { before = told.codes(); cancel(); return time.Hour, true }
	if _, err := e.answer(ctx, nil, s); !errors.Is(err, context.Canceled) || before != "mute" {
		t.Errorf("%v, after %q", err, before)
	}
}

// TestDeafPipe: a process that does not read holds nobody up.
func TestDeafPipe(t *testing.T) {
	o := options(t, "deaf")
	p, err := launch(&o)
	if err != nil {
		t.Fatal(err)
	}
	if !p.send("uci", strings.Repeat("x", 4<<20)) {
		t.Error("the first lines do not fit")
	}
	if f := p.await(t.Context(), "uciok", time.Minute, nil); f != nil {
		t.Error(f)
	}
	for i := 0; p.send("isready"); i++ {
		if i > 100 {
			t.Fatal("it takes lines for ever")
		}
	}
	p.kill()
	p.end()
	if _, open := <-p.lines; open {
		t.Error("it goes on")
	}
}
