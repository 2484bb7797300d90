package websocket_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport/websocket"
)

// counted counts the calls of a play function.
func counted(n *atomic.Int32, play stubPlay) stubPlay {
	return func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
		n.Add(1)
		return play(ctx, m)
	}
}

// after plays as first does, after a while.
func after(d time.Duration) stubPlay {
	return func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
		select {
		case <-time.After(d):
			return first(ctx, m)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// quick are options with which a new connection is there within a millisecond.
func quick(s *stub) websocket.DialOptions {
	o := s.options()
	o.Pause, o.MaxPause = time.Millisecond, time.Millisecond
	return o
}

// TestClientResume has the connection break at each stage of a request. Whatever
// the stage: played once, answered on the connection that asked last, never on
// another.
func TestClientResume(t *testing.T) {
	tests := []struct {
		name   string
		think  time.Duration
		script func(t *testing.T, c *stubConn, done func())
	}{
		{"while it is thought about", 10 * time.Second, func(_ *testing.T, c *stubConn, done func()) {
			c.welcome()
			if c.n == 1 {
				c.ask("m-1", 5, 15*time.Second)
				time.Sleep(time.Second)
				return
			}
			c.ask("m-1", 5, 14*time.Second)
			c.answered("m-1", 5)
			done()
			c.gone()
		}},
		{"and the answer is found before the arena asks again", 10 * time.Second, func(_ *testing.T, c *stubConn, done func()) {
			c.welcome()
			if c.n == 1 {
				c.ask("m-1", 5, 15*time.Second)
				return
			}
			time.Sleep(12 * time.Second) // the new connection must not hear of what it has not asked
			c.ask("m-1", 5, 3*time.Second)
			c.answered("m-1", 5)
			done()
			c.gone()
		}},
		{"and the arena never asks again", time.Second, func(_ *testing.T, c *stubConn, done func()) {
			c.welcome()
			if c.n == 1 {
				c.ask("m-1", 5, 15*time.Second)
				return
			}
			c.quiet(time.Hour)
			done()
		}},
		{"after the answer, which was lost", 0, func(_ *testing.T, c *stubConn, done func()) {
			c.welcome()
			c.ask("m-1", 5, 15*time.Second)
			c.answered("m-1", 5)
			if c.n == 10 {
				done()
				c.gone()
			}
		}},
		{"ten times", time.Second, func(_ *testing.T, c *stubConn, done func()) {
			c.welcome()
			c.ask("m-1", 5, 15*time.Second)
			if c.n <= 10 {
				time.Sleep(10 * time.Millisecond)
				return
			}
			c.answered("m-1", 5)
			done()
			c.gone()
		}},
		{"and the arena asks twice", time.Second, func(_ *testing.T, c *stubConn, done func()) {
			c.welcome()
			c.ask("m-1", 5, 15*time.Second)
			c.ask("m-1", 5, 15*time.Second)
			c.answered("m-1", 5) // both at once
			c.ask("m-1", 5, 15*time.Second)
			c.answered("m-1", 5)
			done()
			c.gone()
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				s := newStub(t, func(c *stubConn) { tt.script(t, c, cancel) })
				var calls atomic.Int32
				if err := s.run(ctx, quick(s), counted(&calls, after(tt.think))); err != context.Canceled {
					t.Error(err)
				}
				if calls.Load() != 1 {
					t.Errorf("played %d times", calls.Load())
				}
			})
		})
	}
}

// TestClientNewerWins: what was found for an older request is sent to nobody.
func TestClientNewerWins(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			if c.n == 1 {
				c.ask("m-1", 5, time.Minute)
				time.Sleep(time.Second)
				return
			}
			c.ask("m-1", 6, time.Minute)
			c.answered("m-1", 6)
			c.quiet(time.Hour)
			cancel()
		})
		s.run(ctx, quick(s), func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			time.Sleep(10 * time.Second) // it does not look at ctx
			return first(ctx, m)
		})
	})
}

// TestClientClockAnew: an arena that was down starts the clock of the open request
// anew, and so the thought about it has that time.
func TestClientClockAnew(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			switch c.n {
			case 1:
				c.ask("m-1", 5, 15*time.Second)
				time.Sleep(10 * time.Second)
				c.Close(ws.StatusGoingAway, "")
			case 2:
				c.ask("m-1", 5, 15*time.Second)
				c.ask("m-1", 5, 2*time.Second) // less than was known takes nothing away
				c.answered("m-1", 5)
				cancel()
				c.gone()
			}
		})
		var calls atomic.Int32
		s.run(ctx, quick(s), counted(&calls, after(20*time.Second)))
		if calls.Load() != 1 {
			t.Errorf("played %d times", calls.Load())
		}
	})
}

// TestClientTooLate: time that is over ends a thought, and the same request with
// new time starts another.
func TestClientTooLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("m-1", 5, 5*time.Second)
			time.Sleep(6 * time.Second)
			c.ask("m-1", 5, 15*time.Second)
			c.answered("m-1", 5)
			cancel()
			c.gone()
		})
		var calls atomic.Int32
		s.run(ctx, quick(s), counted(&calls, after(10*time.Second)))
		if calls.Load() != 2 {
			t.Errorf("played %d times", calls.Load())
		}
	})
}

// TestClientSlowToEnd: the same where the new time comes before the thought has
// noticed that its own was over.
func TestClientSlowToEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("m-1", 5, 5*time.Second)
			time.Sleep(6 * time.Second)
			c.ask("m-1", 5, 15*time.Second)
			c.answered("m-1", 5)
			cancel()
			c.gone()
		})
		var calls atomic.Int32
		s.run(ctx, quick(s), func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			if calls.Add(1) == 1 {
				time.Sleep(8 * time.Second)
				return nil, ctx.Err()
			}
			if at, _ := ctx.Deadline(); time.Until(at) != 13*time.Second || m.Deadline != 13*time.Second {
				t.Errorf("%v and %v are left", time.Until(at), m.Deadline)
			}
			return first(ctx, m)
		})
		if calls.Load() != 2 {
			t.Errorf("played %d times", calls.Load())
		}
	})
}

// TestClientSeats: two seats of one match are two things to think about.
func TestClientSeats(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			for seat := range 2 {
				m := stubRequest("m-1", 1, time.Minute)
				m.Seat = game.Seat(seat)
				c.send(m)
			}
			c.answered("m-1", 1)
			c.answered("m-1", 1)
			cancel()
			c.gone()
		})
		var calls atomic.Int32
		s.run(ctx, quick(s), counted(&calls, after(time.Second)))
		if calls.Load() != 2 {
			t.Errorf("played %d times", calls.Load())
		}
	})
}
