package websocket_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	ws "github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/websocket"
)

// edge is a source that draws the longest pause, or the shortest.
type edge uint64

func (e edge) Uint64() uint64 { return uint64(e) }

const longestPause, shortestPause = edge(1<<64 - 1), edge(1)

// pauses gives the pauses that were told of.
func pauses(o *websocket.DialOptions) *[]time.Duration {
	var told []time.Duration
	o.Failed = func(err error) {
		var lost *websocket.LostError
		if errors.As(err, &lost) {
			told = append(told, lost.Pause)
		}
	}
	return &told
}

// TestClientBackoff draws the longest and the shortest pause while the arena is
// away: they double up to the ceiling, and each attempt follows its pause.
func TestClientBackoff(t *testing.T) {
	ms := func(ns ...int64) (out []time.Duration) {
		for _, n := range ns {
			out = append(out, time.Duration(n)*time.Millisecond)
		}
		return out
	}
	tests := []struct {
		name            string
		source          edge
		pause, maxPause time.Duration
		want            []time.Duration
	}{
		{"longest", longestPause, 0, 0, ms(250, 500, 1000, 2000, 4000, 8000, 10000, 10000)},
		{"shortest", shortestPause, 0, 0, ms(0, 0, 0, 0, 0, 0, 0, 0)},
		{"its own", longestPause, time.Second, 5 * time.Second, ms(1000, 2000, 4000, 5000, 5000, 5000, 5000, 5000)},
		{"a low ceiling", longestPause, time.Second, 300 * time.Millisecond, ms(300, 300, 300, 300, 300, 300, 300, 300)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := newStub(t, func(c *stubConn) { c.welcome() })
				o := s.options()
				o.Rand, o.Pause, o.MaxPause, o.Attempts = tt.source, tt.pause, tt.maxPause, 8
				told := pauses(&o)
				c, err := websocket.Dial(t.Context(), "ws://localhost/agent", o)
				if err != nil {
					t.Fatal(err)
				}
				s.setDown(true)
				err = c.Run(t.Context(), first)
				if !errors.Is(err, websocket.ErrGaveUp) || !strings.Contains(err.Error(), "gave up after 8 attempts: ") || !strings.HasSuffix(err.Error(), "connection refused") {
					t.Error(err)
				}
				if d := cmp.Diff(tt.want, *told); d != "" {
					t.Errorf("pauses (-want +got):\n%s", d)
				}
				at := s.dialled()
				for i, pause := range tt.want {
					if got := at[i+1].Sub(at[i]); got != pause {
						t.Errorf("attempt %d after %v, not %v", i+1, got, pause)
					}
				}
			})
		})
	}
}

// TestClientJitter draws many pauses: evenly over the whole of their range.
func TestClientJitter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStub(t, func(c *stubConn) { c.welcome() })
		o := s.options()
		o.Pause, o.MaxPause, o.Attempts = time.Second, time.Second, 2000
		o.Rand = rand.NewPCG(1, 2)
		told := pauses(&o)
		c, err := websocket.Dial(t.Context(), "ws://localhost/agent", o)
		if err != nil {
			t.Fatal(err)
		}
		s.setDown(true)
		c.Run(t.Context(), first)
		var bins [10]int
		for _, p := range *told {
			if p < 0 || p > time.Second {
				t.Fatalf("a pause of %v", p)
			}
			bins[min(9, p*10/time.Second)]++
		}
		for i, n := range bins {
			if n < 140 || n > 260 { // 200 are expected, 60 is four and a half deviations
				t.Errorf("%d pauses in tenth %d: %v", n, i, bins)
			}
		}
	})
}

// TestClientGiveUp counts the time that the arena is away, not the attempts.
func TestClientGiveUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("m-1", 1, time.Hour)
			time.Sleep(time.Hour)
		})
		o := s.options()
		o.GiveUp, o.Rand = time.Minute, longestPause
		var ended atomic.Bool
		go func() {
			time.Sleep(30 * time.Minute)
			s.setDown(true)
		}()
		start := time.Now()
		err := s.run(t.Context(), o, func(ctx context.Context, _ *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			<-ctx.Done()
			ended.Store(true)
			if cause := context.Cause(ctx); cause != context.DeadlineExceeded {
				t.Error(cause)
			}
			return nil, ctx.Err()
		})
		if !errors.Is(err, websocket.ErrGaveUp) || !ended.Load() {
			t.Error(err)
		}
		if took := time.Since(start); took < time.Hour+45*time.Second || took > time.Hour+time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// TestClientCauses has each loss after which the client connects again, and each
// after which it must not.
func TestClientCauses(t *testing.T) {
	tests := []struct {
		name   string
		first  func(*stubConn)
		second func(http.ResponseWriter) bool // true: no upgrade
		want   string                         // what Run returns; "": it goes on
	}{
		{"1001", func(c *stubConn) { c.Close(ws.StatusGoingAway, "restart") }, nil, ""},
		{"1000", func(c *stubConn) { c.Close(ws.StatusNormalClosure, "") }, nil, ""},
		{"1008", func(c *stubConn) { c.Close(ws.StatusPolicyViolation, "") }, nil, ""},
		{"1011", func(c *stubConn) { c.Close(ws.StatusInternalError, "") }, nil, ""},
		{"1013", func(c *stubConn) { c.Close(ws.StatusTryAgainLater, "") }, nil, ""},
		{"the network", func(c *stubConn) { c.CloseNow() }, nil, ""},
		{"an oversized frame", func(c *stubConn) {
			c.Write(context.Background(), ws.MessageText, []byte(strings.Repeat(" ", ludux.MaxFrame+1)))
			if code := c.gone(); code != 1009 {
				c.t.Errorf("closed with %d", code)
			}
		}, nil, ""},
		{"replaced", func(c *stubConn) {
			c.send(&ludux.Error{Code: ludux.CodeRateLimited, Message: "a newer connection of this agent"})
			c.Close(websocket.CloseReplaced, "replaced")
		}, nil, websocket.ErrReplaced.Error()},
		{"a key that was revoked", func(c *stubConn) {
			c.send(&ludux.Error{Code: ludux.CodeUnauthorized, Message: "no more"})
			c.Close(ws.StatusPolicyViolation, "")
		}, nil, `websocket: the arena refuses the key: "no more"`},
		{"a key that was revoked meanwhile", func(c *stubConn) { c.CloseNow() }, func(w http.ResponseWriter) bool {
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}, "websocket: the arena refuses the key: 401 Unauthorized"},
		{"502 for a while", func(c *stubConn) { c.CloseNow() }, func(w http.ResponseWriter) bool {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s := newStub(t, func(c *stubConn) {
					c.welcome()
					if c.n == 1 {
						tt.first(c)
						return
					}
					c.ask("m-1", 1, time.Minute)
					c.answered("m-1", 1)
					cancel()
					c.gone()
				})
				s.plain = func(n int, w http.ResponseWriter, _ *http.Request) bool {
					return n == 2 && tt.second != nil && tt.second(w)
				}
				err := s.run(ctx, s.options(), first)
				want := tt.want
				if want == "" {
					want = context.Canceled.Error()
				}
				if err == nil || err.Error() != want {
					t.Errorf("%v, not %s", err, want)
				}
				if about := errors.Is(err, transport.ErrKey); about != strings.Contains(tt.want, "key") {
					t.Errorf("%v is about the key: %t", err, about)
				}
				if n := len(s.dialled()); (n > 1) != (tt.want == "" || tt.second != nil) {
					t.Errorf("%d attempts", n)
				}
			})
		})
	}
}

// TestClientReset: a connection that was in use, or held for ten seconds, begins
// the pauses anew; one that was welcomed and closed at once does not.
func TestClientReset(t *testing.T) {
	tests := []struct {
		name   string
		script func(*stubConn)
		want   []time.Duration
	}{
		{"of no use", func(*stubConn) {}, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}},
		{"errors alone", func(c *stubConn) { c.send(&ludux.Error{Code: ludux.CodeStaleResponse}) }, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}},
		{"in use", func(c *stubConn) { c.send(&ludux.MatchStart{MatchID: "m-1"}) }, []time.Duration{250 * time.Millisecond, 250 * time.Millisecond, 250 * time.Millisecond}},
		{"long", func(*stubConn) { time.Sleep(10 * time.Second) }, []time.Duration{250 * time.Millisecond, 250 * time.Millisecond, 250 * time.Millisecond}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s := newStub(t, func(c *stubConn) {
					c.welcome()
					tt.script(c)
					if c.n == 4 {
						cancel()
						c.gone()
					}
				})
				o := s.options()
				o.Rand = longestPause
				told := pauses(&o)
				s.run(ctx, o, first)
				if d := cmp.Diff(tt.want, *told); d != "" {
					t.Errorf("pauses (-want +got):\n%s", d)
				}
			})
		})
	}
}

// TestClientRetryAfter: an arena that asks for a pause gets it.
func TestClientRetryAfter(t *testing.T) {
	tests := []struct {
		name   string
		header func(time.Time) string
		want   time.Duration
	}{
		{"seconds", func(time.Time) string { return "42" }, 42 * time.Second},
		{"a date", func(now time.Time) string { return now.Add(42 * time.Second).UTC().Format(http.TimeFormat) }, 42 * time.Second},
		{"a year", func(time.Time) string { return "31536000" }, 5 * time.Minute},
		{"nonsense", func(time.Time) string { return "-soon" }, 0},
		{"a date that has passed", func(now time.Time) string { return now.Add(-time.Hour).UTC().Format(http.TimeFormat) }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s := newStub(t, func(c *stubConn) {
					c.welcome()
					if c.n == 3 {
						cancel()
						c.gone()
					}
				})
				s.plain = func(n int, w http.ResponseWriter, _ *http.Request) bool {
					if n != 2 {
						return false
					}
					w.Header().Set("Retry-After", tt.header(time.Now()))
					w.WriteHeader(http.StatusTooManyRequests)
					return true
				}
				o := s.options()
				o.Rand = shortestPause
				s.run(ctx, o, first)
				at := s.upgrades()
				if got := at[2].Sub(at[1]).Round(time.Second); got != tt.want {
					t.Errorf("again after %v, not %v", got, tt.want)
				}
			})
		})
	}
}

// TestClientRateLimited: an answer that was not taken is sent again after the
// pause, together with those that were found meanwhile.
func TestClientRateLimited(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("m-1", 1, time.Minute)
			c.answered("m-1", 1)
			c.send(&ludux.Error{Code: ludux.CodeRateLimited, MatchID: "m-1", Seq: 1, RetryAfter: 5 * time.Second})
			start := time.Now()
			for range 3 { // it is answered once for all that
				c.ask("m-2", 1, time.Minute)
				time.Sleep(time.Millisecond)
			}
			c.answered("m-1", 1)
			if took := time.Since(start); took != 5*time.Second {
				t.Errorf("again after %v", took)
			}
			c.answered("m-2", 1)
			c.send(&ludux.Error{Code: ludux.CodeRateLimited, MatchID: "m-2", Seq: 1}) // which names no time
			c.answered("m-2", 1)
			if took := time.Since(start); took != 6*time.Second {
				t.Errorf("again after %v", took)
			}
			c.send(&ludux.Error{Code: ludux.CodeRateLimited, MatchID: "m-2", Seq: 7})
			c.send(&ludux.Error{Code: ludux.CodeRateLimited, MatchID: "m-3", Seq: 1})
			c.quiet(time.Hour) // it has sent no such thing
			cancel()
		})
		var calls atomic.Int32
		s.run(ctx, s.options(), counted(&calls, first))
		if calls.Load() != 2 {
			t.Errorf("played %d times", calls.Load())
		}
	})
}

// TestClientHeldBack: an arena that asked for a pause and then closed has it between connections, too.
func TestClientHeldBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			if c.n == 1 {
				c.send(&ludux.Error{Code: ludux.CodeRateLimited, RetryAfter: 20 * time.Second})
				c.Close(ws.StatusPolicyViolation, "")
				return
			}
			cancel()
			c.gone()
		})
		o := s.options()
		o.Rand = shortestPause
		s.run(ctx, o, first)
		if at := s.dialled(); at[1].Sub(at[0]) != 20*time.Second {
			t.Errorf("again after %v", at[1].Sub(at[0]))
		}
	})
}

// TestClientSilence: an arena that vanished without a word is found out by the
// pings that do not come; one that pings is not.
func TestClientSilence(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		lost := make(chan time.Time, 1)
		s := newStub(t, func(c *stubConn) {
			c.send(&ludux.Welcome{Agent: ludux.Identity{Slug: "ann"}, Ping: 15 * time.Second})
			if c.n == 2 {
				lost <- time.Now()
				cancel()
				c.gone()
				return
			}
			c.CloseRead(context.Background())
			for range 10 {
				time.Sleep(15 * time.Second)
				if err := c.Ping(context.Background()); err != nil {
					t.Error(err)
				}
			}
			for range 4 { // any message is as good as a ping
				time.Sleep(40 * time.Second)
				c.send(&ludux.TimeoutWarning{MatchID: "m-1"})
			}
			time.Sleep(time.Hour)
		})
		o := s.options()
		var why []string
		o.Failed = func(err error) { why = append(why, errors.Unwrap(err).Error()) }
		o.Rand = shortestPause
		start := time.Now()
		s.run(ctx, o, first)
		if took := (<-lost).Sub(start); took != (10*15+4*40+3*15)*time.Second {
			t.Errorf("found out after %v", took)
		}
		if d := cmp.Diff([]string{"websocket: no ping of the arena for too long"}, why); d != "" {
			t.Errorf("why (-want +got):\n%s", d)
		}
		time.Sleep(time.Hour) // for the arena, which has not noticed
	})
}

// TestClientWaits: Run returns when the last play has, and not before.
func TestClientWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("m-1", 1, time.Hour)
			time.Sleep(time.Second)
			cancel()
			c.gone()
		})
		var ended atomic.Bool
		s.run(ctx, s.options(), func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			time.Sleep(time.Minute) // it does not look at ctx
			ended.Store(true)
			return nil, errors.New("too late")
		})
		if !ended.Load() {
			t.Error("Run returned before")
		}
	})
}

// TestClientEnds ends Run while it waits for the next attempt, while it connects
// and while the arena does not read.
func TestClientEnds(t *testing.T) {
	tests := []struct {
		name   string
		script func(*stub, *stubConn)
		most   time.Duration // that Run takes to return
	}{
		{"in a pause", func(s *stub, _ *stubConn) { s.setDown(true) }, 0},
		{"connecting", func(s *stub, c *stubConn) {
			if c.n > 1 {
				time.Sleep(time.Hour)
			}
		}, 0},
		{"read by nobody", func(*stub, *stubConn) { time.Sleep(time.Hour) }, time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				var s *stub
				s = newStub(t, func(c *stubConn) {
					if c.n == 1 || tt.name != "connecting" {
						c.welcome()
					}
					tt.script(s, c)
				})
				start := time.Now()
				if err := s.run(ctx, s.options(), first); err != context.DeadlineExceeded {
					t.Error(err)
				}
				if took := time.Since(start) - time.Minute; took > tt.most {
					t.Errorf("it took %v to return", took)
				}
				time.Sleep(2 * time.Hour) // for the arena
			})
		})
	}
}
